//! Batches of configurations of a robot: each verdict is that of a single query, bit for bit, at
//! every SIMD level and for any number of rows and threads.

use std::sync::Arc;

use boxwood::load::{Loader, Robot};
use boxwood::model::{
    BatchCounts, BatchPair, BatchPart, CollisionBatch, CollisionBatchScratch, Model, ModelBuilder,
    SelfQueryScratch,
};
use boxwood::motion::{Actuator, JointKind, Mechanism, Mimic};
use boxwood::pair::ConvexShape;
use boxwood::scene::{Buffers, Hits, Scene, Spawn};
use boxwood::shape::{Capsule, Cylinder, Ellipsoid, Mesh, Obb, Pose, Segment, Sphere};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, CollisionGroups, Error, PairQuery, SelfQuery, SimdLevel};
use nalgebra::Quaternion;

use support::data::data;
use support::prelude::*;
use support::random_robots::{link, random_mechanism, random_robot, rows};

type Placed<T> = (Arc<Model<T>>, Vec<Pose<T>>);

/// A robot among obstacles, queried row by row without a batch.
struct Single<'a, T: Scalar> {
    robot: &'a Robot<T>,
    accuracy: Accuracy,
    margin: f64,
    world: &'a [Placed<T>],
    /// Poses of the base: none, one for all rows, or one for each.
    bases: &'a [Pose<T>],
}

impl<T: Scalar> Single<'_, T> {
    /// Returns the verdict of each row, and the pairs that touch.
    fn answers(&self, values: &[T], count: usize) -> (Vec<bool>, Vec<BatchPair>) {
        let (mut poses, mut scratch) = (Vec::new(), SelfQueryScratch::default());
        let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
        let (mut hits, mut all) = (Hits::new(), (Vec::new(), Vec::new()));
        let mut obstacles = Vec::new();
        for (model, poses) in self.world {
            let key = scene.insert(model, Spawn::default().at_rest(true)).expect("an obstacle");
            scene.set_parts(key, poses).expect("sound poses");
            obstacles.push(key);
        }
        // Obstacles touch each other: only the robot's pairs count.
        let own = scene.insert(&self.robot.model, Spawn::default()).expect("a robot");
        let (width, model) = (self.robot.mechanism.actuators().len(), &self.robot.model);
        let query = self.query();
        let among = PairQuery::of(own).accuracy(self.accuracy).margin(self.margin);
        for row in 0..count {
            let values = &values[row * width..(row + 1) * width];
            self.robot.mechanism.poses(values, &mut poses).expect("values within limits");
            let itself = model.self_intersects(&poses, query, &mut scratch).expect("asked");
            let pairs = model.self_pairs(&poses, query, &mut scratch).expect("asked");
            all.1.extend(pairs.iter().map(|&(a, b)| BatchPair { row, a, b: BatchPart::Robot(b) }));
            if let Some(base) = self.bases.get(row).or(self.bases.first()) {
                poses.iter_mut().for_each(|pose| *pose = base * *pose);
            }
            scene.set_parts(own, &poses).expect("sound poses");
            let now = scene.snapshot(&mut buffers);
            all.0.push(itself || now.intersects(&among, hits.scratch()).expect("asked"));
            now.pairs(&among, &mut hits).expect("asked");
            let start = all.1.len();
            all.1.extend(hits.pairs().iter().map(|(a, b)| {
                let index = obstacles.iter().position(|&key| key == b.character);
                let index = index.expect("an obstacle");
                BatchPair { row, a: a.part, b: BatchPart::Obstacle { index, part: b.part } }
            }));
            all.1[start..].sort_unstable();
        }
        all
    }

    fn query(&self) -> SelfQuery {
        SelfQuery::new(self.accuracy).margin(self.margin)
    }

    fn batch(&self) -> CollisionBatch<T> {
        let batch = CollisionBatch::new(&self.robot.mechanism, &self.robot.model, self.query());
        let place = |batch: CollisionBatch<T>, (model, poses): &Placed<T>| {
            batch.with_obstacle(model, poses).expect("sound poses")
        };
        self.world.iter().fold(batch.expect("a robot"), place)
    }

    /// Checks verdicts and pairs of batches at every level against single ones, and returns how
    /// many rows there were, how many collide, and how many have pairs that the filter left open.
    fn check(&self, values: &[T], count: usize) -> [u64; 3] {
        let (expected, pairs) = self.answers(values, count);
        let (batch, mut counts) = (self.batch(), None);
        for simd in SimdLevel::all() {
            let mut scratch = CollisionBatchScratch::with_simd_level(simd);
            let mut found = vec![false; count];
            match self.bases {
                [] => batch.check(values, &mut found, &mut scratch),
                bases => batch.check_with_bases(values, bases, &mut found, &mut scratch),
            }
            .expect("values within limits");
            assert_eq!(found, expected, "{simd:?}");
            assert_eq!(counts.get_or_insert(*scratch.counts()), scratch.counts());
            let found = match self.bases {
                [] => batch.pairs(values, count, &mut scratch),
                bases => batch.pairs_with_bases(values, bases, count, &mut scratch),
            };
            assert_eq!(found.expect("values within limits"), pairs, "{simd:?}");
            // Verdicts need no exact query of rows that collide for certain; pairs do.
            let mut of_pairs = counts.expect("counts of verdicts");
            of_pairs.exact_rows += of_pairs.colliding_rows;
            assert_eq!(of_pairs, *scratch.counts(), "the filter is the same");
        }
        let touching = expected.iter().filter(|&&yes| yes).count() as u64;
        let with_pairs = pairs.chunk_by(|one, next| one.row == next.row).count() as u64;
        assert_eq!(touching, with_pairs);
        let mut counts = counts.expect("a level");
        assert!(counts.colliding_rows <= touching);
        counts.exact_rows += counts.colliding_rows;
        self.check_sum(&batch, values, counts);
        assert!(counts.own_after_capsules <= counts.own_after_balls);
        assert!(counts.own_after_balls <= counts.own_pairs);
        assert!(counts.obstacles_after_capsules <= counts.obstacles_after_balls);
        assert_eq!(counts.rows, count as u64);
        [count as u64, touching, counts.exact_rows]
    }
}

