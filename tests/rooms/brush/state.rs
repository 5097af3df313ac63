//! Walkers as values: replays, worlds built in other orders, mirrored, rotated, with another axis
//! up; invalid values; crouching and push-out; no allocation.

use boxwood::brush::{BrushId, BrushWorld, WalkScratch, Walker, WalkerParts, WalkerState};
use boxwood::f64::UprightCylinder;
use boxwood::shape::UpAxis;
use boxwood::{CollisionGroups, Error};
use support::brushes::{any_brush, brush, cuboid, moved, unit};
use support::cylinder_distance::HalfSpace;
use support::prelude::*;
use support::walks::{Walkable, place, shell, walk, world, world_of_ids};

fn walker() -> Walker<f64> {
    Walker::new(UprightCylinder::new(0.4, 0.9).expect("a size")).step(0.45)
}

/// Builds boxes and ramps on a floor between four walls; all numbers are multiples of a 64th except
/// the ramps' normals.
fn blocks(random: &mut Random) -> Vec<Vec<HalfSpace>> {
    let mut grid = |low: f64, high: f64| (random.between(low, high) * 64.0).round() / 64.0;
    let mut level = shell(&cuboid([-8.0, -8.0, 0.0], [8.0, 8.0, 8.0]), 1.0, 10.0);
    for i in 0..24 {
        let min: V = [grid(-7.0, 6.0), grid(-7.0, 6.0), grid(-0.5, 1.5)];
        let max: V = std::array::from_fn(|k| min[k] + grid(0.1, if k == 2 { 0.8 } else { 3.0 }));
        let mut planes = cuboid(min, max);
        if i % 3 == 0 {
            let (run, rise) = (max[0] - min[0], max[2] - min[2]);
            planes.push(([-rise, 0.0, run], run * min[2] - rise * min[0]));
        }
        level.push(unit(&planes));
    }
    level
}

/// Draws displacements, each repeated for some ticks.
fn pushes(random: &mut Random) -> Vec<V> {
    let mut held = [0.0; 3];
    let mut all = Vec::new();
    for tick in 0..120 {
        if tick % 12 == 0 {
            let mut side = || (random.between(-0.3, 0.3) * 64.0).round() / 64.0;
            held = [side(), side(), -0.125];
        }
        all.push(held);
    }
    all
}

fn start() -> V {
    [0.25, 0.5, 6.0]
}

fn walked(world: &BrushWorld, start: V, pushes: &[V]) -> Vec<WalkerState<f64>> {
    let mut at = walker().stand(world, point(start), &mut WalkScratch::new()).expect("free");
    let mut all = vec![at];
    for &push in pushes {
        walk(&walker(), world, &mut at, push);
        all.push(at);
    }
    all
}

#[test]
fn a_copied_state_replays_to_the_bit() {
    let mut random = Random(0x57a7_0001);
    for _ in 0..cases(1000) {
        let (level, pushes) = (world(&blocks(&mut random)), pushes(&mut random));
        let first = walked(&level, start(), &pushes);
        let from = random.below(pushes.len());
        // From the middle, with lists filled by other walks, in a copy of the world.
        let (copy, mut at, mut scratch) = (level.clone(), first[from], WalkScratch::new());
        let mut other = first[0];
        for (i, &push) in pushes.iter().enumerate().skip(from) {
            walker().walk(&copy, &mut other, vector(push), &mut scratch).expect("numbers");
            walker().walk(&copy, &mut at, vector(push), &mut scratch).expect("numbers");
            assert_eq!(at, first[i + 1]);
        }
    }
}

#[test]
fn the_order_of_insertion_changes_no_walk() {
    let mut random = Random(0x57a7_0002);
    for _ in 0..cases(1000) {
        let (level, pushes) = (blocks(&mut random), pushes(&mut random));
        let first = walked(&world(&level), start(), &pushes);
        let mut order: Vec<usize> = (0..level.len()).collect();
        (1..order.len()).for_each(|i| order.swap(i, random.below(i + 1)));
        let other = world_of_ids(order.into_iter().map(|i| (i as u32, level[i].clone())));
        assert_eq!(walked(&other, start(), &pushes), first);
    }
}

