//! The computation of a collision matrix.

use super::proof::{PairProof, ProofScratch};
use super::ranges::{PairSide, Range};
use super::result::{CollisionMatrix, MatrixPair, PairVerdict};
use crate::error::Error;
use crate::model::{Model, PartId, SelfQuery, SelfQueryScratch};
use crate::motion::Mechanism;
use crate::num::SplitMix64;
use crate::num::{Scalar, precompiled};
use crate::robot::chains::{ChainLink, LinkMotion, SampleError, chain_links};
use crate::robot::part_ball::PartBall;
use crate::tree::{Accuracy, check_margin};

/// Computes the [`CollisionMatrix`] of a robot: which pairs of links never touch, with a proof, and
/// a witness for those that do.
///
/// Random configurations within the limits find witnesses first, then configurations of which each
/// value is at a limit every other time. What touches in none is proved apart: the box of all joint
/// values between two links is split, the joint that moves most first, until the links are further
/// apart at the centre of each box than they may approach within it.
///
/// ```
/// use boxwood::f64::{Geometry, Model, Obb};
/// use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::robot::{MatrixBuilder, PairVerdict};
/// use boxwood::Build;
///
/// // Two arms of length 1 on parallel axes, 1.5 apart; the second stays out of the way.
/// let axis = Vector3::z();
/// let joint = |actuator| JointKind::Revolute { axis, mimic: Mimic::direct(actuator) };
/// let arm = |name: &str, x: f64, actuator| Link {
///     name: name.into(),
///     parent: None,
///     origin: Isometry3::translation(x, 0.0, 0.0),
///     joint: joint(actuator),
/// };
/// let limited = |name: &str, limits| Actuator { name: name.into(), limits: Some(limits) };
/// let robot = |second: [f64; 2]| Mechanism::new(
///     vec![arm("left", 0.0, 0), arm("right", 1.5, 1)],
///     vec![limited("left", [-3.0, 3.0]), limited("right", second)],
/// );
/// let bar = Isometry3::translation(0.5, 0.0, 0.0);
/// let bar = Obb::from_pose(&bar, Vector3::new(0.5, 0.01, 0.01))?;
/// let bars = || Geometry::Boxes(vec![bar]);
/// let model = Model::builder().part("left", None, bars()).part("right", None, bars());
/// let model = model.build(&Build::default())?;
///
/// let free = robot([-0.5, 0.5])?;
/// let matrix = MatrixBuilder::new(&free, &model)?.run()?;
/// assert_eq!(matrix.never(), [("left", "right")]);
/// let wide = robot([-3.0, 3.0])?;
/// let matrix = MatrixBuilder::new(&wide, &model)?.run()?;
/// assert!(matches!(matrix.pairs()[0].verdict, PairVerdict::Sometimes { .. }));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct MatrixBuilder<'a, T: Scalar> {
    mechanism: &'a Mechanism,
    model: &'a Model<T>,
    links: Vec<ChainLink>,
    samples: usize,
    seed: u64,
    splits: usize,
    margin: f64,
    resolution: f64,
}

precompiled! {
    fn compute<'a, T>(
        builder: &'a MatrixBuilder<'a, T>,
        progress: &'a mut dyn FnMut(usize, usize),
    ) -> Result<CollisionMatrix<T>, Error> {
        builder.compute(progress)
    }
}

impl<'a, T: Scalar> MatrixBuilder<'a, T> {
    /// Creates a computation: part `i` of the model moves with link `i` of the mechanism. With
    /// 10,000 samples, seed 1, a budget of 200,000 splits a pair, no margin and a resolution of
    /// 0.00001.
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is a part for every link.
    pub fn new(mechanism: &'a Mechanism, model: &'a Model<T>) -> Result<Self, Error> {
        model.check_links(mechanism)?;
        let (links, resolution) = (chain_links(mechanism), 1e-5);
        let (samples, seed, splits, margin) = (10_000, 1, 200_000, 0.0);
        Ok(MatrixBuilder { mechanism, model, links, samples, seed, splits, margin, resolution })
    }

