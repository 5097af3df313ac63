//! Motion in static worlds: an arrow through a wall of brushes, a door that closes on an arm, balls
//! on a height field, chains that fall on a half-space, balls and chains in levels.

use std::path::Path;
use std::sync::Arc;

use boxwood::brush::{BodyId, Brush, BrushWorld};
use boxwood::load::{Level, MapOptions, map};
use boxwood::model::Model;
use boxwood::pair::ConvexShape;
use boxwood::scene::{
    Buffers, CharacterKey, Impact, MotionBuffers, QueryScratch, Scene, SceneMotion, Spawn,
};
use boxwood::shape::{Aabb, ConvexHull, HeightField, Plane, Pose, Sphere};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, CollisionGroups, PairQuery, QueryFilter};

use super::samples::rounding;
use support::data::data;
use support::moving_parts::{chain, joint_poses, placed, solid_parts, stored, tick, turn};
use support::part_distance;
use support::prelude::*;
use support::random_parts::solid;

const UPRIGHT: [V; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn only<T: Scalar>(geometry: Geometry<T>) -> Arc<Model<T>> {
    model_of(vec![geometry])
}

fn block<T: Scalar>(half: V) -> Arc<Model<T>> {
    only(Geometry::Boxes(vec![solid([0.0; 3], &UPRIGHT, half)]))
}

fn ball<T: Scalar>(radius: f64) -> Arc<Model<T>> {
    let ball = Sphere::new(point([0.0; 3]), T::nearest(radius)).expect("a ball");
    only(Geometry::Convex(vec![ConvexShape::from(ball)]))
}

/// Returns a brush between two corners.
fn slab(low: V, high: V) -> Brush {
    Brush::from_aabb(&Aabb::new(Point3::from(low), Point3::from(high))).expect("a slab")
}

/// A world at rest, and what moves in it.
struct Stage<T: Scalar> {
    before: Scene<T>,
    after: Scene<T>,
    world: CharacterKey,
    mover: CharacterKey,
}

impl<T: Scalar> Stage<T> {
    fn new(world: &Arc<Model<T>>, mover: &Arc<Model<T>>) -> Self {
        Stage::with(world, Spawn::default().at_rest(true), mover)
    }

    fn with(world: &Arc<Model<T>>, spawn: Spawn<T>, mover: &Arc<Model<T>>) -> Self {
        let mut before = Scene::new();
        let world = before.insert(world, spawn).expect("a world");
        let mover = before.insert(mover, Spawn::default()).expect("a mover");
        Stage { after: before.clone(), before, world, mover }
    }

    /// Sets the poses of the parts of the mover before and after.
    fn set(&mut self, ends: [&[Pose<T>]; 2]) {
        self.before.set_parts(self.mover, ends[0]).expect("poses");
        self.after.set_parts(self.mover, ends[1]).expect("poses");
    }

    fn set_root(&mut self, ends: &[Isometry3<f64>; 2]) {
        let [first, last] = ends.each_ref().map(|end| [stored(end)]);
        self.set([&first, &last]);
    }

    fn impacts(&self, tolerance: f64) -> Vec<Impact<T>> {
        let (mut buffers, mut scratch, mut found) =
            (MotionBuffers::new(), QueryScratch::new(), Vec::new());
        let motion = SceneMotion::between(&self.before, &self.after, &mut buffers);
        let motion = motion.expect("one scene");
        let query = PairQuery::between(self.mover, self.world);
        let query = query.accuracy(Accuracy::Within(tolerance));
        motion.impacts(&query, &mut scratch, &mut found).expect("a query");
        assert_eq!(motion.first_impact(&query, &mut scratch), Ok(found.first().copied()));
        assert_eq!(motion.intersects(&query, &mut scratch), Ok(!found.is_empty()));
        found
    }
}

/// Checks the time of an impact, given the speed there.
fn check<T: Scalar>(impact: &Impact<T>, time: f64, speed: f64, tolerance: f64) {
    let doubt = 1e-9 + rounding::<T>(0.0) / speed;
    assert!(impact.clear_until <= time + doubt, "{time}: {impact:?}");
    assert!(impact.met && impact.slack.wide() <= tolerance);
    let window = 4.0 * tolerance / speed + doubt;
    assert!((impact.time - time).abs() <= window, "{time} {window}: {impact:?}");
    assert!(impact.time - impact.clear_until <= window, "{time}: {impact:?}");
}

/// An arrow that rolls about its axis flies through walls that neither end of the tick shows.
fn arrows<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for round in 0..at_least(400, 40) {
        let mut level = BrushWorld::builder();
        level.push(slab([-9.0, -9.0, -3.0], [9.0, 9.0, -2.0]), CollisionGroups::ALL);
        let places = [random.between(-0.8, -0.2), random.between(0.3, 0.8)];
        let walls = places.map(|x| {
            let thick = random.decade(-2.5, -1.0);
            level.push(slab([x, -1.0, -1.0], [x + thick, 1.0, 1.0]), CollisionGroups::ALL)
        });
        let level = level.build().expect("a level");
        let build = Build::level();
        let world = match round % 2 {
            0 => level.model::<T>(BodyId::STATIC, &build),
            _ => level.hull_model::<T>(BodyId::STATIC, &build),
        };
        let (length, from, to) = (0.4, -random.between(2.0, 3.0), random.between(2.0, 3.0));
        let mut stage = Stage::new(&world.expect("a level"), &block([length, 0.01, 0.01]));
        let [y, z] = [0; 2].map(|_| random.between(-0.9, 0.9));
        let roll = random.between(-3.0, 3.0);
        let end = |x: f64, roll: f64| {
            let rolled = UnitQuaternion::new(Vector3::x() * roll);
            Isometry3::from_parts(Vector3::new(x, y, z).into(), rolled)
        };
        stage.set_root(&[end(from, 0.0), end(to, roll)]);
        let tolerance = random.decade(-3.0, -2.0).max(1e3 * rounding::<T>(0.0) * 0.01);
        let found = stage.impacts(tolerance);
        assert_eq!(found.len(), 2, "{round}: {found:?}");
        let ids: Vec<_> = level.brushes_of(BodyId::STATIC).collect();
        for ((impact, wall), x) in found.iter().zip(walls).zip(places) {
            assert_eq!(ids[impact.b.part.index()], wall, "{round}");
            assert!(!impact.touching_at_start && !impact.touching_at_end);
            check(impact, (x - length - from) / (to - from), to - from, tolerance);
        }
    }
}

