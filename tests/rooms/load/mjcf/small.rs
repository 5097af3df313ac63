//! Small MJCF files: every attribute, warnings and errors.

use boxwood::load::{Robot, Warning};
use boxwood::motion::JointKind;
use boxwood::{Error, f64::Geometry};

use support::folder::Folder;
use support::prelude::*;
use support::refusals::{refuses_replacements, refuses_texts};

pub const SMALL: &str = "<mujoco><compiler eulerseq='xyZ'/>
<default><geom type='box' size='.1 .2 .3'/><joint axis='0 2 0' range='-90 90'/>
 <default class='slim'><geom type='capsule' size='.05 .2'/><joint type='slide' range='-1 1'/></default></default>
<worldbody><geom name='floor' type='plane' size='1 1 1'/><light pos='0 0 3'/>
 <body name='base' pos='1 0 0' euler='90 0 0'><freejoint/><geom/><geom pos='0 0 1' contype='0' conaffinity='0' type='mesh'/>
  <body name='arm' pos='0 0 1' childclass='slim' axisangle='0 0 1 90'>
   <joint name='lift'/><joint name='bend' type='hinge' pos='0 .5 0' limited='false'/><geom/>
   <body pos='0 1 0'><joint/><geom class='main' fromto='0 0 0 0 0 -2' size='.5'/></body></body></body></worldbody>
<contact><exclude body1='base' body2='arm'/><exclude body1='base' body2='nobody'/></contact></mujoco>";

fn read(text: &str) -> Result<Robot<f64>, Error> {
    let folder = Folder::new();
    boxwood::f64::Loader::new().mjcf(folder.write("small.xml", text))
}

#[test]
fn every_attribute_of_mjcf_is_read() {
    let robot = read(SMALL).expect("a robot");
    let links = robot.mechanism.links();
    let names: Vec<_> = links.iter().map(|link| (link.name.as_str(), link.parent)).collect();
    let expected = [
        ("base", None),
        ("arm (lift)", Some(0)),
        ("arm (bend)", Some(1)),
        ("arm", Some(2)),
        ("body 4", Some(3)),
    ];
    assert_eq!(names, expected);
    let actuators: Vec<_> =
        robot.mechanism.actuators().iter().map(|d| (d.name.as_str(), d.limits)).collect();
    assert_eq!(
        actuators,
        [("lift", Some([-1.0, 1.0])), ("bend", None), ("joint 2", Some([-1.0, 1.0]))]
    );
    assert!(matches!(links[1].joint, JointKind::Prismatic { axis, .. } if axis == Vector3::y()));
    assert!(matches!(links[2].joint, JointKind::Revolute { axis, .. } if axis == Vector3::y()));
    assert_eq!(
        robot.warnings,
        [
            Warning::Endless { shape: "floor".into() },
            Warning::StrayPair { a: "base".into(), b: "nobody".into() }
        ]
    );
    let shapes = robot.model.parts().iter().map(|part| part.tree().map(|tree| tree.geometry()));
    let shapes: Vec<Option<&Geometry>> = shapes.collect();
    let Some(Geometry::Boxes(boxes)) = shapes[0] else { panic!("{:?}", shapes[0]) };
    assert_eq!((boxes.len(), boxes[0].half_extents()), (1, Vector3::new(0.1, 0.2, 0.3)));
    assert!(shapes[1].is_none() && shapes[2].is_none());
    assert!(matches!(shapes[3], Some(Geometry::Convex(_))));
    // Twice the thickness of a box, and its length from end to end.
    let Some(Geometry::Boxes(boxes)) = shapes[4] else { panic!("{:?}", shapes[4]) };
    assert_eq!(boxes[0].half_extents(), Vector3::new(0.5, 0.5, 1.0));
    assert!((boxes[0].center() - Point3::new(0.0, 0.0, -1.0)).norm() < 1e-12);
    assert!(
        robot.model.ignores(robot.model.part("base").unwrap(), robot.model.part("arm").unwrap())
    );
}

