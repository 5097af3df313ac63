//! K-DOPs against every other kind: placed at a known distance, around shared points, empty and
//! infinite.

use boxwood::pair::{ConvexShape, IntersectsQuery};
use boxwood::shape::{
    Aabb, ConvexHull, Dop14, Dop18, Frustum, Kdop, Obb, Plane, Polygon3, Segment, Slabs, SpaceDop8,
    Sphere, Triangle,
};

use support::both_ways::{asked, touching};
use support::convex_bodies::{Body, BodyKind};
use support::polytopes::{Polytope, prove_as_set, prove_by, prove_contact, prove_depth};
use support::prelude::*;

/// Draws points of a cloud, sometimes flat, thin or at one position, sometimes far away.
fn cloud(random: &mut Random) -> Vec<V> {
    let half: V = [0; 3].map(|_| if random.chance(0.2) { 0.0 } else { random.decade(-3.0, 0.5) });
    let center = times(random.direction(), random.decade(-1.0, 2.0));
    let count = 1 + random.below(8);
    (0..count)
        .map(|_| plus(center, [0, 1, 2].map(|i| half[i] * random.between(-1.0, 1.0))))
        .collect()
}

/// Half-spaces of a k-DOP as they are stored.
fn plain<const N: usize>(of: &Kdop<f64, 3, N>) -> Polytope
where
    Kdop<f64, 3, N>: Slabs<3, N>,
{
    let directions = <Kdop<f64, 3, N> as Slabs<3, N>>::DIRECTIONS.map(|d| d.map(f64::from));
    let (low, high) = (of.low(), of.high());
    let sides =
        (0..N).flat_map(|i| [(directions[i], high[i]), (times(directions[i], -1.0), -low[i])]);
    Polytope::between(sides.collect())
}

/// Runs all queries of a k-DOP and a shape in its own type.
macro_rules! answers {
    ($body:expr, $kdop:expr) => {
        match $body.shape() {
            ConvexShape::Sphere(shape) => (asked(&shape, $kdop), touching(&shape, $kdop)),
            ConvexShape::Capsule(shape) => (asked(&shape, $kdop), touching(&shape, $kdop)),
            ConvexShape::Cylinder(shape) => (asked(&shape, $kdop), touching(&shape, $kdop)),
            ConvexShape::Ellipsoid(shape) => (asked(&shape, $kdop), touching(&shape, $kdop)),
            ConvexShape::Box(shape) => (asked(&shape, $kdop), touching(&shape, $kdop)),
            ConvexShape::Hull(shape) => (asked(&shape, $kdop), touching(&shape, $kdop)),
            ConvexShape::Triangle(shape) => (asked(&shape, $kdop), touching(&shape, $kdop)),
            _ => unreachable!("another kind"),
        }
    };
}

macro_rules! as_far_as_set {
    ($($name:ident, $kind:ident;)*) => {$(
        #[test]
        fn $name() {
            for kind in BodyKind::ALL {
                let mut random = Random(3 + kind as u64);
                for round in 0..cases(600) {
                    let kdop = $kind::from_points(cloud(&mut random).into_iter().map(point::<f64>));
                    let plain = plain(&kdop);
                    let body = Body::random(&mut random, kind, (1.0, 2.0));
                    let gap = match round % 4 {
                        0 => 0.0,
                        1 => random.decade(-9.0, 1.0),
                        2 => -random.decade(-15.0, -4.0),
                        _ => -random.decade(-4.0, 0.0),
                    };
                    let body = plain.beside(&body, gap, &mut random);
                    let size = body.size() + plain.size();
                    let (found, contact) = answers!(body, &kdop);
                    prove_as_set(found, &body, &plain, gap);
                    prove_contact(contact, found.0, (&body, &plain), (gap, 1e-9 * size));
                }
            }
        }
    )*};
}

as_far_as_set! {
    of_fourteen_sides_they_are_as_far_as_set, Dop14;
    of_eighteen_sides_they_are_as_far_as_set, Dop18;
    of_eight_sides_they_are_as_far_as_set, SpaceDop8;
}

