//! Queries over several pairs of trees: the basis of queries over parts.

use super::budget::Spending;
use super::{Accuracy, TreePair, TreeScratch};
use crate::num::Scalar;

/// The options of a query over several pairs of trees: its accuracy, the least margin of each, and
/// whether one that touches is enough.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ask {
    pub accuracy: Accuracy,
    pub margin: f64,
    pub first_only: bool,
}

impl Ask {
    /// Calls `found` with the index of every pair that touches, ascending, and a slack that is
    /// valid for it; returns whether the accuracy was met. The accuracy must be checked before.
    pub fn each_touching<'a, T: Scalar>(
        self,
        pairs: u32,
        pair: impl Fn(u32) -> TreePair<'a, T>,
        scratch: &mut TreeScratch,
        mut found: impl FnMut(u32, T),
    ) -> bool {
        let Ask { accuracy, first_only, .. } = self;
        let Accuracy::Budget(tests) = accuracy else {
            for index in 0..pairs {
                let trees = pair(index);
                if trees.touches_at(accuracy, scratch) {
                    found(index, trees.slack_of_all(accuracy, scratch));
                    if first_only {
                        break;
                    }
                }
            }
            return true;
        };
        let met = Spending { pairs, tests, first_only }.run(&pair, scratch);
        // The slack of two parts is the least of the node pairs left open.
        for open in scratch.left_open.chunk_by(|a, b| a.0 == b.0) {
            let trees = pair(open[0].0);
            let slacks = open.iter().map(|&(_, touch)| trees.slack(touch));
            found(open[0].0, slacks.reduce(|a, b| if b < a { b } else { a }).unwrap_or_default());
        }
        met
    }
}
