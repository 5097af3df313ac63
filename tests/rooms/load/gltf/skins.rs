//! Skins: bind matrices, weights, joints with and without geometry.

use boxwood::load::{SkinAssignment, Warning};

use super::boxes_cover_skin::covered;
use super::{CORNERS, bare, corners, read, skinned, translation};
use support::folder::Folder;
use support::small_gltf::{BYTE, SHORT, Small, Track};

#[test]
fn several_skins_of_one_joint_use_their_own_inverse_bind_matrices() {
    let mut small = skinned();
    let binds: Vec<f32> = [translation(5.0, 0.0, 0.0), translation(0.0, 0.0, 7.0)].concat();
    let binds = small.floats("MAT4", 16, &binds);
    small.skins +=
        &format!(r#",{{"joints":[1,2],"inverseBindMatrices":{binds}}},{{"joints":[2,1]}}"#);
    small.nodes += r#",{"mesh":0,"skin":1},{"mesh":0,"skin":2}"#;
    small.roots += ",3,4";
    let loaded = read(&small).expect("good");
    let firsts = |joint| corners(&loaded, joint).iter().step_by(3).copied().collect::<Vec<_>>();
    assert_eq!(firsts("low"), [[0.0; 3], [5.0, 0.0, 0.0], [0.0; 3]]);
    assert_eq!(firsts("high"), [[0.0, -2.0, 0.0], [0.0, 0.0, 7.0], [0.0; 3]]);
}

#[test]
fn weights_that_do_not_sum_to_one_or_are_missing_are_warned_of() {
    let mut small = Small::default();
    let positions = small.floats("VEC3", 3, &CORNERS);
    let joints = small.accessor(SHORT, "VEC4", 3, &[1, 0, 0, 0, 0, 0, 0, 0].repeat(3), "");
    let weights = [0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let weights = small.floats("VEC4", 4, &weights);
    small.meshes = format!(
        r#"{{"name":"skin","primitives":[{{"attributes":{{"POSITION":{positions},"JOINTS_0":{joints},"WEIGHTS_0":{weights}}}}}]}}"#
    );
    small.skins = r#"{"joints":[1,2]}"#.to_owned();
    small.nodes = r#"{"mesh":0,"skin":0},{"name":"low","children":[2]},{"name":"high"}"#.to_owned();
    small.roots = "0,1".to_owned();
    let loaded = read(&small).expect("good");
    let mesh = || "skin".to_owned();
    let expected = [
        Warning::WeightSum { mesh: mesh(), vertices: 1 },
        Warning::NoWeight { mesh: mesh(), vertices: 1 },
    ];
    assert_eq!(loaded.warnings, expected);
    // The vertex without weight counts for the first joint, the others for the second.
    assert_eq!((corners(&loaded, "low").len(), corners(&loaded, "high").len()), (3, 3));
}

/// Rotates the joints `low` and `high` of [`skinned`] within a second.
fn turning(small: &mut Small) {
    let times = small.floats("SCALAR", 1, &[0.0, 1.0]);
    let values = small.floats("VEC4", 4, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8]);
    let track = |node| Track { node, path: "rotation", times, values, how: "LINEAR" };
    small.clip("turn", &[track(1), track(2)]);
}

const MOMENTS: [f32; 4] = [0.0, 0.3, 0.7, 1.0];

#[test]
fn the_transform_of_a_node_with_a_skin_is_ignored() {
    let with = skinned();
    let mut without = with.clone();
    without.nodes = with.nodes.replace(r#","translation":[50,60,70],"scale":[9,9,9]"#, "");
    assert_ne!(with.nodes, without.nodes);
    let [with, without] = [with, without].map(|small| read(&small).expect("good"));
    assert_eq!(with.model.fingerprint(), without.model.fingerprint());
}

#[test]
fn short_weights_are_fractions_of_the_greatest_number() {
    let mut small = skinned();
    let weights = [65535_u16, 0, 0, 0, 40000, 25535, 0, 0, 25535, 40000, 0, 0];
    let bytes: Vec<u8> = weights.iter().flat_map(|w| w.to_le_bytes()).collect();
    let weights = small.accessor(SHORT, "VEC4", 3, &bytes, r#","normalized":true"#);
    small.meshes = small.meshes.replace(r#""WEIGHTS_0":2"#, &format!(r#""WEIGHTS_0":{weights}"#));
    turning(&mut small);
    let loaded = covered(&small, &MOMENTS);
    assert_eq!(loaded.warnings, []);
    let expected = read(&skinned()).expect("good");
    for joint in ["low", "high"] {
        assert_eq!(corners(&loaded, joint), corners(&expected, joint));
    }
}

#[test]
fn a_skin_without_inverse_bind_matrices_is_in_the_frames_of_its_joints() {
    let mut small = skinned();
    small.skins = r#"{"joints":[1,2]}"#.to_owned();
    turning(&mut small);
    let loaded = covered(&small, &MOMENTS);
    assert_eq!(corners(&loaded, "low"), corners(&loaded, "high"));
    assert_eq!(corners(&loaded, "high")[1], [1.0, 0.0, 0.0]);
}

#[test]
fn a_skin_may_have_several_roots() {
    let mut small = skinned();
    small.nodes = concat!(
        r#"{"mesh":0,"skin":0,"name":"body"},"#,
        r#"{"name":"low"},{"name":"high","translation":[0,2,0]}"#
    )
    .to_owned();
    small.roots = "2,0,1".to_owned();
    turning(&mut small);
    let loaded = covered(&small, &MOMENTS);
    let parents: Vec<_> = loaded.skeleton.joints().iter().map(|joint| joint.parent).collect();
    assert_eq!(parents, [None; 3]);
    assert_eq!((corners(&loaded, "low").len(), corners(&loaded, "high").len()), (3, 3));
}

#[test]
fn joints_without_geometry_are_parts_without_a_tree() {
    let mut small = skinned();
    small.nodes += r#",{"name":"slot"}"#;
    small.nodes = small.nodes.replace(r#""children":[2]"#, r#""children":[2,3]"#);
    small.skins = small.skins.replace("[1,2]", "[1,2,3]");
    let binds =
        [translation(0.0, 0.0, 0.0), translation(0.0, -2.0, 0.0), translation(1.0, 0.0, 0.0)];
    let binds = small.floats("MAT4", 16, &binds.concat());
    small.skins = format!(r#"{{"joints":[1,2,3],"inverseBindMatrices":{binds}}}"#);
    let loaded = read(&small).expect("good");
    let has_tree = |name| {
        let part = loaded.model.part(name).expect("a part");
        loaded.model.parts()[part.index()].tree().is_some()
    };
    assert_eq!(["body", "low", "high", "slot"].map(has_tree), [false, true, true, false]);
}

#[test]
fn a_rigid_mesh_under_a_joint_moves_with_its_own_node() {
    let mut small = skinned();
    let positions = small.floats("VEC3", 3, &CORNERS);
    small.meshes += &format!(r#",{{"primitives":[{{"attributes":{{"POSITION":{positions}}}}}]}}"#);
    small.nodes =
        small.nodes.replace(r#""translation":[0,2,0]"#, r#""translation":[0,2,0],"children":[3]"#);
    small.nodes += r#",{"name":"sword","mesh":1,"translation":[0.5,0,0],"scale":[3,3,3]}"#;
    turning(&mut small);
    let loaded = covered(&small, &MOMENTS);
    assert_eq!(corners(&loaded, "sword"), [[0.0; 3], [3.0, 0.0, 0.0], [0.0, 3.0, 0.0]]);
    let parent = loaded.skeleton.joints()[3].parent.expect("a parent");
    assert_eq!(loaded.skeleton.joints()[parent].name, "high");
}

#[test]
fn boxes_cover_several_skins_with_their_own_bind_matrices() {
    let mut small = skinned();
    let binds: Vec<f32> = [translation(5.0, 0.0, 0.0), translation(0.0, 0.0, 7.0)].concat();
    let binds = small.floats("MAT4", 16, &binds);
    small.skins +=
        &format!(r#",{{"joints":[1,2],"inverseBindMatrices":{binds}}},{{"joints":[2,1]}}"#);
    small.nodes += r#",{"mesh":0,"skin":1,"name":"b"},{"mesh":0,"skin":2,"name":"c"}"#;
    small.roots += ",3,4";
    turning(&mut small);
    covered(&small, &MOMENTS);
}

#[test]
fn fractions_of_a_weight_sum_that_is_not_one_choose_the_joint() {
    let mut small = skinned();
    // Sums of 0.2, 0.18 and 3.
    let weights = [0.15, 0.05, 0.0, 0.0, 0.08, 0.1, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0];
    let weights = small.floats("VEC4", 4, &weights);
    let joints = small.accessor(BYTE, "VEC4", 3, &[0, 1, 0, 0].repeat(3), "");
    small.meshes = small.meshes.replace(r#""WEIGHTS_0":2"#, &format!(r#""WEIGHTS_0":{weights}"#));
    small.meshes = small.meshes.replace(r#""JOINTS_0":1"#, &format!(r#""JOINTS_0":{joints}"#));
    turning(&mut small);
    let loaded = covered(&small, &MOMENTS);
    let mesh = "mesh 0".to_owned();
    assert_eq!(loaded.warnings, [Warning::WeightSum { mesh, vertices: 3 }]);
    assert_eq!((corners(&loaded, "low").len(), corners(&loaded, "high").len()), (3, 3));
}

#[test]
fn a_triangle_may_belong_to_every_joint_above_a_fraction() {
    // The last two corners mostly follow `low`, one of them by a tenth less.
    let mut small = skinned();
    let weights = [1.0, 0.0, 0.0, 0.0, 0.9, 0.1, 0.0, 0.0, 0.7, 0.3, 0.0, 0.0];
    let weights = small.floats("VEC4", 4, &weights);
    let joints = small.accessor(BYTE, "VEC4", 3, &[0, 1, 0, 0].repeat(3), "");
    small.meshes = small.meshes.replace(r#""WEIGHTS_0":2"#, &format!(r#""WEIGHTS_0":{weights}"#));
    small.meshes = small.meshes.replace(r#""JOINTS_0":1"#, &format!(r#""JOINTS_0":{joints}"#));
    let folder = Folder::new();
    let path = folder.write("small.glb", small.glb());
    for (assign, high) in [
        (SkinAssignment::Dominating, 0),
        (SkinAssignment::Above(0.5), 0),
        (SkinAssignment::Above(0.2), 3),
        (SkinAssignment::Above(0.0), 3),
    ] {
        let options = bare().assign(assign);
        let loaded = options.gltf(&path).expect("good");
        assert_eq!((corners(&loaded, "low").len(), corners(&loaded, "high").len()), (3, high));
        assert_eq!(loaded.skin, None);
    }
}

#[test]
fn a_skin_is_kept_on_request() {
    let folder = Folder::new();
    let path = folder.write("small.glb", skinned().glb());
    let options = bare().keep_skin(true);
    let loaded = options.gltf(&path).expect("good");
    let skin = loaded.skin.expect("asked for");
    let corners: Vec<Vec<_>> = skin
        .corners()
        .map(|corner| corner.iter().map(|f| (f.joint, f.share, f.at.into())).collect())
        .collect();
    let (low, high) = (loaded.skeleton.find("low"), loaded.skeleton.find("high"));
    let (low, high) = (low.expect("a joint"), high.expect("a joint"));
    let (most, rest) = (155.0 / 255.0, 100.0 / 255.0);
    let expected = [
        vec![(low, 1.0, [0.0; 3])],
        vec![(low, most, [1.0, 0.0, 0.0]), (high, rest, [1.0, -2.0, 0.0])],
        vec![(low, rest, [0.0, 1.0, 0.0]), (high, most, [0.0, -1.0, 0.0])],
    ];
    assert_eq!(corners, expected);
}