impl<T: Scalar> Single<'_, T> {
    /// Checks that the counts of two halves of the rows add up to those of all.
    fn check_sum(&self, batch: &CollisionBatch<T>, values: &[T], all: BatchCounts) {
        if !self.bases.is_empty() {
            return;
        }
        let (width, mut sum) = (self.robot.mechanism.actuators().len(), BatchCounts::default());
        let mut scratch = CollisionBatchScratch::default();
        // Lanes beyond the rows are not counted.
        let half = all.rows as usize / 2;
        for rows in [0..half, half..all.rows as usize] {
            let values = &values[rows.start * width..rows.end * width];
            batch.pairs(values, rows.len(), &mut scratch).expect("values within limits");
            sum += *scratch.counts();
        }
        assert_eq!(sum, all);
    }
}

fn added(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
    std::array::from_fn(|i| a[i] + b[i])
}

fn random_query(random: &mut Random) -> (Accuracy, f64) {
    let accuracy = match random.below(6) {
        0 => Accuracy::Depth(random.below(4) as u8),
        1 => Accuracy::Within(random.decade(-4.0, -0.5)),
        2 => Accuracy::Budget(random.below(100) as u32),
        _ => Accuracy::Exact,
    };
    let margin = if random.chance(0.5) { random.decade(-6.0, -0.3) } else { 0.0 };
    (accuracy, margin)
}

fn random_robots<T: Scalar>() {
    let (mut random, mut all) = (Random(5901), [0; 3]);
    for round in 0..60 {
        let mut robot = random_robot::<T>(&mut random, 2 + round % 9);
        if round % 4 == 0 {
            robot.model = robot.model.with_margins(0.2, &[("0", "1", 0.4)]).expect("margins");
        }
        let count = [0, 1, 7, 15, 16, 17, 33, 61][round % 8];
        let values = rows(&robot.mechanism, &mut random, count);
        let (accuracy, margin) = random_query(&mut random);
        let single = Single { robot: &robot, accuracy, margin, world: &[], bases: &[] };
        all = added(all, single.check(&values, count));
    }
    let [rows, touching, open] = all;
    assert!(touching > rows / 10 && touching < rows * 8 / 10, "{all:?}");
    assert!(open >= touching && open < rows * 9 / 10, "{all:?}");
}

scalars! {
    random_robots_as_single_queries => random_robots();
}

/// An obstacle of a few random parts around the origin, some in groups.
fn random_obstacle<T: Scalar>(random: &mut Random, distance: f64) -> Placed<T> {
    let mut parts = Model::<T>::builder();
    let count = 1 + random.below(3);
    for part in 0..count {
        let kind = random.below(4);
        let geometry = random_part(random, kind);
        parts = parts.part(part.to_string(), None, geometry);
        if random.chance(0.2) {
            parts = parts.groups(CollisionGroups { memberships: random.bits(), filter: u64::MAX });
        }
    }
    let model = parts.build(&Build::fast()).expect("a model");
    let place = |random: &mut Random| {
        let at = random.direction().map(|x| distance * x);
        turned(random, at)
    };
    let poses = (0..count).map(|_| place(random)).collect();
    (model, poses)
}

