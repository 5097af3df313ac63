//! Casts among brushes - cylinders, rays, points: never late, never further off than the slack,
//! independent of order. The oracle is `cylinder_distance`.

use boxwood::brush::{BrushFilter, BrushId, BrushWorld, CastTarget, CylinderAt};
use boxwood::f64::{Ray, UprightCylinder};
use boxwood::{CollisionGroups, Error, shape};
use support::brushes::{any_brush, brush, cuboid, half_spaces, moved};
use support::cylinder_distance::{Corners, Cylinder, HalfSpace};
use support::prelude::*;
use support::walks::{world, world_of_ids};

fn all() -> BrushFilter {
    BrushFilter::default()
}

/// Draws some brushes within 6 of the origin.
fn crowd(random: &mut Random) -> Vec<Vec<HalfSpace>> {
    let count = 1 + random.below(12);
    let mut next = || {
        let by = std::array::from_fn(|_| random.between(-5.0, 5.0));
        let turn = if random.chance(0.5) { random.quarter() } else { random.rotation() };
        moved(&any_brush(random), &turn, by)
    };
    (0..count).map(|_| next()).collect()
}

/// Returns the oracle's corners of the stored brushes.
fn corners(world: &BrushWorld) -> Vec<Corners> {
    let planes = |id| half_spaces(world.brush(id).expect("its own id"));
    world.ids().map(|id| Corners::of_planes(&planes(id)).expect("a brush")).collect()
}

fn somewhere(random: &mut Random) -> V {
    std::array::from_fn(|_| random.between(-8.0, 8.0))
}

fn casts_beside_the_twin<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut hits, mut inside, mut misses) = (0, 0, 0);
    for _ in 0..at_least(800, 200) {
        let world = world(&crowd(&mut random));
        let twins = corners(&world);
        let size = [random.decade(-2.0, 0.0), random.decade(-2.0, 0.3)].map(T::nearest);
        let solid = shape::UprightCylinder::new(size[0], size[1]).expect("a size");
        let plain = Cylinder { radius: size[0].wide(), half_height: size[1].wide() };
        let (start, to) = (point::<T>(somewhere(&mut random)), somewhere(&mut random));
        let way = vector::<T>(to) - start.coords;
        let at = |t: f64| {
            let (from, way) = (start.map(T::wide), way.map(T::wide));
            [0, 1, 2].map(|i| from[i] + t * way[i])
        };
        let hit = world.cast_cylinder(&solid, start, way, &all()).expect("numbers");
        let (time, slack) =
            hit.map_or((1.0, 0.0), |hit| (hit.time_of_impact.wide(), hit.slack.wide()));
        let (from, until) = (at(0.0), times(way.map(T::wide).into(), time));
        for twin in &twins {
            let least = twin.least_gap(&plain, from, until, 0.0);
            // Before the reported time it is in no brush.
            assert!(time == 0.0 || least > -1e-9 - slack, "{hit:?}: {least:e}");
        }
        let Some(hit) = hit else {
            misses += 1;
            continue;
        };
        let gap = twins[hit.target.0 as usize].gap(&plain, at(time));
        assert!(gap <= slack + 1e-11, "{hit:?}: {gap:e} off");
        let length = hit.normal.map(T::wide).norm();
        assert!((length - 1.0).abs() < 1e-6);
        if hit.started_inside {
            inside += 1;
            assert!(time == 0.0);
        } else {
            hits += 1;
            assert!(hit.normal.map(T::wide).dot(&way.map(T::wide)) <= 1e-6, "{hit:?}");
            // All of the brush is behind the plane at the contact.
            let out = hit.normal.map(T::wide);
            let most = twins[hit.target.0 as usize].points.iter();
            let most = most.map(|p| inner(*p, out.into())).fold(f64::MIN, f64::max);
            let near = out.dot(&hit.point.map(T::wide).coords);
            assert!(most <= near + slack + 1e-5, "{hit:?}: {most} {near}");
        }
    }
    assert!(hits > 40 && inside > 3 && misses > 20, "{hits} {inside} {misses}");
}