/// A door of two brushes is a model of its own that moves; an arm is in its way, at rest or moving.
fn doors<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut blocked, mut passed) = (0, 0);
    for round in 0..at_least(400, 40) {
        let mut level = BrushWorld::builder();
        level.push(slab([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]), CollisionGroups::ALL);
        let body = level.body();
        level.push_to(body, slab([0.0, -0.1, 0.01], [1.0, 0.1, 1.0]), CollisionGroups::ALL);
        level.push_to(body, slab([0.0, -0.1, 1.0], [1.0, 0.1, 2.0]), CollisionGroups::ALL);
        let level = level.build().expect("a level");
        let build = Build::level();
        let door = match round % 2 {
            0 => level.model::<T>(body, &build),
            _ => level.hull_model::<T>(body, &build),
        };
        // Closes along x; the face in front is at 1.
        let way = random.between(0.2, 1.5);
        let half = [random.between(0.05, 0.2), random.between(0.3, 0.6), 0.05];
        let height = if random.chance(0.5) { 0.5 } else { 1.5 };
        let gap = random.between(0.01, 1.0);
        let against = random.between(-0.3, 0.3);
        let mut stage = Stage::with(&door.expect("a door"), Spawn::default(), &block(half));
        let at = |x: f64| Isometry3::translation(x, 0.0, height);
        let start = 1.0 + gap + half[0];
        stage.set_root(&[at(start), at(start + against)]);
        let closed: Pose<T> = stored(&Isometry3::translation(way, 0.0, 0.0));
        stage.after.set_root(stage.world, &closed).expect("a door");
        let found = stage.impacts(2e-3);
        let speed = way - against;
        if speed <= 0.0 || gap / speed > 1.0 {
            // Within the tolerance at the end all the same.
            assert!(found.is_empty() || gap - speed <= 2e-3, "{round}: {found:?}");
            continue;
        }
        // One of the two brushes is at that height.
        assert_eq!(found.len(), 1, "{round}: {found:?}");
        assert_eq!(found[0].b.part.index(), usize::from(height > 1.0), "{round}");
        check(&found[0], gap / speed, speed, 2e-3);
        assert!(found[0].normal.expect("apart").x.wide() < -0.999, "{found:?}");
        // A fast door passes a thin arm within the tick.
        let passes = way > start + against + half[0];
        assert_eq!(found[0].touching_at_end, !passes, "{round}: {found:?}");
        blocked += usize::from(!passes);
        passed += usize::from(passes);
    }
    assert!(blocked > 10 && passed > 1, "{blocked} {passed}");
}

