//! The command `boxwood picture`: the boxes of a character or a robot, or the brushes of a level, as
//! an SVG file, without a browser.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use boxwood::brush::{BodyId, Brush};
use boxwood::load::{Level, Loader};
use boxwood::motion::{Joints, Mechanism};
use boxwood::shape::Plane;
use boxwood::{Error, Model, Pose, UpAxis};

use crate::any_file::{self, Wishes, ending};
use crate::arguments::{PictureFile, PictureUp, Reading};
use crate::bake::check_apart;
use crate::bar;
use crate::file_facts::words;
use crate::inspect_level;
use crate::refusal::{Refusal, complain};
use crate::report::{self, Pictured};
use crate::robots::check_described_flags;
use crate::solid_picture::{self, Scenery, Solid};
use crate::walks;

/// Depth of the boxes in the trees, unless it is given.
const DEPTH: u8 = 3;

/// A posed model.
struct Posed {
    model: Arc<Model>,
    poses: Vec<Pose>,
    /// Name of the clip; `None` for the rest pose and for robots.
    clip: Option<String>,
    up: UpAxis,
    warnings: Vec<String>,
}

/// Solids of a file, and what the answer says of them.
struct Shown {
    solids: Vec<Solid>,
    up: UpAxis,
    has_shadow: bool,
    /// Line of text above the picture.
    title: String,
    clip: Option<String>,
    /// Depth of boxes; `None` for brushes.
    depth: Option<u8>,
    warnings: Vec<String>,
}

/// Draws the file.
pub fn run(asked: &PictureFile, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    let (file, output) = (asked.file.as_path(), asked.output.as_path());
    check_apart(file, output)?;
    let shown = if ending(file) == "map" { level(asked)? } else { boxes(asked)? };
    let Shown { solids, has_shadow, title, clip, depth, warnings, .. } = shown;
    let up = match asked.up {
        Some(PictureUp::Y) => UpAxis::Y,
        Some(PictureUp::Z) => UpAxis::Z,
        None => shown.up,
    };
    let scenery = Scenery { up, eye: asked.eye, has_shadow, title };
    let svg = solid_picture::draw(&solids, &scenery);
    fs::write(output, &svg).map_err(Refusal::file(output))?;
    let count = |is: bool| if is { solids.len() } else { 0 };
    let pictured = Pictured {
        file: report::name(file),
        output: report::name(output),
        bytes: svg.len(),
        clip,
        time: asked.time.filter(|_| asked.clip.is_some()),
        depth,
        boxes: count(depth.is_some()),
        warnings,
        brushes: count(depth.is_none()),
    };
    if json {
        return report::line(&pictured, out);
    }
    pictured.warnings.iter().for_each(|warning| complain(warning));
    let Pictured { output, bytes, boxes, brushes, .. } = &pictured;
    match depth {
        Some(depth) => writeln!(out, "{output}: {bytes} bytes, {boxes} boxes at depth {depth}")?,
        None => writeln!(out, "{output}: {bytes} bytes, {brushes} brushes")?,
    }
    Ok(())
}

/// Returns the boxes of a character or a robot.
fn boxes(asked: &PictureFile) -> Result<Shown, Refusal> {
    if asked.cut.is_some() {
        return Err(Refusal::Usage("--cut requires a level (.map)".to_owned()));
    }
    any_file::check_ending(&asked.file, &any_file::endings_with_levels())?;
    let posed = posed(asked)?;
    any_file::check_parts(&asked.file, &posed.model)?;
    let depth = asked.depth.unwrap_or(DEPTH);
    let mut solids: Vec<Solid> = Vec::new();
    for (index, (part, pose)) in posed.model.parts().iter().zip(&posed.poses).enumerate() {
        let Some(tree) = part.tree() else { continue };
        for node in tree.cut(depth) {
            let placed = tree.node(node).oriented().transformed(pose);
            let placed = placed.map_err(|error| format!("{}: {error}", asked.file.display()))?;
            solids.push(Solid::of_box(index, &placed));
        }
    }
    let title = title(asked, &posed, depth);
    let Posed { clip, up, warnings, .. } = posed;
    Ok(Shown { solids, up, has_shadow: true, title, clip, depth: Some(depth), warnings })
}

/// Returns the solid brushes of a level, in metres, each body in another colour.
fn level(asked: &PictureFile) -> Result<Shown, Refusal> {
    let file = asked.file.as_path();
    let Reading { visual, allow_empty, scale, planes } = asked.reading;
    let flags = [
        (asked.depth.is_some(), "--depth"),
        (asked.clip.is_some(), "--clip"),
        (asked.values.is_some(), "--values"),
        (visual, "--visual"),
        (allow_empty, "--allow-empty"),
        (scale.is_some(), "--scale"),
        (planes.is_some(), "--planes"),
    ];
    if let Some((_, flag)) = flags.iter().find(|(is_given, _)| *is_given) {
        let why = "has no effect on a level, which is drawn by its brushes";
        return Err(Refusal::Usage(format!("{flag} {why}")));
    }
    let level = inspect_level::level(file, walks::SCALE)?;
    let warnings = inspect_level::words(&level);
    let solids = brushes(&level, asked.cut)
        .map_err(|error| format!("{}: --cut: {error}", file.display()))?;
    if solids.is_empty() {
        let why = if level.world.is_empty() {
            "the level has no brushes"
        } else {
            "nothing is below --cut"
        };
        return Err(format!("{}: {why}", file.display()).into());
    }
    let cut = asked.cut.map(|cut| format!(", below {cut} m")).unwrap_or_default();
    let title = format!("{}{cut}: {} brushes", shown_name(file), solids.len());
    let up = level.world.up();
    Ok(Shown { solids, up, has_shadow: false, title, clip: None, depth: None, warnings })
}

