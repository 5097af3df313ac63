//! Characters made in code with every kind of geometry and of tree.

use std::sync::Arc;

use boxwood::CollisionGroups;
use boxwood::load::{Loaded, Loader};
use boxwood::model::Model;
use boxwood::motion::{
    Clip, Clips, Interpolation, Joint, Keys, Skeleton, Skin, SkinWeight, Track, Transform,
};
use boxwood::nalgebra::{Matrix3, Point3, Quaternion, Rotation3, Vector3};
use boxwood::num::Scalar;
use boxwood::shape::{Mesh, Obb};
use boxwood::tree::{Bound, Build, Fit, Geometry, Split};

fn number<T: Scalar>(value: f64) -> T {
    T::nearest(value)
}

fn vector<T: Scalar>(x: f64, y: f64, z: f64) -> Vector3<T> {
    Vector3::new(number(x), number(y), number(z))
}

/// Builds a ring of slanted boxes.
fn boxes<T: Scalar>(count: usize) -> Vec<Obb<T>> {
    let one = |i: usize| {
        let turn = Rotation3::from_euler_angles(i as f64, 0.3 * i as f64, -0.7 * i as f64);
        let axes: Matrix3<T> = turn.into_inner().map(T::nearest);
        let center = Point3::from(vector(i as f64 * 0.9, (i * i % 7) as f64, -0.0));
        Obb::new(center, axes, vector(0.1, 0.2 + i as f64 * 0.01, 0.0)).expect("a box")
    };
    (0..count).map(one).collect()
}

/// Builds a bumpy sheet over a grid, with zeros of both signs.
fn sheet<T: Scalar>(n: usize) -> Mesh<T> {
    let height = |i: usize, j: usize| {
        if (i + j).is_multiple_of(3) { -0.0 } else { (i * j % 5) as f64 * 0.1 }
    };
    let corner = |k: usize| {
        let (i, j) = (k / (n + 1), k % (n + 1));
        Point3::from(vector(i as f64 - n as f64 / 2.0, j as f64 - n as f64 / 2.0, height(i, j)))
    };
    let at = |i: usize, j: usize| (i * (n + 1) + j) as u32;
    let square = |k: usize| {
        let (i, j) = (k / n, k % n);
        [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]]
    };
    let vertices = (0..(n + 1) * (n + 1)).map(corner).collect();
    Mesh::new(vertices, (0..n * n).flat_map(square).collect()).expect("a mesh")
}

fn joint<T: Scalar>(name: &str, parent: Option<usize>) -> Joint<T> {
    Joint { name: name.into(), parent, rest: Transform::default() }
}

fn tracks<T: Scalar>() -> Vec<Track<T>> {
    let times = || vec![number(0.0), number(0.5)];
    let turn =
        |w: f64| Quaternion::new(number(w), number((1.0 - w * w).sqrt()), T::zero(), T::zero());
    let splined = [0.1, 1.0, 0.2, 0.3, 0.8, 0.1].map(turn).to_vec();
    let shifts = vec![vector(0.0, 1.0, -0.0), vector(1.0, 0.0, 0.0)];
    let track = |keys, how| Track::new(1, times(), keys, how).expect("a track");
    vec![
        track(Keys::Translation(shifts.clone()), Interpolation::Linear),
        track(Keys::Rotation(splined), Interpolation::CubicSpline),
        track(Keys::Scale(shifts), Interpolation::Step),
    ]
}

/// Builds a character with every kind of part, key and unusual value that causes no warning.
pub fn character<T: Scalar>(build: &Build) -> Loaded<T> {
    sized([13, 9, 5], build)
}

/// Builds a small character of the same kinds.
pub fn small<T: Scalar>(build: &Build) -> Loaded<T> {
    sized([3, 2, 1], build)
}

/// Builds a character of `count` boxes, a sheet of `across` squares and a solid of `solid` squares
/// per side.
fn sized<T: Scalar>([count, across, solid]: [usize; 3], build: &Build) -> Loaded<T> {
    let model = Model::builder()
        .part("nothing", None, Geometry::None)
        .part("boxes", Some("nothing"), Geometry::Boxes(boxes(count)))
        .part("sheet", Some("boxes"), Geometry::Surface(sheet(across)))
        .groups(CollisionGroups { memberships: 6, filter: u64::MAX - 1 })
        .part("solid ✓", None, Geometry::Solid(sheet(solid).capped()))
        .user(99)
        .ignore("boxes", "solid ✓")
        .build(build)
        .expect("a model");
    let joints = [("nothing", None), ("boxes", Some(0)), ("sheet", Some(1)), ("solid ✓", None)];
    let joints = joints.map(|(name, parent)| joint(name, parent)).to_vec();
    let skeleton = Arc::new(Skeleton::new(joints).expect("joints"));
    let clips = [("a", tracks()), ("still", Vec::new())]
        .map(|(name, tracks)| Clip::new(name, &skeleton, tracks).expect("a clip"));
    let follow =
        |joint| SkinWeight { joint, share: number(0.5), at: Point3::from(vector(1.0, 2.0, 3.0)) };
    let skin = Skin::new([vec![follow(0), follow(3)], vec![follow(2)]]).expect("a skin");
    let skin = skin.with_triangles(vec![[0, 1, 0]]).expect("of its vertices");
    let clips = Clips::new(clips.to_vec()).expect("clips");
    let nodes = vec![Some(7), None, Some(0), Some(2)];
    let mut made = Loaded::new(model, skeleton);
    (made.nodes, made.clips, made.skin) = (nodes, clips, Some(skin));
    made
}

