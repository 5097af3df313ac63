//! Small URDF files made by the tests: legal but rare among real files.

use boxwood::Loader;
use boxwood::f64::{Model, SelfQueryScratch};
use boxwood::load::{self, LinkShapes, Resolver, Robot, Warning};
use boxwood::motion::JointKind;
use boxwood::pair::ConvexShape;
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Error};

use support::folder::Folder;
use support::prelude::*;

/// Tetrahedron with legs of 1, 2 and 3, in each of the formats.
pub const OBJ: &str = "mtllib missing.mtl\no tetra\nv 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nusemtl red\n\
    f 1 3 2\nf 1 2 4\nf -3 -2 -1\nf 1 4 3\n";

pub const DAE: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
 <asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
 <library_geometries><geometry id="g"><mesh>
  <source id="s"><float_array id="a" count="12">0 0 0 1 0 0 0 2 0 0 0 3</float_array>
   <technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
  <source id="n"><float_array id="b" count="3">0 0 1</float_array></source>
  <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
  <triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>
   <p>0 0 2 0 1 0 0 0 1 0 3 0</p></triangles>
  <polylist count="2"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 3</vcount><p>1 2 3 0 3 2</p></polylist>
 </mesh></geometry></library_geometries>
 <library_visual_scenes><visual_scene id="all"><node>
  <translate>5 0 0</translate><rotate>0 0 1 90</rotate><scale>100 100 100</scale>
  <instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
 <scene><instance_visual_scene url="#all"/></scene>
</COLLADA>"##;

pub fn stl() -> String {
    let corners = ["0 0 0", "1 0 0", "0 2 0", "0 0 3"];
    let facet = |[a, b, c]: [usize; 3]| {
        let vertices = [a, b, c].map(|v| format!("vertex {}\n", corners[v])).concat();
        format!("facet normal 0 0 0\nouter loop\n{vertices}endloop\nendfacet\n")
    };
    let facets = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]].map(facet).concat();
    format!("solid tetra\n{facets}endsolid tetra\n")
}

pub fn robot(inside: &str) -> String {
    format!("<?xml version=\"1.0\"?>\n<robot name=\"r\">\n{inside}\n</robot>\n")
}

pub fn link(name: &str, shapes: &str) -> String {
    format!("<link name=\"{name}\">{shapes}</link>\n")
}

pub fn collision(origin: &str, shape: &str) -> String {
    format!("<collision><origin {origin}/><geometry>{shape}</geometry></collision>")
}

pub fn joint(name: &str, kind: &str, [parent, child]: [&str; 2], inside: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{inside}</joint>\n"
    )
}

/// Returns the loader with that SRDF file, if any.
fn with_srdf(
    loader: boxwood::f64::Loader<'_>,
    srdf: Option<std::path::PathBuf>,
) -> boxwood::f64::Loader<'_> {
    match srdf {
        Some(srdf) => loader.srdf(srdf),
        None => loader,
    }
}

fn read(folder: &Folder, text: &str, options: &boxwood::f64::Loader<'_>) -> Robot<f64> {
    options.urdf(folder.write("robot.urdf", text)).expect("a robot")
}

fn one_link(shapes: &str) -> Robot<f64> {
    read(&Folder::new(), &robot(&link("a", shapes)), &boxwood::f64::Loader::new())
}

fn geometry(model: &Model, part: usize) -> &Geometry<f64> {
    model.parts()[part].tree().expect("geometry").geometry()
}

#[test]
fn shapes_are_primitives_alone_and_triangles_among_meshes() {
    let two =
        collision("xyz='1 0 0'", "<box size='2 4 6'/>") + &collision("", "<box size='1 1 1'/>");
    let found = one_link(&two);
    let Geometry::Boxes(boxes) = geometry(&found.model, 0) else { panic!("boxes") };
    assert_eq!(boxes.len(), 2);
    assert_eq!(
        (boxes[0].center(), boxes[0].half_extents()),
        (Point3::new(1.0, 0.0, 0.0), [1.0, 2.0, 3.0].into())
    );
    let three = two + &collision("xyz='0 0 9'", "<sphere radius='2'/>");
    let found = one_link(&three);
    let Geometry::Convex(shapes) = geometry(&found.model, 0) else { panic!("shapes") };
    let [ConvexShape::Box(_), ConvexShape::Box(_), ConvexShape::Sphere(ball)] = &shapes[..] else {
        panic!("{shapes:?}")
    };
    assert_eq!((ball.center(), ball.radius()), (Point3::new(0.0, 0.0, 9.0), 2.0));
    let folder = Folder::new();
    folder.write("t.obj", OBJ);
    let text = robot(&link("a", &(three + &collision("", "<mesh filename='t.obj'/>"))));
    let found = read(&folder, &text, &boxwood::f64::Loader::new());
    let Geometry::Solid(mesh) = geometry(&found.model, 0) else { panic!("a solid") };
    assert_eq!(mesh.triangles().len(), 12 + 12 + 512 + 4);
    assert!(mesh.open_edges().is_empty());
}

