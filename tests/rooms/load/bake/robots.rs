//! Baked robots: the same robot and the same answers, without any of its files.

use std::sync::Arc;

use boxwood::load::{Loader, Robot};
use boxwood::motion::Mechanism;
use boxwood::{Accuracy, Error};

use super::header::HEADER;

use support::prelude::*;

/// Every kind of joint, a mimic, limits and missing limits, a warning, an empty link.
const ROBOT: &str = r#"<robot name="r">
    <link name="base ✓"><collision><geometry><box size="1 2 3"/></geometry></collision></link>
    <link name="arm"><collision><origin xyz="1.5 0 0" rpy="0.1 0.2 0.3"/><geometry>
        <cylinder radius="0.3" length="2"/></geometry></collision></link>
    <link name="rail"><collision><geometry><sphere radius="0.4"/></geometry></collision></link>
    <link name="wheel"/>
    <link name="shown"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
    <joint name="turn" type="revolute"><parent link="base ✓"/><child link="arm"/>
        <origin xyz="0 0 1" rpy="0.3 -0.0 0.7"/><axis xyz="0 0.6 0.8"/>
        <limit lower="-1.5" upper="2.5" effort="0" velocity="0"/></joint>
    <joint name="slide" type="prismatic"><parent link="arm"/><child link="rail"/>
        <axis xyz="1 0 0"/><limit lower="0" upper="1" effort="0" velocity="0"/>
        <mimic joint="turn" multiplier="-0.5" offset="0.25"/></joint>
    <joint name="spin" type="continuous"><parent link="rail"/><child link="wheel"/>
        <axis xyz="0 0 1"/></joint>
    <joint name="glued" type="fixed"><parent link="rail"/><child link="shown"/></joint>
    </robot>"#;

fn robot<T: Scalar>() -> Robot<T> {
    let srdf = r#"<robot name="r"><disable_collisions link1="base ✓" link2="rail"/></robot>"#;
    Loader::new().srdf_bytes(srdf).urdf_bytes(ROBOT.as_bytes()).expect("a robot")
}

fn read<T: Scalar>(bytes: &[u8]) -> Result<Robot<T>, String> {
    Loader::new().baked_robot_bytes(bytes).map_err(|error| error.to_string())
}

/// Asserts equal debug output, where every number shows all its digits.
fn comes_back<T: Scalar>(made: &Robot<T>) {
    let bytes = made.bake().expect("bytes");
    let again = read::<T>(&bytes).expect("a robot");
    assert!(again.model == made.model && again.mechanism == made.mechanism);
    assert_eq!(format!("{:?}", again.mechanism), format!("{:?}", made.mechanism));
    assert_eq!(again.warnings, made.warnings);
    assert!(again.bake().expect("bytes") == bytes, "baked again, it is other bytes");
}

#[test]
fn robots_survive_baking_bit_for_bit() {
    let made = robot::<f32>();
    assert_eq!((made.model.len(), made.mechanism.actuators().len()), (5, 2));
    assert!(!made.warnings.is_empty());
    comes_back(&made);
    comes_back(&robot::<f64>());
    let careful = made.model.with_margins(0.1, &[("arm", "wheel", 0.3)]).expect("margins");
    let mut careful = Robot::new(careful, made.mechanism.clone());
    assert!(careful.warnings.is_empty());
    careful.warnings = made.warnings;
    comes_back(&careful);
}

#[test]
fn real_robots_survive_baking_with_the_same_answers() {
    let Some(data) = support::data::data() else { return };
    let panda = data.join("robots/panda");
    let loader = Loader::<f64>::new().srdf(panda.join("srdf/panda.srdf"));
    let made = loader.urdf(panda.join("urdf/panda.urdf")).expect("the panda");
    comes_back(&made);
    let again = read::<f64>(&made.bake().expect("bytes")).expect("a robot");
    let (mut random, mut scratch, mut touching) = (Random(7), Default::default(), 0);
    for _ in 0..200 {
        let (mut values, mut poses) = (Vec::<f64>::new(), [Vec::new(), Vec::new()]);
        made.mechanism.sample_values(|| random.share(), &mut values);
        made.mechanism.poses(&values, &mut poses[0]).expect("poses");
        again.mechanism.poses(&values, &mut poses[1]).expect("poses");
        assert_eq!(poses[0], poses[1]);
        let answers = [&made, &again].map(|robot| {
            let pairs = robot.model.self_pairs(&poses[0], Accuracy::Exact, &mut scratch);
            pairs.expect("an answer").to_vec()
        });
        assert_eq!(answers[0], answers[1]);
        touching += usize::from(!answers[0].is_empty());
    }
    assert!(touching > 0, "no sample touched");
}

