//! Trees of scaled parts: equal partition and axes, with every box fitted to the scaled geometry
//! and every bound proven for it.
//!
//! Let `B` be a box, `b` its bound, `f` the factor. Scaled exactly, no point of `f B` is further
//! than `f b` from `f` times the geometry, or its inside. The new box `B'` is fitted to the rounded
//! geometry. Every point of it is within `d` of a point of `f B`, where `d` bounds the distance of
//! the two at equal shares of their half axes. Every point of the scaled geometry is within `e`,
//! the rounding of its numbers, of the rounded one. The inside of a scaled solid is as close: while
//! the corners move to their rounded positions, a point leaves the inside only where the surface
//! passes it, and the surface has at most `e` left to move. Hence `f b + d + e` is a bound of `B'`.
//!
//! For a power of two nothing is rounded, and `d` and `e` are zero: only exponents change.
//!
//! Convex hulls likewise: the corners are scaled and rounded, and pad and bound grow by these
//! roundings.

use super::rebuild::rebuild_nodes;
use crate::error::Error;
use crate::hull::HullCorners;
use crate::num::linear::{self, Vec3, add, scale, sub};
use crate::num::scaling::{check_factor, is_power_of_two, scaling_error};
use crate::num::{Scalar, precompiled};
use crate::shape::WideObb;
use crate::tree::bound::NodeBounds;
use crate::tree::build::build_tree::finish_tree;
use crate::tree::build::node_builder::BuiltNodes;
use crate::tree::store::enclosure::Enclosure;
use crate::tree::store::hulls::{NodeHull, NodeHulls};
use crate::tree::{Bound, Geometry, Node, ObbTree};

/// Largest motion of a point of a primitive by rounding, in roundings of the part's radius:
/// vertices of meshes have three coordinates, which is less than two lengths; other primitives a
/// centre and three half axes, or less.
const PRIMITIVE_ROUNDINGS: [f64; 2] = [2.0, 12.0];

/// Largest rounding of a hull's corner: as a share of the unit, half of the last place in each of
/// three coordinates; and as a share of the distance from the origin, in double precision.
const CORNER_ERROR: [f64; 2] = [1.0 / (1u64 << 24) as f64, 1.0 / (1u64 << 48) as f64];

/// Largest motion of a box as a share of its half extents. Beyond it the box has new axes, and its
/// bound is searched for as in a build.
const MAX_BOX_SHIFT: f64 = 1.0 / 1024.0;

impl<T: Scalar> ObbTree<T> {
    /// Returns the tree of the geometry with all lengths times `factor`, about the origin of the
    /// part's frame: equal nodes and primitives, with boxes fitted to the scaled geometry and
    /// bounds proven for it. A power of two keeps every bit but exponents.
    ///
    /// Takes a fraction of the time of [`ObbTree::build`]: nothing is sorted, split or searched
    /// for.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] where
    /// a number of the geometry would overflow.
    ///
    /// ```
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::{Build, Geometry, Mesh, NodeId, ObbTree};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let sides = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let mesh = Mesh::new(corners.map(Point3::from).to_vec(), sides)?;
    /// let tree = ObbTree::build(Geometry::Solid(mesh), &Build::default())?;
    /// let giant = tree.scaled(2.0)?;
    /// assert_eq!(giant.radius_about_origin(), 2.0 * tree.radius_about_origin());
    /// assert!(tree.scaled(1.37)?.validate().is_ok());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Self, Error> {
        let factor = factor.into();
        check_factor(factor)?;
        scaled(self, factor)
    }
}

precompiled! {
    fn scaled<'a, T>(tree: &'a ObbTree<T>, factor: f64) -> Result<ObbTree<T>, Error> {
        scale_tree(tree, factor)
    }
}

fn scale_tree<T: Scalar>(tree: &ObbTree<T>, factor: f64) -> Result<ObbTree<T>, Error> {
    let geometry = tree.geometry.scaled(factor)?;
    let built = rebuild_nodes(&geometry, &tree.order, &tree.compact_nodes())?;
    let scaling = ScaledBounds::new(tree, factor, &geometry);
    let (bounds, hulls) = (scaling.node_bounds(&built), scaling.scaled_hulls(&built.nodes));
    Ok(finish_tree(geometry, built, &bounds, |_, _| hulls))
}

/// Computes the bounds of the nodes of a scaled tree.
struct ScaledBounds<'a, T: Scalar> {
    tree: &'a ObbTree<T>,
    factor: f64,
    geometry: &'a Geometry<T>,
    /// `true` if no number of the geometry was rounded.
    is_exact: bool,
    /// Upper bound on the distance of any point of the scaled geometry from the rounded one.
    rounding_error: f64,
}

