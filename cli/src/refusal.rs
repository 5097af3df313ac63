//! Reasons why a command fails, and their exit codes.

use std::io;
use std::path::Path;
use std::process::ExitCode;

/// A refused request.
#[derive(Debug)]
pub enum Refusal {
    /// A file, named in the text, that is refused or can not be read or written: exit code 1.
    File(String),
    /// Several files of which some were refused and reported at once: exit code 1.
    Told,
    /// Two files that differ, as the answer says: exit code 1.
    Different,
    /// A file like [`Refusal::File`] of a command whose exit code 1 has another meaning: exit code
    /// 2.
    Trouble(String),
    /// Contradictory or wrong words of the command line: exit code 2.
    Usage(String),
    /// Failure of standard output: exit code 1; 0 if its reader closed it.
    Output(io::Error),
}

impl Refusal {
    /// Refusal of a file that the system can not read or write.
    pub fn file(path: &Path) -> impl Fn(io::Error) -> Refusal {
        move |error| Refusal::File(format!("{}: {error}", path.display()))
    }

    /// Prints the reason on standard error; returns the exit code.
    pub fn tell(self) -> ExitCode {
        match self {
            Refusal::File(why) => {
                complain(&why);
                ExitCode::from(1)
            }
            Refusal::Told | Refusal::Different => ExitCode::from(1),
            Refusal::Trouble(why) => {
                complain(&why);
                ExitCode::from(2)
            }
            Refusal::Usage(why) => {
                complain(&format!("{why}; --help has examples"));
                ExitCode::from(2)
            }
            Refusal::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                ExitCode::SUCCESS
            }
            Refusal::Output(error) => {
                complain(&format!("standard output: {error}"));
                ExitCode::from(1)
            }
        }
    }
}

/// Prints a line on standard error and ignores failures: without a reader there is nothing to do.
pub fn complain(line: &str) {
    use io::Write;
    let _ = writeln!(io::stderr(), "boxwood: {line}");
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Refusal::File(why)
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Refusal::Output(error)
    }
}

impl From<serde_json::Error> for Refusal {
    fn from(error: serde_json::Error) -> Self {
        Refusal::Output(error.into())
    }
}
