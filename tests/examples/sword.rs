//! The example `sword` from outside: a miss prints its distance, a swing hits once, and every run
//! prints the same.

use support::run_example::printed;

#[test]
fn swings_miss_by_decreasing_distances_until_they_hit_once() {
    let answer = printed("sword", &[]);
    assert_eq!(answer, printed("sword", &[]));
    let of_swing = |n: usize| -> Vec<&str> {
        let start = format!("swing {n} ");
        answer.lines().filter(|line| line.starts_with(&start)).collect()
    };
    let mut last = f64::INFINITY;
    let (mut missed, mut landed) = (0, 0);
    for lines in (1..=4).map(of_swing) {
        let missing = lines.iter().find_map(|line| line.split_once("misses by "));
        if let Some((_, by)) = missing {
            let by: f64 = by.trim_end_matches(" m").parse().expect("a length");
            assert!(lines.len() == 1 && by > 0.0 && by < last && landed == 0, "{lines:?}");
            (last, missed) = (by, missed + 1);
        } else {
            let time = |line: &str| line.split_once(" at ").map(|(_, rest)| rest[..5].to_owned());
            assert!(!lines.is_empty());
            // All of one frame.
            assert!(lines.iter().all(|line| time(line).is_some() && time(line) == time(lines[0])));
            landed += 1;
        }
    }
    assert!(missed > 0 && landed > 0, "{answer}");
}

#[test]
fn the_sword_example_has_help() {
    support::run_example::helps("sword", &[]);
}
