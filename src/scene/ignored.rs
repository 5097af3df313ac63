//! Pairs of characters, or of parts of two, that no pair query tests: the allowed collision matrix
//! of a scene.

use slotmap::DefaultKey;

use super::{CharacterKey, Scene};
use crate::error::Error;
use crate::model::PartId;
use crate::num::Scalar;

/// A character, or one part of it: a side of a pair that [`Scene::set_ignored`] is told of. Made of
/// a key, or of a key and a part.
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
    /// The part; `None` for all of them.
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

/// Stands for all parts; the last of all numbers.
const ALL: u32 = u32::MAX;

/// Two characters and a part of each, or all: the lesser slot first, of one the lesser part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PairOfSides {
    slots: [DefaultKey; 2],
    parts: [u32; 2],
}

impl PairOfSides {
    fn new((slot_a, a): (DefaultKey, u32), (slot_b, b): (DefaultKey, u32)) -> Self {
        match (slot_b, b) < (slot_a, a) {
            true => PairOfSides { slots: [slot_b, slot_a], parts: [b, a] },
            false => PairOfSides { slots: [slot_a, slot_b], parts: [a, b] },
        }
    }

    /// Whether all pairs of parts of the other are pairs of this, which is of the same characters.
    fn covers(&self, other: &Self) -> bool {
        let side = |one: u32, other: u32| one == ALL || one == other;
        let covers = |[a, b]: [u32; 2]| side(a, other.parts[0]) && side(b, other.parts[1]);
        let [a, b] = self.parts;
        covers([a, b]) || self.slots[0] == self.slots[1] && covers([b, a])
    }
}

/// A pair that is ignored, and why.
#[derive(Debug, Clone, Copy)]
struct IgnoredPair {
    sides: PairOfSides,
    /// Whether the caller said so.
    said: bool,
    /// Whether one holds the other, and the two are to touch.
    held: bool,
}

/// The ignored pairs of a scene, ascending.
#[derive(Debug, Default)]
pub(super) struct IgnoredPairs(Vec<IgnoredPair>);

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

    /// Those of two characters, or of one.
    pub fn between(&self, a: DefaultKey, b: DefaultKey) -> IgnoredBetween<'_> {
        let slots = if b < a { [b, a] } else { [a, b] };
        let start = self.0.partition_point(|pair| pair.sides.slots < slots);
        let rest = &self.0[start..];
        let len = rest.partition_point(|pair| pair.sides.slots == slots);
        IgnoredBetween { pairs: &rest[..len], slots: [a, b] }
    }

    /// Sets or takes back one of the reasons for a pair.
    fn set(&mut self, sides: PairOfSides, yes: bool, reason: impl Fn(&mut IgnoredPair, bool)) {
        match self.0.binary_search_by(|pair| pair.sides.cmp(&sides)) {
            Ok(place) => {
                reason(&mut self.0[place], yes);
                if !self.0[place].said && !self.0[place].held {
                    self.0.remove(place);
                }
            }
            Err(place) if yes => {
                let mut pair = IgnoredPair { sides, said: false, held: false };
                reason(&mut pair, true);
                self.0.insert(place, pair);
            }
            Err(_) => {}
        }
    }

    /// A part of a holder that what it holds is to touch.
    pub fn touch(&mut self, holder: (DefaultKey, PartId), held: DefaultKey) {
        let sides = PairOfSides::new((holder.0, holder.1.index() as u32), (held, ALL));
        self.set(sides, true, |pair, yes| pair.held = yes);
    }

    /// Nothing of the two is to touch because one holds the other.
    pub fn part(&mut self, holder: DefaultKey, held: DefaultKey) {
        let slots = if held < holder { [held, holder] } else { [holder, held] };
        self.0.retain_mut(|pair| {
            pair.held &= pair.sides.slots != slots;
            pair.said || pair.held
        });
    }

    /// All that was said of a character.
    pub fn forget(&mut self, slot: DefaultKey) {
        self.0.retain(|pair| !pair.sides.slots.contains(&slot));
    }
}

/// The ignored pairs of two characters in the order they are asked in, or of one.
#[derive(Clone, Copy, Default)]
pub(super) struct IgnoredBetween<'a> {
    pairs: &'a [IgnoredPair],
    slots: [DefaultKey; 2],
}

