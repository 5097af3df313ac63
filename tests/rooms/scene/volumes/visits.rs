//! Volume queries give the same bits in the same order, and the same reports, however often a
//! character was visited.

use std::fmt::Debug;

use boxwood::scene::{
    Buffers, HitMode, Overlaps, QueryFilter, QueryShape, RayCast, RayHits, Scene, Snapshot,
};
use boxwood::shape::Ray;
use boxwood::{Accuracy, Detail, SimdLevel};

use super::touching_shapes::{KINDS, region};
use support::placed_scenes::{TestScene, stage_of};
use support::prelude::*;

/// Numbers of characters and of parts of each, and their spread: two characters, a crowd, more
/// parts than a batch.
pub const STAGES: [([usize; 2], f64); 3] = [([2, 20], 2.0), ([40, 3], 4.0), ([2, 70], 3.0)];

/// Queries of a scene.
pub struct Questions<T: Scalar> {
    casts: Vec<RayCast<T>>,
    regions: Vec<QueryShape<T>>,
    filter: Vec<QueryFilter<'static>>,
}

impl<T: Scalar> Questions<T> {
    /// Draws more queries of each kind than a batch, around a position.
    pub fn new(stage: &TestScene<T>, random: &mut Random, at: V, far: f64) -> Self {
        let point = |v: V| Point3::from(v.map(T::nearest));
        let near = |random: &mut Random| plus(at, times(random.direction(), far * random.share()));
        let cast = |random: &mut Random| {
            let from = plus(at, times(random.direction(), 2.0 * far * random.share()));
            let ray = Ray::through(point(from), point(near(random)));
            let length = random.chance(0.4).then(|| T::nearest(far * random.decade(-1.0, 0.5)));
            let mut cast = RayCast::from(ray.expect("a ray").expect("two points"));
            cast.max_length = length;
            cast
        };
        let kinds = (0..KINDS).flat_map(|kind| [false, true].map(|odd| (kind, odd)));
        let regions = kinds.flat_map(|kind| {
            let one = |random: &mut Random| {
                let place = (near(random), random.direction(), -0.1 * far * random.share(), far);
                region(kind, place, random).0
            };
            (0..3).map(|_| one(random)).collect::<Vec<_>>()
        });
        let regions = regions.collect();
        let mut filter = Vec::new();
        for who in [QueryFilter::all(), QueryFilter::of(stage.keys[1])] {
            let accuracies = [
                Accuracy::Depth(0),
                Accuracy::Depth(3),
                Accuracy::default(),
                Accuracy::Within(0.02),
                Accuracy::Exact,
            ];
            for detail in [Detail::Bodies, Detail::Boxes] {
                filter.extend(accuracies.map(|a| who.clone().detail(detail).accuracy(a)));
            }
        }
        // A different subset of each kind for every seed and scene, where not all are run.
        let from = random.below(3);
        let filter =
            filter.into_iter().skip(from.min(step(1, 3) - 1)).step_by(step(1, 3)).collect();
        Questions { casts: (0..40).map(|_| cast(random)).collect(), regions, filter }
    }

    /// Returns all answers, single and in batches. Two floats print equally only if they have the
    /// same bits.
    pub fn answers(&self, scene: &Scene<T>, simd: SimdLevel) -> Vec<String> {
        let mut buffers = Buffers::with_simd_level(simd);
        let (now, mut answered) = (scene.snapshot(&mut buffers), Vec::new());
        let mut tell = |answer: &dyn Debug| answered.push(format!("{answer:?}"));
        let (mut ray_hits, mut overlaps) = (RayHits::new(), Overlaps::new());
        for filter in &self.filter {
            for mode in [HitMode::Closest, HitMode::All, HitMode::Any] {
                let report =
                    now.ray_cast_batch(&self.casts, mode, filter, &mut ray_hits).expect("asked");
                (0..self.casts.len()).for_each(|i| tell(&ray_hits.of(i)));
                tell(&report);
                let report =
                    now.overlaps_batch(&self.regions, mode, filter, &mut overlaps).expect("asked");
                (0..self.regions.len()).for_each(|i| tell(&overlaps.of(i)));
                tell(&report);
            }
            for &cast in self.casts.iter().step_by(3) {
                tell(&now.ray_cast(cast, filter, &mut ray_hits).expect("asked"));
                tell(&now.ray_cast_any(cast, filter, &mut ray_hits).expect("asked"));
                tell(&now.ray_cast_all(cast, filter, &mut ray_hits).expect("asked"));
                tell(&&ray_hits[..]);
            }
            for &region in self.regions.iter().step_by(2) {
                tell(&now.overlaps_any(region, filter, &mut overlaps).expect("asked"));
                tell(&now.overlaps(region, filter, &mut overlaps).expect("asked"));
                tell(&&overlaps[..]);
            }
        }
        answered
    }
}

/// Queries the same snapshot several times, and a fresh one each time: a character visited often
/// has all its parts placed.
fn however_often<T: Scalar>(seed: u64, far: f64) {
    let mut random = Random(seed);
    let (mut ray_hits, mut overlaps, mut full) = (RayHits::new(), Overlaps::new(), 0);
    for (count, spread) in STAGES {
        let at = [far, -far, 0.5 * far];
        let stage = stage_of::<T>(&mut random, at, count, spread);
        let Questions { casts, regions, filter } = Questions::new(&stage, &mut random, at, spread);
        for filter in filter.iter().step_by(2) {
            let mut kept = Buffers::default();
            let often = stage.scene.snapshot(&mut kept);
            let mut each = |ask: &mut dyn FnMut(Snapshot<'_, T>) -> String| {
                let mut buffers = Buffers::default();
                let answered = [ask(stage.scene.snapshot(&mut buffers)), ask(often)];
                assert_eq!(answered[0], answered[1], "{count:?} far {far:e}");
                full += usize::from(answered[0].contains("node"));
            };
            for _ in 0..4 {
                for &cast in &casts {
                    each(&mut |now| {
                        let report = now.ray_cast_all(cast, filter, &mut ray_hits).expect("asked");
                        format!("{:?} {report:?}", &ray_hits[..])
                    });
                }
                for &region in &regions {
                    each(&mut |now| {
                        let report = now.overlaps(region, filter, &mut overlaps).expect("asked");
                        format!("{:?} {report:?}", &overlaps[..])
                    });
                }
            }
        }
    }
    assert!(full > 1_000 / step(1, 3), "{full}");
}

scalars! {
    answers_are_the_same_however_often_a_character_was_visited => however_often(195, 0.0; 196, 1e6);
}
