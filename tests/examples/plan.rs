//! The example `plan` from outside: the same way on every run, proved free, no longer after the
//! shortcuts; a picture; refusals; a real robot.

use std::fs;
use std::path::Path;

use support::run_example::{helps, printed, refused};

/// Returns the numbers of the first line that starts with these words.
fn numbers(answer: &str, start: &str) -> Vec<f64> {
    let line = answer.lines().find_map(|line| line.strip_prefix(start));
    let line = line.unwrap_or_else(|| panic!("no line '{start}': {answer}"));
    let words = line.split([' ', ',']);
    words.filter_map(|word| word.parse().ok()).collect()
}

fn assert_way(answer: &str) {
    let [found, shortened] = ["way found", "way shortened"].map(|line| numbers(answer, line));
    let [edges, length] = shortened[..] else { panic!("{answer}") };
    assert!(edges >= 1.0 && length <= found[1], "{answer}");
    let search = numbers(answer, "edges of the search");
    // The way is of free edges, and posts are in the way of others.
    assert!(search[0] >= found[0] && search[1] > 0.0, "{answer}");
    assert!(answer.contains("proof of the whole way   free, "), "{answer}");
}

#[test]
fn the_way_is_found_shortened_and_proved() {
    let answer = printed("plan", &[]);
    assert_eq!(answer, printed("plan", &[]));
    assert_way(&answer);
    assert_eq!(numbers(&answer, "proof of the whole way   free,")[0], 0.01, "{answer}");
    // Another seed, and a distance to keep.
    let other = printed("plan", &["--seed", "5", "--margin", "0.03"]);
    assert_way(&other);
    assert_eq!(numbers(&other, "proof of the whole way   free,")[0], 0.03, "{other}");
    assert_ne!(answer, other);
    // Nothing is that far from everything.
    assert!(refused("plan", &["--margin", "5"]).contains("no free configuration"));
}

#[test]
fn the_plan_example_has_help_and_refuses() {
    helps("plan", &["FILE", "--srdf FILE", "--margin F", "--seed N", "--svg FILE"]);
    for (words, expected) in [
        (&["--svg"][..], "--svg needs a value"),
        (&["--srdf", "a.srdf"], "--srdf needs a FILE"),
        (&["nothing.urdf"], "nothing.urdf"),
        (&["--margin", "-1"], "--margin"),
    ] {
        let trouble = refused("plan", words);
        assert!(trouble.contains(expected), "{trouble}");
    }
}

#[test]
fn the_picture_of_the_way_is_up_to_date() {
    let folder = support::folder::Folder::new();
    let file = folder.path("plan.svg");
    printed("plan", &["--svg", file.to_str().expect("a plain path")]);
    let documents = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs"));
    let stored = fs::read_to_string(documents.join("pictures/plan.svg")).expect("a picture");
    let drawn = fs::read_to_string(file).expect("a picture");
    assert!(drawn == stored, "out of date: cargo example plan -- --svg docs/pictures/plan.svg");
}

#[test]
fn a_real_robot_finds_its_way() {
    let Some(data) = support::data::data() else { return };
    let panda = data.join("robots/panda");
    let [robot, srdf] = ["urdf/panda.urdf", "srdf/panda.srdf"].map(|file| panda.join(file));
    let [robot, srdf] = [&robot, &srdf].map(|file| file.to_str().expect("a plain path"));
    assert_way(&printed("plan", &[robot, "--srdf", srdf]));
}
