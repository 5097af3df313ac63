//! Pairs on the way: boxes and balls against boxes, beside parry3d's shape casts in f32 on the same data.

use std::hint::black_box;

use boxwood::pair::Sweep;
use boxwood::shape::{Obb, Plane, Sphere};
use boxwood::{Aabb, nalgebra::Vector3};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nalgebra::{Isometry3, Rotation3, Translation3, Unit, UnitQuaternion};
use parry3d::math::{Pose, Vector};
use parry3d::query::{ShapeCastOptions, cast_shapes};
use parry3d::shape::{Ball, Cuboid, HalfSpace, Shape};

#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[allow(dead_code)]
#[path = "../tests/sweeps/moving.rs"]
mod moving;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;
#[allow(dead_code)]
#[path = "../tests/support/regime.rs"]
mod regime;

use moving::{moving, point, stored, vector};
use random::Random;
use regime::Regime;

const PAIRS: usize = 1_000;

/// One pair as both libraries see it.
struct Case {
    boxes: [Obb<f32>; 2],
    balls: [Sphere<f32, 3>; 2],
    aligned: [Aabb; 2],
    by: [Vector3<f32>; 2],
    poses: [Pose; 2],
    places: [Pose; 2],
    cuboids: [Cuboid; 2],
    solids: [Ball; 2],
    /// Through the middle of the second, across its first axis.
    wall: Plane<f32>,
    half_space: HalfSpace,
}

fn case(random: &mut Random, index: usize) -> Case {
    let m = moving(random, [Regime::Apart, Regime::Touching][index % 2]);
    let boxes: [Obb<f32>; 2] = [stored(&m.a), stored(&m.b)];
    let pose = |of: &Obb<f32>| -> Pose {
        let turn = Rotation3::from_matrix_unchecked(of.axes());
        let turn = UnitQuaternion::from_rotation_matrix(&turn);
        Isometry3::from_parts(Translation3::from(of.center().coords), turn).into()
    };
    let place = |of: &Obb<f32>| -> Pose { Isometry3::from(of.center().coords).into() };
    let half =
        |of: &Obb<f32>| Vector::new(of.half_extents().x, of.half_extents().y, of.half_extents().z);
    let radius = [m.a.half[0] as f32, m.b.half[0] as f32];
    let ball = |i: usize, at| Sphere::new(point(at), radius[i]).expect("a ball");
    let ends =
        |of: &Obb<f32>| Aabb::new(of.center() - of.half_extents(), of.center() + of.half_extents());
    let up = boxes[1].axes().column(0).into_owned();
    let wall = Plane::through(boxes[1].center(), Unit::new_normalize(up)).expect("a plane");
    let up = wall.normal();
    Case {
        wall,
        half_space: HalfSpace::new(Vector::new(up.x, up.y, up.z)),
        balls: [ball(0, m.a.center), ball(1, m.b.center)],
        aligned: [ends(&boxes[0]), ends(&boxes[1])],
        by: m.by.map(vector),
        poses: [pose(&boxes[0]), pose(&boxes[1])],
        places: [place(&boxes[0]), place(&boxes[1])],
        cuboids: [Cuboid::new(half(&boxes[0])), Cuboid::new(half(&boxes[1]))],
        solids: radius.map(Ball::new),
        boxes,
    }
}

/// The other library's first touch.
fn cast(case: &Case, poses: [&Pose; 2], shapes: [&dyn Shape; 2]) -> Option<f32> {
    let [p, q] = case.by.map(|v| Vector::new(v.x, v.y, v.z));
    let options = ShapeCastOptions::with_max_time_of_impact(1.0);
    let hit = cast_shapes(poses[0], p, shapes[0], poses[1], q, shapes[1], options);
    hit.expect("supported").map(|hit| hit.time_of_impact)
}

type Ask = fn(&Case) -> Option<f32>;

/// What is asked, by this crate and by the other.
const FAMILIES: [(&str, Ask, Ask); 6] = [
    (
        "oriented boxes",
        |c| Some(c.boxes[0].sweep_both(c.by[0], &c.boxes[1], c.by[1])?.time_of_impact),
        |c| cast(c, [&c.poses[0], &c.poses[1]], [&c.cuboids[0], &c.cuboids[1]]),
    ),
    (
        "ball, oriented box",
        |c| Some(c.balls[0].sweep_both(c.by[0], &c.boxes[1], c.by[1])?.time_of_impact),
        |c| cast(c, [&c.poses[0], &c.poses[1]], [&c.solids[0], &c.cuboids[1]]),
    ),
    (
        "balls",
        |c| Some(c.balls[0].sweep_both(c.by[0], &c.balls[1], c.by[1])?.time_of_impact),
        |c| cast(c, [&c.poses[0], &c.poses[1]], [&c.solids[0], &c.solids[1]]),
    ),
    (
        "ball, aligned box",
        |c| Some(c.balls[0].sweep_both(c.by[0], &c.aligned[1], c.by[1])?.time_of_impact),
        |c| cast(c, [&c.places[0], &c.places[1]], [&c.solids[0], &c.cuboids[1]]),
    ),
    (
        "ball, half-space",
        |c| Some(c.balls[0].sweep_both(c.by[0], &c.wall, c.by[1])?.time_of_impact),
        |c| cast(c, [&c.places[0], &c.places[1]], [&c.solids[0], &c.half_space]),
    ),
    (
        "aligned boxes",
        |c| Some(c.aligned[0].sweep_both(c.by[0], &c.aligned[1], c.by[1])?.time_of_impact),
        |c| cast(c, [&c.places[0], &c.places[1]], [&c.cuboids[0], &c.cuboids[1]]),
    ),
];

fn sweeps(criterion: &mut Criterion) {
    let mut random = Random(1);
    let cases: Vec<Case> = (0..PAIRS).map(|index| case(&mut random, index)).collect();
    for (name, mine, theirs) in FAMILIES {
        let count = |ask: Ask| cases.iter().filter_map(ask).count();
        println!(
            "{name}: of {PAIRS} pairs boxwood hits {}, parry3d {}",
            count(mine),
            count(theirs)
        );
        let mut group = criterion.benchmark_group(format!("sweep, {name}"));
        group.throughput(Throughput::Elements(PAIRS as u64));
        for (library, ask) in [("boxwood sweep", mine), ("parry3d cast_shapes", theirs)] {
            group.bench_function(library, |bench| {
                bench.iter(|| black_box(&cases).iter().filter_map(ask).sum::<f32>());
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = all;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(1)).warm_up_time(std::time::Duration::from_millis(300));
    targets = sweeps
}
criterion_main!(all);
