//! Building: top-down, across the longest axis of the node's own box.

mod options;

use std::ops::Range;

pub use options::{Bound, Build};

use super::bound::Bounds;
use super::inside::Enclosure;
use super::{Coarsest, Geometry, Node, ObbTree, components};
use crate::error::Error;
use crate::fit::{Spread, around, surface};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, dot, length};
use crate::shape::{Aabb, Obb, wide_point};

pub(super) fn tree<T: Scalar>(geometry: Geometry<T>, build: &Build) -> Result<ObbTree<T>, Error> {
    if geometry.is_empty() {
        return Err(Error::Empty { field: "geometry" });
    }
    check_closed(&geometry)?;
    let mut order: Vec<u32> = (0..geometry.len() as u32).collect();
    let mut nodes = vec![node(&geometry, &order, 0..order.len())];
    let mut depths = vec![0u8];
    let mut index = 0;
    while index < nodes.len() {
        let depth = depths[index];
        let range = nodes[index].first as usize..nodes[index].last as usize;
        if depth < build.max_depth.min(32) && range.len() > build.leaf_primitives.max(1) {
            let split = split(&geometry, &nodes[index].oriented, &mut order[range.clone()]);
            if let Some(middle) = split.map(|half| range.start + half) {
                nodes[index].child = nodes.len() as u32;
                nodes.push(node(&geometry, &order, range.start..middle));
                nodes.push(node(&geometry, &order, middle..range.end));
                depths.extend([depth + 1; 2]);
            }
        }
        if nodes[index].child == 0 {
            order[range].sort_unstable();
        }
        index += 1;
    }
    let mut bounds = Bounds::new(&geometry, build.bound, Enclosure::new(&geometry, &nodes, &order));
    let primitives = |node: &Node<T>| &order[node.first as usize..node.last as usize];
    let found: Vec<T> = nodes.iter().map(|n| bounds.of(primitives(n), &n.oriented)).collect();
    for (node, bound) in nodes.iter_mut().zip(found) {
        node.bound = bound;
    }
    let depth = depths.iter().copied().max().unwrap_or(0);
    let coarsest = coarsest(&nodes, &depths, depth);
    let (reach, fingerprint) = (reach(&nodes), fingerprint(&geometry, &nodes));
    let components = components::points(&geometry);
    Ok(ObbTree { geometry, nodes, order, depth, coarsest, reach, components, fingerprint })
}

/// Only a closed mesh has an inside.
fn check_closed<T: Scalar>(geometry: &Geometry<T>) -> Result<(), Error> {
    let Geometry::Solid(mesh) = geometry else { return Ok(()) };
    let mut edges = mesh.open_edges();
    let count = edges.len();
    edges.truncate(8);
    if count == 0 { Ok(()) } else { Err(Error::Open { edges, count }) }
}

/// For each depth the loosest of what its cut consists of: its own nodes, and the leaves above.
fn coarsest<T: Scalar>(nodes: &[Node<T>], depths: &[u8], depth: u8) -> Vec<Coarsest> {
    let mut coarsest = vec![Coarsest::default(); usize::from(depth) + 1];
    for (node, &at) in nodes.iter().zip(depths) {
        let last = if node.child == 0 { depth } else { at };
        for level in &mut coarsest[usize::from(at)..=usize::from(last)] {
            level.bound = level.bound.max(node.bound.wide());
            level.radius = level.radius.max(node.oriented.wide().radius());
        }
    }
    coarsest
}

/// A leaf around the primitives in that range of the order, its bound still to be found.
fn node<T: Scalar>(geometry: &Geometry<T>, order: &[u32], range: Range<usize>) -> Node<T> {
    let primitives = &order[range.clone()];
    let aligned = primitives.iter().fold(Aabb::empty(), |b, &p| b.merged(&geometry.aabb(p)));
    let oriented = oriented(geometry, primitives);
    let (first, last) = (range.start as u32, range.end as u32);
    Node { aligned, oriented, bound: T::zero(), child: 0, first, last }
}

/// The best of a few fits: along the part's frame, along the spread of the geometry, along its first primitive.
fn oriented<T: Scalar>(geometry: &Geometry<T>, primitives: &[u32]) -> Obb<T> {
    if let (Geometry::Boxes(boxes), [only]) = (geometry, primitives) {
        return boxes[*only as usize];
    }
    let points = primitives.iter().flat_map(|&p| geometry.corners(p).iter());
    let mut spread = Spread::new(geometry.corners(primitives[0]).mean());
    primitives.iter().for_each(|&p| geometry.add_to(&mut spread, p));
    let own = (primitives.len() <= 4).then(|| geometry.frame(primitives[0])).flatten();
    let mut best: Obb<T> = around(&IDENTITY, points.clone());
    for axes in [Some(spread.axes()), own].into_iter().flatten() {
        let candidate = around(&axes, points.clone());
        if surface(&candidate) < surface(&best) {
            best = candidate;
        }
    }
    best
}

/// Parts the primitives in two halves across the first axis of `oriented`, longest first, on which their
/// centroids differ; `None` if they differ on none.
fn split<T: Scalar>(
    geometry: &Geometry<T>,
    oriented: &Obb<T>,
    primitives: &mut [u32],
) -> Option<usize> {
    let wide = oriented.wide();
    let mut axes = [0, 1, 2];
    axes.sort_by(|&i, &j| wide.half_extents[j].total_cmp(&wide.half_extents[i]).then(i.cmp(&j)));
    for axis in axes {
        let along = |&p: &u32| dot(wide.axes[axis], geometry.centroid(p));
        let mut keyed: Vec<(f64, u32)> = primitives.iter().map(|p| (along(p), *p)).collect();
        let first = keyed[0].0;
        if keyed.iter().all(|&(key, _)| key == first) {
            continue;
        }
        let middle = keyed.len() / 2;
        // The order is total, so the halves are the same sets whatever the selection does inside.
        keyed.select_nth_unstable_by(middle, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        keyed[..middle].sort_unstable_by_key(|&(_, p)| p);
        keyed[middle..].sort_unstable_by_key(|&(_, p)| p);
        primitives.iter_mut().zip(keyed).for_each(|(slot, (_, p))| *slot = p);
        return Some(middle);
    }
    None
}

fn reach<T: Scalar>(nodes: &[Node<T>]) -> f64 {
    let farthest = |node: &Node<T>| {
        let far = |i: usize| node.aligned.min[i].wide().abs().max(node.aligned.max[i].wide().abs());
        let corner: Vec3 = [far(0), far(1), far(2)];
        let oriented = length(wide_point(node.oriented.center())) + node.oriented.wide().radius();
        length(corner).max(oriented)
    };
    // The share covers rounding here and axes not quite at right angles.
    nodes.iter().map(farthest).fold(0.0, f64::max) * (1.0 + 1e-6)
}

/// Trees of one geometry built in two ways differ here too: two parts in one place are told apart by it.
fn fingerprint<T: Scalar>(geometry: &Geometry<T>, nodes: &[Node<T>]) -> u64 {
    let mut hash = crate::num::Fingerprint::default();
    geometry.for_each_bits(|bits| hash.add(bits));
    nodes.iter().for_each(|node| hash.add(u64::from(node.child)));
    hash.value()
}
