//! DAE files: strips, fans, holes, skins, deep nodes, omitted elements.

use boxwood::f64::{Loader, Mesh};
use boxwood::load::Warning;

use super::small::{DAE, collision, link, robot};
use support::data::data;
use support::folder::Folder;

/// Loads the mesh of the one link of a robot, and the warnings.
fn loaded(path: impl AsRef<std::path::Path>) -> Result<(Mesh, Vec<Warning>), boxwood::Error> {
    let robot = Loader::new().urdf(path)?;
    let tree = robot.model.parts()[0].tree().expect("triangles");
    Ok((tree.geometry().mesh().expect("a mesh").clone(), robot.warnings))
}

fn dae(text: &str) -> Result<(Mesh, Vec<Warning>), boxwood::Error> {
    let folder = Folder::new();
    folder.write("t.dae", text);
    loaded(folder.write("t.urdf", robot(&link("a", &collision("", "<mesh filename='t.dae'/>")))))
}

/// Returns a document of one geometry with those positions and faces, instantiated by a node.
fn document(positions: &str, faces: &str, libraries: &str, node: &str) -> String {
    let count = positions.split_whitespace().count();
    format!(
        r##"<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<library_geometries><geometry id="g"><mesh><source id="p"><float_array count="{count}">{positions}</float_array>
<technique_common><accessor count="{}" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>{faces}</mesh></geometry></library_geometries>{libraries}
<library_visual_scenes><visual_scene id="s">{node}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"##,
        count / 3
    )
}

const CUBE: &str = "-0.5 -0.5 -0.5 0.5 -0.5 -0.5 0.5 0.5 -0.5 -0.5 0.5 -0.5 \
    -0.5 -0.5 0.5 0.5 -0.5 0.5 0.5 0.5 0.5 -0.5 0.5 0.5";
const INPUT: &str = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
const SIDES: [&str; 6] = ["3 2 1 0", "4 5 6 7", "0 1 5 4", "1 2 6 5", "2 3 7 6", "3 0 4 7"];

fn lists(kind: &str, lists: impl IntoIterator<Item = String>) -> String {
    let lists: String = lists.into_iter().map(|list| format!("<p>{list}</p>")).collect();
    format!("<{kind}>{INPUT}{lists}</{kind}>")
}

fn sides() -> String {
    lists("polygons", SIDES.map(str::to_owned))
}

const NODE: &str = r##"<node><instance_geometry url="#g"/></node>"##;

fn check(text: &str, volume: f64) {
    let (mesh, warnings) = dae(text).expect("a mesh");
    assert_eq!(warnings, []);
    assert!(mesh.open_edges().is_empty());
    assert!((mesh.volume() - volume).abs() < 1e-9, "{}", mesh.volume());
}

#[test]
fn shared_dae_files_have_their_stated_geometry() {
    let Some(data) = data() else { return };
    for (name, volume) in [("strips.urdf", 1.0), ("concave_u.urdf", 5.0)] {
        let (mesh, warnings) = loaded(data.join("bugs").join(name)).expect("a robot");
        assert_eq!(warnings, []);
        assert!(mesh.open_edges().is_empty());
        assert!((mesh.volume() - volume).abs() < 1e-12, "{name}: {}", mesh.volume());
    }
}

#[test]
fn strips_fans_and_polygons_make_the_same_cube() {
    check(&document(CUBE, &sides(), "", NODE), 1.0);
    check(&document(CUBE, &lists("trifans", SIDES.map(str::to_owned)), "", NODE), 1.0);
    let strip = |side: &str| {
        let corners: Vec<&str> = side.split(' ').collect();
        format!("{} {} {} {}", corners[0], corners[1], corners[3], corners[2])
    };
    check(&document(CUBE, &lists("tristrips", SIDES.map(strip)), "", NODE), 1.0);
    // Comments within numbers and indices.
    let commented = document(CUBE, &sides(), "", NODE)
        .replace("0.5 -0.5 -0.5 0.5 0.5", "0.5 -0.5 <!-- x --> -0.5 0.5 0.5")
        .replace("<p>4 5 6 7", "<p>4 5<!-- 9 --> 6 7");
    check(&commented, 1.0);
    let offset = document(&format!("9 {CUBE}"), &sides(), "", NODE);
    check(&offset.replace("stride=\"3\"", "stride=\"3\" offset=\"1\""), 1.0);
}

