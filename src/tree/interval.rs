//! Two moving parts during an interval of time: a proof that they stay apart, or what may touch.
//!
//! The parts are posed at the middle `m` of the interval `[m - h, m + h]`. Each moves there with a
//! linear and an angular velocity, and no point of it accelerates more than `A`. In the frame of
//! the first part, let `L` be a unit axis along which two convex bodies have a gap `g` at `m`. They
//! stay apart during the whole interval if
//!
//! ```text
//! g > margin + h s + h h / 2 (A_a + A_b),    s = max |L . (v(q) - v(p))|
//! ```
//!
//! over the points `p` of one and `q` of the other, because a point stays within `h h / 2 A` of its
//! motion at constant velocity (Taylor), and `L` is fixed. The velocity of a point `x` is
//! `v + w x x`, so that `L . v(x) = L . v + x . (L x w)`: the maximum over a convex body is a
//! support point along `L x w`, exactly.
//!
//! The boxes of the roots are tested first, then their hulls, along the directions that GJK finds.
//! The traversal opens pairs of nodes whose boxes no axis separates: first aligned boxes eight
//! against eight and oriented boxes 16 at a time, which have to be within the distance that any two
//! points may approach; then the oriented boxes with the velocities above, along their face normals
//! and the line of their centres; then primitives along the direction of their closest points.
//! Nothing is skipped: each pair of primitives is tested, or below a pair of boxes that stay apart.
//!
//! Source: the interval test of Schwarzer, Saha, Latombe, Adaptive Dynamic Collision Checking for
//! Single and Multiple Articulated Robots in Complex Environments (2005), with directional bounds
//! as in Tang, Kim, Manocha, C2A: Controlled Conservative Advancement (2009).

use super::pair::primitive_test::PrimitiveTest;
use super::pair::stack_entries::SearchEntry;
use super::pair::wide_pair::{WidePair, child_indices, count_box_tests};
use super::store::wide_bvh::WideNode;
use super::{Counts, TreePair, TreeScratch};
use crate::num::linear::{Vec3, add, cross, dot, length, rotate, rotate_back, scale, sub};
use crate::num::sorting::move_least_to_end;
use crate::num::{Scalar, set_bits};
use crate::pair::convex::ConvexPair;
use crate::pair::rounded::cores::ClosestOnCores;
use crate::sat::BoxPair;
use crate::sat::box_gaps::{BoxGaps, OrientedGaps};
use crate::sat::eight_boxes::{RelativeFrame, WIDTH};
use crate::sat::oriented_batch::{OrientedBatch, QUEUE_LEN};
use crate::shape::WideObb;

/// Motion of a part during an interval, seen from its middle. Times are in units of the caller.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PartMotion {
    /// Velocity of the part's origin in the middle. [world frame]
    pub linear: Vec3,
    /// Angular velocity in the middle. [world frame]
    pub angular: Vec3,
    /// Upper bound on the acceleration of any point of the part during the interval.
    pub acceleration: f64,
    /// Upper bound on the distance between where a point of the part is at any time and where the
    /// pose that stands for this time puts it. [world units]
    pub error: f64,
}

/// Relative error of angular velocities.
const VELOCITY_ERROR: f64 = 1.0 / (1u64 << 36) as f64;

/// Approach in an interval, as a share of the lesser root's radius, beyond which the hulls of the
/// roots are not tested: the interval has to be split anyway. Any value gives correct answers.
const HULL_APPROACH_SHARE: f64 = 1.0;

/// Approach in an interval, as a share of the lesser root's radius, beyond which no nodes are
/// opened. Any value gives correct answers: to split the interval, in whose halves the hulls may be
/// apart, costs less than a descent among nodes that approach that far. From 0.02 to 0.1 a swung
/// sword and edges of a Panda take the least instructions, within a tenth; at 1 twice as many.
const DESCENT_APPROACH_SHARE: f64 = 0.05;

/// Velocity field in the frame of the first part: `linear + angular x point`.
#[derive(Debug, Clone, Copy)]
struct Twist {
    linear: Vec3,
    angular: Vec3,
}

impl Twist {
    fn velocity(&self, point: Vec3) -> Vec3 {
        add(self.linear, cross(self.angular, point))
    }
}

/// Two primitives that may touch during the interval, in canonical order, as they are in its
/// middle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearPrimitives {
    pub nodes: [u32; 2],
    /// Closest points, in the frame of the first part.
    pub closest: ClosestOnCores,
    /// Upper bound on their distance; 0 if they share a point. [world units]
    pub distance: f64,
}

