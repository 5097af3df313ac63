//! The example `grasp` from outside: the fingers touch the mug until they hold it, then the mug alone
//! meets the post, and twice as large it is all the same.

use support::run_example::printed;

#[test]
fn what_is_held_belongs_to_the_robot() {
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
fn the_example_helps() {
    support::run_example::helps("grasp", &[]);
}