#[test]
fn robots_and_characters_are_distinguished() {
    let robot = robot::<f32>();
    let bytes = robot.bake().expect("bytes");
    let character = super::all_geometry::small::<f32>(&boxwood::Build::fast());
    let other = character.bake().expect("bytes");
    let begins = "its first 8 bytes are different";
    assert!(read::<f32>(&other).expect_err("a character").contains(begins));
    let refused = Loader::<f32>::new().baked_bytes(&bytes).expect_err("a robot");
    assert!(refused.to_string().contains(begins), "{refused}");
    let wide = read::<f64>(&bytes).expect_err("of single precision");
    assert_eq!(wide, "bytes in memory: not a baked robot: its numbers have 4 bytes, 8 expected");
}

#[test]
fn robots_of_other_versions_are_refused_with_a_cure() {
    let bytes = robot::<f32>().bake().expect("bytes");
    for (at, name) in [(8, "format version"), (12, "answer version")] {
        let mut other = bytes.clone();
        other[at] ^= 1;
        let said = read::<f32>(&other).expect_err("of another version");
        assert!(said.contains(name) && said.contains("bake it again"), "{said}");
    }
}

#[test]
fn links_without_their_parts_are_neither_written_nor_read() {
    let made = robot::<f32>();
    let fewer = made.mechanism.links()[..4].to_vec();
    let actuators = made.mechanism.actuators().to_vec();
    let fewer = Arc::new(Mechanism::new(fewer, actuators.clone()).expect("a mechanism"));
    let refused = Robot::new(made.model.clone(), fewer).bake().expect_err("a part more");
    assert_eq!(refused, Error::WrongCount { field: "parts", expected: 4, found: 5 });
    let mut links = made.mechanism.links().to_vec();
    links[4].name = "other".into();
    let other = Arc::new(Mechanism::new(links, actuators).expect("a mechanism"));
    let refused = Robot::new(made.model, other).bake().expect_err("another name");
    let known = vec!["other".to_owned()];
    let kind = "link of that index";
    assert_eq!(refused, Error::UnknownName { kind, name: "shown".into(), known });
}

#[test]
fn damaged_robots_are_refused_or_sound() {
    let bytes = robot::<f32>().bake().expect("bytes");
    for end in (0..bytes.len()).step_by(7) {
        assert!(read::<f32>(&bytes[..end]).is_err(), "cut to {end}");
    }
    let (mut random, mut kept, mut refused) = (Random(1), 0, 0);
    for _ in 0..support::proof::cases(4_000) {
        // A fingerprint covers the model; the mechanism follows it.
        let mut body = bytes[HEADER..].to_vec();
        let from_end = random.below(800.min(body.len()));
        let at = body.len() - 1 - from_end;
        body[at] = random.bits() as u8;
        let mut sealed = super::header::sealed(&body, 4);
        sealed[..8].copy_from_slice(b"boxrobot");
        match read::<f32>(&sealed) {
            Ok(robot) => {
                kept += 1;
                let (mut poses, rest) = (Vec::<boxwood::Pose>::new(), robot.mechanism.rest());
                let rest: Vec<f32> = rest.iter().map(|&value| value as f32).collect();
                // Poses, or an error with the reason.
                let _ = robot.mechanism.poses_unlimited(&rest, &mut poses);
            }
            Err(_) => refused += 1,
        }
    }
    assert!(kept > 0 && refused > 0, "{kept} {refused}");
}
