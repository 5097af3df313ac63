//! Random sweeps of boxes, in four regimes.

use boxwood::num::Scalar;
use boxwood::shape::Obb;
use nalgebra::Matrix3;

use crate::pair_regime::Regime;
use crate::plain_box::{PlainBox, V, minus, plus, times};
use crate::random::{Random, compose};
pub use crate::random_parts::{point, vector, wide};

/// Two boxes and their displacements; the first is also used as a ball of its first half extent.
#[derive(Clone, Copy, Debug)]
pub struct Moving {
    pub a: PlainBox,
    pub b: PlainBox,
    pub by: [V; 2],
}

fn half(random: &mut Random, odd: bool) -> V {
    let plain: V = std::array::from_fn(|_| random.between(0.1, 1.0));
    let thin = if random.chance(0.5) { 0.0 } else { 1e-3 };
    plain.map(|h| if odd && random.chance(0.4) { h * thin } else { h })
}

pub fn moving(random: &mut Random, regime: Regime) -> Moving {
    let odd = regime == Regime::Degenerate;
    let axes_a = random.rotation();
    let axes_b = match odd && random.chance(0.6) {
        true if random.chance(0.5) => axes_a,
        true => compose(&random.turn(1e-7), &axes_a),
        false => random.rotation(),
    };
    let far = if odd && random.chance(0.3) { random.decade(1.0, 4.0) } else { 1.0 };
    let center = times(random.direction(), far);
    let a = PlainBox { center: [0.0; 3], axes: axes_a, half: half(random, odd) };
    let b = PlainBox { center, axes: axes_b, half: half(random, odd) };
    let size = a.radius() + b.radius();
    let way = random.direction();
    let near = times(random.direction(), random.between(0.0, 0.4) * size);
    let (back, length) = match regime {
        Regime::Apart if random.chance(0.4) => (-1.1 * size, 2.0 * size),
        Regime::Apart if random.chance(0.5) => (3.0 * size, 1.5 * size),
        Regime::Apart => (2.0 * size, 4.0 * size),
        Regime::Touching => (1.5 * size, 2.5 * size),
        Regime::Deep => (0.02 * size, 2.0 * size),
        Regime::Degenerate if random.chance(0.15) => (0.0, 0.0),
        Regime::Degenerate => (random.between(0.0, 2.0) * size, 3.0 * size),
    };
    let aside = match regime {
        Regime::Apart => times(random.direction(), random.between(0.0, 1.1) * size),
        Regime::Deep => times(near, 0.1),
        _ => near,
    };
    let other = if random.chance(0.5) { times(random.direction(), size) } else { [0.0; 3] };
    let start = plus(plus(center, aside), times(way, -back));
    let by = [plus(times(way, length), other), other];
    scaled(Moving { a: PlainBox { center: start, ..a }, b, by }, odd, random)
}

fn scaled(m: Moving, odd: bool, random: &mut Random) -> Moving {
    let unit = if odd && random.chance(0.3) { random.decade(-12.0, 12.0) } else { 1.0 };
    let grow =
        |b: PlainBox| PlainBox { center: times(b.center, unit), half: times(b.half, unit), ..b };
    Moving { a: grow(m.a), b: grow(m.b), by: m.by.map(|v| times(v, unit)) }
}

/// Rounds a box of plain numbers.
pub fn stored<T: Scalar>(block: &PlainBox) -> Obb<T> {
    let matrix = Matrix3::from_fn(|i, j| T::nearest(block.axes[j][i]));
    Obb::new(point(block.center), matrix, vector(block.half)).expect("a box")
}

/// Minimum of a convex function on `0..=1` and its argument; stops at the first 0.
pub fn least(of: impl Fn(f64) -> f64) -> (f64, f64) {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..120 {
        let (p, q) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        let (x, y) = (of(p), of(q));
        if x <= 0.0 || y <= 0.0 {
            let at = if x <= 0.0 { p } else { q };
            return (at, of(at));
        }
        if x < y { high = q } else { low = p }
    }
    [0.0, low, 1.0].map(|t| (t, of(t))).into_iter().min_by(|p, q| p.1.total_cmp(&q.1)).expect("one")
}

/// Returns the first time of `0..=within` at which a convex function that is 0 at `within` is 0.
pub fn first(of: impl Fn(f64) -> f64, within: f64) -> f64 {
    let (mut low, mut high) = (0.0, within);
    if of(0.0) <= 0.0 {
        return 0.0;
    }
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if of(middle) <= 0.0 { high = middle } else { low = middle }
    }
    high
}

/// Returns both boxes at a time, the second relative to the first's start.
pub fn at(m: &Moving, time: f64) -> (PlainBox, PlainBox) {
    let home = times(m.a.center, -1.0);
    let relative = times(minus(m.by[0], m.by[1]), time);
    (m.a.moved(plus(home, relative)), m.b.moved(home))
}
