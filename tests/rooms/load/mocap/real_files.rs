//! Real files of recorded motion against the second reader with matrices.

use boxwood::f64::Loader;
use boxwood::load::Recording;
use boxwood::motion::Joints;
use nalgebra::Matrix4;

use super::matrix_oracle::{bvh_frame, read_amc, read_asf};
use support::data::data;

fn check(motion: &Recording<f64>, t: f64, expected: &[Matrix4<f64>], scale: f64) {
    let mut joints = Joints::new();
    let poses = motion.clips[0].sample(t, &mut joints).expect("a time");
    assert_eq!(poses.len(), expected.len());
    for ((pose, expected), joint) in poses.iter().zip(expected).zip(motion.skeleton.joints()) {
        let mut expected = *expected;
        expected.fixed_view_mut::<3, 1>(0, 3).scale_mut(scale);
        assert!((pose.to_homogeneous() - expected).norm() < 1e-9, "{} at {t}", joint.name);
    }
}

#[test]
fn poses_of_real_bvh_files_are_products_of_matrices() {
    let Some(data) = data() else { return };
    for (file, frames, step) in
        [("cmu-131-01/131_01.bvh", 994, 0.0083333), ("cmu-18-01/18_01.bvh", 303, 0.033333)]
    {
        let path = data.join("mocap").join(file);
        let text = std::fs::read_to_string(&path).expect("a file");
        let options = Loader::new().scale(Loader::CMU);
        let motion = options.bvh(&path).expect("a motion");
        assert_eq!(
            (motion.skeleton.len(), motion.ends.len(), &motion.warnings[..]),
            (31, 7, &[][..])
        );
        assert!((motion.clips[0].duration() - (frames - 1) as f64 * step).abs() < 1e-9);
        for frame in (0..frames).step_by(37).chain([frames - 1]) {
            check(&motion, frame as f64 * step, &bvh_frame(&text, frame), Loader::CMU);
        }
    }
}

#[test]
fn poses_of_the_real_asf_and_amc_files_are_products_of_matrices() {
    let Some(data) = data() else { return };
    let folder = data.join("mocap/cmu-02-05");
    let (asf, amc) = (folder.join("02.asf"), folder.join("02_05.amc"));
    let motion = Loader::new().amc(&asf, &amc).expect("a motion");
    assert_eq!((motion.skeleton.len(), motion.clips[0].name()), (31, "02_05"));
    assert!((motion.clips[0].duration() - 1853.0 / 120.0).abs() < 1e-9);
    let theirs = read_asf(&std::fs::read_to_string(asf).expect("a file"));
    let text = std::fs::read_to_string(amc).expect("a file");
    let frames = read_amc(&text);
    assert_eq!(frames.len(), 1854);
    for frame in (0..frames.len()).step_by(97) {
        let joints = motion.skeleton.joints().iter();
        let expected: Vec<_> =
            joints.map(|joint| theirs.matrix(&joint.name, &frames[frame])).collect();
        check(&motion, frame as f64 / 120.0, &expected, 1.0);
    }
    // A man stands on a floor: the lower end of a toe stays near one height while the head is far
    // above.
    let mut joints = Joints::new();
    let toe = motion.skeleton.find("ltoes").expect("a toe");
    let head = motion.skeleton.find("head").expect("a head");
    for frame in (0..1854).step_by(50) {
        let poses = motion.clips[0].sample(f64::from(frame) / 120.0, &mut joints).expect("a time");
        let [toe, head] = [toe, head].map(|joint| poses[joint].translation.y);
        assert!(toe > -1.0 && toe < 8.0 && head > 20.0 && head < 32.0, "{frame}: {toe} {head}");
    }
}
