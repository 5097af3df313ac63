//! Answers as JSON: an object a line, with these fields in this order. Fields may be added at the
//! end; names and meanings change only with a new major version.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use serde::Serialize;

use crate::refusal::Refusal;

/// Writes an object on a line of its own.
pub fn line(of: &impl Serialize, out: &mut dyn Write) -> Result<(), Refusal> {
    serde_json::to_writer(&mut *out, of)?;
    Ok(out.write_all(b"\n")?)
}

/// Name of a file in an answer; bytes that are not UTF-8 are replaced.
pub fn name(file: &Path) -> String {
    file.to_string_lossy().into_owned()
}

/// Line of `inspect` for a refused file.
#[derive(Debug, Serialize)]
pub struct Refused {
    pub file: String,
    /// Reason, as on standard error.
    pub error: String,
}

/// Line of `inspect` for a character or a robot.
#[derive(Debug, Serialize)]
pub struct Inspected {
    pub file: String,
    /// Either `character` or `robot`.
    pub kind: &'static str,
    /// Size of the file itself, without files that it refers to.
    pub file_bytes: u64,
    pub parts: usize,
    pub parts_with_geometry: usize,
    /// Number of solid parts.
    pub solids: usize,
    pub triangles: usize,
    /// Number of boxes given in the file.
    pub boxes: usize,
    /// Number of nodes of all trees.
    pub nodes: usize,
    /// Memory of the model [bytes].
    pub model_bytes: usize,
    /// Hash of names, geometry, rules and groups, as 16 hexadecimal digits.
    pub fingerprint: String,
    pub clips: Vec<ClipLength>,
    pub actuators: Vec<ActuatorLimits>,
    /// Coverage with `--skin` for characters that have a skin, otherwise null.
    pub skin: Option<SkinCoverage>,
    pub warnings: Vec<String>,
    /// Kinds of elements that are left out without a warning, with their numbers; with `--all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harmless: Option<Vec<String>>,
}

/// Name and duration of a clip.
#[derive(Debug, Serialize)]
pub struct ClipLength {
    pub name: String,
    /// Duration [s].
    pub duration: f32,
}

/// Name and limits of an actuator.
#[derive(Debug, Serialize)]
pub struct ActuatorLimits {
    pub name: String,
    /// Limits in radians or lengths; null for unlimited actuators.
    pub limits: Option<[f64; 2]>,
}

/// Coverage of a bent skin: what is outside eight boxes a part, and what of the parts is outside
/// the skin.
#[derive(Debug, Serialize)]
pub struct SkinCoverage {
    /// Share of vertices, 0 to 1, over five moments of every clip.
    pub outside: f64,
    /// Largest distance, as a share of the character's size.
    pub farthest: f64,
    /// Share of the vertices and centroids of the parts' triangles outside the skin.
    pub parts_outside: f64,
    /// Largest distance, as a share of the character's size.
    pub parts_farthest: f64,
}

/// Line of `inspect` for a level.
#[derive(Debug, Serialize)]
pub struct InspectedLevel {
    pub file: String,
    /// Always `level`.
    pub kind: &'static str,
    pub file_bytes: u64,
    /// Number of solid convex brushes.
    pub brushes: usize,
    /// Numbers of planes, in rows of eight, and of arcs around the brushes for walkers.
    pub planes: usize,
    pub arcs: usize,
    pub entities: usize,
    /// Number of entities of solid brushes that may move.
    pub bodies: usize,
    /// Number of brushes that are not solid: liquids, triggers.
    pub volumes: usize,
    /// Number of positions where players start.
    pub starts: usize,
    pub warnings: Vec<String>,
}

/// Line of `check` for one robot, or one clip of a character.
#[derive(Debug, Serialize)]
pub struct Checked {
    pub file: String,
    /// Name of the clip; null for a robot.
    pub clip: Option<String>,
    /// Accuracy: `exact`, `depth N` or `within L`.
    pub accuracy: String,
    pub margin: f64,
    /// Seed of the random numbers; null for a character.
    pub seed: Option<u64>,
    pub parts: usize,
    pub parts_with_geometry: usize,
    /// Number of actuators; null for a character.
    pub actuators: Option<usize>,
    /// Number of tested pairs of parts with geometry, and of all such pairs.
    pub pairs_tested: usize,
    pub pairs_possible: usize,
    pub samples: usize,
    /// Number of samples in which any pair touches.
    pub colliding: usize,
    /// Touching pairs, the most frequent first; equally frequent ones in the order of the parts.
    pub pairs: Vec<TouchingPair>,
    /// Pairs written by `--write-srdf`; otherwise null.
    pub srdf: Option<WrittenSrdf>,
}

