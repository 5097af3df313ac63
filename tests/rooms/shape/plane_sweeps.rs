//! Sweeps of shapes against a plane, checked by moving them to the time of impact.

use boxwood::Error;
use boxwood::pair::plane::{PlaneHit, Side};
use boxwood::shape::{Pose, Sphere};

use super::plain_models::{KINDS, Kind};
use super::planes::plane;
use super::regime_counts::Census;

use support::prelude::*;

/// Sweeps a ball of radius `r` whose centre moves from the first height to the second.
fn ball(d0: f64, d1: f64, r: f64) -> [Option<PlaneHit<f64>>; 2] {
    let ball = Sphere::new(Point3::new(0.0, 0.0, d0), r).expect("a ball");
    let ground = plane([0.0, 0.0, 1.0], 0.0);
    let step = Vector3::new(5.0, 0.0, d1 - d0);
    [ground.sweep_surface(&ball, step), ground.sweep_solid(&ball, step)]
        .map(|hit| hit.expect("sound"))
}

/// Checks the rule for balls: `(d0 - r) / (d0 - d1)` in front, `(d0 + r) / (d0 - d1)` behind.
#[test]
fn known_times_of_balls_at_planes() {
    let hit = |time, from| Some(PlaneHit { time, from });
    let inside = hit(0.0, Side::Straddling);
    assert_eq!(ball(-3.0, 1.0, 1.0), [hit(0.5, Side::Behind), inside]);
    assert_eq!(ball(3.0, -1.0, 1.0), [hit(0.5, Side::Front); 2]);
    assert_eq!(ball(3.0, 1.0, 1.0), [hit(1.0, Side::Front); 2], "touching at the end");
    assert_eq!(ball(3.0, 1.5, 1.0), [None; 2]);
    assert_eq!(ball(3.0, 3.0, 1.0), [None; 2], "along the plane, beside it");
    assert_eq!(ball(1.0, 1.0, 1.0), [inside; 2], "along the plane, touching it");
    assert_eq!(ball(0.5, 9.0, 1.0), [inside; 2], "leaving");
    assert_eq!(ball(-3.0, -3.0, 1.0), [None, inside]);
    assert_eq!(ball(2.0, -1.0, 0.0), [hit(2.0 / 3.0, Side::Front); 2], "a point");
    let ground = plane::<f64>([0.0, 0.0, 1.0], 0.0);
    let nothing = boxwood::shape::Aabb::<f64, 3>::empty();
    assert_eq!(ground.sweep_surface(&nothing, Vector3::new(0.0, 0.0, -9.0)), Ok(None));
    let bad = Err(Error::NotFinite { field: "step", index: 0 });
    assert_eq!(ground.sweep_surface(&nothing, Vector3::new(0.0, f64::NAN, 0.0)), bad);
    assert_eq!(ground.sweep_solid(&nothing, Vector3::new(0.0, f64::INFINITY, 0.0)), bad);
}

fn sweeps<T: Scalar>(seed: u64) {
    for (kind, name) in KINDS.iter().enumerate() {
        let (mut census, mut random) = (Census::default(), Random(seed ^ kind as u64));
        for _ in 0..cases(10_000) {
            let flat = random.chance(0.2);
            let shape = Kind::<T>::random(kind, 1.0, [0.0; 3], flat, &mut random);
            let n = random.direction();
            let offset = random.sign() * random.between(0.0, 3.0);
            // Through the middle of the shape.
            let model = shape.model();
            let middle = 0.5 * (model.reach(n) - model.reach(times(n, -1.0)));
            let offset = if random.chance(0.15) { middle } else { offset };
            let plane = plane::<T>(n, offset);
            let toward = -plane.offset().signum().wide();
            let speed =
                if random.chance(0.8) { -toward } else { toward } * random.between(0.0, 4.0);
            let step: V = std::array::from_fn(|i| n[i] * speed + random.between(-0.2, 0.2));
            let step = Vector3::from(step).map(T::nearest);
            macro_rules! swept {
                ($($kind:ident),*) => { match &shape { $(Kind::$kind(s) => (plane.sweep_surface(s, step), plane.sweep_solid(s, step), plane.side(s)),)* } };
            }
            let (surface, solid, start) =
                swept!(Sphere, Capsule, Segment, Triangle, Aabb, Obb, Ellipsoid);
            let (surface, solid) = (surface.expect("sound"), solid.expect("sound"));
            let at = |t: f64| {
                let pose = Pose::translation(
                    step.x * T::nearest(t),
                    step.y * T::nearest(t),
                    step.z * T::nearest(t),
                );
                shape.transformed(&pose).heights(&plane)
            };
            let doubt = 1e-14 + 64.0 * T::ROUNDING;
            census.add(match (start, surface) {
                (Side::Straddling, _) => "inside",
                (Side::Front, Some(_)) => "from the front",
                (Side::Behind, Some(_)) => "from behind",
                (_, None) => "never",
            });
            match surface {
                Some(hit) if start == Side::Straddling => {
                    assert_eq!((hit.time.wide(), hit.from), (0.0, Side::Straddling));
                }
                Some(hit) => {
                    assert_eq!(hit.from, start);
                    let then = at(hit.time.wide());
                    let gap = if start == Side::Front { then.least } else { -then.greatest };
                    assert!(gap.abs() <= doubt, "{gap:e} {shape:?} {hit:?}");
                }
                None => (0..=20).for_each(|k| {
                    let now = at(f64::from(k) / 20.0);
                    let gap = if start == Side::Front { now.least } else { -now.greatest };
                    assert!(gap > -doubt, "{gap:e} {shape:?} {k}");
                }),
            }
            match start {
                Side::Front => assert_eq!(solid, surface),
                _ => assert_eq!(
                    solid.map(|hit| (hit.time.wide(), hit.from)),
                    Some((0.0, Side::Straddling))
                ),
            }
        }
        census.check(name, 4);
    }
}

scalars! {
    shapes_touch_the_plane_at_the_time_of_impact => sweeps(51; 52);
}
