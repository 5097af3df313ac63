//! Refused glTF files, and the element that the error names.

use boxwood::Error;
use boxwood::Loader;

use super::{CORNERS, bare_f32, one_triangle, skinned, trouble};
use support::folder::Folder;
use support::small_gltf::{SHORT, Small, base64};

#[test]
fn files_that_are_missing_empty_or_something_else_are_named() {
    let folder = Folder::new();
    for (path, expected) in [
        (folder.path("none.glb"), ""),
        (folder.write("empty.glb", []), "the file is empty"),
        (folder.write("note.gltf", "a letter"), "invalid glTF file"),
    ] {
        let Err(error) = bare_f32(&path) else { panic!("{} was read", path.display()) };
        let text = error.to_string();
        assert!(text.starts_with(&format!("{}: {expected}", path.display())), "{text}");
    }
}

#[test]
fn invalid_values_name_the_element() {
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
    assert!(found.contains("index 2 refers to vertex 3, but there are only 3"), "{found}");

    let mut stray = skinned();
    let joints = stray.bytes.windows(12).position(|w| w == [0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]);
    stray.bytes[joints.expect("the joints") + 5] = 7;
    let found = trouble(&stray);
    assert!(found.contains("vertex 1 refers to joint 7, but the skin has 2"), "{found}");
}

#[test]
fn required_extensions_that_are_not_read_are_refused_by_name() {
    for name in ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "ACME_bones"] {
        let mut small = one_triangle();
        small.more = format!(r#""extensionsRequired":["KHR_materials_unlit","{name}"],"#);
        let found = trouble(&small);
        assert!(found.contains(name) && found.contains("extensionsRequired[1]"), "{found}");
    }
}

