//! Promises of walkers: never inside, never through, rest is rest, no seams, full progress,
//! work, a function of the state, independent of order, errors for invalid values. The oracle
//! `cylinder_distance` decides overlap.

use boxwood::brush::{BrushId, BrushWorld, WalkScratch, Walker, WalkerState};
use boxwood::shape;
use support::brushes::{any_brush, cuboid, moved, unit};
use support::cylinder_distance::HalfSpace;
use support::prelude::*;
use support::random::about;
use support::walks::{Walkable, at_rest, place, random_room, shell, ticks, walk, world};

/// Returns a walker of the usual size that climbs steps.
fn walker<T: Scalar>() -> Walker<T> {
    let [radius, half] = [0.4, 0.9].map(T::nearest);
    Walker::new(shape::UprightCylinder::new(radius, half).expect("a size")).step(0.45)
}

fn floor(size: f64) -> Vec<HalfSpace> {
    cuboid([-size, -size, -1.0], [size, size, 0.0])
}

/// Builds a closed room of 12, full of random brushes.
pub(super) fn clutter(random: &mut Random) -> Walkable {
    let mut brushes = shell(&cuboid([-6.0; 3], [6.0; 3]), 1.0, 9.0);
    for _ in 0..12 + random.below(20) {
        let by = std::array::from_fn(|_| random.between(-5.0, 5.0));
        let turn = if random.chance(0.5) { random.quarter() } else { random.rotation() };
        brushes.push(moved(&any_brush(random), &turn, by));
    }
    Walkable::new(&brushes)
}

/// Returns a free position in the level, if a few tries find one.
fn somewhere<T: Scalar>(
    random: &mut Random,
    level: &Walkable,
    walker: &Walker<T>,
) -> Option<WalkerState<T>> {
    (0..30).find_map(|_| {
        let at: V = std::array::from_fn(|_| random.between(-5.0, 5.0));
        walker.stand(&level.world, point(at), &mut WalkScratch::new()).ok()
    })
}

fn wanders_outside_of_all<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut moves, mut grounds) = (0, 0);
    for _ in 0..cases(4000) {
        let (level, walker) = (clutter(&mut random), walker::<T>());
        let Some(mut at) = somewhere(&mut random, &level, &walker) else { continue };
        let mut scratch = WalkScratch::new();
        for _ in 0..8 {
            let size = random.decade(-3.0, 1.5);
            let push = plus(times(random.direction(), size), [0.0, 0.0, -0.3 * size]);
            let thrown = random.chance(0.2);
            for _ in 0..8 {
                let before = at;
                let report = if thrown {
                    walker.slide(&level.world, &mut at, vector(push), &mut scratch)
                } else {
                    walker.walk(&level.world, &mut at, vector(push), &mut scratch)
                };
                let report = report.expect("numbers");
                assert!(level.keeps_gap(&walker, &at), "{before:?} by {push:?} to {at:?}");
                assert!(report.bumps <= 16 && report.casts <= 200, "{report:?}");
                assert_eq!(report.moved, at.position() - before.position());
                assert_eq!(report.ground, at.ground());
                moves += 1;
                grounds += usize::from(at.ground().is_some());
            }
        }
    }
    assert!(moves > 5000 && grounds > moves / 20, "{moves} moves, {grounds} on ground");
}

#[test]
fn no_speed_goes_through_a_thin_wall() {
    let mut random = Random(0x3a1e_0003);
    for case in 0..cases(2000) {
        let room = random_room(&mut random, 5.0);
        let (thick, size) = if case % 4 == 0 { (1e-3, 1e4) } else { (1e-3, 20.0) };
        let (level, walker) = (Walkable::new(&shell(&room, thick, size)), walker::<f64>());
        let mut at = walker
            .stand(&level.world, Point3::origin(), &mut WalkScratch::new())
            .expect("in the middle");
        let mut scratch = WalkScratch::new();
        for _ in 0..20 {
            let push = times(random.direction(), random.decade(0.0, 6.0));
            if random.chance(0.5) {
                walker.slide(&level.world, &mut at, vector(push), &mut scratch).expect("numbers");
            } else {
                walk(&walker, &level.world, &mut at, push);
            }
            let inside = room.iter().all(|&(normal, offset)| inner(normal, place(&at)) < offset);
            assert!(inside && level.keeps_gap(&walker, &at), "{at:?} by {push:?} in {room:?}");
        }
    }
}

