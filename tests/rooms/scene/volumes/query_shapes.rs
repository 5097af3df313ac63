//! Query shapes against every node of the cuts, and against every primitive, by parry3d.

use std::collections::BTreeSet;

use boxwood::scene::{Buffers, Overlaps, QueryFilter, QueryShape};
use boxwood::shape::{Aabb, Capsule, Frustum, Plane, Segment, Sphere};
use boxwood::{Accuracy, Detail};

use support::parry::Peer;
use support::placed_scenes::{Place, TestScene, random_stage};
use support::prelude::*;
use support::random_parts::solid;

pub const KINDS: usize = 7;
pub const NAMES: [&str; KINDS] =
    ["point", "sphere", "capsule", "aabb", "obb", "half-space", "frustum"];

/// Draws a query shape around a position.
fn region<T: Scalar>(random: &mut Random, at: V, kind: usize) -> QueryShape<T> {
    let mut near = |size: f64| {
        let p = plus(at, times(random.direction(), size * random.between(0.0, 1.0)));
        Point3::from(p.map(T::nearest))
    };
    let wide = |p: Point3<T>| -> V { std::array::from_fn(|i| p[i].wide()) };
    let (a, b) = (near(2.0), near(2.0));
    let radius = T::nearest(random.decade(-2.0, 0.0));
    match kind {
        0 => a.into(),
        1 => Sphere::new(a, radius).expect("a sphere").into(),
        2 => Capsule::new(Segment::new(a, b).expect("ends"), radius).expect("one").into(),
        3 => Aabb::from_points([a, b]).into(),
        4 => {
            let half = std::array::from_fn(|_| random.decade(-2.0, 0.0));
            solid::<T>(wide(a), &random.rotation(), half).into()
        }
        5 => {
            let normal = Vector3::from(random.direction()).normalize().map(T::nearest);
            let offset = T::nearest(normal.map(T::wide).dot(&a.coords.map(T::wide)));
            Plane::new(Unit::new_unchecked(normal), offset).expect("a plane").into()
        }
        _ => {
            let eye = turned::<T>(random, wide(a));
            let tangents = [0.1, 0.2].map(|x| x * random.between(0.5, 3.0));
            let depths = [0.1, random.between(0.5, 3.0)];
            Frustum::of_eye(&eye, tangents, depths).expect("a frustum").into()
        }
    }
}

#[derive(Default, Debug, Clone, Copy)]
pub struct CaseCounts {
    pub met: usize,
    pub apart: usize,
    pub close: usize,
}

fn compare(found: bool, answer: Option<bool>, seen: &mut CaseCounts, what: impl Fn() -> String) {
    match answer {
        None => seen.close += 1,
        Some(expected) => {
            assert_eq!(found, expected, "{}", what());
            *(if expected { &mut seen.met } else { &mut seen.apart }) += 1;
        }
    }
}

pub fn ask<T: Scalar>(
    stage: &TestScene<T>,
    random: &mut Random,
    at: V,
    seen: &mut [[CaseCounts; 2]; KINDS],
) {
    let (mut buffers, mut overlaps) = (Buffers::new(), Overlaps::new());
    let now = stage.scene.snapshot(&mut buffers);
    let far = at.iter().fold(3.0, |far: f64, x| far.max(x.abs()));
    let band = 1000.0 * T::LEAF_SLACK + 1e-12 * far + 1e-7;
    let (triangles, solids) = (stage.triangles(), stage.solids());
    for round in 0..3 * KINDS {
        let kind = round % KINDS;
        let region = region::<T>(random, at, kind);
        let peer = Peer::query_shape(&region, 1e-12);
        let depth = random.below(6) as u8;
        let filter = QueryFilter::all().detail(Detail::Boxes).accuracy(Accuracy::Depth(depth));
        now.overlaps(region, &filter, &mut overlaps).expect("a question");
        let places: Vec<Place> = overlaps.iter().map(|node| stage.place(node)).collect();
        assert!(places.is_sorted());
        let found: BTreeSet<Place> = places.iter().copied().collect();
        for (place, both) in stage.boxes(depth) {
            let both = peer.meets_both(&both, band);
            let what = || format!("{} {place:?} {region:?}", NAMES[kind]);
            compare(found.contains(&place), both, &mut seen[kind][0], what);
        }
        let any = now.overlaps_any(region, &filter, &mut overlaps).expect("a question");
        assert_eq!(any, !found.is_empty());

        let filter = filter.accuracy(Accuracy::Exact);
        now.overlaps(region, &filter, &mut overlaps).expect("a question");
        let found: BTreeSet<Place> = overlaps.iter().map(|node| stage.place(node)).collect();
        for (place, met) in peer.meets_leaves((&triangles, &solids), band) {
            let what = || format!("{} exactly {place:?} {region:?}", NAMES[kind]);
            compare(found.contains(&place), met, &mut seen[kind][1], what);
        }
    }
}

fn regions<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for far in [0.0, 1e3] {
        let mut seen = [[CaseCounts::default(); 2]; KINDS];
        for _ in 0..10 {
            let at = [far, -far, 0.5 * far];
            let stage = random_stage::<T>(&mut random, at);
            ask(&stage, &mut random, at, &mut seen);
        }
        for (name, [nodes, exactly]) in NAMES.iter().zip(seen) {
            println!("far {far:e}, {name}: nodes {nodes:?}, primitives {exactly:?}");
            assert!(nodes.apart > 100 && nodes.met > 0 && exactly.apart > 100);
        }
    }
}

scalars! {
    every_node_and_primitive_by_parry => regions(51; 52);
}
