//! The example `grasp` from outside: the fingers touch the mug until they hold it, then only the
//! mug collides with the post, and scaled by two the output is the same.

use support::run_example::printed;

#[test]
fn the_held_mug_belongs_to_the_robot() {
    let answer = printed("grasp", &[]);
    assert_eq!(answer, printed("grasp", &[]));
    let line = |step: &str| {
        let start = format!("{step}: ");
        let line = answer.lines().find_map(|line| line.strip_prefix(&start));
        line.unwrap_or_else(|| panic!("no step '{step}': {answer}"))
    };
    let nothing = "the robot touches nothing; with what it holds nothing";
    for step in ["around the mug", "lifted", "high over the post", "beside the post", "let go"] {
        assert_eq!(line(step), nothing, "{step}");
    }
    let fingers = "left_finger and mug, right_finger and mug";
    let closed = format!("the robot touches {fingers}; with what it holds {fingers}");
    assert_eq!(line("closed"), closed);
    let low = "the robot touches nothing; with what it holds mug and post";
    assert_eq!(line("low over the post"), low);
    assert!(answer.ends_with("twice as large: the same 7 answers\n"), "{answer}");
}

#[test]
fn the_grasp_example_has_help() {
    support::run_example::helps("grasp", &[]);
}
