//! How far apart two convex bodies are, between two bounds that are both certain.
//!
//! GJK: the point of the difference of the two nearest to the origin, by simplices of points of the
//! difference. Every point is an upper bound; every direction a lower one, by the farthest points
//! along it. Source: Gilbert, Johnson, Keerthi, A Fast Procedure for Computing the Distance Between
//! Complex Objects (1988); van den Bergen, A Fast and Robust GJK Implementation (1999), for the
//! bounds; his Ray Casting against General Convex Objects (2004) for shifts.

use super::simplex::{Simplex, Vertex};
use super::support::Support;
use crate::num::linear::{IDENTITY, Mat3, Vec3, add, dot, length, scale, sub, turn, turn_back};
use crate::pair::near::Near;

/// The most directions that are tried. Most pairs take ten; ellipsoids that nearly touch forty.
/// What is still open then counts as touching.
const STEPS: usize = 1024;

/// So many directions in a row that better no lower bound begin the search anew, so often.
const VAIN: usize = 128;
const RESTARTS: usize = 4;

/// The most lower bounds on a shift that are taken.
const SHIFTS: usize = 64;

/// More than rounding makes of a difference of farthest points and of its product with a unit
/// direction, as a share of coordinates and sizes: `2^5 e`.
const ROUNDED: f64 = 1.0 / (1u64 << 47) as f64;

/// The bounds are close enough to each other where they differ by this share of the sizes.
const CLOSE: f64 = 1.0 / (1u64 << 45) as f64;

/// Farther apart than rounding of closed forms may be, as a share of the sizes: less decides GJK.
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

impl<'a> ConvexPair<'a> {
    /// Two bodies in one frame.
    pub fn here(bodies: [&'a dyn Support; 2]) -> Self {
        ConvexPair { bodies, rotation: IDENTITY, offset: [0.0; 3], doubt: 0.0 }
    }

    fn radii(&self) -> f64 {
        self.bodies[0].radius() + self.bodies[1].radius()
    }

    /// The difference of the farthest points along a direction and against it.
    fn vertex(&self, direction: Vec3) -> (Vertex, f64) {
        let on_a = self.bodies[0].farthest(direction);
        let against = scale(turn_back(&self.rotation, direction), -1.0);
        let on_b = self.seen(self.bodies[1].farthest(against));
        let size = length(on_a) + length(on_b);
        (Vertex { point: sub(on_a, on_b), on_a }, size)
    }

    fn seen(&self, p: Vec3) -> Vec3 {
        add(turn(&self.rotation, p), self.offset)
    }

    /// Closest points of cores with a closed form, and a length that may not decide.
    fn closed(&self) -> Option<(Near, f64)> {
        let (a, b) = (self.bodies[0].core()?, self.bodies[1].core()?);
        let b = b.moved(&self.rotation, self.offset);
        let (near, share) = a.near(&b)?;
        let size = a.size() + b.size() + self.radii();
        Some((near, (16.0 * share + CLEAR) * size + 2.0 * self.doubt))
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
    /// rounding, some `2^-43` of sizes and coordinates.
    pub fn touches(&self, margin: f64) -> bool {
        let enough = self.radii() + margin;
        if let Some((near, close)) = self.closed() {
            let over = near.squared.sqrt() - enough;
            if over.abs() > close {
                return over < 0.0;
            }
        }
        let found = self.search(enough);
        found.least <= enough + 2.0 * self.doubt
    }

    /// Where the two are closest, and whether they are apart for sure: surfaces, radii included.
    pub fn nearest(&self) -> (Near, bool) {
        let radii = self.radii();
        let (near, surely) = match self.closed() {
            Some((near, close)) if near.squared.sqrt() - radii > close => (near, true),
            _ => {
                let found = self.search_nearest();
                let surely = found.least > radii + 2.0 * self.doubt;
                // Open to the end: what is certain is the lower bound.
                let width = near_length(&found.near) - found.least;
                let near = match surely && width > 8.0 * CLOSE * found.size {
                    true => Near::new(found.near.on_a, scale(found.axis, -found.least)),
                    false => found.near,
                };
                (near, surely)
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
        let near = self.closed().map_or_else(|| self.search_nearest().near, |(near, _)| near);
        let distance = near_length(&near) - self.radii();
        if distance > 0.0 { distance } else { 0.0 }
    }

    /// The distance of the cores until it is known to be more than a length, or no more.
    fn search(&self, enough: f64) -> CoreDistance {
        self.search_until(|least, most| least > enough + 2.0 * self.doubt || most <= enough)
    }

    fn search_nearest(&self) -> CoreDistance {
        self.search_until(|_, most| most == 0.0)
    }

    /// The distance of the cores, as close as rounding allows, or until the bounds suffice.
    pub fn search_until(&self, suffices: impl Fn(f64, f64) -> bool) -> CoreDistance {
        let on_a = self.bodies[0].middle();
        let start = sub(on_a, self.seen(self.bodies[1].middle()));
        let size = length(on_a) + length(start) + self.radii();
        let near = Near::new(on_a, scale(start, -1.0));
        let mut best = CoreDistance { near, least: f64::NEG_INFINITY, axis: [0.0; 3], size };
        let (mut simplex, mut way) = (Simplex::default(), start);
        let (mut vain, mut restarts) = (0, 0);
        for _ in 0..STEPS {
            let far = length(way);
            if far.is_nan() || far <= ROUNDED * best.size {
                // Nearer than rounding.
                best.near = Near::common(best.near.on_a);
                best.least = best.least.max(0.0);
                break;
            }
            let axis = scale(way, 1.0 / far);
            let (vertex, reach) = self.vertex(scale(axis, -1.0));
            best.size = if reach > best.size { reach } else { best.size };
            let least = dot(axis, vertex.point) - ROUNDED * best.size;
            vain = if least > best.least { 0 } else { vain + 1 };
            if vain == 0 {
                (best.least, best.axis) = (least, axis);
            }
            let most = near_length(&best.near);
            if suffices(best.least, most) || most - best.least <= CLOSE * best.size {
                break;
            }
            if vain > VAIN || simplex.has(vertex.point) {
                if restarts == RESTARTS {
                    break;
                }
                // From the best direction with nothing else kept.
                (simplex, vain, restarts) = (Simplex::default(), 0, restarts + 1);
                way = scale(best.axis, best.size);
                continue;
            }
            simplex.push(vertex);
            let foot = simplex.nearest();
            if foot.face == Simplex::ALL {
                // The four hold the origin.
                best.near = Near::common(foot.on_a);
                break;
            }
            simplex.keep(foot.face);
            way = foot.point;
            let shorter = foot.squared < best.near.squared;
            best.near = if shorter { Near::new(foot.on_a, scale(way, -1.0)) } else { best.near };
        }
        best
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
