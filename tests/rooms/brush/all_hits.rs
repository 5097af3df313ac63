//! Casts through everything: every brush on the way with the times of its first and last contact,
//! against distances by their definitions at many moments, and parry3d's times of impact.
//!
//! Each brush is in a group of its own, so that a first-hit cast at it alone, in the same world, is
//! what its entry must equal bit for bit.

use std::fmt::Debug;

use boxwood::brush::{
    BodyId, BrushFilter, BrushId, BrushWorld, CastTarget, CylinderAt, Expansion, RayPassage,
};
use boxwood::pair::CastHit;
use boxwood::shape::{Capsule, Ray, Segment, Sphere, UprightCylinder};
use boxwood::{CollisionGroups, Error};
use support::brushes::{any_brush, brush, cuboid, half_spaces, moved};
use support::cylinder_distance::{Corners, Cylinder, HalfSpace};
use support::parry::Peer;
use support::plain_box::UPRIGHT;
use support::prelude::*;

use super::casts::clipped;
use super::levels::{levels, spawns};
use super::other_casts::segment_distance;

type Hit<T> = CastHit<T, 3, BrushId>;

fn all() -> BrushFilter {
    BrushFilter::default()
}

/// Returns the filter of the brush at an index alone.
fn alone(index: usize) -> BrushFilter {
    all().groups(CollisionGroups { memberships: u64::MAX, filter: 1 << index })
}

/// World of static brushes, of brushes on a body that has moved, and on one that has turned; and
/// the half-spaces of all as they are now.
struct Stage {
    world: BrushWorld,
    now: Vec<Vec<HalfSpace>>,
}

impl Stage {
    /// Builds the world of some brushes; each chooses its body.
    fn new(random: &mut Random, brushes: &[Vec<HalfSpace>]) -> Stage {
        let mut builder = BrushWorld::builder();
        let bodies = [BodyId::STATIC, builder.body(), builder.body()];
        let turn = Vector3::z() * random.between(-3.0, 3.0);
        let poses = [
            Isometry3::identity(),
            Isometry3::translation(random.between(-2.0, 2.0), 0.5, random.between(-2.0, 2.0)),
            Isometry3::new(random.vector(2.0), turn),
        ];
        let mut now = Vec::new();
        for (index, planes) in brushes.iter().enumerate() {
            let solid = brush(planes);
            let groups = CollisionGroups { memberships: 1 << index, filter: u64::MAX };
            let own = random.below(3);
            let axis = |i: usize| (poses[own].rotation * Vector3::ith(i, 1.0)).into();
            let by = poses[own].translation.vector.into();
            now.push(moved(&half_spaces(&solid), &[axis(0), axis(1), axis(2)], by));
            builder.push_to(bodies[own], solid, groups);
        }
        let mut world = builder.build().expect("its own ids");
        for i in 1..3 {
            world.set_pose(bodies[i], poses[i]).expect("about z");
        }
        Stage { world, now }
    }

    /// Draws up to a dozen brushes within 6 of the origin.
    fn crowd(random: &mut Random) -> Stage {
        let count = 1 + random.below(12);
        let brushes: Vec<_> = (0..count).map(|_| one_brush(random)).collect();
        Stage::new(random, &brushes)
    }

    fn corners(&self) -> Vec<Corners> {
        self.now.iter().map(|planes| Corners::of_planes(planes).expect("a brush")).collect()
    }
}

/// Draws a brush of any kind: some thin as a light barrier, some large enough to start deep inside.
fn one_brush(random: &mut Random) -> Vec<HalfSpace> {
    let by = std::array::from_fn(|_| random.between(-5.0, 5.0));
    let turn = if random.chance(0.5) { random.quarter() } else { random.rotation() };
    let planes = match random.below(5) {
        0 => {
            let half = [random.decade(-4.0, -3.0), random.decade(-1.0, 0.7), 2.0];
            cuboid(half.map(|x| -x), half)
        }
        1 => cuboid([-4.0; 3], [4.0; 3]),
        _ => any_brush(random),
    };
    moved(&planes, &turn, by)
}

fn somewhere(random: &mut Random) -> V {
    std::array::from_fn(|_| random.between(-8.0, 8.0))
}

/// Draws a straight motion; some are short, some have no length.
fn motion<T: Scalar>(random: &mut Random) -> (Point3<T>, Vector3<T>) {
    let (start, to) = (point::<T>(somewhere(random)), vector::<T>(somewhere(random)));
    let share = [1.0, 1.0, 1.0, 0.05, 0.0][random.below(5)];
    (start, (to - start.coords) * T::nearest(share))
}

fn wide<T: Scalar>(v: Vector3<T>) -> V {
    v.map(T::wide).into()
}

/// Asserts that the entries are those of the casts at each brush alone, in the order of times, and
/// that the first is that of the cast that returns one.
fn agree_with_first_hits<T: Scalar>(
    stage: &Stage,
    hits: &[Hit<T>],
    first: impl Fn(&BrushFilter) -> Option<Hit<T>>,
) {
    assert_eq!(hits.first().copied(), first(&all()), "{hits:?}");
    let sorted = |pair: &[Hit<T>]| {
        let [a, b] = [&pair[0], &pair[1]];
        a.time_of_impact < b.time_of_impact
            || a.time_of_impact == b.time_of_impact && (a.target < b.target || T::ROUNDING > 1e-10)
    };
    assert!(hits.windows(2).all(sorted), "{hits:?}");
    for index in 0..stage.now.len() {
        let entry = hits.iter().filter(|hit| hit.target.0 as usize == index);
        let alone = first(&alone(index));
        assert_eq!(entry.copied().collect::<Vec<_>>(), alone.into_iter().collect::<Vec<_>>());
    }
}

