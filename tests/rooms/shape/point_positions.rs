//! Positions of a point relative to a shape.

use super::plain_models::{Kind, point};
use support::pair_regime::{REGIMES, Regime};
use support::prelude::*;

pub struct Case<T: Scalar> {
    pub regime: Regime,
    pub shape: Kind<T>,
    pub point: Point3<T>,
    /// Size of the shape, roughly.
    pub size: f64,
}

/// Draws a case of that kind; sizes from tiny to huge, some far from the origin.
pub fn case<T: Scalar>(kind: usize, random: &mut Random) -> Case<T> {
    let regime = REGIMES[random.below(4)];
    let size = match random.below(6) {
        0 => random.decade(-12.0, -8.0),
        1 => random.decade(8.0, 12.0),
        _ => random.decade(-1.0, 1.0),
    };
    let far = if random.chance(0.2) { random.decade(1.0, 4.0) } else { 1.0 };
    let at = times(random.direction(), size * far);
    let shape = Kind::<T>::random(kind, size, at, regime == Regime::Degenerate, random);
    let model = shape.model();
    let direction = random.direction();
    let out = |gap: f64| plus(model.end(direction), times(direction, gap));
    let p: V = match regime {
        Regime::Apart => out(size * random.decade(-2.0, 2.0)),
        Regime::Touching => out(0.0),
        Regime::Deep => model.inside(random),
        Regime::Degenerate => plus(at, times(random.direction(), size * random.decade(-1.0, 1.0))),
    };
    Case { regime, shape, point: point(p), size }
}
