//! Build script: embeds the page of `boxwood view`, `viewer.html` beside this file, if it is there. In a
//! clone of the repository the program also learns where `web/build` puts the page.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=viewer.html");
    let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let out = env::var("OUT_DIR").unwrap_or_default();
    // An empty file stands for a missing page.
    let page = fs::read(Path::new(&root).join("viewer.html")).unwrap_or_default();
    if let Err(error) = fs::write(Path::new(&out).join("viewer.html"), page) {
        println!("cargo:warning={out}: {error}");
    }
    // A package of a registry has no folder `web` beside it.
    let web = Path::new(&root).parent().map(|clone| clone.join("web"));
    let web = web.filter(|web| web.join("build.mjs").exists()).unwrap_or_default();
    println!("cargo:rustc-env=BOXWOOD_WEB={}", web.display());
}
