//! Distances of points from the primitives below a node, by descent of its subtree.

use super::prepared::PreparedPrimitive;
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::tree::Node;

/// Pad of a distance from a box before its node is pruned, as a share of the extent: more than the
/// rounding of any distance, so that a descent finds the same number as a loop over all primitives.
const PRUNE_PAD: f64 = 1e-13;

/// Primitives below a node.
pub(super) struct Subtree<'s, 'a, T: Scalar> {
    pub nodes: &'s [Node<T>],
    /// All primitives, in the order of the leaves.
    pub targets: &'s [PreparedPrimitive<'a>],
    /// Index of the first child of the node.
    pub first_child: u32,
    /// Upper bound on the distance of all points from the origin.
    pub extent: f64,
}

/// Primitive whose farthest corner is nearest.
#[derive(Clone, Copy)]
struct NearestTarget {
    distance: f64,
    corner: usize,
    position: usize,
}

impl<T: Scalar> Subtree<'_, '_, T> {
    /// Returns the distance of a point from the nearest primitive, given an upper bound on it.
    pub fn distance(&self, point: Vec3, upper_bound: f64, stack: &mut Vec<(u32, f64)>) -> f64 {
        let (pad, mut least) = (PRUNE_PAD * self.extent, f64::INFINITY);
        let limit = upper_bound + pad;
        self.push_children(self.first_child, point, stack);
        while let Some((id, squared)) = stack.pop() {
            let reach = least.min(limit) + pad;
            if squared > reach * reach {
                continue;
            }
            let node = &self.nodes[id as usize];
            match node.first_child {
                0 => {
                    for target in &self.targets[node.primitive_range()] {
                        least = least.min(target.distance(point));
                    }
                }
                child => self.push_children(child, point, stack),
            }
        }
        least
    }

    /// Returns the least distance of the farthest of some points, the corners of a cell about
    /// `center`, over all primitives, and the index of that point: of the first primitive where
    /// several are equally near. `None` if the distance is not below `upper_bound`.
    pub fn farthest_corner(
        &self,
        center: Vec3,
        corners: &[Vec3; 8],
        upper_bound: f64,
        stack: &mut Vec<(u32, f64)>,
    ) -> Option<(f64, usize)> {
        let pad = PRUNE_PAD * self.extent;
        let (mut least, mut found, mut far) = (upper_bound, None::<NearestTarget>, 0);
        self.push_children(self.first_child, center, stack);
        while let Some((id, squared)) = stack.pop() {
            let reach = least + pad;
            if squared > reach * reach {
                continue;
            }
            let node = &self.nodes[id as usize];
            // The corner that ruled out the last node often rules out the next, too.
            let is_far = |&corner: &usize| squared_distance(node, corners[corner]) > reach * reach;
            if let Some(corner) = (0..8).map(|step| far ^ step).find(is_far) {
                far = corner;
                continue;
            }
            if node.first_child > 0 {
                self.push_children(node.first_child, center, stack);
                continue;
            }
            for position in node.primitive_range() {
                let earlier = found.is_some_and(|other| position < other.position);
                let target = &self.targets[position];
                let Some((distance, corner)) = farthest_within(target, corners, least, &mut far)
                else {
                    continue;
                };
                if distance < least || earlier {
                    (least, found) = (distance, Some(NearestTarget { distance, corner, position }));
                }
            }
        }
        found.map(|target| (target.distance, target.corner))
    }

    /// Pushes two children with the squared distances of a point from their boxes, the nearer last.
    fn push_children(&self, first: u32, point: Vec3, stack: &mut Vec<(u32, f64)>) {
        let [a, b] =
            [first, first + 1].map(|id| (id, squared_distance(&self.nodes[id as usize], point)));
        stack.extend(if a.1 <= b.1 { [b, a] } else { [a, b] });
    }
}

/// Returns the distance and index of the farthest corner from a primitive, the first of equals;
/// `None` if it is farther than `limit`, and sets `far` to a corner that is.
fn farthest_within(
    target: &PreparedPrimitive<'_>,
    corners: &[Vec3; 8],
    limit: f64,
    far: &mut usize,
) -> Option<(f64, usize)> {
    let (first, mut distances) = (*far, [0.0; 8]);
    for corner in (0..8).map(|step| first ^ step) {
        distances[corner] = target.distance(corners[corner]);
        if distances[corner] > limit {
            *far = corner;
            return None;
        }
    }
    let mut farthest = (0.0, 0);
    for (corner, &distance) in distances.iter().enumerate() {
        farthest = if distance > farthest.0 { (distance, corner) } else { farthest };
    }
    Some(farthest)
}

/// Returns the squared distance of a point from a node's aligned box.
#[inline]
fn squared_distance<T: Scalar>(node: &Node<T>, point: Vec3) -> f64 {
    let (low, high) = (node.aligned.min, node.aligned.max);
    let outside = |axis: usize| {
        let (below, above) = (low[axis].wide() - point[axis], point[axis] - high[axis].wide());
        below.max(above).max(0.0)
    };
    let [x, y, z] = [outside(0), outside(1), outside(2)];
    x * x + y * y + z * z
}
