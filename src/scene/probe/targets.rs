//! What rays and regions are put to.

use crate::error::Error;
use crate::model::{Groups, PartId};
use crate::num::Scalar;
use crate::scene::excluded::Excluded;
use crate::scene::part_set::PartSet;
use crate::scene::{Character, CharacterKey, Detail, Snapshot};
use crate::tree::Accuracy;

/// How much of an answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wanted {
    /// What is hit first. Of a region: everything.
    #[default]
    Closest,
    /// Everything.
    All,
    /// Whether there is anything: the first thing found, whichever that is.
    Any,
}

/// Whom a ray or a region is put to, in what detail, how accurately.
///
/// ```
/// # use boxwood::{Accuracy, CharacterKey, PartId};
/// # use boxwood::scene::Targets;
/// # fn head_shot(blue: CharacterKey, head: PartId) -> Targets {
/// Targets::of(blue).parts(&[head]).accuracy(Accuracy::Exact)
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Targets {
    who: Option<CharacterKey>,
    parts: Option<PartSet>,
    groups: Groups,
    excluded: Excluded,
    pub(super) detail: Detail,
    pub(super) accuracy: Accuracy,
}

impl Targets {
    /// Every character of the scene.
    pub fn all() -> Self {
        Targets::default()
    }

    /// One character.
    pub fn of(character: CharacterKey) -> Self {
        Targets { who: Some(character), ..Targets::default() }
    }

    /// Only these parts; of each character that has them, where they are put to all.
    pub fn parts(mut self, parts: &[PartId]) -> Self {
        self.parts = Some(PartSet::new(parts));
        self
    }

    /// The groups of the ray or region, as a part has them: only parts that these [meet](Groups::meets).
    pub fn groups(mut self, groups: Groups) -> Self {
        self.groups = groups;
        self
    }

    /// As if these characters, beside those left out before, were not there: the one that shoots, say.
    pub fn excluding(mut self, characters: &[CharacterKey]) -> Self {
        self.excluded.add(characters);
        self
    }

    /// One line a part (as it is without this), or one a box.
    pub fn detail(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }

    /// How fine the boxes are that are to be met; the leaves without this.
    pub fn accuracy(mut self, accuracy: Accuracy) -> Self {
        self.accuracy = accuracy;
        self
    }

    /// The one place among the characters, if it is one; refuses what can not be asked.
    #[inline]
    pub(super) fn checked<T: Scalar>(&self, now: &Snapshot<'_, T>) -> Result<Option<u32>, Error> {
        self.accuracy.check()?;
        if matches!(self.accuracy, Accuracy::Budget(_)) {
            return Err(Error::BadQuery { reason: "rays and regions take no budget" });
        }
        self.excluded.check(now.scene)?;
        let Some(key) = self.who else { return Ok(None) };
        let (place, character) = now.entry(key)?;
        if let Some(parts) = &self.parts {
            parts.check(&character.model)?;
        }
        Ok(Some(place))
    }

    pub(super) fn excludes(&self, key: CharacterKey) -> bool {
        !self.excluded.is_empty() && self.excluded.holds(key)
    }

    /// Whether all parts of the character are included.
    pub(super) fn includes_all<T: Scalar>(&self, character: &Character<T>) -> bool {
        self.parts.is_none() && self.meets_all(character)
    }

    pub(super) fn includes<T: Scalar>(&self, character: &Character<T>, part: PartId) -> bool {
        self.parts.as_ref().is_none_or(|parts| parts.contains(part))
            && (self.meets_all(character) || self.groups.meets(character.groups[part.index()]))
    }

    /// Whether no groups leave out a part of the character.
    fn meets_all<T: Scalar>(&self, character: &Character<T>) -> bool {
        character.grouped == 0 && self.groups == Groups::ALL
    }
}
