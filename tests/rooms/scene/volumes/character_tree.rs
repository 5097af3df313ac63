//! Crowds against each character alone: the tree over the characters misses none and changes no
//! bit.

use boxwood::model::Model;
use boxwood::pair::RayHit;
use boxwood::scene::{
    Buffers, HitMode, Overlaps, QueryFilter, QueryShape, RayCast, RayHits, Scene, Snapshot, Spawn,
};
use boxwood::shape::{Aabb, Obb, Plane, Ray, Sphere};
use boxwood::tree::Geometry;
use boxwood::{Build, CharacterKey, Detail, NodeRef, PartId, SimdLevel};

use support::prelude::*;

/// Layouts of the characters, in units of their size.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Spread {
    /// Random positions in a ball.
    Ball(f64),
    /// All at one position.
    Heap,
    /// Even row.
    Row,
    /// Half of them far away.
    Far,
}

/// Builds characters of two boxes and a joint without geometry, `size` across, in rotated poses.
fn crowd<T: Scalar>(random: &mut Random, (count, spread): (usize, Spread), size: f64) -> Scene<T> {
    let solid = |half: [f64; 3]| {
        let half = Vector3::from(half.map(|h| T::nearest(h * size)));
        Geometry::Boxes(vec![Obb::new(Point3::origin(), Matrix3::identity(), half).expect("one")])
    };
    let model = Model::builder()
        .part("joint", None, Geometry::None)
        .part("body", None, solid([0.3, 0.8, 0.2]))
        .part("arm", None, solid([0.7, 0.05, 0.05]))
        .build(&Build::fast())
        .expect("a model");
    let mut scene = Scene::new();
    // Orders are unrelated to positions and keys.
    for order in (0..count as u64).map(|i| i.wrapping_mul(0x9E37_79B9) % 1_000_003) {
        let at: V = match spread {
            Spread::Ball(far) => times(random.direction(), far * random.between(0.0, 1.0)),
            Spread::Heap => [3.0, -2.0, 1.0],
            Spread::Row => [scene.len() as f64, 0.0, 0.0],
            Spread::Far if scene.len() % 2 == 0 => [1e4, 1e4, -1e4],
            Spread::Far => random.direction(),
        };
        let key = scene.insert(&model, Spawn::default().order(order));
        let poses: Vec<_> = (0..3)
            .map(|_| {
                let near = times(random.direction(), 0.3);
                match spread {
                    Spread::Heap => Isometry3::from_parts(
                        Point3::from(at.map(|x| T::nearest(x * size))).coords.into(),
                        nalgebra::UnitQuaternion::identity(),
                    ),
                    _ => turned::<T>(random, times(plus(at, near), size)),
                }
            })
            .collect();
        scene.set_parts(key.expect("a character"), &poses).expect("sound poses");
    }
    if let Some(key) = first(&scene) {
        scene.set_part_enabled(key, PartId::new(1), false).expect("a part");
        scene.set_part_enabled(key, PartId::new(2), false).expect("a part");
    }
    scene
}

fn first<T: Scalar>(scene: &Scene<T>) -> Option<CharacterKey> {
    scene.snapshot(&mut Buffers::new()).characters().next()
}

/// Draws rays and query shapes around a position of the crowd, some along the axes.
fn questions<T: Scalar>(random: &mut Random, at: V, size: f64) -> (RayCast<T>, Vec<QueryShape<T>>) {
    let point = |v: V| Point3::from(v.map(|x| T::nearest(x)));
    let from = plus(at, times(random.direction(), size * random.decade(-1.0, 2.0)));
    let along = match random.below(4) {
        0 => {
            let mut along = [0.0; 3];
            along[random.below(3)] = if random.chance(0.5) { 1.0 } else { -1.0 };
            Unit::new_unchecked(Vector3::from(along.map(T::nearest)))
        }
        _ => Unit::new_unchecked(Vector3::from(random.direction()).normalize().map(T::nearest)),
    };
    let ray = Ray::new(point(from), along).expect("a ray");
    let length = random.chance(0.3).then(|| T::nearest(size * random.decade(-1.0, 2.0)));
    let radius = T::nearest(size * random.decade(-2.0, 1.0));
    let corner = plus(from, times(random.direction(), size * random.decade(-1.0, 1.0)));
    let offset = T::nearest(Vector3::from(from).dot(&along.map(T::wide)));
    let regions = vec![
        Sphere::new(point(from), radius).expect("a ball").into(),
        Aabb::from_points([point(from), point(corner)]).into(),
        QueryShape::Point(point(at)),
        Plane::new(along, offset).expect("a plane").into(),
    ];
    let mut cast = RayCast::from(ray);
    cast.max_length = length;
    (cast, regions)
}