fn mapped(level: &[Vec<HalfSpace>], map: fn(V) -> V) -> Vec<Vec<HalfSpace>> {
    let side = |planes: &Vec<HalfSpace>| planes.iter().map(|&(n, o)| (map(n), o)).collect();
    level.iter().map(side).collect()
}

/// Returns the largest distance of the mapped walk from the walk in the mapped world.
fn farthest(random: &mut Random, up: UpAxis, map: fn(V) -> V) -> f64 {
    let (level, pushes) = (blocks(random), pushes(random));
    let first = walked(&world(&level), start(), &pushes);
    let mut builder = BrushWorld::builder();
    builder.up(up);
    for planes in mapped(&level, map) {
        builder.push(brush(&planes), CollisionGroups::ALL);
    }
    let pushes: Vec<V> = pushes.into_iter().map(map).collect();
    let second = walked(&builder.build().expect("its own ids"), map(start()), &pushes);
    let apart = first.iter().zip(&second).map(|(a, b)| norm(minus(map(place(a)), place(b))));
    apart.fold(0.0, f64::max)
}

#[test]
fn mirrored_and_rotated_levels_give_mirrored_and_rotated_walks() {
    let mut random = Random(0x57a7_0003);
    let maps: [fn(V) -> V; 4] = [
        |[x, y, z]| [-x, y, z],
        |[x, y, z]| [x, -y, z],
        |[x, y, z]| [-y, x, z],
        |[x, y, z]| [-x, -y, z],
    ];
    let (mut walks, mut others) = (0, 0);
    for _ in 0..cases(500) {
        for map in maps {
            // Corners of mirrored brushes may be rounded differently; once in a thousand walks that
            // decides between two ways.
            walks += 1;
            others += usize::from(farthest(&mut random, UpAxis::Z, map) > 1e-12);
        }
    }
    assert!(others * 400 <= walks, "{others} of {walks} walks differ");
}

#[test]
fn any_axis_may_be_up() {
    let mut random = Random(0x57a7_0004);
    for _ in 0..cases(500) {
        // The axes are permuted cyclically, and the frame stays right-handed.
        assert_eq!(farthest(&mut random, UpAxis::X, |[x, y, z]| [z, x, y]), 0.0);
        assert_eq!(farthest(&mut random, UpAxis::Y, |[x, y, z]| [y, z, x]), 0.0);
    }
}

#[test]
fn invalid_values_are_refused_and_change_nothing() {
    let level = world(&[cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])]);
    let walker = walker();
    let mut at =
        walker.stand(&level, Point3::new(0.0, 0.0, 1.0), &mut WalkScratch::new()).expect("free");
    let (before, mut scratch) = (at, WalkScratch::new());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for axis in 0..3 {
            let mut push = Vector3::new(0.1, 0.2, -0.1);
            push[axis] = bad;
            let walked = walker.walk(&level, &mut at, push, &mut scratch);
            assert!(matches!(walked, Err(Error::NotFinite { field: "displacement", .. })));
            let slid = walker.slide(&level, &mut at, push, &mut scratch);
            assert!(matches!(slid, Err(Error::NotFinite { field: "displacement", .. })));
            let mut place = Point3::new(0.0, 0.0, 2.0);
            place[axis] = bad;
            assert!(matches!(
                walker.stand(&level, place, &mut WalkScratch::new()),
                Err(Error::NotFinite { .. })
            ));
            assert!(matches!(
                walker.push_out(&level, place, &mut WalkScratch::new()),
                Err(Error::NotFinite { .. })
            ));
        }
        assert!(walker.resize(&level, &mut at, bad, &mut WalkScratch::new()).is_err());
        let push = Vector3::new(0.1, 0.0, 0.0);
        assert!(walker.step(bad).walk(&level, &mut at, push, &mut scratch).is_err());
        assert!(walker.skin(bad).walk(&level, &mut at, push, &mut scratch).is_err());
    }
    for skin in [0.0, -1.0, 1e-15] {
        let refused = walker.skin(skin).slide(&level, &mut at, Vector3::x(), &mut scratch);
        assert!(refused.is_err(), "{skin}");
    }
    assert!(matches!(walker.skin(1e-15).skin_in(&level), Err(Error::BadQuery { .. })));
    assert!(walker.resize(&level, &mut at, -0.5, &mut WalkScratch::new()).is_err());
    assert_eq!(at, before);
}

