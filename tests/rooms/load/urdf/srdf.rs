//! SRDF files: default and enabled collisions, and disabled ones.

use boxwood::load::{Loader, Warning};

use super::pieces::tested;
use super::small::{collision, joint, link, robot};
use support::refusals::refuses_texts;

/// Returns a chain of four links with a joint each, and a flange fixed to the second.
fn arm() -> String {
    let cube = collision("", "<box size='1 1 1'/>");
    let links = ["a", "b", "c", "d", "flange"].map(|name| link(name, &cube)).concat();
    let joints = [["a", "b"], ["b", "c"], ["c", "d"]].map(|e| joint(e[1], "continuous", e, ""));
    robot(&(links + &joints.concat() + &joint("weld", "fixed", ["b", "flange"], "")))
}

/// Returns the tested pairs, joined by a dash, and the warnings.
fn with(elements: &str) -> (String, Vec<Warning>) {
    let srdf = format!("<robot name='r'>{elements}</robot>");
    let found = Loader::new().srdf_bytes(srdf).urdf_bytes(arm().as_bytes()).expect("a robot");
    let pairs: Vec<_> = tested(&found).iter().map(|pair| pair.join("-")).collect();
    (pairs.join(" "), found.warnings)
}

#[test]
fn defaults_then_enabled_then_disabled_pairs_apply_in_any_order() {
    assert_eq!(with("").0, "a-c a-d b-d d-flange");
    let no_default = "<disable_default_collisions link='d'/>";
    assert_eq!(with(no_default), ("a-c".to_owned(), vec![]));
    let enabled = "<enable_collisions link1='d' link2='a'/>";
    assert_eq!(with(&(enabled.to_owned() + no_default)).0, "a-c a-d");
    let disabled = "<disable_collisions link1='a' link2='d' reason='User'/>";
    assert_eq!(with(&(disabled.to_owned() + enabled + no_default)).0, "a-c");
    // Other than links with geometry, and two of them.
    let two = "<disable_default_collisions link='a'/><disable_default_collisions link='flange'/>";
    assert_eq!(with(two).0, "b-d");
}

#[test]
fn enabled_pairs_are_tested_between_parent_and_child_but_not_inside_a_piece() {
    let (found, warnings) = with("<enable_collisions link1='a' link2='b'/>");
    assert_eq!((found.as_str(), warnings), ("a-b a-c a-d b-d d-flange", vec![]));
    let (found, _) = with("<enable_collisions link1='flange' link2='c'/>");
    assert_eq!(found, "a-c a-d b-d c-flange d-flange");
    let (found, warnings) = with("<enable_collisions link1='flange' link2='b'/>");
    assert_eq!(found, "a-c a-d b-d d-flange");
    assert_eq!(warnings, [Warning::RigidPair { a: "flange".into(), b: "b".into() }]);
    let (_, warnings) = with("<enable_collisions link1='a' link2='a'/>");
    assert_eq!(warnings, [Warning::RigidPair { a: "a".into(), b: "a".into() }]);
}

#[test]
fn unknown_names_are_warned_of_in_every_element() {
    let (found, warnings) = with(
        "<disable_default_collisions link='tail'/><enable_collisions link1='a' link2='tail'/>\
         <disable_collisions link1='tail' link2='a'/>",
    );
    assert_eq!(found, "a-c a-d b-d d-flange");
    let pair = |a: &str, b: &str| Warning::StrayPair { a: a.into(), b: b.into() };
    let link = Warning::StrayLink { link: "tail".into() };
    assert_eq!(warnings, [link, pair("a", "tail"), pair("tail", "a")]);
    assert_eq!(warnings[0].to_string(), "link 'tail': the robot has no such link");
}

#[test]
fn errors_name_line_and_element() {
    let rows = [
        (
            "<robot>\n<disable_default_collisions/></robot>",
            "line 2: <disable_default_collisions>: 'link' is missing",
        ),
        (
            "<robot>\n\n<enable_collisions link1='a'/></robot>",
            "line 3: <enable_collisions>: 'link2' is missing",
        ),
        ("<sdf/>", "line 1: <sdf>: not an SRDF file: the root is not <robot>"),
        (
            "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'>\n<xacro:arm/></robot>",
            "line 2: <xacro:arm> is not expanded",
        ),
        (
            "<robot>\n<disable_collisions link1='${side}_a' link2='b'/></robot>",
            "line 2: <disable_collisions>: link1=\"${side}_a\" is not expanded",
        ),
    ];
    refuses_texts("bytes in memory", &rows, |srdf| {
        Loader::<f64>::new().srdf_bytes(srdf).urdf_bytes(arm().as_bytes())
    });
}
