//! Self-distance of a model from poses alone.

use super::pair_rules::MarginRequest;
use super::query::{ModelTrees, SelfQueryScratch};
use super::{Model, PartId, PartNode, PlacedPart};
use crate::broad_phase::DistanceLimit;
use crate::error::Error;
use crate::narrow_phase::{
    BestCandidate, BoundedCandidate, Candidates, Evaluation, PlacedTrees, best_of_all,
};
use crate::num::{Scalar, precompiled};
use crate::pair::ClosestPoints;
use crate::shape::{Aabb, Placement, Pose};
use crate::tree::{
    Accuracy, Counts, ObbTree, Report, TreePair, TreeScratch, check_distance, root_distance,
};

precompiled! {
    /// Finds the two closest parts, if within the limit.
    fn closest_two<'a, T>(
        model: &'a Model<T>,
        poses: &'a [Pose<T>],
        accuracy: Accuracy,
        max_distance: f64,
        scratch: &'a mut SelfQueryScratch<T>,
    ) -> Result<Option<ClosestPoints<T, PartNode>>, Error> {
        model.closest_parts_checked(poses, accuracy, max_distance, scratch)
    }
}

impl<T: Scalar> Model<T> {
    /// Finds the closest two parts that the rules do not ignore and whose groups interact, each
    /// placed by its pose (part to world): a robot's clearance from itself. `None` if all are
    /// further apart than `max_distance`, up to rounding, or there are no such parts.
    /// `max_distance` may be infinite. Of equally distant pairs it returns the first by the indices
    /// of the parts.
    ///
    /// The distance is zero for parts that touch or overlap: at [`Accuracy::Exact`] wherever
    /// [`Model::self_intersects`] is true, else where their boxes do. Each pair is measured as by
    /// [`TreePair::distance`](crate::tree::TreePair::distance), which documents the error of the
    /// distance; [`ClosestPoints::slack`] is how much further apart the geometry can be.
    ///
    /// # Errors
    /// The errors of [`Model::self_intersects`]; [`Error::BadQuery`] for a budget,
    /// [`Error::NotFinite`] and [`Error::Negative`] for `max_distance`.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Vector3};
    /// # use boxwood::{Accuracy, Build, Geometry, Model, Obb, SelfQueryScratch};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let block = || Geometry::Boxes(vec![cube]);
    /// let parts = Model::builder().part("a", None, block()).part("b", None, block());
    /// let model = parts.build(&Build::default())?;
    /// let (mut poses, mut scratch) = (model.bind_poses(), SelfQueryScratch::default());
    /// poses[1].translation.vector.x = 3.0; // unit cubes: a gap of 2
    /// let near = model.self_distance(&poses, Accuracy::Exact, f64::INFINITY, &mut scratch)?;
    /// assert!((near.expect("two parts").distance - 2.0).abs() < 1e-5);
    /// assert!(model.self_distance(&poses, Accuracy::Exact, 1.0, &mut scratch)?.is_none());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn self_distance(
        &self,
        poses: &[Pose<T>],
        accuracy: Accuracy,
        max_distance: impl Into<f64>,
        scratch: &mut SelfQueryScratch<T>,
    ) -> Result<Option<ClosestPoints<T, PartNode>>, Error> {
        closest_two(self, poses, accuracy, max_distance.into(), scratch)
    }

    pub(super) fn closest_parts_checked(
        &self,
        poses: &[Pose<T>],
        accuracy: Accuracy,
        max_distance: f64,
        scratch: &mut SelfQueryScratch<T>,
    ) -> Result<Option<ClosestPoints<T, PartNode>>, Error> {
        let SelfQueryScratch { boxes, ranked, narrow, report, .. } = scratch;
        let tree = &mut narrow.tree;
        (*report, tree.counts) = (Report::default(), Counts::default());
        let placed = self.place_for_distances(poses, (accuracy, max_distance), boxes)?;
        let mut pairs = PlacedPairs { model: self, boxes, compared: 0 };
        let best = best_of_all(&mut pairs, max_distance, ranked, |one, max_distance| {
            let pair = placed.pair_within(one.key, (accuracy, max_distance), tree);
            let found = pair.and_then(|pair| pair.distance_checked(accuracy, max_distance, tree));
            Evaluation::new(found, |found| found.distance.wide())
        });
        tree.counts.parts = pairs.compared;
        report.counts = tree.counts;
        let found = best.map(|BestCandidate { key: (a, b), answer, .. }| {
            let named = |part, node| PartNode { part, node };
            answer.with_owners(named(a, answer.a), named(b, answer.b))
        });
        report.slack = found.map_or(T::zero(), |found| found.slack);
        Ok(found)
    }

    /// Checks a query of distances and places the box of each part.
    pub(super) fn place_for_distances<'a>(
        &'a self,
        poses: &'a [Pose<T>],
        (accuracy, max_distance): (Accuracy, f64),
        boxes: &mut Vec<Aabb<T, 3>>,
    ) -> Result<ModelTrees<'a, T>, Error> {
        let exact = |tree: &ObbTree<T>, pose: &Pose<T>| PlacedPart::new(Some(tree), pose).bounds;
        self.check_part_poses(poses)?;
        check_distance(accuracy, max_distance)?;
        self.place_boxes(poses, exact, boxes);
        let asked = MarginRequest { margin: 0.0, use_model_margins: false };
        Ok(ModelTrees { model: self, poses, asked })
    }
}

impl<'a, T: Scalar> ModelTrees<'a, T> {
    /// Returns the trees of two parts; `None` if their roots are further apart than the limit.
    pub(super) fn pair_within(
        &self,
        (a, b): (PartId, PartId),
        (accuracy, max_distance): (Accuracy, f64),
        tree: &mut TreeScratch,
    ) -> Option<TreePair<'a, T>> {
        let [of_a, of_b] = [a, b].map(|part| Placement::new(&self.poses[part.index()]));
        let roots = [(self.model.tree(a), &of_a), (self.model.tree(b), &of_b)];
        let is_far = max_distance < f64::INFINITY
            && root_distance(roots, accuracy, &mut tree.counts)
                .is_some_and(|bound| bound > max_distance);
        (!is_far).then(|| self.tree_pair(&self.candidate(a, b)))
    }
}

/// Enumerates the part pairs of one model that the rules do not ignore and whose groups interact.
pub(super) struct PlacedPairs<'a, T: Scalar> {
    pub model: &'a Model<T>,
    pub boxes: &'a [Aabb<T, 3>],
    /// Number of box pairs compared.
    pub compared: u64,
}

impl<T: Scalar> Candidates for PlacedPairs<'_, T> {
    type Key = (PartId, PartId);

    #[inline(always)]
    fn visit(
        &mut self,
        max_distance: f64,
        mut visit: impl FnMut(BoundedCandidate<Self::Key>) -> f64,
    ) {
        let mut limit = DistanceLimit::new(max_distance);
        for pair in self.model.tested_pairs() {
            let (a, b) = (&self.boxes[pair.0.index()], &self.boxes[pair.1.index()]);
            self.compared += 1;
            if !limit.exceeded_by(a, b)
                && let Some(lower_bound) = limit.lower_bound_within(a, b)
                && !(a.is_empty() || b.is_empty())
                && self.model.groups_interact(pair)
            {
                limit.lower_to(visit(BoundedCandidate::new(lower_bound, pair)));
            }
        }
    }
}
