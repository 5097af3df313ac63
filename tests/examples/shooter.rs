//! The example `shooter` from outside: every run prints the same, damage follows the groups, masks
//! add up, and characters of files are hit like the fighter.

use support::run_example::{helps, printed, refuses_files};

/// Checks the shots at a fighter, and returns the output.
fn shots(words: &[&str]) -> String {
    let answer = printed("shooter", words);
    assert_eq!(answer, printed("shooter", words));
    let word = |line: &str, after: &str| -> String {
        let rest = line.split_once(after).expect("a line of that kind").1;
        rest.trim_start().split([' ', ',']).next().expect("a word").to_owned()
    };
    let mut seen = [0; 3];
    for line in answer.lines().filter(|line| line.starts_with("  shot ")) {
        let part = line.split_once(", ").expect("a part").1;
        let part = part.split(' ').next().expect("a name");
        let kind = match part {
            "head" | "neck" => 0,
            "hips" | "spine" | "chest" => 1,
            _ => 2,
        };
        assert_eq!(word(line, "off, -"), ["100", "50", "20"][kind], "{line}");
        seen[kind] += 1;
    }
    assert!(seen.iter().all(|&count| count > 3), "{seen:?}: {answer}");
    let in_line = |name: &str| -> usize {
        let end = format!(" {name} in line of chest and head");
        let line =
            answer.lines().find_map(|line| line.strip_suffix(&end)).expect("a line of that kind");
        line.parse().expect("a number")
    };
    let [heads, limbs, both] = ["heads", "limbs", "heads and limbs"].map(in_line);
    assert!(heads > 0 && limbs > 0 && both == heads + limbs, "{answer}");
    let bullet = answer.lines().find(|line| line.starts_with("a bullet passes through "));
    let bullet = bullet.expect("a bullet");
    let fighters = bullet.split(['[', ']']).nth(1).expect("a list").split(", ").count();
    assert!(fighters >= 2, "{bullet}");
    answer
}

#[test]
fn damage_depends_on_groups_and_masks_add_up() {
    // The fighter of a file plays other clips, with the same parts.
    assert_ne!(shots(&[]), shots(&["examples/fighter/fighter.glb"]));
}

#[test]
fn the_shooter_example_has_help_and_names_bad_files() {
    helps("shooter", &["FILE"]);
    let folder = support::folder::Folder::new();
    let broken = folder.write("broken.glb", "glTF, but no more");
    refuses_files(
        "shooter",
        &[
            ("nothing.glb", "nothing.glb"),
            ("level.map", "level.map: files of type '.map' are not supported"),
            (broken.to_str().expect("a plain path"), "broken.glb"),
        ],
    );
}

#[test]
fn characters_and_robots_of_files_are_shot() {
    let Some(data) = support::data::data() else { return };
    for (file, part) in [
        ("characters/kaykit-knight/Knight.glb", "Knight_Helmet"),
        ("characters/fox/Fox.glb", "b_Head_05"),
        ("characters/robot-expressive/robot.glb", "Head (2)"),
        ("robots/panda/urdf/panda.urdf", "panda_link"),
        ("mocap/cmu-18-01/18_01.bvh", "head"),
    ] {
        let file = data.join(file);
        let answer = printed("shooter", &[file.to_str().expect("a plain path")]);
        let hit = answer.lines().find(|line| line.starts_with("  shot ") && line.contains(part));
        assert!(hit.is_some(), "{part}: {answer}");
        let heads = |line: &&str| line.contains("ead") || line.contains("Helmet");
        for line in answer.lines().filter(|line| line.starts_with("  shot ")).filter(heads) {
            assert!(line.contains("-100"), "{line}");
        }
    }
}
