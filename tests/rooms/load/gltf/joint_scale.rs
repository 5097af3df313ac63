//! Scale of joints: uniform or not, mirrored, sheared, animated.

use boxwood::load::Warning;

use super::boxes_cover_skin::{covered, excess};
use super::{bare, corners, one_triangle, read, skinned, translation};
use support::prelude::*;
use support::small_gltf::{Small, Track};

#[test]
fn matrices_are_decomposed_and_scale_is_in_the_geometry() {
    let mut small = one_triangle();
    // A quarter turn about z with a scale of 3, moved by (1, 2, 3).
    small.nodes = concat!(
        r#"{"name":"top","children":[1],"matrix":[0,3,0,0,-3,0,0,0,0,0,3,0,1,2,3,1]},"#,
        r#"{"mesh":0,"name":"leaf","translation":[1,0,0]}"#
    )
    .to_owned();
    let loaded = read(&small).expect("good");
    assert_eq!(loaded.warnings, []);
    let poses = loaded.skeleton.rest_poses();
    let placed: Vec<_> = corners(&loaded, "leaf")
        .into_iter()
        .map(|corner| poses[1] * Point3::from(corner))
        .collect();
    for (found, expected) in placed.iter().zip([[1.0, 5.0, 3.0], [1.0, 8.0, 3.0], [-2.0, 5.0, 3.0]])
    {
        assert!((found - Point3::from(expected)).norm() < 1e-5, "{found}");
    }
}

/// Returns sixteen times of a second.
fn moments() -> Vec<f32> {
    (0..=16).map(|i| i as f32 / 16.0).collect()
}

/// Adds a clip of one second with one track of `values`, evenly spaced in time.
fn animate(small: &mut Small, node: usize, path: &'static str, values: &[f32]) {
    let width = if path == "rotation" { 4 } else { 3 };
    let count = values.len() / width;
    let times: Vec<f32> = (0..count).map(|i| i as f32 / (count - 1) as f32).collect();
    let times = small.floats("SCALAR", 1, &times);
    let values = small.floats(if width == 4 { "VEC4" } else { "VEC3" }, width, values);
    small.clip("go", &[Track { node, path, times, values, how: "LINEAR" }]);
}

/// Quaternions from no rotation to a quarter turn about z.
const QUARTER: [f32; 8] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.70710677, 0.70710677];

fn stretched(loaded: &boxwood::load::Loaded<f32>) -> Vec<&str> {
    let parts = loaded.warnings.iter().filter_map(|warning| match warning {
        Warning::Stretched { parts, .. } => Some(parts.iter().map(|(part, _)| part.as_str())),
        _ => None,
    });
    parts.flatten().collect()
}

/// Returns the warning of one joint with a non-uniform scale.
fn not_uniform(joint: &str, percent: u32) -> Warning {
    Warning::NonUniformScale { joints: vec![joint.to_owned()], percent }
}

#[test]
fn a_scale_undone_by_the_bind_matrices_has_no_effect() {
    let mut small = skinned();
    let mut low = translation(0.0, 0.0, 0.0);
    let mut high = translation(0.0, -0.02, 0.0);
    for i in [0, 5, 10] {
        (low[i], high[i]) = (0.01, 0.01);
    }
    let binds = small.floats("MAT4", 16, &[low, high].concat());
    small.skins = format!(r#"{{"joints":[1,2],"inverseBindMatrices":{binds}}}"#);
    small.nodes = concat!(
        r#"{"mesh":0,"skin":0,"name":"body"},{"name":"low","children":[2]},"#,
        r#"{"name":"high","translation":[0,0.02,0]},"#,
        r#"{"name":"armature","scale":[100,100,100],"children":[1]}"#
    )
    .to_owned();
    small.roots = "0,3".to_owned();
    animate(&mut small, 2, "rotation", &QUARTER);
    let loaded = covered(&small, &moments());
    assert_eq!(loaded.warnings, []);
    let high = loaded.skeleton.find("high").expect("a joint");
    assert!((loaded.skeleton.rest_poses()[high].translation.vector.y - 2.0).abs() < 1e-6);
    let expected = [[0.0, -2.0, 0.0], [1.0, -2.0, 0.0], [0.0, -1.0, 0.0]].map(Point3::from);
    for (found, expected) in corners(&loaded, "high").into_iter().zip(expected) {
        assert!((Point3::from(found) - expected).norm() < 1e-6, "{found:?}");
    }
}

/// Builds a tetrahedron, oriented outward, at `leaf` below `top`; `top` and `leaf` have more
/// members.
fn tetrahedron(top: &str, leaf: &str) -> Small {
    let mut small = Small::default();
    let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let positions = small.floats("VEC3", 3, &corners);
    let indices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2];
    let indices = small.accessor(support::small_gltf::BYTE, "SCALAR", 12, &indices, "");
    small.meshes = format!(
        r#"{{"primitives":[{{"indices":{indices},"attributes":{{"POSITION":{positions}}}}}]}}"#
    );
    small.nodes = format!(
        r#"{{"name":"top","children":[1]{top}}},{{"name":"leaf","mesh":0,"translation":[1,0,0]{leaf}}}"#
    );
    small.roots = "0".to_owned();
    small
}

