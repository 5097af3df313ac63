//! Sweeps of planar shapes: pairs at rest, and their displacements.

use boxwood::num::Scalar;

use crate::pair_regime::Regime;
use crate::planar::any_shape::{Any, P, norm, plus, times, vector, wide};
use crate::planar::random_pairs;
use crate::random::Random;

/// Draws a pair with displacements. Separate: it usually passes by or falls short; touching: an
/// impact, sometimes grazing; deep: starts inside; degenerate: unusual shapes, no or tiny
/// displacement.
pub fn moving<T: Scalar>(
    random: &mut Random,
    regime: Regime,
    pair: impl Fn(&mut Random, Regime) -> (Any<T>, Any<T>),
) -> (Any<T>, Any<T>, [P; 2]) {
    let (a, b) = match regime {
        Regime::Apart | Regime::Touching => pair(random, Regime::Deep),
        other => pair(random, other),
    };
    let size = a.seen().size() + b.seen().size();
    let mut by = times(random_pairs::direction(random), size * random.between(0.5, 4.0));
    let back = match regime {
        // From here it moves away, or not far enough.
        Regime::Apart if random.chance(0.5) => {
            by = times(by, 3.0 / norm(by) * size);
            -1.01
        }
        Regime::Apart => {
            by = times(by, 3.0 / norm(by) * size);
            3.0
        }
        Regime::Touching => {
            by = times(by, 2.0 / norm(by) * size);
            random.between(0.6, 1.0)
        }
        Regime::Deep => 0.0,
        Regime::Degenerate => {
            if random.chance(0.2) {
                by = times(by, if random.chance(0.5) { 0.0 } else { 1e-9 });
            }
            random.between(-0.2, 1.0)
        }
    };
    let a = random_pairs::moved(&a, times(by, -back));
    // Sometimes the other one moves too.
    let other =
        if random.chance(0.5) { times(random_pairs::direction(random), size) } else { [0.0; 2] };
    let stored = |v: P| wide::<T>(&vector(v));
    (a, b, [stored(plus(by, other)), stored(other)])
}
