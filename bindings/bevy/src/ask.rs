//! Touching parts of every frame, and messages about them.

use std::collections::HashSet;

use bevy_ecs::prelude::{Entity, Local, Message, MessageWriter, Res, ResMut};
use bevy_math::Vec3;
use boxwood::{Error, Hit, Hits, PairQuery, PartId};

use crate::pairs::PairSelection;
use crate::problem::tell;
use crate::{Boxwood, CharacterProblem, PartOf, Problem, TouchSettings};

/// Phase of a touch: begin or stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
/// apart use [`BoxwoodQueries::separation`](crate::BoxwoodQueries::separation). [`TouchEnded`] is sent in the
/// first frame without touch.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
pub struct Touched {
    /// Phase of the touch.
    pub phase: TouchPhase,
    /// The character of lower order; with [`TouchPairs::Memberships`] the attacker.
    pub a: Entity,
    /// The other character.
    pub b: Entity,
    /// Parts of `a` and `b`.
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
pub struct TouchEnded {
    /// The `a` of [`Touched`].
    pub a: Entity,
    /// The other character.
    pub b: Entity,
    /// Parts of `a` and `b`.
    pub parts: [PartId; 2],
}

/// The pairs that touched in the frame before.
#[derive(Debug, Default)]
pub(crate) struct Touching {
    /// Pairs in the order of answers.
    before: Vec<[PartOf; 2]>,
    known: HashSet<[PartOf; 2]>,
    now: Vec<[PartOf; 2]>,
    told: Option<Error>,
}

pub(crate) fn ask(
    mut boxwood: ResMut<Boxwood>,
    settings: Res<TouchSettings>,
    mut touching: Local<Touching>,
    mut touched: MessageWriter<Touched>,
    mut ended: MessageWriter<TouchEnded>,
    mut problems: MessageWriter<CharacterProblem>,
) {
    let (boxwood, touching) = (&mut *boxwood, &mut *touching);
    if boxwood.scene.is_empty() && boxwood.moment.scene().is_empty() && touching.before.is_empty() {
        return;
    }
    boxwood.moment.update(&boxwood.scene);
    if let Err(error) = contacts(boxwood, &settings) {
        if touching.told.as_ref() != Some(&error) {
            touching.told = Some(error.clone());
            tell(&mut problems, None, Problem::Refused(error));
        }
        // The touching pairs are unknown, so no touch begins or ends.
        return;
    }
    touching.told = None;
    touching.now.clear();
    for hit in &boxwood.hits {
        let (Some(a), Some(b)) = (boxwood.part_of(hit.a), boxwood.part_of(hit.b)) else { continue };
        let phase = touching.phase([a, b]);
        touching.now.push([a, b]);
        touched.write(Touched::new(phase, [a, b], hit));
    }
    for [a, b] in touching.finish() {
        let parts = [a.part, b.part];
        ended.write(TouchEnded { a: a.character, b: b.character, parts });
    }
    std::mem::swap(&mut touching.before, &mut touching.now);
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
}

/// The pair in a fixed order.
fn unordered([a, b]: [PartOf; 2]) -> [PartOf; 2] {
    if b < a { [b, a] } else { [a, b] }
}

impl Touching {
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
