//! Questions: who, which parts, in what detail, how accurately.

use super::CharacterKey;
use super::excluded::Excluded;
use super::filter::Chosen;
use super::part_set::PartSet;
use crate::model::PartId;
use crate::tree::Accuracy;

/// What one line of the answer is about: for a ray or a region one of each, for pairs two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// Parts. Of two, the pair of boxes that overlaps deepest (which need not be as deep as the parts: see
    /// [`Hit`](super::Hit)); of one that a ray hits, the box that it meets first; of one in a region,
    /// none: its root stands for it.
    #[default]
    Parts,
    /// Boxes of the cut.
    Boxes,
}

/// A question to a [`Snapshot`](super::Snapshot): who x what x detail x accuracy.
///
/// ```
/// # use boxwood::{Accuracy, CharacterKey, Detail, PartId, Query};
/// # fn ask(red: CharacterKey, blue: CharacterKey, sword: PartId, waist: PartId) -> Query {
/// Query::between(red, blue)
///     .parts(&[sword], &[waist])
///     .detail(Detail::Boxes)
///     .accuracy(Accuracy::Depth(4))
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub(super) who: Who,
    pub(super) parts: Option<[PartSet; 2]>,
    members: Option<[u64; 2]>,
    pub(super) excluded: Excluded,
    pub(super) detail: Detail,
    pub(super) accuracy: Accuracy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    All,
    Between(CharacterKey, CharacterKey),
    Of(CharacterKey),
    Within(CharacterKey),
}

impl Query {
    fn new(who: Who) -> Self {
        Query {
            who,
            parts: None,
            members: None,
            excluded: Excluded::default(),
            detail: Detail::default(),
            accuracy: Accuracy::default(),
        }
    }

    /// Every two characters of the scene; the one of lower order comes first in answers.
    pub fn all() -> Self {
        Query::new(Who::All)
    }

    /// Two characters; `a` comes first in answers.
    pub fn between(a: CharacterKey, b: CharacterKey) -> Self {
        Query::new(Who::Between(a, b))
    }

    /// One character against all others; it comes first in answers.
    pub fn of(character: CharacterKey) -> Self {
        Query::new(Who::Of(character))
    }

    /// One character against itself, but for the pairs its model ignores; the part of lower number comes first in answers.
    pub fn within(character: CharacterKey) -> Self {
        Query::new(Who::Within(character))
    }

    /// Only these parts of the first character against those of the second. For [`Query::between`] alone.
    pub fn parts(mut self, of_a: &[PartId], of_b: &[PartId]) -> Self {
        self.parts = Some([PartSet::new(of_a), PartSet::new(of_b)]);
        self
    }

    /// Only parts of the first character that are members of a group in `of_a` against parts of the second that are members
    /// of one in `of_b`, a bit each; of [`Query::all`] and [`Query::within`], where neither comes first, either way round. The
    /// parts' own [groups](crate::Groups) have to meet as well.
    pub fn members(mut self, of_a: u64, of_b: u64) -> Self {
        self.members = Some([of_a, of_b]);
        self
    }

    /// As if these characters, beside those left out before, were not there.
    pub fn excluding(mut self, characters: &[CharacterKey]) -> Self {
        self.excluded.add(characters);
        self
    }

    pub(super) fn chosen(&self) -> Chosen<'_> {
        let either_way = matches!(self.who, Who::All | Who::Within(_));
        Chosen { parts: self.parts.as_ref(), members: self.members, either_way }
    }

    /// Parts (as it is without this) or boxes.
    pub fn detail(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }

    /// How fine the boxes are that have to touch; the leaves without this.
    pub fn accuracy(mut self, accuracy: Accuracy) -> Self {
        self.accuracy = accuracy;
        self
    }
}