/// Counts of what a proof has seen.
#[derive(Debug, Default)]
struct Tally {
    missed: usize,
    crossed: usize,
    ended: usize,
    inside: usize,
}

impl Tally {
    /// Asserts that every kind has its share.
    fn is_enough(&self, cases: usize) {
        let Tally { missed, crossed, ended, inside } = *self;
        println!("{self:?}");
        assert!([missed, crossed, ended, inside].iter().all(|&n| n * 50 > cases), "{self:?}");
    }
}

/// Asserts a hit, or none, against the gap of mover and brush at each time: above 0 apart, below 0
/// inside. `error` is that of the gap; `length` that of the displacement.
fn agrees_with_gap<T: Scalar>(
    tally: &mut Tally,
    hit: Option<&Hit<T>>,
    (length, error): (f64, f64),
    gap: impl Fn(f64) -> f64,
) {
    let moments = (0..=24).map(|i| f64::from(i) / 24.0);
    let Some(hit) = hit else {
        tally.missed += 1;
        let least = moments.map(gap).fold(f64::INFINITY, f64::min);
        assert!(least > -error, "missed by {least:e}");
        return;
    };
    let (enter, leave) = (hit.time_of_impact.wide(), hit.time_of_leaving.wide());
    let slack = hit.slack.wide() + error;
    // Rounding of the time of leaving to the scalar.
    let late = slack + 4.0 * T::ROUNDING * length;
    assert!((0.0..=1.0).contains(&enter) && leave >= enter, "{hit:?}");
    assert!(gap(enter) <= slack, "early by {:e}: {hit:?}", gap(enter));
    assert!(enter == 0.0 || gap(enter) > -error, "late by {:e}: {hit:?}", gap(enter));
    assert_eq!(hit.started_inside, enter == 0.0, "{hit:?}");
    if leave.is_finite() {
        tally.crossed += 1;
        assert!(leave <= 1.0, "{hit:?}");
        assert!(gap(leave) > -error, "leaves early by {:e}: {hit:?}", gap(leave));
        assert!(gap(leave) <= late, "leaves late by {:e}: {hit:?}", gap(leave));
    } else {
        tally.ended += 1;
        assert!(gap(1.0) <= late, "apart at the end by {:e}: {hit:?}", gap(1.0));
    }
    tally.inside += usize::from(hit.started_inside);
    for time in moments {
        let now = gap(time);
        match time < enter || time > leave {
            true => assert!(now > -error, "inside by {now:e} at {time}: {hit:?}"),
            false => assert!(now <= late, "apart by {now:e} at {time}: {hit:?}"),
        }
    }
}

fn of<T: Scalar>(hits: &[Hit<T>], index: usize) -> Option<&Hit<T>> {
    hits.iter().find(|hit| hit.target.0 as usize == index)
}

fn cylinders_beside_the_oracle<T: Scalar>(seed: u64) {
    let (mut random, mut hits, mut tally) = (Random(seed), Vec::new(), Tally::default());
    let count = cases(2_000);
    for _ in 0..count {
        let stage = Stage::crowd(&mut random);
        let size = [random.decade(-2.0, 0.0), random.decade(-2.0, 0.3)].map(T::nearest);
        let solid = UprightCylinder::new(size[0], size[1]).expect("a size");
        let plain = Cylinder { radius: size[0].wide(), half_height: size[1].wide() };
        let (start, way) = motion::<T>(&mut random);
        let world = &stage.world;
        world.cast_cylinder_all(&solid, start, way, &all(), &mut hits).expect("numbers");
        agree_with_first_hits(&stage, &hits, |filter| {
            world.cast_cylinder(&solid, start, way, filter).expect("numbers")
        });
        let (from, by) = (wide(start.coords), wide(way));
        for (index, twin) in stage.corners().iter().enumerate() {
            let hit = of(&hits, index);
            if hit.is_none() {
                let least = twin.least_gap(&plain, from, by, 0.0);
                assert!(least > -1e-9, "missed by {least:e}: {start} {way}");
            }
            let gap = |time: f64| twin.gap(&plain, plus(from, times(by, time)));
            agrees_with_gap(&mut tally, hit, (norm(by), 2e-9), gap);
        }
    }
    tally.is_enough(count);
}

/// Returns the box in parry3d.
fn peer_box(half: V, center: V) -> Peer {
    Peer::solid(&PlainBox { center, axes: UPRIGHT, half })
}

/// Returns the brush in parry3d, whose hulls of thin brushes are others.
fn peer_hull(twin: &Corners) -> Option<Peer> {
    let size = |i: usize| {
        let coordinates = || twin.points.iter().map(|p| p[i]);
        coordinates().fold(f64::MIN, f64::max) - coordinates().fold(f64::MAX, f64::min)
    };
    let is_thick = (0..3).all(|i| size(i) > 0.05);
    if is_thick { Peer::hull(&twin.points) } else { None }
}

