//! Witness contacts of earlier directions, tried first: a pair that separates late along one
//! direction usually does so along the next.

use super::first_contact::ShiftContact;

/// Number of contacts of earlier directions to remember.
const WITNESS_COUNT: usize = 4;

/// Last contacts along the directions searched so far.
///
/// The contact that shows that two bodies touch at all is not among them: which one is found
/// depends on the traversal, and witnesses decide which directions are tried.
#[derive(Default)]
pub(crate) struct WitnessCache {
    /// Index of the pair of trees, and the contact.
    witnesses: [Option<(u32, ShiftContact)>; WITNESS_COUNT],
    next: usize,
    /// Index of the pair of trees that touch in the current poses.
    touching_pair: u32,
}

impl WitnessCache {
    /// Creates an empty cache from the index of a pair of trees that touch.
    pub fn new(touching_pair: u32) -> Self {
        WitnessCache { touching_pair, ..WitnessCache::default() }
    }

    /// Stores a contact in place of the oldest.
    pub fn store(&mut self, number: u32, touch: ShiftContact) {
        self.witnesses[self.next] = Some((number, touch));
        self.next = (self.next + 1) % WITNESS_COUNT;
    }

    pub fn witnesses(&self) -> impl Iterator<Item = (u32, ShiftContact)> {
        self.witnesses.iter().flatten().copied()
    }

    /// Returns the index of the pair of trees that touch in the current poses.
    pub fn touching_pair(&self) -> u32 {
        self.touching_pair
    }

    /// Returns the leaves of the witnesses of a pair of trees, and their number.
    pub fn leaves(&self, number: u32) -> ([[u32; 2]; WITNESS_COUNT], usize) {
        let (mut leaves, mut len) = ([[0; 2]; WITNESS_COUNT], 0);
        for (_, touch) in self.witnesses().filter(|(of, _)| *of == number) {
            leaves[len] = touch.nodes;
            len += 1;
        }
        (leaves, len)
    }
}
