//! One tick between two frames: the first impact on the way, and the poses in between.

use boxwood::{
    Accuracy, CharacterKey, Error, Impact, MotionBuffers, PairQuery, QueryScratch, Scene,
    SceneMotion,
};

/// Distance of two parts that counts as an impact [m].
const TOLERANCE: f64 = 1e-3;

/// Number of steps of a tick.
const STEPS: f64 = 65536.0;

/// One tick: the scene at both ends, and the first impact between them.
pub(crate) struct Tick {
    before: Scene,
    after: Scene,
    buffers: MotionBuffers,
    scratch: QueryScratch,
    /// `true` for an end at which the two touch, by the exact test.
    touching: [bool; 2],
    impact: Option<Impact>,
}

impl Default for Tick {
    fn default() -> Self {
        Tick {
            before: Scene::new(),
            after: Scene::new(),
            buffers: MotionBuffers::new(),
            scratch: QueryScratch::new(),
            touching: [false; 2],
            impact: None,
        }
    }
}

impl Tick {
    /// Stores the scene before the tick.
    pub fn start(&mut self, scene: &Scene) {
        self.before.clone_from(scene);
    }

    /// Stores the scene after the tick, and finds the first impact.
    pub fn finish(
        &mut self,
        scene: &Scene,
        [a, b]: [CharacterKey; 2],
        ends: &mut boxwood::Buffers,
    ) -> Result<(), Error> {
        let Tick { before, after, buffers, scratch, touching, impact } = self;
        after.clone_from(scene);
        let exact = PairQuery::between(a, b).accuracy(Accuracy::Exact);
        for (touching, scene) in touching.iter_mut().zip([&*before, &*after]) {
            *touching = scene.snapshot(ends).intersects(&exact, scratch)?;
        }
        let motion = SceneMotion::between(before, after, buffers)?;
        let near = PairQuery::between(a, b).accuracy(Accuracy::Within(TOLERANCE));
        *impact = motion.first_impact(&near, scratch)?;
        Ok(())
    }

    /// Writes the scene at a time of the tick, from 0 to 1.
    pub fn show(&mut self, time: f64, scene: &mut Scene) -> Result<(), Error> {
        let Tick { before, after, buffers, scratch, .. } = self;
        let step = (time.clamp(0.0, 1.0) * STEPS).round();
        match step < STEPS {
            true => SceneMotion::between(before, after, buffers)?.write_scene(
                step as u16,
                scratch,
                scene,
            ),
            false => scene.clone_from(after),
        }
        Ok(())
    }

    /// Lists the answer: whether the two touch before and after the tick; then, if there is an
    /// impact, the time until which they are clear, its time, slack, the parts of both, a point of
    /// each, and the normal, zero where they touch from the start.
    pub fn list(&self, numbers: &mut Vec<f64>) {
        numbers.clear();
        numbers.extend(self.touching.map(|touching| f64::from(u8::from(touching))));
        let Some(impact) = &self.impact else { return };
        numbers.extend([impact.clear_until, impact.time, f64::from(impact.slack)]);
        numbers.extend([impact.a, impact.b].map(|node| node.part.index() as f64));
        let vectors = [impact.on_a.coords, impact.on_b.coords, impact.normal.unwrap_or_default()];
        numbers.extend(vectors.iter().flatten().map(|&number| f64::from(number)));
    }
}
