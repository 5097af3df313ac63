//! Batched box tests and contacts equal single ones at every SIMD level, bit for bit.

use boxwood::num::SimdLevel;
use boxwood::pair::Batch;
use boxwood::shape::Obb;

use super::box_pairs::{self, Regime};
use support::brute_force::bits;
use support::prelude::*;

/// Number of pairs of each regime: not a multiple of the batch width.
const CASES: usize = 10_007;

fn every_regime<T: Scalar>(seed: u64) {
    for regime in Regime::ALL {
        let mut random = Random(seed ^ regime as u64);
        let drawn = std::iter::repeat_with(|| box_pairs::pair::<T>(regime, &mut random));
        let pairs: Vec<(Obb<T>, Obb<T>)> = drawn.flatten().take(cases(CASES)).collect();
        let contact = |(a, b): &(Obb<T>, Obb<T>)| a.contact(b).as_ref().map(bits);
        let singly: Vec<_> = pairs.iter().map(contact).collect();
        let touching = singly.iter().flatten().count();
        let few = cases(CASES) / 20;
        assert!(touching > few && touching < cases(CASES) - few, "{regime:?}: {touching}");
        let (mut answers, mut contacts) = (vec![true; 3], vec![None; 3]);
        for simd in SimdLevel::all() {
            let mut batch = Batch::with_simd_level(simd);
            batch.contacts(pairs.iter().map(|(a, b)| (a, b)), &mut contacts);
            let together: Vec<_> = contacts.iter().map(|one| one.as_ref().map(bits)).collect();
            let differs = singly.iter().zip(&together).position(|(one, many)| one != many);
            assert_eq!(differs.map(|at| &pairs[at]), None, "{regime:?}, {simd}");
            assert_eq!(contacts.len(), cases(CASES));
            for swapped in [false, true] {
                let ordered = |(a, b): &'_ (_, _)| if swapped { (*b, *a) } else { (*a, *b) };
                let both: Vec<(Obb<T>, Obb<T>)> = pairs.iter().map(ordered).collect();
                batch.intersects(both.iter().map(|(a, b)| (a, b)), &mut answers);
                let mut each = pairs.iter().zip(&answers);
                let differs = each.find(|((a, b), many)| a.intersects(b) != **many);
                assert!(differs.is_none(), "{regime:?}, {simd}: {differs:?}");
                assert_eq!(answers.len(), cases(CASES));
            }
        }
    }
}

#[test]
fn an_empty_batch_has_no_answers() {
    let mut answers = vec![true];
    Batch::default().intersects::<f32>([], &mut answers);
    assert!(answers.is_empty());
    let mut contacts = vec![None];
    Batch::default().contacts::<f32>([], &mut contacts);
    assert!(contacts.is_empty());
}

scalars! {
    batches_equal_single_tests => every_regime(61; 62);
}
