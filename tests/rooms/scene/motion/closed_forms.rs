//! Motions whose first contact is known: a ball past a plate, a rod that turns past a ball, movers
//! side by side, a point on a screw.

use std::f64::consts::PI;
use std::sync::Arc;

use boxwood::model::Model;
use boxwood::pair::ConvexShape;
use boxwood::scene::{Impact, MotionBuffers, QueryScratch, Scene, SceneMotion, Spawn};
use boxwood::shape::{Obb, Pose, Sphere};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, PairQuery};

use support::moving_parts::stored;
use support::prelude::*;

fn model<T: Scalar>(geometry: Geometry<T>) -> Arc<Model<T>> {
    model_of(vec![geometry])
}

fn ball<T: Scalar>(at: [f64; 3], radius: f64) -> Geometry<T> {
    let ball = Sphere::new(point(at), T::nearest(radius)).expect("a ball");
    Geometry::Convex(vec![ConvexShape::from(ball)])
}

fn block<T: Scalar>(at: [f64; 3], half: [f64; 3]) -> Geometry<T> {
    let solid = Obb::new(point(at), Matrix3::identity(), vector(half)).expect("a box");
    Geometry::Boxes(vec![solid])
}

/// Finds the impact of two parts, each between two poses.
fn impact<T: Scalar>(
    geometries: [Geometry<T>; 2],
    ends: [[Isometry3<f64>; 2]; 2],
    tolerance: f64,
) -> Option<Impact<T>> {
    let mut before = Scene::new();
    let keys = geometries
        .map(|geometry| before.insert(&model(geometry), Spawn::default()).expect("a part"));
    let mut after = before.clone();
    for (key, ends) in keys.into_iter().zip(ends) {
        let [first, last]: [Pose<T>; 2] = ends.map(|end| stored(&end));
        before.set_parts(key, &[first]).expect("a pose");
        after.set_parts(key, &[last]).expect("a pose");
    }
    let (mut buffers, mut scratch) = (MotionBuffers::new(), QueryScratch::new());
    let motion = SceneMotion::between(&before, &after, &mut buffers).expect("one scene");
    let query = PairQuery::between(keys[0], keys[1]).accuracy(Accuracy::Within(tolerance));
    motion.first_impact(&query, &mut scratch).expect("a query")
}

/// Checks an impact whose time is known, given the speed there; the intervals of a mover that turns
/// are shorter than its speed suggests.
fn check<T: Scalar>(impact: Option<Impact<T>>, time: f64, speed: f64, tolerance: f64) {
    let impact = impact.unwrap_or_else(|| panic!("no impact, expected at {time}"));
    let doubt = 1e-9 + 60.0 * T::ROUNDING / speed;
    assert!(impact.clear_until <= time + doubt, "{time}: {impact:?}");
    assert!(impact.met && impact.slack.wide() <= tolerance);
    let window = 4.0 * tolerance / speed + doubt;
    assert!((impact.time - time).abs() <= window, "{time} {window}: {impact:?}");
    assert!(impact.time - impact.clear_until <= window, "{time}: {impact:?}");
}

fn ball_and_plate<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for _ in 0..at_least(1_000, 60) {
        let (radius, speed) = (random.between(0.05, 0.5), random.between(1.0, 40.0));
        let share = random.between(0.05, 0.95);
        // The centre is a radius above the plate at that share of the way.
        let height = radius + speed * share;
        let aside = random.between(-2.0, 2.0);
        let [start, end] = [height, height - speed].map(|y| Isometry3::translation(aside, y, 0.0));
        let plate = block([0.0, -0.5, 0.0], [9.0, 0.5, 9.0]);
        // The shortest interval is 2^-15 of the tick, and the axes of a stored plate are off.
        let tolerance =
            random.decade(-4.0, -2.0).max(speed * 2f64.powi(-14)).max(3e4 * T::ROUNDING);
        let still = Isometry3::identity();
        let found =
            impact::<T>([ball([0.0; 3], radius), plate], [[start, end], [still; 2]], tolerance);
        check(found, share, speed, tolerance);
        let normal = found.expect("an impact").normal.expect("apart at the start");
        assert!((normal + Vector3::y()).norm() < T::nearest(1e-3), "{normal}");
    }
}

fn rod_and_ball<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for round in 0..at_least(1_000, 60) {
        let (length, thick) = (random.between(1.0, 2.0), random.between(0.01, 0.05));
        let (far, radius) = (random.between(0.3, 0.8) * length, random.between(0.02, 0.1));
        let turn = random.between(0.5, PI - 0.01);
        let lead = ((thick + radius) / far).asin();
        let angle = random.between(lead + 0.05, turn);
        // About its end, or about its middle, which stays where it is.
        let rod = match round / 2 % 2 {
            0 => block([0.5 * length, 0.0, 0.0], [0.5 * length, thick, thick]),
            _ => block([0.0; 3], [length, thick, thick]),
        };
        let there = [far * angle.cos(), far * angle.sin(), 0.0];
        // Equal motion somewhere else and rotated.
        let frame = Isometry3::from_parts(
            random.vector(2.0).into(),
            UnitQuaternion::new(random.vector(2.0)),
        );
        let spun = |angle: f64| frame * Isometry3::rotation(Vector3::z() * angle);
        let tolerance = random.decade(-4.0, -2.0);
        let motions = [[spun(0.0), spun(turn)], [frame; 2]];
        let found = match round % 2 {
            0 => impact::<T>([rod, ball(there, radius)], motions, tolerance),
            _ => impact::<T>([ball(there, radius), rod], [motions[1], motions[0]], tolerance),
        };
        check(found, (angle - lead) / turn, far * turn, tolerance);
    }
}