/// Result of `check --write-srdf`: numbers of pairs, and those that touch in no sample.
#[derive(Debug, Serialize)]
pub struct WrittenSrdf {
    pub output: String,
    /// Number of pairs of one rigid piece, or of parent and child piece.
    pub adjacent: usize,
    /// Number of pairs that the file of `--srdf` disables.
    pub given: usize,
    /// Number of adjacent pairs that the file of `--srdf` enables.
    pub enabled: usize,
    /// Number of pairs that touch in every sample.
    pub always: usize,
    /// Tested pairs that touch in no sample.
    pub never: Vec<PartPair>,
}

impl WrittenSrdf {
    /// Returns the number of pairs that the file disables.
    pub fn disabled(&self) -> usize {
        self.adjacent + self.given + self.always
    }
}

/// Names of two parts.
#[derive(Debug, Serialize)]
pub struct PartPair {
    pub a: String,
    pub b: String,
}

/// Line of `matrix`.
#[derive(Debug, Serialize)]
pub struct Matrix {
    pub file: String,
    pub margin: f64,
    pub seed: u64,
    pub samples: usize,
    /// All pairs of links with geometry whose groups interact, in their order.
    pub pairs: Vec<DecidedPair>,
    /// The SRDF file that was written; otherwise null.
    pub output: Option<String>,
}

/// Two links and the verdict on them.
#[derive(Debug, Serialize)]
pub struct DecidedPair {
    pub a: String,
    pub b: String,
    /// `never` and `always` are proved, `sometimes` has a witness; `undecided`.
    pub verdict: &'static str,
    /// Number of samples in which the two touch.
    pub touching: usize,
    /// Number of times that the proof split the joint values.
    pub splits: usize,
    /// Joint values at which the two touch; otherwise null.
    pub witness: Option<Vec<f64>>,
    /// Least distance where the proof of an undecided pair stopped; otherwise null.
    pub least_gap: Option<f64>,
    /// `true` if the file of `--srdf` disables the pair, which touches in some configurations.
    pub disabled_although_touching: bool,
}

/// Line of `edges` for an edge.
#[derive(Debug, Clone, Serialize)]
pub struct CheckedEdge {
    /// Index of the edge, from 0.
    pub edge: usize,
    /// `free` is proved, `collides` has an example; `undecided`.
    pub verdict: &'static str,
    /// Lower bound on the distance of all parts on a free edge; null if no two parts come near.
    pub clearance_at_least: Option<f64>,
    /// Share of the edge at which two parts touch or come near; null for a free edge.
    pub fraction: Option<f64>,
    /// Share of the edge before which it is proved free, with `--first`, otherwise 0; null unless
    /// the edge collides.
    pub clear_until: Option<f64>,
    /// Largest distance of the two parts of an undecided edge beyond the margin.
    pub slack: Option<f64>,
    /// Names of the two parts; null for a free edge.
    pub a: Option<String>,
    pub b: Option<String>,
    /// File of the second part; null if it is one of the robot.
    pub obstacle: Option<String>,
    /// Joint values at the fraction; null for a free edge.
    pub values: Option<Vec<f32>>,
}

/// Last line of `edges`.
#[derive(Debug, Serialize)]
pub struct EdgesEnd {
    pub file: String,
    pub obstacles: Vec<String>,
    pub margin: f64,
    pub tolerance: f64,
    /// Seed of the random numbers; null with `--rows`.
    pub seed: Option<u64>,
    pub totals: EdgeTotals,
}

/// Numbers of edges by verdict.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct EdgeTotals {
    pub edges: usize,
    pub free: usize,
    pub collides: usize,
    pub undecided: usize,
    /// Least of the clearances of free edges; null without one.
    pub clearance_at_least: Option<f64>,
    /// Number of configurations that were tested as a whole.
    pub samples: u64,
}

/// Line of `diff`.
#[derive(Debug, Serialize)]
pub struct Compared {
    /// The two files.
    pub a: String,
    pub b: String,
    pub equal: bool,
    pub differences: Vec<Difference>,
}

/// An item that one file has, or a field with two values.
#[derive(Debug, Serialize)]
pub struct Difference {
    /// Kind of the item: `file`, `part`, `joint`, `link`, `actuator`, `clip`, `pair`; of a level
    /// `file`, `entity`, `brush`, `volume`.
    pub kind: &'static str,
    pub name: String,
    /// `a` or `b` if only that file has the item; otherwise null.
    pub only_in: Option<&'static str>,
    /// Name of the field, and its values; null for an item that one file has.
    pub field: Option<Cow<'static, str>>,
    pub a: Option<String>,
    pub b: Option<String>,
}

