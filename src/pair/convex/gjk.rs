//! How far apart two convex bodies are, between two bounds that are both certain.
//!
//! GJK: the point of the difference of the two nearest to the origin, by simplices of points of the
//! difference. Every point is an upper bound; every direction a lower one, by the farthest points
//! along it. Source: Gilbert, Johnson, Keerthi, A Fast Procedure for Computing the Distance Between
//! Complex Objects (1988); van den Bergen, A Fast and Robust GJK Implementation (1999), for the
//! bounds; his Ray Casting against General Convex Objects (2004) for shifts.
//!
//! # What stays open, proven
//! A no is certain: some direction tells the two apart by more than rounding. A yes is one of
//! four. *Bounds* that have come together: by [`CLOSE`] of the size. *A point of both*: the origin
//! is a mean of four points of the difference, off by `2^-42` of the farthest at most. *Less than
//! rounding*: by [`ROUNDED`]. *None of these*, where simplices go round in circles, in doubles and
//! then in doubled precision: the [ellipsoid](super::direction_ellipsoid) finds the distance up to
//! `2^-43` of the size, in a number of steps that is proven. Of 1.7 million pairs set nearly
//! surface on surface, of all kinds and of sizes up to `1e5` apart, 2700 took doubled precision,
//! none an ellipsoid.
//!
//! Sizes are those of the points looked at: of two that nearly touch at most three times the
//! reaches of the two parts together, and points of the difference twice those. With the doubt
//! about the place of the second, `2^-44` of the reaches, allowed twice and true at most root three
//! times, a yes is off by less than `(0.5 + 0.25) 2^-40` of the reaches.
//!
//! # Shifts
//! [`first_shift`](ConvexPair::first_shift) is Newton's method along supporting planes, as is that
//! of [`RoundedPair`](crate::pair::rounded_passage::RoundedPair), which takes points, segments,
//! triangles and boxes. They stay two: closed forms end in one step where GJK takes two to four,
//! each of two farthest points by dynamic calls, and state their gap from the closest points at
//! hand; cylinders, ellipsoids and hulls have no closed forms; and the bits of shape casts at
//! meshes would change.

use super::direction_ellipsoid::{CUTS, DirectionEllipsoid};
use super::fine_simplex;
use super::simplex::{Simplex, Vertex};
use super::support::{Rounded, Support};
use crate::num::linear::{IDENTITY, Mat3, Vec3, add, dot, length, scale, sub, turn, turn_back};
use crate::pair::near::Near;

/// The most directions that simplices try. Most pairs take ten; ellipsoids that nearly touch forty.
const STEPS: usize = 1024;

/// So many directions in a row that better no lower bound begin the search anew, in doubled
/// precision.
const VAIN: usize = 128;

/// The most lower bounds on a shift that are taken.
const SHIFTS: usize = 64;

/// More than rounding makes of a difference of farthest points and of its product with a unit
/// direction, as a share of coordinates and sizes: `2^5 e`.
const ROUNDED: f64 = 1.0 / (1u64 << 47) as f64;

/// The bounds are close enough to each other where they differ by this share of the sizes.
const CLOSE: f64 = 1.0 / (1u64 << 45) as f64;

/// What the ellipsoid of directions leaves between the bounds, as a share of the sizes.
const OPEN: f64 = 1.0 / (1u64 << 43) as f64;

/// Farther apart than rounding of closed forms may be, as a share of the sizes: less decides GJK.
/// The worst that was found, of triangles a hundred thousand times as long as wide, is a
/// twenty-fifth of that.
const CLEAR: f64 = 1.0 / (1u64 << 36) as f64;

/// Two convex bodies in the frame of the first.
#[derive(Clone, Copy)]
pub(crate) struct ConvexPair<'a> {
    pub bodies: [&'a dyn Support; 2],
    /// The axes of the second's frame, and its origin.
    pub rotation: Mat3,
    pub offset: Vec3,
    /// How far off the second may be seen to be.
    pub doubt: f64,
}

/// How far apart two cores are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoreDistance {
    /// Closest points: a point of the first, the way to the second.
    pub near: Near,
    /// The cores are no closer, for sure.
    pub least: f64,
    /// Unit; the first is beyond the second along it by `least`. Zero if none was found.
    pub axis: Vec3,
    /// The sizes that rounding is a share of.
    pub size: f64,
}