/// Returns the greatest distance between a brush and an axis-aligned box along the normals of both
/// and the cross products of their edges: negative if and only if the two overlap.
fn box_gap(planes: &[HalfSpace], twin: &Corners, half: V, center: V) -> f64 {
    let edges = twin.edges.iter().map(|&(i, j)| minus(twin.points[j], twin.points[i]));
    let across = edges.flat_map(|edge| UPRIGHT.map(|axis| outer(edge, axis)));
    let axes = planes.iter().map(|plane| plane.0).chain(UPRIGHT).chain(across);
    let apart = axes.filter(|axis| norm(*axis) > 1e-6).map(|axis| {
        let axis = times(axis, 1.0 / norm(axis));
        let reach: f64 = (0..3).map(|i| axis[i].abs() * half[i]).sum();
        let along = || twin.points.iter().map(|&p| inner(axis, minus(p, center)));
        let low = along().fold(f64::MAX, f64::min) - reach;
        low.max(-reach - along().fold(f64::MIN, f64::max))
    });
    apart.fold(f64::MIN, f64::max)
}

/// Counts of sweeps that parry3d finds too, and of those whose times differ by more than its own
/// accuracy.
#[derive(Debug, Default)]
struct ParrySweeps {
    all: usize,
    far: usize,
}

impl ParrySweeps {
    /// Asserts that parry3d finds nearly the same time of impact.
    fn add<T: Scalar>(&mut self, hit: Option<&Hit<T>>, (mover, solid): (&Peer, &Peer), by: V) {
        let Some((time, hit)) = mover.sweep(solid, [by, [0.0; 3]]).zip(hit) else { return };
        let apart = (time - hit.time_of_impact.wide()) * norm(by);
        // At a shallow angle the same distance is a longer way.
        let across = apart * hit.normal.map(T::wide).dot(&Vector3::from(by)).abs() / norm(by);
        assert!(hit.started_inside || across.abs() < 0.01, "{across:e} {hit:?}");
        self.all += 1;
        self.far += usize::from(!hit.started_inside && across.abs() > 1e-3);
    }

    fn is_enough(&self, cases: usize) {
        println!("{self:?}");
        assert!(self.all * 2 > cases && self.far * 20 < self.all, "{self:?}");
    }
}

fn boxes_beside_parry<T: Scalar>(seed: u64) {
    let (mut random, mut hits, mut tally) = (Random(seed), Vec::new(), Tally::default());
    let (count, mut swept) = (cases(2_000), ParrySweeps::default());
    for _ in 0..count {
        let stage = Stage::crowd(&mut random);
        let half = Vector3::from_fn(|_, _| T::nearest(random.decade(-1.5, 0.3)));
        let (start, way) = motion::<T>(&mut random);
        let world = &stage.world;
        world.cast_box_all(half, start, way, &all(), &mut hits).expect("numbers");
        agree_with_first_hits(&stage, &hits, |filter| {
            world.cast_box(half, start, way, filter).expect("numbers")
        });
        let (from, by, half) = (wide(start.coords), wide(way), wide(half));
        for (index, twin) in stage.corners().iter().enumerate() {
            let hit = of(&hits, index);
            let gap =
                |time: f64| box_gap(&stage.now[index], twin, half, plus(from, times(by, time)));
            agrees_with_gap(&mut tally, hit, (norm(by), 1e-9), gap);
            if let Some(solid) = peer_hull(twin) {
                swept.add(hit, (&peer_box(half, from), &solid), by);
            }
        }
    }
    swept.is_enough(count);
    tally.is_enough(count);
}

fn capsules_beside_distances<T: Scalar>(seed: u64) {
    let (mut random, mut hits, mut tally) = (Random(seed), Vec::new(), Tally::default());
    let (count, mut swept, mut deep) = (cases(2_000), ParrySweeps::default(), 0);
    for round in 0..count {
        let stage = Stage::crowd(&mut random);
        let (start, way) = motion::<T>(&mut random);
        let is_ball = round % 3 == 0;
        let end = if is_ball { start } else { start + vector::<T>(random.vector(1.0).into()) };
        // Some have no radius: a point or a segment.
        let radius = if random.chance(0.1) { 0.0 } else { random.decade(-1.5, 0.3) };
        let radius = T::nearest(radius);
        let core = Segment::new(start, end).expect("numbers");
        let body = Capsule::new(core, radius).expect("a size");
        let world = &stage.world;
        if is_ball {
            let ball = Sphere::new(start, radius).expect("a ball");
            world.cast_ball_all(&ball, way, &all(), &mut hits).expect("numbers");
            agree_with_first_hits(&stage, &hits, |filter| {
                world.cast_ball(&ball, way, filter).expect("numbers")
            });
        } else {
            world.cast_capsule_all(&body, way, &all(), &mut hits).expect("numbers");
            agree_with_first_hits(&stage, &hits, |filter| {
                world.cast_capsule(&body, way, filter).expect("numbers")
            });
        }
        let [a, b] = [start, end].map(|p| wide(p.coords));
        let (by, radius) = (wide(way), radius.wide());
        for (index, twin) in stage.corners().iter().enumerate() {
            let solid = brush(&stage.now[index]);
            let hit = of(&hits, index);
            let gap = |time: f64| {
                let ends = [a, b].map(|p| Point3::from(plus(p, times(by, time))));
                segment_distance(&solid, ends) - radius
            };
            deep += usize::from(hit.is_some_and(|hit| hit.started_inside && gap(0.5) < -1e-9));
            // A core without a radius has no depth: inside and on the surface are one.
            agrees_with_gap(&mut tally, hit, (norm(by), 1e-7), gap);
            if let Some(solid) = peer_hull(twin)
                && radius > 0.0
            {
                let mover =
                    if is_ball { Peer::ball(a, radius) } else { Peer::capsule([a, b], radius) };
                swept.add(hit, (&mover, &solid), by);
            }
        }
    }
    println!("{deep} deep inside half way");
    assert!(deep * 50 > count, "{deep}");
    swept.is_enough(count);
    tally.is_enough(count);
}

