//! Build times of trees over rings of 5, 50 and 200 thousand triangles, beside parry3d's mesh in
//! f32; the memory per triangle; and the answers of both trees, so that a faster but different tree
//! shows.
//!
//! Data: every build gets a new ring with other bumps. The ring and the copies that both builders
//! consume are made outside the clock.

#[path = "../support/mod.rs"]
mod support;

use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::shape::Mesh;
use boxwood::tree::{Build, Geometry, Node, ObbTree, TreePair, TreeScratch};
use criterion::{Criterion, criterion_group, criterion_main};
use std::ops::ControlFlow;
use support::measure::{bench_group, clock, settings, trying, way};
use support::peer::rings as peer;
use support::rings::{NewMeshes, RINGS, Ring, in_leaves};

fn builds() -> [(&'static str, Build); 4] {
    [
        ("fast, 4 a leaf", Build::fast().leaf_primitives(4)),
        ("fast, 1 a leaf", Build::fast().leaf_primitives(1)),
        ("default", Build::default()),
        ("tight", Build::tight()),
    ]
}

/// Prints the bytes per triangle: the whole tree, and the share of the mesh itself.
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

/// Pose of the second of two linked rings, relative to the first.
fn through() -> Isometry3<f32> {
    Isometry3::new(Vector3::new(0.5, 0.1, 0.2), Vector3::new(1.2, 0.3, 0.1))
}

/// Number of touching pairs of triangles of two rings.
fn touching(tree: &ObbTree<f32>) -> usize {
    let pair = TreePair::new(tree, &Isometry3::identity(), tree, &through()).expect("sound poses");
    let mut pairs = 0;
    let _ = pair.visit_primitives(&mut TreeScratch::default(), |_, _| {
        pairs += 1;
        ControlFlow::Continue(())
    });
    pairs
}

fn print_trees(ring: Ring) {
    let mesh = NewMeshes::new(ring).next();
    for (name, build) in builds() {
        let tree = ObbTree::build(Geometry::Surface(mesh.clone()), &build).expect("a tree");
        memory(name, &tree, &mesh);
        println!("  boxwood, {name}: {} pairs touch", touching(&tree));
    }
    let theirs = peer::build(peer::corners(&mesh));
    // parry3d misjudges some small triangles in f32.
    println!("  parry3d: {} pairs touch", peer::pairs_of(&theirs, &through()));
}

fn build(criterion: &mut Criterion) {
    // The smallest ring is enough to try every row.
    for &ring in if trying() { &RINGS[..1] } else { &RINGS[..] } {
        print_trees(ring);
        let mut ways = Vec::new();
        for (name, build) in builds() {
            let mut meshes = NewMeshes::new(ring);
            ways.push(way(format!("boxwood, {name}"), move || {
                let surface = Geometry::Surface(meshes.next());
                let mut tree = None;
                let round = clock(|| {
                    tree = Some(ObbTree::build(surface, &build).expect("a tree"));
                    0
                });
                // Counting and dropping the tree are no part of building.
                support::measure::Round {
                    found: tree.as_ref().map_or(0, in_leaves).into(),
                    ..round
                }
            }));
        }
        let mut meshes = NewMeshes::new(ring);
        ways.push(way("parry3d TriMesh::new", move || {
            let parts = peer::corners(&meshes.next());
            let mut mesh = None;
            let round = clock(|| {
                mesh = Some(peer::build(parts));
                0
            });
            let leaves = mesh.map_or(0, |mesh| mesh.bvh().leaf_count() as usize);
            support::measure::Round { found: leaves.into(), ..round }
        }));
        let triangles = ring.triangles();
        bench_group(
            criterion,
            &format!("build of {triangles} triangles"),
            triangles as usize,
            ways,
        );
    }
}

criterion_group! {
    name = benches;
    config = settings().sample_size(10);
    targets = build
}
criterion_main!(benches);
