//! Construction of trees: the partition of the primitives, a box for each node, and a bound for
//! each box.

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
mod whole;

pub use options::{Bound, Build, Fit, Split};
#[cfg(feature = "bake")]
pub(crate) use regrown::{Seedling, Sprout};

use growing::{Growing, Pages};
use primitives::Primitives;
use split::Splitter;
pub(super) use whole::Outline;
use whole::Whole;

use super::bound::Bounds;
use super::inside::Enclosure;
use super::octets::Octets;
use super::root::Root;
use super::{Geometry, Node, ObbTree, Told, components};
use crate::error::Error;
use crate::num::{Precompiled, Scalar, precompile};

/// The nodes breadth-first, without bounds, and their depths.
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
    T::precompiled(Planting { build, told }, geometry)
}

/// Builds a tree. It takes longest of all to compile.
struct Planting<'a, 'b, 'c> {
    build: &'a Build,
    told: &'a mut Told<'b, 'c>,
}

impl Precompiled for Planting<'_, '_, '_> {
    type Given<'a, T: Scalar> = Geometry<T>;
    type Answer<T: Scalar> = Result<ObbTree<T>, Error>;

    precompile!(|Planting { build, told }, geometry| planted(geometry, build, told));
}

fn planted<T: Scalar>(
    geometry: Geometry<T>,
    build: &Build,
    told: &mut Told<'_, '_>,
) -> Result<ObbTree<T>, Error> {
    check_closed(&geometry)?;
    let grown = match &geometry {
        _ if geometry.is_empty() => return Err(Error::Empty { field: "geometry" }),
        Geometry::None => return Err(Error::Empty { field: "geometry" }),
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
            grow(&geometry, build, Primitives::triangles(mesh), told)?
        }
        Geometry::Boxes(boxes) => grow(&geometry, build, Primitives::boxes(boxes), told)?,
    };
    let Grown { nodes, order, .. } = &grown;
    let inside = Enclosure::new(&geometry, nodes, order);
    let bounds = Bounds::new(&geometry, order, build.bound, inside).all(nodes, told)?;
    Ok(finished(geometry, grown, &bounds))
}

/// Completes a tree from its nodes and their bounds.
fn finished<T: Scalar>(geometry: Geometry<T>, grown: Grown<T>, bounds: &[T]) -> ObbTree<T> {
    let Grown { mut nodes, depths, order } = grown;
    debug_assert_eq!([bounds.len(), depths.len()], [nodes.len(); 2], "one for each node");
    let depth = depths.iter().copied().max().unwrap_or(0);
    let mut whole = Whole::new(&geometry, depth);
    for ((node, &bound), &depth) in nodes.iter_mut().zip(bounds).zip(&depths) {
        node.bound = bound;
        whole.add(node, depth);
    }
    let (root, components) = (Root::new(&nodes[0]), components::points(&geometry));
    let octets = Octets::new(&nodes);
    let (coarsest, outline) = (whole.coarsest(), whole.outline());
    let (reach, fingerprint) = (outline.reach(), outline.fingerprint());
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

/// Refuses solids that are not closed: only a closed mesh has an inside.
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