fn rays_beside_clipping<T: Scalar>(seed: u64) {
    let (mut random, mut passages) = (Random(seed), Vec::new());
    let (count, mut crossed, mut ended) = (cases(5_000), 0, 0);
    for _ in 0..count {
        let stage = Stage::crowd(&mut random);
        let (from, along) = (somewhere(&mut random), random.direction());
        let ray = Ray::new(point::<T>(from), Unit::new_normalize(vector::<T>(along)));
        let ray = ray.expect("a unit direction");
        let length = T::nearest(random.decade(-1.0, 1.3));
        let world = &stage.world;
        world.ray_cast_all(&ray, length.wide(), &all(), &mut passages).expect("numbers");
        let hits: Vec<_> = passages.iter().map(|one| one.hit).collect();
        let first = world.ray_cast(&ray, length.wide(), &all()).expect("numbers");
        assert_eq!(hits.first().copied(), first);
        assert!(hits.is_sorted_by(|a, b| a.distance <= b.distance), "{hits:?}");
        let (from, along) = (wide(ray.origin().coords), wide(ray.direction().into_inner()));
        for (index, planes) in stage.now.iter().enumerate() {
            let entry = passages.iter().find(|one| one.hit.target.0 as usize == index);
            let single = world.ray_cast(&ray, length.wide(), &alone(index)).expect("numbers");
            assert_eq!(entry.map(|one| one.hit), single);
            let span = clipped(planes, from, along).filter(|span| span.0 <= length.wide());
            let Some((enter, leave)) = span else {
                let grazes = |one: &RayPassage<T>| {
                    let leave = one.distance_of_leaving.wide().min(length.wide());
                    (leave - one.hit.distance.wide()) < 1e-4
                };
                assert!(entry.is_none_or(grazes), "{entry:?}");
                continue;
            };
            let Some(one) = entry else {
                panic!("missed from {enter} to {leave}: {from:?} {along:?}")
            };
            let left = one.distance_of_leaving.wide();
            assert!(one.hit.distance.wide() <= enter + 1e-12, "late: {enter} {one:?}");
            assert!(left >= leave - 1e-12 || left >= length.wide(), "early: {leave} {one:?}");
            match left.is_finite() {
                true => crossed += usize::from(left - leave < 1e-3),
                false => {
                    assert!(leave > length.wide() - 1e-3, "{leave} {one:?}");
                    ended += 1;
                }
            }
        }
    }
    assert!(crossed * 20 > count && ended * 50 > count, "{crossed} {ended}");
}

/// Distance of two upright cylinders, beside or above each other; below 0 inside.
fn apart<T: Scalar>(a: &UprightCylinder<T>, at: V, other: &CylinderAt<T>) -> f64 {
    let [x, y, z] = minus(at, wide(other.center.coords));
    let [own, its] = [a, &other.cylinder].map(|c| [c.radius().wide(), c.half_height().wide()]);
    let (beside, above) = (x.hypot(y) - own[0] - its[0], z.abs() - own[1] - its[1]);
    if beside > 0.0 && above > 0.0 { beside.hypot(above) } else { beside.max(above) }
}

