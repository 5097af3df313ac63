//! Scratch memory of motions: the poses at the start, and the first of several queries.

use boxwood::f64::{Hits, Impact, MotionBuffers, Scene, SceneMotion};
use boxwood::{CharacterKey, Error, MotionPath, PairQuery};

/// Scratch memory of motions: the poses at the start, and what a query computes.
pub struct MotionScratch {
    before: Scene,
    buffers: MotionBuffers,
}

impl Default for MotionScratch {
    fn default() -> Self {
        MotionScratch { before: Scene::new(), buffers: MotionBuffers::new() }
    }
}

impl MotionScratch {
    /// Stores the poses of a scene as those at the start.
    pub fn start(&mut self, scene: &Scene) {
        self.before.clone_from(scene);
    }

    /// Finds the first impact on the way to the poses of a scene.
    pub fn first_impact(
        &mut self,
        after: &Scene,
        paths: &[(CharacterKey, MotionPath)],
        queries: &[PairQuery<'_>],
        hits: &mut Hits,
    ) -> Result<Option<Impact>, Error> {
        let MotionScratch { before, buffers } = self;
        let motion = SceneMotion::with_paths(before, after, paths, buffers)?;
        let mut first: Option<Impact> = None;
        for query in queries {
            let found = motion.first_impact(query, hits.scratch())?;
            let is_earlier = |one: &Impact| {
                first.as_ref().is_none_or(|first| one.clear_until < first.clear_until)
            };
            first = found.filter(is_earlier).or(first);
        }
        Ok(first)
    }
}
