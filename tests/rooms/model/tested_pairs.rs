//! Pairs of parts that are tested whatever their groups: by the builder and by copies of a model,
//! in queries of the model and of a scene, beside the rule written out.

use std::collections::BTreeSet;
use std::sync::Arc;

use boxwood::{
    Accuracy, Build, CollisionGroups, Error, Geometry, Hits, Model, Obb, PairQuery, PartId, Scene,
    SelfQueryScratch, Spawn,
};

use support::prelude::*;

fn cube() -> Geometry {
    let half = Vector3::repeat(0.5);
    Geometry::Boxes(vec![Obb::from_pose(&Isometry3::identity(), half).expect("a box")])
}

/// Cubes at one place, each in a random group and tested against one; pairs that are named.
struct Cubes {
    groups: Vec<CollisionGroups>,
    tested: BTreeSet<(usize, usize)>,
    ignored: BTreeSet<(usize, usize)>,
}

impl Cubes {
    fn new(random: &mut Random) -> Self {
        let parts = 2 + random.below(6);
        let mut groups =
            || CollisionGroups { memberships: 1 << random.below(3), filter: 1 << random.below(3) };
        let groups = (0..parts).map(|_| groups()).collect();
        let mut pairs = || {
            let pairs = (0..parts).flat_map(|b| (0..b).map(move |a| (a, b)));
            pairs.filter(|_| random.below(4) == 0).collect()
        };
        Cubes { groups, tested: pairs(), ignored: pairs() }
    }

    /// Builds the model; `named`: with the pairs that are tested.
    fn model(&self, named: bool) -> Arc<Model> {
        let mut builder = Model::builder().ignore_neighbours(0);
        for (index, groups) in self.groups.iter().enumerate() {
            builder = builder.part(index.to_string(), None, cube()).groups(*groups);
        }
        for (a, b) in self.tested.iter().filter(|_| named) {
            builder = builder.test(b.to_string(), a.to_string());
        }
        for (a, b) in &self.ignored {
            builder = builder.ignore(a.to_string(), b.to_string());
        }
        builder.build(&Build::fast()).expect("a model")
    }

    /// Returns the pairs that a query of one character finds. `wins`: a named pair that is also
    /// ignored is tested.
    fn expected(&self, wins: bool) -> Vec<(PartId, PartId)> {
        let parts = self.groups.len();
        let is_tested = |&(a, b): &(usize, usize)| {
            let (named, ignored) = (self.tested.contains(&(a, b)), self.ignored.contains(&(a, b)));
            let interact = self.groups[a].interacts_with(self.groups[b]);
            named && wins || !ignored && (named || interact)
        };
        let pairs = (0..parts).flat_map(|a| (a + 1..parts).map(move |b| (a, b)));
        pairs.filter(is_tested).map(|(a, b)| (PartId::new(a), PartId::new(b))).collect()
    }
}

/// Returns the pairs that a model finds in its rest poses, and checks those of a scene.
fn found(model: &Arc<Model>) -> Vec<(PartId, PartId)> {
    let mut scratch = SelfQueryScratch::default();
    let poses = model.bind_poses();
    let found = model.self_pairs(&poses, Accuracy::Exact, &mut scratch).expect("poses").to_vec();
    let distances = model.self_distances(&poses, 1.0, &mut scratch).expect("poses");
    assert_eq!(distances.len(), found.len());
    let mut scene = Scene::new();
    let key = scene.insert(model, Spawn::default()).expect("a character");
    let other = scene.insert(model, Spawn::default()).expect("a character");
    let (mut buffers, mut hits) = (Default::default(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    now.pairs(&PairQuery::within(key).accuracy(Accuracy::Exact), &mut hits).expect("an answer");
    let pairs: Vec<_> = hits.pairs().iter().map(|(a, b)| (a.part, b.part)).collect();
    assert_eq!(pairs, found);
    // Pairs of two characters obey the groups alone.
    now.pairs(&PairQuery::between(key, other), &mut hits).expect("an answer");
    let groups = |part: PartId| model.parts()[part.index()].groups();
    let ids = || model.parts().iter().map(|part| part.id());
    let all = ids().flat_map(|a| ids().map(move |b| (a, b)));
    let expected = all.filter(|&(a, b)| groups(a).interacts_with(groups(b))).count();
    assert_eq!(hits.pairs().len(), expected);
    found
}

#[test]
fn named_pairs_are_tested_whatever_their_groups() {
    let (mut random, mut more) = (Random(1_727), 0);
    for _ in 0..cases(400) {
        let cubes = Cubes::new(&mut random);
        let (plain, named) = (cubes.model(false), cubes.model(true));
        let pairs = found(&named);
        assert_eq!(pairs, cubes.expected(false));
        more += pairs.len() - found(&plain).len();
        // A copy tests pairs that were ignored before, and ignores them again.
        let names: Vec<[String; 2]> =
            cubes.tested.iter().map(|(a, b)| [a.to_string(), b.to_string()]).collect();
        let names: Vec<(&str, &str)> =
            names.iter().map(|[a, b]| (a.as_str(), b.as_str())).collect();
        let copy = plain.with_tested(&names).expect("known names");
        assert_eq!(found(&copy), cubes.expected(true));
        let quiet = copy.with_ignored(&names).expect("known names");
        let is_named = |(a, b): &(PartId, PartId)| cubes.tested.contains(&(a.index(), b.index()));
        assert!(!found(&quiet).iter().any(is_named));
    }
    assert!(more > cases(400) / 4, "{more}");
}

#[test]
fn a_part_with_itself_and_unknown_parts_are_refused() {
    let parts = || Model::builder().part("a", None, cube()).part("b", None, cube());
    let with_itself = parts().test("a", "a").build(&Build::fast());
    assert!(matches!(with_itself, Err(Error::BadQuery { .. })));
    let unknown = parts().test("a", "c").build(&Build::fast());
    assert!(matches!(unknown, Err(Error::UnknownName { .. })));
}