fn cylinders_among_others<T: Scalar>(seed: u64) {
    let (mut random, mut hits, mut brushes) = (Random(seed), Vec::new(), Vec::new());
    let (mut tally, count) = (Tally::default(), cases(4_000));
    for _ in 0..count {
        let stage = Stage::crowd(&mut random);
        let size = |random: &mut Random| {
            let [radius, half] = [(); 2].map(|()| T::nearest(random.decade(-1.5, 0.3)));
            UprightCylinder::new(radius, half).expect("a size")
        };
        let own = size(&mut random);
        let (start, way) = motion::<T>(&mut random);
        let mut others: Vec<CylinderAt<T>> = (0..random.below(6))
            .map(|_| CylinderAt {
                cylinder: size(&mut random),
                center: start
                    + way * T::nearest(random.between(-0.2, 1.2))
                    + vector::<T>(somewhere(&mut random)) * T::nearest(0.1),
                groups: CollisionGroups { memberships: [1, 2][random.below(2)], filter: u64::MAX },
            })
            .collect();
        // Two at one place are hit at one time.
        others.extend(others.first().copied());
        let filter = all().groups(CollisionGroups { memberships: u64::MAX, filter: !2 });
        let world = &stage.world;
        let cast = world.cast_cylinder_among_all(&own, start, way, &filter, &others, &mut hits);
        cast.expect("numbers");
        let first = world.cast_cylinder_among(&own, start, way, &filter, &others);
        assert_eq!(first.expect("numbers"), hits.first().copied());
        // Its brushes are those of the cast without cylinders, in their order.
        world.cast_cylinder_all(&own, start, way, &filter, &mut brushes).expect("numbers");
        let of_brushes = hits.iter().filter(|hit| matches!(hit.target, CastTarget::Brush(_)));
        let found = of_brushes.map(|hit| (hit.target, hit.time_of_impact, hit.time_of_leaving));
        let expected = brushes
            .iter()
            .map(|hit| (CastTarget::Brush(hit.target), hit.time_of_impact, hit.time_of_leaving));
        assert!(found.eq(expected), "{hits:?} {brushes:?}");
        let rank = |target: CastTarget| match target {
            CastTarget::Brush(_) => 0,
            CastTarget::Cylinder(index) => 1 + index,
        };
        for pair in hits.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            let in_order = rank(a.target) <= rank(b.target);
            assert!(a.time_of_impact < b.time_of_impact || in_order, "{pair:?}");
        }
        for (index, other) in others.iter().enumerate() {
            let entry = hits.iter().find(|hit| hit.target == CastTarget::Cylinder(index));
            if other.groups.memberships == 2 {
                assert_eq!(entry, None);
                continue;
            }
            let entry: Option<Hit<T>> = entry.map(|hit| hit.with_target(BrushId(0)));
            let gap = |time: f64| {
                let at = plus(wide(start.coords), times(wide(way), time));
                apart(&own, at, other)
            };
            let length = norm(wide(way));
            agrees_with_gap(&mut tally, entry.as_ref(), (length, 1e-9), gap);
        }
    }
    tally.is_enough(count);
}

/// Builds static brushes, each in a group of its own.
fn still(brushes: &[Vec<HalfSpace>]) -> BrushWorld {
    let mut builder = BrushWorld::builder();
    for (index, planes) in brushes.iter().enumerate() {
        let groups = CollisionGroups { memberships: 1 << (index % 64), filter: u64::MAX };
        builder.push(brush(planes), groups);
    }
    builder.build().expect("its own ids")
}

fn near<T: Scalar>(found: T, expected: f64, error: f64) {
    let found = found.wide();
    let same = found == expected || (found - expected).abs() < error;
    assert!(same, "{found} instead of {expected}");
}

/// Known times of the four movers, whose reach along x is the same, among boxes along x.
fn known_times<T: Scalar>(
    walls: &[[f64; 2]],
    (at, reach, way): (f64, f64, f64),
    expected: &[(u32, f64, f64)],
) {
    let slab = |&[from, to]: &[f64; 2]| cuboid([from, -4.0, -4.0], [to, 4.0, 4.0]);
    let world = still(&walls.iter().map(slab).collect::<Vec<_>>());
    let (start, by) = (point::<T>([at, 0.0, 0.0]), vector::<T>([way, 0.0, 0.0]));
    let size = T::nearest(reach);
    let cylinder = UprightCylinder::new(size, T::one()).expect("a size");
    let ball = Sphere::new(start, size).expect("a size");
    let up = vector::<T>([0.0, 0.0, 1.0]);
    let core = Segment::new(start - up, start + up).expect("numbers");
    let capsule = Capsule::new(core, size).expect("a size");
    let (mut hits, all) = (Vec::new(), all());
    for mover in 0..4 {
        match mover {
            0 => world.cast_cylinder_all(&cylinder, start, by, &all, &mut hits),
            1 => world.cast_box_all(Vector3::repeat(size), start, by, &all, &mut hits),
            2 => world.cast_ball_all(&ball, by, &all, &mut hits),
            _ => world.cast_capsule_all(&capsule, by, &all, &mut hits),
        }
        .expect("numbers");
        let ids: Vec<u32> = hits.iter().map(|hit| hit.target.0).collect();
        let wanted: Vec<u32> = expected.iter().map(|one| one.0).collect();
        assert_eq!(ids, wanted, "mover {mover}: {hits:?}");
        for (hit, &(_, enter, leave)) in hits.iter().zip(expected) {
            let size = walls.iter().flatten().fold(at.abs(), |most, x| most.max(x.abs()));
            let error = (1e-9 + 2e-12 * size).max(16.0 * T::ROUNDING);
            near(hit.time_of_impact, enter, error);
            near(hit.time_of_leaving, leave, error);
            assert!(hit.time_of_impact.wide() <= enter, "late: {hit:?}");
            assert!(hit.time_of_leaving.wide() >= leave, "early: {hit:?}");
            assert_eq!(hit.started_inside, enter == 0.0, "mover {mover}: {hit:?}");
        }
    }
}

const NEVER: f64 = f64::INFINITY;

