//! Lengths, distances, tolerances and factors are taken as `f32`, `f64` and whole numbers alike, by
//! the methods of both scalars.

use std::sync::Arc;

use boxwood::load::{BoneBoxes, Loader, MapOptions};
use boxwood::model::Model;
use boxwood::motion::{Clip, Interpolation, Joint, Joints, Keys, Skeleton, Track, Transform};
use boxwood::num::Scalar;
use boxwood::pair::ConvexShape;
use boxwood::scene::{Buffers, ClosestParts, QueryFilter, Scene, Spawn};
use boxwood::shape::{Capsule, Ellipsoid, Mesh, Obb, Segment, Sphere, Triangle, pose};
use boxwood::tree::{Geometry, ObbTree, Push, TreePair, TreeScratch};
use boxwood::{Accuracy, Build, NodeId, PairQuery, SelfQuery};
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};

use support::random_parts::{point, upright_solid, vector};
use support::scalars;

/// Collects the answers of all methods of a scene, a model, a tree and shapes for one number.
fn answers<T: Scalar, N: Into<f64> + Copy>(n: N) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |answer: &dyn std::fmt::Debug| found.push(format!("{answer:?}"));
    let at = |x: f64| {
        Isometry3::from_parts(vector::<T>([x, 0.0, 0.0]).into(), UnitQuaternion::identity())
    };
    let cube: Obb<T> = upright_solid([-0.5; 3], [0.5; 3]);
    let parts = |x: f64| {
        let first = Model::builder().part("a", None, Geometry::Boxes(vec![cube]));
        first.part("b", None, Geometry::Boxes(vec![cube])).bind(at(x))
    };
    // Scenes.
    let model = parts(2.5).build(&Build::default()).expect("a model");
    let mut scene = Scene::new();
    for x in [0.0, 2.0, 11.0] {
        scene.insert(&model, Spawn::at(at(x))).expect("a character");
    }
    let (mut buffers, mut closest) = (Buffers::new(), ClosestParts::new());
    let (now, all, above) =
        (scene.snapshot(&mut buffers), QueryFilter::all(), point([0.2, 1.2, 0.0]));
    now.closest_parts(above, n, &all, &mut closest).expect("a query");
    add(&closest.iter().map(|one| (one.distance, one.a.part)).collect::<Vec<_>>());
    now.closest_characters(above, n, &all, &mut closest).expect("a query");
    add(&closest.iter().map(|one| (one.distance, one.a.part)).collect::<Vec<_>>());
    let one = now.closest_part(above, n, &all, &mut closest).expect("a query");
    add(&one.map(|one| (one.distance, one.a.part)));
    let mut hits = boxwood::scene::Hits::new();
    now.pairs(&PairQuery::all().margin(n), &mut hits).expect("a query");
    add(&hits.pairs().len());
    let keys: Vec<_> = scene.keys().collect();
    let first = [model.part("a").expect("a part")];
    let apart = PairQuery::between(keys[0], keys[1]).parts(&first, &first);
    let near = now.distance(&apart.max_distance(n), hits.scratch()).expect("a query");
    add(&near.map(|near| near.distance));
    // Models.
    let (a, b) = (model.part("a").expect("a part"), model.part("b").expect("a part"));
    let mut scratch = boxwood::model::SelfQueryScratch::default();
    let poses = model.bind_poses();
    add(&model.self_distance(&poses, Accuracy::Exact, n, &mut scratch).expect("a query"));
    let query = SelfQuery::new(Accuracy::Exact).margin(n);
    add(&model.self_pairs(&poses, query, &mut scratch).expect("a query"));
    add(&parts(2.5).margin(n).build(&Build::fast()).expect("a model").margin(a, b));
    let near = parts(2.5).margin_between("a", "b", n).build(&Build::fast()).expect("a model");
    add(&near.margin(a, b));
    add(&model.with_margins(n, &[]).expect("a model").margin(a, b));
    add(&model.scaled(n).expect("a model")[b].bind());
    // Trees.
    let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::fast()).expect("a tree");
    add(&tree.scaled(n).expect("a tree").node(NodeId::ROOT).oriented());
    add(&tree.geometry().scaled(n).expect("a geometry"));
    let (here, there, mut scratch) = (at(0.0), at(2.5), TreeScratch::default());
    let pair = TreePair::new(&tree, &here, &tree, &there).expect("a pair");
    add(&pair.distance(Accuracy::Exact, n, &mut scratch).expect("a query"));
    let margin = pair.margin(n).expect("a margin");
    add(&margin.intersects(Accuracy::Exact, &mut scratch));
    add(&Push::<T>::within(Vector3::x_axis(), n));
    // Shapes.
    let [low, mid, high] = [[0.0; 3], [1.0, 0.5, 0.0], [0.0, 2.0, 1.0]].map(point::<T>);
    let segment = Segment::new(low, high).expect("a segment");
    add(&segment.scaled(n));
    add(&Sphere::new(mid, T::one()).expect("a ball").scaled(n));
    add(&Capsule::new(segment, T::one()).expect("a capsule").scaled(n));
    add(&Triangle::new(low, mid, high).expect("a triangle").scaled(n));
    add(&cube.scaled(n));
    let egg = Ellipsoid::new(mid, Matrix3::identity(), vector([1.0, 2.0, 3.0]));
    add(&egg.expect("an egg").scaled(n));
    let mesh = Mesh::new(vec![low, mid, high], vec![[0, 1, 2]]).expect("a mesh");
    add(&mesh.scaled(n));
    add(&ConvexShape::from(cube).scaled(n));
    let mut poses = [at(1.0), at(2.0)];
    pose::scale(&mut poses, n).expect("a factor");
    add(&poses);
    // Motion.
    let rest = Transform { translation: vector([0.0, 1.0, 0.0]), ..Transform::<T>::default() };
    let skeleton =
        Skeleton::new(vec![Joint { name: "hips".into(), parent: None, rest }]).expect("a joint");
    let skeleton = Arc::new(skeleton);
    let larger = Arc::new(skeleton.scaled(n).expect("a factor"));
    add(&larger);
    let up = Keys::Translation(vec![Vector3::zeros(), vector([0.0, 1.0, 0.0])]);
    let track = Track::new(0, vec![T::zero(), T::one()], up, Interpolation::Linear);
    let clip = Clip::new("up", &skeleton, vec![track.expect("a track")]).expect("a clip");
    add(&clip.scaled(n, &larger).expect("a factor").tracks());
    let mut joints = Joints::new();
    skeleton.poses(&[rest], &mut joints).expect("poses");
    add(&joints.scaled(n).expect("a factor"));
    found
}

