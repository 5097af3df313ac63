//! Ignored pairs of a loaded robot: added, removed, and their effect on queries.

use std::sync::Arc;

use boxwood::Error;
use boxwood::f64::SelfQueryScratch;
use boxwood::load::{Loader, Robot};

use super::pieces::tested;
use super::small::{collision, joint, link, robot};
use support::data::data;

/// Builds four cubes at one position, a joint between each and the next.
fn arm() -> Robot<f64> {
    let cube = collision("", "<box size='1 1 1'/>");
    let links = ["a", "b", "c", "d"].map(|name| link(name, &cube)).concat();
    let joints = [["a", "b"], ["b", "c"], ["c", "d"]].map(|e| joint(e[1], "continuous", e, ""));
    let text = robot(&(links + &joints.concat()));
    Loader::new().urdf_bytes(text.as_bytes()).expect("a robot")
}

/// Returns the pairs that touch at rest, joined by a dash.
fn touching(robot: &Robot<f64>) -> String {
    let mut scratch = SelfQueryScratch::default();
    let poses = robot.model.bind_poses();
    let found = robot.model.self_pairs(&poses, boxwood::Accuracy::Exact, &mut scratch);
    let name = |part: boxwood::PartId| robot.model.parts()[part.index()].name();
    let found: Vec<_> =
        found.expect("poses").iter().map(|&(a, b)| format!("{}-{}", name(a), name(b))).collect();
    found.join(" ")
}

#[test]
fn pairs_are_added_and_removed_by_name() {
    let robot = arm();
    assert_eq!(touching(&robot), "a-c a-d b-d");
    let quiet = robot.with_ignored(&[("d", "a"), ("c", "a"), ("a", "d")]).expect("known links");
    assert_eq!((touching(&quiet), touching(&robot)), ("b-d".into(), "a-c a-d b-d".to_owned()));
    assert_ne!(quiet.model.fingerprint(), robot.model.fingerprint());
    let back = quiet.with_tested(&[("a", "d"), ("a", "c")]).expect("known links");
    assert_eq!(back.model, robot.model);
    assert_eq!(back.model.fingerprint(), robot.model.fingerprint());
    let strict = robot.with_tested(&[("a", "b")]).expect("known links");
    assert_eq!(touching(&strict), "a-b a-c a-d b-d");
    // Nothing ignored: the same robot.
    assert_eq!(robot.with_ignored(&[]).expect("no pair").model, robot.model);
    let known = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    let unknown = Error::UnknownName { kind: "part", name: "e".into(), known };
    assert_eq!(robot.with_ignored(&[("a", "b"), ("a", "e")]).err(), Some(unknown.clone()));
    assert_eq!(robot.with_tested(&[("e", "a")]).err(), Some(unknown));
    assert!(matches!(robot.with_tested(&[("a", "a")]), Err(Error::BadQuery { .. })));
}

#[test]
fn robots_with_other_ignored_pairs_share_their_trees() {
    let robot = arm();
    let quiet = robot.with_ignored(&[("a", "d")]).expect("known links");
    let first = |robot: &Robot<f64>| robot.model.parts().as_ptr();
    assert_eq!(first(&quiet), first(&robot));
    assert!(Arc::ptr_eq(&quiet.mechanism, &robot.mechanism));
}

#[test]
fn a_baked_robot_keeps_its_ignored_pairs() {
    let quiet = arm().with_ignored(&[("a", "d")]).expect("known links");
    let baked = quiet.bake().expect("bytes");
    let again = Loader::new().baked_robot_bytes(&baked).expect("a robot");
    assert_eq!(touching(&again), "a-c b-d");
}

#[test]
fn ignored_pairs_of_many_links_and_of_a_real_robot() {
    let Some(data) = data() else { return };
    let folder = data.join("robots/talos");
    let talos = Loader::<f64>::new().build(boxwood::Build::fast());
    let talos = talos.urdf(folder.join("robots/talos_full_v2.urdf")).expect("a robot");
    let before = tested(&talos);
    let half: Vec<_> = before.iter().step_by(2).map(|[a, b]| (b.as_str(), a.as_str())).collect();
    let quiet = talos.with_ignored(&half).expect("known links");
    let left: Vec<_> = before.iter().skip(1).step_by(2).cloned().collect();
    assert_eq!(tested(&quiet), left);
    assert!(touching(&quiet).split(' ').count() <= touching(&talos).split(' ').count());
}
