//! Winding number of a closed mesh around a point: signed crossings of a ray in a random direction,
//! without rounding where rounded signs are uncertain.

use num_bigint::BigInt;

use crate::exact_sat::{RoundedPolytope, Whole};
use crate::plain_box::{V, inner, minus, norm, outer};
use crate::random::Random;
use crate::rational_points::{self, W};

/// Query point.
pub struct QueryPoint {
    pub rough: V,
    /// Bound on the numbers from which the coordinates were computed.
    pub size: f64,
    pub whole: W,
}

/// Computes the winding number; the point must not be on the surface. `whole` returns one triangle
/// without rounding.
///
/// # Panics
/// If the point is on the surface.
pub fn number<'a>(
    spot: &QueryPoint,
    surface: impl Iterator<Item = &'a RoundedPolytope> + Clone,
    whole: impl Fn(usize) -> Whole,
) -> i32 {
    let mut random = Random(0xd1a1);
    // Few rays touch an edge, unless all do.
    for _ in 0..100 {
        // Integers, with the same direction rounded and exact.
        let direction: [i64; 3] =
            std::array::from_fn(|_| random.below(2_000_001) as i64 - 1_000_000);
        let mut sum = Some(0);
        for (index, rough) in surface.clone().enumerate() {
            let crossing = roughly(spot, rough, direction.map(|x| x as f64))
                .unwrap_or_else(|| exactly(spot, &whole(index).points, direction));
            sum = sum.zip(crossing).map(|(sum, crossing)| sum + crossing);
            if sum.is_none() {
                break;
            }
        }
        if let Some(sum) = sum {
            return sum;
        }
    }
    panic!("the point is on the surface");
}

/// Returns the contribution of one triangle; the outer `None` if rounding hides a sign that counts.
fn roughly(spot: &QueryPoint, rough: &RoundedPolytope, direction: V) -> Option<Option<i32>> {
    let from: Vec<V> = rough.points.iter().map(|&p| minus(p, spot.rough)).collect();
    let wide = from.iter().map(|&p| norm(p)).fold(0.0, f64::max);
    let doubt = 1e-13 * norm(direction) * wide * (rough.size + spot.size + wide);
    let sides: [Option<i32>; 3] =
        std::array::from_fn(|i| sure(inner(direction, outer(from[i], from[(i + 1) % 3])), doubt));
    if sides.contains(&Some(1)) && sides.contains(&Some(-1)) {
        return Some(Some(0));
    }
    let [Some(a), Some(b), Some(c)] = sides else { return None };
    let volume = inner(from[0], outer(from[1], from[2]));
    let side = sure(volume, 1e-13 * wide * wide * (rough.size + spot.size + wide))?;
    Some(ahead([a, b, c], side))
}

fn sure(x: f64, doubt: f64) -> Option<i32> {
    match doubt < 1e250 && x.abs() > doubt + f64::MIN_POSITIVE {
        true => Some(if x > 0.0 { 1 } else { -1 }),
        false => None,
    }
}

/// Returns `None` if the ray touches an edge, so that another ray must be tried.
fn exactly(spot: &QueryPoint, corners: &[W], direction: [i64; 3]) -> Option<i32> {
    let from: Vec<W> = corners.iter().map(|p| rational_points::minus(p, &spot.whole)).collect();
    let direction: W = direction.map(BigInt::from);
    let edges =
        [rational_points::minus(&from[1], &from[0]), rational_points::minus(&from[2], &from[0])];
    if rational_points::is_zero(&rational_points::cross(&edges[0], &edges[1])) {
        return Some(0);
    }
    let side = |i: usize| {
        rational_points::sign(&rational_points::dot(
            &direction,
            &rational_points::cross(&from[i], &from[(i + 1) % 3]),
        ))
    };
    let volume = rational_points::dot(&from[0], &rational_points::cross(&from[1], &from[2]));
    ahead([side(0), side(1), side(2)], rational_points::sign(&volume))
}

/// Returns the contribution from the signs of the line against the edges, and of the ray's start
/// against the triangle's plane.
fn ahead(sides: [i32; 3], side: i32) -> Option<i32> {
    if sides.contains(&1) && sides.contains(&-1) {
        return Some(0);
    }
    if sides.contains(&0) {
        return None;
    }
    assert!(side != 0, "the point is on the surface");
    Some(if sides[0] == side { side } else { 0 })
}
