//! Triangle meshes: intersection, contacts, and build times of their trees.

use boxwood::{Build, Geometry, ObbTree};

use crate::alternating::{Effort, in_turn};
use crate::support::measure::{Round, clock, in_order, way};
use crate::support::peer::rings::{self as peer, Peer};
use crate::support::rings::{NewMeshes, Ours, PLACES, Ring, in_leaves, places, torus, tree};
use crate::table::{Row, WALK};

/// Two rings that nearly touch.
pub fn pair(effort: Effort, ring: Ring) -> Vec<Row> {
    let (mut ours, mut theirs) = (Ours::new(tree(ring)), Peer::new(torus(ring, 0.0)));
    let places = places(&ours.ring);
    let others = peer::poses(&places);
    let name = format!("2 x {} triangles, f64", ring.triangles());
    type Ask<S, P> = fn(&mut S, &[P]) -> usize;
    let mut row = |what: &str, peer, mine: Ask<Ours, _>, their: Ask<Peer, _>| {
        let (mut next, mut after) = (in_order(&places, PLACES), in_order(&others, PLACES));
        let ways = [
            way("boxwood", || {
                let places = next();
                clock(|| mine(&mut ours, places))
            }),
            way("parry3d", || {
                let places = after();
                clock(|| their(&mut theirs, places))
            }),
        ];
        Row { name: format!("{name}: {what}"), timed: in_turn(effort, ways), of: PLACES, peer }
    };
    vec![
        row("yes or no", "TriMesh", Ours::touching, |peer, at| peer.touching(at)),
        row("yes or no", WALK, Ours::touching, |peer, at| peer.touching_by_walk(at)),
        row("all pairs", WALK, Ours::pairs, |peer, at| peer.pairs(at)),
    ]
}

/// Times building a tree from vertices and triangles; the answer is the number of its triangles.
pub fn build(effort: Effort, ring: Ring) -> Row {
    let (mut meshes, mut others) = (NewMeshes::new(ring), NewMeshes::new(ring));
    let build = Build::fast().leaf_primitives(4);
    let ours = way("boxwood", || {
        let surface = Geometry::Surface(meshes.next());
        let mut tree = None;
        let round = clock(|| {
            tree = ObbTree::build(surface, &build).ok();
            0
        });
        Round { found: tree.as_ref().map_or(0, in_leaves).into(), ..round }
    });
    let theirs = way("parry3d", || {
        let parts = peer::corners(&others.next());
        let mut mesh = None;
        let round = clock(|| {
            mesh = Some(peer::build(parts));
            0
        });
        let leaves = mesh.map_or(0, |mesh| mesh.bvh().leaf_count() as usize);
        Round { found: leaves.into(), ..round }
    });
    let name = format!("build, {} triangles, f32", ring.triangles());
    let timed = in_turn(effort, [ours, theirs]);
    Row { name, timed, of: 1, peer: "TriMesh::new: aligned boxes only, no bounds" }
}
