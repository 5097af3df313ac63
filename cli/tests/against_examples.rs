//! The tool and the examples of the repository: equal answers, bit for bit.
//!
//! `BOXWOOD_EXAMPLES` names the folder with the built examples: `cargo build --profile test
//! --examples` at the root writes them to `target/debug/examples`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::tool::{BARS, Folder, baked_fighter, data, level, printed, skipped, text};

/// Returns the output of an example; `None` if the examples are not built.
fn example(name: &str, words: &[&str]) -> Option<String> {
    let Some(folder) = std::env::var_os("BOXWOOD_EXAMPLES") else {
        skipped("BOXWOOD_EXAMPLES is not set");
        return None;
    };
    let program = PathBuf::from(folder).join(name);
    let done = Command::new(&program).args(words).stdin(Stdio::null()).output();
    let done = done.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    Some(String::from_utf8(done.stdout).expect("text"))
}

/// Compares the duels of two files: story and hits.
fn same_duel(a: &str, b: &str, flags: &[&str]) {
    let folder = Folder::new();
    let json = folder.path("hits");
    let words = [&["--a", a, "--b", b][..], flags].concat();
    let Some(story) = example("duel", &[&words[..], &["--json", text(&json)]].concat()) else {
        return;
    };
    let words = [&["duel", a, b][..], flags].concat();
    assert_eq!(printed(&words), story);
    let lines = printed(&[&words[..], &["--json"]].concat());
    let of_frames = lines.lines().filter(|line| line.starts_with("{\"frame\":"));
    let of_frames: String = of_frames.flat_map(|line| [line, "\n"]).collect();
    let hits = std::fs::read_to_string(&json).expect("hits");
    assert!(of_frames == hits, "the hits of the example are others");
    assert!(hits.lines().count() > 3, "they do not meet");
}

#[test]
fn duel_has_the_story_and_the_hits_of_the_example() {
    let fighter = baked_fighter();
    let fighter = text(&fighter);
    let clips = ["--clip-a", "kick", "--clip-b", "jab", "--frames", "120"];
    same_duel(fighter, fighter, &clips);
    same_duel(
        fighter,
        fighter,
        &[&clips[..], &["--details", "--detail", "boxes", "--level"]].concat(),
    );
    let Some(knight) = data("characters/kaykit-knight/Knight.glb") else { return };
    let Some(man) = data("characters/cesium-man/CesiumMan.glb") else { return };
    let clips = ["--clip-a", "1H_Melee_Attack_Chop", "--frames", "120"];
    same_duel(text(&knight), text(&man), &clips);
}

#[test]
fn check_has_the_pairs_of_self_collision() {
    let folder = Folder::new();
    let bars = folder.write("bars.urdf", BARS);
    let same = |own: &[&str], of_example: &[&str]| {
        let Some(told) = example("self_collision", of_example) else { return };
        assert_eq!(printed(own), told);
    };
    let bars = text(&bars);
    same(&["check", bars, "-n", "3000"], &["--robot", bars, "--samples", "3000"]);
    same(
        &["check", bars, "-n", "900", "--seed", "5", "--margin", "0.1", "--within", "0.01"],
        &[
            "--robot",
            bars,
            "--samples",
            "900",
            "--seed",
            "5",
            "--margin",
            "0.1",
            "--within",
            "0.01",
        ],
    );
    same(&["check", bars, "-n", "300", "--dial"], &["--robot", bars, "--samples", "300", "--dial"]);
    let fighter = baked_fighter();
    let fighter = text(&fighter);
    same(&["check", fighter, "--clip", "walk"], &["--model", fighter, "--clip", "walk"]);
    let Some(urdf) = data("robots/panda/urdf/panda.urdf") else { return };
    let Some(srdf) = data("robots/panda/srdf/panda.srdf") else { return };
    let (urdf, srdf) = (text(&urdf), text(&srdf));
    same(
        &["check", urdf, "--srdf", srdf, "-n", "2000"],
        &["--robot", urdf, "--srdf", srdf, "--samples", "2000"],
    );
}

#[test]
fn walk_goes_the_way_of_walk_brushes() {
    let level = level();
    let words = ["--frames", "600", "--seed", "3"];
    let Some(told) = example("walk_brushes", &[&["--map", text(&level)][..], &words].concat())
    else {
        return;
    };
    let own = printed(&[&["walk", text(&level)][..], &words].concat());
    assert!(told.starts_with(&own), "{told}\n{own}");
}
