//! Margins in scenes and of models: every two parts alone, in every form of the query, with few and
//! many parts, in both precisions; and a robot against the distances of its links.

use std::collections::BTreeSet;
use std::sync::Arc;

use boxwood::load::{Loader, Robot};
use boxwood::model::{Model, SelfQueryScratch};
use boxwood::scene::{Buffers, CharacterKey, Hits, Scene, Spawn};
use boxwood::shape::Pose;
use boxwood::tree::{Accuracy, Build, Geometry, TreePair, TreeScratch};
use boxwood::{Detail, Error, PairQuery, PartId, SelfQuery, SimdLevel};

use support::closed_meshes::{self, cube, sphere};
use support::prelude::*;

const DIAL: [Accuracy; 6] = [
    Accuracy::Depth(0),
    Accuracy::Depth(3),
    Accuracy::Depth(u8::MAX),
    Accuracy::Within(0.05),
    Accuracy::Exact,
    Accuracy::Budget(u32::MAX),
];

type Pair = [(usize, usize); 2];

/// Builds parts of every kind, or many single boxes.
fn model<T: Scalar>(random: &mut Random, parts: usize) -> Arc<Model<T>> {
    let mut builder = Model::builder().ignore_neighbours(0);
    for i in 0..parts {
        let geometry = match (parts > 20, i % 5) {
            (true, _) => closed_meshes::solid(cube([0.2, 0.1, 0.05])),
            (_, 0) => Geometry::None,
            (_, 1) => closed_meshes::solid(sphere(0.5, 6)),
            (_, kind) => random_part(random, kind),
        };
        builder = builder.part(i.to_string(), None, geometry);
    }
    builder.build(&Build::fast()).expect("a model")
}

fn stance<T: Scalar>(model: &Model<T>, random: &mut Random, far: f64) -> Vec<Pose<T>> {
    let at = |random: &mut Random| times(random.direction(), far * random.share());
    (0..model.len())
        .map(|_| {
            let at = at(random);
            turned(random, at)
        })
        .collect()
}

/// Model with the poses of its parts.
type Standing<T> = (Arc<Model<T>>, Vec<Pose<T>>);

struct Moment<T: Scalar> {
    scene: Scene<T>,
    keys: Vec<CharacterKey>,
    stances: Vec<Standing<T>>,
}

impl<T: Scalar> Moment<T> {
    fn new(stances: Vec<Standing<T>>) -> Self {
        let mut scene = Scene::new();
        let keys = stances.iter().map(|(model, poses)| insert_posed(&mut scene, model, poses));
        let keys = keys.collect();
        Moment { scene, keys, stances }
    }

    /// Returns every two parts within the margin by the test of two; of one character the pairs
    /// that are tested, with its margins.
    fn alone(&self, [a, b]: [usize; 2], (margin, accuracy): (f64, Accuracy)) -> BTreeSet<Pair> {
        let (mut found, mut scratch) = (BTreeSet::new(), TreeScratch::default());
        let [(model, poses), (other, places)] = [&self.stances[a], &self.stances[b]];
        for (i, p) in model.parts().iter().enumerate() {
            for (j, q) in other.parts().iter().enumerate() {
                let tested = a != b || i < j && !model.ignores(p.id(), q.id());
                let (true, Some(x), Some(y)) = (tested, p.tree(), q.tree()) else { continue };
                let own = if a == b { model.margin(p.id(), q.id()) } else { 0.0 };
                let trees = TreePair::new(x, &poses[i], y, &places[j]).expect("poses");
                let trees = trees.margin(margin.max(own)).expect("a margin");
                if trees.intersects(accuracy, &mut scratch).expect("a question") {
                    found.insert([(a, i), (b, j)]);
                }
            }
        }
        found
    }

    fn asked(&self, query: &PairQuery<'_>, simd: SimdLevel) -> BTreeSet<Pair> {
        let (mut buffers, mut hits) = (Buffers::with_simd_level(simd), Hits::new());
        let now = self.scene.snapshot(&mut buffers);
        let report = now.pairs(query, &mut hits).expect("a question");
        let any = now.intersects(query, &mut boxwood::scene::QueryScratch::new());
        assert_eq!(any.expect("a question"), !hits.pairs().is_empty());
        assert!(report.met);
        let place = |key| self.keys.iter().position(|&other| other == key).expect("one of them");
        let pairs = hits.pairs().iter();
        pairs.map(|(a, b)| [a, b].map(|n| (place(n.character), n.part.index()))).collect()
    }

