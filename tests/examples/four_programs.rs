//! The examples `melee`, `rollback`, `crowd` and `report` from outside: every run prints the same, the fighters hit and are
//! pushed apart, ticks played again have the same digests, each query of the crowd finds something, and reports count
//! what is in a file. Each is short.

use support::run_example::{helps, printed, refused};

/// Numbers in a line.
fn numbers(line: &str) -> Vec<f64> {
    let words = line.split(|c: char| c.is_whitespace() || ",:;".contains(c));
    words.filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn fighters_of_a_melee_step_hit_and_are_pushed_apart() {
    let answer = printed("melee", &[]);
    assert_eq!(answer, printed("melee", &[]));
    let (pushes, hits): (Vec<&str>, Vec<&str>) =
        answer.lines().partition(|line| line.contains("pushed apart"));
    assert!(hits.len() > 3 && pushes.len() > 3, "{answer}");
    // Nobody steps into the other: what is pushed in a frame is what a clip moves in it.
    for line in pushes {
        let length = numbers(line)[1];
        assert!((0.0..300.0).contains(&length), "{line}");
    }
    for line in &hits {
        let [frame, depth, x, y, z] = numbers(line)[..] else { panic!("{line}") };
        assert!(frame < 300.0 && depth >= 0.0, "{line}"); // rounded to a tenth of a millimetre
        assert!(x.abs() < 1.0 && (0.0..2.0).contains(&y) && z.abs() < 3.0, "{line}");
    }
    assert!(hits.iter().any(|line| line.contains("left_hand")), "{answer}");
    // Blue gives way, too: at the start he stands at 1.6, and red reaches him at less.
    let places = hits.iter().filter_map(|line| numbers(line).pop());
    let [first, last] =
        [places.clone().next(), places.clone().next_back()].map(|z| z.expect("a hit"));
    assert!(first < 1.5 && last > first + 0.3, "{answer}");
}

#[test]
fn ticks_played_again_have_the_same_digests() {
    let answer = printed("rollback", &[]);
    assert_eq!(answer, printed("rollback", &[]));
    let ticks: Vec<&str> = answer.lines().filter(|line| line.starts_with("tick")).collect();
    let health = |line: &&&str| numbers(line)[1];
    assert!(ticks.len() == 12 && answer.contains("96 ticks played again"), "{answer}");
    assert!(ticks.iter().is_sorted_by(|a, b| health(a) > health(b)), "{answer}");
    let digests = ticks.iter().filter_map(|line| line.rsplit(' ').next());
    let mut digests: Vec<&str> = digests.collect();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 12, "{answer}");
}

#[test]
fn every_query_of_a_crowd_finds_something() {
    let answer = printed("crowd", &[]);
    assert_eq!(answer, printed("crowd", &[]));
    let rows: Vec<f64> = answer.lines().skip(1).filter_map(|line| numbers(line).pop()).collect();
    let [bumps, touching, seen, neighbours, shielded, inside] = rows[..] else {
        panic!("{answer}")
    };
    // The last number of the last line: pairs of walkers inside each other after all frames.
    assert_eq!(inside, 0.0, "{answer}");
    assert!(bumps > 10.0 && touching > 10.0 && shielded > 1.0, "{answer}");
    // Most see a wall or somebody, and have somebody within three metres.
    let level = "examples/walk_brushes/level.map";
    let guess = support::run_example::run("crowd", &[level, "--first-guess"]);
    assert_eq!(String::from_utf8(guess.stdout).expect("text"), answer);
    let times = String::from_utf8(guess.stderr).expect("text");
    assert!(times.contains("? contacts of walkers") && times.contains("pairs with the level"));
    assert!(refused("crowd", &[level, "--last-guess"]).contains("--last-guess"));
    for words in [&[level, "b.map"][..], &[level, "--first-guess", "b.map"]] {
        assert!(refused("crowd", words).contains("one FILE, not also 'b.map'"), "{words:?}");
    }
    assert!(refused("rewind", &["a.glb", "b.glb"]).contains("one FILE, not also 'b.glb'"));
    assert!(seen > 300.0 && neighbours > 250.0 && neighbours <= 500.0, "{answer}");
}

#[test]
fn reports_count_what_is_in_a_file() {
    let level = "examples/walk_brushes/level.map";
    let (fighter, arm) = ("examples/fighter/fighter.glb", "bindings/python/examples/arm.urdf");
    let answer = printed("report", &[level, fighter, arm]);
    assert_eq!(answer, printed("report", &[level, fighter, arm]));
    let row = |start: &str| {
        let line = answer.lines().find(|line| line.starts_with(start));
        line.unwrap_or_else(|| panic!("{start}: {answer}"))
    };
    let loaded = boxwood::load::gltf(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/fighter/fighter.glb"
    ));
    let model = loaded.expect("the fighter").model;
    let trees = || model.parts().iter().filter_map(|part| part.tree());
    let primitives: usize = trees().map(|tree| tree.geometry().len()).sum();
    let found = numbers(row(fighter));
    assert_eq!(
        found[..4],
        [model.len(), trees().count(), trees().count(), primitives].map(|n| n as f64)
    );
    assert!(numbers(row(level))[0] > 10.0 && numbers(row(level))[1] == 1.0, "{answer}");
    assert!(answer.contains("of 1000 random configurations"), "{answer}");
    assert!(answer.contains("frames of 'kick'"), "{answer}");
    // Without a file: the fighter.
    assert!(printed("report", &[]).starts_with("fighter: "));
}

#[test]
fn the_four_programs_read_files_have_help_and_are_short() {
    for (example, source) in [
        ("melee", include_str!("../../examples/melee/main.rs")),
        ("rollback", include_str!("../../examples/rollback/main.rs")),
        ("crowd", include_str!("../../examples/crowd/main.rs")),
        ("report", include_str!("../../examples/report/main.rs")),
    ] {
        helps(example, &["FILE"]);
        let trouble = refused(example, &["nothing.glb"]);
        assert!(trouble.contains("nothing.glb"), "{trouble}");
        assert!(source.lines().count() < 150, "{example}");
    }
    let Some(data) = support::data::data() else { return };
    let knight = data.join("characters/kaykit-knight/Knight.glb");
    let knight = knight.to_str().expect("a plain path");
    assert!(printed("melee", &[knight]).lines().count() > 3);
    assert!(printed("rollback", &[knight]).contains("96 ticks played again"));
    assert!(printed("report", &[knight]).contains("Knight.glb: "));
    let level = data.join("levels/lq-dm3/lqdm3.map");
    assert!(printed("crowd", &[level.to_str().expect("a plain path")]).contains("500 walkers"));
}
