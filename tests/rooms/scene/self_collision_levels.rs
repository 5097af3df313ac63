//! Self-collision at every SIMD level: the same bits in the same order.

use std::sync::Arc;

use boxwood::load::{Loaded, Loader};
use boxwood::model::{Model, SelfQueryScratch};
use boxwood::motion::Joints;
use boxwood::num::{Scalar, SimdLevel};
use boxwood::shape::{Obb, Pose};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build};

use super::self_collision::all_but_touching;
use support::fighter::FILE;
use support::people::{PARTS, crowd, leaves, parts};
use support::random::Random;
use support::random_parts::turned;

/// A model and where its parts are.
type Stance<T> = (Arc<Model<T>>, Vec<Pose<T>>);

const ACCURACIES: [Accuracy; 6] = [
    Accuracy::Depth(0),
    Accuracy::Depth(2),
    Accuracy::Depth(u8::MAX),
    Accuracy::Within(0.01),
    Accuracy::Exact,
    Accuracy::Budget(50),
];

/// Counts: touching pairs, models without self-collision, distances above zero.
#[derive(Default)]
struct CaseCounts {
    pairs: usize,
    free: usize,
    apart: usize,
}

/// All answers about one set of poses, with their reports. Two floats print alike only if they have
/// the same bits.
fn answers<T: Scalar>(
    (model, poses): (&Model<T>, &[Pose<T>]),
    scratch: &mut SelfQueryScratch<T>,
    seen: &mut CaseCounts,
) -> Vec<String> {
    let mut answer = Vec::new();
    for accuracy in ACCURACIES {
        let any = model.self_intersects(poses, accuracy, scratch).expect("sound poses");
        answer.push(format!("{any} {:?}", scratch.report()));
        let pairs = model.self_pairs(poses, accuracy, scratch).expect("sound poses");
        assert_eq!(any, !pairs.is_empty());
        (seen.pairs, seen.free) = (seen.pairs + pairs.len(), seen.free + usize::from(!any));
        answer.push(format!("{pairs:?}"));
        answer.push(format!("{:?}", scratch.report()));
        if matches!(accuracy, Accuracy::Budget(_)) {
            continue;
        }
        for max_distance in [f64::INFINITY, 0.05] {
            let found =
                model.self_distance(poses, accuracy, max_distance, scratch).expect("a question");
            seen.apart += usize::from(found.is_some_and(|two| two.distance > T::zero()));
            answer.push(format!("{found:?} {:?}", scratch.report()));
        }
    }
    answer
}

/// Each level with one scratch for all poses, the answers beside those of the scalar level.
fn every_level<T: Scalar>(stances: &[Stance<T>]) -> CaseCounts {
    let scratches =
        SimdLevel::all().into_iter().map(|level| (level, SelfQueryScratch::with_simd_level(level)));
    let mut scratches: Vec<(SimdLevel, SelfQueryScratch<T>)> = scratches.collect();
    let mut seen = CaseCounts::default();
    for (number, (model, poses)) in stances.iter().enumerate() {
        let all = scratches.iter_mut().map(|(level, scratch)| {
            let mut seen = CaseCounts::default();
            (level.to_string(), answers((model, poses), scratch, &mut seen), seen)
        });
        let all: Vec<_> = all.collect();
        for (level, answer, _) in &all[1..] {
            assert_eq!(answer, &all[0].1, "stance {number}, {level}");
        }
        let of = &all[0].2;
        seen.pairs += of.pairs;
        (seen.free, seen.apart) = (seen.free + of.free, seen.apart + of.apart);
    }
    println!("{} pairs, {} free, {} apart", seen.pairs, seen.free, seen.apart);
    seen
}

/// People of one box a part, or of many.
fn person<T: Scalar>(trees: bool) -> Arc<Model<T>> {
    let mut builder = Model::builder();
    for (index, (_, half)) in parts().into_iter().enumerate() {
        let boxes = if trees { leaves(half, index as u64) } else { vec![(Pose::identity(), half)] };
        let solid = |(pose, half): &(Pose<f32>, nalgebra::Vector3<f32>)| {
            Obb::from_pose(&scalar::<T>(pose), half.map(|x| T::nearest(x.into()))).expect("a box")
        };
        let geometry = Geometry::Boxes(boxes.iter().map(solid).collect());
        builder = builder.part(index.to_string(), None, geometry);
    }
    builder.build(&Build::default()).expect("a model")
}

fn scalar<T: Scalar>(pose: &Pose<f32>) -> Pose<T> {
    let q = pose.rotation.coords.map(|x| T::nearest(x.into()));
    let turn = nalgebra::UnitQuaternion::new_unchecked(q.into());
    let at = pose.translation.vector.map(|x| T::nearest(x.into()));
    Pose::from_parts(at.into(), turn)
}

fn fighters<T: Scalar>() -> Vec<Stance<T>> {
    let body: Loaded<T> = Loader::new().gltf_bytes(FILE).expect("the fighter");
    let (mut random, mut stances) = (Random(94), Vec::new());
    for name in ["walk", "jab", "kick", "guard"] {
        let clip = body.clips.get(name).expect("a clip");
        for step in 0..3 {
            let t = T::nearest(clip.duration().wide() * f64::from(step) / 3.0);
            let joints = clip.sample(t, &mut Joints::new()).expect("a sample").to_vec();
            let at = turned::<T>(&mut random, [3.0, -2.0, 1.0]);
            stances.push((body.model.clone(), joints.iter().map(|joint| at * joint).collect()));
        }
    }
    stances
}

fn people<T: Scalar>() -> Vec<Stance<T>> {
    let models = [false, true].map(person::<T>);
    let crowd = crowd(6, 1.0, 11);
    let stance = |(index, poses): (usize, &[Pose<f32>])| {
        (models[index % 2].clone(), poses.iter().map(scalar::<T>).collect())
    };
    crowd.chunks_exact(PARTS).enumerate().map(stance).collect()
}

fn everyone<T: Scalar>() {
    let seen = every_level(&fighters::<T>());
    assert!(seen.pairs > 10 && seen.free > 0 && seen.apart > 0);
    let seen = every_level(&people::<T>());
    assert!(seen.pairs > 100);
    // 60 parts are compared side by side, 80 are not.
    let mut random = Random(95);
    let close = [30, 40, 30, 40].map(|count| all_but_touching::<T>(&mut random, count));
    assert!(every_level(&close).pairs > 100);
}

#[test]
fn self_collision_is_the_same_at_every_simd_level_f32() {
    everyone::<f32>();
}

#[test]
fn self_collision_is_the_same_at_every_simd_level_f64() {
    everyone::<f64>();
}
