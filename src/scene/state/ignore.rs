//! Pairs that a scene ignores: setting, testing, listing.

use slotmap::DefaultKey;

use crate::error::Error;
use crate::model::PartId;
use crate::num::Scalar;
use crate::scene::filter::ignored::{ALL_PARTS, IgnoredSide, SidePair};
use crate::scene::{CharacterKey, Scene};

impl<T: Scalar> Scene<T> {
    /// Sets whether two characters, or parts of them, are ignored: no pair query tests ignored
    /// pairs against each other, whatever its conditions. This applies to touching, contacts,
    /// distances, margins, separation and casts; it does not apply to rays and shapes, the broad
    /// phase and the intersection curve, whose caller names the objects. Pairs within one character
    /// may be ignored too, in addition to those of its model. A new scene ignores none.
    ///
    /// `false` clears the two sides and all pairs within them; pairs that include more than these
    /// stay, and so do the touch parts of an [attachment](Scene::attach). Removing a character
    /// removes its pairs.
    ///
    /// Pairs of parts that are never tested, in every character of a model, belong [into the
    /// model](crate::model::ModelBuilder::ignore); kinds of parts, of whichever characters, are
    /// separated by [`CollisionGroups`](crate::CollisionGroups); this method is for two
    /// individuals: a robot and the table below it, two dancers.
    /// [`PairQuery::excluding`](crate::PairQuery::excluding) excludes characters from one query.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`] for a part.
    ///
    /// ```
    /// # boxwood::fixture_model!(cube, model);
    /// # let mut scene = Scene::new();
    /// # let robot = scene.insert(&model, Spawn::default())?;
    /// # let table = scene.insert(&model, Spawn::at(Isometry3::translation(0.9, 0.0, 0.0)))?;
    /// use boxwood::{Buffers, QueryScratch};
    ///
    /// let (mut buffers, mut scratch) = (Buffers::new(), QueryScratch::new());
    /// scene.set_ignored((robot, model.part("cube")?), table, true)?;
    /// let now = scene.snapshot(&mut buffers);
    /// assert!(!now.intersects(&PairQuery::all(), &mut scratch)?);
    /// scene.set_ignored(robot, table, false)?; // the part is within the robot
    /// assert!(scene.snapshot(&mut buffers).intersects(&PairQuery::all(), &mut scratch)?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn set_ignored(
        &mut self,
        a: impl Into<IgnoredSide>,
        b: impl Into<IgnoredSide>,
        ignored: bool,
    ) -> Result<(), Error> {
        let (a, b) = (self.checked_side(a.into())?, self.checked_side(b.into())?);
        let sides = SidePair::new(a, b);
        if ignored {
            self.ignored.set(sides, true, |pair, yes| pair.by_caller = yes);
        } else {
            self.ignored.0.retain_mut(|pair| {
                pair.by_caller &= pair.sides.slots != sides.slots || !sides.covers(&pair.sides);
                pair.by_caller || pair.by_attachment
            });
        }
        Ok(())
    }

    /// Returns `true` if two characters, or parts of them, are ignored as a whole: by
    /// [`Scene::set_ignored`] for them or for more, or as touch parts of an
    /// [attachment](Scene::attach). The pairs that a model ignores are
    /// [separate](crate::Model::ignores).
    ///
    /// # Errors
    /// The errors of [`Scene::set_ignored`].
    pub fn is_ignored(
        &self,
        a: impl Into<IgnoredSide>,
        b: impl Into<IgnoredSide>,
    ) -> Result<bool, Error> {
        let ((slot_a, a), (slot_b, b)) =
            (self.checked_side(a.into())?, self.checked_side(b.into())?);
        Ok(self.ignored.pairs_of(slot_a, slot_b).covers(a, b))
    }

    /// Returns the pairs ignored by [`Scene::set_ignored`], each once, in no order to rely on: for
    /// saving, and for setting them in another scene.
    pub fn ignored_pairs(&self) -> impl Iterator<Item = (IgnoredSide, IgnoredSide)> + '_ {
        let side = |slot, part: u32| IgnoredSide {
            character: CharacterKey { slot, scene: self.id },
            part: (part != ALL_PARTS).then(|| PartId::new(part as usize)),
        };
        self.ignored.0.iter().filter(|pair| pair.by_caller).map(move |pair| {
            let SidePair { slots, parts } = pair.sides;
            (side(slots[0], parts[0]), side(slots[1], parts[1]))
        })
    }

    fn checked_side(&self, side: IgnoredSide) -> Result<(DefaultKey, u32), Error> {
        let character = self.character(side.character)?;
        side.part.map_or(Ok(()), |part| character.model.check_part(part))?;
        Ok((side.character.slot, side.part.map_or(ALL_PARTS, |part| part.index() as u32)))
    }
}
