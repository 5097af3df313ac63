//! Pairs found, sorted as answers are: by character, part and node of the first, then of the
//! second.

use crate::num::counting_sort::CountingSort;

/// A pair of nodes to be reported. Small, because it is sorted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FoundPair {
    /// Character (by order), part, node; of both.
    pub key: [u32; 6],
    /// Index of its contact, if contacts were requested.
    pub contact: u32,
}

/// Pairs found by a query.
#[derive(Debug, Clone, Default)]
pub(crate) struct FoundPairs {
    all: Vec<FoundPair>,
    sorting: CountingSort<FoundPair>,
}

impl FoundPairs {
    pub fn clear(&mut self) {
        self.all.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &FoundPair> {
        self.all.iter()
    }

    pub(super) fn push(&mut self, key: [u32; 6], contact: u32) {
        self.all.push(FoundPair { key, contact });
    }

    /// Appends the pairs of another query, whose contacts start at index `before` in the joint
    /// list.
    #[cfg(feature = "rayon")]
    pub(super) fn append(&mut self, other: &Self, before: u32) {
        let found = other.iter().map(|f| FoundPair { contact: f.contact + before, ..*f });
        self.all.extend(found);
    }

    /// Sorts the pairs. They arrive mostly grouped by character and part.
    pub fn sort(&mut self) {
        let FoundPairs { all, sorting } = self;
        let part = |found: &FoundPair| (found.key[0], found.key[1]);
        if !all.is_sorted_by_key(part) {
            return all.sort_unstable_by_key(|found| found.key);
        }
        let node = |found: &FoundPair| found.key[2];
        for of_part in all.chunk_by_mut(|a, b| part(a) == part(b)) {
            let ends = of_part
                .iter()
                .map(node)
                .fold((u32::MAX, 0), |(first, last), node| (first.min(node), last.max(node)));
            if ends.0 < ends.1 {
                sorting.sort(of_part, ends.0, ends.1, node);
            }
            if of_part.is_sorted_by_key(node) {
                let of_nodes = of_part.chunk_by_mut(|a, b| node(a) == node(b));
                // The first node is the same for all: only the second one is compared.
                let second = |found: &FoundPair| {
                    let [.., character, part, node] = found.key;
                    (u64::from(character) << 32 | u64::from(part), node)
                };
                of_nodes.for_each(|of_node| of_node.sort_unstable_by_key(second));
            } else {
                of_part.sort_unstable_by_key(|found| found.key);
            }
        }
    }
}
