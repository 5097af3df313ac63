//! The command line: commands, and flags with their ranges.

use std::path::PathBuf;
use std::str::FromStr;

use boxwood::{Accuracy, Detail, SelfQuery};
use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use clap_complete::Shell;

use crate::any_file::Wishes;
use crate::walks;

/// Collision queries for characters, robots and levels, by box trees that never miss a contact
#[derive(Debug, Parser)]
#[command(
    name = "boxwood",
    version,
    after_help = "\
Examples:
  boxwood inspect Knight.glb panda.urdf e1m1.map
  boxwood check panda.urdf --srdf panda.srdf -n 100000
  boxwood duel Knight.glb CesiumMan.glb --clip-a Kick

Files: .glb, .gltf, .obj, .stl, .urdf, .xml (MJCF), .bvh, .amc (its .asf beside it), .baked, .box;
levels: .map; - is standard input.
Exit codes: 0; 1 a file is refused or cannot be written; 2 a mistake on the command line.
Of diff: 0; 1 the files differ; 2 a file is refused, or a mistake on the command line."
)]
pub struct Arguments {
    /// Answers in JSON, an object a line, instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Command to run
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Prints the contents of files: parts, triangles, solids, bytes, clips, joints, warnings
    Inspect(InspectFiles),
    /// Finds the touching parts of a robot, at random joint values, or of a character, in its clips
    Check(CheckFile),
    /// Proves which links of a robot never touch, and finds where the others do
    Matrix(MatrixFile),
    /// Proves whole edges between configurations of a robot free, or finds where they collide
    Edges(EdgesFile),
    /// Writes a character or a robot with its trees built, which loads in milliseconds
    Bake(BakeFile),
    /// Compares two characters, robots or levels: parts, joints, limits, clips, trees, brushes
    Diff(DiffFiles),
    /// Plays clips of two characters that touch: every blow on a line, or every hit as JSON
    Duel(DuelFiles),
    /// Draws the boxes of a character or a robot, or a level, as an SVG file
    Picture(PictureFile),
    /// Writes a web page with a character, a robot or a level inside, which opens without a server
    View(ViewFile),
    /// Walks an upright cylinder at random through a level
    Walk(WalkMap),
    /// Prints a script that completes commands and flags in a shell
    #[command(after_help = "\
Examples:
  boxwood completions bash > ~/.local/share/bash-completion/completions/boxwood
  boxwood completions fish > ~/.config/fish/completions/boxwood.fish")]
    Completions {
        /// Shell to complete in
        shell: Shell,
    },
}

/// Options for what a file does not determine.
#[derive(Debug, Clone, Copy, Args)]
pub struct Reading {
    /// Use the <visual> of .urdf links without <collision>, and of .xml bodies the geoms that
    /// collide with nothing
    #[arg(long)]
    pub visual: bool,
    /// Read robots of which no link can collide, for their joints alone
    #[arg(long)]
    pub allow_empty: bool,
    /// Factor of the lengths of .bvh and .amc files: 0.056444 makes metres of CMU's, 0.01 of
    /// centimetres
    #[arg(long, value_name = "F", value_parser = scale)]
    pub scale: Option<f64>,
    /// Include the planes of .xml files, up to this length from their origins
    #[arg(long, value_name = "LENGTH", value_parser = positive)]
    pub planes: Option<f64>,
}

impl Reading {
    /// Returns the options for the loader of any file.
    pub fn wishes(self) -> Wishes {
        Wishes { scale: self.scale, visual: self.visual, planes: self.planes }
    }
}

