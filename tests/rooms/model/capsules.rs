//! Models whose parts are capsules: they contain the geometry, keep everything else, and touch
//! whatever the original touches.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use boxwood::load::{Loaded, gltf};
use boxwood::model::Model;
use boxwood::motion::Joints;
use boxwood::pair::ConvexShape;
use boxwood::scene::{Buffers, Hits, Scene, Spawn};
use boxwood::shape::{Capsule, ConvexHull, Obb, Pose, Sphere};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, Error, Mesh, PairQuery};

use super::coverage::{CHARACTERS, path};
use support::convex_bodies::{Body, BodyKind};
use support::data::data;
use support::posed_characters::any_part;
use support::prelude::*;

fn wide<T: Scalar>(p: Point3<T>) -> V {
    [p.x, p.y, p.z].map(T::wide)
}

/// Distance of a point from a capsule; negative inside.
fn outside<T: Scalar>(capsule: &Capsule<T>, p: V) -> f64 {
    let [a, b] = [capsule.segment().a(), capsule.segment().b()].map(wide);
    let (w, v) = (minus(p, a), minus(b, a));
    let t = (inner(w, v) / inner(v, v).max(1e-300)).clamp(0.0, 1.0);
    norm(minus(w, times(v, t))) - capsule.radius().wide()
}

/// Returns the capsule of each part with geometry.
fn capsules<T: Scalar>(model: &Model<T>) -> Vec<Option<Capsule<T>>> {
    let only = |geometry: &Geometry<T>| match geometry {
        Geometry::Convex(shapes) => match shapes[..] {
            [ConvexShape::Capsule(capsule)] => capsule,
            _ => panic!("{shapes:?}"),
        },
        other => panic!("{other:?}"),
    };
    model.parts().iter().map(|part| part.tree().map(|tree| only(tree.geometry()))).collect()
}

fn bodies(random: &mut Random) -> Vec<Body> {
    let count = 1 + random.below(3);
    let any = |random: &mut Random| {
        let kind = BodyKind::ALL[random.below(7)];
        Body::random(random, kind, (0.7, 1.0))
    };
    (0..count).map(|_| any(random)).collect()
}

/// Builds parts of every kind, with the plain bodies of those that are convex primitives.
fn model<T: Scalar>(random: &mut Random) -> (Arc<Model<T>>, Vec<Vec<Body>>) {
    let mut builder = Model::builder().margin(0.125).margin_between("1", "3", 0.3).ignore("0", "4");
    let mut plain = Vec::new();
    for part in 0..7 {
        let mut of_part = Vec::new();
        let geometry = match part {
            3 => Geometry::None,
            4.. => {
                of_part = bodies(random);
                Geometry::Convex(of_part.iter().map(Body::shape).collect())
            }
            _ => {
                let kind = random.below(5);
                any_part(random, kind)
            }
        };
        plain.push(of_part);
        let parent = (part > 0).then(|| (part / 2).to_string());
        let parent = parent.filter(|name| name != &part.to_string());
        builder = builder.part(part.to_string(), parent.as_deref(), geometry).user(part);
        let at = times(random.direction(), 1.2);
        builder = builder.bind(turned(random, at));
    }
    (builder.build(&Build::default()).expect("a model"), plain)
}

fn keeps<T: Scalar>(one: &Model<T>, other: &Model<T>) {
    assert_ne!(one.fingerprint(), other.fingerprint());
    for (a, b) in one.parts().iter().zip(other.parts()) {
        assert_eq!((a.id(), a.name(), a.parent()), (b.id(), b.name(), b.parent()));
        assert_eq!((a.user(), a.groups(), a.bind()), (b.user(), b.groups(), b.bind()));
        assert_eq!(a.tree().is_some(), b.tree().is_some());
        for c in one.parts() {
            assert_eq!(one.ignores(a.id(), c.id()), other.ignores(a.id(), c.id()));
            assert_eq!(one.margin(a.id(), c.id()), other.margin(a.id(), c.id()));
        }
    }
}

/// Returns the largest distance of a part's corners and surfaces outside its capsule, and a size to
/// compare it with.
fn farthest<T: Scalar>(geometry: &Geometry<T>, plain: &[Body], capsule: &Capsule<T>) -> f64 {
    let mut points: Vec<V> = Vec::new();
    match geometry {
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
            let corners = mesh.triangles().iter().flatten();
            points.extend(corners.map(|&corner| wide(mesh.vertices()[corner as usize])));
        }
        Geometry::Boxes(boxes) => {
            points.extend(boxes.iter().flat_map(|block| PlainBox::of(block).corners([0.0; 3])));
        }
        _ => {
            let mut random = Random(1);
            for body in plain {
                points.extend((0..200).map(|_| body.surface(&mut random).0));
            }
        }
    }
    points.iter().map(|&p| outside(capsule, p)).fold(f64::NEG_INFINITY, f64::max)
}

