//! Meshes of triangles: whether and where they touch, and how long their trees take to build.

use crate::builds::Soup;
use crate::clock::by_turns;
use crate::table::{Row, WALK};
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
    let name = format!("2 x {} triangles, f64", ring.triangles());
    let row = |what, note, timed| Row {
        of: places.len(),
        note,
        ..Row::new(format!("{name}: {what}"), timed)
    };
    Ok(vec![
        row("yes or no", "TriMesh", test),
        row("yes or no", WALK, walk),
        row("all pairs", WALK, all),
    ])
}

/// From vertices and triangles to a tree; the answer is how many triangles are in it.
pub fn build(ring: Ring) -> Result<Row, String> {
    let soup = Soup::new(ring).map_err(|error| error.to_string())?;
    let timed = by_turns(|| soup.ours(), || soup.peer());
    let name = format!("build, {} triangles, f32", ring.triangles());
    Ok(Row { note: "TriMesh::new: aligned boxes only, no bounds", ..Row::new(name, timed) })
}