#[test]
fn round_shapes_are_placed_by_their_origins_alone_and_beside_a_mesh() {
    let origin = "xyz='1 2 3' rpy='0 1.5707963267948966 0'";
    for (shape, along_x, most) in [
        ("<cylinder radius='0.5' length='4'/>", 2.0, 0.0049),
        ("<sphere radius='0.5'/>", 0.5, 0.02),
        ("<capsule radius='0.5' length='4'/>", 2.5, 0.02),
    ] {
        let middle = Point3::new(1.0, 2.0, 3.0);
        let found = one_link(&collision(origin, shape));
        let Geometry::Convex(shapes) = geometry(&found.model, 0) else { panic!("shapes") };
        let folder = Folder::new();
        folder.write("t.obj", OBJ);
        // A small mesh well inside.
        let small = "<mesh filename='t.obj' scale='0.01 0.01 0.01'/>";
        let both = collision(origin, shape) + &collision("xyz='1 2 3'", small);
        let found = read(&folder, &robot(&link("a", &both)), &boxwood::f64::Loader::new());
        let mesh = geometry(&found.model, 0).mesh().expect("a mesh");
        let reach = |direction: Vector3<f64>| {
            let exact = (shapes[0].support(direction) - middle).dot(&direction);
            let far = mesh.vertices().iter().map(|v| (v - middle).dot(&direction));
            let far = far.fold(f64::MIN, f64::max);
            assert!(exact <= far && exact > far - 0.5 * most - 1e-5, "{shape} {exact} {far}");
            far
        };
        for (direction, true_reach) in [
            (Vector3::x(), along_x),
            (-Vector3::x(), along_x),
            (Vector3::y(), 0.5),
            (-Vector3::z(), 0.5),
        ] {
            let excess = reach(direction) - true_reach;
            assert!((0.0..0.5 * most + 1e-5).contains(&excess), "{shape}: {excess}");
        }
    }
}

#[test]
fn meshes_of_every_format_are_one_tetrahedron() {
    let folder = Folder::new();
    folder.write("t.obj", OBJ);
    folder.write("t.STL", stl());
    folder.write("t.Dae", DAE);
    for (file, scale, corner) in [
        ("t.obj", "1 1 1", [0.0, 0.0, 3.0]),
        ("t.STL", "1 -1 1", [0.0, -2.0, 0.0]),
        ("t.obj", "-2 -1 -0.5", [0.0, 0.0, -1.5]),
        // One centimetre, a hundredfold; rotated and translated by the scene.
        ("t.Dae", "1 1 1", [-1.95, 0.0, 0.0]),
        ("t.Dae", "1 1 2", [0.05, 1.0, 0.0]),
    ] {
        let mesh = format!("<mesh filename='{file}' scale='{scale}'/>");
        let text = robot(&link("a", &collision("", &mesh)));
        let found = read(&folder, &text, &boxwood::f64::Loader::new());
        assert_eq!(found.warnings, []);
        let mesh = geometry(&found.model, 0).mesh().expect("a mesh");
        assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (4, 4));
        let factor: f64 =
            scale.split(' ').map(|word| word.parse::<f64>().expect("a number")).product();
        assert!((mesh.volume() - factor.abs()).abs() < 1e-12, "{file}: {}", mesh.volume());
        let nearest = mesh.vertices().iter().map(|v| (v - Point3::from(corner)).norm());
        assert!(nearest.fold(f64::MAX, f64::min) < 1e-12, "{file} {scale}");
    }
}