/// The result of a test of two parts in an interval.
#[derive(Debug, Clone, Copy)]
pub(crate) enum IntervalAnswer {
    /// Proof that the two share no point, and are nowhere within the margin.
    Apart,
    /// Proof of the same for their surfaces; one of the two may be inside the other, a solid, and
    /// then is so during the whole interval.
    SurfacesApart,
    /// A pair that may touch, and approaches by more than the tolerance.
    Open,
    /// A pair that may touch, none of whose primitives that may touch approaches by more than the
    /// tolerance; the closest of these.
    Close(NearPrimitives),
}

/// Two parts during an interval.
pub(crate) struct IntervalPair<'p, 'a, T: Scalar> {
    pair: &'p TreePair<'a, T>,
    /// Velocities in canonical order.
    twists: [Twist; 2],
    /// Half the length of the interval.
    half: f64,
    /// Distance by which two points may approach beyond what their velocities say, and the margin.
    base: f64,
    /// Distance by which any two points may approach, and the margin.
    limit: f64,
    /// Largest approach of primitives that may count as near.
    tolerance: f64,
}

impl<'p, 'a, T: Scalar> IntervalPair<'p, 'a, T> {
    /// Creates the pair from the poses in the middle, the motions in the order in which the trees
    /// were given, and half the length of the interval. The margin is that of the pair.
    pub fn new(
        pair: &'p TreePair<'a, T>,
        mut motions: [PartMotion; 2],
        (half, tolerance): (f64, f64),
    ) -> Self {
        let ordered = pair.ordered_pair();
        if ordered.swapped {
            motions.swap(0, 1);
        }
        let first = &pair.placements()[0].rotation;
        let (rotation, offset) = pair.second_in_first();
        let origins = [[0.0; 3], offset];
        let seen = |v: Vec3| rotate_back(first, v);
        let twists = [0, 1].map(|side| {
            let PartMotion { linear, angular, .. } = motions[side];
            let angular = seen(angular);
            let linear = sub(seen(linear), cross(angular, origins[side]));
            Twist { linear, angular }
        });
        let trees = [ordered.first.tree, ordered.second.tree];
        let [a, b] = [trees[0].root_obb(), trees[1].root_obb().moved(rotation, offset)];
        let relative = sub(twists[1].velocity(b.center), twists[0].velocity(a.center));
        let spin = length(twists[0].angular) * a.radius() + length(twists[1].angular) * b.radius();
        // Stored axes are not quite at right angles, so that a box is longer than its radius says.
        let speed = length(relative) + spin * (1.0 + 4.0 * T::LEAF_SLACK);
        let acceleration = motions[0].acceleration + motions[1].acceleration;
        let turning = [0, 1].map(|side| {
            length(motions[side].angular) * trees[side].wide_radius_about_origin()
                + length(motions[side].linear)
        });
        let base = pair.margin
            + 2.0 * (motions[0].error + motions[1].error)
            + 0.5 * half * half * acceleration
            + VELOCITY_ERROR * half * (turning[0] + turning[1])
            + pair.rounding_error();
        let limit = half * speed + base;
        IntervalPair { pair, twists, half, base, limit, tolerance }
    }

    /// Returns the largest distance by which two points of the parts may approach during half of
    /// the interval.
    pub fn approach(&self) -> f64 {
        self.limit - self.pair.margin
    }

    /// Returns `true` for a proof by the boxes of the roots that the two parts stay apart.
    pub fn roots_stay_apart(&self, counts: &mut Counts) -> bool {
        counts.oriented += 1;
        self.nodes_stay_apart([0, 0])
    }

    /// Tests the two parts, whose roots may touch.
    pub fn search(&self, scratch: &mut TreeScratch) -> IntervalAnswer {
        let (first, second) = self.pair.nodes(0, 0);
        let least = first.oriented.wide().radius().min(second.oriented.wide().radius());
        let approach = self.approach();
        if approach > self.tolerance && approach > HULL_APPROACH_SHARE * least {
            return IntervalAnswer::Open;
        }
        // Two leaves have nothing to open: their primitives are tested at once.
        if first.children().is_some() || second.children().is_some() {
            if self.hulls_stay_apart(scratch) {
                return IntervalAnswer::Apart;
            }
            if approach > self.tolerance && approach > DESCENT_APPROACH_SHARE * least {
                return IntervalAnswer::Open;
            }
        }
        let mut exactly = None;
        let primitives = PrimitiveTest::new(self.pair, &mut exactly);
        let mut search = IntervalSearch { interval: self, primitives, near: None };
        let is_decided = search.run(scratch);
        search.primitives.count_into(&mut scratch.counts);
        match search.near {
            None if is_decided && self.pair.has_inside() => IntervalAnswer::SurfacesApart,
            None if is_decided => IntervalAnswer::Apart,
            Some(near) if is_decided => IntervalAnswer::Close(near),
            _ => IntervalAnswer::Open,
        }
    }

