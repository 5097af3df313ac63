//! Accessor types: sparse, quantised, strided.

use super::{CORNERS, bare_f32, corners, read, skinned};
use support::folder::Folder;
use support::small_gltf::{BYTE, Small};

#[test]
fn sparse_quantised_and_strided_strips_are_read() {
    let mut small = Small::default();
    // Four corners in a strip of 8 bytes each, 3 signed bytes used; the last replaced by (0, 0, 9).
    let corners_in_bytes = [0, 0, 0, 0, 5, 0, 0, 0, 0, 251, 0, 0, 1, 1, 1, 0];
    let view = small.view(&corners_in_bytes);
    let (places, values) = (small.view(&[3]), small.view(&[0, 0, 9]));
    let sparse = format!(
        r#""sparse":{{"count":1,"indices":{{"bufferView":{places},"componentType":5121}},"values":{{"bufferView":{values}}}}}"#
    );
    let positions = small.raw_accessor(&format!(
        r#"{{"bufferView":{view},"componentType":5120,"type":"VEC3","count":4,"min":[0,0,0],"max":[0,0,0],{sparse}}}"#
    ));
    small.meshes =
        format!(r#"{{"primitives":[{{"mode":5,"attributes":{{"POSITION":{positions}}}}}]}}"#);
    small.nodes = r#"{"mesh":0,"name":"leaf"}"#.to_owned();
    small.roots = "0".to_owned();
    small.more =
        r#""extensionsRequired":["KHR_mesh_quantization","KHR_materials_unlit"],"#.to_owned();
    // The view has a stride of 4.
    let json = small.json(Some("b.bin")).replacen(
        r#""byteLength":16}"#,
        r#""byteLength":16,"byteStride":4}"#,
        1,
    );
    let folder = Folder::new();
    folder.write("b.bin", &small.bytes);
    let loaded = bare_f32(folder.write("small.gltf", json)).expect("good");
    let (a, b, c, d) = ([0.0; 3], [5.0, 0.0, 0.0], [0.0, -5.0, 0.0], [0.0, 0.0, 9.0]);
    assert_eq!(corners(&loaded, "leaf"), [a, b, c, c, b, d]);
}

#[test]
fn attributes_may_be_interleaved_in_one_view() {
    let plain = skinned();
    let mut small = plain.clone();
    let (joints, weights) =
        ([[0, 1, 0, 0]; 3], [[255, 0, 0, 0], [155, 100, 0, 0], [100, 155, 0, 0]]);
    let mut bytes = Vec::new();
    for vertex in 0..3 {
        bytes.extend(CORNERS[3 * vertex..3 * vertex + 3].iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend(joints[vertex].iter().chain(&weights[vertex]));
    }
    let view = small.strided_view(&bytes, 20);
    let mut at = |offset: usize, component: u32, kind: &str, more: &str| {
        small.raw_accessor(&format!(
            r#"{{"bufferView":{view},"byteOffset":{offset},"componentType":{component},"type":"{kind}","count":3{more}}}"#
        ))
    };
    let positions = at(0, 5126, "VEC3", r#","min":[0,0,0],"max":[1,1,0]"#);
    let joints = at(12, BYTE, "VEC4", "");
    let weights = at(16, BYTE, "VEC4", r#","normalized":true"#);
    small.meshes = format!(
        r#"{{"primitives":[{{"attributes":{{"POSITION":{positions},"JOINTS_0":{joints},"WEIGHTS_0":{weights}}}}}]}}"#
    );
    let [plain, small] = [plain, small].map(|small| read(&small).expect("good"));
    assert_eq!(plain.model.fingerprint(), small.model.fingerprint());
}

#[test]
fn quantised_corners_are_scaled_by_their_node() {
    // Each component type, the bytes of its least and greatest number, and the value of that
    // greatest.
    let kinds: [(u32, &[u8], &str, f32); 8] = [
        (5120, &[127], "", 127.0),
        (5121, &[255], "", 255.0),
        (5122, &[0xff, 0x7f], "", 32_767.0),
        (5123, &[0xff, 0xff], "", 65_535.0),
        (5120, &[127], r#","normalized":true"#, 1.0),
        (5121, &[255], r#","normalized":true"#, 1.0),
        (5122, &[0xff, 0x7f], r#","normalized":true"#, 1.0),
        (5123, &[0xff, 0xff], r#","normalized":true"#, 1.0),
    ];
    for (component, greatest, normalised, stands_for) in kinds {
        let mut small = super::one_triangle();
        let zero = vec![0; greatest.len()];
        // (0, 0, 0), (m, 0, 0) and (0, m, 0), each padded to four numbers.
        let places = [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0];
        let bytes: Vec<u8> =
            places.iter().flat_map(|&p| if p == 1 { greatest } else { &zero }).copied().collect();
        let view = small.strided_view(&bytes, 4 * greatest.len());
        let positions = small.raw_accessor(&format!(
            r#"{{"bufferView":{view},"componentType":{component},"type":"VEC3","count":3,"min":[0,0,0],"max":[0,0,0]{normalised}}}"#
        ));
        small.meshes = format!(r#"{{"primitives":[{{"attributes":{{"POSITION":{positions}}}}}]}}"#);
        let scale = 2.0 / stands_for;
        small.nodes = format!(
            r#"{{"name":"leaf","mesh":0,"translation":[1,0,0],"scale":[{scale},{scale},{scale}]}}"#
        );
        small.more = r#""extensionsUsed":["KHR_mesh_quantization"],"extensionsRequired":["KHR_mesh_quantization"],"#.to_owned();
        let loaded = read(&small).expect("good");
        for (found, expected) in
            corners(&loaded, "leaf").iter().flatten().zip(CORNERS.map(|x| 2.0 * x))
        {
            assert!((found - expected).abs() < 1e-6, "{component}{normalised}: {found}");
        }
    }
}
