//! Who is asked about whom, and how accurately.

use std::fmt;
use std::sync::Arc;

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use boxwood::{Accuracy, PartId};

/// A part of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartOf {
    /// The entity with the [`Character`](crate::Character).
    pub character: Entity,
    /// Which part of its model.
    pub part: PartId,
}

/// Which pairs of parts of different characters are asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TouchPairs {
    /// All whose groups interact.
    #[default]
    All,
    /// Of those, parts with a membership in `of_a` against parts with one in `of_b`, a bit each:
    /// `a` of a message is the attacker, `b` what it strikes.
    Memberships {
        /// The groups of attackers.
        of_a: u64,
        /// The groups of what they strike.
        of_b: u64,
    },
    /// None: no messages; systems of yours ask what they need.
    Nobody,
}

/// The caller's predicate of two parts.
type Predicate = dyn Fn(PartOf, PartOf) -> bool + Send + Sync;

/// What [`Touched`](crate::Touched) is sent for: a resource, to be changed at any time.
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
#[derive(Resource, Clone)]
pub struct TouchSettings {
    /// How fine the boxes are that have to touch; by default the leaves of the trees.
    pub accuracy: Accuracy,
    /// Which pairs are asked about.
    pub pairs: TouchPairs,
    /// How many frames a character may wait for its joints until
    /// [`Problem::MissingJoints`](crate::Problem::MissingJoints) is sent; 120 by default.
    pub patience: u32,
    pub(crate) predicate: Option<Arc<Predicate>>,
}

impl Default for TouchSettings {
    fn default() -> Self {
        let (accuracy, pairs) = (Accuracy::default(), TouchPairs::default());
        TouchSettings { accuracy, pairs, patience: 120, predicate: None }
    }
}

impl TouchSettings {
    /// Only pairs of parts for which the function returns `true`, beside all else. It is called
    /// once their world boxes overlap, in no order to rely on; the character of lower order comes
    /// first.
    pub fn predicate(
        mut self,
        keeps: impl Fn(PartOf, PartOf) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.predicate = Some(Arc::new(keeps));
        self
    }
}

impl fmt::Debug for TouchSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TouchSettings")
            .field("accuracy", &self.accuracy)
            .field("pairs", &self.pairs)
            .field("patience", &self.patience)
            .field("has_predicate", &self.predicate.is_some())
            .finish()
    }
}
