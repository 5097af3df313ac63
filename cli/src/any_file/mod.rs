//! Characters from files of all formats that the crate reads, by file extension.
//!
//! | ending | becomes |
//! |---|---|
//! | `.glb`, `.gltf` | the character and its clips |
//! | `.obj`, `.stl` | one part that rests |
//! | `.urdf`, `.xml` (MJCF) | the robot, and a clip in which every joint swings through its range |
//! | `.bvh`, `.amc` (with its `.asf` beside it) | boxes around the bones, and the recorded clip |
//! | `.baked` | what was baked |
//!
//! The command-line tool and several examples share this module: it needs only the library.

mod ending;
pub mod motion;
mod swing;

pub use ending::ending;
use std::path::Path;

use boxwood::load::{LinkShapes, Loaded, Loader, Robot};
use boxwood::motion::{Clip, Clips};
use boxwood::{Model, Pose};

/// File extensions that [`load()`] reads.
pub const ENDINGS: [&str; 9] = ["glb", "gltf", "obj", "stl", "urdf", "xml", "bvh", "amc", "baked"];

/// Name of the clip of a file without clips.
pub const REST: &str = "rest";

/// Options for what a file does not determine.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Wishes {
    /// Factor of all lengths of recorded motion. `None`: lengths as in the file, and clips scaled
    /// to the character's bones.
    pub scale: Option<f64>,
    /// `true` if links of robots without collision geometry get their visual geometry.
    pub visual: bool,
}

/// Loads the character, with at least one clip.
pub fn load(file: &Path, loader: &Loader<'_>) -> Result<Loaded<f32>, String> {
    load_with(file, loader, Wishes::default())
}

/// Loads the character with options.
pub fn load_with(file: &Path, loader: &Loader<'_>, wishes: Wishes) -> Result<Loaded<f32>, String> {
    let loaded = match ending(file).as_str() {
        "glb" | "gltf" => loader.gltf(file),
        "obj" => loader.obj(file),
        "stl" => loader.stl(file),
        "urdf" | "xml" => {
            let robot = robot(file, loader, wishes)?;
            swing::character(&robot, &stand(file))
        }
        "bvh" | "amc" => motion::character(file, wishes.scale),
        "baked" => loader.baked(file),
        other => {
            let (file, read) = (file.display(), ENDINGS.join(", ."));
            return Err(format!(
                "{file}: files of type '.{other}' are not supported; supported are .{read}"
            ));
        }
    };
    moving(loaded.map_err(|error| error.to_string())?)
}

/// Returns `true` if the file is a robot, whose joints have values.
pub fn is_robot(file: &Path) -> bool {
    ["urdf", "xml"].contains(&ending(file).as_str())
}

/// Loads the robot of a URDF or an MJCF file.
pub fn robot(file: &Path, loader: &Loader<'_>, wishes: Wishes) -> Result<Robot<f32>, String> {
    let loader = loader.clone().link_shapes(link_shapes(wishes.visual));
    let robot = match ending(file).as_str() {
        "urdf" => loader.urdf(file),
        _ => loader.mjcf(file),
    };
    robot.map_err(|error| error.to_string())
}

/// Rotation of a robot among characters, whose up axis is Y. An MJCF body may already have Y up, as
/// recorded people have; the file does not say.
fn stand(file: &Path) -> Pose {
    if ending(file) == "urdf" { swing::upright() } else { Pose::identity() }
}

/// Elements of a link that are its geometry.
pub fn link_shapes(visual: bool) -> LinkShapes {
    if visual { LinkShapes::CollisionOrVisual } else { LinkShapes::Collision }
}

/// Refuses models without any geometry.
pub fn check_parts(file: &Path, model: &Model) -> Result<(), String> {
    if model.parts().iter().any(|part| part.tree().is_some()) {
        return Ok(());
    }
    Err(format!("{}: no part has geometry", file.display()))
}

/// Adds a clip of the rest pose to a character without clips.
fn moving(mut loaded: Loaded<f32>) -> Result<Loaded<f32>, String> {
    if loaded.clips.is_empty() {
        let rest = Clip::new(REST, &loaded.skeleton, Vec::new()).map_err(|e| e.to_string())?;
        loaded.clips = Clips::new(vec![rest]).map_err(|error| error.to_string())?;
    }
    Ok(loaded)
}

/// Returns the clip with a name, or the first, or that of a motion file whose joints have the same
/// names; the error for an unknown name lists all names.
pub fn clip(loaded: &Loaded<f32>, name: Option<&str>) -> Result<Clip<f32>, String> {
    clip_as(loaded, name, Wishes::default())
}

/// Returns a clip like [`clip`], with options.
pub fn clip_as(
    loaded: &Loaded<f32>,
    name: Option<&str>,
    wishes: Wishes,
) -> Result<Clip<f32>, String> {
    let Some(name) = name else { return Ok(loaded.clips[0].clone()) };
    if motion::is_recording(Path::new(name)) {
        let clip = motion::onto(loaded, Path::new(name), wishes.scale);
        return clip.map_err(|error| error.to_string());
    }
    loaded.clips.get(name).cloned().map_err(|error| {
        let names: Vec<&str> = loaded.clips.iter().map(Clip::name).collect();
        format!("{error}; the clips are: {}", names.join(", "))
    })
}
