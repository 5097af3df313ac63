//! The example `shooter` from outside: every run prints the same, damage follows the groups, and
//! masks add up.

use support::run_example::printed;

#[test]
fn damage_depends_on_groups_and_masks_add_up() {
    let answer = printed("shooter", &[]);
    assert_eq!(answer, printed("shooter", &[]));
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
}

#[test]
fn the_shooter_example_has_help() {
    support::run_example::helps("shooter", &[]);
}
