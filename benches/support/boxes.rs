//! Random pairs of boxes.

use boxwood::shape::{Aabb, Obb};
use nalgebra::{Matrix3, Point3, Vector3};

use super::random::Random;

/// Mixes of rotated boxes by name, and the spread that makes them.
pub const MIXES: [(&str, f64); 3] =
    [("mostly apart", 8.0), ("half", 3.6), ("mostly touching", 1.5)];

/// Random boxes whose centres are within `spread` of each other: the smaller, the more overlap.
pub fn turned_pairs(count: usize, spread: f64, random: &mut Random) -> Vec<[Obb<f32>; 2]> {
    let mut any = || {
        let axes = random.rotation();
        let axes = Matrix3::from_fn(|i, j| axes[j][i] as f32);
        let half = Vector3::from_fn(|_, _| random.between(0.1, 1.0) as f32);
        let center = Vector3::from(random.direction()) * (random.share() * spread / 2.0);
        Obb::new(Point3::from(center.map(|x| x as f32)), axes, half).expect("a box")
    };
    (0..count).map(|_| [any(), any()]).collect()
}

/// Aligned boxes with integer corners and long and short sides, so that boxes pierce and contain
/// each other.
pub fn aligned_pairs(count: usize, random: &mut Random) -> Vec<[Aabb<f64, 3>; 2]> {
    let mut any = || {
        let low: [f64; 3] = std::array::from_fn(|_| random.below(6) as f64);
        let high = low.map(|x| x + if random.chance(0.5) { 1.0 } else { 8.0 });
        Aabb::new(Point3::from(low), Point3::from(high))
    };
    (0..count).map(|_| [any(), any()]).collect()
}