fn side_by_side<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for _ in 0..at_least(1_000, 60) {
        let tolerance = random.decade(-4.0, -2.0);
        let half = [0; 3].map(|_| random.between(0.1, 1.0));
        let way = random.vector(30.0);
        let gap = 2.0 * half[0] + tolerance * random.between(1.5, 3.0);
        let ends = |x: f64| {
            let at = Isometry3::translation(x, 0.0, 0.0);
            [at, Isometry3::from_parts((at.translation.vector + way).into(), at.rotation)]
        };
        let blocks = || [block([0.0; 3], half), block([0.0; 3], half)];
        assert_eq!(impact::<T>(blocks(), [ends(0.0), ends(gap)], tolerance), None);
        // Touching all the way.
        let met = impact::<T>(blocks(), [ends(0.0), ends(2.0 * half[0] * 0.999)], tolerance);
        let met = met.expect("they touch");
        assert!(met.touching_at_start && met.touching_at_end && met.time == 0.0);
    }
}

/// A ball that moves along a screw, and a ball beside its path: outside the cylinder of the screw,
/// on the line through its axis, so that their least distance is known.
fn screw<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut hits, mut clear) = (0, 0);
    for _ in 0..at_least(1_000, 60) {
        let (radius, small) = (random.between(0.3, 1.0), random.between(0.02, 0.1));
        let (turn, pitch) = (random.between(0.5, 3.0), random.between(0.2, 3.0));
        let tolerance = random.decade(-4.0, -2.0);
        let share = random.between(0.1, 0.9);
        let gap = tolerance * [-1.0, -0.01, 1.2, 3.0][random.below(4)];
        let (sine, cosine) = (share * turn).sin_cos();
        let far = radius + 2.0 * small + gap;
        let beside: Point3<f64> = Point3::new(far * cosine, far * sine, share * pitch);
        let end = Isometry3::from_parts(
            Vector3::new(0.0, 0.0, pitch).into(),
            UnitQuaternion::new(Vector3::z() * turn),
        );
        let still = Isometry3::identity();
        let found = impact::<T>(
            [ball([radius, 0.0, 0.0], small), ball(beside.coords.into(), small)],
            [[still, end], [still; 2]],
            tolerance,
        );
        match gap > 0.0 {
            true => {
                assert_eq!(found, None, "gap {gap}, tolerance {tolerance}");
                clear += 1;
            }
            false => {
                let found = found.expect("they touch");
                assert!(found.clear_until <= share && found.met);
                hits += 1;
            }
        }
    }
    assert!(hits > 20 && clear > 20);
}

scalars! {
    a_ball_meets_a_plate_when_its_radius_says => ball_and_plate(53);
    a_rod_that_turns_meets_a_ball_at_the_angle_of_their_sizes => rod_and_ball(54);
    movers_side_by_side_never_touch => side_by_side(55);
    a_ball_on_a_screw_touches_what_its_path_is_near => screw(56);
}

/// A ball that stays inside a hollow cube of triangles never meets its surface: it touches the
/// solid during the whole tick, and the surface never.
fn inside<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for _ in 0..at_least(300, 40) {
        let cube = || support::closed_meshes::cube([1.0; 3]);
        let ends = [0, 1].map(|_| Isometry3::translation(random.between(-0.5, 0.5), 0.1, 0.0));
        let still = [Isometry3::identity(); 2];
        let small = || ball([0.0; 3], 0.1);
        let solid = support::closed_meshes::solid::<T>(cube());
        let met = impact::<T>([small(), solid], [ends, still], 1e-3).expect("inside");
        assert!(met.touching_at_start && met.touching_at_end && met.time == 0.0);
        let surface = support::closed_meshes::surface::<T>(cube());
        assert_eq!(impact::<T>([small(), surface], [ends, still], 1e-3), None);
        // Out through a face: inside at the start all the same.
        let out = [ends[0], Isometry3::translation(3.0, 0.1, 0.0)];
        let solid = support::closed_meshes::solid::<T>(cube());
        let met = impact::<T>([solid, small()], [still, out], 1e-3).expect("inside");
        assert!(met.touching_at_start && !met.touching_at_end);
    }
}

scalars! {
    what_stays_inside_a_solid_touches_it_and_never_its_surface => inside(74);
}