fn random_worlds<T: Scalar>() {
    let (mut random, mut all) = (Random(5902), [0; 3]);
    for round in 0..40 {
        let robot = random_robot::<T>(&mut random, 2 + round % 7);
        let obstacle = |random: &mut Random| random_obstacle(random, 8.0);
        let world: Vec<Placed<T>> = (0..1 + round % 3).map(|_| obstacle(&mut random)).collect();
        let count = [3, 16, 21][round % 3];
        let values = rows(&robot.mechanism, &mut random, count);
        let margin = if round % 2 == 0 { 0.0 } else { 0.3 };
        let accuracy = match round % 5 {
            1 | 2 => Accuracy::Budget(random.below(20) as u32),
            3 => Accuracy::Depth(random.below(4) as u8),
            4 => Accuracy::Within(random.decade(-4.0, -0.5)),
            _ => Accuracy::Exact,
        };
        let (robot, world) = (&robot, &world[..]);
        let single = Single { robot, accuracy, margin, world, bases: &[] };
        all = added(all, single.check(&values, count));
    }
    let [rows, touching, open] = all;
    assert!(touching > rows / 10 && touching < rows * 9 / 10, "{all:?}");
    assert!(open >= touching && open < rows, "{all:?}");
}

scalars! {
    random_worlds_as_scenes => random_worlds();
}

/// A pose of a base; quaternions are off unit length by up to what poses may be.
fn random_base<T: Scalar>(random: &mut Random, distance: f64) -> Pose<T> {
    let at = random.direction().map(|x| random.share() * distance * x);
    let mut base: Pose<T> = turned(random, at);
    let stretch = T::nearest(1.0 + random.between(-9e-4, 9e-4));
    let stretched = base.rotation.coords * stretch;
    base.rotation = UnitQuaternion::new_unchecked(stretched.into());
    base
}

/// Bases in each row, or one for all, among obstacles, near the origin and far away.
fn random_bases<T: Scalar>() {
    let (mut random, mut all) = (Random(5908), [0; 3]);
    for round in 0..40 {
        let robot = random_robot::<T>(&mut random, 2 + round % 7);
        let distance = [4.0, 1e3][round % 2];
        let mut world: Vec<Placed<T>> =
            (0..1 + round % 3).map(|_| random_obstacle(&mut random, 6.0)).collect();
        let count = [1, 3, 16, 37][round % 4];
        let mut bases: Vec<Pose<T>> =
            (0..count).map(|_| random_base(&mut random, distance)).collect();
        if round % 3 == 0 {
            bases.truncate(1);
        }
        // One obstacle is near a base that is far away.
        let near = bases[bases.len() - 1];
        world[0].1.iter_mut().for_each(|pose| *pose = near * *pose);
        let values = rows(&robot.mechanism, &mut random, count);
        let margin = if round % 4 < 2 { 0.0 } else { 0.3 };
        let (robot, world, bases) = (&robot, &world[..], &bases[..]);
        let accuracy = if round % 5 == 4 { Accuracy::Within(0.01) } else { Accuracy::Exact };
        let single = Single { robot, accuracy, margin, world, bases };
        all = added(all, single.check(&values, count));
    }
    let [rows, touching, open] = all;
    assert!(touching > rows / 10 && touching < rows * 9 / 10, "{all:?}");
    assert!(open >= touching && open < rows * 19 / 20, "{all:?}");
}

scalars! {
    random_bases_as_scenes => random_bases();
}

