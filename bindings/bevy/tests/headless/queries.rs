//! Tests of rays, regions, nearest parts and pushes in systems.

use bevy_app::{App, PostUpdate};
use bevy_boxwood::boxwood::nalgebra::{Point3, Vector3};
use bevy_boxwood::boxwood::{CharacterKey, Push, QueryFilter, Sphere};
use bevy_boxwood::{BoxwoodQueries, BoxwoodSystems, NearPart};
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::{Dir3, Vec3};
use bevy_transform::components::Transform;

use crate::stage::{app, spawn_cube};

/// Two cubes that overlap, and a third far off.
fn stage() -> (App, [Entity; 3]) {
    let mut app = app();
    let cubes = [0.0, 0.9, 10.0].map(|x| spawn_cube(&mut app, x));
    app.update();
    (app, cubes)
}

/// Runs a system once and returns its answer.
fn ask<T: 'static, M>(app: &mut App, system: impl IntoSystem<(), T, M> + 'static) -> T {
    app.world_mut().run_system_once(system).expect("a system")
}

#[test]
fn a_ray_meets_the_first() {
    let (mut app, [a, b, c]) = stage();
    ask(&mut app, move |mut queries: BoxwoodQueries| {
        let from = Vec3::new(-5.0, 0.0, 0.0);
        let hit = queries.ray_cast(from, Dir3::X, None, &QueryFilter::all());
        let hit = hit.expect("an answer").expect("a hit");
        assert_eq!((hit.target.character, queries.part_name(hit.target)), (a, "cube"));
        assert!((hit.distance - 4.5).abs() < 1e-5 && (hit.point.x + 0.5).abs() < 1e-5);
        assert!(hit.normal.distance(Vec3::NEG_X) < 1e-6 && !hit.started_inside);
        let keys: Vec<CharacterKey> = [a, b].iter().filter_map(|&e| queries.key(e)).collect();
        let others = QueryFilter::all().excluding(&keys);
        let hit = queries.ray_cast(from, Dir3::X, None, &others).expect("an answer");
        assert_eq!(hit.map(|hit| hit.target.character), Some(c));
        assert_eq!(queries.ray_cast(from, Dir3::X, Some(3.0), &others), Ok(None));
        assert!(queries.ray_cast(from, Dir3::X, Some(-1.0), &others).is_err());
        assert!(queries.ray_cast(Vec3::NAN, Dir3::X, None, &others).is_err());
    });
}

#[test]
fn regions_and_nearest_parts() {
    let (mut app, [a, b, c]) = stage();
    ask(&mut app, move |mut queries: BoxwoodQueries| {
        let ball = |x, r| Sphere::new(Point3::new(x, 0.0, 0.0), r).expect("a ball");
        let found = queries.overlaps(ball(0.45, 0.1), &QueryFilter::all()).expect("an answer");
        assert_eq!(found.iter().map(|part| part.character).collect::<Vec<_>>(), [a, b]);
        assert_eq!(queries.overlaps_any(ball(5.0, 1.0), &QueryFilter::all()), Ok(false));
        assert_eq!(queries.overlaps_any(ball(9.0, 1.0), &QueryFilter::all()), Ok(true));
        let near = queries.closest_parts(Vec3::new(3.0, 0.0, 0.0), 6.6, &QueryFilter::all());
        let near = near.expect("an answer");
        let characters: Vec<_> = near.iter().map(|near| near.target.character).collect();
        assert_eq!(characters, [b, a, c]);
        let NearPart { point, distance, .. } = near[0];
        assert!((distance - 1.6).abs() < 1e-5 && (point.x - 1.4).abs() < 1e-5);
        let parts = near.to_vec();
        assert!(queries.closest_parts(Vec3::ZERO, f32::NAN, &QueryFilter::all()).is_err());
        // The models have one part, so that characters are as near as their parts.
        let at = Vec3::new(3.0, 0.0, 0.0);
        let each = queries.closest_characters(at, 6.6, &QueryFilter::all()).expect("an answer");
        assert_eq!(each, parts);
    });
}

