//! Contacts along the way from one frame to the next, and messages about them.

use bevy_ecs::component::Component;
use bevy_ecs::prelude::{Changed, Entity, Message, MessageWriter, Query, Res, ResMut};
use bevy_ecs::resource::Resource;
use bevy_math::Vec3;
use boxwood::{
    Accuracy, CharacterKey, ContactChange, ContactEvent, ContactEvents, Error, Impact,
    MotionBuffers, MotionPath, NodeRef, PartId, PartOrder, QueryScratch, Scene, SceneMotion,
};

use crate::ask::sides;
use crate::events::Events;
use crate::pairs::{PairSelection, SharedPredicate};
use crate::problem::tell;
use crate::{Boxwood, CharacterProblem, PartOf, Problem, TouchPairs};

/// Settings of the [`SweptContact`] messages: a resource, which may change at any time. By default
/// there are none.
///
/// ```
/// use bevy_boxwood::{SweepSettings, TouchPairs};
///
/// const BLADES: u64 = 1;
/// const BODIES: u64 = 2;
/// let mut settings = SweepSettings::default(); // or `mut settings: ResMut<SweepSettings>`
/// settings.pairs = TouchPairs::Memberships { of_a: BLADES, of_b: BODIES };
/// settings.tolerance = 0.005; // half a centimetre, if units are metres
/// ```
#[derive(Resource, Debug, Clone)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(Resource, Debug, Clone, Default))]
pub struct SweepSettings {
    /// Tested pairs; [`TouchPairs::Nobody`] by default, which costs nothing.
    pub pairs: TouchPairs,
    /// Largest distance of two parts that count as touching: of moving parts no time can be proved
    /// to be the first at which they touch. Above 0; 0.001 by default [world units].
    pub tolerance: f64,
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    predicate: SharedPredicate,
}

impl Default for SweepSettings {
    fn default() -> Self {
        let predicate = SharedPredicate::default();
        SweepSettings { pairs: TouchPairs::Nobody, tolerance: 0.001, predicate }
    }
}

impl SweepSettings {
    /// Restricts the tested pairs further, like
    /// [`TouchSettings::predicate`](crate::TouchSettings::predicate).
    pub fn predicate(
        mut self,
        keeps: impl Fn(PartOf, PartOf) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.predicate = SharedPredicate::new(keeps);
        self
    }
}

/// Path of a character from one frame to the next, a component beside
/// [`Character`](crate::Character); [`MotionPath::Joints`] without it.
///
/// ```
/// use bevy_boxwood::CharacterMotion;
/// use bevy_boxwood::boxwood::MotionPath;
///
/// let ragdoll = CharacterMotion(MotionPath::Parts); // every part moves by itself
/// ```
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(opaque, Component, Debug, Clone, PartialEq, Default))]
pub struct CharacterMotion(pub MotionPath);

/// Component of a character that was teleported: in the frame in which it is inserted, or inserted
/// again, the character is at its new pose from the start and crosses nothing on the way.
///
/// ```
/// use bevy_boxwood::Teleported;
/// use bevy_ecs::prelude::*;
/// use bevy_transform::components::Transform;
///
/// fn respawn(mut commands: Commands, character: Entity) {
///     commands.entity(character).insert((Transform::from_xyz(0.0, 0.0, 50.0), Teleported));
/// }
/// ```
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(Component, Debug, Clone, PartialEq, Default))]
pub struct Teleported;

#[cfg(feature = "reflect")]
use bevy_ecs::reflect::{ReflectComponent, ReflectResource};
#[cfg(feature = "reflect")]
use bevy_reflect::std_traits::ReflectDefault;

