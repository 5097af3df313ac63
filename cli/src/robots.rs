//! Files of robots: those that a command accepts, and the flags that apply to them.

use std::path::Path;

use boxwood::load::Loader;
use boxwood::num::Scalar;

use crate::any_file::{self, ending, standard_input};
use crate::refusal::Refusal;

/// Refuses a file that is no robot.
pub fn check_robot(file: &Path) -> Result<(), Refusal> {
    if any_file::is_robot(file) {
        return Ok(());
    }
    if standard_input::is_named(file) && ending(file).is_empty() {
        let read = ["urdf", "xml", "baked", "box"];
        return Err(any_file::unknown_ending(file, &read).into());
    }
    if any_file::BAKED.contains(&ending(file).as_str()) {
        // A file that can not be read is refused as such.
        standard_input::bytes(file)?;
    }
    let file = file.display();
    Err(Refusal::Usage(format!(
        "{file}: a robot is expected: .urdf, .xml (MJCF), or a baked one (.baked, .box)"
    )))
}

/// Refuses flags that are given although they apply to a URDF file alone.
pub fn check_urdf_flags(file: &Path, flags: &[(bool, &str)]) -> Result<(), Refusal> {
    refuse_flags(flags, ending(file) == "urdf", "requires a .urdf file")
}

/// Refuses flags that are given although they apply to the description of a robot alone.
pub fn check_described_flags(file: &Path, flags: &[(bool, &str)]) -> Result<(), Refusal> {
    let is_described = ["urdf", "xml"].contains(&ending(file).as_str());
    refuse_flags(flags, is_described, "requires a .urdf or .xml file")
}

/// Refuses flags of which a baked file has the results in it.
pub fn check_unbaked_flags(file: &Path, flags: &[(bool, &str)]) -> Result<(), Refusal> {
    let is_baked = any_file::BAKED.contains(&ending(file).as_str());
    refuse_flags(flags, !is_baked, "has no effect on a baked file")
}

fn refuse_flags(flags: &[(bool, &str)], applies: bool, why: &str) -> Result<(), Refusal> {
    match flags.iter().find(|(is_given, _)| *is_given && !applies) {
        Some((_, flag)) => Err(Refusal::Usage(format!("{flag} {why}"))),
        None => Ok(()),
    }
}

/// Returns a loader that reads an SRDF file too, if there is one.
pub fn with_srdf<'l, T: Scalar>(loader: Loader<'l, T>, srdf: Option<&Path>) -> Loader<'l, T> {
    match srdf {
        Some(srdf) => loader.srdf(srdf),
        None => loader,
    }
}
