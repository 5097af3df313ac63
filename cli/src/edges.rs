//! The command `boxwood edges`: whole edges between configurations of a robot, proved free or shown
//! to collide.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boxwood::load::{Loader, Robot};
use boxwood::robot::{Edge, EdgeChecker, EdgePart, EdgeScratch};
use boxwood::{Buffers, CharacterKey, Model, PartId, Scene, Spawn};

use crate::any_file::{self, Wishes, standard_input};
use crate::arguments::EdgesFile;
use crate::bar;
use crate::random::Random;
use crate::refusal::{Refusal, complain};
use crate::report::{self, CheckedEdge, EdgeTotals, EdgesEnd};
use crate::robots::{check_described_flags, check_robot, check_urdf_flags, with_srdf};
use crate::rows;

/// Obstacles of a robot: a scene, and the model and the file of each of its characters.
struct World<'a> {
    scene: Scene,
    characters: Vec<(CharacterKey, Arc<Model>, &'a Path)>,
}

/// Configurations of the edges, in pairs.
enum Ends {
    /// Each configuration of a list with the next.
    Rows(Vec<Vec<f32>>),
    /// Pairs of random configurations.
    Random { count: usize, length: Option<f64>, random: Random },
}

/// Checks every edge.
pub fn run(asked: &EdgesFile, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    check_inputs(asked)?;
    let file = asked.file.as_path();
    let bar = bar::bar();
    let loader = with_srdf(Loader::new().progress(&bar), asked.srdf.as_deref());
    let wishes = Wishes { visual: asked.visual, ..Wishes::default() };
    let robot = any_file::robot(file, &loader, wishes)?;
    robot.warnings.iter().for_each(|warning| complain(&warning.to_string()));
    any_file::check_parts(file, &robot.model)?;
    let mut ends = match &asked.rows {
        Some(rows) => Ends::Rows(rows::read(rows, &robot.mechanism)?),
        None => {
            let count = usize::try_from(asked.random).unwrap_or(usize::MAX);
            Ends::Random { count, length: asked.length, random: Random(asked.seed) }
        }
    };
    let world = World::load(&asked.obstacles)?;
    let mut buffers = Buffers::new();
    let now = world.scene.snapshot(&mut buffers);
    let refused = |error: boxwood::Error| format!("{}: {error}", file.display());
    let checker = EdgeChecker::new(&robot.mechanism, &robot.model).map_err(refused)?;
    let checker = checker.margin(asked.margin).tolerance(asked.tolerance);
    let checker = checker.world(&now).map_err(refused)?;
    let (mut totals, mut scratch) = (EdgeTotals::default(), EdgeScratch::default());
    let mut pair = [Vec::new(), Vec::new()];
    for edge in 0..ends.count() {
        ends.write(edge, &robot, &mut pair);
        let [from, to] = &pair;
        let found = match asked.first {
            true => checker.first(from, to, &mut scratch),
            false => checker.check(from, to, &mut scratch),
        };
        // Rows are checked when they are read, and random values are within the limits.
        let checked = checked(edge, &found.map_err(refused)?, &robot, &world);
        totals.count(&checked);
        match json {
            true => report::line(&checked, out)?,
            false => tell(&checked, asked.margin, out)?,
        }
        totals.samples += scratch.samples();
    }
    let end = EdgesEnd {
        file: report::name(file),
        obstacles: asked.obstacles.iter().map(|file| report::name(file)).collect(),
        margin: asked.margin,
        tolerance: asked.tolerance,
        seed: asked.rows.is_none().then_some(asked.seed),
        totals,
    };
    match json {
        true => report::line(&end, out),
        false => Ok(tell_totals(&end, out)?),
    }
}

/// Refuses files and flags that do not go together.
fn check_inputs(asked: &EdgesFile) -> Result<(), Refusal> {
    let inputs = asked.obstacles.iter().chain(&asked.rows).chain([&asked.file]);
    if inputs.filter(|file| standard_input::is_named(file)).count() > 1 {
        return Err(Refusal::Usage("only one file can be standard input".to_owned()));
    }
    check_robot(&asked.file)?;
    check_urdf_flags(&asked.file, &[(asked.srdf.is_some(), "--srdf")])?;
    check_described_flags(&asked.file, &[(asked.visual, "--visual")])
}

impl<'a> World<'a> {
    /// Loads obstacles, each in the pose of its file, in the robot's frame.
    fn load(files: &'a [PathBuf]) -> Result<Self, Refusal> {
        let mut world = World { scene: Scene::new(), characters: Vec::new() };
        for file in files {
            let bar = bar::bar();
            let loader = Loader::new().progress(&bar);
            let (model, warnings) = match any_file::is_robot(file) {
                true => {
                    let robot: Robot<f32> = any_file::robot(file, &loader, Wishes::default())?;
                    (robot.model, robot.warnings)
                }
                false => {
                    let loaded = any_file::load(file, &loader)?;
                    (loaded.model, loaded.warnings)
                }
            };
            warnings.iter().for_each(|warning| complain(&warning.to_string()));
            any_file::check_parts(file, &model)?;
            let key = world.scene.insert(&model, Spawn::default().at_rest(true));
            let key = key.map_err(|error| format!("{}: {error}", file.display()))?;
            world.characters.push((key, model, file));
        }
        Ok(world)
    }
}

