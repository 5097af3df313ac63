//! Triangles that several joints dominate: cut, or whole in every part.

use boxwood::load::{Loaded, SkinAssignment, Straddling};

use super::{bare, corners, skinned};
use support::folder::Folder;
use support::small_gltf::{BYTE, Small};

fn cut(small: &Small) -> Loaded<f32> {
    let path = Folder::new();
    let path = path.write("cut.glb", small.glb());
    bare().straddling(Straddling::Cut).gltf(path).expect("good")
}

fn area(corners: &[[f32; 3]]) -> f64 {
    let double = |of: &[[f32; 3]]| {
        let [[ax, ay, _], [bx, by, _], [cx, cy, _]] =
            [of[0], of[1], of[2]].map(|p| p.map(f64::from));
        (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    };
    corners.chunks_exact(3).map(double).sum::<f64>() / 2.0
}

#[test]
fn a_triangle_of_two_joints_is_cut_where_their_weights_are_equal() {
    let loaded = cut(&skinned());
    let [low, high] = ["low", "high"].map(|joint| corners(&loaded, joint));
    // Equal halfway from the second corner to the third, and from the first to the third where
    // 1 - 155/255 t = 155/255 t.
    let up = 255.0 / 310.0;
    let ends = [[0.0, 1.0 - 2.0, 0.0], [0.5, 0.5 - 2.0, 0.0], [0.0, up - 2.0, 0.0]];
    assert_eq!(high.len(), 3);
    for end in ends {
        let near = |p: &[f32; 3]| (0..3).all(|i| (p[i] - end[i]).abs() < 1e-6);
        assert_eq!(high.iter().filter(|p| near(p)).count(), 1, "{end:?}: {high:?}");
    }
    assert!((area(&low) + area(&high) - 0.5).abs() < 1e-6);
    assert!((area(&high) - 0.25 * f64::from(1.0 - up)).abs() < 1e-6);
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
}

#[test]
fn three_joints_share_a_triangle_by_thirds() {
    let mut small = skinned();
    let joints = small.accessor(BYTE, "VEC4", 3, &[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0], "");
    let weights = small.floats("VEC4", 4, &[1.0, 0.0, 0.0, 0.0].repeat(3));
    small.meshes = small.meshes.replace(r#""WEIGHTS_0":2"#, &format!(r#""WEIGHTS_0":{weights}"#));
    small.meshes = small.meshes.replace(r#""JOINTS_0":1"#, &format!(r#""JOINTS_0":{joints}"#));
    small.nodes += r#",{"name":"third"}"#;
    small.roots += ",3";
    small.skins = r#"{"joints":[3,1,2]}"#.to_owned(); // not in the order of the scene
    let loaded = cut(&small);
    for joint in ["third", "low", "high"] {
        let area = area(&corners(&loaded, joint));
        assert!((area - 0.5 / 3.0).abs() < 1e-6, "{joint}: {area}");
    }
}

#[test]
fn a_tie_over_a_whole_triangle_is_no_cut() {
    let mut small = skinned();
    let weights = small.floats("VEC4", 4, &[0.5, 0.5, 0.0, 0.0].repeat(3));
    let joints = small.accessor(BYTE, "VEC4", 3, &[1, 0, 0, 0].repeat(3), "");
    small.meshes = small.meshes.replace(r#""WEIGHTS_0":2"#, &format!(r#""WEIGHTS_0":{weights}"#));
    small.meshes = small.meshes.replace(r#""JOINTS_0":1"#, &format!(r#""JOINTS_0":{joints}"#));
    let loaded = cut(&small);
    assert_eq!((corners(&loaded, "low").len(), corners(&loaded, "high").len()), (3, 0));
}

#[test]
fn above_a_share_triangles_stay_whole() {
    let folder = Folder::new();
    let path = folder.write("small.glb", skinned().glb());
    let fingerprint = |straddling, assign| {
        let loader = bare().straddling(straddling).assign(assign);
        loader.gltf(&path).expect("good").model.fingerprint()
    };
    let above = SkinAssignment::Above(0.1);
    assert_eq!(fingerprint(Straddling::Cut, above), fingerprint(Straddling::Both, above));
    let dominating = SkinAssignment::Dominating;
    assert_ne!(fingerprint(Straddling::Cut, dominating), fingerprint(Straddling::Both, dominating));
}

#[test]
fn a_kept_skin_has_its_triangles_also_of_meshes_without_skin() {
    let folder = Folder::new();
    let mut small = skinned();
    small.nodes += r#",{"mesh":0,"name":"sword"}"#;
    small.roots += ",3";
    let path = folder.write("small.glb", small.glb());
    let loaded = bare().keep_skin(true).gltf(path).expect("good");
    let skin = loaded.skin.expect("asked for");
    assert_eq!((skin.len(), skin.triangles()), (6, &[[0, 1, 2], [3, 4, 5]][..]));
}
