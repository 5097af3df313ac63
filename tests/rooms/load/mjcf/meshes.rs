//! Mesh shapes: hulls, triangles, and primitives fitted to meshes.

use boxwood::f64::{Geometry, Loader};
use boxwood::load::{LinkShapes, Robot};

use super::probe::{assert_close, bounds, load, load_files, load_files_with, volumes};
use support::refusals::refuses_replacements;

/// A tetrahedron with three right angles at the origin, legs 1, 2 and 0.5.
const TETRAHEDRON: &str =
    "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 .5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
/// A prism over a U, volume 5 of a hull of 6.
const NOTCH: &str = "v 0 0 0\nv 3 0 0\nv 3 2 0\nv 2 2 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n\
    v 0 0 1\nv 3 0 1\nv 3 2 1\nv 2 2 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n\
    f 1 2 10 9\nf 2 3 11 10\nf 3 4 12 11\nf 4 5 13 12\nf 5 6 14 13\nf 6 7 15 14\nf 7 8 16 15\n\
    f 8 1 9 16\nf 9 10 13\nf 9 13 14\nf 10 11 12\nf 10 12 13\nf 9 14 16\nf 14 15 16\n\
    f 1 5 2\nf 1 6 5\nf 2 4 3\nf 2 5 4\nf 1 8 6\nf 6 8 7\n";

fn shape(asset: &str, geom: &str, obj: &str) -> Result<Robot<f64>, String> {
    let text = format!(
        "<mujoco><asset><mesh name='m' file='m.obj' {asset}/></asset><worldbody><body name='a'>\
         <geom mesh='m' {geom}/></body></worldbody></mujoco>"
    );
    load_files(&[("main.xml", &text), ("m.obj", obj)])
}

#[test]
fn meshes_are_moved_rotated_and_scaled_in_that_order() {
    let robot = shape("", "type='mesh' pos='1 0 0'", TETRAHEDRON).expect("a robot");
    assert_close(bounds(&robot, "a")[0], [[1.0, 0.0, 0.0], [2.0, 2.0, 0.5]]);
    assert!((volumes(&robot, "a")[0] - 1.0 / 6.0).abs() < 1e-12);
    // Moved by -refpos, rotated back by a quarter turn about z (x to -y), then scaled; one factor
    // mirrors.
    let asset = "refpos='1 0 0' refquat='1 0 0 1' scale='2 3 -4'";
    let robot = shape(asset, "type='mesh'", TETRAHEDRON).expect("a robot");
    assert_close(bounds(&robot, "a")[0], [[0.0, 0.0, -2.0], [4.0, 3.0, 0.0]]);
    assert!((volumes(&robot, "a")[0] - 4.0).abs() < 1e-9);
    // The scale of a default.
    let text = "<mujoco><default><mesh scale='2 2 2'/></default><asset><mesh file='m.obj'/></asset>\
        <worldbody><body name='a'><geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
    let robot = load_files(&[("main.xml", text), ("m.obj", TETRAHEDRON)]).expect("a robot");
    assert!((volumes(&robot, "a")[0] - 8.0 / 6.0).abs() < 1e-12);
}

#[test]
fn any_content_type_is_read_or_refused() {
    for accepted in ["obj", "model/obj", "OBJ", "model/OBJ"] {
        let robot = shape(&format!("content_type='{accepted}'"), "type='mesh'", TETRAHEDRON);
        assert!((volumes(&robot.expect(accepted), "a")[0] - 1.0 / 6.0).abs() < 1e-12);
    }
    // Text with separators and dots, empty, and a long one.
    let long = "x".repeat(5_000);
    for refused in ["image/png", "a/b.obj", "/", "..", ".", "", "model/", "a\\b", "obj/", &long] {
        let said = shape(&format!("content_type='{refused}'"), "type='mesh'", TETRAHEDRON);
        let said = said.expect_err(refused);
        let kind = refused.trim_start_matches("model/");
        let expected = format!("mesh files of type '.{kind}' are not supported");
        assert!(said.contains(&expected), "{refused}: {said}");
    }
}

