//! Explicit pairs of geoms (`<pair>`). Expected pairs of the small files are MuJoCo's contacts.

use boxwood::f64::{Buffers, Hits, PairQuery, QueryScratch, Scene, SelfQueryScratch, Spawn};
use boxwood::load::{LinkShapes, Loader, Robot, Warning};
use boxwood::robot::EdgeChecker;
use boxwood::{Accuracy, PartId};

use super::probe::{load, load_files, load_files_with};

use support::prelude::*;

/// A cube of a free body at the origin.
fn body(name: &str, geoms: &str) -> String {
    format!("<body name='{name}'><freejoint/>{geoms}</body>")
}

fn geom(name: &str, masks: &str) -> String {
    format!("<geom name='{name}' type='box' size='1 1 1' {masks}/>")
}

fn contacts(pairs: &[(&str, &str)]) -> String {
    let pairs = pairs.iter().map(|(a, b)| format!("<pair geom1='{a}' geom2='{b}'/>"));
    format!("<contact>{}</contact>", pairs.collect::<String>())
}

/// Returns the warnings, without those of free joints.
fn warnings(robot: &Robot<f64>) -> Vec<Warning> {
    let is_of_joint = |warning: &&Warning| matches!(warning, Warning::FixedJoint { .. });
    robot.warnings.iter().filter(|warning| !is_of_joint(warning)).cloned().collect()
}

/// Masks of a shape that touches objects, but none of its own kind.
const HAND: &str = "contype='1' conaffinity='0'";
const NONE: &str = "contype='0' conaffinity='0'";

/// Returns the names of the parts that touch in their rest poses: by a query of the model, by one
/// of a scene, and by the list of tested pairs, which must agree.
fn touching(robot: &Robot<f64>) -> Vec<String> {
    let (model, mut scratch) = (&robot.model, SelfQueryScratch::default());
    let poses = model.bind_poses();
    let pairs = model.self_pairs(&poses, Accuracy::Exact, &mut scratch).expect("poses").to_vec();
    let mut scene = Scene::new();
    let key = scene.insert(model, Spawn::default()).expect("a character");
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let query = PairQuery::within(key).accuracy(Accuracy::Exact);
    let now = scene.snapshot(&mut buffers);
    now.pairs(&query, &mut hits).expect("an answer");
    let found: Vec<_> = hits.pairs().iter().map(|pair| (pair.0.part, pair.1.part)).collect();
    assert_eq!(found, pairs);
    let mut other = QueryScratch::new();
    assert_eq!(now.intersects(&query, &mut other), Ok(!pairs.is_empty()));
    assert!(pairs.iter().all(|&(a, b)| model.tests(a, b) && model.tests(b, a)));
    let name = |part: PartId| model.parts()[part.index()].name();
    pairs.iter().map(|&(a, b)| format!("{} {}", name(a), name(b))).collect()
}

#[test]
fn pairs_are_tested_whatever_masks_exclusions_and_neighbours() {
    // A geom without masks is read if a pair names it.
    let hand =
        [body("a", &geom("ga", HAND)), body("b", &geom("gb", HAND)), body("c", &geom("gc", NONE))];
    let robot = load(&contacts(&[("gb", "ga"), ("ga", "gc")]), &hand.concat()).expect("a robot");
    assert_eq!((touching(&robot), warnings(&robot)), (vec!["a b".into(), "a c".into()], vec![]));

    let bodies: String = ["a", "b", "c"].map(|name| body(name, &geom(name, ""))).concat();
    let before = "<contact><exclude body1='a' body2='b'/><exclude body1='c' body2='b'/>\
        <pair geom1='b' geom2='a'/></contact>";
    assert_eq!(touching(&load(before, &bodies).expect("a robot")), ["a b", "a c"]);

    // Pairs of a body and its parent, but not of shapes of one body.
    let chain = "<body name='a'><freejoint/><geom name='a' size='1'/><geom name='x' size='1'/><body name='b'><joint/>\
        <geom name='b' size='1'/><body name='c'><joint/><geom size='1'/></body></body></body>";
    let robot = load(&contacts(&[("b", "a"), ("a", "x")]), chain).expect("a robot");
    assert_eq!(touching(&robot), ["a b", "a c"]);
    let of_one_body = Warning::RigidPair { a: "a".into(), b: "x".into() };
    let wide = Warning::WidePair { a: "a".into(), b: "b".into() };
    assert_eq!(warnings(&robot), [of_one_body, wide]);
}

