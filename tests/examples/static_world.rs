//! The example `static_world` from outside: every run prints the same, and everything of the world
//! is hit.

use support::run_example::printed;

#[test]
fn everything_of_the_world_is_hit() {
    let answer = printed("static_world", &[]);
    assert_eq!(answer, printed("static_world", &[]));
    for name in ["hill", "floor", "things", "level"] {
        let line = answer.lines().find(|line| line.starts_with(name) && line.contains("touched"));
        let line = line.unwrap_or_else(|| panic!("{name}: {answer}"));
        let ticks = line.split_once("touched in ").expect("ticks").1.trim_start();
        let ticks: usize = ticks.split(' ').next().and_then(|x| x.parse().ok()).expect("a number");
        assert!(ticks > 5, "{line}");
    }
    assert!(answer.contains("ground below in 360 ticks"), "{answer}");
    assert!(answer.contains("a ball thrown hits"), "{answer}");
}

#[test]
fn the_static_world_example_has_help() {
    support::run_example::helps("static_world", &[]);
}