#[test]
fn copies_of_a_mesh_count_towards_the_limit() {
    let load = |count: usize| {
        let text = format!(
            "<mujoco><asset><mesh file='m.obj'/></asset><worldbody><body name='a'>\
             <replicate count='{count}' offset='3 0 0'><geom type='mesh' mesh='m'/></replicate>\
             </body></worldbody></mujoco>"
        );
        load_files(&[("main.xml", &text), ("m.obj", TETRAHEDRON)])
    };
    assert_eq!(volumes(&load(50).expect("a robot"), "a").len(), 50);
    // Four corners each.
    let said = load((1 << 16) + 1).expect_err("too many");
    let expected = "line 1: <geom>: more than 262144 corners of convex hulls";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn meshes_are_convex_hulls_unless_triangles_are_requested() {
    let robot = shape("", "type='mesh'", NOTCH).expect("a robot");
    assert!((volumes(&robot, "a")[0] - 6.0).abs() < 1e-12);
    let text = "<mujoco><asset><mesh file='m.obj'/></asset><worldbody><body name='a'>\
        <geom type='mesh' mesh='m'/><geom type='box' size='.5 .5 .5' pos='9 0 0'/>\
        <geom size='.5' pos='12 0 0'/></body></worldbody></mujoco>";
    let files = [("main.xml", text), ("m.obj", NOTCH)];
    let loader = Loader::new().convex_meshes(false);
    let robot = load_files_with(&loader, &files).expect("a robot");
    let geometry = robot.model.parts()[0].tree().expect("a tree").geometry();
    let Geometry::Solid(mesh) = geometry else { panic!("{geometry:?}") };
    let ball = std::f64::consts::PI / 6.0;
    let most = 6.0 + ball * 1.02_f64.powi(3);
    assert!(mesh.volume() > 6.0 + ball && mesh.volume() < most, "{}", mesh.volume());
    let robot = load_files_with(&loader.solid(false), &files).expect("a robot");
    let geometry = robot.model.parts()[0].tree().expect("a tree").geometry();
    assert!(matches!(geometry, Geometry::Surface(_)));
}

#[test]
fn meshes_may_be_inline() {
    let before = "<asset><mesh name='hull' vertex='0 0 0 1 0 0 0 1 0 0 0 1 .1 .1 .1'/>\
        <mesh name='faces' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 2 1 2 3'/></asset>";
    let world =
        "<body name='a'><geom type='mesh' mesh='hull'/><geom type='mesh' mesh='faces'/></body>";
    let robot = load(before, world).expect("a robot");
    assert!(volumes(&robot, "a").iter().all(|volume| (volume - 1.0 / 6.0).abs() < 1e-12));
    let rows = [
        (
            "face='0 2 1",
            "face='0 2 4",
            "<mesh>: face 0 (from 0) refers to a vertex past the last of 4",
        ),
        ("face='0 2 1", "face='0 2", "'face' needs three indices for each face"),
        ("face='0 2 1", "face='0 2 -1", "'face' is not a list of vertex indices"),
        ("1 .1 .1 .1'", "1 .1 .1'", "'vertex' needs three numbers for each vertex"),
        ("name='faces'", "name='hull'", "<mesh>: two meshes are called 'hull'"),
        ("vertex='0 0 0 1 0 0 0 1 0 0 0 1' ", "", "it has neither a file nor vertices"),
        ("<mesh name='faces'", "<mesh", "it has neither a name nor a file"),
        ("name='faces' ", "name='faces' scale='1 0 1' ", "the scale is zero"),
        (
            "name='faces' ",
            "name='faces' inertia='solid' ",
            "inertia=\"solid\" is not one of: convex",
        ),
        ("name='faces' ", "name='faces' refquat='0 0 0 0' ", "'refquat' has no length"),
        (
            "name='faces' vertex",
            "name='faces' builtin='sphere' v",
            "builtin meshes ('sphere') are not supported",
        ),
    ];
    refuses_replacements("main.xml", before, &rows, |before| load(before, world));
}

#[test]
fn legacy_files_of_meshes_are_read() {
    let header = [4_u32, 0, 0, 4].map(u32::to_le_bytes);
    let numbers: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 3.0];
    let faces: [u32; 12] = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
    let words = header.into_iter().chain(numbers.map(f32::to_le_bytes));
    let bytes: Vec<u8> = words.chain(faces.map(u32::to_le_bytes)).flatten().collect();
    let folder = support::folder::Folder::new();
    folder.write("m.msh", &bytes);
    let text = "<mujoco><asset><mesh file='m.msh'/></asset><worldbody><body name='a'>\
        <geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
    let robot = Loader::<'_>::new().mjcf(folder.write("main.xml", text)).expect("a robot");
    assert!((volumes(&robot, "a")[0] - 0.5).abs() < 1e-12);
    folder.write("m.msh", &bytes[1..]);
    let error = Loader::<'_>::new().mjcf(folder.path("main.xml")).expect_err("cut").to_string();
    assert!(error.contains("line 1: <mesh>: 'm.msh':"), "{error}");
    let text = text.replace("m.msh", "m.ply");
    folder.write("m.ply", "ply");
    let error = Loader::<'_>::new().mjcf(folder.write("ply.xml", text)).expect_err("ply");
    assert!(error.to_string().contains("mesh files of type '.ply' are not supported"), "{error}");
}

