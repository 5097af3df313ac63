//! The order of answers: ascending by character, part and node of the first, then of the second.

use super::candidates::Kept;
use super::hit::Found;

/// So many places are always worth counting.
const FEW: usize = 128;

/// What sorting writes on.
#[derive(Debug, Clone)]
pub(super) struct Spare<E> {
    before: Vec<E>,
    /// Where those of each place go.
    starts: Vec<u32>,
}

impl<E> Default for Spare<E> {
    fn default() -> Self {
        Spare { before: Vec::new(), starts: Vec::new() }
    }
}

impl<E: Copy> Spare<E> {
    /// Puts all in the order of their places, those of one place in the order they had; does
    /// nothing if there are far more places than things, whose places begin at `first`.
    fn share_out(&mut self, things: &mut [E], first: u32, last: u32, place: impl Fn(&E) -> u32) {
        let len = (last - first) as usize + 1;
        if len > FEW + 2 * things.len() {
            return;
        }
        let Spare { before, starts } = self;
        starts.clear();
        starts.resize(len, 0);
        let place = |thing: &E| (place(thing) - first) as usize;
        things.iter().for_each(|thing| starts[place(thing)] += 1);
        let mut start = 0;
        for count in &mut *starts {
            start += std::mem::replace(count, start);
        }
        before.clear();
        before.extend_from_slice(things);
        for thing in &*before {
            let start = &mut starts[place(thing)];
            things[*start as usize] = *thing;
            *start += 1;
        }
    }
}

/// Sorts pairs of parts of some first characters with others, which come in the order of the first,
/// and mostly part by part of one other after the other.
pub(super) fn candidates(candidates: &mut [Kept], spare: &mut Spare<Kept>) {
    for of_one in candidates.chunk_by_mut(|x, y| x.parts.a.0 == y.parts.a.0) {
        let part = |kept: &Kept| kept.parts.a.1.index() as u32;
        let last = of_one.iter().map(part).max().unwrap_or(0);
        spare.share_out(of_one, 0, last, part);
        let key = |kept: &Kept| (kept.parts.a, kept.parts.b);
        if !of_one.is_sorted_by_key(key) {
            of_one.sort_unstable_by_key(key);
        }
    }
}

/// Sorts answers, which mostly come character by character and part by part.
pub(super) fn answers(found: &mut [Found], spare: &mut Spare<Found>) {
    let part = |found: &Found| (found.key[0], found.key[1]);
    if !found.is_sorted_by_key(part) {
        return found.sort_unstable_by_key(|found| found.key);
    }
    let node = |found: &Found| found.key[2];
    for of_part in found.chunk_by_mut(|a, b| part(a) == part(b)) {
        let ends = of_part
            .iter()
            .map(node)
            .fold((u32::MAX, 0), |(first, last), node| (first.min(node), last.max(node)));
        if ends.0 < ends.1 {
            spare.share_out(of_part, ends.0, ends.1, node);
        }
        if of_part.is_sorted_by_key(node) {
            let of_nodes = of_part.chunk_by_mut(|a, b| node(a) == node(b));
            // What of the first is the same is not compared again.
            let second = |found: &Found| {
                let [.., character, part, node] = found.key;
                (u64::from(character) << 32 | u64::from(part), node)
            };
            of_nodes.for_each(|of_node| of_node.sort_unstable_by_key(second));
        } else {
            of_part.sort_unstable_by_key(|found| found.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a sort that keeps the order of equals does it, or not at all.
    #[test]
    fn things_are_shared_out_in_the_order_they_had() {
        let (mut spare, mut shared, mut left) = (Spare::default(), 0, 0);
        for k in 0..4_000u32 {
            let (count, places, first) = (k * 7 % 90, 1 + k * 13 % 400, k % 3 * 1_000);
            let place = |i: u32| first + (i * i * 31 + i * 17 + k) % places;
            let things: Vec<(u32, u32)> = (0..count).map(|i| (place(i), i)).collect();
            let (mut found, mut sorted) = (things.clone(), things.clone());
            spare.share_out(&mut found, first, first + places - 1, |thing| thing.0);
            sorted.sort_by_key(|thing| thing.0);
            let few = places as usize <= FEW + 2 * count as usize;
            assert_eq!(found, if few { sorted } else { things });
            if few { shared += 1 } else { left += 1 }
        }
        assert!(shared > 400 && left > 400, "{shared} {left}");
    }
}