/// Message of a contact of two parts between the frame before and this one, both of which move and
/// turn on the way: a blade that passes through an arm within a frame sends
/// [`Begin`](ContactChange::Begin) and [`End`](ContactChange::End).
///
/// At most one message of each change a pair and frame, in the order of time, then of the
/// characters and parts. [`Touched`](crate::Touched) is about the poses of this frame alone.
/// Observers of entities get [`SweptBegin`](crate::SweptBegin).
#[derive(Message, Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(from_reflect = false, Debug, Clone, PartialEq))]
pub struct SweptContact {
    /// Begin, persist or end.
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    pub change: ContactChange,
    /// The character of lower order; with [`TouchPairs::Memberships`] the attacker.
    pub a: Entity,
    /// The other character. It may be gone, as `a` may, if the contact ends.
    pub b: Entity,
    /// Parts of `a` and `b`.
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    pub parts: [PartId; 2],
    /// Time between the frame before and this one, from 0 to 1.
    pub time: f64,
    /// Number of the frame in which the contact began, counted by the plugin.
    pub since: u64,
    /// Number of the contact, equal in all of its messages.
    pub id: u64,
    /// The first contact of the two on the way; `None` if they do not touch in this frame, and the
    /// contact ends because one was teleported, disabled, filtered away or removed.
    pub impact: Option<SweptImpact>,
}

/// The first contact of two moving parts on the way to the poses of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct SweptImpact {
    /// Time before which the two share no point, from 0 to 1.
    pub clear_until: f64,
    /// Time of the contact.
    pub time: f64,
    /// Point between the two at that time [world].
    pub point: Vec3,
    /// Unit normal from `a` to `b` [world]; `None` if the two touch from the start: nothing
    /// approaches then.
    pub normal: Option<Vec3>,
    /// Upper bound on the distance of the two at that time; at most the tolerance, unless they are
    /// too fast for it [world units].
    pub slack: f32,
}

/// State of the contacts along the way, from frame to frame.
#[derive(Debug)]
pub(crate) struct SweepState {
    pub contacts: ContactEvents,
    /// Number of frames.
    tick: u64,
    /// The scene of the frame before; `None` before the first frame.
    before: Option<Scene>,
    buffers: MotionBuffers,
    scratch: QueryScratch,
    impacts: Vec<Impact>,
    events: Vec<ContactEvent>,
    paths: Vec<(CharacterKey, MotionPath)>,
    /// The contacts of this frame, ascending.
    now: Vec<Contact>,
    /// Contacts of the frame before: they name the entities if a character is gone.
    last: Vec<Contact>,
    told: Option<Error>,
}

/// A contact of a frame.
#[derive(Debug, Clone, Copy)]
struct Contact {
    orders: [PartOrder; 2],
    sides: [PartOf; 2],
    impact: SweptImpact,
}

impl Default for SweepState {
    fn default() -> Self {
        SweepState {
            contacts: ContactEvents::new(),
            tick: 0,
            before: None,
            buffers: MotionBuffers::new(),
            scratch: QueryScratch::new(),
            impacts: Vec::new(),
            events: Vec::new(),
            paths: Vec::new(),
            now: Vec::new(),
            last: Vec::new(),
            told: None,
        }
    }
}

