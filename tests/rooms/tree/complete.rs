//! Completed trees are those of the default build, bit for bit.

use std::ops::ControlFlow;

use boxwood::Error;
use boxwood::model::Model;
use boxwood::shape::Mesh;
use boxwood::tree::{Bound, Build, Fit, Geometry, NodeId, ObbTree, Progress, Split, Stage};

use super::invariants::odd_parts;

use support::prelude::*;

fn parts<T: Scalar>() -> Vec<(&'static str, Geometry<T>)> {
    let mut random = Random(83);
    let mut parts = odd_parts::<T>();
    parts.extend((0..8).map(|kind| ("random", random_part(&mut random, kind))));
    parts
}

/// Asserts that two trees have equal bits.
fn assert_same<T: Scalar>(found: &ObbTree<T>, expected: &ObbTree<T>, name: &str) {
    assert_eq!(found.fingerprint(), expected.fingerprint(), "{name}");
    assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{name}");
    assert!(found == expected && found.validate().is_ok(), "{name}");
}

fn default_builds<T: Scalar>() {
    let mut changed = 0;
    for (name, part) in parts::<T>() {
        let expected = ObbTree::build(part.clone(), &Build::new()).expect(name);
        let at_once = ObbTree::build(part, &Build::level()).expect(name);
        let complete = at_once.complete();
        assert_same(&complete, &expected, name);
        assert_same(&complete.complete(), &expected, name);
        changed += usize::from(at_once.fingerprint() != complete.fingerprint());
    }
    assert!(changed > 5, "{changed}");
}

fn other_builds<T: Scalar>() {
    for (name, part) in parts::<T>() {
        for build in [
            Build::tight(),
            Build::robots(),
            Build::new().max_depth(2),
            Build::new().leaf_primitives(3).fit(Fit::Spread),
            Build::new().split(Split::AreaMedian).fit(Fit::Aligned),
        ] {
            let expected = ObbTree::build(part.clone(), &build).expect(name);
            let at_once = ObbTree::build(part.clone(), &build.boxes_only()).expect(name);
            assert_eq!(at_once.hull(NodeId::ROOT), None, "{name}");
            assert_same(&at_once.complete(), &expected, name);
        }
    }
}

/// Checks that four primitives a leaf stay, and nodes and boxes with them.
fn full_leaves<T: Scalar>() {
    for (name, part) in parts::<T>() {
        let fast = ObbTree::build(part.clone(), &Build::fast()).expect(name);
        let build = Build::fast().bound(Bound::Certified).hull_levels(Build::new().hull_levels);
        assert_same(&fast.complete(), &ObbTree::build(part, &build).expect(name), name);
    }
}

#[test]
fn options_without_bounds_and_hulls_keep_all_others() {
    let build = Build::tight().max_depth(7).leaf_primitives(2);
    let boxes_only = build.boxes_only();
    assert_eq!((boxes_only.bound, boxes_only.hull_levels), (Bound::Corners, 0));
    assert_eq!(boxes_only.bound(build.bound).hull_levels(build.hull_levels), build);
    assert_eq!(Build::new().boxes_only(), Build::level());
}

#[test]
fn completion_is_watched_and_stopped() {
    let corners = (0..600).map(|i| [f64::from(i % 7), f64::from(i % 11), f64::from(i % 13)].into());
    let faces = (0..598).map(|i| [i, i + 1, i + 2]).collect();
    let part = Geometry::<f64>::Surface(Mesh::new(corners.collect(), faces).expect("a mesh"));
    let tree = ObbTree::build(part, &Build::level()).expect("a tree");
    let mut seen = Vec::new();
    let complete = tree.complete_watched(&mut |progress: Progress| {
        seen.push(progress);
        ControlFlow::Continue(())
    });
    assert_eq!(complete, Ok(tree.complete()));
    assert!(seen.is_sorted_by(|a, b| a.done <= b.done && a.stage == b.stage));
    let last = seen.last().expect("reports");
    assert_eq!((last.stage, last.done, last.total), (Stage::Building, 2 * 598, 2 * 598));
    for stop in (1..seen.len()).step_by(step(1, 7)) {
        let mut left = stop;
        let stopped = tree.complete_watched(&mut |_| {
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(stopped, Err(Error::Cancelled), "{stop} of {}", seen.len());
    }
}

/// Checks models: parts without geometry, ignored pairs and groups stay.
fn models<T: Scalar>() {
    let mut random = Random(84);
    let (meshes, rules) = (parts::<T>(), [0, 2]);
    for hops in rules {
        let model = |build| {
            let mut builder = Model::<T>::builder().part("root", None, Geometry::None);
            for (index, (_, part)) in meshes.iter().enumerate() {
                builder = builder.part(format!("part {index}"), Some("root"), part.clone());
            }
            builder.ignore_neighbours(hops).build(build).expect("a model")
        };
        let (at_once, expected) = (model(&Build::level()), model(&Build::new()));
        let complete = at_once.complete();
        assert_eq!(complete.fingerprint(), expected.fingerprint());
        assert_ne!(complete.fingerprint(), at_once.fingerprint());
        assert_eq!(format!("{complete:?}"), format!("{expected:?}"));
        let [a, b] = [0, 1].map(|_| random.below(complete.len()));
        let [a, b] = [a, b].map(|index| complete.parts()[index].id());
        assert_eq!(complete.ignores(a, b), expected.ignores(a, b));
    }
}

scalars! {
    models_of_levels_become_default_models => models();
    trees_of_levels_become_default_trees => default_builds();
    trees_of_any_options_become_theirs => other_builds();
    full_leaves_stay_full => full_leaves();
}
