//! Small files made by the test: what is legal in glTF but rare among real characters, and what
//! is hostile.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/small_gltf.rs"]
mod small_gltf;
#[path = "support/surface.rs"]
mod surface;

use boxwood::Error;
use boxwood::load::{self, Loaded, Warning};
use boxwood::motion::Joints;
use boxwood::tree::Geometry;
use nalgebra::Point3;

use self::folder::Folder;
use self::small_gltf::{BYTE, SHORT, Small, base64};
use self::surface::surface;

const CORNERS: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// The triangles of the file and no caps.
fn bare() -> load::Options {
    load::Options { solid: false, ..load::Options::default() }
}

fn bare_f32(path: impl AsRef<std::path::Path>) -> Result<Loaded<f32>, Error> {
    load::gltf_with(path, &bare())
}

/// Column by column.
fn translation(x: f32, y: f32, z: f32) -> [f32; 16] {
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
}

/// One node with one triangle, without an index buffer.
fn one_triangle() -> Small {
    let mut small = Small::default();
    let positions = small.floats("VEC3", 3, &CORNERS);
    small.meshes = format!(r#"{{"primitives":[{{"attributes":{{"POSITION":{positions}}}}}]}}"#);
    small.nodes = r#"{"mesh":0,"name":"leaf"}"#.to_owned();
    small.roots = "0".to_owned();
    small
}

/// Two joints, the second one up by 2, and a triangle whose first two corners follow the first and
/// whose last one the second joint, in bytes.
fn skinned() -> Small {
    let mut small = Small::default();
    let positions = small.floats("VEC3", 3, &CORNERS);
    let joints = small.accessor(BYTE, "VEC4", 3, &[0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0], "");
    let weights = [255, 0, 0, 0, 155, 100, 0, 0, 100, 155, 0, 0];
    let weights = small.accessor(BYTE, "VEC4", 3, &weights, r#","normalized":true"#);
    let binds: Vec<f32> = [translation(0.0, 0.0, 0.0), translation(0.0, -2.0, 0.0)].concat();
    let binds = small.floats("MAT4", 16, &binds);
    small.meshes = format!(
        r#"{{"primitives":[{{"attributes":{{"POSITION":{positions},"JOINTS_0":{joints},"WEIGHTS_0":{weights}}}}}]}}"#
    );
    small.skins = format!(r#"{{"joints":[1,2],"inverseBindMatrices":{binds}}}"#);
    // The transform of a node with a skin means nothing.
    small.nodes = concat!(
        r#"{"mesh":0,"skin":0,"name":"body","translation":[50,60,70],"scale":[9,9,9]},"#,
        r#"{"name":"low","children":[2]},{"name":"high","translation":[0,2,0]}"#
    )
    .to_owned();
    small.roots = "0,1".to_owned();
    small
}

fn load(small: &Small) -> Result<Loaded<f32>, Error> {
    bare_f32(Folder::new().write("small.glb", small.glb()))
}

/// The corners of all triangles of a joint, in the joint's frame.
fn corners(loaded: &Loaded<f32>, joint: &str) -> Vec<[f32; 3]> {
    let part = loaded.skeleton.find(joint).expect("a joint of that name");
    let Some(mesh) = surface(loaded, part) else { return Vec::new() };
    let triangles = 0..mesh.triangles().len();
    triangles.flat_map(|t| mesh.corners(t)).map(|corner: Point3<f32>| corner.into()).collect()
}

/// What is wrong with the file, said in one line of it.
fn trouble(small: &Small) -> String {
    trouble_in(&small.glb())
}

fn trouble_in(bytes: &[u8]) -> String {
    let folder = Folder::new();
    let file = folder.write("hostile.glb", bytes);
    match bare_f32(&file).map(|_| ()) {
        Err(Error::File { path, trouble }) => {
            assert_eq!(path, file);
            assert!(!trouble.is_empty() && !trouble.contains('\n'), "{trouble}");
            trouble
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_mesh_without_indices_or_skin_hangs_on_its_node() {
    let loaded = load(&one_triangle()).expect("good");
    assert_eq!(corners(&loaded, "leaf"), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(loaded.warnings, []);
    assert!(loaded.clips.is_empty());
}

#[test]
fn a_triangle_goes_to_every_joint_that_dominates_a_corner() {
    let loaded = load(&skinned()).expect("good");
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
    for part in loaded.model.parts().iter().filter_map(|part| part.tree()) {
        let Geometry::Solid(mesh) = part.geometry() else { panic!("not solid") };
        // The one triangle, and the other side of it.
        assert_eq!(mesh.triangles().len(), 2);
        assert!(mesh.open_edges().is_empty());
    }
}

#[test]
fn double_precision_reads_the_same() {
    let folder = Folder::new();
    let path = folder.write("small.glb", skinned().glb());
    let loaded = load::gltf_with::<f64>(path, &bare()).expect("good");
    assert_eq!(loaded.skeleton.rest_poses()[2].translation.vector.y, 2.0);
}

#[test]
fn buffers_lie_inside_or_beside_the_file() {
    let (small, folder) = (skinned(), Folder::new());
    let inside = format!("data:application/octet-stream;base64,{}", base64(&small.bytes));
    folder.write("the buffer.bin", &small.bytes);
    let expected = corners(&load(&small).expect("good"), "high");
    for uri in [inside.as_str(), "the%20buffer.bin"] {
        let path = folder.write("small.gltf", small.json(Some(uri)));
        assert_eq!(corners(&bare_f32(path).expect("good"), "high"), expected);
    }
}

#[test]
fn several_skins_over_one_joint_each_use_their_own_inverse_bind() {
    let mut small = skinned();
    let binds: Vec<f32> = [translation(5.0, 0.0, 0.0), translation(0.0, 0.0, 7.0)].concat();
    let binds = small.floats("MAT4", 16, &binds);
    small.skins +=
        &format!(r#",{{"joints":[1,2],"inverseBindMatrices":{binds}}},{{"joints":[2,1]}}"#);
    small.nodes += r#",{"mesh":0,"skin":1},{"mesh":0,"skin":2}"#;
    small.roots += ",3,4";
    let loaded = load(&small).expect("good");
    let firsts = |joint| corners(&loaded, joint).iter().step_by(3).copied().collect::<Vec<_>>();
    assert_eq!(firsts("low"), [[0.0; 3], [5.0, 0.0, 0.0], [0.0; 3]]);
    assert_eq!(firsts("high"), [[0.0, -2.0, 0.0], [0.0, 0.0, 7.0], [0.0; 3]]);
}

#[test]
fn matrices_are_taken_apart_and_scale_ends_up_in_the_geometry() {
    let mut small = one_triangle();
    // A quarter turn about z with a scale of 3, moved by (1, 2, 3).
    small.nodes = concat!(
        r#"{"name":"top","children":[1],"matrix":[0,3,0,0,-3,0,0,0,0,0,3,0,1,2,3,1]},"#,
        r#"{"mesh":0,"name":"leaf","translation":[1,0,0]}"#
    )
    .to_owned();
    let loaded = load(&small).expect("good");
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

#[test]
fn what_can_not_be_kept_is_said() {
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
    let loaded = load(&small).expect("good");
    let (joint, clip) = ("leaf".to_owned(), "clip 0".to_owned());
    let scaled = Warning::AnimatedScale { joint, clip };
    assert!(loaded.warnings.contains(&Warning::Shear { joint: "bent".into() }));
    assert!(loaded.warnings.contains(&Warning::NonUniformScale { joint: "long".into() }));
    // Nothing hangs below the leaf: its own scale is in its geometry.
    assert!(!loaded.warnings.contains(&Warning::NonUniformScale { joint: "leaf".into() }));
    assert!(loaded.warnings.contains(&scaled), "{:?}", loaded.warnings);
}

#[test]
fn weights_that_do_not_sum_to_one_or_are_not_there_are_said() {
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
    let loaded = load(&small).expect("good");
    let mesh = || "skin".to_owned();
    let expected = [
        Warning::WeightSum { mesh: mesh(), vertices: 1 },
        Warning::NoWeight { mesh: mesh(), vertices: 1 },
    ];
    assert_eq!(loaded.warnings, expected);
    // The vertex without weight counts for the first joint, the others for the second.
    assert_eq!((corners(&loaded, "low").len(), corners(&loaded, "high").len()), (3, 3));
}

#[test]
fn sparse_quantised_strided_strips_are_read() {
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
    let loaded = load(&small).expect("good");
    let names: Vec<_> = loaded.clips.iter().map(|clip| clip.name()).collect();
    assert_eq!(names, ["go", "go (2)"]);
    let mut joints = Joints::new();
    for (t, x, angle) in [(0.0, 1.0, 0.0), (0.75, 1.0, 90.0_f32), (1.0, 2.0, 180.0)] {
        let pose = loaded.clips["go (2)"].sample(t, &mut joints).expect("finite")[0];
        assert_eq!(pose.translation.vector.x, x);
        assert!((pose.rotation.angle().to_degrees() - angle).abs() < 1e-3);
    }
}

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
fn every_way_to_cut_a_file_short_is_an_error() {
    let glb = skinned().glb();
    for length in 0..glb.len() {
        trouble_in(&glb[..length]);
    }
}

#[test]
fn broken_bytes_never_panic() {
    let folder = Folder::new();
    let (mut read, mut refused) = (0, 0);
    let original = skinned().glb();
    for place in 0..original.len() {
        for byte in [if place % 2 == 0 { b'9' } else { 0xff }, original[place] ^ 1] {
            let mut glb = original.clone();
            glb[place] = byte;
            match bare_f32(folder.write("broken.glb", glb)) {
                Ok(_) => read += 1,
                Err(Error::File { .. }) => refused += 1,
                Err(other) => panic!("{other:?}"),
            }
        }
    }
    assert!(read > 0 && refused > 0);
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