/// Obstacles that are moved one by one leave the batch of a world that was built there.
fn moved_worlds<T: Scalar>() {
    let mut random = Random(5906);
    let mut differing = 0;
    for round in 0..20 {
        let robot = random_robot::<T>(&mut random, 2 + round % 5);
        let accuracy = [Accuracy::Exact, Accuracy::Budget(40)][round % 2];
        let batch = CollisionBatch::new(&robot.mechanism, &robot.model, accuracy);
        let batch = batch.expect("a robot");
        let obstacles: Vec<_> = (0..1 + round % 3)
            .map(|_| {
                let block = random_part(&mut random, round % 4);
                let model = Model::<T>::builder().part("0", None, Geometry::None);
                let model = model.part("1", None, block);
                model.build(&Build::fast()).expect("a model")
            })
            .collect();
        let poses = |random: &mut Random| -> Vec<[Pose<T>; 2]> {
            let mut place = || {
                let at = random.direction().map(|x| 4.0 * x);
                [turned(random, [0.0; 3]), turned(random, at)]
            };
            obstacles.iter().map(|_| place()).collect()
        };
        let (before, after) = (poses(&mut random), poses(&mut random));
        let build = |poses: &[[Pose<T>; 2]]| {
            obstacles.iter().zip(poses).fold(batch.clone(), |batch, (model, poses)| {
                batch.with_obstacle(model, poses).expect("poses")
            })
        };
        let (mut moved, there) = (build(&before), build(&after));
        differing += usize::from(moved != there);
        for index in (0..obstacles.len()).rev() {
            moved.set_obstacle(index, &after[index]).expect("poses");
        }
        assert_eq!(moved, there);
        // Refusals change nothing.
        let len = obstacles.len();
        let beyond = Error::IndexOutOfRange { field: "obstacle", index: 0, target: len, len };
        assert_eq!(moved.set_obstacle(len, &before[0]), Err(beyond));
        let short = Error::WrongCount { field: "poses", expected: 2, found: 1 };
        assert_eq!(moved.set_obstacle(0, &before[0][..1]), Err(short));
        let mut broken = before[0];
        broken[1].translation.x = T::nearest(f64::NAN);
        assert!(moved.set_obstacle(0, &broken).is_err());
        assert_eq!(moved, there);
    }
    assert!(differing > 15, "{differing}");
}

scalars! {
    moved_obstacles_as_built_there => moved_worlds();
}

fn ball<T: Scalar>(radius: T) -> Geometry<T> {
    let ball = Sphere::new(Point3::origin(), radius).expect("a ball");
    Geometry::Convex(vec![ConvexShape::Sphere(ball)])
}

/// A robot whose last two links are balls; the others have no geometry.
fn two_balls<T: Scalar>(mechanism: &Arc<Mechanism>, radii: [T; 2]) -> Robot<T> {
    let links = mechanism.links().len();
    let part = |index: usize| match links - index {
        2 => ball(radii[0]),
        1 => ball(radii[1]),
        _ => Geometry::None,
    };
    let add = |all: ModelBuilder<T>, index: usize| all.part(index.to_string(), None, part(index));
    let model = (0..links).fold(Model::builder(), add).build(&Build::fast()).expect("a model");
    Robot::new(model, Arc::clone(mechanism))
}

/// Chains of random joints whose last two links are balls that touch by a hair, or are a hair
/// apart: without its pad the filter would drop some that touch.
fn hairs<T: Scalar>() {
    let (mut random, mut verdicts, mut based) = (Random(5903), [0; 2], [0; 2]);
    for round in 0..400 {
        let mechanism = Arc::new(random_mechanism(&mut random, 3 + round % 6));
        let values = rows::<T>(&mechanism, &mut random, 1);
        let mut poses: Vec<Pose<T>> = Vec::new();
        mechanism.poses(&values, &mut poses).expect("values within limits");
        let at = |back: usize| poses[poses.len() - back].translation.vector.map(T::wide);
        let distance = (at(1) - at(2)).norm();
        if distance == 0.0 {
            continue;
        }
        let first = T::nearest(distance * random.between(0.2, 0.8));
        let hair = random.sign() * random.decade(-9.0, -6.0) * distance;
        let second = T::nearest(distance - first.wide() + hair);
        let robot = two_balls(&mechanism, [first, second]);
        let (accuracy, margin) = (Accuracy::Exact, 0.0);
        let single = Single { robot: &robot, accuracy, margin, world: &[], bases: &[] };
        let [_, touching, _] = single.check(&values, 1);
        verdicts[touching as usize] += 1;
        // Equal verdicts with a margin in the place of half a radius.
        let half = T::nearest(0.5 * second.wide());
        let robot = two_balls(&mechanism, [first, half]);
        let margin = second.wide() - half.wide();
        let single = Single { robot: &robot, accuracy, margin, world: &[], bases: &[] };
        let [_, touching, _] = single.check(&values, 1);
        verdicts[touching as usize] += 1;
        // The last ball as an obstacle, whole, and with the margin. A box is around it: along x,
        // the two touch by a hair.
        let reach = first.wide() + second.wide();
        let at = at(2) + Vector3::new((1.0 + hair / distance) * reach, 0.0, 0.0);
        let robot = two_balls(&mechanism, [first, T::nearest(1e-3 * distance)]);
        for (radius, margin) in [(second, 0.0), (half, margin)] {
            let obstacle = Model::builder().part("ball", None, ball(radius));
            let obstacle = obstacle.build(&Build::fast()).expect("a ball");
            let world = [(Arc::clone(&obstacle), vec![upright(at.into())])];
            let single = Single { robot: &robot, accuracy, margin, world: &world, bases: &[] };
            let [_, touching, _] = single.check(&values, 1);
            verdicts[touching as usize] += 1;
            // Both with the base elsewhere.
            let base = random_base::<T>(&mut random, [1.0, 30.0][round % 2] * distance);
            let placed = base * poses[poses.len() - 2];
            let turn = UnitQuaternion::from_quaternion(base.rotation.coords.map(T::wide).into());
            let there = placed.translation.vector.map(T::wide)
                + turn * Vector3::new((1.0 + hair / distance) * reach, 0.0, 0.0);
            let mut there: Pose<T> = upright(there.into());
            there.rotation = base.rotation;
            let (world, bases) = ([(obstacle, vec![there])], [base]);
            let single = Single { robot: &robot, accuracy, margin, world: &world, bases: &bases };
            let [_, touching, _] = single.check(&values, 1);
            based[touching as usize] += 1;
        }
    }
    assert!(verdicts.iter().all(|&count| count > 200), "{verdicts:?}");
    assert!(based.iter().all(|&count| count > 150), "{based:?}");
}

