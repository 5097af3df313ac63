//! Attacks that hit each target once.

use super::contact_events::PartOrder;
use crate::error::Error;
use crate::model::PartId;
use crate::num::Scalar;
use crate::scene::{CharacterKey, Impact, NodeRef, Scene};

/// Unit that an [`Attack`] hits once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum OncePer {
    /// Each character: a swing hits a fighter once, wherever.
    #[default]
    Character,
    /// Each part: a swing may hit arm and chest.
    Part,
    /// All together: an arrow that stops at the first.
    Attack,
    /// Each set of parts of a character with the same
    /// [memberships](crate::CollisionGroups::memberships): a swing may hit shield and body. The
    /// memberships are those at the strike: do not change them during an attack.
    Group,
}

/// An attack that hits each target once, from the tick in which it is armed to its end.
///
/// Plain data: clone and restore it with the scene. Two attacks share nothing. A target that
/// touches already when the attack is armed counts, at the start of the
/// [window](crate::scene::SceneMotion::window). Impacts come in the order of time, so that a shield
/// in front of a body is hit first, if the query asks for both.
///
/// A character that replaces a removed one of the same order is a new target: keys distinguish
/// them, as in [`ContactEvents`](super::ContactEvents). In a state that was read by `serde`, or
/// goes on with another scene, orders alone identify targets.
///
/// ```
/// # boxwood::fixture_model!(cube, model);
/// use boxwood::{Accuracy, Attack, MotionBuffers, OncePer, QueryScratch, SceneMotion};
///
/// // A cube flies past another within a tick.
/// let mut scene = Scene::new();
/// let arrow = scene.insert(&model, Spawn::at(Isometry3::translation(-5.0, 0.0, 0.0)))?;
/// let target = scene.insert(&model, Spawn::default())?;
/// let before = scene.clone();
/// scene.set_root(arrow, &Isometry3::translation(5.0, 0.0, 0.0))?;
///
/// let (mut buffers, mut scratch, mut impacts) = Default::default();
/// let motion = SceneMotion::between(&before, &scene, &mut buffers)?;
/// let query = PairQuery::of(arrow).accuracy(Accuracy::Within(0.001));
/// motion.window(0.25..=1.0)?.impacts(&query, &mut scratch, &mut impacts)?; // armed at 0.25
/// let mut attack = Attack::new(OncePer::Character);
/// assert_eq!(attack.strike(&scene, &mut impacts), Ok(()));
/// assert_eq!(impacts[0].b.character, target);
/// // In the next tick, or simulated once more: it is hit already.
/// motion.impacts(&query, &mut scratch, &mut impacts)?;
/// attack.strike(&scene, &mut impacts)?;
/// assert!(impacts.is_empty());
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Attack {
    once_per: OncePer,
    /// The targets that were hit, ascending; of characters the first part.
    struck: Vec<PartOrder>,
    /// Keys of the characters of these. Empty in a state that was read: keys mean nothing in
    /// another process.
    #[cfg_attr(feature = "serde", serde(skip))]
    keys: Vec<Option<CharacterKey>>,
}

/// Equal targets are equal states, on whatever machine.
impl PartialEq for Attack {
    fn eq(&self, other: &Self) -> bool {
        (self.once_per, &self.struck) == (other.once_per, &other.struck)
    }
}

impl Eq for Attack {}

impl Attack {
    /// Returns an attack that has hit nothing.
    pub fn new(once_per: OncePer) -> Self {
        Attack { once_per, ..Attack::default() }
    }

    /// Keeps of the impacts of a tick those that hit a new target, in the order of time, and
    /// remembers these targets. The target of an impact is its `b`, so that a query about
    /// [one character](crate::scene::PairQuery::of) has the attacker first.
    ///
    /// # Errors
    /// [`Error::StaleKey`] and [`Error::ForeignKey`] for an impact of another scene; then nothing
    /// has changed.
    pub fn strike<T: Scalar>(
        &mut self,
        scene: &Scene<T>,
        impacts: &mut Vec<Impact<T>>,
    ) -> Result<(), Error> {
        for impact in &*impacts {
            scene.order(impact.b.character)?;
        }
        impacts.retain(|impact| self.is_new(scene, impact.b));
        Ok(())
    }

    /// Forgets all targets, so that the next swing can hit them again. Keeps the memory.
    pub fn clear(&mut self) {
        self.struck.clear();
        self.keys.clear();
    }

    /// Returns the targets that were hit: parts, or the first part of each group, or the part 0 of
    /// each character, or the first target of all.
    pub fn struck(&self) -> &[PartOrder] {
        &self.struck
    }

    /// Returns `true` for a new target, and remembers it.
    fn is_new<T: Scalar>(&mut self, scene: &Scene<T>, node: NodeRef) -> bool {
        let Ok(order) = scene.order(node.character) else { return false };
        let part = match self.once_per {
            OncePer::Part => node.part,
            OncePer::Group => first_of_group(scene, node),
            OncePer::Character | OncePer::Attack => PartId::new(0),
        };
        let (target, key) = (PartOrder { order, part }, node.character);
        self.keys.resize(self.struck.len(), None);
        match self.struck.binary_search(&target) {
            _ if self.once_per == OncePer::Attack && !self.struck.is_empty() => false,
            Err(at) => {
                self.struck.insert(at, target);
                self.keys.insert(at, Some(key));
                true
            }
            Ok(at) => {
                // Keys of different scenes cannot be compared: there the orders count.
                let known = self.keys[at].replace(key).unwrap_or(key);
                known != key && known.scene == key.scene
            }
        }
    }
}

/// Returns the first part of a character that has the same memberships as one of its parts.
fn first_of_group<T: Scalar>(scene: &Scene<T>, node: NodeRef) -> PartId {
    let groups = scene.groups(node.character).unwrap_or_default();
    let of = groups.get(node.part.index()).map(|groups| groups.memberships);
    let first = groups.iter().position(|groups| Some(groups.memberships) == of);
    first.map_or(node.part, PartId::new)
}
