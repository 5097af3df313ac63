//! Events of contacts: when two parts begin to touch, go on, and stop.

use crate::error::Error;
use crate::model::PartId;
use crate::num::Scalar;
use crate::num::SplitMix64;
use crate::scene::{CharacterKey, Impact, NodeRef, Scene};

/// A part by the order of its character, which means the same in every copy of a scene and on every
/// machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartOrder {
    /// The [order](Scene::order) of the character.
    pub order: u64,
    /// The part.
    pub part: PartId,
}

/// Kind of an event of two parts in a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ContactChange {
    /// Parts that touch, and did not at the end of the tick before.
    Begin,
    /// Parts that touch at the end of the tick, as they did at the end of the tick before.
    Persist,
    /// Parts that do not touch at the end of the tick.
    End,
}

/// An event of two parts in a tick. See [`ContactEvents`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ContactEvent {
    /// The kind of the event.
    pub change: ContactChange,
    /// The two parts, the lesser first.
    pub parts: [PartOrder; 2],
    /// Time in the tick, from 0 to 1: that of the impact for [`ContactChange::Begin`], else 1.
    pub time: f64,
    /// The tick in which the contact began.
    pub since: u64,
    /// Number of the contact: the same in a tick that is simulated again, so that a sound that has
    /// started is recognised. Computed from the parts and `since` alone.
    pub id: u64,
}

/// Two parts that touch at the end of a tick, and the tick in which they began to.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Touching {
    parts: [PartOrder; 2],
    since: u64,
    /// Keys of the characters of `parts`, so that one that replaces another of its order is told
    /// from it. `None` in a state that was read: keys mean nothing in another process.
    #[cfg_attr(feature = "serde", serde(skip))]
    keys: Option<[CharacterKey; 2]>,
}

/// Equal pairs since equal ticks are one contact, on whatever machine.
impl PartialEq for Touching {
    fn eq(&self, other: &Self) -> bool {
        (self.parts, self.since) == (other.parts, other.since)
    }
}

impl Eq for Touching {}

impl Touching {
    /// Returns `true` if the characters of an observed pair of the same orders are those of this
    /// contact. Keys of different scenes cannot be compared: there the orders count.
    fn continues_in(&self, observed: &Observed) -> bool {
        let keys = self.keys.unwrap_or(observed.keys);
        keys.iter().zip(&observed.keys).all(|(a, b)| a == b || a.scene != b.scene)
    }
}

/// The pairs of parts that touch, from tick to tick, and the events of each tick: begin, persist,
/// end.
///
/// Plain data, part of the saved state of a game: clone it with the scene, restore it with the
/// scene, and a tick that is simulated again gives the same events with the same ids.
///
/// At most one [`Begin`](ContactChange::Begin) and one [`End`](ContactChange::End) a pair and tick:
/// a blade that passes through an arm within a tick gives both, in that order; parts that leave
/// each other and touch again within a tick give none of them.
///
/// A character that replaces a removed one of the same order is another: the contacts of the old
/// one end at time 0, those of the new one begin. Their keys distinguish them, which all clones of
/// the scene share. In the first tick of a state that was read by `serde`, or goes on with another
/// scene, orders alone identify characters.
///
/// ```
/// # boxwood::fixture_model!(cube, model);
/// use boxwood::{Accuracy, ContactChange, ContactEvents, MotionBuffers, QueryScratch, SceneMotion};
///
/// // A cube flies past another within a tick.
/// let mut scene = Scene::new();
/// let arrow = scene.insert(&model, Spawn::at(Isometry3::translation(-5.0, 0.0, 0.0)))?;
/// scene.insert(&model, Spawn::default())?;
/// let before = scene.clone();
/// scene.set_root(arrow, &Isometry3::translation(5.0, 0.0, 0.0))?;
///
/// let (mut buffers, mut scratch, mut impacts) = Default::default();
/// let motion = SceneMotion::between(&before, &scene, &mut buffers)?;
/// let query = PairQuery::all().accuracy(Accuracy::Within(0.001));
/// motion.impacts(&query, &mut scratch, &mut impacts)?;
/// let (mut contacts, mut events) = (ContactEvents::new(), Vec::new());
/// contacts.advance(1, &scene, &impacts, &mut events)?;
/// let changes: Vec<_> = events.iter().map(|event| event.change).collect();
/// assert_eq!(changes, [ContactChange::Begin, ContactChange::End]);
/// assert!(contacts.is_empty()); // nothing touches at the end of the tick
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactEvents {
    /// The pairs that touch, ascending.
    contacts: Vec<Touching>,
    /// Memory of the next state.
    #[cfg_attr(feature = "serde", serde(skip))]
    next: Vec<Observed>,
}

/// A pair of parts that touches in a tick.
#[derive(Debug, Clone, Copy)]
struct Observed {
    parts: [PartOrder; 2],
    keys: [CharacterKey; 2],
    time: f64,
    touches_at_end: bool,
}

/// Equal contacts are equal states, whatever was observed on the way to them.
impl PartialEq for ContactEvents {
    fn eq(&self, other: &Self) -> bool {
        self.contacts == other.contacts
    }
}

impl Eq for ContactEvents {}

