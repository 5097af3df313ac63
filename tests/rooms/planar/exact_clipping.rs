//! Overlap of two planar shapes by exact clipping in integers (Sutherland and Hodgman), and by
//! exact squared distances for circles.

use num_bigint::{BigInt, Sign};

use support::exact_boxes::{range, whole};
use support::planar::any_shape::{Any, P, wide};
use support::prelude::*;

/// A point `x / w, y / w` with a positive `w`.
type H = [BigInt; 3];

/// Core in integers, counter-clockwise, and the integer radius.
struct Whole {
    corners: Vec<H>,
    round: BigInt,
}

/// Returns the lowest bit of any coordinate of the shape's corners.
fn lowest<T: Scalar>(of: &Any<T>) -> i32 {
    let low = |numbers: &[f64]| range(numbers.iter()).0;
    match of {
        Any::Obb2(o) => {
            let (c, u, h) = (wide(&o.center().coords), wide(&o.axis()), wide(&o.half_extents()));
            low(&c).min(low(&u) + low(&h))
        }
        Any::Circle(s) => low(&wide(&s.center().coords)).min(low(&[s.radius().wide()])),
        _ => of.seen().corners.iter().map(|c| low(c)).min().expect("corners"),
    }
}

fn at(p: P, low: i32) -> [BigInt; 2] {
    p.map(|x| whole::<BigInt>(x, low))
}

fn in_whole<T: Scalar>(of: &Any<T>, low: i32) -> Whole {
    let one = || BigInt::from(1);
    let zero = || BigInt::from(0);
    let plain = |p: P| {
        let [x, y] = at(p, low);
        [x, y, one()]
    };
    match of {
        Any::Obb2(o) => {
            let (c, u, h) = (wide(&o.center().coords), wide(&o.axis()), wide(&o.half_extents()));
            let unit = range(u.iter()).0;
            let [cx, cy] = at(c, low);
            let [ux, uy] = u.map(|x| whole::<BigInt>(x, unit));
            let [a, b] = h.map(|x| whole::<BigInt>(x, low - unit));
            let corner = |s: i32, t: i32| {
                let (a, b) = (&a * s, &b * t);
                [&cx + &ux * &a - &uy * &b, &cy + &uy * &a + &ux * &b, one()]
            };
            let corners = vec![corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
            Whole { corners, round: zero() }
        }
        Any::Circle(s) => {
            let corners = vec![plain(wide(&s.center().coords))];
            Whole { corners, round: whole::<BigInt>(s.radius().wide(), low) }
        }
        _ => Whole { corners: of.seen().corners.into_iter().map(plain).collect(), round: zero() },
    }
}

/// Returns the side of `p`, times its denominator: positive on the left of the edge from `a` to
/// `b`, whose denominators are 1.
fn side(a: &H, b: &H, p: &H) -> BigInt {
    let (ux, uy) = (&b[0] - &a[0], &b[1] - &a[1]);
    ux * (&p[1] - &a[1] * &p[2]) - uy * (&p[0] - &a[0] * &p[2])
}

fn negative(x: &BigInt) -> bool {
    x.sign() == Sign::Minus
}

/// Clips a polygon to the left side of an edge, the edge included.
fn cut(corners: &[H], a: &H, b: &H) -> Vec<H> {
    let mut kept = Vec::new();
    for (i, p) in corners.iter().enumerate() {
        let q = &corners[(i + 1) % corners.len()];
        let (s, t) = (side(a, b, p), side(a, b, q));
        if !negative(&s) {
            kept.push(p.clone());
        }
        if negative(&(&s * &t)) {
            // s and t include the denominators of p and q: the crossing is their combination in
            // homogeneous numbers.
            let mixed: H = std::array::from_fn(|k| &q[k] * &s - &p[k] * &t);
            kept.push(if negative(&mixed[2]) { mixed.map(|x| -x) } else { mixed });
        }
    }
    kept
}

fn square(x: &BigInt) -> BigInt {
    x * x
}

/// Returns `true` if an integer point is within an integer radius of a segment.
fn near(p: &H, [a, b]: [&H; 2], radius: &BigInt) -> bool {
    let from = |q: &H, r: &H| [&q[0] - &r[0], &q[1] - &r[1]];
    let dot = |u: &[BigInt; 2], v: &[BigInt; 2]| &u[0] * &v[0] + &u[1] * &v[1];
    let (edge, way, back) = (from(b, a), from(p, a), from(p, b));
    let along = dot(&edge, &way);
    let squared = square(radius);
    if negative(&along) || along.sign() == Sign::NoSign {
        dot(&way, &way) <= squared
    } else if along >= dot(&edge, &edge) {
        dot(&back, &back) <= squared
    } else {
        square(&(&edge[0] * &way[1] - &edge[1] * &way[0])) <= squared * dot(&edge, &edge)
    }
}

/// Returns `true` if the point is in the polygon, whose corners may be collinear or equal.
fn holds(corners: &[H], p: &H) -> bool {
    let count = corners.len();
    // Without area, the left of all edges is a line: the segments decide.
    has_area(corners)
        && (0..count).all(|i| !negative(&side(&corners[i], &corners[(i + 1) % count], p)))
}

/// Returns `true` if the closed shapes share a point. Exact.
pub fn share_a_point<T: Scalar>(a: &Any<T>, b: &Any<T>) -> bool {
    let low = lowest(a).min(lowest(b));
    let (a, b) = (in_whole(a, low), in_whole(b, low));
    let radius = &a.round + &b.round;
    if a.corners.len() == 1 || b.corners.len() == 1 {
        let (point, other) = if a.corners.len() == 1 { (&a, &b) } else { (&b, &a) };
        let (p, corners) = (&point.corners[0], &other.corners);
        let count = corners.len();
        let close = |i: usize| near(p, [&corners[i], &corners[(i + 1) % count]], &radius);
        return (count > 2 && holds(corners, p)) || (0..count).any(close);
    }
    match (has_area(&a.corners), has_area(&b.corners)) {
        (_, true) => clipped(&a.corners, &b.corners),
        (true, false) => clipped(&b.corners, &a.corners),
        (false, false) => cross(&a.corners, &b.corners),
    }
}

fn has_area(corners: &[H]) -> bool {
    let fan = 1..corners.len() - 1;
    fan.into_iter().any(|i| side(&corners[0], &corners[i], &corners[i + 1]).sign() == Sign::Plus)
}

/// Returns `true` if anything of a polygon is inside another polygon, which has an area.
fn clipped(corners: &[H], by: &[H]) -> bool {
    let mut left = corners.to_vec();
    for i in 0..by.len() {
        left = cut(&left, &by[i], &by[(i + 1) % by.len()]);
        if left.is_empty() {
            return false;
        }
    }
    true
}

/// Returns `true` if two boxes without area, segments or points, share a point: each straddles the
/// line of the other, and their bounds overlap.
fn cross(a: &[H], b: &[H]) -> bool {
    let (p, q, r, s) = (&a[0], &a[2], &b[0], &b[2]);
    let straddles = |p, q, r, s| {
        let product = side(p, q, r) * side(p, q, s);
        product.sign() != Sign::Plus
    };
    let bounds = |k: usize| {
        let (low, high) = (p[k].clone().min(q[k].clone()), p[k].clone().max(q[k].clone()));
        low <= r[k].clone().max(s[k].clone()) && r[k].clone().min(s[k].clone()) <= high
    };
    straddles(p, q, r, s) && straddles(r, s, p, q) && bounds(0) && bounds(1)
}
