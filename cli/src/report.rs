//! The answers as JSON: an object a line, with these fields in this order. Fields may be added at
//! the end; none changes its name or meaning without a new major version.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use crate::refusal::Refusal;

/// Writes an object on a line of its own.
pub fn line(of: &impl Serialize, out: &mut dyn Write) -> Result<(), Refusal> {
    serde_json::to_writer(&mut *out, of)?;
    Ok(out.write_all(b"\n")?)
}

/// How a file is called in an answer: what is not UTF-8 in its name is replaced.
pub fn name(file: &Path) -> String {
    file.to_string_lossy().into_owned()
}

/// `inspect`: a file that is refused.
#[derive(Debug, Serialize)]
pub struct Refused {
    pub file: String,
    /// The reason, as it is on standard error.
    pub error: String,
}

/// `inspect`: a character or a robot.
#[derive(Debug, Serialize)]
pub struct Inspected {
    pub file: String,
    /// `character` or `robot`.
    pub kind: &'static str,
    /// Size of the file itself, without files that it refers to.
    pub file_bytes: u64,
    pub parts: usize,
    pub parts_with_geometry: usize,
    /// Parts that own their inside.
    pub solids: usize,
    pub triangles: usize,
    /// Boxes given in the file.
    pub boxes: usize,
    /// Nodes of all trees.
    pub nodes: usize,
    /// Memory of the model.
    pub model_bytes: usize,
    /// A hash of names, geometry, rules and groups, as 16 hexadecimal digits.
    pub fingerprint: String,
    pub clips: Vec<ClipLength>,
    pub actuators: Vec<ActuatorLimits>,
    /// With `--skin`, of characters that have one; else null.
    pub skin: Option<SkinCoverage>,
    pub warnings: Vec<String>,
    /// Kinds of elements that are left out without a warning, with their numbers; given `--all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harmless: Option<Vec<String>>,
}

/// A clip.
#[derive(Debug, Serialize)]
pub struct ClipLength {
    pub name: String,
    /// Seconds.
    pub duration: f32,
}

/// What moves a joint of a robot.
#[derive(Debug, Serialize)]
pub struct ActuatorLimits {
    pub name: String,
    /// Radians or lengths; null of what turns on and on.
    pub limits: Option<[f64; 2]>,
}

/// Coverage of a bending skin: what is outside eight boxes a part, and what of the parts is outside
/// the skin.
#[derive(Debug, Serialize)]
pub struct SkinCoverage {
    /// Share of corners, 0 to 1, over five moments of every clip.
    pub outside: f64,
    /// The largest distance, as a share of the character's size.
    pub farthest: f64,
    /// Share of the corners and centroids of the parts' triangles outside the skin.
    pub parts_outside: f64,
    /// The largest distance, as a share of the character's size.
    pub parts_farthest: f64,
}

/// `inspect`: a level.
#[derive(Debug, Serialize)]
pub struct InspectedLevel {
    pub file: String,
    /// `level`.
    pub kind: &'static str,
    pub file_bytes: u64,
    /// Solid convex brushes.
    pub brushes: usize,
    /// Planes, in rows of eight, and arcs around the brushes for walkers.
    pub planes: usize,
    pub arcs: usize,
    pub entities: usize,
    /// Entities of solid brushes that may move.
    pub bodies: usize,
    /// Brushes that are not solid: liquids, triggers.
    pub volumes: usize,
    /// Places where players start.
    pub starts: usize,
    pub warnings: Vec<String>,
}

/// `check`: one robot, or one clip of a character.
#[derive(Debug, Serialize)]
pub struct Checked {
    pub file: String,
    /// Of a character; null of a robot.
    pub clip: Option<String>,
    /// `exact`, `depth N` or `within L`.
    pub accuracy: String,
    pub margin: f64,
    /// Where the random numbers started; null of a character.
    pub seed: Option<u64>,
    pub parts: usize,
    pub parts_with_geometry: usize,
    /// Of a robot; null of a character.
    pub actuators: Option<usize>,
    /// Pairs of parts with geometry that are tested, of so many.
    pub pairs_tested: usize,
    pub pairs_possible: usize,
    pub samples: usize,
    /// Samples in which any pair touches.
    pub colliding: usize,
    /// The most frequent first; of equally frequent ones by the order of the parts.
    pub pairs: Vec<TouchingPair>,
    /// Written pairs with `--write-srdf`; else null.
    pub srdf: Option<WrittenSrdf>,
}

