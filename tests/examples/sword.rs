//! The example `sword` from outside: a miss prints its distance, a swing hits once, the shield
//! before the body, and every run prints the same.

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
    assert!(of_swing(5)[0].contains("sword meets shield at "), "{answer}");
    assert!(!of_swing(4)[0].contains("shield"), "{answer}");
}

#[test]
fn the_sword_example_has_help() {
    support::run_example::helps("sword", &[]);
}
