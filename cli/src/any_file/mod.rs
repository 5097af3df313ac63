//! Characters from files of all formats that the crate reads, by file extension.
//!
//! | ending | becomes |
//! |---|---|
//! | `.glb`, `.gltf` | the character and its clips |
//! | `.obj`, `.stl` | one part that rests |
//! | `.urdf`, `.xml` (MJCF) | the robot, and a clip in which every joint swings through its range |
//! | `.bvh`, `.amc` (with its `.asf` beside it) | boxes around the bones, and the recorded clip |
//! | `.baked`, `.box` | what was baked: a character, or a robot and a clip like that of other robots |
//!
//! The name `-` is standard input; its contents decide how it is read. The command-line tool
//! and several examples share this module: it needs only the library.

mod ending;
pub mod motion;
mod name_pattern;
pub mod standard_input;
mod swing;

pub use ending::ending;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use boxwood::load::{self, LinkShapes, Loaded, Loader, Robot};
use boxwood::motion::{Clip, Clips};
use boxwood::num::Scalar;
use boxwood::{Model, Pose};

/// File extensions that [`load()`] reads.
pub const ENDINGS: [&str; 10] =
    ["glb", "gltf", "obj", "stl", "urdf", "xml", "bvh", "amc", "baked", "box"];

/// File extensions of baked characters and robots.
pub const BAKED: [&str; 2] = ["baked", "box"];

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
    /// Length up to which the planes of an MJCF file are part of the robot's world; `None` to leave
    /// them out.
    pub planes: Option<f64>,
}

/// Loads the character, with at least one clip.
pub fn load(file: &Path, loader: &Loader<'_>) -> Result<Loaded<f32>, String> {
    load_with(file, loader, Wishes::default())
}

/// Loads the character with options.
pub fn load_with(file: &Path, loader: &Loader<'_>, wishes: Wishes) -> Result<Loaded<f32>, String> {
    use standard_input::load;
    let loaded = match ending(file).as_str() {
        "glb" | "gltf" => {
            load(file, loader, |l, file| l.gltf(file), |l, bytes| l.gltf_bytes(bytes))
        }
        "obj" => load(file, loader, |l, file| l.obj(file), |l, bytes| l.obj_bytes(bytes)),
        "stl" => load(file, loader, |l, file| l.stl(file), |l, bytes| l.stl_bytes(bytes)),
        "bvh" | "amc" => motion::character(file, wishes.scale),
        "baked" | "box" if !is_robot(file) => {
            load(file, loader, |l, file| l.baked(file), |l, bytes| l.baked_bytes(bytes))
        }
        "urdf" | "xml" | "baked" | "box" => {
            let robot = robot(file, loader, wishes)?;
            swing::character(&robot, &stand(file)).map_err(|error| error.to_string())
        }
        _ => Err(unknown_ending(file, &ENDINGS)),
    };
    moving(loaded?)
}

/// Returns the file extensions that [`load()`] reads, and that of levels.
pub fn endings_with_levels() -> Vec<&'static str> {
    [&ENDINGS[..], &["map"]].concat()
}

/// Refuses a file of another type than those that are read.
pub fn check_ending(file: &Path, read: &[&str]) -> Result<(), String> {
    match read.contains(&ending(file).as_str()) {
        true => Ok(()),
        false => Err(unknown_ending(file, read)),
    }
}

/// Returns the refusal of a file of another type than those that are read.
pub fn unknown_ending(file: &Path, read: &[&str]) -> String {
    let read = read.join(", .");
    if standard_input::is_named(file) && ending(file).is_empty() {
        return format!("{}; supported are .{read}", standard_input::unknown());
    }
    let (name, ending) = (standard_input::shown_name(file), ending(file));
    format!("{name}: files of type '.{ending}' are not supported; supported are .{read}")
}

/// Returns `true` if the file is a robot, whose joints have values: by its extension, or by the
/// first bytes of a baked file.
pub fn is_robot(file: &Path) -> bool {
    match ending(file).as_str() {
        "urdf" | "xml" => true,
        "baked" | "box" => is_baked_robot(file),
        _ => false,
    }
}

/// Returns `true` if a file begins like a baked robot; `false` also if it can not be read, which
/// its loader reports.
fn is_baked_robot(file: &Path) -> bool {
    if standard_input::is_named(file) {
        return standard_input::bytes(file).is_ok_and(|bytes| load::is_baked_robot(&bytes));
    }
    let mut begin = [0; 8];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && load::is_baked_robot(&begin)
}

/// Loads the robot of a URDF, an MJCF or a baked file.
pub fn robot<T: Scalar>(
    file: &Path,
    loader: &Loader<'_, T>,
    wishes: Wishes,
) -> Result<Robot<T>, String> {
    use standard_input::load;
    let loader = loader.clone().link_shapes(link_shapes(wishes.visual));
    let loader = match wishes.planes {
        Some(reach) => loader.planes(reach),
        None => loader,
    };
    match ending(file).as_str() {
        "urdf" => load(file, &loader, |l, file| l.urdf(file), |l, bytes| l.urdf_bytes(bytes)),
        "xml" => load(file, &loader, |l, file| l.mjcf(file), |l, bytes| l.mjcf_bytes(bytes)),
        _ => {
            let by_bytes = |l: &Loader<'_, T>, bytes: &[u8]| l.baked_robot_bytes(bytes);
            load(file, &loader, |l, file| l.baked_robot(file), by_bytes)
        }
    }
}

/// Rotation of a robot among characters, whose up axis is Y. An MJCF body may already have Y up, as
/// recorded people have; the file does not say.
fn stand(file: &Path) -> Pose {
    if ending(file) == "xml" { Pose::identity() } else { swing::upright() }
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

/// Returns a clip like [`clip`], with options. A pattern must match one name.
pub fn clip_as(
    loaded: &Loaded<f32>,
    name: Option<&str>,
    wishes: Wishes,
) -> Result<Clip<f32>, String> {
    let Some(name) = name else { return Ok(loaded.clips[0].clone()) };
    let mut found = clips_as(loaded, name, wishes)?;
    if let [_, _, ..] = found[..] {
        let names: Vec<&str> = found.iter().map(Clip::name).collect();
        return Err(format!("'{name}' matches {} clips: {}", names.len(), names.join(", ")));
    }
    Ok(found.remove(0))
}

/// Returns the clip with a name, that of a motion file, or else all whose names match a pattern of
/// `*` and `?`, at least one.
pub fn clips_as(
    loaded: &Loaded<f32>,
    name: &str,
    wishes: Wishes,
) -> Result<Vec<Clip<f32>>, String> {
    if motion::is_recording(Path::new(name)) {
        let clip = motion::onto(loaded, Path::new(name), wishes.scale);
        return clip.map(|clip| vec![clip]);
    }
    let error = match loaded.clips.get(name) {
        Ok(clip) => return Ok(vec![clip.clone()]),
        Err(error) => error,
    };
    let matching = loaded.clips.iter().filter(|clip| name_pattern::matches(name, clip.name()));
    let matching: Vec<Clip<f32>> = matching.cloned().collect();
    if matching.is_empty() {
        let names: Vec<&str> = loaded.clips.iter().map(Clip::name).collect();
        return Err(format!("{error}; the clips are: {}", names.join(", ")));
    }
    Ok(matching)
}