#[test]
fn joints_rotate_about_their_anchors_in_sequence() {
    let robot = read(SMALL).expect("a robot");
    let mut poses = Vec::new();
    robot.mechanism.poses(&[0.25, 0.7, -0.5], &mut poses).expect("within limits");
    let turn = |axis: Vector3<f64>, angle: f64| Isometry3::rotation(axis * angle);
    let quarter = std::f64::consts::FRAC_PI_2;
    let shift = |x: f64, y: f64, z: f64| Isometry3::translation(x, y, z);
    let base = shift(1.0, 0.0, 0.0) * turn(Vector3::x(), quarter);
    let arm = base * shift(0.0, 0.0, 1.0) * turn(Vector3::z(), quarter) * shift(0.0, 0.25, 0.0);
    let arm = arm * shift(0.0, 0.5, 0.0) * turn(Vector3::y(), 0.7) * shift(0.0, -0.5, 0.0);
    let hand = arm * shift(0.0, 1.0, 0.0) * shift(0.0, -0.5, 0.0);
    for (link, expected) in [(0, base), (3, arm), (4, hand)] {
        assert!(
            (poses[link].to_homogeneous() - expected.to_homogeneous()).norm() < 1e-12,
            "{link}"
        );
    }
}

#[test]
fn every_form_of_orientation_is_read() {
    let body = |words: &str| {
        let text = format!(
            "<mujoco><compiler angle='radian' eulerseq='ZyX'/><worldbody><body {words}><geom size='1'/></body></worldbody></mujoco>"
        );
        read(&text).expect(words).model.parts()[0].bind().rotation
    };
    let about = |axis: Vector3<f64>, angle: f64| UnitQuaternion::from_scaled_axis(axis * angle);
    let (x, y, z) = (about(Vector3::x(), 0.3), about(Vector3::y(), 0.2), about(Vector3::z(), 0.1));
    for (words, expected) in [
        ("", UnitQuaternion::identity()),
        ("quat='0 0 0 -3'", about(Vector3::z(), std::f64::consts::PI)),
        ("axisangle='0 3 0 0.2'", y),
        // About the fixed z, then about its own y, then about the fixed x.
        ("euler='0.1 0.2 0.3'", x * (z * y)),
    ] {
        assert!(body(words).angle_to(&expected) < 1e-7, "{words}");
    }
}

#[test]
fn shapes_of_the_world_form_a_part() {
    let text = "<mujoco><worldbody><geom type='box' size='1 1 1' pos='0 0 -1'/><body name='b' pos='0 0 5'><geom size='1'/></body></worldbody></mujoco>";
    let robot = read(text).expect("a robot");
    let names: Vec<_> = robot.model.parts().iter().map(|part| part.name()).collect();
    assert_eq!(names, ["world", "b"]);
    let [world, b] = ["world", "b"].map(|name| robot.model.part(name).expect("a part"));
    // Nothing moves it; with a joint it could fall onto the floor.
    assert!(robot.model.ignores(world, b));
    let jointed =
        read(&text.replace("<body name='b' pos='0 0 5'>", "<body name='b' pos='0 0 5'><joint/>"));
    assert!(!jointed.expect("a robot").model.ignores(world, b));
    let sphere = robot.model.parts()[1].tree().expect("a tree");
    assert!(matches!(sphere.geometry(), Geometry::Convex(balls) if balls.len() == 1));
}

