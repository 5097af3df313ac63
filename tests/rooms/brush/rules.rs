//! One scene for each rule of a walk that random walks do not show: each fails if its rule is
//! (`docs/levels.md`, "Rules left out").

use boxwood::CollisionGroups;
use boxwood::brush::{BrushId, BrushWorld, PushOutcome, WalkScratch, Walker};
use boxwood::shape;
use support::brushes::{any_brush, brush, cuboid, half_spaces, unit};
use support::cylinder_distance::HalfSpace;
use support::exact_cylinder::{Centre, ExactBrush, Grown, Relation};
use support::prelude::*;
use support::walks::{SKIN, floor, landed, place, ticks, walk, walker, world, world_with_body};

/// Checks a walk past an upright edge, straight across: it continues if its arc is entered by less
/// than 7/16 of the skin.
#[test]
fn an_edge_that_is_only_grazed_does_not_block() {
    let world = world(&[cuboid([-5.0, -5.0, -5.0], [0.0, 0.0, 5.0])]);
    for (share, passes) in [(0.05, true), (0.3, true), (0.43, true), (0.45, false), (2.0, false)] {
        let near = (0.4 + (1.0 - share) * SKIN) * 0.5f64.sqrt();
        let start = Point3::new(near - 0.5, near + 0.5, 0.0);
        let mut at = walker().stand(&world, start, &mut WalkScratch::new()).expect("free");
        let way = Vector3::new(1.0, -1.0, 0.0);
        let report = walker().slide(&world, &mut at, way, &mut WalkScratch::new());
        let report = report.expect("numbers");
        assert_eq!(report.bumps == 1, passes, "{share}: {report:?}");
        assert_eq!((report.moved - way).norm() < 1e-12, passes, "{share}: {report:?}");
    }
}

/// Asserts that casts are never later than the true time, to the last bit: at the time of a cast no
/// inner point is inside.
fn never_late<T: Scalar>(random: &mut Random, hits: &mut usize) {
    let solid = brush(&any_brush(random));
    let mut builder = BrushWorld::builder();
    builder.push(solid.clone(), CollisionGroups::ALL);
    let level = builder.build().expect("one brush");
    let [radius, half] = [0.4, 0.9].map(T::nearest);
    let cylinder = shape::UprightCylinder::new(radius, half).expect("a size");
    let to: V = std::array::from_fn(|_| random.between(-1.5, 1.5));
    let start = plus(to, times(random.direction(), random.between(8.0, 20.0)));
    let (start, way) = (point::<T>(start), vector::<T>(minus(to, start)));
    let hit = level.cast_cylinder(&cylinder, start, way, &Default::default()).expect("numbers");
    let Some(hit) = hit.filter(|hit| !hit.started_inside) else { return };
    *hits += 1;
    let mut exact = ExactBrush::new(&half_spaces(&solid)).expect("a brush");
    exact.filter = false;
    let grown = Grown { radius: radius.wide(), half_height: half.wide(), growth: 0.0 };
    let [start, way]: [V; 2] = [start.coords, way].map(|v| std::array::from_fn(|i| v[i].wide()));
    let centre = Centre { start, way, time: hit.time_of_impact.wide() };
    let relation = exact.relation(&grown, &centre);
    assert_ne!(relation, Relation::Overlapping, "{start:?} by {way:?}: {hit:?} {solid:?}");
    // It leaves no later than stated, and not much earlier.
    if hit.time_of_leaving >= T::one() {
        return;
    }
    let centre = Centre { time: hit.time_of_leaving.wide(), ..centre };
    let relation = exact.relation(&grown, &centre);
    assert_ne!(relation, Relation::Overlapping, "{start:?} by {way:?}: {hit:?} {solid:?}");
    let slack = Grown { growth: 1e-4, ..grown };
    let relation = exact.relation(&slack, &centre);
    assert_ne!(relation, Relation::Apart, "{start:?} by {way:?}: {hit:?} {solid:?}");
}

#[test]
fn casts_are_never_late_by_a_single_bit() {
    let (mut random, mut hits) = (Random(0x4001_0001), 0);
    for _ in 0..cases(10_000) {
        never_late::<f64>(&mut random, &mut hits);
        never_late::<f32>(&mut random, &mut hits);
    }
    assert!(hits > 200, "{hits}");
}

