//! Error statistics of one accuracy over many cases.

use std::ops::ControlFlow;

use nalgebra::{Point3, Vector3};

use super::Case;
use crate::error::Error;
use crate::num::Scalar;
use crate::pair::Contact;
use crate::pair::contact::clamped_centers;
use crate::tree::{Accuracy, Geometry, NodePair, ObbTree, TreePair, TreeScratch};

/// Distribution of a number over the cases in which it was measured.
///
/// ```
/// use boxwood::accuracy::Spread;
///
/// let spread = Spread::from_values(vec![1.0, 2.0, 3.0, 10.0, 4.0]);
/// assert_eq!((spread.mean, spread.median, spread.worst), (4.0, 3.0, 10.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Spread {
    /// Number of values.
    pub count: usize,
    /// Mean.
    pub mean: f64,
    /// Median: half are no larger.
    pub median: f64,
    /// 90th percentile: nine in ten are no larger.
    pub ninety: f64,
    /// Largest value.
    pub worst: f64,
}

impl Spread {
    /// Computes the distribution of values.
    pub fn from_values(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        let Some(&worst) = values.last() else { return Spread::default() };
        let at = |share: f64| values[(share * (values.len() - 1) as f64).round() as usize];
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Spread { count: values.len(), mean, median: at(0.5), ninety: at(0.9), worst }
    }
}

/// Errors and cost of one accuracy over many cases. Lengths are in world units.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use boxwood::Accuracy;
/// use boxwood::accuracy::{hard_cases, measure};
///
/// let cases = hard_cases([&tree, &tree], 20, 7)?;
/// let boxes = measure(&cases, Accuracy::Depth(0))?;
/// assert_eq!((boxes.cases, boxes.misses), (20, 0)); // never a miss, at no accuracy
/// println!("{} reported though apart", boxes.false_positives);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Sample {
    /// Accuracy of the queries.
    pub accuracy: Accuracy,
    /// Number of cases.
    pub cases: usize,
    /// Number of cases in which the parts touch.
    pub touching: usize,
    /// Number of cases reported as touching.
    pub reported: usize,
    /// Number of false negatives, touching and not reported: always 0.
    pub misses: usize,
    /// Number of false positives: reported and not touching.
    pub false_positives: usize,
    /// Distance from the deepest contact's point, which divides the centres in the ratio of the
    /// diagonals, to the centroid of the true intersection.
    pub point_error: Spread,
    /// Distance from the middle of the clamped centres to that centroid.
    pub clamped_error: Spread,
    /// [`Sample::point_error`] over the diagonal of the smaller part's box.
    pub point_share: Spread,
    /// [`Sample::clamped_error`] over the same diagonal.
    pub clamped_share: Spread,
    /// Depth of the deepest contact minus the displacement along its normal that frees the parts;
    /// where both parts are solid.
    pub depth_error: Spread,
    /// Least slack of each reported case.
    pub slack: Spread,
    /// Box tests of an intersection query.
    pub tests: Spread,
    /// Convex hull tests of an intersection query.
    pub hulls: Spread,
    /// Primitive pairs tested by an intersection query.
    pub primitives: Spread,
}

