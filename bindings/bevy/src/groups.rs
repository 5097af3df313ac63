//! Groups of characters, by numbers or by an enum of layers.

use boxwood::CollisionGroups;

use crate::TouchPairs;

/// A layer of a game, usually an enum: a name for a bit of [`TouchGroups`].
///
/// ```
/// use bevy_boxwood::{CharacterOptions, TouchGroups, TouchLayer, TouchPairs};
///
/// #[derive(Clone, Copy)]
/// enum Layer {
///     Body,
///     Blade,
///     World,
/// }
///
/// impl TouchLayer for Layer {
///     fn bit(self) -> u64 {
///         1 << self as u64
///     }
/// }
///
/// // A blade is tested against bodies and the world, not against blades.
/// let blade = TouchGroups::layers([Layer::Blade], [Layer::Body, Layer::World]);
/// let options = CharacterOptions { groups: Some(blade), ..Default::default() };
/// // Messages about blades that hit bodies alone.
/// let strikes = TouchPairs::layers([Layer::Blade], [Layer::Body]);
/// # assert_eq!((blade.memberships, blade.filter), (2, 5));
/// # assert_eq!(strikes, TouchPairs::Memberships { of_a: 2, of_b: 1 });
/// ```
pub trait TouchLayer: Copy {
    /// Returns the bit of the layer.
    fn bit(self) -> u64;
}

/// Returns the bits of layers.
fn bits<L: TouchLayer>(layers: impl IntoIterator<Item = L>) -> u64 {
    layers.into_iter().fold(0, |bits, layer| bits | layer.bit())
}

/// Groups of a character: two parts are tested against each other if each is a member of a group in
/// the other's filter.
///
/// The library's [`CollisionGroups`], with fields that Bevy's reflection can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(Debug, Clone, PartialEq, Hash, Default))]
pub struct TouchGroups {
    /// Groups that the character belongs to, a bit each.
    pub memberships: u64,
    /// Groups whose members it is tested against.
    pub filter: u64,
}

#[cfg(feature = "reflect")]
use bevy_reflect::std_traits::ReflectDefault;

impl TouchGroups {
    /// Every group, tested against every group: the default.
    pub const ALL: TouchGroups = TouchGroups { memberships: u64::MAX, filter: u64::MAX };
    /// The empty set of groups, tested against none.
    pub const NONE: TouchGroups = TouchGroups { memberships: 0, filter: 0 };

    /// Returns the groups of a member of `memberships` that is tested against those of `filter`.
    pub fn layers<L: TouchLayer>(
        memberships: impl IntoIterator<Item = L>,
        filter: impl IntoIterator<Item = L>,
    ) -> Self {
        TouchGroups { memberships: bits(memberships), filter: bits(filter) }
    }
}

impl Default for TouchGroups {
    fn default() -> Self {
        TouchGroups::ALL
    }
}

impl From<CollisionGroups> for TouchGroups {
    fn from(groups: CollisionGroups) -> Self {
        TouchGroups { memberships: groups.memberships, filter: groups.filter }
    }
}

impl From<TouchGroups> for CollisionGroups {
    fn from(groups: TouchGroups) -> Self {
        CollisionGroups { memberships: groups.memberships, filter: groups.filter }
    }
}

impl TouchPairs {
    /// Returns the pairs of a part in one of the layers `of_a` and a part in one of `of_b`: `a` of
    /// a message is the attacker, `b` its target.
    pub fn layers<L: TouchLayer>(
        of_a: impl IntoIterator<Item = L>,
        of_b: impl IntoIterator<Item = L>,
    ) -> Self {
        TouchPairs::Memberships { of_a: bits(of_a), of_b: bits(of_b) }
    }
}
