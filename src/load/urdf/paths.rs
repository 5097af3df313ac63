//! Resolution of the file names in a robot's file.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Largest folder nesting of a name.
const MAX_DEPTH: usize = 64;

type Resolve = dyn Fn(&str) -> Option<PathBuf> + Send + Sync;

/// Resolves file names in a robot's file: `package://arm/meshes/hand.stl`, `../hand.stl`.
///
/// By default, the longest suffix of the name's path that exists is used, in the folder of the
/// robot's file or a folder above: a package is found wherever it was unpacked, as long as its
/// layout is unchanged.
///
/// ```
/// use std::path::Path;
/// use boxwood::{Loader, load::Resolver};
///
/// let resolver = Resolver::new(|name| {
///     let inside = name.strip_prefix("package://arm/")?;
///     Some(Path::new("models/arm").join(inside))
/// });
/// let loader = Loader::new().resolver(resolver);
/// # let _ = loader;
/// ```
#[derive(Clone, Default)]
pub struct Resolver(Option<Arc<Resolve>>);

impl Resolver {
    /// Creates a resolver that calls the function first; names for which it returns `None` are
    /// resolved by default.
    pub fn new(resolve: impl Fn(&str) -> Option<PathBuf> + Send + Sync + 'static) -> Self {
        Resolver(Some(Arc::new(resolve)))
    }

    /// The path that the caller's function returns for a name.
    #[cfg(feature = "mjcf")]
    pub(in crate::load) fn own(&self, name: &str) -> Option<PathBuf> {
        self.0.as_ref().and_then(|resolve| resolve(name))
    }

    /// Finds the path of a name; `folder` is that of the robot's file, if it has one.
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
        // An absolute path joined to a folder is itself.
        let plain = folder.join(name);
        if plain.is_file() {
            return Ok(plain);
        }
        let words: Vec<&str> = tail.split(['/', '\\']).filter(|word| !word.is_empty()).collect();
        if words.len() > MAX_DEPTH {
            return Err(format!("the path is more than {MAX_DEPTH} folders deep"));
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
