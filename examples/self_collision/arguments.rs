//! The command line.

use std::path::PathBuf;

use boxwood::{Accuracy, SelfQuery};

use crate::command_line;

pub const HELP: &str = "\
self_collision: which parts of one character or robot touch each other

cargo example self_collision -- [FILE] [FLAGS]

  FILE                 a --robot or a --model, by the end of its name

A robot is tried at random joint values within their limits:

  --robot FILE.urdf    a robot; without: an arm made in code
  --srdf FILE.srdf     pairs of its links that are never tested
  --samples N          how many configurations (10000)
  --seed N             where the random numbers start (1)
  --neighbours N       links within that many joints are not tested against each other (1)
  --visual             links without <collision> have their <visual>

A character is tried in the frames of its clips, 60 a second:

  --model FILE         .glb, .gltf, .xml (MJCF), .bvh, .amc (with .asf), .obj, .stl; a .urdf is a --robot
  --clip NAME          what it does, or a .bvh or .amc whose joints have the same names; without: all its
                       clips, one after the other
  --scale F            lengths of .bvh and .amc files times F: 0.056444 makes metres of CMU's, 0.01 of
                       centimetres; without: as in the file, and a clip from a file as long as the bones of
                       the model

Both:

  --within LENGTH      may report parts up to that far apart, 0 or more; without: exactly
  --margin LENGTH      parts no further apart than that count as touching, 0 or more; without: 0
  --dial               instead of pairs: how many samples collide at each accuracy, and the tests that takes
  --surfaces           parts of a file are the triangles alone, without what they enclose
  --help, -h           this

Times are printed to the error stream, so that all other lines are the same in every run.";

#[derive(Debug, Clone, PartialEq)]
pub struct Arguments {
    pub robot: Option<PathBuf>,
    pub model: Option<PathBuf>,
    pub clip: Option<String>,
    pub srdf: Option<PathBuf>,
    pub samples: usize,
    pub seed: u64,
    pub neighbours: usize,
    pub accuracy: Accuracy,
    pub margin: f64,
    pub dial: bool,
    pub surfaces: bool,
    pub visual: bool,
    pub scale: Option<f64>,
    pub help: bool,
}

impl Arguments {
    /// Parses the words after the program's name.
    pub fn read(words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Arguments {
            robot: None,
            model: None,
            clip: None,
            srdf: None,
            samples: 10_000,
            seed: 1,
            neighbours: 1,
            accuracy: Accuracy::Exact,
            margin: 0.0,
            dial: false,
            surfaces: false,
            visual: false,
            scale: None,
            help: false,
        };
        let mut words = words.into_iter();
        while let Some(flag) = words.next() {
            match flag.as_str() {
                word if command_line::is_help(word) => arguments.help = true,
                "--dial" => arguments.dial = true,
                "--surfaces" => arguments.surfaces = true,
                "--visual" => arguments.visual = true,
                _ => {
                    arguments.set(&flag, || words.next().ok_or(format!("{flag} needs a value")))?
                }
            }
        }
        arguments.check().map(|()| arguments)
    }

    /// Query for each sample.
    pub fn query(&self) -> SelfQuery {
        SelfQuery::new(self.accuracy).margin(self.margin)
    }

    fn check(&self) -> Result<(), String> {
        let (robot, model) = (self.robot.is_some(), self.model.is_some());
        let wrong = [
            (robot && model, "--robot or --model, not both"),
            (self.srdf.is_some() && !robot, "--srdf needs --robot"),
            (self.clip.is_some() && !model, "--clip needs --model"),
            (self.visual && !robot, "--visual needs --robot"),
            (self.scale.is_some() && !model, "--scale needs --model"),
            (
                self.scale.is_some_and(|scale| !(scale > 0.0 && scale <= 1e6)),
                "--scale is above 0 and at most 1000000",
            ),
            (self.surfaces && !robot && !model, "--surfaces needs --robot or --model"),
        ];
        wrong.iter().find(|(is, _)| *is).map_or(Ok(()), |(_, trouble)| Err((*trouble).to_owned()))
    }

    fn set(
        &mut self,
        flag: &str,
        mut value: impl FnMut() -> Result<String, String>,
    ) -> Result<(), String> {
        match flag {
            "--robot" => self.robot = Some(value()?.into()),
            "--model" => self.add_file(value()?),
            file if !file.starts_with('-') => self.add_file(file.to_owned()),
            "--clip" => self.clip = Some(value()?),
            "--srdf" => self.srdf = Some(value()?.into()),
            "--scale" => self.scale = Some(command_line::decimal(flag, &value()?, 0.0)?),
            "--samples" => self.samples = command_line::whole(flag, &value()?, 0..=u64::MAX)?,
            "--seed" => self.seed = command_line::whole(flag, &value()?, 0..=u64::MAX)?,
            "--neighbours" => self.neighbours = command_line::whole(flag, &value()?, 0..=u64::MAX)?,
            "--within" => {
                self.accuracy = Accuracy::Within(command_line::decimal(flag, &value()?, 0.0)?)
            }
            "--margin" => self.margin = command_line::decimal(flag, &value()?, 0.0)?,
            _ => return Err(command_line::unknown(flag)),
        }
        Ok(())
    }

    fn add_file(&mut self, file: String) {
        let robot = file.to_ascii_lowercase().ends_with(".urdf");
        *(if robot { &mut self.robot } else { &mut self.model }) = Some(file.into());
    }
}
