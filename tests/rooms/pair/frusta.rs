//! Frusta as shapes: points, balls, capsules and segments against them, compared with parry3d's
//! convex hulls.

use boxwood::shape::{Capsule, Frustum, Segment, Sphere};

use support::pair_regime::{REGIMES, Regime, Tally};
use support::parry::Peer;
use support::prelude::*;

fn frustum(random: &mut Random) -> Frustum<f64> {
    let eye = Isometry3::new(
        Vector3::from(times(random.direction(), 3.0)),
        Vector3::from(times(random.direction(), random.between(0.0, 3.0))),
    );
    let near = random.decade(-2.0, 0.0);
    let tangents = [random.decade(-1.0, 0.3), random.decade(-1.0, 0.3)];
    Frustum::of_eye(&eye, tangents, [near, near + random.decade(-0.5, 1.0)]).expect("a frustum")
}

#[test]
fn points_balls_and_capsules_at_frusta_agree_with_parry() {
    let (mut random, mut tally) = (Random(41), Tally::default());
    for k in 0..cases(4_000) {
        let seen = frustum(&mut random);
        let corners: Vec<V> = seen.corners().map(Into::into).to_vec();
        let other = Peer::hull(&corners).expect("a hull");
        let size = norm(minus(corners[7], corners[0]));
        let regime = REGIMES[k % 4];
        let share = |random: &mut Random| {
            let weights: Vec<f64> = corners.iter().map(|_| random.share()).collect();
            let all: f64 = weights.iter().sum();
            corners.iter().zip(&weights).fold([0.0; 3], |p, (c, w)| plus(p, times(*c, w / all)))
        };
        let inside = share(&mut random);
        let goal = plus(inside, times(random.direction(), size * random.decade(-1.0, 1.0)));
        let goal = if regime == Regime::Deep { inside } else { goal };
        let far = other.distance_to(goal);
        let radius = match regime {
            Regime::Apart => far * random.between(0.0, 0.999),
            Regime::Touching => far * (1.0 + random.sign() * random.decade(-7.0, -5.0)),
            Regime::Deep => size * random.decade(-2.0, 0.0),
            Regime::Degenerate => 0.0,
        };
        // The point.
        let p = Point3::from(goal);
        assert!(far < 1e-9 * size || !seen.contains(p));
        assert!(far > 0.0 || seen.contains(p), "{seen:?} {p}");
        let nearest = (seen.closest_point(p) - p).norm();
        assert!((nearest - far).abs() < 1e-9 * (size + far), "{nearest} {far}");
        // The ball.
        let ball = Sphere::new(p, radius).expect("a ball");
        let verdict = seen.intersects(&ball);
        assert_eq!(verdict, ball.intersects(&seen));
        if (far - radius).abs() > 1e-9 * (size + far) {
            assert_eq!(verdict, far <= radius, "{seen:?} {ball:?}");
            let off = seen.distance(&ball) - (far - radius).max(0.0);
            assert!(off.abs() < 1e-9 * (size + far), "{off:e} {seen:?} {ball:?}");
            // parry3d's test uses another method, and is less precise near touching.
            if (far - radius).abs() > 1e-4 * (size + far) {
                assert_eq!(other.intersects(&Peer::ball(goal, radius)), verdict);
            }
        }
        // The capsule and its segment.
        let end = plus(goal, times(random.direction(), size * random.decade(-1.0, 0.5)));
        let line = Segment::new(p, Point3::from(end)).expect("a segment");
        let apart = Peer::segment([goal, end]).distance(&other);
        let body = Capsule::new(line, radius).expect("a capsule");
        // parry3d's distances are precise to about 1e-7.
        let off = seen.distance(&line) - apart;
        assert!(off.abs() < 1e-5 * (size + far), "{off:e} {seen:?} {line:?}");
        for (mine, back, limit) in [
            (seen.intersects(&line), line.intersects(&seen), 0.0),
            (seen.intersects(&body), body.intersects(&seen), radius),
        ] {
            assert_eq!(mine, back);
            // Shapes that intersect parry3d's hull are found; shapes clear of it are not.
            if (apart - limit).abs() > 1e-5 * (size + far) {
                assert_eq!(mine, apart <= limit, "{seen:?} {body:?} {apart}");
            }
        }
        tally.add(regime);
    }
    tally.finish("frustum, ball and capsule");
}

#[test]
fn moved_frusta_contain_the_moved_shapes() {
    let mut random = Random(42);
    for _ in 0..500 {
        let seen = frustum(&mut random);
        let pose =
            Isometry3::new(Vector3::from(random.direction()), Vector3::from(random.direction()));
        let moved = seen.transformed(&pose).expect("sound");
        let way = Vector3::from(random.direction());
        let (end, image) = (seen.support(way), moved.support(pose * way));
        assert!((pose * end - image).norm() < 1e-13);
        assert!(seen.corners().iter().all(|p| p.coords.dot(&way) <= end.coords.dot(&way)));
        assert!(seen.corners().iter().all(|&p| seen.contains(p)) && moved.aabb().contains(image));
        let at = Point3::from(times(random.direction(), random.between(0.0, 8.0)));
        let near = (seen.closest_point(at) - at).norm();
        assert!((near - (moved.closest_point(pose * at) - pose * at).norm()).abs() < 1e-12);
        // A flat frustum: the near side alone.
        let [a, b, c, d, ..] = seen.corners();
        let flat = Frustum::new([a, b, c, d, a, b, c, d]).expect("corners");
        assert!(flat.contains(a) && flat.intersects(&Sphere::new(b, 0.0).expect("a point")));
    }
}
