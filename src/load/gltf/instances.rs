//! Copies of a mesh at one node: the extension `EXT_mesh_gpu_instancing`.

use ::gltf::json::Value;
use ::gltf::{Document, Node};
use nalgebra::{Matrix4, Quaternion, UnitQuaternion, Vector3};

use super::accessor::numbers;
use super::buffers::GltfBuffers;

const EXTENSION: &str = "EXT_mesh_gpu_instancing";

/// Largest number of copies at one node.
const MAX_COPIES: usize = 1 << 18;

/// Reads the transforms from the mesh of a node to the node, one for each copy. Only the identity
/// without the extension, and for skins, which are placed by their joints.
pub(super) fn read(
    document: &Document,
    buffers: &GltfBuffers,
    node: &Node<'_>,
) -> Result<Vec<Matrix4<f64>>, String> {
    let at = |trouble: String| format!("node {}: {EXTENSION}: {trouble}", node.index());
    let value = node.extension_value(EXTENSION).filter(|_| node.skin().is_none());
    let Some(value) = value else { return Ok(vec![Matrix4::identity()]) };
    let attributes = value.get("attributes").unwrap_or(&Value::Null);
    let translations = attribute::<3>(document, buffers, attributes, "TRANSLATION").map_err(at)?;
    let rotations = attribute::<4>(document, buffers, attributes, "ROTATION").map_err(at)?;
    let scales = attribute::<3>(document, buffers, attributes, "SCALE").map_err(at)?;
    let counts = [
        translations.as_ref().map(Vec::len),
        rotations.as_ref().map(Vec::len),
        scales.as_ref().map(Vec::len),
    ];
    let mut known = counts.into_iter().flatten();
    let count = known.next().ok_or_else(|| at("it has no attribute".to_owned()))?;
    if known.any(|other| other != count) {
        return Err(at("its attributes have different counts".to_owned()));
    }
    if count > MAX_COPIES {
        return Err(at(format!("more than {MAX_COPIES} copies")));
    }
    let placed = |index: usize| {
        let shift = translations.as_ref().map_or([0.0; 3], |all| all[index]);
        let [x, y, z, w] = rotations.as_ref().map_or([0.0, 0.0, 0.0, 1.0], |all| all[index]);
        let scale = scales.as_ref().map_or([1.0; 3], |all| all[index]);
        let turn = UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-6)
            .ok_or_else(|| at(format!("rotation {index} has no length")))?;
        Ok(Matrix4::new_translation(&Vector3::from(shift))
            * turn.to_homogeneous()
            * Matrix4::new_nonuniform_scaling(&Vector3::from(scale)))
    };
    (0..count).map(placed).collect()
}

fn attribute<const N: usize>(
    document: &Document,
    buffers: &GltfBuffers,
    attributes: &Value,
    name: &str,
) -> Result<Option<Vec<[f64; N]>>, String> {
    let Some(index) = attributes.get(name) else { return Ok(None) };
    let accessor = index.as_u64().and_then(|index| usize::try_from(index).ok());
    let accessor = accessor.and_then(|index| document.accessors().nth(index));
    let accessor = accessor.ok_or_else(|| format!("{name}: accessor {index} does not exist"))?;
    numbers(buffers, &accessor).map(Some).map_err(|trouble| format!("{name}: {trouble}"))
}
