//! Test cases of two placed parts, at poses where contact is hard to decide.

use nalgebra::{Quaternion, Translation3, UnitQuaternion, Vector3};

use super::Truth;
use crate::error::Error;
use crate::num::Scalar;
use crate::num::SplitMix64;
use crate::num::linear::{Vec3, length, scale, sub};
use crate::shape::{Placement, Pose, wide_point};
use crate::tree::{Accuracy, NodeId, ObbTree, TreePair, TreeScratch};

/// Two placed parts and their ground truth.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use boxwood::accuracy::Case;
///
/// let apart = [Isometry3::identity(), Isometry3::translation(0.9, 0.0, 0.0)];
/// let case = Case::new([&tree, &tree], apart)?;
/// assert!(case.touching); // exactly
/// let truth = case.truth.as_ref().expect("they share a volume");
/// assert!((truth.centroid().x - 0.45).abs() < 0.01);
/// assert!((case.way_out(Vector3::x()).expect("solid") - 0.1).abs() < 0.01);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Case<'a, T: Scalar> {
    /// Trees of the two parts.
    pub trees: [&'a ObbTree<T>; 2],
    /// Poses of the parts, from part to world.
    pub poses: [Pose<T>; 2],
    /// Set if their geometry shares a point, exactly.
    pub touching: bool,
    /// True intersection, if they touch.
    pub truth: Option<Truth>,
}

impl<'a, T: Scalar> Case<'a, T> {
    /// Computes the ground truth of two placed parts.
    ///
    /// # Errors
    /// Error of an invalid pose.
    pub fn new(trees: [&'a ObbTree<T>; 2], poses: [Pose<T>; 2]) -> Result<Self, Error> {
        let pair = TreePair::new(trees[0], &poses[0], trees[1], &poses[1])?;
        let touching = pair.intersects(Accuracy::Exact, &mut TreeScratch::default())?;
        let truth = if touching { Truth::measure(&pair) } else { None };
        Ok(Case { trees, poses, touching, truth })
    }

    /// Returns the pair of placed trees.
    ///
    /// # Errors
    /// Error of an invalid pose; none if [`Case::new`] created the case.
    pub fn pair(&self) -> Result<TreePair<'a, T>, Error> {
        TreePair::new(self.trees[0], &self.poses[0], self.trees[1], &self.poses[1])
    }

    /// Returns the diagonal of the box around the smaller part [length units].
    pub fn half_diagonal(&self) -> f64 {
        2.0 * half_diagonal(self.trees[0]).min(half_diagonal(self.trees[1]))
    }

    /// Returns the displacement of the second along a unit direction after which it is free of the
    /// first [length units]: the displacement along lines, then steps of [`Case::half_diagonal`]
    /// over 400 and halves of them, tested exactly, to a thousandth of a step. `None` unless they
    /// touch and both are solid.
    pub fn way_out(&self, direction: Vector3<f64>) -> Option<f64> {
        let along = self.truth.as_ref()?.separating_translation(direction)?;
        let mut scratch = TreeScratch::default();
        let mut free = |way: f64| {
            let shift = Translation3::from((direction * way).map(T::nearest));
            let pair = TreePair::new(
                self.trees[0],
                &self.poses[0],
                self.trees[1],
                &(shift * self.poses[1]),
            );
            // A pose out of range counts as free.
            pair.and_then(|pair| pair.intersects(Accuracy::Exact, &mut scratch)) != Ok(true)
        };
        let step = self.half_diagonal() / 400.0;
        let (mut near, mut far) = (along, along);
        while !free(far) {
            (near, far) = (far, far + step);
        }
        for _ in 0..10 {
            let middle = 0.5 * (near + far);
            if free(middle) { far = middle } else { near = middle }
        }
        Some(far)
    }
}

fn half_diagonal<T: Scalar>(tree: &ObbTree<T>) -> f64 {
    tree.node(NodeId::ROOT).oriented().wide().radius()
}

