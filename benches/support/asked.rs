//! The command line of benches that print tables.

#[derive(Default)]
pub struct Asked {
    pub help: bool,
    pub quick: bool,
    pub json: Option<String>,
    words: Vec<String>,
}

impl Asked {
    pub fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut asked = Asked::default();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--help" | "-h" => asked.help = true,
                "--quick" => asked.quick = true,
                "--json" => {
                    asked.json = Some(words.next().ok_or("--json names no file to write")?);
                }
                // Cargo passes `--bench` to every bench, and `--test` to try all of them.
                "--bench" | "--test" => {}
                flag if flag.starts_with('-') => {
                    return Err(format!("unknown flag '{flag}'; --help says what there is"));
                }
                _ => asked.words.push(word),
            }
        }
        Ok(asked)
    }

    /// Returns `true` if a section is wanted, and prints its name.
    pub fn wants(&self, section: &str) -> bool {
        let wanted = self.words.is_empty() || self.words.iter().any(|word| section.contains(word));
        if wanted {
            eprintln!("{section}");
        }
        wanted
    }
}
