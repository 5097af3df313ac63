//! Rays and boxes at meshes against every triangle in double precision: builds with one triangle, a
//! few and many a leaf, every SIMD level, sizes, distances, and triangles without area.

use boxwood::model::Model;
use boxwood::num::SimdLevel;
use boxwood::scene::{Buffers, Overlaps, QueryFilter, RayHits, Scene, Spawn};
use boxwood::shape::{Mesh, Obb, Pose, Ray};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, Error, HitMode};

use support::prelude::*;

/// Heights along a side of the ground.
const SIDE: usize = 13;

/// Returns a bumpy ground of some size, and triangles without area on it.
fn ground<T: Scalar>(random: &mut Random, middle: V, size: f64) -> (Mesh<T>, Vec<[V; 3]>) {
    let step = size / (SIDE - 1) as f64;
    let vertex = |index: usize| {
        let (x, z) = ((index % SIDE) as f64 * step, (index / SIDE) as f64 * step);
        let at = [x - 0.5 * size, random.between(-0.4, 0.4) * step, z - 0.5 * size];
        Point3::from(plus(middle, at).map(T::nearest))
    };
    let vertices: Vec<Point3<T>> = (0..SIDE * SIDE).map(vertex).collect();
    let mut triangles = Vec::new();
    for index in 0..(SIDE - 1) * (SIDE - 1) {
        let a = index / (SIDE - 1) * SIDE + index % (SIDE - 1);
        let [a, b, c, d] = [a, a + 1, a + SIDE + 1, a + SIDE].map(|i| i as u32);
        triangles.extend([[a, b, c], [a, c, d]]);
        if index % 7 == 0 {
            triangles.extend([[a, a, a], [b, c, b], [a, b, c]]);
        }
    }
    let corners =
        |triangle: &[u32; 3]| triangle.map(|i| vertices[i as usize].coords.map(T::wide).into());
    let wide = triangles.iter().map(corners).collect();
    (Mesh::new(vertices, triangles).expect("a mesh"), wide)
}

/// Returns scenes of the mesh alone, by builds with one, a few and many triangles a leaf.
fn scenes<T: Scalar>(mesh: &Mesh<T>) -> Vec<Scene<T>> {
    let builds = [
        Build::default(),
        Build::fast().leaf_primitives(1),
        Build::fast(),
        Build::fast().leaf_primitives(11),
        Build::fast().leaf_primitives(300).max_depth(1),
    ];
    let scene = |build: &Build| {
        let part = Geometry::Surface(mesh.clone());
        let model = Model::builder().part("ground", None, part).build(build).expect("a model");
        let mut scene = Scene::new();
        scene.insert(&model, Spawn::default()).expect("room");
        scene
    };
    builds.iter().map(scene).collect()
}

/// Crossing of a line and a triangle: where, and by how much the line passes inside the edges;
/// negative outside.
fn crossing(from: V, along: V, corners: &[V; 3]) -> Option<(f64, f64)> {
    let seen = corners.map(|p| minus(p, from));
    let normal = outer(minus(seen[1], seen[0]), minus(seen[2], seen[0]));
    let rate = inner(normal, along);
    let t = inner(normal, seen[0]) / rate;
    if !t.is_finite() {
        return None;
    }
    let inside = (0..3).map(|i| {
        let (p, q) = (seen[i], seen[(i + 1) % 3]);
        let edge = minus(q, p);
        inner(outer(p, q), along) * rate.signum() / norm(outer(edge, along)).max(f64::MIN_POSITIVE)
    });
    Some((t, inside.fold(f64::INFINITY, f64::min)))
}

