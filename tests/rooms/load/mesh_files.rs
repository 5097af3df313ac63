//! OBJ and STL files as other programs write them: text, polygons, numbers, omitted elements.

use boxwood::f64::{Buffers, ClosestParts, Loader, Mesh, Ray, RayHits, Scene, Spawn};
use boxwood::load::Warning;
use boxwood::{Error, QueryFilter};

use support::data::data;
use support::prelude::*;

/// Returns the mesh of a file, and its warnings.
fn obj(bytes: &[u8]) -> (Mesh, Vec<Warning>) {
    let loaded = Loader::new().name("m").obj_bytes(bytes).expect("a mesh");
    let tree = loaded.model.parts()[0].tree().expect("triangles");
    (tree.geometry().mesh().expect("a mesh").clone(), loaded.warnings)
}

fn stl(bytes: &[u8]) -> (Mesh, Vec<Warning>) {
    let loaded = Loader::new().name("m").stl_bytes(bytes).expect("a mesh");
    let tree = loaded.model.parts()[0].tree().expect("triangles");
    (tree.geometry().mesh().expect("a mesh").clone(), loaded.warnings)
}

fn trouble(bytes: &[u8]) -> String {
    match Loader::new().obj_bytes(bytes).map(|_| ()) {
        Err(Error::File { trouble, .. }) => trouble,
        other => panic!("{other:?}"),
    }
}

fn skipped(element: &str, count: usize) -> Warning {
    Warning::Skipped { file: "m".to_owned(), element: element.to_owned(), count }
}

/// Checks a closed mesh with the given volume and bounds, read without a warning.
fn check((mesh, warnings): (Mesh, Vec<Warning>), volume: f64, bounds: [[f64; 3]; 2]) {
    assert_eq!(warnings, []);
    assert!(mesh.open_edges().is_empty());
    assert!((mesh.volume() - volume).abs() < 1e-9, "{}", mesh.volume());
    for axis in 0..3 {
        let places = mesh.vertices().iter().map(|vertex| vertex[axis]);
        let [low, high] = bounds.map(|corner| corner[axis]);
        assert!((places.clone().fold(f64::INFINITY, f64::min) - low).abs() < 1e-9);
        assert!((places.fold(-f64::INFINITY, f64::max) - high).abs() < 1e-9);
    }
}

const HALF: [[f64; 3]; 2] = [[-0.5; 3], [0.5; 3]];

/// Returns the unit cube with quads, each line terminated by `end`.
fn cube(end: &str) -> String {
    let mut lines = vec!["o cube".to_owned()];
    for z in ["-0.5", "0.5"] {
        for [x, y] in [["-0.5", "-0.5"], ["0.5", "-0.5"], ["0.5", "0.5"], ["-0.5", "0.5"]] {
            lines.push(format!("v {x} {y} {z}"));
        }
    }
    for face in ["4 3 2 1", "5 6 7 8", "1 2 6 5", "2 3 7 6", "3 4 8 7", "4 1 5 8"] {
        lines.push(format!("f {face}"));
    }
    lines.join(end) + end
}

#[test]
fn shared_mesh_files_have_their_stated_geometry() {
    let Some(data) = data() else { return };
    let bytes = |name: &str| std::fs::read(data.join("bugs").join(name)).expect(name);
    for name in [
        "cube.obj",
        "latin1_comment.obj",
        "empty_usemtl.obj",
        "some_colours.obj",
        "continued.obj",
        "comment_after.obj",
    ] {
        check(obj(&bytes(name)), 1.0, HALF);
    }
    for name in ["upper_case.stl", "latin1_name.stl"] {
        check(stl(&bytes(name)), 1.0, HALF);
    }
    let far = [[499_999.623, 5_399_999.956, 99.5], [500_000.623, 5_400_000.956, 100.5]];
    let (mesh, warnings) = obj(&bytes("far_away.obj"));
    assert!((mesh.volume() - 1.0).abs() < 1e-6);
    check((mesh, warnings), 1.0, far);
}

