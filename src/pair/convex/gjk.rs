//! Distance of two convex bodies by GJK, between two certain bounds.
//!
//! GJK finds the point of the difference of the bodies nearest to the origin, by simplices of
//! points of the difference. Every point gives an upper bound; every direction gives a lower bound,
//! by its support points. Sources: Gilbert, Johnson, Keerthi, A Fast Procedure for Computing the
//! Distance Between Complex Objects (1988); van den Bergen, A Fast and Robust GJK Implementation
//! (1999), for the bounds; his Ray Casting against General Convex Objects (2004) for shifts.
//!
//! # What is certain
//! [`clear_verdict`] decides most pairs. Of the others a no is certain: some direction separates
//! the bodies by more than rounding. A yes has one of four reasons:
//! - the bounds are within [`BOUNDS_TOLERANCE`] of the size of each other;
//! - the origin is a mean of four points of the difference, up to `2^-42` of the farthest;
//! - the distance is within [`SUPPORT_ERROR`] of zero;
//! - simplices cycle, first in doubles and then in doubled precision; then the
//!   [ellipsoid](super::direction_ellipsoid) finds the distance up to `2^-43` of the size, in a
//!   proven number of steps. Of 1.7 million nearly touching pairs of all kinds, of sizes up to
//!   `1e5` apart, 2700 needed doubled precision and none an ellipsoid.
//!
//! Sizes are those of the sampled points: for a nearly touching pair at most three times the radii
//! of both parts together, and points of the difference twice those. The error of the pose of the
//! second body, `2^-44` of the radii, is allowed for twice and is at most root three times that. So
//! a yes has an error of less than `(0.5 + 0.25) 2^-40` of the radii.
//!
//! # Shifts
//! [`first_shift`](ConvexPair::first_shift) is Newton's method along supporting planes, like that
//! of [`RoundedPair`](crate::pair::rounded::passage::RoundedPair) for points, segments,
//! triangles and boxes. Both methods stay: closed forms end in one step where GJK takes two to
//! four, each with two support points by dynamic calls, and they state their gap from closest
//! points at hand; cylinders, ellipsoids and hulls have no closed forms. A single method would
//! change the bits of shape casts against meshes.

use super::direction_ellipsoid::{DirectionEllipsoid, MAX_CUTS};
use super::fine_simplex;
use super::simplex::{Simplex, Vertex};
use super::support::{Rounded, Support};
use super::verdict::clear_verdict;
use crate::num::linear::{
    IDENTITY, Mat3, Vec3, absolute_values, add, coordinate_sum, dot, length, rotate, rotate_back,
    scale, sub,
};
use crate::pair::rounded::cores::ClosestOnCores;

/// Limit of the steps by simplices. Most pairs take ten; nearly touching ellipsoids forty.
const MAX_STEPS: usize = 1024;

/// Number of successive directions without a better lower bound after which the search restarts in
/// doubled precision.
const MAX_IDLE_STEPS: usize = 128;

/// Limit of the lower bounds on a shift.
const MAX_SHIFTS: usize = 64;

/// Error of a difference of support points and of its product with a unit direction, as a share of
/// coordinates and sizes: `2^5 e`.
const SUPPORT_ERROR: f64 = 1.0 / (1u64 << 47) as f64;

/// Difference of the bounds at which the search ends, as a share of the sizes.
const BOUNDS_TOLERANCE: f64 = 1.0 / (1u64 << 45) as f64;

/// Difference of the bounds that the ellipsoid of directions leaves, as a share of the sizes.
const ELLIPSOID_TOLERANCE: f64 = 1.0 / (1u64 << 43) as f64;

/// Error of closed forms, as a share of the sizes; GJK decides closer pairs. The worst error found,
/// on triangles a hundred thousand times as long as wide, is a twenty-fifth of that.
const CLOSED_FORM_ERROR: f64 = 1.0 / (1u64 << 36) as f64;

/// Two convex bodies in the frame of the first.
#[derive(Clone, Copy)]
pub(crate) struct ConvexPair<'a> {
    pub bodies: [&'a dyn Support; 2],
    /// Axes of the second body's frame; `offset` is its origin.
    pub rotation: Mat3,
    pub offset: Vec3,
    /// Error of the position of the second body.
    pub error: f64,
}

