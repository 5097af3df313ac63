//! The command line.

use std::path::PathBuf;

use boxwood::Detail;

use crate::fight::Rules;
use crate::flags;

pub const HELP: &str = "\
duel: two characters fight, red and blue; a line a blow says who hit whom, when and how deep

cargo example duel -- [FILE] [FILE] [FLAGS]

who fights
  FILE FILE                     red and blue from files, as --a and --b; one file fights itself
  --a FILE, --b FILE            red and blue from files: .glb, .gltf; robots from .urdf and .xml
                                (MJCF), their joints swinging; people of boxes from .bvh and .amc
                                (with .asf); still meshes from .obj and .stl; without: the fighter
                                of the examples
  --clip-a NAME, --clip-b NAME  what they do, over and over, or a .bvh or .amc whose joints have the
                                same names; without: the first clip of a file, or the script of the
                                default fight
  --scale-a F, --scale-b F      lengths of their .bvh and .amc files times F, above 0 to 1000000:
                                0.056444 makes metres of CMU's, 0.01 of centimetres; without: as in
                                the file, and clips from files fitted to the bones of who plays them
  --visual                      links of .urdf robots without <collision> have their <visual>
  --distance D                  blue stands D metres ahead of red, any finite number; without: so
                                that they meet
  --level                       they stand on brushes: a floor, a wall behind red and a low step
                                behind blue; without: they keep the height they start at
  --frames N                    how many frames of 1/60 s, 0 to 100000000 (300)

how hits are found
  --detail bodies|parts|boxes   a hit is a pair of parts that share a point (as it is without), a
                                pair of parts of which boxes overlap, or a pair of boxes
  --depth N                     boxes of --detail parts and boxes, and of --level, down to that depth
                                of each part's tree, 0 to 255 (3: a part is up to eight solid boxes;
                                32: the leaves, single triangles of the skin)

what is told
  --details                     also a line for every hit, frame by frame, before the blows
  --json FILE                   a JSON object a line, one for every hit: lengths in m, a is red; and
                                one for every push, of which blue moves by half of depth along
                                normal, red by as much the other way
  --dump DIR                    the triangles of every part in the world in m, a JSON file a frame
  --svg DIR                     a picture of every frame with a hit, and of every tenth
  --churn N                     N characters come and go first, 0 to 100000000 (0); not a line may
                                change
  --help, -h                    this

How long frames took is printed to the error stream: all other lines are the same in every run.";

/// Largest number of frames, and of characters: the times of every frame are stored.
const MOST: u64 = 100_000_000;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Arguments {
    pub files: [Option<PathBuf>; 2],
    pub clips: [Option<String>; 2],
    pub scales: [Option<f64>; 2],
    pub visual: bool,
    pub distance: Option<f32>,
    pub rules: Rules,
    pub details: bool,
    pub json: Option<PathBuf>,
    pub dump: Option<PathBuf>,
    pub svg: Option<PathBuf>,
    pub help: bool,
}

impl Arguments {
    /// Parses the words after the program's name.
    pub fn read(words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Arguments::default();
        let mut words = words.into_iter();
        let mut files = Vec::new();
        while let Some(flag) = words.next() {
            match flag.as_str() {
                file if !file.starts_with('-') => files.push(PathBuf::from(file)),
                word if flags::is_help(word) => arguments.help = true,
                "--visual" => arguments.visual = true,
                "--level" => arguments.rules.level = true,
                "--details" => arguments.details = true,
                _ => {
                    arguments.set(&flag, || words.next().ok_or(format!("{flag} needs a value")))?;
                }
            }
        }
        arguments.add_files(files)?;
        Ok(arguments)
    }

    /// Sets red and blue to files without a flag; a single one is both, unless a flag names one.
    fn add_files(&mut self, files: Vec<PathBuf>) -> Result<(), String> {
        let [first, second] = match &files[..] {
            [] => return Ok(()),
            [both] => [both, both],
            [first, second] => [first, second],
            more => return Err(format!("two fight, but {} files are named", more.len())),
        };
        if files.len() == 2 && self.files.iter().any(Option::is_some) {
            return Err("a file is named twice: with --a or --b, and without".to_owned());
        }
        self.files[0].get_or_insert(first.clone());
        self.files[1].get_or_insert(second.clone());
        Ok(())
    }

    fn set(
        &mut self,
        flag: &str,
        mut value: impl FnMut() -> Result<String, String>,
    ) -> Result<(), String> {
        match flag {
            "--a" => self.files[0] = Some(value()?.into()),
            "--b" => self.files[1] = Some(value()?.into()),
            "--clip-a" => self.clips[0] = Some(value()?),
            "--clip-b" => self.clips[1] = Some(value()?),
            "--scale-a" => self.scales[0] = Some(scale(flag, &value()?)?),
            "--scale-b" => self.scales[1] = Some(scale(flag, &value()?)?),
            "--distance" => self.distance = Some(distance(flag, &value()?)?),
            "--frames" => self.rules.frames = flags::whole(flag, &value()?, 0..=MOST)?,
            "--depth" => self.rules.depth = flags::whole(flag, &value()?, 0..=u8::MAX.into())?,
            "--detail" => self.rules.detail = detail(&value()?)?,
            "--json" => self.json = Some(value()?.into()),
            "--dump" => self.dump = Some(value()?.into()),
            "--svg" => self.svg = Some(value()?.into()),
            "--churn" => self.rules.churn = flags::whole(flag, &value()?, 0..=MOST)?,
            _ => return Err(flags::unknown(flag)),
        }
        Ok(())
    }
}

fn distance(flag: &str, text: &str) -> Result<f32, String> {
    let distance = flags::decimal(flag, text, f64::NEG_INFINITY)? as f32;
    match distance.is_finite() {
        true => Ok(distance),
        false => Err(format!("{flag} can not be '{text}': it is too large")),
    }
}

fn scale(flag: &str, text: &str) -> Result<f64, String> {
    let scale = flags::decimal(flag, text, 0.0)?;
    match scale > 0.0 && scale <= 1e6 {
        true => Ok(scale),
        false => Err(format!("{flag} is above 0 and at most 1000000, not '{text}'")),
    }
}

fn detail(text: &str) -> Result<Detail, String> {
    match text {
        "bodies" => Ok(Detail::Bodies),
        "parts" => Ok(Detail::DeepestBoxes),
        "boxes" => Ok(Detail::Boxes),
        _ => Err(format!("--detail is bodies, parts or boxes, not '{text}'")),
    }
}
