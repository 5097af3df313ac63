//! Characters of bone boxes: the boxes lie along the bones of the file in every frame.

use boxwood::load::{self, BoneBoxes, Loaded, Loader};
use boxwood::motion::Joints;
use boxwood::shape::Obb;
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, Error, PartId, SelfQueryScratch};
use nalgebra::Matrix4;

use super::matrix_oracle::{bvh_frame, read_amc, read_asf};
use super::small::{AMC, ASF, SMALL};
use support::data::data;
use support::folder::Folder;
use support::prelude::*;

/// Returns both ends of the bone in a box, and half its thickness.
fn bone(solid: &Obb<f64>) -> ([Point3<f64>; 2], f64) {
    let half = solid.half_extents();
    assert_eq!(half.y, half.z);
    let reach = solid.axes().column(0) * half.x;
    ([solid.center() - reach, solid.center() + reach], half.y)
}

fn boxes(loaded: &Loaded<f64>, part: usize) -> &[Obb<f64>] {
    match loaded.model.parts()[part].tree().map(|tree| tree.geometry()) {
        Some(Geometry::Boxes(boxes)) => boxes,
        None => &[],
        other => panic!("{other:?}"),
    }
}

/// Origin of a joint, and ends of the bones that start there, by the file.
type Bones = (Matrix4<f64>, Vec<Point3<f64>>);

/// Checks that all boxes lie along the bones of the file at that time, each once.
fn check(loaded: &Loaded<f64>, t: f64, expected: &[Bones]) -> usize {
    let mut joints = Joints::new();
    let poses = loaded.clips[0].sample(t, &mut joints).expect("a time");
    let mut count = 0;
    for (part, (pose, (place, ends))) in poses.iter().zip(expected).enumerate() {
        let start = place.transform_point(&Point3::origin());
        let solids = boxes(loaded, part);
        let longer = ends.iter().filter(|end| (*end - start).norm() > 1e-9);
        for end in longer.clone() {
            let along = |solid: &&Obb<f64>| {
                let ([from, to], _) = bone(solid);
                (pose * from - start).norm() < 1e-9 && (pose * to - end).norm() < 1e-9
            };
            let found = solids.iter().filter(along).count();
            assert_eq!(found, 1, "{} at {t}", loaded.model.parts()[part].name());
        }
        // And no others: several joints may start at one end.
        assert!(solids.len() <= longer.count());
        count += solids.len();
    }
    count
}

#[test]
fn boxes_lie_along_the_bones_of_the_asf_file() {
    let Some(data) = data() else { return };
    let folder = data.join("mocap/cmu-02-05");
    let (asf, amc) = (folder.join("02.asf"), folder.join("02_05.amc"));
    let motion = Loader::new().amc(&asf, &amc).expect("a motion");
    let loaded = motion.character(&BoneBoxes::default()).expect("a character");
    let theirs = read_asf(&std::fs::read_to_string(asf).expect("a file"));
    let text = std::fs::read_to_string(amc).expect("a file");
    let frames = read_amc(&text);
    for frame in (0..frames.len()).step_by(131) {
        // A bone ends at its length along its direction from its start.
        let bones = |joint: &boxwood::motion::Joint<f64>| {
            let place = theirs.matrix(&joint.name, &frames[frame]);
            let reach = theirs.bones.get(&joint.name).map(|bone| Point3::from(bone.0));
            (place, reach.iter().map(|reach| place.transform_point(reach)).collect())
        };
        let expected: Vec<Bones> = motion.skeleton.joints().iter().map(bones).collect();
        // All but the root, which has no length of its own.
        assert_eq!(check(&loaded, frame as f64 / 120.0, &expected), 30);
    }
    let longest = theirs.bones.values().map(|bone| bone.0.norm()).fold(0.0, f64::max);
    for (part, joint) in motion.skeleton.joints().iter().enumerate().skip(1) {
        let length = theirs.bones[&joint.name].0.norm();
        let (_, half) = bone(&boxes(&loaded, part)[0]);
        assert!((half - (0.15 * length).max(0.05 * longest)).abs() < 1e-9, "{}", joint.name);
    }
}

#[test]
fn boxes_lie_along_the_bones_of_bvh_files() {
    let Some(data) = data() else { return };
    for (file, frames, step) in
        [("cmu-131-01/131_01.bvh", 994, 0.0083333), ("cmu-18-01/18_01.bvh", 303, 0.033333)]
    {
        let path = data.join("mocap").join(file);
        let text = std::fs::read_to_string(&path).expect("a file");
        let motion = Loader::new().bvh(&path).expect("a motion");
        let loaded = motion.character(&BoneBoxes::default()).expect("a character");
        let joints = motion.skeleton.joints();
        for frame in (0..frames).step_by(61) {
            let places = bvh_frame(&text, frame);
            let bones = |(joint, place): (usize, &Matrix4<f64>)| {
                let below = joints.iter().zip(&places).filter(|(own, _)| own.parent == Some(joint));
                let below = below.map(|(_, place)| place.transform_point(&Point3::origin()));
                let ends = motion.ends.iter().filter(|(own, _)| *own == joint);
                let ends = ends.map(|(_, end)| place.transform_point(&Point3::from(*end)));
                (*place, below.chain(ends).collect())
            };
            let expected: Vec<Bones> = places.iter().enumerate().map(bones).collect();
            assert!(check(&loaded, frame as f64 * step, &expected) > 20);
        }
    }
}

