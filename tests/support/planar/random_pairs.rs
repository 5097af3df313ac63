//! Pairs of any two shapes, in four regimes.

use boxwood::num::Scalar;
use boxwood::planar::{ConvexPolygon, Obb2};
use boxwood::shape::{Aabb, Sphere};

use crate::pair_regime::{REGIMES, Regime};
use crate::planar::any_shape::{Any, P, inner, minus, norm, outer, plus, point, times, vector};
use crate::random::Random;

/// One of the four kinds of shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Obb2,
    Polygon,
    Circle,
    Aabb,
}

pub const KINDS: [Kind; 4] = [Kind::Obb2, Kind::Polygon, Kind::Circle, Kind::Aabb];

/// Draws a unit direction.
pub fn direction(random: &mut Random) -> P {
    let angle = random.between(0.0, std::f64::consts::TAU);
    [angle.cos(), angle.sin()]
}

fn extents(random: &mut Random, thin: bool) -> P {
    let mut half = [random.between(0.1, 1.0), random.between(0.1, 1.0)];
    if thin {
        half[random.below(2)] *= if random.chance(0.5) { 0.0 } else { random.decade(-6.0, -3.0) };
        if random.chance(0.2) {
            half = [0.0; 2];
        }
    }
    half
}

/// Draws a shape of a kind, of size about 1 times the unit; `axis` for boxes.
fn any<T: Scalar>(
    random: &mut Random,
    kind: Kind,
    (at, axis): (P, P),
    (unit, thin): (f64, bool),
) -> Any<T> {
    let half = times(extents(random, thin), unit);
    let count = if thin { 3 } else { 3 + random.below(6) };
    match kind {
        Kind::Obb2 => Any::Obb2(Obb2::new(point(at), vector(axis), vector(half)).expect("a box")),
        Kind::Polygon => Any::Polygon(polygon(random, at, half, count)),
        Kind::Circle => Any::Circle(Sphere::new(point(at), T::nearest(half[0])).expect("a circle")),
        Kind::Aabb => Any::Aabb(Aabb::new(point(minus(at, half)), point(plus(at, half)))),
    }
}

/// Draws corners on an ellipse, rotated; repeated until rounding leaves them convex.
fn polygon<T: Scalar>(random: &mut Random, at: P, half: P, count: usize) -> ConvexPolygon<T> {
    let mut least = (1e-3 * norm(half)).max(64.0 * T::ROUNDING * norm(at)).max(1e-25);
    loop {
        least *= 1.1;
        let half = half.map(|h| h.max(least));
        let axis = direction(random);
        // Never half a turn between two: `at` is inside.
        let step = std::f64::consts::TAU / count as f64;
        let angle = |k: usize| (k as f64 + random.between(-0.2, 0.2)) * step;
        let mut angles: Vec<f64> = (0..count).map(angle).collect();
        if random.chance(0.5) {
            angles.reverse();
        }
        let corner = |a: f64| {
            let (x, y) = (half[0] * a.cos(), half[1] * a.sin());
            point(plus(at, [x * axis[0] - y * axis[1], x * axis[1] + y * axis[0]]))
        };
        if let Ok(made) = ConvexPolygon::new(angles.into_iter().map(corner).collect()) {
            return made;
        }
    }
}

/// Draws a pair of any kinds. In the touching regime, some pairs are placed exactly in integers.
pub fn pair<T: Scalar>(random: &mut Random, regime: Regime) -> (Any<T>, Any<T>) {
    if regime == Regime::Touching && random.chance(0.3) {
        return corner_to_corner(random);
    }
    let kinds = [random.below(4), random.below(4)].map(|kind| KINDS[kind]);
    pair_of(random, regime, kinds)
}

/// Draws a pair of two kinds.
pub fn pair_of<T: Scalar>(
    random: &mut Random,
    regime: Regime,
    kinds: [Kind; 2],
) -> (Any<T>, Any<T>) {
    let odd = regime == Regime::Degenerate;
    let unit = if odd && random.chance(0.3) { random.decade(-15.0, 15.0) } else { 1.0 };
    let far = if odd && random.chance(0.3) { random.decade(1.0, 4.0) * unit } else { unit };
    let start = times(direction(random), random.share() * far);
    let axis = direction(random);
    let second_axis = if odd && random.chance(0.5) { axis } else { direction(random) };
    let a: Any<T> = any(random, kinds[0], (start, axis), (unit, odd));
    let thin = odd && random.chance(0.7);
    let b: Any<T> = any(random, kinds[1], (start, second_axis), (unit, thin));
    let way = direction(random);
    let (seen_a, seen_b) = (a.seen(), b.seen());
    let size = seen_a.size() + seen_b.size();
    let reach = touching_way(&seen_a.corners, &seen_b.corners, way, seen_a.round + seen_b.round);
    let kind = if odd { REGIMES[random.below(3)] } else { regime };
    let shift = match kind {
        Regime::Apart => reach + size * random.decade(-3.0, 0.0),
        Regime::Deep => reach * random.between(0.0, 0.8),
        _ => reach + size * random.sign() * random.decade(-17.0, -8.0),
    };
    let b = moved(&b, times(way, shift));
    (a, b)
}

