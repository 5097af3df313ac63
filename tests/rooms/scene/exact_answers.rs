//! All pair queries to a snapshot against the exact answer: equal at `Exact`, never less elsewhere,
//! and the same with swapped arguments.

use boxwood::num::Scalar;
use boxwood::scene::{Hit, Hits, NodeRef, Snapshot};
use boxwood::{Accuracy, CharacterKey, PairQuery};

use super::brute_force::contact;
use support::brute_force::bits;
use support::random::Random;

/// Two touching parts, each by its character and its index.
pub type Line = [(usize, usize); 2];

pub struct Moment<'a, T: Scalar> {
    pub now: Snapshot<'a, T>,
    /// In the order of answers.
    pub keys: &'a [CharacterKey],
    pub hits: Hits<T>,
}

impl<T: Scalar> Moment<'_, T> {
    fn part(&self, node: &NodeRef) -> (usize, usize) {
        let at = self.keys.iter().position(|&key| key == node.character).expect("a key");
        (at, node.part.index())
    }

    /// Touching pairs, by each of the three queries.
    pub fn answer(&mut self, query: &PairQuery) -> Vec<Line> {
        self.now.pairs(query, &mut self.hits).expect("a query");
        let line = |(a, b): &(NodeRef, NodeRef)| [self.part(a), self.part(b)];
        let found: Vec<Line> = self.hits.pairs().iter().map(line).collect();
        self.now.contacts(query, &mut self.hits).expect("a query");
        let line = |hit: &Hit<T>| [self.part(&hit.a), self.part(&hit.b)];
        let mut hits: Vec<Line> = self.hits.iter().map(line).collect();
        // Of one part, hits are those of its boxes.
        hits.sort_unstable();
        assert_eq!(found, hits, "{query:?}");
        let any = self.now.intersects(query, self.hits.scratch()).expect("a query");
        assert_eq!(any, !found.is_empty(), "{query:?}");
        found
    }

    /// The hits, in an order of their own.
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

    /// Every two, one against the others, and each pair from both sides.
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

    /// `truth`: all touching pairs, ascending.
    pub fn check(&mut self, truth: &[Line], size: f64, random: &mut Random) {
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

/// The same lines with that character first.
fn sided<'l>(lines: impl Iterator<Item = &'l Line>, first: usize) -> Vec<Line> {
    let turned = lines.map(|&[a, b]| if a.0 == first { [a, b] } else { [b, a] });
    let mut turned: Vec<Line> = turned.collect();
    turned.sort_unstable();
    turned
}