#[test]
fn one_file_is_a_character_of_one_part() {
    let folder = Folder::new();
    let obj = load::obj(folder.write("tetra.obj", OBJ)).expect("a mesh");
    let text = load::stl(folder.write("tetra.stl", stl())).expect("a mesh");
    for loaded in [&obj, &text] {
        assert_eq!((loaded.model.len(), loaded.skeleton.len(), loaded.clips.len()), (1, 1, 0));
        assert_eq!(loaded.model.parts()[0].name(), "tetra");
        assert!(matches!(
            loaded.model.parts()[0].tree().expect("a tree").geometry(),
            Geometry::Solid(_)
        ));
        assert_eq!(loaded.warnings, []);
    }
    assert_eq!(obj.model.fingerprint(), text.model.fingerprint());
    let open = OBJ.replace("f 1 4 3\n", "");
    let loaded = load::obj(folder.write("open.obj", open)).expect("a mesh");
    assert_eq!(loaded.warnings, [Warning::Capped { mesh: "open".into(), edges: 3 }]);
    let inward = OBJ.replace("f 1 3 2", "f 1 2 3").replace("f 1 2 4", "f 1 4 2");
    let inward = inward.replace("f -3 -2 -1", "f -1 -2 -3").replace("f 1 4 3", "f 1 3 4");
    let loaded = load::obj(folder.write("inward.obj", inward)).expect("a mesh");
    let tree = loaded.model.parts()[0].tree().expect("a tree");
    assert!(tree.geometry().mesh().expect("a mesh").volume() > 0.0);
    let options = Loader::new().solid(false);
    let loaded = options.stl(folder.path("tetra.stl")).expect("a mesh");
    assert!(matches!(
        loaded.model.parts()[0].tree().expect("a tree").geometry(),
        Geometry::Surface(_)
    ));
}

#[test]
fn degenerate_triangles_survive() {
    let folder = Folder::new();
    let flat = "f 1 1 2\nf 2 3 2\nf 4 4 4\n";
    let loaded = load::obj(folder.write("tetra.obj", format!("{OBJ}{flat}"))).expect("a mesh");
    let mesh = loaded.model.parts()[0].tree().expect("a tree").geometry().mesh().cloned();
    assert_eq!((mesh.expect("a mesh").triangles().len(), loaded.warnings), (7, vec![]));
}

#[test]
fn packages_are_found_by_their_folder_or_by_the_caller() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("arm/meshes")).expect("a folder");
    std::fs::create_dir_all(folder.path("arm/urdf")).expect("a folder");
    folder.write("arm/meshes/t.obj", OBJ);
    for name in [
        "package://elsewhere/arm/meshes/t.obj",
        "package:///of/another/meshes/t.obj",
        "model://arm/meshes/t.obj",
        "../meshes/t.obj",
        "meshes/t.obj",
        &format!("file://{}", folder.path("arm/meshes/t.obj").display()),
        &folder.path("arm/meshes/t.obj").display().to_string(),
    ] {
        let text = robot(&link("a", &collision("", &format!("<mesh filename='{name}'/>"))));
        let path = folder.write("arm/urdf/robot.urdf", text);
        let found = load::urdf(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(found.model.parts()[0].tree().is_some());
    }
    let text = robot(&link("a", &collision("", "<mesh filename='package://x/none.stl'/>")));
    let path = folder.write("arm/urdf/robot.urdf", text);
    let said = load::urdf(&path).expect_err("no such file").to_string();
    assert!(
        said.contains("robot.urdf: link 'a': line 3: <mesh>: 'package://x/none.stl': no such file"),
        "{said}"
    );
    let there = folder.path("arm/meshes/t.obj");
    let asked = move |name: &str| (name == "package://x/none.stl").then(|| there.clone());
    let options = Loader::new().resolver(Resolver::new(asked));
    assert!(options.urdf(&path).is_ok());
}

#[test]
fn visual_geometry_is_used_on_request() {
    let visual = "<visual><geometry><box size='1 1 1'/></geometry></visual>";
    let both = collision("", "<box size='2 2 2'/>") + visual;
    let text =
        robot(&(link("a", visual) + &link("b", &both) + &joint("j", "fixed", ["a", "b"], "")));
    let folder = Folder::new();
    let sizes = |shapes| {
        let found = read(&folder, &text, &boxwood::f64::Loader::new().link_shapes(shapes));
        let size = |part: usize| {
            let tree = found.model.parts()[part].tree()?;
            let Geometry::Boxes(boxes) = tree.geometry() else { panic!("boxes") };
            Some(boxes[0].half_extents().x)
        };
        ([size(0), size(1)], found.warnings)
    };
    let empty = vec![Warning::NoCollision { link: "a".into() }];
    assert_eq!(sizes(LinkShapes::Collision), ([None, Some(1.0)], empty));
    assert_eq!(sizes(LinkShapes::CollisionOrVisual), ([Some(0.5), Some(1.0)], vec![]));
    assert_eq!(sizes(LinkShapes::Visual), ([Some(0.5), Some(0.5)], vec![]));
}