fn times_of_slabs<T: Scalar>() {
    // Thin as a light barrier, crossed in a single tick; then one in which the motion ends.
    known_times::<T>(
        &[[2.0, 2.001], [5.0, 6.0], [9.0, 12.0], [20.0, 21.0]],
        (0.0, 0.5, 10.0),
        &[(0, 0.15, 0.2501), (1, 0.45, 0.65), (2, 0.85, NEVER)],
    );
    // From within one, through another, from the other side.
    known_times::<T>(
        &[[-9.0, -7.0], [-1.0, 3.0], [-30.0, -20.0]],
        (0.0, 0.5, -16.0),
        &[(1, 0.0, 1.5 / 16.0), (0, 6.5 / 16.0, 9.5 / 16.0)],
    );
    // Deep inside of one all the time, the faces out of reach; one flat inside of it.
    known_times::<T>(
        &[[-100.0, 100.0], [1.0, 1.25]],
        (0.0, 0.25, 4.0),
        &[(0, 0.0, NEVER), (1, 0.1875, 0.375)],
    );
    // It touches one face at the start, leaves it inward, and ends inside.
    known_times::<T>(&[[-0.125, 90.0]], (0.0, 0.25, 8.0), &[(0, 0.0, NEVER)]);
    // It touches at the start only; at the end only.
    known_times::<T>(&[[-4.0, -0.5]], (0.0, 0.5, 4.0), &[(0, 0.0, 0.0)]);
    known_times::<T>(&[[4.5, 5.0]], (0.0, 0.5, 4.0), &[(0, 1.0, NEVER)]);
    // No displacement: what it touches, for ever.
    known_times::<T>(
        &[[-4.0, -0.5], [0.25, 0.5], [0.6, 1.0]],
        (0.0, 0.5, 0.0),
        &[(0, 0.0, NEVER), (1, 0.0, NEVER)],
    );
    // Huge brushes, and one far away.
    known_times::<T>(&[[-1e6, 0.0], [4.0, 1e6]], (1.0, 0.5, 6.0), &[(1, 2.5 / 6.0, NEVER)]);
    known_times::<T>(
        &[[65536.0, 65537.0], [65540.0, 65544.0]],
        (65530.0, 0.5, 16.0),
        &[(0, 5.5 / 16.0, 7.5 / 16.0), (1, 9.5 / 16.0, 14.5 / 16.0)],
    );
    // Two with one face in a plane, and three equal ones: by id.
    known_times::<T>(
        &[[4.0, 5.0], [2.0, 3.0], [2.0, 4.0], [2.0, 3.0], [2.0, 3.0]],
        (0.0, 0.5, 10.0),
        &[(1, 0.15, 0.35), (2, 0.15, 0.45), (3, 0.15, 0.35), (4, 0.15, 0.35), (0, 0.35, 0.55)],
    );
}

/// Times that differ in double precision and are equal in single precision: the order is that of
/// the first-hit form.
#[test]
fn times_equal_after_rounding_keep_the_order_of_the_first_hit() {
    let slab = |x: f64| cuboid([x, -4.0, -4.0], [x + 1.0, 4.0, 4.0]);
    let steps = [3.0, 1.0, 2.0, 0.0, 1.0];
    let world = still(&steps.map(|step| slab(5.1 + step * f64::powi(2.0, -35))));
    let (cylinder, start) = (UprightCylinder::new(0.5_f32, 1.0), Point3::origin());
    let (cylinder, way) = (cylinder.expect("a size"), Vector3::new(8.0, 0.0, 0.0));
    let ray = Ray::new(start, Vector3::x_axis()).expect("a ray");
    let (mut hits, mut passages) = (Vec::new(), Vec::new());
    let expected = [3, 1, 4, 2, 0].map(BrushId);
    world.cast_cylinder_all(&cylinder, start, way, &all(), &mut hits).expect("numbers");
    assert!(hits.iter().all(|hit| hit.time_of_impact == hits[0].time_of_impact), "{hits:?}");
    assert!(hits.iter().map(|hit| hit.target).eq(expected), "{hits:?}");
    let first = world.cast_cylinder(&cylinder, start, way, &all()).expect("numbers");
    assert_eq!(first, hits.first().copied());
    let half = Vector3::repeat(0.5);
    world.cast_box_all(half, start, way, &all(), &mut hits).expect("numbers");
    assert!(hits.iter().map(|hit| hit.target).eq(expected), "{hits:?}");
    world.ray_cast_all(&ray, 8.0, &all(), &mut passages).expect("numbers");
    assert!(passages.iter().map(|one| one.hit.target).eq(expected), "{passages:?}");
}

/// A motion along a face that only touches it counts, with every mover.
#[test]
fn parallel_faces_touch_all_the_time() {
    let world = still(&[cuboid([1.0, -2.0, -1.0], [3.0, 2.0, 0.0])]);
    let (start, way) = (Point3::new(-1.0, 0.0, 0.5), Vector3::new(8.0, 0.0, 0.0));
    let cylinder = UprightCylinder::new(0.5, 0.5).expect("a size");
    let ball = Sphere::new(start, 0.5).expect("a size");
    let mut hits = Vec::new();
    world.cast_cylinder_all(&cylinder, start, way, &all(), &mut hits).expect("numbers");
    near(hits[0].time_of_impact, 1.5 / 8.0, 1e-9);
    near(hits[0].time_of_leaving, 4.5 / 8.0, 1e-9);
    world.cast_box_all(Vector3::repeat(0.5), start, way, &all(), &mut hits).expect("numbers");
    near(hits[0].time_of_impact, 1.5 / 8.0, 1e-9);
    near(hits[0].time_of_leaving, 4.5 / 8.0, 1e-9);
    // The lowest point of the ball slides over the face; its pad lets it touch the edges earlier.
    world.cast_ball_all(&ball, way, &all(), &mut hits).expect("numbers");
    near(hits[0].time_of_impact, 2.0 / 8.0, 1e-6);
    near(hits[0].time_of_leaving, 4.0 / 8.0, 1e-6);
}

