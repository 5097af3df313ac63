//! Interface of boxwood for the web page: two characters that fight, a robot and its edges, a crowd,
//! a walk through a level, and depth against accuracy.
//!
//! Answers that change every frame stay in the module's memory and are read there: a getter returns
//! address and length, which are valid until the next call. Lengths are those of the files; Y is
//! up.

mod arena;
mod character;
mod crowd;
mod depth_curve;
mod face_mesh;
mod file;
mod hit_lines;
mod level_walk;
mod model_shapes;
mod play;
mod posed_robot;
mod pushed;
mod robot_files;
mod round_mesh;
mod start;
mod tick;
mod view;
mod wire;

pub use arena::Arena;
pub use character::Character;
pub use crowd::Crowd;
pub use depth_curve::DepthCurve;
pub use level_walk::LevelWalk;
pub use posed_robot::PosedRobot;
pub use robot_files::RobotFiles;
pub use view::MemoryView;

use wasm_bindgen::prelude::*;

/// Returns the instruction set that queries use.
#[wasm_bindgen]
pub fn simd_level() -> String {
    boxwood::SimdLevel::best().to_string()
}

/// Returns the version of the page's module.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Returns `true` if the page opens the file as a robot: by its ending, and a baked one by its
/// first bytes.
#[wasm_bindgen]
pub fn is_robot(name: &str, bytes: &[u8]) -> bool {
    file::is_robot(name, bytes)
}
