//! Faces and inside of a solid part, for the bounds of hulls.

use super::prepared::PreparedPrimitive;
use crate::num::Scalar;
use crate::num::exact::{Exact, exact};
use crate::num::linear::Vec3;
use crate::shape::wide_point;
use crate::tree::node::OrderedNodes;
use crate::tree::store::enclosure::{Enclosure, InsideProbe};
use crate::tree::{Geometry, Node};

/// Largest number of steps of one inside test.
const MAX_INSIDE_STEPS: u64 = 1 << 15;

/// Sides of a box, two triangles each, by the indices of its corners.
const BOX_TRIANGLES: [[usize; 3]; 12] = [
    [0, 2, 6],
    [0, 6, 4],
    [1, 3, 7],
    [1, 7, 5],
    [0, 1, 5],
    [0, 5, 4],
    [2, 3, 7],
    [2, 7, 6],
    [0, 1, 3],
    [0, 3, 2],
    [4, 5, 7],
    [4, 7, 6],
];

pub(super) type Face = [Vec3; 3];

/// Faces and inside of a part.
pub(super) struct PartInterior<'a, T: Scalar> {
    geometry: &'a Geometry<T>,
    ordered: OrderedNodes<'a, T>,
    /// Faces of the part; empty if it has no inside.
    pub faces: Vec<Face>,
    /// Hand-made boxes, each with its own inside.
    pub boxes: Vec<PreparedPrimitive<'a>>,
}

impl<'a, T: Scalar> PartInterior<'a, T> {
    pub fn new(geometry: &'a Geometry<T>, ordered: OrderedNodes<'a, T>) -> Self {
        let (faces, boxes) = match geometry {
            Geometry::None | Geometry::Surface(_) | Geometry::Convex(_) => (Vec::new(), Vec::new()),
            Geometry::Solid(mesh) => {
                let all = 0..mesh.triangles().len();
                (all.map(|index| mesh.corners(index).map(wide_point)).collect(), Vec::new())
            }
            Geometry::Boxes(boxes) => {
                let sides =
                    |corners: [Vec3; 8]| BOX_TRIANGLES.map(|side| side.map(|at| corners[at]));
                let faces = boxes.iter().flat_map(|solid| sides(solid.wide().corners()));
                (faces.collect(), PreparedPrimitive::prepare_all(geometry, 0..boxes.len() as u32))
            }
        };
        PartInterior { geometry, ordered, faces, boxes }
    }

    pub fn face_count(&self, node: &Node<T>) -> usize {
        node.primitive_range().len() * (self.faces.len() / self.ordered.order.len())
    }

    /// Returns `true` if the part certainly contains a point.
    pub fn contains(&self, point: Vec3) -> bool {
        if let Geometry::Boxes(_) = self.geometry {
            return self.boxes.iter().any(|solid| solid.distance(point) == 0.0);
        }
        let exact_point = || (exact(point), Exact::new(1.0));
        let probe = InsideProbe { point, error: 0.0, exact_point };
        let (mut path, mut steps) = (Vec::new(), MAX_INSIDE_STEPS);
        let enclosure = Enclosure::new(self.geometry, self.ordered);
        enclosure
            .is_some_and(|e| e.contains_within_steps(&probe, &mut path, &mut steps) == Some(true))
    }

    /// Returns a point inside the part, at the centre of a node or of one of its children, if there
    /// is one.
    pub fn interior_point(&self, node: &Node<T>) -> Option<Vec3> {
        let halves = match node.first_child as usize {
            0 => &[],
            child => &self.ordered.nodes[child..child + 2],
        };
        let middles = std::iter::once(node).chain(halves).map(|node| node.aligned.wide().0);
        let owned = middles.clone().find(|&point| self.contains(point));
        owned.or_else(|| match self.geometry {
            Geometry::Boxes(boxes) => {
                let some = self.ordered.order[(node.start + node.end) as usize / 2];
                Some(wide_point(boxes[some as usize].center()))
            }
            _ => None,
        })
    }
}
