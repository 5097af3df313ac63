//! Triangles of each joint, in its rigid frame.

use ::gltf::mesh::Primitive;
use ::gltf::{Document, Mesh as FileMesh};
use nalgebra::{Point3, Vector3};

use super::buffers::GltfBuffers;
use super::cut::{self, OwnedTriangle, WeightedCorner};
use super::instances;
use super::nodes::SceneNodes;
use super::primitives::{self, IndexedTriangles};
use super::skins::{self, Binding, BoundSkin};
use super::weights::{self, Influence, VertexWeights};
use crate::error::Error;
use crate::fit::AxisBounds;
use crate::load::{
    SkinAssignment, Straddling, Warning, options::Options, warning::Warnings, weld::Weld,
};
use crate::motion::{Skin, SkinWeight};
use crate::num::Scalar;
use crate::shape::{Mesh, Pose};

/// Largest number of triangles of one character.
const MAX_TRIANGLES: usize = 1 << 22;

/// The triangles of one joint, welded, from any number of meshes.
#[derive(Debug, Clone)]
pub(super) struct JointTriangles<T: Scalar> {
    weld: Weld<T>,
    /// A flag of each vertex: `true` if a cut between joints made it.
    on_cut: Vec<bool>,
    triangles: Vec<[u32; 3]>,
    /// The bounds of the corners in the joint's own axes before any scale.
    pub unscaled: AxisBounds,
    /// Bound of the distance of cut triangles from the skin at rest: 0 if joints were bound to it
    /// in that pose.
    pub rest_deviation: f64,
}

impl<T: Scalar> JointTriangles<T> {
    fn new() -> Self {
        let (on_cut, triangles) = (Vec::new(), Vec::new());
        let (weld, unscaled) = (Weld::new(), AxisBounds::EMPTY);
        JointTriangles { weld, on_cut, triangles, unscaled, rest_deviation: 0.0 }
    }

    /// Adds a triangle of a mesh, with the corners that a cut made.
    fn add(&mut self, binding: &Binding, (corners, on_cut): ([Point3<f64>; 3], [bool; 3])) {
        let unscaled = binding.unscaled(corners);
        unscaled.iter().for_each(|&corner| self.unscaled.add(corner.into()));
        let triangle = binding.at_rest_triangle(unscaled).map(|corner| self.weld.vertex(corner));
        for (vertex, on_cut) in triangle.into_iter().zip(on_cut) {
            if vertex as usize == self.on_cut.len() {
                self.on_cut.push(on_cut);
            }
        }
        self.triangles.push(triangle);
    }

    /// Returns the mesh; `None` without triangles.
    pub fn into_mesh(self) -> Result<Option<JointMesh<T>>, Error> {
        if self.triangles.is_empty() {
            return Ok(None);
        }
        let mesh = Mesh::new(self.weld.into_vertices(), self.triangles)?;
        Ok(Some(JointMesh { mesh, on_cut: self.on_cut }))
    }
}

/// The mesh of a joint.
#[derive(Debug, PartialEq)]
pub(super) struct JointMesh<T: Scalar> {
    pub mesh: Mesh<T>,
    /// A flag of each vertex: `true` if a cut between joints made it.
    pub on_cut: Vec<bool>,
}

