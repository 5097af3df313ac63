//! Touching parts of every frame, and messages about them.

use bevy_ecs::prelude::{Entity, Message, MessageWriter, Res, ResMut};
use bevy_math::Vec3;
use bevy_platform::collections::HashSet;
use boxwood::{Error, Hit, Hits, PairQuery, PartId};

use crate::colliding::{self, Colliding};
use crate::events::Events;
use crate::pairs::PairSelection;
use crate::problem::tell;
use crate::{Boxwood, CharacterProblem, PartOf, Problem, TouchSettings};

/// Phase of a touch: begin or stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(Debug, Clone, PartialEq, Hash))]
pub enum TouchPhase {
    /// The first frame of the touch.
    Begin,
    /// A later frame of the touch.
    Stay,
}

/// Message of a touch between two parts of different characters, sent every frame for every such
/// pair.
///
/// Messages are sent in the order of answers: by the order of the characters, then by part. Point,
/// normal and depth are those of the two parts, or of their boxes, as
/// [`TouchSettings::detail`] says, see [`Hit`](struct@boxwood::scene::Hit); to push characters
/// apart use [`BoxwoodQueries::separation`](crate::BoxwoodQueries::separation). [`TouchEnded`] is
/// sent in the first frame without touch. Observers of entities get [`TouchBegin`] and
/// [`TouchEnd`](crate::TouchEnd).
///
/// [`TouchBegin`]: crate::TouchBegin
#[derive(Message, Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(from_reflect = false, Debug, Clone, PartialEq))]
pub struct Touched {
    /// Phase of the touch.
    pub phase: TouchPhase,
    /// The character of lower order; with
    /// [`TouchPairs::Memberships`](crate::TouchPairs::Memberships) the attacker.
    pub a: Entity,
    /// The other character.
    pub b: Entity,
    /// Parts of `a` and `b`.
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    pub parts: [PartId; 2],
    /// Point of the contact [world].
    pub point: Vec3,
    /// Unit normal from `a` to `b` [world].
    pub normal: Vec3,
    /// Translation of `b` along `normal` after which the two only touch; minus their distance for
    /// parts that are reported but disjoint, because the accuracy is coarse [world units].
    pub depth: f32,
    /// Upper bound on the distance of the two geometries [world units].
    pub slack: f32,
}

/// Message of an ended touch. One of the characters may be gone, and its entity too.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(from_reflect = false, Debug, Clone, PartialEq))]
pub struct TouchEnded {
    /// The `a` of [`Touched`].
    pub a: Entity,
    /// The other character.
    pub b: Entity,
    /// Parts of `a` and `b`.
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    pub parts: [PartId; 2],
}

/// The pairs that touch, from frame to frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct Touching {
    /// Pairs of the frame before, in the order of answers.
    before: Vec<[PartOf; 2]>,
    known: HashSet<[PartOf; 2]>,
    /// Memory of the current frame.
    now: Vec<[PartOf; 2]>,
    colliding: Vec<[Entity; 2]>,
    told: Option<Error>,
}

pub(crate) fn ask(
    mut boxwood: ResMut<Boxwood>,
    settings: Res<TouchSettings>,
    mut events: Events<'_, '_>,
    mut components: Colliding<'_, '_>,
    mut touched: MessageWriter<Touched>,
    mut ended: MessageWriter<TouchEnded>,
    mut problems: MessageWriter<CharacterProblem>,
) {
    let boxwood = &mut *boxwood;
    if boxwood.scene.is_empty()
        && boxwood.moment.scene().is_empty()
        && boxwood.touching.before.is_empty()
    {
        return;
    }
    boxwood.moment.update(&boxwood.scene);
    let found = contacts(boxwood, &settings);
    // Taken out of the resource, which events read meanwhile.
    let mut touching = std::mem::take(&mut boxwood.touching);
    match found {
        Ok(()) => {
            touching.told = None;
            touching.send(boxwood, &mut events, &mut touched, &mut ended);
            colliding::update(&mut components, &touching.before, &mut touching.colliding);
        }
        // The touching pairs are unknown, so no touch begins or ends.
        Err(error) if touching.told.as_ref() == Some(&error) => {}
        Err(error) => {
            touching.told = Some(error.clone());
            tell(&mut problems, None, Problem::Refused(error));
        }
    }
    boxwood.touching = touching;
}