const BOX: &str = "fitaabb='true'";

/// Bounds of primitives fitted to the tetrahedron, from `geom_size`, `geom_pos` and `geom_quat` of
/// MuJoCo 4.0.0.
const FITTED: [(&str, &str, [[f64; 3]; 2]); 9] = [
    ("sphere", "", [[-0.1298350, 0.1201650, -0.2548350], [0.6298350, 0.8798350, 0.5048350]]),
    ("box", "", [[-0.2294476, -0.2406781, -0.1507454], [0.7294476, 1.2406781, 0.4007454]]),
    ("capsule", "", [[-0.0927582, -0.2847857, -0.1451232], [0.5927582, 1.2847857, 0.3951232]]),
    ("cylinder", "", [[-0.1110433, -0.2173134, -0.1529759], [0.6110433, 1.2173134, 0.4029759]]),
    ("ellipsoid", "", [[-0.0854102, -0.1708204, -0.0427051], [0.5854102, 1.1708204, 0.2927051]]),
    ("box", BOX, [[-0.5394739, -0.2234832, -0.4360147], [1.0532611, 2.1287940, 0.5122761]]),
    ("sphere", BOX, [[-0.8206135, -0.1248517, -1.0393764], [1.3344007, 2.0301625, 1.1156378]]),
    ("capsule", BOX, [[-0.3958286, -0.1123790, -0.5468395], [0.9096159, 2.0176898, 0.6231009]]),
    ("cylinder", BOX, [[-0.4946828, -0.2169548, -0.5859903], [1.0084700, 2.1222656, 0.6622517]]),
];

#[test]
fn primitives_are_fitted_by_moments_or_by_the_bounding_box() {
    for (kind, words, expected) in FITTED {
        let text = format!(
            "<mujoco><compiler {words}/><asset><mesh file='m.obj'/></asset><worldbody><body name='a'>\
             <geom type='{kind}' mesh='m' size='9 9 9'/></body></worldbody></mujoco>"
        );
        let robot = load_files(&[("main.xml", &text), ("m.obj", TETRAHEDRON)]).expect(kind);
        assert_close(bounds(&robot, "a")[0], expected);
    }
    let robot = shape("", "type='sphere' fitscale='2'", TETRAHEDRON).expect("a robot");
    let [least, most] = bounds(&robot, "a")[0];
    let [one_least, one_most] = FITTED[0].2;
    assert!(((most[0] - least[0]) - 2.0 * (one_most[0] - one_least[0])).abs() < 1e-6);
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    for (asset, geom, obj, said) in [
        ("", "type='box' fromto='0 0 0 1 0 0'", TETRAHEDRON, "both 'mesh' and 'fromto' are given"),
        (
            "inertia='exact'",
            "type='box'",
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
            "volume is too small",
        ),
        ("", "type='mesh'", "v 0 0 0\n", "line 1: <mesh>: 'm.obj':"),
    ] {
        let error = shape(asset, geom, obj).expect_err(geom);
        assert!(error.contains(said), "'{error}' should say '{said}'");
    }
}

#[test]
fn unused_collision_meshes_are_not_opened() {
    let text = "<mujoco><asset><mesh name='looks' file='absent.dae'/></asset><worldbody><body name='a'>\
        <geom type='mesh' mesh='looks' contype='0' conaffinity='0'/><geom size='.5'/></body>\
        <body name='b'><geom size='.25' contype='0' conaffinity='0'/></body></worldbody></mujoco>";
    let robot = load_files(&[("main.xml", text)]).expect("a robot");
    assert_close(bounds(&robot, "a")[0], [[-0.5; 3], [0.5; 3]]);
    assert!(bounds(&robot, "b").is_empty());
    // Unless they are requested.
    let loader = Loader::new().link_shapes(LinkShapes::Visual);
    let error = load_files_with(&loader, &[("main.xml", text)]).expect_err("absent");
    assert!(error.contains("'absent.dae': no such file"), "{error}");
    let loader = Loader::new().link_shapes(LinkShapes::CollisionOrVisual);
    let robot = load_files_with(&loader, &[("main.xml", text)]).expect("a robot");
    assert_close(bounds(&robot, "b")[0], [[-0.25; 3], [0.25; 3]]);
    assert_close(bounds(&robot, "a")[0], [[-0.5; 3], [0.5; 3]]);
}