/// How far apart two bodies with closed forms are.
#[derive(Clone, Copy)]
struct ClosedDistance {
    /// Closest points of the cores.
    near: Near,
    /// Between the surfaces; negative where they overlap.
    gap: f64,
    /// A gap of less than that, either way, may be rounding.
    close: f64,
}

impl<'a> ConvexPair<'a> {
    /// Two bodies in one frame.
    pub fn here(bodies: [&'a dyn Support; 2]) -> Self {
        ConvexPair { bodies, rotation: IDENTITY, offset: [0.0; 3], doubt: 0.0 }
    }

    fn radii(&self) -> f64 {
        self.bodies[0].radius() + self.bodies[1].radius()
    }

    /// The difference of the farthest points along a direction and against it.
    pub(super) fn vertex(&self, direction: Vec3) -> (Vertex, f64) {
        let on_a = self.bodies[0].farthest(direction);
        let against = scale(turn_back(&self.rotation, direction), -1.0);
        let on_b = self.seen(self.bodies[1].farthest(against));
        let size = length(on_a) + length(on_b);
        (Vertex { point: sub(on_a, on_b), on_a }, size)
    }

    fn seen(&self, p: Vec3) -> Vec3 {
        add(turn(&self.rotation, p), self.offset)
    }

    /// The two themselves, by closed forms.
    fn closed(&self) -> Option<ClosedDistance> {
        self.closed_of(|body| body.rounded())
    }

    /// How far apart bodies with closed forms are that stand for the two.
    fn closed_of(&self, form: impl Fn(&dyn Support) -> Option<Rounded>) -> Option<ClosedDistance> {
        let (a, b) = (form(self.bodies[0])?, form(self.bodies[1])?);
        let core = b.core.moved(&self.rotation, self.offset);
        let (near, share) = a.core.near(&core)?;
        let radii = a.radius + b.radius;
        let size = a.core.size() + core.size() + radii;
        let close = (16.0 * share + CLEAR) * size + 2.0 * self.doubt;
        Some(ClosedDistance { near, gap: near_length(&near) - radii, close })
    }

    /// No point of the bodies is further from a point: four half-spaces across the corners of a
    /// tetrahedron hold them, whose corners are three times as far as its faces.
    fn reaches(&self, from: Vec3) -> f64 {
        let mut reach: f64 = self.radii();
        for direction in [[1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]]
        {
            let (vertex, _) = self.vertex(direction);
            let on_b = sub(vertex.on_a, vertex.point);
            reach = reach.max(length(sub(vertex.on_a, from))).max(length(sub(on_b, from)));
        }
        4.0 * reach
    }

    /// Whether the two are no further apart than a margin. A no is certain; a yes is so up to
    /// `2^-42` of sizes and coordinates.
    pub fn touches(&self, margin: f64) -> bool {
        self.closed_verdict(margin).unwrap_or_else(|| {
            let enough = self.radii() + margin;
            let found = self.search(enough);
            found.least <= enough + 2.0 * self.doubt
        })
    }

    /// The same by closed forms, where they decide: of the two themselves; else of those around them
    /// what is apart, and of those within them what touches.
    fn closed_verdict(&self, margin: f64) -> Option<bool> {
        let verdict = |found: ClosedDistance| {
            let over = found.gap - margin;
            (over.abs() > found.close).then_some(over < 0.0)
        };
        if let Some(found) = self.closed() {
            return verdict(found);
        }
        let around = self.closed_of(|body| body.around())?;
        if verdict(around) == Some(false) {
            return Some(false);
        }
        let within = self.closed_of(|body| body.within())?;
        verdict(within).filter(|&touching| touching)
    }

    /// Where the two are closest, and whether they are apart for sure: surfaces, radii included.
    pub fn nearest(&self) -> (Near, bool) {
        let radii = self.radii();
        let (near, surely) = match self.closed() {
            Some(found) if found.gap > found.close => (found.near, true),
            _ => {
                let found = self.search_nearest();
                let surely = found.least > radii + 2.0 * self.doubt;
                (found.near, surely)
            }
        };
        let (distance, radius) = (near.squared.sqrt(), self.bodies[0].radius());
        if !surely || distance <= radii {
            let share = if radii > 0.0 { radius / radii } else { 0.5 };
            return (Near::common(add(near.on_a, scale(near.offset, share))), surely);
        }
        let on_a = add(near.on_a, scale(near.offset, radius / distance));
        (Near::new(on_a, scale(near.offset, (distance - radii) / distance)), surely)
    }

    /// The distance, no less than the true one but for rounding; zero where they overlap.
    pub fn at_most(&self) -> f64 {
        let near = self.closed().map_or_else(|| self.search_nearest().near, |found| found.near);
        let distance = near_length(&near) - self.radii();
        if distance > 0.0 { distance } else { 0.0 }
    }

    /// The distance of the cores until it is known to be more than a length, or no more.
    fn search(&self, enough: f64) -> CoreDistance {
        self.search_until(|least, most| least > enough + 2.0 * self.doubt || most <= enough)
    }

    pub fn search_nearest(&self) -> CoreDistance {
        self.search_until(|_, most| most == 0.0)
    }

    /// The distance of the cores, as close as rounding allows, or until the bounds suffice.
    pub fn search_until(&self, suffices: impl Fn(f64, f64) -> bool) -> CoreDistance {
        let on_a = self.bodies[0].middle();
        let start = sub(on_a, self.seen(self.bodies[1].middle()));
        let size = length(on_a) + length(start) + self.radii();
        let near = Near::new(on_a, scale(start, -1.0));
        let mut best = CoreDistance { near, least: f64::NEG_INFINITY, axis: [0.0; 3], size };
        if !self.by_simplices(&mut best, start, &suffices) {
            self.by_directions(&mut best, &suffices);
        }
        best
    }

    /// The search by simplices, from a way on; whether it came to an end.
    fn by_simplices(
        &self,
        best: &mut CoreDistance,
        start: Vec3,
        suffices: &impl Fn(f64, f64) -> bool,
    ) -> bool {
        let (mut simplex, mut way) = (Simplex::default(), start);
        let (mut vain, mut is_fine) = (0, false);
        for _ in 0..STEPS {
            let far = length(way);
            if far.is_nan() || far <= ROUNDED * best.size {
                // Nearer than rounding.
                best.near = Near::common(best.near.on_a);
                best.least = best.least.max(0.0);
                return true;
            }
            let axis = scale(way, 1.0 / far);
            let (vertex, is_better) = self.bounded(best, axis);
            vain = if is_better { 0 } else { vain + 1 };
            let most = near_length(&best.near);
            if suffices(best.least, most) || most - best.least <= CLOSE * best.size {
                return true;
            }
            if vain > VAIN || simplex.has(vertex.point) {
                if is_fine {
                    return false;
                }
                // From the best direction with nothing else kept.
                (simplex, vain, is_fine) = (Simplex::default(), 0, true);
                way = scale(best.axis, best.size);
                continue;
            }
            simplex.push(vertex);
            let foot = match is_fine {
                true => fine_simplex::nearest(simplex.vertices()),
                false => simplex.nearest(),
            };
            if foot.face == Simplex::ALL {
                // The four hold the origin.
                best.near = Near::common(foot.on_a);
                return true;
            }
            simplex.keep(foot.face);
            way = foot.point;
            let shorter = foot.squared < best.near.squared;
            best.near = if shorter { Near::new(foot.on_a, scale(way, -1.0)) } else { best.near };
        }
        false
    }

    /// The search by directions alone, which always ends: then the distance is above the lower
    /// bound by no more than [`OPEN`] of the sizes.
    fn by_directions(&self, best: &mut CoreDistance, suffices: &impl Fn(f64, f64) -> bool) {
        // No point of the difference is then further than the root of three of the size.
        for axis in IDENTITY {
            self.bounded(best, axis);
            self.bounded(best, scale(axis, -1.0));
        }
        let mut ellipsoid = DirectionEllipsoid::ball();
        for _ in 0..CUTS {
            let center = ellipsoid.center();
            let far = length(center);
            let axis = if far > 0.0 { scale(center, 1.0 / far) } else { IDENTITY[0] };
            let (vertex, _) = self.bounded(best, axis);
            let least = best.least.max(0.0);
            let p = scale(vertex.point, 1.0 / best.size);
            let most = ellipsoid.cut(p, least / best.size) * best.size;
            let is_known = most - least <= OPEN * best.size;
            if is_known || suffices(best.least, near_length(&best.near)) {
                return;
            }
        }
    }

    /// The point of the difference that is least along a unit direction, and whether that is a
    /// better lower bound, which is then kept.
    fn bounded(&self, best: &mut CoreDistance, axis: Vec3) -> (Vertex, bool) {
        let (vertex, reach) = self.vertex(scale(axis, -1.0));
        best.size = if reach > best.size { reach } else { best.size };
        let least = dot(axis, vertex.point) - ROUNDED * best.size;
        let is_better = least > best.least;
        if is_better {
            (best.least, best.axis) = (least, axis);
        }
        (vertex, is_better)
    }

    /// At which least shift of the second along a direction the two touch, no less than `from`, and
    /// the axis from the second to the first that kept them apart until then; `None` if they never
    /// do. Never more than the true shift; less by rounding over how fast they meet.
    pub fn first_shift(&self, direction: Vec3, from: f64) -> Option<(f64, Vec3)> {
        let square = dot(direction, direction);
        let [a, b] = [self.bodies[0].middle(), self.seen(self.bodies[1].middle())];
        let between = sub(a, b);
        let before = dot(between, direction) / square - 4.0 * self.reaches(a) - length(between);
        let (mut shift, mut axis) = (if from > before { from } else { before }, [0.0; 3]);
        for _ in 0..SHIFTS {
            let moved = ConvexPair { offset: add(self.offset, scale(direction, shift)), ..*self };
            let enough = self.radii() + 2.0 * self.doubt;
            let close = |least: f64, most: f64| {
                // Half the gap is enough to go on with.
                least > enough && least - enough > 0.5 * (most - enough) || most <= enough
            };
            let found = moved.search_until(close);
            let gap = found.least - enough - CLOSE * found.size;
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

fn near_length(near: &Near) -> f64 {
    near.squared.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::chance::Chance;
    use crate::pair::convex::RoundedPoints;
    use crate::shape::Cylinder;
    use nalgebra::{Point3, Unit, Vector3};

    /// Points of sizes from 1e-5 to 1 along every axis.
    fn thin(chance: &mut Chance, count: usize) -> Vec<Vec3> {
        let half: Vec3 = [0; 3].map(|_| chance.decade(-5.0, 0.0));
        let axes = chance.rotation();
        let turned = |p: Vec3| turn(&axes, [p[0] * half[0], p[1] * half[1], p[2] * half[2]]);
        (0..count).map(|_| turned(chance.point(1.0))).collect()
    }

    /// The search by directions alone is what the proof rests on; no pair is known that needs it.
    #[test]
    fn directions_alone_find_what_simplices_find() {
        let (mut chance, mut apart) = (Chance(5), 0);
        for round in 0..2_000 {
            let points = thin(&mut chance, 3 + round % 6);
            let radius = chance.decade(-4.0, 0.0);
            let axis = Unit::new_normalize(Vector3::from(chance.unit()));
            let drum = Cylinder::new(Point3::origin(), axis, chance.decade(-4.0, 0.0), radius);
            let drum = drum.expect("a cylinder");
            let hull = RoundedPoints { points: &points, radius: 0.0 };
            // Set on each other along some direction, up to a small gap.
            let way = chance.unit();
            let (from, to) = (Support::farthest(&drum, way), hull.farthest(scale(way, -1.0)));
            let gap = chance.decade(-13.0, 0.0);
            let offset = sub(add(from, scale(way, gap)), to);
            let pair = ConvexPair { offset, ..ConvexPair::here([&drum, &hull]) };
            let known = pair.search_until(|_, _| false);
            let mut found = CoreDistance { least: f64::NEG_INFINITY, ..known };
            pair.by_directions(&mut found, &|_, _| false);
            let least = found.least.max(0.0);
            let most = near_length(&known.near);
            assert!(least <= most + ROUNDED * found.size, "{least:e} {most:e}");
            assert!(most - least <= 2.0 * OPEN * found.size, "{least:e} {most:e} {gap:e}");
            apart += usize::from(least > 0.0);
        }
        assert!(apart > 1_800, "{apart}");
    }

    #[test]
    fn directions_alone_see_what_is_common() {
        let points = [[0.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0]];
        let hull = RoundedPoints { points: &points, radius: 0.0 };
        for offset in [[0.0; 3], [0.0, 0.0, 2.0], [0.0, 0.0, 2.0 + 1e-3]] {
            let pair = ConvexPair { offset, ..ConvexPair::here([&hull, &hull]) };
            let mut found = pair.search_until(|_, _| false);
            found.least = f64::NEG_INFINITY;
            pair.by_directions(&mut found, &|_, _| false);
            let off = found.least - (offset[2] - 2.0).max(0.0);
            assert!(off.abs() <= OPEN * found.size || offset == [0.0; 3], "{off:e}");
            assert!(found.least <= 0.0 || offset[2] > 2.0);
        }
    }
}
