//! The slack of the 15 axes: at least its proved bound, and more than what stored axes hide.
//!
//! The numbers are written here a second time, so that a smaller slack fails.

use boxwood::shape::{Obb, Pose};
use boxwood::tree::{Accuracy, Geometry, TreePair, TreeScratch};

use support::prelude::*;

/// Rounding of double precision.
const E: f64 = f64::EPSILON / 2.0;

/// Asserts the bound of the module `num::tolerance`: `6 d` for the skew `d`, `70 e` and, in
/// double precision, `150 e` for the placement.
fn proved_bound<T: Scalar>(placement: f64) {
    let skew = 2.0 * T::ROUNDING + 35.0 * E;
    let bound = 6.0 * skew + 70.0 * E + placement;
    assert!(T::LEAF_SLACK >= bound, "{:e} {bound:e}", T::LEAF_SLACK);
    assert!(T::LEAF_SLACK * T::REACH_SHARE >= 150.0 * E);
}

/// Measures the skew of many boxes as they are stored.
fn measured_skew<T: Scalar>() {
    let (mut random, mut worst) = (Random(611), 0.0);
    for _ in 0..cases(20_000) {
        let axes = random.rotation().map(|axis| Vector3::from(axis.map(T::nearest)));
        let half = Vector3::repeat(T::one());
        let solid = Obb::new(Point3::origin(), Matrix3::from_columns(&axes), half);
        let axes = solid.expect("a box").axes().map(T::wide);
        let skew = (axes.tr_mul(&axes) - Matrix3::identity()).amax();
        worst = f64::max(worst, skew);
    }
    assert!(worst > 0.9 * T::ROUNDING, "{worst:e}: no axes are skewed");
    // In double precision the products themselves are rounded.
    let rounded = if T::IS_SINGLE { 0.0 } else { 220.0 * E };
    assert!(T::LEAF_SLACK >= 6.0 * worst + rounded, "{:e} {worst:e}", T::LEAF_SLACK);
}

/// Two boxes: axes by columns, half extents.
#[derive(Clone, Copy)]
struct Skewed {
    axes: [[V; 3]; 2],
    half: [V; 2],
}

impl Skewed {
    fn skew(&self) -> f64 {
        let of = |axes: &[V; 3]| {
            let entry = |i: usize, j: usize| inner(axes[i], axes[j]) - f64::from(u8::from(i == j));
            (0..9).map(|k| entry(k / 3, k % 3).abs()).fold(0.0, f64::max)
        };
        f64::max(of(&self.axes[0]), of(&self.axes[1]))
    }

    /// Returns the greatest share of the sizes by which the parallelepipeds reach farther along one
    /// of the 15 axes than the formula of boxes with right angles.
    fn hidden(&self) -> f64 {
        let [a, b] = &self.axes;
        let [h, k] = &self.half;
        let r: [V; 3] = [0, 1, 2].map(|i| [0, 1, 2].map(|j| inner(a[i], b[j])));
        let reach = |axes: &[V; 3], half: &V, c: V| -> f64 {
            (0..3).map(|i| half[i] * inner(axes[i], c).abs()).sum()
        };
        let mut most = f64::NEG_INFINITY;
        let mut take = |c: V, formula: f64| {
            most = most.max(reach(a, h, c) + reach(b, k, c) - formula);
        };
        for i in 0..3 {
            take(a[i], h[i] + (0..3).map(|j| k[j] * r[i][j].abs()).sum::<f64>());
            take(b[i], k[i] + (0..3).map(|j| h[j] * r[j][i].abs()).sum::<f64>());
            for j in 0..3 {
                let ([i1, j1], [i2, j2]) =
                    ([i, j].map(|x| (x + 1) % 3), [i, j].map(|x| (x + 2) % 3));
                let c: V = [0, 1, 2].map(|x| a[i2][x] * r[i1][j] - a[i1][x] * r[i2][j]);
                let of_a = h[i1] * r[i2][j].abs() + h[i2] * r[i1][j].abs();
                take(c, of_a + k[j1] * r[i][j2].abs() + k[j2] * r[i][j1].abs());
            }
        }
        most / (norm(*h) + norm(*k))
    }