    /// Returns `true` if the oriented boxes of two nodes stay apart.
    fn nodes_stay_apart(&self, nodes: [u32; 2]) -> bool {
        let (first, second) = self.pair.nodes(nodes[0], nodes[1]);
        let (a, b) = (first.oriented.wide(), second.oriented.wide());
        let error = 4.0 * self.pair.leaf_error(&a, &b);
        let (rotation, offset) = self.pair.second_in_first();
        let moved = b.moved(rotation, offset);
        let between = sub(moved.center, a.center);
        let distance = length(between);
        if distance > 0.0 {
            let axis = scale(between, 1.0 / distance);
            let gap = distance - a.projected_radius(axis) - moved.projected_radius(axis);
            if self.boxes_stay_apart(axis, gap - error, [&a, &moved]) {
                return true;
            }
        }
        // After the line of centres, which separates most.
        let faces = BoxPair::from_frames(&a, &b, rotation, offset).face_separations();
        for (solid, gaps) in [&a, &moved].into_iter().zip(&faces) {
            for (&axis, gap) in solid.axes.iter().zip(gaps) {
                if self.boxes_stay_apart(axis, gap - error, [&a, &moved]) {
                    return true;
                }
            }
        }
        false
    }

    /// Returns `true` if an axis between the hulls of the roots shows that the two parts stay
    /// apart.
    fn hulls_stay_apart(&self, scratch: &mut TreeScratch) -> bool {
        let Some(hulls) = self.pair.hull_pair(0, 0) else { return false };
        scratch.counts.hulls += 1;
        let (first, second) = self.pair.nodes(0, 0);
        let (rotation, offset) = self.pair.second_in_first();
        let (a, b) = (first.oriented.wide(), second.oriented.wide().moved(rotation, offset));
        self.pair.hulls_have_axis(hulls, self.base, scratch.simd, |axis, gap| {
            let axis = scale(axis, 1.0 / length(axis));
            gap > self.boxes_approach(axis, [&a, &b])
        })
    }

    /// Returns `true` if two boxes with a gap along an axis stay apart; both in the frame of the
    /// first part.
    #[inline]
    fn boxes_stay_apart(&self, axis: Vec3, gap: f64, boxes: [&WideObb; 2]) -> bool {
        gap > self.base && gap > self.base + self.boxes_approach(axis, boxes)
    }

    /// Returns by how much points of two boxes may approach along an axis during half of the
    /// interval, by their velocities.
    #[inline]
    fn boxes_approach(&self, axis: Vec3, boxes: [&WideObb; 2]) -> f64 {
        let [x, y] = [0, 1].map(|side| {
            let (solid, twist) = (boxes[side], &self.twists[side]);
            let turn = cross(axis, twist.angular);
            (dot(axis, twist.velocity(solid.center)), solid.projected_radius(turn))
        });
        self.half * ((y.0 - x.0).abs() + x.1 + y.1)
    }

    /// Returns by how much two primitives may approach along an axis during half of the interval,
    /// and their gap along it in the middle.
    fn primitive_approach(&self, pair: &ConvexPair<'_>, axis: Vec3) -> (f64, f64) {
        let back = |v: Vec3| rotate_back(&pair.rotation, v);
        let [a, b] = pair.bodies;
        let radii = [a.radius(), b.radius()];
        let own = [axis, back(scale(axis, -1.0))];
        let front = dot(axis, a.farthest(own[0])) + radii[0];
        let rear =
            dot(axis, add(rotate(&pair.rotation, b.farthest(own[1])), pair.offset)) - radii[1];
        // The second body is in the frame of its own part.
        let frames = [[0.0; 3], pair.offset];
        let spans = [0, 1].map(|side| {
            let Twist { linear, angular } = self.twists[side];
            let turn = cross(axis, angular);
            let constant = dot(axis, linear) + dot(turn, frames[side]);
            let size = length(turn);
            if size == 0.0 {
                return [constant; 2];
            }
            let (body, span) = (pair.bodies[side], radii[side] * size);
            let turn = if side == 0 { turn } else { back(turn) };
            let low = dot(turn, body.farthest(scale(turn, -1.0)));
            [constant + low - span, constant + dot(turn, body.farthest(turn)) + span]
        });
        let [[low_a, high_a], [low_b, high_b]] = spans;
        let closing = (high_a - low_b).max(high_b - low_a).max(0.0);
        (self.half * closing, rear - front)
    }
}

/// State of a search.
struct IntervalSearch<'s, 'p, 'a, T: Scalar> {
    interval: &'s IntervalPair<'p, 'a, T>,
    primitives: PrimitiveTest<'s, T>,
    /// The closest of the primitives that may touch.
    near: Option<NearPrimitives>,
}

