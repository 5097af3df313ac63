//! What can go wrong.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why there is no fight, or no end of it.
#[derive(Debug)]
pub enum Trouble {
    /// The command line.
    Flags(String),
    /// A character: its file, its clip, or where it stands.
    Cast(String),
    /// What the scene refuses.
    Scene(boxwood::Error),
    /// A file or folder that can not be written.
    File { path: PathBuf, error: io::Error },
    /// The output stream.
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
