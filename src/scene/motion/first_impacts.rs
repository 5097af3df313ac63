//! The pairs of parts that have had an impact, so that each is reported once.

use super::impact::Impact;
use crate::model::PartId;
use crate::num::Scalar;
use crate::scene::CharacterKey;

type PartKey = (CharacterKey, PartId);

/// Memory of a search for the first impact of every pair over several ticks.
#[derive(Debug, Clone, Default)]
pub(super) struct FirstImpacts<T: Scalar> {
    /// Impacts of the current tick.
    pub of_tick: Vec<Impact<T>>,
    /// Pairs that have had an impact, ascending, the lesser part of each first.
    struck: Vec<[PartKey; 2]>,
}

impl<T: Scalar> FirstImpacts<T> {
    /// Forgets all pairs.
    pub fn clear(&mut self) {
        self.struck.clear();
    }

    /// Keeps of the impacts of the current tick, of which each pair has one at most, those whose
    /// pairs have had none before, and remembers these pairs.
    pub fn keep_new(&mut self) {
        let FirstImpacts { of_tick, struck } = self;
        let before = struck.len();
        of_tick.retain(|impact| {
            let mut pair = [impact.a, impact.b].map(|node| (node.character, node.part));
            pair.sort_unstable();
            let is_new = struck[..before].binary_search(&pair).is_err();
            if is_new {
                struck.push(pair);
            }
            is_new
        });
        struck.sort_unstable();
    }
}
