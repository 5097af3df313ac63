//! Broad phase results: pairs of characters and of parts whose world AABBs overlap.

use super::part_aabb_pairs::PartAabbPairs;
use crate::error::Error;
use crate::model::PartId;
use crate::num::Scalar;
use crate::scene::{CharacterKey, Snapshot};

impl<'a, T: Scalar> Snapshot<'a, T> {
    /// Returns the pairs of the broad phase: characters whose world AABBs overlap, or nearly do
    /// (they are rounded to single precision), except two at rest. Each pair appears once, in the
    /// order of answers, the lesser first. All characters that touch are among them; collision
    /// groups are ignored. The first query that needs the pairs computes them.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// assert_eq!(now.broad_phase_pairs().collect::<Vec<_>>(), [(red, blue)]);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn broad_phase_pairs(
        &self,
    ) -> impl Iterator<Item = (CharacterKey, CharacterKey)> + Clone + use<'a, T> {
        let now = *self;
        self.buffers.near_pairs().pairs.iter().map(move |&(a, b)| (now.key_at(a), now.key_at(b)))
    }

    /// Returns the pairs of parts of two characters, or of one, whose [world
    /// AABBs](Snapshot::part_aabb) overlap, or nearly do. Within one character each pair appears
    /// once, the lesser part first, without the pairs that its model ignores. The order is always
    /// the same: by part numbers if neither character has more than 64 parts. All parts that touch
    /// are among them; collision groups and rest flags are ignored.
    ///
    /// The compared boxes are rounded outward to single precision: each end lies outside the world
    /// AABB's by less than `3e-5` of the part's radius about its origin, plus `1e-6` of the
    /// origin's coordinate along that axis. All coordinates beyond `1e38` compare as equal.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// let cube = model.part("cube")?;
    /// assert_eq!(now.part_aabb_pairs(red, blue)?.collect::<Vec<_>>(), [(cube, cube)]);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn part_aabb_pairs(
        &self,
        a: CharacterKey,
        b: CharacterKey,
    ) -> Result<impl Iterator<Item = (PartId, PartId)> + use<'a, T>, Error> {
        let (a, b) = (self.find_character(a)?.0, self.find_character(b)?.0);
        Ok(PartAabbPairs::new(self, a, b))
    }
}
