//! Bodies attached to a link of a robot, against the robot and the body as two characters of a
//! scene, each placed by itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use boxwood::f64::{
    Buffers, CollisionBatch, CollisionBatchScratch, Hits, Model, Obb, Pose, QueryScratch, Scene,
    SelfQueryScratch, Spawn,
};
use boxwood::load::{Loader, Robot};
use boxwood::robot::{Edge, EdgeChecker, EdgeScratch};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, CollisionGroups, Detail, Error, PairQuery, PartId};

use support::data::data;
use support::prelude::*;
use support::random_robots::{random_robot, rows};

/// Draws a body of up to three parts.
fn random_body(random: &mut Random) -> Arc<Model> {
    let mut parts = Model::builder();
    for part in 0..1 + random.below(3) {
        let kind = random.below(5);
        let geometry = if random.chance(0.1) { Geometry::None } else { random_part(random, kind) };
        let at = random.direction().map(|x| 0.4 * x);
        parts = parts.part(part.to_string(), None, geometry).bind(turned(random, at));
        if random.chance(0.2) {
            parts = parts.groups(CollisionGroups { memberships: random.bits(), filter: u64::MAX });
        }
    }
    parts.build(&Build::fast()).expect("a body")
}

/// Finds the pairs that touch, with the parts of the body behind those of the robot: the robot's
/// own by itself, those of the body in a scene, in which the body is placed by the link's pose.
fn expected_pairs(
    robot: &Robot<f64>,
    (body, link, pose): (&Arc<Model>, usize, &Pose),
    (poses, untested): (&[Pose], &[usize]),
) -> BTreeSet<(usize, usize)> {
    let mut scratch = SelfQueryScratch::default();
    let own = robot.model.self_pairs(poses, Accuracy::Exact, &mut scratch).expect("poses");
    let mut all: BTreeSet<_> = own.iter().map(|(a, b)| (a.index(), b.index())).collect();
    let mut scene = Scene::new();
    let arm = insert_posed(&mut scene, &robot.model, poses);
    let held = scene.insert(body, Spawn::at(poses[link] * pose)).expect("a place");
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let query = PairQuery::between(arm, held).detail(Detail::DeepestBoxes);
    let now = scene.snapshot(&mut buffers);
    now.pairs(&query.accuracy(Accuracy::Exact), &mut hits).expect("asked");
    for (a, b) in hits.pairs() {
        if !untested.contains(&a.part.index()) {
            all.insert((a.part.index(), robot.model.len() + b.part.index()));
        }
    }
    all
}

#[test]
fn touching_pairs_are_those_of_robot_and_body_apart() {
    let (mut random, mut touching, mut clear) = (Random(5921), 0, 0);
    for round in 0..60 {
        let (robot, body) =
            (random_robot::<f64>(&mut random, 2 + round % 9), random_body(&mut random));
        let (links, own) = (robot.mechanism.links(), robot.model.len());
        let at = random.direction().map(|x| 0.8 * x);
        let (link, pose) = (random.below(own), turned(&mut random, at));
        let touched: Vec<usize> = (0..random.below(3)).map(|_| random.below(own)).collect();
        let names: Vec<&str> = touched.iter().map(|&link| links[link].name.as_str()).collect();
        let holding = robot.with_attached("cup", &body, &links[link].name, &pose, &names);
        let holding = holding.expect("a robot with a cup");
        let untested = [&touched[..], &[link]].concat();
        let count = 12;
        let values = rows(&robot.mechanism, &mut random, count);
        let (mut poses, mut all) = (Vec::new(), Vec::new());
        let mut scratch = SelfQueryScratch::default();
        let mut verdicts = Vec::new();
        for row in values.chunks_exact(robot.mechanism.actuators().len()) {
            robot.mechanism.poses(row, &mut poses).expect("values within limits");
            holding.mechanism.poses(row, &mut all).expect("values within limits");
            assert_eq!(all[..own], poses[..], "the robot's own links move as before");
            let held = expected_pairs(&robot, (&body, link, &pose), (&poses, &untested));
            let found = holding.model.self_pairs(&all, Accuracy::Exact, &mut scratch);
            let found = found.expect("poses").iter().map(|(a, b)| (a.index(), b.index()));
            assert_eq!(found.collect::<BTreeSet<_>>(), held, "round {round}");
            touching += held.iter().filter(|(_, b)| *b >= own).count();
            clear += usize::from(held.iter().all(|(_, b)| *b < own));
            verdicts.push(!held.is_empty());
        }
        let batch = CollisionBatch::new(&holding.mechanism, &holding.model, Accuracy::Exact);
        let (mut found, mut scratch) = (vec![false; count], CollisionBatchScratch::default());
        batch.expect("a robot").check(&values, &mut found, &mut scratch).expect("values");
        assert_eq!(found, verdicts);
    }
    assert!(touching > 200 && clear > 100, "{touching} pairs, {clear} rows");
}

