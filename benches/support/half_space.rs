//! Half-spaces in parry3d: they have no box to look for.

use parry3d::math::Vector;

/// The corner of a box that lies deepest in a half-space, and how high that is.
pub fn lowest(up: Vector, mins: Vector, maxs: Vector) -> f32 {
    let end = |up: f32, min: f32, max: f32| up * if up > 0.0 { min } else { max };
    end(up.x, mins.x, maxs.x) + end(up.y, mins.y, maxs.y) + end(up.z, mins.z, maxs.z)
}
