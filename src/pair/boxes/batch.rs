//! Batches of pairs of oriented boxes: intersection and contact.

use super::contact_batch::ContactQueue;
use crate::num::{Scalar, SimdLevel};
use crate::pair::results::Contact;
use crate::sat::prefilter::{BATCH, PrefilterQueue};
use crate::sat::{SatMasks, boxes_overlap};
use crate::shape::Obb;

/// Tests many pairs of boxes at once. Reuse it: it owns the buffers.
///
/// ```
/// use boxwood::nalgebra::{Matrix3, Point3, Vector3};
/// use boxwood::{Obb, pair::Batch};
///
/// let at = |x| Obb::new(Point3::new(x, 0.0, 0.0), Matrix3::identity(), Vector3::repeat(0.5_f32));
/// let (a, b, c) = (at(0.0)?, at(1.0)?, at(2.5)?);
/// let mut answers = Vec::new();
/// Batch::default().intersects([(&a, &b), (&b, &c)], &mut answers);
/// assert_eq!(answers, [true, false]);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Batch {
    queue: PrefilterQueue,
    simd: SimdLevel,
}

impl Batch {
    /// Returns a batch that uses this instruction set; the answers are the same.
    pub fn with_simd_level(simd: SimdLevel) -> Self {
        Batch { simd, ..Batch::default() }
    }

    /// Tests each pair: `true` if the two boxes share a point; touching counts. `answers` receives
    /// what [`Obb::intersects`] returns for each pair; its old contents are dropped.
    ///
    /// ```
    /// use boxwood::nalgebra::{Isometry3, Vector3};
    /// use boxwood::{Batch, Obb};
    ///
    /// let at = |x| Obb::from_pose(&Isometry3::translation(x, 0.0, 0.0), Vector3::repeat(0.5));
    /// let (player, crates) = (at(0.0)?, [at(0.9)?, at(1.0)?, at(1.1)?]);
    /// let mut answers = Vec::new();
    /// Batch::default().intersects(crates.iter().map(|one| (&player, one)), &mut answers);
    /// assert_eq!(answers, [true, true, false]); // touching counts
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn intersects<'a, T: Scalar>(
        &mut self,
        pairs: impl IntoIterator<Item = (&'a Obb<T>, &'a Obb<T>)>,
        answers: &mut Vec<bool>,
    ) {
        answers.clear();
        for_each_chunk(pairs, |chunk| {
            let SatMasks { apart, overlapping } = self.queue.masks_of_stored(self.simd, chunk);
            let start = answers.len();
            answers.extend((0..chunk.len()).map(|i| overlapping >> i & 1 == 1));
            for (i, (a, b)) in chunk.iter().enumerate() {
                if (apart | overlapping) >> i & 1 == 0 {
                    answers[start + i] = boxes_overlap(a, b);
                }
            }
        });
    }

    /// Computes the contact of each pair; `None` where the boxes are disjoint. `answers` receives
    /// what [`Obb::contact`] returns for each pair, bit for bit; its old contents are dropped.
    ///
    /// ```
    /// use boxwood::nalgebra::{Isometry3, Vector3};
    /// use boxwood::{Batch, Obb};
    ///
    /// let at = |x| Obb::from_pose(&Isometry3::translation(x, 0.0, 0.0), Vector3::repeat(0.5));
    /// let (player, crates) = (at(0.0)?, [at(0.75)?, at(2.0)?]);
    /// let mut contacts = Vec::new();
    /// Batch::default().contacts(crates.iter().map(|one| (&player, one)), &mut contacts);
    /// let depths = contacts.iter().map(|contact| contact.map(|contact| contact.depth));
    /// assert_eq!(depths.collect::<Vec<Option<f32>>>(), [Some(0.25), None]);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn contacts<'a, T: Scalar>(
        &mut self,
        pairs: impl IntoIterator<Item = (&'a Obb<T>, &'a Obb<T>)>,
        answers: &mut Vec<Option<Contact<T>>>,
    ) {
        answers.clear();
        let mut queue = ContactQueue::default();
        for_each_chunk(pairs, |chunk| {
            let SatMasks { apart, .. } = self.queue.masks_of_stored(self.simd, chunk);
            let start = answers.len();
            answers.resize(start + chunk.len(), None);
            for (i, (a, b)) in chunk.iter().enumerate() {
                if apart >> i & 1 == 0 {
                    queue.push([a, b], start + i, self.simd, answers);
                }
            }
        });
        queue.flush(self.simd, answers);
    }
}

/// Calls `each` with successive chunks of up to [`BATCH`] pairs.
fn for_each_chunk<'a, T: Scalar>(
    pairs: impl IntoIterator<Item = (&'a Obb<T>, &'a Obb<T>)>,
    mut each: impl FnMut(&[(&'a Obb<T>, &'a Obb<T>)]),
) {
    let mut pairs = pairs.into_iter();
    while let Some(first) = pairs.next() {
        let (mut chunk, mut len) = ([first; BATCH], 1);
        for (slot, pair) in chunk[1..].iter_mut().zip(&mut pairs) {
            (*slot, len) = (pair, len + 1);
        }
        each(&chunk[..len]);
    }
}