/// Returns the bits of a ray hit.
fn bits<T: Scalar>(ray_hit: &RayHit<T, NodeRef>) -> (u64, NodeRef, [u64; 3]) {
    let normal = [0, 1, 2].map(|i| ray_hit.normal[i].bits());
    (ray_hit.distance.bits(), ray_hit.target, normal)
}

fn compare<T: Scalar>(scene: &Scene<T>, random: &mut Random, size: f64) -> [usize; 2] {
    let (mut buffers, mut ray_hits, mut overlaps) =
        (Buffers::new(), RayHits::new(), Overlaps::new());
    let now = scene.snapshot(&mut buffers);
    let keys: Vec<CharacterKey> = now.characters().collect();
    let mut met = [0, 0];
    for _ in 0..30 {
        let at = match keys.is_empty() {
            true => [0.0; 3],
            false => {
                let key = keys[random.below(keys.len())];
                let pose = scene.pose(key, PartId::new(1)).expect("a part");
                std::array::from_fn(|i| pose.translation.vector[i].wide())
            }
        };
        let (cast, regions) = questions::<T>(random, at, size);
        let all = QueryFilter::all().detail(Detail::Boxes);
        let mut expected = Vec::new();
        for (place, &key) in keys.iter().enumerate() {
            let one = QueryFilter::of(key).detail(Detail::Boxes);
            now.ray_cast_all(cast, &one, &mut ray_hits).expect("asked");
            expected.extend(ray_hits.iter().map(|hit| (place, *hit)));
        }
        expected.sort_by(|(p, a), (q, b)| {
            a.distance
                .wide()
                .total_cmp(&b.distance.wide())
                .then((p, a.target.part).cmp(&(q, b.target.part)))
        });
        let expected: Vec<_> = expected.iter().map(|(_, hit)| bits(hit)).collect();
        now.ray_cast_all(cast, &all, &mut ray_hits).expect("asked");
        assert_eq!(ray_hits.iter().map(bits).collect::<Vec<_>>(), expected, "{cast:?}");
        met[0] += ray_hits.len();
        let closest = now.ray_cast(cast, &all, &mut ray_hits).expect("asked");
        assert_eq!(closest.as_ref().map(bits), expected.first().copied(), "{cast:?}");
        let any = now.ray_cast_any(cast, &all, &mut ray_hits).expect("asked");
        assert_eq!(any, !expected.is_empty());
        for region in regions {
            let mut expected = Vec::new();
            for &key in &keys {
                now.overlaps(region, &QueryFilter::of(key), &mut overlaps).expect("asked");
                expected.extend_from_slice(&overlaps);
            }
            now.overlaps(region, &QueryFilter::all(), &mut overlaps).expect("asked");
            assert_eq!(overlaps[..], expected[..], "{region:?}");
            met[1] += overlaps.len();
            let any = now.overlaps_any(region, &QueryFilter::all(), &mut overlaps).expect("asked");
            assert_eq!(any, !expected.is_empty());
        }
    }
    met[0] += from_afar(&now, random, size);
    met
}

/// Checks rays at the crowd from all sides: the closest hit is the first of all hits, however boxes
/// overlap along the ray.
fn from_afar<T: Scalar>(now: &Snapshot<'_, T>, random: &mut Random, size: f64) -> usize {
    let (mut ray_hits, mut hit) = (RayHits::new(), 0);
    let all = QueryFilter::all();
    for _ in 0..300 {
        let point = |v: V| Point3::from(v.map(|x| T::nearest(x * size)));
        let from = times(random.direction(), 15.0);
        let to = times(random.direction(), random.between(0.0, 3.0));
        let Ok(Some(ray)) = Ray::through(point(from), point(to)) else { continue };
        now.ray_cast_all(ray, &all, &mut ray_hits).expect("asked");
        let first = ray_hits.first().map(bits);
        let closest = now.ray_cast(ray, &all, &mut ray_hits).expect("asked");
        assert_eq!(closest.as_ref().map(bits), first, "{ray:?}");
        hit += usize::from(first.is_some());
    }
    hit
}

