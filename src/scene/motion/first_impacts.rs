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

    /// Returns the impacts of the current tick whose pairs have had none before, and remembers
    /// these pairs.
    pub fn new_impacts(&mut self) -> impl Iterator<Item = Impact<T>> + '_ {
        let FirstImpacts { of_tick, struck } = self;
        of_tick.iter().copied().filter(|impact| {
            let mut pair = [impact.a, impact.b].map(|node| (node.character, node.part));
            pair.sort_unstable();
            match struck.binary_search(&pair) {
                Ok(_) => false,
                Err(at) => {
                    struck.insert(at, pair);
                    true
                }
            }
        })
    }
}