/// Ends of long rays, rounded to single precision, would rotate them.
#[test]
fn long_rays_in_single_precision_are_not_late() {
    let (mut random, mut hits) = (Random(0xca57_0009), 0);
    for _ in 0..cases(20_000) {
        let (from, along) = (somewhere(&mut random), random.direction());
        let ray = shape::Ray::new(point::<f32>(from), Unit::new_normalize(vector::<f32>(along)));
        let ray = ray.expect("a unit direction");
        let (from, along) = (ray.origin().map(f64::from), ray.direction().map(f64::from));
        let (from, along): (V, V) = (from.into(), along.into());
        // A large brush far ahead, often seen at a shallow angle.
        let middle = plus(from, times(along, random.decade(1.0, 4.0)));
        let half: V = std::array::from_fn(|_| random.decade(0.0, 4.0));
        let turn = random.rotation();
        let planes = moved(&cuboid(half.map(|x| -x), half), &turn, middle);
        let world = world(std::slice::from_ref(&planes));
        let planes = half_spaces(world.brush(BrushId(0)).expect("its own id"));
        let (enter, leave) = clipped(&planes, from, along).expect("the middle is ahead");
        if enter == 0.0 {
            continue;
        }
        let hit = world.ray_cast(&ray, 1e6_f32, &all()).expect("numbers").expect("ahead");
        hits += 1;
        let (distance, slack) = (hit.distance.wide(), hit.slack.wide());
        assert!(distance <= enter, "late by {:e} of {enter}: {hit:?}", distance - enter);
        // Early by the rounding of the distance, and by the pads, at a shallow angle by more.
        let normal: V = hit.normal.map(f64::from).into();
        let early = enter - distance;
        let shallow = -inner(normal, along);
        assert!(early * shallow <= slack, "{early:e} {shallow} {leave} {hit:?}");
    }
    assert!(hits > cases(20_000) / 3, "{hits}");
}

#[test]
fn neither_order_nor_company_changes_a_hit() {
    let mut random = Random(0xca57_0003);
    for _ in 0..cases(2000) {
        let brushes = crowd(&mut random);
        let first = world(&brushes);
        let mut order: Vec<usize> = (0..brushes.len()).collect();
        (1..order.len()).for_each(|i| order.swap(i, random.below(i + 1)));
        let second = world_of_ids(order.iter().map(|&i| (i as u32, brushes[i].clone())));
        let solid = UprightCylinder::new(0.4, 0.9).expect("a size");
        for _ in 0..10 {
            let start = Point3::from(somewhere(&mut random));
            let way = Point3::from(somewhere(&mut random)) - start;
            let cast = |world: &BrushWorld| world.cast_cylinder(&solid, start, way, &all());
            let hit = cast(&first).expect("numbers");
            assert_eq!(cast(&second), Ok(hit));
            // Each brush alone: the earliest, of equal times the lowest id.
            let mut best = None;
            for (i, planes) in brushes.iter().enumerate() {
                let alone = world_of_ids([(i as u32, planes.clone())]);
                let hit = cast(&alone).expect("numbers");
                let time = |hit: &Option<boxwood::pair::CastHit<f64, 3, BrushId>>| {
                    hit.map_or(f64::INFINITY, |hit| hit.time_of_impact)
                };
                if time(&hit) < time(&best) {
                    best = hit;
                }
            }
            // The pad grows with the size of the world: times differ by it.
            match (hit, best) {
                (None, None) => {}
                (Some(a), Some(b)) => {
                    let apart = (a.time_of_impact - b.time_of_impact).abs() * way.norm();
                    assert!(apart < 1e-6, "{a:?} {b:?}");
                }
                (a, b) => panic!("{a:?} {b:?}"),
            }
        }
    }
}

