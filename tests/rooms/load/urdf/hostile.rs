//! Hostile URDF, SRDF and mesh files: a robot or an error that names file and element, never a
//! panic.

use boxwood::Error;
use boxwood::load::{self, Loader};

use super::small::{DAE, OBJ, collision, joint, link, robot, stl};
use support::folder::Folder;
use support::refusals::{refuses_replacements, refuses_texts};

fn said(text: &str) -> String {
    let folder = Folder::new();
    match load::urdf(folder.write("bad.urdf", text)).map(|_| ()) {
        Err(Error::File { path, trouble }) => {
            assert!(path.ends_with("bad.urdf"));
            trouble
        }
        other => panic!("{other:?}: {text}"),
    }
}

#[test]
fn errors_of_urdf_name_the_element() {
    let two = link("a", "") + &link("b", "");
    let ab = ["a", "b"];
    let with = |inside: &str| robot(&(two.clone() + inside));
    let turns = |inside: &str| with(&joint("j", "revolute", ab, inside));
    let shape = |shape: &str| robot(&link("a", &collision("", shape)));
    let rows = [
        ("", "line 1: invalid XML"),
        ("<robot>\n<link name='a'></robot>", "line 2: invalid XML"),
        ("<!DOCTYPE x [<!ENTITY a 'aa'>]><robot/>", "invalid XML"),
        ("<sdf/>", "line 1: <sdf>: not a URDF file: the root is not <robot>"),
        ("<robot/>", "line 1: <robot>: there are no links"),
        ("<robot><link/></robot>", "line 1: <link>: 'name' is missing"),
        (&robot(&two), "line 4: <link>: both link 'a' and link 'b' have no parent"),
        (&robot(&(two.clone() + &two)), "line 5: <link>: two links are called 'a'"),
        (
            &with(&joint("j", "hinge", ab, "")),
            "joint 'j': line 5: <joint>: unknown joint type 'hinge'",
        ),
        (
            &with(&joint("j", "fixed", ["a", "c"], "")),
            "joint 'j': line 5: <child>: no link is called 'c'",
        ),
        (
            &with("<joint name='j' type='fixed'/>"),
            "joint 'j': line 5: <joint>: <parent> is missing",
        ),
        (
            &with(&(joint("j", "fixed", ab, "") + &joint("k", "fixed", ab, ""))),
            "line 6: <joint>: link 'b' is the child of two joints",
        ),
        (
            &with(&(joint("j", "fixed", ab, "") + &joint("k", "fixed", ["b", "a"], ""))),
            "line 5: <joint>: every link is the child of a joint: the joints form a cycle",
        ),
        (
            &robot(
                &(two.clone()
                    + &link("c", "")
                    + &joint("j", "fixed", ab, "")
                    + &joint("k", "fixed", ["c", "c"], "")),
            ),
            "line 5: <link>: link 'c' is its own ancestor",
        ),
        (&turns("<axis xyz='0 0 0'/>"), "<axis>: the axis has no length"),
        (&turns("<axis xyz='0 nan 0'/>"), "<axis>: xyz=\"0 nan 0\" is not 3 numbers"),
        (&turns("<axis xyz='0 one 0 1'/>"), "is not 3 numbers"),
        (&turns("<origin xyz='0 1e300 0'/>"), "is not 3 numbers"),
        (&turns("<origin rpy='inf 0 0'/>"), "<origin>: rpy=\"inf 0 0\" is not 3 numbers"),
        (&turns("<limit lower='2' upper='1'/>"), "the lower limit 2 is above the upper limit 1"),
        (&turns("<limit lower='x'/>"), "<limit>: lower=\"x\" is not a number"),
        (&turns("<mimic joint='k'/>"), "line 5: <joint>: joint 'j': no joint is called 'k'"),
        (
            &turns("<mimic joint='j'/>"),
            "joint 'j': the joint that it mimics is fixed, or mimics it in turn",
        ),
        (&shape(""), "link 'a': line 3: <geometry>: it is empty"),
        (&shape("<box size='1 1 1'/><sphere/>"), "<sphere>: <geometry> has more than one shape"),
        (&turns("<axis xyz='0 0 1'/><axis/>"), "<axis>: <joint> has more than one <axis>"),
        (&turns("<parent link='a'/>"), "<parent>: <joint> has more than one <parent>"),
        (&turns("<limit/><limit/>"), "<limit>: <joint> has more than one <limit>"),
        (&shape("<cone/>"), "unknown shape 'cone'"),
        (&shape("<box/>"), "<box>: the size is missing or negative"),
        (&shape("<box size='1 -1 1'/>"), "<box>: the size is missing or negative"),
        (&shape("<sphere radius='-1'/>"), "<sphere>: 'radius' is negative"),
        (&shape("<cylinder radius='1'/>"), "<cylinder>: 'length' is missing"),
        (&shape("<mesh/>"), "<mesh>: 'filename' is missing"),
        (&shape("<mesh filename='bad.urdf'/>"), "mesh files of type '.urdf' are not supported"),
        (
            &shape(&format!("<mesh filename='{}x.stl'/>", "a/".repeat(70))),
            "more than 64 folders deep",
        ),
    ];
    let folder = Folder::new();
    refuses_texts("bad.urdf", &rows, |text| load::urdf(folder.write("bad.urdf", text)));
}

