//! Batched box tests equal single tests at every SIMD level.

use boxwood::num::{Scalar, SimdLevel};
use boxwood::pair::Batch;
use boxwood::shape::Obb;

use super::box_pairs::{self, Regime};
use support::proof::cases;
use support::random::Random;

/// Number of pairs of each regime: no multiple of the batch width.
fn tries() -> usize {
    cases(10_007)
}

fn every_regime<T: Scalar>(seed: u64) {
    for regime in Regime::ALL {
        let mut random = Random(seed ^ regime as u64);
        let drawn = std::iter::repeat_with(|| box_pairs::pair::<T>(regime, &mut random));
        let pairs: Vec<(Obb<T>, Obb<T>)> = drawn.flatten().take(tries()).collect();
        let singly: Vec<bool> = pairs.iter().map(|(a, b)| a.intersects(b)).collect();
        let touching = singly.iter().filter(|&&touch| touch).count();
        assert!(
            touching > tries() / 20 && touching < tries() - tries() / 20,
            "{regime:?}: {touching}"
        );
        let mut answers = vec![true; 3];
        for level in SimdLevel::all() {
            let mut batch = Batch::with_simd_level(level);
            for swapped in [false, true] {
                let ordered = |(a, b): &'_ (_, _)| if swapped { (*b, *a) } else { (*a, *b) };
                let both: Vec<(Obb<T>, Obb<T>)> = pairs.iter().map(ordered).collect();
                batch.intersects(both.iter().map(|(a, b)| (a, b)), &mut answers);
                let differs = singly.iter().zip(&answers).position(|(one, many)| one != many);
                assert_eq!(differs.map(|at| &pairs[at]), None, "{regime:?}, {level}");
                assert_eq!(answers.len(), tries());
            }
        }
    }
}

#[test]
fn batches_equal_single_tests_f32() {
    every_regime::<f32>(61);
}

#[test]
fn batches_equal_single_tests_f64() {
    every_regime::<f64>(62);
}

#[test]
fn an_empty_batch_has_no_answers() {
    let mut answers = vec![true];
    Batch::default().intersects::<f32>([], &mut answers);
    assert!(answers.is_empty());
}
