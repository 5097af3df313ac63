//! Rotating bodies: every query against the same brushes inserted rotated; riders and pushed
//! walkers against their circle and the oracle.

use boxwood::brush::{BodyId, BrushFilter, BrushId, BrushWorld, PushOutcome};
use boxwood::brush::{WalkScratch, Walker, WalkerState};
use boxwood::shape::{Capsule, Ray, Segment, Sphere, UpAxis, UprightCylinder};
use boxwood::{CollisionGroups, Error};
use support::brushes::{any_brush, brush, cuboid, half_spaces, moved};
use support::cylinder_distance::HalfSpace;
use support::prelude::*;
use support::walks::Walkable;

type Pose = Isometry3<f64>;

fn turned(angle: f64, offset: V) -> Pose {
    Pose::new(Vector3::from(offset), Vector3::z() * angle)
}

/// Builds one brush in a body, after static ones.
fn with_body(still: &[Vec<HalfSpace>], own: &[Vec<HalfSpace>]) -> (BrushWorld, BodyId) {
    let mut level = BrushWorld::builder();
    let body = level.body();
    for planes in still {
        level.push(brush(planes), CollisionGroups::ALL);
    }
    for planes in own {
        level.push_to(body, brush(planes), CollisionGroups::ALL);
    }
    (level.build().expect("ids of its own"), body)
}

/// Returns the planes of a body's brush at a pose.
fn placed(planes: &[HalfSpace], pose: &Pose) -> Vec<HalfSpace> {
    let axis = |i: usize| (pose.rotation * Vector3::ith(i, 1.0)).into();
    moved(planes, &[axis(0), axis(1), axis(2)], pose.translation.vector.into())
}

/// Returns `true` if the walker keeps half of its skin from all brushes where they are.
fn keeps_gap<T: Scalar>(
    world: &BrushWorld,
    pose: &Pose,
    w: &Walker<T>,
    at: &WalkerState<T>,
) -> bool {
    let now = |id: BrushId| {
        let planes = half_spaces(world.brush(id).expect("its own id"));
        let still = world.body(id) == Some(BodyId::STATIC);
        if still { planes } else { placed(&planes, pose) }
    };
    Walkable::new(&world.ids().map(now).collect::<Vec<_>>()).keeps_gap(w, at)
}

#[test]
fn queries_of_rotated_bodies_equal_those_of_brushes_inserted_rotated() {
    let (mut random, all, mut hits) = (Random(0x7042), BrushFilter::default(), [0; 5]);
    for _ in 0..cases(20_000) {
        let planes = any_brush(&mut random);
        let pose = turned(random.between(-7.0, 7.0), random.vector(3.0).into());
        let (mut world, body) = with_body(&[], std::slice::from_ref(&planes));
        world.set_pose(body, pose).expect("about z");
        let (still, _) = with_body(&[placed(&planes, &pose)], &[]);
        let start = Point3::from(random.vector(8.0));
        let way = random.vector(5.0) - start.coords * random.between(0.5, 2.0);
        let sizes = [random.decade(-1.5, 0.3), random.decade(-1.5, 0.3)];
        let cylinder = UprightCylinder::new(sizes[0], sizes[1]).expect("sizes");
        let half = Vector3::new(sizes[0], sizes[1], random.decade(-1.5, 0.3));
        let core = Segment::new(start, start + random.vector(1.0)).expect("numbers");
        let capsule = Capsule::new(core, sizes[0]).expect("a size");
        let ball = Sphere::new(start, sizes[1]).expect("a size");
        let ray = Ray::new(start, Unit::new_normalize(way)).expect("numbers");
        let answers = [&world, &still].map(|world| {
            [
                world.cast_cylinder(&cylinder, start, way, &all),
                world.cast_box(half, start, way, &all),
                world.cast_capsule(&capsule, way, &all),
                world.cast_ball(&ball, way, &all),
            ]
            .map(|hit| {
                let hit = hit.expect("numbers")?;
                Some((hit.length(way), hit.normal, hit.started_inside))
            })
        });
        let rays = [&world, &still].map(|world| {
            let hit = world.ray_cast(&ray, way.norm(), &all).expect("numbers")?;
            Some((hit.distance, hit.normal, hit.started_inside))
        });
        let pairs = answers[0].iter().zip(&answers[1]).chain([(&rays[0], &rays[1])]);
        for (kind, (a, b)) in pairs.enumerate() {
            let (Some(a), Some(b)) = (a, b) else {
                assert_eq!(a.is_some(), b.is_some(), "{kind} {pose} {planes:?} {start} {way}");
                continue;
            };
            hits[kind] += 1;
            let late = (a.0 - b.0).abs();
            assert!(late < 1e-6, "{kind}: {a:?} {b:?}");
            assert!((a.2 == b.2) || late > 0.0);
            // At an edge rounding decides between two normals; where they differ, both face it.
            let same = (a.1 - b.1).norm() < 1e-6;
            assert!(same || a.2 || a.1.dot(&way) < 1e-9, "{kind}: {a:?} {b:?}");
        }
        let nearest =
            [&world, &still].map(|world| world.closest_point(start, 9.0, &all).expect("numbers"));
        let [a, b] = nearest.map(|found| found.map(|found| found.distance));
        assert!(a.is_some() == b.is_some());
        assert!(a.zip(b).is_none_or(|(a, b)| (a - b).abs() < 1e-9), "{a:?} {b:?}");
        let inside = [&world, &still].map(|world| {
            let mut found = Vec::new();
            world.contents(start, &all, &mut found).expect("numbers");
            found.len()
        });
        assert_eq!(inside[0], inside[1]);
    }
    println!("hits of each kind: {hits:?}");
    assert!(hits.iter().all(|&count| count > cases(20_000) / 20));
}