/// Returns the brushes of a level, as far as they are below a height.
fn brushes(level: &Level, cut: Option<f64>) -> Result<Vec<Solid>, Error> {
    let world = &level.world;
    let up = world.up().vector::<f64>();
    let mut solids = Vec::new();
    for id in world.ids() {
        let Some(brush) = world.brush(id) else { continue };
        let label = world.body(id).map_or(0, BodyId::index);
        let heights = || brush.corners().into_iter().map(|corner| corner.coords.dot(&up));
        match cut {
            Some(cut) if heights().all(|height| height >= cut) => {}
            Some(cut) if heights().any(|height| height > cut) => {
                let mut planes = brush.planes();
                planes.push(Plane::new(up, cut)?);
                match Brush::from_planes(&planes) {
                    Ok(rest) => solids.push(Solid::of_brush(label, &rest)),
                    // Thinner than numbers can tell.
                    Err(Error::EmptyBrush { .. }) => {}
                    Err(error) => return Err(error),
                }
            }
            _ => solids.push(Solid::of_brush(label, brush)),
        }
    }
    Ok(solids)
}

/// Loads the file, and poses it.
fn posed(asked: &PictureFile) -> Result<Posed, Refusal> {
    let file = asked.file.as_path();
    let is_robot = any_file::is_robot(file);
    check_described_flags(file, &[(asked.reading.visual, "--visual")])?;
    let wrong = [
        (asked.clip.is_some() && is_robot, "--clip requires a character; a robot has --values"),
        (asked.values.is_some() && !is_robot, "--values requires a robot; a character has --clip"),
    ];
    if let Some((_, why)) = wrong.iter().find(|(is, _)| *is) {
        return Err(Refusal::Usage((*why).to_owned()));
    }
    let bar = bar::bar();
    let loader = Loader::new().allow_empty(asked.reading.allow_empty).progress(&bar);
    let wishes = asked.reading.wishes();
    match is_robot {
        true => of_robot(asked, &loader, wishes),
        false => of_character(asked, &loader, wishes),
    }
}

fn of_robot(asked: &PictureFile, loader: &Loader<'_>, wishes: Wishes) -> Result<Posed, Refusal> {
    let robot = any_file::robot(&asked.file, loader, wishes)?;
    let (mechanism, mut poses) = (&robot.mechanism, Vec::new());
    let values = values(mechanism, asked.values.as_deref().unwrap_or_default());
    let values = values.map_err(|why| Refusal::Usage(format!("--values: {why}")))?;
    let posed = mechanism.poses(&values, &mut poses);
    posed.map_err(|error| Refusal::Usage(format!("--values: {error}")))?;
    let warnings = words(&robot.warnings);
    Ok(Posed { model: robot.model, poses, clip: None, up: UpAxis::Z, warnings })
}

fn of_character(
    asked: &PictureFile,
    loader: &Loader<'_>,
    wishes: Wishes,
) -> Result<Posed, Refusal> {
    let file = asked.file.as_path();
    let loaded = any_file::load_with(file, loader, wishes)?;
    let (mut poses, mut clip) = (loaded.model.bind_poses(), None);
    if let Some(name) = &asked.clip {
        let refused = |why: String| format!("{}: {why}", file.display());
        let found = any_file::clip_as(&loaded, Some(name), wishes).map_err(refused)?;
        let (time, mut joints) = (asked.time.unwrap_or(0.0), Joints::new());
        let sampled = found.sample(time, &mut joints);
        poses = sampled.map_err(|error| refused(error.to_string()))?.to_vec();
        clip = Some(found.name().to_owned());
    }
    let warnings = words(&loaded.warnings);
    Ok(Posed { model: loaded.model, poses, clip, up: UpAxis::Y, warnings })
}

/// Returns a value for each actuator: a list of them in their order, or of some by name (`elbow=1`)
/// and the rest values of the others.
fn values(mechanism: &Mechanism, text: &str) -> Result<Vec<f32>, String> {
    let mut values: Vec<f32> = mechanism.rest().iter().map(|&value| value as f32).collect();
    let words: Vec<&str> = text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
    let number = |word: &str| {
        let value: Option<f32> = word.trim().parse().ok().filter(|value: &f32| value.is_finite());
        value.ok_or_else(|| format!("'{word}' is not a finite number"))
    };
    if words.iter().any(|word| word.contains('=')) {
        for word in words {
            let (name, value) = word.split_once('=').ok_or_else(|| {
                format!("'{word}' has no name: either all values have one, or none")
            })?;
            let index = mechanism.actuator(name.trim()).map_err(|error| error.to_string())?;
            values[index] = number(value)?;
        }
        return Ok(values);
    }
    if !words.is_empty() {
        values = words.iter().map(|word| number(word)).collect::<Result<_, _>>()?;
    }
    Ok(values)
}

/// Returns the name of a file as pictures show it.
fn shown_name(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    if name == "-" { "standard input".to_owned() } else { name.into_owned() }
}

/// Returns the line of text above the picture of a model.
fn title(asked: &PictureFile, posed: &Posed, depth: u8) -> String {
    let pose = match (&posed.clip, &asked.values) {
        (Some(clip), _) => format!(", {clip} at {} s", asked.time.unwrap_or(0.0)),
        (None, Some(_)) => String::new(),
        (None, None) => ", at rest".to_owned(),
    };
    format!("{}{pose}: boxes at depth {depth} of the trees", shown_name(&asked.file))
}