/// Measures every case at one accuracy.
///
/// # Errors
/// [`Error`] for a tolerance that is not finite or is negative.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use boxwood::Accuracy;
/// use boxwood::accuracy::{hard_cases, measure};
///
/// let cases = hard_cases([&tree, &tree], 20, 7)?;
/// let sample = measure(&cases, Accuracy::Exact)?;
/// assert_eq!((sample.misses, sample.false_positives), (0, 0));
/// assert_eq!(sample.reported, sample.touching);
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn measure<T: Scalar>(cases: &[Case<'_, T>], accuracy: Accuracy) -> Result<Sample, Error> {
    let mut tally = Tally::default();
    cases.iter().try_for_each(|case| tally.add(case, accuracy))?;
    let Tally { reported, misses, false_positives, .. } = tally;
    Ok(Sample {
        accuracy,
        cases: cases.len(),
        touching: cases.iter().filter(|case| case.touching).count(),
        reported,
        misses,
        false_positives,
        point_error: Spread::from_values(tally.points),
        clamped_error: Spread::from_values(tally.clamped),
        point_share: Spread::from_values(tally.point_shares),
        clamped_share: Spread::from_values(tally.clamped_shares),
        depth_error: Spread::from_values(tally.depths),
        slack: Spread::from_values(tally.slacks),
        tests: Spread::from_values(tally.tests),
        hulls: Spread::from_values(tally.hulls),
        primitives: Spread::from_values(tally.primitives),
    })
}

/// Values of the cases, collected for a [`Sample`].
#[derive(Default)]
struct Tally {
    reported: usize,
    misses: usize,
    false_positives: usize,
    points: Vec<f64>,
    clamped: Vec<f64>,
    point_shares: Vec<f64>,
    clamped_shares: Vec<f64>,
    depths: Vec<f64>,
    slacks: Vec<f64>,
    tests: Vec<f64>,
    hulls: Vec<f64>,
    primitives: Vec<f64>,
}

impl Tally {
    fn add<T: Scalar>(&mut self, case: &Case<'_, T>, accuracy: Accuracy) -> Result<(), Error> {
        let (pair, mut scratch) = (case.pair()?, TreeScratch::one_at_a_time());
        let found = pair.intersects(accuracy, &mut scratch)?;
        self.tests.push(scratch.counts.tests() as f64);
        self.hulls.push(scratch.counts.hulls as f64);
        self.primitives.push(scratch.counts.primitives as f64);
        self.reported += usize::from(found);
        self.misses += usize::from(case.touching && !found);
        self.false_positives += usize::from(found && !case.touching);
        let Some(answer) = DeepestContact::measure(case, &pair, accuracy)? else { return Ok(()) };
        self.slacks.push(answer.slack);
        if let Some(truth) = &case.truth {
            let off = [answer.point, answer.clamped].map(|p| (p - truth.centroid()).norm());
            self.points.push(off[0]);
            self.clamped.push(off[1]);
            self.point_shares.push(off[0] / case.half_diagonal());
            self.clamped_shares.push(off[1] / case.half_diagonal());
            self.depths.extend(case.way_out(answer.normal).map(|way| answer.depth - way));
        }
        Ok(())
    }
}

/// Deepest contact of two parts that are reported as touching.
struct DeepestContact {
    point: Point3<f64>,
    clamped: Point3<f64>,
    normal: Vector3<f64>,
    depth: f64,
    slack: f64,
}

impl DeepestContact {
    /// Returns the deepest contact and the least slack; `None` if there is no contact.
    fn measure<T: Scalar>(
        case: &Case<'_, T>,
        pair: &TreePair<'_, T>,
        accuracy: Accuracy,
    ) -> Result<Option<Self>, Error> {
        let (mut best, mut slack): (Option<(NodePair, Contact<T>)>, _) = (None, f64::INFINITY);
        let _ = pair.visit(accuracy, &mut TreeScratch::default(), |touch| {
            let contact = pair.contact(touch.a, touch.b);
            slack = slack.min(pair.slack(touch).wide());
            if best.is_none_or(|(_, deepest)| contact.depth > deepest.depth) {
                best = Some((touch, contact));
            }
            ControlFlow::Continue(())
        })?;
        let Some((touch, contact)) = best else { return Ok(None) };
        let moved = |side: usize, node| {
            case.trees[side].node(node).oriented().transformed(&case.poses[side])
        };
        let clamped = clamped_centers(&moved(0, touch.a)?, &moved(1, touch.b)?);
        Ok(Some(DeepestContact {
            point: contact.point.map(T::wide),
            clamped: clamped.map(T::wide),
            normal: contact.normal.map(T::wide).normalize(),
            depth: contact.depth.wide(),
            slack,
        }))
    }
}

/// Returns the volume of a tree's cut at a depth over the volume of the part; for a surface, over
/// its enclosed volume with holes capped.
///
/// ```
/// use boxwood::accuracy::volume_ratio;
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::{Build, Geometry, Obb, ObbTree};
///
/// // Two unit cubes with a gap of 2: one box around both is 4 long.
/// let at = |x| Obb::from_pose(&Isometry3::translation(x, 0.0, 0.0), Vector3::repeat(0.5));
/// let tree = ObbTree::build(Geometry::Boxes(vec![at(0.0)?, at(3.0)?]), &Build::default())?;
/// assert!((volume_ratio(&tree, 0) - 2.0).abs() < 1e-3);
/// assert!((volume_ratio(&tree, 1) - 1.0).abs() < 1e-3);
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn volume_ratio<T: Scalar>(tree: &ObbTree<T>, depth: u8) -> f64 {
    let boxes: f64 =
        tree.cut(depth).iter().map(|&node| tree.node(node).oriented().volume().wide()).sum();
    let solid = match tree.geometry() {
        Geometry::None => 0.0,
        Geometry::Surface(mesh) => mesh.capped().volume().wide(),
        Geometry::Solid(mesh) => mesh.volume().wide(),
        Geometry::Boxes(boxes) => boxes.iter().map(|b| b.volume().wide()).sum(),
        Geometry::Convex(shapes) => shapes.iter().map(|s| s.volume().wide()).sum(),
    };
    boxes / solid.abs()
}