scalars! {
    balls_that_touch_by_a_hair => hairs();
}

/// Makes a solid, and a point of its surface where the normal is the x axis.
fn solid_with_surface_point<T: Scalar>(
    random: &mut Random,
    kind: usize,
) -> (Geometry<T>, Vector3<f64>) {
    let [x, y, z] = [0; 3].map(|_| T::nearest(random.decade(-1.5, 0.5)));
    let (origin, up) = (Point3::origin(), Vector3::z_axis());
    let spine = [-z, z].map(|z| Point3::new(T::zero(), T::zero(), z));
    let shape: ConvexShape<T> = match kind % 6 {
        0 => {
            let block = Obb::from_pose(&Isometry3::identity(), Vector3::new(x, y, z));
            return (
                Geometry::Boxes(vec![block.expect("a box")]),
                Vector3::new(x.wide(), 0.0, 0.0),
            );
        }
        1 => Obb::from_pose(&Isometry3::identity(), Vector3::new(x, y, z)).expect("a box").into(),
        2 => Sphere::new(origin, x).expect("a ball").into(),
        3 => {
            let spine = Segment::new(spine[0], spine[1]).expect("a segment");
            Capsule::new(spine, x).expect("a capsule").into()
        }
        4 => Cylinder::new(origin, up, z, x).expect("a cylinder").into(),
        _ => {
            let axes = Matrix3::identity();
            Ellipsoid::new(origin, axes, Vector3::new(x, y, z)).expect("radii").into()
        }
    };
    (Geometry::Convex(vec![shape]), Vector3::new(x.wide(), 0.0, 0.0))
}