    /// Checks every form of the query. World boxes may separate parts that tree boxes do not
    /// separate, if those are further apart than the margin.
    fn check(&self, margin: f64, random: &mut Random) -> usize {
        let simd_levels = SimdLevel::all();
        let mut total = 0;
        for accuracy in DIAL {
            let simd = simd_levels[random.below(simd_levels.len())];
            let ask =
                |query: PairQuery<'_>| self.asked(&query.accuracy(accuracy).margin(margin), simd);
            let mut all = BTreeSet::new();
            for a in 0..self.keys.len() {
                let within = ask(PairQuery::within(self.keys[a]));
                self.same(&within, &self.alone([a, a], (margin, accuracy)), accuracy);
                for b in a + 1..self.keys.len() {
                    let found = ask(PairQuery::between(self.keys[a], self.keys[b]));
                    let back = ask(PairQuery::between(self.keys[b], self.keys[a]));
                    let back: BTreeSet<Pair> = back.into_iter().map(|[p, q]| [q, p]).collect();
                    assert_eq!(found, back);
                    self.same(&found, &self.alone([a, b], (margin, accuracy)), accuracy);
                    all.extend(found);
                }
            }
            assert_eq!(ask(PairQuery::all()), all, "{accuracy:?}");
            let mut of_all = BTreeSet::new();
            for &key in &self.keys {
                for [p, q] in ask(PairQuery::of(key)) {
                    of_all.insert(if p < q { [p, q] } else { [q, p] });
                }
            }
            assert_eq!(of_all, all);
            total += all.len();
        }
        total
    }

    fn same(&self, found: &BTreeSet<Pair>, alone: &BTreeSet<Pair>, accuracy: Accuracy) {
        assert!(found.is_subset(alone), "{accuracy:?}");
        let exactly = matches!(accuracy, Accuracy::Exact | Accuracy::Budget(_));
        assert!(!exactly || found == alone, "{accuracy:?}: {found:?} {alone:?}");
    }
}

fn crowds<T: Scalar>(seed: u64) {
    let (mut random, mut found) = (Random(seed), 0);
    for round in 0..support::proof::at_least(24, 6) {
        let parts = if round % 3 == 2 { [70, 3, 70] } else { [6, 11, 4] };
        let stances = parts.map(|parts| {
            let model = model::<T>(&mut random, parts);
            let poses = stance(&model, &mut random, 6.0);
            (model, poses)
        });
        let mut stances = stances.to_vec();
        let margin = [0.0, 0.02, 0.3, 1.5][round % 4];
        if round % 2 == 1 {
            for (model, _) in &mut stances[..2] {
                *model = model.with_margins(0.2, &[("1", "2", 2.0)]).expect("margins");
            }
        }
        found += Moment::new(stances).check(margin, &mut random);
    }
    println!("{found} pairs");
    assert!(found > 200);
}

/// Finds who is near for the margin of each query, after any other one, also of characters at rest.
#[test]
fn a_snapshot_keeps_no_margin() {
    let unit = closed_meshes::solid::<f32>(cube([0.5; 3]));
    let model = model_of(vec![unit]);
    let mut scene = Scene::new();
    for i in 0..40 {
        let at = nalgebra::Isometry3::translation(3.0 * i as f32, 0.0, 0.0);
        scene.insert(&model, Spawn::at(at)).expect("a character");
    }
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    for (margin, pairs) in [(0.0, 0), (2.0, 39), (5.0, 77), (4.9, 39), (1e30, 780), (0.0, 0)] {
        let query =
            PairQuery::all().margin(margin).detail(Detail::DeepestBoxes).accuracy(Accuracy::Exact);
        let report = now.pairs(&query, &mut hits).expect("a question");
        assert_eq!(hits.pairs().len(), pairs, "{margin}");
        assert!(pairs == 0 || margin > 1e6 || report.slack < 1e-6, "{}", report.slack);
    }
}