/// Loads a lift with an arm that turns about the vertical axis above it.
fn lift() -> Robot<f64> {
    let text = r#"<robot name="r">
        <link name="base"><collision><geometry><box size="2 2 1"/></geometry></collision></link>
        <link name="arm"/>
        <link name="hand"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
        <link name="finger"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
        <joint name="lift" type="prismatic"><parent link="base"/><child link="arm"/>
            <axis xyz="0 0 1"/><limit lower="0" upper="4" effort="1" velocity="1"/></joint>
        <joint name="turn" type="continuous"><parent link="arm"/><child link="hand"/>
            <axis xyz="0 1 0"/></joint>
        <joint name="grip" type="fixed"><parent link="hand"/><child link="finger"/>
            <origin xyz="0 0 -0.3"/></joint></robot>"#;
    Loader::new().urdf_bytes(text.as_bytes()).expect("a robot")
}

/// Builds a bar of length 2 along z.
fn bar() -> Arc<Model> {
    let bar = Obb::from_pose(&Isometry3::identity(), Vector3::new(0.05, 0.05, 1.0)).expect("a box");
    let parts = Model::builder().part("bar", None, Geometry::Boxes(vec![bar]));
    parts.build(&Build::default()).expect("a bar")
}

#[test]
fn edges_of_a_held_body_are_proved() {
    let (robot, bar) = (lift(), bar());
    let holding = robot.with_attached("bar", &bar, "hand", &Pose::identity(), &["finger"]);
    let holding = holding.expect("a robot with a bar");
    // From level to level over the upright bar, which reaches 1 below the hand: the base ends at 0.5.
    let (from, quarter) = ([1.2, -1.5], 1.5);
    let mut scratch = EdgeScratch::default();
    let mut check = |robot: &Robot<f64>, from: [f64; 2], to: [f64; 2]| {
        let checker = EdgeChecker::new(&robot.mechanism, &robot.model).expect("a robot");
        match checker.first(&from, &to, &mut scratch).expect("values") {
            Edge::Free { .. } => None,
            Edge::Collides { values, a, .. } => Some((values[1], a)),
            edge => panic!("{edge:?}"),
        }
    };
    assert_eq!(check(&robot, from, [1.2, quarter]), None);
    let (angle, part) = check(&holding, from, [1.2, quarter]).expect("the bar turns into the base");
    // The corner of the bar is 0.7 below the hand.
    let lowest = |angle: f64| angle.cos() + 0.05 * angle.sin().abs();
    assert!((lowest(angle) - 0.7).abs() < 1e-3, "{angle}");
    assert_eq!(part, holding.model.part("base").expect("a link"));
    assert_eq!(check(&holding, [1.6, -1.5], [1.6, quarter]), None);
}

#[test]
fn margins_are_those_of_the_holder() {
    let (robot, bar) = (lift(), bar());
    let margins = robot.model.with_margins(0.01, &[("hand", "base", 0.3)]).expect("margins");
    let careful = Robot::new(margins, Arc::clone(&robot.mechanism));
    let above = Pose::translation(0.0, 0.0, 1.5);
    let holding = careful.with_attached("bar", &bar, "hand", &above, &[]).expect("a bar");
    let model = &holding.model;
    let part = |name| model.part(name).expect("a part");
    assert_eq!(model.margin(part("bar"), part("base")), 0.3);
    assert_eq!(model.margin(part("base"), part("bar")), 0.3);
    assert_eq!(model.margin(part("finger"), part("bar")), 0.01);
    assert_eq!(model.margin(part("hand"), part("base")), 0.3);
    let of_robot = robot.with_attached("bar", &bar, "hand", &above, &[]).expect("a bar").model;
    assert_eq!(of_robot.margin(part("bar"), part("base")), 0.0);
}

