//! Shape casts through crowds: the first hit of all parts together equals the first of the single
//! ones.

use boxwood::QueryFilter;
use boxwood::model::PartId;
use boxwood::scene::{Buffers, QueryScratch, QueryShape, Scene, ShapeHit, Spawn};
use boxwood::shape::{Aabb, Obb, Pose, Sphere};
use boxwood::tree::Geometry;

use support::posed_characters::random_actor;
use support::prelude::*;

/// Random displacement, now and then in a coordinate plane: one coordinate is zero.
fn way(random: &mut Random, size: f64) -> V {
    let mut way = times(random.direction(), size);
    (0..3).filter(|_| random.chance(0.25)).collect::<Vec<_>>().iter().for_each(|&i| way[i] = 0.0);
    way
}

fn shape(random: &mut Random, at: V) -> QueryShape<f64> {
    match random.below(4) {
        0 => QueryShape::Point(point(at)),
        1 => Sphere::new(point(at), random.decade(-1.0, 0.8)).expect("a ball").into(),
        2 => {
            let half = Vector3::from_fn(|_, _| random.decade(-1.0, 0.8));
            Obb::from_pose(&turned(random, at), half).expect("a box").into()
        }
        _ => {
            let size: V = std::array::from_fn(|_| random.decade(-1.0, 0.8));
            Aabb::new(point(at), point(plus(at, size))).into()
        }
    }
}

/// Checks the crowd against casts at single parts and single characters.
#[test]
fn a_crowd_is_hit_where_its_first_part_is() {
    let (mut random, mut buffers, mut scratch) = (Random(741), Buffers::new(), QueryScratch::new());
    let (mut met, mut inside, mut missed) = (0, 0, 0);
    for far in [0.0, 1e4] {
        let (mut scene, mut parts) = (Scene::new(), Vec::new());
        for _ in 0..40 {
            let actor = random_actor::<f64>(&mut random, 3, 0.8);
            let at = std::array::from_fn(|i| far * i as f64 + random.between(-12.0, 12.0));
            let key =
                insert_posed(&mut scene, &actor.model, &actor.placed(&turned(&mut random, at)));
            parts.extend((0..actor.model.len()).map(|part| (key, PartId::new(part))));
        }
        let now = scene.snapshot(&mut buffers);
        for _ in 0..at_least(150, 200) {
            let at = std::array::from_fn(|i| far * i as f64 + random.between(-14.0, 14.0));
            let size = random.decade(-1.0, 1.5);
            let (shape, way) = (shape(&mut random, at), vector(way(&mut random, size)));
            let mut cast = |filter: &QueryFilter<'_>| {
                now.shape_cast(shape, way, filter, &mut scratch).expect("a cast")
            };
            let all = cast(&QueryFilter::all());
            let mut first: Option<ShapeHit<f64>> = None;
            for &(key, part) in &parts {
                let one = cast(&QueryFilter::of(key).parts(&[part]));
                let time = |hit: &ShapeHit<f64>| hit.time_of_impact;
                if one.is_some_and(|one| first.is_none_or(|first| time(&one) < time(&first))) {
                    first = one;
                }
            }
            assert_eq!(all, first, "{shape:?} {way:?}");
            match all {
                Some(hit) if hit.started_inside => inside += 1,
                Some(_) => met += 1,
                None => missed += 1,
            }
        }
    }
    println!("{met} met, {inside} at the start, {missed} missed");
    assert!(met > 10 && inside > 10 && missed > 100);
}

/// Checks a box and a ball whose coordinates need no rounding, which the slack may not assume.
#[test]
fn slack_is_at_least_the_rounding_error() {
    let cube = Obb::from_pose(&Pose::<f64>::identity(), Vector3::repeat(0.5)).expect("a cube");
    let mut scene = Scene::new();
    let key = scene.insert(&model_of(vec![Geometry::Boxes(vec![cube])]), Spawn::default());
    let _ = key.expect("a character");
    let (mut buffers, mut scratch) = (Buffers::new(), QueryScratch::new());
    let now = scene.snapshot(&mut buffers);
    for start in [4.0, 64.0, 1024.0] {
        for axis in 0..3 {
            let mut at = [0.0; 3];
            at[axis] = start;
            let ball = Sphere::new(point(at), 0.5).expect("a ball");
            let way = vector(times(at, -1.0));
            let hit = now.shape_cast(ball, way, &QueryFilter::all(), &mut scratch);
            let hit = hit.expect("a cast").expect("the cube lies on the way");
            assert!(hit.slack >= start * 2.0_f64.powi(-42), "{start} {axis}: {hit:?}");
            assert!(hit.slack <= start * 2.0_f64.powi(-38), "{start} {axis}: {hit:?}");
        }
    }
}
