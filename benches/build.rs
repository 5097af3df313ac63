//! What building costs: a bumpy torus of 5, 50 and 200 thousand triangles, beside parry3d's mesh in f32; how much
//! memory a triangle takes; and what trees of both answer, so that a faster but different tree shows.

use std::f64::consts::TAU;
use std::hint::black_box;
use std::ops::ControlFlow;

use boxwood::nalgebra::{Isometry3, Point3, Vector3};
use boxwood::shape::Mesh;
use boxwood::tree::{Build, Geometry, Node, NodeId, ObbTree, Scratch, TreePair};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use parry3d::bounding_volume::BoundingVolume;
use parry3d::math::{Pose, Vector};
use parry3d::partitioning::BvhNode;
use parry3d::query::intersection_test;
use parry3d::shape::TriMesh;

/// A closed mesh of at most that many triangles, four times as many around as across.
fn torus(triangles: u32) -> Mesh<f32> {
    let across = f64::from(triangles / 8).sqrt() as u32;
    let around = triangles / 2 / across;
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for (i, j) in (0..around).flat_map(|i| (0..across).map(move |j| (i, j))) {
        vertices.push(bumpy(f64::from(i) / f64::from(around), f64::from(j) / f64::from(across)));
        faces.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
        faces.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
    }
    Mesh::new(vertices, faces).expect("a mesh")
}

/// A point of the surface, by the shares of the two round trips.
fn bumpy(around: f64, across: f64) -> Point3<f32> {
    let (u, v) = (TAU * around, TAU * across);
    let tube = 0.3 + 0.03 * (7.0 * u).sin() * (5.0 * v).cos();
    let wide = 1.0 + tube * v.cos();
    Point3::new(wide * u.cos(), wide * u.sin(), tube * v.sin()).map(|x| x as f32)
}

fn builds() -> [(&'static str, Build); 3] {
    [
        ("fast, 4 a leaf", Build { leaf_primitives: 4, ..Build::fast() }),
        ("fast, 1 a leaf", Build { leaf_primitives: 1, ..Build::fast() }),
        ("tight", Build::tight()),
    ]
}

/// Bytes a triangle: all that the tree holds, and what of that is the mesh itself.
fn memory(name: &str, tree: &ObbTree<f32>, mesh: &Mesh<f32>) {
    let triangles = mesh.triangles().len() as f64;
    let mesh = (size_of_val(mesh.vertices()) + size_of_val(mesh.triangles())) as f64;
    println!(
        "{triangles} triangles, {name}: {} nodes, depth {}; bytes a triangle: {:.1}, of which the mesh {:.1}, the nodes {:.1}",
        tree.len(),
        tree.depth(),
        tree.bytes() as f64 / triangles,
        mesh / triangles,
        (tree.len() * size_of::<Node<f32>>()) as f64 / triangles,
    );
}

/// A ring beside another that it goes through.
fn beside() -> Isometry3<f32> {
    Isometry3::new(Vector3::new(0.5, 0.1, 0.2), Vector3::new(1.2, 0.3, 0.1))
}

/// How many triangles are in the leaves, and how many pairs of triangles touch of two rings.
fn answers(name: &str, tree: &ObbTree<f32>) {
    let leaves = (0..tree.len()).map(NodeId::new);
    let leaves = leaves.filter(|&id| tree.node(id).children().is_none());
    let triangles: usize = leaves.map(|id| tree.primitives(id).len()).sum();
    let pair = TreePair::new(tree, &Isometry3::identity(), tree, &beside()).expect("sound poses");
    let mut pairs = 0;
    let _ = pair.visit_primitives(&mut Scratch::default(), |_, _| {
        pairs += 1;
        ControlFlow::Continue(())
    });
    println!("  boxwood, {name}: {triangles} in leaves, {pairs} pairs touch");
}

/// The same of the peer, which in f32 misjudges some small triangles.
fn their_answers(mesh: &TriMesh) {
    let place: Pose = beside().into();
    let near = |a: &BvhNode, b: &BvhNode| a.aabb().intersects(&b.aabb().transform_by(&place));
    let touch = |&(i, j): &(u32, u32)| {
        let (a, b) = (mesh.triangle(i), mesh.triangle(j));
        intersection_test(&Pose::identity(), &a, &place, &b).is_ok_and(|told| told.intersecting)
    };
    let pairs = mesh.bvh().leaf_pairs(mesh.bvh(), near).filter(touch).count();
    println!("  parry3d: {} in leaves, {pairs} pairs touch", mesh.bvh().leaf_count());
}

fn build(criterion: &mut Criterion) {
    for triangles in [5_000, 50_000, 200_000] {
        let mesh = torus(triangles);
        let mut group = criterion.benchmark_group(format!("build of {triangles} triangles"));
        group.sample_size(10).throughput(Throughput::Elements(mesh.triangles().len() as u64));
        for (name, build) in builds() {
            let surface = || Geometry::Surface(mesh.clone());
            let tree = ObbTree::build(surface(), &build).expect("a tree");
            memory(name, &tree, &mesh);
            answers(name, &tree);
            group.bench_function(format!("boxwood, {name}"), |bench| {
                let tree = |geometry| ObbTree::build(geometry, &build);
                bench.iter_batched(surface, tree, BatchSize::PerIteration);
            });
        }
        let corner = |v: &Point3<f32>| Vector::new(v.x, v.y, v.z);
        let vertices: Vec<Vector> = mesh.vertices().iter().map(corner).collect();
        let theirs = TriMesh::new(vertices.clone(), mesh.triangles().to_vec());
        their_answers(&theirs.expect("a mesh"));
        group.bench_function("parry3d TriMesh::new", |bench| {
            let parts = || (vertices.clone(), mesh.triangles().to_vec());
            let theirs = |(vertices, triangles)| black_box(TriMesh::new(vertices, triangles));
            bench.iter_batched(parts, theirs, BatchSize::PerIteration);
        });
        group.finish();
    }
}

criterion_group!(benches, build);
criterion_main!(benches);
