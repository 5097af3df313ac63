//! The pairs of parts of one character that are never tested.

use super::{Part, PartId};
use crate::num::Scalar;

/// A symmetric table of ignored pairs, one bit per pair.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rules {
    parts: usize,
    ignored: Vec<u64>,
}

impl Rules {
    /// Ignores each part with itself and with those within `hops` steps from part to parent or
    /// child. Parts without geometry are skipped in counting: a slot between hand and sword does
    /// not separate the two.
    pub fn new<T: Scalar>(parts: &[Part<T>], hops: usize) -> Self {
        let mut rules = Rules {
            parts: parts.len(),
            ignored: vec![0; (parts.len() * parts.len()).div_ceil(64)],
        };
        let neighbours = neighbours(parts);
        for start in 0..parts.len() {
            let mut reached = vec![start];
            let mut ring = vec![start];
            for _ in 0..hops {
                ring = ring.iter().flat_map(|&p| neighbours[p].iter().copied()).collect();
                ring.retain(|p| !reached.contains(p));
                reached.extend(&ring);
            }
            reached.iter().for_each(|&other| rules.ignore(PartId::new(start), PartId::new(other)));
        }
        rules
    }

    /// Restores a table from its [words](Rules::words); `None` unless they are valid: of that size,
    /// symmetric, each part with itself, and no other bits set.
    #[cfg(feature = "bake")]
    pub fn from_words(parts: usize, words: Vec<u64>) -> Option<Self> {
        let bits = parts.checked_mul(parts)?;
        if words.len() != bits.div_ceil(64) {
            return None;
        }
        let rules = Rules { parts, ignored: words };
        let bit = |bit: usize| rules.ignored[bit / 64] >> (bit % 64) & 1 == 1;
        let same = |a: usize| (0..a).all(|b| bit(a * parts + b) == bit(b * parts + a));
        let sound = (0..parts).all(|a| bit(a * parts + a) && same(a));
        let beside = (bits..64 * rules.ignored.len()).any(bit);
        (sound && !beside).then_some(rules)
    }

    pub fn ignore(&mut self, a: PartId, b: PartId) {
        for (a, b) in [(a, b), (b, a)] {
            let bit = a.index() * self.parts + b.index();
            self.ignored[bit / 64] |= 1 << (bit % 64);
        }
    }

    pub fn ignores(&self, a: PartId, b: PartId) -> bool {
        if a.index() >= self.parts || b.index() >= self.parts {
            return false;
        }
        let bit = a.index() * self.parts + b.index();
        self.ignored[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The later parts that `part` is tested against, a bit each. For models of at most 64 parts.
    #[inline]
    pub fn later(&self, part: usize) -> u64 {
        let (from, behind) = (part * self.parts + part + 1, self.parts - part - 1);
        let word = |index: usize| self.ignored.get(index).copied().unwrap_or(0);
        let (low, high) = (word(from / 64), word(from / 64 + 1));
        let ignored = (u128::from(high) << 64 | u128::from(low)) >> (from % 64);
        let all = (1u128 << behind) - 1;
        ((!ignored & all) << (part + 1)) as u64
    }

    pub fn words(&self) -> &[u64] {
        &self.ignored
    }
}

/// For each part the nearest parts with geometry up and down the hierarchy.
fn neighbours<T: Scalar>(parts: &[Part<T>]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); parts.len()];
    for (index, part) in parts.iter().enumerate() {
        let mut above = part.parent;
        while let Some(parent) = above {
            if parts[parent.index()].tree.is_some() || parts[parent.index()].parent.is_none() {
                neighbours[index].push(parent.index());
                neighbours[parent.index()].push(index);
                break;
            }
            above = parts[parent.index()].parent;
        }
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::chance::Chance;

    #[test]
    fn bits_of_later_parts_say_what_is_not_ignored() {
        let mut chance = Chance(5);
        for parts in 1..=64usize {
            let ignored = vec![0; (parts * parts).div_ceil(64)];
            let mut rules = Rules { parts, ignored };
            for _ in 0..chance.below(parts * parts) {
                let [a, b] = [0; 2].map(|_| PartId::new(chance.below(parts)));
                rules.ignore(a, b);
            }
            for part in 0..parts {
                let asked = |other: &usize| !rules.ignores(PartId::new(part), PartId::new(*other));
                let expected = (part + 1..parts).filter(asked).fold(0, |bits, b| bits | 1 << b);
                assert_eq!(rules.later(part), expected, "part {part} of {parts}");
            }
        }
    }
}