/// Computes the hits of the current snapshot.
fn contacts(boxwood: &mut Boxwood, settings: &TouchSettings) -> Result<(), Error> {
    let Boxwood { moment, hits, entities, .. } = boxwood;
    let selection =
        PairSelection { pairs: settings.pairs, predicate: settings.predicate.get(), entities };
    let contacts = |query: &PairQuery<'_>| {
        let query = query.clone().detail(settings.detail);
        moment.snapshot().contacts(&query, hits).map(|_| ())
    };
    match selection.run(settings.accuracy, contacts) {
        Some(found) => found,
        None => {
            if !hits.is_empty() {
                *hits = Hits::new();
            }
            Ok(())
        }
    }
}

impl Touched {
    fn new(phase: TouchPhase, [a, b]: [PartOf; 2], hit: &Hit) -> Self {
        Touched {
            phase,
            a: a.character,
            b: b.character,
            parts: [a.part, b.part],
            point: Vec3::from_array(hit.point.coords.into()),
            normal: Vec3::from_array(hit.normal.into()),
            depth: hit.depth,
            slack: hit.slack,
        }
    }

    /// Returns the two parts, that of `a` first.
    pub(crate) fn sides(&self) -> [PartOf; 2] {
        sides([self.a, self.b], self.parts)
    }
}

impl TouchEnded {
    /// Returns the two parts, that of `a` first.
    pub(crate) fn sides(&self) -> [PartOf; 2] {
        sides([self.a, self.b], self.parts)
    }
}

/// Returns the parts of two characters.
pub(crate) fn sides(characters: [Entity; 2], parts: [PartId; 2]) -> [PartOf; 2] {
    [0, 1].map(|side| PartOf { character: characters[side], part: parts[side] })
}

/// The pair in a fixed order.
fn unordered([a, b]: [PartOf; 2]) -> [PartOf; 2] {
    if b < a { [b, a] } else { [a, b] }
}

impl Touching {
    /// Sends the messages and events of a frame; its pairs become those of the frame before.
    fn send(
        &mut self,
        boxwood: &Boxwood,
        events: &mut Events<'_, '_>,
        touched: &mut MessageWriter<Touched>,
        ended: &mut MessageWriter<TouchEnded>,
    ) {
        self.now.clear();
        for hit in &boxwood.hits {
            let sides = (boxwood.part_of(hit.a), boxwood.part_of(hit.b));
            let (Some(a), Some(b)) = sides else { continue };
            let message = Touched::new(self.phase([a, b]), [a, b], hit);
            touched.write(message);
            // A pair with a message for each of its boxes begins and ends once.
            if self.now.last() == Some(&[a, b]) {
                continue;
            }
            self.now.push([a, b]);
            if message.phase == TouchPhase::Begin {
                events.begin(boxwood, &message);
            }
        }
        for [a, b] in self.finish() {
            let parts = [a.part, b.part];
            let message = TouchEnded { a: a.character, b: b.character, parts };
            ended.write(message);
            events.end(boxwood, &message);
        }
        std::mem::swap(&mut self.before, &mut self.now);
    }

    fn phase(&self, pair: [PartOf; 2]) -> TouchPhase {
        match self.known.contains(&unordered(pair)) {
            true => TouchPhase::Stay,
            false => TouchPhase::Begin,
        }
    }

    /// Returns the pairs of the frame before that do not touch now; the current pairs become the
    /// known ones.
    fn finish(&mut self) -> impl Iterator<Item = [PartOf; 2]> {
        let Touching { before, known, now, .. } = self;
        known.clear();
        known.extend(now.iter().copied().map(unordered));
        before.iter().copied().filter(|&pair| !known.contains(&unordered(pair)))
    }
}