/// Creates `count` cases of two parts rotated at random and moved apart in a random direction, to
/// between 0.9 and 1.1 times the distance of their centres at which they stop touching. Equal seeds
/// give equal cases.
///
/// # Errors
/// Error of a pose that is out of range; none for valid trees.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use boxwood::accuracy::hard_cases;
///
/// let cases = hard_cases([&tree, &tree], 20, 7)?; // seed 7: the same every time
/// let touching = cases.iter().filter(|case| case.touching).count();
/// assert!(0 < touching && touching < 20);
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn hard_cases<'a, T: Scalar>(
    trees: [&'a ObbTree<T>; 2],
    count: usize,
    seed: u64,
) -> Result<Vec<Case<'a, T>>, Error> {
    let mut random = SplitMix64(seed);
    let mut cases = Vec::with_capacity(count);
    for index in 0..count {
        let (turns, direction) =
            ([rotation(&mut random), rotation(&mut random)], direction(&mut random));
        let poses = |distance: f64| {
            [
                centered_pose(trees[0], turns[0], [0.0; 3]),
                centered_pose(trees[1], turns[1], scale(direction, distance)),
            ]
        };
        let meeting = touching_distance(trees, poses)?;
        let share = 0.9 + 0.2 * (index as f64 + 0.5) / count as f64;
        cases.push(Case::new(trees, poses(meeting * share))?);
    }
    Ok(cases)
}

/// Returns the pose that rotates a part and moves the centre of its root to `at`.
fn centered_pose<T: Scalar>(tree: &ObbTree<T>, turn: [f64; 4], at: Vec3) -> Pose<T> {
    let [x, y, z, w] = turn.map(T::nearest);
    let turn = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
    let pose = Pose::from_parts(Translation3::identity(), turn);
    let middle = wide_point(tree.node(NodeId::ROOT).oriented().center());
    let shift = sub(at, Placement::new(&pose).point(middle));
    Pose::from_parts(Translation3::from(Vector3::from(shift.map(T::nearest))), turn)
}

fn touching_distance<T: Scalar>(
    trees: [&ObbTree<T>; 2],
    poses: impl Fn(f64) -> [Pose<T>; 2],
) -> Result<f64, Error> {
    let (mut near, mut far) = (0.0, 1.01 * (half_diagonal(trees[0]) + half_diagonal(trees[1])));
    let mut scratch = TreeScratch::default();
    for _ in 0..14 {
        let middle = 0.5 * (near + far);
        let [a, b] = poses(middle);
        let pair = TreePair::new(trees[0], &a, trees[1], &b)?;
        match pair.intersects(Accuracy::Exact, &mut scratch)? {
            true => near = middle,
            false => far = middle,
        }
    }
    Ok(far)
}

/// Returns a uniform number in `-1..1`.
fn signed_unit(random: &mut SplitMix64) -> f64 {
    random.bits() as f64 / (1u64 << 63) as f64 - 1.0
}

/// Returns a uniform unit vector.
fn direction(random: &mut SplitMix64) -> Vec3 {
    loop {
        let v = [0; 3].map(|_| signed_unit(random));
        let long = length(v);
        if (0.1..1.0).contains(&long) {
            return scale(v, 1.0 / long);
        }
    }
}

/// Returns a uniform rotation, as a quaternion x, y, z, w.
fn rotation(random: &mut SplitMix64) -> [f64; 4] {
    loop {
        let q = [0; 4].map(|_| signed_unit(random));
        let long = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        if (0.1..1.0).contains(&long) {
            return q.map(|x| x / long);
        }
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn directions_are_unit_and_differ() {
        let mut random = SplitMix64(1);
        let (a, b) = (direction(&mut random), direction(&mut random));
        assert!((length(a) - 1.0).abs() < 1e-12 && length(sub(a, b)) > 1e-3);
    }
}
