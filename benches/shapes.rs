//! Points and shapes, planes and shapes, beside parry3d in f32 on the same data; how often both agree is printed beside. Both
//! answer the same in f32; here it is computed in double precision.

use std::hint::black_box;

use boxwood::nalgebra::{Matrix3, Point3, Unit, Vector3};
use boxwood::{Capsule, Obb, Plane, Segment, Sphere, Triangle};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use parry3d::math::{Pose, Vector};
use parry3d::query::{PointQuery, intersection_test};
use parry3d::shape::{Ball, Cuboid, HalfSpace};

#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;

use random::Random;

const COUNT: usize = 1024;

fn near(random: &mut Random) -> Point3<f32> {
    Point3::from(Vector3::from(random.direction()).map(|x| x as f32) * 2.0 * random.share() as f32)
}

fn vector(p: Point3<f32>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

type Ask<'a, A, B> = &'a dyn Fn(&A, &B) -> f32;

/// One question of both libraries, over all cases: the answers compared once, then both measured.
fn beside<A, B>(
    criterion: &mut Criterion,
    name: &str,
    cases: &[(A, B)],
    [mine, theirs]: [Ask<A, B>; 2],
) {
    let off = |(a, b): &&(A, B)| (mine(a, b) - theirs(a, b)).abs() > 1e-4;
    let apart = cases.iter().filter(off).count();
    println!("{name}: {} of {} answers are equal", cases.len() - apart, cases.len());
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(cases.len() as u64));
    for (who, answer) in [("boxwood", mine), ("parry3d", theirs)] {
        group.bench_function(who, |bench| {
            bench.iter(|| black_box(cases).iter().map(|(a, b)| answer(a, b)).sum::<f32>());
        });
    }
    group.finish();
}

fn points(criterion: &mut Criterion) {
    let mut random = Random(1);
    let size = |random: &mut Random| 0.1 + random.share() as f32;
    let still = Pose::identity();

    let capsules: Vec<_> = (0..COUNT)
        .map(|_| {
            let (a, b, r) = (near(&mut random), near(&mut random), size(&mut random));
            let mine = Capsule::new(Segment::new(a, b).expect("ends"), r).expect("a radius");
            ((mine, parry3d::shape::Capsule::new(vector(a), vector(b), r)), near(&mut random))
        })
        .collect();
    beside(
        criterion,
        "point nearest in a capsule",
        &capsules,
        [&|(mine, _), p| (mine.closest_point(*p) - p).norm(), &|(_, other), p| {
            (other.project_point(&still, vector(*p), true).point - vector(*p)).length()
        }],
    );
    beside(
        criterion,
        "point in a capsule",
        &capsules,
        [&|(mine, _), p| f32::from(u8::from(mine.contains(*p))), &|(_, other), p| {
            f32::from(u8::from(other.contains_point(&still, vector(*p))))
        }],
    );

    let triangles: Vec<_> = (0..COUNT)
        .map(|_| {
            let [a, b, c]: [Point3<f32>; 3] = std::array::from_fn(|_| near(&mut random));
            let mine = Triangle::new(a, b, c).expect("corners");
            let other = parry3d::shape::Triangle::new(vector(a), vector(b), vector(c));
            ((mine, other), near(&mut random))
        })
        .collect();
    beside(
        criterion,
        "point nearest on a triangle",
        &triangles,
        [&|(mine, _), p| (mine.closest_point(*p) - p).norm(), &|(_, other), p| {
            (other.project_point(&still, vector(*p), true).point - vector(*p)).length()
        }],
    );
}

/// A box of both libraries.
fn cuboid(random: &mut Random) -> (Obb, (Cuboid, Pose)) {
    let axes = random.rotation();
    let axes = Matrix3::from_fn(|i, j| axes[j][i] as f32);
    let half = Vector3::from_fn(|_, _| 0.1 + random.share() as f32);
    let mine = Obb::new(near(random), axes, half).expect("a box");
    let turn = nalgebra::Rotation3::from_matrix_unchecked(mine.axes());
    let place = nalgebra::Isometry3::from_parts(mine.center().coords.into(), turn.into());
    (mine, (Cuboid::new(Vector::new(half.x, half.y, half.z)), place.into()))
}

fn boxes_and_planes(criterion: &mut Criterion) {
    let mut random = Random(2);
    let boxes: Vec<_> = (0..COUNT).map(|_| (cuboid(&mut random), near(&mut random))).collect();
    beside(
        criterion,
        "point nearest in a turned box",
        &boxes,
        [&|(mine, _), p| (mine.closest_point(*p) - p).norm(), &|(_, (other, place)), p| {
            (other.project_point(place, vector(*p), true).point - vector(*p)).length()
        }],
    );
    let planes: Vec<_> = (0..COUNT)
        .map(|_| {
            let normal = Vector3::from(random.direction()).map(|x| x as f32);
            let plane = Plane::through(near(&mut random), Unit::new_normalize(normal));
            let plane = plane.expect("a plane");
            let foot = plane.normal().into_inner() * plane.offset();
            let half_space = HalfSpace::new(vector(plane.normal().into_inner().into()));
            let at =
                nalgebra::Isometry3::from_parts(foot.into(), nalgebra::UnitQuaternion::identity());
            ((plane, (half_space, Pose::from(at))), cuboid(&mut random))
        })
        .collect();
    beside(
        criterion,
        "turned box and half-space",
        &planes,
        [&|(plane, _), (solid, _)| f32::from(u8::from(plane.overlaps(solid))), &|(
            _,
            (space, at),
        ),
                                                                                 (
            _,
            (other, place),
        )| {
            let answer = intersection_test(at, space, place, other).expect("supported");
            f32::from(u8::from(answer.intersecting))
        }],
    );
    let balls: Vec<_> = planes
        .iter()
        .map(|(plane, (solid, _))| {
            let (center, radius) = (solid.center(), solid.half_extents().x);
            let mine = Sphere::new(center, radius).expect("a ball");
            let at = nalgebra::Isometry3::from_parts(
                center.coords.into(),
                nalgebra::UnitQuaternion::identity(),
            );
            (*plane, (mine, (Ball::new(radius), Pose::from(at))))
        })
        .collect();
    beside(
        criterion,
        "ball and half-space",
        &balls,
        [&|(plane, _), (ball, _)| f32::from(u8::from(plane.overlaps(ball))), &|(
            _,
            (space, at),
        ),
                                                                               (
            _,
            (ball, place),
        )| {
            let answer = intersection_test(at, space, place, ball).expect("supported");
            f32::from(u8::from(answer.intersecting))
        }],
    );
}

criterion_group! {
    name = shapes;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(1)).warm_up_time(std::time::Duration::from_millis(300));
    targets = points, boxes_and_planes
}
criterion_main!(shapes);