#[test]
fn joints_of_every_type_have_their_motion() {
    let limit = "<limit lower='-1' upper='0.5' effort='1' velocity='1'/>";
    let links = ["a", "b", "c", "d", "e", "f"].map(|name| link(name, "")).concat();
    let text = robot(
        &(links
            + &joint("last", "floating", ["e", "f"], "")
            + &joint("turn", "revolute", ["a", "b"], &format!("<axis xyz='0 0 2'/>{limit}"))
            + &joint("on", "continuous", ["b", "c"], "<origin xyz='0 1 0'/>")
            + &joint(
                "slide",
                "prismatic",
                ["c", "d"],
                "<axis xyz='0 1 0'/><limit lower='0.25' upper='3'/>",
            )
            + &joint(
                "twin",
                "revolute",
                ["d", "e"],
                "<mimic joint='more' multiplier='2' offset='0.5'/><limit lower='0' upper='0'/>",
            )
            + &link("g", "")
            + &joint(
                "more",
                "prismatic",
                ["a", "g"],
                "<mimic joint='turn' multiplier='-1' offset='3'/><limit/>",
            )),
    );
    let found = read(&Folder::new(), &text, &boxwood::f64::Loader::new().allow_empty(true));
    assert_eq!(found.warnings, [Warning::FixedJoint { joint: "last".into() }]);
    let robot = &found.mechanism;
    let names: Vec<_> = robot.links().iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e", "f", "g"]);
    let actuators: Vec<_> = robot.actuators().iter().map(|d| (d.name.as_str(), d.limits)).collect();
    let expected = [("turn", Some([-1.0, 0.5])), ("on", None), ("slide", Some([0.25, 3.0]))];
    assert_eq!(actuators, expected);
    assert_eq!(robot.rest(), [0.0, 0.0, 0.25]);
    // The twin mimics the joint that mimics the turn: 2 (3 - turn) + 0.5.
    let JointKind::Revolute { mimic, .. } = robot.links()[4].joint else { panic!("it turns") };
    assert_eq!((mimic.actuator, mimic.multiplier, mimic.offset), (0, -2.0, 6.5));
    let mut poses: Vec<boxwood::f64::Pose> = Vec::new();
    robot.poses(&[0.5, 100.0, 1.0], &mut poses).expect("within limits");
    let slid = poses[3].translation.vector - poses[2].translation.vector;
    assert!((slid.norm() - 1.0).abs() < 1e-12);
    assert!((poses[6].translation.vector - Vector3::new(2.5, 0.0, 0.0)).norm() < 1e-12);
    let before = poses.clone();
    for (values, expected) in [
        (
            vec![0.6, 0.0, 1.0],
            Error::BeyondLimits { actuator: "turn".into(), value: 0.6, least: -1.0, most: 0.5 },
        ),
        (vec![0.5, 0.0], Error::WrongCount { field: "actuator values", expected: 3, found: 2 }),
        (
            vec![0.5, f64::NAN, 1.0],
            Error::Part {
                part: robot.actuators()[1].name.clone(),
                source: Box::new(Error::NotFinite { field: "actuator value", index: 1 }),
            },
        ),
    ] {
        assert_eq!(robot.poses(&values, &mut poses), Err(expected));
        assert_eq!(poses, before);
    }
    assert_eq!(robot.poses_unlimited(&[0.6, 0.0, 9.0], &mut poses), Ok(()));
}

#[test]
fn disabled_pairs_and_neighbours_are_not_tested() {
    let cube = collision("", "<box size='1 1 1'/>");
    let links = ["a", "b", "c", "d"].map(|name| link(name, &cube)).concat();
    let joints =
        [["a", "b"], ["b", "c"], ["c", "d"]].map(|ends| joint(ends[1], "continuous", ends, ""));
    let folder = Folder::new();
    let text = robot(&(links + &joints.concat()));
    let srdf = "<robot name='r'><disable_collisions link1='d' link2='a' reason='Never'/>\
        <disable_collisions link1='a' link2='tail'/></robot>";
    let srdf = Some(folder.write("robot.srdf", srdf));
    let pairs = |neighbours, srdf| {
        let found = read(
            &folder,
            &text,
            &with_srdf(boxwood::f64::Loader::new().ignore_neighbours(neighbours), srdf),
        );
        let poses = found.model.bind_poses();
        let mut scratch = SelfQueryScratch::default();
        let pairs = found.model.self_pairs(&poses, Accuracy::Exact, &mut scratch).expect("poses");
        let pairs: Vec<_> = pairs.iter().map(|(a, b)| (a.index(), b.index())).collect();
        (pairs, found.warnings)
    };
    assert_eq!(pairs(0, None).0, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
    assert_eq!(pairs(1, None).0, [(0, 2), (0, 3), (1, 3)]);
    let stray = vec![Warning::StrayPair { a: "a".into(), b: "tail".into() }];
    assert_eq!(pairs(1, srdf.clone()), (vec![(0, 2), (1, 3)], stray.clone()));
    assert_eq!(pairs(2, srdf), (vec![], stray));
}