/// Slides along a floor and a wall at once: three tests of the position, of floor, wall, free.
#[test]
fn along_floor_and_wall_together_all_is_slid() {
    let world = world(&[floor(50.0), cuboid([-50.0, 1.0, -1.0], [50.0, 2.0, 8.0])]);
    let (walker, mut scratch) = (walker(), WalkScratch::new());
    let mut at =
        walker.stand(&world, Point3::new(0.0, 0.0, 1.0), &mut WalkScratch::new()).expect("free");
    let wish = Vector3::new(0.05, 0.3, -0.2);
    for tick in 0..100 {
        let report = walker.slide(&world, &mut at, wish, &mut scratch).expect("numbers");
        assert!((report.moved.x - 0.05).abs() < 1e-12, "{tick}: {report:?}");
        assert!(tick < 5 || report.moved.yz().norm() < 1e-12, "{tick}: {report:?}");
    }
}

/// Ground that falls along x from a height of 20 at 0, by an angle [degrees].
fn steep(degrees: f64) -> Vec<HalfSpace> {
    let fall = degrees.to_radians().tan();
    let mut planes = cuboid([0.0, -9.0, -1.0], [10.0, 9.0, 20.0]);
    planes.retain(|(normal, _)| normal[2] != 1.0);
    planes.push(([fall, 0.0, 1.0], 20.0));
    unit(&planes)
}

#[test]
fn who_is_in_the_air_does_not_run_up_steep_ground() {
    let (world, walker) = (world(&[floor(50.0), steep(60.0)]), walker());
    let mut at =
        walker.stand(&world, Point3::new(6.0, 0.0, 14.0), &mut WalkScratch::new()).expect("free");
    ticks(&walker, &world, &mut at, [-0.1, 0.02, 0.0], 100, |tick, now, report| {
        assert!(now.ground().is_none() && report.moved.z < 1e-12, "{tick}: {report:?}");
    });
    // It has reached the slope, and moves along it horizontally.
    let met = place(&at);
    assert!(met[0] > 3.0 && (met[1] - 2.0).abs() < 1e-9, "{at:?}");
    walk(&walker, &world, &mut at, [0.0, 0.0, -0.2]);
    assert!(place(&at)[2] < met[2] - 0.1 && place(&at)[0] > met[0] + 0.05, "{at:?}");
}

#[test]
fn off_a_ledge_onto_steep_ground_it_is_not_snapped() {
    let ledge = cuboid([-9.0, -9.0, 10.0], [0.0, 9.0, 20.0]);
    let (world, walker) = (world(&[floor(50.0), ledge, steep(60.0)]), walker());
    let mut at = landed(&walker, &world, [-2.0, 0.0, 21.0]);
    let mut left = 0;
    for tick in 0..60 {
        let stood = at.ground().is_some();
        let report = walk(&walker, &world, &mut at, [0.05, 0.0, -0.01]);
        if stood && at.ground().is_none() {
            assert!(report.moved.z.abs() < 1e-9, "{tick}: {report:?}");
            left += 1;
        }
    }
    assert_eq!(left, 1, "{at:?}");
}

#[test]
fn a_wall_too_high_is_no_step() {
    let world = world(&[floor(50.0), cuboid([-50.0, 1.0, -1.0], [50.0, 2.0, 8.0])]);
    let mut at = landed(&walker(), &world, [0.0, 0.0, 1.0]);
    ticks(&walker(), &world, &mut at, [0.05, 0.05, -0.1], 100, |tick, _, report| {
        assert!(!report.stepped, "{tick}: {report:?}");
    });
}

/// Two floors side by side, the lower id on a body that has not moved.
#[test]
fn ground_is_the_lowest_id_of_bodies_too() {
    for swapped in [false, true] {
        let mut builder = BrushWorld::builder();
        let body = builder.body();
        let halves = [
            cuboid([-9.0, -9.0, -1.0], [0.0, 9.0, 0.0]),
            cuboid([0.0, -9.0, -1.0], [9.0, 9.0, 0.0]),
        ];
        let [first, second] = halves.map(|planes| brush(&planes));
        if swapped {
            builder.push(first, CollisionGroups::ALL);
            builder.push_to(body, second, CollisionGroups::ALL);
        } else {
            builder.push_to(body, first, CollisionGroups::ALL);
            builder.push(second, CollisionGroups::ALL);
        }
        let world = builder.build().expect("its own ids");
        let at = landed(&walker(), &world, [0.01, 0.0, 1.0]);
        assert_eq!(at.ground(), Some(BrushId(0)), "swapped {swapped}");
    }
}