#[test]
fn ties_go_to_the_lowest_id() {
    let slab = |x: f64| cuboid([x, -4.0, -1.0], [x + 4.0, 4.0, 0.0]);
    for ids in [[7, 3, 5], [3, 7, 5], [9, 8, 3]] {
        let world = world_of_ids(ids.into_iter().zip([0.0, -4.0, -2.0].map(slab)));
        let solid = UprightCylinder::new(0.4, 0.9).expect("a size");
        let start = Point3::new(0.1, 0.0, 3.0);
        let hit = world.cast_cylinder(&solid, start, Vector3::new(0.0, 0.0, -4.0), &all());
        assert_eq!(hit.expect("numbers").expect("a floor").target, BrushId(3));
        let mut found = Vec::new();
        world
            .overlaps_cylinder(&solid, Point3::new(0.1, 0.0, 0.5), &all(), &mut found)
            .expect("ok");
        let mut sorted = ids.map(BrushId);
        sorted.sort_unstable();
        assert_eq!(found, sorted);
    }
}

/// Interval of a ray in a brush, by its half-spaces one after another.
pub(super) fn clipped(planes: &[HalfSpace], from: V, way: V) -> Option<(f64, f64)> {
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for &(normal, offset) in planes {
        let (depth, speed) = (offset - inner(normal, from), inner(normal, way));
        if speed < 0.0 {
            enter = enter.max(depth / speed);
        } else if speed > 0.0 {
            leave = leave.min(depth / speed);
        } else if depth < 0.0 {
            return None;
        }
    }
    (enter <= leave && leave >= 0.0).then_some((enter.max(0.0), leave))
}

#[test]
fn rays_agree_with_clipping_by_half_spaces() {
    let mut random = Random(0xca57_0004);
    let mut hits = 0;
    for _ in 0..cases(5000) {
        let world = world(&crowd(&mut random));
        for _ in 0..10 {
            let (from, way) = (somewhere(&mut random), random.direction());
            let ray = Ray::new(Point3::from(from), Unit::new_unchecked(Vector3::from(way)));
            let ray = ray.expect("a unit direction");
            let met = world.ids().filter_map(|id| {
                let planes = half_spaces(world.brush(id).expect("its own id"));
                clipped(&planes, from, way)
                    .filter(|met| met.1 - met.0 > 1e-6)
                    .map(|met| (met.0, id))
            });
            let first = met.reduce(|a, b| if b.0 < a.0 { b } else { a });
            let hit = world.ray_cast(&ray, 20.0, &all()).expect("numbers");
            match (first, hit) {
                (Some((distance, _)), Some(hit)) => {
                    hits += 1;
                    let late = hit.distance - distance;
                    assert!(late < 1e-9, "{late:e}");
                    // Earlier only where a brush is hit by less than the threshold above.
                    let planes = half_spaces(world.brush(hit.target).expect("its own id"));
                    let at = plus(from, times(way, hit.distance));
                    let out =
                        planes.iter().map(|&(n, o)| inner(n, at) - o).fold(f64::MIN, f64::max);
                    assert!(out <= hit.slack + 1e-9, "{out:e} {hit:?}");
                }
                (None, None) => {}
                (None, Some(hit)) => {
                    let planes = half_spaces(world.brush(hit.target).expect("its own id"));
                    let met = clipped(&planes, from, way);
                    assert!(met.is_none_or(|met| met.1 - met.0 < 1e-5), "{hit:?} {met:?}");
                }
                (Some(first), None) => panic!("{first:?} is missed"),
            }
        }
    }
    assert!(hits > 200, "{hits}");
}

