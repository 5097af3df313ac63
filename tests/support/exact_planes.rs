//! Planes between a convex brush and an upright cylinder on a straight way, in integers: a short
//! proof that they share no point.
//!
//! The brush is behind each of its planes, and behind every sum of two of them. The cylinder is in
//! front of a plane all along if it is at both ends of its way. Rounded numbers choose the plane;
//! only integers decide if it separates.

use num_bigint::{BigInt, Sign};

use crate::cylinder_distance::HalfSpace;
use crate::exact_boxes::{range, whole};
use crate::exact_cylinder::Grown;
use crate::plain_box::{V, inner, norm, plus, times};
use crate::rational_points::{W, dot, plus as sum};

/// Sum of two half-spaces with their factors.
type Sum = [(f64, HalfSpace); 2];

/// Returns `true` if one of the planes, or a sum of two, separates the brush and the cylinder along
/// its whole way. `true` is exact; `false` proves nothing.
///
/// ```
/// use support::exact_cylinder::Grown;
/// use support::exact_planes::is_before;
///
/// let cube = support::brushes::cuboid([-1.0; 3], [1.0; 3]);
/// let cylinder = Grown { radius: 0.5, half_height: 1.0, growth: 0.25 };
/// let [at, beyond] = [1.75, 1.75f64.next_up()].map(|x| [x, -9.0, 0.0]);
/// assert!(is_before(&cube, &cylinder, beyond, [0.0, 18.0, 0.0]));
/// assert!(!is_before(&cube, &cylinder, at, [0.0, 18.0, 0.0]));
/// // Past an edge.
/// assert!(is_before(&cube, &cylinder, [9.0, -4.0, 0.0], [-13.0, 13.0, 0.0]));
/// assert!(!is_before(&cube, &cylinder, [9.0, -6.5, 0.0], [-13.0, 13.0, 0.0]));
/// ```
pub fn is_before(planes: &[HalfSpace], cylinder: &Grown, start: V, way: V) -> bool {
    let sizes = [cylinder.radius + cylinder.growth, cylinder.half_height + cylinder.growth];
    let ends = [start, plus(start, way)];
    let alone = planes.iter().map(|&plane| [(1.0, plane), (0.0, plane)]);
    let sums = || {
        let pairs = (1..planes.len()).flat_map(|j| (0..j).map(move |i| [planes[i], planes[j]]));
        pairs.map(|two| along(two, way))
    };
    let best = |sums: &mut dyn Iterator<Item = Sum>| {
        let known = sums.map(|sum| (rounded_room(&sum, sizes, ends), sum));
        known.reduce(|a, b| if b.0 > a.0 { b } else { a }).filter(|(room, _)| *room > 0.0)
    };
    let chosen = best(&mut alone.into_iter()).or_else(|| best(&mut sums()));
    chosen.is_some_and(|(_, sum)| is_before_sum(&sum, cylinder, start, way))
}

/// Returns the sum of two half-spaces along the way, if there is one.
fn along([p, q]: [HalfSpace; 2], way: V) -> Sum {
    let (s, t) = (inner(p.0, way), inner(q.0, way));
    if s * t < 0.0 { [(t.abs(), p), (s.abs(), q)] } else { [(1.0, p), (1.0, q)] }
}

/// Returns the lesser of the rounded distances of the cylinder in front of the plane at both ends.
fn rounded_room([(a, p), (b, q)]: &Sum, [radius, half]: [f64; 2], ends: [V; 2]) -> f64 {
    let normal = plus(times(p.0, *a), times(q.0, *b));
    let reach = radius * normal[0].hypot(normal[1]) + half * normal[2].abs();
    let height = ends.map(|end| inner(normal, end)).into_iter().fold(f64::INFINITY, f64::min);
    let length = norm(normal);
    if length > 0.0 { (height - (a * p.1 + b * q.1) - reach) / length } else { -1.0 }
}

/// Returns `true` if the whole cylinder is strictly in front of the plane at both ends of the way.
/// Exact.
///
/// The lowest point of the cylinder over a plane `n.x = o` is at `n.c - h |nz| - r |(nx, ny)|`; the
/// last term is moved to the other side and both are squared.
fn is_before_sum([(a, p), (b, q)]: &Sum, cylinder: &Grown, start: V, way: V) -> bool {
    let sizes = [cylinder.radius, cylinder.half_height, cylinder.growth];
    let (unit, weight) = (range(p.0.iter().chain(&q.0)).0, range([*a, *b].iter()).0);
    let offsets = range([p.1, q.1].iter()).0 - unit;
    let low = range(start.iter().chain(&way).chain(&sizes)).0.min(offsets);
    let vector = |v: V, low: i32| -> W { v.map(|x| whole(x, low)) };
    let [a, b] = [*a, *b].map(|x| whole::<BigInt>(x, weight));
    let scaled = |v: V, by: &BigInt| vector(v, unit).map(|x| x * by);
    let normal = sum(&scaled(p.0, &a), &scaled(q.0, &b));
    let offset = a * whole::<BigInt>(p.1, unit + low) + b * whole::<BigInt>(q.1, unit + low);
    let [radius, half, growth] = sizes.map(|size| whole::<BigInt>(size, low));
    let (radius, half) = (radius + &growth, half + growth);
    if radius.sign() == Sign::Minus || half.sign() == Sign::Minus {
        return false;
    }
    let level = BigInt::from(normal[2].magnitude().clone()) * half + offset;
    let plan = &normal[0] * &normal[0] + &normal[1] * &normal[1];
    let reach = &radius * &radius * plan;
    let start = vector(start, low);
    let end = sum(&start, &vector(way, low));
    [start, end].iter().all(|centre| {
        let room = dot(&normal, centre) - &level;
        room.sign() == Sign::Plus && &room * &room > reach
    })
}
