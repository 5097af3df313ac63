//! Build script: embeds the page of `boxwood view`, `viewer.html` beside this file, if it is there.

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
}