impl<'a, T: Scalar> ScaledBounds<'a, T> {
    fn new(tree: &'a ObbTree<T>, factor: f64, geometry: &'a Geometry<T>) -> Self {
        let back = |one: &Geometry<T>| one.scaled(1.0 / factor).is_ok_and(|b| b == tree.geometry);
        let is_exact = is_power_of_two(factor) && back(geometry);
        let (share, least) = scaling_error::<T>();
        let rounding_error = match is_exact {
            true => 0.0,
            false => {
                let roundings = PRIMITIVE_ROUNDINGS[usize::from(geometry.mesh().is_none())];
                roundings * (share * tree.radius_about_origin * factor + least)
            }
        };
        ScaledBounds { tree, factor, geometry, is_exact, rounding_error }
    }

    fn node_bounds(&self, built: &BuiltNodes<T>) -> Vec<T> {
        let ordered = built.ordered_nodes();
        // Created only if some box has new axes.
        let mut search = None;
        let mut bound = |(old, node): (&Node<T>, &Node<T>)| {
            let is_primitive = node.primitive_range().len() == 1;
            if let (Geometry::Boxes(_), true) = (self.geometry, is_primitive) {
                return T::zero();
            }
            self.node_bound(old, node).unwrap_or_else(|| {
                let search = search.get_or_insert_with(|| {
                    let inside = Enclosure::new(self.geometry, ordered);
                    NodeBounds::new(self.geometry, ordered, Bound::Certified, inside)
                });
                search.node_bound(node)
            })
        };
        self.tree.nodes.iter().zip(&built.nodes).map(&mut bound).collect()
    }

    /// Returns the bound of a node; `None` if its box is not the scaled one.
    fn node_bound(&self, old: &Node<T>, node: &Node<T>) -> Option<T> {
        let (old_box, new_box) = (old.oriented.wide(), node.oriented.wide());
        let (bound, displacement) =
            (self.factor * old.bound.wide(), self.max_displacement(&old_box, &new_box));
        if self.is_exact && displacement == 0.0 {
            return Some(T::at_least(bound));
        }
        let (center, half) = (l1_norm(new_box.center), l1_norm(new_box.half_extents));
        // Pad for the rounding of sums, in proportion to their terms.
        let bound = bound + displacement + self.rounding_error + 1e-14 * (bound + center + half);
        (displacement <= MAX_BOX_SHIFT * half + self.rounding_error).then(|| T::at_least(bound))
    }

    /// Returns the convex hulls of the scaled corners. Pad and bound grow by the rounding of the
    /// stored corners and of the primitives.
    fn scaled_hulls(&self, nodes: &[Node<T>]) -> NodeHulls {
        let NodeHulls { depth_count, by_node } = &self.tree.hulls;
        let scaled = by_node.iter().zip(nodes).map(|(hull, node)| {
            let hull = hull.as_ref()?;
            Some(if self.is_exact { self.exact_hull(hull) } else { self.scaled_hull(hull, node) })
        });
        NodeHulls { depth_count: *depth_count, by_node: scaled.collect() }
    }

    fn scaled_hull(&self, old: &NodeHull, node: &Node<T>) -> NodeHull {
        let NodeHull { corners, pad, bound } = old;
        let corner = |at| scale(add(corners.center, corners.corner(at)), self.factor);
        let points: Vec<Vec3> = (0..corners.len).map(corner).collect();
        let corners = HullCorners::from_points(node.aligned.wide().0, &points);
        let more = CORNER_ERROR[0] * corners.unit
            + CORNER_ERROR[1] * l1_norm(corners.center)
            + self.rounding_error;
        let [pad, bound] = [pad, bound].map(|old| (self.factor * old + more) * (1.0 + 1e-12));
        NodeHull { corners, pad, bound }
    }

    fn exact_hull(&self, old: &NodeHull) -> NodeHull {
        let (pad, bound) = (self.factor * old.pad, self.factor * old.bound);
        NodeHull { corners: old.corners.scaled(self.factor), pad, bound }
    }

    /// Returns an upper bound on the distance of any point of a box from the scaled one.
    fn max_displacement(&self, old: &WideObb, new: &WideObb) -> f64 {
        let apart = |new: Vec3, old: Vec3| l1_norm(sub(new, scale(old, self.factor)));
        let axis = |i: usize| {
            let half = |b: &WideObb| scale(b.axes[i], b.half_extents[i]);
            apart(half(new), half(old))
        };
        apart(new.center, old.center) + axis(0) + axis(1) + axis(2)
    }
}

/// Returns a sum no less than the length, without squares that underflow.
fn l1_norm(v: Vec3) -> f64 {
    linear::coordinate_sum(linear::absolute_values(v))
}
