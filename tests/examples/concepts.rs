//! The example of the concepts: the pictures of the documents equal those it writes today.

use std::fs;
use std::path::Path;

#[test]
fn the_pictures_of_the_documents_are_up_to_date() {
    let out = std::env::temp_dir().join(format!("boxwood-concepts-{}", std::process::id()));
    let answer = support::run_example::printed("concepts", &["--out", &out.to_string_lossy()]);
    assert_eq!(answer, support::run_example::printed("concepts", &[]));
    let stored = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pictures"));
    for name in ["depth", "cut", "slack", "broad_phase", "skin"] {
        let file = format!("concept_{name}.svg");
        let written = fs::read_to_string(out.join(&file)).expect("a picture");
        assert!(answer.lines().any(|line| line.starts_with(&format!("{name}: "))), "{answer}");
        let stored = fs::read_to_string(stored.join(&file)).expect("a picture");
        let how = "cargo example concepts -- --out docs/pictures";
        assert!(written == stored, "docs/pictures/{file} is out of date: {how}");
    }
    assert!(fs::remove_dir_all(out).is_ok());
}

#[test]
fn the_concepts_example_has_help() {
    support::run_example::helps("concepts", &["--out", "--skin"]);
}