#[test]
fn a_mirrored_mesh_stays_oriented_outward() {
    for (top, leaf) in [
        ("", ""),
        (r#","scale":[-1,1,1]"#, ""),
        ("", r#","scale":[1,-2,1]"#),
        (r#","scale":[1,1,-1]"#, r#","scale":[-1,-1,-1]"#),
        (r#","matrix":[0,1,0,0,1,0,0,0,0,0,1,0,0,0,0,1]"#, ""),
    ] {
        let mut small = tetrahedron(top, leaf);
        animate(&mut small, 1, "rotation", &QUARTER);
        let loaded = covered(&small, &moments());
        let part = loaded.skeleton.find("leaf").expect("a joint");
        let mesh = super::surface(&loaded, part).expect("triangles");
        let expected = if leaf.contains("-2") { 2.0 / 6.0 } else { 1.0 / 6.0 };
        assert!((mesh.volume() - expected).abs() < 1e-6, "{top} {leaf}: {}", mesh.volume());
        assert!(mesh.open_edges().is_empty());
        // A mirrored joint rotates in reverse, which is no stretching. The scale of a leaf affects
        // nothing.
        assert_eq!(loaded.warnings, []);
    }
}

#[test]
fn joints_that_rotate_below_a_non_uniform_scale_become_bounding_boxes() {
    let mut small = tetrahedron(r#","scale":[1,3,1]"#, "");
    animate(&mut small, 1, "rotation", &QUARTER);
    let loaded = covered(&small, &moments());
    assert!(loaded.warnings.contains(&not_uniform("top", 33)));
    assert_eq!(stretched(&loaded), ["leaf"]);
    // Triangles at rest would not suffice.
    let at_rest = bare().cover_stretched(false);
    let (loaded, worst) = excess(&small, &moments(), &at_rest);
    assert!(worst > 0.1, "{worst}");
    assert_eq!(stretched(&loaded), ["leaf"]);
}

#[test]
fn parts_scaled_by_clips_and_their_descendants_become_bounding_boxes() {
    let mut small = tetrahedron("", "");
    animate(&mut small, 0, "scale", &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 0.5, 3.0, 1.0]);
    let loaded = covered(&small, &moments());
    // From 1 to 3 at most.
    let joints = vec![("top".to_owned(), "go".to_owned())];
    assert!(loaded.warnings.contains(&Warning::AnimatedScale { joints, percent: 200 }));
    assert_eq!(stretched(&loaded), ["leaf"]);
    let at_rest = bare().cover_stretched(false);
    assert!(excess(&small, &moments(), &at_rest).1 > 0.1);
}

#[test]
fn geometry_scaled_to_zero_at_rest_is_covered_once_it_grows() {
    let mut small = tetrahedron("", r#","scale":[0,0,0]"#);
    animate(&mut small, 1, "scale", &[0.0, 0.0, 0.0, 2.0, 2.0, 2.0]);
    let mut times = moments();
    times.remove(0); // without size
    let folder = support::folder::Folder::new();
    let path = folder.write("grows.glb", small.glb());
    let loaded = super::bare_f32(&path).expect("good");
    assert_eq!(stretched(&loaded), ["leaf"]);
    let tree = loaded.model.parts()[1].tree().expect("a box");
    let [least, most] = [0.0, 2.0].map(|x| Point3::new(x, x, x));
    assert!(tree.node(tree.cut(0)[0]).oriented().contains(least));
    assert!(tree.node(tree.cut(0)[0]).oriented().contains(most));
}

#[test]
fn a_scale_that_clips_do_not_change_has_no_effect() {
    let mut small = tetrahedron(r#","scale":[2,2,2]"#, "");
    animate(&mut small, 0, "scale", &[2.0; 6]);
    let loaded = covered(&small, &moments());
    assert_eq!(loaded.warnings, []);
    assert_eq!(corners(&loaded, "leaf").len(), 12);
}

#[test]
fn a_matrix_that_shears_is_kept() {
    let mut small = tetrahedron(r#","matrix":[1,0,0,0,0.5,1,0,0,0.2,0.1,-2,0,3,0,0,1]"#, "");
    let loaded = covered(&small, &[]);
    assert_eq!(loaded.warnings, [Warning::Shear { joint: "top".into() }]);
    let names: Vec<_> = loaded.skeleton.joints().iter().map(|j| j.name.as_str()).collect();
    assert_eq!(names, ["top (shear)", "top", "leaf"]);
    let volume = super::surface(&loaded, 2).expect("triangles").volume();
    assert!((volume - 2.0 / 6.0).abs() < 1e-6, "{volume}");
    // Until a joint below rotates.
    animate(&mut small, 1, "rotation", &QUARTER);
    assert_eq!(stretched(&covered(&small, &moments())), ["leaf"]);
}

#[test]
fn scales_that_cannot_be_kept_are_warned_of() {
    let mut small = one_triangle();
    small.nodes = concat!(
        r#"{"name":"bent","children":[1],"matrix":[1,0,0,0,0.5,1,0,0,0,0,1,0,0,0,0,1]},"#,
        r#"{"name":"long","children":[2],"scale":[1,2,1]},{"mesh":0,"name":"leaf","scale":[1,2,1]}"#
    )
    .to_owned();
    let times = small.floats("SCALAR", 1, &[0.0, 1.0]);
    let scales = small.floats("VEC3", 3, &[1.0, 2.0, 1.0, 1.0, 3.0, 1.0]);
    small.animations = format!(
        r#"{{"channels":[{{"sampler":0,"target":{{"node":2,"path":"scale"}}}}],"samplers":[{{"input":{times},"output":{scales}}}]}}"#
    );
    let loaded = read(&small).expect("good");
    let joints = vec![("leaf".to_owned(), "clip 0".to_owned())];
    let scaled = Warning::AnimatedScale { joints, percent: 50 };
    assert!(loaded.warnings.contains(&Warning::Shear { joint: "bent".into() }));
    // The leaf has no descendants: its own scale is in its geometry.
    assert!(loaded.warnings.contains(&not_uniform("long", 50)));
    assert!(loaded.warnings.contains(&scaled), "{:?}", loaded.warnings);
}

#[test]
fn scales_of_many_joints_give_one_warning_per_kind() {
    let mut small = one_triangle();
    // A chain of five; the third has the largest scale, all rotate.
    let factors = ["1,2,1", "1,1.5,1", "1,4,1", "1,3,1", "2,2,2"];
    let node = |(index, scale): (usize, &&str)| {
        let child = index + 1;
        format!(r#"{{"name":"j{index}","children":[{child}],"mesh":0,"scale":[{scale}]}},"#)
    };
    small.nodes = factors.iter().enumerate().map(node).collect::<String>() + r#"{"name":"end"}"#;
    for joint in 0..4 {
        animate(&mut small, joint, "rotation", &QUARTER);
    }
    animate(&mut small, 4, "scale", &[2.0, 2.0, 2.0, 5.0, 2.0, 2.0]);
    let loaded = read(&small).expect("good");
    let joints = ["j2", "j3", "j0", "j1"].map(str::to_owned).to_vec();
    let [uneven, scaled, shapes] = &loaded.warnings[..] else { panic!("{:?}", loaded.warnings) };
    assert_eq!(uneven, &Warning::NonUniformScale { joints, percent: 25 });
    assert_eq!(
        uneven.to_string(),
        "4 joints ('j2', 'j3', 'j0' and 1 more): the scale is not uniform, most of all at 'j2' \
         (one factor is 25 % of another); geometry that rotates below it stays rigid"
    );
    let said = scaled.to_string();
    assert!(
        said.starts_with("joint 'j4': scaled by clips, most of all 'j4' (by 150 %; first"),
        "{said}"
    );
    // All below the first rotate under a non-uniform scale; the first is not stretched.
    let Warning::Stretched { parts, percent } = shapes else { panic!("{shapes:?}") };
    let mut names: Vec<_> = parts.iter().map(|(part, _)| part.as_str()).collect();
    let said = shapes.to_string();
    assert!(said.starts_with("4 parts ('") && said.contains(" and 1 more): "), "{said}");
    assert!(said.contains(&format!("most of all '{}' (by {percent} % ", names[0])), "{said}");
    names.sort_unstable();
    assert_eq!(names, ["j1", "j2", "j3", "j4"]);
}
