//! Where a node is cut in two, top-down.

use super::Split;
use crate::num::Scalar;
use crate::num::linear::dot;
use crate::shape::Obb;
use crate::tree::Geometry;

/// A primitive and where its centroid lies along the axis.
type Keyed = (f64, u32);

/// Parts the primitives in two across the first axis of `oriented`, longest first, on which their centroids
/// differ; `None` if they differ on none.
pub(super) fn halves<T: Scalar>(
    geometry: &Geometry<T>,
    oriented: &Obb<T>,
    split: Split,
    primitives: &mut [u32],
) -> Option<usize> {
    let wide = oriented.wide();
    let mut axes = [0, 1, 2];
    axes.sort_by(|&i, &j| wide.half_extents[j].total_cmp(&wide.half_extents[i]).then(i.cmp(&j)));
    for axis in axes {
        let along = |&p: &u32| dot(wide.axes[axis], geometry.centroid(p));
        let mut keyed: Vec<Keyed> = primitives.iter().map(|p| (along(p), *p)).collect();
        let first = keyed[0].0;
        if keyed.iter().all(|&(key, _)| key == first) {
            continue;
        }
        let middle = match split {
            Split::AreaMedian => half_the_surface(geometry, &mut keyed),
            Split::Mean => mean(&mut keyed),
            Split::Median | Split::BottomUp => median(&mut keyed),
        };
        keyed[..middle].sort_unstable_by_key(|&(_, p)| p);
        keyed[middle..].sort_unstable_by_key(|&(_, p)| p);
        primitives.iter_mut().zip(keyed).for_each(|(slot, (_, p))| *slot = p);
        return Some(middle);
    }
    None
}

/// The order is total, so the halves are the same sets whatever a sort or selection does inside.
fn in_order(a: &Keyed, b: &Keyed) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

fn median(keyed: &mut [Keyed]) -> usize {
    let middle = keyed.len() / 2;
    keyed.select_nth_unstable_by(middle, in_order);
    middle
}

/// The first half ends where it has half of the surface or more, but leaves something.
fn half_the_surface<T: Scalar>(geometry: &Geometry<T>, keyed: &mut [Keyed]) -> usize {
    keyed.sort_unstable_by(in_order);
    let whole: f64 = keyed.iter().map(|&(_, p)| geometry.surface(p)).sum();
    if whole <= 0.0 {
        return keyed.len() / 2;
    }
    let mut sum = 0.0;
    let reaches = |&(_, p): &Keyed| {
        sum += geometry.surface(p);
        sum >= 0.5 * whole
    };
    let last = keyed.iter().position(reaches).unwrap_or(0);
    (last + 1).min(keyed.len() - 1)
}

/// Below the mean, and not: the median where rounding leaves one side empty.
fn mean(keyed: &mut [Keyed]) -> usize {
    keyed.sort_unstable_by(in_order);
    let mean = keyed.iter().map(|&(key, _)| key).sum::<f64>() / keyed.len() as f64;
    match keyed.partition_point(|&(key, _)| key < mean) {
        0 => keyed.len() / 2,
        all if all == keyed.len() => keyed.len() / 2,
        middle => middle,
    }
}