#[test]
fn a_walker_inside_a_brush_is_pushed_out() {
    let mut random = Random(0x57a7_0005);
    let (mut inside, mut out, mut stuck) = (0, 0, 0);
    for _ in 0..at_least(1500, 200) {
        let mut brushes = shell(&cuboid([-9.0; 3], [9.0; 3]), 1.0, 12.0);
        for _ in 0..10 {
            let by = std::array::from_fn(|_| random.between(-4.0, 4.0));
            brushes.push(moved(&any_brush(&mut random), &random.rotation(), by));
        }
        let (level, walker) = (Walkable::new(&brushes), walker());
        let at: V = std::array::from_fn(|_| random.between(-5.0, 5.0));
        let skin = walker.skin_in(&level.world).expect("a skin");
        match walker.stand(&level.world, point(at), &mut WalkScratch::new()) {
            Ok(standing) => {
                assert!(level.keeps_gap(&walker, &standing));
                assert_eq!(
                    walker.push_out(&level.world, point(at), &mut WalkScratch::new()),
                    Ok(standing)
                );
            }
            Err(Error::NoRoom { brush }) => {
                assert!((brush as usize) < brushes.len());
                // Slightly nearer than promised: the rest is for rounding.
                assert!(level.clearance(0.4, 0.9, 0.6 * skin, at) <= 0.0);
                inside += 1;
                match walker.push_out(&level.world, point(at), &mut WalkScratch::new()) {
                    Ok(standing) => {
                        assert!(level.keeps_gap(&walker, &standing));
                        out += 1;
                    }
                    Err(Error::NoRoom { .. }) => stuck += 1,
                    Err(error) => panic!("{error}"),
                }
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(inside > 50 && out * 10 > inside * 8, "{inside} inside, {out} out, {stuck} stuck");
}

#[test]
fn a_crouching_walker_rises_where_it_is_free() {
    // A floor, half of it under a ceiling at 1.2.
    let under = cuboid([0.0, -9.0, 1.2], [9.0, 9.0, 2.0]);
    let level = Walkable::new(&[cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]), under]);
    let world = &level.world;
    let tall = walker();
    let mut at =
        tall.stand(world, Point3::new(-3.0, 0.0, 0.95), &mut WalkScratch::new()).expect("free");
    for _ in 0..3 {
        walk(&tall, world, &mut at, [0.0, 0.0, -0.1]);
    }
    let feet = at.position().z - 0.9;
    let low = tall.resize(world, &mut at, 0.5, &mut WalkScratch::new()).expect("smaller");
    assert!((at.position().z - 0.5 - feet).abs() < 1e-12 && level.keeps_gap(&low, &at));
    for _ in 0..60 {
        walk(&low, world, &mut at, [0.1, 0.0, -0.1]);
    }
    assert!((at.position().x - 3.0).abs() < 1e-9);
    let under = at;
    assert!(matches!(
        low.resize(world, &mut at, 0.9, &mut WalkScratch::new()),
        Err(Error::NoRoom { brush: 1 })
    ));
    assert_eq!(at, under);
    for _ in 0..60 {
        walk(&low, world, &mut at, [-0.1, 0.0, -0.1]);
    }
    let tall = low.resize(world, &mut at, 0.9, &mut WalkScratch::new()).expect("room");
    assert!((at.position().z - 0.9 - feet).abs() < 1e-9 && level.keeps_gap(&tall, &at));
    // The feet stay at one height a hundred times.
    for _ in 0..100 {
        let low = tall.resize(world, &mut at, 0.5, &mut WalkScratch::new()).expect("smaller");
        low.resize(world, &mut at, 0.9, &mut WalkScratch::new()).expect("room");
        assert!((at.position().z - 0.9 - feet).abs() < 1e-12);
    }
}

#[test]
fn warm_walks_do_not_allocate() {
    let mut random = Random(0x57a7_0006);
    let (level, pushes) = (world(&blocks(&mut random)), pushes(&mut random));
    let mut scratch = WalkScratch::new();
    let mut at = walker().stand(&level, point(start()), &mut scratch).expect("free");
    let mut run = |at: &mut WalkerState<f64>| {
        for &push in &pushes {
            walker().walk(&level, at, vector(push), &mut scratch).expect("numbers");
        }
    };
    let mut warm = at;
    run(&mut warm);
    let counted = allocation_counter::measure(|| run(&mut at));
    assert_eq!(counted.count_total, 0);
    assert_eq!(at, warm);
}

/// Runs `call` once to warm its scratch, then counts the allocations of a second run.
fn warm_allocations(mut call: impl FnMut(&mut WalkScratch)) -> u64 {
    let mut scratch = WalkScratch::new();
    call(&mut scratch);
    allocation_counter::measure(|| call(&mut scratch)).count_total
}

#[test]
fn warm_placements_and_sizes_do_not_allocate() {
    let level = world(&blocks(&mut Random(0x57a7_0007)));
    let mut random = Random(0x57a7_0008);
    let places: Vec<V> = (0..at_least(2_000, 200))
        .map(|_| std::array::from_fn(|k| random.between(if k == 2 { 0.0 } else { -7.0 }, 7.0)))
        .collect();
    let (mut stood, mut moved, mut refused) = (0, 0, 0);
    let counted = warm_allocations(|scratch| {
        (stood, moved, refused) = (0, 0, 0);
        for &at in &places {
            match walker().stand(&level, point(at), scratch) {
                Ok(state) => {
                    stood += 1;
                    moved += usize::from(state.position() != point(at));
                }
                Err(_) => refused += 1,
            }
        }
    });
    assert_eq!(counted, 0, "stand");
    assert!(stood > 0 && refused > 0, "{stood} {refused}");
    let counted = warm_allocations(|scratch| {
        moved = 0;
        for &at in &places {
            let state = walker().push_out(&level, point(at), scratch);
            moved += usize::from(state.is_ok_and(|state| state.position() != point(at)));
        }
    });
    assert_eq!(counted, 0, "push_out");
    assert!(moved > 0, "none was inside a brush");
    let (mut grown, mut blocked) = (0, 0);
    let counted = warm_allocations(|scratch| {
        (grown, blocked) = (0, 0);
        for &at in &places {
            let Ok(mut state) = walker().stand(&level, point(at), scratch) else { continue };
            let low = walker().resize(&level, &mut state, 0.3, scratch).expect("smaller");
            match low.resize(&level, &mut state, 2.5, scratch) {
                Ok(_) => grown += 1,
                Err(_) => blocked += 1,
            }
        }
    });
    assert_eq!(counted, 0, "resize");
    assert!(grown > 0 && blocked > 0, "{grown} {blocked}");
}

/// Walks on bodies that rotate and move; restores every state from its parts, and by `serde`.
fn restored<T: Scalar>(seed: u64, by_serde: fn(WalkerState<T>) -> WalkerState<T>) {
    let (mut random, mut seen) = (Random(seed), [0; 3]);
    let cylinder = boxwood::shape::UprightCylinder::new(T::nearest(0.4), T::nearest(0.9));
    let walker = Walker::new(cylinder.expect("a size")).step(0.45);
    for _ in 0..cases(200) {
        let up = [UpAxis::Y, UpAxis::Z][random.below(2)];
        let mut builder = BrushWorld::builder();
        builder.up(up);
        let place = |p: V| match up {
            UpAxis::Y => [p[1], p[2], p[0]],
            _ => p,
        };
        let slab = |low: V, high: V| {
            let [low, high] = [low, high].map(|p| Point3::from(place(p)));
            boxwood::brush::Brush::from_aabb(&boxwood::f64::Aabb::new(low, high)).expect("a slab")
        };
        builder.push(slab([-20.0, -20.0, -3.0], [20.0, 20.0, -2.0]), CollisionGroups::ALL);
        let disc = builder.body();
        builder.push_to(disc, slab([-3.0, -3.0, -1.0], [3.0, 3.0, 0.0]), CollisionGroups::ALL);
        let mut world = builder.build().expect("a level");
        let (mut at, mut scratch) = {
            let mut scratch = WalkScratch::new();
            let start = point::<T>(place([1.0, 2.0, 0.0]));
            (walker.stand_at_feet(&world, start, &mut scratch).expect("room"), scratch)
        };
        let (mut other, mut held) = (at, [0.0; 2]);
        for tick in 0..120 {
            let turn = up.vector::<f64>().into_inner() * (0.03 * f64::from(tick));
            let lift = place([0.0, 0.0, 0.01 * f64::from(tick)]);
            let pose = nalgebra::Isometry3::new(Vector3::from(lift), turn);
            world.set_pose(disc, pose).expect("a pose");
            if tick % 20 == 0 {
                held = [random.between(-0.2, 0.2), random.between(-0.2, 0.2)];
            }
            let fall = if random.chance(0.05) { 0.4 } else { -0.1 };
            let side = [held[0], held[1], fall];
            walker.walk(&world, &mut at, vector(place(side)), &mut scratch).expect("numbers");
            let mut fresh = WalkScratch::new();
            walker.walk(&world, &mut other, vector(place(side)), &mut fresh).expect("numbers");
            assert_eq!(at, other);
            let parts = at.to_parts();
            other = WalkerState::from_parts(parts).expect("its own parts");
            assert_eq!((other, by_serde(at), other.to_parts()), (at, at, parts));
            assert_eq!(other.position(), at.position());
            seen[0] += usize::from(at.ground().is_none());
            seen[1] += usize::from(parts.ground_half_angle[1] != 0.0);
            seen[2] += usize::from(at.ground() == Some(BrushId(0)));
        }
    }
    println!("{seen:?} in the air, on the rotated body, on the floor");
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

/// Refuses parts that no state has; a ground of another world carries nobody.
#[test]
fn parts_that_no_state_has_are_refused() {
    let world = world(&[cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])]);
    let mut scratch = WalkScratch::new();
    let at = walker().stand_at_feet(&world, Point3::origin(), &mut scratch).expect("a floor");
    let good = at.to_parts();
    assert_eq!((good.ground, good.ground_offset), (Some(BrushId(0)), [0.0; 3]));
    assert_eq!(WalkerState::from_parts(good), Ok(at));
    let check = |change: &dyn Fn(&mut WalkerParts<f64>), is: &dyn Fn(&Error) -> bool| {
        let mut bad = good;
        change(&mut bad);
        let refused = WalkerState::from_parts(bad).expect_err("refused");
        assert!(is(&refused), "{refused}");
        let value = serde_json::to_value(bad).expect("a value");
        assert!(serde_json::from_value::<WalkerState<f64>>(value).is_err(), "{refused}");
    };
    let position = |e: &Error| matches!(e, Error::NotFinite { field: "position", .. });
    check(&|bad| bad.position[1] = f64::NAN, &position);
    let far = |e: &Error| matches!(e, Error::OutOfRange { field: "position", .. });
    check(&|bad| bad.position[2] = 1e300, &far);
    let offset = |e: &Error| matches!(e, Error::NotFinite { field: "ground offset", .. });
    check(&|bad| bad.ground_offset[0] = f64::INFINITY, &offset);
    let angle = |e: &Error| matches!(e, Error::NotUnit { field: "ground half angle", .. });
    check(&|bad| bad.ground_half_angle = [0.0; 2], &angle);
    check(&|bad| bad.ground_half_angle = [1.0, 0.1], &angle);
    let unknown = WalkerParts { ground: Some(BrushId(77)), ground_offset: [1.0; 3], ..good };
    let mut unknown = WalkerState::from_parts(unknown).expect("parts");
    walker().walk(&world, &mut unknown, vector([0.0, 0.0, -0.1]), &mut scratch).expect("numbers");
    assert_eq!(unknown, at);
    // Without ground its pose does not count.
    let air = WalkerParts { ground: None, ground_half_angle: [0.6, 0.8], ..good };
    let air = WalkerState::from_parts(air).expect("parts").to_parts();
    assert_eq!(air.ground_half_angle, [1.0, 0.0]);
}

/// Serializes a state to a tree of values and back.
macro_rules! by_serde {
    () => {
        |at| {
            let value = serde_json::to_value(at).expect("a value");
            serde_json::from_value(value).expect("a state")
        }
    };
}

#[test]
fn states_in_single_precision_walk_on_from_their_parts_to_the_bit() {
    restored::<f32>(0x57a7_0011, by_serde!());
}

#[test]
fn states_in_double_precision_walk_on_from_their_parts_to_the_bit() {
    restored::<f64>(0x57a7_0012, by_serde!());
}
