//! The order of answers: ascending by character, part and node of the first, then of the second.

use super::hit::Found;

/// So many nodes are always worth counting.
const FEW: usize = 128;

/// What sorting writes on.
#[derive(Debug, Clone, Default)]
pub(super) struct Spare {
    found: Vec<Found>,
    /// Where those of each node of the first part go.
    starts: Vec<u32>,
}

/// Sorts by key. Mostly they come character by character and part by part, with little to sort in between.
pub(super) fn sort(found: &mut [Found], spare: &mut Spare) {
    if found.is_sorted_by_key(part) {
        found.chunk_by_mut(|a, b| part(a) == part(b)).for_each(|of_part| spare.sort(of_part));
    } else {
        found.sort_unstable_by_key(|found| found.key);
    }
}

fn part(found: &Found) -> (u32, u32) {
    (found.key[0], found.key[1])
}

/// The node of the first part.
fn node(found: &Found) -> u32 {
    found.key[2]
}

impl Spare {
    /// Those of one part: shared out by its nodes unless these are far more, then sorted node by node.
    fn sort(&mut self, found: &mut [Found]) {
        let nodes = found.iter().map(node);
        let ends =
            nodes.fold((u32::MAX, 0), |(first, last), node| (first.min(node), last.max(node)));
        if ends.0 < ends.1 {
            let len = (ends.1 - ends.0) as usize + 1;
            if len > FEW + 2 * found.len() {
                return found.sort_unstable_by_key(|found| found.key);
            }
            self.share_out(found, ends.0, len);
        }
        let of_nodes = found.chunk_by_mut(|a, b| node(a) == node(b));
        of_nodes.for_each(|of_node| of_node.sort_unstable_by_key(|found| found.key));
    }

    /// Puts those of `len` nodes from the first one on in the order of these.
    fn share_out(&mut self, found: &mut [Found], first: u32, len: usize) {
        let Spare { found: before, starts } = self;
        starts.clear();
        starts.resize(len, 0);
        let place = |found: &Found| (node(found) - first) as usize;
        found.iter().for_each(|found| starts[place(found)] += 1);
        let mut start = 0;
        for count in &mut *starts {
            start += std::mem::replace(count, start);
        }
        before.clear();
        before.extend_from_slice(found);
        for from in &*before {
            let start = &mut starts[place(from)];
            found[*start as usize] = *from;
            *start += 1;
        }
    }
}
