//! Small files of the data folder that were once read incorrectly, and similar ones.

use std::f64::consts::FRAC_PI_2;

use boxwood::f64::Loader;
use boxwood::load::Robot;

use super::probe::{
    actuator_names, assert_close, bounds, link_names, load, load_files, pose, world_bounds,
};
use support::data::data;

fn bug(name: &str) -> Option<Robot<f64>> {
    let path = data()?.join("bugs").join(name);
    Some(Loader::new().mjcf(path).expect(name))
}

#[test]
fn the_ref_of_a_joint_is_its_value_in_the_pose_of_the_file() {
    let Some(robot) = bug("joint_ref.xml") else { return };
    let at = |values: [f64; 2]| ["arm", "lift"].map(|link| world_bounds(&robot, link, &values));
    let [arm, lift] = at([0.0, 0.0]);
    assert_close(arm, [[-1.0, -0.1, -0.1], [0.0, 0.1, 0.1]]);
    assert_close(lift, [[2.9, -0.1, -0.6], [3.1, 0.1, -0.4]]);
    let [arm, lift] = at([FRAC_PI_2, 0.5]);
    assert_close(arm, [[-0.1, -0.1, 0.0], [0.1, 0.1, 1.0]]);
    assert_close(lift, [[2.9, -0.1, -0.1], [3.1, 0.1, 0.1]]);
}

#[test]
fn refs_of_defaults_and_of_every_joint_of_a_body_are_read() {
    // The ref of a default, in radians.
    let radians = "<compiler angle='radian'/><default><joint ref='1.5'/></default>";
    let geom = "<geom type='box' size='.1 .1 .5' pos='0 0 .5'/>";
    let robot = load(radians, &format!("<body name='a'><joint axis='1 0 0'/>{geom}</body>"));
    let turn = pose(&robot.expect("a robot"), "a", &[1.0]).rotation;
    assert!((turn.scaled_axis().x + 0.5).abs() < 1e-12, "{turn}");
    // A slide has a length whatever the unit of angles; two joints, about an anchor.
    let joints = "<joint type='slide' ref='2'/><joint pos='0 1 0' axis='1 0 0' ref='90'/>";
    let robot = load("", &format!("<body name='a'>{joints}{geom}</body>")).expect("a robot");
    let found = pose(&robot, "a", &[3.0, 0.0]);
    let expected = nalgebra::Vector3::new(0.0, 1.0, 1.0 + 1.0);
    assert!((found.translation.vector - expected).norm() < 1e-12, "{found}");
    // The springs rest elsewhere, which moves nothing.
    let robot = load("", &format!("<body name='a'><joint springref='40'/>{geom}</body>"));
    assert!(pose(&robot.expect("a robot"), "a", &[0.0]).rotation.angle() < 1e-12);
}

#[test]
fn included_files_replace_the_include_element() {
    let Some(robot) = bug("include_at_root.xml") else { return };
    assert_eq!(link_names(&robot), ["included", "own"]);
    assert_eq!(actuator_names(&robot), ["j"]);
    assert_close(world_bounds(&robot, "included", &[0.0]), [[-0.1, -0.1, -0.5], [0.1, 0.1, 0.5]]);
    assert_close(world_bounds(&robot, "own", &[0.0]), [[1.9, -0.1, -0.1], [2.1, 0.1, 0.1]]);
}

