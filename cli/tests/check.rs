//! Tests of `check`: touching pairs, against a test of two rectangles written here.

use std::f64::consts::PI;

use boxwood_cli::random::Random;
use serde_json::Value;

use crate::tool::{BARS, Folder, baked_fighter, data, objects, printed, refused, text};

/// Corners of a bar with a length and half width that starts at `x` and is rotated by `angle`.
fn bar(x: f64, angle: f64) -> [[f64; 2]; 4] {
    let (sin, cos) = angle.sin_cos();
    let at = |along: f64, across: f64| [x + along * cos - across * sin, along * sin + across * cos];
    [at(0.0, -0.05), at(1.0, -0.05), at(1.0, 0.05), at(0.0, 0.05)]
}

/// Largest separation of two bars along their four axes; negative if they overlap.
fn apart(a: &[[f64; 2]; 4], b: &[[f64; 2]; 4], angles: [f64; 2]) -> f64 {
    let axes = angles.into_iter().flat_map(|angle| [angle, angle + PI / 2.0]);
    let gaps = axes.map(|angle| {
        let (sin, cos) = angle.sin_cos();
        let ends = |bar: &[[f64; 2]; 4]| {
            let along = bar.iter().map(|[x, y]| x * cos + y * sin);
            along.fold([f64::MAX, f64::MIN], |[low, high], x| [low.min(x), high.max(x)])
        };
        let (a, b) = (ends(a), ends(b));
        (a[0] - b[1]).max(b[0] - a[1])
    });
    gaps.fold(f64::MIN, f64::max)
}

/// Number of samples that certainly touch, and number of those that rounding decides.
fn expected(samples: usize, seed: u64) -> [usize; 2] {
    let (mut random, mut counts) = (Random(seed), [0, 0]);
    for _ in 0..samples {
        let [a, b] = [(); 2].map(|()| -3.0 + 6.0 * random.between(0.0, 1.0));
        // The lamp is an actuator too, and uses one random number.
        random.bits();
        let apart = apart(&bar(0.0, a), &bar(0.5, b), [a, b]);
        counts[0] += usize::from(apart < -1e-6);
        counts[1] += usize::from(apart.abs() <= 1e-6);
    }
    counts
}

#[test]
fn bars_touch_as_often_as_rectangles_do() {
    let folder = Folder::new();
    let file = folder.write("bars.urdf", BARS);
    for (samples, seed) in [(5_000, 1), (3_000, 7)] {
        let [n, s] = [samples.to_string(), seed.to_string()];
        let found = objects(&["check", text(&file), "-n", &n, "--seed", &s]);
        let [found] = &found[..] else { panic!("a line") };
        let [certain, close] = expected(samples, seed);
        let colliding = found["colliding"].as_u64().expect("a count") as usize;
        assert!((certain..=certain + close).contains(&colliding), "{colliding}, not {certain}");
        assert!(certain > samples / 20 && certain < samples / 2);
        assert_eq!(found["pairs"].as_array().map(Vec::len), Some(1), "{found}");
        assert_eq!(
            (&found["pairs"][0]["a"], &found["pairs"][0]["b"]),
            (&"left".into(), &"right".into())
        );
        assert_eq!(found["pairs"][0]["samples"], found["colliding"]);
        assert_eq!((&found["pairs_tested"], &found["actuators"]), (&3.into(), &3.into()));
    }
}

#[test]
fn accuracy_and_margin_never_lose_a_pair() {
    let folder = Folder::new();
    let file = folder.write("bars.urdf", BARS);
    let colliding = |flags: &[&str]| {
        let words: Vec<&str> =
            ["check", text(&file), "-n", "2000"].iter().chain(flags).copied().collect();
        let found = objects(&words);
        (found[0]["colliding"].as_u64().expect("a count"), found[0]["accuracy"].clone())
    };
    let exact = colliding(&[]);
    assert_eq!(exact.1, "exact");
    let depth = colliding(&["--depth", "0"]);
    assert!(depth.0 >= exact.0 && depth.1 == "depth 0");
    let within = colliding(&["--within", "0.05"]);
    assert!(within.0 >= exact.0 && within.1 == "within 0.05");
    assert!(colliding(&["--margin", "0.1"]).0 > exact.0);
}

