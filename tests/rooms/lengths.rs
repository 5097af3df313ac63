//! Lengths, distances, tolerances and factors are taken as `f32`, `f64` and whole numbers alike, by
//! the methods of both scalars.

use std::sync::Arc;

use boxwood::brush::{Brush, BrushFilter, BrushWorld, WalkScratch, Walker};
use boxwood::load::{BoneBoxes, Loader, MapOptions};
use boxwood::model::Model;
use boxwood::motion::{
    Clip, Interpolation, Joint, Joints, Keys, Retarget, Skeleton, Track, Transform,
};
use boxwood::pair::ConvexShape;
use boxwood::response::reflect;
use boxwood::scene::{Buffers, ClosestParts, QueryFilter, RayCast, Scene, Spawn};
use boxwood::shape::{
    Aabb, Capsule, Ellipsoid, Frustum, HeightField, Mesh, Obb, Plane, Ray, Segment, Sphere,
    Triangle, UprightCylinder, pose,
};
use boxwood::tree::{Geometry, ObbTree, Push, TreePair, TreeScratch};
use boxwood::{Accuracy, Build, CollisionGroups, NodeId, PairQuery, SelfQuery};
use nalgebra::Matrix4;

use support::prelude::*;

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
    add(&Retarget::new(&skeleton, &skeleton, n).expect("the same joints"));
    found.extend(answers_of_planes(n, &mesh, &cube));
    found.extend(answers_of_brushes::<T, N>(n));
    found
}

/// Collects the answers about points, planes, rays and frustums for one number.
fn answers_of_planes<T: Scalar, N: Into<f64> + Copy>(
    n: N,
    mesh: &Mesh<T>,
    cube: &Obb<T>,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |answer: &dyn std::fmt::Debug| found.push(format!("{answer:?}"));
    // A point and shapes at distance 1 from the plane y = 0.
    let [above, higher, aside] =
        [[0.0, 1.0, 0.0], [0.0, 2.0, 1.0], [1.0, 1.0, 0.0]].map(point::<T>);
    let [low, right] = [[0.0; 3], [1.0, 0.0, 0.0]].map(point::<T>);
    let plane = Plane::new(Vector3::y_axis(), T::zero()).expect("a plane");
    let (ray, rising) = (Ray::new(low, Vector3::x_axis()), Ray::new(above, Vector3::y_axis()));
    let (ray, rising) = (ray.expect("a ray"), rising.expect("a ray"));
    let segment = Segment::new(low, right).expect("a segment");
    let triangle = Triangle::new(low, right, point([0.0, 0.0, 1.0])).expect("a triangle");
    add(&plane.contains_within(above, n));
    add(&ray.contains_within(above, n));
    add(&segment.contains_within(above, n));
    add(&triangle.contains_within(above, n));
    add(&ray.at(n));
    add(&plane.cut_segment(&Segment::new(above, higher).expect("a segment"), n));
    add(&plane.cut_ray(&rising, n));
    add(&plane.cut_triangle(&Triangle::new(above, higher, aside).expect("a triangle"), n));
    add(&cube.aabb().grown(n));
    add(&mesh.subdivided(n).expect("a length"));
    let field = HeightField::new(2, vec![T::nearest(4.0); 4]).expect("a field");
    add(&field.solid(n).expect("a base"));
    let eye = pose::from_axes(&Matrix3::identity(), [T::zero(); 3]).expect("a pose");
    add(&Frustum::of_eye(&eye, [n, n], [0.1, 5.0]).expect("a frustum"));
    add(&Frustum::<T>::of_projection(&Matrix4::identity(), [n, n]).expect("a frustum"));
    add(&RayCast::new(ray, n).expect("a length"));
    let fall = vector::<T>([1.0, -2.0, 0.0]);
    add(&reflect(fall, Vector3::y(), n, 0.25));
    add(&reflect(fall, Vector3::y(), 0.25, n));
    found
}

/// Collects the answers about walkers and brushes for one number.
fn answers_of_brushes<T: Scalar, N: Into<f64> + Copy>(n: N) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |answer: &dyn std::fmt::Debug| found.push(format!("{answer:?}"));
    let slab = Aabb::new(point([-9.0, -9.0, -1.0]), point::<f64>([9.0, 9.0, 0.0]));
    let mut level = BrushWorld::builder();
    level.push(Brush::from_aabb(&slab).expect("a slab"), CollisionGroups::ALL);
    let (level, all) = (level.build().expect("a floor"), BrushFilter::default());
    let size = |half: f64| UprightCylinder::new(T::nearest(0.4), T::nearest(half));
    let walker = || Walker::new(size(0.9).expect("a size"));
    add(&walker().skin(n));
    add(&walker().step(n));
    add(&walker().floor(n));
    let mut scratch = WalkScratch::new();
    let mut at = walker().stand(&level, point([0.0, 0.0, 1.0]), &mut scratch).expect("a place");
    add(&walker().resize(&level, &mut at, n, &mut scratch).expect("room above"));
    add(&at);
    let down = Ray::new(point::<T>([0.0, 0.0, 2.0]), -Vector3::z_axis()).expect("a ray");
    add(&level.ray_cast(&down, n, &all).expect("a length"));
    let mut passages = Vec::new();
    level.ray_cast_all(&down, n, &all, &mut passages).expect("a length");
    add(&passages);
    add(&level.closest_point(point::<T>([0.0, 0.0, 2.0]), n, &all).expect("a length"));
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
