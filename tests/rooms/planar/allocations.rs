//! Planar queries do not allocate.

use support::pair_regime::REGIMES;
use support::planar::any_shape::{contact, intersects, sweep};
use support::planar::random_pairs::pair;
use support::prelude::*;

#[test]
fn planar_queries_allocate_nothing() {
    let mut random = Random(61);
    let pairs: Vec<_> = (0..400).map(|k| pair::<f32>(&mut random, REGIMES[k % 4])).collect();
    let mut touching = 0;
    let counted = allocation_counter::measure(|| {
        for (a, b) in &pairs {
            touching += usize::from(intersects(a, b) && contact(a, b).is_some());
            touching += usize::from(sweep(a, b, [[1.0, 0.5], [-1.0, 0.0]]).is_some());
        }
    });
    assert_eq!(counted.count_total, 0);
    assert!(touching > 200);
}
