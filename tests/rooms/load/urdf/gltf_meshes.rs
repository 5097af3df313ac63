//! Links whose geometry is a glTF file: its triangles at rest, transforms of nodes included.

use boxwood::f64::{Loader, Pose};
use boxwood::load::{Robot, Warning};

use super::small::{collision, link, robot};
use support::folder::Folder;
use support::prelude::*;
use support::small_gltf::Small;

/// Builds a tetrahedron with legs of 1, 2 and 3, at a node that is translated below a rotated one.
fn tetrahedron(nodes: &str) -> Small {
    let mut small = Small::default();
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]].concat();
    let positions: Vec<f32> = faces.iter().flat_map(|&corner| corners[corner]).collect();
    let positions = small.floats("VEC3", 3, &positions);
    small.meshes = format!(r#"{{"primitives":[{{"attributes":{{"POSITION":{positions}}}}}]}}"#);
    small.nodes = nodes.to_owned();
    small.roots = "0".to_owned();
    small
}

fn load(folder: &Folder, mesh: &str) -> Result<Robot<f64>, String> {
    let text = robot(&link("a", &collision("xyz='0 0 10'", mesh)));
    let path = folder.write("robot.urdf", text);
    Loader::new().urdf(path).map_err(|error| error.to_string())
}

/// Returns the corners of the only part, sorted.
fn corners(robot: &Robot<f64>) -> Vec<Point3<f64>> {
    let tree = robot.model.parts()[0].tree().expect("a tree");
    let mut corners = tree.geometry().mesh().expect("a mesh").vertices().to_vec();
    corners.sort_by(|a, b| a.iter().partial_cmp(b.iter()).expect("numbers"));
    corners
}

fn check(robot: &Robot<f64>, place: impl Fn(Point3<f64>) -> Point3<f64>) {
    let legs = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];
    let found = corners(robot);
    assert_eq!(found.len(), 4);
    for leg in legs {
        let expected = place(leg.into()) + Vector3::new(0.0, 0.0, 10.0);
        let nearest = found.iter().map(|corner| (corner - expected).norm()).fold(9.0, f64::min);
        assert!(nearest < 1e-6, "{expected}: {found:?}");
    }
}

#[test]
fn nodes_transform_the_triangles_before_the_scale_of_the_mesh() {
    let folder = Folder::new();
    // Rotated by 90 degrees about z, moved by 5 along the rotated x, scaled to half.
    let nodes = r#"{"rotation":[0,0,0.70710678,0.70710678],"children":[1]},
        {"translation":[5,0,0],"scale":[0.5,0.5,0.5],"mesh":0}"#;
    folder.write("t.glb", tetrahedron(nodes).glb());
    let placed = |p: Point3<f64>| Point3::new(-p.y / 2.0, 5.0 + p.x / 2.0, p.z / 2.0);
    let plain = load(&folder, "<mesh filename='t.glb'/>").expect("a robot");
    check(&plain, placed);
    assert_eq!(plain.warnings, []);
    let scaled = load(&folder, "<mesh filename='package://x/t.glb' scale='2 1 -1'/>");
    check(&scaled.expect("a robot"), |p| {
        let p = placed(p);
        Point3::new(2.0 * p.x, p.y, -p.z)
    });
}

#[test]
fn non_uniform_scales_and_shears_are_exact_at_rest() {
    let folder = Folder::new();
    // A child rotated by 90 degrees about z below a scale of 2, 1, 1.
    let nodes = r#"{"scale":[2,1,1],"children":[1]},
        {"rotation":[0,0,0.38268343,0.92387953],"mesh":0}"#;
    folder.write("t.GLB", tetrahedron(nodes).glb());
    let turn = nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), 45_f64.to_radians());
    let found = load(&folder, "<mesh filename='t.GLB'/>").expect("a robot");
    check(&found, |p| {
        let p = turn * p;
        Point3::new(2.0 * p.x, p.y, p.z)
    });
    assert_eq!(found.warnings, []);
}

#[test]
fn buffers_may_be_beside_or_inside_and_damaged_files_are_refused() {
    let folder = Folder::new();
    let small = tetrahedron(r#"{"mesh":0}"#);
    folder.write("t.gltf", small.json(Some("t.bin")));
    folder.write("t.bin", &small.bytes);
    check(&load(&folder, "<mesh filename='t.gltf'/>").expect("a robot"), |p| p);
    folder.write("bad.glb", "no glTF at all");
    let said = load(&folder, "<mesh filename='bad.glb'/>").expect_err("refused");
    assert!(said.contains("link 'a': line 3: <mesh>: 'bad.glb'"), "{said}");
    let mut points = tetrahedron(r#"{"mesh":0}"#);
    points.meshes = points.meshes.replace(r#""attributes""#, r#""mode":0,"attributes""#);
    folder.write("points.glb", points.glb());
    let said = load(&folder, "<mesh filename='points.glb'/>").expect_err("refused");
    assert!(said.contains("it has no triangles"), "{said}");
    let mut mixed = tetrahedron(r#"{"children":[1,2]},{"mesh":0},{"mesh":1}"#);
    let lone = mixed.meshes.replace(r#""attributes""#, r#""mode":0,"attributes""#);
    mixed.meshes = format!("{},{lone}", mixed.meshes);
    folder.write("mixed.glb", mixed.glb());
    let found = load(&folder, "<mesh filename='mixed.glb'/>").expect("a robot");
    assert_eq!(found.warnings, [Warning::NotTriangles { mesh: "mesh 1".into() }]);
    let poses: Vec<Pose> = found.model.bind_poses();
    assert_eq!(poses.len(), 1);
}
