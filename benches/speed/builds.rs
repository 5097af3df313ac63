//! From vertices and triangles to a tree, in f32: as boxwood does it, and parry3d.

use boxwood::{Build, Error, Geometry, Mesh, NodeId, ObbTree};
use parry3d::math::Vector;
use parry3d::shape::TriMesh;

use crate::tori::{Ring, torus};

/// What both start from. They copy it before they build: a thousandth of the time.
pub struct Soup {
    geometry: Geometry,
    vertices: Vec<Vector>,
    triangles: Vec<[u32; 3]>,
}

impl Soup {
    pub fn new(ring: Ring) -> Result<Self, Error> {
        let (points, triangles) = torus(ring);
        let mesh = Mesh::new(points.iter().map(|p| p.cast()).collect(), triangles.clone())?;
        let vector = |p: &boxwood::nalgebra::Point3<f64>| p.cast::<f32>();
        let vertices = points.iter().map(vector).map(|p| Vector::new(p.x, p.y, p.z)).collect();
        Ok(Soup { geometry: Geometry::Surface(mesh), vertices, triangles })
    }

    /// Builds a tree of four triangles a leaf, and says how many are in its leaves.
    pub fn ours(&self) -> usize {
        let Ok(tree) = self.our_tree() else { return 0 };
        let leaves =
            (0..tree.len()).map(NodeId::new).filter(|&id| tree.node(id).children().is_none());
        leaves.map(|id| tree.primitives(id).len()).sum()
    }

    fn our_tree(&self) -> Result<ObbTree, Error> {
        let build = Build { leaf_primitives: 4, ..Build::fast() };
        ObbTree::build(self.geometry.clone(), &build)
    }

    /// Builds the tree of the peer, and says how many leaves it has: one a triangle.
    pub fn peer(&self) -> usize {
        let mesh = TriMesh::new(self.vertices.clone(), self.triangles.clone());
        mesh.map_or(0, |mesh| mesh.bvh().leaf_count() as usize)
    }
}
