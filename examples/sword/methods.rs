//! Arms that a strike hits, by different methods.

use boxwood::nalgebra::{Point3, Vector3};
use boxwood::tree::NodeId;
use boxwood::{
    Accuracy, Buffers, CharacterKey, Detail, Error, Hits, Loaded, MotionBuffers, NodeRef,
    PairQuery, PartId, QueryScratch, Scene, SceneMotion, Snapshot, Spawn,
};
use shared::random::Random;

use crate::motions::{StrikingMotion, arm};

/// Arms of a table.
pub const ARMS: usize = 600;
/// Number of steps of a thirtieth of a second at which the strike is placed for the truth.
pub const STEPS: usize = 1_000;
/// Tolerance of the swept query, and a bound on the distance of arms that it reports and that are
/// not hit: the tolerance, and the way of the blade within half a step. [m]
pub const TOLERANCE: f64 = 1e-3;
const NEAR: f64 = 1.6e-3;

/// A strike among many arms, each of which is there alone: arms do not collide.
pub struct Trial<'a> {
    strike: &'a StrikingMotion<'a>,
    scene: Scene,
    striker: CharacterKey,
    parts: Vec<PartId>,
    arm: [PartId; 1],
}

/// Returns for each arm `true` if it is hit.
pub type ArmHits = Vec<bool>;

impl<'a> Trial<'a> {
    pub fn new(strike: &'a StrikingMotion<'a>, fighter: &Loaded) -> Result<Self, Error> {
        let (model, arm) = (strike.model(fighter)?, arm()?);
        let (mut scene, mut random) = (Scene::new(), Random(58));
        // The user number of an arm is its index.
        for index in 0..ARMS as u64 {
            let at = Spawn::at(strike.draw_arm(&mut random));
            scene.insert(&arm, at.user(index).at_rest(true))?;
        }
        let striker = scene.insert(&model, Spawn::default())?;
        let (parts, arm) = (strike.parts(&model)?, [arm.part("arm")?]);
        Ok(Trial { strike, scene, striker, parts, arm })
    }

    /// Places the strike at the end of a tick.
    fn place(&mut self, tick: usize, rate: usize) -> Result<(), Error> {
        self.strike.place(tick as f32 / rate as f32, &mut self.scene, self.striker)
    }

    fn query(&self) -> PairQuery<'static> {
        let query = PairQuery::of(self.striker).parts(&self.parts, &self.arm);
        query.detail(Detail::Boxes).accuracy(Accuracy::Exact)
    }

    fn mark(&self, arm: NodeRef, struck: &mut ArmHits) -> Result<(), Error> {
        struck[self.scene.user(arm.character)? as usize] = true;
        Ok(())
    }

    /// Finds the arms that touch the strike at many times, and those that come very near.
    pub fn truth(&mut self) -> Result<[ArmHits; 2], Error> {
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let (mut struck, mut near) = (vec![false; ARMS], vec![false; ARMS]);
        let mut scene = self.scene.clone();
        for step in 0..=self.strike.ticks() * STEPS {
            self.strike.place(step as f32 / (30 * STEPS) as f32, &mut scene, self.striker)?;
            scene.snapshot(&mut buffers).pairs(&self.query().margin(NEAR), &mut hits)?;
            if hits.pairs().is_empty() {
                continue;
            }
            hits.pairs().iter().try_for_each(|&(_, arm)| self.mark(arm, &mut near))?;
            scene.snapshot(&mut buffers).pairs(&self.query(), &mut hits)?;
            for &(_, arm) in hits.pairs() {
                self.mark(arm, &mut struck)?;
                // A known hit is not tested again; several parts may hit at once.
                let _ = scene.remove(arm.character);
            }
        }
        Ok([struck, near])
    }

    /// Finds the arms that touch the strike at the end of a tick.
    pub fn at_ticks(&mut self, rate: usize) -> Result<ArmHits, Error> {
        let (mut buffers, mut hits, mut struck) = (Buffers::new(), Hits::new(), vec![false; ARMS]);
        for tick in 0..=self.strike.ticks() * rate / 30 {
            self.place(tick, rate)?;
            self.scene.snapshot(&mut buffers).pairs(&self.query(), &mut hits)?;
            hits.pairs().iter().try_for_each(|&(_, arm)| self.mark(arm, &mut struck))?;
        }
        Ok(struck)
    }

    /// Finds the arms that a part meets at the end of a tick, or on the straight way of its middle
    /// to the end of the next.
    pub fn straight_casts(&mut self, rate: usize) -> Result<ArmHits, Error> {
        let (mut buffers, mut scratch) = (Buffers::new(), QueryScratch::new());
        let (mut passages, mut struck) = (Vec::new(), self.at_ticks(rate)?);
        for tick in 1..=self.strike.ticks() * rate / 30 {
            self.place(tick, rate)?;
            let later = self.middles(&self.scene.snapshot(&mut buffers))?;
            self.place(tick - 1, rate)?;
            let now = self.scene.snapshot(&mut buffers);
            for ((&part, from), to) in self.parts.iter().zip(self.middles(&now)?).zip(later) {
                let way: Vector3<f32> = to - from;
                let query = self.query().parts(&[part], &self.arm);
                now.cast_all(&query, way, &mut scratch, &mut passages)?;
                passages.iter().try_for_each(|one| self.mark(one.first.b, &mut struck))?;
            }
        }
        Ok(struck)
    }

    fn middles(&self, now: &Snapshot<'_>) -> Result<Vec<Point3<f32>>, Error> {
        let middle = |&part: &PartId| {
            let node = NodeRef { character: self.striker, part, node: NodeId::ROOT };
            Ok(now.node_obb(node)?.center())
        };
        self.parts.iter().map(middle).collect()
    }

    /// Finds the arms that the strike hits between two ticks, by the swept query.
    pub fn swept(&mut self, rate: usize) -> Result<ArmHits, Error> {
        let (mut buffers, mut scratch) = (MotionBuffers::new(), QueryScratch::new());
        let (mut impacts, mut struck) = (Vec::new(), vec![false; ARMS]);
        self.place(0, rate)?;
        let mut before = self.scene.clone();
        for tick in 1..=self.strike.ticks() * rate / 30 {
            before.clone_from(&self.scene);
            self.place(tick, rate)?;
            let motion = SceneMotion::between(&before, &self.scene, &mut buffers)?;
            let query = self.query().accuracy(Accuracy::Within(TOLERANCE));
            motion.impacts(&query, &mut scratch, &mut impacts)?;
            impacts.iter().try_for_each(|impact| self.mark(impact.b, &mut struck))?;
        }
        Ok(struck)
    }
}