/// Checks a rider nine metres from the axis, one turn a second, at 60 Hz.
fn rides<T: Scalar>(error: f64, up: UpAxis) {
    let turn_up = |[x, y, z]: V| match up {
        UpAxis::X => [z, x, y],
        UpAxis::Y => [y, z, x],
        UpAxis::Z => [x, y, z],
    };
    let wide = |v: V| Vector3::from(turn_up(v).map(T::nearest));
    let disc = cuboid([-12.0, -12.0, -1.0], [12.0, 12.0, 0.0]);
    let mut level = BrushWorld::builder();
    level.up(up);
    let body = level.body();
    let upright: Vec<HalfSpace> = disc.iter().map(|&(n, o)| (turn_up(n), o)).collect();
    level.push_to(body, brush(&upright), CollisionGroups::ALL);
    let mut world = level.build().expect("one brush");
    let size = UprightCylinder::new(T::nearest(0.4), T::nearest(0.9)).expect("a size");
    let (walker, mut scratch) = (Walker::new(size), WalkScratch::new());
    let mut at = walker
        .stand(&world, Point3::from(wide([9.0, 0.0, 0.902])), &mut WalkScratch::new())
        .expect("free");
    walker.walk(&world, &mut at, wide([0.0, 0.0, -0.1]), &mut scratch).expect("numbers");
    let first = at.position();
    for tick in 1..=1800 {
        let angle = f64::from(tick) * std::f64::consts::TAU / 60.0;
        let offset = [0.01 * f64::from(tick), 0.0, 0.002 * f64::from(tick)];
        let pose = Isometry3::new(wide(offset), wide([0.0, 0.0, angle]));
        let before = world.set_pose(body, pose).expect("about the axis that is up");
        let pushed = walker.push(&world, &mut at, body, &before, &mut scratch);
        assert_eq!(pushed, Ok(PushOutcome::Clear), "riders are carried by their walk");
        walker.walk(&world, &mut at, wide([0.0, 0.0, -0.01]), &mut scratch).expect("numbers");
        assert_eq!(at.ground(), Some(BrushId(0)));
        let off = (at.position() - pose * first).map(|x| x.wide()).norm();
        assert!(off < error, "tick {tick}: {off:e}");
    }
}

#[test]
fn riders_keep_their_position_on_rotating_bodies() {
    rides::<f64>(1e-9, UpAxis::Z);
    rides::<f64>(1e-9, UpAxis::Y);
    rides::<f64>(1e-9, UpAxis::X);
    rides::<f32>(3e-4, UpAxis::Z);
    rides::<f32>(3e-4, UpAxis::Y);
}

