//! Joint limits without effect: missing, infinite, or larger than any joint.

use boxwood::load::{Loader, Warning};

use super::small::{collision, joint, link, robot};

fn limits(kind: &str, limit: &str) -> Result<Option<[f64; 2]>, String> {
    let cube = collision("", "<box size='1 1 1'/>");
    let links = link("a", &cube) + &link("b", &cube);
    let text = robot(&(links + &joint("j", kind, ["a", "b"], limit)));
    let robot = Loader::<f64>::new().urdf_bytes(text.as_bytes());
    robot.map(|robot| robot.mechanism.actuators()[0].limits).map_err(|error| error.to_string())
}

#[test]
fn huge_limits_are_no_limits() {
    for limit in [
        "",
        "<limit lower='-1e16' upper='1e16' effort='1' velocity='1'/>",
        "<limit lower='-inf' upper='inf'/>",
        "<limit lower='-1e15' upper='1e+300'/>",
        "<limit lower='-1e999' upper='1e999'/>",
    ] {
        assert_eq!(limits("revolute", limit), Ok(None), "{limit}");
        assert_eq!(limits("prismatic", limit), Ok(None), "{limit}");
    }
    let wide = "<limit lower='-1e14' upper='1e14'/>";
    assert_eq!(limits("revolute", wide), Ok(Some([-1e14, 1e14])));
    // One end is a limit.
    assert_eq!(limits("revolute", "<limit lower='-0.5' upper='inf'/>"), Ok(Some([-0.5, 1e15])));
    assert_eq!(limits("prismatic", "<limit upper='2' lower='-1e17'/>"), Ok(Some([-1e15, 2.0])));
    assert_eq!(limits("continuous", "<limit lower='-0.5' upper='inf'/>"), Ok(None));
}

#[test]
fn joints_without_the_limit_they_need_are_unlimited_and_named() {
    let cube = collision("", "<box size='1 1 1'/>");
    let no_limits = |joint: &str| Warning::NoLimits { joint: joint.into() };
    // For each kind: the limit element, and `true` if the joint is reported.
    for (kind, limit, expected) in [
        ("revolute", "", vec![no_limits("j")]),
        ("prismatic", "", vec![no_limits("j")]),
        ("continuous", "", vec![]),
        ("fixed", "", vec![]),
        ("revolute", "<limit lower='-1' upper='1'/>", vec![]),
        ("prismatic", "<limit lower='-1' upper='1'/>", vec![]),
        // Both ends are 0 without the attributes, and a huge range is explicit.
        ("revolute", "<limit effort='1' velocity='1'/>", vec![]),
        ("revolute", "<limit lower='-inf' upper='inf'/>", vec![]),
    ] {
        let links = link("a", &cube) + &link("b", &cube);
        let text = robot(&(links + &joint("j", kind, ["a", "b"], limit)));
        let robot = Loader::<f64>::new().urdf_bytes(text.as_bytes()).expect("a robot");
        assert_eq!(robot.warnings, expected, "{kind} {limit}");
        let unlimited = robot.mechanism.actuators().first().map(|own| own.limits.is_none());
        let stated = limit.contains("1'") || limit.contains("effort");
        assert_eq!(unlimited, (kind != "fixed").then_some(!stated), "{kind} {limit}");
    }
    let said = no_limits("j").to_string();
    assert_eq!(
        said,
        "joint 'j': it has no <limit>, which its type requires; every value is allowed"
    );
}

#[test]
fn joints_that_mimic_need_no_limit_of_their_own() {
    let cube = collision("", "<box size='1 1 1'/>");
    let links = ["a", "b", "c"].map(|name| link(name, &cube)).concat();
    let leader = |limit: &str| joint("leader", "revolute", ["a", "b"], limit);
    let follower = joint("follower", "revolute", ["b", "c"], "<mimic joint='leader'/>");
    let warnings = |leader: String| {
        let text = robot(&(links.clone() + &leader + &follower));
        Loader::<f64>::new().urdf_bytes(text.as_bytes()).expect("a robot").warnings
    };
    assert_eq!(warnings(leader("<limit lower='-1' upper='1'/>")), []);
    assert_eq!(warnings(leader("")), [Warning::NoLimits { joint: "leader".into() }]);
}

#[test]
fn non_numeric_limits_are_refused() {
    for (limit, expected) in [
        ("<limit lower='nan' upper='1'/>", "<limit>: lower=\"nan\" is not a number"),
        ("<limit lower='0' upper='1 2'/>", "<limit>: upper=\"1 2\" is not a number"),
        ("<limit lower='inf' upper='1'/>", "is above the upper limit 1"),
    ] {
        let said = limits("revolute", limit).expect_err("refused");
        assert!(said.contains("joint 'j': line") && said.contains(expected), "{said}");
    }
}
