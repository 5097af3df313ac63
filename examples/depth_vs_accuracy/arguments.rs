//! The command line.

use std::path::PathBuf;

use crate::command_line;

pub const HELP: &str = "\
depth_vs_accuracy: what each depth and tolerance gets wrong, and what it costs

cargo example depth_vs_accuracy -- [FILE] [FLAGS]

  FILE                       a --model without clips named
  --model FILE --clip NAME   a character from a file (.glb, .gltf, .urdf, .bvh, .amc, .obj, .stl) and what it
                             does, or its first clip; more clips may follow, and more models; without: the
                             fighter of the examples, its jab and its kick
  --out DIR                  tables as CSV and plots as SVG
  --cases N                  hard poses a character, 1 or more (480)
  --frames N                 frames of a clip, at each of four distances, 1 or more (8)
  --tune L                   proposes a depth for every part: slack no larger than L, in units of the file,
                             0 or more
  --tune-tests N             the same with no more than N tests of boxes a frame, on average
  --help, -h                 this";

#[derive(Debug, Clone, PartialEq)]
pub struct Arguments {
    pub models: Vec<Named>,
    pub out: Option<PathBuf>,
    pub cases: usize,
    pub frames: usize,
    pub tune: Option<f64>,
    pub tune_tests: Option<u64>,
    pub help: bool,
}

/// A file, and the names of clips in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    pub file: PathBuf,
    pub clips: Vec<String>,
}

impl Default for Arguments {
    fn default() -> Self {
        Arguments {
            models: Vec::new(),
            out: None,
            cases: 480,
            frames: 8,
            tune: None,
            tune_tests: None,
            help: false,
        }
    }
}

impl Arguments {
    /// Parses the words after the program's name.
    pub fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut read = Arguments::default();
        while let Some(flag) = words.next() {
            if command_line::is_help(&flag) {
                read.help = true;
                continue;
            }
            read.set(&flag, || words.next().ok_or(format!("{flag} needs a value")))?;
        }
        Ok(read)
    }

    fn set(
        &mut self,
        flag: &str,
        mut value: impl FnMut() -> Result<String, String>,
    ) -> Result<(), String> {
        match flag {
            "--model" => self.add_file(value()?.into()),
            file if !file.starts_with('-') => self.add_file(file.into()),
            "--clip" => {
                let named = self.models.last_mut().ok_or("--clip needs a --model before it")?;
                named.clips.push(value()?);
            }
            "--out" => self.out = Some(value()?.into()),
            "--cases" => self.cases = command_line::whole(flag, &value()?, 1..=u64::MAX)?,
            "--frames" => self.frames = command_line::whole(flag, &value()?, 1..=u64::MAX)?,
            "--tune" => self.tune = Some(command_line::decimal(flag, &value()?, 0.0)?),
            "--tune-tests" => {
                self.tune_tests = Some(command_line::whole(flag, &value()?, 0..=u64::MAX)?)
            }
            _ => return Err(command_line::unknown(flag)),
        }
        Ok(())
    }

    fn add_file(&mut self, file: PathBuf) {
        // A file that is named twice is one character.
        let known = self.models.iter().position(|named| named.file == file);
        let named = known.map(|at| self.models.remove(at));
        self.models.push(named.unwrap_or(Named { file, clips: Vec::new() }));
    }
}
