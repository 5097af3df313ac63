//! BVH files from any bytes, and ASF and AMC files from the bytes cut in two at the first `%`;
//! recordings that load get boxes around their bones.

use boxwood::load::{BoneBoxes, Recording, amc, bvh};
use boxwood::{Build, Error};

pub fn run(bytes: &[u8]) {
    // The loaders read files; one set a process, so that several may run at once.
    let path =
        |end| std::env::temp_dir().join(format!("boxwood-fuzz-{}.{end}", std::process::id()));
    let cut = bytes.iter().position(|&byte| byte == b'%').unwrap_or(bytes.len());
    std::fs::write(path("bvh"), bytes).expect("a temporary file");
    std::fs::write(path("asf"), &bytes[..cut]).expect("a temporary file");
    std::fs::write(path("amc"), bytes.get(cut + 1..).unwrap_or(&[])).expect("a temporary file");
    for read in [bvh(path("bvh")), amc(path("asf"), path("amc"))] {
        if let Ok(motion) = &read {
            fleshed(motion);
        }
        super::answer(read);
    }
}

/// Builds boxes around the bones; only too long bones may fail.
fn fleshed(motion: &Recording<f32>) {
    let flesh = BoneBoxes::default().build(Build::fast());
    match motion.character(&flesh) {
        Ok(_) | Err(Error::OutOfRange { .. } | Error::Part { .. }) => {}
        Err(other) => panic!("{other:?}"),
    }
}
