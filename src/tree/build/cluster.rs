//! Bottom-up: neighbours are merged to pairs until one is left.
//! Source: Meister and Bittner, Parallel locally-ordered clustering for bounding volume hierarchy construction (2018).

use super::{Build, Grown, boxes};
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::shape::Aabb;
use crate::tree::Geometry;

/// How far from each other in the order two clusters may be to merge. More: smaller boxes, in proportion to the time.
const REACH: usize = 16;

/// Bits of each coordinate in the order along the curve.
const BITS: u32 = 16;

/// A primitive, or two clusters made one.
struct Cluster<T: Scalar> {
    aligned: Aabb<T, 3>,
    primitives: usize,
    children: Option<[usize; 2]>,
}

/// The tree of the merges, cut where the options say.
pub(super) fn grow<T: Scalar>(geometry: &Geometry<T>, build: &Build) -> Grown<T> {
    let mut clusters: Vec<Cluster<T>> = (0..geometry.len() as u32)
        .map(|p| Cluster { aligned: geometry.aabb(p), primitives: 1, children: None })
        .collect();
    let root = merged(&mut clusters, along_a_curve(geometry));
    let order = leaves(&clusters, root);
    let first = boxes::node(geometry, &order, 0..order.len(), build.fit);
    let mut grown = Grown { nodes: vec![first], depths: vec![0], order };
    let (mut of_node, mut index) = (vec![root], 0);
    while index < grown.nodes.len() {
        let cluster = &clusters[of_node[index]];
        match cluster.children {
            Some([left, right]) if !build.stops(grown.depths[index], cluster.primitives) => {
                grown.divide(geometry, build.fit, index, clusters[left].primitives);
                of_node.extend([left, right]);
            }
            _ => grown.settle(index),
        }
        index += 1;
    }
    grown
}

/// Merges until one is left, and says which. Each cluster looks for the neighbour with the smallest box around both; those
/// that chose each other merge. The smallest box of all is always such a pair.
fn merged<T: Scalar>(clusters: &mut Vec<Cluster<T>>, mut row: Vec<usize>) -> usize {
    while row.len() > 1 {
        let chosen: Vec<usize> =
            (0..row.len()).map(|place| choice(clusters, &row, place)).collect();
        let mut next = Vec::with_capacity(row.len());
        for (place, &other) in chosen.iter().enumerate() {
            match chosen[other] == place {
                true if place < other => {
                    let children = [row[place], row[other]];
                    let [a, b] = children.map(|child| &clusters[child]);
                    clusters.push(Cluster {
                        aligned: a.aligned.merged(&b.aligned),
                        primitives: a.primitives + b.primitives,
                        children: Some(children),
                    });
                    next.push(clusters.len() - 1);
                }
                true => {}
                false => next.push(row[place]),
            }
        }
        row = next;
    }
    row[0]
}

/// The place of the neighbour that makes the smallest box. Of equals the one whose place differs in the lowest
/// bits, which pairs up a row of equals at once.
fn choice<T: Scalar>(clusters: &[Cluster<T>], row: &[usize], place: usize) -> usize {
    let own = &clusters[row[place]].aligned;
    let mut best = (f64::INFINITY, usize::MAX);
    for other in place.saturating_sub(REACH)..(place + REACH + 1).min(row.len()) {
        if other != place {
            let both = surface(&own.merged(&clusters[row[other]].aligned));
            if both < best.0 || (both == best.0 && other ^ place < best.1) {
                best = (both, other ^ place);
            }
        }
    }
    best.1 ^ place
}

/// An eighth of the surface.
fn surface<T: Scalar>(b: &Aabb<T, 3>) -> f64 {
    let (_, h) = b.wide();
    h[0] * h[1] + h[1] * h[2] + h[2] * h[0]
}

/// The primitives below a cluster, those of first children first.
fn leaves<T: Scalar>(clusters: &[Cluster<T>], root: usize) -> Vec<u32> {
    let (mut order, mut stack) = (Vec::new(), vec![root]);
    while let Some(cluster) = stack.pop() {
        match clusters[cluster].children {
            Some([left, right]) => stack.extend([right, left]),
            None => order.push(cluster as u32),
        }
    }
    order
}

/// The primitives by their centroids along Morton's curve.
fn along_a_curve<T: Scalar>(geometry: &Geometry<T>) -> Vec<usize> {
    let count = geometry.len();
    let centroids: Vec<Vec3> = (0..count as u32).map(|p| geometry.centroid(p)).collect();
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for c in &centroids {
        for i in 0..3 {
            (low[i], high[i]) = (low[i].min(c[i]), high[i].max(c[i]));
        }
    }
    // One scale for all axes: cells are cubes.
    let widest = (0..3).map(|i| high[i] - low[i]).fold(0.0, f64::max);
    let most = f64::from((1u32 << BITS) - 1);
    let cell = |c: &Vec3, i: usize| match widest > 0.0 {
        true => ((c[i] - low[i]) / widest * most) as u64,
        false => 0,
    };
    let mut row: Vec<usize> = (0..count).collect();
    row.sort_by_cached_key(|&p| {
        (0..3).fold(0, |code, i| code | spaced(cell(&centroids[p], i)) << i)
    });
    row
}

/// The bits of a number, each followed by two zeros.
fn spaced(number: u64) -> u64 {
    (0..BITS).fold(0, |code, bit| code | (number >> bit & 1) << (3 * bit))
}