#[test]
fn errors_of_mjcf_name_the_element() {
    let rows = [
        ("<mujoco>", "<robot/><mujoco>", "line 1: invalid XML"),
        ("size='.1 .2 .3'", "size='.1 .2'", "the size needs 3 numbers"),
        ("size='.1 .2 .3'", "size='.1 .2 x'", "size=\".1 .2 x\" is not a list of numbers"),
        ("size='.1 .2 .3'", "size='.1 .2 -3'", "the size needs 3 numbers, none of them negative"),
        ("fromto='0 0 0 0 0 -2'", "fromto='0 0 0 0 0'", "'fromto' needs 6 numbers"),
        ("fromto='0 0 0 0 0 -2'", "fromto='0 0 1 0 0 1'", "'fromto' has no length"),
        (
            "class='main' fromto",
            "class='main' type='sphere' fromto",
            "a sphere cannot have 'fromto'",
        ),
        ("axis='0 2 0'", "axis='0 0 0'", "the axis has no length"),
        ("axis='0 2 0'", "axis='0 2'", "'axis' needs 3 numbers"),
        ("range='-1 1'", "range='1'", "line 3: <joint>: 'range' needs 2 numbers"),
        ("range='-1 1'", "range='1 -1'", "line 7: <joint>: the range is reversed: 1 to -1"),
        ("range='-1 1'", "range='nan 1'", "is not a list of numbers"),
        (
            "type='slide'",
            "type='screw'",
            "line 3: <joint>: type=\"screw\" is not one of: free, ball, slide, hinge",
        ),
        ("type='capsule'", "type='sdf'", "shapes of type 'sdf' are not supported"),
        ("type='capsule'", "type='mesh'", "line 7: <geom>: 'mesh' is missing"),
        ("type='capsule'", "type='mesh' mesh='m'", "line 7: <geom>: no mesh is called 'm'"),
        (
            "type='capsule'",
            "type='Capsule'",
            "line 3: <geom>: type=\"Capsule\" is not one of: sphere",
        ),
        (
            "pos='0 .5 0' limited='false'",
            "limited='no'",
            "limited=\"no\" is not one of: true, false",
        ),
        ("range='-1 1'", "range='1 1'", "line 7: <joint>: the range from 1 to 1 is empty"),
        ("eulerseq='xyZ'", "autolimits='false'", "it has a range, but 'limited' is not set"),
        ("eulerseq='xyZ'", "coordinate='global'", "line 1: <compiler>: global coordinates"),
        ("eulerseq='xyZ'", "angle='grad'", "angle=\"grad\" is not one of: radian, degree"),
        ("euler='90 0 0'", "euler='90 0 0' zaxis='1 0 0'", "both 'zaxis' and 'euler' are given"),
        ("euler='90 0 0'", "xyaxes='1 0 0 -2 0 0'", "line 5: <body>: 'xyaxes' has no length"),
        ("size='.05 .2'", "size='1 2 3 4'", "line 3: <geom>: 'size' has more than 3 numbers"),
        ("class='main' fromto", "class='thin' fromto", "no default class is called 'thin'"),
        ("childclass='slim'", "childclass='thin'", "line 6: <body>: no default class is called"),
        ("<default class='slim'>", "<default>", "line 3: <default>: 'class' is missing"),
        ("class='main' fromto", "class='main' pos='1 0 0' fromto", "both 'pos' and 'fromto'"),
        (
            "<joint name='lift'/>",
            "<freejoint/>",
            "line 7: <freejoint>: a free joint is only allowed",
        ),
        ("<light pos='0 0 3'/>", "<joint/>", "line 4: <joint>: the world cannot have joints"),
        ("eulerseq='xyZ'", "eulerseq='xy'", "'xy' is not an Euler sequence"),
        ("euler='90 0 0'", "quat='0 0 0 0'", "'quat' has no length"),
        ("axisangle='0 0 1 90'", "axisangle='0 0 0 90'", "'axisangle' has no length"),
        ("axisangle='0 0 1 90'", "axisangle='0 1 90'", "'axisangle' needs 4 numbers"),
        (
            "<light pos='0 0 3'/>",
            "<include file='more.xml'/>",
            "<include>: 'more.xml': no such file",
        ),
        ("name='arm'", "name='base'", "line 6: <body>: two links are called 'base'"),
        ("name='bend'", "name='lift'", "line 7: <joint>: two joints are called 'lift'"),
        ("body1='base' ", "", "'body1' is missing"),
        ("pos='1 0 0'", "pos='1 0 1e300'", "is not a list of numbers"),
    ];
    refuses_replacements("small.xml", SMALL, &rows, read);
}

#[test]
fn other_xml_files_are_refused_by_name() {
    let rows = [
        ("<robot/>", "line 1: <robot>: not an MJCF file"),
        ("<mujoco/>", "line 1: <mujoco>: <worldbody> is missing"),
        ("<mujoco><worldbody/></mujoco>", "mechanism is empty"),
        ("", "invalid XML"),
    ];
    refuses_texts("small.xml", &rows, read);
}

#[test]
fn deep_nesting_and_circular_classes_are_refused() {
    let deep = |depth: usize| {
        let bodies = "<body><joint/>".repeat(depth);
        let ends = "</body>".repeat(depth);
        format!("<mujoco><worldbody>{bodies}<geom size='1'/>{ends}</worldbody></mujoco>")
    };
    assert_eq!(read(&deep(200)).expect("a chain").mechanism.actuators().len(), 200);
    let _ = read(&deep(20_000));
    // An inner class of the name of the outer one.
    let text = "<mujoco><default><default class='b'><default class='b'/></default></default>\
        <worldbody><body childclass='b'><geom size='1'/></body></worldbody></mujoco>";
    let said = read(text).expect_err("twice").to_string();
    assert!(said.contains("<default>: two default classes are called 'b'"), "{said}");
    let said = read(&text.replace("<default>", "<default class='a'>")).expect_err("a name");
    assert!(said.to_string().contains("the outermost default class is 'main'"), "{said}");
}
