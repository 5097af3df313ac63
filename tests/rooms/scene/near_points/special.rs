//! Nearest parts in hard cases: no characters, no geometry, triangles without area, point-like
//! parts, very far out, very large and very small.

use std::sync::Arc;

use boxwood::PartId;
use boxwood::model::Model;
use boxwood::scene::{Buffers, ClosestPart, ClosestParts, QueryFilter, Scene, Spawn};
use boxwood::shape::{Mesh, Pose};
use boxwood::tree::Geometry;

use super::bodies::{bodies, plain};
use super::brute::check;
use support::closed_meshes::{cube, solid};
use support::prelude::*;
use support::random_parts::mesh;

fn one<T: Scalar>(geometry: Geometry<T>, at: Pose<T>) -> Scene<T> {
    let model: Arc<Model<T>> = model_of(vec![geometry]);
    let mut scene = Scene::new();
    scene.insert(&model, Spawn::at(at)).expect("a character");
    scene
}

fn nearest<T: Scalar>(scene: &Scene<T>, point: Point3<T>) -> Option<ClosestPart<T>> {
    let (mut buffers, mut closest) = (Buffers::new(), ClosestParts::new());
    let (now, all) = (scene.snapshot(&mut buffers), QueryFilter::all());
    let one = now.closest_part(point, f64::INFINITY, &all, &mut closest).expect("a question");
    now.closest_parts(point, f64::INFINITY, &all, &mut closest).expect("a question");
    assert_eq!(one.map(|one| one.distance), closest.first().map(|one| one.distance));
    one
}

#[test]
fn without_characters_or_geometry_there_is_no_nearest() {
    let here = Point3::origin();
    assert_eq!(nearest(&Scene::<f32>::new(), here), None);
    let nothing = one::<f64>(Geometry::None, upright([0.0; 3]));
    assert_eq!(nearest(&nothing, Point3::origin()), None);
    let mut scene = one::<f32>(solid(cube([1.0; 3])), upright([0.0; 3]));
    let key = scene.keys().next().expect("one");
    assert!(nearest(&scene, here).is_some_and(|one| one.distance == 0.0));
    scene.set_part_enabled(key, PartId::new(0), false).expect("a part");
    assert_eq!(nearest(&scene, here), None);
    scene.set_part_enabled(key, PartId::new(0), true).expect("a part");
    scene.set_at_rest(key, true).expect("a key");
    assert!(nearest(&scene, here).is_some_and(|one| one.distance == 0.0));
}

/// Builds points and segments as triangles, and slivers.
fn without_area<T: Scalar>(random: &mut Random, kind: usize) -> Geometry<T> {
    let [a, b] = [(); 2].map(|()| random.direction());
    let on = |share: f64| plus(times(a, 1.0 - share), times(b, share));
    let triangle: [V; 3] = match kind % 4 {
        0 => [a; 3],
        1 => [a, b, a],
        2 => [a, b, on(0.25)],
        _ => [a, b, plus(on(0.5), times(random.direction(), 1e-9))],
    };
    let boxes = |half: V| Geometry::Boxes(vec![upright_solid(times(half, -1.0), half)]);
    match kind {
        ..8 => mesh(&[triangle]),
        8 => boxes([0.0; 3]),
        9 => boxes([0.5, 0.0, 0.0]),
        _ => boxes([0.5, 0.3, 0.0]),
    }
}

fn degenerate<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for round in 0..330 {
        let geometry = without_area::<T>(&mut random, round % 11);
        let at = times(random.direction(), [0.0, 3.0, 100.0][round % 3]);
        let scene = one(geometry, turned(&mut random, at));
        let bodies = bodies(&scene, &[]);
        for far in [1e-3, 1.0, 50.0] {
            let point = Point3::from(vector(plus(at, times(random.direction(), far))));
            let found = nearest(&scene, point).expect("a part");
            check(&scene, &bodies, point, &found);
        }
    }
}

/// The probe is a point as well: one geometry, in one pose and beside it.
#[test]
fn a_part_of_one_point_is_as_far_as_the_points_are() {
    let point = |at: V| {
        let mesh = Mesh::new(vec![Point3::from(vector::<f64>(at))], vec![[0; 3]]);
        Geometry::Surface(mesh.expect("a mesh"))
    };
    for at in [[0.0; 3], [1.0, 2.0, 3.0]] {
        let scene = one(point([0.0; 3]), upright(at));
        let here = nearest(&scene, Point3::from(at)).expect("a part");
        assert_eq!(
            (here.distance, here.on_a, here.on_b),
            (0.0, Point3::from(at), Point3::from(at))
        );
        let beside = Point3::from(plus(at, [0.0, 3.0, -4.0]));
        let there = nearest(&scene, beside).expect("a part");
        assert_eq!((there.distance, there.on_a, there.on_b), (5.0, Point3::from(at), beside));
    }
}

/// Checks a cube and points at exact distances from it, scaled by powers of two, which change no
/// digit.
fn scaled<T: Scalar>(powers: &[i32]) {
    for &power in powers {
        let unit = 2f64.powi(power);
        let scene = one::<T>(solid(cube([unit; 3])), upright([0.0; 3]));
        for (at, distance) in [
            ([3.0, 0.0, 0.0], 2.0),
            ([4.0, 5.0, 1.0], 5.0),
            ([0.0, -2.0, 0.5], 1.0),
            ([0.5, 0.5, 0.5], 0.0),
            ([1.0, 1.0, -1.0], 0.0),
            ([2.0, 3.0, -3.0], 3.0),
        ] {
            let point = Point3::from(vector::<T>(times(at, unit)));
            let found = nearest(&scene, point).expect("a part");
            let off = (found.distance.wide() / unit - distance).abs();
            assert!(off <= 4.0 * T::ROUNDING * distance, "2^{power}: {off} off {distance}");
            assert_eq!(found.distance == T::zero(), distance == 0.0);
        }
    }
}

fn far_out<T: Scalar>(seed: u64, far: f64) {
    let mut random = Random(seed);
    for _ in 0..60 {
        let at = times(random.direction(), far);
        let scene = one::<T>(solid(cube([2.0, 1.0, 0.5])), turned(&mut random, at));
        let bodies = bodies(&scene, &[]);
        for away in [0.0, 1.0, 3.0, 20.0, far] {
            let point = Point3::from(vector(plus(at, times(random.direction(), away))));
            let found = nearest(&scene, point).expect("a part");
            check(&scene, &bodies, point, &found);
            assert!(plain(found.on_b) == plain(point));
        }
    }
}

#[test]
fn far_from_the_origin_distances_have_rounding_error_only() {
    far_out::<f32>(803, 1e3);
    far_out::<f32>(804, 1e5);
    far_out::<f64>(805, 1e9);
}

scalars! {
    triangles_without_area_and_flat_boxes_are_as_near_as_they_are => degenerate(801; 802);
    very_large_and_very_small_parts
        => scaled(&[-40, -20, -1, 0, 10, 20, 40]; &[-240, -60, 0, 60, 240]);
}
