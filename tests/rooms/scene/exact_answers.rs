//! All pair queries of a snapshot against an exact answer that shares no code with the crate: equal
//! at `Exact`, never less elsewhere, reversed for swapped arguments, and equal from the poses of
//! one character alone; and every two boxes by brute force.

use std::sync::Arc;

use boxwood::model::{Model, SelfQueryScratch};
use boxwood::scene::{Buffers, Hit, Hits, NodeRef, Scene, Snapshot, Spawn};
use boxwood::shape::Pose;
use boxwood::{Accuracy, CharacterKey, PairQuery};

use super::brute_force::{ask_everything, contact};
use support::brute_force::{BruteForceCharacter, bits};
use support::exact_character::Standing;
use support::posed_characters::{Actor, rebuilt};
use support::prelude::*;

/// Two touching parts, each by its character and its index.
pub type Line = [(usize, usize); 2];

pub struct Moment<'a, T: Scalar> {
    pub now: Snapshot<'a, T>,
    /// Keys in the order of answers.
    pub keys: &'a [CharacterKey],
    pub hits: Hits<T>,
}

impl<T: Scalar> Moment<'_, T> {
    fn part(&self, node: &NodeRef) -> (usize, usize) {
        let at = self.keys.iter().position(|&key| key == node.character).expect("a key");
        (at, node.part.index())
    }

    /// Returns the touching pairs, asserted equal by each of the three queries.
    pub fn answer(&mut self, query: &PairQuery) -> Vec<Line> {
        self.now.pairs(query, &mut self.hits).expect("a query");
        let line = |(a, b): &(NodeRef, NodeRef)| [self.part(a), self.part(b)];
        let found: Vec<Line> = self.hits.pairs().iter().map(line).collect();
        self.now.contacts(query, &mut self.hits).expect("a query");
        let line = |hit: &Hit<T>| [self.part(&hit.a), self.part(&hit.b)];
        let mut hits: Vec<Line> = self.hits.iter().map(line).collect();
        // Hits of one part are those of its boxes.
        hits.sort_unstable();
        assert_eq!(found, hits, "{query:?}");
        let any = self.now.intersects(query, self.hits.scratch()).expect("a query");
        assert_eq!(any, !found.is_empty(), "{query:?}");
        found
    }

    /// Returns the hits, sorted in a different order.
    fn answered(
        &mut self,
        query: &PairQuery,
        turn: impl Fn(&Hit<T>) -> Hit<T>,
    ) -> Vec<(Line, Vec<u64>)> {
        self.now.contacts(query, &mut self.hits).expect("a query");
        let hits = self.hits.iter().map(turn);
        let line = |hit: Hit<T>| ([self.part(&hit.a), self.part(&hit.b)], bits(&contact(&hit)));
        let mut answered: Vec<_> = hits.map(line).collect();
        answered.sort_unstable();
        answered
    }

    /// Compares all characters, one against the others, and each pair in both orders.
    fn every_way(&mut self, all: &[Line], accuracy: Accuracy) {
        let budget = matches!(accuracy, Accuracy::Budget(_));
        for i in 0..self.keys.len() {
            if !budget {
                let of = self.answer(&PairQuery::of(self.keys[i]).accuracy(accuracy));
                assert_eq!(of, sided(all.iter().filter(|l| l[0].0 == i || l[1].0 == i), i));
            }
            for j in i + 1..self.keys.len() {
                let [to, back] = [[i, j], [j, i]].map(|[a, b]| {
                    PairQuery::between(self.keys[a], self.keys[b]).accuracy(accuracy)
                });
                let found = self.answer(&to);
                let theirs = |l: &&Line| l[0].0 == i && l[1].0 == j;
                assert!(budget || found.iter().eq(all.iter().filter(theirs)), "{accuracy:?}");
                assert_eq!(self.answer(&back), sided(found.iter(), j), "{accuracy:?}");
                let one = self.answered(&to, |&hit| hit);
                assert_eq!(one, self.answered(&back, Hit::reversed), "{accuracy:?}");
            }
        }
    }

    /// Compares pair queries with `truth`, which are all touching pairs, ascending.
    fn check(&mut self, truth: &[Line], size: f64, random: &mut Random) {
        for accuracy in [Accuracy::Exact, Accuracy::Within(0.0), Accuracy::Budget(u32::MAX)] {
            let found = self.answer(&PairQuery::all().accuracy(accuracy));
            assert_eq!(found, truth, "{accuracy:?}");
        }
        self.every_way(truth, Accuracy::Exact);
        let depths = [0, 1 + random.below(4) as u8, u8::MAX].map(Accuracy::Depth);
        let most = size * random.decade(-4.0, -0.5);
        for accuracy in depths.into_iter().chain([Accuracy::Within(most)]) {
            let found = self.answer(&PairQuery::all().accuracy(accuracy));
            assert!(truth.iter().all(|line| found.contains(line)), "{accuracy:?} misses");
            self.every_way(&found, accuracy);
        }
        let accuracy = Accuracy::Budget(random.below(200) as u32);
        let found = self.answer(&PairQuery::all().accuracy(accuracy));
        assert!(truth.iter().all(|line| found.contains(line)), "{accuracy:?} misses");
    }
}