#[test]
fn a_constant_push_never_moves_back_and_ends_at_rest() {
    let mut random = Random(0x3a1e_0004);
    let (mut rooms, mut rested) = (0, 0);
    for _ in 0..cases(2000) {
        let room = random_room(&mut random, 4.0);
        let (world, walker) = (world(&shell(&room, 1.0, 9.0)), walker::<f64>());
        let mut at =
            walker.stand(&world, Point3::origin(), &mut WalkScratch::new()).expect("in the middle");
        let push = times(random.direction(), random.decade(-2.0, 1.0));
        let mut scratch = WalkScratch::new();
        rooms += 1;
        // The most slides until rest, not a number of cases.
        for _ in 0..20_000 {
            let before = at;
            walker.slide(&world, &mut at, vector(push), &mut scratch).expect("numbers");
            if before == at {
                rested += 1;
                break;
            }
            let ahead = inner(minus(place(&at), place(&before)), push);
            assert!(ahead > 0.0, "{before:?} {at:?} by {push:?} in {room:?}");
        }
    }
    // Some still move along a wall that is almost normal to the push.
    assert!(rested * 100 >= rooms * 98, "{rested} of {rooms} rest");
}

fn rests_on_the_floor<T: Scalar>() {
    let mut random = Random(0x3a1e_0005);
    let turns =
        [about([0.0, 0.0, 1.0], 0.0), about([0.0, 0.0, 1.0], 0.3), about([1.0, 0.0, 0.0], 0.3)];
    for turn in turns {
        let (world, walker) = (world(&[moved(&floor(50.0), &turn, [0.0; 3])]), walker::<T>());
        for _ in 0..50 {
            let (x, y) = (random.between(-9.0, 9.0), random.between(-9.0, 9.0));
            let mut at =
                walker.stand(&world, point([x, y, 9.0]), &mut WalkScratch::new()).expect("above");
            let fall = [0.0, 0.0, -random.decade(-3.0, 0.0)];
            let rest = at_rest(&walker, &world, &mut at, fall, 20_000);
            assert!(rest.is_some() && at.ground() == Some(BrushId(0)), "{at:?} by {fall:?}");
            // And under any other downward push.
            let landed = at;
            let deeper = [0.0, 0.0, -random.decade(-3.0, 3.0)];
            ticks(&walker, &world, &mut at, deeper, 100, |_, now, _| assert_eq!(*now, landed));
        }
    }
}

/// Two walls that meet in an upright edge at the origin, with so many degrees between them.
fn corner(degrees: f64) -> Vec<Vec<HalfSpace>> {
    let half = 0.5 * degrees.to_radians();
    let wall = |sign: f64| {
        let normal = [half.sin(), sign * half.cos(), 0.0];
        // Behind the plane through the axis, one thick.
        let mut planes = cuboid([-60.0; 3], [60.0; 3]);
        planes.push((normal, 0.0));
        planes.push((times(normal, -1.0), 1.0));
        planes
    };
    // The open side is along +x: points in the corner have `normal . p > 0` for both normals.
    vec![floor(60.0), wall(1.0), wall(-1.0)]
}