/// Balls above, on and in a height field; the distance is that of the centre from all triangles.
fn fields<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut landed, mut rolling, mut clear) = (0, 0, 0);
    let doubt = rounding::<T>(0.0);
    for round in 0..at_least(300, 30) {
        let heights: Vec<T> = (0..81).map(|_| T::nearest(random.between(-0.3, 0.3))).collect();
        let field = HeightField::new(9, heights).expect("heights");
        let ground = Model::builder().part(
            "ground",
            None,
            Geometry::Surface(field.surface().expect("heights")),
        );
        let ground = ground.build(&Build::level()).expect("a field");
        let radius = T::nearest(random.between(0.1, 0.5)).wide();
        let mut stage = Stage::new(&ground, &ball(radius));
        let tree = ground.parts()[0].tree().expect("a tree").clone();
        let triangles = placed(&tree, &Isometry3::identity());
        let above = |x: f64, y: f64| {
            // Down until the ball touches, by bisection.
            let (mut low, mut high) = (-0.5, 2.0);
            for _ in 0..60 {
                let z = 0.5 * (low + high);
                match part_distance::from([x, y, z], &triangles) < radius {
                    true => low = z,
                    false => high = z,
                }
            }
            high
        };
        let [x, y, to_x, to_y] = [0; 4].map(|_| random.between(1.5, 6.5));
        let lift = [-0.01, 0.3, 0.6][round % 3];
        let from = [x, y, above(x, y) + lift];
        let to = [to_x, to_y, above(to_x, to_y) + lift * random.between(-1.0, 1.0).max(-0.5)];
        let roll = turn(&mut random, 3.0);
        let ends = [
            Isometry3::translation(from[0], from[1], from[2]),
            Isometry3::from_parts(Vector3::from(to).into(), roll),
        ];
        stage.set_root(&ends);
        let tolerance = 2e-3;
        let found = stage.impacts(tolerance);
        let apart = |time: f64| {
            let at = std::array::from_fn(|i| (1.0 - time) * from[i] + time * to[i]);
            part_distance::from(at, &triangles) - radius
        };
        let until = found.first().map_or(1.0, |impact| impact.clear_until);
        for sample in 0..200 {
            let time = until * f64::from(sample) / 200.0;
            assert!(apart(time) > -doubt || until == 0.0, "{round}: {time}");
        }
        let Some(impact) = found.first() else {
            clear += 1;
            continue;
        };
        assert!(impact.met && apart(impact.time) <= impact.slack.wide() + doubt, "{round}");
        let touches = [apart(0.0), apart(1.0)];
        let stated = [impact.touching_at_start, impact.touching_at_end];
        for (apart, stated) in touches.into_iter().zip(stated) {
            assert!(stated == (apart <= 0.0) || apart.abs() <= doubt, "{round}: {touches:?}");
        }
        // In a valley the bisection may end below the field, from which the ball comes up.
        if touches[0] < -doubt {
            assert!(impact.touching_at_start && impact.time == 0.0, "{round}: {impact:?}");
            rolling += 1;
        } else {
            landed += 1;
        }
    }
    println!("{rolling} on the field from the start, {landed} land on it, {clear} stay clear");
    assert!(rolling > 5 && landed > 4 && clear > 1);
}

