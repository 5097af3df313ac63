//! Insides of geometry: closed, open and badly wound boxes, surfaces, and nothing.

use boxwood::tree::{TreePair, TreeScratch};
use boxwood::{
    Accuracy, Build, ConvexShape, Error, Geometry, Mesh, Obb, ObbTree, Sphere, Triangle,
};

use support::prelude::*;

/// Returns the triangles of a box whose corner `i` is at the far end of axis `k` if bit `k` of `i`
/// is set: two for each face, wound outward.
fn faces() -> Vec<[[u32; 3]; 2]> {
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    quads.map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).to_vec()
}

/// Returns a cube of these triangles around the origin.
fn cube(half: f32, triangles: Vec<[u32; 3]>) -> Mesh {
    let corner =
        |i: u32| Point3::from([0, 1, 2].map(|k| if i >> k & 1 == 1 { half } else { -half }));
    Mesh::new((0..8).map(corner).collect(), triangles).expect("a mesh")
}

fn flipped([a, b, c]: [u32; 3]) -> [u32; 3] {
    [a, c, b]
}

/// Returns the error of a solid that is not closed: the number of its open edges.
fn open_edges(mesh: Mesh) -> usize {
    let all = mesh.open_edges();
    match ObbTree::build(Geometry::Solid(mesh), &Build::default()) {
        Err(Error::Open { edges, count }) => {
            assert_eq!(edges, all[..all.len().min(8)]);
            count
        }
        other => panic!("{other:?}"),
    }
}

/// Returns `true` if a small cube in the middle touches the geometry.
fn contains_the_middle(geometry: Geometry) -> bool {
    let small = Geometry::Solid(cube(0.1, faces().concat()));
    let [a, b] = [geometry, small].map(|one| ObbTree::build(one, &Build::default()));
    let (a, b, here) = (a.expect("a tree"), b.expect("a tree"), Isometry3::identity());
    let pair = TreePair::new(&a, &here, &b, &here).expect("two poses");
    pair.intersects(Accuracy::Exact, &mut TreeScratch::default()).expect("an accuracy")
}

#[test]
fn closed_boxes_are_solid_as_they_are_given() {
    let whole = cube(1.0, faces().concat());
    assert!(whole.open_edges().is_empty() && whole.volume() == 8.0);
    let (solid, surface) = (Geometry::Solid(whole.clone()), Geometry::Surface(whole));
    assert!(solid.is_solid() && contains_the_middle(solid));
    // A surface has no inside, closed or not.
    assert!(!surface.is_solid() && !contains_the_middle(surface));
}

#[test]
fn open_boxes_are_refused_as_solids_and_closed_by_caps() {
    for missing in 0..6 {
        let mut kept = faces();
        kept.remove(missing);
        let open = cube(1.0, kept.concat());
        assert_eq!(open_edges(open.clone()), 4, "without face {missing}");
        let surface = Geometry::Surface(open.clone());
        assert!(!surface.is_solid() && !contains_the_middle(surface));
        let capped = Geometry::Solid(open.capped());
        assert!(capped.is_solid() && contains_the_middle(capped));
    }
}

#[test]
fn flipped_faces_are_refused_as_solids() {
    for turned in 0..6 {
        let mut wound = faces();
        wound[turned] = wound[turned].map(flipped);
        // Each of its four edges is passed twice in one direction.
        assert_eq!(open_edges(cube(1.0, wound.concat())), 8, "face {turned}");
        let mut wound = faces();
        wound[turned][1] = flipped(wound[turned][1]);
        assert_eq!(open_edges(cube(1.0, wound.concat())), 6, "half of face {turned}");
    }
}

#[test]
fn solids_turned_inside_out_have_the_same_inside() {
    let wound = cube(1.0, faces().concat().into_iter().map(flipped).collect());
    assert!(wound.open_edges().is_empty() && wound.volume() == -8.0);
    let geometry = Geometry::Solid(wound);
    assert!(geometry.is_solid() && contains_the_middle(geometry));
}

#[test]
fn empty_geometry_is_not_solid() {
    let (boxes, shapes) = (Geometry::<f32>::Boxes(Vec::new()), Geometry::<f32>::Convex(Vec::new()));
    for geometry in [Geometry::None, boxes, shapes] {
        assert!(geometry.is_empty() && !geometry.is_solid());
        let refused = ObbTree::build(geometry, &Build::default());
        assert!(matches!(refused, Err(Error::Empty { .. })), "{refused:?}");
    }
    assert!(matches!(Mesh::<f32>::new(Vec::new(), Vec::new()), Err(Error::Empty { .. })));
}

#[test]
fn boxes_and_convex_shapes_are_solid_unless_all_are_triangles() {
    let cube =
        Obb::new(Point3::origin(), Matrix3::identity(), Vector3::repeat(1.0)).expect("a box");
    let boxes = Geometry::Boxes(vec![cube]);
    assert!(boxes.is_solid() && contains_the_middle(boxes));
    let corner = |x: f32, y: f32| Point3::new(x, y, 0.5);
    let thin = Triangle::new(corner(-1.0, -1.0), corner(1.0, -1.0), corner(0.0, 1.0));
    let thin = ConvexShape::from(thin.expect("a triangle"));
    let ball = ConvexShape::from(Sphere::new(Point3::origin(), 1.0).expect("a ball"));
    let (flat, mixed) = (Geometry::Convex(vec![thin.clone()]), Geometry::Convex(vec![thin, ball]));
    assert!(!flat.is_solid() && !contains_the_middle(flat));
    assert!(mixed.is_solid() && contains_the_middle(mixed));
}