/// Checks any two of a k-DOP, a k-DOP of another kind, a frustum and a polygon near each other.
#[test]
fn closest_points_of_dops_frusta_and_polygons_are_proved() {
    let mut random = Random(61);
    let (mut together, mut apart) = (0, 0);
    for _ in 0..cases(1_500) {
        let mut cloud = || -> Vec<Point3<f64>> {
            let center = times(random.direction(), random.decade(-1.0, 0.0));
            let step = |random: &mut Random| times(random.direction(), random.decade(-2.0, 0.0));
            (0..6).map(|_| point(plus(center, step(&mut random)))).collect()
        };
        let fourteen = Dop14::from_points(cloud());
        let (eighteen, eight) = (Dop18::from_points(cloud()), SpaceDop8::from_points(cloud()));
        let corners: [Point3<f64>; 3] = cloud()[..3].try_into().expect("three");
        let wall = Polygon3::new(corners.to_vec()).expect("a polygon");
        let eye =
            Isometry3::new(Vector3::from(cloud()[0].coords), Vector3::from(random.direction()));
        let seen = Frustum::of_eye(&eye, [0.5, 0.7], [0.1, 0.1 + random.decade(-1.0, 0.5)]);
        let seen = seen.expect("a frustum");
        let of_seen = Polytope::solid(seen.corners().map(Into::into).to_vec());
        let flat = Polytope::flat(corners.map(Into::into).to_vec());
        let (a, b, c) = (plain(&fourteen), plain(&eighteen), plain(&eight));
        macro_rules! all {
            ($(($x:expr, $of_x:expr) $(($y:expr, $of_y:expr))*;)*) => {
                [$($((asked($x, $y), touching($x, $y), $of_x, $of_y),)*)*]
            };
        }
        let found = all! {
            (&fourteen, &a) (&eighteen, &b) (&eight, &c) (&wall, &flat) (&seen, &of_seen);
            (&eighteen, &b) (&eight, &c) (&wall, &flat) (&seen, &of_seen);
            (&eight, &c) (&wall, &flat) (&seen, &of_seen);
        };
        for ((touch, closest), contact, one, other) in found {
            together += usize::from(touch);
            apart += usize::from(!touch);
            let excess: [&dyn Fn(V) -> f64; 2] = [&|p| one.excess(p), &|p| other.excess(p)];
            let reach: [&dyn Fn(V) -> f64; 2] = [&|n| one.reach(n), &|n| other.reach(n)];
            let size = one.size() + other.size();
            prove_by(&closest, excess, reach, size);
            prove_depth(contact, touch, reach, size);
            if let Some(contact) = contact {
                // The normals of the faces of both are among the directions out.
                let normals = one.planes.iter().map(|(n, _)| *n);
                let ways = normals.chain(other.planes.iter().map(|(n, _)| times(*n, -1.0)));
                let least = ways
                    .map(|n| times(n, 1.0 / norm(n)))
                    .map(|n| one.reach(n) + other.reach(times(n, -1.0)))
                    .fold(f64::INFINITY, f64::min);
                assert!(contact.depth <= least + 1e-9 * size, "{contact:?} {least}");
            }
        }
    }
    assert!(together > 200 && apart > 200, "{together} {apart}");
}

/// Checks that shapes with a point of the cloud, to the bit, are never separated from its k-DOP.
fn never_misses<T: Scalar, const N: usize>(seed: u64)
where
    Kdop<T, 3, N>: Slabs<3, N>,
    Kdop<T, 3, N>: IntersectsQuery<Sphere<T, 3>> + IntersectsQuery<Segment<T>>,
    Kdop<T, 3, N>: IntersectsQuery<Triangle<T>> + IntersectsQuery<ConvexHull<T>>,
    Kdop<T, 3, N>: IntersectsQuery<Aabb<T, 3>> + IntersectsQuery<Obb<T>>,
{
    let mut random = Random(seed);
    for _ in 0..cases(2_000) {
        let size = [1.0, 1e-15, 1e15, 1e6][random.below(4)];
        let cloud: Vec<Point3<T>> =
            cloud(&mut random).into_iter().map(|p| point(times(p, size))).collect();
        let kdop = Kdop::<T, 3, N>::from_points(cloud.iter().copied());
        let shared = cloud[random.below(cloud.len())];
        let away = |random: &mut Random| {
            let step = times(random.direction(), size * random.decade(-6.0, 1.0));
            Point3::from([0, 1, 2].map(|i| T::nearest(shared[i].wide() + step[i])))
        };
        let others: Vec<Point3<T>> = (0..4).map(|_| away(&mut random)).collect();
        let ball = Sphere::new(shared, T::nearest(0.0)).expect("a point");
        assert!(kdop.intersects(&ball), "{kdop:?} {shared}");
        let line = Segment::new(others[0], shared).expect("a segment");
        assert!(kdop.intersects(&line), "{kdop:?} {line:?}");
        let flat = Triangle::new(others[0], others[1], shared).expect("a triangle");
        assert!(kdop.intersects(&flat), "{kdop:?} {flat:?}");
        let all: Vec<_> = others.iter().copied().chain([shared]).collect();
        let hull = ConvexHull::new(&all).expect("a hull");
        assert!(kdop.intersects(&hull), "{kdop:?} {hull:?}");
        let around = Aabb::from_points([shared, others[2]]);
        assert!(kdop.intersects(&around), "{kdop:?} {around:?}");
        let still = Obb::new(shared, Matrix3::identity(), Vector3::zeros()).expect("a box");
        assert!(kdop.intersects(&still), "{kdop:?} {still:?}");
    }
}

