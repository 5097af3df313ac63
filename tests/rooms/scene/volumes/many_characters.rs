//! Many characters and many parts: pruned queries find the answers of brute force, and visit few
//! boxes.

use boxwood::model::Model;
use boxwood::scene::{Buffers, Overlaps, QueryFilter, QueryShape, RayHits, Scene, Spawn};
use boxwood::shape::{Aabb, Plane, Ray, Sphere};
use boxwood::{Accuracy, Build, Detail, NodeRef};

use super::query_shapes::{CaseCounts, KINDS, NAMES, ask};
use super::rays::{self, against_nodes, exactly};
use support::placed_scenes::{TestScene, stage_of};
use support::prelude::*;

/// Numbers of characters and of parts of each, and their spread.
const CROWD: ([usize; 2], f64) = ([250, 1], 12.0);
const PILE: ([usize; 2], f64) = ([3, 150], 8.0);

fn regions<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for ((count, spread), far) in [(CROWD, 0.0), (PILE, 0.0), (PILE, 1e3)] {
        let at = [far, -far, 0.5 * far];
        let mut seen = [[CaseCounts::default(); 2]; KINDS];
        ask(&stage_of::<T>(&mut random, at, count, spread), &mut random, at, &mut seen);
        for (name, [nodes, exactly]) in NAMES.iter().zip(seen) {
            println!("{count:?}, far {far:e}, {name}: nodes {nodes:?}, primitives {exactly:?}");
            assert!(nodes.apart > 100 && exactly.apart > 100);
        }
        assert!(seen[5].iter().all(|half_spaces| half_spaces.met > 100));
    }
}

fn rays<T: Scalar>(seed: u64) {
    let (mut random, at) = (Random(seed), [0.0; 3]);
    let stage = stage_of::<T>(&mut random, at, PILE.0, 3.0);
    let (mut nodes, mut exact) = (rays::CaseCounts::default(), rays::CaseCounts::default());
    against_nodes(&stage, &mut random, at, 3.0, &mut nodes);
    exactly(&stage, &mut random, (at, 3.0), &mut exact);
    println!("{nodes:?}, exactly {exact:?}");
    assert!(nodes.hit > 1_000 && exact.hit > 1_000);
}

/// Half-spaces that hold about that share of a stage.
fn half_spaces<T: Scalar>(
    stage: &TestScene<T>,
    random: &mut Random,
    share: f64,
) -> Vec<QueryShape<T>> {
    let middles: Vec<_> = stage.boxes(0).into_iter().map(|(_, both)| both[0].center).collect();
    let plane = |_| {
        let normal = random.direction();
        let mut offsets: Vec<f64> = middles.iter().map(|&middle| inner(normal, middle)).collect();
        offsets.sort_by(f64::total_cmp);
        let offset = offsets[(share * (offsets.len() - 1) as f64) as usize];
        let normal = Unit::new_unchecked(Vector3::from(normal).map(T::nearest));
        Plane::new(normal, T::nearest(offset)).expect("a plane").into()
    };
    (0..50).map(plane).collect()
}

/// Returns the boxes of characters and of parts that the queries visit, and the overlaps found.
fn looked_at<T: Scalar>(stage: &TestScene<T>, regions: &[QueryShape<T>]) -> [u64; 3] {
    let (mut buffers, mut overlaps) = (Buffers::new(), Overlaps::new());
    let now = stage.scene.snapshot(&mut buffers);
    let mut sum = [0; 3];
    for &region in regions {
        let counts =
            now.overlaps(region, &QueryFilter::all(), &mut overlaps).expect("asked").counts;
        sum[0] += counts.characters;
        sum[1] += counts.parts;
        sum[2] += overlaps.len() as u64;
    }
    sum
}

#[test]
fn half_spaces_visit_few_boxes_of_a_crowd() {
    let mut random = Random(155);
    let stage = stage_of::<f32>(&mut random, [0.0; 3], [1_000, 1], 30.0);
    for (share, most) in [(0.01, 0.2), (0.1, 0.5), (0.5, 1.0)] {
        let asked = half_spaces(&stage, &mut random, share);
        let [characters, _, found] = looked_at(&stage, &asked);
        let all = (asked.len() * stage.keys.len()) as u64;
        println!("{share}: {characters} boxes of characters where all are {all}, {found} found");
        assert!(found > 0 && (characters as f64) < most * all as f64);
    }
}

/// Makes one character of the same parts, with their positions as its bind pose: neighbours there
/// share a block.
fn bound<T: Scalar>(stage: &TestScene<T>) -> TestScene<T> {
    let model = stage.scene.model(stage.keys[0]).expect("a key");
    let poses = stage.scene.poses(stage.keys[0]).expect("a key");
    let mut builder = Model::builder();
    for (part, &pose) in model.parts().iter().zip(poses) {
        let geometry = part.tree().expect("geometry").geometry().clone();
        builder = builder.part(part.name(), None, geometry).bind(pose);
    }
    let (model, mut scene) = (builder.build(&Build::default()).expect("a model"), Scene::new());
    let key = scene.insert(&model, Spawn::default()).expect("a character");
    TestScene { scene, keys: vec![key] }
}

