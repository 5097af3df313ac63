//! Bottom-up builds by agglomerative clustering: neighbours are merged in pairs until one cluster
//! is left. Source: Meister and Bittner, Parallel locally-ordered clustering for bounding volume
//! hierarchy construction (2018).

use super::Build;
use super::node_builder::{BuiltNodes, NodeBuilder, PrimitiveBuffers};
use super::primitives::Primitives;
use crate::error::Error;
use crate::fit::AxisBounds;
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::num::sorting::ascending_indices;
use crate::shape::Aabb;
use crate::tree::{BuildProgress, Geometry, Node};

/// Largest distance in the order at which two clusters may merge. More: smaller boxes, in
/// proportion to the time.
const MERGE_WINDOW: usize = 64;

/// Rounds in which fewer than one in this many clusters are in mutual pairs get extra merges. Less:
/// more rounds in rare cases.
const MUTUAL_DIVISOR: usize = 8;

/// Bits of each coordinate in the Morton code.
const MORTON_BITS: u32 = 16;

/// A primitive, or two merged clusters.
struct Cluster<T: Scalar> {
    aligned: Aabb<T, 3>,
    primitives: usize,
    children: Option<[usize; 2]>,
}

/// Best merge partner of a cluster, and an eighth of the surface of the box around both.
struct MergeChoice {
    surface: f64,
    index: usize,
}

/// Builds the tree of the merges, cut where the options require a leaf.
pub(super) fn build_bottom_up<T: Scalar, S: Scalar, const N: usize>(
    geometry: &Geometry<T>,
    build: &Build,
    primitives: Primitives<S, N>,
    progress: &mut dyn BuildProgress,
) -> Result<BuiltNodes<T>, Error> {
    let mut clusters: Vec<Cluster<T>> = (0..geometry.len() as u32)
        .map(|p| Cluster { aligned: geometry.aabb(p), primitives: 1, children: None })
        .collect();
    let root = merge_all(&mut clusters, morton_order(&primitives));
    let order = leaf_order(&clusters, root);
    let primitives = primitives.permuted(&order);
    // Cluster of each node, by depth; `None` below nodes that were halved in order.
    let mut clusters_by_depth = vec![vec![Some(root)]];
    let cut =
        |(index, depth): (usize, usize), node: &Node<T>, buffers: &mut PrimitiveBuffers<S, N>| {
            let count = node.primitive_range().len();
            if build.must_be_leaf(depth, count) {
                return None;
            }
            let size = |child: usize| clusters[child].primitives;
            let children = clusters_by_depth[depth][index]
                .and_then(|cluster| clusters[cluster].children)
                .filter(|children| build.fits_depth(depth, children.map(size)));
            clusters_by_depth.resize(clusters_by_depth.len().max(depth + 2), Vec::new());
            clusters_by_depth[depth + 1]
                .extend(children.map_or([None; 2], |children| children.map(Some)));
            buffers.current.copy_range(node.primitive_range(), &mut buffers.next);
            Some(children.map_or(count / 2, |[left, _]| size(left)))
        };
    NodeBuilder::new(geometry, build.fit, primitives, cut).build(progress)
}

/// Merges until one cluster is left; returns its index.
fn merge_all<T: Scalar>(clusters: &mut Vec<Cluster<T>>, mut row: Vec<usize>) -> usize {
    while row.len() > 1 {
        let choices: Vec<MergeChoice> =
            (0..row.len()).map(|place| merge_choice(clusters, &row, place)).collect();
        let partners = partners(&choices);
        let mut next = Vec::with_capacity(row.len());
        for (index, &other) in partners.iter().enumerate() {
            if index < other {
                clusters.push(merge(clusters, [row[index], row[other]]));
                next.push(clusters.len() - 1);
            } else if index == other {
                next.push(row[index]);
            }
        }
        row = next;
    }
    row[0]
}

fn merge<T: Scalar>(clusters: &[Cluster<T>], children: [usize; 2]) -> Cluster<T> {
    let [a, b] = children.map(|child| &clusters[child]);
    Cluster {
        aligned: a.aligned.merged(&b.aligned),
        primitives: a.primitives + b.primitives,
        children: Some(children),
    }
}