/// Chains that turn and fall towards a half-space: their distance is that of their lowest corner.
fn floors<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut hits, mut clear) = (0, 0);
    let doubt = rounding::<T>(10.0);
    for round in 0..at_least(200, 30) {
        let around = Aabb::new(point([-20.0; 3]), point([20.0; 3]));
        let plane = Plane::new(Vector3::z_axis(), T::nearest(0.0)).expect("a plane");
        let floor = ConvexHull::half_space(&plane, &around).expect("a floor");
        let floor = only(Geometry::Convex(vec![ConvexShape::from(floor)]));
        let mover = chain::<T>(&mut random, 1 + round % 4);
        let mut stage = Stage::new(&floor, &mover);
        let height = random.between(0.5, 2.5);
        let root =
            Isometry3::from_parts(Vector3::new(0.0, 0.0, height).into(), turn(&mut random, 3.0));
        let ends = tick(&mut random, &mover, root, (2.0, 2.5));
        stage.set([&ends[0], &ends[1]]);
        let tolerance = 1e-3;
        let found = stage.impacts(tolerance);
        let lowest = |part: usize, time: f64| {
            let at = joint_poses(&mover, [&ends[0], &ends[1]], None, time)[part];
            let shape = placed(mover.parts()[part].tree().expect("a tree"), &at);
            let corners = shape.triangles.iter().flatten().map(|corner| corner[2]);
            let of_block = |block: &support::plain_box::PlainBox| {
                (0..8).map(|bits| block.corner(bits, [0.0; 3])[2]).fold(f64::MAX, f64::min)
            };
            corners.chain(shape.blocks.iter().map(of_block)).fold(f64::MAX, f64::min)
        };
        for part in solid_parts(&mover) {
            let impact = found.iter().find(|one| one.a.part == part);
            let until = impact.map_or(1.0, |impact| impact.clear_until);
            for sample in 0..64 {
                let time = until * f64::from(sample) / 64.0;
                let least = lowest(part.index(), time);
                assert!(least > -doubt || until == 0.0, "{round}: {least} at {time}");
            }
            let Some(impact) = impact else {
                clear += 1;
                continue;
            };
            let least = lowest(part.index(), impact.time);
            assert!(impact.met && least <= impact.slack.wide() + doubt, "{round}: {impact:?}");
            let touches = [lowest(part.index(), 0.0), lowest(part.index(), 1.0)];
            let stated = [impact.touching_at_start, impact.touching_at_end];
            for (least, stated) in touches.into_iter().zip(stated) {
                assert!(stated == (least <= 0.0) || least.abs() <= doubt, "{round}: {impact:?}");
            }
            hits += 1;
        }
    }
    println!("{hits} impacts, {clear} parts stay clear");
    assert!(hits > 10 && clear > 10);
}

scalars! {
    an_arrow_hits_the_walls_it_flies_through => arrows(91);
    a_door_that_closes_hits_the_arm_in_its_way => doors(92);
    a_ball_on_a_height_field_touches_from_the_start => fields(93);
    chains_that_fall_hit_a_half_space_by_their_lowest_corner => floors(94);
}

