//! Shapes with integer sizes: touching is exact, one step further is separate.

use boxwood::pair::plane::Side;
use boxwood::shape::{Aabb, Capsule, Ellipsoid, Obb, Segment, Sphere, Triangle};

use super::plain_models::{KINDS, Kind, point};
use super::planes::plane;
use super::regime_counts::Census;

use support::prelude::*;

fn whole(random: &mut Random, count: usize) -> V {
    std::array::from_fn(|_| random.below(count) as f64 - (count / 2) as f64)
}

/// Draws a shape with integer sizes, along the coordinate axes if it has axes, and its extent along
/// one of them.
fn shape<T: Scalar>(kind: usize, axis: usize, random: &mut Random) -> (Kind<T>, f64, f64) {
    let [a, b, c] = std::array::from_fn(|_| whole(random, 7));
    let flat = random.chance(0.15);
    let (b, c) = if flat { (a, a) } else { (b, c) };
    let half: V = std::array::from_fn(|_| if flat { 0.0 } else { random.below(4) as f64 });
    let radius = half[0];
    let (r, h) = (T::nearest(radius), Vector3::from(half).map(T::nearest));
    let (pa, pb, pc): (Point3<T>, Point3<T>, Point3<T>) = (point(a), point(b), point(c));
    let (low, high) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
    let turn = random.quarter();
    let axes = Matrix3::from_fn(|i, j| T::nearest(turn[j][i]));
    let reach: f64 = (0..3).map(|j| turn[j][axis].abs() * half[j]).sum();
    let segment = Segment::new(pa, pb).expect("sound");
    match kind {
        0 => (Kind::Sphere(Sphere::new(pa, r).expect("sound")), a[axis] - radius, a[axis] + radius),
        1 => (Kind::Capsule(Capsule::new(segment, r).expect("sound")), low - radius, high + radius),
        2 => (Kind::Segment(segment), low, high),
        3 => {
            let triangle = Triangle::new(pa, pb, pc).expect("sound");
            (Kind::Triangle(triangle), low.min(c[axis]), high.max(c[axis]))
        }
        4 => (Kind::Aabb(Aabb::from_points([pa, pb])), low, high),
        5 => (Kind::Obb(Obb::new(pa, axes, h).expect("sound")), a[axis] - reach, a[axis] + reach),
        _ => {
            let solid = Ellipsoid::new(pa, axes, h).expect("sound");
            (Kind::Ellipsoid(solid), a[axis] - reach, a[axis] + reach)
        }
    }
}

fn sides<T: Scalar>(seed: u64) {
    for (kind, name) in KINDS.iter().enumerate() {
        let (mut random, mut census) = (Random(seed ^ kind as u64), Census::default());
        for _ in 0..cases(10_000) {
            let (axis, up) = (random.below(3), random.sign());
            let (shape, low, high) = shape::<T>(kind, axis, &mut random);
            let mut normal = [0.0; 3];
            normal[axis] = up;
            let at = match random.below(7) {
                0 => low,
                1 => high,
                2 | 3 => low - 1.0 - random.below(3) as f64,
                4 => low + random.below((high - low) as usize + 1) as f64,
                // Halves are exact too.
                _ => 0.5 * (low + high),
            };
            let plane = plane::<T>(normal, up * at);
            let (least, greatest) =
                if up > 0.0 { (low - at, high - at) } else { (at - high, at - low) };
            let found = shape.heights(&plane);
            assert_eq!((found.least, found.greatest), (least, greatest), "{shape:?} {plane:?}");
            let bounds = shape.aabb();
            let stored = (bounds.min[axis].wide(), bounds.max[axis].wide());
            let pad = if kind < 5 { 0.0 } else { 1e-5 };
            assert!(
                stored.0 <= low
                    && stored.0 >= low - pad
                    && stored.1 >= high
                    && stored.1 <= high + pad
            );
            let agrees = |side: Side| match &shape {
                Kind::Sphere(s) => assert_eq!(plane.side(s), side),
                Kind::Capsule(s) => assert_eq!(plane.side(s), side),
                Kind::Segment(s) => assert_eq!(plane.side(s), side),
                Kind::Triangle(s) => assert_eq!(plane.side(s), side),
                Kind::Aabb(s) => assert_eq!(plane.side(s), side),
                Kind::Obb(s) => assert_eq!(plane.side(s), side),
                Kind::Ellipsoid(s) => assert_eq!(plane.side(s), side),
            };
            census.add(match (least, greatest) {
                _ if low == high => "degenerate",
                (l, _) if l > 0.0 => {
                    agrees(Side::Front);
                    "apart"
                }
                (_, g) if g < 0.0 => {
                    agrees(Side::Behind);
                    "apart"
                }
                (l, g) => {
                    agrees(Side::Straddling);
                    if l == 0.0 || g == 0.0 { "touching" } else { "deep" }
                }
            });
        }
        census.check(name, 4);
    }
}

/// Pythagorean triples: points exactly on balls and capsules are in, one unit further are not.
#[test]
fn surfaces_belong_to_their_shapes() {
    let (mut random, mut census) = (Random(123), Census::default());
    let triples =
        [[3.0, 4.0, 0.0, 5.0], [1.0, 2.0, 2.0, 3.0], [2.0, 3.0, 6.0, 7.0], [4.0, 4.0, 7.0, 9.0]];
    for _ in 0..cases(10_000) {
        let [x, y, z, length] = triples[random.below(4)];
        let v = Vector3::new(x * random.sign(), y * random.sign(), z * random.sign());
        let c = Vector3::from(whole(&mut random, 9));
        let out = random.below(3) as f64 - 1.0;
        let ball = Sphere::<f64, 3>::new((c).into(), length - out).expect("sound");
        assert_eq!(ball.contains((c + v).into()), out <= 0.0);
        let flat = Sphere::<f32, 2>::new([0.0, 0.0].into(), 5.0 - out as f32).expect("sound");
        assert_eq!(flat.contains([-3.0, 4.0].into()), out <= 0.0);
        // Along x, with the triple across.
        let along = Vector3::new(4.0, 0.0, 0.0);
        let segment = Segment::new((c - along).into(), (c + along).into()).expect("sound");
        let capsule = Capsule::<f64>::new(segment, 5.0 - out).expect("sound");
        let across = Vector3::new(random.below(9) as f64 - 4.0, 3.0, -4.0);
        assert_eq!(capsule.contains((c + across).into()), out <= 0.0);
        let solid =
            Ellipsoid::<f64>::new(c.into(), Matrix3::identity(), Vector3::repeat(length - out));
        // Fractions of a radius are rounded; those of 5 and of 3 do not always sum to one.
        let inside = solid.expect("sound").contains((c + v).into());
        assert!(out == 0.0 || inside == (out < 0.0));
        census.add(out as i64);
    }
    census.check("surfaces", 3);
}

scalars! {
    heights_are_whole => sides(121; 122);
}