#[test]
fn every_worldbody_is_read() {
    let Some(robot) = bug("two_worldbodies.xml") else { return };
    assert_eq!(link_names(&robot), ["one", "two"]);
    assert_close(world_bounds(&robot, "two", &[]), [[0.9, -0.1, -0.1], [1.1, 0.1, 0.1]]);
    // Sections of other kinds are merged too: the last value of each compiler attribute, the last
    // layer of defaults, all exclusions.
    let text = "<mujoco><compiler angle='radian' eulerseq='zyx'/><default><geom size='.1'/></default>\
        <worldbody><body name='a' euler='90 0 0'><freejoint/><geom type='box'/></body></worldbody>\
        <contact><exclude body1='a' body2='b'/></contact><compiler angle='degree'/>\
        <default><geom size='.2 .3 .4'/></default><contact><exclude body1='a' body2='c'/></contact>\
        <worldbody><geom pos='9 0 0'/></worldbody>\
        <worldbody><body name='b'><freejoint/><geom/></body><body name='c'><freejoint/><geom/></body>\
        </worldbody></mujoco>";
    let robot = load_files(&[("main.xml", text)]).expect("a robot");
    assert_eq!(link_names(&robot), ["world", "a", "b", "c"]);
    assert_close(world_bounds(&robot, "a", &[]), [[-0.3, -0.2, -0.4], [0.3, 0.2, 0.4]]);
    let part = |name: &str| robot.model.part(name).expect("a part");
    let ignored = |a: &str, b: &str| robot.model.ignores(part(a), part(b));
    assert!(ignored("a", "b") && ignored("a", "c") && !ignored("b", "c"));
    assert!(!ignored("world", "a"));
    // A class copies the enclosing class when it is written; later sections amend the outermost.
    let defaults = "<default><geom size='.1'/><default class='k'><geom type='box'/></default></default>\
        <default><geom size='.2 .2 .2'/></default>";
    let body =
        "<body name='a'><geom class='k' size='.5 .6 .7'/><geom class='k' size='.5 .6'/></body>";
    assert!(load(defaults, body).expect_err("short").contains("the size needs 3 numbers"));
}

#[test]
fn primitives_fitted_to_a_mesh_have_its_size() {
    let Some(robot) = bug("fitted.xml") else { return };
    assert_close(bounds(&robot, "a")[0], [[-0.5; 3], [0.5; 3]]);
    assert_close(bounds(&robot, "b")[0], [[-0.5; 3], [0.5; 3]]);
    assert!((robot.model.parts()[1].bind().translation.x - 5.0).abs() < 1e-12);
}

#[test]
fn coupled_joints_have_one_value() {
    let Some(robot) = bug("coupled.xml") else { return };
    assert_eq!(actuator_names(&robot), ["l"]);
    assert_eq!(pose(&robot, "right", &[0.25]).translation.vector.x, 2.25);
    assert_eq!(robot.warnings, []);
}

#[test]
fn a_range_of_zero_is_no_limit() {
    let Some(robot) = bug("range_zero.xml") else { return };
    let limits = |robot: &Robot<f64>| robot.mechanism.actuators()[0].limits;
    assert_eq!(limits(&robot), None);
    let joint = |before: &str, words: &str| {
        load(before, &format!("<body><joint {words}/><geom size='1'/></body>"))
    };
    // Unless the joint is explicitly limited.
    let said = joint("", "range='0 0' limited='true'").expect_err("empty");
    assert!(said.contains("the range from 0 to 0 is empty"), "{said}");
    // A reversed range that limits nothing is ignored.
    assert_eq!(limits(&joint("", "range='1 -1' limited='false'").expect("a robot")), None);
    // The range of a default, enabled where ranges are not limits by themselves.
    let before = "<compiler autolimits='false'/><default><joint range='0 180'/></default>";
    let found = limits(&joint(before, "limited='true'").expect("a robot")).expect("limits");
    assert!((found[1] - std::f64::consts::PI).abs() < 1e-12);
    assert!(joint(before, "").is_err() && joint(before, "range='0 0'").is_ok());
}

#[test]
fn numbers_missing_from_a_size_have_their_defaults() {
    let Some(robot) = bug("part_of_size.xml") else { return };
    assert_close(bounds(&robot, "a")[0], [[-0.05, -0.05, -0.45], [0.05, 0.05, 0.45]]);
    let defaults = "<default><geom size='1 2 3'/><default class='k'><geom type='box' size='.5'/></default></default>";
    let geoms = "<geom class='k'/><geom class='k' size='.1 .2'/><geom type='ellipsoid' size='.4'/>";
    let robot = load(defaults, &format!("<body name='a'>{geoms}</body>")).expect("a robot");
    let found = bounds(&robot, "a");
    for (found, half) in found.into_iter().zip([[0.5, 2.0, 3.0], [0.1, 0.2, 3.0], [0.4, 2.0, 3.0]])
    {
        assert_close(found, [half.map(|x: f64| -x), half]);
    }
}