/// Distance of a line from the edges of a triangle, for triangles without area.
fn edge_distance(from: V, along: V, corners: &[V; 3]) -> f64 {
    let seen = corners.map(|p| minus(p, from));
    let flat = seen.map(|p| minus(p, times(along, inner(p, along))));
    let edges = (0..3).map(|i| {
        let (p, edge) = (flat[i], minus(flat[(i + 1) % 3], flat[i]));
        let size = inner(edge, edge);
        let s = if size > 0.0 { (-inner(p, edge) / size).clamp(0.0, 1.0) } else { 0.0 };
        norm(plus(p, times(edge, s)))
    });
    edges.fold(f64::INFINITY, f64::min)
}

/// Draws a ray at the ground: at a corner, an edge, or a point between, from above at any angle.
fn aimed_ray<T: Scalar>(random: &mut Random, wide: &[[V; 3]], size: f64) -> Ray<T> {
    let [a, b, c] = wide[random.below(wide.len())];
    let (s, t) = (random.share(), random.share());
    let on_edge = plus(a, times(minus(b, a), s));
    let target = match random.below(4) {
        0 => a,
        1 => on_edge,
        _ => plus(on_edge, times(minus(c, on_edge), t)),
    };
    let mut way = random.direction();
    way[1] = -way[1].abs() * [1.0, 0.1, 1e-3][random.below(3)];
    let way = times(way, 1.0 / norm(way));
    let from = minus(target, times(way, size * random.decade(-1.0, 3.0)));
    let [from, target] = [from, target].map(|p| Point3::from(p.map(T::nearest)));
    Ray::through(from, target).expect("in range").expect("two points")
}

#[derive(Default, Debug)]
struct RayCounts {
    hit: usize,
    missed: usize,
    grazing: usize,
}

fn rays<T: Scalar>(random: &mut Random, [far, size]: [f64; 2], counts: &mut RayCounts) {
    let middle = times(random.direction(), far * size);
    let (mesh, wide) = ground::<T>(random, middle, size);
    let (scenes, filter) = (scenes(&mesh), QueryFilter::all().accuracy(Accuracy::Exact));
    let (mut hits, simd_levels) = (RayHits::new(), SimdLevel::all());
    let mut buffers: Vec<Buffers<T>> = scenes.iter().map(|_| Buffers::new()).collect();
    for _ in 0..cases(600) {
        let ray = aimed_ray::<T>(random, &wide, size);
        let (from, along) = (ray.origin().coords, ray.direction().into_inner());
        let (from, along): (V, V) = (from.map(T::wide).into(), along.map(T::wide).into());
        let sizes = norm(from) + norm(middle) + size;
        // Error of the answers on triangles that the ray grazes.
        let band = 1e-11 * sizes;
        let (mut certain, mut possible) = (f64::INFINITY, f64::INFINITY);
        for corners in &wide {
            let seen = corners.map(|p| inner(minus(p, from), along));
            let [low, high] =
                [f64::min, f64::max].map(|best| seen.into_iter().reduce(best).unwrap());
            let crossing = crossing(from, along, corners);
            let beside = || -edge_distance(from, along, corners);
            let inside = crossing.map_or_else(beside, |(_, inside)| inside);
            if inside > band && low > band {
                let (t, _) = crossing.unwrap();
                certain = certain.min(t.clamp(low, high));
                possible = possible.min(t.clamp(low, high));
            } else if inside > -band && high > -band {
                possible = possible.min(low.max(0.0));
            }
        }
        let answers: Vec<Option<T>> = scenes
            .iter()
            .zip(&mut buffers)
            .map(|(scene, buffers)| {
                let now = scene.snapshot(buffers);
                let hit = now.ray_cast(ray, &filter, &mut hits).expect("a query");
                let any = now.ray_cast_any(ray, &filter, &mut hits).expect("a query");
                assert_eq!(any, hit.is_some());
                hit.map(|hit| hit.distance)
            })
            .collect();
        let simd = simd_levels[random.below(simd_levels.len())];
        let mut plain = Buffers::with_simd_level(simd);
        let now = scenes[0].snapshot(&mut plain);
        let hit = now.ray_cast(ray, &filter, &mut hits).expect("a query");
        assert_eq!(hit.map(|hit| hit.distance), answers[0], "{simd}");
        if possible < certain {
            counts.grazing += 1;
        } else {
            assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
        }
        for answer in answers.iter().map(|answer| answer.map_or(f64::INFINITY, T::wide)) {
            let off = band + 4.0 * T::ROUNDING * sizes;
            // A plane that the ray nearly lies in magnifies the error of the oracle.
            let off = if possible < certain { 1e4 * off } else { 1e2 * off };
            let is_between = answer <= certain + off && answer >= possible - off;
            assert!(is_between, "{possible:e} {answer:e} {certain:e}: {ray:?}");
        }
        match certain.is_finite() {
            true => counts.hit += 1,
            false => counts.missed += 1,
        }
    }
}

