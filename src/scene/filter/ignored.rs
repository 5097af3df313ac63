//! Ignored pairs: characters, or parts of two characters, that no pair query tests. The allowed
//! collision matrix of a scene.

use slotmap::DefaultKey;

use crate::error::Error;
use crate::model::PartId;
use crate::num::Scalar;
use crate::scene::{CharacterKey, Scene};

/// A character, or one part of it: one side of a pair for [`Scene::set_ignored`]. Converts from a
/// key, or from a key and a part.
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
const ALL_PARTS: u32 = u32::MAX;

/// Two sides of a pair: the lesser slot first; within one character, the lesser part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SidePair {
    slots: [DefaultKey; 2],
    parts: [u32; 2],
}

impl SidePair {
    fn new((slot_a, a): (DefaultKey, u32), (slot_b, b): (DefaultKey, u32)) -> Self {
        match (slot_b, b) < (slot_a, a) {
            true => SidePair { slots: [slot_b, slot_a], parts: [b, a] },
            false => SidePair { slots: [slot_a, slot_b], parts: [a, b] },
        }
    }

    /// Returns `true` if this pair includes all part pairs of another pair of the same characters.
    fn covers(&self, other: &Self) -> bool {
        let side = |one: u32, other: u32| one == ALL_PARTS || one == other;
        let covers = |[a, b]: [u32; 2]| side(a, other.parts[0]) && side(b, other.parts[1]);
        let [a, b] = self.parts;
        covers([a, b]) || self.slots[0] == self.slots[1] && covers([b, a])
    }
}

/// An ignored pair, and the reasons.
#[derive(Debug, Clone, Copy)]
struct IgnoredPair {
    sides: SidePair,
    /// `true` if the caller ignores the pair.
    by_caller: bool,
    /// `true` if one character is attached to the other, and the two sides are touch parts.
    by_attachment: bool,
}

/// The ignored pairs of a scene, ascending.
#[derive(Debug, Default)]
pub(in crate::scene) struct IgnoredPairs(Vec<IgnoredPair>);

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
    fn set(&mut self, sides: SidePair, yes: bool, reason: impl Fn(&mut IgnoredPair, bool)) {
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

    fn covers(&self, a: u32, b: u32) -> bool {
        let [slot_a, slot_b] = self.slots;
        [(a, b), (a, ALL_PARTS), (ALL_PARTS, b), (ALL_PARTS, ALL_PARTS)].into_iter().any(
            |(a, b)| {
                let sides = SidePair::new((slot_a, a), (slot_b, b));
                self.pairs.binary_search_by(|pair| pair.sides.cmp(&sides)).is_ok()
            },
        )
    }
}

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
    /// Those of [`Scene::set_ignored`].
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
