//! Standard input as a file with the name `-`. Its contents decide how it is read.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

use boxwood::Error;
use boxwood::load::{self, Loader};
use boxwood::num::Scalar;

/// Name of standard input in errors.
const NAME: &str = "standard input";

/// Path in the errors of loaders that read bytes.
const MEMORY: &str = "bytes in memory";

/// Everything read from standard input, once in a process: several steps may read one file.
static BYTES: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();

/// Returns `true` for the name of standard input.
pub fn is_named(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Returns the name of a file in messages.
pub fn shown_name(file: &Path) -> Cow<'_, str> {
    if is_named(file) { NAME.into() } else { file.to_string_lossy() }
}

/// Returns all bytes of standard input.
fn input() -> Result<&'static [u8], String> {
    let read = || {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes).map_err(|error| error.to_string())
    };
    let read = BYTES.get_or_init(read);
    read.as_deref().map_err(|error| format!("{NAME}: {error}"))
}

/// Returns the bytes of a file, or of standard input; the error names it.
pub fn bytes(file: &Path) -> Result<Cow<'static, [u8]>, String> {
    match is_named(file) {
        true => input().map(Cow::Borrowed),
        false => {
            let read = std::fs::read(file);
            read.map(Cow::Owned).map_err(|error| format!("{}: {error}", file.display()))
        }
    }
}

/// Loads a file by its path, or standard input by its bytes.
pub fn load<T: Scalar, L>(
    file: &Path,
    loader: &Loader<'_, T>,
    by_path: impl FnOnce(&Loader<'_, T>, &Path) -> Result<L, Error>,
    by_bytes: impl FnOnce(&Loader<'_, T>, &[u8]) -> Result<L, Error>,
) -> Result<L, String> {
    if !is_named(file) {
        return by_path(loader, file).map_err(|error| error.to_string());
    }
    // Files that it refers to are looked up from the current folder.
    let loader = loader.clone().folder(".").name(NAME);
    by_bytes(&loader, input()?).map_err(|error| match error {
        Error::File { path, trouble } if path.as_os_str() == MEMORY => format!("{NAME}: {trouble}"),
        other => other.to_string(),
    })
}

/// Returns the extension of files with the contents of standard input, if they are of a known type.
pub fn ending() -> Option<&'static str> {
    ending_of(input().ok()?)
}

/// Returns the refusal of standard input with contents of no known type.
pub fn unknown() -> String {
    match input() {
        Ok([]) => format!("{NAME}: it is empty"),
        Ok(_) => format!("{NAME}: its contents are of no type that is known by its beginning"),
        Err(why) => why,
    }
}

/// Returns the extension of files with such contents.
fn ending_of(bytes: &[u8]) -> Option<&'static str> {
    let is_baked = bytes.starts_with(b"boxwood\0") || load::is_baked_robot(bytes);
    if is_baked || bytes.starts_with(b"glTF") {
        return Some(if is_baked { "baked" } else { "glb" });
    }
    if is_binary_stl(bytes) {
        return Some("stl");
    }
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    match text.chars().next()? {
        '<' => match root_element(text) {
            "robot" => Some("urdf"),
            "mujoco" | "mujocoinclude" => Some("xml"),
            _ => None,
        },
        '{' => Some(if has_colon(text) { "gltf" } else { "map" }),
        _ if text.starts_with("HIERARCHY") => Some("bvh"),
        _ if text.starts_with("solid") => Some("stl"),
        _ if text.starts_with("//") => Some("map"),
        _ if text.lines().any(|line| line.trim_start().starts_with("v ")) => Some("obj"),
        _ => None,
    }
}

/// Returns `true` for as many bytes as the number of triangles in an STL file announces.
fn is_binary_stl(bytes: &[u8]) -> bool {
    let count = bytes.get(80..84).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes);
    count.is_some_and(|count| bytes.len() as u64 == 84 + 50 * u64::from(count))
}

/// Returns the name of the first element of an XML text, after declarations and comments.
fn root_element(mut text: &str) -> &str {
    while let Some((_, rest)) = text.split_once('<') {
        let end = match () {
            () if rest.starts_with("!--") => "-->",
            () if rest.starts_with(['?', '!']) => ">",
            () => return rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default(),
        };
        text = rest.split_once(end).map_or("", |(_, after)| after);
    }
    ""
}

/// Returns `true` if a colon follows the first quoted word: a JSON object, and no entity of a map.
fn has_colon(text: &str) -> bool {
    let after = text.splitn(3, '"').nth(2).unwrap_or_default();
    after.trim_start().starts_with(':')
}
