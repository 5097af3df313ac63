//! Frames, copies and attached models.

use super::probe::{
    actuator_names, assert_close, bounds, link_names, load, load_files, pose, tested,
};
use support::prelude::*;
use support::refusals::refuses_texts;

const BALL: &str = "<geom size='.1'/>";

#[test]
fn frames_transform_shapes_joints_and_bodies_and_change_classes() {
    let defaults =
        "<default><default class='x'><geom size='.3'/><joint range='0 45'/></default></default>";
    let world = "<frame childclass='x' pos='1 2 3' euler='0 90 0'><geom/><body name='b' pos='0 0 1'>\
        <frame pos='0 1 0' euler='0 0 90'><joint name='j' axis='1 0 0' pos='1 0 0'/>\
        <geom type='box' size='1 2 3' pos='1 0 0'/></frame></body></frame>";
    let robot = load(defaults, world).expect("a robot");
    assert_close(bounds(&robot, "world")[0], [[0.7, 1.7, 2.7], [1.3, 2.3, 3.3]]);
    assert_close(bounds(&robot, "b")[0], [[-2.0, 1.0, -3.0], [2.0, 3.0, 3.0]]);
    let limits = robot.mechanism.actuators()[0].limits.expect("a range");
    assert!((limits[1] - 0.25 * std::f64::consts::PI).abs() < 1e-12);
    // About an axis that the frame rotates to y, through (0, 2, 0) of the body.
    let shift = |x: f64, y: f64, z: f64| Isometry3::translation(x, y, z);
    let turn = |axis: Vector3<f64>, angle: f64| Isometry3::rotation(axis * angle);
    let body = shift(1.0, 2.0, 3.0) * turn(Vector3::y(), std::f64::consts::FRAC_PI_2);
    let body = body * shift(0.0, 0.0, 1.0);
    let expected = body * shift(0.0, 2.0, 0.0) * turn(Vector3::y(), 0.5) * shift(0.0, -2.0, 0.0);
    let found = pose(&robot, "b", &[0.5]);
    assert!((found.to_homogeneous() - expected.to_homogeneous()).norm() < 1e-12, "{found}");
}

#[test]
fn replicas_are_translated_rotated_and_numbered() {
    let world = format!(
        "<body name='own'><joint/>{BALL}<replicate count='3' offset='1 0 .2' euler='0 0 90' sep='-'>\
         <body name='r' pos='0 0 1'><joint name='j'/>{BALL}</body>\
         <body name='s'><joint name='k'/>{BALL}</body></replicate></body>"
    );
    let after = "<contact><exclude body1='r' body2='s'/><exclude body1='own' body2='s'/></contact>\
        <equality><joint joint1='j' joint2='k'/></equality>";
    let robot = load(after, &world).expect("a robot");
    assert_eq!(link_names(&robot), ["own", "r-0", "s-0", "r-1", "s-1", "r-2", "s-2"]);
    assert_eq!(actuator_names(&robot), ["joint 0", "k-0", "k-1", "k-2"]);
    let place = |link: &str| pose(&robot, link, &[0.0; 4]).translation.vector;
    assert!((place("r-1") - Vector3::new(1.0, 0.0, 1.2)).norm() < 1e-12);
    assert!((place("r-2") - Vector3::new(1.0, 1.0, 1.4)).norm() < 1e-12);
    // Each copy has its own exclusions, also against bodies that are not copied.
    let pairs = tested(&robot);
    for (a, b, expected) in
        [("r-0", "s-0", false), ("r-0", "s-1", true), ("own", "s-2", false), ("r-1", "r-2", true)]
    {
        assert_eq!(pairs.contains(&[a.to_owned(), b.to_owned()]), expected, "{a} {b}");
    }
    assert_eq!(robot.warnings, []);
}

#[test]
fn replicas_of_replicas_have_both_numbers() {
    let world = format!(
        "<replicate count='2' offset='1 0 0'><replicate count='11' offset='0 1 0'>\
         <body name='r'>{BALL}</body></replicate></replicate>"
    );
    let robot = load("", &world).expect("a robot");
    let names = link_names(&robot);
    assert_eq!((names.len(), names[0], names[21]), (22, "r000", "r101"));
    assert_eq!(pose(&robot, "r101", &[]).translation.vector, Vector3::new(1.0, 10.0, 0.0));
    let rows = [
        ("", "line 1: <replicate>: 'count' is missing"),
        ("count='-1'", "count=\"-1\" is not a valid number of copies"),
        ("count='99999999999'", "is not a valid number of copies"),
        ("count='20000'", "links"),
    ];
    refuses_texts("main.xml", &rows, |words| {
        load("", &format!("<replicate {words}><body><joint/>{BALL}</body></replicate>"))
    });
    // Nested copies are limited.
    let deep = "<replicate count='1000'>".repeat(4);
    let ends = "</replicate>".repeat(4);
    let error = load("", &format!("{deep}{BALL}{ends}")).expect_err("too many");
    assert!(error.contains("more than 1000000 elements"), "{error}");
}