#[test]
fn overlaps_and_contents_equal_brute_force() {
    let mut random = Random(0xca57_0005);
    let (mut listed, mut held) = (0, 0);
    for _ in 0..cases(5000) {
        let world = world(&crowd(&mut random));
        let twins = corners(&world);
        let (mut found, mut points) = (Vec::new(), Vec::new());
        for _ in 0..10 {
            let at = somewhere(&mut random).map(|x| 0.7 * x);
            let plain = Cylinder {
                radius: random.decade(-2.0, 0.3),
                half_height: random.decade(-2.0, 0.3),
            };
            let solid = UprightCylinder::new(plain.radius, plain.half_height).expect("a size");
            world.overlaps_cylinder(&solid, Point3::from(at), &all(), &mut found).expect("numbers");
            world.contents(Point3::from(at), &all(), &mut points).expect("numbers");
            assert!(found.is_sorted() && points.is_sorted());
            for (id, twin) in world.ids().zip(&twins) {
                let gap = twin.gap(&plain, at);
                assert!(gap.abs() < 1e-7 || found.contains(&id) == (gap < 0.0), "{id:?} {gap:e}");
                let planes = half_spaces(world.brush(id).expect("its own id"));
                let out = planes.iter().map(|&(n, o)| inner(n, at) - o).fold(f64::MIN, f64::max);
                assert!(out.abs() < 1e-7 || points.contains(&id) == (out < 0.0), "{id:?} {out:e}");
            }
            listed += found.len();
            held += points.len();
        }
    }
    assert!(listed > 200 && held > 100, "{listed} {held}");
}

#[test]
fn groups_filter_hits_and_bodies_move_brushes() {
    let mut random = Random(0xca57_0006);
    let solid = UprightCylinder::new(0.4, 0.9).expect("a size");
    for _ in 0..cases(2000) {
        let brushes = crowd(&mut random);
        let mut builder = BrushWorld::builder();
        let body = builder.body();
        for (i, planes) in brushes.iter().enumerate() {
            let groups = CollisionGroups { memberships: 1 << (i % 2), filter: u64::MAX };
            builder.push_to(body, brush(planes), groups);
        }
        let mut moving = builder.build().expect("its own ids");
        let odd = BrushFilter::default().groups(CollisionGroups { memberships: 1, filter: 2 });
        // A multiple of a 16th: exact.
        let by = Vector3::from(somewhere(&mut random)).map(|x| (16.0 * x).round() / 16.0);
        moving.set_offset(body, by).expect("numbers");
        let start = Point3::from(somewhere(&mut random)).map(|x| (1024.0 * x).round() / 1024.0);
        let way = Point3::from(somewhere(&mut random)) - start;
        let moved = moving.cast_cylinder(&solid, start + by, way, &odd).expect("numbers");
        assert!(moved.is_none_or(|hit| hit.target.0 % 2 == 1));
        moving.set_offset(body, Vector3::<f64>::zeros()).expect("numbers");
        let still = moving.cast_cylinder(&solid, start, way, &odd).expect("numbers");
        let times = [moved, still].map(|hit| hit.map(|hit| hit.time_of_impact));
        match times {
            [Some(a), Some(b)] => assert!((a - b).abs() * way.norm() < 1e-6, "{a} {b}"),
            [a, b] => assert_eq!(a, b),
        }
    }
}

#[test]
fn non_finite_casts_are_refused() {
    let world = world(&[cuboid([-1.0; 3], [1.0; 3])]);
    let solid = UprightCylinder::new(0.4, 0.9).expect("a size");
    let mut found = vec![BrushId(9)];
    for bad in [f64::NAN, f64::INFINITY] {
        let (place, way) = (Point3::new(0.0, bad, 0.0), Vector3::new(0.0, 0.0, bad));
        let cast = world.cast_cylinder(&solid, place, Vector3::z(), &all());
        assert!(matches!(cast, Err(Error::NotFinite { field: "start", .. })));
        let cast = world.cast_cylinder(&solid, Point3::origin(), way, &all());
        assert!(matches!(cast, Err(Error::NotFinite { field: "displacement", .. })));
        assert!(world.overlaps_cylinder(&solid, place, &all(), &mut found).is_err());
        assert!(world.contents(place, &all(), &mut found).is_err());
        let ray = Ray::new(Point3::origin(), Vector3::z_axis()).expect("a ray");
        assert!(world.ray_cast(&ray, bad, &all()).is_err());
    }
    assert!(UprightCylinder::new(-1.0, 0.9).is_err());
}

/// Distance of two upright cylinders, beside or above each other; below 0 inside.
fn apart(a: &UprightCylinder, at: Point3<f64>, other: &CylinderAt<f64>) -> f64 {
    let way = at - other.center;
    let beside = way.x.hypot(way.y) - a.radius() - other.cylinder.radius();
    let above = way.z.abs() - a.half_height() - other.cylinder.half_height();
    if beside > 0.0 && above > 0.0 { beside.hypot(above) } else { beside.max(above) }
}

