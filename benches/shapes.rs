//! Points and shapes, planes and shapes, beside parry3d in f32 on the same data; how often both agree is printed beside. Both
//! answer the same in f32; here it is computed in double precision.

use boxwood::nalgebra::{Matrix3, Point3, Unit, Vector3};
use boxwood::{Capsule, Obb, Plane, Segment, Sphere, Triangle};
use criterion::{Criterion, criterion_group, criterion_main};
use parry3d::math::{Pose, Vector};
use parry3d::query::{PointQuery, intersection_test};
use parry3d::shape::{Ball, Cuboid, HalfSpace, Shape};

#[path = "support/beside.rs"]
mod beside;
#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;

use beside::{beside, told};
use random::Random;

const COUNT: usize = 1024;

fn near(random: &mut Random) -> Point3<f32> {
    Point3::from(Vector3::from(random.direction()).map(|x| x as f32) * 2.0 * random.share() as f32)
}

fn vector(p: Point3<f32>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

/// Points and a shape of both libraries: how far the nearest point of it is.
macro_rules! nearest {
    ($criterion:ident, $name:literal, $cases:expr) => {
        beside(
            $criterion,
            ($name, "parry3d"),
            $cases,
            |(mine, _, p)| (mine.closest_point(*p) - p).norm(),
            |(_, (at, other), p)| {
                (other.project_point(at, vector(*p), true).point - vector(*p)).length()
            },
        )
    };
}

fn points(criterion: &mut Criterion) {
    let mut random = Random(1);
    let size = |random: &mut Random| 0.1 + random.share() as f32;
    let still = Pose::identity();

    let capsules: Vec<_> = (0..COUNT)
        .map(|_| {
            let (a, b, r) = (near(&mut random), near(&mut random), size(&mut random));
            let mine = Capsule::new(Segment::new(a, b).expect("ends"), r).expect("a radius");
            let other = parry3d::shape::Capsule::new(vector(a), vector(b), r);
            (mine, (still, other), near(&mut random))
        })
        .collect();
    nearest!(criterion, "point nearest in a capsule", &capsules);
    beside(
        criterion,
        ("point in a capsule", "parry3d"),
        &capsules,
        |(mine, _, p)| told(mine.contains(*p)),
        |(_, (at, other), p)| told(other.contains_point(at, vector(*p))),
    );

    let triangles: Vec<_> = (0..COUNT)
        .map(|_| {
            let [a, b, c]: [Point3<f32>; 3] = std::array::from_fn(|_| near(&mut random));
            let mine = Triangle::new(a, b, c).expect("corners");
            let other = parry3d::shape::Triangle::new(vector(a), vector(b), vector(c));
            (mine, (still, other), near(&mut random))
        })
        .collect();
    nearest!(criterion, "point nearest on a triangle", &triangles);
}

/// A box of both libraries.
fn cuboid(random: &mut Random) -> (Obb, (Pose, Cuboid)) {
    let axes = random.rotation();
    let axes = Matrix3::from_fn(|i, j| axes[j][i] as f32);
    let half = Vector3::from_fn(|_, _| 0.1 + random.share() as f32);
    let mine = Obb::new(near(random), axes, half).expect("a box");
    let turn = nalgebra::Rotation3::from_matrix_unchecked(mine.axes());
    let place = nalgebra::Isometry3::from_parts(mine.center().coords.into(), turn.into());
    (mine, (place.into(), Cuboid::new(Vector::new(half.x, half.y, half.z))))
}

/// A plane, and in the other library the half-space below it.
fn below(random: &mut Random) -> (Plane, (Pose, HalfSpace)) {
    let normal = Vector3::from(random.direction()).map(|x| x as f32);
    let plane = Plane::through(near(random), Unit::new_normalize(normal)).expect("a plane");
    let foot = plane.normal().into_inner() * plane.offset();
    let at = nalgebra::Isometry3::from(foot);
    (plane, (at.into(), HalfSpace::new(vector(plane.normal().into_inner().into()))))
}

fn boxes_and_planes(criterion: &mut Criterion) {
    let mut random = Random(2);
    let boxes: Vec<_> = (0..COUNT)
        .map(|_| {
            let (mine, other) = cuboid(&mut random);
            (mine, other, near(&mut random))
        })
        .collect();
    nearest!(criterion, "point nearest in a turned box", &boxes);
    let solids: Vec<_> = (0..COUNT).map(|_| (below(&mut random), cuboid(&mut random))).collect();
    beside(
        criterion,
        ("turned box and half-space", "parry3d"),
        &solids,
        |((plane, _), (solid, _))| told(plane.overlaps(solid)),
        |((_, space), (_, other))| touching(space, other),
    );
    let balls: Vec<_> = solids
        .iter()
        .map(|&(plane, (solid, _))| {
            let (center, radius) = (solid.center(), solid.half_extents().x);
            let at = nalgebra::Isometry3::from(center.coords);
            let mine = Sphere::new(center, radius).expect("a ball");
            (plane, (mine, (Pose::from(at), Ball::new(radius))))
        })
        .collect();
    beside(
        criterion,
        ("ball and half-space", "parry3d"),
        &balls,
        |((plane, _), (ball, _))| told(plane.overlaps(ball)),
        |((_, space), (_, other))| touching(space, other),
    );
}

/// Whether two shapes of the other library meet.
fn touching((at, space): &(Pose, HalfSpace), (place, other): &(Pose, impl Shape)) -> f32 {
    told(intersection_test(at, space, place, other).expect("supported").intersecting)
}

criterion_group! {
    name = shapes;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(1)).warm_up_time(std::time::Duration::from_millis(300));
    targets = points, boxes_and_planes
}
criterion_main!(shapes);