/// Returns the neighbour with the smallest common box. Of equal ones the one whose index differs in
/// the lowest bits, which pairs a row of equal ones at once.
fn merge_choice<T: Scalar>(clusters: &[Cluster<T>], row: &[usize], index: usize) -> MergeChoice {
    let own = &clusters[row[index]].aligned;
    let mut best = (f64::INFINITY, usize::MAX);
    for other in index.saturating_sub(MERGE_WINDOW)..(index + MERGE_WINDOW + 1).min(row.len()) {
        if other != index {
            let common_surface = eighth_surface(&own.merged(&clusters[row[other]].aligned));
            if common_surface < best.0 || (common_surface == best.0 && other ^ index < best.1) {
                best = (common_surface, other ^ index);
            }
        }
    }
    MergeChoice { surface: best.0, index: best.1 ^ index }
}

/// Returns the merge partner of each cluster, or its own index if it stays. Mutual choices merge;
/// the smallest box is always one. Where mutual choices are few (sizes that grow along a row choose
/// one another in a chain), all choices between free clusters merge, smallest first.
fn partners(choices: &[MergeChoice]) -> Vec<usize> {
    let mut partners: Vec<usize> = (0..choices.len()).collect();
    let mut pair = |index: usize, other: usize| {
        if partners[index] == index && partners[other] == other {
            (partners[index], partners[other]) = (other, index);
        }
    };
    let mutual = |place: &usize| choices[choices[*place].index].index == *place;
    let indices = 0..choices.len();
    indices.clone().filter(mutual).for_each(|i| pair(i, choices[i].index));
    if indices.filter(mutual).count() < choices.len() / MUTUAL_DIVISOR {
        let surfaces = choices.iter().map(|choice| choice.surface);
        ascending_indices(surfaces).for_each(|i| pair(i, choices[i].index));
    }
    partners
}

/// Returns an eighth of the surface of a box.
fn eighth_surface<T: Scalar>(b: &Aabb<T, 3>) -> f64 {
    let (_, h) = b.wide();
    h[0] * h[1] + h[1] * h[2] + h[2] * h[0]
}

/// Returns the primitives below a cluster, in the order of its leaves.
fn leaf_order<T: Scalar>(clusters: &[Cluster<T>], root: usize) -> Vec<u32> {
    let (mut order, mut stack) = (Vec::new(), vec![root]);
    while let Some(cluster) = stack.pop() {
        match clusters[cluster].children {
            Some([left, right]) => stack.extend([right, left]),
            None => order.push(cluster as u32),
        }
    }
    order
}

/// Returns the primitives in Morton order of their centroids.
fn morton_order<S: Scalar, const N: usize>(primitives: &Primitives<S, N>) -> Vec<usize> {
    let centroids: Vec<Vec3> =
        (0..primitives.len()).map(|index| primitives.centroid(index)).collect();
    let AxisBounds { low, high } = AxisBounds::from_points(centroids.iter().copied());
    // One scale for all axes, so that cells are cubes.
    let widest = (0..3).map(|i| high[i] - low[i]).fold(0.0, f64::max);
    let most = f64::from((1u32 << MORTON_BITS) - 1);
    let cell = |c: &Vec3, i: usize| match widest > 0.0 {
        true => ((c[i] - low[i]) / widest * most) as u64,
        false => 0,
    };
    let mut row: Vec<usize> = (0..primitives.len()).collect();
    row.sort_by_cached_key(|&p| {
        (0..3).fold(0, |code, i| code | spread_bits(cell(&centroids[p], i)) << i)
    });
    row
}

/// Inserts two zero bits after each bit of a number.
fn spread_bits(number: u64) -> u64 {
    (0..MORTON_BITS).fold(0, |code, bit| code | (number >> bit & 1) << (3 * bit))
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    fn chosen(choices: &[(f64, usize)]) -> Vec<usize> {
        let choice = |&(surface, index): &(f64, usize)| MergeChoice { surface, index };
        partners(&choices.iter().map(choice).collect::<Vec<_>>())
    }

    pub fn those_that_chose_each_other_merge() {
        assert_eq!(chosen(&[(1.0, 1), (1.0, 0), (2.0, 1), (3.0, 2)]), [1, 0, 2, 3]);
    }

    pub fn a_long_chain_is_merged_along_its_length() {
        let chain: Vec<(f64, usize)> = (0..1000usize)
            .map(|i| (i.max(1) as f64, i.saturating_sub(1).max(usize::from(i == 0))))
            .collect();
        let partners = chosen(&chain);
        assert_eq!(partners.iter().enumerate().filter(|&(i, &other)| i == other).count(), 0);
    }
}
