//! The serialized form of a tree, and conversions in both directions.

use nalgebra::Point3;
use serde::{Deserialize, Serialize};

use super::number::{Number, Three, matrix, nine, point, three, vector};
use crate::error::Error;
use crate::num::Scalar;
use crate::pair::ConvexShape;
use crate::shape::{
    Capsule, ConvexHull, Cylinder, Ellipsoid, Mesh, Obb, Segment, Sphere, Triangle,
};
use crate::tree::{CompactNode, CompactTree, Geometry};

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct TreeRecord<T: Scalar> {
    geometry: GeometryRecord<T>,
    order: Vec<u32>,
    nodes: Vec<NodeRecord<T>>,
    hull_levels: u8,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
enum GeometryRecord<T: Scalar> {
    Surface(MeshRecord<T>),
    Solid(MeshRecord<T>),
    Boxes(Vec<BoxRecord<T>>),
    Convex(Vec<ConvexRecord<T>>),
}

/// A convex primitive.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
enum ConvexRecord<T: Scalar> {
    Sphere(Three<T>, Number<T>),
    Capsule([Three<T>; 2], Number<T>),
    /// Centre, axis, half height and radius.
    Cylinder([Three<T>; 2], [Number<T>; 2]),
    Ellipsoid(BoxRecord<T>),
    Box(BoxRecord<T>),
    Hull(Vec<Three<T>>),
    Triangle([Three<T>; 3]),
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct MeshRecord<T: Scalar> {
    vertices: Vec<Three<T>>,
    triangles: Vec<[u32; 3]>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct BoxRecord<T: Scalar> {
    center: Three<T>,
    axes: [Three<T>; 3],
    half_extents: Three<T>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct NodeRecord<T: Scalar> {
    first: u32,
    axes: [Three<T>; 3],
    bound: Number<T>,
}

impl<T: Scalar> TreeRecord<T> {
    pub fn of(tree: &CompactTree<T>) -> Self {
        let node = |compact_node: &CompactNode<T>| NodeRecord {
            first: compact_node.first_child_len,
            axes: nine(&compact_node.axes),
            bound: Number(compact_node.bound),
        };
        let nodes = tree.nodes.iter().map(node).collect();
        let geometry = match &tree.geometry {
            // Trees always have geometry.
            Geometry::None => GeometryRecord::Boxes(Vec::new()),
            Geometry::Surface(mesh) => GeometryRecord::Surface(MeshRecord::of(mesh)),
            Geometry::Solid(mesh) => GeometryRecord::Solid(MeshRecord::of(mesh)),
            Geometry::Boxes(boxes) => {
                GeometryRecord::Boxes(boxes.iter().map(BoxRecord::of).collect())
            }
            Geometry::Convex(shapes) => {
                GeometryRecord::Convex(shapes.iter().map(ConvexRecord::of).collect())
            }
        };
        TreeRecord { geometry, order: tree.order.clone(), nodes, hull_levels: tree.hull_levels }
    }

    pub fn compact(self) -> Result<CompactTree<T>, Error> {
        let compact_node = |node: &NodeRecord<T>| CompactNode {
            first_child_len: node.first,
            axes: matrix(&node.axes),
            bound: node.bound.0,
        };
        let nodes = self.nodes.iter().map(compact_node).collect();
        let geometry = match self.geometry {
            GeometryRecord::Surface(mesh) => Geometry::Surface(mesh.mesh()?),
            GeometryRecord::Solid(mesh) => Geometry::Solid(mesh.mesh()?),
            GeometryRecord::Boxes(boxes) => {
                Geometry::Boxes(boxes.iter().map(BoxRecord::solid).collect())
            }
            GeometryRecord::Convex(shapes) => {
                let shapes = shapes.iter().map(ConvexRecord::shape);
                Geometry::Convex(shapes.collect::<Result<_, _>>()?)
            }
        };
        Ok(CompactTree { geometry, order: self.order, nodes, hull_levels: self.hull_levels })
    }
}

impl<T: Scalar> MeshRecord<T> {
    fn of(mesh: &Mesh<T>) -> Self {
        let vertices = mesh.vertices().iter().map(|v| three(&v.coords)).collect();
        MeshRecord { vertices, triangles: mesh.triangles().to_vec() }
    }

    fn mesh(self) -> Result<Mesh<T>, Error> {
        let vertices: Vec<Point3<T>> = self.vertices.iter().map(point).collect();
        Mesh::new(vertices, self.triangles)
    }
}

impl<T: Scalar> ConvexRecord<T> {
    fn of(shape: &ConvexShape<T>) -> Self {
        let place = |p: Point3<T>| three(&p.coords);
        match shape {
            ConvexShape::Sphere(s) => ConvexRecord::Sphere(place(s.center()), Number(s.radius())),
            ConvexShape::Capsule(c) => {
                let ends = [c.segment().a(), c.segment().b()].map(place);
                ConvexRecord::Capsule(ends, Number(c.radius()))
            }
            ConvexShape::Cylinder(c) => ConvexRecord::Cylinder(
                [place(c.center()), three(&c.axis())],
                [c.half_height(), c.radius()].map(Number),
            ),
            ConvexShape::Ellipsoid(e) => ConvexRecord::Ellipsoid(BoxRecord {
                center: place(e.center()),
                axes: nine(&e.axes()),
                half_extents: three(&e.radii()),
            }),
            ConvexShape::Box(b) => ConvexRecord::Box(BoxRecord::of(b)),
            ConvexShape::Hull(hull) => {
                ConvexRecord::Hull(hull.corners().iter().map(|&p| place(p)).collect())
            }
            ConvexShape::Triangle(t) => ConvexRecord::Triangle(t.corners().map(place)),
        }
    }

    /// Restores the shape; axes are kept bit for bit, and not yet checked.
    fn shape(&self) -> Result<ConvexShape<T>, Error> {
        Ok(match self {
            ConvexRecord::Sphere(center, radius) => Sphere::new(point(center), radius.0)?.into(),
            ConvexRecord::Capsule([a, b], radius) => {
                Capsule::new(Segment::new(point(a), point(b))?, radius.0)?.into()
            }
            ConvexRecord::Cylinder([center, axis], [half_height, radius]) => {
                Cylinder::stored(point(center), vector(axis), half_height.0, radius.0)?.into()
            }
            ConvexRecord::Ellipsoid(e) => {
                Ellipsoid::stored(point(&e.center), matrix(&e.axes), vector(&e.half_extents))?
                    .into()
            }
            ConvexRecord::Box(b) => b.solid().into(),
            ConvexRecord::Hull(corners) => {
                ConvexHull::new(&corners.iter().map(point).collect::<Vec<_>>())?.into()
            }
            ConvexRecord::Triangle([a, b, c]) => {
                Triangle::new(point(a), point(b), point(c))?.into()
            }
        })
    }
}

impl<T: Scalar> BoxRecord<T> {
    fn of(b: &Obb<T>) -> Self {
        BoxRecord {
            center: three(&b.center().coords),
            axes: nine(&b.axes()),
            half_extents: three(&b.half_extents()),
        }
    }

    /// Restores the box, not yet checked.
    fn solid(&self) -> Obb<T> {
        Obb::from_parts(point(&self.center), matrix(&self.axes), vector(&self.half_extents))
    }
}