/// Balls that fly straight in a level hit what a shape cast hits, at the same time.
fn shots<T: Scalar>(level: &Level, rounds: usize, seed: u64) -> [usize; 2] {
    let (mut random, mut counts) = (Random(seed), [0; 2]);
    let (mut buffers, mut scratch) = (Buffers::new(), QueryScratch::new());
    let build = Build::level();
    let (world, hulls) = (
        level.world.model::<T>(BodyId::STATIC, &build),
        level.world.hull_model(BodyId::STATIC, &build),
    );
    let models = [world.expect("a level"), hulls.expect("a level")];
    let starts: Vec<Point3<f64>> = level.spawns().filter_map(|spawn| spawn.origin).collect();
    for round in 0..rounds {
        let radius = T::nearest(random.decade(-2.0, -0.5));
        let mut stage = Stage::new(&models[round % 2], &ball(radius.wide()));
        let from = starts[random.below(starts.len())] + random.vector(1.5);
        let way = Vector3::from(random.direction()) * random.between(0.5, 20.0);
        let ends = [from, from + way].map(|p| Isometry3::translation(p.x, p.y, p.z));
        stage.set_root(&ends);
        let poses = [&stage.before, &stage.after]
            .map(|scene| scene.poses(stage.mover).expect("a key")[0].translation.vector);
        let tolerance = 0.01;
        let found = stage.impacts(tolerance);
        let query_ball = Sphere::new(Point3::from(poses[0]), radius).expect("a ball");
        let filter = QueryFilter::all().excluding(&[stage.mover]).accuracy(Accuracy::Exact);
        let now = stage.before.snapshot(&mut buffers);
        let cast = now.shape_cast(query_ball, poses[1] - poses[0], &filter, &mut scratch);
        let length = way.norm();
        let doubt = rounding::<T>(from.coords.norm() + length) / length;
        match (cast.expect("a cast"), found.first()) {
            (None, None) => counts[1] += 1,
            (Some(hit), Some(impact)) => {
                let time = hit.time_of_impact.wide();
                assert!(impact.clear_until <= time + doubt, "{round}: {time} {impact:?}");
                counts[0] += 1;
            }
            (Some(hit), None) => panic!("{round}: missed {hit:?}"),
            (None, Some(impact)) => assert!(impact.slack.wide() > 0.0, "{round}: {impact:?}"),
        }
        // At the time of each impact the two are as near as it says.
        for impact in &found {
            let mut there = stage.after.clone();
            let at = ends[0].translation.vector + way * impact.time;
            let at = Isometry3::from_parts(at.into(), UnitQuaternion::identity());
            there.set_parts(stage.mover, &[stored(&at)]).expect("a pose");
            let now = there.snapshot(&mut buffers);
            let pair = PairQuery::between(stage.mover, stage.world);
            let pair = pair.parts(&[impact.a.part], &[impact.b.part]);
            let near = now.distance(&pair, &mut scratch).expect("a query").expect("near");
            let doubt = doubt * length;
            assert!(near.distance.wide() <= impact.slack.wide() + doubt, "{round}: {impact:?}");
            assert!(impact.met);
        }
    }
    counts
}