#[test]
fn byte_order_marks_and_line_ends_are_accepted() {
    for end in ["\n", "\r\n", "\r", " \\\n\n", "\t# a comment\n", "\n# c:\\meshes\\\n"] {
        check(obj(cube(end).as_bytes()), 1.0, HALF);
    }
    let marked = [b"\xef\xbb\xbf", cube("\n").as_bytes()].concat();
    check(obj(&marked), 1.0, HALF);
    check(obj(cube("\n").replace("v ", "V ").replace("f ", "F ").as_bytes()), 1.0, HALF);
    check(obj(cube("\n").replace("v -0.5", "v \\\n -0.5").as_bytes()), 1.0, HALF);
    check(obj(cube("\n").replace("o cube", "o caf\u{e9}").as_bytes()), 1.0, HALF);
    let latin = [b"g caf\xe9\nusemtl\n", cube("\n").as_bytes()].concat();
    check(obj(&latin), 1.0, HALF);
    let wide: Vec<u8> = cube("\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(trouble(&[&[0xff, 0xfe], &wide[..]].concat()).contains("UTF-16"));
}

#[test]
fn positions_may_have_weights_and_colours_and_follow_faces() {
    let weighted = cube("\n").replacen("v 0.5 0.5 0.5", "v 0.5 0.5 0.5 1.0", 1);
    check(obj(weighted.as_bytes()), 1.0, HALF);
    let coloured = cube("\n").replacen("v 0.5 0.5 0.5", "v 0.5 0.5 0.5 1 0 0 1", 1);
    check(obj(coloured.as_bytes()), 1.0, HALF);
    let text = cube("\n");
    let (places, faces): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("v "));
    check(obj([faces, places].concat().join("\n").as_bytes()), 1.0, HALF);
    assert_eq!(
        trouble(cube("\n").replacen("f 4 3 2 1", "f 4 3 2 9", 1).as_bytes()),
        "line 10: there is no vertex 9: the count is 8"
    );
    let said = trouble(cube("\n").replacen("v 0.5", "v 0,5", 1).as_bytes());
    assert_eq!(said, "line 3: '0,5' is not a number: 'v 0,5 -0.5 -0.5'");
    let said = trouble(b"v 1 2\n");
    assert_eq!(said, "line 1: a position needs three numbers, 2 found: 'v 1 2'");
}

#[test]
fn omitted_elements_are_counted() {
    let (mesh, warnings) = obj((cube("\n")
        + "p 1\nl 1 2\nl 2 3 4\nf 1 2\nvn 0 0 1\ncurv 0 1 1 2\nend\nwobble\n")
        .as_bytes());
    assert!((mesh.volume() - 1.0).abs() < 1e-12);
    assert_eq!(
        warnings,
        [
            skipped("points (p)", 1),
            skipped("lines (l)", 2),
            skipped("faces of fewer than three corners (f)", 1),
            skipped("curves and surfaces (curv)", 1),
            skipped("unknown lines (wobble)", 1),
        ]
    );
    assert_eq!(warnings[1].to_string(), "'m': lines (l) are left out, 2 in total");
    // A hostile file does not fill memory with names.
    let many: String = (0..1000).map(|i| format!("word{i}\n")).collect();
    let (_, warnings) = obj((cube("\n") + &many).as_bytes());
    assert_eq!(warnings.len(), 16);
    let crossed = "v 0 0 0\nv 2 2 0\nv 2 0 0\nv 0 1 0\nv 1 0 5\nf 1 2 3 4\n";
    let (_, warnings) = obj(crossed.as_bytes());
    assert_eq!(warnings[0], skipped("insides of polygons that cross themselves", 1));
}

/// Returns a prism over an outline, with quads as walls.
fn prism(outline: &[[f64; 2]]) -> String {
    let count = outline.len();
    let level = |z: f64| outline.iter().map(move |[x, y]| format!("v {x} {y} {z}\n"));
    let mut text: String = level(0.0).chain(level(1.0)).collect();
    let face = |corners: Vec<usize>| -> String {
        let words: Vec<String> = corners.iter().map(|corner| (corner + 1).to_string()).collect();
        format!("f {}\n", words.join(" "))
    };
    text += &face((0..count).rev().collect());
    text += &face((count..2 * count).collect());
    for i in 0..count {
        let next = (i + 1) % count;
        text += &face(vec![i, next, next + count, i + count]);
    }
    text
}

#[test]
fn concave_polygons_keep_their_volume_and_stay_closed() {
    let bounds = |x: f64, y: f64| [[0.0; 3], [x, y, 1.0]];
    let u = [[0., 0.], [3., 0.], [3., 2.], [2., 2.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]];
    for turned in 0..8 {
        let mut outline = u;
        outline.rotate_left(turned);
        check(obj(prism(&outline).as_bytes()), 5.0, bounds(3.0, 2.0));
    }
    // Collinear corners stay corners: walls end at them.
    let flat = [[0., 0.], [1., 0.], [2., 0.], [3., 0.], [3., 3.], [1., 3.], [1., 1.], [0., 1.]];
    check(obj(prism(&flat).as_bytes()), 7.0, bounds(3.0, 3.0));
    // Two squares that touch at a corner.
    let touching = [[0., 0.], [1., 0.], [1., 1.], [2., 1.], [2., 2.], [1., 2.], [1., 1.], [0., 1.]];
    let (mesh, _) = obj(prism(&touching).as_bytes());
    assert!((mesh.volume() - 2.0).abs() < 1e-12, "{}", mesh.volume());
    let star: Vec<[f64; 2]> = (0..10)
        .map(|i| {
            let (angle, radius) =
                (f64::from(i) * std::f64::consts::PI / 5.0, if i % 2 == 0 { 2.0 } else { 1.0 });
            [2.0 + radius * angle.cos(), 2.0 + radius * angle.sin()]
        })
        .collect();
    let (mesh, warnings) = obj(prism(&star).as_bytes());
    let area = 5.0 * 2.0 * (std::f64::consts::PI / 5.0).sin();
    assert!(warnings.is_empty() && mesh.open_edges().is_empty());
    assert!((mesh.volume() - area).abs() < 1e-12, "{} {area}", mesh.volume());
}