#[test]
fn rotors_and_doors_push_or_crush_and_never_pass_through() {
    let (mut random, mut counts) = (Random(0x7043), [0; 3]);
    let size = UprightCylinder::new(0.4, 0.9).expect("a size");
    let (walker, mut scratch) = (Walker::new(size), WalkScratch::new());
    for _ in 0..at_least(2_000, 200) {
        // A thin leaf through or beside the axis, a floor, and sometimes a wall.
        let (near, far) = (random.between(-3.0, 0.5), random.between(1.0, 4.0));
        let thin = random.decade(-3.0, -0.5);
        let leaf = cuboid([near, -thin, 0.1], [far, thin, 2.5]);
        let floor = cuboid([-20.0, -20.0, -1.0], [20.0, 20.0, 0.0]);
        let wall = cuboid([-20.0, 2.0, 0.0], [20.0, 3.0, 4.0]);
        let still = if random.chance(0.5) { vec![floor, wall] } else { vec![floor] };
        let (mut world, body) = with_body(&still, &[leaf]);
        let mut pose = turned(0.0, [0.0; 3]);
        let place = [random.between(-3.0, 3.0), random.between(-3.0, 1.5), 0.9 + 1e-3];
        let Ok(mut at) = walker.stand(&world, Point3::from(place), &mut WalkScratch::new()) else {
            continue;
        };
        let speed = random.sign() * random.decade(-2.0, 0.45);
        for tick in 1..=40 {
            let offset = [0.02 * f64::from(tick) * random.share(), 0.0, 0.0];
            let next = turned(speed * f64::from(tick), offset);
            let before = world.set_pose(body, next).expect("about z");
            let was = at;
            let pushed = walker.push(&world, &mut at, body, &before, &mut scratch);
            let told = format!("{speed} tick {tick}: {was:?} {at:?} {pushed:?} {pose} {next}");
            match pushed.expect("numbers") {
                PushOutcome::Clear => {
                    counts[0] += 1;
                    assert_eq!(was, at);
                    assert!(keeps_gap(&world, &next, &walker, &at), "{told}");
                }
                PushOutcome::Moved(by) => {
                    counts[1] += 1;
                    assert!((at.position() - was.position() - by).norm() < 1e-12);
                    assert!(keeps_gap(&world, &next, &walker, &at), "{told}");
                }
                PushOutcome::Crushed { against, share } => {
                    counts[2] += 1;
                    assert!(world.body(against) == Some(BodyId::STATIC), "{told}");
                    assert!((0.0..=1.0).contains(&share), "{told}");
                    // The static brushes it does not enter.
                    let far = turned(0.0, [0.0, 0.0, 1e3]);
                    assert!(keeps_gap(&world, &far, &walker, &at), "{told}");
                    break;
                }
                other => panic!("{other:?}"),
            }
            pose = next;
        }
    }
    println!("clear, moved, crushed: {counts:?}");
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
}

#[test]
fn invalid_poses_are_refused_and_change_nothing() {
    let (mut world, body) = with_body(&[], &[cuboid([-1.0; 3], [1.0; 3])]);
    let good = turned(0.5, [1.0, 2.0, 3.0]);
    assert_eq!(world.set_pose(body, good), Ok(Pose::identity()));
    let leaning = Pose::new(Vector3::zeros(), Vector3::new(0.1, 0.0, 1.0));
    let mut broken = good;
    broken.translation.vector.x = f64::NAN;
    for bad in [leaning, broken] {
        assert!(world.set_pose(body, bad).is_err());
    }
    assert!(matches!(world.set_pose(BodyId::STATIC, good), Err(Error::BadQuery { .. })));
    let kept = world.pose::<f64>(body).expect("a body");
    assert!((kept.inverse() * good).rotation.angle() < 1e-12);
    assert_eq!(kept.translation, good.translation);
    // From far away a rotation is a long way, and not approximated.
    let size = UprightCylinder::new(0.4, 0.9).expect("a size");
    let (walker, mut scratch) = (Walker::new(size), WalkScratch::new());
    let place = Point3::new(1e5, 0.0, 0.0);
    let mut at = walker.stand(&world, place, &mut WalkScratch::new()).expect("free");
    let pushed = walker.push(&world, &mut at, body, &turned(3.0, [0.0; 3]), &mut scratch);
    assert!(matches!(pushed, Err(Error::BadQuery { .. })), "{pushed:?}");
    let other = BrushWorld::builder().body();
    let nobody = BrushWorld::builder().build().expect("empty");
    let pushed = walker.push(&nobody, &mut at, other, &Pose::identity(), &mut scratch);
    assert!(matches!(pushed, Err(Error::IndexOutOfRange { .. })), "{pushed:?}");
    assert_eq!(at.position(), place);
}
