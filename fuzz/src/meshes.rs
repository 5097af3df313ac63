//! Any bytes as an OBJ and as an STL file: a model or an error. Built on stable with the flags of `fuzz/README.md`.
#![no_main]

use boxwood::load::{Options, obj_with, stl_with};
use boxwood::{Build, Error};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The loaders read files; one a process, so that several may run at once.
    let path = std::env::temp_dir().join(format!("boxwood-fuzz-{}.mesh", std::process::id()));
    std::fs::write(&path, bytes).expect("a temporary file");
    let options = Options { build: Build::fast(), ..Options::default() };
    for read in [obj_with::<f32>(&path, &options), stl_with::<f32>(&path, &options)] {
        match read {
            Ok(_) | Err(Error::File { .. }) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
});
