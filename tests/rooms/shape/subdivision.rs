//! Subdivided meshes: the same surface, closed as before, in shorter edges.

use boxwood::shape::Mesh;
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Error};
use support::closed_meshes::{self, Faces, cube, shell, torus};
use support::prelude::*;
use support::triangle_cuts::{cross, lies_on, longest};

fn mesh_of<T: Scalar>(faces: Faces) -> Mesh<T> {
    match closed_meshes::surface(faces) {
        Geometry::Surface(mesh) => mesh,
        _ => unreachable!("a surface"),
    }
}

fn wide<T: Scalar>(mesh: &Mesh<T>) -> Vec<[Point3<f64>; 3]> {
    let triangles = 0..mesh.triangles().len();
    triangles.map(|i| mesh.corners(i).map(|corner| corner.map(|x| x.wide()))).collect()
}

fn same_surface<T: Scalar>(faces: Faces, most: f64, tolerance: f64) {
    let mesh = mesh_of::<T>(faces);
    let cut = mesh.subdivided(most).expect("a length");
    let (before, after) = (wide(&mesh), wide(&cut));
    // The limit itself is rounded to the scalar.
    assert!(longest(&after) <= T::nearest(most).wide() && longest(&before) > most);
    assert!(cut.open_edges().is_empty());
    assert_eq!(cut.vertices()[..mesh.vertices().len()], *mesh.vertices());
    let area = |all: &[[Point3<f64>; 3]]| all.iter().map(|t| cross(t).norm()).sum::<f64>();
    assert!((area(&before) / area(&after) - 1.0).abs() < 100.0 * tolerance / most);
    assert!((mesh.volume().wide() / cut.volume().wide() - 1.0).abs() < 100.0 * tolerance / most);
    assert!(after.iter().all(|piece| lies_on(piece, &before, 4.0 * tolerance)));
    // Bound that refuses lengths: no triangle is larger than the one of equal edges.
    assert!(area(&after) <= after.len() as f64 * 3f64.sqrt() / 2.0 * most * most);
}

#[test]
fn subdivision_preserves_the_surface_and_closedness() {
    for most in [0.9, 0.31, 0.07] {
        same_surface::<f32>(cube([1.0, 0.5, 0.01]), most, 4.0 * f64::from(f32::EPSILON));
        same_surface::<f64>(torus(1.0, 0.3, 5, 3), most, 4.0 * f64::EPSILON);
        same_surface::<f64>(shell(1.5, 1.0), most.min(0.31), 4.0 * f64::EPSILON);
    }
}

/// Checks separate vertices at one position, as in files: the cuts of both sides coincide.
#[test]
fn unwelded_triangles_are_cut_equally() {
    let mesh = mesh_of::<f32>(torus(1.0, 0.3, 5, 3));
    let corners: Vec<_> = (0..mesh.triangles().len()).flat_map(|i| mesh.corners(i)).collect();
    let triangles = (0..corners.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let apart = Mesh::new(corners, triangles.collect()).expect("a mesh");
    let mut sets = [&mesh, &apart].map(|mesh| {
        let cut = mesh.subdivided(0.2).expect("a length");
        let sorted = |i| {
            let mut bits = cut.corners(i).map(|p| [p.x, p.y, p.z].map(f32::to_bits));
            bits.sort();
            bits
        };
        (0..cut.triangles().len()).map(sorted).collect::<Vec<_>>()
    });
    sets.iter_mut().for_each(|set| set.sort());
    assert_eq!(sets[0], sets[1]);
}

/// Checks the purpose: fewer pairs of separate parts are reported at the leaves.
#[test]
fn boxes_of_leaves_fit_more_tightly() {
    use boxwood::shape::Pose;
    use boxwood::tree::{Build, ObbTree, TreePair, TreeScratch};
    let long = mesh_of::<f32>(torus(1.0, 0.1, 6, 3));
    let short = long.subdivided(0.1).expect("a length");
    let build = Build::default().hull_levels(0);
    let trees =
        [long, short].map(|mesh| ObbTree::build(Geometry::Surface(mesh), &build).expect("a tree"));
    let (mut random, mut scratch) = (Random(17), TreeScratch::default());
    let mut reported = [0; 3];
    for _ in 0..400 {
        let turn = support::random_parts::turned::<f32>(&mut random, [0.0; 3]);
        let mut other = turn;
        other.translation.vector = Vector3::from(random.direction()).cast() * 1.2;
        let mut is_reported = |tree: &ObbTree<f32>, accuracy| {
            let pair = TreePair::new(tree, &Pose::identity(), tree, &other).expect("poses");
            pair.intersects(accuracy, &mut scratch).expect("an accuracy")
        };
        let leaves = Accuracy::Depth(u8::MAX);
        let touch = is_reported(&trees[0], Accuracy::Exact);
        assert!(!touch || is_reported(&trees[1], leaves), "a miss");
        reported[0] += usize::from(touch);
        reported[1] += usize::from(is_reported(&trees[1], leaves));
        reported[2] += usize::from(is_reported(&trees[0], leaves));
    }
    let [touching, short, long] = reported;
    println!("{touching} touch; leaves report {short} with short edges, {long} with long ones");
    assert!((short - touching) * 2 < long - touching, "{reported:?}");
}

#[test]
fn invalid_lengths_are_refused() {
    let mesh = mesh_of::<f32>(cube([1.0; 3]));
    let cut = |length: f32| mesh.subdivided(length);
    assert_eq!(cut(-1.0), Err(Error::Negative { field: "longest", index: 0 }));
    assert!(matches!(cut(f32::NAN), Err(Error::NotFinite { field: "longest", .. })));
    assert!(matches!(cut(0.0), Err(Error::BadQuery { .. })));
    assert!(matches!(cut(1e-3), Err(Error::BadQuery { .. })));
    assert_eq!(cut(4.0), Ok(mesh.clone()));
    // A triangle without size has no edge to cut.
    let point = Mesh::new(vec![Point3::<f32>::origin()], vec![[0, 0, 0]]).expect("a mesh");
    assert_eq!(point.subdivided(0.0), Ok(point.clone()));
    // Edges between adjacent numbers have no midpoint: few triangles, although none is short
    // enough.
    let [near, one] = [1.0 + f32::EPSILON, 1.0];
    let corners = [[one; 3], [near, one, one], [one, near, one]].map(Point3::from);
    let least = Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("a mesh");
    assert!(least.subdivided(0.0).is_ok_and(|cut| cut.triangles().len() == 2));
}
