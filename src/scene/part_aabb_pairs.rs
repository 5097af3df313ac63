//! Which parts of two characters are near each other, pair after pair; all that is written on goes
//! along with it.

use super::Snapshot;
use super::entry::MANY_PARTS;
use crate::broad_phase::OverlapMasks;
use crate::model::{Model, PartId, Placed};
use crate::num::Scalar;

/// Pairs of parts, ascending.
pub(super) struct PartAabbPairs<'a, T: Scalar> {
    parts: Parts<'a, T>,
    /// The part that is looked at, and the first of those that the bits stand for.
    one: usize,
    first: usize,
    /// A bit for each near it that is still to be told.
    left: u64,
}

/// What the next bits are taken from.
#[allow(clippy::large_enum_variant)] // one goes along, never many
enum Parts<'a, T: Scalar> {
    /// Compared all at once: a bit for each part that is near any and was not looked at yet, and
    /// which those are.
    Few { near: u64, masks: OverlapMasks },
    /// Compared as bits are asked for.
    Many(Many<'a, T>),
}

/// Parts that do not stand side by side.
struct Many<'a, T: Scalar> {
    parts: [&'a [Placed<T>]; 2],
    /// If they are one character's.
    itself: Option<&'a Model<T>>,
    /// What is compared next.
    next: [usize; 2],
}

impl<'a, T: Scalar> PartAabbPairs<'a, T> {
    /// Of the characters at those places.
    #[inline]
    pub fn new(now: &Snapshot<'a, T>, a: u32, b: u32) -> Self {
        let ((one, character), (other, beside)) = (now.character(a), now.character(b));
        let (model, buffers) = (&*character.model, now.buffers);
        let itself = (a == b).then_some(model);
        // Filled where it is: it is not small.
        let parts = Parts::Few { near: 0, masks: [0; MANY_PARTS] };
        let mut all = PartAabbPairs { parts, one: 0, first: 0, left: 0 };
        match &mut all.parts {
            Parts::Few { near, masks } if model.len().max(beside.model.len()) <= MANY_PARTS => {
                let (rows, around) = ([one.parts, other.parts], [one.around, other.around]);
                *near = buffers.rows.masks(buffers.level, rows, around, masks);
                if let Some(model) = itself {
                    *near = model.keep_asked(*near, masks);
                }
            }
            parts => {
                let placed = match one.bounds.intersects(&other.bounds) {
                    true => [now.parts(a), now.parts(b)],
                    false => [&[][..]; 2],
                };
                *parts = Parts::Many(Many { parts: placed, itself, next: [0; 2] });
            }
        }
        all
    }

    /// Comes to the next part, or the next bits of the same; `None` if there is none.
    #[inline]
    fn advance(&mut self) -> Option<()> {
        match &mut self.parts {
            Parts::Few { near: 0, .. } => return None,
            Parts::Few { near, masks } => {
                self.one = near.trailing_zeros() as usize;
                self.left = masks[self.one];
                *near &= *near - 1;
            }
            Parts::Many(many) => ([self.one, self.first], self.left) = many.bits()?,
        }
        Some(())
    }
}

impl<T: Scalar> Iterator for PartAabbPairs<'_, T> {
    type Item = (PartId, PartId);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while self.left == 0 {
            self.advance()?;
        }
        let other = self.first + self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some((PartId::new(self.one), PartId::new(other)))
    }
}

impl<T: Scalar> Many<'_, T> {
    /// A part of the first, the next of the second, and a bit for each from that on that is near.
    fn bits(&mut self) -> Option<([usize; 2], u64)> {
        let ([one, from], [first, second]) = (self.next, self.parts);
        let part = first.get(one)?;
        let to = second.len().min(from + u64::BITS as usize);
        self.next = if to < second.len() { [one, to] } else { [one + 1, 0] };
        let mut bits = 0;
        for (bit, other) in second[from..to].iter().enumerate() {
            let is_near = part.bounds.intersects(&other.bounds) && self.counts(one, from + bit);
            bits |= u64::from(is_near) << bit;
        }
        Some(([one, from], bits))
    }

    fn counts(&self, one: usize, other: usize) -> bool {
        let ignores = |model: &Model<T>| model.ignores(PartId::new(one), PartId::new(other));
        self.itself.is_none_or(|model| one < other && !ignores(model))
    }
}
