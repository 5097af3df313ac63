//! What is refused, and how the error names it.

use crate::folder::Folder;
use crate::small_gltf::{SHORT, Small};
use crate::{CORNERS, bare_f32, one_triangle, skinned, trouble};

#[test]
fn files_that_are_missing_empty_or_something_else_are_named() {
    let folder = Folder::new();
    for (path, expected) in [
        (folder.path("none.glb"), ""),
        (folder.write("empty.glb", []), "the file is empty"),
        (folder.write("note.gltf", "a letter"), "not a readable glTF file"),
    ] {
        let Err(error) = bare_f32(&path) else { panic!("{} was read", path.display()) };
        let text = error.to_string();
        assert!(text.starts_with(&format!("{}: {expected}", path.display())), "{text}");
    }
}

#[test]
fn bad_values_name_the_element() {
    let mut corners = CORNERS;
    corners[4] = f32::NAN;
    let mut nan = one_triangle();
    nan.bytes[16..20].copy_from_slice(&corners[4].to_le_bytes());
    let found = trouble(&nan);
    assert!(found.contains("POSITION") && found.contains("element 1 is not finite"), "{found}");

    let mut far = one_triangle();
    let indices = far.accessor(SHORT, "SCALAR", 3, &[0, 0, 1, 0, 3, 0], "");
    far.meshes =
        far.meshes.replace(r#""attributes""#, &format!(r#""indices":{indices},"attributes""#));
    let found = trouble(&far);
    assert!(found.contains("index 2 points at vertex 3, but there are only 3"), "{found}");

    let mut stray = skinned();
    let joints = stray.bytes.windows(12).position(|w| w == [0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]);
    stray.bytes[joints.expect("the joints") + 5] = 7;
    let found = trouble(&stray);
    assert!(found.contains("vertex 1 follows joint 7 of 2"), "{found}");
}

#[test]
fn extensions_that_hide_geometry_are_refused_by_name() {
    for name in ["KHR_draco_mesh_compression", "EXT_meshopt_compression"] {
        let mut small = one_triangle();
        small.more = format!(r#""extensionsRequired":["{name}"],"#);
        assert!(trouble(&small).contains(name));
    }
}

#[test]
fn what_would_trip_the_reader_is_refused_first() {
    type Change<'c> = &'c dyn Fn(&mut Small);
    let with = |change: Change<'_>| {
        let mut small = skinned();
        change(&mut small);
        trouble(&small)
    };
    let channel = r#"{"channels":[{"sampler":0,"target":{"node":77,"path":"rotation"}}],"samplers":[{"input":0,"output":0}]}"#;
    let cases: [(&str, Change<'_>); 8] = [
        ("POSITION", &|s| s.meshes = s.meshes.replace(r#""POSITION":0"#, r#""POSITION":99"#)),
        ("target", &|s| s.animations = channel.to_owned()),
        ("target", &|s| s.animations = channel.replace("77", "0").replace("rotation", "colour")),
        ("ancestor", &|s| s.nodes = s.nodes.replace(r#""name":"high""#, r#""children":[1]"#)),
        ("ancestor", &|s| s.roots = "0,1,2".to_owned()),
        ("scene", &|s| s.roots = "0".to_owned()),
        ("skeleton", &|s| s.roots = String::new()),
        ("inverse bind", &|s| s.skins = s.skins.replace("[1,2]", "[1,2,0]")),
    ];
    for (expected, change) in cases {
        let found = with(change);
        assert!(found.contains(expected), "{expected}: {found}");
    }
}

#[test]
fn buffers_that_can_not_be_had_are_named() {
    let (small, folder) = (one_triangle(), Folder::new());
    folder.write("short.bin", &small.bytes[..20]);
    for (uri, expected) in [
        (Some("gone.bin"), "gone.bin"),
        (Some("short.bin"), "36 bytes declared, 20 found"),
        (Some("https://there/mesh.bin"), "https://there/mesh.bin"),
        (Some("data:;base64,###"), "base64"),
        (None, "binary chunk"),
    ] {
        let path = folder.write("small.gltf", small.json(uri));
        let text = bare_f32(path).map(|_| ()).expect_err("no bytes").to_string();
        assert!(text.contains("buffer 0") && text.contains(expected), "{text}");
    }
}