    /// Sets the number of random configurations.
    pub fn samples(self, samples: usize) -> Self {
        MatrixBuilder { samples, ..self }
    }

    /// Sets the seed of the random configurations.
    pub fn seed(self, seed: u64) -> Self {
        MatrixBuilder { seed, ..self }
    }

    /// Sets how often the proof of a pair may split a box of joint values before it stays
    /// undecided.
    pub fn splits(self, splits: usize) -> Self {
        MatrixBuilder { splits, ..self }
    }

    /// Sets the distance up to which parts count as touching; 0 by default. The model's own margins
    /// have no effect. World units.
    pub fn margin(self, margin: impl Into<f64>) -> Self {
        MatrixBuilder { margin: margin.into(), ..self }
    }

    /// Sets the approach of two parts within a box of joint values below which the proof stops, and
    /// leaves the pair undecided if they are no further apart. World units.
    pub fn resolution(self, resolution: impl Into<f64>) -> Self {
        MatrixBuilder { resolution: resolution.into(), ..self }
    }

    /// Computes the matrix; the same on every machine.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::Negative`] for the margin and the resolution.
    pub fn run(&self) -> Result<CollisionMatrix<T>, Error> {
        self.run_reporting(|_, _| {})
    }

    /// Like [`MatrixBuilder::run`]; calls `progress` with the number of pairs done, and of all.
    ///
    /// # Errors
    /// The errors of [`MatrixBuilder::run`].
    pub fn run_reporting(
        &self,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<CollisionMatrix<T>, Error> {
        compute(self, &mut progress)
    }

    fn compute(&self, progress: &mut dyn FnMut(usize, usize)) -> Result<CollisionMatrix<T>, Error> {
        check_margin(self.margin, 0)?;
        match self.resolution {
            r if !r.is_finite() => return Err(Error::NotFinite { field: "resolution", index: 0 }),
            r if r < 0.0 => return Err(Error::Negative { field: "resolution", index: 0 }),
            _ => {}
        }
        let mut pairs = self.pairs();
        let total = pairs.len();
        let model = self.model_of_all_pairs(&pairs)?;
        let limits = self.limits();
        self.sample(&model, &limits, &mut pairs)?;
        let errors = self.errors(&limits);
        let mut work = ProofScratch::default();
        for (done, pair) in pairs.iter_mut().enumerate() {
            progress(done, total);
            let proof = self.proof((pair.a, pair.b), &limits, &errors);
            if !matches!(pair.verdict, PairVerdict::Sometimes { .. }) {
                (pair.verdict, pair.splits) = proof.never(&mut work);
            }
            let touches = matches!(pair.verdict, PairVerdict::Sometimes { .. });
            // No joint moves one against the other: one configuration shows all.
            if touches && proof.actuators().is_empty() {
                pair.verdict = PairVerdict::Always;
            } else if touches && pair.touching == self.samples {
                let (is_proved, splits) = proof.always(&mut work);
                pair.splits += splits;
                if is_proved {
                    pair.verdict = PairVerdict::Always;
                }
            }
        }
        progress(total, total);
        let names = self.model.parts().iter().map(|part| part.name().to_owned()).collect();
        Ok(CollisionMatrix { names, pairs, samples: self.samples, margin: self.margin })
    }

    /// Returns all pairs of parts with geometry whose groups interact.
    fn pairs(&self) -> Vec<MatrixPair<T>> {
        let parts = self.model.parts();
        let solid: Vec<PartId> =
            parts.iter().filter(|part| part.tree().is_some()).map(|part| part.id()).collect();
        let all = solid
            .iter()
            .enumerate()
            .flat_map(|(at, &a)| solid[at + 1..].iter().map(move |&b| (a, b)));
        let pair = |(a, b)| {
            let verdict = PairVerdict::Undecided { least_gap: f64::INFINITY };
            MatrixPair { a, b, verdict, touching: 0, splits: 0 }
        };
        all.filter(|&pair| self.model.groups_interact(pair)).map(pair).collect()
    }

    /// Copies the model with all pairs tested and no margins of its own.
    fn model_of_all_pairs(
        &self,
        pairs: &[MatrixPair<T>],
    ) -> Result<std::sync::Arc<Model<T>>, Error> {
        let name = |part: PartId| self.model.parts()[part.index()].name();
        let names: Vec<(&str, &str)> =
            pairs.iter().map(|pair| (name(pair.a), name(pair.b))).collect();
        self.model.with_tested(&names)?.with_margins(0.0, &[])
    }

    /// Returns the range of each actuator.
    fn limits(&self) -> Vec<Range> {
        let range = |limits: Option<Range>| {
            let [least, most] = limits.unwrap_or([-std::f64::consts::PI, std::f64::consts::PI]);
            // Values of the stored type are accepted up to its limits.
            let [low, high] = [least, most].map(|limit| T::nearest(limit).wide());
            [least.min(low), most.max(high)]
        };
        self.mechanism.actuators().iter().map(|actuator| range(actuator.limits)).collect()
    }

    /// Counts the configurations at which each pair touches, and keeps the first as its witness.
    fn sample(
        &self,
        model: &Model<T>,
        limits: &[Range],
        pairs: &mut [MatrixPair<T>],
    ) -> Result<(), Error> {
        let mut random = SplitMix64(self.seed);
        let mut uniform = || (random.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        let (mut values, mut poses) = (Vec::new(), Vec::new());
        let mut scratch = SelfQueryScratch::default();
        let query = SelfQuery::new(Accuracy::Exact).margin(self.margin);
        for sample in 0..2 * self.samples {
            self.mechanism.sample_values(&mut uniform, &mut values);
            let is_uniform = sample < self.samples;
            if !is_uniform {
                // Links touch mostly where joints are at their limits.
                for (value, &[least, most]) in values.iter_mut().zip(limits) {
                    let chance = uniform();
                    if chance < 0.5 {
                        *value = T::nearest(if chance < 0.25 { least } else { most });
                    }
                }
            }
            self.mechanism.poses_unchecked(&values, &mut poses);
            for &(a, b) in model.self_pairs(&poses, query, &mut scratch)? {
                let found = pairs.binary_search_by_key(&(a, b), |pair| (pair.a, pair.b));
                let Some(pair) = found.ok().map(|at| &mut pairs[at]) else { continue };
                pair.touching += usize::from(is_uniform);
                if matches!(pair.verdict, PairVerdict::Undecided { .. }) {
                    pair.verdict = PairVerdict::Sometimes { witness: values.clone() };
                }
            }
        }
        Ok(())
    }

    /// Returns the largest error of the poses of each part.
    fn errors(&self, limits: &[Range]) -> Vec<f64> {
        let ends =
            [0, 1].map(|end| -> Vec<f64> { limits.iter().map(|range| range[end]).collect() });
        let mut errors: Vec<SampleError> = Vec::new();
        for link in &self.links {
            let motion = LinkMotion::new::<f64>(link, [&ends[0], &ends[1]]);
            let above = link.parent.map_or_else(SampleError::default, |at| errors[at as usize]);
            errors.push(above.below(&motion));
        }
        let parts = self.model.parts().iter().zip(&errors);
        parts
            .map(|(part, error)| {
                let radius = part.tree().map_or(0.0, |tree| tree.wide_radius_about_origin());
                error.pose_error_within::<T>(radius)
            })
            .collect()
    }

    fn proof<'p>(
        &'p self,
        (a, b): (PartId, PartId),
        limits: &'p [Range],
        errors: &[f64],
    ) -> PairProof<'p, T> {
        let parts = [a, b].map(|part| part.index() as u32);
        let base = self.mechanism.common_ancestor(a.index(), b.index()).map(|link| link as u32);
        let sides = parts.map(|part| {
            let ball = self.model.parts()[part as usize].tree().map(PartBall::of_tree);
            PairSide::new(&self.links, (base, part), ball.unwrap_or_default())
        });
        PairProof {
            mechanism: self.mechanism,
            model: self.model,
            links: &self.links,
            limits,
            sides,
            margin: self.margin,
            error: 2.0 * (errors[a.index()] + errors[b.index()]),
            resolution: self.resolution,
            budget: self.splits,
        }
    }
}
