//! Collision groups of MJCF: `contype` and `conaffinity`, checked by MuJoCo's rule on the numbers
//! in the text.

use boxwood::load::{Loader, Robot, Warning};
use boxwood::{Accuracy, Buffers, CollisionGroups, Error, Hits, Model, PairQuery, Scene, Spawn};

use support::folder::Folder;
use support::prelude::*;

/// Bit masks to try: none, one and all bits, the first and the last, negative.
const WORDS: [&str; 9] = ["0", "1", "2", "3", "4", "-1", "2147483648", "-2147483648", "6"];

fn read(text: &str) -> Result<Robot<f32>, Error> {
    read_as(text, &Loader::new())
}

fn read_as(text: &str, options: &Loader<'_>) -> Result<Robot<f32>, Error> {
    options.mjcf(Folder::new().write("groups.xml", text))
}

/// Returns free bodies at one position, each with shapes of these masks.
fn robot(bodies: &[Vec<String>]) -> String {
    let body = |(index, geoms): (usize, &Vec<String>)| {
        let geoms = geoms.iter().map(|words| format!("<geom type='box' size='1 1 1' {words}/>"));
        format!("<body name='b{index}'><freejoint/>{}</body>", geoms.collect::<String>())
    };
    let bodies: String = bodies.iter().enumerate().map(body).collect();
    format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>")
}

fn words(contype: &str, conaffinity: &str) -> String {
    format!("contype='{contype}' conaffinity='{conaffinity}'")
}

/// Applies MuJoCo's rule to signed 32-bit numbers.
fn rule(a: [&str; 2], b: [&str; 2]) -> bool {
    let [a, b] = [a, b].map(|words| words.map(|word| word.parse::<i64>().expect("one") as i32));
    (a[0] & b[1]) != 0 || (b[0] & a[1]) != 0
}

fn touching(robot: &Robot<f32>) -> Vec<(String, String)> {
    let model: &Model = &robot.model;
    let mut scratch = boxwood::SelfQueryScratch::default();
    let poses = model.bind_poses();
    let pairs = model.self_pairs(&poses, Accuracy::Exact, &mut scratch).expect("poses");
    let name = |part: boxwood::PartId| model.parts()[part.index()].name().to_owned();
    pairs.iter().map(|&(a, b)| (name(a), name(b))).collect()
}

#[test]
fn bodies_touch_iff_the_rule_of_mujoco_accepts_them() {
    let mut random = Random(11);
    let mut counts = [0; 2];
    for _ in 0..60 {
        let mut word = || WORDS[random.below(WORDS.len())];
        let bits: Vec<[&str; 2]> = (0..7).map(|_| [word(), word()]).collect();
        let bodies: Vec<_> = bits.iter().map(|&[a, b]| vec![words(a, b)]).collect();
        let found = touching(&read(&robot(&bodies)).expect("a robot"));
        for b in 0..bits.len() {
            for a in 0..b {
                let expected = rule(bits[a], bits[b]);
                let pair = (format!("b{a}"), format!("b{b}"));
                assert_eq!(found.contains(&pair), expected, "{:?} {:?}", bits[a], bits[b]);
                counts[usize::from(expected)] += 1;
            }
        }
    }
    assert!(counts[0] > 300 && counts[1] > 300, "{counts:?}");
}

#[test]
fn two_robots_touch_iff_the_rule_of_mujoco_accepts_them() {
    for a in WORDS {
        for b in WORDS {
            let bits = [["2", a], [b, "4"]];
            let robots = bits.map(|[contype, conaffinity]| {
                read(&robot(&[vec![words(contype, conaffinity)]])).expect("a robot")
            });
            let mut scene = Scene::new();
            let keys = robots
                .map(|robot| scene.insert(&robot.model, Spawn::default()).expect("a character"));
            let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
            let query = PairQuery::between(keys[0], keys[1]);
            let found = scene.snapshot(&mut buffers).intersects(&query, hits.scratch());
            assert_eq!(found.expect("an answer"), rule(bits[0], bits[1]), "{bits:?}");
        }
    }
}

