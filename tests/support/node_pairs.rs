//! Two brute-force oracles of a pair of trees: all pairs by the crate's own node test, and by an
//! f64 SAT that shares no code with it.

use std::collections::HashMap;
use std::ops::ControlFlow;

use boxwood::num::Scalar;
use boxwood::shape::Pose;
use boxwood::tree::{NodeId, ObbTree, TreePair, TreeScratch};
use boxwood::{Accuracy, SimdLevel};

use crate::plain_box::PlainBox;
use crate::random_parts::{aligned, place, weighted_separation};
use crate::tree_nodes::{ancestors, corners};
use crate::{f64_sat, hull_distance};

pub type Pairs = Vec<(NodeId, NodeId)>;

/// Returns the pairs that the traversal finds, sorted.
pub fn descend<T: Scalar>(pair: &TreePair<'_, T>, depth: u8, scratch: &mut TreeScratch) -> Pairs {
    let mut found = Vec::new();
    let visited = pair.visit(Accuracy::Depth(depth), scratch, |touch| {
        found.push((touch.a, touch.b));
        ControlFlow::Continue(())
    });
    assert_eq!(visited, Ok(ControlFlow::Continue(())));
    found.sort_unstable();
    found
}

/// Returns the pairs that brute force over the two cuts finds, sorted.
pub fn every_pair<T: Scalar>(
    pair: &TreePair<'_, T>,
    (a, b): (&ObbTree<T>, &ObbTree<T>),
    depth: u8,
) -> Pairs {
    let cut = b.cut(depth);
    let pairs = a.cut(depth).into_iter().flat_map(|i| cut.iter().map(move |&j| (i, j)));
    let mut found: Pairs = pairs.filter(|&(i, j)| pair.touches(i, j)).collect();
    found.sort_unstable();
    found
}

/// Compares with oracle 1 at every depth whose cuts are small enough. Returns the number of
/// touching pairs at the finest.
pub fn same_without_a_tree<T: Scalar>(
    a: (&ObbTree<T>, &Pose<T>),
    b: (&ObbTree<T>, &Pose<T>),
) -> usize {
    let pair = TreePair::new(a.0, a.1, b.0, b.1).expect("sound poses");
    let mut scratches: Vec<TreeScratch> =
        SimdLevel::all().into_iter().map(TreeScratch::with_simd_level).collect();
    scratches.push(TreeScratch::one_at_a_time());
    let mut touching = 0;
    for depth in 0..=a.0.depth().max(b.0.depth()) {
        if a.0.cut(depth).len() * b.0.cut(depth).len() > 100_000 {
            break;
        }
        let expected = every_pair(&pair, (a.0, b.0), depth);
        for scratch in &mut scratches {
            let found = descend(&pair, depth, scratch);
            assert_eq!(found, expected, "depth {depth}, {:?} {:?}", a.1, b.1);
        }
        let counts = |scratch: &TreeScratch| scratch.counts;
        let eight_wide = counts(&scratches[0]);
        assert!(scratches[..scratches.len() - 1].iter().all(|s| counts(s) == eight_wide));
        touching = expected.len();
    }
    touching
}

/// Counts of a comparison with oracle 2.
#[derive(Debug, Default)]
pub struct Census {
    pub touching: usize,
    pub apart: usize,
    /// Pairs whose boxes touch, but not their convex hulls or those of ancestors.
    pub hulls_apart: usize,
    /// Pairs too close to touching for the oracle to decide.
    pub banded: usize,
}

