//! Distance of two people in parry3d: the pairs of parts are sorted by the distance of their world
//! boxes, and those nearer than the best so far are tested in that order.

use std::hint::black_box;

use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Vector};
use parry3d::query::details::distance_cuboid_cuboid;
use parry3d::query::{self, ClosestPoints};
use parry3d::shape::{Compound, SharedShape};

use super::super::people::PARTS;
use super::people::Person;

/// Distance of two parts, if less than the given one.
pub type DistanceFn = fn([(&Pose, &SharedShape); 2], f32) -> Option<f32>;

fn gap(a: &Aabb, b: &Aabb) -> f32 {
    (a.mins - b.maxs).max(b.mins - a.maxs).max(Vector::ZERO).length()
}

pub fn by_distance([(p, one), (q, other)]: [(&Pose, &SharedShape); 2], _: f32) -> Option<f32> {
    Some(query::distance(p, &**one, q, &**other).expect("supported").distance)
}

pub fn by_points([(p, one), (q, other)]: [(&Pose, &SharedShape); 2], best: f32) -> Option<f32> {
    match query::closest_points(p, &**one, q, &**other, best).expect("supported") {
        ClosestPoints::Intersecting => Some(0.0),
        ClosestPoints::WithinMargin(on_a, on_b) => {
            black_box((on_a, on_b));
            Some((on_a - on_b).length())
        }
        ClosestPoints::Disjoint => None,
    }
}

pub fn by_leaves([(p, one), (q, other)]: [(&Pose, &SharedShape); 2], best: f32) -> Option<f32> {
    of_trees(&p.inv_mul(q), one.as_compound()?, other.as_compound()?, best)
}

/// Distance of two trees: each leaf of one whose box is near enough against the tree of the other.
fn of_trees(to: &Pose, one: &Compound, other: &Compound, best: f32) -> Option<f32> {
    let whole = other.local_aabb().transform_by(to);
    let leaf = |leaf: u32, best: f32| {
        let (at, solid) = &one.shapes()[leaf as usize];
        let back = to.inv_mul(at);
        let around = solid.compute_aabb(&back);
        let found = other.bvh().find_best(
            best,
            |node, _| gap(&node.aabb(), &around),
            |leaf, _| {
                let (at, other) = &other.shapes()[leaf as usize];
                let to = at.inv_mul(&back);
                Some(distance_cuboid_cuboid(&to, other.as_cuboid()?, solid.as_cuboid()?))
            },
        );
        found.map(|(_, far)| far)
    };
    one.bvh().find_best(best, |node, _| gap(&node.aabb(), &whole), leaf).map(|(_, far)| far)
}

/// All people in the peer, with the world boxes of their parts and a scratch buffer.
pub struct Peer<'a> {
    pub people: Vec<Person<'a>>,
    pub bounds: Vec<[Aabb; PARTS]>,
}

impl Peer<'_> {
    /// Distance of two people, if at most `max_distance`.
    pub fn apart(
        &self,
        [a, b]: [usize; 2],
        (parts, max_distance): ([&[usize]; 2], f32),
        ranked: &mut Ranked,
        by: DistanceFn,
    ) -> Option<f32> {
        let part = |person: usize, part: usize| {
            let Person { poses, bodies } = self.people[person];
            (&poses[part], &bodies[part])
        };
        ranked.clear();
        for &i in parts[0] {
            for &j in parts[1] {
                let gap = gap(&self.bounds[a][i], &self.bounds[b][j]);
                if gap <= max_distance {
                    ranked.push((gap, [i, j]));
                }
            }
        }
        // Only the nearest is moved to the front: too few pairs are tested to be worth sorting.
        let first = (0..ranked.len()).min_by(|&x, &y| ranked[x].0.total_cmp(&ranked[y].0))?;
        let mut best = max_distance.min(f32::MAX);
        let mut found = None;
        let mut look = |[i, j]: [usize; 2], best: &mut f32| {
            if let Some(far) = by([part(a, i), part(b, j)], *best).filter(|far| far <= best) {
                (found, *best) = (Some(far), far);
            }
        };
        look(ranked.swap_remove(first).1, &mut best);
        ranked.retain(|(gap, _)| *gap < best);
        ranked.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        for &(gap, pair) in ranked.iter() {
            if gap >= best {
                break;
            }
            look(pair, &mut best);
        }
        found
    }
}

pub type Ranked = Vec<(f32, [usize; 2])>;
