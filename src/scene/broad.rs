//! The broad phase: which characters are near each other.

use super::boxes::Entry;
use crate::num::Scalar;

/// Fills `pairs` with the places of all characters whose boxes overlap and that are not both at rest, the
/// lesser first, ascending. Returns how many boxes were compared.
///
/// Sweep and prune along x (Baraff 1992): sorted by their left ends, only boxes that begin before one
/// ends can overlap it.
pub(super) fn overlaps<T: Scalar>(
    entries: &[Entry<T>],
    sweep: &mut Vec<u32>,
    pairs: &mut Vec<(u32, u32)>,
) -> u64 {
    pairs.clear();
    sweep.clear();
    sweep.extend((0..entries.len() as u32).filter(|&i| !entries[i as usize].bounds.is_empty()));
    let left = |i: u32| entries[i as usize].bounds.min.x.wide();
    sweep.sort_unstable_by(|&a, &b| left(a).total_cmp(&left(b)).then(a.cmp(&b)));
    let mut compared = 0;
    for (place, &a) in sweep.iter().enumerate() {
        let first = &entries[a as usize];
        for &b in &sweep[place + 1..] {
            let second = &entries[b as usize];
            if second.bounds.min.x > first.bounds.max.x {
                break;
            }
            if first.at_rest && second.at_rest {
                continue;
            }
            compared += 1;
            if first.bounds.intersects(&second.bounds) {
                pairs.push((a.min(b), a.max(b)));
            }
        }
    }
    pairs.sort_unstable();
    compared
}