impl IgnoredBetween<'_> {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Whether no two of their parts are tested.
    pub fn is_all(&self) -> bool {
        // The last, if it is there.
        self.pairs.last().is_some_and(|pair| pair.sides.parts == [ALL; 2])
    }

    /// Whether these two parts are not tested.
    pub fn holds(&self, a: PartId, b: PartId) -> bool {
        self.covers(a.index() as u32, b.index() as u32)
    }

    fn covers(&self, a: u32, b: u32) -> bool {
        let [slot_a, slot_b] = self.slots;
        [(a, b), (a, ALL), (ALL, b), (ALL, ALL)].into_iter().any(|(a, b)| {
            let sides = PairOfSides::new((slot_a, a), (slot_b, b));
            self.pairs.binary_search_by(|pair| pair.sides.cmp(&sides)).is_ok()
        })
    }
}

impl<T: Scalar> Scene<T> {
    /// Sets whether two characters, or parts of them, are ignored: then no pair query tests them
    /// against each other, whatever else it asks for. Touching, contacts, distances, margins,
    /// separation and casts heed it; rays and shapes, the broad phase and the intersection curve,
    /// which name what they ask, do not. Of one character and itself: beside the pairs that its
    /// model ignores. A fresh scene ignores none.
    ///
    /// To test again takes back what was said of the two sides and of pairs within them; what was
    /// said of more than these stays, and so does what a character that [holds](Scene::attach)
    /// another is to touch. Removing a character forgets what was said of it.
    ///
    /// Which of the means to use: pairs that are never tested within every character of a kind are
    /// [ignored by its model](crate::model::ModelBuilder::ignore); kinds of parts are told apart by
    /// [`CollisionGroups`](crate::CollisionGroups), whoever has them; this is for two that are
    /// there now: a robot and the table it stands on, two that dance. What one question alone
    /// leaves out is said [to the query](crate::PairQuery::excluding).
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`] for a part.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// # use boxwood::{Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    /// # let model = parts.build(&Build::default())?;
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
        let (a, b) = (self.side(a.into())?, self.side(b.into())?);
        let sides = PairOfSides::new(a, b);
        if ignored {
            self.ignored.set(sides, true, |pair, yes| pair.said = yes);
        } else {
            self.ignored.0.retain_mut(|pair| {
                pair.said &= pair.sides.slots != sides.slots || !sides.covers(&pair.sides);
                pair.said || pair.held
            });
        }
        Ok(())
    }

    /// Whether two characters, or parts of them, are ignored as a whole: by what was said of them
    /// or of more, or because one [holds](Scene::attach) the other there. The pairs that a model
    /// ignores are [its own](crate::Model::ignores).
    ///
    /// # Errors
    /// As [`Scene::set_ignored`].
    pub fn is_ignored(
        &self,
        a: impl Into<IgnoredSide>,
        b: impl Into<IgnoredSide>,
    ) -> Result<bool, Error> {
        let ((slot_a, a), (slot_b, b)) = (self.side(a.into())?, self.side(b.into())?);
        Ok(self.ignored.between(slot_a, slot_b).covers(a, b))
    }

    /// The pairs that [`Scene::set_ignored`] was told to ignore, each once, in no order to rely on:
    /// to be written down, and said to another scene.
    pub fn ignored_pairs(&self) -> impl Iterator<Item = (IgnoredSide, IgnoredSide)> + '_ {
        let side = |slot, part: u32| IgnoredSide {
            character: CharacterKey { slot, scene: self.id },
            part: (part != ALL).then(|| PartId::new(part as usize)),
        };
        self.ignored.0.iter().filter(|pair| pair.said).map(move |pair| {
            let PairOfSides { slots, parts } = pair.sides;
            (side(slots[0], parts[0]), side(slots[1], parts[1]))
        })
    }

    fn side(&self, side: IgnoredSide) -> Result<(DefaultKey, u32), Error> {
        let character = self.character(side.character)?;
        side.part.map_or(Ok(()), |part| character.model.check_part(part))?;
        Ok((side.character.slot, side.part.map_or(ALL, |part| part.index() as u32)))
    }
}
