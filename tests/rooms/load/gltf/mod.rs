//! glTF: small files made by the tests (legal but rare, or hostile), and real characters.

mod accessor_types;
mod boxes_cover_skin;
mod clips;
mod extensions;
mod hierarchy_and_buffers;
mod hostile;
mod joint_scale;
mod names;
mod real_characters;
mod refusals;
mod skins;
mod straddling;

use boxwood::Error;
use boxwood::load::{Loaded, Loader, Straddling};

use support::folder::Folder;
use support::prelude::*;
use support::small_gltf::{BYTE, Small};
use support::surface::surface;

const CORNERS: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// Returns a loader of the file's triangles, whole in every part, without caps.
fn bare() -> Loader<'static> {
    Loader::new().solid(false).straddling(Straddling::Both)
}

fn bare_f32(path: impl AsRef<std::path::Path>) -> Result<Loaded<f32>, Error> {
    bare().gltf(path)
}

/// Returns a translation matrix, column by column.
fn translation(x: f32, y: f32, z: f32) -> [f32; 16] {
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
}

/// Builds one node with one triangle, without an index buffer.
fn one_triangle() -> Small {
    let mut small = Small::default();
    let positions = small.floats("VEC3", 3, &CORNERS);
    small.meshes = format!(r#"{{"primitives":[{{"attributes":{{"POSITION":{positions}}}}}]}}"#);
    small.nodes = r#"{"mesh":0,"name":"leaf"}"#.to_owned();
    small.roots = "0".to_owned();
    small
}

/// Builds two joints, the second one up by 2, and a triangle whose first two corners follow the
/// first joint and whose last one the second, with weights in bytes.
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
    // The transform of a node with a skin is ignored.
    small.nodes = concat!(
        r#"{"mesh":0,"skin":0,"name":"body","translation":[50,60,70],"scale":[9,9,9]},"#,
        r#"{"name":"low","children":[2]},{"name":"high","translation":[0,2,0]}"#
    )
    .to_owned();
    small.roots = "0,1".to_owned();
    small
}

fn read(small: &Small) -> Result<Loaded<f32>, Error> {
    bare_f32(Folder::new().write("small.glb", small.glb()))
}

/// Returns the corners of all triangles of a joint, in the joint's frame.
fn corners(loaded: &Loaded<f32>, joint: &str) -> Vec<[f32; 3]> {
    let part = loaded.skeleton.find(joint).expect("a joint of that name");
    let Some(mesh) = surface(loaded, part) else { return Vec::new() };
    let triangles = 0..mesh.triangles().len();
    triangles.flat_map(|t| mesh.corners(t)).map(|corner: Point3<f32>| corner.into()).collect()
}

/// Returns the error of the file; asserts that it is one line.
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
