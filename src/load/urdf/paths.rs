//! Where the files are that a robot names.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many folders deep a name may be.
const DEEPEST: usize = 64;

type Resolve = dyn Fn(&str) -> Option<PathBuf> + Send + Sync;

/// Says which file a name in a robot's file means: `package://arm/meshes/hand.stl`, `../hand.stl`.
///
/// The default looks for the end of the name's path, as much of it as can be found, in the folder of the robot's file and all
/// folders above: a package is found wherever it was unpacked, as long as its inside is as it was.
#[derive(Clone, Default)]
pub struct Resolver(Option<Arc<Resolve>>);

impl Resolver {
    /// Asks the function first; names it answers with `None` are looked for in the default way.
    pub fn new(resolve: impl Fn(&str) -> Option<PathBuf> + Send + Sync + 'static) -> Self {
        Resolver(Some(Arc::new(resolve)))
    }

    /// The file that is meant; `folder` is that of the robot's file, if it is one.
    pub(super) fn find(&self, name: &str, folder: Option<&Path>) -> Result<PathBuf, String> {
        if let Some(path) = self.0.as_ref().and_then(|resolve| resolve(name)) {
            return Ok(path);
        }
        let Some(folder) = folder else {
            return Err(
                "bytes in memory have no folder, and the resolver does not know it".to_owned()
            );
        };
        let tail = name.split_once("://").map_or(name, |(_, tail)| tail);
        if name.starts_with("file://") && Path::new(tail).is_file() {
            return Ok(tail.into());
        }
        // Joined to a folder, an absolute path is itself.
        let plain = folder.join(name);
        if plain.is_file() {
            return Ok(plain);
        }
        let words: Vec<&str> = tail.split(['/', '\\']).filter(|word| !word.is_empty()).collect();
        if words.len() > DEEPEST {
            return Err(format!("it is more than {DEEPEST} folders deep"));
        }
        let folder = std::path::absolute(folder).map_err(|error| error.to_string())?;
        let tails = (0..words.len()).map(|skipped| words[skipped..].iter().collect::<PathBuf>());
        let mut candidates =
            tails.flat_map(|tail| folder.ancestors().map(move |above| above.join(&tail)));
        let found = candidates.find(|path| path.is_file());
        found.ok_or_else(|| format!("no such file in {} or above", folder.display()))
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Resolver(own)" } else { "Resolver(default)" })
    }
}
