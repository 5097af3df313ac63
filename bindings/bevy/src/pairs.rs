//! Pairs of parts that are tested, and the accuracy of the test.

use std::fmt;
use std::sync::Arc;

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_platform::collections::HashMap;
use boxwood::{Accuracy, CharacterKey, Detail, NodeRef, PairQuery, PartId};

/// A part of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(opaque, Debug, Clone, PartialEq, Hash))]
pub struct PartOf {
    /// The entity with the [`Character`](crate::Character).
    pub character: Entity,
    /// Index of the part in its model.
    pub part: PartId,
}

/// Selection of the tested pairs of parts of different characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(Debug, Clone, PartialEq, Default))]
#[non_exhaustive]
pub enum TouchPairs {
    /// All pairs whose groups interact.
    #[default]
    All,
    /// Interacting pairs of a part with a membership in `of_a` and a part with one in `of_b`, a bit
    /// each: `a` of a message is the attacker, `b` its target.
    Memberships {
        /// Groups of attackers.
        of_a: u64,
        /// Groups of targets.
        of_b: u64,
    },
    /// Disables the messages; your own systems run the queries they need.
    Nobody,
}

/// The caller's predicate of two parts.
pub(crate) type Predicate = dyn Fn(PartOf, PartOf) -> bool + Send + Sync;

/// The predicate of settings, if there is one.
#[derive(Clone, Default)]
pub(crate) struct SharedPredicate(Option<Arc<Predicate>>);

impl SharedPredicate {
    pub fn new(keeps: impl Fn(PartOf, PartOf) -> bool + Send + Sync + 'static) -> Self {
        SharedPredicate(Some(Arc::new(keeps)))
    }

    pub fn get(&self) -> Option<&Predicate> {
        self.0.as_deref()
    }
}

impl fmt::Debug for SharedPredicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Predicate" } else { "None" })
    }
}

/// Settings of the [`Touched`](crate::Touched) messages: a resource, which may change at any time.
///
/// ```
/// use bevy_boxwood::boxwood::Accuracy;
/// use bevy_boxwood::{TouchPairs, TouchSettings};
///
/// const BLADES: u64 = 1;
/// const BODIES: u64 = 2;
/// let mut settings = TouchSettings::default(); // or `mut settings: ResMut<TouchSettings>`
/// settings.accuracy = Accuracy::Depth(4);
/// settings.pairs = TouchPairs::Memberships { of_a: BLADES, of_b: BODIES };
/// // Beside that, whatever a function of the two says.
/// let settings = settings.predicate(|a, b| a.part.index() != 0 || b.part.index() != 0);
/// ```
#[derive(Resource, Debug, Clone)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(Resource, Debug, Clone, Default))]
pub struct TouchSettings {
    /// Accuracy of the test; by default the boxes of the trees' leaves.
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    pub accuracy: Accuracy,
    /// Kind of contact: point, normal and depth of the two parts by default, of the two boxes that
    /// overlap deepest with [`Detail::DeepestBoxes`], which is cheaper. With [`Detail::Boxes`]
    /// there is a message for every pair of boxes.
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    pub detail: Detail,
    /// Tested pairs.
    pub pairs: TouchPairs,
    /// Number of frames that a character may wait for its joints until
    /// [`Problem::MissingJoints`](crate::Problem::MissingJoints) is sent; 120 by default.
    pub patience: u32,
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    pub(crate) predicate: SharedPredicate,
}

#[cfg(feature = "reflect")]
use bevy_ecs::reflect::ReflectResource;
#[cfg(feature = "reflect")]
use bevy_reflect::std_traits::ReflectDefault;

/// Selection of pairs as a query of the library.
pub(crate) struct PairSelection<'a> {
    pub pairs: TouchPairs,
    pub predicate: Option<&'a Predicate>,
    pub entities: &'a HashMap<CharacterKey, Entity>,
}

impl PairSelection<'_> {
    /// Runs the query; `None` for [`TouchPairs::Nobody`].
    pub fn run<R>(&self, accuracy: Accuracy, run: impl FnOnce(&PairQuery<'_>) -> R) -> Option<R> {
        let part = |node: NodeRef| {
            let entity = self.entities.get(&node.character).copied();
            PartOf { character: entity.unwrap_or(Entity::PLACEHOLDER), part: node.part }
        };
        let keeps = |a: NodeRef, b: NodeRef| {
            self.predicate.as_ref().is_none_or(|keeps| keeps(part(a), part(b)))
        };
        let mut query = PairQuery::all().accuracy(accuracy);
        match self.pairs {
            TouchPairs::All => {}
            TouchPairs::Memberships { of_a, of_b } => {
                query = query.memberships(of_a, of_b).attacker_first();
            }
            TouchPairs::Nobody => return None,
        }
        if self.predicate.is_some() {
            query = query.predicate(&keeps);
        }
        Some(run(&query))
    }
}

impl Default for TouchSettings {
    fn default() -> Self {
        let (accuracy, pairs) = (Accuracy::default(), TouchPairs::default());
        let (detail, predicate) = (Detail::default(), SharedPredicate::default());
        TouchSettings { accuracy, detail, pairs, patience: 120, predicate }
    }
}

impl TouchSettings {
    /// Restricts the tested pairs further, to those for which the function returns `true`. It is
    /// called after the test of world boxes, in an unspecified order; the character of lower order
    /// comes first.
    pub fn predicate(
        mut self,
        keeps: impl Fn(PartOf, PartOf) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.predicate = SharedPredicate::new(keeps);
        self
    }
}
