//! Intersection curve of two parts of a scene: equal to that of their trees, refused keys, and
//! steadiness of its centroid against a hit's point.

use std::collections::HashMap;
use std::f32::consts::PI;

use boxwood::tree::{TreePair, TreeScratch};
use boxwood::{
    Accuracy, Buffers, Detail, Error, Geometry, Hits, NodeId, NodeRef, Obb, PairQuery, PartId,
    Pose, QueryScratch, Scene, SimdLevel, Spawn,
};

use support::closed_meshes::{cube, solid, sphere};
use support::prelude::*;

/// Two overlapping characters, each with a ball, a cube, a hand-made box and a joint without
/// geometry.
fn stage() -> (Scene, [boxwood::CharacterKey; 2]) {
    let made = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.4)).expect("a box");
    let model = model_of(vec![
        solid(sphere(0.5, 8)),
        solid(cube([0.4, 0.3, 0.5])),
        Geometry::Boxes(vec![made]),
        Geometry::None,
    ]);
    let mut scene = Scene::new();
    let red = scene.insert(&model, Spawn::default()).expect("a character");
    let turn = Isometry3::new(Vector3::new(0.3, 0.2, 0.1), Vector3::new(0.4, 0.9, 0.2));
    let blue = scene.insert(&model, Spawn::at(turn)).expect("a character");
    (scene, [red, blue])
}

fn whole(character: boxwood::CharacterKey, part: usize) -> NodeRef {
    NodeRef { character, part: PartId::new(part), node: NodeId::ROOT }
}

#[test]
fn the_curve_of_two_parts_equals_that_of_their_trees() {
    let (scene, [red, blue]) = stage();
    let mut scratch = QueryScratch::new();
    for simd in SimdLevel::all() {
        let mut buffers = Buffers::with_simd_level(simd);
        let now = scene.snapshot(&mut buffers);
        for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
            let (a, b) = (whole(red, i), whole(blue, j));
            let found = now.intersection_curve(a, b, &mut scratch).expect("sound keys");
            assert_eq!(found.is_some(), i < 2 && j < 2, "{i} {j}");
            let back = now.intersection_curve(b, a, &mut scratch).expect("sound keys");
            assert_eq!(back, found.map(|curve| curve.reversed()));
            let Some(found) = found else { continue };
            let part = |key, part: usize| {
                let tree = scene.model(key).expect("a key").parts()[part].tree();
                let pose = scene.poses(key).expect("a key")[part];
                (tree.expect("a tree"), pose)
            };
            let ((tree_a, pose_a), (tree_b, pose_b)) = (part(red, i), part(blue, j));
            let pair = TreePair::new(tree_a, &pose_a, tree_b, &pose_b).expect("sound poses");
            assert_eq!(pair.intersection_curve(&mut TreeScratch::default()), Some(found));
        }
    }
}

#[test]
fn a_part_has_no_curve_with_itself_and_unknown_parts_are_refused() {
    let (mut scene, [red, blue]) = stage();
    let (mut buffers, mut scratch) = (Buffers::new(), QueryScratch::new());
    let mut ask =
        |scene: &Scene, a, b| scene.snapshot(&mut buffers).intersection_curve(a, b, &mut scratch);
    assert_eq!(ask(&scene, whole(red, 0), whole(red, 0)), Ok(None));
    assert!(ask(&scene, whole(red, 0), whole(red, 1)).is_ok_and(|curve| curve.is_some()));
    let other = stage().1[0];
    assert_eq!(ask(&scene, whole(red, 0), whole(other, 0)), Err(Error::ForeignKey));
    let missing = ask(&scene, whole(red, 3), whole(blue, 4));
    assert!(matches!(missing, Err(Error::IndexOutOfRange { .. })), "{missing:?}");
    scene.remove(blue).expect("a key");
    assert_eq!(ask(&scene, whole(blue, 0), whole(red, 0)), Err(Error::StaleKey));
}

/// Moves of points of pairs of parts from one frame to the next, in the frame of red's part.
#[derive(Default)]
struct Moves {
    last: HashMap<(PartId, PartId), (usize, Point3<f32>)>,
    moved: Vec<f32>,
}

impl Moves {
    fn add(&mut self, frame: usize, parts: (PartId, PartId), point: Point3<f32>) {
        let before = self.last.insert(parts, (frame, point));
        let last = before.filter(|(at, _)| at + 1 == frame);
        self.moved.extend(last.map(|(_, before)| (point - before).norm()));
    }

    /// Returns a percentile of the moves [mm].
    fn share(&mut self, percent: usize) -> f32 {
        self.moved.sort_unstable_by(f32::total_cmp);
        1e3 * self.moved[self.moved.len() * percent / 100]
    }
}

/// Plays a clip of red at 60 Hz against blue on guard at a distance. Returns the median moves of
/// the hit's point and of the curve's centroid, where both exist.
fn median_moves(clip: &str, distance: f32) -> [f32; 2] {
    let fighter = support::fighter::fighter();
    let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
    let (mut hits, mut scratch) = (Hits::new(), QueryScratch::new());
    let facing = Isometry3::new(Vector3::z() * distance, Vector3::y() * PI);
    let places = [Pose::identity(), facing];
    let keys = places.map(|at| scene.insert(&fighter.model, Spawn::at(at)).expect("a character"));
    let clips = [clip, "guard"].map(|name| fighter.clips.get(name).expect("a clip"));
    let query = PairQuery::between(keys[0], keys[1]).accuracy(Accuracy::Exact);
    let query = query.detail(Detail::DeepestBoxes);
    let (mut points, mut centroids, mut asked) = (Moves::default(), Moves::default(), 0);
    for frame in 0..(60.0 * clips[0].duration()) as usize {
        for i in 0..2 {
            let joints = clips[i].sample_looped(frame as f32 / 60.0, &mut buffers.joints);
            scene.set_joints(keys[i], &places[i], joints.expect("a sample")).expect("poses");
        }
        let now = scene.snapshot(&mut buffers);
        now.contacts(&query, &mut hits).expect("a sound query");
        asked += hits.len();
        for hit in &hits {
            let found = now.intersection_curve(hit.a, hit.b, &mut scratch).expect("sound keys");
            let Some(curve) = found else { continue };
            let pose = &scene.poses(keys[0]).expect("a key")[hit.a.part.index()];
            let parts = (hit.a.part, hit.b.part);
            points.add(frame, parts, pose.inverse_transform_point(&hit.point));
            centroids.add(frame, parts, pose.inverse_transform_point(&curve.centroid));
        }
    }
    let of = |moves: &mut Moves| [moves.share(50), moves.share(90)];
    let (point, centroid) = (of(&mut points), of(&mut centroids));
    println!(
        "{clip}: {asked} hits, {} moves, 50 / 90 % mm: point {:.1} / {:.1}, curve {:.1} / {:.1}",
        points.moved.len(),
        point[0],
        point[1],
        centroid[0],
        centroid[1]
    );
    assert!(points.moved.len() > 100, "{}", points.moved.len());
    [point[0], centroid[0]]
}

#[test]
fn the_centroid_moves_less_than_the_point_of_a_hit() {
    for (clip, distance) in [("kick", 0.5), ("jab", 0.5)] {
        let [point, centroid] = median_moves(clip, distance);
        assert!(centroid < 0.5 * point, "{clip}: {centroid} mm, the point {point} mm");
    }
}