fn rays_hit_what_every_triangle_says<T: Scalar>(seed: u64) {
    let (mut random, mut counts) = (Random(seed), RayCounts::default());
    for size in [1.0, 1e-5, 1e6] {
        for far in [0.0, 1.0, 30.0] {
            rays::<T>(&mut random, [far, size], &mut counts);
        }
    }
    println!("{counts:?}");
    let all = counts.hit + counts.missed;
    let share = counts.grazing as f64 / all as f64;
    assert!(3 * counts.hit > all && share > 0.01 && share < 0.8, "{counts:?}");
}

/// Returns the greatest gap of a box and a triangle along 13 axes; negative if they overlap.
fn gap(center: V, axes: &[V; 3], half: V, corners: &[V; 3]) -> f64 {
    let seen = corners.map(|p| minus(p, center));
    let edges = [0, 1, 2].map(|i| minus(seen[(i + 1) % 3], seen[i]));
    let crossed = edges.iter().flat_map(|edge| axes.iter().map(|axis| outer(*edge, *axis)));
    let normal = outer(edges[0], edges[1]);
    let gaps = axes.iter().copied().chain([normal]).chain(crossed).filter_map(|axis| {
        let size = norm(axis);
        (size > 0.0).then(|| {
            let reach: f64 = (0..3).map(|i| half[i] * inner(axes[i], axis).abs()).sum();
            let along = seen.map(|p| inner(p, axis));
            let low = along.into_iter().reduce(f64::min).unwrap();
            let high = along.into_iter().reduce(f64::max).unwrap();
            (low - reach).max(-high - reach) / size
        })
    });
    gaps.fold(f64::NEG_INFINITY, f64::max)
}

fn boxes<T: Scalar>(random: &mut Random, [far, size]: [f64; 2], counts: &mut [usize; 3]) {
    let middle = times(random.direction(), far * size);
    let (mesh, wide) = ground::<T>(random, middle, size);
    let (scenes, filter) = (scenes(&mesh), QueryFilter::all().accuracy(Accuracy::Exact));
    let (mut found, simd_levels) = (Overlaps::new(), SimdLevel::all());
    let mut buffers: Vec<Buffers<T>> = scenes
        .iter()
        .map(|_| Buffers::with_simd_level(simd_levels[random.below(simd_levels.len())]))
        .collect();
    for case in 0..cases(400) {
        let half = [0; 3].map(|_| T::nearest(size * random.decade(-3.0, -0.7)));
        let [a, b, c] = wide[random.below(wide.len())];
        let target = plus(a, times(plus(minus(b, a), minus(c, a)), 0.3 * random.share()));
        let up = random.between(-1.0, 3.0) * half.iter().map(|x| x.wide()).fold(0.0, f64::max);
        let center = plus(target, [0.0, up, 0.0]).map(T::nearest);
        let pose: Pose<T> = match case % 3 {
            0 => upright(center.map(T::wide)),
            _ => turned(random, center.map(T::wide)),
        };
        let solid = Obb::from_pose(&pose, Vector3::from(half)).expect("a box");
        let stored: [V; 3] = [0, 1, 2].map(|i| solid.axes().column(i).map(T::wide).into());
        let sizes = norm(center.map(T::wide)) + size;
        let gaps = wide.iter().map(|p| gap(center.map(T::wide), &stored, half.map(T::wide), p));
        let least = gaps.fold(f64::INFINITY, f64::min);
        let band = (1e-11 + 4.0 * T::ROUNDING) * sizes;
        for (scene, buffers) in scenes.iter().zip(&mut buffers) {
            let now = scene.snapshot(buffers);
            let any = now.overlaps_any(solid, &filter, &mut found).expect("a query");
            let report = now.overlaps(solid, &filter, &mut found).expect("a query");
            assert_eq!(found.len(), usize::from(any));
            assert!(report.slack.wide() <= 10.0 * band, "{:e}", report.slack.wide());
            assert!(any || least > 0.0 - 1e-13 * sizes, "missed: {least:e} {solid:?}");
            assert!(!any || least < band, "apart: {least:e} {solid:?}");
        }
        let kind = if least.abs() < band { 2 } else { usize::from(least < 0.0) };
        counts[kind] += 1;
    }
}

