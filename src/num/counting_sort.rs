//! Counting sort, for keys from a range not much larger than the number of items.

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
    pub fn sort(&mut self, items: &mut [E], first: u32, last: u32, place: impl Fn(&E) -> u32) {
        let len = (last - first) as usize + 1;
        if len > CHEAP_KEY_COUNT + 2 * items.len() {
            return;
        }
        let CountingSort { input, starts } = self;
        starts.clear();
        starts.resize(len, 0);
        let key = |thing: &E| (place(thing) - first) as usize;
        items.iter().for_each(|thing| starts[key(thing)] += 1);
        let mut start = 0;
        for count in &mut *starts {
            start += std::mem::replace(count, start);
        }
        input.clear();
        input.extend_from_slice(items);
        for thing in &*input {
            let start = &mut starts[key(thing)];
            items[*start as usize] = *thing;
            *start += 1;
        }
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
}
