//! Errors of a fight.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Reason why a fight does not begin or end.
#[derive(Debug)]
pub enum Trouble {
    /// Error of the command line.
    Flags(String),
    /// Error of a character: its file, its clip, or its position.
    Cast(String),
    /// Error of the scene.
    Scene(boxwood::Error),
    /// File or folder that can not be written.
    File { path: PathBuf, error: io::Error },
    /// Error of the output stream.
    Terminal(io::Error),
}

impl Trouble {
    pub fn file(path: &Path) -> impl Fn(io::Error) -> Trouble {
        |error| Trouble::File { path: path.to_owned(), error }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Flags(what) | Trouble::Cast(what) => to.write_str(what),
            Trouble::Scene(error) => write!(to, "scene: {error}"),
            Trouble::File { path, error } => write!(to, "{}: {error}", path.display()),
            Trouble::Terminal(error) => write!(to, "standard output: {error}"),
        }
    }
}

impl std::error::Error for Trouble {}

impl From<boxwood::Error> for Trouble {
    fn from(error: boxwood::Error) -> Self {
        Trouble::Scene(error)
    }
}
