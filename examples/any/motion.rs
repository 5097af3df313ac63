//! Recorded motion as a character: boxes around its bones.

use std::path::{Path, PathBuf};

use boxwood::Error;
use boxwood::load::{self, Flesh, Loaded, MotionOptions};

/// From `.bvh`, or from `.amc` with the skeleton that lies beside it.
pub fn character(file: &Path) -> Result<Loaded<f32>, Error> {
    let options = MotionOptions::default();
    let motion = match super::ending(file).as_str() {
        "bvh" => load::bvh_with(file, &options),
        _ => load::amc_with(skeleton(file), file, &options),
    };
    motion?.character(&Flesh::default())
}

/// `SUBJECT.asf` for `SUBJECT_TAKE.amc`.
fn skeleton(amc: &Path) -> PathBuf {
    let stem = amc.file_stem().unwrap_or_default().to_string_lossy();
    let subject = stem.rsplit_once('_').map_or(&*stem, |(subject, _)| subject);
    amc.with_file_name(format!("{subject}.asf"))
}
