//! The example `sword` from outside: a miss prints its distance, a swing hits once, the shield
//! before the body, and every run prints the same. The table and the picture of the guide are those
//! that it writes today.

use std::fs;
use std::path::Path;

use support::run_example::{helps, printed, refused};

/// Checks the swings at a target, and returns the output.
fn swings(words: &[&str]) -> String {
    let answer = printed("sword", words);
    assert_eq!(answer, printed("sword", words));
    let of_swing = |n: usize| -> Vec<&str> {
        let start = format!("swing {n} ");
        answer.lines().filter(|line| line.starts_with(&start)).collect()
    };
    let mut last = f64::INFINITY;
    let (mut missed, mut landed) = (0, 0);
    for lines in (1..=5).map(of_swing) {
        let missing = lines.iter().find_map(|line| line.split_once("misses by "));
        if let Some((_, by)) = missing {
            let by: f64 = by.trim_end_matches(" m").parse().expect("a length");
            assert!(lines.len() == 1 && by > 0.0 && by < last && landed == 0, "{lines:?}");
            (last, missed) = (by, missed + 1);
        } else {
            assert!(lines.len() == 1 && lines[0].contains(" meets "), "{lines:?}");
            landed += 1;
        }
    }
    assert!(missed > 0 && landed > 1, "{answer}");
    assert!(of_swing(5)[0].contains(" meets shield at "), "{answer}");
    assert!(!of_swing(4)[0].contains("shield"), "{answer}");
    answer
}

#[test]
fn swings_miss_by_decreasing_distances_until_they_hit_once() {
    // The fighter of a file has no sword, and is in another clip.
    assert_ne!(swings(&[]), swings(&["examples/fighter/fighter.glb"]));
}

#[test]
fn characters_and_robots_of_files_are_struck() {
    let Some(data) = support::data::data() else { return };
    for file in [
        "characters/cesium-man/CesiumMan.glb",
        "characters/kaykit-knight/Knight.glb",
        "characters/fox/Fox.glb",
        "robots/humanoid-cmu/humanoid_CMU_V2020.xml",
        "mocap/cmu-18-01/18_01.bvh",
    ] {
        let file = data.join(file);
        let answer = printed("sword", &[file.to_str().expect("a plain path")]);
        assert!(answer.contains("sword meets "), "{}: {answer}", file.display());
        assert!(answer.lines().count() == 5, "{}: {answer}", file.display());
    }
}

#[test]
fn the_sword_example_has_help_and_names_bad_files() {
    helps("sword", &["FILE", "--table", "--svg FILE"]);
    for (words, expected) in [
        (&["--svg"][..], "--svg needs a value"),
        (&["--table", "--fast"], "'--fast'"),
        (&["nothing.glb"], "nothing.glb"),
        (&["a.glb", "b.glb"], "one FILE, not also 'b.glb'"),
    ] {
        let trouble = refused("sword", words);
        assert!(trouble.contains(expected), "{trouble}");
    }
}

fn documents() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs"))
}

#[test]
fn the_swept_query_sees_every_hit_and_the_table_of_the_guide_is_up_to_date() {
    let table = printed("sword", &["--table"]);
    let guide = fs::read_to_string(documents().join("motion.md")).expect("the guide");
    for line in table.lines() {
        assert!(
            guide.contains(line),
            "not in docs/motion.md, which `sword --table` prints: {line}"
        );
    }
    let rows = table.lines().filter(|line| line.starts_with("| ") && !line.contains("strike"));
    let mut counts = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let count = |cell: &str| -> u32 {
            cell.split([' ', ',']).next().and_then(|word| word.parse().ok()).expect("a count")
        };
        let [hits, sampled, cast, swept] = [2, 3, 4, 5].map(|column| count(cells[column]));
        assert!(swept == hits && sampled <= cast && cast <= hits && hits > 100, "{row}");
        counts += 1;
    }
    assert_eq!(counts, 6, "{table}");
}

#[test]
fn the_picture_of_a_tick_is_up_to_date() {
    let folder = support::folder::Folder::new();
    let file = folder.path("motion_tick.svg");
    printed("sword", &["--svg", file.to_str().expect("a plain path")]);
    let stored = fs::read_to_string(documents().join("pictures/motion_tick.svg"));
    let drawn = fs::read_to_string(file).expect("a picture");
    assert!(
        drawn == stored.expect("a picture"),
        "out of date: cargo example sword -- --svg docs/pictures/motion_tick.svg"
    );
}
