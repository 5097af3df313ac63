//! What can not be asked of nearest parts; then there are no answers.

use boxwood::num::Scalar;
use boxwood::scene::{Buffers, ClosestParts, QueryFilter, Scene, Spawn};
use boxwood::{Accuracy, Error, PartId};
use nalgebra::Point3;

use super::bodies::stage;
use support::random::Random;

/// Asks both; the answers of before are gone.
fn refused<T: Scalar>(
    scene: &Scene<T>,
    (point, most): (Point3<T>, f64),
    filter: &QueryFilter<'_>,
    is: impl Fn(&Error) -> bool,
) {
    let (mut buffers, mut closest) = (Buffers::new(), ClosestParts::new());
    let now = scene.snapshot(&mut buffers);
    let fill = |closest: &mut ClosestParts<T>| {
        let all = QueryFilter::all();
        now.closest_parts(Point3::origin(), f64::INFINITY, &all, closest).expect("a question");
        assert!(!closest.is_empty());
    };
    fill(&mut closest);
    let error = now.closest_parts(point, most, filter, &mut closest).expect_err("refused");
    assert!(is(&error) && closest.is_empty(), "{error:?}");
    fill(&mut closest);
    let error = now.closest_part(point, most, filter, &mut closest).expect_err("refused");
    assert!(is(&error) && closest.is_empty(), "{error:?}");
}

fn everything_bad<T: Scalar>(seed: u64) {
    let (mut scene, keys, _) = stage::<T>(&mut Random(seed), 0.0);
    let (here, all, far) = (Point3::origin(), QueryFilter::all(), f64::INFINITY);
    let (nan, inf) = (T::nearest(f64::NAN), T::nearest(f64::INFINITY));
    for bad in [nan, inf, -inf] {
        for k in 0..3 {
            let mut point = here;
            point[k] = bad;
            let not_finite = |e: &Error| matches!(e, Error::NotFinite { field: "point", .. });
            refused(&scene, (point, far), &all, not_finite);
        }
    }
    let out = Point3::new(T::zero(), T::nearest(T::MAX_COORDINATE * 1.5), T::zero());
    let beyond = |e: &Error| matches!(e, Error::OutOfRange { field: "point", .. });
    refused(&scene, (out, far), &all, beyond);
    let not_finite = |e: &Error| matches!(e, Error::NotFinite { .. });
    let negative = |e: &Error| matches!(e, Error::Negative { .. });
    refused(&scene, (here, f64::NAN), &all, not_finite);
    for most in [-1.0, -f64::MIN_POSITIVE, f64::NEG_INFINITY] {
        refused(&scene, (here, most), &all, negative);
    }
    let dial = |accuracy| QueryFilter::all().accuracy(accuracy);
    for t in [f64::NAN, f64::INFINITY] {
        refused(&scene, (here, far), &dial(Accuracy::Within(t)), not_finite);
    }
    refused(&scene, (here, far), &dial(Accuracy::Within(-0.1)), negative);
    for budget in [0, 100, u32::MAX] {
        let bad_query = |e: &Error| matches!(e, Error::BadQuery { .. });
        refused(&scene, (here, far), &dial(Accuracy::Budget(budget)), bad_query);
    }
    keys_and_parts(&mut scene, &keys);
}

fn keys_and_parts<T: Scalar>(scene: &mut Scene<T>, keys: &[boxwood::CharacterKey]) {
    let (other, foreign, _) = stage::<T>(&mut Random(797), 0.0);
    let model = scene.model(keys[0]).expect("a key").clone();
    let gone = scene.insert(&model, Spawn::default()).expect("one");
    scene.remove(gone).expect("there");
    assert!(!other.is_empty());
    let asked = (Point3::origin(), f64::INFINITY);
    for (key, error) in [(gone, Error::StaleKey), (foreign[0], Error::ForeignKey)] {
        refused(scene, asked, &QueryFilter::of(key), |e| *e == error);
        refused(scene, asked, &QueryFilter::all().excluding(&[keys[0], key]), |e| *e == error);
    }
    for past in [model.len(), 64, 256, 100_000] {
        let filter = QueryFilter::of(keys[0]).parts(&[PartId::new(0), PartId::new(past)]);
        let beyond = |e: &Error| matches!(e, Error::IndexOutOfRange { field: "part", target, .. } if *target == past);
        refused(scene, asked, &filter, beyond);
    }
}

#[test]
fn bad_points_lengths_accuracies_keys_and_parts_are_refused() {
    everything_bad::<f32>(796);
    everything_bad::<f64>(796);
}