#[test]
fn errors_of_meshes_name_the_line_and_its_text() {
    let folder = Folder::new();
    let forward = "o a\nf 1 2 3\nf 4 5 6\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\no b\nv 1 1 1\n";
    let rows = [
        ("v 1 0 0", "v 1 zero 0", "line 4: 'zero' is not a number: 'v 1 zero 0'"),
        ("v 1 0 0", "v 1 0", "line 4: a position needs three numbers, 2 found: 'v 1 0'"),
        ("v 1 0 0", "v 1 nan 0", "line 4: the coordinate NaN is not finite"),
        ("v 1 0 0", "v 1 -1e39 0", "line 4: the coordinate -1.00e39 is larger than 1e30"),
        ("v 1 0 0", "v 1 2e30 0", "line 4: the coordinate 2.00e30 is larger than 1e30"),
        ("f 1 2 4", "f 1 2 x", "line 9: 'x' is not the index of a corner: 'f 1 2 x'"),
        ("f 1 2 4", "f 1 2 5", "line 9: there is no vertex 5: the count is 4"),
        ("f 1 2 4", "f 1 0 4", "line 9: there is no vertex 0: 'f 1 0 4'"),
        ("f -3 -2 -1", "f -5 -2 -1", "line 10: there is no vertex -5: 'f -5 -2 -1'"),
        // Positions may follow the face that refers to them.
        (OBJ, forward, "line 3: there is no vertex 6: the count is 5"),
    ];
    refuses_replacements("t.obj", OBJ, &rows, |text| load::obj(folder.write("t.obj", text)));
    let rows = [
        ("vertex 0 2 0", "vertex 0 2 zero", "line 5: not three numbers: 'vertex 0 2 zero'"),
        ("vertex 0 2 0", "vertex 0 inf 0", "line 5: the coordinate inf is not finite"),
        ("vertex 0 2 0", "vertex 0 -2e30 0", "line 5: the coordinate -2.00e30 is larger than 1e30"),
        ("vertex 0 2 0\n", "", "line 6: the facet has 2 corners, not 3"),
        ("endsolid tetra\n", "", "line 29: the file ends inside a solid"),
    ];
    refuses_replacements("t.stl", &stl(), &rows, |text| load::stl(folder.write("t.stl", text)));
    // Refused alike if a robot refers to the mesh.
    folder.write("t.obj", OBJ.replacen("v 1 0 0", "v 1 nan 0", 1));
    let text = robot(&link("a", &collision("", "<mesh filename='t.obj'/>")));
    let said = load::urdf(folder.write("bad.urdf", text)).expect_err("no number").to_string();
    assert!(said.contains("'t.obj': line 4: the coordinate NaN is not finite"), "{said}");
}