const KID: &str = "<mujoco model='kid'><compiler angle='radian'/><default><geom size='.7'/>\
    <default class='c'><geom size='.3'/></default></default><worldbody><geom pos='9 0 0'/>\
    <body name='outer' childclass='c' pos='1 0 0'><geom/><body name='b' pos='0 1 0' euler='0 0 1.5'>\
    <joint name='j' range='0 1'/><geom/></body><frame name='f' pos='0 0 5'><geom/><body name='fb'>\
    <joint name='jf'/><geom/></body></frame></body><body name='z'><geom/></body></worldbody>\
    <contact><exclude body1='outer' body2='b'/></contact>\
    <equality><joint joint1='jf' joint2='j' polycoef='0 -2'/></equality></mujoco>";

fn attach(words: &str) -> Result<boxwood::load::Robot<f64>, String> {
    let main = format!(
        "<mujoco><asset><model name='k' file='parts/kid.xml'/></asset><worldbody>\
         <body name='own' pos='0 0 2'><joint/>{BALL}<attach model='k' {words} prefix='p_'/></body>\
         </worldbody></mujoco>"
    );
    load_files(&[("main.xml", &main), ("parts/kid.xml", KID)])
}

#[test]
fn attached_bodies_keep_their_models_classes_units_and_rules() {
    let robot = attach("body='b'").expect("a robot");
    assert_eq!(link_names(&robot), ["own", "p_b"]);
    assert_close(bounds(&robot, "p_b")[0], [[-0.3; 3], [0.3; 3]]);
    let found = pose(&robot, "p_b", &[0.0, 0.0]);
    assert!((found.translation.vector - Vector3::new(0.0, 1.0, 2.0)).norm() < 1e-12);
    assert!((found.rotation.angle() - 1.5).abs() < 1e-12);
    assert_eq!(robot.mechanism.actuators()[1].limits, Some([0.0, 1.0]));
    // The whole body: its frame, and the exclusion and coupling in it.
    let robot = attach("body='outer'").expect("a robot");
    assert_eq!(link_names(&robot), ["own", "p_outer", "p_b", "p_fb"]);
    assert_eq!(actuator_names(&robot), ["joint 0", "p_j"]);
    let turn = pose(&robot, "p_fb", &[0.0, 0.5]).rotation.scaled_axis();
    assert!((turn.z + 1.0).abs() < 1e-12, "{turn}");
    assert!(!tested(&robot).contains(&["p_outer".to_owned(), "p_b".to_owned()]));
    // Only a frame, and all of the world.
    assert_eq!(link_names(&attach("frame='f'").expect("a robot")), ["own", "p_fb"]);
    let robot = attach("").expect("a robot");
    assert_eq!(link_names(&robot), ["own", "p_outer", "p_b", "p_fb", "p_z"]);
    assert_close(bounds(&robot, "own")[1], [[8.3, -0.7, -0.7], [9.7, 0.7, 0.7]]);
}

#[test]
fn bodies_of_the_same_model_are_attached_again() {
    let world = format!(
        "<body name='a' pos='1 0 0'><joint name='ja'/>{BALL}</body>\
         <body name='h' pos='0 5 0'><joint/>{BALL}<attach body='a' prefix='q_'/></body>"
    );
    let after = "<contact><exclude body1='a' body2='h'/></contact>";
    let robot = load(after, &world).expect("a robot");
    assert_eq!(link_names(&robot), ["a", "h", "q_a"]);
    assert_eq!(pose(&robot, "q_a", &[0.0; 3]).translation.vector, Vector3::new(1.0, 5.0, 0.0));
    assert_eq!(tested(&robot), [["a".to_owned(), "q_a".to_owned()]]);
}

#[test]
fn attachments_of_missing_elements_are_refused() {
    let rows = [
        ("body='x'", "<attach>: no body is called 'x'"),
        ("frame='b'", "<attach>: no frame is called 'b'"),
    ];
    refuses_texts("main.xml", &rows, attach);
    let attach = |words: &str| load("", &format!("<body name='a'>{BALL}<attach {words}/></body>"));
    let rows = [
        ("model='k' prefix='p'", "no model is called 'k'"),
        ("body='a'", "'prefix' is missing"),
        ("prefix='p'", "it names no model, body or frame"),
        ("body='a' prefix='p'", "attached bodies are nested more than 32 deep"),
    ];
    refuses_texts("main.xml", &rows, attach);
    // A model that attaches itself.
    let text = format!(
        "<mujoco><asset><model name='k' file='main.xml'/></asset><worldbody><body>{BALL}</body>\
         </worldbody></mujoco>"
    );
    let error = load_files(&[("main.xml", &text)]).expect_err("endless");
    assert!(error.contains("files included 32 deep"), "{error}");
}
