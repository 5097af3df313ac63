//! Half-spaces that overlap a few people of a crowd, or about half of them, 256 together. A
//! half-space has no AABB: the peer traverses its tree by the deepest corner of each node, and
//! computes the deepest point of a part.

use boxwood::nalgebra::{Point3, Unit, Vector3};
use boxwood::{Buffers, Plane, QueryShape};

use super::all_characters::{parts_in, theirs};
use crate::support::crowd::{Body, Frames, Placed, model};
use crate::support::measure::{BenchGroups, bench_group, cases};
use crate::support::peer::crowd::Peer;
use crate::support::peer::solids::{Vector, vector};
use crate::support::random::Random;

const PEOPLE: usize = 1_000;
/// Spacing of people [m].
const SPACING: f64 = 1.0;
/// Queries in a batch.
const QUESTIONS: usize = 256;

pub fn half_spaces(groups: &mut dyn BenchGroups) {
    let mut crowd = Placed::new(&model(Body::Box, &[]), PEOPLE, SPACING);
    let mut buffers = Buffers::new();
    let now = crowd.next().snapshot(&mut buffers);
    let peer = Peer::new(&Frames::new(PEOPLE, SPACING).next());
    let side = (PEOPLE as f64).sqrt() * SPACING;
    for (name, share) in [("a few", 0.48), ("half", 0.0)] {
        let mut random = Random(7);
        let mut plane = |_| {
            let up = Vector3::from(random.direction()).cast::<f32>();
            let middle = Vector3::new(0.5 * side, 0.9, 0.5 * side).cast::<f32>();
            let reach = (up.x.abs() + up.z.abs()) * (share * side) as f32;
            let at = Point3::from(middle - up * (reach + up.y.abs() * share as f32));
            Plane::through(at, Unit::new_normalize(up)).expect("a plane")
        };
        let planes: Vec<Plane> = (0..cases()).map(&mut plane).collect();
        let mine: Vec<QueryShape> = planes.iter().map(|&plane| plane.into()).collect();
        let other = |plane: &Plane| (vector(plane.normal().into_inner()), plane.offset());
        let others: Vec<(Vector, f32)> = planes.iter().map(other).collect();
        let ways = vec![parts_in(now, &mine), theirs(&others, |all| peer.half_spaces(all))];
        bench_group(groups, &format!("half-spaces with {name}"), QUESTIONS, ways);
    }
}
