//! Planes of MJCF files: left out, or half-spaces of the world up to a length. Expected verdicts
//! are those of the height of a ball above the plane.

use boxwood::f64::SelfQueryScratch;
use boxwood::load::{Loader, Robot, Warning};
use boxwood::{Accuracy, Error, Geometry, f64 as double};

use super::probe::bounds;
use support::folder::Folder;
use support::prelude::*;

/// A ball of radius 0.25 that slides along three axes, above one plane.
fn file(plane: &str, others: &str) -> String {
    let slides = ["1 0 0", "0 1 0", "0 0 1"]
        .map(|axis| format!("<joint type='slide' axis='{axis}' range='-50 50'/>"));
    format!(
        "<mujoco><compiler angle='radian'/><worldbody>{others}<geom name='floor' type='plane' size='1 1 1' {plane}/>\
         <body name='ball'>{}<geom size='.25'/></body></worldbody></mujoco>",
        slides.concat()
    )
}

fn read(text: &str, loader: &double::Loader<'_>) -> Result<Robot<f64>, Error> {
    let folder = Folder::new();
    loader.mjcf(folder.write("plane.xml", text))
}

/// Returns `true` if the ball touches anything with its centre at a point.
fn touches(robot: &Robot<f64>, at: [f64; 3], scratch: &mut SelfQueryScratch) -> bool {
    let mut poses = Vec::new();
    robot.mechanism.poses(&at, &mut poses).expect("within limits");
    robot.model.self_intersects(&poses, Accuracy::Exact, scratch).expect("poses")
}

#[test]
fn planes_are_left_out_unless_a_length_is_given() {
    let text = file("", "");
    let without = read(&text, &double::Loader::new()).expect("a robot");
    assert_eq!(without.warnings, [Warning::Endless { shape: "floor".into() }]);
    assert!(without.model.part("world").is_err());
    let mut scratch = SelfQueryScratch::default();
    assert!(!touches(&without, [0.0, 0.0, -1.0], &mut scratch));

    let with = read(&text, &double::Loader::new().planes(10.0)).expect("a robot");
    assert_eq!(with.warnings, []);
    assert_eq!(bounds(&with, "world"), [[[-10.0, -10.0, -20.0], [10.0, 10.0, 0.0]]]);
    for (height, expected) in [(0.25, true), (0.251, false), (-15.0, true), (-20.3, false)] {
        assert_eq!(touches(&with, [0.0, 0.0, height], &mut scratch), expected, "{height}");
    }
    // The reach is a length to every side.
    assert!(touches(&with, [10.2, 0.0, 0.0], &mut scratch));
    assert!(!touches(&with, [10.3, 0.0, 0.0], &mut scratch));
}

#[test]
fn a_plane_at_any_pose_is_the_upper_face_of_its_cube() {
    let (mut random, mut scratch) = (Random(59), SelfQueryScratch::default());
    let mut sides = [0; 2];
    for _ in 0..40 {
        let turn = Vector3::from([0; 3].map(|_| random.between(-2.0, 2.0)));
        let at = Vector3::from([0; 3].map(|_| random.between(-3.0, 3.0)));
        let pose = Isometry3::new(at, turn);
        let (axis, angle) = UnitQuaternion::new(turn).axis_angle().expect("an angle");
        let plane = format!(
            "pos='{} {} {}' axisangle='{} {} {} {}'",
            at.x, at.y, at.z, axis.x, axis.y, axis.z, angle
        );
        let robot = read(&file(&plane, ""), &double::Loader::new().planes(40.0)).expect("a robot");
        for _ in 0..cases(50) {
            let on_plane = Point3::new(random.between(-5.0, 5.0), random.between(-5.0, 5.0), 0.0);
            let height = 0.25 + random.between(-1e-6, 1e-6);
            if (height - 0.25).abs() < 1e-9 {
                continue;
            }
            let centre = pose * (on_plane + Vector3::z() * height);
            let expected = height < 0.25;
            assert_eq!(touches(&robot, centre.coords.into(), &mut scratch), expected, "{plane}");
            sides[usize::from(expected)] += 1;
        }
    }
    assert!(sides[0] > 500 && sides[1] > 500, "{sides:?}");
}

#[test]
fn masks_and_other_shapes_of_the_world_count_for_planes_too() {
    let mut scratch = SelfQueryScratch::default();
    let loader = double::Loader::new().planes(5.0);
    // Masks of the plane: it does not touch the ball.
    let masked = read(&file("contype='2' conaffinity='2'", ""), &loader).expect("a robot");
    assert!(!touches(&masked, [0.0, 0.0, 0.0], &mut scratch));
    let beside = "<geom type='box' pos='0 0 2' size='1 1 .1'/><geom type='capsule' pos='3 0 2' size='.1 .2'/>";
    let robot = read(&file("", beside), &loader).expect("a robot");
    for (at, expected) in [
        ([0.0, 0.0, 0.2], true),
        ([0.0, 0.0, 1.0], false),
        ([0.5, 0.0, 1.7], true),
        ([3.0, 0.0, 2.0], true),
        ([2.0, 0.0, 1.9], false),
    ] {
        assert_eq!(touches(&robot, at, &mut scratch), expected, "{at:?}");
    }
    // Single precision: the plane is where the file says, to its own rounding.
    let folder = Folder::new();
    let path = folder.write("plane.xml", file("pos='0 0 .1'", ""));
    let robot: Robot<f32> = Loader::new().planes(1000.0).mjcf(&path).expect("a robot");
    let tree = robot.model.parts()[0].tree().expect("the world");
    let Geometry::Convex(shapes) = tree.geometry() else { panic!("{:?}", tree.geometry()) };
    assert_eq!(shapes[0].aabb().max.z, 0.1);
    let baked = robot.bake().expect("bytes");
    let again: Robot<f32> = Loader::new().baked_robot_bytes(&baked).expect("a robot");
    assert_eq!(again.model.fingerprint(), robot.model.fingerprint());
}

#[test]
fn lengths_not_above_zero_are_refused_and_height_fields_are_left_out() {
    for reach in [0.0, -1.0] {
        let refused = read(&file("", ""), &double::Loader::new().planes(reach));
        let expected = Error::NotPositive { field: "reach of planes", index: 0 };
        assert_eq!(refused.err(), Some(expected));
    }
    for reach in [f64::NAN, f64::INFINITY] {
        let refused = read(&file("", ""), &double::Loader::new().planes(reach));
        assert_eq!(refused.err(), Some(Error::NotFinite { field: "reach of planes", index: 0 }));
    }
    let hill = "<geom name='hill' type='hfield' hfield='h'/>";
    let robot = read(&file("", hill), &double::Loader::new().planes(1.0)).expect("a robot");
    let unread = Warning::Unread { element: "hfield".into(), name: "hill".into() };
    assert_eq!(robot.warnings, [unread]);
    let said = robot.warnings[0].to_string();
    assert_eq!(said, "<hfield> 'hill': it is not supported and is left out");
}
