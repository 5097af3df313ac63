//! Clips of glTF files: interpolation, times and names.

use boxwood::motion::Joints;

use super::boxes_cover_skin::covered;
use super::{one_triangle, read};
use support::small_gltf::{Small, Track};

#[test]
fn clips_step_and_start_late_and_names_are_made_unique() {
    let mut small = one_triangle();
    let times = small.floats("SCALAR", 1, &[0.5, 1.0]);
    let moves = small.floats("VEC3", 3, &[1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    let turns = [0, 0, 0, 127, 0, 0, 127, 0]; // the second: half a turn about z
    let turns = small.accessor(5120, "VEC4", 2, &turns, r#","normalized":true"#);
    let clip = format!(
        r#"{{"name":"go","channels":[{{"sampler":0,"target":{{"node":0,"path":"translation"}}}},{{"sampler":1,"target":{{"node":0,"path":"rotation"}}}}],"samplers":[{{"input":{times},"output":{moves},"interpolation":"STEP"}},{{"input":{times},"output":{turns}}}]}}"#
    );
    small.animations = format!("{clip},{clip}");
    let loaded = read(&small).expect("good");
    let names: Vec<_> = loaded.clips.iter().map(|clip| clip.name()).collect();
    assert_eq!(names, ["go", "go (2)"]);
    let mut joints = Joints::new();
    for (t, x, angle) in [(0.0, 1.0, 0.0), (0.75, 1.0, 90.0_f32), (1.0, 2.0, 180.0)] {
        let pose = loaded.clips["go (2)"].sample(t, &mut joints).expect("finite")[0];
        assert_eq!(pose.translation.vector.x, x);
        assert!((pose.rotation.angle().to_degrees() - angle).abs() < 1e-3);
    }
}

/// Builds a triangle rotated about z by those half angles (sine, cosine) at 0, 1, 2... seconds.
fn turned(halves: &[[f32; 2]], how: &'static str) -> Small {
    let mut small = one_triangle();
    let each = if how == "CUBICSPLINE" { 3 } else { 1 };
    let times: Vec<f32> = (0..halves.len() / each).map(|i| i as f32).collect();
    let times = small.floats("SCALAR", 1, &times);
    let values: Vec<f32> = halves.iter().flat_map(|&[s, c]| [0.0, 0.0, s, c]).collect();
    let values = small.floats("VEC4", 4, &values);
    small.clip("turn", &[Track { node: 0, path: "rotation", times, values, how }]);
    small
}

#[test]
fn keys_with_flipped_signs_rotate_the_short_way() {
    let keys = [[0.0, 1.0], [-0.6, -0.8], [0.8, 0.6], [-0.8, -0.6]];
    let small = turned(&keys, "LINEAR");
    let times: Vec<f32> = (0..=30).map(|i| i as f32 / 10.0).collect();
    let loaded = covered(&small, &times);
    let mut joints = Joints::new();
    let mut angle = |t| {
        let pose = loaded.clips["turn"].sample(t, &mut joints).expect("finite")[0];
        pose.rotation.angle()
    };
    // Halfway to twice the arc sine of 0.6; between the two quaternions of one rotation nothing
    // moves.
    assert!((angle(0.5) - 0.6_f32.asin()).abs() < 1e-5);
    assert!((angle(2.5) - 2.0 * 0.8_f32.asin()).abs() < 1e-5);
}

#[test]
fn a_clip_of_zero_length_is_a_pose() {
    let small = turned(&[[0.6, 0.8]], "LINEAR");
    let loaded = covered(&small, &[0.0, 1.0]);
    assert_eq!(loaded.clips[0].duration(), 0.0);
    let mut joints = Joints::new();
    for t in [0.0, 0.5, 9.0] {
        let pose = loaded.clips[0].sample_looped(t, &mut joints).expect("finite")[0];
        assert!((pose.rotation.angle() - 2.0 * 0.6_f32.asin()).abs() < 1e-6);
    }
}

#[test]
fn steps_are_constant_and_splines_are_curved() {
    let times: Vec<f32> = (0..=40).map(|i| i as f32 / 20.0).collect();
    let steps = turned(&[[0.0, 1.0], [0.6, 0.8], [0.8, 0.6]], "STEP");
    let loaded = covered(&steps, &times);
    let mut joints = Joints::new();
    let pose = loaded.clips[0].sample(0.99, &mut joints).expect("finite")[0];
    assert_eq!(pose.rotation.angle(), 0.0);
    let splines = [
        [0.0, 0.0],
        [0.0, 1.0],
        [0.9, 0.1],
        [0.3, -0.4],
        [0.6, 0.8],
        [-0.2, 0.5],
        [0.1, 0.2],
        [0.8, 0.6],
        [0.0, 0.0],
    ];
    let loaded = covered(&turned(&splines, "CUBICSPLINE"), &times);
    // The tangents count: a straight line has another value.
    let angle = |loaded: &boxwood::load::Loaded<f32>| {
        loaded.clips[0].sample(0.5, &mut Joints::new()).expect("finite")[0].rotation.angle()
    };
    let straight = covered(&turned(&[[0.0, 1.0], [0.6, 0.8]], "LINEAR"), &times);
    assert!((angle(&loaded) - angle(&straight)).abs() > 0.02);
}

#[test]
fn a_clip_that_starts_late_begins_with_its_first_key() {
    let mut small = one_triangle();
    let times = small.floats("SCALAR", 1, &[0.033, 0.5]);
    let values = small.floats("VEC3", 3, &[1.0, 0.0, 0.0, 5.0, 0.0, 0.0]);
    small.clip("late", &[Track { node: 0, path: "translation", times, values, how: "LINEAR" }]);
    let loaded = covered(&small, &[0.0, 0.02, 0.033, 0.2, 0.5, 0.7]);
    let mut joints = Joints::new();
    let first = loaded.clips[0].sample(0.0, &mut joints).expect("finite")[0];
    assert_eq!(first.translation.vector.x, 1.0);
}