#[test]
fn the_dial_has_a_row_an_accuracy_and_misses_nothing() {
    let folder = Folder::new();
    let file = folder.write("bars.urdf", BARS);
    let rows = objects(&["check", text(&file), "-n", "500", "--dial"]);
    let count = |row: &Value| row["colliding"].as_u64().expect("a count");
    let exact = rows.iter().find(|row| row["accuracy"] == "exact").expect("a row");
    assert!(rows.len() > 10 && rows.iter().all(|row| count(row) >= count(exact)));
    assert!(rows.iter().all(|row| row["box_tests"].as_u64() > Some(0)));
    let told = printed(&["check", text(&file), "-n", "500", "--dial"]);
    assert!(told.contains("leaves") && told.contains("within 0.1"), "{told}");
}

#[test]
fn a_character_is_tried_in_the_frames_of_its_clips() {
    let found = objects(&["check", text(&baked_fighter()), "--clip", "kick", "--depth", "2"]);
    let [found] = &found[..] else { panic!("one clip") };
    assert_eq!((&found["clip"], &found["seed"]), (&"kick".into(), &Value::Null));
    assert!(found["samples"].as_u64() > Some(30) && found["actuators"].is_null());
    let all = objects(&["check", text(&baked_fighter()), "--depth", "0"]);
    assert!(all.len() > 3 && all.iter().all(|line| line["clip"].is_string()));
    // Patterns: of all clips, of some, of none.
    let clips = |pattern: &str| -> Vec<String> {
        let file = baked_fighter();
        let words = ["check", text(&file), "--depth", "0", "--clip", pattern];
        let names =
            objects(&words).into_iter().map(|line| line["clip"].as_str().map(str::to_owned));
        names.map(|name| name.expect("a name")).collect()
    };
    assert_eq!(clips("*").len(), all.len());
    assert_eq!(clips("k?ck"), ["kick"]);
    let some = clips("*k*");
    assert!(some.contains(&"kick".to_owned()) && some.len() < all.len(), "{some:?}");
    assert!(some.iter().all(|name| name.contains('k')), "{some:?}");
    for pattern in ["k?k", "Kick", "*kic", "?kick*", ""] {
        let told = refused(1, &["check", text(&baked_fighter()), "--clip", pattern]);
        assert!(told.contains("kick"), "{told}");
    }
    let told = refused(1, &["duel", text(&baked_fighter()), "--clip-a", "*k*"]);
    assert!(told.contains("'*k*' matches") && told.contains("kick"), "{told}");
}

#[test]
fn what_a_file_has_no_use_for_is_a_mistake_of_usage() {
    let folder = Folder::new();
    let file = folder.write("bars.urdf", BARS);
    let (robot, character) = (text(&file), baked_fighter());
    let character = text(&character);
    for words in [
        ["check", character, "--srdf", "x.srdf"],
        ["check", character, "-n", "5"],
        ["check", character, "--seed", "5"],
        ["check", robot, "--clip", "walk"],
        ["check", robot, "--margin", "-1"],
        ["check", robot, "--within", "nan"],
        ["check", robot, "-n", "1e9"],
    ] {
        refused(2, &words);
    }
    let told = refused(1, &["check", character, "--clip", "fly"]);
    assert!(
        told.contains("fighter.baked") && told.contains("'fly'") && told.contains("kick"),
        "{told}"
    );
    let told = refused(1, &["check", robot, "--srdf", "nothing.srdf"]);
    assert!(told.contains("nothing.srdf"), "{told}");
}

#[test]
fn an_srdf_file_takes_pairs_out() {
    let folder = Folder::new();
    let file = folder.write("bars.urdf", BARS);
    let pair = r#"<disable_collisions link1="left" link2="right" reason="Never"/>"#;
    let srdf = folder.write("bars.srdf", format!("<robot name=\"bars\">{pair}</robot>"));
    let found = objects(&["check", text(&file), "--srdf", text(&srdf), "-n", "500"]);
    assert_eq!((&found[0]["colliding"], &found[0]["pairs_tested"]), (&0.into(), &2.into()));
}

#[test]
fn the_panda_with_meshes_is_checked() {
    let Some(urdf) = data("robots/panda/urdf/panda.urdf") else { return };
    let Some(srdf) = data("robots/panda/srdf/panda.srdf") else { return };
    let words = ["check", text(&urdf), "--srdf", text(&srdf), "-n", "1000"];
    let found = objects(&words);
    let count = found[0]["colliding"].as_u64().expect("a count");
    // Another library also counts about one in twenty.
    assert!((20..120).contains(&count), "{count}");
    let told = printed(&words);
    assert!(told.contains(&format!("colliding            {count:>12}")), "{told}");
}
