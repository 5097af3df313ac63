//! Two parts brought to first contact by the exact answer.

use boxwood::shape::Pose;
use boxwood::tree::{Bound, Build, Fit, NodeId, ObbTree, Split};

use support::exact_parts::{ExactPair, Part};
use support::prelude::*;
use support::random_parts::put;

/// Returns any build options, including ones that stop early.
pub fn any_build(random: &mut Random) -> Build {
    let split = [Split::Median, Split::AreaMedian, Split::Mean, Split::Sah, Split::BottomUp];
    let fit = [Fit::Aligned, Fit::Spread, Fit::Best, Fit::Refined];
    Build::default()
        .max_depth([0, 1, 3, 32, 32][random.below(5)])
        .leaf_primitives(1 + random.below(6))
        .split(split[random.below(5)])
        .fit(fit[random.below(4)])
        .bound([Bound::Corners, Bound::Certified][random.below(2)])
        .hull_levels([0, 1, 4, 8][random.below(4)])
}

/// Returns half the diagonal of the root.
pub fn size<T: Scalar>(tree: &ObbTree<T>) -> f64 {
    let half = tree.node(NodeId::ROOT).oriented().half_extents();
    half.iter().map(|h| h.wide() * h.wide()).sum::<f64>().sqrt()
}

fn middle<T: Scalar>(tree: &ObbTree<T>, pose: &Pose<T>) -> V {
    let center = tree.node(NodeId::ROOT).oriented().center();
    put(pose, [center.x, center.y, center.z].map(T::wide))
}

/// The second part on a straight way out of the first.
pub struct Meeting<T: Scalar> {
    first: Pose<T>,
    second: Pose<T>,
    /// Way from coinciding centres to the end of contact.
    way: V,
}

impl<T: Scalar> Meeting<T> {
    pub fn new(ends: [(&ObbTree<T>, &Part); 2], random: &mut Random) -> Self {
        let [(a, part_a), (b, part_b)] = ends;
        let both = size(a) + size(b);
        let at = times(random.direction(), both * random.between(0.0, 3.0));
        let (first, mut second) = (turned::<T>(random, at), turned::<T>(random, [0.0; 3]));
        second.translation.vector = vector(minus(middle(a, &first), middle(b, &second)));
        let direction = random.direction();
        let mut meeting = Meeting { first, second, way: times(direction, 1.2 * both) };
        let (mut near, mut far) = (0.0, 1.0);
        for _ in 0..24 {
            let half = 0.5 * (near + far);
            let [p, q] = meeting.poses(half);
            match ExactPair::new(part_a, &p, part_b, &q).touch() {
                true => near = half,
                false => far = half,
            }
        }
        meeting.way = times(meeting.way, far);
        meeting
    }

    pub fn poses(&self, share: f64) -> [Pose<T>; 2] {
        let mut second = self.second;
        let start = second.translation.vector;
        let start = [start.x, start.y, start.z].map(T::wide);
        second.translation.vector = vector(plus(start, times(self.way, share)));
        [self.first, second]
    }
}