#[test]
fn holes_are_open() {
    // A frame of 3 by 3 by 1 with a hole of 1 by 1, its lids as polygons with holes.
    let ring = [[0, 0], [3, 0], [3, 3], [0, 3], [1, 1], [2, 1], [2, 2], [1, 2]];
    let places: Vec<String> =
        (0..2).flat_map(|z| ring.map(|[x, y]| format!("{x} {y} {z}"))).collect();
    let mut faces = format!(
        "<polygons>{INPUT}<ph><p>3 2 1 0</p><h>7 6 5 4</h></ph>\
         <ph><p>8 9 10 11</p><h>12 13 14 15</h></ph>"
    );
    for i in 0..4 {
        let j = (i + 1) % 4;
        faces += &format!("<p>{i} {j} {} {}</p>", j + 8, i + 8);
        faces += &format!("<p>{} {} {} {}</p>", j + 4, i + 4, i + 12, j + 12);
    }
    check(&document(&places.join(" "), &(faces + "</polygons>"), "", NODE), 8.0);
}

#[test]
fn deep_nodes_and_several_scenes_are_read() {
    let deep = format!("{}{}{}", "<node>".repeat(400), NODE, "</node>".repeat(400));
    check(&document(CUBE, &sides(), "", &deep), 1.0);
    let two = document(CUBE, &sides(), "", NODE).replace(
        "</visual_scene>",
        &format!(
            "</visual_scene><visual_scene id=\"t\"><node><translate>5 0 0</translate>{NODE}</node>\
             </visual_scene>"
        ),
    );
    let two = two.replace(
        "<instance_visual_scene url=\"#s\"/>",
        "<instance_visual_scene url=\"#s\"/><instance_visual_scene url=\"#t\"/>",
    );
    check(&two, 2.0);
    let far = document(CUBE, &sides(), "", NODE).replace("url=\"#g\"", "url=\"other.dae#g\"");
    let said = dae(&far).expect_err("another file").to_string();
    assert!(said.contains("'other.dae#g' is in another file, which is not read"), "{said}");
}

#[test]
fn skins_are_read_in_their_bind_pose() {
    let library = r##"<library_controllers><controller id="c"><skin source="#m">
        <bind_shape_matrix>2 0 0 7  0 2 0 0  0 0 2 0  0 0 0 1</bind_shape_matrix></skin></controller>
        <controller id="m"><morph source="#g"/></controller></library_controllers>"##;
    let node = r##"<node><translate>50 0 0</translate><instance_controller url="#c"/></node>"##;
    let (mesh, warnings) = dae(&document(CUBE, &sides(), library, node)).expect("a mesh");
    assert!((mesh.volume() - 8.0).abs() < 1e-12);
    let low = mesh.vertices().iter().map(|vertex| vertex.x).fold(f64::INFINITY, f64::min);
    assert!((low - 6.0).abs() < 1e-12, "{low}");
    assert_eq!(warnings.len(), 1);
    let circle = library.replace("source=\"#g\"", "source=\"#c\"");
    let said = dae(&document(CUBE, &sides(), &circle, node)).expect_err("a circle").to_string();
    assert!(said.contains("its controllers form a cycle"), "{said}");
}

#[test]
fn omitted_elements_of_dae_files_are_counted() {
    let faces = sides()
        + &lists("lines", ["0 1".to_owned()])
        + &lists("linestrips", ["0 1 2".to_owned()])
        + &lists("polygons", ["0 1".to_owned()])
        + &lists("triangles", ["0".to_owned()]);
    let (mesh, warnings) = dae(&document(CUBE, &faces, "", NODE)).expect("a mesh");
    assert!((mesh.volume() - 1.0).abs() < 1e-12);
    let said: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "'t.dae': lines (<lines>) are left out, 1 in total",
            "'t.dae': lines (<linestrips>) are left out, 1 in total",
            "'t.dae': faces of fewer than three corners are left out, 1 in total",
            "'t.dae': indices after the last face are left out, 1 in total",
        ]
    );
    assert!(dae(DAE).expect("a mesh").1.is_empty());
}
