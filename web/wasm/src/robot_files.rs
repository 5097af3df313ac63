//! The files of a robot: meshes, included files and an SRDF file.

use boxwood::Loader;
use boxwood::load::Resolver;
use wasm_bindgen::prelude::*;

use crate::file::ending;

/// The files beside a robot's own, each with its path.
#[wasm_bindgen]
#[derive(Default)]
pub struct RobotFiles {
    files: Vec<(String, Vec<u8>)>,
}

#[wasm_bindgen]
impl RobotFiles {
    /// Creates an empty list.
    #[wasm_bindgen(constructor)]
    pub fn new() -> RobotFiles {
        RobotFiles::default()
    }

    /// Adds a file.
    pub fn add(&mut self, path: String, bytes: Vec<u8>) {
        self.files.push((path, bytes));
    }
}

impl RobotFiles {
    /// Returns a loader that finds the files by the ends of their paths; it applies the SRDF file
    /// if there is one alone.
    pub(crate) fn loader(&self) -> Loader<'static> {
        let loader = Loader::new().resolver(Resolver::in_memory(self.files.iter().cloned()));
        let mut srdf = self.files.iter().filter(|(path, _)| ending(path) == "srdf");
        match (srdf.next(), srdf.next()) {
            (Some((_, bytes)), None) => loader.srdf_bytes(bytes.clone()),
            _ => loader,
        }
    }
}