/// Computes the separation distance of two concentric shapes: over the normals of all edges, and
/// for circles over many directions.
fn touching_way(a: &[P], b: &[P], way: P, round: f64) -> f64 {
    let mut normals: Vec<P> = Vec::new();
    for corners in [a, b] {
        for i in 0..corners.len() {
            let edge = minus(corners[(i + 1) % corners.len()], corners[i]);
            if norm(edge) > 0.0 {
                let edge = times(edge, 1.0 / norm(edge));
                normals.extend([[edge[1], -edge[0]], [-edge[1], edge[0]], edge, times(edge, -1.0)]);
            }
        }
    }
    if round > 0.0 || normals.is_empty() {
        normals.extend((0..3600).map(|k| {
            let angle = f64::from(k) * std::f64::consts::TAU / 3600.0;
            [angle.cos(), angle.sin()]
        }));
    }
    let support =
        |corners: &[P], n: P| corners.iter().map(|&c| inner(c, n)).fold(f64::MIN, f64::max);
    let free = normals.into_iter().filter(|&n| inner(n, way) > 1e-9);
    free.map(|n| (support(a, n) + support(b, times(n, -1.0)) + round) / inner(n, way))
        .fold(f64::MAX, f64::min)
}

/// Returns the same shape at another position, rounded.
pub fn moved<T: Scalar>(of: &Any<T>, by: P) -> Any<T> {
    let shift = |p: nalgebra::Point2<T>| point(plus([p.x.wide(), p.y.wide()], by));
    match of {
        Any::Obb2(o) => {
            Any::Obb2(Obb2::new(shift(o.center()), o.axis(), o.half_extents()).expect("a box"))
        }
        Any::Circle(s) => {
            Any::Circle(Sphere::new(shift(s.center()), s.radius()).expect("a circle"))
        }
        Any::Aabb(b) => Any::Aabb(Aabb::new(shift(b.min), shift(b.max))),
        // Needles may no longer be convex there; then they stay.
        Any::Polygon(p) => {
            let corners = p.corners().iter().map(|&c| shift(c)).collect();
            ConvexPolygon::new(corners).map_or_else(|_| of.clone(), Any::Polygon)
        }
    }
}

/// Draws two polygons, or a polygon and a circle, that touch exactly in one integer corner or along
/// a whole edge.
fn corner_to_corner<T: Scalar>(random: &mut Random) -> (Any<T>, Any<T>) {
    let mut whole = |low: i32| f64::from(low + random.below(20) as i32);
    // The first lies left of the line from the origin along `d`, the second right of it; both have
    // a segment of it.
    let d = [whole(1), whole(1)];
    let n = [-d[1], d[0]];
    let at = |s: f64, t: f64| point(plus(times(d, s), times(n, t)));
    let (s, t, u, v) = (whole(1), whole(1), whole(1), whole(1));
    let upper = ConvexPolygon::new(vec![at(0.0, 0.0), at(s, 0.0), at(u - 10.0, t)]);
    let lower = ConvexPolygon::new(vec![at(s, 0.0), at(s + v, 0.0), at(u, -t)]);
    let upper = Any::Polygon(upper.expect("a triangle"));
    if random.chance(0.7) {
        return (upper, Any::Polygon(lower.expect("a triangle")));
    }
    // 3, 4, 5: the corner at `s d` is on the circle, whose centre is straight below, or below and
    // aside.
    let k = T::nearest(f64::from(1 + random.below(9) as i32));
    let corner = times(d, s);
    let center = plus(corner, [3.0 * k.wide(), -4.0 * k.wide()]);
    let circle = Sphere::new(point(center), k * T::nearest(5.0)).expect("a circle");
    let side = outer(d, minus(center, corner));
    assert!(side < 0.0);
    (upper, Any::Circle(circle))
}
