//! Tests of `duel`: the same fight as a story and as JSON.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::tool::{BARS, Folder, baked_fighter, data, objects, printed, refused, text};

/// Command line of a short fight.
fn fight(fighter: &str) -> Vec<&str> {
    vec!["duel", fighter, fighter, "--clip-a", "kick", "--clip-b", "guard", "--frames", "90"]
}

#[test]
fn json_has_the_hits_blows_and_sums_of_the_story() {
    let fighter = baked_fighter();
    let lines = objects(&fight(text(&fighter)));
    let (start, end) = (&lines[0], &lines[lines.len() - 1]["outcome"]);
    assert_eq!((&start["red"]["clip"], &start["blue"]["clip"]), (&"kick".into(), &"guard".into()));
    assert_eq!(
        (&start["frames"], &start["depth"], &start["detail"]),
        (&90.into(), &3.into(), &"bodies".into())
    );
    let with = |field: &str| lines.iter().filter(|line| line.get(field).is_some()).count();
    assert_eq!(Some(with("slack") as u64), end["hits"].as_u64());
    assert_eq!(Some(with("blow") as u64), end["blows"].as_u64());
    assert_eq!(Some(with("push") as u64), end["pushes"].as_u64());
    assert!(with("slack") > 5 && with("blow") >= 1);
    let hits: Vec<&Value> = lines.iter().filter(|line| line.get("slack").is_some()).collect();
    let deepest = hits.iter().filter_map(|hit| hit["depth"].as_f64()).fold(0.0, f64::max);
    assert_eq!(Some(deepest), end["depth"].as_f64());
    let frames: std::collections::BTreeSet<_> =
        hits.iter().filter_map(|hit| hit["frame"].as_u64()).collect();
    assert_eq!(Some(frames.len() as u64), end["frames_with_hits"].as_u64());
    let story = printed(&[&fight(text(&fighter))[..], &["--details"]].concat());
    assert_eq!(story.lines().filter(|line| line.contains(" at (")).count(), hits.len());
    assert!(story.contains(&format!("hits               {:>10}", hits.len())), "{story}");
}

#[test]
fn without_a_second_file_red_fights_itself() {
    let fighter = baked_fighter();
    let words = |last: &[&'static str]| -> Vec<String> {
        let mut words = vec!["duel".to_owned(), text(&fighter).to_owned()];
        words.extend(last.iter().map(|word| (*word).to_owned()));
        words
    };
    let alone = printed(&words(&["--frames", "20"]));
    let mut both = words(&["--frames", "20"]);
    both.insert(2, text(&fighter).to_owned());
    assert_eq!(alone, printed(&both));
}

#[test]
fn a_robot_fights_a_person() {
    let folder = Folder::new();
    let bars = folder.write("bars.urdf", BARS);
    let lines =
        objects(&["duel", text(&baked_fighter()), text(&bars), "--frames", "30", "--depth", "0"]);
    assert_eq!(lines[0]["blue"]["clip"], "swing");
    assert!(lines[lines.len() - 1]["outcome"]["frames"] == 30);
}

#[test]
fn numbers_out_of_range_are_mistakes_of_usage_and_clips_that_are_not_there_of_the_file() {
    let fighter = baked_fighter();
    let fighter = text(&fighter);
    for flags in [
        ["--frames", "-1"],
        ["--frames", "9999999"],
        ["--depth", "300"],
        ["--detail", "bones"],
        ["--distance", "inf"],
        ["--distance", "1e99"],
        ["--scale-a", "0"],
    ] {
        refused(2, &[&["duel", fighter][..], &flags].concat());
    }
    let told = refused(1, &["duel", fighter, "--clip-b", "fly"]);
    assert!(
        told.contains("fighter.baked") && told.contains("blue") && told.contains("'fly'"),
        "{told}"
    );
    printed(&["duel", fighter, "--frames", "0"]);
    printed(&[
        "duel",
        fighter,
        "--frames",
        "2",
        "--distance",
        "-3",
        "--level",
        "--detail",
        "boxes",
    ]);
}

#[test]
fn real_characters_fight() {
    let Some(knight) = data("characters/kaykit-knight/Knight.glb") else { return };
    let Some(man) = data("characters/cesium-man/CesiumMan.glb") else { return };
    let words =
        ["duel", text(&knight), text(&man), "--clip-a", "1H_Melee_Attack_Chop", "--frames", "120"];
    let lines = objects(&words);
    assert!(lines[lines.len() - 1]["outcome"]["hits"].as_u64() > Some(0));
}

#[test]
fn deeper_boxes_report_no_pair_more_and_have_less_slack() {
    let fighter = baked_fighter();
    let slacks = |depth: &'static str| -> BTreeMap<String, f64> {
        let words = [&fight(text(&fighter))[..], &["--detail", "parts", "--depth", depth]].concat();
        let lines = objects(&words);
        let hits = lines.iter().filter_map(|line| Some((line, line.get("slack")?.as_f64()?)));
        let name =
            |hit: &Value| format!("{} {} {}", hit["frame"], hit["a"]["part"], hit["b"]["part"]);
        hits.map(|(hit, slack)| (name(hit), slack)).collect()
    };
    let (coarse, fine) = (slacks("0"), slacks("6"));
    let no_more =
        |(name, slack): (&String, &f64)| coarse.get(name).is_some_and(|more| slack <= more);
    assert!(!fine.is_empty() && fine.iter().all(no_more), "{coarse:?} {fine:?}");
    assert!(fine.values().sum::<f64>() < coarse.values().sum::<f64>());
}