/// Asserts that a number means the same in every type, and another number something else.
fn check<T: Scalar>() {
    let (half, three) = (answers::<T, f64>(0.5), answers::<T, f64>(3.0));
    assert_eq!(answers::<T, f32>(0.5), half);
    assert_eq!(answers::<T, f32>(3.0), three);
    assert_eq!(answers::<T, i32>(3), three);
    assert_eq!(answers::<T, u8>(3), three);
    for (index, (half, three)) in half.iter().zip(&three).enumerate() {
        assert_ne!(half, three, "answer {index} does not depend on the number");
    }
}

#[test]
fn options_of_files_take_any_number() {
    let options = |n: f64| format!("{:?}", MapOptions::plain().scale(n));
    assert_eq!(format!("{:?}", MapOptions::plain().scale(2)), options(2.0));
    assert_eq!(format!("{:?}", MapOptions::plain().scale(0.5_f32)), options(0.5));
    assert_ne!(options(0.5), options(2.0));
    let bones = BoneBoxes::default().share(0.5_f32).least(1).named("hips", 0.25_f32);
    assert_eq!((bones.share, bones.least, &bones.named[0].1), (0.5, 1.0, &0.25));
    let text = [
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT b\n{\nOFFSET 0 2 0\n",
        "CHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 1\n",
        "Frame Time: 1\n0 0\n",
    ];
    let text = text.concat();
    let height = |loader: Loader<'_, f64>| {
        let recording = loader.bvh_bytes(text.as_bytes()).expect("a recording");
        recording.skeleton.joints()[1].rest.translation.y
    };
    assert_eq!(height(Loader::new().scale(0.5_f32)), 1.0);
    assert_eq!(height(Loader::new().scale(3)), 6.0);
}

scalars! {
    lengths_of_every_type_mean_the_same => check();
}
