//! Meshes of triangles: whether and where they touch, and how long their trees take to build.

use std::hint::black_box;

use boxwood::{Build, Geometry, Mesh, NodeId, ObbTree};
use parry3d::math::Vector;
use parry3d::shape::TriMesh;

use crate::clock::by_turns;
use crate::crowd::WALK;
use crate::table::Row;
use crate::tori::{Ring, places, torus, tree};
use crate::triangles::{Ours, Peer};

/// Ways the second ring is turned; at each it is met touching and apart.
const TURNS: u32 = 4;

/// Two rings that nearly touch.
pub fn pair(ring: Ring) -> Result<Vec<Row>, String> {
    let said = |error: &dyn std::fmt::Display| error.to_string();
    let mine = tree(ring).map_err(|error| said(&error))?;
    let places = places(&mine, TURNS).map_err(|error| said(&error))?;
    let mut ours = Ours::new(mine, &places);
    let mut peer = Peer::new(torus(ring), &places).map_err(|error| said(&error))?;
    ours.touching().map_err(|error| said(&error))?;
    let test = by_turns(|| ours.touching().unwrap_or(0), || peer.touching());
    let walk = by_turns(|| ours.touching().unwrap_or(0), || peer.touching_by_walk());
    let all = by_turns(|| ours.pairs().unwrap_or(0), || peer.pairs());
    let name = format!("mesh pair, {} triangles each, f64", ring.triangles());
    let row = |what, timed| Row { of: places.len(), ..Row::new(format!("{name}: {what}"), timed) };
    Ok(vec![
        Row { note: "peer: TriMesh", ..row("yes or no", test) },
        Row { note: WALK, ..row("yes or no", walk) },
        Row { note: WALK, ..row("all pairs of triangles", all) },
    ])
}

/// From vertices and triangles to a tree; the answer is how many triangles are in it.
pub fn build(ring: Ring) -> Result<Row, String> {
    let (vertices, triangles) = torus(ring);
    let mesh = Mesh::new(vertices.iter().map(|p| p.cast()).collect(), triangles.clone());
    let geometry = Geometry::Surface(mesh.map_err(|error| error.to_string())?);
    let theirs: Vec<Vector> =
        vertices.iter().map(|p| Vector::new(p.x as f32, p.y as f32, p.z as f32)).collect();
    let options = Build { leaf_primitives: 4, ..Build::fast() };
    // Copies of what goes in are part of the time of both: a thousandth of it.
    let timed = by_turns(
        || ObbTree::build(geometry.clone(), &options).map_or(0, |tree| in_leaves(&tree)),
        || {
            let mesh = TriMesh::new(theirs.clone(), triangles.clone());
            mesh.map_or(0, |mesh| black_box(mesh).bvh().leaf_count() as usize)
        },
    );
    let name = format!("build, {} triangles", ring.triangles());
    Ok(Row { note: "peer: TriMesh::new, a tree of aligned boxes", ..Row::new(name, timed) })
}

fn in_leaves(tree: &ObbTree) -> usize {
    let leaves = (0..tree.len()).map(NodeId::new).filter(|&id| tree.node(id).children().is_none());
    leaves.map(|id| tree.primitives(id).len()).sum()
}
