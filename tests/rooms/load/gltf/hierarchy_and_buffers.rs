//! Node hierarchy and buffers of glTF files.

use boxwood::load;
use boxwood::tree::Geometry;

use super::boxes_cover_skin::covered;
use super::{bare, bare_f32, corners, one_triangle, read, skinned};
use support::folder::Folder;
use support::small_gltf::{Track, base64};

#[test]
fn a_mesh_without_indices_or_skin_belongs_to_its_node() {
    let loaded = read(&one_triangle()).expect("good");
    assert_eq!(corners(&loaded, "leaf"), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(loaded.warnings, []);
    assert!(loaded.clips.is_empty());
}

#[test]
fn a_triangle_belongs_to_every_joint_that_dominates_a_corner() {
    let loaded = read(&skinned()).expect("good");
    assert_eq!(corners(&loaded, "low"), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(corners(&loaded, "high"), [[0.0, -2.0, 0.0], [1.0, -2.0, 0.0], [0.0, -1.0, 0.0]]);
    assert_eq!(corners(&loaded, "body"), <[[f32; 3]; 0]>::default());
    assert_eq!(loaded.warnings, []);
}

#[test]
fn parts_are_solid_and_their_holes_are_capped() {
    let path = Folder::new();
    let path = path.write("small.glb", skinned().glb());
    let loaded = load::gltf(path).expect("good");
    let mut counts = Vec::new();
    for part in loaded.model.parts().iter().filter_map(|part| part.tree()) {
        let Geometry::Solid(mesh) = part.geometry() else { panic!("not solid") };
        assert!(mesh.open_edges().is_empty());
        counts.push(mesh.triangles().len());
    }
    // The triangle is cut between two joints: a quadrangle with a fan on its back, and a triangle
    // with its back.
    counts.sort_unstable();
    assert_eq!(counts, [2, 6]);
}

#[test]
fn double_precision_gives_the_same_character() {
    let folder = Folder::new();
    let path = folder.write("small.glb", skinned().glb());
    let loaded = bare().gltf(path).expect("good");
    assert_eq!(loaded.skeleton.rest_poses()[2].translation.vector.y, 2.0);
}

#[test]
fn buffers_are_inside_or_beside_the_file() {
    let (small, folder) = (skinned(), Folder::new());
    let inside = format!("data:application/octet-stream;base64,{}", base64(&small.bytes));
    folder.write("the buffer.bin", &small.bytes);
    let expected = corners(&read(&small).expect("good"), "high");
    for uri in [inside.as_str(), "the%20buffer.bin"] {
        let path = folder.write("small.gltf", small.json(Some(uri)));
        assert_eq!(corners(&bare_f32(path).expect("good"), "high"), expected);
    }
}

#[test]
fn corners_written_three_times_are_welded() {
    let mut small = one_triangle();
    // Two triangles with a common edge, and no index buffer.
    let square = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
    let square: Vec<f32> = square.chunks(2).flat_map(|xy| [xy[0], xy[1], 0.0]).collect();
    let positions = small.floats("VEC3", 3, &square);
    small.meshes = format!(r#"{{"primitives":[{{"attributes":{{"POSITION":{positions}}}}}]}}"#);
    let loaded = read(&small).expect("good");
    let mesh = super::surface(&loaded, 0).expect("triangles");
    assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (4, 2));
    assert_eq!(mesh.open_edges().len(), 4);
}

#[test]
fn missing_textures_are_ignored() {
    let mut small = one_triangle();
    small.meshes = small.meshes.replace(r#""attributes""#, r#""material":0,"attributes""#);
    small.more = concat!(
        r#""materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"#,
        r#""textures":[{"source":0}],"images":[{"uri":"nowhere.png"}],"#
    )
    .to_owned();
    assert_eq!(corners(&read(&small).expect("good"), "leaf").len(), 3);
    // No image at all.
    small.more = small.more.replace(r#"{"uri":"nowhere.png"}"#, "");
    assert_eq!(corners(&read(&small).expect("good"), "leaf").len(), 3);
}

/// Holds for all users of the `gltf` crate in a build: with its feature for textures without a
/// source this would not compile.
fn image_of<'a>(texture: &gltf::Texture<'a>) -> gltf::Image<'a> {
    texture.source()
}

#[test]
fn textures_without_a_source_are_accepted_without_a_feature_of_the_reader() {
    let bare = r#""textures":[{}],"#;
    let basis = concat!(
        r#""extensionsUsed":["KHR_texture_basisu"],"extensionsRequired":["KHR_texture_basisu"],"#,
        r#""textures":[{"sampler":0,"extensions":{"KHR_texture_basisu":{"source":0}}}],"#,
        r#""images":[{"uri":"a.ktx2"}],"samplers":[{}],"#
    );
    for textures in [bare, basis] {
        let mut small = one_triangle();
        small.meshes = small.meshes.replace(r#""attributes""#, r#""material":0,"attributes""#);
        let material = r#""materials":[{"normalTexture":{"index":0}}],"#;
        small.more = format!("{material}{textures}");
        assert_eq!(corners(&read(&small).expect("good"), "leaf").len(), 3, "{textures}");
        // The reader crate alone refuses the texture.
        assert!(gltf::Gltf::from_slice(&small.glb()).is_err());
        // The rest of the document is checked as always.
        small.meshes = small.meshes.replace(r#""POSITION":0"#, r#""POSITION":9"#);
        assert!(super::trouble(&small).contains("POSITION"));
    }
    let named =
        r#"{"asset":{"version":"2.0"},"textures":[{"source":0}],"images":[{"uri":"a.png"}]}"#;
    let document = gltf::Gltf::from_slice(named.as_bytes()).expect("good");
    assert_eq!(image_of(&document.textures().next().expect("a texture")).index(), 0);
}

#[test]
fn a_character_without_skin_moves_with_its_nodes() {
    let mut small = one_triangle();
    small.nodes = concat!(
        r#"{"name":"trunk","mesh":0,"children":[1],"translation":[0,1,0]},"#,
        r#"{"name":"arm","mesh":0,"translation":[1,0,0],"rotation":[0,0,0.6,0.8]}"#
    )
    .to_owned();
    let times = small.floats("SCALAR", 1, &[0.0, 1.0]);
    let values = small.floats("VEC4", 4, &[0.0, 0.0, 0.0, 1.0, 0.6, 0.0, 0.0, 0.8]);
    let track = |node| Track { node, path: "rotation", times, values, how: "LINEAR" };
    small.clip("wave", &[track(0), track(1)]);
    let loaded = covered(&small, &[0.0, 0.25, 0.5, 1.0]);
    assert_eq!(loaded.warnings, []);
    assert_eq!((corners(&loaded, "trunk").len(), corners(&loaded, "arm").len()), (3, 3));
}
