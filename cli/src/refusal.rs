//! Why a command did not do what was asked, and the exit code of that.

use std::io;
use std::path::Path;
use std::process::ExitCode;

/// A refused request.
#[derive(Debug)]
pub enum Refusal {
    /// A file, named in the text, that is refused or can not be read or written: exit code 1.
    File(String),
    /// Several files of which some were refused; they were named as it happened: exit code 1.
    Told,
    /// Words of the command line that do not go together: exit code 2.
    Usage(String),
    /// Standard output can not be written: exit code 1; 0 if only its reader has gone.
    Output(io::Error),
}

impl Refusal {
    /// The refusal of a file that the system does not read or write.
    pub fn file(path: &Path) -> impl Fn(io::Error) -> Refusal {
        move |error| Refusal::File(format!("{}: {error}", path.display()))
    }

    /// Says why on standard error; the exit code.
    pub fn tell(self) -> ExitCode {
        match self {
            Refusal::File(why) => {
                complain(&why);
                ExitCode::from(1)
            }
            Refusal::Told => ExitCode::from(1),
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

/// A line on standard error; it is no reason to fail that nobody reads it.
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