/// Triangles with one corner inside a solid by a hair, or outside it, and the others beyond: without
/// its pad the filter would call some that are apart colliding.
fn corners<T: Scalar>() {
    let (mut random, mut verdicts, mut colliding) = (Random(5910), [0; 2], 0);
    for round in 0..600 {
        let mechanism = Arc::new(random_mechanism(&mut random, 3 + round % 5));
        let values = rows::<T>(&mechanism, &mut random, 1);
        let mut poses: Vec<Pose<T>> = Vec::new();
        mechanism.poses(&values, &mut poses).expect("values within limits");
        let (solid, surface) = solid_with_surface_point::<T>(&mut random, round);
        let base = [None, Some(random_base::<T>(&mut random, 20.0))][round / 6 % 2];
        let last = base.map_or(poses[poses.len() - 1], |base| base * poses[poses.len() - 1]);
        let turn: Pose<T> = turned(&mut random, [0.0; 3]);
        let wide =
            |q: UnitQuaternion<T>| UnitQuaternion::new_normalize(q.coords.map(T::wide).into());
        let out = wide(turn.rotation) * Vector3::x();
        // The corner is at the origin of the link, the others half the size of the solid away.
        let size = surface.norm();
        let across = wide(turn.rotation) * Vector3::new(0.5, 0.5, 0.0);
        let local =
            |v: Vector3<f64>| Point3::from((wide(last.rotation).inverse() * v).map(T::nearest));
        let corners = vec![
            Point3::origin(),
            local((out + across) * size),
            local((out - across * 0.5 + wide(turn.rotation) * Vector3::z() * 0.5) * size),
        ];
        let blade = Mesh::new(corners, vec![[0, 1, 2]]).expect("a triangle");
        let count = mechanism.links().len();
        let add = |all: ModelBuilder<T>, index: usize| match index + 1 == count {
            true => all.part("blade", None, Geometry::Surface(blade.clone())),
            false => all.part(index.to_string(), None, Geometry::None),
        };
        let model = (0..count).fold(Model::builder(), add).build(&Build::fast()).expect("a model");
        let robot = Robot::new(model, Arc::clone(&mechanism));
        let hair = random.sign() * random.decade(-9.0, -1.0) * size;
        let corner = last.translation.vector.map(T::wide);
        let at = corner - out * hair - wide(turn.rotation) * surface;
        let mut place: Pose<T> = upright(at.into());
        place.rotation = turn.rotation;
        let obstacle = Model::builder().part("solid", None, solid).build(&Build::fast());
        let world = [(obstacle.expect("a solid"), vec![place])];
        let bases: Vec<Pose<T>> = base.into_iter().collect();
        let (robot, bases) = (&robot, &bases[..]);
        let single = Single { robot, accuracy: Accuracy::Exact, margin: 0.0, world: &world, bases };
        let [_, touching, _] = single.check(&values, 1);
        verdicts[touching as usize] += 1;
        let (mut scratch, mut found) = (CollisionBatchScratch::default(), [false]);
        let batch = single.batch();
        match bases {
            [] => batch.check(&values, &mut found, &mut scratch),
            bases => batch.check_with_bases(&values, bases, &mut found, &mut scratch),
        }
        .expect("values within limits");
        colliding += scratch.counts().colliding_rows;
    }
    assert!(verdicts.iter().all(|&count| count > 200), "{verdicts:?}");
    assert!(colliding > 30, "{colliding}");
}

scalars! {
    corners_inside_a_solid_by_a_hair => corners();
}

/// A slide whose balls touch at a value of few digits, in exact arithmetic.
fn closed_form<T: Scalar>() {
    let slide = JointKind::Prismatic { axis: Vector3::x(), mimic: Mimic::direct(0) };
    let origin = Isometry3::identity();
    let links =
        vec![link("base", None, origin, JointKind::Fixed), link("tool", Some(0), origin, slide)];
    let actuator = Actuator { name: "slide".into(), limits: Some([0.0, 4.0]) };
    let mechanism = Arc::new(Mechanism::new(links, vec![actuator]).expect("a slide"));
    let radii = [T::nearest(0.75), T::nearest(0.5)];
    let robot = two_balls(&mechanism, radii);
    let batch = CollisionBatch::new(&mechanism, &robot.model, Accuracy::Exact).expect("a robot");
    let (at, step) = (1.25, 1.0 / f64::from(1 << 20));
    let values = [at - step, at, at + step, 4.0].map(T::nearest);
    let (mut verdicts, mut scratch) = ([false; 4], CollisionBatchScratch::default());
    batch.check(&values, &mut verdicts, &mut scratch).expect("values within limits");
    assert_eq!(verdicts, [true, true, false, false]);
    assert_eq!(scratch.counts().exact_rows, 3, "the last row is far off");
    let careful = SelfQuery::new(Accuracy::Exact).margin(0.25);
    let batch = CollisionBatch::new(&mechanism, &robot.model, careful).expect("a robot");
    // A margin between round shapes has a slack, in single precision 2^-18 of their size.
    let (at, step) = (1.5, 1.0 / f64::from(1 << 14));
    let values = [at - step, at, at + step, 4.0].map(T::nearest);
    batch.check(&values, &mut verdicts, &mut scratch).expect("values within limits");
    assert_eq!(verdicts, [true, true, false, false]);
}

scalars! {
    balls_exactly_at_their_bound => closed_form();
}