/// Returns the lines with the given character first.
pub fn sided<'l>(lines: impl Iterator<Item = &'l Line>, first: usize) -> Vec<Line> {
    let turned = lines.map(|&[a, b]| if a.0 == first { [a, b] } else { [b, a] });
    let mut turned: Vec<Line> = turned.collect();
    turned.sort_unstable();
    turned
}

/// Characters and their poses.
pub struct Shot<'a, T: Scalar> {
    pub cast: Vec<(&'a Actor<T>, Vec<Pose<T>>)>,
    pub size: f64,
}

type Pairs = Vec<(usize, usize)>;

impl<'a, T: Scalar> Shot<'a, T> {
    pub fn new(cast: Vec<(&'a Actor<T>, Vec<Pose<T>>)>) -> Self {
        let size = cast.iter().map(|(actor, poses)| actor.standing(poses).size()).sum();
        Shot { cast, size }
    }

    fn standing(&self, at: usize) -> Standing<'_, T> {
        self.cast[at].0.standing(&self.cast[at].1)
    }

    fn scene(
        &self,
        model: impl Fn(&'a Actor<T>) -> Arc<Model<T>>,
        pose: impl Fn(&Pose<T>) -> Pose<T>,
    ) -> (Scene<T>, Vec<BruteForceCharacter>) {
        let mut scene = Scene::new();
        let stand = |(order, (actor, poses)): (usize, &(&'a Actor<T>, Vec<Pose<T>>))| {
            let order = order as u64;
            let key = scene.insert(&model(actor), Spawn::default().order(order)).expect("one");
            scene.set_parts(key, &poses.iter().map(&pose).collect::<Vec<_>>()).expect("poses");
            BruteForceCharacter { key, order, at_rest: false }
        };
        let roster = self.cast.iter().enumerate().map(stand).collect();
        (scene, roster)
    }

    /// Returns `true` if one of two touching parts is inside the other.
    pub fn holds(&self, [a, b]: &Line) -> bool {
        self.standing(a.0).holds(a.1, &self.standing(b.0), b.1)
    }

    /// Returns the touching pairs of two characters, exactly, sorted as answers are.
    pub fn truth(&self) -> Vec<Line> {
        let mut truth = Vec::new();
        for (i, j) in
            (0..self.cast.len()).flat_map(|i| (i + 1..self.cast.len()).map(move |j| (i, j)))
        {
            let touching = self.standing(i).touching(&self.standing(j));
            truth.extend(touching.into_iter().map(|(p, q)| [(i, p), (j, q)]));
        }
        truth.sort_unstable();
        truth
    }

    /// Returns the touching pairs of each character with itself, exactly.
    fn own_truths(&self) -> Vec<Pairs> {
        let own = |(actor, poses): &(&Actor<T>, Vec<Pose<T>>)| {
            actor.standing(poses).with_itself(&actor.model)
        };
        self.cast.iter().map(own).collect()
    }

    /// Compares all queries with the exact answers. Returns `true` if the first two characters
    /// touch, or the only character touches itself.
    pub fn check(&self, random: &mut Random) -> bool {
        let (truth, own) = (self.truth(), self.own_truths());
        let (scene, roster) = self.scene(|actor| actor.model.clone(), |pose| *pose);
        let keys: Vec<_> = roster.iter().map(|living| living.key).collect();
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        let mut moment = Moment { now, keys: &keys, hits: Hits::new() };
        moment.check(&truth, self.size, random);
        for (at, truth) in own.iter().enumerate() {
            self.check_own(at, truth, &mut moment, random);
        }
        // Brute force ignores the order of trees in one pose and containment in solids.
        let lines = own
            .iter()
            .enumerate()
            .flat_map(|(at, pairs)| pairs.iter().map(move |&(i, j)| [(at, i), (at, j)]));
        let inside = lines.chain(truth.iter().copied()).any(|line| self.holds(&line));
        let poses: Vec<_> = self.cast.iter().flat_map(|(_, poses)| poses).collect();
        if !inside && (1..poses.len()).all(|i| !poses[..i].contains(&poses[i])) {
            ask_everything(&scene, &roster, 2_000, random);
        }
        match self.cast.len() {
            1 => !own[0].is_empty(),
            _ => truth.iter().any(|[a, b]| (a.0, b.0) == (0, 1)),
        }
    }

    /// Compares one character with itself, in the scene and from poses alone.
    fn check_own(&self, at: usize, truth: &Pairs, moment: &mut Moment<'_, T>, random: &mut Random) {
        let ((actor, poses), key) = (&self.cast[at], moment.keys[at]);
        let mut scratch = SelfQueryScratch::default();
        let depths = [0, 1 + random.below(4) as u8, u8::MAX].map(Accuracy::Depth);
        let most = self.size * random.decade(-4.0, -0.5);
        let lax = [Accuracy::Within(most), Accuracy::Budget(random.below(200) as u32)];
        let exact = [Accuracy::Exact, Accuracy::Within(0.0), Accuracy::Budget(u32::MAX)];
        for accuracy in exact.into_iter().chain(depths).chain(lax) {
            let found = alone(&actor.model, poses, accuracy, &mut scratch);
            let there = moment.answer(&PairQuery::within(key).accuracy(accuracy));
            let there: Pairs = there.into_iter().map(|[a, b]| (a.1, b.1)).collect();
            assert!(!exact.contains(&accuracy) || found == *truth, "{accuracy:?}");
            assert!(truth.iter().all(|pair| found.contains(pair)), "{accuracy:?} misses");
            assert!(accuracy == lax[1] || there == found, "{accuracy:?}: else in a scene");
            assert!(
                truth.iter().all(|pair| there.contains(pair)),
                "{accuracy:?} misses in a scene"
            );
        }
    }

    /// Compares exact answers after half a turn of the scene about an axis, after scaling by 32,
    /// and with the parts in reverse. None of these operations rounds.
    pub fn check_moved(&self, random: &mut Random) {
        let (truth, own, axis) = (self.truth(), self.own_truths(), random.below(3));
        let half_turn = |pose: &Pose<T>| {
            let mut q = [0.0; 4];
            q[axis] = 1.0;
            support::random_parts::pose::<T>(q, [0.0; 3]) * pose
        };
        let large = T::nearest(32.0);
        let larger = |pose: &Pose<T>| {
            let mut pose = *pose;
            pose.translation.vector *= large;
            pose
        };
        let turned = self.scene(|actor| actor.model.clone(), half_turn);
        let enlarged = self.scene(|actor| rebuilt(&actor.model, large, false), larger);
        let (exact, mut scratch) = (Accuracy::Exact, SelfQueryScratch::default());
        for (scene, roster) in [turned, enlarged] {
            let keys: Vec<_> = roster.iter().map(|living| living.key).collect();
            let mut buffers = Buffers::new();
            let now = scene.snapshot(&mut buffers);
            let mut moment = Moment { now, keys: &keys, hits: Hits::new() };
            assert_eq!(moment.answer(&PairQuery::all().accuracy(exact)), truth);
            for (&key, own) in keys.iter().zip(&own) {
                let (model, poses) = (scene.model(key).expect("a key"), scene.poses(key));
                assert_eq!(alone(model, poses.expect("a key"), exact, &mut scratch), *own);
            }
        }
        for ((actor, poses), own) in self.cast.iter().zip(&own) {
            let (reversed, last) = (rebuilt(&actor.model, T::one(), true), poses.len() - 1);
            let backwards: Vec<Pose<T>> = poses.iter().rev().copied().collect();
            let found = alone(&reversed, &backwards, exact, &mut scratch).into_iter();
            let mut found: Pairs = found.map(|(a, b)| (last - b, last - a)).collect();
            found.sort_unstable();
            assert_eq!(found, *own);
        }
    }
}

/// Returns the touching pairs of a model from poses alone, by both queries.
fn alone<T: Scalar>(
    model: &Model<T>,
    poses: &[Pose<T>],
    accuracy: Accuracy,
    scratch: &mut SelfQueryScratch<T>,
) -> Pairs {
    let found = model.self_pairs(poses, accuracy, scratch).expect("poses").to_vec();
    let any = model.self_intersects(poses, accuracy, scratch).expect("poses");
    assert_eq!(any, !found.is_empty(), "{accuracy:?}");
    found.iter().map(|(a, b)| (a.index(), b.index())).collect()
}