/// Moves a body to a wall by tenths of a skin: it crushes where half of the skin is left, no
/// the skin is left, no earlier.
#[test]
fn who_is_held_is_crushed_only_when_there_is_no_room() {
    let wall = cuboid([0.0, -9.0, 0.0], [1.0, 9.0, 5.0]);
    let front = -0.8 - 2.0 * SKIN;
    let pusher = cuboid([-9.0, -1.0, 0.5], [front - 0.05 * SKIN, 1.0, 3.0]);
    let (mut world, body) = world_with_body(&[floor(50.0), wall], &[pusher]);
    let walker = walker();
    let mut at = walker
        .stand(&world, Point3::new(-0.4 - SKIN, 0.0, 0.9 + SKIN), &mut WalkScratch::new())
        .expect("free");
    let (mut scratch, mut crushed) = (WalkScratch::new(), None);
    for step in 1..20 {
        let offset = Vector3::new(0.1 * SKIN * f64::from(step), 0.0, 0.0);
        let before = world.set_offset(body, offset).expect("numbers");
        let pushed = walker.push(&world, &mut at, body, &before, &mut scratch).expect("numbers");
        if let PushOutcome::Crushed { against, .. } = pushed {
            assert_eq!(against, BrushId(1));
            crushed = Some(step);
            break;
        }
    }
    assert!(crushed.is_some_and(|step| (4..=11).contains(&step)), "{crushed:?}");
    assert!(norm(minus(place(&at), [-0.4 - SKIN, 0.0, 0.9 + SKIN])) < SKIN, "{at:?}");
}

/// Checks that a wall beside a corner, not touched by the cylinder's round side, pushes nobody.
#[test]
fn who_sinks_in_the_floor_beside_a_corner_goes_straight_up() {
    let corner = cuboid([-9.0, -9.0, -5.0], [0.0, 0.0, 9.0]);
    let world = world(&[floor(50.0), corner]);
    let at = walker()
        .push_out(&world, Point3::new(0.35, 0.35, 0.89), &mut WalkScratch::new())
        .expect("up");
    let [x, y, z] = place(&at);
    assert!(x == 0.35 && y == 0.35 && (z - 0.9 - SKIN).abs() < 1e-12, "{at:?}");
}

#[test]
fn the_deepest_brush_pushes_first() {
    let shallow = cuboid([-1.0, -2.0, -5.0], [0.1, -0.35, 5.0]);
    let deep = cuboid([-3.0, -3.0, -5.0], [0.2, 3.0, 5.0]);
    for level in [[shallow.clone(), deep.clone()], [deep, shallow]] {
        let at = walker()
            .push_out(&world(&level), Point3::origin(), &mut WalkScratch::new())
            .expect("a way");
        let [x, y, z] = place(&at);
        assert!((x - 0.6 - SKIN).abs() < 1e-12 && y == 0.0 && z == 0.0, "{at:?}");
    }
}

/// Checks that feet are exact in double precision: positions and half heights have 24 bits.
#[test]
fn feet_never_sink_by_rounding() {
    let mut random = Random(0x4001_0002);
    let world = world(&[floor(50.0)]);
    for _ in 0..cases(5000) {
        let half = random.between(0.3, 1.2) as f32;
        let size = |half| shape::UprightCylinder::new(0.4f32, half).expect("a size");
        let walker = Walker::new(size(half));
        let height = random.between(1.3, 3.0);
        let mut at =
            walker.stand(&world, point([0.0, 0.0, height]), &mut WalkScratch::new()).expect("free");
        let feet = place(&at)[2] - f64::from(half);
        let other = random.between(0.3, 1.2) as f32;
        walker.resize(&world, &mut at, other, &mut WalkScratch::new()).expect("room");
        let now = place(&at)[2] - f64::from(other);
        assert!(now >= feet && now - feet < 1e-6, "{feet} to {now}: {half} to {other}");
    }
}

/// Checks any order of the planes.
#[test]
fn from_the_middle_of_a_slab_the_way_out_is_up() {
    let slab = cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 1.0]);
    let turned: Vec<HalfSpace> = slab.iter().rev().copied().collect();
    for planes in [slab, turned] {
        let at = walker()
            .push_out(&world(&[planes]), Point3::origin(), &mut WalkScratch::new())
            .expect("a way");
        assert!((place(&at)[2] - 1.9 - SKIN).abs() < 1e-12, "{at:?}");
    }
}

/// Checks that a step down of the walker's step height is taken, wherever in its skin the walker
/// is.
#[test]
fn down_the_highest_step_it_stays_on_the_ground() {
    for (depth, stays) in [(0.45, true), (0.45 + 0.5 * SKIN, true), (0.45 + 3.0 * SKIN, false)] {
        let world = world(&[floor(50.0), cuboid([-9.0, -9.0, 0.0], [0.0, 9.0, depth])]);
        let mut at = landed(&walker(), &world, [-1.0, 0.0, depth + 1.0]);
        let mut flew = false;
        ticks(&walker(), &world, &mut at, [0.05, 0.0, -0.01], 60, |_, now, _| {
            flew |= now.ground().is_none();
        });
        assert_eq!(!flew, stays, "{depth}: {at:?}");
    }
}
