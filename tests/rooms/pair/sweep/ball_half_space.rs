//! Sweep of a ball against a half-space: by bisection, against parry3d, swapped, rotated and
//! scaled.

use boxwood::pair::{CastHit, Sweep};
use boxwood::shape::{Plane, Sphere};

use support::pair_regime::{REGIMES, Regime, Tally};
use support::parry::Peer;
use support::prelude::*;
use support::random_sweeps::{first, least, point, vector, wide};

#[derive(Clone, Copy, Debug)]
struct Case {
    up: V,
    offset: f64,
    center: V,
    radius: f64,
    by: [V; 2],
}

fn case(regime: Regime, random: &mut Random) -> Case {
    let (up, size) = (random.direction(), random.decade(-1.0, 1.0));
    let odd = regime == Regime::Degenerate;
    let unit = if odd { random.decade(-9.0, 9.0) } else { 1.0 };
    let radius = if odd && random.chance(0.5) { 0.0 } else { size * random.share() };
    let aside = times(random.direction(), size * random.decade(-1.0, 3.0));
    let aside = minus(aside, times(up, inner(up, aside)));
    let (height, climb) = match regime {
        Regime::Apart => {
            (radius + size * random.between(0.1, 3.0), size * random.between(-0.05, 2.0))
        }
        Regime::Touching => {
            let height = size * random.share();
            (radius + height, -height * random.between(1.0, 3.0))
        }
        Regime::Deep => (radius - size * random.share(), size * random.between(-2.0, 2.0)),
        Regime::Degenerate if random.chance(0.3) => (radius, 0.0),
        Regime::Degenerate => (radius + size * random.share(), size * random.between(-2.0, 0.5)),
    };
    let offset = size * random.between(-2.0, 2.0);
    let slide = minus(random.direction(), up);
    let slide = times(minus(slide, times(up, inner(up, slide))), size);
    let other = if random.chance(0.5) { times(random.direction(), size) } else { [0.0; 3] };
    let step = plus(plus(times(up, climb), slide), other);
    let center = plus(aside, times(up, offset + height));
    let by = [times(step, unit), times(other, unit)];
    Case { up, offset: offset * unit, center: times(center, unit), radius: radius * unit, by }
}

fn stored<T: Scalar>(c: &Case) -> (Sphere<T, 3>, Plane<T>, [Vector3<T>; 2]) {
    let up = Unit::new_unchecked(vector::<T>(c.up));
    let ball = Sphere::new(point(c.center), T::nearest(c.radius)).expect("a ball");
    (ball, Plane::new(up, T::nearest(c.offset)).expect("a plane"), c.by.map(vector))
}

fn check<T: Scalar>(seed: u64) {
    let (mut random, mut tally) = (Random(seed), Tally::default());
    for round in 0..cases(8_000) {
        let regime = REGIMES[round % 4];
        let c = case(regime, &mut random);
        let (ball, wall, [p, q]) = stored::<T>(&c);
        let found = ball.sweep_both(p, &wall, q);
        assert_eq!(wall.sweep_both(q, &ball, p).map(|hit| hit.reversed()), found, "{c:?}");
        // The stored numbers, in double precision.
        let (up, center) = (wide(&wall.normal().into_inner()), wide(&ball.center().coords));
        let relative = minus(wide(&p), wide(&q));
        let start = (inner(up, center) - wall.offset().wide()) / norm(up) - ball.radius().wide();
        let gap = |t: f64| (start + t * inner(up, relative) / norm(up)).max(0.0);
        let size =
            norm(center) + norm(relative) + ball.radius().wide() + wall.offset().wide().abs();
        let blur = 1e-14 * size;
        let (when, nearest) = least(gap);
        tally.add(match found {
            _ if regime == Regime::Degenerate => regime,
            None => Regime::Apart,
            Some(hit) if hit.started_inside => Regime::Deep,
            Some(_) => Regime::Touching,
        });
        let Some(hit) = found else {
            assert!(nearest > -blur && (nearest > 0.0 || gap(when) + blur > 0.0), "{c:?}");
            assert!(nearest > 0.0, "missed: {nearest:e} {c:?}");
            continue;
        };
        let (time, slack) = (hit.time_of_impact.wide(), hit.slack.wide());
        assert!((0.0..=1.0).contains(&time) && hit.time_of_leaving.wide() >= time);
        assert!(
            gap(time) <= slack + blur && slack <= size * (4.0 * T::ROUNDING + 1e-12),
            "{hit:?} {c:?}"
        );
        assert_eq!(hit.started_inside, wall.intersects(&ball), "{c:?}");
        if nearest == 0.0 {
            let late = (time - first(gap, when)) * inner(up, relative).abs();
            assert!(late <= blur, "{late:e} {hit:?} {c:?}");
        }
        // It leaves when it is outside again, and not at all if it moves further in.
        let leaving = hit.time_of_leaving.wide();
        if inner(up, relative) > 1e-9 * size {
            assert!(gap(leaving * (1.0 + 1e-12)) >= 0.0 && gap(0.999 * leaving) <= slack + blur);
        } else if inner(up, relative) < -1e-12 * size {
            assert_eq!(leaving, f64::INFINITY);
        }
        let normal = wide(&hit.normal);
        assert!(norm(minus(normal, times(up, 1.0 / norm(up)))) < 1e-6, "{hit:?}");
        // The point is on the ball and on the plane, at that time.
        let here = wide(&hit.point.coords);
        let room = slack + blur + 4.0 * T::ROUNDING * size;
        let from_center = norm(minus(here, plus(center, times(wide(&p), time))));
        let above = inner(up, minus(here, times(wide(&q), time))) / norm(up)
            - wall.offset().wide() / norm(up);
        if hit.started_inside {
            let depth = wall.contact(&ball).expect("in it");
            assert!(norm(minus(here, wide(&depth.point.coords))) <= room, "{hit:?} {depth:?}");
        } else {
            assert!((from_center - ball.radius().wide()).abs() <= room, "{hit:?} {c:?}");
            assert!(above.abs() <= room, "{above:e} {room:e} {hit:?} {c:?}");
        }
    }
    tally.finish("ball, half-space");
}