/// Reads the triangles of every joint.
pub(super) fn read<T: Scalar>(
    document: &Document,
    buffers: &GltfBuffers,
    nodes: &SceneNodes,
    (options, warnings): (&Options, &mut Warnings),
) -> Result<TrianglesByJoint<T>, String> {
    let file_nodes: Vec<_> = document.nodes().collect();
    let scales = skins::rest_scales(nodes);
    let skins = skins::read_all(buffers, nodes, &scales, &file_nodes)?;
    let mut by_joint = TrianglesByJoint {
        joints: vec![JointTriangles::new(); nodes.node_of.len()],
        assign: options.assign,
        cuts: options.assign == SkinAssignment::Dominating && options.straddling == Straddling::Cut,
        rest: nodes.skeleton.rest_poses(),
        skin: KeptSkin::new(options.keep_skin || !skins.is_empty()),
        skinned: !skins.is_empty(),
        left: MAX_TRIANGLES,
    };
    for (joint, node) in nodes.node_of.iter().enumerate() {
        let Some(node) = node.map(|node| &file_nodes[node]) else { continue };
        let Some(mesh) = node.mesh().filter(|_| !nodes.hidden[joint]) else { continue };
        let weights = node.weights().or(mesh.weights()).unwrap_or_default();
        let skin = node.skin().and_then(|skin| skins.get(&skin.index()));
        let name = mesh.name().map_or_else(|| format!("mesh {}", mesh.index()), str::to_owned);
        for placement in instances::read(document, buffers, node)? {
            let rigid = Binding::new(joint, placement, scales[joint]);
            let (mesh, name) = (mesh.clone(), name.clone());
            let instance = MeshInstance { mesh, name, skin, weights, rigid };
            instance
                .read(buffers, &mut by_joint, warnings)
                .map_err(|e| format!("mesh '{}', {e}", instance.name))?;
        }
    }
    Ok(by_joint)
}

/// Triangles of all joints while meshes are read.
pub(super) struct TrianglesByJoint<T: Scalar> {
    pub joints: Vec<JointTriangles<T>>,
    assign: SkinAssignment,
    /// `true` if triangles are cut between joints.
    pub cuts: bool,
    /// The poses of the joints at rest.
    rest: Vec<Pose<f64>>,
    /// The vertices of all meshes with their weights, and the triangles.
    pub skin: KeptSkin<T>,
    /// `true` if any mesh has a skin.
    pub skinned: bool,
    /// The remaining number of triangles.
    left: usize,
}

impl<T: Scalar> TrianglesByJoint<T> {
    /// Adds a whole triangle to a joint.
    fn add(&mut self, binding: &Binding, corners: [Point3<f64>; 3]) -> Result<(), String> {
        self.add_piece(binding, (corners, [false; 3]))
    }

    /// Adds a piece of a triangle to a joint, with the corners that the cut made.
    fn add_piece(
        &mut self,
        binding: &Binding,
        piece: ([Point3<f64>; 3], [bool; 3]),
    ) -> Result<(), String> {
        let left = self.left.checked_sub(1);
        self.left = left.ok_or_else(|| format!("more than {MAX_TRIANGLES} triangles in total"))?;
        self.joints[binding.joint].add(binding, piece);
        Ok(())
    }
}

/// The surface that the parts approximate; meshes without skin follow their node with weight 1.
pub(super) struct KeptSkin<T: Scalar> {
    /// `true` if a part can differ from the surface, or the skin is kept; else the surface remains
    /// empty.
    wanted: bool,
    corners: Vec<Vec<SkinWeight<T>>>,
    triangles: Vec<[u32; 3]>,
}

impl<T: Scalar> KeptSkin<T> {
    fn new(wanted: bool) -> Self {
        KeptSkin { wanted, corners: Vec::new(), triangles: Vec::new() }
    }

    /// Adds the triangles of a primitive, and only the vertices that they use: a few triangles
    /// never cost more than three vertices each.
    fn add(&mut self, mesh: &IndexedTriangles, bindings: &[Binding], weights: &[Vec<Influence>]) {
        if !self.wanted {
            return;
        }
        let mut used = vec![false; mesh.vertices.len()];
        mesh.triangles.iter().flatten().for_each(|&v| used[v] = true);
        let mut index_of = vec![0; used.len()];
        for v in (0..used.len()).filter(|&v| used[v]) {
            index_of[v] = self.corners.len() as u32;
            self.corners.push(weighted(mesh.vertices[v], bindings, &weights[v]));
        }
        self.triangles.extend(mesh.triangles.iter().map(|of| of.map(|v| index_of[v])));
    }