/// Returns the character with another model.
fn with_model<T: Scalar>(made: &Loaded<T>, model: Arc<Model<T>>) -> Loaded<T> {
    let mut other = made.clone();
    other.model = model;
    other
}

/// Asserts equal debug output: every field, including derived ones.
fn alike<T: Scalar>(made: &Loaded<T>) {
    let read: Loaded<T> =
        Loader::new().baked_bytes(&made.bake().expect("bytes")).expect("a character");
    assert!(made.model == read.model, "another model");
    // The lesser of two zeros depends on their order.
    let answer = |loaded: &Loaded<T>| {
        format!("{loaded:?}").replace("-0.0,", "0.0,").replace("-0.0]", "0.0]")
    };
    assert!(answer(made) == answer(&read), "another character");
}

#[test]
fn every_kind_of_build_survives_baking() {
    let splits = [Split::Median, Split::AreaMedian, Split::Mean, Split::Sah, Split::BottomUp];
    let fits = [Fit::Aligned, Fit::Spread, Fit::Best, Fit::Refined];
    for split in splits {
        for fit in fits {
            for (bound, leaf_primitives) in [(Bound::Corners, 3), (Bound::Certified, 1)] {
                let build = Build::default()
                    .max_depth(7)
                    .leaf_primitives(leaf_primitives)
                    .split(split)
                    .fit(fit)
                    .bound(bound);
                alike(&character::<f32>(&build));
                alike(&character::<f64>(&build));
                alike(&small::<f32>(&build));
            }
        }
    }
}

#[test]
fn truncated_trees_survive_baking() {
    let made = character::<f32>(&Build::default());
    for depth in 0..6 {
        let model = made.model.cut_off(&[depth; 4]).expect("depths");
        alike(&with_model(&made, model));
    }
}

#[test]
fn convex_primitives_survive_baking() {
    // Imported here, as the fuzz target uses this file without the tests' library.
    use support::convex_bodies::{Body, BodyKind};
    use support::random::Random;
    fn made<T: Scalar>() -> Loaded<T> {
        let mut random = Random(5);
        let kinds = BodyKind::ALL.iter().cycle().take(20);
        let shapes = kinds.map(|&kind| Body::random(&mut random, kind, (1.0, 1.0)).shape());
        let parts = Model::builder().part("convex", None, Geometry::Convex(shapes.collect()));
        let model = parts.build(&Build::default()).expect("a model");
        let skeleton = Arc::new(Skeleton::new(vec![joint("convex", None)]).expect("a joint"));
        let made = Loaded::new(model, skeleton);
        assert!(made.nodes.is_empty() && made.clips.is_empty() && made.warnings.is_empty());
        made
    }
    alike(&made::<f32>());
    alike(&made::<f64>());
}

#[test]
fn margins_survive_baking() {
    let made = character::<f32>(&Build::fast());
    let [a, b] = [0, 1].map(|part| made.model.parts()[part].name());
    let model = made.model.with_margins(0.01, &[(a, b, 0.3)]).expect("margins");
    assert_ne!(model.fingerprint(), made.model.fingerprint());
    alike(&with_model(&made, model));
}

#[test]
fn parts_without_their_joints_are_not_baked() {
    let made = character::<f32>(&Build::fast());
    let skeleton = Arc::new(Skeleton::new(vec![joint("alone", None)]).expect("a joint"));
    let alone = Loaded::new(made.model, skeleton);
    let refused = alone.bake().expect_err("four parts, one joint");
    assert_eq!(refused, boxwood::Error::WrongCount { field: "parts", expected: 1, found: 4 });
    let mut made = character::<f32>(&Build::fast());
    made.nodes = vec![None; 3];
    let refused = made.bake().expect_err("three nodes");
    assert_eq!(refused, boxwood::Error::WrongCount { field: "nodes", expected: 4, found: 3 });
}
