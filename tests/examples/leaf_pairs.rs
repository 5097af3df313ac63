//! The example `leaf_pairs` from outside: at every depth all exact pairs are inside, pairs are printed with
//! their points, and points come closer.

use support::run_example::{helps, printed, refused};

/// Numbers of a line.
fn numbers(line: &str) -> Vec<f64> {
    let words = line.split(|c: char| c.is_whitespace() || "(),:;".contains(c));
    words.filter_map(|word| word.parse().ok()).collect()
}

/// Pairs of a depth.
struct Depth {
    found: f64,
    exact: f64,
    /// Nodes, point, error of the point, depth, exact pairs inside, distance of the furthest.
    pairs: Vec<[f64; 9]>,
}

fn depths(answer: &str) -> [Depth; 4] {
    let depth = |name: &str| {
        let start = format!("depth {name}:");
        let mut lines = answer.lines().skip_while(|line| !line.starts_with(&start));
        let head = lines.next().unwrap_or_else(|| panic!("{name}: {answer}"));
        let [found, exact] = numbers(head.split_once(':').expect("a colon").1)[..] else {
            panic!("{head}")
        };
        let row = |line: &str| {
            let row = numbers(line);
            row.try_into().unwrap_or_else(|row| panic!("{row:?}: {line}"))
        };
        let pairs = lines.take_while(|line| line.starts_with("  ")).map(row).collect();
        Depth { found, exact, pairs }
    };
    ["0", "2", "4", "leaves"].map(depth)
}

#[test]
fn pairs_have_points_and_all_exact_pairs_are_inside() {
    let answer = printed("leaf_pairs", &[]);
    assert_eq!(answer, printed("leaf_pairs", &[]));
    let depths = depths(&answer);
    for Depth { found, exact, pairs } in &depths {
        assert!(*found >= 1.0 && *exact == depths[0].exact && *exact > 20.0, "{answer}");
        assert_eq!(pairs.len(), found.min(5.0) as usize, "{answer}");
        assert!(pairs.is_sorted_by(|p, q| p[6] >= q[6]), "{answer}");
        for [_, _, _, _, _, error, depth, inside, far] in pairs {
            assert!(*error > 0.0 && *depth > 0.0, "{answer}");
            // A point that two triangles share is in both boxes.
            assert!(far <= error && (*far > 0.0) == (*inside > 0.0), "{answer}");
        }
    }
    let [root, _, _, leaves] = &depths;
    assert!(root.found == 1.0 && root.pairs[0][7] == root.exact, "{answer}");
    assert!(root.pairs[0][..2] == [0.0, 0.0] && leaves.found >= leaves.exact, "{answer}");
    // Boxes of leaves are around a triangle each: at most one exact pair.
    assert!(leaves.pairs.iter().all(|pair| pair[7] <= 1.0), "{answer}");
    let error = |depth: &Depth| depth.pairs.iter().map(|pair| pair[5]).fold(0.0, f64::max);
    assert!(depths.is_sorted_by(|p, q| error(p) > error(q)), "{answer}");
}

#[test]
fn leaf_pairs_reads_a_mesh_and_has_help() {
    let folder = support::folder::Folder::new();
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    let file = folder.write("tetrahedron.obj", text);
    let answer = printed("leaf_pairs", &[file.to_str().expect("a plain path")]);
    assert!(depths(&answer)[3].exact > 0.0, "{answer}");
    let trouble = refused("leaf_pairs", &["nothing.obj"]);
    assert!(trouble.contains("nothing.obj"), "{trouble}");
    let trouble = refused("leaf_pairs", &["a.obj", "b.obj"]);
    assert!(trouble.contains("one FILE, not also 'b.obj'"), "{trouble}");
    helps("leaf_pairs", &["FILE"]);
    let Some(data) = support::data::data() else { return };
    for file in ["robots/panda/meshes/collision/hand.stl", "meshes/fcl-env-rob/rob.obj"] {
        let file = data.join(file);
        let answer = printed("leaf_pairs", &[file.to_str().expect("a plain path")]);
        let [root, .., leaves] = depths(&answer);
        assert!(root.exact == leaves.exact && leaves.pairs.len() == 5, "{answer}");
    }
}

#[test]
fn leaf_pairs_is_short_and_needs_no_other_file() {
    let source = include_str!("../../examples/leaf_pairs/main.rs");
    assert!(source.lines().count() < 80 && !source.contains("#[path") && !source.contains("mod "));
}
