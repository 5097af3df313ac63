//! The CMU humanoid against the text of its file.

use std::collections::HashMap;
use std::path::PathBuf;

use boxwood::load::{Loader, Robot};
use boxwood::model::SelfQueryScratch;
use boxwood::{Accuracy, Build, PartId};

use super::text_oracle::{self, Body, reach};
use support::data::data;
use support::prelude::*;

pub fn file() -> Option<PathBuf> {
    Some(data()?.join("robots/humanoid-cmu/humanoid_CMU_V2020.xml"))
}

/// Returns the robot, and the bodies of the second reader; `None` without the data.
pub fn humanoid() -> Option<(Robot<f64>, Vec<Body>)> {
    let path = file()?;
    let options = Loader::new().build(Build::fast());
    let robot = options.mjcf(&path).expect("a robot");
    let text = std::fs::read_to_string(path).expect("a file");
    Some((robot, text_oracle::read(&text)))
}

/// Returns the link of each body.
pub fn links(robot: &Robot<f64>, bodies: &[Body]) -> Vec<usize> {
    let link = |body: &Body| robot.mechanism.find(&body.name).expect("a link");
    bodies.iter().map(link).collect()
}

#[test]
fn counts_equal_those_of_another_reader() {
    let Some((robot, bodies)) = humanoid() else { return };
    assert_eq!(robot.warnings, []);
    // MuJoCo counts the world as a body.
    assert_eq!((bodies.len() + 1, robot.mechanism.actuators().len()), (32, 56));
    let shapes: usize = bodies.iter().map(|body| body.shapes.len()).sum();
    let of_kind = |kind: &str| {
        bodies.iter().flat_map(|body| &body.shapes).filter(|shape| shape.0 == kind).count()
    };
    let kinds = ["capsule", "sphere", "ellipsoid"].map(of_kind);
    assert_eq!((shapes, kinds), (45, [37, 6, 2]));
    let trees = robot.model.parts().iter().filter_map(|part| part.tree());
    // Each is one unchanged primitive.
    let primitives: usize = trees.map(|tree| tree.geometry().len()).sum();
    assert_eq!(primitives, shapes);
    for actuator in robot.mechanism.actuators() {
        let [least, most] = actuator.limits.expect("a range");
        assert!(least < most && (-3.2..3.2).contains(&least) && most < 3.2);
    }
}

#[test]
fn poses_of_the_humanoid_are_products_of_matrices() {
    let Some((robot, bodies)) = humanoid() else { return };
    let links = links(&robot, &bodies);
    let (mut random, mut poses) = (Random(5), Vec::new());
    for _ in 0..50 {
        let actuators = robot.mechanism.actuators();
        let value = |limits: Option<[f64; 2]>| limits.map_or(0.0, |[a, b]| random.between(a, b));
        let values: Vec<f64> =
            actuators.iter().map(|actuator| actuator.limits).map(value).collect();
        let named =
            actuators.iter().map(|actuator| actuator.name.clone()).zip(values.iter().copied());
        let expected = text_oracle::poses(&bodies, &named.collect());
        robot.mechanism.poses(&values, &mut poses).expect("within limits");
        for ((&link, expected), body) in links.iter().zip(&expected).zip(&bodies) {
            let found = poses[link].to_homogeneous();
            assert!((found - expected).norm() < 1e-12, "{}", body.name);
        }
    }
}

#[test]
fn parts_are_exactly_the_shapes_of_the_file() {
    let Some((robot, bodies)) = humanoid() else { return };
    let mut random = Random(6);
    for (&link, body) in links(&robot, &bodies).iter().zip(&bodies) {
        let part = &robot.model.parts()[link];
        let Some(tree) = part.tree() else {
            assert!(body.shapes.is_empty(), "{}", body.name);
            continue;
        };
        let boxwood::tree::Geometry::Convex(shapes) = tree.geometry() else { panic!("round") };
        assert_eq!(shapes.len(), body.shapes.len());
        for _ in 0..200 {
            let way = Vector3::from_fn(|_, _| random.between(-1.0, 1.0)).normalize();
            let true_one =
                body.shapes.iter().map(|shape| reach(shape, &way)).fold(f64::MIN, f64::max);
            let ours = shapes.iter().map(|shape| shape.support(way).coords.dot(&way));
            let ours = ours.fold(f64::MIN, f64::max);
            assert!((ours - true_one).abs() <= 1e-12, "{}: {ours} {true_one}", body.name);
        }
    }
}

#[test]
fn neighbours_and_excluded_pairs_are_not_tested() {
    let Some((robot, bodies)) = humanoid() else { return };
    let part = |name: &str| robot.model.part(name).expect("a part");
    let ignored = |a: &str, b: &str| robot.model.ignores(part(a), part(b));
    // The file's root has no joint: MuJoCo tests bodies fixed to the world against its children.
    // Elsewhere several hinges between a body and its parent do not make them strangers.
    let fixed = ["root", "lhipjoint", "rhipjoint"];
    for body in &bodies {
        if let Some(parent) = body.parent.map(|parent| &bodies[parent]) {
            let is_tested = fixed.contains(&&*parent.name) && !fixed.contains(&&*body.name);
            assert_eq!(ignored(&body.name, &parent.name), !is_tested, "{}", body.name);
        }
    }
    assert!(ignored("root", "lhipjoint") && ignored("lhipjoint", "rhipjoint"));
    assert!(!ignored("root", "lfemur") && !ignored("lhipjoint", "rfemur"));
    assert!(!ignored("lhipjoint", "lowerback"));
    assert!(ignored("lclavicle", "rclavicle") && ignored("upperneck", "rclavicle"));
    assert!(!ignored("lhand", "rhand") && !ignored("lfemur", "rfemur"));
    assert!(!ignored("root", "ltibia") && !ignored("lhipjoint", "upperback"));
}

#[test]
fn the_humanoid_touches_itself_where_its_capsules_do() {
    let Some((robot, bodies)) = humanoid() else { return };
    let links = links(&robot, &bodies);
    let actuators: HashMap<&str, usize> = robot
        .mechanism
        .actuators()
        .iter()
        .map(|actuator| actuator.name.as_str())
        .zip(0..)
        .collect();
    let (mut values, mut poses) = (robot.mechanism.rest(), Vec::new());
    let mut scratch = SelfQueryScratch::default();
    let mut pairs = |values: &[f64]| -> Vec<[usize; 2]> {
        robot.mechanism.poses(values, &mut poses).expect("within limits");
        let found = robot.model.self_pairs(&poses, Accuracy::Exact, &mut scratch).expect("poses");
        found.iter().map(|&(a, b): &(PartId, PartId)| [a.index(), b.index()]).collect()
    };
    let at = |name: &str| links[bodies.iter().position(|b| b.name == name).expect("a body")];
    // Arms stretched to the sides at rest; fully bent, a hand reaches its own upper arm or
    // shoulder.
    let resting = pairs(&values);
    assert!(!resting.contains(&[at("lhumerus").min(at("lhand")), at("lhumerus").max(at("lhand"))]));
    values[actuators["lradiusrx"]] = 2.9;
    let bent = pairs(&values);
    let hand = ["lwrist", "lhand", "lfingers", "lthumb", "lradius"].map(at);
    let trunk = ["lhumerus", "lclavicle", "thorax"].map(at);
    let met = bent.iter().any(|pair| {
        let [a, b] = *pair;
        (hand.contains(&a) && trunk.contains(&b)) || (hand.contains(&b) && trunk.contains(&a))
    });
    assert!(met && bent.len() > resting.len(), "{resting:?} {bent:?}");
}