/// Compares with oracle 2: corners projected on all axes, for the nodes and their ancestors at
/// equal depths. Where all of these overlap by more than the oracle's rounding the nodes must
/// touch, or the convex hulls of one must be separate; where the gap of one is more than twice the
/// slack (on edge axes: times the sine) they must not touch.
pub fn same_by_projection<T: Scalar>(
    a: (&ObbTree<T>, &Pose<T>),
    b: (&ObbTree<T>, &Pose<T>),
    depth: u8,
    census: &mut Census,
) {
    let pair = TreePair::new(a.0, a.1, b.0, b.1).expect("sound poses");
    let reach = a.0.radius_about_origin().wide() + b.0.radius_about_origin().wide();
    let far = a.1.translation.vector.map(|x| x.wide()).norm()
        + b.1.translation.vector.map(|x| x.wide()).norm();
    let doubt = 1e-14 * (reach + far);
    let above = [ancestors(a.0), ancestors(b.0)];
    let mut known: HashMap<(NodeId, NodeId), [f64; 2]> = HashMap::new();
    let mut own = |i: NodeId, j: NodeId| {
        *known.entry((i, j)).or_insert_with(|| {
            let (first, second) = (a.0.node(i), b.0.node(j));
            let boxes = [
                (aligned(first), aligned(second)),
                (PlainBox::of(first.oriented()), PlainBox::of(second.oriented())),
            ];
            let boxes = boxes.map(|(x, y)| (place(&x, a.1), place(&y, b.1)));
            let gap = boxes.iter().map(|(x, y)| f64_sat::separation(x, y)).fold(f64::MIN, f64::max);
            let excess = boxes.iter().map(|(x, y)| {
                let slack = T::LEAF_SLACK * (x.radius() + y.radius() + T::REACH_SHARE * reach);
                weighted_separation(x, y) - 2.0 * slack
            });
            [gap, excess.fold(f64::MIN, f64::max)]
        })
    };
    let mut hulls: HashMap<[NodeId; 2], bool> = HashMap::new();
    let mut hulls_apart = |levels: Vec<[NodeId; 2]>| {
        levels.into_iter().any(|[i, j]| {
            *hulls.entry([i, j]).or_insert_with(|| {
                hull_distance::are_apart(&corners(a.0, i, a.1), &corners(b.0, j, b.1))
            })
        })
    };
    for i in a.0.cut(depth) {
        for j in b.0.cut(depth) {
            let (x, y) = (&above[0][i.index()], &above[1][j.index()]);
            let levels =
                (0..x.len().max(y.len())).map(|k| [x, y].map(|list| list[k.min(list.len() - 1)]));
            let worst = levels.clone().map(|[i, j]| own(i, j));
            let [gap, excess] =
                worst.fold([f64::MIN; 2], |m, own| [m[0].max(own[0]), m[1].max(own[1])]);
            let touches = pair.touches(i, j);
            if gap < -doubt && !touches && hulls_apart(levels.clone().collect()) {
                census.hulls_apart += 1;
            } else if gap < -doubt {
                assert!(touches, "missed {i:?} {j:?}, gap {gap:e}, {:?} {:?}", a.1, b.1);
                census.touching += 1;
            } else if excess > doubt {
                assert!(!touches, "excess {excess:e} {i:?} {j:?}, {:?} {:?}", a.1, b.1);
                census.apart += 1;
            } else {
                census.banded += 1;
            }
        }
    }
}

/// Computes the distance along `direction` at which the second tree separates from the first, by
/// bisection on the tree's own verdict.
pub fn touching_distance<T: Scalar>(
    a: (&ObbTree<T>, &Pose<T>),
    b: (&ObbTree<T>, impl Fn(f64) -> Pose<T>),
) -> f64 {
    let (mut near, mut far) =
        (0.0, 2.0 * (a.0.radius_about_origin().wide() + b.0.radius_about_origin().wide()));
    let mut scratch = TreeScratch::default();
    for _ in 0..40 {
        let middle = 0.5 * (near + far);
        let pose = b.1(middle);
        let pair = TreePair::new(a.0, a.1, b.0, &pose).expect("sound poses");
        let touches = pair.intersects(Accuracy::Depth(u8::MAX), &mut scratch);
        if touches.expect("a depth") { near = middle } else { far = middle }
    }
    near
}

compiled_here! { descend, every_pair, same_without_a_tree, same_by_projection }