fn refusals<T: Scalar>() {
    let mut random = Random(5904);
    let mechanism = Arc::new(random_mechanism(&mut random, 5));
    let robot = two_balls::<T>(&mechanism, [T::nearest(0.1); 2]);
    let batch = CollisionBatch::new(&mechanism, &robot.model, Accuracy::Exact).expect("a robot");
    let (count, width) = (37, mechanism.actuators().len());
    let good = rows::<T>(&mechanism, &mut random, count);
    let mut scratch = CollisionBatchScratch::default();
    let before: Vec<bool> = (0..count).map(|row| row % 3 == 0).collect();
    let mut verdicts = before.clone();
    let mut refused = |values: &[T], verdicts: &mut [bool]| {
        batch.check(values, verdicts, &mut scratch).expect_err("refused")
    };
    for (row, own) in [(0, 0), (15, width - 1), (16, 0), (36, width - 1)] {
        let limits = mechanism.actuators()[own].limits;
        let beyond = limits.map(|[_, most]| T::nearest(most + 0.1));
        let broken = [T::nearest(f64::NAN), T::nearest(f64::INFINITY), -T::nearest(f64::INFINITY)];
        for value in broken.into_iter().chain(beyond) {
            let mut values = good.clone();
            values[row * width + own] = value;
            // A later row is refused, too.
            values[count * width - 1] = T::nearest(f64::NAN);
            let (one, mut poses) = (&values[row * width..(row + 1) * width], Vec::new());
            let source = Box::new(mechanism.poses(one, &mut poses).expect_err("refused"));
            assert_eq!(refused(&values, &mut verdicts), Error::Row { row, source });
            assert_eq!(verdicts, before);
        }
    }
    let short = refused(&good[1..], &mut verdicts);
    let (expected, found) = (count * width, count * width - 1);
    assert_eq!(short, Error::WrongCount { field: "actuator values", expected, found });
    assert_eq!(verdicts, before);
    batch.check(&good, &mut verdicts, &mut scratch).expect("values within limits");

    let other = Model::<T>::builder().part("0", None, Geometry::None);
    let other = other.build(&Build::fast()).expect("a model");
    let refused = CollisionBatch::new(&mechanism, &other, Accuracy::Exact).map(|_| ());
    assert_eq!(refused, Err(Error::WrongCount { field: "parts", expected: 5, found: 1 }));
    let refused = |query: SelfQuery| CollisionBatch::new(&mechanism, &robot.model, query).err();
    let negative = Error::Negative { field: "margin", index: 0 };
    assert_eq!(refused(SelfQuery::default().margin(-1.0)), Some(negative));
    let tolerance = Error::NotFinite { field: "tolerance", index: 0 };
    assert_eq!(refused(Accuracy::Within(f64::NAN).into()), Some(tolerance));
    let refused = batch.clone().with_obstacle(&other, &[]).map(|_| ());
    assert_eq!(refused, Err(Error::WrongCount { field: "poses", expected: 1, found: 0 }));

    // Pairs have the refusals of verdicts, bases those of poses.
    let mut refused = |values: &[T], bases: Option<&[Pose<T>]>| {
        let Some(bases) = bases else {
            return batch.pairs(values, count, &mut scratch).map(<[BatchPair]>::len);
        };
        let pairs = batch.pairs_with_bases(values, bases, count, &mut scratch);
        let pairs = pairs.map(<[BatchPair]>::len);
        let found = batch.check_with_bases(values, bases, &mut verdicts, &mut scratch);
        assert_eq!(found.err(), pairs.clone().err());
        pairs
    };
    assert!(refused(&good, None).is_ok());
    let mut values = good.clone();
    values[20 * width] = T::nearest(f64::NAN);
    assert!(matches!(refused(&values, None), Err(Error::Row { row: 20, .. })));
    let found = count * width - 1;
    let short = Error::WrongCount { field: "actuator values", expected: count * width, found };
    assert_eq!(refused(&good[1..], None), Err(short));
    let mut bases = vec![upright::<T>([1.0, 2.0, 3.0]); count];
    assert!(refused(&good, Some(&bases)).is_ok() && refused(&good, Some(&bases[..1])).is_ok());
    for wrong in [0, 2, count - 1] {
        let few = Error::WrongCount { field: "bases", expected: count, found: wrong };
        assert_eq!(refused(&good, Some(&bases[..wrong])), Err(few));
    }
    bases[5].translation.x = T::nearest(f64::NAN);
    assert_eq!(refused(&good, Some(&bases)), Err(Error::NotFinite { field: "base", index: 5 }));
    bases[4].rotation = UnitQuaternion::new_unchecked(Quaternion::identity() * T::nearest(1.01));
    let found = refused(&good, Some(&bases));
    assert!(matches!(found, Err(Error::NotUnit { field: "base", index: 4, .. })), "{found:?}");
}

scalars! {
    invalid_rows_are_named_and_change_nothing => refusals();
}