#[test]
fn query_shapes_and_rays_test_less_than_half_of_many_parts() {
    let mut random = Random(156);
    let stage = bound(&stage_of::<f32>(&mut random, [0.0; 3], [1, 400], 30.0));
    let balls: Vec<QueryShape<f32>> = (0..50)
        .map(|_| {
            let middle = times(random.direction(), random.between(0.0, 30.0));
            Sphere::new(Point3::from(middle.map(|x| x as f32)), 2.0).expect("a ball").into()
        })
        .collect();
    // With the boxes around 16 parts.
    let all = 50 * 400;
    let most = all / 2;
    let asked = half_spaces(&stage, &mut random, 0.05);
    for (name, asked) in [("half-spaces", asked), ("balls", balls)] {
        let [_, parts, found] = looked_at(&stage, &asked);
        println!("{name}: {parts} boxes of parts where all are {all}, {found} found");
        assert!(found > 0 && parts <= most);
    }
    let (mut buffers, mut ray_hits) = (Buffers::new(), RayHits::new());
    let now = stage.scene.snapshot(&mut buffers);
    let [mut parts, mut found] = [0; 2];
    for _ in 0..50 {
        let [from, to] = [60.0, 10.0].map(|far| times(random.direction(), far));
        let [from, to] = [from, to].map(|p| Point3::from(p.map(|x| x as f32)));
        let ray = Ray::through(from, to).expect("points").expect("a ray");
        let report = now.ray_cast_all(ray, &QueryFilter::all(), &mut ray_hits).expect("asked");
        parts += report.counts.parts;
        found += ray_hits.len() as u64;
    }
    println!("rays: {parts} boxes of parts where all are {all}, {found} found");
    assert!(found > 0 && parts <= most);
}

/// Builds a character of many parts, and a crowd of characters with one of these parts each, in the
/// order of the parts.
fn together_and_apart<T: Scalar>(random: &mut Random, parts: usize) -> [TestScene<T>; 2] {
    let stage = stage_of::<T>(random, [0.0; 3], [1, parts], 5.0);
    let model = stage.scene.model(stage.keys[0]).expect("a key");
    let poses = stage.scene.poses(stage.keys[0]).expect("a key");
    let mut scene = Scene::new();
    let pieces = model.parts().iter().zip(poses).zip(0..).map(|((part, &pose), order)| {
        let geometry = part.tree().expect("geometry").geometry().clone();
        let one = Model::builder().part("one", None, geometry).build(&Build::default());
        let spawn = Spawn::default().order(order);
        let key = scene.insert(&one.expect("a model"), spawn).expect("a character");
        scene.set_parts(key, &[pose]).expect("a pose");
        key
    });
    let keys = pieces.collect();
    [stage, TestScene { scene, keys }]
}

/// Returns query shapes that nearly touch some box of a scene: half-spaces and balls at corners,
/// and their spans.
fn grazing<T: Scalar>(stage: &TestScene<T>, random: &mut Random) -> Vec<QueryShape<T>> {
    let mut regions = Vec::new();
    for (_, [block, _]) in stage.boxes(0) {
        let sides: [f64; 3] = std::array::from_fn(|i| random.sign() * block.half[i]);
        let corner = (0..3).fold(block.center, |p, i| plus(p, times(block.axes[i], sides[i])));
        let off = [0.0, 1e-15, -1e-15, 1e-9, -1e-9, 1e-6, -1e-6][random.below(7)];
        let out = random.direction();
        let normal = Unit::new_unchecked(Vector3::from(out).map(T::nearest));
        let offset = T::nearest(inner(out, corner) * (1.0 + off));
        regions.push(Plane::new(normal, offset).expect("a plane").into());
        let point = |p: V| Point3::from(p.map(T::nearest));
        let radius = random.between(0.1, 2.0);
        let ball = point(plus(corner, times(out, radius * (1.0 + off))));
        regions.push(Sphere::new(ball, T::nearest(radius)).expect("a ball").into());
        regions.push(Aabb::from_points([point(corner), ball]).into());
        regions.push(QueryShape::Point(point(corner)));
    }
    regions
}

fn the_same_together_and_apart<T: Scalar>(seed: u64) {
    let (mut random, mut found) = (Random(seed), [0; 2]);
    for parts in [65, 128, 300] {
        let [together, apart] = together_and_apart::<T>(&mut random, parts);
        let (mut buffers, mut others) = (Buffers::new(), Buffers::new());
        let one = together.scene.snapshot(&mut buffers);
        let many = apart.scene.snapshot(&mut others);
        let (mut overlaps, mut all) = (Overlaps::new(), QueryFilter::all().detail(Detail::Boxes));
        for (accuracy, region) in
            [Accuracy::Depth(1), Accuracy::Exact].into_iter().flat_map(|accuracy| {
                grazing(&together, &mut random).into_iter().map(move |r| (accuracy, r))
            })
        {
            all = all.accuracy(accuracy);
            one.overlaps(region, &all, &mut overlaps).expect("asked");
            let whole: Vec<_> =
                overlaps.iter().map(|node| (node.part.index(), node.node)).collect();
            many.overlaps(region, &all, &mut overlaps).expect("asked");
            let place = |node: &NodeRef| (apart.place(node).0, node.node);
            assert_eq!(whole, overlaps.iter().map(place).collect::<Vec<_>>(), "{region:?}");
            // Each alone: no tree is built over one character of one part.
            let alone = apart.keys.iter().enumerate().flat_map(|(part, &key)| {
                let only = QueryFilter::of(key).detail(Detail::Boxes).accuracy(accuracy);
                many.overlaps(region, &only, &mut overlaps).expect("asked");
                overlaps.iter().map(|node| (part, node.node)).collect::<Vec<_>>()
            });
            assert_eq!(whole, alone.collect::<Vec<_>>(), "{region:?}");
            found[usize::from(whole.is_empty())] += 1;
        }
    }
    println!("{} regions hold something, {} nothing", found[0], found[1]);
    assert!(found[0] > 1_000);
}

scalars! {
    overlaps_of_crowds_agree_with_parry => regions(151; 152);
    rays_find_what_they_hit_in_models_of_many_parts => rays(153; 154);
    parts_of_one_or_each_by_itself_are_found_alike => the_same_together_and_apart(157; 158);
}
