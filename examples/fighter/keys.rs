//! Curves through key stances.

use super::stance::Stance;

/// A stance at a time, in seconds.
pub type Key = (f64, Stance);

/// Returns the stance at time `t` on the smooth curve through `keys`.
///
/// Cubic Hermite pieces with the slopes of Fritsch and Butland (1984): equal values of two keys
/// stay constant between them, and nothing overshoots.
pub fn between(keys: &[Key], t: f64) -> Stance {
    let last = keys.partition_point(|key| key.0 <= t).clamp(1, keys.len() - 1);
    let (i, j) = (last - 1, last);
    let span = keys[j].0 - keys[i].0;
    let s = ((t - keys[i].0) / span).clamp(0.0, 1.0);
    let mut stance = Stance::NOTHING;
    for (group, numbers) in stance.0.iter_mut().enumerate() {
        for (axis, number) in numbers.iter_mut().enumerate() {
            let value = |key: usize| keys[key].1.0[group][axis];
            let slopes = [i, j].map(|key| span * slope(keys, key, value));
            *number = hermite([value(i), value(j)], slopes, s);
        }
    }
    stance
}

/// Slope at a key: the weighted harmonic mean of the slopes on either side, 0 at a turning point
/// and at the ends.
fn slope(keys: &[Key], key: usize, value: impl Fn(usize) -> f64) -> f64 {
    if key == 0 || key + 1 == keys.len() {
        return 0.0;
    }
    let (h0, h1) = (keys[key].0 - keys[key - 1].0, keys[key + 1].0 - keys[key].0);
    let (d0, d1) = ((value(key) - value(key - 1)) / h0, (value(key + 1) - value(key)) / h1);
    if d0 * d1 <= 0.0 {
        return 0.0;
    }
    let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
    (w0 + w1) / (w0 / d0 + w1 / d1)
}

/// The cubic from one value to the other with the given slopes, at `s` from 0 to 1.
pub fn hermite(values: [f64; 2], slopes: [f64; 2], s: f64) -> f64 {
    let (s2, s3) = (s * s, s * s * s);
    let eased = 3.0 * s2 - 2.0 * s3;
    values[0]
        + (values[1] - values[0]) * eased
        + slopes[0] * (s3 - 2.0 * s2 + s)
        + slopes[1] * (s3 - s2)
}