impl ContactEvents {
    /// Returns a state in which nothing touches.
    pub fn new() -> Self {
        ContactEvents::default()
    }

    /// Returns the number of pairs of parts that touch.
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// Returns `true` if nothing touches.
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// Returns the pairs that touch, ascending, and the tick in which each began.
    pub fn touching(&self) -> impl Iterator<Item = ([PartOrder; 2], u64)> + '_ {
        self.contacts.iter().map(|contact| (contact.parts, contact.since))
    }

    /// Advances by a tick, given its [impacts](crate::scene::SceneMotion::impacts) and the scene
    /// that their keys belong to; replaces `events` by those of the tick, sorted by time, then by
    /// order and part.
    ///
    /// A pair that touched and has no impact is over at time 0: it was filtered away, or a
    /// character is gone.
    ///
    /// # Errors
    /// [`Error::StaleKey`] and [`Error::ForeignKey`] for an impact of another scene; then nothing
    /// has changed and there are no events.
    pub fn advance<T: Scalar>(
        &mut self,
        tick: u64,
        scene: &Scene<T>,
        impacts: &[Impact<T>],
        events: &mut Vec<ContactEvent>,
    ) -> Result<(), Error> {
        let all = impacts.iter().map(|impact| {
            let (time, touches_at_end) = (impact.time, impact.touching_at_end);
            observed(scene, [impact.a, impact.b], (time, touches_at_end))
        });
        self.observe(tick, all, events)
    }

    /// Like [`advance`](Self::advance), by the pairs that touch in a snapshot at the end of the
    /// tick: what touches in between is not seen, and begins at time 1.
    ///
    /// # Errors
    /// The errors of [`advance`](Self::advance).
    pub fn advance_by_pairs<T: Scalar>(
        &mut self,
        tick: u64,
        scene: &Scene<T>,
        pairs: &[(NodeRef, NodeRef)],
        events: &mut Vec<ContactEvent>,
    ) -> Result<(), Error> {
        let all = pairs.iter().map(|&(a, b)| observed(scene, [a, b], (1.0, true)));
        self.observe(tick, all, events)
    }

    fn observe(
        &mut self,
        tick: u64,
        all: impl Iterator<Item = Result<Observed, Error>>,
        events: &mut Vec<ContactEvent>,
    ) -> Result<(), Error> {
        events.clear();
        self.next.clear();
        for one in all {
            self.next.push(one?);
        }
        // The first of several boxes of a pair of parts counts, and any that touches at the end.
        self.next.sort_unstable_by_key(|one| (one.parts, one.time.to_bits(), !one.touches_at_end));
        self.next.dedup_by(|later, kept| {
            let is_same = later.parts == kept.parts;
            kept.touches_at_end |= is_same && later.touches_at_end;
            is_same
        });
        let mut add = |change, parts, time, since| {
            events.push(ContactEvent { change, parts, time, since, id: contact_id(parts, since) });
        };
        for contact in &self.contacts {
            let found = self.next.binary_search_by_key(&contact.parts, |one| one.parts);
            if !found.is_ok_and(|at| contact.continues_in(&self.next[at])) {
                add(ContactChange::End, contact.parts, 0.0, contact.since);
            }
        }
        let before = self.contacts.len();
        for one in &self.next {
            let kept = self.contacts[..before].binary_search_by_key(&one.parts, |kept| kept.parts);
            let kept = kept.ok().map(|at| self.contacts[at]).filter(|kept| kept.continues_in(one));
            let since = kept.map_or(tick, |kept| kept.since);
            if kept.is_none() {
                add(ContactChange::Begin, one.parts, one.time, since);
            }
            match one.touches_at_end {
                true if kept.is_some() => add(ContactChange::Persist, one.parts, 1.0, since),
                true => {}
                false => add(ContactChange::End, one.parts, 1.0, since),
            }
            if one.touches_at_end {
                self.contacts.push(Touching { parts: one.parts, since, keys: Some(one.keys) });
            }
        }
        self.contacts.drain(..before);
        // The end of a replaced character comes before the begin of the new one.
        let key =
            |event: &ContactEvent| (event.time.to_bits(), event.parts, event.since, event.change);
        events.sort_unstable_by_key(key);
        Ok(())
    }
}

/// Returns the observation of two nodes, by the orders of their characters, the lesser first.
fn observed<T: Scalar>(
    scene: &Scene<T>,
    nodes: [NodeRef; 2],
    (time, touches_at_end): (f64, bool),
) -> Result<Observed, Error> {
    let of = |NodeRef { character, part, .. }: NodeRef| {
        Ok((PartOrder { order: scene.order(character)?, part }, character))
    };
    let mut both = [of(nodes[0])?, of(nodes[1])?];
    both.sort_unstable_by_key(|&(part, _)| part);
    let [(a, of_a), (b, of_b)] = both;
    Ok(Observed { parts: [a, b], keys: [of_a, of_b], time, touches_at_end })
}

/// Returns the number of a contact: a hash of its numbers.
fn contact_id([a, b]: [PartOrder; 2], since: u64) -> u64 {
    let numbers = [a.order, a.part.index() as u64, b.order, b.part.index() as u64, since];
    numbers.iter().fold(0, |hash, &number| SplitMix64(hash ^ number).bits())
}