#[test]
fn named_bones_have_their_thickness_and_copies_count_once() {
    let folder = Folder::new();
    let twins = SMALL.replace("JOINT tail { OFFSET 0 0 -1", "JOINT tail { OFFSET 0 -4 0");
    let motion = Loader::new().bvh(folder.write("t.bvh", twins));
    let motion = motion.expect("a motion");
    let flesh = BoneBoxes::default().named("knee", 0.125);
    let loaded = motion.character(&flesh).expect("a character");
    let names: Vec<_> = loaded.model.parts().iter().map(|part| part.name()).collect();
    assert_eq!(names, ["left hip", "knee", "tail"]);
    let hip = boxes(&loaded, 0);
    assert_eq!(
        (hip.len(), bone(&hip[0])),
        (1, ([Point3::origin(), Point3::new(0.0, -4.0, 0.0)], 0.6))
    );
    assert_eq!(bone(&boxes(&loaded, 1)[0]).1, 0.125);
    // A joint without a bone.
    assert!(loaded.model.parts()[2].tree().is_none());
    assert_eq!(loaded.warnings, motion.warnings);
}

#[test]
fn a_leg_that_bends_back_touches_itself() {
    let folder = Folder::new();
    // The toe, as long as the leg, is rotated up onto it by the second frame.
    let asf = ASF.replace("length 1\n axis 0 0 0 XYZ", "length 2\n axis 0 0 0 XYZ\n dof rz");
    let amc = AMC.replacen("leg 0", "leg 0\ntoe 0", 1).replacen("leg 90", "leg 0\ntoe 90", 1);
    let options = Loader::new().frame_rate(1.0);
    let motion = load::amc(folder.write("b.asf", asf), folder.write("b.amc", amc));
    let fine = options.amc(folder.path("b.asf"), folder.path("b.amc"));
    assert!(motion.is_ok());
    let motion = fine.expect("a motion");
    let flesh =
        BoneBoxes::default().share(0.1).least(0.0).ignore_neighbours(0).build(Build::fast());
    let loaded = motion.character(&flesh).expect("a character");
    let (mut joints, mut scratch) = (Joints::new(), SelfQueryScratch::default());
    let near = flesh.ignore_neighbours(1);
    let ignored = motion.character(&near).expect("a character");
    for (t, along) in [(0.0, Vector3::x()), (1.0, Vector3::y())] {
        let poses = motion.clips[0].sample(t, &mut joints).expect("a time");
        let toe = poses[2].rotation * Vector3::x();
        // The root is rotated by a quarter turn by the second frame.
        let root = poses[0].rotation * along;
        assert!((toe - root).norm() < 1e-6);
        let pairs = loaded.model.self_pairs(poses, Accuracy::Exact, &mut scratch);
        assert_eq!(pairs.expect("poses"), [(PartId::new(1), PartId::new(2))]);
        let pairs = ignored.model.self_pairs(poses, Accuracy::Exact, &mut scratch);
        assert_eq!(pairs.expect("poses"), []);
    }
}

#[test]
fn invalid_thicknesses_are_refused() {
    let folder = Folder::new();
    let motion = load::bvh(folder.write("s.bvh", SMALL)).expect("a motion");
    let refused = |flesh: BoneBoxes| motion.character(&flesh).expect_err("refused");
    let field = "thickness of bones";
    let plain = BoneBoxes::default;
    let negative = Error::Negative { field, index: 0 };
    assert_eq!(refused(plain().share(-0.1)), negative);
    let nan = Error::NotFinite { field: "least thickness of bones", index: 0 };
    assert_eq!(refused(plain().least(f64::NAN)), nan);
    let known = motion.skeleton.joints().iter().map(|joint| joint.name.clone()).collect();
    let unknown = Error::UnknownName { kind: "joint", name: "wing".into(), known };
    assert_eq!(refused(plain().named("wing", 1.0)), unknown);
    let thin = plain().named("knee", -1.0);
    assert!(matches!(refused(thin), Error::Part { .. }));
    let thick = plain().named("knee", 1e30);
    assert!(matches!(refused(thick), Error::Part { .. }));
    let mut loose = motion.clone();
    loose.ends.push((9, Vector3::x()));
    let found = loose.character(&plain()).expect_err("refused");
    assert!(matches!(found, Error::IndexOutOfRange { target: 9, len: 3, .. }));
    let mut far = motion.clone();
    far.ends.push((0, Vector3::new(f32::NAN, 0.0, 0.0)));
    assert!(matches!(far.character(&plain()), Err(Error::NotFinite { .. })));
    // Zero thickness is allowed.
    assert!(motion.character(&plain().share(0.0).least(0.0)).is_ok());
}
