//! Characters that a character touches, as a component.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::prelude::Query;

use crate::PartOf;

/// Component with the characters that a character touches now: add it beside
/// [`Character`](crate::Character), and the plugin keeps it up to date, in
/// [`BoxwoodSystems::Ask`](crate::BoxwoodSystems::Ask).
///
/// It is changed, as Bevy's change detection says, only in frames in which a character comes or
/// goes. Entities are in ascending order. If a query is refused
/// ([`Problem::Refused`](crate::Problem::Refused)), it stays as it was.
///
/// ```
/// use bevy_boxwood::CollidingEntities;
/// use bevy_ecs::prelude::*;
///
/// #[derive(Component)]
/// struct Coin;
///
/// fn collect(coins: Query<(Entity, &CollidingEntities), With<Coin>>, mut commands: Commands) {
///     for (coin, touching) in &coins {
///         if !touching.is_empty() {
///             commands.entity(coin).despawn();
///         }
///     }
/// }
/// ```
#[derive(Component, Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(Component, Debug, Clone, PartialEq, Default))]
pub struct CollidingEntities(Vec<Entity>);

#[cfg(feature = "reflect")]
use bevy_ecs::reflect::ReflectComponent;
#[cfg(feature = "reflect")]
use bevy_reflect::std_traits::ReflectDefault;

impl CollidingEntities {
    /// Returns `true` if the character touches this one.
    pub fn contains(&self, character: Entity) -> bool {
        self.0.binary_search(&character).is_ok()
    }

    /// Returns the characters in ascending order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Entity> + Clone + '_ {
        self.0.iter().copied()
    }

    /// Returns the number of characters.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if the character touches none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

pub(crate) type Colliding<'w, 's> = Query<'w, 's, (Entity, &'static mut CollidingEntities)>;

/// Sets all components to the current touches. `sorted` is memory.
pub(crate) fn update(
    components: &mut Colliding<'_, '_>,
    touching: &[[PartOf; 2]],
    sorted: &mut Vec<[Entity; 2]>,
) {
    if components.is_empty() {
        return;
    }
    sorted.clear();
    for pair in touching {
        let [a, b] = pair.map(|part| part.character);
        // Pairs of the same two characters are neighbours in the order of answers.
        if sorted.last() != Some(&[b, a]) {
            sorted.extend([[a, b], [b, a]]);
        }
    }
    sorted.sort_unstable();
    sorted.dedup();
    for (entity, mut colliding) in components {
        let first = sorted.partition_point(|pair| pair[0] < entity);
        let others = sorted[first..].iter().take_while(|pair| pair[0] == entity);
        let others = others.map(|pair| pair[1]);
        // Compared first: an assignment would mark the component as changed.
        if !others.clone().eq(colliding.0.iter().copied()) {
            colliding.0.clear();
            colliding.0.extend(others);
        }
    }
}
