//! OBJ and STL files from any bytes.

use boxwood::Build;
use boxwood::Loader;

pub fn run(bytes: &[u8]) {
    // The loaders read files; one a process, so that several may run at once.
    let path = std::env::temp_dir().join(format!("boxwood-fuzz-{}.mesh", std::process::id()));
    std::fs::write(&path, bytes).expect("a temporary file");
    let options = Loader::new().build(Build::fast());
    super::answer(options.obj(&path));
    super::answer(options.stl(&path));
}
