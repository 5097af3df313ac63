//! Asks who touches whom, and says so in messages.

use std::collections::HashSet;

use bevy_ecs::prelude::{Entity, Local, Message, MessageWriter, Res, ResMut};
use bevy_math::Vec3;
use boxwood::{Error, Hit, Hits, NodeRef, PairQuery, PartId};

use crate::problem::tell;
use crate::{Boxwood, CharacterProblem, PartOf, Problem, TouchPairs, TouchSettings};

/// Whether two parts have just come to touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TouchPhase {
    /// They did not in the frame before.
    Begin,
    /// They did.
    Stay,
}

/// Two parts of different characters touch: sent every frame, for every such pair.
///
/// In the order of answers: by the order of the characters, then by part. Point, normal and depth
/// are those of the two boxes that overlap deepest, see
/// [`Hit`](struct@boxwood::scene::Hit); to push characters apart ask
/// [`BoxwoodQueries::separation`](crate::BoxwoodQueries::separation). [`TouchEnded`] comes in the
/// first frame without.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
pub struct Touched {
    /// Whether it is the first frame.
    pub phase: TouchPhase,
    /// The character of lower order; with [`TouchPairs::Memberships`] the attacker.
    pub a: Entity,
    /// The other.
    pub b: Entity,
    /// The parts of `a` and `b`.
    pub parts: [PartId; 2],
    /// Between the two boxes. World.
    pub point: Vec3,
    /// Unit, from `a` to `b`. World.
    pub normal: Vec3,
    /// How far to move `b` along `normal` until the two boxes only touch. World units.
    pub depth: f32,
    /// The geometry of the two is no further apart than this. World units.
    pub slack: f32,
}

/// Two parts touch no longer, or one of their characters is gone; then its entity may be, too.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub struct TouchEnded {
    /// As in [`Touched`].
    pub a: Entity,
    /// The other.
    pub b: Entity,
    /// The parts of `a` and `b`.
    pub parts: [PartId; 2],
}

/// The pairs that touched in the frame before.
#[derive(Debug, Default)]
pub(crate) struct Touching {
    /// In the order of answers.
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
        // What touches is not known: nothing began and nothing ended.
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

/// Fills the hits of the moment.
fn contacts(boxwood: &mut Boxwood, settings: &TouchSettings) -> Result<(), Error> {
    let Boxwood { moment, hits, entities, .. } = boxwood;
    if settings.pairs == TouchPairs::Nobody {
        if !hits.is_empty() {
            *hits = Hits::new();
        }
        return Ok(());
    }
    let part = |node: NodeRef| {
        let character = entities.get(&node.character).copied().unwrap_or(Entity::PLACEHOLDER);
        PartOf { character, part: node.part }
    };
    let keeps = |a: NodeRef, b: NodeRef| {
        settings.predicate.as_ref().is_none_or(|keeps| keeps(part(a), part(b)))
    };
    let mut query = PairQuery::all().accuracy(settings.accuracy);
    if let TouchPairs::Memberships { of_a, of_b } = settings.pairs {
        query = query.memberships(of_a, of_b).attacker_first();
    }
    if settings.predicate.is_some() {
        query = query.predicate(&keeps);
    }
    moment.snapshot().contacts(&query, hits)?;
    Ok(())
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

/// A pair, whichever of the two is named first.
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

    /// The pairs of the frame before that are not among those of now, which become the known ones.
    fn finish(&mut self) -> impl Iterator<Item = [PartOf; 2]> {
        let Touching { before, known, now, .. } = self;
        known.clear();
        known.extend(now.iter().copied().map(unordered));
        before.iter().copied().filter(|&pair| !known.contains(&unordered(pair)))
    }
}
