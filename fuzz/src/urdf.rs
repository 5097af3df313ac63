//! URDF files from any bytes: cut in two at the first `%`, they are the file and all its meshes,
//! and the file of its disabled pairs.

use boxwood::Build;
use boxwood::Loader;
use boxwood::load::{LinkShapes, Resolver};

pub fn run(bytes: &[u8]) {
    // The loader reads files; one set a process, so that several may run at once.
    let path =
        |end| std::env::temp_dir().join(format!("boxwood-fuzz-{}.{end}", std::process::id()));
    let cut = bytes.iter().position(|&byte| byte == b'%').unwrap_or(bytes.len());
    std::fs::write(path("urdf"), &bytes[..cut]).expect("a temporary file");
    for end in ["dae", "glb", "obj", "stl"] {
        std::fs::write(path(end), bytes.get(cut + 1..).unwrap_or(&[])).expect("a temporary file");
    }
    // The resolver opens no other file of this machine.
    let resolver = Resolver::new(move |name| {
        let end =
            ["dae", "glb", "obj"].into_iter().find(|end| name.ends_with(end)).unwrap_or("stl");
        Some(path(end))
    });
    let shapes = LinkShapes::CollisionOrVisual;
    for srdf in [None, Some(path("urdf"))] {
        let (build, resolver) = (Build::fast(), resolver.clone());
        let options = Loader::new().build(build).resolver(resolver).link_shapes(shapes);
        let options = options.allow_empty(true);
        let options: boxwood::Loader = match srdf {
            Some(srdf) => options.srdf(srdf),
            None => options,
        };
        super::answer(options.urdf(path("urdf")));
    }
}