#[test]
fn rules_and_names_of_the_new_links() {
    let (robot, bar) = (lift(), bar());
    let ends = [-1.0, 1.0].map(|x| Isometry3::translation(x, 0.0, 0.0));
    let ball = |at: Isometry3<f64>| {
        let solid = Obb::from_pose(&at, Vector3::repeat(0.2)).expect("a box");
        Geometry::Boxes(vec![solid])
    };
    let [left, right] = ends.map(ball);
    let two = Model::builder().part("left", None, left).part("right", Some("left"), right);
    let two = two.ignore_neighbours(0).build(&Build::default()).expect("a body");
    let pose = Pose::translation(0.0, 0.0, 2.0);
    let holding = robot.with_attached("bell", &two, "hand", &pose, &["finger"]).expect("a bell");
    let names: Vec<&str> = holding.model.parts().iter().map(|part| part.name()).collect();
    assert_eq!(names, ["base", "arm", "hand", "finger", "bell/left", "bell/right"]);
    let links: Vec<&str> = holding.mechanism.links().iter().map(|own| own.name.as_str()).collect();
    assert_eq!(links, names);
    let part = PartId::new;
    for (a, b, ignored) in
        [(4, 5, true), (2, 4, true), (3, 5, true), (0, 4, false), (0, 5, false), (2, 3, true)]
    {
        assert_eq!(holding.model.ignores(part(a), part(b)), ignored, "{a} and {b}");
    }
    assert_eq!(holding.model.parts()[5].parent(), Some(part(2)));
    // Twice, and in a hand that is full.
    let both = holding.with_attached("bar", &bar, "bell/left", &pose, &[]).expect("a bar");
    assert!(both.model.ignores(part(6), part(4)) && !both.model.ignores(part(6), part(5)));
    assert_ne!(both.model.fingerprint(), holding.model.fingerprint());
    let again = Loader::<f64>::new().baked_robot_bytes(&both.bake().expect("bytes"));
    let again = again.expect("a robot");
    assert_eq!((&again.model, &again.mechanism), (&both.model, &both.mechanism));
}

#[test]
fn refusals_name_the_link_or_the_field() {
    let (robot, bar, here) = (lift(), bar(), Pose::identity());
    let error = |name: &str, link: &str, pose: &Pose, touched: &[&str]| {
        robot.with_attached(name, &bar, link, pose, touched).expect_err("refused")
    };
    let unknown = |error: Error, expected: &str| {
        assert!(matches!(error, Error::UnknownName { kind: "part", name, .. } if name == expected));
    };
    unknown(error("bar", "foot", &here, &[]), "foot");
    unknown(error("bar", "hand", &here, &["finger", "thumb"]), "thumb");
    let twice = Error::DuplicateName { kind: "part", name: "arm".into() };
    assert_eq!(error("arm", "hand", &here, &[]), twice);
    let far = Pose::translation(f64::NAN, 0.0, 0.0);
    assert!(matches!(error("bar", "hand", &far, &[]), Error::NotFinite { field: "pose", .. }));
    let mut long = here;
    long.rotation.as_mut_unchecked().coords *= 2.0;
    assert!(matches!(error("bar", "hand", &long, &[]), Error::NotUnit { field: "pose", .. }));
}

#[test]
fn a_panda_holds_a_bar() {
    let Some(folder) = data().map(|data| data.join("robots/panda")) else { return };
    let loader = Loader::<f64>::new().build(Build::robots()).srdf(folder.join("srdf/panda.srdf"));
    let robot = loader.urdf(folder.join("urdf/panda.urdf")).expect("a Panda");
    let fingers = ["panda_leftfinger", "panda_rightfinger"];
    let at = Pose::translation(0.0, 0.0, 1.2); // from 0.2 before the hand on
    let holding = robot.with_attached("bar", &bar(), "panda_hand", &at, &fingers).expect("a bar");
    let bar = robot.model.len();
    let mut random = Random(5922);
    let (mut own, mut all, mut held) = ((Vec::new(), Vec::new()), [0; 2], 0);
    let (mut scratch, mut buffers, mut hits) =
        (SelfQueryScratch::default(), Buffers::new(), QueryScratch::new());
    let mut scene = Scene::new();
    let arm = scene.insert(&robot.model, Spawn::default()).expect("a place");
    let body = scene.insert(&self::bar(), Spawn::default()).expect("a place");
    let hand = robot.model.part("panda_hand").expect("a link").index();
    let tested: Vec<PartId> = (0..bar)
        .map(PartId::new)
        .filter(|&part| !holding.model.ignores(part, PartId::new(bar)))
        .collect();
    assert_eq!(tested.len(), bar - 3);
    for row in rows(&robot.mechanism, &mut random, 400).chunks_exact(8) {
        robot.mechanism.poses(row, &mut own.0).expect("values");
        holding.mechanism.poses(row, &mut own.1).expect("values");
        let alone = robot.model.self_intersects(&own.0, Accuracy::Exact, &mut scratch);
        let with = holding.model.self_intersects(&own.1, Accuracy::Exact, &mut scratch);
        scene.set_parts(arm, &own.0).expect("poses");
        scene.set_root(body, &(own.0[hand] * at)).expect("a pose");
        let query = PairQuery::between(arm, body).parts(&tested, &[PartId::new(0)]);
        let now = scene.snapshot(&mut buffers);
        let bar = now.intersects(&query.accuracy(Accuracy::Exact), &mut hits).expect("asked");
        assert_eq!(with, alone.map(|alone| alone || bar));
        all[usize::from(bar)] += 1;
        held += usize::from(bar && with == Ok(true));
    }
    assert!(all[0] > 100 && all[1] > 40 && held == all[1], "{all:?}");
}