    pub fn into_skin(self) -> Result<Skin<T>, Error> {
        Skin::new(self.corners)?.with_triangles(self.triangles)
    }
}

/// Returns the weights of a vertex, with its position in the joints.
fn weighted<T: Scalar>(
    vertex: Point3<f64>,
    bindings: &[Binding],
    weights: &[Influence],
) -> Vec<SkinWeight<T>> {
    let weight = |&(index, share): &Influence| {
        let [at, ..] = bindings[index].unscaled([vertex; 3]);
        let joint = bindings[index].joint;
        SkinWeight { joint, share: T::nearest(share), at: at.map(T::nearest) }
    };
    weights.iter().map(weight).collect()
}

/// An instance of a mesh at a node.
struct MeshInstance<'d> {
    mesh: FileMesh<'d>,
    name: String,
    skin: Option<&'d BoundSkin>,
    /// The default weights of its morph targets.
    weights: &'d [f32],
    /// The binding to its node, for a mesh without skin.
    rigid: Binding,
}

impl MeshInstance<'_> {
    fn read<T: Scalar>(
        &self,
        buffers: &GltfBuffers,
        by_joint: &mut TrianglesByJoint<T>,
        warnings: &mut Warnings,
    ) -> Result<(), String> {
        let (mut off_sum, mut no_weight) = (0, 0);
        for primitive in self.mesh.primitives() {
            let found = self.read_primitive(&primitive, buffers, by_joint, warnings);
            let found = found.map_err(|e| format!("primitive {}: {e}", primitive.index()))?;
            off_sum += found.off_sum;
            no_weight += found.no_weight;
        }
        if off_sum > 0 {
            warnings.add(Warning::WeightSum { mesh: self.name.clone(), vertices: off_sum });
        }
        if no_weight > 0 {
            warnings.add(Warning::NoWeight { mesh: self.name.clone(), vertices: no_weight });
        }
        Ok(())
    }

    /// Distributes the triangles of a primitive; returns its weights, for warnings.
    fn read_primitive<T: Scalar>(
        &self,
        primitive: &Primitive<'_>,
        buffers: &GltfBuffers,
        by_joint: &mut TrianglesByJoint<T>,
        warnings: &mut Warnings,
    ) -> Result<VertexWeights, String> {
        let mesh = || self.name.clone();
        let Some(triangles) = primitives::read(buffers, primitive, self.weights)? else {
            warnings.add(Warning::NotTriangles { mesh: mesh() });
            return Ok(VertexWeights::default());
        };
        if primitive.morph_targets().next().is_some() {
            warnings.add(Warning::MorphTargets { mesh: mesh() });
        }
        if let Some(skin) = self.skin {
            let vertices = triangles.vertices.len();
            if let Some(found) = weights::read(buffers, primitive, vertices, skin)? {
                triangles.add_skinned(&skin.bindings, &found, by_joint)?;
                by_joint.skin.add(&triangles, &skin.bindings, &found.vertices);
                return Ok(found);
            }
            warnings.add(Warning::NoSkinning { mesh: mesh() });
        }
        triangles.add_rigid(&self.rigid, by_joint)?;
        let whole = vec![vec![(0, 1.0)]; triangles.vertices.len()];
        by_joint.skin.add(&triangles, std::slice::from_ref(&self.rigid), &whole);
        Ok(VertexWeights::default())
    }
}

impl IndexedTriangles {
    /// Adds every triangle to one joint.
    fn add_rigid<T: Scalar>(
        &self,
        binding: &Binding,
        by_joint: &mut TrianglesByJoint<T>,
    ) -> Result<(), String> {
        for triangle in &self.triangles {
            by_joint.add(binding, triangle.map(|v| self.vertices[v]))?;
        }
        Ok(())
    }

