//! Distances of all pairs of parts of a model from poses alone, signed.

use nalgebra::{Unit, Vector3};

use super::query::SelfQueryScratch;
use super::self_distance::PlacedPairs;
use super::{Model, PartDistance, PartId, PartNode};
use crate::error::Error;
use crate::narrow_phase::Candidates;
use crate::num::linear::{length, scale, sub};
use crate::num::{Scalar, precompiled};
use crate::shape::{Pose, wide_point};
use crate::tree::{Accuracy, Counts, Push, Report, TreePair, TreeScratch};

precompiled! {
    /// Measures all pairs of parts within the limit.
    fn measure_pairs<'a, T>(
        model: &'a Model<T>,
        poses: &'a [Pose<T>],
        max_distance: f64,
        scratch: &'a mut SelfQueryScratch<T>,
    ) -> Result<(), Error> {
        model.measure_pairs(poses, max_distance, scratch)
    }
}

impl<T: Scalar> Model<T> {
    /// Measures every two parts that the rules do not ignore and whose groups interact, each placed
    /// by its pose (part to world): all that are no further apart than `max_distance`, up to
    /// rounding, ascending by the indices of the parts. Distances are exact, as those of
    /// [`Model::self_distance`] at [`Accuracy::Exact`], and negative where parts overlap: what an
    /// optimizer of trajectories needs, with [`PartDistance::gradient`].
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is one pose for every part, [`Error::NotFinite`],
    /// [`Error::OutOfRange`], [`Error::NotUnit`] naming the pose; [`Error::NotFinite`] and
    /// [`Error::Negative`] for `max_distance`, which may be infinite.
    ///
    /// ```
    /// use boxwood::nalgebra::{Isometry3, Vector3};
    /// use boxwood::{Build, Geometry, Model, Obb, SelfQueryScratch};
    ///
    /// let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// let block = || Geometry::Boxes(vec![cube]);
    /// let parts = Model::builder().part("a", None, block()).part("b", None, block());
    /// let model = parts.part("c", None, block()).build(&Build::default())?;
    /// let at = |x| Isometry3::translation(x, 0.0, 0.0);
    /// let mut scratch = SelfQueryScratch::default();
    /// // Unit cubes: a and b overlap by 0.25, b and c are 1 apart, a and c 1.75.
    /// let poses = [at(0.0), at(0.75), at(2.75)];
    /// let near = model.self_distances(&poses, 1.5, &mut scratch)?;
    /// assert_eq!(near.len(), 2);
    /// assert!((near[0].distance + 0.25).abs() < 1e-6);
    /// assert!((near[1].distance - 1.0).abs() < 1e-6);
    /// assert!(near.iter().all(|pair| pair.normal == Some(Vector3::x_axis())));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn self_distances<'s>(
        &self,
        poses: &[Pose<T>],
        max_distance: impl Into<f64>,
        scratch: &'s mut SelfQueryScratch<T>,
    ) -> Result<&'s [PartDistance<T>], Error> {
        measure_pairs(self, poses, max_distance.into(), scratch)?;
        Ok(&scratch.distances)
    }

    fn measure_pairs(
        &self,
        poses: &[Pose<T>],
        max_distance: f64,
        scratch: &mut SelfQueryScratch<T>,
    ) -> Result<(), Error> {
        let SelfQueryScratch { boxes, narrow, report, distances, .. } = scratch;
        let tree = &mut narrow.tree;
        (*report, tree.counts) = (Report::default(), Counts::default());
        distances.clear();
        let asked = (Accuracy::Exact, max_distance);
        let placed = self.place_for_distances(poses, asked, boxes)?;
        let mut pairs = PlacedPairs { model: self, boxes, compared: 0 };
        pairs.visit(max_distance, |near| {
            let pair = placed.pair_within(near.key, asked, tree);
            distances.extend(pair.and_then(|pair| measured(near.key, &pair, max_distance, tree)));
            max_distance
        });
        distances.sort_unstable_by_key(|found| (found.a.part, found.b.part));
        tree.counts.parts = pairs.compared;
        report.counts = tree.counts;
        report.slack = distances.iter().fold(T::zero(), |most, found| most.max(found.slack));
        Ok(())
    }
}

/// Measures two parts; `None` if they are further apart than the limit.
fn measured<T: Scalar>(
    (part_a, part_b): (PartId, PartId),
    pair: &TreePair<'_, T>,
    max_distance: f64,
    tree: &mut TreeScratch,
) -> Option<PartDistance<T>> {
    let closest = pair.distance_checked(Accuracy::Exact, max_distance, tree)?;
    let named = |part, node| PartNode { part, node };
    if closest.distance == T::zero()
        && let Some(way) = pair.separation_checked(&Push::least(), tree)
    {
        return Some(PartDistance {
            a: named(part_a, way.a),
            b: named(part_b, way.b),
            distance: -way.depth,
            slack: T::zero(),
            normal: Some(way.normal),
            on_a: way.on_a,
            on_b: way.on_b,
        });
    }
    let between = sub(wide_point(closest.on_b), wide_point(closest.on_a));
    let far = length(between);
    let normal = (far > 0.0 && closest.distance > T::zero())
        .then(|| Unit::new_unchecked(Vector3::from(scale(between, 1.0 / far).map(T::nearest))));
    Some(PartDistance {
        a: named(part_a, closest.a),
        b: named(part_b, closest.b),
        distance: closest.distance,
        slack: closest.slack,
        normal,
        on_a: closest.on_a,
        on_b: closest.on_b,
    })
}
