//! A frame of a crowd, from the poses of all parts to the touching pairs, in boxwood.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::nalgebra::Isometry3;
use boxwood::{Buffers, CharacterKey, Detail, Hits, NodeRef, PairQuery, Scene, Spawn};

use super::crowd::{Body, Frames, model, place};
use super::measure::{Way, clock, way};

/// The crowd in a scene.
pub struct Ours {
    scene: Scene,
    keys: Vec<CharacterKey>,
    buffers: Buffers,
    hits: Hits,
}

impl Ours {
    pub fn new(people: usize, body: Body) -> Self {
        Ours::of(&model(body, &[]), people)
    }

    /// Creates `count` characters of one model.
    pub fn of(model: &Arc<Model<f32>>, count: usize) -> Self {
        let mut scene = Scene::new();
        let insert = |_| scene.insert(model, Spawn::default()).expect("room");
        let keys = (0..count).map(insert).collect();
        Ours { scene, keys, buffers: Buffers::new(), hits: Hits::new() }
    }

    /// Places all people and returns the number of touching pairs of parts, or of boxes.
    pub fn pairs(&mut self, poses: &[Isometry3<f32>], detail: Detail) -> usize {
        self.place(poses);
        let now = self.scene.snapshot(&mut self.buffers);
        now.pairs(&PairQuery::all().detail(detail), &mut self.hits).expect("a sound question");
        self.hits.pairs().len()
    }

    /// Number of pairs of people in the last pairs of parts.
    pub fn meetings(&self) -> usize {
        let people = |(a, b): &(NodeRef, NodeRef)| (a.character, b.character);
        self.hits.pairs().chunk_by(|one, next| people(one) == people(next)).count()
    }

    /// Places all people and returns the number of contacts.
    pub fn contacts(&mut self, poses: &[Isometry3<f32>], detail: Detail) -> usize {
        self.place(poses);
        let now = self.scene.snapshot(&mut self.buffers);
        now.contacts(&PairQuery::all().detail(detail), &mut self.hits).expect("a sound question");
        self.hits.len()
    }

    /// Places all people and runs the broad phase; returns the number of pairs of people.
    pub fn update(&mut self, poses: &[Isometry3<f32>]) -> usize {
        self.place(poses);
        self.scene.snapshot(&mut self.buffers).broad_phase_pairs().count()
    }

    /// Returns `true` if any two people touch.
    pub fn intersects(&mut self, poses: &[Isometry3<f32>]) -> bool {
        self.place(poses);
        let now = self.scene.snapshot(&mut self.buffers);
        now.intersects(&PairQuery::all(), self.hits.scratch()).expect("a sound question")
    }

    fn place(&mut self, poses: &[Isometry3<f32>]) {
        place(&mut self.scene, &self.keys, poses);
    }
}

/// Number of people, and their spacing.
pub type Crowd = (usize, f64);

/// Times a query on a new frame in every round, with placing all people.
pub fn ours<'a>(
    name: &str,
    (people, spacing): Crowd,
    body: Body,
    ask: impl Fn(&mut Ours, &[Isometry3<f32>]) -> usize + 'a,
) -> Way<'a> {
    let (mut frames, mut ours) = (Frames::new(people, spacing), Ours::new(people, body));
    way(name, move || {
        let poses = frames.next();
        clock(|| ask(&mut ours, &poses))
    })
}