    /// Adds every triangle to the joints it is assigned to: cut between them, or whole to each.
    fn add_skinned<T: Scalar>(
        &self,
        skin: &[Binding],
        weights: &VertexWeights,
        by_joint: &mut TrianglesByJoint<T>,
    ) -> Result<(), String> {
        if !by_joint.cuts {
            for &triangle in &self.triangles {
                for owner in weights.owners(triangle, by_joint.assign) {
                    by_joint.add(&skin[owner], triangle.map(|v| self.vertices[v]))?;
                }
            }
            return Ok(());
        }
        let blended = self.blended(skin, weights, &by_joint.rest);
        for &triangle in &self.triangles {
            for owner in self.add_cut(triangle, (skin, weights), by_joint)? {
                let binding = &skin[owner];
                let pose = by_joint.rest[binding.joint];
                let farther = |most: f64, v: usize| {
                    let placed = pose * binding.at_rest(self.vertices[v]);
                    most.max((placed - blended[v]).norm_squared())
                };
                let joint = &mut by_joint.joints[binding.joint];
                let square = triangle.into_iter().fold(0.0, farther);
                joint.rest_deviation = joint.rest_deviation.max(square.sqrt());
            }
        }
        Ok(())
    }

    /// Returns the position of each vertex in the blended skin at rest.
    fn blended(
        &self,
        skin: &[Binding],
        weights: &VertexWeights,
        rest: &[Pose<f64>],
    ) -> Vec<Point3<f64>> {
        let blend = |(&vertex, weights): (&Point3<f64>, &Vec<Influence>)| {
            let placed = |&(index, share): &Influence| {
                let binding: &Binding = &skin[index];
                (rest[binding.joint] * binding.at_rest(vertex)).coords * share
            };
            Point3::from(weights.iter().map(placed).sum::<Vector3<f64>>())
        };
        self.vertices.iter().zip(&weights.vertices).map(blend).collect()
    }

    /// Adds the pieces of a triangle to the joints that own them; returns those joints.
    fn add_cut<T: Scalar>(
        &self,
        triangle: [usize; 3],
        (skin, weights): (&[Binding], &VertexWeights),
        by_joint: &mut TrianglesByJoint<T>,
    ) -> Result<Vec<usize>, String> {
        let corners = triangle
            .map(|v| WeightedCorner { position: self.vertices[v], weights: &weights.vertices[v] });
        if let Some(owner) = cut::single_owner(corners) {
            by_joint.add(&skin[owner], corners.map(|corner| corner.position))?;
            return Ok(vec![owner]);
        }
        let mut owners = Vec::new();
        for OwnedTriangle { joint, corners: placed } in cut::cut_triangle(corners) {
            let on_cut = placed.map(|p| corners.iter().all(|corner| corner.position != p));
            by_joint.add_piece(&skin[joint], (placed, on_cut))?;
            if !owners.contains(&joint) {
                owners.push(joint);
            }
        }
        Ok(owners)
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::{Matrix3, Matrix4};

    use super::*;

    pub fn equal_corners_are_one_vertex() {
        let mut triangles = JointTriangles::<f32>::new();
        let [a, b, c] = [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]].map(Point3::from);
        let still = Binding::new(0, Matrix4::identity(), Matrix3::identity());
        triangles.add(&still, ([a, b, c], [false, true, false]));
        triangles.add(&still, ([c, b, Point3::new(-0.0, 1.0, 2.0)], [true; 3]));
        let found = triangles.into_mesh().expect("finite").expect("two triangles");
        let JointMesh { mesh, on_cut } = found;
        assert_eq!(on_cut, [false, true, false]);
        assert_eq!(mesh.vertices().len(), 3);
        assert_eq!(mesh.triangles(), [[0, 1, 2], [2, 1, 0]]);
        assert_eq!(JointTriangles::<f32>::new().into_mesh(), Ok(None));
    }
}