fn held<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for _ in 0..at_least(300, 12) {
        let (model, plain) = model::<T>(&mut random);
        let hitboxes = model.capsules().expect("in range");
        keeps(&model, &hitboxes);
        assert_eq!(model.capsules().as_ref(), Ok(&hitboxes));
        for ((part, plain), capsule) in model.parts().iter().zip(&plain).zip(capsules(&hitboxes)) {
            let (Some(tree), Some(capsule)) = (part.tree(), capsule) else { continue };
            // The plain bodies are not rounded to the stored type.
            let off = farthest(tree.geometry(), plain, &capsule);
            let rounding = if plain.is_empty() { 1e-14 } else { 4.0 * T::ROUNDING };
            assert!(off <= rounding, "{off:e} {} {:?}", part.name(), tree.geometry());
            match tree.geometry() {
                Geometry::Convex(shapes) => match &shapes[..] {
                    [ConvexShape::Capsule(own)] => assert_eq!(own, &capsule),
                    [ConvexShape::Sphere(own)] => assert_eq!(Capsule::from(*own), capsule),
                    _ => (),
                },
                _ => assert!(off > -1e-5, "larger than need be by {off:e}"),
            }
        }
        // A model of capsules is unchanged.
        assert_eq!(capsules(&hitboxes.capsules().expect("in range")), capsules(&hitboxes));
    }
}

/// The parts that touch, by name; of the first two characters of a scene.
fn touching<T: Scalar>(
    models: [&Arc<Model<T>>; 2],
    poses: [&[Pose<T>]; 2],
) -> BTreeSet<[usize; 2]> {
    let (mut scene, mut buffers, mut hits) = (Scene::new(), Buffers::new(), Hits::new());
    let [a, b] = [0, 1].map(|i| {
        let key = scene.insert(models[i], Spawn::default()).expect("a character");
        scene.set_joints(key, &Pose::identity(), poses[i]).expect("poses");
        key
    });
    let now = scene.snapshot(&mut buffers);
    let query = PairQuery::between(a, b).accuracy(Accuracy::Exact);
    now.pairs(&query, &mut hits).expect("a query");
    hits.pairs().iter().map(|(a, b)| [a, b].map(|node| node.part.index())).collect()
}

/// Counts the pairs of the original, all of which the capsules must report, and the pairs of the
/// capsules.
fn compared<T: Scalar>(
    models: [&Arc<Model<T>>; 2],
    hitboxes: [&Arc<Model<T>>; 2],
    poses: [&[Pose<T>]; 2],
) -> [usize; 2] {
    let exact = touching(models, poses);
    let capsules = touching(hitboxes, poses);
    assert!(exact.is_subset(&capsules), "{exact:?} {capsules:?}");
    // A mesh against capsules is in between.
    let half = touching([models[0], hitboxes[1]], poses);
    assert!(exact.is_subset(&half) && half.is_subset(&capsules), "{exact:?} {half:?}");
    [exact.len(), capsules.len()]
}

fn never_missed<T: Scalar>(seed: u64) {
    let (mut random, mut all) = (Random(seed), [0; 2]);
    for _ in 0..at_least(300, 12) {
        let models = [0, 1].map(|_| model::<T>(&mut random).0);
        let hitboxes = models.each_ref().map(|model| model.capsules().expect("in range"));
        for _ in 0..6 {
            let at = times(random.direction(), random.between(0.5, 4.0));
            let at: Pose<T> = turned(&mut random, at);
            let poses = [
                models[0].bind_poses(),
                models[1].bind_poses().iter().map(|pose| at * pose).collect(),
            ];
            let found = compared(models.each_ref(), hitboxes.each_ref(), [&poses[0], &poses[1]]);
            all = [all[0] + found[0], all[1] + found[1]];
        }
    }
    println!("{} pairs touch, {} pairs of capsules", all[0], all[1]);
    assert!(all[0] > 100);
}

/// The fighter, and real characters where there are any.
fn characters() -> Vec<(String, Loaded<f32>)> {
    let mut all = vec![("fighter.glb".to_owned(), support::fighter::fighter())];
    // The first has two parts only, which shows little.
    let files = &CHARACTERS[1..];
    let paths = data().into_iter().flat_map(|data| files.iter().map(move |file| path(&data, file)));
    all.extend(paths.take(at_least(files.len(), 1)).map(|path| {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        (name, gltf(&path).expect("a character"))
    }));
    all
}