#[test]
fn masks_of_classes_and_defaults_are_read() {
    let text = "<mujoco><default><geom type='box' size='1 1 1' contype='2'/>\
        <default class='other'><geom conaffinity='2' contype='4'/></default></default><worldbody>\
        <body name='a'><freejoint/><geom/></body><body name='b' childclass='other'><freejoint/><geom/></body>\
        <body name='c'><freejoint/><geom class='other' conaffinity='8'/></body>\
        <body name='d'><freejoint/><geom conaffinity='0'/></body></worldbody></mujoco>";
    // a: 2 1, b: 4 2, c: 4 8, d: 2 0.
    let found = touching(&read(text).expect("a robot"));
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(found, [pair("a", "b"), pair("b", "d")]);
}

#[test]
fn files_without_contype_leave_groups_to_the_caller() {
    let plain = robot(&[vec![String::new()], vec![words("1", "1")], vec![words("0", "0")]]);
    let groups = |robot: &Robot<f32>| -> Vec<CollisionGroups> {
        robot.model.parts().iter().map(|part| part.groups()).collect()
    };
    assert_eq!(groups(&read(&plain).expect("a robot")), [CollisionGroups::ALL; 3]);
    let said = plain.replace("contype='1'", "contype='3'");
    let found = groups(&read(&said).expect("a robot"));
    assert!(
        found[0] != CollisionGroups::ALL
            && found[1] != CollisionGroups::ALL
            && found[2] == CollisionGroups::ALL
    );
    let options = Loader::new().groups(false);
    assert_eq!(groups(&read_as(&said, &options).expect("a robot")), [CollisionGroups::ALL; 3]);
}

#[test]
fn a_body_of_different_shapes_touches_bodies_accepted_by_any_shape() {
    let mixed = vec![words("1", "0"), words("0", "4"), words("0", "0")];
    let others = ["1", "2", "4"].map(|bit| vec![words(bit, "0"), words(bit, "0")]);
    let bodies = [vec![mixed], others.to_vec(), vec![vec![words("8", "1")]]].concat();
    let found = read(&robot(&bodies)).expect("a robot");
    // The second shape accepts bit 4; the first is accepted by shapes that accept bit 1.
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(touching(&found), [pair("b0", "b3"), pair("b0", "b4"), pair("b1", "b4")]);
    let said: Vec<String> = found.warnings.iter().map(ToString::to_string).collect();
    let mixed: Vec<_> = said.iter().filter(|said| said.contains("contype")).collect();
    assert_eq!(mixed.len(), 1, "{said:?}");
    assert!(mixed[0].starts_with("body 'b0': its shapes differ in contype or conaffinity"));
    assert!(found.warnings.contains(&Warning::MixedGroups { body: "b0".into() }));
}

#[test]
fn numbers_that_do_not_fit_32_bits_are_refused_by_line() {
    for wrong in ["1.5", "x", "", "4294967296", "-2147483649"] {
        let said = read(&robot(&[vec![words("1", wrong)]])).expect_err(wrong).to_string();
        let expected = format!("line 1: <geom>: conaffinity=\"{wrong}\" is not a 32-bit integer");
        assert!(said.contains(&expected), "{said}");
    }
}

#[test]
fn omitted_skins_are_warned_of() {
    let text = robot(&[vec![String::new()]]).replace(
        "<worldbody>",
        "<asset><skin name='old'/></asset><deformable><skin/><flex name='cloth'/></deformable>\
         <worldbody>",
    );
    let found = read(&text).expect("a robot");
    let said: Vec<String> = found.warnings.iter().map(ToString::to_string).collect();
    let expected = ["<skin> 'old':", "<skin> 'skin':", "<flex> 'cloth':"];
    for (said, expected) in said.iter().zip(expected) {
        assert_eq!(*said, format!("{expected} it is not supported and is left out"));
    }
    assert_eq!(said.len(), 3, "{said:?}");
}
