//! Modules that several examples use: an arm, the command line, the progress bar, the fighter, other
//! characters in its place, and the sources of the tool that need nothing but the library.

pub mod arm;
pub mod command_line;
pub mod frame_times;
pub mod person;
pub mod posts;
pub mod progress_bar;

// The tool is published without this crate, so its files are included here.
#[path = "../../cli/src/any_file/mod.rs"]
pub mod any_file;
#[path = "../../cli/src/drawing/mod.rs"]
pub mod drawing;
#[path = "../../cli/src/fight/mod.rs"]
pub mod fight;
#[path = "../fighter/mod.rs"]
pub mod fighter;
#[path = "../../cli/src/figures.rs"]
pub mod figures;
#[path = "../../cli/src/random.rs"]
pub mod random;
#[path = "../../cli/src/samples/mod.rs"]
pub mod samples;
#[path = "../../cli/src/walks.rs"]
pub mod walks;