/// `check --write-srdf`: numbers of pairs, and those that were never seen to touch.
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
    /// `true` if pairs that were never seen to touch were written, too.
    pub unproved: bool,
    /// Tested pairs that touch in no sample.
    pub never: Vec<PartPair>,
}

impl WrittenSrdf {
    /// Returns the number of pairs that the file disables.
    pub fn disabled(&self) -> usize {
        let unproved = if self.unproved { self.never.len() } else { 0 };
        self.adjacent + self.given + self.always + unproved
    }
}

/// Two parts.
#[derive(Debug, Serialize)]
pub struct PartPair {
    pub a: String,
    pub b: String,
}

/// Two parts that touch.
#[derive(Debug, Serialize)]
pub struct TouchingPair {
    pub a: String,
    pub b: String,
    /// In how many samples.
    pub samples: usize,
}

/// `check --dial`: one robot or clip at one accuracy.
#[derive(Debug, Serialize)]
pub struct DialRow {
    pub file: String,
    pub clip: Option<String>,
    /// `leaves`, `depth N`, `within L` or `exact`.
    pub accuracy: String,
    pub margin: f64,
    pub samples: usize,
    pub colliding: usize,
    /// Tests in all samples together, of a yes or no each.
    pub box_tests: u64,
    pub hull_tests: u64,
    pub primitive_tests: u64,
}

/// `bake`.
#[derive(Debug, Serialize)]
pub struct Baked {
    pub file: String,
    pub output: String,
    /// Size of what was written.
    pub bytes: usize,
    pub parts: usize,
    pub clips: usize,
    pub fingerprint: String,
    pub warnings: Vec<String>,
}

/// `view`.
#[derive(Debug, Serialize)]
pub struct Viewed {
    pub file: String,
    pub output: String,
    /// Size of what was written.
    pub bytes: usize,
    pub warnings: Vec<String>,
}

/// `duel`: its first line. Then come hits and pushes, frame by frame, then blows, then the outcome.
#[derive(Debug, Serialize)]
pub struct DuelStart {
    pub red: FighterPlays,
    pub blue: FighterPlays,
    pub frames: u32,
    pub depth: u8,
    /// `parts` or `boxes`.
    pub detail: &'static str,
    /// How far blue is ahead of red, and how far to its left and up. Metres.
    pub distance: f32,
    pub aside: [f32; 2],
}

/// Who fights.
#[derive(Debug, Serialize)]
pub struct FighterPlays {
    pub file: String,
    pub clip: String,
    pub parts: usize,
    pub warnings: Vec<String>,
}

/// `duel`: a blow.
#[derive(Debug, Serialize)]
pub struct BlowLine {
    pub blow: BlowTold,
}

/// A run of frames with a hit.
#[derive(Debug, Serialize)]
pub struct BlowTold {
    /// The first frame with a hit, and the last.
    pub first: usize,
    pub last: usize,
    /// `red`, `blue`, or null if both were equally fast.
    pub attacker: Option<&'static str>,
    /// Parts of red and of blue at the attacker's fastest moment, and its speed in metres a second.
    pub red: String,
    pub blue: String,
    pub speed: f32,
    /// The greatest overlap of boxes in metres, and its frame.
    pub depth: f32,
    pub deepest: usize,
}

/// `duel`: its last line.
#[derive(Debug, Serialize)]
pub struct DuelEnd {
    pub outcome: Outcome,
}

/// What the fight came to.
#[derive(Debug, Serialize)]
pub struct Outcome {
    pub frames: usize,
    pub frames_with_hits: usize,
    pub hits: usize,
    pub blows: usize,
    pub pushes: usize,
    /// The deepest hit and the greatest slack, in metres.
    pub depth: f32,
    pub slack: f32,
}

/// `walk`.
#[derive(Debug, Serialize)]
pub struct Walked {
    pub file: String,
    pub brushes: usize,
    pub planes: usize,
    pub arcs: usize,
    pub seed: u64,
    /// Ticks of 1/60 s.
    pub frames: usize,
    /// Metres.
    pub length: f64,
    /// Ticks in which it went up a step, and in which it was in the air.
    pub steps: u32,
    pub airborne: u32,
    /// The most casts of a tick.
    pub casts: u32,
    /// The centre of the cylinder: at the start and after every tick. Metres, z up.
    pub path: Vec<[f64; 3]>,
    pub warnings: Vec<String>,
}