type Paths<'w, 's> = Query<'w, 's, (Entity, &'static CharacterMotion)>;
type Jumps<'w, 's> = Query<'w, 's, Entity, Changed<Teleported>>;

pub(crate) fn sweep(
    mut boxwood: ResMut<Boxwood>,
    settings: Res<SweepSettings>,
    paths: Paths<'_, '_>,
    jumps: Jumps<'_, '_>,
    mut events: Events<'_, '_>,
    mut messages: MessageWriter<SweptContact>,
    mut problems: MessageWriter<CharacterProblem>,
) {
    let boxwood = &mut *boxwood;
    if settings.pairs == TouchPairs::Nobody && boxwood.sweep.contacts.is_empty() {
        boxwood.sweep.before = None;
        return;
    }
    boxwood.sweep.tick += 1;
    let key = |entity: Entity, path| Some((boxwood.key(entity)?, path));
    let moving = paths.iter().filter_map(|(entity, motion)| key(entity, motion.0));
    // The last of several paths of a character counts.
    let jumping = jumps.iter().filter_map(|entity| key(entity, MotionPath::Jump));
    let paths: Vec<_> = moving.chain(jumping).collect();
    boxwood.sweep.paths = paths;
    let found = find_contacts(boxwood, &settings);
    // A frame without an answer is not made up for in the next.
    let Boxwood { sweep, scene, .. } = &mut *boxwood;
    sweep.before.get_or_insert_with(Scene::new).clone_from(scene);
    match found {
        Ok(()) => {
            sweep.told = None;
            boxwood.sweep.send(boxwood, &mut events, &mut messages);
        }
        Err(error) if sweep.told.as_ref() == Some(&error) => {}
        Err(error) => {
            sweep.told = Some(error.clone());
            tell(&mut problems, None, Problem::Refused(error));
        }
    }
}

/// Computes the contacts on the way to the current poses, and their events.
fn find_contacts(boxwood: &mut Boxwood, settings: &SweepSettings) -> Result<(), Error> {
    let Boxwood { scene, entities, sweep, .. } = boxwood;
    let SweepState { contacts, tick, before, buffers, scratch, impacts, events, .. } = sweep;
    let selection =
        PairSelection { pairs: settings.pairs, predicate: settings.predicate.get(), entities };
    // In the first frame nothing has moved.
    let before = before.as_ref().unwrap_or(scene);
    let motion = SceneMotion::with_paths(before, scene, &sweep.paths, buffers)?;
    impacts.clear();
    let accuracy = Accuracy::Within(settings.tolerance);
    selection.run(accuracy, |query| motion.impacts(query, scratch, impacts)).transpose()?;
    contacts.advance(*tick, scene, impacts, events)?;
    std::mem::swap(&mut sweep.now, &mut sweep.last);
    sweep.now.clear();
    let part_of = |node: NodeRef| {
        let character = entities.get(&node.character).copied()?;
        Some(PartOf { character, part: node.part })
    };
    for impact in &*impacts {
        let order =
            |node: NodeRef| Ok(PartOrder { order: scene.order(node.character)?, part: node.part });
        let mut orders = [order(impact.a)?, order(impact.b)?];
        orders.sort_unstable();
        if let (Some(a), Some(b)) = (part_of(impact.a), part_of(impact.b)) {
            sweep.now.push(Contact { orders, sides: [a, b], impact: SweptImpact::new(impact) });
        }
    }
    sweep.now.sort_unstable_by_key(|contact| contact.orders);
    Ok(())
}

/// The part of the state that the next frame depends on.
#[derive(Debug, Clone)]
pub(crate) struct SavedSweep {
    contacts: ContactEvents,
    tick: u64,
    before: Option<Scene>,
    now: Vec<Contact>,
}

impl SweepState {
    /// Returns what the next frame depends on.
    pub fn save(&self) -> SavedSweep {
        SavedSweep {
            contacts: self.contacts.clone(),
            tick: self.tick,
            before: self.before.clone(),
            now: self.now.clone(),
        }
    }

    /// Replaces what the next frame depends on.
    pub fn restore(&mut self, saved: &SavedSweep) {
        self.contacts.clone_from(&saved.contacts);
        self.tick = saved.tick;
        self.before.clone_from(&saved.before);
        self.now.clone_from(&saved.now);
    }

    /// Sends the messages of this frame and triggers its events.
    fn send(
        &self,
        boxwood: &Boxwood,
        events: &mut Events<'_, '_>,
        messages: &mut MessageWriter<SweptContact>,
    ) {
        let find = |contacts: &[Contact], orders| {
            let found = contacts.binary_search_by_key(&orders, |contact| contact.orders);
            found.ok().map(|at| contacts[at])
        };
        for event in &self.events {
            let now = find(&self.now, event.parts);
            let Some(contact) = now.or_else(|| find(&self.last, event.parts)) else { continue };
            let [a, b] = contact.sides;
            let message = SweptContact {
                change: event.change,
                a: a.character,
                b: b.character,
                parts: [a.part, b.part],
                time: event.time,
                since: event.since,
                id: event.id,
                impact: now.map(|contact| contact.impact),
            };
            messages.write(message);
            if message.change == ContactChange::Begin {
                events.begin_swept(boxwood, &message);
            }
        }
    }
}

impl SweptContact {
    /// Returns the two parts, that of `a` first.
    pub(crate) fn sides(&self) -> [PartOf; 2] {
        sides([self.a, self.b], self.parts)
    }
}

impl SweptImpact {
    fn new(impact: &Impact) -> Self {
        let point = boxwood::nalgebra::center(&impact.on_a, &impact.on_b);
        SweptImpact {
            clear_until: impact.clear_until,
            time: impact.time,
            point: Vec3::from_array(point.coords.into()),
            normal: impact.normal.map(|normal| Vec3::from_array(normal.into())),
            slack: impact.slack,
        }
    }
}