#[test]
fn refused_casts_leave_no_hits() {
    let world = still(&[cuboid([-1.0; 3], [1.0; 3])]);
    let start = Point3::<f64>::origin();
    let cylinder = UprightCylinder::new(0.4, 0.9).expect("a size");
    let ball = Sphere::new(start, 0.4).expect("a size");
    let capsule = Capsule::new(Segment::new(start, Point3::new(0.0, 0.0, 1.0)).expect("ends"), 0.4);
    let (capsule, all) = (capsule.expect("a size"), all());
    let other = CylinderAt { cylinder, center: start, groups: CollisionGroups::ALL };
    let (mut hits, mut among, mut passages) = (Vec::new(), Vec::new(), Vec::new());
    fn refused<H: Debug>(result: Result<(), Error>, hits: &[H]) {
        assert!(result.is_err() && hits.is_empty(), "{result:?} {hits:?}");
    }
    for bad in [f64::NAN, f64::INFINITY, 1e80] {
        let (way, place) = (Vector3::new(0.0, bad, 0.0), Point3::new(bad, 0.0, 0.0));
        let refill = |hits: &mut Vec<Hit<f64>>| {
            world.cast_cylinder_all(&cylinder, start, Vector3::x(), &all, hits).expect("numbers");
            assert_eq!(hits.len(), 1);
        };
        refill(&mut hits);
        refused(world.cast_cylinder_all(&cylinder, start, way, &all, &mut hits), &hits);
        refill(&mut hits);
        refused(world.cast_cylinder_all(&cylinder, place, Vector3::x(), &all, &mut hits), &hits);
        refill(&mut hits);
        refused(world.cast_box_all(Vector3::x(), start, way, &all, &mut hits), &hits);
        refill(&mut hits);
        refused(world.cast_box_all(way, start, Vector3::x(), &all, &mut hits), &hits);
        refill(&mut hits);
        refused(world.cast_ball_all(&ball, way, &all, &mut hits), &hits);
        refill(&mut hits);
        refused(world.cast_capsule_all(&capsule, way, &all, &mut hits), &hits);
        let ray = Ray::new(start, Vector3::z_axis()).expect("a ray");
        world.ray_cast_all(&ray, 9.0, &all, &mut passages).expect("numbers");
        refused(world.ray_cast_all(&ray, bad, &all, &mut passages), &passages);
        let others = [other, CylinderAt { center: place, ..other }];
        let cast = |others: &[CylinderAt<f64>], way, among: &mut Vec<_>| {
            world.cast_cylinder_among_all(&cylinder, start, way, &all, others, among)
        };
        cast(&others[..1], Vector3::x(), &mut among).expect("numbers");
        assert_eq!(among.len(), 2);
        let result = cast(&others, Vector3::x(), &mut among);
        assert!(matches!(
            result,
            Err(Error::NotFinite { index: 1, .. } | Error::OutOfRange { index: 1, .. })
        ));
        refused(result, &among);
        refused(cast(&others[..1], way, &mut among), &among);
    }
}

#[test]
fn every_expansion_has_the_hits_of_its_casts() {
    let (mut random, mut hits) = (Random(0xa11_0007), Vec::new());
    let expansions = [
        Expansion::Planes,
        Expansion::OuterBox,
        Expansion::BoxArcs,
        Expansion::Silhouettes,
        Expansion::Bevels(8),
        Expansion::Bevels(5),
    ];
    for _ in 0..cases(1_000) {
        let count = 1 + random.below(12);
        let brushes: Vec<_> = (0..count).map(|_| one_brush(&mut random)).collect();
        let (start, way) = motion::<f64>(&mut random);
        let solid = UprightCylinder::new(random.decade(-1.5, 0.0), random.decade(-1.5, 0.3));
        let solid = solid.expect("a size");
        for expansion in expansions {
            let mut builder = BrushWorld::builder();
            builder.expansion(expansion);
            for (index, planes) in brushes.iter().enumerate() {
                let groups = CollisionGroups { memberships: 1 << index, filter: u64::MAX };
                builder.push(brush(planes), groups);
            }
            let world = builder.build().expect("its own ids");
            let stage = Stage { world, now: brushes.clone() };
            let world = &stage.world;
            world.cast_cylinder_all(&solid, start, way, &all(), &mut hits).expect("numbers");
            agree_with_first_hits(&stage, &hits, |filter| {
                world.cast_cylinder(&solid, start, way, filter).expect("numbers")
            });
        }
    }
}