#[test]
fn shapes_that_share_a_point_with_a_dop_are_never_missed() {
    never_misses::<f32, 7>(1);
    never_misses::<f32, 9>(2);
    never_misses::<f32, 4>(3);
    never_misses::<f64, 7>(4);
    never_misses::<f64, 9>(5);
    never_misses::<f64, 4>(6);
}

#[test]
fn planes_segments_and_aligned_boxes_agree_with_corners() {
    let mut random = Random(9);
    for _ in 0..cases(2_000) {
        let kdop = Dop18::from_points(cloud(&mut random).into_iter().map(point::<f64>));
        let (plain, n) = (plain(&kdop), random.direction());
        let offset = inner(plain.corners[0], n) + random.between(-1.0, 1.0);
        let plane = Plane::new(Unit::new_normalize(Vector3::from(n)), offset).expect("a plane");
        let low = -plain.reach(times(n, -1.0)) - offset;
        let (touch, closest) = asked(&plane, &kdop);
        let slack = 1e-12 * (1.0 + plain.size());
        assert!((closest.distance - low.max(0.0)).abs() < slack, "{closest:?} {low}");
        let contact = touching(&kdop, &plane);
        assert_eq!(contact.is_some(), touch);
        assert!(contact.is_none_or(|contact| (contact.depth + low).abs() < slack));
        let center = plus(plain.corners[0], times(random.direction(), random.decade(-2.0, 0.5)));
        let half: V = [0; 3].map(|_| random.decade(-2.0, 0.5));
        let [from, to] = [-1.0, 1.0].map(|s| Point3::from(plus(center, times(half, s))));
        let oriented = Obb::new(Point3::from(center), Matrix3::identity(), half.into());
        let turned = asked(&oriented.expect("a box"), &kdop).1.distance;
        let aligned = asked(&Aabb::new(from, to), &kdop).1.distance;
        assert!((aligned - turned).abs() < slack, "{aligned} {turned}");
        // A segment is a hull of two points.
        let line = asked(&Segment::new(from, to).expect("a segment"), &kdop).1;
        let hull = asked(&ConvexHull::new(&[from, to]).expect("a hull"), &kdop).1;
        assert!((line.distance - hull.distance).abs() < slack, "{line:?} {hull:?}");
    }
}

#[test]
fn empty_dops_touch_nothing_and_infinite_dops_reach_infinity() {
    let ball = |x: f64| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0).expect("a ball");
    let empty = Dop14::<f64>::empty();
    assert!(!empty.intersects(&ball(0.0)) && empty.contact(&ball(0.0)).is_none());
    assert_eq!(ball(0.0).distance(&empty), f64::INFINITY);
    let ground = Plane::new(Vector3::x_axis(), 0.0).expect("a plane");
    assert!(
        !ground.intersects(&empty) && !empty.intersects(&Aabb::from_points([Point3::origin()]))
    );
    // Infinite along x.
    let ends = [0.0, f64::INFINITY].map(|x| Point3::new(x, 0.0, 0.0));
    let long = Dop18::from_points(ends);
    for x in [-1.0, 5.0, 1e9] {
        assert!(long.intersects(&ball(x)) && ball(x).contact(&long).is_some(), "{x}");
    }
    for x in [-1.5, -5.0, -1e6] {
        let off = ball(x).distance(&long) - (-x - 1.0);
        assert!(off.abs() < 1e-9 * -x, "{off:e}");
    }
    assert!(ground.intersects(&long));
    let half = Aabb::new(Point3::new(7.0, 0.0, 0.0), Point3::from([f64::INFINITY; 3]));
    assert!(long.intersects(&half) && half.intersects(&long));
    // Two infinite ones, parallel and crossing.
    let beside = Dop14::from_points(ends.map(|p| p + Vector3::new(-3.0, 2.0, 0.0)));
    let (touch, closest) = asked(&long, &beside);
    assert!(!touch && (closest.distance - 2.0).abs() < 1e-9, "{closest:?}");
    let across = [[5.0, -1.0, 0.0], [5.0, f64::INFINITY, 0.0]].map(Point3::from);
    let across = Dop14::from_points(across);
    assert!(asked(&long, &across).0 && touching(&long, &across).is_some());
    let gone = asked(&Dop18::<f64>::empty(), &across);
    assert!(!gone.0 && gone.1.distance == f64::INFINITY);
    assert!(touching(&across, &SpaceDop8::<f64>::empty()).is_none());
    // Two of one kind by their intervals.
    let [one, other] = [0.0, 0.5].map(|x| Dop14::from_points([[x; 3].into(), [x + 1.0; 3].into()]));
    assert!(
        one.intersects(&other)
            && !one.intersects(&Dop14::from_points([Point3::new(9.0, 0.0, 0.0)]))
    );
}
