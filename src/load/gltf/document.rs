//! The JSON document: parsed, checked so that the reader crate cannot panic on it, and validated.

use std::borrow::Cow;

use ::gltf::json::animation::Channel;
use ::gltf::json::mesh::Semantic;
use ::gltf::json::validation::{Checked, USize64};
use ::gltf::json::{Accessor, Index, Root, Value, deserialize};
use ::gltf::{Document, Glb, Gltf};

use crate::load::vocabulary::GLTF;

/// Extensions that change geometry or motion and are supported: integer positions need no special
/// code, and tracks without a node are left out with a warning.
const SUPPORTED_EXTENSIONS: [&str; 4] =
    ["KHR_mesh_quantization", "EXT_mesh_gpu_instancing", "KHR_node_visibility", POINTER_EXTENSION];

/// Extension whose tracks have no node.
pub(super) const POINTER_EXTENSION: &str = "KHR_animation_pointer";

/// Extensions that store geometry in a form that only their readers decode.
const OPAQUE_EXTENSIONS: [&str; 3] =
    ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"];

const GLB_HEADER: usize = 12;

/// Offset that marks accessors without bytes. No view is that long.
pub(super) const NO_BYTES_OFFSET: u64 = u32::MAX as u64;

/// Parses and validates a document, and the binary chunk of a GLB.
pub(super) fn parse(bytes: &[u8]) -> Result<(Document, Option<Vec<u8>>), String> {
    check_header(bytes)?;
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let (mut root, blob) = match Gltf::from_slice_without_validation(bytes) {
        Ok(Gltf { document, blob }) => (document.into_json(), blob),
        Err(error) => parse_completed(bytes).ok_or_else(|| not_gltf(error))?,
    };
    check_extensions(&root)?;
    strip(&mut root);
    mark_bare(&mut root);
    check_references(&root)?;
    Ok((Document::from_json(root).map_err(not_gltf)?, blob))
}

/// Checks the length in the GLB header, which the reader crate trusts.
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

/// Reads a document that omits what the specification allows it to omit and the reader crate
/// requires: the nodes of a scene, and the node of a track, which is then ignored (section 3.11).
/// `None` if something else is wrong.
fn parse_completed(bytes: &[u8]) -> Option<(Root, Option<Vec<u8>>)> {
    let (text, blob) = match bytes.starts_with(b"glTF") {
        true => {
            let container = Glb::from_slice(bytes).ok()?;
            (container.json, container.bin.map(Cow::into_owned))
        }
        false => (Cow::Borrowed(bytes), None),
    };
    let mut value: Value = deserialize::from_slice(&text).ok()?;
    let mut is_complete = true;
    for scene in items(&mut value, "scenes").filter_map(Value::as_object_mut) {
        is_complete &= scene.contains_key("nodes");
        scene.entry("nodes").or_insert_with(|| Value::Array(Vec::new()));
    }
    for animation in items(&mut value, "animations") {
        let has_node = |one: &Value| one.get("target").is_none_or(|to| to.get("node").is_some());
        if let Some(channels) = animation.get_mut("channels").and_then(Value::as_array_mut) {
            is_complete &= channels.iter().all(has_node);
            channels.retain(has_node);
        }
    }
    // A complete document keeps its own error.
    let root = (!is_complete).then(|| deserialize::from_value(value).ok())?;
    Some((root?, blob))
}

/// The items of a list of the document; empty if it has no such list.
fn items<'v>(value: &'v mut Value, key: &str) -> impl Iterator<Item = &'v mut Value> {
    value.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten()
}

fn check_extensions(root: &Root) -> Result<(), String> {
    let readable =
        |name: &str| SUPPORTED_EXTENSIONS.contains(&name) || GLTF.is_harmless("extensions", name);
    let required = &root.extensions_required;
    match required.iter().enumerate().find(|(_, name)| !readable(name)) {
        Some((index, name)) => {
            Err(format!("extensionsRequired[{index}]: the extension {name} is not supported"))
        }
        None => Ok(()),
    }
}

/// Adds to an error that an extension which is used but not required may be its cause.
pub(super) fn with_cause(trouble: String, document: &Document) -> String {
    match document.extensions_used().find(|name| OPAQUE_EXTENSIONS.contains(name)) {
        Some(name) => format!("{trouble} (the file uses {name}, which is not supported)"),
        None => trouble,
    }
}

/// Removes elements that are not read and that the validator might reject: materials, among them
/// textures without a source, attributes of the application, and the required extensions, which are
/// checked before. The reader crate then needs none of its texture features, which would be enabled
/// for every crate in a build.
fn strip(root: &mut Root) {
    root.extensions_required.clear();
    root.materials.clear();
    root.textures.clear();
    root.images.clear();
    if root.extensions_used.iter().any(|name| name == POINTER_EXTENSION) {
        let known = |channel: &Channel| matches!(channel.target.path, Checked::Valid(_));
        root.animations.iter_mut().for_each(|animation| animation.channels.retain(known));
    }
    for primitive in root.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.material = None;
        primitive.attributes.retain(|semantic, _| matches!(semantic, Checked::Valid(_)));
    }
}

/// Marks accessors without bytes, which represent zeros. The validator rejects them, though their
/// users need not be read: displacements of zero, or an extension that stores the numbers
/// elsewhere.
fn mark_bare(root: &mut Root) {
    let views = !root.buffer_views.is_empty();
    let bare = |a: &&mut Accessor| a.buffer_view.is_none() && a.sparse.is_none() && views;
    for accessor in root.accessors.iter_mut().filter(bare) {
        accessor.buffer_view = Some(Index::new(0));
        accessor.byte_offset = Some(USize64(NO_BYTES_OFFSET));
    }
}

/// Checks references that the validator of the reader crate omits or panics on.
fn check_references(root: &Root) -> Result<(), String> {
    for (m, mesh) in root.meshes.iter().enumerate() {
        for (p, primitive) in mesh.primitives.iter().enumerate() {
            let positions = primitive.attributes.get(&Checked::Valid(Semantic::Positions));
            if positions.is_some_and(|accessor| accessor.value() >= root.accessors.len()) {
                return Err(format!("meshes[{m}].primitives[{p}]: POSITION refers past the end"));
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

/// Formats an error of the reader crate on one line.
fn not_gltf(error: ::gltf::Error) -> String {
    let ::gltf::Error::Validation(found) = error else {
        return format!("invalid glTF file: {error}");
    };
    let more = match found.len() {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    let first = found.first().map(|(path, error)| format!("{path}: {error}"));
    format!("invalid glTF file: {}{more}", first.unwrap_or_default())
}
