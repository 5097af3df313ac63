//! Polytopes by their corners and planes in plain numbers, and convex bodies beside them, with
//! closest points that are known beforehand or proved by a slab.

use boxwood::pair::{ClosestPoints, Contact};

use crate::convex_bodies::Body;
use crate::plain_box::{V, inner, minus, norm, outer, plus, times};
use crate::random::Random;
use crate::triangle_distance::point_triangle;

/// Rounding of distances, as a fraction of the sizes.
const SHARE: f64 = 1e-11;

/// Convex hull of some corners.
#[derive(Debug, Clone)]
pub struct Polytope {
    pub corners: Vec<V>,
    /// Half-spaces that contain it, `n . p <= bound`, one per face; none for a flat polytope, whose
    /// corners are in order.
    pub planes: Vec<(V, f64)>,
}

/// Computes the intersection point of three planes.
fn meeting(planes: [(V, f64); 3]) -> Option<V> {
    let [a, b, c] = planes.map(|(n, _)| n);
    let [u, v, w] = [outer(b, c), outer(c, a), outer(a, b)];
    let size = inner(a, u);
    let sum = plus(plus(times(u, planes[0].1), times(v, planes[1].1)), times(w, planes[2].1));
    (size.abs() > 1e-9).then(|| times(sum, 1.0 / size))
}

impl Polytope {
    pub fn flat(corners: Vec<V>) -> Self {
        Polytope { corners, planes: Vec::new() }
    }

    /// Builds a polytope from its corners: all triples of corners with every other on one side.
    pub fn solid(corners: Vec<V>) -> Self {
        let size = corners.iter().fold(0.0, |size: f64, &p| size.max(norm(minus(p, corners[0]))));
        let mut planes = Vec::new();
        let count = corners.len();
        for (i, j, k) in
            (0..count).flat_map(|i| (0..i).flat_map(move |j| (0..j).map(move |k| (i, j, k))))
        {
            let normal = outer(minus(corners[j], corners[i]), minus(corners[k], corners[i]));
            if norm(normal) < 1e-9 * size * size {
                continue;
            }
            let normal = times(normal, 1.0 / norm(normal));
            for n in [normal, times(normal, -1.0)] {
                let bound = inner(n, corners[i]);
                if corners.iter().all(|&p| inner(n, minus(p, corners[i])) <= 1e-10 * size) {
                    planes.push((n, bound));
                }
            }
        }
        Polytope { corners, planes }
    }

    /// Builds a polytope from its planes: every three intersect in a corner, unless another cuts it
    /// off.
    pub fn between(planes: Vec<(V, f64)>) -> Self {
        let size = planes.iter().fold(0.0, |size: f64, (_, bound)| size.max(bound.abs()));
        let (mut corners, count) = (Vec::new(), planes.len());
        for (i, j, k) in
            (0..count).flat_map(|i| (0..i).flat_map(move |j| (0..j).map(move |k| (i, j, k))))
        {
            let corner = meeting([planes[i], planes[j], planes[k]]);
            let held = |p: &V| planes.iter().all(|&(n, b)| inner(n, *p) <= b + 1e-13 * size);
            corners.extend(corner.filter(held));
        }
        Polytope { corners, planes }
    }

    pub fn farthest(&self, n: V) -> V {
        let far = |p: &V| inner(*p, n);
        *self.corners.iter().max_by(|p, q| far(p).total_cmp(&far(q))).expect("corners")
    }

    pub fn reach(&self, n: V) -> f64 {
        inner(self.farthest(n), n)
    }

    /// Returns a lower bound on the distance of a point.
    pub fn excess(&self, p: V) -> f64 {
        if self.planes.is_empty() {
            let fan = self.corners.windows(2).map(|ab| [self.corners[0], ab[0], ab[1]]);
            return fan.map(|t| point_triangle(p, t)).fold(f64::INFINITY, f64::min);
        }
        let above = |&(n, bound): &(V, f64)| (inner(n, p) - bound) / norm(n);
        self.planes.iter().map(above).fold(f64::MIN, f64::max)
    }

