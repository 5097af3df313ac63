//! Recorded motion: as a character of boxes around its bones, and on characters whose joints have the same names.

use std::path::{Path, PathBuf};

use boxwood::Error;
use boxwood::load::{self, Flesh, Loaded, Motion, MotionOptions};
use boxwood::motion::{Clip, Retarget};

/// Metres in a unit of CMU's files.
const METRES: f64 = 0.056444;

/// Seconds between the keys of a clip that was brought over.
const STEP: f32 = 1.0 / 60.0;

/// A character of the proportions in the file.
pub fn character(file: &Path) -> Result<Loaded<f32>, Error> {
    motion(file)?.character(&Flesh::default())
}

/// The motion in the file as that character does it.
pub fn onto(loaded: &Loaded<f32>, file: &Path) -> Result<Clip<f32>, Error> {
    let motion = motion(file)?;
    Retarget::new(&motion.skeleton, &loaded.skeleton, 1.0)?.clip(&motion.clips[0], STEP)
}

/// From `.bvh`, or from `.amc` with the skeleton that lies beside it.
fn motion(file: &Path) -> Result<Motion<f32>, Error> {
    let options = MotionOptions { scale: METRES, ..MotionOptions::default() };
    match super::ending(file).as_str() {
        "bvh" => load::bvh_with(file, &options),
        _ => load::amc_with(skeleton(file), file, &options),
    }
}

/// `SUBJECT.asf` for `SUBJECT_TAKE.amc`.
fn skeleton(amc: &Path) -> PathBuf {
    let stem = amc.file_stem().unwrap_or_default().to_string_lossy();
    let subject = stem.rsplit_once('_').map_or(&*stem, |(subject, _)| subject);
    amc.with_file_name(format!("{subject}.asf"))
}