    /// Changes one entry of the axes by a unit in the last place, or a half extent.
    fn changed(&self, random: &mut Random) -> Self {
        let mut next = *self;
        if random.chance(0.5) {
            let entry = &mut next.axes[random.below(2)][random.below(3)][random.below(3)];
            let stored = *entry as f32;
            let other = if random.chance(0.5) { stored.next_up() } else { stored.next_down() };
            *entry = f64::from(other);
        } else {
            next.half[random.below(2)][random.below(3)] = random.decade(-4.0, 0.0);
        }
        next
    }
}

/// Searches axes in single precision, of a skew that is still accepted, that hide most: by more
/// than an eighth of the slack, and never by more than all of it.
#[test]
fn the_slack_exceeds_what_axes_of_the_greatest_skew_hide() {
    let (mut random, mut worst) = (Random(612), 0.0);
    for _ in 0..at_least(200, 40) {
        let axes = [0; 2].map(|_| random.rotation().map(|axis| axis.map(|x| f64::from(x as f32))));
        let half = [0; 2].map(|_| std::array::from_fn(|_| random.decade(-3.0, 0.0)));
        let mut best = Skewed { axes, half };
        let (mut most, mut idle) = (best.hidden(), 0);
        while idle < 1_000 {
            let next = best.changed(&mut random);
            let hidden = next.hidden();
            if hidden > most && next.skew() <= 2.0 * f32::ROUNDING {
                (best, most, idle) = (next, hidden, 0);
            } else {
                idle += 1;
            }
        }
        worst = f64::max(worst, most);
    }
    println!("{:.2} u of the sizes are hidden", worst / f32::ROUNDING);
    assert!(worst > 5.0 * f32::ROUNDING, "the search finds too little: {worst:e}");
    assert!(f32::LEAF_SLACK >= worst, "{:e} {worst:e}", f32::LEAF_SLACK);
}

/// Checks that nodes apart by three quarters of the documented slack count as touching, and that
/// those apart by twice the slack do not. `slack`: distance for these cubes, whose half diagonals
/// sum to the root of 3, and in double precision the radii about the origins to twice that.
fn documented_band<T: Scalar>(slack: f64) {
    let tree = |low: f64| {
        let pose = Pose::from_parts(
            Vector3::repeat(T::nearest(low + 0.5)).into(),
            nalgebra::UnitQuaternion::identity(),
        );
        let half = Vector3::repeat(T::nearest(0.5));
        let solid = Obb::from_pose(&pose, half).expect("a box");
        default_tree(Geometry::Boxes(vec![solid]))
    };
    let (a, b, mut scratch) = (tree(-1.0), tree(0.0), TreeScratch::default());
    let here = Pose::<T>::identity();
    for axis in 0..3 {
        for (share, touches) in [(0.25, true), (0.5, true), (0.75, true), (2.0, false)] {
            let mut at = [T::zero(); 3];
            at[axis] = T::nearest(share * slack * 3f64.sqrt());
            let there = Isometry3::translation(at[0], at[1], at[2]);
            let pair = TreePair::new(&a, &here, &b, &there).expect("sound poses");
            let found = pair.intersects(Accuracy::Depth(0), &mut scratch).expect("an accuracy");
            assert_eq!(found, touches, "{share} of the slack along {axis}");
        }
    }
}

scalars! {
    the_slack_is_at_least_its_proved_bound => proved_bound(0.0; 150.0 * E);
    the_slack_is_at_least_six_times_the_skew_of_stored_boxes => measured_skew();
    nodes_within_the_documented_slack_count_as_touching =>
        documented_band(1.0 / f64::from(1 << 19); 3.0 / (1u64 << 44) as f64);
}
