//! Equality constraints between joints.

use boxwood::load::Warning;

use super::probe::{actuator_names, load, pose};

const JOINTS: &str = "<body name='A'><joint name='a' ref='30'/><geom size='1'/></body>\
    <body name='B'><joint name='b' ref='10'/><geom size='1'/></body>\
    <body name='C'><joint name='c' type='slide' ref='.5'/><geom size='1'/></body>\
    <body name='D'><joint name='d' ref='20'/><geom size='1'/></body>";

fn coupled(rules: &str) -> Result<boxwood::load::Robot<f64>, String> {
    load(&format!("<equality>{rules}</equality>"), JOINTS)
}

#[test]
fn couplings_use_references_and_form_chains() {
    let robot = coupled(
        "<joint joint1='b' joint2='a' polycoef='.2 -3'/>\
         <joint joint1='c' joint2='b' polycoef='0 .5 0 0 0'/><joint joint1='d' polycoef='.7'/>\
         <joint joint1='a' joint2='b' active='false'/>",
    );
    let robot = robot.expect("a robot");
    assert_eq!((actuator_names(&robot), robot.warnings.len()), (vec!["a"], 0));
    // From the reference: a by 0.1, so b by 0.2 - 0.3, so c by half of that; d by its constant.
    let value = 30.0_f64.to_radians() + 0.1;
    let angle = |link: &str| pose(&robot, link, &[value]).rotation.scaled_axis().z;
    assert!((angle("A") - 0.1).abs() < 1e-12 && (angle("B") + 0.1).abs() < 1e-12);
    assert!((pose(&robot, "C", &[value]).translation.z + 0.05).abs() < 1e-12);
    assert!((angle("D") - 0.7).abs() < 1e-12);
}

#[test]
fn nonlinear_couplings_are_warned_of_and_leave_the_joint_free() {
    for rules in
        ["<joint joint1='b' joint2='a' polycoef='0 1 2'/>", "<joint joint1='b' joint2='b'/>"]
    {
        let robot = coupled(rules).expect(rules);
        assert_eq!(actuator_names(&robot), ["a", "b", "c", "d"], "{rules}");
        assert_eq!(robot.warnings, [Warning::Uncoupled { joint: "b".into() }]);
    }
    let round = "<joint joint1='a' joint2='b'/><joint joint1='b' joint2='a'/>";
    let robot = coupled(round).expect("a robot");
    assert_eq!(actuator_names(&robot), ["b", "c", "d"]);
    assert_eq!(robot.warnings, [Warning::Uncoupled { joint: "b".into() }]);
    let twice = "<joint joint1='a' joint2='b'/><joint joint1='a' joint2='c'/>";
    let robot = coupled(twice).expect("a robot");
    assert_eq!(robot.warnings, [Warning::Uncoupled { joint: "a".into() }]);
}

#[test]
fn unknown_joints_are_refused_and_loops_of_bodies_warned_of() {
    let error = coupled("<joint joint1='a' joint2='x'/>").expect_err("x");
    assert!(error.contains("line 1: <joint>: no hinge or slide is called 'x'"), "{error}");
    assert!(coupled("<joint/>").is_err());
    let robot = coupled(
        "<connect body1='A' body2='B' anchor='0 0 0'/><weld name='w' body1='A' body2='C'/>\
         <connect body1='A' body2='D' anchor='0 0 0' active='false'/>",
    );
    let said: Vec<String> =
        robot.expect("a robot").warnings.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("<connect> 'A, B':") && said[1].starts_with("<weld> 'w':"));
}
