//! Extensions that change geometry, and documents without optional members.

use boxwood::Error;
use boxwood::load::{Loaded, Loader, Warning};

use super::{CORNERS, corners, one_triangle, read, trouble};
use support::data::data;
use support::small_gltf::{Small, Track};

fn skipped(file: &str, element: &str) -> Warning {
    Warning::Skipped { file: file.to_owned(), element: element.to_owned(), count: 1 }
}

/// Returns the triangle at each of the instances.
fn copied(attributes: &str, add: impl Fn(&mut Small) -> Vec<usize>) -> Result<Loaded<f32>, Error> {
    let mut small = one_triangle();
    let mut attributes = attributes.to_owned();
    for accessor in add(&mut small) {
        attributes = attributes.replacen('#', &accessor.to_string(), 1);
    }
    small.nodes = format!(
        r#"{{"mesh":0,"name":"leaf","extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{{attributes}}}}}}}}}"#
    );
    small.more = r#""extensionsRequired":["EXT_mesh_gpu_instancing"],"extensionsUsed":["EXT_mesh_gpu_instancing"],"#.to_owned();
    read(&small)
}

#[test]
fn instances_of_a_mesh_have_their_transforms() {
    let loaded = copied(r##""TRANSLATION":#,"ROTATION":#,"SCALE":#"##, |small| {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        vec![
            small.floats("VEC3", 3, &[0.0, 0.0, 0.0, 5.0, 0.0, 0.0]),
            small.floats("VEC4", 4, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half]),
            small.floats("VEC3", 3, &[1.0, 1.0, 1.0, 2.0, 2.0, -2.0]),
        ]
    });
    let found = corners(&loaded.expect("two copies"), "leaf");
    assert_eq!(found[..3], [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    // A quarter turn about z, twice as large, mirrored: the winding is reversed.
    for (corner, expected) in
        found[3..].iter().zip([[5.0, 0.0, 0.0], [3.0, 0.0, 0.0], [5.0, 2.0, 0.0]])
    {
        assert!(corner.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{corner:?}");
    }
    let one =
        copied(r##""TRANSLATION":#"##, |small| vec![small.floats("VEC3", 3, &[7.0, 0.0, 0.0])]);
    assert_eq!(corners(&one.expect("one"), "leaf")[0], [7.0, 0.0, 0.0]);
    for (attributes, expected) in [
        (r#""TRANSLATION":99"#, "TRANSLATION: accessor 99 does not exist"),
        (r#""TRANSLATION":"x""#, "accessor \"x\" does not exist"),
        ("", "it has no attribute"),
        (r##""TRANSLATION":#,"SCALE":#"##, "its attributes have different counts"),
    ] {
        let said = copied(attributes, |small| {
            vec![small.floats("VEC3", 3, &[0.0; 3]), small.floats("VEC3", 3, &[1.0; 6])]
        });
        let said = said.map(|_| ()).expect_err(expected).to_string();
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn hidden_nodes_are_omitted_with_their_descendants() {
    let mut small = one_triangle();
    let hidden = r#""extensions":{"KHR_node_visibility":{"visible":false}}"#;
    let shown = r#""extensions":{"KHR_node_visibility":{"visible":true}}"#;
    small.nodes = format!(
        r#"{{"mesh":0,"name":"a",{shown}}},{{"name":"b","children":[2],{hidden}}},{{"mesh":0,"name":"c",{shown}}}"#
    );
    small.roots = "0,1".to_owned();
    small.more =
        r#""extensionsRequired":["KHR_node_visibility"],"extensionsUsed":["KHR_node_visibility"],"#
            .to_owned();
    let loaded = read(&small).expect("a model");
    assert_eq!(loaded.warnings, [skipped("c", "meshes hidden by KHR_node_visibility")]);
    assert_eq!((corners(&loaded, "a").len(), corners(&loaded, "c").len()), (3, 0));
}

#[test]
fn morph_targets_have_their_default_weights() {
    let mut small = one_triangle();
    let positions = small.floats("VEC3", 3, &CORNERS);
    let moved = small.floats("VEC3", 3, &[0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    small.meshes = format!(
        r#"{{"name":"m","weights":[0.5],"primitives":[{{"attributes":{{"POSITION":{positions}}},"targets":[{{"POSITION":{moved}}}]}}]}}"#
    );
    let first = |small: &Small| {
        let loaded = read(small).expect("a model");
        assert_eq!(loaded.warnings, [Warning::MorphTargets { mesh: "m".to_owned() }]);
        corners(&loaded, "leaf")[0]
    };
    assert_eq!(first(&small), [0.0, 0.0, 2.0]);
    small.nodes = r#"{"mesh":0,"name":"leaf","weights":[-1]}"#.to_owned();
    assert_eq!(first(&small), [0.0, 0.0, -4.0]);
    small.nodes = r#"{"mesh":0,"name":"leaf","weights":[0]}"#.to_owned();
    assert_eq!(first(&small), [0.0, 0.0, 0.0]);
}

#[test]
fn tracks_without_a_node_are_ignored() {
    if let Some(data) = data() {
        let loaded = Loader::<f64>::new().gltf(data.join("bugs/target_without_node.gltf"));
        let loaded = loaded.expect("the cube");
        let mesh = loaded.model.parts()[0].tree().expect("a cube").geometry().mesh().cloned();
        assert!((mesh.expect("a mesh").volume() - 1.0).abs() < 1e-12);
        assert_eq!((loaded.warnings.len(), loaded.clips.len()), (0, 1));
    }
    let mut small = one_triangle();
    let times = small.floats("SCALAR", 1, &[0.0, 1.0]);
    let values = small.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let track = Track { node: 0, path: "translation", times, values, how: "LINEAR" };
    small.clip("move", &[track]);
    let pointer = r#","extensions":{"KHR_animation_pointer":{"pointer":"/nodes/0/weights/0"}}"#;
    let mut pointed = small.clone();
    pointed.animations = small.animations.replace(
        r#""channels":["#,
        &format!(r#""channels":[{{"sampler":0,"target":{{"path":"pointer"{pointer}}}}},"#),
    );
    pointed.more = r#""extensionsUsed":["KHR_animation_pointer"],"extensionsRequired":["KHR_animation_pointer"],"#.to_owned();
    let loaded = read(&pointed).expect("a model");
    assert_eq!(loaded.clips[0].tracks().len(), 1);
    assert_eq!(
        loaded.warnings,
        [skipped("clips", "tracks without a node (KHR_animation_pointer)")]
    );
    // A track of a node that does not exist is still refused.
    small.animations = small.animations.replace(r#""node":0"#, r#""node":9"#);
    assert!(trouble(&small).contains("animations[0].channels[0]"));
}

#[test]
fn scenes_without_nodes_include_all_nodes() {
    let text = one_triangle().json(None).replace(r#""nodes":[0]"#, "");
    for scenes in [r#""scenes":[{}]"#, r#""scenes":[{"nodes":[]}]"#, r#""cameras":[]"#] {
        let mut small = one_triangle();
        assert!(text.contains(r#""scenes":[{}]"#));
        small.more = String::new();
        let json = text.replace(r#""scenes":[{}]"#, scenes);
        let json = if scenes.contains("scenes") { json } else { json.replace(r#""scene":0,"#, "") };
        let loaded = Loader::<f32>::new().solid(false).gltf_bytes(&glb(&json, &small.bytes));
        assert_eq!(corners(&loaded.expect(scenes), "leaf").len(), 3);
    }
}

/// Returns a binary file of a document and its buffer.
fn glb(json: &str, bytes: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = bytes.to_vec();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let number = |n: usize| (n as u32).to_le_bytes();
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend(number(28 + json.len() + bytes.len()));
    glb.extend(number(json.len()).into_iter().chain(*b"JSON").chain(json));
    glb.extend(number(bytes.len()).into_iter().chain(*b"BIN\0").chain(bytes));
    glb
}

#[test]
fn required_extensions_that_change_no_geometry_load() {
    for name in [
        "KHR_materials_variants",
        "KHR_audio_emitter",
        "KHR_xmp_json_ld",
        "EXT_lights_image_based",
        "KHR_node_hoverability",
    ] {
        let mut small = one_triangle();
        small.more = format!(r#""extensionsRequired":["{name}"],"extensionsUsed":["{name}"],"#);
        assert_eq!(corners(&read(&small).expect(name), "leaf").len(), 3);
    }
    for name in ["KHR_draco_mesh_compression", "EXT_mesh_primitive_restart", "ACME_shapes"] {
        let mut small = one_triangle();
        small.more = format!(r#""extensionsRequired":["{name}"],"extensionsUsed":["{name}"],"#);
        assert!(trouble(&small).contains(name));
    }
}
