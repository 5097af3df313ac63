//! Events of entities: touches that begin and end, for observers.

use bevy_ecs::entity::Entity;
use bevy_ecs::event::EntityEvent;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::prelude::{Commands, Query};
use bevy_ecs::system::SystemParam;
use bevy_ecs::traversal::Traversal;
use bevy_math::Vec3;

use crate::{Boxwood, PartOf, SweptContact, SweptImpact, TouchEnded, Touched};

/// Event of an entity: a part of a character begins to touch a part of another. One event is
/// triggered for each of the two.
///
/// The event is triggered at the entity of the part's joint, then at its parents, at the character
/// last. An observer of a head's joint runs for the head, one of the character for all of its
/// parts. [`On::propagate`](bevy_ecs::observer::On::propagate)`(false)` stops the event. A global
/// observer runs at each of these entities, once a touch where `entity` is `part.character`.
///
/// Observers run after [`BoxwoodSystems::Ask`](crate::BoxwoodSystems::Ask), in the order of the
/// messages [`Touched`], which are sent as well; `a` of the message is first.
///
/// ```
/// use bevy_boxwood::TouchBegin;
/// use bevy_ecs::prelude::*;
///
/// #[derive(Component)]
/// struct Health(f32);
///
/// fn spawn(mut commands: Commands) {
///     commands.spawn(Health(10.0)).observe(|touch: On<TouchBegin>, mut all: Query<&mut Health>| {
///         if let Ok(mut health) = all.get_mut(touch.part.character) {
///             health.0 -= 10.0 * touch.depth;
///         }
///     });
/// }
/// ```
#[derive(EntityEvent, Debug, Clone, Copy, PartialEq)]
#[entity_event(propagate = (Entity, &'static ChildOf), auto_propagate)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct TouchBegin {
    /// Entity that observers watch: the joint of the part, its parents, or the character.
    pub entity: Entity,
    /// Part that is touched.
    pub part: PartOf,
    /// Part that it touches.
    pub other: PartOf,
    /// Point of the contact [world].
    pub point: Vec3,
    /// Unit normal from `part` to `other` [world].
    pub normal: Vec3,
    /// Translation of `other` along `normal` after which the two only touch, as
    /// [`Touched::depth`] [world units].
    pub depth: f32,
    /// Upper bound on the distance of the two geometries [world units].
    pub slack: f32,
}

/// Event of an entity: a part of a character no longer touches a part of another. Triggered like
/// [`TouchBegin`], at the character alone if the joint is gone, and not at a character that is gone.
#[derive(EntityEvent, Debug, Clone, Copy, PartialEq)]
#[entity_event(propagate = (Entity, &'static ChildOf), auto_propagate)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct TouchEnd {
    /// Entity that observers watch: the joint of the part, its parents, or the character.
    pub entity: Entity,
    /// Part that was touched.
    pub part: PartOf,
    /// Part that it touched. Its character may be gone.
    pub other: PartOf,
}

/// Event of an entity: a part of a character and a part of another begin to touch on the way from
/// the frame before to this one. Triggered like [`TouchBegin`], beside the message [`SweptContact`].
#[derive(EntityEvent, Debug, Clone, Copy, PartialEq)]
#[entity_event(propagate = (Entity, &'static ChildOf), auto_propagate)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct SweptBegin {
    /// Entity that observers watch: the joint of the part, its parents, or the character.
    pub entity: Entity,
    /// Part that is touched.
    pub part: PartOf,
    /// Part that it touches.
    pub other: PartOf,
    /// First contact on the way; its normal points from `part` to `other`.
    pub impact: SweptImpact,
    /// Number of the contact, equal in all of its messages.
    pub id: u64,
}

/// Implements the way of an event to its character: from parent to parent, and no further.
macro_rules! stop_at_character {
    ($($event:ident),*) => {$(
        impl Traversal<$event> for (Entity, &'static ChildOf) {
            fn traverse((entity, above): Self::Item<'_, '_>, event: &$event) -> Option<Entity> {
                (entity != event.part.character).then(|| above.parent())
            }
        }
    )*};
}

stop_at_character!(TouchBegin, TouchEnd, SweptBegin);

/// Parameter of the systems that trigger events.
#[derive(SystemParam)]
pub(crate) struct Events<'w, 's> {
    commands: Commands<'w, 's>,
    existing: Query<'w, 's, Entity>,
}

impl Events<'_, '_> {
    /// Triggers the two events of a touch that begins.
    pub fn begin(&mut self, boxwood: &Boxwood, hit: &Touched) {
        let Touched { point, normal, depth, slack, .. } = *hit;
        let [a, b] = hit.sides();
        for (part, other, normal) in [(a, b, normal), (b, a, -normal)] {
            if let Some(entity) = self.target(boxwood, part) {
                let event = TouchBegin { entity, part, other, point, normal, depth, slack };
                self.commands.trigger(event);
            }
        }
    }

    /// Triggers the two events of a touch that has ended.
    pub fn end(&mut self, boxwood: &Boxwood, end: &TouchEnded) {
        let [a, b] = end.sides();
        for (part, other) in [(a, b), (b, a)] {
            if let Some(entity) = self.target(boxwood, part) {
                self.commands.trigger(TouchEnd { entity, part, other });
            }
        }
    }

    /// Triggers the two events of a contact that begins on the way.
    pub fn begin_swept(&mut self, boxwood: &Boxwood, contact: &SweptContact) {
        let Some(impact) = contact.impact else { return };
        let [a, b] = contact.sides();
        let reversed = SweptImpact { normal: impact.normal.map(|normal| -normal), ..impact };
        for (part, other, impact) in [(a, b, impact), (b, a, reversed)] {
            if let Some(entity) = self.target(boxwood, part) {
                self.commands.trigger(SweptBegin { entity, part, other, impact, id: contact.id });
            }
        }
    }

    /// Entity of a part's joint, otherwise of its character; `None` if neither exists.
    fn target(&self, boxwood: &Boxwood, part: PartOf) -> Option<Entity> {
        let joint = boxwood.joint(part);
        [joint, Some(part.character)].into_iter().flatten().find(|&one| self.existing.contains(one))
    }
}
