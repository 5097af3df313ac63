//! Queries by brute force: every two characters, every two parts, every two nodes of the cuts.

use boxwood::num::Scalar;
use boxwood::pair::Contact;
use boxwood::scene::{CharacterKey, NodeRef, Scene, Snapshot};
use boxwood::shape::Aabb;
use boxwood::tree::TreePair;
use boxwood::{NodeId, PartId};

use crate::exact_parts::{ExactPair, Part};

/// Character in the brute-force scene.
#[derive(Clone, Debug)]
pub struct BruteForceCharacter {
    pub key: CharacterKey,
    pub order: u64,
    pub at_rest: bool,
}

/// Expected answers of a query, sorted.
pub type Expected<T> = Vec<(NodeRef, NodeRef, Contact<T>)>;

pub struct BruteForce<'a, T: Scalar> {
    pub scene: &'a Scene<T>,
    pub now: Snapshot<'a, T>,
    pub roster: &'a [BruteForceCharacter],
}

impl<T: Scalar> BruteForce<'_, T> {
    /// Returns every two characters, the lesser order first.
    pub fn all(&self) -> Vec<(CharacterKey, CharacterKey)> {
        let mut sorted: Vec<&BruteForceCharacter> = self.roster.iter().collect();
        sorted.sort_by_key(|living| living.order);
        let rest = |i: usize| sorted[i + 1..].iter().map(move |b| (i, *b));
        let pairs = (0..sorted.len()).flat_map(rest).map(|(i, b)| (sorted[i], b));
        pairs.filter(|(a, b)| !(a.at_rest && b.at_rest)).map(|(a, b)| (a.key, b.key)).collect()
    }

    /// Returns one character against all others.
    pub fn of(&self, a: CharacterKey) -> Vec<(CharacterKey, CharacterKey)> {
        let pairs = self.all().into_iter().filter(|pair| pair.0 == a || pair.1 == a);
        pairs.map(|(x, y)| if x == a { (x, y) } else { (y, x) }).collect()
    }

    fn order(&self, key: CharacterKey) -> u64 {
        self.roster.iter().find(|living| living.key == key).expect("in the roster").order
    }

    /// Returns the sort key of a node in answers.
    pub fn rank(&self, node_ref: &NodeRef) -> (u64, PartId, NodeId) {
        (self.order(node_ref.character), node_ref.part, node_ref.node)
    }

    /// Returns the number of pairs of nodes that [`BruteForce::boxes`] would test.
    pub fn work(&self, pairs: &[(CharacterKey, CharacterKey)], depth: u8) -> usize {
        let mut work = 0;
        self.candidates(
            pairs,
            |_, _| true,
            |a, b, pair| {
                work += pair.0.cut(depth).len() * pair.1.cut(depth).len();
                let _ = (a, b);
            },
        );
        work
    }

    /// Returns pairs of boxes at `depth`, of the part pairs that `chosen` accepts.
    pub fn boxes(
        &self,
        pairs: &[(CharacterKey, CharacterKey)],
        depth: u8,
        chosen: impl Fn(PartId, PartId) -> bool,
    ) -> Expected<T> {
        let mut expected = Vec::new();
        self.candidates(pairs, chosen, |(a, part_a), (b, part_b), (tree_a, tree_b)| {
            let pose = |key, part| self.scene.pose(key, part).expect("a pose");
            let poses = [pose(a, part_a), pose(b, part_b)];
            let pair = TreePair::new(tree_a, poses[0], tree_b, poses[1]);
            let pair = pair.expect("sound poses");
            let (cut, before) = (tree_b.cut(depth), expected.len());
            for i in tree_a.cut(depth) {
                for &j in cut.iter().filter(|&&j| pair.touches(i, j)) {
                    let node_ref = |character, part, node| NodeRef { character, part, node };
                    expected.push((
                        node_ref(a, part_a, i),
                        node_ref(b, part_b, j),
                        pair.contact(i, j),
                    ));
                }
            }
            // One part inside the other, which is solid.
            if expected.len() == before && pair.touches(NodeId::ROOT, NodeId::ROOT) {
                let parts = [tree_a, tree_b].map(|tree| Part::of(tree.geometry()));
                if ExactPair::new(&parts[0], poses[0], &parts[1], poses[1]).inside() {
                    let mut contact = pair.contact(NodeId::ROOT, NodeId::ROOT);
                    contact.slack = T::zero();
                    let root = |character, part| NodeRef { character, part, node: NodeId::ROOT };
                    expected.push((root(a, part_a), root(b, part_b), contact));
                }
            }
        });
        expected.sort_by_key(|(a, b, _)| (self.rank(a), self.rank(b)));
        expected
    }

    #[allow(clippy::type_complexity)]
    fn candidates<'m>(
        &'m self,
        pairs: &[(CharacterKey, CharacterKey)],
        chosen: impl Fn(PartId, PartId) -> bool,
        mut each: impl FnMut(
            (CharacterKey, PartId),
            (CharacterKey, PartId),
            (&'m boxwood::tree::ObbTree<T>, &'m boxwood::tree::ObbTree<T>),
        ),
    ) {
        for &(a, b) in pairs {
            let model_a = self.scene.model(a).expect("a key");
            let model_b = self.scene.model(b).expect("a key");
            let parts = (0..model_a.len()).flat_map(|i| (0..model_b.len()).map(move |j| (i, j)));
            for (i, j) in parts.map(|(i, j)| (PartId::new(i), PartId::new(j))) {
                if a == b && (i >= j || model_a.ignores(i, j)) || !chosen(i, j) {
                    continue;
                }
                let (p, q) = (self.now.part_aabb(a, i), self.now.part_aabb(b, j));
                let (p, q) = (p.expect("a part"), q.expect("a part"));
                let overlap = (0..3).all(|k| p.min[k] <= q.max[k] && q.min[k] <= p.max[k]);
                let trees = (model_a.parts()[i.index()].tree(), model_b.parts()[j.index()].tree());
                if let ((Some(x), Some(y)), true) = (trees, overlap) {
                    each((a, i), (b, j), (x, y));
                }
            }
        }
    }
}

/// Returns, for each later box, `true` if the box overlaps it, and its distance.
pub fn with_later<T: Scalar>(boxes: &[Aabb<T, 3>], index: usize) -> Vec<(bool, f64)> {
    let one = &boxes[index];
    let later = boxes[index + 1..].iter();
    later.map(|other| (one.intersects(other), one.distance(other).wide())).collect()
}

pub fn bits<T: Scalar>(c: &Contact<T>) -> Vec<u64> {
    let numbers = c.point.iter().chain(c.normal.iter()).copied();
    numbers.chain([c.point_error, c.depth, c.slack]).map(T::bits).collect()
}

compiled_here! { bits, with_later; BruteForce: all, of, work }
