//! What building costs: a bumpy torus of 5, 50 and 200 thousand triangles, beside parry3d's mesh in f32; how much
//! memory a triangle takes.

use std::f64::consts::TAU;
use std::hint::black_box;

use boxwood::nalgebra::Point3;
use boxwood::shape::Mesh;
use boxwood::tree::{Build, Geometry, Node, ObbTree};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use parry3d::math::Vector;
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

fn build(criterion: &mut Criterion) {
    for triangles in [5_000, 50_000, 200_000] {
        let mesh = torus(triangles);
        let mut group = criterion.benchmark_group(format!("build of {triangles} triangles"));
        group.sample_size(10).throughput(Throughput::Elements(mesh.triangles().len() as u64));
        for (name, build) in builds() {
            let surface = || Geometry::Surface(mesh.clone());
            memory(name, &ObbTree::build(surface(), &build).expect("a tree"), &mesh);
            group.bench_function(format!("boxwood, {name}"), |bench| {
                let tree = |geometry| ObbTree::build(geometry, &build);
                bench.iter_batched(surface, tree, BatchSize::PerIteration);
            });
        }
        let corner = |v: &Point3<f32>| Vector::new(v.x, v.y, v.z);
        let vertices: Vec<Vector> = mesh.vertices().iter().map(corner).collect();
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
