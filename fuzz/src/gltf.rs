//! Any bytes as a glTF file: a model or an error. Built on stable with the flags of `fuzz/README.md`.
#![no_main]

use boxwood::load::{Options, gltf_with};
use boxwood::{Build, Error};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The loader reads files; one a process, so that several may run at once.
    let path = std::env::temp_dir().join(format!("boxwood-fuzz-{}.glb", std::process::id()));
    std::fs::write(&path, bytes).expect("a temporary file");
    let options = Options { build: Build::fast(), keep_skin: true, ..Options::default() };
    match gltf_with::<f32>(&path, &options) {
        Ok(_) | Err(Error::File { .. }) => {}
        Err(other) => panic!("{other:?}"),
    }
});
