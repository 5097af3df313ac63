//! The serialized form of a tree, and conversions in both directions.

use nalgebra::Point3;
use serde::{Deserialize, Serialize};

use super::number::{Number, NumberTriple, matrix, point, triple, triples, vector};
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
    Sphere(NumberTriple<T>, Number<T>),
    Capsule([NumberTriple<T>; 2], Number<T>),
    /// Centre, axis, half height and radius.
    Cylinder([NumberTriple<T>; 2], [Number<T>; 2]),
    Ellipsoid(BoxRecord<T>),
    Box(BoxRecord<T>),
    Hull(Vec<NumberTriple<T>>),
    Triangle([NumberTriple<T>; 3]),
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct MeshRecord<T: Scalar> {
    vertices: Vec<NumberTriple<T>>,
    triangles: Vec<[u32; 3]>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct BoxRecord<T: Scalar> {
    center: NumberTriple<T>,
    axes: [NumberTriple<T>; 3],
    half_extents: NumberTriple<T>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct NodeRecord<T: Scalar> {
    first: u32,
    axes: [NumberTriple<T>; 3],
    bound: Number<T>,
}

impl<T: Scalar> TreeRecord<T> {
    pub fn from_tree(tree: &CompactTree<T>) -> Self {
        let node = |compact_node: &CompactNode<T>| NodeRecord {
            first: compact_node.first_child_len,
            axes: triples(&compact_node.axes),
            bound: Number(compact_node.bound),
        };
        let nodes = tree.nodes.iter().map(node).collect();
        let geometry = match &tree.geometry {
            // Trees always have geometry.
            Geometry::None => GeometryRecord::Boxes(Vec::new()),
            Geometry::Surface(mesh) => GeometryRecord::Surface(MeshRecord::from_mesh(mesh)),
            Geometry::Solid(mesh) => GeometryRecord::Solid(MeshRecord::from_mesh(mesh)),
            Geometry::Boxes(boxes) => {
                GeometryRecord::Boxes(boxes.iter().map(BoxRecord::from_box).collect())
            }
            Geometry::Convex(shapes) => {
                GeometryRecord::Convex(shapes.iter().map(ConvexRecord::from_shape).collect())
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
                Geometry::Boxes(boxes.iter().map(BoxRecord::to_obb).collect())
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
    fn from_mesh(mesh: &Mesh<T>) -> Self {
        let vertices = mesh.vertices().iter().map(|v| triple(&v.coords)).collect();
        MeshRecord { vertices, triangles: mesh.triangles().to_vec() }
    }

    fn mesh(self) -> Result<Mesh<T>, Error> {
        let vertices: Vec<Point3<T>> = self.vertices.iter().map(point).collect();
        Mesh::new(vertices, self.triangles)
    }
}

impl<T: Scalar> ConvexRecord<T> {
    fn from_shape(shape: &ConvexShape<T>) -> Self {
        let coordinates = |p: Point3<T>| triple(&p.coords);
        match shape {
            ConvexShape::Sphere(s) => {
                ConvexRecord::Sphere(coordinates(s.center()), Number(s.radius()))
            }
            ConvexShape::Capsule(c) => {
                let ends = [c.segment().a(), c.segment().b()].map(coordinates);
                ConvexRecord::Capsule(ends, Number(c.radius()))
            }
            ConvexShape::Cylinder(c) => ConvexRecord::Cylinder(
                [coordinates(c.center()), triple(&c.axis())],
                [c.half_height(), c.radius()].map(Number),
            ),
            ConvexShape::Ellipsoid(e) => ConvexRecord::Ellipsoid(BoxRecord {
                center: coordinates(e.center()),
                axes: triples(&e.axes()),
                half_extents: triple(&e.radii()),
            }),
            ConvexShape::Box(b) => ConvexRecord::Box(BoxRecord::from_box(b)),
            ConvexShape::Hull(hull) => {
                ConvexRecord::Hull(hull.corners().iter().map(|&p| coordinates(p)).collect())
            }
            ConvexShape::Triangle(t) => ConvexRecord::Triangle(t.corners().map(coordinates)),
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
            ConvexRecord::Box(b) => b.to_obb().into(),
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
    fn from_box(b: &Obb<T>) -> Self {
        BoxRecord {
            center: triple(&b.center().coords),
            axes: triples(&b.axes()),
            half_extents: triple(&b.half_extents()),
        }
    }

    /// Restores the box, not yet checked.
    fn to_obb(&self) -> Obb<T> {
        Obb::from_parts(point(&self.center), matrix(&self.axes), vector(&self.half_extents))
    }
}
