//! Pieces: the pairs that MuJoCo tests. Expected pairs are from MuJoCo 4.0.0.

use boxwood::f64::Loader;
use boxwood::load::Warning;

use super::probe::{load, load_files_with, tested};

fn body(name: &str, inside: &str) -> String {
    format!("<body name='{name}'>{inside}<geom size='1'/></body>").replace("> <", "><")
}

fn pairs(list: &[(&str, &str)]) -> Vec<[String; 2]> {
    list.iter().map(|&(a, b)| [a.to_owned(), b.to_owned()]).collect()
}

#[test]
fn a_body_without_a_joint_belongs_to_its_parents_piece() {
    // t moves relative to s, which is fixed to the world; u is fixed to t, v moves relative to u.
    let v = body("v", "<joint/>");
    let t = body("t", &format!("<joint/>{}", body("u", &v)));
    let world = format!("<geom type='box' size='1 1 1'/>{}", body("s", &t));
    let robot = load("", &world).expect("a robot");
    let expected =
        [("world", "t"), ("world", "u"), ("world", "v"), ("s", "t"), ("s", "u"), ("s", "v")];
    assert_eq!(tested(&robot), pairs(&expected));
    // Without the parent filter, moving bodies are tested.
    let flag = "<option><flag filterparent='disable'/></option>";
    let robot = load(flag, &world).expect("a robot");
    assert_eq!(tested(&robot), pairs(&[&expected[..], &[("t", "v"), ("u", "v")]].concat()));
    let text = format!("<mujoco>{flag}<worldbody>{world}</worldbody></mujoco>");
    let loader = Loader::new().ignore_neighbours(1);
    let robot = load_files_with(&loader, &[("main.xml", &text)]).expect("a robot");
    assert_eq!(tested(&robot), pairs(&expected));
}

#[test]
fn flags_that_disable_contacts_are_named_and_change_no_pair() {
    // b moves relative to a, c to b: a and c are tested, and b with neither.
    let world = body("a", &body("b", &format!("<joint/>{}", body("c", "<joint/>"))));
    let disabled = |flag: &str| Warning::ContactsDisabled { flag: flag.into() };
    for (flags, expected) in [
        ("", vec![]),
        ("contact='enable'", vec![]),
        ("contact='disable'", vec![disabled("contact")]),
        ("constraint='disable'", vec![disabled("constraint")]),
        (
            "constraint='disable' contact='disable'",
            vec![disabled("contact"), disabled("constraint")],
        ),
        ("limit='disable' equality='disable'", vec![]),
    ] {
        let option = format!("<option><flag {flags}/></option>");
        let robot = load(&option, &world).expect("a robot");
        assert_eq!(robot.warnings, expected, "{flags}");
        assert_eq!(tested(&robot), pairs(&[("a", "b"), ("a", "c")]), "{flags}");
    }
    // The last of several sections counts.
    let twice =
        "<option><flag contact='disable'/></option><option><flag contact='enable'/></option>";
    assert_eq!(load(twice, &world).expect("a robot").warnings, []);
    let error = load("<option><flag contact='off'/></option>", &world).expect_err("a word");
    assert!(error.contains("contact=\"off\" is not one of: enable, disable"), "{error}");
    assert_eq!(
        disabled("contact").to_string(),
        "<flag contact=\"disable\">: MuJoCo's simulation makes no contacts with it; pairs are \
         tested nevertheless"
    );
}

#[test]
fn mocap_bodies_are_static_pieces() {
    let m = format!("{}{}", body("c", ""), body("mj", "<joint/>"));
    let m = body("m", &m).replace("name='m'", "name='m' mocap='true'");
    let n = body("n", "").replace("name='n'", "name='n' mocap='true'");
    let s = body("s", &body("sj", "<joint/>"));
    let world = format!("<geom type='box' size='1 1 1'/>{m}{n}{s}");
    let robot = load("", &world).expect("a robot");
    // A child of a mocap body is not tested against it, a child of the world is.
    let expected = [
        ("world", "mj"),
        ("world", "sj"),
        ("m", "sj"),
        ("c", "sj"),
        ("mj", "n"),
        ("mj", "s"),
        ("mj", "sj"),
        ("n", "sj"),
        ("s", "sj"),
    ];
    assert_eq!(tested(&robot), pairs(&expected));
    let mocap = |body: &str| Warning::MocapBody { body: body.into() };
    assert_eq!(robot.warnings, [mocap("m"), mocap("n")]);
    let error = load("", "<body><body mocap='true'><geom size='1'/></body></body>");
    assert!(error.expect_err("deep").contains("a mocap body must be an outermost body"));
}

#[test]
fn a_free_root_is_set_by_the_caller_and_other_free_bodies_are_fixed() {
    let hand = body("hand", "<joint/>");
    let free = |name: &str| body(name, &format!("<freejoint name='{name}_free'/>{hand}"));
    let robot = load("", &free("a")).expect("a robot");
    assert_eq!(robot.warnings, []);
    let typed = "<default><joint type='free'/></default>";
    let robot = load(typed, &body("a", "<joint/>")).expect("a robot");
    assert_eq!((robot.warnings.len(), robot.mechanism.actuators().len()), (0, 0));
    // With other roots, or shapes of the world, it stays at its pose in the file.
    let fixed = |joint: &str| Warning::FixedJoint { joint: joint.into() };
    let floor = "<geom type='box' size='9 9 1'/>";
    let robot = load("", &format!("{floor}{}", free("a"))).expect("a robot");
    assert_eq!(robot.warnings, [fixed("a_free")]);
    assert!(tested(&robot).contains(&["world".to_owned(), "a".to_owned()]));
    let two =
        format!("{}{}", body("a", "<freejoint name='x'/>"), body("b", "<freejoint name='y'/>"));
    let robot = load("", &two).expect("a robot");
    assert_eq!(robot.warnings, [fixed("x"), fixed("y")]);
    assert_eq!(tested(&robot), pairs(&[("a", "b")]));
}

#[test]
fn the_world_may_be_excluded() {
    let floor = "<geom type='box' size='9 9 1'/>";
    let world = format!("{floor}{}{}", body("a", "<joint/>"), body("b", "<joint/>"));
    let exclude = "<contact><exclude body1='world' body2='a'/></contact>";
    let robot = load(exclude, &world).expect("a robot");
    assert_eq!(tested(&robot), pairs(&[("world", "b"), ("a", "b")]));
    assert_eq!(robot.warnings, []);
    // Without shapes it has no link, and there is nothing to exclude.
    let robot = load(exclude, &body("a", "<joint/>")).expect("a robot");
    assert_eq!(robot.warnings, []);
}
