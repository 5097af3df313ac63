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
    let mut row = |what: &str, peer: &str, mine: Ask<Ours, _>, their: Ask<Peer, _>| {
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
        Row {
            name: format!("{name}: {what}"),
            timed: in_turn(effort, ways),
            of: PLACES,
            peer: peer.into(),
        }
    };
    vec![
        row("yes or no", "TriMesh", Ours::touching, |peer, at| peer.touching(at)),
        row("yes or no", WALK, Ours::touching, |peer, at| peer.touching_by_walk(at)),
        row("all pairs", WALK, Ours::pairs, |peer, at| peer.pairs(at)),
    ]
}

/// Number of cuboids whose trees are built in a round.
const CUBOIDS: usize = 256;

/// Times building trees from vertices and triangles; the answer is the number of triangles in the
/// leaves. Rows for rings and for cuboids of 12 triangles, by each of some options.
pub fn builds(effort: Effort, rings: &[Ring]) -> Vec<Row> {
    let options = [
        ("build", Build::fast().leaf_primitives(4)),
        ("build for a level", Build::level()),
        ("default build", Build::default()),
    ];
    let sizes = rings.iter().map(|&ring| Some(ring)).chain([None]);
    let rows = sizes.flat_map(|ring| options.map(|(name, build)| (name, ring, build)));
    rows.map(|(name, ring, build)| build_row(effort, name, ring, build)).collect()
}

/// Returns the row of rings, or of cuboids.
fn build_row(effort: Effort, name: &str, ring: Option<Ring>, build: Build) -> Row {
    let new_meshes = || ring.map_or_else(NewMeshes::cuboids, NewMeshes::new);
    let (mut meshes, mut others) = (new_meshes(), new_meshes());
    let count = if ring.is_some() { 1 } else { CUBOIDS };
    let ours = way("boxwood", || {
        let parts: Vec<Geometry> = (0..count).map(|_| Geometry::Surface(meshes.next())).collect();
        let mut trees = Vec::with_capacity(count);
        let round = clock(|| {
            trees.extend(parts.into_iter().filter_map(|part| ObbTree::build(part, &build).ok()));
            0
        });
        Round { found: trees.iter().map(in_leaves).sum::<usize>().into(), ..round }
    });
    let theirs = way("parry3d", || {
        let parts: Vec<_> = (0..count).map(|_| peer::corners(&others.next())).collect();
        let mut built = Vec::with_capacity(count);
        let round = clock(|| {
            built.extend(parts.into_iter().map(peer::build));
            0
        });
        let leaves = built.iter().map(|mesh| mesh.bvh().leaf_count() as usize);
        Round { found: leaves.sum::<usize>().into(), ..round }
    });
    let triangles = ring.map_or(12, Ring::triangles);
    let name = format!("{name}, {triangles} triangles, f32");
    let timed = in_turn(effort, [ours, theirs]);
    let peer = "TriMesh::new: aligned boxes only, no bounds".into();
    Row { name, timed, of: count, peer }
}
