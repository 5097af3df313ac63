//! MJCF files from any bytes.

use boxwood::Build;
use boxwood::Loader;

pub fn run(bytes: &[u8]) {
    // The loader reads files; one a process, so that several may run at once.
    let path = std::env::temp_dir().join(format!("boxwood-fuzz-{}.xml", std::process::id()));
    std::fs::write(&path, bytes).expect("a temporary file");
    // Trees of one box, to save time: a capsule has a thousand triangles.
    let build = Build::fast().max_depth(0);
    let options = Loader::new().build(build).allow_empty(true);
    super::answer(options.mjcf(&path));
}
