//! How far a node's oriented box can be from what is in it.

use super::Geometry;
use crate::num::Scalar;
use crate::shape::Obb;

/// An upper bound on the directed Hausdorff distance from the box to the primitives: the least, over the primitives, of the
/// farthest corner of the box. Distance to a convex primitive is convex, so a corner is farthest.
///
/// Exact for one primitive, crude for many.
pub(super) fn of<T: Scalar>(geometry: &Geometry<T>, primitives: &[u32], oriented: &Obb<T>) -> T {
    if let (Geometry::Boxes(_), [_]) = (geometry, primitives) {
        // The box is the primitive.
        return T::zero();
    }
    let wide = oriented.wide();
    let corners = wide.corners();
    let mut least = f64::INFINITY;
    for &primitive in primitives {
        let mut farthest = 0.0f64;
        for &corner in &corners {
            farthest = farthest.max(geometry.distance(primitive, corner));
            if farthest >= least {
                break;
            }
        }
        least = least.min(farthest);
    }
    // Corners and distances are rounded; those to boxes take right angles for granted.
    let extent: f64 = wide.center.iter().map(|c| c.abs()).sum::<f64>() + wide.radius();
    let skew = match geometry {
        Geometry::Boxes(_) => 32.0 * T::ROUNDING * wide.radius(),
        _ => 0.0,
    };
    T::at_least(least + skew + 1e-14 * extent)
}
