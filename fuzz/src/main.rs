//! One program for all targets, so that shared code is built once; `BOXWOOD_FUZZ` names the target.
//! Built on stable with the flags in `run`.
#![no_main]

mod baked;
mod gltf;
mod map;
mod meshes;
mod mjcf;
mod mocap;
mod urdf;

use std::sync::LazyLock;

use boxwood::Error;
use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("BOXWOOD_FUZZ").unwrap_or_default();
    match name.as_str() {
        "gltf" => gltf::run,
        "meshes" => meshes::run,
        "urdf" => urdf::run,
        "mjcf" => mjcf::run,
        "mocap" => mocap::run,
        "map" => map::run,
        "baked" => baked::run,
        other => panic!("BOXWOOD_FUZZ names no target: '{other}'"),
    }
});

fuzz_target!(|bytes: &[u8]| TARGET(bytes));

/// Checks that a file is read or refused with an error of the file, on one line.
fn answer<L>(read: Result<L, Error>) {
    match read {
        Ok(_) => {}
        Err(Error::File { trouble, .. }) => {
            assert!(!trouble.is_empty() && !trouble.contains(char::is_control), "{trouble:?}");
        }
        Err(other) => panic!("{other:?}"),
    }
}