#[test]
fn invalid_margins_are_refused_by_scenes() {
    let model = Model::<f32>::builder().part("a", None, Geometry::None);
    let model = model.part("b", None, Geometry::None);
    let margin = |index| Error::NotFinite { field: "margin", index };
    let build = |builder: boxwood::model::ModelBuilder<f32>| builder.build(&Build::default());
    assert_eq!(build(model.clone().margin(f64::NAN)).unwrap_err(), margin(0));
    let two = model.clone().margin_between("a", "b", 0.1);
    let wrong = two.clone().margin_between("b", "a", f64::INFINITY);
    assert_eq!(build(wrong).unwrap_err(), margin(2));
    let unknown = build(two.clone().margin_between("a", "c", 0.1)).unwrap_err();
    assert_eq!(unknown.to_string(), "no part is called 'c', only 'a', 'b'");
    let negative = build(model.clone().margin(-0.1)).unwrap_err();
    assert_eq!(negative, Error::Negative { field: "margin", index: 0 });
    let (plain, two) = (build(model).expect("a model"), build(two).expect("a model"));
    assert_ne!(plain.fingerprint(), two.fingerprint());
    let back = two.with_margins(0.0, &[("a", "b", 0.0)]).expect("margins");
    assert_eq!((&back, back.fingerprint()), (&plain, plain.fingerprint()));
    assert_eq!(two.margin(PartId::new(1), PartId::new(0)), 0.1);
    assert_eq!(two.margin(PartId::new(1), PartId::new(7)), 0.0);

    let mut scratch = SelfQueryScratch::default();
    let mut ask = |margin| {
        let query = SelfQuery::new(Accuracy::Exact).margin(margin);
        plain.self_intersects(&plain.bind_poses(), query, &mut scratch)
    };
    assert_eq!(ask(f64::NAN), Err(margin(0)));
    assert_eq!(ask(-1.0), Err(Error::Negative { field: "margin", index: 0 }));
    assert_eq!(ask(1.0), Ok(false));
    let (mut scene, mut buffers, mut hits) = (Scene::new(), Buffers::new(), Hits::new());
    scene.insert(&plain, Spawn::default()).expect("a character");
    let now = scene.snapshot(&mut buffers);
    let far = PairQuery::all().margin(f64::INFINITY);
    assert_eq!(now.pairs(&far, &mut hits), Err(margin(0)));
    let near = PairQuery::all().margin(0.1).detail(Detail::DeepestBoxes);
    assert!(matches!(now.contacts(&near, &mut hits), Err(Error::BadQuery { .. })));
    assert!(now.contacts(&near.margin(0.0), &mut hits).is_ok());
}

/// Checks links of a robot in random configurations: those within the margin by the distances of
/// their trees, and no others, except within rounding.
fn of_robot<T: Scalar>(rounds: usize) {
    let Some(data) = support::data::data() else { return };
    let loader = Loader::new().ignore_neighbours(2);
    let robot: Robot<T> = loader.urdf(data.join("robots/panda/urdf/panda.urdf")).expect("a robot");
    let own = [("panda_link2", "panda_hand", 0.2), ("panda_link0", "panda_link5", 0.0)];
    let careful = robot.model.with_margins(0.05, &own).expect("margins");
    let (mut random, mut poses) = (Random(19), Vec::new());
    let (mut scratch, mut tree) = (SelfQueryScratch::default(), TreeScratch::default());
    let (mut within, mut beyond) = (0, 0);
    for _ in 0..support::proof::at_least(rounds, rounds / 8) {
        let actuators = robot.mechanism.actuators().iter();
        let limits = actuators.map(|actuator| actuator.limits.unwrap_or([-3.0, 3.0]));
        let values: Vec<T> =
            limits.map(|[low, high]| T::nearest(random.between(low, high))).collect();
        robot.mechanism.poses_unlimited(&values, &mut poses).expect("finite");
        let margin = random.decade(-3.0, -0.3);
        for model in [&robot.model, &careful] {
            let query = SelfQuery::new(Accuracy::Exact).margin(margin);
            let found: BTreeSet<(PartId, PartId)> = model
                .self_pairs(&poses, query, &mut scratch)
                .expect("poses")
                .iter()
                .copied()
                .collect();
            // The fingers have boxes.
            assert!(scratch.report().slack.wide() < 1e-10 + 256.0 * T::ROUNDING);
            for (a, b) in (0..model.len()).flat_map(|a| (0..a).map(move |b| (b, a))) {
                let (a, b) = (PartId::new(a), PartId::new(b));
                let trees = [a, b].map(|part| model.parts()[part.index()].tree());
                let (false, [Some(x), Some(y)]) = (model.ignores(a, b), trees) else { continue };
                let trees = TreePair::new(x, &poses[a.index()], y, &poses[b.index()]);
                let trees = trees.expect("poses");
                let far = trees.distance(Accuracy::Exact, f64::INFINITY, &mut tree);
                let far = far.expect("a question").expect("no cut-off").distance.wide();
                let margin = margin.max(model.margin(a, b));
                let doubt = 1e-11 + 64.0 * T::ROUNDING * (1.0 + far);
                match found.contains(&(a, b)) {
                    true => assert!(far <= margin + doubt, "{far} {margin}"),
                    false => assert!(far > margin - doubt, "{far} {margin}"),
                }
                within += usize::from(found.contains(&(a, b)));
                beyond += usize::from(!found.contains(&(a, b)));
            }
        }
    }
    println!("{within} within, {beyond} beyond");
    assert!(within > rounds / 8 && beyond > rounds / 8);
}

scalars! {
    every_query_finds_what_two_parts_by_themselves_are => crowds(61; 62);
    links_of_a_robot_are_as_far_apart_as_their_distance => of_robot(400; 200);
}