#[test]
fn pairs_with_the_world_count_and_those_with_a_plane_are_left_out_with_it() {
    let floor = format!(
        "<geom name='w' size='1' {NONE}/><geom name='floor' type='plane' size='1 1 1' {NONE}/>"
    );
    let bodies = [body("a", &geom("ga", HAND)), body("b", &geom("gb", HAND))].concat();
    let robot = load(&contacts(&[("w", "ga"), ("floor", "gb")]), &format!("{floor}{bodies}"));
    let robot = robot.expect("a robot");
    assert_eq!(touching(&robot), ["world a"]);
    assert_eq!(warnings(&robot), [Warning::Endless { shape: "floor".into() }]);
}

#[test]
fn copies_and_attached_models_have_their_own_pairs() {
    let copies = "<replicate count='2' offset='.1 0 0'><body name='a'><freejoint/>\
        <geom name='ga' size='1' conaffinity='0'/></body><body name='b'><freejoint/>\
        <geom name='gb' size='1' conaffinity='0'/></body></replicate>";
    let robot = load(&contacts(&[("ga", "gb")]), copies).expect("a robot");
    assert_eq!(touching(&robot), ["a0 b0", "a1 b1"]);

    let kid = "<mujoco model='kid'><worldbody><body name='k'><geom name='g' size='1' contype='0' conaffinity='0'/>\
        <body name='l' pos='.1 0 0'><joint/><geom name='h' size='1' contype='0' conaffinity='0'/></body>\
        </body></worldbody><contact><pair geom1='g' geom2='h'/></contact></mujoco>";
    let main = "<mujoco><asset><model name='kid' file='kid.xml'/></asset><worldbody><geom name='w' size='1' \
        contype='0' conaffinity='0'/><body name='p'><joint/><attach model='kid' body='k' prefix='p-'/></body>\
        <body name='q'><joint/><attach model='kid' body='k' prefix='q-'/></body></worldbody>\
        <contact><pair geom1='w' geom2='p-h'/></contact></mujoco>";
    let robot = load_files(&[("main.xml", main), ("kid.xml", kid)]).expect("a robot");
    assert_eq!(touching(&robot), ["world p-l", "p-k p-l", "q-k q-l"]);
}

#[test]
fn pairs_of_geoms_that_do_not_exist_are_warned_of_and_incomplete_ones_refused() {
    let bodies = [body("a", &geom("ga", "")), body("b", &geom("gb", HAND))].concat();
    let robot = load(&contacts(&[("ga", "nobody")]), &bodies).expect("a robot");
    assert_eq!(warnings(&robot), [Warning::StrayPair { a: "ga".into(), b: "nobody".into() }]);
    let said = warnings(&robot)[0].to_string();
    assert_eq!(said, "pair 'ga', 'nobody': the robot does not have both");
    let error = load("<contact><pair geom1='ga'/></contact>", &bodies).expect_err("one geom");
    assert!(error.contains("line 1: <pair>: 'geom2' is missing"), "{error}");
}

#[test]
fn other_shapes_and_files_without_masks_have_pairs_too() {
    let file = |before: &str, bodies: &[String]| {
        format!("<mujoco>{before}<worldbody>{}</worldbody></mujoco>", bodies.concat())
    };
    // Visual shapes stand for the geoms of a pair: without a pair they have all groups.
    let bodies = ["a", "b"].map(|name| {
        let of = format!("{}<geom size='1' {NONE}/>", geom(name, HAND));
        body(name, &of)
    });
    let text = file(&contacts(&[("a", "b")]), &bodies);
    for shapes in [LinkShapes::Collision, LinkShapes::Visual, LinkShapes::CollisionOrVisual] {
        let loader = Loader::new().link_shapes(shapes);
        let robot = load_files_with(&loader, &[("main.xml", &text)]).expect("a robot");
        assert_eq!(touching(&robot), ["a b"], "{shapes:?}");
    }
    // Without groups all bodies are tested, and geoms without masks are not read.
    let hand =
        [body("a", &geom("ga", HAND)), body("b", &geom("gb", HAND)), body("c", &geom("gc", NONE))];
    let text = file(&contacts(&[("gc", "ga")]), &hand);
    let robot = load_files_with(&Loader::new().groups(false), &[("main.xml", &text)]);
    let robot = robot.expect("a robot");
    assert_eq!(touching(&robot), ["a b"]);
    let unread = Warning::Unread { element: "pair".into(), name: "gc, ga".into() };
    assert_eq!(warnings(&robot), [unread]);
}