#[test]
fn warm_casts_through_everything_do_not_allocate() {
    let mut random = Random(0xa11_0008);
    // Many planes, turned and not; no face has more than 32 corners.
    let stage = loop {
        let stage = Stage::crowd(&mut random);
        if stage.now.len() == 12 {
            break stage;
        }
    };
    let world = &stage.world;
    let moves: Vec<_> = (0..200).map(|_| motion::<f32>(&mut random)).collect();
    let cylinder = UprightCylinder::new(0.4, 0.9).expect("a size");
    let others =
        [CylinderAt { cylinder, center: Point3::new(1.0, 0.0, 0.0), groups: CollisionGroups::ALL }];
    let (mut hits, mut among, mut passages, mut count) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let all = all();
    let mut run = || {
        for &(start, way) in &moves {
            let core = Segment::new(start, start + Vector3::z()).expect("numbers");
            let (ball, capsule) = (Sphere::new(start, 0.4), Capsule::new(core, 0.4));
            let (ball, capsule) = (ball.expect("a size"), capsule.expect("a size"));
            world.cast_cylinder_all(&cylinder, start, way, &all, &mut hits).expect("numbers");
            count += hits.len();
            world.cast_box_all(Vector3::repeat(0.4), start, way, &all, &mut hits).expect("numbers");
            world.cast_box(Vector3::repeat(0.4), start, way, &all).expect("numbers");
            world.cast_ball_all(&ball, way, &all, &mut hits).expect("numbers");
            world.cast_capsule_all(&capsule, way, &all, &mut hits).expect("numbers");
            let cast =
                world.cast_cylinder_among_all(&cylinder, start, way, &all, &others, &mut among);
            cast.expect("numbers");
            let ray = Ray::new(start, Vector3::x_axis()).expect("a ray");
            world.ray_cast_all(&ray, 9.0, &all, &mut passages).expect("numbers");
        }
    };
    run();
    let counted = allocation_counter::measure(&mut run);
    assert_eq!(counted.count_total, 0);
    assert!(count > 200, "{count}");
}

/// Flights across real levels, in which hundreds of brushes are passed.
#[test]
fn flights_through_real_levels_find_every_brush() {
    let (mut random, mut hits) = (Random(0xa11_0009), Vec::new());
    let (mut tally, mut flights, mut most) = (Tally::default(), 0, 0);
    for (name, level) in levels() {
        let world = &level.world;
        let twins: Vec<(BrushId, Corners)> = world
            .ids()
            .map(|id| {
                let planes = half_spaces(world.brush(id).expect("its own id"));
                (id, Corners::of_planes(&planes).expect("a brush"))
            })
            .collect();
        let starts = spawns(&level);
        let plain = Cylinder { radius: 16.0, half_height: 28.0 };
        let solid = UprightCylinder::new(plain.radius, plain.half_height).expect("a size");
        for _ in 0..at_least(60, 6) {
            flights += 1;
            let start = starts[random.below(starts.len())];
            let by = times(random.direction(), random.decade(1.5, 3.5));
            world
                .cast_cylinder_all(&solid, start, Vector3::from(by), &all(), &mut hits)
                .expect("ok");
            let first = world.cast_cylinder(&solid, start, Vector3::from(by), &all());
            assert_eq!(first.expect("numbers"), hits.first().copied());
            assert!(hits.is_sorted_by(|a, b| {
                (a.time_of_impact, a.target) < (b.time_of_impact, b.target)
            }));
            most = most.max(hits.len());
            let from: V = start.coords.into();
            for (id, twin) in &twins {
                let hit = hits.iter().find(|hit| hit.target == *id);
                let reach = [plain.radius, plain.radius, plain.half_height];
                let is_far = (0..3).any(|i| {
                    let coordinates = || twin.points.iter().map(|p| p[i]);
                    coordinates().fold(f64::MAX, f64::min)
                        > from[i].max(from[i] + by[i]) + reach[i] + 1.0
                        || coordinates().fold(f64::MIN, f64::max)
                            < from[i].min(from[i] + by[i]) - reach[i] - 1.0
                });
                if is_far {
                    assert_eq!(hit, None);
                    continue;
                }
                let size = 1e-9 * (twin.size + norm(by));
                if hit.is_none() && (twin.least_gap(&plain, from, by, 0.0) > -size) {
                    tally.missed += 1;
                    continue;
                }
                let gap = |time: f64| twin.gap(&plain, plus(from, times(by, time)));
                agrees_with_gap(&mut tally, hit, (norm(by), size), gap);
            }
        }
        println!("{name}: {tally:?}, at most {most} at once");
    }
    if flights > 0 {
        assert!(most > 10 && tally.crossed > flights, "{most} at once: {tally:?}");
        tally.is_enough(flights);
    }
}

scalars! {
    cylinders_are_inside_from_impact_to_leaving
        => cylinders_beside_the_oracle(0xa11_0002; 0xa11_0001);
    boxes_are_inside_from_impact_to_leaving => boxes_beside_parry(0xa11_0004; 0xa11_0003);
    balls_and_capsules_are_inside_from_impact_to_leaving
        => capsules_beside_distances(0xa11_0006; 0xa11_0005);
    rays_are_inside_from_entering_to_leaving => rays_beside_clipping(0xa11_000b; 0xa11_000a);
    brushes_and_cylinders_together => cylinders_among_others(0xa11_000d; 0xa11_000c);
    known_times_of_slabs => times_of_slabs();
}
