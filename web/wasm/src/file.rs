//! Files by their extension: converts bytes to characters, and errors to texts that name the file.

use boxwood::Loader;
use boxwood::load::{Loaded, Robot, is_baked_robot};
use boxwood::motion::{Clip, Clips};

/// Name of the only clip of a file without clips.
const REST: &str = "rest";

/// The endings that the page opens.
const UNDERSTOOD: &str = "characters are read from .glb and .gltf, robots from .urdf and .xml (MJCF), \
    levels from .map, baked ones from .box and .baked";

/// Returns `true` if the page opens the file as a robot: by its ending, and a baked one by its
/// first bytes.
pub(crate) fn is_robot(name: &str, bytes: &[u8]) -> bool {
    match ending(name).as_str() {
        "urdf" | "xml" => true,
        "box" | "baked" => is_baked_robot(bytes),
        _ => false,
    }
}

/// Loads the robot of a URDF, an MJCF or a baked file.
pub(crate) fn robot(name: &str, bytes: &[u8], loader: &Loader<'_>) -> Result<Robot<f32>, String> {
    let robot = match ending(name).as_str() {
        "urdf" => loader.urdf_bytes(bytes),
        "xml" => loader.mjcf_bytes(bytes),
        _ => loader.baked_robot_bytes(bytes),
    };
    robot.map_err(|error| refused(name, &error))
}

/// Returns the extension of a file's name, in lower case.
pub(crate) fn ending(name: &str) -> String {
    name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase())
}

/// Returns the text of an error, with the name of the file in place of the crate's words for bytes
/// in memory.
pub(crate) fn refused(name: &str, error: &boxwood::Error) -> String {
    let text = error.to_string();
    match text.contains("bytes in memory") {
        true => text.replace("bytes in memory", name),
        false => format!("{name}: {text}"),
    }
}

/// Loads the character in a glTF or baked file. It has at least one clip.
pub(crate) fn character(name: &str, bytes: &[u8]) -> Result<Loaded<f32>, String> {
    let loader = Loader::new();
    let loaded = match ending(name).as_str() {
        "glb" | "gltf" => loader.gltf_bytes(bytes),
        "box" | "baked" => loader.baked_bytes(bytes),
        other => {
            return Err(format!(
                "{name}: files of type '.{other}' are not supported; {UNDERSTOOD}"
            ));
        }
    };
    let mut loaded = loaded.map_err(|error| refused(name, &error))?;
    if loaded.model.parts().iter().all(|part| part.tree().is_none()) {
        return Err(format!("{name}: no part has geometry"));
    }
    if loaded.clips.is_empty() {
        let rest = Clip::new(REST, &loaded.skeleton, Vec::new());
        let rest = rest.and_then(|rest| Clips::new(vec![rest]));
        loaded.clips = rest.map_err(|error| refused(name, &error))?;
    }
    Ok(loaded)
}