#[test]
fn a_moving_shape_hits_the_first_or_all() {
    let (mut app, [a, b, c]) = stage();
    ask(&mut app, move |mut queries: BoxwoodQueries| {
        let ball = Sphere::new(Point3::new(-5.0, 0.0, 0.0), 0.25).expect("a ball");
        let (way, all) = (Vec3::new(10.0, 0.0, 0.0), QueryFilter::all());
        let hit = queries.shape_cast(ball, way, &all).expect("an answer").expect("a hit");
        assert_eq!((hit.target.character, hit.started_inside), (a, false));
        // Its front is at -4.75, the cube begins at -0.5.
        assert!((hit.time - 0.425).abs() < 1e-6 && hit.time <= 0.425, "{hit:?}");
        assert!((hit.point.x + 0.5).abs() < 1e-5 && hit.normal.distance(Vec3::NEG_X) < 1e-6);
        let hits = queries.shape_cast_all(ball, way, &all).expect("an answer");
        let characters: Vec<_> = hits.iter().map(|hit| hit.target.character).collect();
        assert_eq!(characters, [a, b]);
        // It leaves the first where its back is at 0.5, and the second at 1.4.
        assert!((hits[0].leaving - 0.575).abs() < 1e-6 && (hits[1].leaving - 0.665).abs() < 1e-6);
        let key = queries.key(a).expect("a key");
        let others = QueryFilter::all().excluding(&[key]);
        let hit = queries.shape_cast(ball, way, &others).expect("an answer").expect("a hit");
        assert_eq!(hit.target.character, b);
        assert_eq!(queries.shape_cast(ball, way * 0.4, &all), Ok(None));
        assert!(queries.shape_cast(ball, Vec3::NAN, &all).is_err());
        assert!(queries.shape_cast_all(ball, Vec3::NAN, &all).is_err());
        let pierced = queries.ray_cast_all(Vec3::new(-5.0, 0.0, 0.0), Dir3::X, None, &all);
        let pierced = pierced.expect("an answer");
        let characters: Vec<_> = pierced.iter().map(|hit| hit.target.character).collect();
        assert_eq!(characters, [a, b, c]);
        let distances = [4.5, 5.4, 14.5];
        assert!(pierced.iter().zip(distances).all(|(hit, d)| (hit.distance - d).abs() < 1e-5));
        let short = queries.ray_cast_all(Vec3::new(-5.0, 0.0, 0.0), Dir3::X, Some(5.0), &all);
        assert_eq!(short.expect("an answer").len(), 1);
    });
}

#[test]
fn a_push_parts_two() {
    let (mut app, [a, b, c]) = stage();
    let push = ask(&mut app, move |mut queries: BoxwoodQueries| {
        let ground = Push::across(Vector3::y_axis());
        assert_eq!(queries.separation(a, c, &ground), Ok(None));
        assert_eq!(queries.separation(a, Entity::PLACEHOLDER, &ground), Ok(None));
        queries.separation(a, b, &ground).expect("an answer").expect("they touch")
    });
    assert!((push.depth - 0.1).abs() < 1e-5 && push.normal == Vector3::x_axis());
    let step = push.normal.into_inner() * (push.depth + 1e-4);
    let apart =
        Transform::from_translation(Vec3::new(0.9, 0.0, 0.0) + Vec3::from_array(step.into()));
    app.world_mut().entity_mut(b).insert(apart);
    app.update();
    ask(&mut app, move |queries: BoxwoodQueries| assert_eq!(queries.state().hits(), []));
}

#[test]
fn systems_that_ask_only_read() {
    // Two systems with the parameter in one schedule without an order: a write conflict would be an
    // ambiguity, which is an error here.
    use bevy_ecs::schedule::{LogLevel, ScheduleBuildSettings};
    let (mut app, _) = stage();
    let ray = |mut queries: BoxwoodQueries| {
        let _ = queries.ray_cast(Vec3::ZERO, Dir3::X, None, &QueryFilter::all());
    };
    let ball = |mut queries: BoxwoodQueries| {
        let _ = queries.overlaps_any(Point3::origin(), &QueryFilter::all());
    };
    app.edit_schedule(PostUpdate, |schedule| {
        let ambiguity_detection = LogLevel::Error;
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection,
            ..Default::default()
        });
    });
    app.add_systems(PostUpdate, (ray, ball).after(BoxwoodSystems::Ask));
    app.update();
}

#[test]
fn a_moment_outlives_the_frame_and_goes_to_a_thread() {
    let (mut app, [a, b, _]) = stage();
    let then = crate::stage::boxwood(&app).moment().clone();
    let keys = [a, b].map(|e| crate::stage::boxwood(&app).key(e).expect("a key"));
    app.world_mut().entity_mut(b).despawn();
    app.update();
    let asked = std::thread::spawn(move || {
        let query = bevy_boxwood::boxwood::PairQuery::between(keys[0], keys[1]);
        let mut scratch = bevy_boxwood::boxwood::QueryScratch::new();
        then.snapshot().intersects(&query, &mut scratch)
    });
    assert_eq!(asked.join().expect("a thread"), Ok(true));
}
