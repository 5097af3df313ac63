//! The example `leaf_pairs` from outside: every exact pair is inside a pair of boxes at every depth, and the points
//! come closer.

use support::run_example::{helps, printed, refused};

/// Returns the numbers of the row of a depth: pairs, x, y, z, error of the point, depth, slack,
/// exact pairs inside, all of them.
fn row(answer: &str, depth: &str) -> [f64; 9] {
    let line = answer.lines().find(|line| line.split_whitespace().next() == Some(depth));
    let line = line.unwrap_or_else(|| panic!("{depth}: {answer}"));
    let words = line.split(|c: char| c.is_whitespace() || c == '(' || c == ')').skip(1);
    let numbers: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().unwrap_or_else(|numbers| panic!("{numbers:?}: {line}"))
}

#[test]
fn every_exact_pair_is_inside_one_and_deeper_pairs_are_tighter() {
    let answer = printed("leaf_pairs", &[]);
    assert_eq!(answer, printed("leaf_pairs", &[]));
    let rows = ["0", "2", "4", "leaves"].map(|depth| row(&answer, depth));
    for [found, _, _, _, error, depth, slack, inside, all] in rows {
        assert!(found >= 1.0 && inside == all && all > 20.0, "{answer}");
        assert!(error > 0.0 && depth > 0.0 && slack > 0.0, "{answer}");
    }
    // The rings cross on the x axis, where the two tubes meet.
    let [_, x, y, z, error, _, slack, _, all] = rows[3];
    assert!((0.8..1.4).contains(&x) && y.abs() < 0.3 && z.abs() < 0.3, "{answer}");
    assert!(rows[0][0] == 1.0 && rows[3][0] >= all, "{answer}");
    assert!(error < 0.25 * rows[0][4] && slack < 0.25 * rows[0][6], "{answer}");
}

#[test]
fn leaf_pairs_reads_a_mesh_and_has_help() {
    let folder = support::folder::Folder::new();
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    let file = folder.write("tetrahedron.obj", text);
    let answer = printed("leaf_pairs", &[file.to_str().expect("a plain path")]);
    assert!(row(&answer, "leaves")[7] > 0.0, "{answer}");
    let trouble = refused("leaf_pairs", &["nothing.obj"]);
    assert!(trouble.contains("nothing.obj"), "{trouble}");
    helps("leaf_pairs", &["FILE"]);
}

#[test]
fn leaf_pairs_is_short_and_needs_no_other_file() {
    let source = include_str!("../../examples/leaf_pairs/main.rs");
    assert!(source.lines().count() < 80 && !source.contains("#[path") && !source.contains("mod "));
}
