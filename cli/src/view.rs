//! The command `boxwood view`: a web page with a character inside.
//!
//! The page is the viewer of this repository's folder `web`, one file that needs no server. It has
//! one empty element for a character, which this command fills with the file.

use std::fs;
use std::io::Write;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use boxwood::Error;
use boxwood::load::Loader;

use crate::any_file::{self, ending};
use crate::arguments::ViewFile;
use crate::bake::check_apart;
use crate::bar;
use crate::file_facts::words;
use crate::refusal::{Refusal, complain};
use crate::report::{self, Viewed};

/// Built-in viewer page; empty if the program was built without it.
const VIEWER: &str = include_str!(concat!(env!("OUT_DIR"), "/viewer.html"));

/// Element of the page that the file replaces.
const ELEMENT: &str = r#"<script type="text/plain" id="boxwood-file" data-name=""></script>"#;

/// Checks that the file can be shown, and writes the page.
pub fn run(asked: &ViewFile, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    let (file, output) = (&asked.file, &asked.output);
    for input in [Some(file), asked.page.as_ref()].into_iter().flatten() {
        check_apart(input, output)?;
    }
    let page = viewer(asked.page.as_deref())?;
    let bytes = fs::read(file).map_err(Refusal::file(file))?;
    let warnings = check_file(file, &bytes)?;
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    let page = filled(&page, &name, &bytes).map_err(|why| {
        let page = asked.page.as_deref().unwrap_or(Path::new("the viewer in this program"));
        format!("{}: {why}", page.display())
    })?;
    fs::write(output, &page).map_err(Refusal::file(output))?;
    if json {
        let (file, output) = (report::name(file), report::name(output));
        return report::line(&Viewed { file, output, bytes: page.len(), warnings }, out);
    }
    warnings.iter().for_each(|warning| complain(warning));
    Ok(writeln!(out, "{}: {} bytes, {name} inside", output.display(), page.len())?)
}

/// Returns the page without a file.
fn viewer(page: Option<&Path>) -> Result<String, Refusal> {
    match page {
        Some(path) => fs::read_to_string(path).map_err(Refusal::file(path)),
        None if !VIEWER.is_empty() => Ok(VIEWER.to_owned()),
        None => Err(Refusal::File(
            "this program was built without the viewer. In the repository, `web/build` \
             writes web/dist/viewer.html; name it with --page, or copy it to \
             cli/viewer.html and build the program again"
                .to_owned(),
        )),
    }
}

/// Refuses files that the page can not show, where an error can be printed; returns the warnings of
/// the others.
fn check_file(file: &Path, bytes: &[u8]) -> Result<Vec<String>, Refusal> {
    let path = file.display();
    if !["glb", "gltf"].contains(&ending(file).as_str()) {
        return Err(format!("{path}: the page shows only .glb and .gltf files").into());
    }
    let bar = bar::bar();
    // Loaded from bytes: a page has no folder for files that the character refers to.
    let loaded = Loader::new().progress(&bar).gltf_bytes(bytes).map_err(|error| match error {
        Error::File { trouble, .. } => format!("{path}: {trouble}"),
        other => format!("{path}: {other}"),
    })?;
    any_file::check_parts(file, &loaded.model)?;
    Ok(words(&loaded.warnings))
}

/// Returns the page with the file in its element.
fn filled(page: &str, name: &str, bytes: &[u8]) -> Result<String, String> {
    let count = page.matches(ELEMENT).count();
    let (before, after) = match page.split_once(ELEMENT) {
        Some(around) if count == 1 => around,
        _ => {
            return Err(format!("not a viewer page: it has {ELEMENT} {count} times, not once"));
        }
    };
    let name = escaped(name);
    let mut filled = String::with_capacity(page.len() + bytes.len() / 3 * 4 + name.len() + 4);
    filled.push_str(before);
    filled.push_str(r#"<script type="text/plain" id="boxwood-file" data-name=""#);
    filled.push_str(&name);
    filled.push_str(r#"">"#);
    STANDARD.encode_string(bytes, &mut filled);
    filled.push_str("</script>");
    filled.push_str(after);
    Ok(filled)
}

/// Escapes text for an attribute of HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}
