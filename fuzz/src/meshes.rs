//! Any bytes as an OBJ and as an STL file.

use boxwood::Build;
use boxwood::load::{Options, obj_with, stl_with};

pub fn run(bytes: &[u8]) {
    // The loaders read files; one a process, so that several may run at once.
    let path = std::env::temp_dir().join(format!("boxwood-fuzz-{}.mesh", std::process::id()));
    std::fs::write(&path, bytes).expect("a temporary file");
    let options = Options { build: Build::fast(), ..Options::default() };
    super::answer(obj_with::<f32>(&path, &options));
    super::answer(stl_with::<f32>(&path, &options));
}
