//! Files in xacro that were not expanded: refused by name.

use boxwood::load::{self, Loader};

use super::small::{collision, joint, link};
use support::data::data;

fn said(text: &str) -> Option<String> {
    Loader::<f32>::new().urdf_bytes(text.as_bytes()).err().map(|error| error.to_string())
}

#[test]
fn elements_of_xacro_are_refused_anywhere() {
    if let Some(data) = data() {
        let error = load::urdf(data.join("bugs/xacro_left.urdf")).expect_err("refused");
        let said = error.to_string();
        assert!(
            said.ends_with(
                "line 3: <xacro:macro> is not expanded; run `xacro FILE` and load what it prints"
            ),
            "{said}"
        );
    }
    let cube = collision("", "<box size='1 1 1'/>");
    let robot = |space: &str, inside: &str| {
        format!("<robot name='r' xmlns:x='{space}'>\n{}{inside}</robot>", link("a", &cube))
    };
    for space in
        ["http://www.ros.org/wiki/xacro", "http://wiki.ros.org/xacro", "http://ros.org/wiki/xacro"]
    {
        // Many expanded files still have the declaration.
        assert_eq!(said(&robot(space, "")), None);
        let told = said(&robot(space, "<gazebo>\n<x:if value='1'/></gazebo>")).expect("refused");
        assert!(told.contains("line 4: <xacro:if> is not expanded"), "{told}");
    }
    let unknown = said("<robot>\n<xacro:arm side='left'/></robot>").expect("refused");
    assert!(unknown.contains("line 2") && unknown.contains("xacro"), "{unknown}");
}

#[test]
fn expressions_are_refused_in_attributes_that_are_read() {
    let cube = collision("", "<box size='1 1 1'/>");
    let robot = |inside: &str| format!("<robot name='r'>\n{}{inside}</robot>", link("a", &cube));
    for (inside, expected) in [
        (link("${side}_b", ""), "line 3: <link>: name=\"${side}_b\" is not expanded"),
        (
            link("b", &collision("", "<sphere radius='$(arg radius)'/>")),
            "line 3: <sphere>: radius=\"$(arg radius)\" is not expanded",
        ),
        (
            link("b", "") + &joint("j", "fixed", ["a", "b"], "<origin xyz='0 0 ${h}'/>"),
            "line 4: <origin>: xyz=\"0 0 ${h}\" is not expanded",
        ),
    ] {
        let told = said(&robot(&inside)).expect("refused");
        assert!(told.contains(expected), "'{told}' should say '{expected}'");
    }
    // Irrelevant to a collision query.
    let harmless = "<gazebo><plugin filename='$(find x)/lib.so'/></gazebo><!-- ${a} -->";
    assert_eq!(said(&robot(harmless)), None);
}
