//! SAT of two boxes in f64, as a slow oracle: all corners projected on all fifteen axes.

use crate::plain_box::{PlainBox, V, inner, norm, outer, times};

/// Length before normalization below which directions are dropped as meaningless.
const NOTHING: f64 = 1e-15;

/// Returns the unit axes: normals of both boxes, then the crossed edges that have a direction.
pub fn axes(a: &PlainBox, b: &PlainBox) -> Vec<V> {
    let mut axes = Vec::with_capacity(15);
    let mut push = |direction: V| {
        let length = norm(direction);
        if length > NOTHING {
            axes.push(times(direction, 1.0 / length));
        }
    };
    for block in [a, b] {
        (0..3).for_each(|i| push(outer(block.axes[(i + 1) % 3], block.axes[(i + 2) % 3])));
    }
    for i in 0..3 {
        (0..3).for_each(|j| push(outer(a.axes[i], b.axes[j])));
    }
    axes
}

/// Returns the least and the greatest coordinate of the corners along the axis.
fn interval(corners: &[V; 8], axis: V) -> (f64, f64) {
    let along = corners.iter().map(|&corner| inner(corner, axis));
    along.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)))
}

/// Returns half the extent of the box along the axis.
pub fn reach(block: &PlainBox, axis: V) -> f64 {
    let (low, high) = interval(&block.corners(block.center), axis);
    (high - low) / 2.0
}

/// Computes the greatest gap over the fifteen axes, minus the least overlap if they overlap [world
/// units]. If positive, a lower bound of the distance.
pub fn separation(a: &PlainBox, b: &PlainBox) -> f64 {
    let (first, second) = (a.corners(a.center), b.corners(a.center));
    let gap = |axis: V| {
        let (p, q) = (interval(&first, axis), interval(&second, axis));
        (q.0 - p.1).max(p.0 - q.1)
    };
    axes(a, b).into_iter().map(gap).fold(f64::MIN, f64::max)
}

/// Returns `true` if an edge of one and an edge of the other cross at a sine below `limit`.
pub fn nearly_parallel(a: &PlainBox, b: &PlainBox, limit: f64) -> bool {
    (0..9).any(|k| norm(outer(a.axes[k / 3], b.axes[k % 3])) < limit)
}
