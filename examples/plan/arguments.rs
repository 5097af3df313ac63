//! The command line.

use std::path::PathBuf;

use shared::command_line;

pub const HELP: &str = "\
plan: a robot plans its way from one side to the other between posts; no edge of the way touches anything

cargo example plan -- [FILE] [FLAGS]

RRT-Connect in the space of joints: two trees of configurations grow towards random ones and towards each other. Each
edge is checked whole, against the robot itself and the posts, not at samples.

  FILE             a robot, .urdf; without: an arm made in code
  --srdf FILE      pairs of its links that are never tested
  --margin F       distance that is kept from everything (0.01)
  --seed N         where the random numbers start (1)
  --samples N      configurations to draw before giving up (20000)
  --shortcuts N    shortcuts to try on the way found (200)
  --svg FILE       a picture: the robot at its start, on its way, at its end
  --help, -h       this

Lengths of ways are joint angles [rad] and slides, as one distance. Times are printed to the error stream, so that all other lines
are the same in every run.";

#[derive(Debug, Clone, PartialEq)]
pub struct Arguments {
    pub robot: Option<PathBuf>,
    pub srdf: Option<PathBuf>,
    pub margin: f64,
    pub seed: u64,
    pub samples: usize,
    pub shortcuts: usize,
    pub svg: Option<PathBuf>,
    pub help: bool,
}

impl Arguments {
    /// Parses the words after the program's name.
    pub fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut asked = Arguments {
            robot: None,
            srdf: None,
            margin: 0.01,
            seed: 1,
            samples: 20_000,
            shortcuts: 200,
            svg: None,
            help: false,
        };
        while let Some(flag) = words.next() {
            let mut value = || words.next().ok_or(format!("{flag} needs a value"));
            match flag.as_str() {
                word if command_line::is_help(word) => asked.help = true,
                file if !file.starts_with('-') => asked.robot = Some(file.into()),
                "--srdf" => asked.srdf = Some(value()?.into()),
                "--margin" => asked.margin = command_line::decimal(&flag, &value()?, 0.0)?,
                "--seed" => asked.seed = command_line::whole(&flag, &value()?, 0..=u64::MAX)?,
                "--samples" => {
                    asked.samples = command_line::whole(&flag, &value()?, 1..=10_000_000)?
                }
                "--shortcuts" => {
                    asked.shortcuts = command_line::whole(&flag, &value()?, 0..=1_000_000)?;
                }
                "--svg" => asked.svg = Some(value()?.into()),
                _ => return Err(command_line::unknown(&flag)),
            }
        }
        match asked.srdf.is_some() && asked.robot.is_none() {
            true => Err("--srdf needs a FILE".to_owned()),
            false => Ok(asked),
        }
    }
}
