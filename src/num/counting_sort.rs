//! Counting sorts, for keys from a range not much larger than the number of items.

/// Size of a key range that is always worth counting.
const CHEAP_KEY_COUNT: usize = 128;

/// Scratch memory of a stable counting sort (Knuth, The Art of Computer Programming 3, 5.2).
#[derive(Debug, Clone)]
pub(crate) struct CountingSort<E> {
    input: Vec<E>,
    /// Index at which the next item of each key goes.
    starts: Vec<u32>,
}

impl<E> Default for CountingSort<E> {
    fn default() -> Self {
        CountingSort { input: Vec::new(), starts: Vec::new() }
    }
}

impl<E: Copy> CountingSort<E> {
    /// Sorts items by their keys in `first..=last`, stably; does nothing if that range is far
    /// larger than the number of items.
    pub fn sort(&mut self, items: &mut [E], first: u32, last: u32, key: impl Fn(&E) -> u32) {
        let len = (last - first) as usize + 1;
        if len > CHEAP_KEY_COUNT + 2 * items.len() {
            return;
        }
        let CountingSort { input, starts } = self;
        input.clear();
        input.extend_from_slice(items);
        scatter(input, items, len, starts, |item| (key(item) - first) as usize);
    }
}

/// Scratch memory of a sort of pairs of indices.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairSort {
    pairs: Vec<(u32, u32)>,
    /// Index at which the next pair of each key goes.
    starts: Vec<u32>,
}

impl PairSort {
    /// Sorts pairs of indices below `count`, ascending: stable counting sorts by the second, then
    /// by the first index (Knuth, The Art of Computer Programming 3, 5.2.5). No comparisons, hence
    /// no mispredicted branches.
    pub fn sort(&mut self, pairs: &mut [(u32, u32)], count: usize) {
        self.pairs.resize(pairs.len(), (0, 0));
        scatter(pairs, &mut self.pairs, count, &mut self.starts, |pair| pair.1 as usize);
        scatter(&self.pairs, pairs, count, &mut self.starts, |pair| pair.0 as usize);
    }
}

/// Writes items in the order of their keys below `key_count`, stably.
fn scatter<E: Copy>(
    from: &[E],
    to: &mut [E],
    key_count: usize,
    starts: &mut Vec<u32>,
    key: impl Fn(&E) -> usize,
) {
    starts.clear();
    starts.resize(key_count, 0);
    from.iter().for_each(|item| starts[key(item)] += 1);
    let mut start = 0;
    for count in &mut *starts {
        start += std::mem::replace(count, start);
    }
    for item in from {
        let start = &mut starts[key(item)];
        to[*start as usize] = *item;
        *start += 1;
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    /// Compares with a stable sort.
    pub fn equals_keep_their_order() {
        let (mut sorting, mut shared, mut left) = (CountingSort::default(), 0, 0);
        for k in 0..4_000u32 {
            let (count, keys, first) = (k * 7 % 90, 1 + k * 13 % 400, k % 3 * 1_000);
            let key = |i: u32| first + (i * i * 31 + i * 17 + k) % keys;
            let things: Vec<(u32, u32)> = (0..count).map(|i| (key(i), i)).collect();
            let (mut found, mut sorted) = (things.clone(), things.clone());
            sorting.sort(&mut found, first, first + keys - 1, |thing| thing.0);
            sorted.sort_by_key(|thing| thing.0);
            let few = keys as usize <= CHEAP_KEY_COUNT + 2 * count as usize;
            assert_eq!(found, if few { sorted } else { things });
            if few { shared += 1 } else { left += 1 }
        }
        assert!(shared > 400 && left > 400, "{shared} {left}");
    }

    pub fn pairs_ascend() {
        let mut sorting = PairSort::default();
        for k in 0..400u32 {
            let (len, count) = (k * 7 % 90, 1 + k * 13 % 60);
            let index = |i: u32| (i * i * 31 + i * 17 + k) % count;
            let mut pairs: Vec<(u32, u32)> = (0..len).map(|i| (index(i), index(i + 5))).collect();
            let mut sorted = pairs.clone();
            sorted.sort_unstable();
            sorting.sort(&mut pairs, count as usize);
            assert_eq!(pairs, sorted);
        }
    }
}