impl Ends {
    /// Number of edges: a single configuration is an edge of no length.
    fn count(&self) -> usize {
        match self {
            Ends::Rows(rows) => rows.len().max(2) - 1,
            Ends::Random { count, .. } => *count,
        }
    }

    /// Writes the configurations at the ends of an edge; indices must ascend.
    fn write(&mut self, edge: usize, robot: &Robot<f32>, [from, to]: &mut [Vec<f32>; 2]) {
        let (count, length, random) = match self {
            Ends::Rows(rows) => {
                from.clone_from(&rows[edge]);
                to.clone_from(&rows[(edge + 1).min(rows.len() - 1)]);
                return;
            }
            Ends::Random { count, length, random } => (count, length, random),
        };
        debug_assert!(edge < *count, "an edge of the list");
        for end in [&mut *from, &mut *to] {
            robot.mechanism.sample_values(|| random.between(0.0, 1.0), end);
        }
        let between = from.iter().zip(&*to).map(|(from, to)| f64::from(to - from));
        let full = between.map(|way| way * way).sum::<f64>().sqrt();
        let Some(share) = length.map(|length| length / full).filter(|share| *share < 1.0) else {
            return;
        };
        for (from, to) in from.iter().zip(to) {
            let end = from + (*to - from) * share as f32;
            *to = end.clamp(from.min(*to), from.max(*to));
        }
    }
}

/// Returns the verdict as an answer.
fn checked(
    edge: usize,
    found: &Edge<'_, f32>,
    robot: &Robot<f32>,
    world: &World<'_>,
) -> CheckedEdge {
    let name = |model: &Model, part: PartId| model.parts()[part.index()].name().to_owned();
    let free = CheckedEdge {
        edge,
        verdict: "free",
        clearance_at_least: None,
        fraction: None,
        clear_until: None,
        slack: None,
        a: None,
        b: None,
        obstacle: None,
        values: None,
    };
    let touching = |verdict, (fraction, values, a, b): (f64, &[f32], PartId, EdgePart)| {
        let (b, obstacle) = match b {
            EdgePart::Robot(part) => (Some(name(&robot.model, part)), None),
            EdgePart::World { character, part } => {
                let mut characters = world.characters.iter();
                let found = characters.find(|(key, ..)| *key == character);
                let of = |(_, model, file): &(_, Arc<Model>, &Path)| {
                    (name(model, part), report::name(file))
                };
                found.map(of).unzip()
            }
            _ => (None, None),
        };
        let (a, values) = (Some(name(&robot.model, a)), Some(values.to_vec()));
        CheckedEdge { verdict, fraction: Some(fraction), a, b, obstacle, values, ..free.clone() }
    };
    match *found {
        Edge::Free { clearance_at_least } => {
            let clearance = Some(clearance_at_least).filter(|clearance| clearance.is_finite());
            CheckedEdge { clearance_at_least: clearance, ..free }
        }
        Edge::Collides { fraction, values, a, b, clear_until } => {
            let touching = touching("collides", (fraction, values, a, b));
            CheckedEdge { clear_until: Some(clear_until), ..touching }
        }
        Edge::Undecided { fraction, values, a, b, slack } => {
            let touching = touching("undecided", (fraction, values, a, b));
            CheckedEdge { slack: Some(slack), ..touching }
        }
        _ => CheckedEdge { verdict: "unknown", ..free },
    }
}

impl EdgeTotals {
    /// Counts an edge.
    fn count(&mut self, edge: &CheckedEdge) {
        self.edges += 1;
        match edge.verdict {
            "free" => {
                self.free += 1;
                let least = self.clearance_at_least.into_iter().chain(edge.clearance_at_least);
                self.clearance_at_least = least.min_by(f64::total_cmp);
            }
            "collides" => self.collides += 1,
            _ => self.undecided += 1,
        }
    }
}

/// Prints a line.
fn tell(edge: &CheckedEdge, margin: f64, out: &mut dyn Write) -> io::Result<()> {
    let CheckedEdge { edge, verdict, clearance_at_least, fraction, slack, a, b, obstacle, .. } =
        edge;
    write!(out, "{edge:>8}  {verdict:<9}")?;
    let (Some(fraction), Some(a), Some(b)) = (fraction, a, b) else {
        return match clearance_at_least {
            // Parts that come near are proved to be apart, and their distance is not measured.
            Some(clearance) if *clearance <= margin => writeln!(out, "  more than {margin} apart"),
            Some(clearance) => writeln!(out, "  {clearance:.6} apart at least"),
            None => writeln!(out, "  no two parts come near"),
        };
    };
    write!(out, "  at {fraction:.6}: {a} - {b}")?;
    if let Some(obstacle) = obstacle {
        write!(out, " of {obstacle}")?;
    }
    match slack {
        Some(slack) => writeln!(out, ", {slack:.6} apart at most"),
        None => writeln!(out),
    }
}

/// Prints the totals.
fn tell_totals(end: &EdgesEnd, out: &mut dyn Write) -> io::Result<()> {
    let EdgeTotals { edges, free, collides, undecided, clearance_at_least, samples } = end.totals;
    write!(out, "{edges} edges: {free} proved free, {collides} collide, {undecided} undecided")?;
    if let Some(clearance) = clearance_at_least.filter(|clearance| *clearance > end.margin) {
        write!(out, "; the free ones keep {clearance:.6}")?;
    }
    writeln!(out, "; {samples} configurations tested")
}
