//! Who is near whom by aligned boxes alone: six comparisons a pair, and nothing turned.

use super::{CharacterKey, Snapshot};
use crate::error::Error;
use crate::model::PartId;
use crate::num::Scalar;

impl<'a, T: Scalar> Snapshot<'a, T> {
    /// The characters whose world boxes share a point, or all but do (they are rounded to single precision), but for two at rest: each pair
    /// once, in the order of answers, the lesser first. Whoever touches is among them; groups are not heeded. Found when first asked for,
    /// by this or by a question about all.
    pub fn near_characters(
        &self,
    ) -> impl Iterator<Item = (CharacterKey, CharacterKey)> + Clone + use<'a, T> {
        let now = *self;
        self.buffers.near().pairs.iter().map(move |&(a, b)| (now.key(a), now.key(b)))
    }

    /// The parts of two characters, or of one, whose [world boxes](Snapshot::part_box) share a point: ascending, of one character each pair once
    /// and without those that its model ignores. Whichever touch are among them; groups and rest are not heeded.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn near_parts(
        &self,
        a: CharacterKey,
        b: CharacterKey,
    ) -> Result<impl Iterator<Item = (PartId, PartId)> + use<'a, T>, Error> {
        let ((of_a, model), of_b) = (self.entry(a)?, self.entry(b)?.0);
        let (within, model) = (a == b, &model.model);
        let (first, second) = (self.parts(of_a), self.parts(of_b));
        Ok(first.iter().enumerate().flat_map(move |(i, x)| {
            let from = if within { i + 1 } else { 0 };
            let others = second.iter().enumerate().skip(from);
            let near = others.filter(move |(_, y)| x.bounds.intersects(&y.bounds));
            let pairs = near.map(move |(j, _)| (PartId::new(i), PartId::new(j)));
            pairs.filter(move |&(i, j)| !(within && model.ignores(i, j)))
        }))
    }
}
