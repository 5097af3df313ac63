//! The command line.

use std::path::PathBuf;

pub const HELP: &str = "\
depth_vs_accuracy: what each depth and tolerance gets wrong, and what it costs

cargo run --release --example depth_vs_accuracy -- [FLAGS]

  --model FILE --clip NAME   a character from a glTF file and what it does; again for more of them;
                             without: the one made in code and its kick
  --out DIR                  tables as CSV and plots as SVG
  --cases N                  hard poses a character (480)
  --tune L                   proposes a depth for every part: slack no larger than L, in units of the file
  --tune-tests N             the same with no more than N tests of boxes a frame
  --help                     this";

/// What was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Arguments {
    /// Files and the names of clips.
    pub models: Vec<(PathBuf, String)>,
    pub out: Option<PathBuf>,
    pub cases: usize,
    pub tune: Option<f64>,
    pub tune_tests: Option<u64>,
    pub help: bool,
}

impl Arguments {
    pub fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut read = Arguments {
            models: Vec::new(),
            out: None,
            cases: 480,
            tune: None,
            tune_tests: None,
            help: false,
        };
        let mut file: Option<PathBuf> = None;
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--model" => file = Some(value()?.into()),
                "--clip" => {
                    let file = file.take().ok_or("--clip needs a --model before it")?;
                    read.models.push((file, value()?));
                }
                "--out" => read.out = Some(value()?.into()),
                "--cases" => read.cases = number(&word, &value()?)?,
                "--tune" => read.tune = Some(number(&word, &value()?)?),
                "--tune-tests" => read.tune_tests = Some(number(&word, &value()?)?),
                "--help" => read.help = true,
                other => return Err(format!("no flag is called '{other}'; --help lists them")),
            }
        }
        if let Some(file) = file {
            return Err(format!("--model {} needs a --clip", file.display()));
        }
        if read.cases == 0 || read.tune.is_some_and(|slack| slack.is_nan() || slack < 0.0) {
            return Err("--cases is at least 1, --tune is not negative".to_owned());
        }
        Ok(read)
    }
}

fn number<N: std::str::FromStr>(flag: &str, word: &str) -> Result<N, String> {
    word.parse().map_err(|_| format!("{flag} {word}: not a number of that kind"))
}