fn boxes_overlap_what_every_triangle_says<T: Scalar>(seed: u64) {
    let (mut random, mut counts) = (Random(seed), [0; 3]);
    for size in [1.0, 1e-5, 1e6] {
        for far in [0.0, 1.0, 30.0] {
            boxes::<T>(&mut random, [far, size], &mut counts);
        }
    }
    println!("{counts:?} apart, overlapping, undecided");
    let all: usize = counts.iter().sum();
    assert!(5 * counts[0] > all && 5 * counts[1] > all, "{counts:?}");
}

#[test]
fn no_ray_falls_through_an_edge_that_triangles_share() {
    let mut random = Random(77);
    let (mesh, wide) = ground::<f32>(&mut random, [0.0; 3], 1.0);
    let (filter, mut hits) = (QueryFilter::all().accuracy(Accuracy::Exact), RayHits::new());
    for scene in scenes(&mesh) {
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        for _ in 0..cases(3_000) {
            // The inner corners and edges.
            let [a, b, _] = wide[random.below(wide.len())];
            let is_inner = |p: V| p[0].abs() < 0.45 && p[2].abs() < 0.45;
            if !is_inner(a) || !is_inner(b) {
                continue;
            }
            let at = plus(a, times(minus(b, a), [0.0, 1.0, random.share()][random.below(3)]));
            let above = plus(at, [0.01 * random.share(), 1.0, 0.01 * random.share()]);
            let [from, to] = [above, at].map(|p| Point3::from(p.map(|x| x as f32)));
            let ray = Ray::through(from, to).expect("in range").expect("two points");
            let batch = [ray.into()];
            for mode in [HitMode::Closest, HitMode::Any, HitMode::All] {
                now.ray_cast_batch(&batch, mode, &filter, &mut hits).expect("a query");
                assert!(!hits.is_empty(), "{ray:?}");
            }
        }
    }
}

#[test]
fn rays_of_no_numbers_are_refused() {
    let (down, nan) = (-Vector3::y_axis(), f32::NAN);
    let not_finite = |result: Result<Ray<f32>, Error>| {
        assert!(matches!(result, Err(Error::NotFinite { .. })), "{result:?}");
    };
    not_finite(Ray::new(Point3::new(nan, 0.0, 0.0), down));
    not_finite(Ray::new(Point3::new(0.0, f32::INFINITY, 0.0), down));
    let no_way = Unit::new_unchecked(Vector3::new(nan, 0.0, 0.0));
    assert!(Ray::new(Point3::origin(), no_way).is_err());
    not_finite(Ray::through(Point3::origin(), Point3::new(0.0, nan, 0.0)).map(|ray| ray.unwrap()));
}

scalars! {
    rays_at_a_mesh => rays_hit_what_every_triangle_says(81; 82);
    boxes_at_a_mesh => boxes_overlap_what_every_triangle_says(83; 84);
}