#[test]
fn a_walker_pressed_into_corners_of_all_angles_keeps_its_bits() {
    let mut random = Random(0x3a1e_0006);
    for degrees in [10.0, 30.0, 45.0, 60.0, 89.0, 90.0, 91.0, 120.0, 150.0, 170.0, 179.0] {
        let turn = about([0.0, 0.0, 1.0], random.between(-3.0, 3.0));
        for turned in [false, true] {
            let mut level = corner(degrees);
            let frame = if turned { turn } else { about([0.0, 0.0, 1.0], 0.0) };
            level.iter_mut().for_each(|planes| *planes = moved(planes, &frame, [0.0; 3]));
            let (level, walker) = (Walkable::new(&level), walker::<f64>());
            let half = 0.5 * degrees.to_radians();
            // Both walls are pressed.
            let most = (half.cos() / half.sin()).min(1.0);
            for side in [0.0, 0.7 * most, -0.7 * most] {
                let start = plus(times(frame[0], 9.0), [0.0, 0.0, 1.0]);
                let mut at = walker
                    .stand(&level.world, point(start), &mut WalkScratch::new())
                    .expect("free");
                let push = plus(times(frame[0], -0.05), times(frame[1], 0.05 * side));
                let push = plus(push, [0.0, 0.0, -0.02]);
                let rest = at_rest(&walker, &level.world, &mut at, push, 10_000);
                assert!(rest.is_some(), "{degrees} degrees, {side}: {at:?}");
                assert!(level.keeps_gap(&walker, &at));
                assert!(at.ground() == Some(BrushId(0)));
            }
        }
    }
}

#[test]
fn a_pit_of_three_slopes_stops_a_walker() {
    let mut random = Random(0x3a1e_0007);
    for _ in 0..cases(300) {
        let lean = random.between(0.1, 0.95);
        let room: Vec<HalfSpace> = (0..3)
            .map(|i| {
                let angle = std::f64::consts::TAU * (i as f64 + random.between(-0.1, 0.1)) / 3.0;
                ([angle.cos(), angle.sin(), -lean], 2.0 * lean)
            })
            .collect();
        let (level, walker) = (Walkable::new(&shell(&unit(&room), 1.0, 30.0)), walker::<f64>());
        let start = point([0.0, 0.0, 12.0]);
        let mut at = walker.stand(&level.world, start, &mut WalkScratch::new()).expect("above");
        let fall = [random.between(-0.01, 0.01), random.between(-0.01, 0.01), -0.1];
        let rest = at_rest(&walker, &level.world, &mut at, fall, 10_000);
        assert!(rest.is_some() && level.keeps_gap(&walker, &at), "{lean} {fall:?}: {at:?}");
    }
}

/// Builds a slab cut into tiles along each axis.
fn tiles(min: V, max: V, count: [usize; 3]) -> Vec<Vec<HalfSpace>> {
    let cut = |axis: usize, i: usize| {
        if i == count[axis] {
            return max[axis];
        }
        min[axis] + (max[axis] - min[axis]) * i as f64 / count[axis] as f64
    };
    let mut tiles = Vec::new();
    for i in 0..count[0] {
        for j in 0..count[1] {
            for k in 0..count[2] {
                let low = [cut(0, i), cut(1, j), cut(2, k)];
                tiles.push(cuboid(low, [cut(0, i + 1), cut(1, j + 1), cut(2, k + 1)]));
            }
        }
    }
    tiles
}

/// Walks both levels by the same ticks; returns the largest distance between the walks.
fn apart<T: Scalar>(random: &mut Random, frame: &[V; 3], a: &BrushWorld, b: &BrushWorld) -> f64 {
    let walker = walker::<T>();
    let start = plus(times(frame[0], random.between(-3.0, 3.0)), [0.0, 0.0, 1.0]);
    let mut both = [a, b]
        .map(|world| walker.stand(world, point(start), &mut WalkScratch::new()).expect("free"));
    let mut worst = 0f64;
    for _ in 0..40 {
        let way = times(frame[0], random.between(-0.3, 0.3));
        let push = plus(plus(way, times(frame[1], 0.1)), [0.0, 0.0, -0.1]);
        for _ in 0..20 {
            walk(&walker, a, &mut both[0], push);
            walk(&walker, b, &mut both[1], push);
            worst = worst.max(norm(minus(place(&both[0]), place(&both[1]))));
        }
    }
    assert!(both.iter().all(|at| at.ground().is_some()));
    worst
}