#[test]
fn the_shared_u_is_open_above() {
    let Some(data) = data() else { return };
    let bytes = std::fs::read(data.join("bugs/concave_u.obj")).expect("a file");
    check(obj(&bytes), 5.0, [[0.0; 3], [3.0, 2.0, 1.0]]);
    let loaded = Loader::new().obj_bytes(&bytes).expect("a mesh");
    let mut scene = Scene::new();
    scene.insert(&loaded.model, Spawn::default()).expect("a scene");
    let mut buffers = Buffers::new();
    let (now, all) = (scene.snapshot(&mut buffers), QueryFilter::all());
    let mut closest = ClosestParts::new();
    let mut distance = |point: Point3<f64>| {
        let found = now.closest_part(point, 10.0, &all, &mut closest).expect("a query");
        found.expect("in reach").distance
    };
    // A ball of radius 0.05 around it is 0.45 away.
    assert!((distance(Point3::new(1.5, 1.7, 1.0)) - 0.5).abs() < 1e-12);
    assert!((distance(Point3::new(1.5, 1.7, 0.0)) - 0.5).abs() < 1e-12);
    assert_eq!(distance(Point3::new(1.5, 0.5, 0.5)), 0.0);
    let mut hits = RayHits::new();
    let mut cast = |x: f64| {
        let ray = Ray::through(Point3::new(x, 1.7, 5.0), Point3::new(x, 1.7, -5.0));
        let ray = ray.expect("finite").expect("two points");
        now.ray_cast(ray, &all, &mut hits).expect("a query").map(|hit| hit.distance)
    };
    assert_eq!(cast(1.5), None);
    assert!(cast(0.5).is_some_and(|time| (time - 4.0).abs() < 1e-9));
}

#[test]
fn stl_text_may_have_any_case_mark_and_number_of_solids() {
    let facet = |[a, b, c]: [&str; 3]| {
        format!(
            "facet normal 0 0 0\nouter loop\nvertex {a}\nvertex {b}\nvertex {c}\nendloop\nendfacet\n"
        )
    };
    let corners = ["0 0 0", "1e0 0 0", "0 2 0", "0 0 3.0000000001"];
    let facets = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]].map(|f| facet(f.map(|i| corners[i])));
    let text = format!("solid t\n{}endsolid t\n", facets.concat());
    let halves = format!(
        "solid a\n{}endsolid a\nsolid b\n{}endsolid b\n",
        facets[..2].concat(),
        facets[2..].concat()
    );
    let bounds = [[0.0; 3], [1.0, 2.0, 3.000_000_000_1]];
    let volume = 1.000_000_000_033_333;
    for text in [
        text.clone(),
        text.to_uppercase(),
        format!("\u{feff}{text}"),
        format!("\n \t{text}"),
        text.replace('\n', "\r\n"),
        // All on one line, and the line ends of old programs.
        text.replace('\n', " "),
        text.replace('\n', "\r"),
        halves.replace('\n', " "),
        halves.replace("loop\n", "loop ").replace("facet\nfacet", "facet facet"),
        halves,
    ] {
        check(stl(text.as_bytes()), volume, bounds);
    }
    check(stl(&[b"solid caf\xe9\n", &text.as_bytes()[8..]].concat()), volume, bounds);
    // An error names its line, wherever it is on it.
    let refused = |text: &str| match Loader::new().stl_bytes(text.as_bytes()) {
        Err(Error::File { trouble, .. }) => trouble,
        other => panic!("{other:?}"),
    };
    let facets = text.replace("facet\nfacet", "facet facet").replace("\nvertex", " vertex");
    let (line, wrong) = (facets.lines().position(|line| line.contains("0 2 0")), "0 nan 0");
    let line = line.expect("a corner") + 1;
    let said = refused(&facets.replacen("0 2 0", wrong, 1));
    assert_eq!(said, format!("line {line}: the coordinate NaN is not finite"));
    let said = refused(&facets.replacen("0 2 0", "0 2,5 0", 1));
    assert!(
        said.starts_with(&format!("line {line}: not three numbers: 'outer loop vertex")),
        "{said}"
    );
    // A binary file may begin with the keyword of a text.
    let mut binary = b"solid by a program".to_vec();
    binary.resize(80, b' ');
    binary.extend(4u32.to_le_bytes());
    let places: [[f32; 3]; 4] = [[0., 0., 0.], [1., 0., 0.], [0., 2., 0.], [0., 0., 3.]];
    for facet in [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]] {
        binary.extend([0; 12]);
        binary.extend(facet.iter().flat_map(|&i: &usize| places[i]).flat_map(f32::to_le_bytes));
        binary.extend([0; 2]);
    }
    check(stl(&binary), 1.0, [[0.0; 3], [1.0, 2.0, 3.0]]);
}
