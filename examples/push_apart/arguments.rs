//! The command line.

use std::path::PathBuf;

use crate::command_line;

pub const HELP: &str = "\
push_apart: two characters face to face, pushed apart: how far, which way, and how steady that is

cargo example push_apart -- [FILE] [FLAGS]

Every two parts that touch, frame by frame, 60 a second, and the two characters as wholes along the ground.

  FILE, --model FILE  .glb, .gltf, .xml (MJCF), .bvh, .amc (with .asf); without: the fighter
  --clip NAME         what the first does; without: the fighter's kick, or the first clip of the file
  --against NAME      what the second does; without: the fighter's guard, or the first clip of the file
  --distance F        how far apart they stand, metres (0.9)
  --search N          compares each length with the best of N directions and descents from these, slow (0: not)
  --svg FILE          a picture: the frame of the longest way along the ground, before and after the push
  --help, -h          this

Times are printed to the error stream, so that all other lines are the same in every run.";

#[derive(Debug, Clone, PartialEq)]
pub struct Arguments {
    pub model: Option<PathBuf>,
    pub clip: Option<String>,
    pub against: Option<String>,
    pub distance: f32,
    pub search: usize,
    pub svg: Option<PathBuf>,
    pub help: bool,
}

impl Arguments {
    /// Parses the words after the program's name.
    pub fn read(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut asked = Arguments {
            model: None,
            clip: None,
            against: None,
            distance: 0.9,
            search: 0,
            svg: None,
            help: false,
        };
        let mut words = words.peekable();
        while let Some(flag) = words.next() {
            if command_line::is_help(&flag) {
                asked.help = true;
                continue;
            }
            let mut value = || words.next().ok_or(format!("{flag} takes a value"));
            match flag.as_str() {
                "--model" => asked.model = Some(value()?.into()),
                file if !file.starts_with('-') => asked.model = Some(file.into()),
                "--clip" => asked.clip = Some(value()?),
                "--against" => asked.against = Some(value()?),
                "--distance" => {
                    asked.distance = command_line::decimal(&flag, &value()?, 0.0)? as f32;
                }
                "--svg" => asked.svg = Some(value()?.into()),
                "--search" => {
                    asked.search = command_line::whole(&flag, &value()?, 0..=1_000_000)?;
                }
                _ => return Err(command_line::unknown(&flag)),
            }
        }
        Ok(asked)
    }
}
