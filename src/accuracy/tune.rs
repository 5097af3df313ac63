//! Tuning: the depth that each part needs for a target.

use std::ops::ControlFlow;

use super::Case;
use crate::error::Error;
use crate::num::Scalar;
use crate::tree::{Accuracy, ObbTree, TreePair, TreeScratch};

/// Target of a tuning.
///
/// ```
/// use boxwood::accuracy::Target;
///
/// let (tight, cheap) = (Target::Slack(0.01), Target::Tests(5_000)); // units; box tests
/// assert_ne!(tight, cheap);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// Greatest slack with which any pair of parts may be reported, in any poses [world units].
    Slack(f64),
    /// Greatest number of box tests, for all contacts of all given cases together.
    Tests(u64),
}

/// Depth of one part, see [`Model::cut_off`](crate::model::Model::cut_off), and the bound of its
/// boxes at that depth.
///
/// ```
/// use boxwood::accuracy::PartDepth;
///
/// let head = PartDepth { depth: 4, bound: 0.012 };
/// let hand = PartDepth { depth: 2, bound: 0.011 };
/// assert!(head.bound.max(hand.bound) < 0.02); // part units
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartDepth {
    /// Depth at which the part's tree is cut.
    pub depth: u8,
    /// Largest bound of the nodes of that cut [part units].
    pub bound: f64,
}

/// Proposal of the tuner: its slack and its cost.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use boxwood::accuracy::{Target, tune};
///
/// let tuning = tune(&[&tree], &[], Target::Tests(1000))?;
/// for step in &tuning.steps {
///     println!("{:?}: slack {} for {} tests", step.deepened, step.slack, step.tests);
/// }
/// assert_eq!(tuning.steps[0].deepened, None); // all at depth 0
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// Part that was deepened for this proposal; `None` for all at depth 0.
    pub deepened: Option<usize>,
    /// Greatest slack with which two parts can be reported: twice the largest bound, since a part
    /// can touch its twin. Without the error of rounding [world units].
    pub slack: f64,
    /// Greatest slack reported in a given case [world units].
    pub reported: f64,
    /// Box tests for all contacts of all given cases.
    pub tests: u64,
}

/// Result of the tuner: the depth of each part, and every proposal before it.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use boxwood::accuracy::{Target, tune};
///
/// let tuning = tune(&[&tree], &[], Target::Slack(0.001))?;
/// let depths: Vec<u8> = tuning.parts.iter().map(|part| part.depth).collect(); // for `cut_off`
/// assert_eq!((depths, tuning.steps.len(), tuning.met), (vec![0], 1, true));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tuning {
    /// Depths of the parts, in the given order.
    pub parts: Vec<PartDepth>,
    /// Proposals, from all parts at depth 0 on; the last one is the result.
    pub steps: Vec<Step>,
    /// Set if the target was reached.
    pub met: bool,
}

/// Proposes a depth for each of the trees, given cases of two of them each (by index, first and
/// second).
///
/// Starts at one box per part and deepens the part with the largest bound to the next depth that
/// reduces it, until the slack is small enough or the next step would take too many tests.
///
/// # Errors
/// Error of an invalid pose of a case; none if [`Case::new`] created the cases.
///
/// ```
/// use boxwood::accuracy::{Target, hard_cases, tune};
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::{Build, Geometry, Obb, ObbTree};
///
/// let at = |x| Obb::from_pose(&Isometry3::translation(x, 0.0, 0.0), Vector3::repeat(0.5));
/// let tree = ObbTree::build(Geometry::Boxes(vec![at(0.0)?, at(3.0)?]), &Build::default())?;
/// let cases = hard_cases([&tree, &tree], 10, 7)?;
/// let cases: Vec<_> = cases.iter().map(|case| ([0, 0], case)).collect();
/// let tuning = tune(&[&tree], &cases, Target::Slack(0.001))?;
/// assert_eq!((tuning.met, tuning.parts[0].depth), (true, 1)); // its leaves are its geometry
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn tune<T: Scalar>(
    trees: &[&ObbTree<T>],
    cases: &[([usize; 2], &Case<'_, T>)],
    target: Target,
) -> Result<Tuning, Error> {
    let mut parts: Vec<PartDepth> = trees.iter().map(|tree| depth_and_bound(tree, 0)).collect();
    let mut shallow: Vec<ObbTree<T>> = trees.iter().map(|tree| tree.cut_off(0)).collect();
    let mut step = measure_step(&shallow, &parts, cases, None)?;
    let mut steps = vec![step];
    while !matches!(target, Target::Slack(most) if step.slack <= most) {
        let Some((part, closer)) = loosest(&parts, trees) else { break };
        let before = std::mem::replace(&mut parts[part], closer);
        shallow[part] = trees[part].cut_off(closer.depth);
        step = self::measure_step(&shallow, &parts, cases, Some(part))?;
        if matches!(target, Target::Tests(most) if step.tests > most) {
            parts[part] = before;
            break;
        }
        steps.push(step);
    }
    let last = steps[steps.len() - 1];
    let met = match target {
        Target::Slack(most) => last.slack <= most,
        Target::Tests(most) => last.tests <= most,
    };
    Ok(Tuning { parts, steps, met })
}

/// Returns a depth and its largest bound.
fn depth_and_bound<T: Scalar>(tree: &ObbTree<T>, depth: u8) -> PartDepth {
    PartDepth { depth, bound: tree.cut_bounds(depth).bound }
}

/// Returns the part with the largest bound that a greater depth reduces, and the next depth that
/// does: children can have larger bounds than their parent.
fn loosest<T: Scalar>(parts: &[PartDepth], trees: &[&ObbTree<T>]) -> Option<(usize, PartDepth)> {
    let closer = |part: usize| {
        let now = parts[part];
        let mut deeper =
            (now.depth..trees[part].depth()).map(|depth| depth_and_bound(trees[part], depth + 1));
        Some((part, deeper.find(|next| next.bound < now.bound)?))
    };
    let open = (0..parts.len()).filter_map(closer);
    open.reduce(|a, b| if parts[b.0].bound > parts[a.0].bound { b } else { a })
}

/// Measures a proposal: queries all contacts of all cases.
fn measure_step<T: Scalar>(
    trees: &[ObbTree<T>],
    parts: &[PartDepth],
    cases: &[([usize; 2], &Case<'_, T>)],
    deepened: Option<usize>,
) -> Result<Step, Error> {
    let (mut scratch, mut reported) = (TreeScratch::one_at_a_time(), 0.0f64);
    for ([a, b], case) in cases {
        let pair = TreePair::new(&trees[*a], &case.poses[0], &trees[*b], &case.poses[1])?;
        let _ = pair.visit(Accuracy::default(), &mut scratch, |touch| {
            reported = reported.max(pair.slack(touch).wide());
            ControlFlow::Continue(())
        })?;
    }
    let slack = 2.0 * parts.iter().map(|part| part.bound).fold(0.0, f64::max);
    Ok(Step { deepened, slack, reported, tests: scratch.counts.tests() })
}