#[test]
fn invalid_ignored_pairs_are_named_by_line() {
    let folder = Folder::new();
    let path = folder.write("r.urdf", robot(&link("a", "")));
    let rows = [
        (
            "<robot>\n<disable_collisions link1='a'/></robot>",
            "line 2: <disable_collisions>: 'link2' is",
        ),
        ("<robot>\n\n<a></robot>", "line 3: invalid XML"),
    ];
    refuses_texts("r.srdf", &rows, |text| {
        let loader: boxwood::Loader = Loader::new().srdf(folder.write("r.srdf", text));
        loader.urdf(&path)
    });
    let bytes = folder.write("bytes.urdf", b"<robot>\n\n\xff</robot>");
    let said = load::urdf(bytes).expect_err("no text").to_string();
    assert!(said.contains("line 3: the text is not UTF-8"), "{said}");
}

#[test]
fn errors_are_one_line_for_any_names() {
    let text = robot(&link("a&#10;b&#9;c", &collision("", "<mesh filename='no&#10;ne.stl'/>")));
    let folder = Folder::new();
    let said = load::urdf(folder.write("bad.urdf", text)).expect_err("refused").to_string();
    assert!(said.contains("link 'a b c'") && !said.contains(char::is_control), "{said:?}");
    // The XML reader quotes the unexpected character.
    let said = load::urdf(folder.write("bad.urdf", "<robot name='r'/\n>")).expect_err("refused");
    assert!(!said.to_string().contains(char::is_control), "{said:?}");
}

#[test]
fn long_chains_and_deep_nesting_are_refused() {
    let deep = 200_000;
    let text = format!("<robot>{}{}</robot>", "<a>".repeat(deep), "</a>".repeat(deep));
    assert_eq!(said(&text), "line 1: <robot>: there are no links");
    let many: String = (0..10_001).map(|i| format!("<link name='{i}'/>")).collect();
    assert!(said(&format!("<robot>{many}</robot>")).contains("more than the limit of 10000"));
    let (links, joints): (String, String) = (0..3000)
        .map(|i| {
            let mimic = format!("<mimic joint='j{}'/>", i + 1);
            let ends = [format!("{i}"), format!("{}", i + 1)];
            (link(&ends[0], ""), joint(&format!("j{i}"), "revolute", [&ends[0], &ends[1]], &mimic))
        })
        .unzip();
    assert!(
        said(&robot(&(links.clone() + &link("3000", "") + &joints)))
            .contains("the joint that it mimics")
    );
    let folder = Folder::new();
    let plain: String = (0..2999)
        .map(|i| joint(&format!("j{i}"), "fixed", [&i.to_string(), &(i + 1).to_string()], ""))
        .collect();
    let loader = Loader::<f32>::new().allow_empty(true);
    let chain = folder.write("chain.urdf", robot(&(links + &plain)));
    let chain = loader.urdf(chain).expect("a chain");
    assert_eq!(chain.model.len(), 3000);
}

#[test]
fn a_dae_nested_in_itself_is_refused() {
    let folder = Folder::new();
    let loops = DAE.replace("<node>", "<node id=\"n\"><instance_node url=\"#n\"/>");
    let wide = DAE
        .replace("<node>", &format!("<node id=\"n\">{}", "<instance_node url=\"#n\"/>".repeat(9)));
    let lost = DAE.replace("url=\"#g\"", "url=\"#h\"");
    let far = DAE.replace("1 2 3 0 3 2", "1 2 9 0 3 2");
    let short = DAE.replace("<vcount>3 3</vcount>", "<vcount>3 4</vcount>");
    let stride = DAE.replace("stride=\"3\"", "stride=\"0\"");
    for (text, expected) in [
        (loops, "one that contains itself"),
        (wide, "one that contains itself"),
        (lost, "no element has the id 'h'"),
        (far, "index 9 is past the end"),
        (short, "the list has too few indices"),
        (stride, "fewer than three numbers"),
        (DAE.replace("0 0 3<", "0 0 NaN<"), "the text is not a list of numbers"),
        (DAE.replace("<p>", "<q>").replace("</p>", "</q>"), "it has no triangles"),
    ] {
        folder.write("t.dae", text);
        let text = robot(&link("a", &collision("", "<mesh filename='t.dae'/>")));
        let said = load::urdf(folder.write("bad.urdf", text)).expect_err("refused").to_string();
        let named = said.contains("link 'a': line 3: <mesh>: 't.dae': ");
        assert!(named && said.contains(expected), "'{said}' should say '{expected}'");
    }
}