#[test]
fn capsules_of_characters_in_their_clips_miss_nothing() {
    let mut random = Random(925);
    for (name, Loaded { model, clips, .. }) in characters() {
        let hitboxes = model.capsules().expect("in range");
        keeps(&model, &hitboxes);
        let size = reach(&model);
        let (mut joints, mut all) = (Joints::new(), [0; 2]);
        for _ in 0..at_least(150, 6) {
            let poses = [0, 1].map(|side| {
                let clip = &clips[random.below(clips.len())];
                let time = random.between(0.0, 1.0) as f32 * clip.duration();
                let at = times(random.direction(), f64::from(side) * size * random.share());
                let at: Pose<f32> = turned(&mut random, at);
                let poses = clip.sample(time, &mut joints).expect("a time");
                poses.iter().map(|pose| at * pose).collect::<Vec<_>>()
            });
            let found = compared([&model; 2], [&hitboxes; 2], [&poses[0], &poses[1]]);
            all = [all[0] + found[0], all[1] + found[1]];
        }
        println!("{name}: {} pairs touch, {} pairs of capsules", all[0], all[1]);
        assert!(all[0] > 0);
    }
}

/// Largest distance of the corners of a model at rest from its origin.
fn reach(model: &Model<f32>) -> f64 {
    let meshes =
        model.parts().iter().filter_map(|part| Some((part, part.tree()?.geometry().mesh()?)));
    let corners = meshes.flat_map(|(part, mesh)| mesh.vertices().iter().map(|p| part.bind() * p));
    corners.map(|p| norm(wide(p))).fold(0.0, f64::max)
}

/// Prints the table of docs/coverage.md.
#[test]
fn volumes_of_capsules_boxes_balls_and_hulls() {
    println!(
        "| file | parts | capsules / boxes | capsules / balls | capsules / hulls | below its box | \
         a part, ms |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (name, Loaded { model, .. }) in characters() {
        let start = Instant::now();
        let hitboxes = model.capsules().expect("in range");
        let time = start.elapsed().as_secs_f64();
        let [mut capsule, mut block, mut ball, mut hull] = [0.0_f64; 4];
        let (mut parts, mut smaller) = (0, 0);
        for (part, found) in model.parts().iter().zip(capsules(&hitboxes)) {
            let (Some(tree), Some(found)) = (part.tree(), found) else { continue };
            let mesh = tree.geometry().mesh().expect("triangles");
            let corners = mesh.triangles().iter().flatten();
            let mut points: Vec<Point3<f32>> =
                corners.map(|&corner| mesh.vertices()[corner as usize]).collect();
            points.sort_by(|a, b| {
                a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))
            });
            points.dedup();
            assert!(points.iter().all(|&p| outside(&found, wide(p)) <= 0.0), "{name}");
            let fitted = f64::from(Obb::fit(&points).expect("points").volume());
            (parts, smaller) =
                (parts + 1, smaller + usize::from(f64::from(found.volume()) < fitted));
            capsule += f64::from(found.volume());
            block += fitted;
            ball += f64::from(Sphere::from_points(&points).expect("points").volume());
            hull += f64::from(ConvexHull::new(&points).expect("few points").volume());
        }
        println!(
            "| {name} | {parts} | {:.2} | {:.2} | {:.2} | {smaller} | {:.1} |",
            capsule / block,
            capsule / ball,
            capsule / hull,
            1e3 * time / f64::from(parts),
        );
        assert!(capsule < ball);
    }
}

#[test]
fn capsules_out_of_range_name_the_part() {
    // The corners of a cube: their distance from every axis is out of range.
    let corner =
        |i: u32| Point3::from([0, 1, 2].map(|k| if i >> k & 1 == 1 { 9e29 } else { -9e29 }));
    let mesh = Mesh::new((0..8).map(corner).collect(), vec![[0, 1, 2], [3, 4, 5], [5, 6, 7]]);
    let model = Model::<f32>::builder()
        .part("small", None, Geometry::None)
        .part("large", None, Geometry::Surface(mesh.expect("a mesh")))
        .bind(Isometry3::identity())
        .build(&Build::default())
        .expect("a model");
    match model.capsules() {
        Err(Error::Part { part, .. }) => assert_eq!(part, "large"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn unused_vertices_do_not_count() {
    let corners =
        [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [50.0, 50.0, 50.0]].map(Point3::from);
    let mesh = Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("a mesh");
    let model = model_of::<f32>(vec![Geometry::Surface(mesh)]);
    let found = capsules(&model.capsules().expect("in range"))[0].expect("a capsule");
    assert!(found.volume() < 2.0, "{found:?}");
    let around = Capsule::from_points(&corners[..3]).expect("points");
    assert_eq!(found, around);
}

scalars! {
    parts_are_held_and_all_else_stays => held(921; 922);
    no_touching_pair_is_missed => never_missed(923; 924);
}