const CROWDS: [(usize, Spread); 12] = [
    (0, Spread::Heap),
    (1, Spread::Heap),
    (2, Spread::Far),
    (16, Spread::Ball(3.0)),
    (17, Spread::Ball(3.0)),
    (40, Spread::Heap),
    (33, Spread::Row),
    (100, Spread::Ball(6.0)),
    (257, Spread::Ball(2.0)),
    (300, Spread::Far),
    (400, Spread::Row),
    (700, Spread::Ball(20.0)),
];

fn crowds<T: Scalar>(seed: u64, sizes: &[f64]) {
    let mut random = Random(seed);
    for &size in sizes {
        let mut met = [0; 2];
        for kind in CROWDS {
            let found = compare(&crowd::<T>(&mut random, kind, size), &mut random, size);
            met = [met[0] + found[0], met[1] + found[1]];
        }
        println!("size {size:e}: {} ray hits, {} overlaps", met[0], met[1]);
        assert!(met[0] > 500 && met[1] > 5_000);
    }
}

/// The order of a character, its part, the time, and the normal.
type HitBits = (usize, PartId, u64, [u64; 3]);

/// Returns hits by order of the character, with the bits of times and normals, and the report.
fn ask<T: Scalar>(
    (scene, casts, mode): (&Scene<T>, &[RayCast<T>], HitMode),
    buffers: &mut Buffers<T>,
) -> (Vec<HitBits>, String) {
    let (now, mut ray_hits) = (scene.snapshot(buffers), RayHits::new());
    now.ray_cast_batch(casts, mode, &QueryFilter::all(), &mut ray_hits).expect("asked");
    let orders: std::collections::HashMap<_, _> = now.characters().zip(0..).collect();
    let answer = ray_hits.iter().map(|hit| {
        let (t, node, normal) = bits(hit);
        (orders[&node.character], node.part, t, normal)
    });
    (answer.collect(), format!("{:?}", ray_hits.report()))
}

/// Scene of the same characters in other slots: inserted the other way round.
fn put_in_again<T: Scalar>(scene: &Scene<T>) -> Scene<T> {
    let (mut again, mut first) = (Scene::new(), Buffers::new());
    let keys: Vec<_> = scene.snapshot(&mut first).characters().collect();
    for (order, &key) in keys.iter().enumerate().rev() {
        let model = scene.model(key).expect("a key");
        let spawn = Spawn::default().order(order as u64);
        let other = again.insert(model, spawn).expect("a character");
        again.set_parts(other, scene.poses(key).expect("a key")).expect("poses");
        if order == 0 {
            again.set_part_enabled(other, PartId::new(1), false).expect("a part");
            again.set_part_enabled(other, PartId::new(2), false).expect("a part");
        }
    }
    again
}

fn history_and_levels<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let scene = crowd::<T>(&mut random, (300, Spread::Ball(8.0)), 1.0);
    let casts: Vec<RayCast<T>> =
        (0..200).map(|_| questions(&mut random, [0.0; 3], 4.0).0).collect();
    let (again, row) = (put_in_again(&scene), crowd(&mut random, (900, Spread::Row), 1.0));
    for mode in [HitMode::Closest, HitMode::All, HitMode::Any] {
        let asked = (&scene, &casts[..], mode);
        let expected = ask(asked, &mut Buffers::new());
        assert!(expected.0.len() > 50);
        for simd in SimdLevel::all() {
            // One set of buffers twice, and after another scene.
            let mut buffers = Buffers::with_simd_level(simd);
            ask((&row, &casts, mode), &mut buffers);
            assert_eq!(ask(asked, &mut buffers), expected, "{simd}");
            assert_eq!(ask(asked, &mut buffers.clone()), expected, "{simd}");
        }
        assert_eq!(ask((&again, &casts, mode), &mut Buffers::new()), expected);
    }
}

scalars! {
    // In double precision also beyond the range of single.
    a_crowd_gives_the_answers_of_its_single_characters
        => crowds(91, &[1.0, 1e-3, 1e3]; 92, &[1.0, 1e-9, 1e-24, 1e9, 1e28]);
    history_and_levels_change_no_bit => history_and_levels(93; 94);
}
