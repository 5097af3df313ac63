//! The JSON part: parsed, checked so that the reader crate can not panic on it, and validated.

use ::gltf::json::Root;
use ::gltf::json::mesh::Semantic;
use ::gltf::json::validation::Checked;
use ::gltf::{Document, Gltf};

/// Required extensions that change only how things look.
const HARMLESS: [&str; 5] =
    ["KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_", "KHR_lights_"];

/// Extensions that change geometry and are read: integer positions need nothing special.
const READ: [&str; 1] = ["KHR_mesh_quantization"];

const GLB_HEADER: usize = 12;

/// A validated document and the binary chunk of a GLB.
pub(super) fn parse(bytes: &[u8]) -> Result<(Document, Option<Vec<u8>>), String> {
    check_header(bytes)?;
    let Gltf { document, blob } = Gltf::from_slice_without_validation(bytes).map_err(not_gltf)?;
    let mut root = document.into_json();
    check_extensions(&root)?;
    strip(&mut root);
    check_references(&root)?;
    Ok((Document::from_json(root).map_err(not_gltf)?, blob))
}

/// The reader crate trusts the length in the header.
fn check_header(bytes: &[u8]) -> Result<(), String> {
    if bytes.is_empty() {
        return Err("the file is empty".to_owned());
    }
    if !bytes.starts_with(b"glTF") {
        return Ok(());
    }
    let declared = bytes.get(8..GLB_HEADER).and_then(|four| four.try_into().ok());
    let declared = declared.map_or(0, u32::from_le_bytes) as usize;
    if declared < GLB_HEADER || declared > bytes.len() {
        let found = bytes.len();
        return Err(format!("the GLB header declares {declared} bytes, the file has {found}"));
    }
    Ok(())
}

fn check_extensions(root: &Root) -> Result<(), String> {
    let readable =
        |name: &str| READ.contains(&name) || HARMLESS.iter().any(|prefix| name.starts_with(prefix));
    match root.extensions_required.iter().find(|name| !readable(name)) {
        Some(name) => Err(format!("the required extension {name} is not supported")),
        None => Ok(()),
    }
}

/// Takes out what is not read and the validator might still refuse: looks, attributes of the
/// application's own, and the required extensions, judged by now.
fn strip(root: &mut Root) {
    root.extensions_required.clear();
    root.materials.clear();
    root.textures.clear();
    root.images.clear();
    for primitive in root.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.material = None;
        primitive.attributes.retain(|semantic, _| matches!(semantic, Checked::Valid(_)));
    }
}

/// What the validator of the reader crate leaves out or panics on.
fn check_references(root: &Root) -> Result<(), String> {
    for (m, mesh) in root.meshes.iter().enumerate() {
        for (p, primitive) in mesh.primitives.iter().enumerate() {
            let positions = primitive.attributes.get(&Checked::Valid(Semantic::Positions));
            if positions.is_some_and(|accessor| accessor.value() >= root.accessors.len()) {
                return Err(format!("meshes[{m}].primitives[{p}]: POSITION points past the end"));
            }
        }
    }
    for (a, animation) in root.animations.iter().enumerate() {
        for (c, channel) in animation.channels.iter().enumerate() {
            let path = matches!(channel.target.path, Checked::Valid(_));
            if channel.target.node.value() >= root.nodes.len() || !path {
                return Err(format!("animations[{a}].channels[{c}]: the target is not valid"));
            }
        }
    }
    Ok(())
}

/// The error of the reader crate in one line.
fn not_gltf(error: ::gltf::Error) -> String {
    let ::gltf::Error::Validation(found) = error else {
        return format!("not a readable glTF file: {error}");
    };
    let more = match found.len() {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    let first = found.first().map(|(path, error)| format!("{path}: {error}"));
    format!("not valid glTF: {}{more}", first.unwrap_or_default())
}