/// Distance of two cores between bounds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoreDistance {
    /// Closest points of the cores.
    pub closest: ClosestOnCores,
    /// Certain lower bound on the distance.
    pub lower_bound: f64,
    /// Unit separating axis: the first core lies beyond the second along it by the lower bound.
    /// Zero if none was found.
    pub axis: Vec3,
    /// Size that errors are a share of.
    pub size: f64,
}

/// Distance of two bodies with closed forms.
#[derive(Clone, Copy)]
struct ClosedDistance {
    /// Closest points of the cores.
    closest: ClosestOnCores,
    /// Distance of the surfaces; negative if they overlap.
    gap: f64,
    /// Error of the distance.
    error: f64,
}

impl<'a> ConvexPair<'a> {
    /// Returns a pair of two bodies in one frame.
    pub fn in_one_frame(bodies: [&'a dyn Support; 2]) -> Self {
        ConvexPair { bodies, rotation: IDENTITY, offset: [0.0; 3], error: 0.0 }
    }

    fn radii(&self) -> f64 {
        self.bodies[0].radius() + self.bodies[1].radius()
    }

    /// Returns the points of the cores of which the difference is farthest along a direction.
    #[inline]
    fn support_points(&self, direction: Vec3) -> [Vec3; 2] {
        let against = scale(rotate_back(&self.rotation, direction), -1.0);
        let on_b = self.bodies[1].farthest(against);
        [self.bodies[0].farthest(direction), self.to_first_frame(on_b)]
    }

    /// Returns the support point of the difference along a direction, and its size.
    pub(super) fn support_vertex(&self, direction: Vec3) -> (Vertex, f64) {
        let [on_a, on_b] = self.support_points(direction);
        let size = length(on_a) + length(on_b);
        (Vertex { point: sub(on_a, on_b), on_a }, size)
    }

    #[inline]
    fn to_first_frame(&self, p: Vec3) -> Vec3 {
        add(rotate(&self.rotation, p), self.offset)
    }

    /// Returns the distance by closed forms, if both bodies have them.
    fn closed_distance(&self) -> Option<ClosedDistance> {
        self.closed_distance_of(|body| body.rounded())
    }

    /// Returns the distance of closed forms that replace the two bodies.
    fn closed_distance_of(
        &self,
        form: impl Fn(&dyn Support) -> Option<Rounded>,
    ) -> Option<ClosedDistance> {
        let (a, b) = (form(self.bodies[0])?, form(self.bodies[1])?);
        let core = b.core.to_frame(&self.rotation, self.offset);
        let (closest, share) = a.core.closest(&core)?;
        let radii = a.radius + b.radius;
        let size = a.core.size() + core.size() + radii;
        let error = (16.0 * share + CLOSED_FORM_ERROR) * size + 2.0 * self.error;
        Some(ClosedDistance { closest, gap: offset_length(&closest) - radii, error })
    }

    /// Returns an upper bound on the distance of any point of the bodies from `from`. Four
    /// half-spaces contain the bodies; the corners of their tetrahedron are three times as far as
    /// its faces.
    fn radius_about(&self, from: Vec3) -> f64 {
        let mut radius: f64 = self.radii();
        for direction in [[1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]]
        {
            let (vertex, _) = self.support_vertex(direction);
            let on_b = sub(vertex.on_a, vertex.point);
            radius = radius.max(length(sub(vertex.on_a, from))).max(length(sub(on_b, from)));
        }
        4.0 * radius
    }

    /// Tests whether the bodies are no further apart than `margin`. A no is certain; a yes is
    /// certain up to `2^-42` of sizes and coordinates.
    pub fn touches(&self, margin: f64) -> bool {
        let enough = self.radii() + margin;
        let clear = self.closed_verdict(margin).or_else(|| self.clear_verdict(enough));
        clear.unwrap_or_else(|| self.search_verdict(enough))
    }

    fn clear_verdict(&self, enough: f64) -> Option<bool> {
        let sized = |[on_a, on_b]: [Vec3; 2]| (sub(on_a, on_b), joint_size(on_a, on_b));
        let [a, b] = self.bodies.map(|body| body.core_point());
        let start = sized([a, self.to_first_frame(b)]);
        let support = |direction| sized(self.support_points(direction));
        clear_verdict(start, enough, self.error, support)
    }

    fn search_verdict(&self, enough: f64) -> bool {
        self.search_within(enough).lower_bound <= enough + 2.0 * self.error
    }

    /// Decides [`ConvexPair::touches`] by closed forms where possible: by those of the bodies, else
    /// by enclosing ones (disjoint) and inscribed ones (touching).
    fn closed_verdict(&self, margin: f64) -> Option<bool> {
        let verdict = |found: ClosedDistance| {
            let over = found.gap - margin;
            (over.abs() > found.error).then_some(over < 0.0)
        };
        if let Some(found) = self.closed_distance() {
            return verdict(found);
        }
        let around = self.closed_distance_of(|body| body.outer_rounded())?;
        if verdict(around) == Some(false) {
            return Some(false);
        }
        let within = self.closed_distance_of(|body| body.inner_rounded())?;
        verdict(within).filter(|&touching| touching)
    }

    /// Returns the closest points of the surfaces, and `true` if the bodies are certainly disjoint.
    pub fn closest_points(&self) -> (ClosestOnCores, bool) {
        let radii = self.radii();
        let (near, surely) = match self.closed_distance() {
            Some(found) if found.gap > found.error => (found.closest, true),
            _ => {
                let found = self.search_nearest();
                let surely = found.lower_bound > radii + 2.0 * self.error;
                (found.closest, surely)
            }
        };
        let (distance, radius) = (near.squared.sqrt(), self.bodies[0].radius());
        if !surely || distance <= radii {
            let share = if radii > 0.0 { radius / radii } else { 0.5 };
            return (ClosestOnCores::common(add(near.on_a, scale(near.offset, share))), surely);
        }
        let on_a = add(near.on_a, scale(near.offset, radius / distance));
        (ClosestOnCores::new(on_a, scale(near.offset, (distance - radii) / distance)), surely)
    }

    /// Returns the unit direction from the first body to the second across the closest points of
    /// closed forms, and the distance of the surfaces; `None` if the bodies have none or may touch.
    pub fn closed_direction(&self) -> Option<(Vec3, f64)> {
        let ClosedDistance { closest, gap, error } = self.closed_distance()?;
        (gap > error).then(|| (scale(closest.offset, 1.0 / offset_length(&closest)), gap))
    }

    /// Returns the unit direction from the first body to the second along which they are certainly
    /// farthest apart, up to rounding; `None` if they may touch.
    pub fn farthest_direction(&self) -> Option<Vec3> {
        let CoreDistance { lower_bound, axis, .. } = self.search_nearest();
        (lower_bound > self.radii()).then(|| scale(axis, -1.0))
    }

    /// Returns an upper bound on the distance, up to rounding; zero where the bodies overlap.
    pub fn distance_upper_bound(&self) -> f64 {
        let near = self
            .closed_distance()
            .map_or_else(|| self.search_nearest().closest, |found| found.closest);
        let distance = offset_length(&near) - self.radii();
        if distance > 0.0 { distance } else { 0.0 }
    }

    /// Searches until the distance of the cores is known to be more than `enough`, or at most that.
    fn search_within(&self, enough: f64) -> CoreDistance {
        self.search_until(|least, most| least > enough + 2.0 * self.error || most <= enough)
    }

    pub fn search_nearest(&self) -> CoreDistance {
        self.search_until(|_, most| most == 0.0)
    }

    /// Searches the distance of the cores until the bounds suffice, or as close as rounding allows.
    pub fn search_until(&self, suffices: impl Fn(f64, f64) -> bool) -> CoreDistance {
        let on_a = self.bodies[0].core_point();
        let start = sub(on_a, self.to_first_frame(self.bodies[1].core_point()));
        let size = length(on_a) + length(start) + self.radii();
        let closest = ClosestOnCores::new(on_a, scale(start, -1.0));
        let mut best =
            CoreDistance { closest, lower_bound: f64::NEG_INFINITY, axis: [0.0; 3], size };
        if !self.search_simplices(&mut best, start, &suffices) {
            self.search_directions(&mut best, &suffices);
        }
        best
    }

    /// Searches by simplices, from an offset on; `true` if the search ended.
    fn search_simplices(
        &self,
        best: &mut CoreDistance,
        start: Vec3,
        suffices: &impl Fn(f64, f64) -> bool,
    ) -> bool {
        let (mut simplex, mut way) = (Simplex::default(), start);
        let (mut idle_steps, mut is_fine) = (0, false);
        for _ in 0..MAX_STEPS {
            let far = length(way);
            if far.is_nan() || far <= SUPPORT_ERROR * best.size {
                // Closer than rounding.
                best.closest = ClosestOnCores::common(best.closest.on_a);
                best.lower_bound = best.lower_bound.max(0.0);
                return true;
            }
            let axis = scale(way, 1.0 / far);
            let (vertex, is_better) = self.improve_lower_bound(best, axis);
            idle_steps = if is_better { 0 } else { idle_steps + 1 };
            let most = offset_length(&best.closest);
            if suffices(best.lower_bound, most)
                || most - best.lower_bound <= BOUNDS_TOLERANCE * best.size
            {
                return true;
            }
            if idle_steps > MAX_IDLE_STEPS || simplex.has_vertex(vertex.point) {
                if is_fine {
                    return false;
                }
                // Restarts from the best direction alone.
                (simplex, idle_steps, is_fine) = (Simplex::default(), 0, true);
                way = scale(best.axis, best.size);
                continue;
            }
            simplex.push(vertex);
            let foot = match is_fine {
                true => fine_simplex::nearest(simplex.vertices()),
                false => simplex.nearest(),
            };
            if foot.face == Simplex::ALL {
                // The four vertices contain the origin.
                best.closest = ClosestOnCores::common(foot.on_a);
                return true;
            }
            simplex.retain_face(foot.face);
            way = foot.point;
            let shorter = foot.squared < best.closest.squared;
            best.closest = if shorter {
                ClosestOnCores::new(foot.on_a, scale(way, -1.0))
            } else {
                best.closest
            };
        }
        false
    }

    /// Searches by directions alone, which always ends: then the bounds differ by at most
    /// [`ELLIPSOID_TOLERANCE`] of the sizes.
    fn search_directions(&self, best: &mut CoreDistance, suffices: &impl Fn(f64, f64) -> bool) {
        // After these six supports, no point of the difference is farther than the root of three
        // times the size.
        for axis in IDENTITY {
            self.improve_lower_bound(best, axis);
            self.improve_lower_bound(best, scale(axis, -1.0));
        }
        let mut ellipsoid = DirectionEllipsoid::ball();
        for _ in 0..MAX_CUTS {
            let center = ellipsoid.center();
            let far = length(center);
            let axis = if far > 0.0 { scale(center, 1.0 / far) } else { IDENTITY[0] };
            let (vertex, _) = self.improve_lower_bound(best, axis);
            let least = best.lower_bound.max(0.0);
            let p = scale(vertex.point, 1.0 / best.size);
            let most = ellipsoid.exclude_below(p, least / best.size) * best.size;
            let is_known = most - least <= ELLIPSOID_TOLERANCE * best.size;
            if is_known || suffices(best.lower_bound, offset_length(&best.closest)) {
                return;
            }
        }
    }

    /// Computes the support point against a unit direction, and keeps its lower bound if it is
    /// better (`true`).
    fn improve_lower_bound(&self, best: &mut CoreDistance, axis: Vec3) -> (Vertex, bool) {
        let (vertex, reach) = self.support_vertex(scale(axis, -1.0));
        best.size = if reach > best.size { reach } else { best.size };
        let least = dot(axis, vertex.point) - SUPPORT_ERROR * best.size;
        let is_better = least > best.lower_bound;
        if is_better {
            (best.lower_bound, best.axis) = (least, axis);
        }
        (vertex, is_better)
    }

    /// Returns the least shift of the second body along `direction`, no less than `from`, at which
    /// the bodies touch, and the separating axis from the second body to the first before it;
    /// `None` if they never touch. Never later than the true shift; earlier by rounding over the
    /// closing speed.
    pub fn first_shift(&self, direction: Vec3, from: f64) -> Option<(f64, Vec3)> {
        let square = dot(direction, direction);
        let [a, b] =
            [self.bodies[0].core_point(), self.to_first_frame(self.bodies[1].core_point())];
        let between = sub(a, b);
        let before =
            dot(between, direction) / square - 4.0 * self.radius_about(a) - length(between);
        let (mut shift, mut axis) = (if from > before { from } else { before }, [0.0; 3]);
        for _ in 0..MAX_SHIFTS {
            let moved = ConvexPair { offset: add(self.offset, scale(direction, shift)), ..*self };
            let enough = self.radii() + 2.0 * self.error;
            let close = |least: f64, most: f64| {
                // Half the gap is enough for a step.
                least > enough && least - enough > 0.5 * (most - enough) || most <= enough
            };
            let found = moved.search_until(close);
            let gap = found.lower_bound - enough - BOUNDS_TOLERANCE * found.size;
            if gap.is_nan() || gap <= 0.0 {
                break;
            }
            let rate = dot(found.axis, direction);
            if rate <= 0.0 {
                return None;
            }
            axis = found.axis;
            let next = shift + gap / rate;
            if next.is_nan() || next <= shift {
                break;
            }
            shift = next;
        }
        Some((shift, axis))
    }
}

/// Returns the sum of the 1-norms of two points.
#[inline]
fn joint_size(a: Vec3, b: Vec3) -> f64 {
    coordinate_sum(absolute_values(a)) + coordinate_sum(absolute_values(b))
}

fn offset_length(near: &ClosestOnCores) -> f64 {
    near.squared.sqrt()
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::pair::convex::RoundedPoints;
    use crate::shape::Cylinder;
    use nalgebra::{Point3, Unit, Vector3};

    /// Returns points with extents from 1e-5 to 1 along every axis.
    fn thin_points(chance: &mut SplitMix64, count: usize) -> Vec<Vec3> {
        let half: Vec3 = [0; 3].map(|_| chance.decade(-5.0, 0.0));
        let axes = chance.rotation();
        let turned = |p: Vec3| rotate(&axes, [p[0] * half[0], p[1] * half[1], p[2] * half[2]]);
        (0..count).map(|_| turned(chance.point(1.0))).collect()
    }

    /// The proof rests on the search by directions alone; no pair is known that needs it.
    pub fn directions_alone_find_what_simplices_find() {
        let (mut chance, mut apart) = (SplitMix64(5), 0);
        for round in 0..2_000 {
            let points = thin_points(&mut chance, 3 + round % 6);
            let radius = chance.decade(-4.0, 0.0);
            let axis = Unit::new_normalize(Vector3::from(chance.unit()));
            let drum = Cylinder::new(Point3::origin(), axis, chance.decade(-4.0, 0.0), radius);
            let drum = drum.expect("a cylinder");
            let hull = RoundedPoints { points: &points, radius: 0.0 };
            // Touching along some direction, up to a small gap.
            let way = chance.unit();
            let (from, to) = (Support::farthest(&drum, way), hull.farthest(scale(way, -1.0)));
            let gap = chance.decade(-13.0, 0.0);
            let offset = sub(add(from, scale(way, gap)), to);
            let pair = ConvexPair { offset, ..ConvexPair::in_one_frame([&drum, &hull]) };
            let known = pair.search_until(|_, _| false);
            let mut found = CoreDistance { lower_bound: f64::NEG_INFINITY, ..known };
            pair.search_directions(&mut found, &|_, _| false);
            let least = found.lower_bound.max(0.0);
            let most = offset_length(&known.closest);
            assert!(least <= most + SUPPORT_ERROR * found.size, "{least:e} {most:e}");
            assert!(
                most - least <= 2.0 * ELLIPSOID_TOLERANCE * found.size,
                "{least:e} {most:e} {gap:e}"
            );
            apart += usize::from(least > 0.0);
        }
        assert!(apart > 1_800, "{apart}");
    }

    pub fn directions_alone_see_what_is_common() {
        let points = [[0.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0]];
        let hull = RoundedPoints { points: &points, radius: 0.0 };
        for offset in [[0.0; 3], [0.0, 0.0, 2.0], [0.0, 0.0, 2.0 + 1e-3]] {
            let pair = ConvexPair { offset, ..ConvexPair::in_one_frame([&hull, &hull]) };
            let mut found = pair.search_until(|_, _| false);
            found.lower_bound = f64::NEG_INFINITY;
            pair.search_directions(&mut found, &|_, _| false);
            let off = found.lower_bound - (offset[2] - 2.0).max(0.0);
            assert!(off.abs() <= ELLIPSOID_TOLERANCE * found.size || offset == [0.0; 3], "{off:e}");
            assert!(found.lower_bound <= 0.0 || offset[2] > 2.0);
        }
    }

    /// Ball scaled along the coordinates about a center.
    struct Egg {
        center: Vec3,
        radii: Vec3,
    }

    impl Support for Egg {
        fn farthest(&self, direction: Vec3) -> Vec3 {
            let scaled = [0, 1, 2].map(|i| self.radii[i] * direction[i]);
            let size = length(scaled);
            [0, 1, 2].map(|i| self.center[i] + self.radii[i] * scaled[i] / size)
        }
        fn core_point(&self) -> Vec3 {
            self.center
        }
    }

    /// Returns the corners of a point, a segment, a triangle, a flat polygon, a needle, a box or a
    /// hull of many points, with extents up to 1.
    fn points(chance: &mut SplitMix64, kind: usize) -> Vec<Vec3> {
        let axes = chance.rotation();
        let (flat, count) = match kind % 8 {
            0 => ([1.0, 1.0, 1.0], 1),
            1 => ([1.0, 1.0, 1.0], 2),
            2 => ([1.0, 1.0, 1.0], 3),
            3 => ([1.0, 1.0, 0.0], 9),
            4 => ([1.0, 1e-5, 1e-6], 7),
            5 => ([1.0, 0.3, 0.5], 8),
            6 => ([1.0, 0.6, 0.4], 60),
            _ => ([1.0, 1.0, 1.0], 5),
        };
        let corner = |index: usize| [0, 1, 2].map(|i| (index >> i & 1) as f64 * 2.0 - 1.0);
        let spot = |index: usize, chance: &mut SplitMix64| match kind % 8 {
            5 => corner(index),
            6 => chance.unit(),
            _ => chance.point(1.0),
        };
        (0..count)
            .map(|index| {
                let p = spot(index, chance);
                rotate(&axes, [0, 1, 2].map(|i| p[i] * flat[i]))
            })
            .collect()
    }

    pub fn verdicts_are_those_of_the_search() {
        let (mut chance, mut unclear, mut verdicts) = (SplitMix64(71), [0; 3], [0; 2]);
        for round in 0..6_000 {
            let size = [1.0, 1e-3, 1e4, 1e-40, 1e60][round % 5];
            let share = if round % 7 == 0 { chance.decade(-4.0, 0.0) } else { 1.0 };
            let grown = |points: Vec<Vec3>, size: f64| -> Vec<Vec3> {
                points.into_iter().map(|p| scale(p, size)).collect()
            };
            let kinds = [round, round / 8];
            let first = grown(points(&mut chance, kinds[0]), size);
            let second = grown(points(&mut chance, kinds[1]), share * size);
            let a = RoundedPoints { points: &first, radius: 0.0 };
            let b = RoundedPoints { points: &second, radius: 0.0 };
            let egg = Egg {
                center: scale(chance.point(1.0), size),
                radii: [0; 3].map(|_| size * chance.decade(-2.0, 0.0)),
            };
            let bodies: [&dyn Support; 2] = if round % 11 == 0 { [&egg, &b] } else { [&a, &b] };
            // Support points along one direction; a positive gap is the distance of the cores.
            let (rotation, way) = (chance.rotation(), chance.unit());
            let group = round / 64 % 3;
            let gap = match group {
                0 => size * chance.decade(-6.0, 0.5),
                1 => size * [1e-9, -1e-9, 1e-11, 1e-13, 0.0, -1e-13][chance.below(6)],
                _ => -share * size * chance.decade(-4.0, -0.5),
            };
            let from = bodies[0].farthest(way);
            let to =
                rotate(&rotation, bodies[1].farthest(rotate_back(&rotation, scale(way, -1.0))));
            let offset = sub(add(from, scale(way, gap)), to);
            let error = if round % 3 == 0 { size / (1u64 << 45) as f64 } else { 0.0 };
            let pair = ConvexPair { bodies, rotation, offset, error };
            let enough = [0.0, 0.0, 0.5, 2.0][chance.below(4)] * gap.abs();
            let Some(verdict) = pair.clear_verdict(enough) else {
                unclear[group] += 1;
                continue;
            };
            verdicts[usize::from(verdict)] += 1;
            let text = format!("round {round}: {gap:e}, enough {enough:e}");
            assert_eq!(verdict, pair.search_verdict(enough), "{text}");
            let is_known = gap > 0.0 && (gap - enough).abs() > 1e-12 * size;
            assert!(!is_known || verdict == (gap < enough), "{text}: {verdict}");
        }
        // Groups take turns: a third of all rounds each.
        assert!(unclear[0] <= 20 && unclear[2] <= 100, "{unclear:?}");
        assert!(verdicts.iter().all(|&count| count > 1_500), "{verdicts:?}");
    }
}