/// Line of `picture`.
#[derive(Debug, Serialize)]
pub struct Pictured {
    pub file: String,
    pub output: String,
    /// Size of the output.
    pub bytes: usize,
    /// Name of the clip; null for the rest pose and for robots.
    pub clip: Option<String>,
    /// Time in the clip [s]; null without one.
    pub time: Option<f32>,
    /// Depth of the boxes; null for a level.
    pub depth: Option<u8>,
    pub boxes: usize,
    pub warnings: Vec<String>,
    /// Number of brushes of a level; 0 for others.
    pub brushes: usize,
}

/// Names of two parts that touch.
#[derive(Debug, Serialize)]
pub struct TouchingPair {
    pub a: String,
    pub b: String,
    /// Number of samples in which they touch.
    pub samples: usize,
}

/// Line of `check --dial` for one robot or clip at one accuracy.
#[derive(Debug, Serialize)]
pub struct DialRow {
    pub file: String,
    pub clip: Option<String>,
    /// Accuracy: `leaves`, `depth N`, `within L` or `exact`.
    pub accuracy: String,
    pub margin: f64,
    pub samples: usize,
    pub colliding: usize,
    /// Numbers of tests in all samples together, with one predicate each.
    pub box_tests: u64,
    pub hull_tests: u64,
    pub primitive_tests: u64,
}

/// Line of `bake`.
#[derive(Debug, Serialize)]
pub struct Baked {
    pub file: String,
    pub output: String,
    /// Size of the output.
    pub bytes: usize,
    pub parts: usize,
    /// Number of clips; 0 for a robot.
    pub clips: usize,
    pub fingerprint: String,
    pub warnings: Vec<String>,
    /// Either `character` or `robot`.
    pub kind: &'static str,
    /// Number of actuators; null for a character.
    pub actuators: Option<usize>,
}

/// Line of `view`.
#[derive(Debug, Serialize)]
pub struct Viewed {
    pub file: String,
    pub output: String,
    /// Size of the output.
    pub bytes: usize,
    pub warnings: Vec<String>,
}

/// First line of `duel`, followed by hits and pushes of all frames, blows, and the outcome.
#[derive(Debug, Serialize)]
pub struct DuelStart {
    pub red: FighterPlays,
    pub blue: FighterPlays,
    pub frames: u32,
    pub depth: u8,
    /// One of `bodies`, `parts`, `boxes`.
    pub detail: &'static str,
    /// Distance of blue ahead of red, and to its left and up [m].
    pub distance: f32,
    pub aside: [f32; 2],
}

/// A fighter and its clip.
#[derive(Debug, Serialize)]
pub struct FighterPlays {
    pub file: String,
    pub clip: String,
    pub parts: usize,
    pub warnings: Vec<String>,
}

/// Line of `duel` for a blow.
#[derive(Debug, Serialize)]
pub struct BlowLine {
    pub blow: BlowTold,
}

/// A run of frames with a hit.
#[derive(Debug, Serialize)]
pub struct BlowTold {
    /// First and last frame with a hit.
    pub first: usize,
    pub last: usize,
    /// Attacker: `red`, `blue`, or null if both are equally fast.
    pub attacker: Option<&'static str>,
    /// Parts of red and of blue at the attacker's fastest contact, and its speed [m/s].
    pub red: String,
    pub blue: String,
    pub speed: f32,
    /// Greatest depth of a hit [m], and its frame.
    pub depth: f32,
    pub deepest: usize,
}

/// Last line of `duel`.
#[derive(Debug, Serialize)]
pub struct DuelEnd {
    pub outcome: Outcome,
}

/// Results of the fight.
#[derive(Debug, Serialize)]
pub struct Outcome {
    pub frames: usize,
    pub frames_with_hits: usize,
    pub hits: usize,
    pub blows: usize,
    pub pushes: usize,
    /// Depth of the deepest hit, and greatest slack [m].
    pub depth: f32,
    pub slack: f32,
}

/// Line of `walk`.
#[derive(Debug, Serialize)]
pub struct Walked {
    pub file: String,
    pub brushes: usize,
    pub planes: usize,
    pub arcs: usize,
    pub seed: u64,
    /// Number of ticks of 1/60 s.
    pub frames: usize,
    /// Length of the path [m].
    pub length: f64,
    /// Numbers of ticks in which the cylinder climbed a step, and in which it was in the air.
    pub steps: u32,
    pub airborne: u32,
    /// Largest number of casts in a tick.
    pub casts: u32,
    /// Centre of the cylinder at the start and after every tick [m, z up].
    pub path: Vec<[f64; 3]>,
    pub warnings: Vec<String>,
}