#[test]
fn casts_among_brushes_and_cylinders_hit_the_first_of_all() {
    let (mut random, mut met) = (Random(0xca57), [0; 3]);
    for _ in 0..cases(20_000) {
        let level = world(&crowd(&mut random));
        let size = |random: &mut Random| {
            UprightCylinder::new(random.decade(-1.5, 0.3), random.decade(-1.5, 0.3))
                .expect("a size")
        };
        let (own, start) = (size(&mut random), point(somewhere(&mut random)));
        let way = point::<f64>(somewhere(&mut random)) - start;
        // Around the way.
        let others: Vec<CylinderAt<f64>> = (0..random.below(6))
            .map(|_| CylinderAt {
                cylinder: size(&mut random),
                center: start
                    + way * random.between(-0.2, 1.2)
                    + vector::<f64>(somewhere(&mut random)) * 0.1,
                groups: CollisionGroups { memberships: [1, 2][random.below(2)], filter: u64::MAX },
            })
            .collect();
        let filter = all().groups(CollisionGroups { memberships: u64::MAX, filter: 1 });
        let hit = level.cast_cylinder_among(&own, start, way, &filter, &others).expect("numbers");
        let alone = level.cast_cylinder(&own, start, way, &filter).expect("numbers");
        let asked = || others.iter().filter(|other| other.groups.memberships & 1 != 0);
        let end = hit.map_or(1.0, |hit| hit.time_of_impact);
        // Up to the hit no other cylinder is touched by more than rounding: a gap is convex.
        for other in asked() {
            let gap = |time: f64| apart(&own, start + way * time, other);
            let least = (0..=200).map(|i| gap(end * f64::from(i) / 200.0)).fold(9.0, f64::min);
            assert!(end == 0.0 || least > -1e-9, "{own:?} {start} {way} {other:?} {hit:?} {least}");
        }
        let Some(hit) = hit else {
            met[0] += 1;
            assert_eq!(alone, None);
            continue;
        };
        match hit.target {
            CastTarget::Brush(id) => {
                met[1] += 1;
                let alone = alone.expect("the same brush");
                assert_eq!((id, hit.time_of_impact), (alone.target, alone.time_of_impact));
            }
            CastTarget::Cylinder(index) => {
                met[2] += 1;
                assert!(alone.is_none_or(|alone| alone.time_of_impact > hit.time_of_impact));
                let other = &others[index];
                let gap = apart(&own, start + way * end, other);
                assert!(gap <= hit.slack + 1e-12, "{gap} {hit:?}");
                assert_eq!(hit.started_inside, apart(&own, start, other) <= 1e-12);
                assert!((hit.normal.norm() - 1.0).abs() < 1e-12);
                assert!(hit.started_inside || hit.normal.dot(&way) < 0.0);
                // Never earlier, and no later; infinite where they touch at the end.
                let left = hit.time_of_leaving;
                let after = apart(&own, start + way * left.min(1.0), other);
                assert!(after < 1e-6 && (after > -1e-9 || left.is_infinite()), "{after} {hit:?}");
            }
        }
    }
    println!("nothing, a brush, a cylinder: {met:?}");
    assert!(met.iter().all(|&count| count > 20), "{met:?}");
    let bad = CylinderAt {
        cylinder: UprightCylinder::new(1.0, 1.0).expect("a size"),
        center: Point3::new(0.0, f64::NAN, 0.0),
        groups: CollisionGroups::ALL,
    };
    let (own, level) = (bad.cylinder, world(&[]));
    let cast = level.cast_cylinder_among(&own, Point3::origin(), Vector3::x(), &all(), &[bad]);
    assert_eq!(cast, Err(Error::NotFinite { field: "center", index: 0 }));
}

scalars! {
    cylinders_are_never_late_and_no_further_off_than_the_slack
        => casts_beside_the_twin(0xca57_0002; 0xca57_0001);
}