/// Arguments of `boxwood inspect`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  boxwood inspect Knight.glb
  boxwood inspect --skin characters/*.glb
  boxwood inspect --json *.urdf | jq 'select(.warnings != [])'
  xacro arm.urdf.xacro | boxwood inspect -

A file that is refused is named on standard error and the others are still read; the exit
code is then 1.")]
pub struct InspectFiles {
    /// Files of characters, robots, levels
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub reading: Reading,
    /// Add how much of a bent skin is outside its parts' boxes; takes longer
    #[arg(long)]
    pub skin: bool,
    /// Add what a .glb, .gltf, .urdf or .xml file contains and is left out without a warning,
    /// because it changes neither geometry nor motion
    #[arg(long)]
    pub all: bool,
}

/// Arguments of `boxwood check`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  boxwood check panda.urdf --srdf panda.srdf -n 100000
  boxwood check panda.urdf --margin 0.02 --within 0.001
  boxwood check humanoid.xml --dial
  boxwood check Knight.glb --clip '*Attack*' --json
  boxwood check arm.urdf --write-srdf arm.srdf -n 100000

Robots (.urdf, .xml, baked ones) are tried at random joint values within their limits, characters
in the frames of their clips.")]
pub struct CheckFile {
    /// File of a robot or a character
    pub file: PathBuf,
    /// SRDF file with pairs of links that are never tested; .urdf
    #[arg(long, value_name = "FILE")]
    pub srdf: Option<PathBuf>,
    /// Number of configurations of a robot; default 10000
    #[arg(short = 'n', long, value_name = "N", value_parser = samples)]
    pub samples: Option<u64>,
    /// Seed of the random numbers; default 1
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    pub seed: Option<u64>,
    /// Number of joints within which parts are not tested; default 1 for robots, 2 for glTF
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub neighbours: Option<usize>,
    #[command(flatten)]
    pub reading: Reading,
    /// Clips of a character by name or pattern, or a .bvh or .amc whose joints have the same names;
    /// default: all clips
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// Make parts of triangles alone, without their inside
    #[arg(long)]
    pub surfaces: bool,
    /// Test boxes down to this depth of each part's tree, instead of exactly
    #[arg(long, value_name = "N", conflicts_with = "within")]
    pub depth: Option<u8>,
    /// Allow reports of parts up to this far apart, instead of exact ones
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    pub within: Option<f64>,
    /// Report parts no further apart than this as touching
    #[arg(long, value_name = "LENGTH", value_parser = length, default_value_t = 0.0)]
    pub margin: f64,
    /// Print instead of pairs: samples that collide at each accuracy, and the number of tests
    #[arg(long, conflicts_with_all = ["depth", "within"])]
    pub dial: bool,
    /// Write the pairs that need no test: adjacent ones, those that touch in every sample; .urdf
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "within", "margin", "dial"])]
    pub write_srdf: Option<PathBuf>,
}

/// Largest number of configurations of a robot.
const MOST_SAMPLES: u64 = 100_000_000;

impl CheckFile {
    /// Accuracy of the query.
    pub fn accuracy(&self) -> Accuracy {
        let depth = self.depth.map(Accuracy::Depth);
        depth.or(self.within.map(Accuracy::Within)).unwrap_or(Accuracy::Exact)
    }

    /// Query for each sample.
    pub fn query(&self) -> SelfQuery {
        SelfQuery::new(self.accuracy()).margin(self.margin)
    }
}

/// Arguments of `boxwood matrix`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  boxwood matrix panda.urdf
  boxwood matrix panda.urdf --srdf panda.srdf
  boxwood matrix arm.urdf -o arm.srdf -n 100000

A pair is `never` or `always` by proof, over all joint values within the limits; `sometimes` with
a configuration at which the two touch.")]
pub struct MatrixFile {
    /// File of a robot: .urdf, .xml (MJCF) or a baked one
    pub file: PathBuf,
    /// SRDF file to judge: each pair that it disables although it touches is warned of; .urdf
    #[arg(long, value_name = "FILE")]
    pub srdf: Option<PathBuf>,
    /// SRDF file to write, with the pairs that touch never or always; .urdf
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Number of random configurations that look for pairs that touch
    #[arg(short = 'n', long, value_name = "N", value_parser = samples, default_value_t = 10_000)]
    pub samples: u64,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", value_parser = whole::<u64>, default_value_t = 1)]
    pub seed: u64,
    /// Number of splits after which the proof of a pair stops
    #[arg(long, value_name = "N", value_parser = whole::<u64>, default_value_t = 200_000)]
    pub splits: u64,
    /// Distance up to which parts count as touching
    #[arg(long, value_name = "LENGTH", value_parser = length, default_value_t = 0.0)]
    pub margin: f64,
    /// Use the <visual> of .urdf links without <collision>, and of .xml bodies the geoms that
    /// collide with nothing
    #[arg(long)]
    pub visual: bool,
}

/// Arguments of `boxwood edges`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  boxwood edges panda.urdf --srdf panda.srdf --random 1000 --length 0.5
  boxwood edges panda.urdf --rows path.csv --obstacles table.stl --margin 0.01
  planner | boxwood edges arm.urdf --rows - --json | jq 'select(.verdict == \"collides\")'

An edge is the straight way between two configurations. `free` is a proof for all configurations on
it, `collides` has one that collides; `undecided` is one on which two parts come within the
tolerance.")]
pub struct EdgesFile {
    /// File of a robot: .urdf, .xml (MJCF) or a baked one
    pub file: PathBuf,
    /// SRDF file with pairs of links that are never tested; .urdf
    #[arg(long, value_name = "FILE")]
    pub srdf: Option<PathBuf>,
    /// File with a configuration a line: values of all joints, with commas or spaces between; a
    /// first line may name the joints. An edge goes from each line to the next
    #[arg(long, value_name = "FILE")]
    pub rows: Option<PathBuf>,
    /// Number of edges between random configurations
    #[arg(long, value_name = "N", value_parser = samples, default_value_t = 1000)]
    #[arg(conflicts_with = "rows")]
    pub random: u64,
    /// Longest random edge, in radians or lengths: the root of the sum of squares of all joints
    #[arg(long, value_name = "RAD", value_parser = positive, conflicts_with = "rows")]
    pub length: Option<f64>,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", value_parser = whole::<u64>, default_value_t = 1)]
    #[arg(conflicts_with = "rows")]
    pub seed: u64,
    /// Distance up to which parts count as touching
    #[arg(long, value_name = "LENGTH", value_parser = length, default_value_t = 0.0)]
    pub margin: f64,
    /// Distance beyond the margin below which two parts may be left undecided
    #[arg(long, value_name = "LENGTH", value_parser = positive, default_value_t = 0.001)]
    pub tolerance: f64,
    /// File of an obstacle in the robot's frame: a mesh, a character, a robot at rest; may be
    /// repeated
    #[arg(long, value_name = "FILE")]
    pub obstacles: Vec<PathBuf>,
    /// Find the first collision of an edge, instead of any
    #[arg(long)]
    pub first: bool,
    /// Use the <visual> of .urdf links without <collision>, and of .xml bodies the geoms that
    /// collide with nothing
    #[arg(long)]
    pub visual: bool,
}

/// Arguments of `boxwood bake`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  boxwood bake Knight.glb -o Knight.baked
  boxwood bake panda.urdf --srdf panda.srdf -o panda.box

A robot is baked as a robot, with its joints, limits and pairs. A file is read by its contents: .box
and .baked are the same.")]
pub struct BakeFile {
    /// File of a character or a robot
    pub file: PathBuf,
    /// File to write; its name should end in .baked or .box
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// SRDF file with pairs of links that are never tested; .urdf
    #[arg(long, value_name = "FILE")]
    pub srdf: Option<PathBuf>,
    #[command(flatten)]
    pub reading: Reading,
}

/// Arguments of `boxwood diff`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  boxwood diff panda.urdf panda_new.urdf
  boxwood diff Knight.glb Knight.baked && echo up to date
  boxwood diff A.glb B.glb --json | jq '.differences[] | select(.only_in)'
  boxwood diff hall.map hall_new.map

Exit codes: 0 the files are equal; 1 they differ; 2 a file is refused, or a mistake on the command
line.")]
pub struct DiffFiles {
    /// File of a character, a robot or a level
    pub a: PathBuf,
    /// File that it is compared with
    pub b: PathBuf,
    #[command(flatten)]
    pub reading: Reading,
}

/// Arguments of `boxwood picture`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  boxwood picture Knight.glb -o knight.svg --depth 2
  boxwood picture Knight.glb -o kick.svg --clip Kick --time 0.4
  boxwood picture panda.urdf -o panda.svg --values panda_joint2=0.5,panda_joint4=-2
  boxwood picture arm.urdf -o above.svg --eye 0,0,1
  boxwood picture e1m1.map -o e1m1.svg --cut 2

A level is drawn by its brushes, those that may move in other colours.")]
pub struct PictureFile {
    /// File of a character, a robot or a level
    pub file: PathBuf,
    /// SVG file to write
    #[arg(short, long, visible_alias = "out", value_name = "SVG")]
    pub output: PathBuf,
    /// Depth of the boxes in each part's tree; 32: the leaves; default 3
    #[arg(long, value_name = "N")]
    pub depth: Option<u8>,
    /// Clip of a character by name or pattern, or a .bvh or .amc whose joints have the same names;
    /// default: the rest pose
    #[arg(long, value_name = "NAME")]
    pub clip: Option<String>,
    /// Time in the clip, in seconds; default 0
    #[arg(long, value_name = "T", value_parser = finite, requires = "clip")]
    pub time: Option<f32>,
    /// Values of all joints of a robot, or of some by name: 0.1,0.2 or elbow=1; default: at rest
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true)]
    pub values: Option<String>,
    /// Height in metres above which a level is left out, so that its rooms are open
    #[arg(long, value_name = "HEIGHT", value_parser = height, allow_negative_numbers = true)]
    pub cut: Option<f64>,
    /// Axis that is up; default: y for characters, z for robots and levels
    #[arg(long, value_enum)]
    pub up: Option<PictureUp>,
    /// Direction to the eye; default: from the front, the side and above
    #[arg(long, value_name = "X,Y,Z", value_parser = direction, allow_hyphen_values = true)]
    pub eye: Option<[f64; 3]>,
    #[command(flatten)]
    pub reading: Reading,
}

/// Axis that is up in a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureUp {
    /// Axis of characters, as in glTF
    Y,
    /// Axis of robots and levels
    Z,
}

/// Arguments of `boxwood duel`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  boxwood duel Knight.glb CesiumMan.glb --clip-a 1H_Melee_Attack_Chop
  boxwood duel fighter.glb --clip-a kick --clip-b guard --frames 120 --details
  boxwood duel A.glb B.glb --json | jq 'select(.depth)'")]
pub struct DuelFiles {
    /// File of red: a character
    pub a: PathBuf,
    /// File of blue; default: red's
    pub b: Option<PathBuf>,
    /// Clip that red repeats, by name or pattern, or a .bvh or .amc of the same joints; default: its
    /// first clip
    #[arg(long, value_name = "NAME")]
    pub clip_a: Option<String>,
    /// Clip that blue repeats
    #[arg(long, value_name = "NAME")]
    pub clip_b: Option<String>,
    /// Factor of the lengths of red's .bvh and .amc files; default: as in the file
    #[arg(long, value_name = "F", value_parser = scale)]
    pub scale_a: Option<f64>,
    /// Factor of the lengths of blue's files
    #[arg(long, value_name = "F", value_parser = scale)]
    pub scale_b: Option<f64>,
    /// Use the <visual> of .urdf links without <collision>, and of .xml bodies the geoms that
    /// collide with nothing
    #[arg(long)]
    pub visual: bool,
    /// Distance of blue ahead of red, in metres; default: so that they touch
    #[arg(long, value_name = "D", value_parser = finite, allow_negative_numbers = true)]
    pub distance: Option<f32>,
    /// Place both on brushes: a floor, a wall behind red, a low step behind blue
    #[arg(long)]
    pub level: bool,
    /// Number of frames of 1/60 s
    #[arg(long, value_name = "N", default_value_t = 300)]
    #[arg(value_parser = value_parser!(u32).range(0..=1_000_000))]
    pub frames: u32,
    /// Depth of the boxes in each part's tree, for --detail parts and boxes and --level; 32: the
    /// leaves
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub depth: u8,
    /// Kind of pair that is a hit
    #[arg(long, value_enum, default_value_t = HitDetail::Bodies)]
    pub detail: HitDetail,
    /// Print also a line for every hit, before the blows
    #[arg(long)]
    pub details: bool,
}

/// Kind of pair that a hit is.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum HitDetail {
    /// Parts that share a point, with the contact of the two bodies
    Bodies,
    /// Parts of which boxes overlap, with the contact of the deepest
    Parts,
    /// Boxes of their trees
    Boxes,
}

impl From<HitDetail> for Detail {
    fn from(detail: HitDetail) -> Self {
        match detail {
            HitDetail::Bodies => Detail::Bodies,
            HitDetail::Parts => Detail::DeepestBoxes,
            HitDetail::Boxes => Detail::Boxes,
        }
    }
}

/// Arguments of `boxwood view`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  boxwood view Knight.glb -o knight.html
  boxwood view panda.urdf --srdf panda.srdf -o panda.html
  boxwood view e1m1.map --page web/dist/viewer.html -o e1m1.html

Robots, and files of meshes and recorded motion, are baked into the page. It opens without a server.")]
pub struct ViewFile {
    /// File of a character (.gltf with its buffers inside), a robot, a level, or a baked one
    pub file: PathBuf,
    /// SRDF file with pairs of links that are never tested; .urdf
    #[arg(long, value_name = "FILE")]
    pub srdf: Option<PathBuf>,
    /// Use the <visual> of .urdf links without <collision>, and of .xml bodies the geoms that
    /// collide with nothing
    #[arg(long)]
    pub visual: bool,
    /// Page to write
    #[arg(short, long, value_name = "PAGE")]
    pub output: PathBuf,
    /// Viewer to put the file into, instead of the built-in one
    #[arg(long, value_name = "PATH")]
    pub page: Option<PathBuf>,
}

/// Arguments of `boxwood walk`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  boxwood walk e1m1.map
  boxwood walk e1m1.map --frames 36000 --seed 7 --json | jq '.path[-1]'
  boxwood walk hall.map --from 4,-2,1.5 --path")]
pub struct WalkMap {
    /// File of a level: Quake's .map
    pub map: PathBuf,
    /// Number of ticks of 1/60 s
    #[arg(long, value_name = "N", default_value_t = 3600)]
    #[arg(value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub frames: u32,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", value_parser = whole::<u64>, default_value_t = 1)]
    pub seed: u64,
    /// Metres in a unit of the map
    #[arg(long, value_name = "F", value_parser = scale, default_value_t = walks::SCALE)]
    pub scale: f64,
    /// Start of the cylinder's centre, in metres; default: where players start
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    pub from: Option<[f64; 3]>,
    /// Print also its position at every tick, before the rest; JSON always has it
    #[arg(long)]
    pub path: bool,
}

/// Parses a number of configurations.
fn samples(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number <= MOST_SAMPLES);
    number.ok_or_else(|| format!("it must be a whole number from 0 to {MOST_SAMPLES}"))
}

/// Parses a whole number.
fn whole<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse()
        .map_err(|_| "it must be a whole number of at least 0, and not too large".to_owned())
}

/// Parses a factor above 0, at most a million.
fn scale(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor: &f64| *factor > 0.0 && *factor <= 1e6);
    factor.ok_or_else(|| "it must be above 0 and at most 1000000".to_owned())
}

/// Parses a finite length of at least 0.
fn length(text: &str) -> Result<f64, String> {
    let length = text.parse().ok().filter(|length: &f64| length.is_finite() && *length >= 0.0);
    length.ok_or_else(|| "it must be a finite number of at least 0".to_owned())
}

/// Parses a finite number above 0.
fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "it must be a finite number above 0".to_owned())
}

/// Parses a finite number in single precision.
fn finite(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite());
    number.ok_or_else(|| "it must be a finite number".to_owned())
}

/// Parses a finite height that coordinates may have.
fn height(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.abs() <= 1e6);
    number.ok_or_else(|| "it must be a number between -1000000 and 1000000".to_owned())
}

/// Parses three finite numbers between commas.
fn place(text: &str) -> Result<[f64; 3], String> {
    let numbers =
        text.split(',').map(|word| word.trim().parse().ok().filter(|x: &f64| x.is_finite()));
    let numbers: Option<Vec<f64>> = numbers.collect();
    let place = numbers.and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
    place.ok_or_else(|| "it must be three finite numbers separated by commas".to_owned())
}

/// Parses three finite numbers, not all 0, between commas.
fn direction(text: &str) -> Result<[f64; 3], String> {
    let direction = place(text)?;
    let size = direction.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    match (1e-6..=1e6).contains(&size) {
        true => Ok(direction),
        false => Err("the largest of its numbers must be between 1e-6 and 1e6".to_owned()),
    }
}