impl<T: Scalar> IntervalSearch<'_, '_, '_, T> {
    /// Searches what may touch; returns `false` at the first that approaches by more than the
    /// tolerance.
    fn run(&mut self, scratch: &mut TreeScratch) -> bool {
        let pair = self.interval.pair;
        let Some(frame) = pair.relative_frame().filter(RelativeFrame::has_gaps) else {
            // Sizes near the limits of single precision: no boxes in lanes.
            let [first, second] = [0, 1].map(|side| pair.leaves(side));
            return first.into_iter().all(|a| second.clone().all(|b| self.test_leaves([a, b])));
        };
        let mut stack = std::mem::take(&mut scratch.search_stack);
        stack.clear();
        stack.push(SearchEntry::ROOTS);
        let mut is_decided = true;
        while let Some(SearchEntry { children, .. }) = stack.pop() {
            let step = |side, child: &_, number| pair.step_to_leaves(side, child, number);
            let opened = pair.open(children, step, |wides| {
                self.push_children(&frame, wides, (&mut stack, scratch));
            });
            if opened.is_none() {
                let leaves = pair.wide_children(children).map(|leaf| leaf.node);
                if !self.test_leaves(leaves) {
                    is_decided = false;
                    break;
                }
            }
        }
        scratch.search_stack = stack;
        is_decided
    }

    /// Pushes the pairs of nodes that may touch, the closest on top.
    fn push_children(
        &self,
        frame: &RelativeFrame,
        wides: [&WideNode<T>; 2],
        (stack, scratch): (&mut Vec<SearchEntry>, &mut TreeScratch),
    ) {
        let interval = self.interval;
        let TreeScratch { counts, simd, .. } = scratch;
        let limit = f32::at_least(interval.limit);
        let mut bounds = [0.0; WIDTH * WIDTH];
        let lens = count_box_tests(wides, counts);
        let boxes = [&wides[0].boxes, &wides[1].boxes];
        let gaps = BoxGaps { frame, boxes, counts: lens, limit, lower_bounds: &mut bounds };
        let mut open = gaps.near_mask(*simd);
        let start = stack.len();
        while open != 0 {
            let (mut pairs, mut bits, mut len) = ([[0; QUEUE_LEN]; 2], [0; QUEUE_LEN], 0);
            for bit in set_bits(open).take(QUEUE_LEN) {
                [pairs[0][len], pairs[1][len]] = child_indices(wides, bit);
                bits[len] = bit;
                open &= open - 1;
                len += 1;
            }
            counts.oriented += len as u64;
            let mut closer = [0.0; QUEUE_LEN];
            let records = interval.pair.oriented_records();
            let batch = OrientedBatch { frame, records, pairs: &pairs, len };
            OrientedGaps { batch, lower_bounds: &mut closer }.run(*simd);
            for at in 0..len {
                let bound =
                    if closer[at] > bounds[bits[at]] { closer[at] } else { bounds[bits[at]] };
                let children = [pairs[0][at], pairs[1][at]];
                if bound > limit {
                    continue;
                }
                let nodes = interval.pair.wide_children(children).map(|child| child.node);
                if bound <= 0.0 || !interval.nodes_stay_apart(nodes) {
                    stack.push(SearchEntry { children, lower_bound: bound });
                }
            }
        }
        move_least_to_end(&mut stack[start..], |entry| f64::from(entry.lower_bound));
    }

    /// Tests the primitives of two leaves; returns `false` at the first pair that may touch and
    /// approaches by more than the tolerance.
    fn test_leaves(&mut self, nodes: [u32; 2]) -> bool {
        let interval = self.interval;
        let pair = interval.pair;
        let error = pair.rounding_error() + pair.skew_pad((nodes[0], nodes[1]));
        for (i, j) in pair.primitive_pairs(nodes[0], nodes[1]) {
            let (closest, surely_apart) = self.primitives.closest_points(i, j);
            let root = closest.squared.sqrt();
            let bodies = pair.stored_pair([i, j]);
            let bodies = bodies.convex_pair(&pair.relation());
            let (mut distance, mut approach) = (root + error, interval.approach());
            if root > 0.0 {
                let axis = scale(closest.offset, 1.0 / root);
                let (along, gap) = interval.primitive_approach(&bodies, axis);
                if gap > interval.base + along + error {
                    continue;
                }
                // The approach along this axis, with the rounding of the gap.
                approach = along + interval.base - pair.margin + error;
            }
            if !surely_apart && self.primitives.touches_exactly(i, j) {
                distance = 0.0;
            }
            // The distance is what the answer states.
            let stated = pair.beyond_margin(distance);
            if approach > interval.tolerance || stated > interval.tolerance {
                return false;
            }
            if self.near.is_none_or(|near| distance < near.distance) {
                self.near = Some(NearPrimitives { nodes, closest, distance });
            }
        }
        true
    }
}
