//! Resolution of the file names in a robot's file.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::load::source::read_file;

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
pub struct Resolver(Rule);

/// Rule of a resolver.
#[derive(Clone, Default)]
enum Rule {
    /// Looks in the folder of the robot's file and above.
    #[default]
    Folders,
    /// Calls a function first.
    Function(Arc<Resolve>),
    /// Looks among files in memory alone.
    Memory(Arc<[(PathBuf, Vec<u8>)]>),
}

impl Resolver {
    /// Creates a resolver that calls the function first; names for which it returns `None` are
    /// resolved by default.
    pub fn new(resolve: impl Fn(&str) -> Option<PathBuf> + Send + Sync + 'static) -> Self {
        Resolver(Rule::Function(Arc::new(resolve)))
    }

    /// Creates a resolver of files in memory, each with its path: of an archive, a network, or a
    /// browser. No file is read from a disk.
    ///
    /// A name is resolved to the file whose path agrees with most of its last words, which are
    /// separated by `/`; the file name has to agree. Two files that agree equally are an error, as
    /// is none.
    ///
    /// ```
    /// use boxwood::{Loader, load::Resolver};
    ///
    /// let mesh = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    /// let files = [("arm/meshes/hand.obj".to_owned(), mesh.to_vec())];
    /// let text = r#"<robot name="arm"><link name="hand"><collision><geometry>
    ///     <mesh filename="package://arm_description/meshes/hand.obj"/>
    ///     </geometry></collision></link></robot>"#;
    /// let loader = Loader::new().resolver(Resolver::in_memory(files));
    /// assert_eq!(loader.urdf_bytes(text.as_bytes())?.model.len(), 1);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn in_memory(files: impl IntoIterator<Item = (impl Into<PathBuf>, Vec<u8>)>) -> Self {
        let files = files.into_iter().map(|(path, bytes)| (path.into(), bytes));
        Resolver(Rule::Memory(files.collect()))
    }

    /// Returns the path that the caller's function or the files in memory determine for a name;
    /// `None` if folders do.
    pub(in crate::load) fn own(&self, name: &str) -> Option<Result<PathBuf, String>> {
        match &self.0 {
            Rule::Folders => None,
            Rule::Function(resolve) => resolve(name).map(Ok),
            Rule::Memory(files) => Some(find_in_memory(files, name)),
        }
    }

    /// Reads a file that this resolver found.
    pub(in crate::load) fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        match self.bytes(path) {
            Some(bytes) => Ok(bytes.to_vec()),
            None => read_file(path),
        }
    }

    /// Returns the bytes of a file in memory.
    pub(in crate::load) fn bytes(&self, path: &Path) -> Option<&[u8]> {
        let Rule::Memory(files) = &self.0 else { return None };
        files.iter().find(|(own, _)| own == path).map(|(_, bytes)| &bytes[..])
    }

    /// Finds the path of a name; `folder` is that of the robot's file, if it has one.
    pub(super) fn find(&self, name: &str, folder: Option<&Path>) -> Result<PathBuf, String> {
        if let Some(found) = self.own(name) {
            return found;
        }
        let Some(folder) = folder else {
            return Err(
                "bytes in memory have no folder, and the resolver does not know it".to_owned()
            );
        };
        let tail = without_scheme(name);
        if name.starts_with("file://") && Path::new(tail).is_file() {
            return Ok(tail.into());
        }
        // An absolute path joined to a folder is itself.
        let plain = folder.join(name);
        if plain.is_file() {
            return Ok(plain);
        }
        let words: Vec<&str> = path_words(tail).collect();
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

/// Returns a name without `package://` and the like.
fn without_scheme(name: &str) -> &str {
    name.split_once("://").map_or(name, |(_, tail)| tail)
}

/// Returns the folders and the file of a path.
fn path_words(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split(['/', '\\']).filter(|word| !word.is_empty())
}

/// Returns the path that agrees with most of the last words of a name.
fn find_in_memory(files: &[(PathBuf, Vec<u8>)], name: &str) -> Result<PathBuf, String> {
    let agreeing = |path: &Path| {
        let path = path.to_string_lossy();
        let pairs = path_words(&path).rev().zip(path_words(without_scheme(name)).rev());
        pairs.take_while(|(own, asked)| own == asked).count()
    };
    let counts: Vec<usize> = files.iter().map(|(path, _)| agreeing(path)).collect();
    let most = counts.iter().copied().max().filter(|&most| most > 0);
    let Some(most) = most else {
        return Err(format!("no such file among the {} in memory", files.len()));
    };
    let mut best = std::iter::zip(files, counts).filter(|(_, count)| *count == most);
    match (best.next(), best.next()) {
        (Some(((path, _), _)), None) => Ok(path.clone()),
        (first, second) => {
            let named = [first, second].into_iter().flatten();
            let paths: Vec<_> = named.map(|((path, _), _)| path.display().to_string()).collect();
            Err(format!("'{}' fit equally well", paths.join("' and '")))
        }
    }
}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Rule::Folders => f.write_str("Resolver(default)"),
            Rule::Function(_) => f.write_str("Resolver(own)"),
            Rule::Memory(files) => write!(f, "Resolver({} files in memory)", files.len()),
        }
    }
}