#[test]
fn a_warm_check_allocates_nothing() {
    let mut random = Random(5905);
    let robot = random_robot::<f32>(&mut random, 8);
    let at = [Isometry3::translation(2.0, 0.0, 0.0)];
    let wall = Model::builder().part("wall", None, random_part(&mut random, 3));
    let wall = wall.build(&Build::fast()).expect("a model");
    for query in [SelfQuery::new(Accuracy::Exact), Accuracy::Budget(100).into()] {
        let batch = CollisionBatch::new(&robot.mechanism, &robot.model, query).expect("a robot");
        let batch = batch.with_obstacle(&wall, &at).expect("sound poses");
        let values = rows::<f32>(&robot.mechanism, &mut random, 50);
        let (mut verdicts, mut scratch) = ([false; 50], CollisionBatchScratch::default());
        let bases = [Isometry3::translation(0.1, 0.0, 0.0)];
        let mut round = || {
            batch.check(&values, &mut verdicts, &mut scratch).expect("checked");
            let pairs = batch.pairs_with_bases(&values, &bases, 50, &mut scratch);
            assert!(!pairs.expect("checked").is_empty());
        };
        assert!(allocation_counter::measure(&mut round).count_total > 0);
        assert_eq!(allocation_counter::measure(&mut round).count_total, 0);
    }
}

#[test]
fn threads_share_a_batch() {
    let mut random = Random(5906);
    let robot = random_robot::<f64>(&mut random, 8);
    let (count, width) = (203, robot.mechanism.actuators().len());
    let values = rows::<f64>(&robot.mechanism, &mut random, count);
    let batch =
        CollisionBatch::new(&robot.mechanism, &robot.model, Accuracy::Exact).expect("a robot");
    let check = |threads: usize| {
        let (share, mut verdicts) = (count.div_ceil(threads), vec![false; count]);
        std::thread::scope(|scope| {
            let chunks = values.chunks(share * width).zip(verdicts.chunks_mut(share));
            for (values, verdicts) in chunks {
                let batch = &batch;
                scope.spawn(move || {
                    let mut scratch = CollisionBatchScratch::default();
                    batch.check(values, verdicts, &mut scratch).expect("values within limits");
                });
            }
        });
        verdicts
    };
    let one = check(1);
    assert!((2..20).all(|threads| check(threads) == one));
    assert!(one.contains(&true) && one.contains(&false));
}

/// Robots of the data folder, with a table and a wall.
fn real<T: Scalar>() {
    let Some(data) = data() else { return };
    let robots = data.join("robots");
    let loader = || Loader::<T>::new().build(Build::fast());
    let urdf = |file: &str, srdf: &str| {
        loader().srdf(robots.join(srdf)).urdf(robots.join(file)).expect("a robot")
    };
    let all = [
        ("panda", urdf("panda/urdf/panda.urdf", "panda/srdf/panda.srdf"), 700),
        (
            "panda of primitives",
            loader().urdf(robots.join("panda/urdf/panda_collision.urdf")).expect("a robot"),
            200,
        ),
        ("talos", urdf("talos/robots/talos_full_v2.urdf", "talos/srdf/talos.srdf"), 60),
        (
            "humanoid",
            loader().mjcf(robots.join("humanoid-cmu/humanoid_CMU_V2020.xml")).expect("a robot"),
            60,
        ),
    ];
    for (name, robot, count) in all {
        let mut random = Random(5907);
        let block = |half: [f64; 3]| {
            let half = vector::<T>(half);
            let at = upright::<T>([0.0; 3]);
            let block = Obb::from_pose(&at, half).expect("a box");
            Geometry::Boxes(vec![block])
        };
        let table = Model::builder().part("table", None, block([0.4, 0.6, 0.05]));
        let wall = Model::builder().part("wall", None, block([0.05, 0.8, 0.8]));
        let built = |parts: ModelBuilder<T>| parts.build(&Build::fast()).expect("a model");
        let world = [
            (built(table), vec![upright([0.6, 0.0, 0.3])]),
            (built(wall), vec![upright([-0.6, 0.0, 0.8])]),
        ];
        let values = rows::<T>(&robot.mechanism, &mut random, count);
        let bases: Vec<Pose<T>> = (0..count).map(|_| random_base(&mut random, 0.5)).collect();
        let (alone, still) = (&world[..0], &bases[..0]);
        for (margin, world, bases) in [
            (0.0, alone, still),
            (0.01, alone, still),
            (0.0, &world[..], still),
            (0.0, &world[..], &bases[..]),
        ] {
            let (robot, accuracy) = (&robot, Accuracy::Exact);
            let single = Single { robot, accuracy, margin, world, bases };
            let [rows, touching, open] = single.check(&values, count);
            let base = if bases.is_empty() { "" } else { ", bases" };
            println!("{name}, margin {margin}{base}: {rows} rows, {touching} touch, {open} open");
        }
    }
}

scalars! {
    robots_of_files => real();
}
