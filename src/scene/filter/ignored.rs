//! Ignored pairs: characters, or parts of two characters, that no pair query tests. The allowed
//! collision matrix of a scene.

use slotmap::DefaultKey;

use crate::model::PartId;
use crate::scene::CharacterKey;

/// A character, or one part of it: one side of a pair for
/// [`Scene::set_ignored`](crate::scene::Scene::set_ignored). Converts from a key, or from a key and
/// a part.
///
/// ```
/// # use boxwood::{Build, Geometry, Model, Scene, Spawn};
/// # let model = Model::builder().part("hand", None, Geometry::None).build(&Build::default())?;
/// # let mut scene = Scene::new();
/// # let robot = scene.insert(&model, Spawn::default())?;
/// use boxwood::IgnoredSide;
///
/// let hand = IgnoredSide::from((robot, model.part("hand")?));
/// assert_eq!(IgnoredSide::from(robot), IgnoredSide { part: None, ..hand });
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct IgnoredSide {
    /// The character.
    pub character: CharacterKey,
    /// The part; `None` for all parts.
    pub part: Option<PartId>,
}

impl From<CharacterKey> for IgnoredSide {
    fn from(character: CharacterKey) -> Self {
        IgnoredSide { character, part: None }
    }
}

impl From<(CharacterKey, PartId)> for IgnoredSide {
    fn from((character, part): (CharacterKey, PartId)) -> Self {
        IgnoredSide { character, part: Some(part) }
    }
}

/// The number that represents all parts; sorts last.
pub(in crate::scene) const ALL_PARTS: u32 = u32::MAX;

/// Two sides of a pair: the lesser slot first; within one character, the lesser part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::scene) struct SidePair {
    pub(in crate::scene) slots: [DefaultKey; 2],
    pub(in crate::scene) parts: [u32; 2],
}

impl SidePair {
    pub(in crate::scene) fn new(
        (slot_a, a): (DefaultKey, u32),
        (slot_b, b): (DefaultKey, u32),
    ) -> Self {
        match (slot_b, b) < (slot_a, a) {
            true => SidePair { slots: [slot_b, slot_a], parts: [b, a] },
            false => SidePair { slots: [slot_a, slot_b], parts: [a, b] },
        }
    }

    /// Returns `true` if this pair includes all part pairs of another pair of the same characters.
    pub(in crate::scene) fn covers(&self, other: &Self) -> bool {
        let side = |one: u32, other: u32| one == ALL_PARTS || one == other;
        let covers = |[a, b]: [u32; 2]| side(a, other.parts[0]) && side(b, other.parts[1]);
        let [a, b] = self.parts;
        covers([a, b]) || self.slots[0] == self.slots[1] && covers([b, a])
    }
}

/// An ignored pair, and the reasons.
#[derive(Debug, Clone, Copy)]
pub(in crate::scene) struct IgnoredPair {
    pub(in crate::scene) sides: SidePair,
    /// `true` if the caller ignores the pair.
    pub(in crate::scene) by_caller: bool,
    /// `true` if one character is attached to the other, and the two sides are touch parts.
    pub(in crate::scene) by_attachment: bool,
}

/// The ignored pairs of a scene, ascending.
#[derive(Debug, Default)]
pub(in crate::scene) struct IgnoredPairs(pub(in crate::scene) Vec<IgnoredPair>);

impl Clone for IgnoredPairs {
    fn clone(&self) -> Self {
        IgnoredPairs(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl IgnoredPairs {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the ignored pairs of two characters, or of one.
    pub fn pairs_of(&self, a: DefaultKey, b: DefaultKey) -> IgnoredBetween<'_> {
        let slots = if b < a { [b, a] } else { [a, b] };
        let start = self.0.partition_point(|pair| pair.sides.slots < slots);
        let rest = &self.0[start..];
        let len = rest.partition_point(|pair| pair.sides.slots == slots);
        IgnoredBetween { pairs: &rest[..len], slots: [a, b] }
    }

    /// Sets or clears one of the reasons of a pair.
    pub(in crate::scene) fn set(
        &mut self,
        sides: SidePair,
        yes: bool,
        reason: impl Fn(&mut IgnoredPair, bool),
    ) {
        match self.0.binary_search_by(|pair| pair.sides.cmp(&sides)) {
            Ok(place) => {
                reason(&mut self.0[place], yes);
                if !self.0[place].by_caller && !self.0[place].by_attachment {
                    self.0.remove(place);
                }
            }
            Err(place) if yes => {
                let mut pair = IgnoredPair { sides, by_caller: false, by_attachment: false };
                reason(&mut pair, true);
                self.0.insert(place, pair);
            }
            Err(_) => {}
        }
    }

    /// Adds a touch part: a part of a holder that is not tested against the attached character.
    pub fn add_touch_part(&mut self, holder: (DefaultKey, PartId), held: DefaultKey) {
        let sides = SidePair::new((holder.0, holder.1.index() as u32), (held, ALL_PARTS));
        self.set(sides, true, |pair, yes| pair.by_attachment = yes);
    }

    /// Removes all touch parts of a holder and the character attached to it.
    pub fn remove_touch_parts(&mut self, holder: DefaultKey, held: DefaultKey) {
        let slots = if held < holder { [held, holder] } else { [holder, held] };
        self.0.retain_mut(|pair| {
            pair.by_attachment &= pair.sides.slots != slots;
            pair.by_caller || pair.by_attachment
        });
    }

    /// Removes all pairs of a character.
    pub fn remove_character(&mut self, slot: DefaultKey) {
        self.0.retain(|pair| !pair.sides.slots.contains(&slot));
    }
}

/// The ignored pairs of two characters, in the order given, or of one.
#[derive(Clone, Copy, Default)]
pub(in crate::scene) struct IgnoredBetween<'a> {
    pairs: &'a [IgnoredPair],
    slots: [DefaultKey; 2],
}

impl IgnoredBetween<'_> {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Returns `true` if all part pairs are ignored.
    pub fn is_all(&self) -> bool {
        // The pair of all parts sorts last.
        self.pairs.last().is_some_and(|pair| pair.sides.parts == [ALL_PARTS; 2])
    }

    /// Returns `true` if these two parts are ignored.
    pub fn contains(&self, a: PartId, b: PartId) -> bool {
        self.covers(a.index() as u32, b.index() as u32)
    }

    pub(in crate::scene) fn covers(&self, a: u32, b: u32) -> bool {
        let [slot_a, slot_b] = self.slots;
        [(a, b), (a, ALL_PARTS), (ALL_PARTS, b), (ALL_PARTS, ALL_PARTS)].into_iter().any(
            |(a, b)| {
                let sides = SidePair::new((slot_a, a), (slot_b, b));
                self.pairs.binary_search_by(|pair| pair.sides.cmp(&sides)).is_ok()
            },
        )
    }
}
