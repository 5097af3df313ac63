//! One program for all targets, so that what they share is built once: `BOXWOOD_FUZZ` says which.
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

/// What is read, or a word on one line about the file; no other error is one of a file.
fn answer<L>(read: Result<L, Error>) {
    match read {
        Ok(_) => {}
        Err(Error::File { trouble, .. }) => {
            assert!(!trouble.is_empty() && !trouble.contains(char::is_control), "{trouble:?}");
        }
        Err(other) => panic!("{other:?}"),
    }
}