/// Chains that turn in a level against the distance of all primitives at many times.
fn chains<T: Scalar>(level: &Level, rounds: usize, seed: u64) -> [usize; 2] {
    let (mut random, mut counts) = (Random(seed), [0; 2]);
    let world = level.world.model::<T>(BodyId::STATIC, &Build::level()).expect("a level");
    let brushes: Vec<&Brush> = level
        .world
        .brushes_of(BodyId::STATIC)
        .map(|id| level.world.brush(id).expect("a brush"))
        .collect();
    let starts: Vec<Point3<f64>> = level.spawns().filter_map(|spawn| spawn.origin).collect();
    let ways: Vec<_> = world
        .parts()
        .iter()
        .map(|part| placed(part.tree().expect("a tree"), &Isometry3::identity()))
        .collect();
    for round in 0..rounds {
        let mover = chain::<T>(&mut random, 1 + round % 3);
        let mut stage = Stage::new(&world, &mover);
        let from = starts[random.below(starts.len())] + random.vector(2.0);
        let root = Isometry3::from_parts(from.coords.into(), turn(&mut random, 3.0));
        let ends = tick(&mut random, &mover, root, (1.5, 3.0));
        stage.set([&ends[0], &ends[1]]);
        let found = stage.impacts(5e-3);
        let doubt = rounding::<T>(from.coords.norm());
        let apart = |part: usize, brush: usize, time: f64| {
            let at = joint_poses(&mover, [&ends[0], &ends[1]], None, time)[part];
            let shape = placed(mover.parts()[part].tree().expect("a tree"), &at);
            let is_in = |p: V| {
                let planes = brushes[brush].planes();
                planes.iter().all(|one| inner(p, one.normal().into_inner().into()) < one.offset())
            };
            let corners = shape.triangles.iter().map(|corners| corners[0]);
            match corners.chain(shape.blocks.iter().map(|block| block.center)).any(is_in) {
                true => 0.0,
                false => part_distance::below(&shape, &ways[brush], 0.2),
            }
        };
        for part in solid_parts(&mover) {
            for (brush, solid) in brushes.iter().enumerate() {
                let is_pair = |one: &&Impact<T>| (one.a.part, one.b.part.index()) == (part, brush);
                let impact = found.iter().find(is_pair);
                let until = impact.map_or(1.0, |impact| impact.clear_until);
                // Only those that come near: the way of a part is at most some lengths.
                let middle = solid.aabb();
                let near = [from - middle.max, middle.min - from]
                    .iter()
                    .all(|v| v.iter().all(|&x| x < 8.0));
                for sample in 0..if near { 24 } else { 1 } {
                    let time = until * f64::from(sample) / 24.0;
                    let least = apart(part.index(), brush, time);
                    assert!(least > 0.0 || until == 0.0, "{round}: {part:?} {brush} {time}");
                }
                let Some(impact) = impact else {
                    counts[1] += usize::from(near);
                    continue;
                };
                let least = apart(part.index(), brush, impact.time);
                assert!(impact.met && least <= impact.slack.wide() + doubt, "{round}: {impact:?}");
                counts[0] += 1;
            }
        }
    }
    counts
}

fn small_level() -> Level {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/walk_brushes/level.map");
    map(file, &MapOptions::quake().scale(1.0 / 32.0)).expect("a level")
}

#[test]
fn balls_that_fly_in_a_level_hit_what_a_shape_cast_hits() {
    let level = small_level();
    let [hits, clear] = shots::<f64>(&level, at_least(1_000, 60), 95);
    assert!(hits > 20 && clear > 2, "{hits} {clear}");
    let [hits, clear] = shots::<f32>(&level, at_least(1_000, 60), 96);
    assert!(hits > 20 && clear > 2, "{hits} {clear}");
}

#[test]
fn chains_that_turn_in_a_level_touch_no_brush_unseen() {
    let level = small_level();
    let [hits, clear] = chains::<f64>(&level, at_least(100, 10), 97);
    assert!(hits > 5 && clear > 20, "{hits} {clear}");
    let [hits, clear] = chains::<f32>(&level, at_least(100, 10), 98);
    assert!(hits > 5 && clear > 20, "{hits} {clear}");
}

#[test]
fn balls_that_fly_in_a_real_level_hit_what_a_shape_cast_hits() {
    let Some(data) = data() else { return };
    let file = data.join("levels/lq-dm3/lqdm3.map");
    let level = map(file, &MapOptions::quake().scale(1.0 / 32.0)).expect("a level");
    let [hits, clear] = shots::<f64>(&level, at_least(1_000, 60), 99);
    assert!(hits > 20 && clear > 2, "{hits} {clear}");
}
