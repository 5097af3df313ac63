//! The command `boxwood view`: a web page with a character, a robot or a level inside.
//!
//! The page is the viewer of this repository's folder `web`, one file that needs no server. It has
//! one empty element for a file, which this command fills. A file that consists of one piece is
//! copied; whatever else the program reads is baked, as a page has no folder for meshes.

use std::fs;
use std::io::Write;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use boxwood::Error;
use boxwood::load::{self, Loader, MapOptions};

use crate::any_file::{self, BAKED, Wishes, ending, standard_input};
use crate::arguments::ViewFile;
use crate::bake::check_apart;
use crate::bar;
use crate::drawing::xml_text::escaped;
use crate::file_facts::words;
use crate::refusal::{Refusal, complain};
use crate::report::{self, Viewed};
use crate::robots::{check_described_flags, check_urdf_flags, with_srdf};

/// Built-in viewer page; empty if the program was built without it.
const VIEWER: &str = include_str!(concat!(env!("OUT_DIR"), "/viewer.html"));

/// Folder `web` of the clone in which the program was built; empty without one.
const WEB: &str = env!("BOXWOOD_WEB");

/// Element of the page that the file replaces.
const ELEMENT: &str = r#"<script type="text/plain" id="boxwood-file" data-name=""></script>"#;

/// A file as the page opens it.
struct ShownFile {
    name: String,
    bytes: Vec<u8>,
    warnings: Vec<String>,
}

/// Checks that the file can be shown, and writes the page.
pub fn run(asked: &ViewFile, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    let (file, output) = (&asked.file, &asked.output);
    for input in [Some(file), asked.page.as_ref()].into_iter().flatten() {
        check_apart(input, output)?;
    }
    let page = viewer(asked.page.as_deref())?;
    let ShownFile { name, bytes, warnings } = shown_file(asked)?;
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

/// Returns the page without a file: the given one, the one in this program, or the one that was
/// built in the program's clone.
fn viewer(page: Option<&Path>) -> Result<String, Refusal> {
    if let Some(path) = page {
        return fs::read_to_string(path).map_err(Refusal::file(path));
    }
    if !VIEWER.is_empty() {
        return Ok(VIEWER.to_owned());
    }
    let build = Path::new(WEB).join("build");
    let built = Path::new(WEB).join("dist").join("viewer.html");
    // The clone may be gone.
    if WEB.is_empty() || !build.exists() {
        return Err(Refusal::File(
            "this program was built without the viewer: name a viewer.html with --page; \
             a release of boxwood has one, and `web/build` in its repository writes it"
                .to_owned(),
        ));
    }
    fs::read_to_string(&built).map_err(|_| {
        Refusal::File(format!(
            "the viewer is not built: run `{}`, which writes {}, and then this again; \
             or name another viewer with --page",
            build.display(),
            built.display()
        ))
    })
}

/// Returns the file as the page opens it; refuses files that the page can not show, where an error
/// can be printed.
fn shown_file(asked: &ViewFile) -> Result<ShownFile, Refusal> {
    let file = asked.file.as_path();
    let ending = ending(file);
    check_urdf_flags(file, &[(asked.srdf.is_some(), "--srdf")])?;
    check_described_flags(file, &[(asked.visual, "--visual")])?;
    let bar = bar::bar();
    let loader = with_srdf(Loader::new().progress(&bar), asked.srdf.as_deref());
    let wishes = Wishes { visual: asked.visual, ..Wishes::default() };
    let (bytes, warnings) = match ending.as_str() {
        "glb" | "gltf" | "map" | "box" | "baked" => {
            let bytes = standard_input::bytes(file)?.into_owned();
            let warnings = check_bytes(file, &bytes, &loader)?;
            return Ok(ShownFile { name: shown_name(file, &ending), bytes, warnings });
        }
        "urdf" | "xml" => {
            let robot = any_file::robot(file, &loader, wishes)?;
            (robot.bake(), words(&robot.warnings))
        }
        other if any_file::ENDINGS.contains(&other) => {
            let loaded = any_file::load_with(file, &loader, wishes)?;
            any_file::check_parts(file, &loaded.model)?;
            (loaded.bake(), words(&loaded.warnings))
        }
        _ => {
            return Err(any_file::unknown_ending(file, &any_file::endings_with_levels()).into());
        }
    };
    let name = shown_name(file, "box");
    let bytes = bytes.map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(ShownFile { name, bytes, warnings })
}

/// Returns the name of the file in the page, with another extension.
fn shown_name(file: &Path, ending: &str) -> String {
    if standard_input::is_named(file) {
        return format!("standard_input.{ending}");
    }
    let file = match any_file::ending(file) == ending {
        true => file.to_owned(),
        false => file.with_extension(ending),
    };
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Checks a file that the page opens as it is, from its bytes: a page has no folder for files that
/// it refers to. Returns the warnings.
fn check_bytes(file: &Path, bytes: &[u8], loader: &Loader<'_>) -> Result<Vec<String>, Refusal> {
    let path = file.display();
    let refused = |error: Error| match error {
        Error::File { trouble, .. } => format!("{path}: {trouble}"),
        other => format!("{path}: {other}"),
    };
    let ending = ending(file);
    let is_baked = BAKED.contains(&ending.as_str());
    if ending == "map" {
        let level = load::map_bytes(bytes, &MapOptions::quake()).map_err(refused)?;
        if level.world.is_empty() {
            return Err(format!("{path}: the level has no brushes").into());
        }
        return Ok(level.warnings.iter().map(ToString::to_string).collect());
    }
    if is_baked && load::is_baked_robot(bytes) {
        return Ok(words(&loader.baked_robot_bytes(bytes).map_err(refused)?.warnings));
    }
    let loaded = if is_baked { loader.baked_bytes(bytes) } else { loader.gltf_bytes(bytes) };
    let loaded = loaded.map_err(refused)?;
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
