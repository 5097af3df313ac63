//! Answers as their own certificates. Separate: a closest point of each, and a slab between them as
//! thick as the distance, with one shape behind it and the other beyond. Intersecting: a point of
//! both.

use support::pair::any_shape::{Any, Kind, outside};
use support::pair::random_pairs::{self, Regime};
use support::pair_regime::Tally;
use support::prelude::*;

/// Cases of two kinds in each regime.
const PAIRS: usize = 400;

/// Counts of one regime.
#[derive(Default, Debug, Clone, Copy)]
pub struct Found {
    cases: usize,
    pub apart: usize,
    pub together: usize,
    /// Pairs within the allowed error of touching.
    near: usize,
    /// Largest error as a fraction of the allowed one.
    pub worst: f64,
}

impl Found {
    /// Returns the pairs whose answer is that of their regime.
    fn kept(&self, regime: Regime) -> (support::pair_regime::Regime, usize) {
        match regime {
            Regime::Apart | Regime::Far => (support::pair_regime::Regime::Apart, self.apart),
            Regime::Touching => (support::pair_regime::Regime::Touching, self.near),
            // Two segments never exactly intersect.
            Regime::Deep => (support::pair_regime::Regime::Deep, self.near),
            Regime::Degenerate | Regime::Parallel => {
                (support::pair_regime::Regime::Degenerate, self.cases)
            }
        }
    }
}

/// Allowed error of an answer as a fraction of sizes and coordinates.
pub struct Allowed {
    pub size: f64,
    pub reach: f64,
}

fn prove<T: Scalar>(kinds: [Kind; 2], regime: Regime, allowed: &Allowed) -> Found {
    let mut random = Random(17 + regime as u64 * 64 + kinds[0] as u64 * 8 + kinds[1] as u64);
    let mut found = Found::default();
    for _ in 0..PAIRS {
        let plans = random_pairs::pair(regime, kinds, &mut random);
        let [a, b] = plans.map(|plan| plan.build::<T>());
        let error = check(&a, &b, allowed, &mut found).unwrap_or_else(|fault| {
            panic!("{fault}: {kinds:?} {regime:?}\n{a:?}\n{b:?}\n{:?}", a.closest(&b))
        });
        found.worst = found.worst.max(error);
        found.cases += 1;
    }
    found
}

/// Returns the error of the answer as a fraction of the allowed one.
pub fn check<T: Scalar>(
    a: &Any<T>,
    b: &Any<T>,
    allowed: &Allowed,
    found: &mut Found,
) -> Result<f64, String> {
    let (closest, plans) = (a.closest(b), [a.plan(), b.plan()]);
    let distance = closest.distance.wide();
    let [on_a, on_b]: [V; 2] = [closest.on_a, closest.on_b].map(|p| [p.x, p.y, p.z].map(T::wide));
    let size = plans[0].size() + plans[1].size() + distance;
    let band = allowed.size * size + allowed.reach * random_pairs::reach(&plans);
    if a.intersects(b) != (distance == 0.0) || a.distance(b) != closest.distance {
        return Err(format!("verdict {} at distance {distance:e}", a.intersects(b)));
    }
    let mut errors = vec![outside(&plans[0], on_a), outside(&plans[1], on_b)];
    found.near += usize::from(distance <= band);
    if distance == 0.0 {
        found.together += 1;
        errors.push(norm(minus(on_a, on_b)));
    } else {
        found.apart += 1;
        errors.push((norm(minus(on_a, on_b)) - distance).abs());
        // Without a reliable direction the distance is within the band: nothing to prove.
        if distance > band {
            let normal = times(minus(on_b, on_a), 1.0 / norm(minus(on_b, on_a)));
            // The rounding error of the direction scales with the size.
            let lever = 1.0 + size / distance;
            for p in plans[0].hull() {
                errors.push((inner(normal, minus(p, on_a)) + plans[0].round()) / lever);
            }
            for p in plans[1].hull() {
                errors.push((inner(normal, minus(on_b, p)) + plans[1].round()) / lever);
            }
        }
    }
    let worst = errors.iter().fold(0.0, |worst: f64, &x| worst.max(x));
    if worst > band {
        return Err(format!("off by {worst:e}, {band:e} is allowed: {errors:?}"));
    }
    Ok(worst / band)
}

/// Checks every two kinds in every regime with its answer; where rounding decides, with both
/// answers.
fn every_pair<T: Scalar>(allowed: &Allowed) {
    for (i, first) in Kind::ALL.into_iter().enumerate() {
        for second in Kind::ALL.into_iter().skip(i) {
            let (kinds, mut tally, mut worst) = ([first, second], Tally::default(), 0.0f64);
            for regime in Regime::ALL {
                let found = prove::<T>(kinds, regime, allowed);
                worst = worst.max(found.worst);
                let (is, count) = found.kept(regime);
                (0..count).for_each(|_| tally.add(is));
                // Oriented boxes touch slightly before contact.
                let both = found.apart > PAIRS / 50 && found.together > PAIRS / 10;
                let mixed = matches!(regime, Regime::Touching | Regime::Degenerate);
                let flat = kinds.iter().all(|kind| FLAT.contains(kind));
                assert!(!mixed || flat || both, "{kinds:?} {regime:?}: {found:?}");
            }
            tally.finish(&format!("{kinds:?}, worst {worst:.2} of what is allowed"));
        }
    }
}

/// Kinds without volume: two of them rarely intersect exactly.
const FLAT: [Kind; 2] = [Kind::Segment, Kind::Triangle];

scalars! {
    every_answer_proves_itself
        => every_pair(&Allowed { size: 4e-6, reach: 4e-7 }; &Allowed { size: 2e-12, reach: 1e-14 });
}
