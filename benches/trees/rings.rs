//! Two linked, nearly touching rings of triangles, beside parry3d on the same triangles, both in
//! double precision; they touch at half of the poses of a round.

use criterion::Criterion;

use crate::support::measure::{bench_group, clock, in_order, way};
use crate::support::peer::rings::{self as peer, Peer};
use crate::support::rings::{Ours, PLACES, RINGS, places, torus, tree};

pub fn rings(criterion: &mut Criterion) {
    for ring in RINGS {
        let mine = || Ours::new(tree(ring));
        let (mut ours, mut all) = (mine(), mine());
        let places = places(&ours.ring);
        let theirs = peer::poses(&places);
        let [by_test, by_walk] = [(); 2].map(|()| Peer::new(torus(ring, 0.0)));
        let mut pairs = Peer::new(torus(ring, 0.0));
        let name = format!("{} triangles, {PLACES} places", ring.triangles());
        let [mut a, mut b] = [(); 2].map(|()| in_order(&places, PLACES));
        let [mut p, mut q, mut r] = [(); 3].map(|()| in_order(&theirs, PLACES));
        let ways = vec![
            way("boxwood", || {
                let places = a();
                clock(|| ours.touching(places))
            }),
            way("parry3d", || {
                let places = p();
                clock(|| by_test.touching(places))
            }),
            way("parry3d walked", || {
                let places = q();
                clock(|| by_walk.touching_by_walk(places))
            }),
        ];
        bench_group(criterion, &format!("{name}: yes or no"), PLACES, ways);
        let ways = vec![
            way("boxwood", || {
                let places = b();
                clock(|| all.pairs(places))
            }),
            way("parry3d", || {
                let places = r();
                clock(|| pairs.pairs(places))
            }),
        ];
        bench_group(criterion, &format!("{name}: all pairs"), PLACES, ways);
    }
}
