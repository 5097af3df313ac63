//! Any bytes as a BVH file, and cut in two at the first `%` as an ASF and an AMC file: a motion or an error. Built on stable with
//! the flags of `fuzz/README.md`.
#![no_main]

use boxwood::Error;
use boxwood::load::{amc, bvh};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The loaders read files; one set a process, so that several may run at once.
    let path =
        |end| std::env::temp_dir().join(format!("boxwood-fuzz-{}.{end}", std::process::id()));
    let cut = bytes.iter().position(|&byte| byte == b'%').unwrap_or(bytes.len());
    std::fs::write(path("bvh"), bytes).expect("a temporary file");
    std::fs::write(path("asf"), &bytes[..cut]).expect("a temporary file");
    std::fs::write(path("amc"), bytes.get(cut + 1..).unwrap_or(&[])).expect("a temporary file");
    for read in [bvh(path("bvh")), amc(path("asf"), path("amc"))] {
        match read {
            Ok(_) | Err(Error::File { .. }) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
});