    pub fn size(&self) -> f64 {
        self.corners.iter().fold(0.0, |size: f64, &p| size.max(norm(p)))
    }

    /// Places a body `gap` away from it: a slab between the two proves that they are no closer, two
    /// points prove that they are no farther.
    pub fn beside(&self, body: &Body, gap: f64, random: &mut Random) -> Body {
        let (on_body, n) = body.surface(random);
        let on_self = self.farthest(times(n, -1.0));
        body.moved(minus(minus(on_self, times(n, gap)), on_body))
    }
}

/// Asserts that two shapes placed by [`Polytope::beside`] have that distance, and proves their
/// closest points. A gap of zero touches, to the bit.
pub fn prove_as_set(
    (touch, closest): (bool, ClosestPoints<f64>),
    body: &Body,
    other: &Polytope,
    gap: f64,
) {
    let slack = SHARE * (body.size() + other.size());
    assert!(touch || gap != 0.0, "{gap:e} {body:?} {other:?}");
    assert!(!touch || gap <= slack, "{gap:e} {body:?} {other:?}");
    assert!(is_as_set(closest.distance, gap, slack), "{gap:e} {closest:?}");
    prove(&closest, body, other);
}

/// Asserts that only touching shapes have a contact, and that its depth suffices along its normal
/// and is at most the known one, up to `room`.
pub fn prove_contact(
    contact: Option<Contact<f64>>,
    touch: bool,
    (body, other): (&Body, &Polytope),
    (gap, room): (f64, f64),
) {
    let reach: [&dyn Fn(V) -> f64; 2] = [&|n| body.reach(n), &|n| other.reach(n)];
    prove_depth(contact, touch, reach, body.size() + other.size());
    let depth = contact.map_or(0.0, |contact| contact.depth);
    assert!(depth <= -gap.min(0.0) + room, "{depth} {gap}");
}

/// Asserts that only touching shapes have a contact, and that its depth is their overlap along its
/// normal.
pub fn prove_depth(
    contact: Option<Contact<f64>>,
    touch: bool,
    reach: [&dyn Fn(V) -> f64; 2],
    size: f64,
) {
    assert_eq!(contact.is_some(), touch);
    let Some(Contact { normal, depth, .. }) = contact else { return };
    let n: V = normal.into();
    let overlap = reach[0](n) + reach[1](times(n, -1.0));
    assert!((depth - overlap.max(0.0)).abs() <= SHARE * size, "{depth} {overlap}");
}

/// Returns `true` if a distance equals `gap` within `slack`; for a negative gap, if it is at most
/// `-gap`, the distance of two of their points.
fn is_as_set(distance: f64, gap: f64, slack: f64) -> bool {
    if gap < 0.0 { distance <= slack - gap } else { (distance - gap).abs() <= slack }
}

/// Asserts that closest points lie in both; if separate, that a slab of their distance lies
/// between.
fn prove(found: &ClosestPoints<f64>, body: &Body, other: &Polytope) {
    prove_by(
        found,
        [&|p| body.excess(p), &|p| other.excess(p)],
        [&|n| body.reach(n), &|n| other.reach(n)],
        body.size() + other.size(),
    );
}

pub fn prove_by(
    found: &ClosestPoints<f64>,
    excess: [&dyn Fn(V) -> f64; 2],
    reach: [&dyn Fn(V) -> f64; 2],
    size: f64,
) {
    let ends: [V; 2] = [found.on_a.coords.into(), found.on_b.coords.into()];
    for (end, excess) in ends.into_iter().zip(excess) {
        assert!(excess(end) <= 1e-11 * size, "{:e} of {size}: {found:?}", excess(end));
    }
    let way = minus(ends[1], ends[0]);
    let far = norm(way);
    assert!((far - found.distance).abs() <= 1e-11 * size, "{far:e} {found:?}");
    if far > 1e-4 * size {
        let n = times(way, 1.0 / far);
        let slab = -reach[1](times(n, -1.0)) - reach[0](n);
        assert!(far - slab <= 1e-7 * size, "{far} {slab} {found:?}");
    }
}
