//! The depth each part needs.

use super::Case;
use crate::error::Error;
use crate::num::Scalar;
use crate::tree::{Accuracy, ObbTree, Scratch, TreePair};

/// What a tuning is after.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// No pair of parts reported with more slack than this. World units.
    Slack(f64),
    /// No more tests of boxes than this, all given cases together.
    Tests(u64),
}

/// How deep one part goes; see [`Model::cut_off`](crate::model::Model::cut_off), and how far its boxes are then from what is in them. Part units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartDepth {
    /// Cut the part's tree there.
    pub depth: u8,
    /// The largest bound of the nodes of that cut.
    pub bound: f64,
}

/// What the tuner proposes, and every proposal on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuning {
    /// Part by part, as given.
    pub parts: Vec<PartDepth>,
    /// From all parts at depth 0 on: the largest slack of two different parts, gap not included, and the tests of boxes
    /// that all given cases took.
    pub steps: Vec<(f64, u64)>,
    /// Whether the target was met.
    pub met: bool,
}

/// Proposes a depth for each of the trees, given cases of two of them each (by index, first and second).
///
/// Starts from one box a part and deepens the part whose boxes are loosest, until the slack is small enough or the next
/// step would take too many tests.
///
/// # Errors
/// What is wrong with a pose of a case; none if [`Case::new`] made it.
pub fn tune<T: Scalar>(
    trees: &[&ObbTree<T>],
    cases: &[([usize; 2], &Case<'_, T>)],
    target: Target,
) -> Result<Tuning, Error> {
    let cut = |part: usize, depth: u8| {
        let bound = trees[part].coarsest(depth).bound;
        PartDepth { depth, bound }
    };
    let mut parts: Vec<PartDepth> = (0..trees.len()).map(|part| cut(part, 0)).collect();
    let mut shallow: Vec<ObbTree<T>> = trees.iter().map(|tree| tree.cut_off(0)).collect();
    let mut steps = vec![(slack(&parts), tests(&shallow, cases)?)];
    loop {
        let (now, spent) = steps[steps.len() - 1];
        let met = match target {
            Target::Slack(most) => now <= most,
            Target::Tests(most) => spent <= most,
        };
        let open = (0..parts.len()).filter(|&i| parts[i].depth < trees[i].depth());
        let loosest = open.reduce(|a, b| if parts[b].bound > parts[a].bound { b } else { a });
        let done = met && matches!(target, Target::Slack(_));
        let (Some(part), false) = (loosest, done) else { return Ok(Tuning { parts, steps, met }) };
        let finer = cut(part, parts[part].depth + 1);
        shallow[part] = trees[part].cut_off(finer.depth);
        let spent = tests(&shallow, cases)?;
        if matches!(target, Target::Tests(most) if spent > most) {
            return Ok(Tuning { parts, steps, met });
        }
        parts[part] = finer;
        steps.push((slack(&parts), spent));
    }
}

/// The two loosest parts against each other.
fn slack(parts: &[PartDepth]) -> f64 {
    let mut bounds: Vec<f64> = parts.iter().map(|part| part.bound).collect();
    bounds.sort_by(|a, b| b.total_cmp(a));
    bounds.iter().take(2).sum()
}

/// Tests of boxes for all contacts of all cases.
fn tests<T: Scalar>(
    trees: &[ObbTree<T>],
    cases: &[([usize; 2], &Case<'_, T>)],
) -> Result<u64, Error> {
    let mut scratch = Scratch::default();
    for ([a, b], case) in cases {
        let pair = TreePair::new(&trees[*a], &case.poses[0], &trees[*b], &case.poses[1])?;
        let _ = pair.visit(Accuracy::Depth(u8::MAX), &mut scratch, |_| {
            std::ops::ControlFlow::Continue(())
        })?;
    }
    Ok(scratch.counts.tests())
}
