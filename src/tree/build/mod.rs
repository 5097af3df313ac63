//! Building: which primitives go together, a box for each, and a bound for each box.

mod boxes;
mod cluster;
mod group;
mod growing;
mod measure;
mod options;
mod primitives;
#[cfg(feature = "bake")]
mod regrown;
mod split;

pub use options::{Bound, Build, Fit, Split};
#[cfg(feature = "bake")]
pub(crate) use regrown::{Seedling, Sprout};

use growing::{Growing, Pages};
use primitives::Primitives;
use split::Splitter;

use super::bound::Bounds;
use super::inside::Enclosure;
use super::octets::Octets;
use super::root::Root;
use super::{Coarsest, Geometry, Node, ObbTree, Told, components};
use crate::error::Error;
use crate::num::linear::{Vec3, length};
use crate::num::{Apiece, Scalar};
use crate::shape::wide_point;

/// Nodes breadth-first, and how deep each is.
struct Grown<T: Scalar> {
    nodes: Vec<Node<T>>,
    depths: Vec<u8>,
    /// The primitives in the order of the leaves.
    order: Vec<u32>,
}

pub(super) fn tree<T: Scalar>(
    geometry: Geometry<T>,
    build: &Build,
    told: &mut Told<'_, '_>,
) -> Result<ObbTree<T>, Error> {
    T::apiece(Planting { build, told }, geometry)
}

/// Building a tree. Half a minute of compiling.
struct Planting<'a, 'b, 'c> {
    build: &'a Build,
    told: &'a mut Told<'b, 'c>,
}

impl Apiece for Planting<'_, '_, '_> {
    type Given<T: Scalar> = Geometry<T>;
    type Answer<T: Scalar> = Result<ObbTree<T>, Error>;

    fn single(self, geometry: Geometry<f32>) -> Result<ObbTree<f32>, Error> {
        planted(geometry, self.build, self.told)
    }

    fn double(self, geometry: Geometry<f64>) -> Result<ObbTree<f64>, Error> {
        planted(geometry, self.build, self.told)
    }
}

fn planted<T: Scalar>(
    geometry: Geometry<T>,
    build: &Build,
    told: &mut Told<'_, '_>,
) -> Result<ObbTree<T>, Error> {
    check_closed(&geometry)?;
    let Grown { mut nodes, depths, order } = match &geometry {
        _ if geometry.is_empty() => return Err(Error::Empty { field: "geometry" }),
        Geometry::None => return Err(Error::Empty { field: "geometry" }),
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
            grow(&geometry, build, Primitives::triangles(mesh), told)?
        }
        Geometry::Boxes(boxes) => grow(&geometry, build, Primitives::boxes(boxes), told)?,
    };
    let inside = Enclosure::new(&geometry, &nodes, &order);
    let found = Bounds::new(&geometry, &order, build.bound, inside).all(&nodes, told)?;
    for (node, bound) in nodes.iter_mut().zip(found) {
        node.bound = bound;
    }
    Ok(finished(geometry, Grown { nodes, depths, order }))
}

/// A tree of those nodes, and all that follows from them.
fn finished<T: Scalar>(geometry: Geometry<T>, grown: Grown<T>) -> ObbTree<T> {
    let Grown { nodes, depths, order } = grown;
    let depth = depths.iter().copied().max().unwrap_or(0);
    let coarsest = coarsest(&nodes, &depths, depth);
    let (reach, fingerprint) = (reach(&nodes), fingerprint(&geometry, &nodes));
    let (root, components) = (Root::new(&nodes[0]), components::points(&geometry));
    let octets = Octets::new(&nodes);
    ObbTree {
        geometry,
        nodes,
        order,
        depth,
        coarsest,
        reach,
        root,
        octets,
        components,
        fingerprint,
    }
}

fn grow<T: Scalar, S: Scalar, const N: usize>(
    geometry: &Geometry<T>,
    build: &Build,
    primitives: Primitives<S, N>,
    told: &mut Told<'_, '_>,
) -> Result<Grown<T>, Error> {
    match build.split {
        Split::BottomUp => cluster::grow(geometry, build, primitives, told),
        _ => top_down(geometry, build, primitives, told),
    }
}

/// Only a closed mesh has an inside.
fn check_closed<T: Scalar>(geometry: &Geometry<T>) -> Result<(), Error> {
    let Geometry::Solid(mesh) = geometry else { return Ok(()) };
    let mut edges = mesh.open_edges();
    let count = edges.len();
    edges.truncate(8);
    if count == 0 { Ok(()) } else { Err(Error::Open { edges, count }) }
}

fn top_down<T: Scalar, S: Scalar, const N: usize>(
    geometry: &Geometry<T>,
    build: &Build,
    primitives: Primitives<S, N>,
    told: &mut Told<'_, '_>,
) -> Result<Grown<T>, Error> {
    let mut splitter = Splitter::new(build);
    let cut = |(_, depth): (usize, usize), node: &Node<T>, pages: &mut Pages<S, N>| match build
        .stops(depth, node.range().len())
    {
        true => None,
        false => splitter.halves(node, pages),
    };
    Growing::new(geometry, build.fit, primitives, cut).grown(told)
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

pub(super) fn reach<T: Scalar>(nodes: &[Node<T>]) -> f64 {
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
pub(super) fn fingerprint<T: Scalar>(geometry: &Geometry<T>, nodes: &[Node<T>]) -> u64 {
    let mut hash = crate::num::Fingerprint::default();
    geometry.for_each_bits(|bits| hash.add(bits));
    for node in nodes {
        hash.add(u64::from(node.child));
        hash.add(node.bound.bits());
        node.oriented.bits().for_each(|bits| hash.add(bits));
    }
    hash.value()
}