#[test]
fn geometry_without_bytes_names_the_extension_that_has_it() {
    for name in ["KHR_draco_mesh_compression", "EXT_meshopt_compression"] {
        let mut small = one_triangle();
        let hidden =
            r#"{"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[0,0,0]}"#;
        let hidden = small.raw_accessor(hidden);
        small.meshes = small.meshes.replace(r#""POSITION":0"#, &format!(r#""POSITION":{hidden}"#));
        small.more = format!(r#""extensionsUsed":["{name}"],"#);
        let found = trouble(&small);
        assert!(found.contains("accessor 1: it has no bytes") && found.contains(name), "{found}");
        assert!(found.contains("mesh 'mesh 0', primitive 0: POSITION"), "{found}");
    }
    // Elements that are not read may have any value.
    let mut small = one_triangle();
    small.raw_accessor(r#"{"componentType":5126,"type":"VEC3","count":3}"#);
    let target = r#""targets":[{"POSITION":1}],"attributes""#;
    small.meshes = small.meshes.replace(r#""attributes""#, target);
    super::read(&small).expect("good");
    // If the bytes are present too, the extension is not needed.
    let mut small = one_triangle();
    small.more = r#""extensionsUsed":["KHR_draco_mesh_compression"],"#.to_owned();
    super::read(&small).expect("good");
}

#[test]
fn impossible_counts_are_refused_before_any_allocation() {
    let more = "more than";
    let sparse = r#""sparse":{"count":1,"indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":1}}"#;
    for (count, sparse, expected) in [
        (4_000_000_000_u64, "", more),
        (1_000_000, "", "elements exceed buffer view"),
        (1 << 62, "", more),
        (4_000_000_000, sparse, more),
        (3, &sparse.replace(r#""count":1"#, r#""count":9999999999"#), more),
        (3, &sparse.replace(r#""count":1"#, r#""count":999999"#), "elements exceed buffer view"),
    ] {
        let mut small = one_triangle();
        small.view(&[0; 12]);
        let comma = if sparse.is_empty() { "" } else { "," };
        let far = small.raw_accessor(&format!(
            r#"{{"bufferView":0,"componentType":5126,"type":"VEC3","count":{count},"min":[0,0,0],"max":[0,0,0]{comma}{sparse}}}"#
        ));
        small.meshes = small.meshes.replace(r#""POSITION":0"#, &format!(r#""POSITION":{far}"#));
        let found = trouble(&small);
        assert!(found.contains(expected) && found.contains("accessor 1"), "{found}");
    }
}

#[test]
fn repeated_use_of_the_same_bytes_is_limited() {
    // A few kilobytes of file that represent gigabytes.
    let mut small = one_triangle();
    let many = small.floats("VEC3", 3, &vec![1.0; 3 * 99_999]);
    let primitive = format!(r#"{{"attributes":{{"POSITION":{many}}}}}"#);
    small.meshes = format!(r#"{{"primitives":[{}]}}"#, vec![primitive; 1000].join(","));
    let found = trouble(&small);
    assert!(found.contains("numbers in total"), "{found}");
    let indices = small.accessor(support::small_gltf::BYTE, "SCALAR", 999_999, &[0; 999_999], "");
    let primitive = format!(r#"{{"indices":{indices},"attributes":{{"POSITION":0}}}}"#);
    small.meshes = format!(r#"{{"primitives":[{}]}}"#, vec![primitive; 1000].join(","));
    let found = trouble(&small);
    assert!(found.contains("triangles in total"), "{found}");
}

#[test]
fn scenes_of_too_many_nodes_are_refused() {
    let mut small = one_triangle();
    small.nodes = vec![r#"{"name":"n"}"#; 10_000].join(",");
    small.roots = (0..10_000).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
    let found = trouble(&small);
    assert!(found.contains("8192 nodes"), "{found}");
}

#[test]
fn files_that_would_panic_the_reader_crate_are_refused() {
    type Change<'c> = &'c dyn Fn(&mut Small);
    let with = |change: Change<'_>| {
        let mut small = skinned();
        change(&mut small);
        trouble(&small)
    };
    let channel = r#"{"channels":[{"sampler":0,"target":{"node":77,"path":"rotation"}}],"samplers":[{"input":0,"output":0}]}"#;
    let cases: [(&str, Change<'_>); 7] = [
        ("POSITION", &|s| s.meshes = s.meshes.replace(r#""POSITION":0"#, r#""POSITION":99"#)),
        ("target", &|s| s.animations = channel.to_owned()),
        ("target", &|s| s.animations = channel.replace("77", "0").replace("rotation", "colour")),
        ("ancestor", &|s| s.nodes = s.nodes.replace(r#""name":"high""#, r#""children":[1]"#)),
        ("ancestor", &|s| s.roots = "0,1,2".to_owned()),
        ("scene", &|s| s.roots = "0".to_owned()),
        ("inverse bind", &|s| s.skins = s.skins.replace("[1,2]", "[1,2,0]")),
    ];
    for (expected, change) in cases {
        let found = with(change);
        assert!(found.contains(expected), "{expected}: {found}");
    }
}

#[test]
fn missing_buffers_are_named() {
    let (small, folder) = (one_triangle(), Folder::new());
    folder.write("short.bin", &small.bytes[..20]);
    std::fs::create_dir(folder.path("folder.bin")).expect("a folder");
    for (uri, expected) in [
        (Some("gone.bin"), "gone.bin"),
        (Some("short.bin"), "36 bytes declared, 20 found"),
        (Some("folder.bin"), "'folder.bin' is not a file"),
        (Some("https://there/mesh.bin"), "https://there/mesh.bin"),
        (Some("data:;base64,###"), "base64"),
        (None, "binary chunk"),
    ] {
        let path = folder.write("small.gltf", small.json(uri));
        let text = bare_f32(path).map(|_| ()).expect_err("no bytes").to_string();
        assert!(text.contains("buffer 0") && text.contains(expected), "{text}");
    }
}

#[test]
fn bytes_in_memory_have_no_folder() {
    let small = super::one_triangle();
    let whole = Loader::new().gltf_bytes(&small.glb()).expect("its own bytes");
    let inside = format!("data:application/octet-stream;base64,{}", base64(&small.bytes));
    let inside =
        Loader::new().gltf_bytes(small.json(Some(&inside)).as_bytes()).expect("bytes in the text");
    assert_eq!(whole.model.fingerprint(), inside.model.fingerprint());
    for (bytes, named) in [
        (
            small.json(Some("side.bin")).into_bytes(),
            "'side.bin' is in another file, and no folder is set",
        ),
        (small.glb()[..40].to_vec(), "the GLB header declares"),
        (Vec::new(), "the file is empty"),
    ] {
        let Err(Error::File { path, trouble }) = Loader::new().gltf_bytes(&bytes) else {
            panic!("{named}: loaded");
        };
        assert_eq!(path.to_str(), Some("bytes in memory"));
        assert!(trouble.contains(named), "{trouble}");
    }
}