#[test]
fn half_spaces_agree_with_parry_and_with_themselves_elsewhere() {
    let (mut random, mut both) = (Random(73), 0);
    for round in 0..cases(6_000) {
        let c = case(REGIMES[round % 3], &mut random);
        let (ball, wall, [p, q]) = stored::<f64>(&c);
        let mine = ball.sweep_both(p, &wall, q);
        let there = Peer::half_space(c.up, times(c.up, c.offset));
        let theirs = Peer::ball(c.center, c.radius).sweep(&there, c.by);
        let way = norm(minus(c.by[0], c.by[1]));
        match (mine, theirs) {
            (Some(mine), Some(theirs)) => {
                assert!((mine.time_of_impact - theirs).abs() * way < 1e-6, "{c:?}");
                both += 1;
            }
            // parry3d ignores a ball that starts inside and leaves.
            (Some(mine), None) => {
                assert!(mine.started_inside || mine.time_of_impact > 1.0 - 1e-6, "{mine:?} {c:?}")
            }
            (None, Some(theirs)) => panic!("{theirs:?} {c:?}"),
            (None, None) => {}
        }
        let turn =
            Isometry3::new(Vector3::from(random.direction()), Vector3::from(random.direction()));
        let there = ball.transformed(&turn).expect("sound").sweep_both(
            turn * p,
            &wall.transformed(&turn).expect("sound"),
            turn * q,
        );
        assert_eq!(there.is_some(), mine.is_some(), "{c:?}");
        let far = |hit: &CastHit<f64>| hit.time_of_impact * way;
        if let (Some(here), Some(there)) = (mine, there) {
            assert!((far(&here) - far(&there)).abs() < 1e-9 * (1.0 + norm(c.center)));
            assert!((turn * here.normal - there.normal).norm() < 1e-12);
            assert!((turn * here.point - there.point).norm() < 1e-8 * (1.0 + norm(c.center)));
        }
        // Another unit changes no digit.
        let k = 1024.0;
        let larger = Case {
            offset: c.offset * k,
            center: times(c.center, k),
            radius: c.radius * k,
            by: c.by.map(|v| times(v, k)),
            ..c
        };
        let (ball, wall, [p, q]) = stored::<f64>(&larger);
        let scaled = mine.map(|mut hit| {
            (hit.point, hit.slack) = (hit.point * k, hit.slack * k);
            hit
        });
        assert_eq!(ball.sweep_both(p, &wall, q), scaled);
    }
    assert!(3 * both > cases(6_000), "{both}");
}

/// Checks the rule for balls: `(d0 - r) / (d0 - d1)`.
#[test]
fn known_times_of_balls() {
    let ground = Plane::new(Vector3::<f64>::z_axis(), 0.0).expect("a plane");
    let go = |from: f64, to: f64| {
        let ball = Sphere::new([4.0, 5.0, from].into(), 1.0).expect("a ball");
        ball.sweep([2.0, 0.0, to - from].into(), &ground)
    };
    let hit = go(3.0, -1.0).expect("half way");
    assert!((hit.time_of_impact - 0.5).abs() < 1e-12 && hit.time_of_impact <= 0.5);
    assert!((hit.point - nalgebra::Point3::new(5.0, 5.0, 0.0)).norm() < 1e-9);
    assert_eq!((hit.normal, hit.started_inside), (Vector3::z(), false));
    assert!(go(3.0, 1.0).is_some() && go(3.0, 1.001).is_none() && go(3.0, 9.0).is_none());
    let behind = go(-3.0, -2.0).expect("it is in the solid");
    assert_eq!((behind.time_of_impact, behind.started_inside), (0.0, true));
    let leaving = go(0.5, 2.5).expect("at first");
    assert!(leaving.started_inside && (leaving.time_of_leaving - 0.25).abs() < 1e-12);
    assert!(
        ground
            .sweep([0.0, 0.0, f64::NAN].into(), &Sphere::new([0.0; 3].into(), 1.0).expect("a ball"))
            .is_none()
    );
}

scalars! {
    balls_reach_the_plane_at_the_time_of_impact => check(71; 72);
}