#[test]
fn floors_and_walls_of_tiles_equal_single_brushes() {
    let mut random = Random(0x3a1e_0008);
    let level = |count: [usize; 3], frame: &[V; 3]| {
        let mut all = tiles([-64.0, -32.0, -1.0], [64.0, 32.0, 0.0], [count[0], count[1], 1]);
        all.extend(tiles([-64.0, 1.0, 0.0], [64.0, 2.0, 8.0], [count[0], 1, count[2]]));
        let turned: Vec<_> = all.iter().map(|planes| moved(planes, frame, [0.0; 3])).collect();
        world(&turned)
    };
    let straight = about([0.0, 0.0, 1.0], 0.0);
    let (one, many) = (level([1, 1, 1], &straight), level([32, 8, 4], &straight));
    for _ in 0..20 {
        assert_eq!(apart::<f64>(&mut random, &straight, &one, &many), 0.0);
        assert_eq!(apart::<f32>(&mut random, &straight, &one, &many), 0.0);
    }
    for _ in 0..5 {
        let frame = about([0.0, 0.0, 1.0], random.between(-3.0, 3.0));
        let (one, many) = (level([1, 1, 1], &frame), level([32, 8, 4], &frame));
        let worst = apart::<f64>(&mut random, &frame, &one, &many);
        assert!(worst < 1e-12, "{worst:e}");
    }
}

#[test]
fn tiles_of_slightly_different_heights_do_not_slow_a_walker() {
    let mut random = Random(0x3a1e_0009);
    let (walker, skin) = (walker::<f64>().step(0.0), 0.4 / 512.0);
    for _ in 0..20 {
        let mut level = Vec::new();
        for (i, tile) in tiles([-32.0, -4.0, -1.0], [32.0, 4.0, 0.0], [64, 1, 1]).iter().enumerate()
        {
            let by = [0.0, 0.0, random.between(0.0, 0.4) * skin * f64::from(u8::from(i > 30))];
            level.push(moved(tile, &about([0.0, 0.0, 1.0], 0.0), by));
        }
        let level = Walkable::new(&level);
        let mut at = walker
            .stand(&level.world, Point3::new(-9.0, 0.0, 0.95), &mut WalkScratch::new())
            .expect("free");
        ticks(&walker, &level.world, &mut at, [0.0, 0.0, -0.1], 9, |_, _, _| {});
        ticks(&walker, &level.world, &mut at, [0.05, 0.0, -0.1], 400, |_, now, report| {
            assert!((report.moved.x - 0.05).abs() < 1e-12, "{now:?} {report:?}");
            assert!(level.keeps_gap(&walker, now));
        });
    }
}

#[test]
fn the_tangential_part_is_walked_along_a_wall() {
    let mut random = Random(0x3a1e_000a);
    for _ in 0..cases(1000) {
        let angle = random.between(-3.0, 3.0);
        let frame = about([0.0, 0.0, 1.0], angle);
        let wall = cuboid([-50.0, 1.0, -1.0], [50.0, 2.0, 8.0]);
        let level = [floor(80.0), wall].map(|planes| moved(&planes, &frame, [0.0; 3]));
        let (world, walker) = (world(&level), walker::<f64>());
        let mut at = walker
            .stand(&world, Point3::new(0.0, 0.0, 0.95), &mut WalkScratch::new())
            .expect("free");
        let [along, into] = [random.decade(-3.0, -1.0), random.decade(-3.0, 0.0)];
        let push = plus(times(frame[0], along), times(frame[1], into));
        let push = plus(push, [0.0, 0.0, -0.1]);
        let (to_wall, mut pressed) = (1.0 / into, 0);
        ticks(&walker, &world, &mut at, push, 200, |tick, now, report| {
            if tick as f64 > to_wall && place(now)[2] < 0.91 {
                let way = inner(place_of(report.moved), frame[0]);
                assert!((way - along).abs() < 1e-12, "{way} of {along}, {into}: {report:?}");
                pressed += 1;
            }
        });
        assert!(pressed > 50 || into < 0.02, "{pressed}");
    }
}

fn place_of(v: Vector3<f64>) -> V {
    [v.x, v.y, v.z]
}

scalars! {
    half_of_the_skin_is_kept_for_ever => wanders_outside_of_all(0x3a1e_0002; 0x3a1e_0001);
    pressed_onto_a_floor_bits_stay => rests_on_the_floor();
}