/// A random hand: fingers of two links that swing about an axis, masks that leave most pairs out,
/// and the pairs of its geoms, by body.
fn hand(random: &mut Random) -> (String, Vec<[String; 2]>) {
    let fingers = 2 + random.below(3);
    let names: Vec<String> = (0..2 * fingers).map(|link| format!("f{link}")).collect();
    let mut world = String::new();
    for finger in 0..fingers {
        let [far, near] = [&names[2 * finger + 1], &names[2 * finger]];
        let mut masks = || if random.below(3) == 0 { NONE } else { HAND };
        let capsule = |name: &str, masks: &str| {
            format!(
                "<joint axis='0 1 0' range='-90 90'/><geom name='g{name}' type='capsule' size='.1 .4' pos='0 0 .4' {masks}/>"
            )
        };
        let [one, other] = [capsule(near, masks()), capsule(far, masks())];
        let x = 0.35 * finger as f64;
        world += &format!(
            "<body name='{near}' pos='{x} 0 0'>{one}<body name='{far}' pos='0 0 .9'>{other}</body></body>"
        );
    }
    let mut pairs = Vec::new();
    for b in 1..names.len() {
        for a in (0..b).filter(|_| random.below(8) == 0) {
            pairs.push([names[a].clone(), names[b].clone()]);
        }
    }
    let listed = pairs.iter().map(|[a, b]| format!("<pair geom1='g{b}' geom2='g{a}'/>"));
    let contact = format!("<contact>{}</contact>", listed.collect::<String>());
    (format!("<mujoco>{contact}<worldbody>{world}</worldbody></mujoco>"), pairs)
}

#[test]
fn batches_edges_and_bytes_know_the_pairs_of_hands() {
    let mut random = Random(172);
    let (mut free, mut scratch) = ([0; 2], SelfQueryScratch::default());
    let held = load("", &body("held", "<geom size='.1'/>")).expect("a body").model;
    for _ in 0..cases(60) {
        let (text, pairs) = hand(&mut random);
        let robot = load_files(&[("main.xml", &text)]).expect("a robot");
        // The masks of a hand have no common bits: its pairs alone are tested.
        let model = &robot.model;
        let parts: Vec<&str> = model.parts().iter().map(|part| part.name()).collect();
        let ids = || (0..parts.len()).map(PartId::new);
        for (a, b) in ids().flat_map(|a| ids().map(move |b| (a, b))) {
            let is = |pair: &[String; 2]| *pair == [parts[a.index()], parts[b.index()]];
            let expected = pairs.iter().any(is);
            let have_geometry = [a, b].iter().all(|id| model.parts()[id.index()].tree().is_some());
            if a < b && have_geometry {
                assert_eq!(model.tests(a, b), expected, "{a:?} {b:?} in {text}");
            }
        }
        let bytes = robot.bake().expect("bytes");
        let again: Robot<f64> = Loader::new().baked_robot_bytes(&bytes).expect("a robot");
        assert_eq!(again.model.fingerprint(), model.fingerprint());
        let scaled = model.scaled(2.0).expect("a model");
        for model in [&again.model, &scaled] {
            assert!(ids().all(|a| ids().all(|b| model.tests(a, b) == robot.model.tests(a, b))));
        }

        // An object held by a finger changes no pair of the others.
        let here = nalgebra::Isometry3::identity();
        let held = robot.with_attached("held", &held, "f0", &here, &[]).expect("a robot");
        let own = || ids().flat_map(|a| ids().map(move |b| (a, b)));
        assert!(own().all(|(a, b)| held.model.tests(a, b) == model.tests(a, b)));

        let batch = boxwood::f64::CollisionBatch::new(&robot.mechanism, model, Accuracy::Exact);
        let (batch, mut row, mut rows, mut expected) =
            (batch.expect("a batch"), vec![], vec![], vec![]);
        let mut poses = Vec::new();
        for _ in 0..40 {
            robot.mechanism.sample_values(|| random.between(0.0, 1.0), &mut row);
            robot.mechanism.poses(&row, &mut poses).expect("poses");
            expected
                .push(model.self_intersects(&poses, Accuracy::Exact, &mut scratch).expect("poses"));
            rows.extend_from_slice(&row);
        }
        let mut verdicts = vec![false; expected.len()];
        batch.check(&rows, &mut verdicts, &mut Default::default()).expect("rows");
        assert_eq!(verdicts, expected);
        expected.iter().for_each(|&touches| free[usize::from(touches)] += 1);
        let checker = EdgeChecker::new(&robot.mechanism, model).expect("a checker");
        for (row, touches) in rows.chunks(row.len()).zip(expected) {
            let mut work = boxwood::robot::EdgeScratch::default();
            let edge = checker.check(row, row, &mut work).expect("values");
            assert_eq!(edge.is_free(), !touches);
        }
    }
    assert!(free.iter().all(|&rows| rows > cases(60) * 4), "{free:?}");
}
