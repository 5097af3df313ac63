//! Polytopes between pairs of parallel planes: support point, closest point, volume.

use crate::num::linear::{Vec3, add, cross, dot, scale, sub};

/// An intersection of slabs: all `x` with `low_i <= direction_i . x <= high_i`. `D` is 2 or 3, and
/// the first `D` directions are linearly independent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlabIntersection<const D: usize, const N: usize> {
    pub directions: [[f64; D]; N],
    pub low: [f64; N],
    pub high: [f64; N],
}

/// One of the `2 N` half-spaces: all `x` with `normal . x <= bound`.
type HalfSpace<const D: usize> = ([f64; D], f64);

/// Rounding error of the sums here, as a share of their sizes: `32 e`.
const SUM_ERROR: f64 = 1.0 / (1u64 << 48) as f64;

/// Largest number of exchanges of half-spaces, never reached; the result would then be off by
/// roundings.
const MAX_EXCHANGES: usize = 200;

impl<const D: usize, const N: usize> SlabIntersection<D, N> {
    /// Half-space `id`: the upper bound of direction `id / 2` if even, the lower bound if odd.
    fn half_space(&self, id: usize) -> HalfSpace<D> {
        let direction = self.directions[id / 2];
        match id % 2 {
            0 => (direction, self.high[id / 2]),
            _ => (direction.map(|x| -x), -self.low[id / 2]),
        }
    }

    /// Returns `true` if the first `D` directions are the coordinate axes.
    pub fn has_axes(&self) -> bool {
        let axis = |i: usize| std::array::from_fn(|k| if k == i { 1.0 } else { 0.0 });
        (0..D).all(|i| self.directions[i] == axis(i))
    }

    /// The largest absolute bound.
    pub fn max_bound(&self) -> f64 {
        let ends = self.low.iter().chain(&self.high);
        ends.fold(0.0, |most, x| if x.abs() > most { x.abs() } else { most })
    }

    /// The first half-space that does not contain `x`, by more than `pad`.
    fn violated(&self, x: &[f64; D], pad: f64) -> Option<usize> {
        (0..2 * N).find(|&id| {
            let (normal, bound) = self.half_space(id);
            inner(&normal, x) > bound + pad
        })
    }

    /// The support point: the corner farthest along `direction`, up to rounding; `None` if the
    /// polytope is empty.
    pub fn support(&self, direction: &[f64; D]) -> Option<[f64; D]> {
        let (x, is_sound) = self.dual_simplex(direction)?;
        is_sound.then_some(x)
    }

    /// Like [`SlabIntersection::support`], of a polytope that is not empty: where rounding makes it
    /// look empty, returns a point at least as far along `direction`.
    pub fn support_or_beyond(&self, direction: &[f64; D]) -> [f64; D] {
        self.dual_simplex(direction).map_or([f64::NAN; D], |(x, _)| x)
    }

    /// The support point, and whether the half-spaces share a point. Starts at the corner of the
    /// first `D` planes and exchanges a plane for a violated one, step by step; `direction . x` is
    /// never too small.
    ///
    /// Source: the dual simplex method of Lemke (1954), with Bland's rule (1977).
    fn dual_simplex(&self, direction: &[f64; D]) -> Option<([f64; D], bool)> {
        let rows = std::array::from_fn(|i| std::array::from_fn(|k| self.directions[k][i]));
        // `direction` as a combination of the first directions: the signs select the sides.
        let shares = solve(rows, *direction, D)?;
        let mut basis: [usize; D] = std::array::from_fn(|k| 2 * k + usize::from(shares[k] < 0.0));
        let pad = self.max_bound() * SUM_ERROR;
        let mut x = self.corner(&basis)?;
        for _ in 0..MAX_EXCHANGES {
            let Some(id) = self.violated(&x, pad) else { break };
            let Some(leaving) = self.leaving(&basis, id, direction) else {
                return Some((x, false));
            };
            basis[leaving] = id;
            let Some(next) = self.corner(&basis) else { return Some((x, false)) };
            x = next;
        }
        Some((x, true))
    }

    /// The common point of `D` planes; `None` if they are nearly parallel.
    fn corner(&self, basis: &[usize; D]) -> Option<[f64; D]> {
        let halves = basis.map(|id| self.half_space(id));
        solve(halves.map(|half| half.0), halves.map(|half| half.1), D)
    }

    /// The ratio test: the index in the basis of the plane that leaves for `entering`, so that
    /// `direction` remains a non-negative combination of normals. `None` if the half-spaces share
    /// no point.
    fn leaving(&self, basis: &[usize; D], entering: usize, direction: &[f64; D]) -> Option<usize> {
        let columns = basis.map(|id| self.half_space(id).0);
        let rows = std::array::from_fn(|i| std::array::from_fn(|k| columns[k][i]));
        let shares = solve(rows, *direction, D)?;
        let rates = solve(rows, self.half_space(entering).0, D)?;
        let mut least: Option<(f64, usize)> = None;
        for k in 0..D {
            let ratio = shares[k] / rates[k];
            let earlier =
                |(best, at): (f64, usize)| ratio < best || ratio == best && basis[k] < basis[at];
            // Rates are fractions of small integers: a rounded zero is far from all other values.
            if rates[k] > 1e-6 && least.is_none_or(earlier) {
                least = Some((ratio, k));
            }
        }
        least.map(|(_, k)| k)
    }

    /// The closest point to `p`, up to rounding: the closest point in an active set of half-spaces,
    /// which grows by a violated one until none is.
    ///
    /// Source: Goldfarb, Idnani, A Numerically Stable Dual Method for Solving Strictly Convex
    /// Quadratic Programs (1983); the active set is found by trying all subsets.
    pub fn closest_point(&self, p: &[f64; D]) -> [f64; D] {
        let pad = (self.max_bound() + inner(p, p).sqrt()) * SUM_ERROR;
        let (mut x, mut active) = (*p, Vec::with_capacity(D + 1));
        for _ in 0..MAX_EXCHANGES {
            let Some(id) = self.violated(&x, pad) else { break };
            active.push(id);
            let Some((nearest, left)) = self.closest_in_active_set(&active, p, pad) else { break };
            (x, active) = (nearest, left);
        }
        x
    }

    /// The closest point to `p` in the intersection of these half-spaces, of which the last is
    /// active, and the half-spaces on whose planes it lies.
    fn closest_in_active_set(
        &self,
        active: &[usize],
        p: &[f64; D],
        pad: f64,
    ) -> Option<([f64; D], Vec<usize>)> {
        let last = 1 << (active.len() - 1);
        let sets = (last..2 * last).filter(|set: &usize| set.count_ones() as usize <= D);
        sets.filter_map(|set| {
            let chosen: Vec<usize> = active
                .iter()
                .enumerate()
                .filter(|(k, _)| set >> k & 1 == 1)
                .map(|(_, id)| *id)
                .collect();
            let x = self.closest_on_planes(&chosen, p)?;
            let beyond = active.iter().map(|&id| {
                let (normal, bound) = self.half_space(id);
                inner(&normal, &x) - bound
            });
            let worst = beyond.fold(0.0, |most, x| if x > most { x } else { most });
            (worst <= pad).then_some((x, chosen))
        })
        .next()
    }

    /// The closest point to `p` on all of the planes, if every multiplier is non-negative.
    fn closest_on_planes(&self, chosen: &[usize], p: &[f64; D]) -> Option<[f64; D]> {
        let (mut products, mut beyond) = ([[0.0; D]; D], [0.0; D]);
        for (row, &a) in chosen.iter().enumerate() {
            let (normal, bound) = self.half_space(a);
            beyond[row] = inner(&normal, p) - bound;
            for (column, &b) in chosen.iter().enumerate() {
                products[row][column] = inner(&normal, &self.half_space(b).0);
            }
        }
        let pushes = solve(products, beyond, chosen.len())?;
        let mut x = *p;
        for (&id, push) in chosen.iter().zip(pushes) {
            let normal = self.half_space(id).0;
            x = std::array::from_fn(|i| x[i] - push * normal[i]);
        }
        pushes[..chosen.len()].iter().all(|&push| push >= 0.0).then_some(x)
    }

    /// The volume in space, or the area in the plane.
    ///
    /// Each face is its plane clipped by the other half-spaces, and makes a pyramid with the
    /// centre.
    pub fn measure(&self) -> f64 {
        let space =
            |v: [f64; D]| -> Vec3 { std::array::from_fn(|i| if i < D { v[i] } else { 0.0 }) };
        let halfway = std::array::from_fn(|i| 0.5 * (self.low[i] + self.high[i]));
        let first = std::array::from_fn(|i| self.directions[i]);
        let middle = space(solve(first, halfway, D).unwrap_or([0.0; D]));
        let halves = |id| {
            let (normal, bound) = self.half_space(id);
            (space(normal), bound - dot(space(normal), middle))
        };
        let half_size = 4.0 * (0..D).fold(0.0, |sum, i| sum + (self.high[i] - self.low[i]));
        if D == 2 {
            let square = face_square([0.0, 0.0, 1.0], 0.0, half_size);
            return dot(
                area_vector(&clip_polygon(square, (0..2 * N).map(halves))),
                [0.0, 0.0, 1.0],
            );
        }
        let pyramid = |id: usize| {
            let (normal, bound) = halves(id);
            let others = (0..2 * N).filter(|other| other / 2 != id / 2).map(halves);
            dot(area_vector(&clip_polygon(face_square(normal, bound, half_size), others)), normal)
                * bound
                / dot(normal, normal)
        };
        let sum: f64 = (0..2 * N).map(pyramid).sum();
        // Rounding can make the sum of a flat polytope negative.
        if sum > 0.0 { sum / 3.0 } else { 0.0 }
    }
}

fn inner<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (x, y)| sum + x * y)
}

/// Solves the first `count` equations, each a row, by Gauss-Jordan elimination; `None` if they are
/// linearly dependent.
fn solve<const D: usize>(
    mut rows: [[f64; D]; D],
    mut right: [f64; D],
    count: usize,
) -> Option<[f64; D]> {
    for k in 0..count {
        let larger = |best: usize, i: usize| {
            if rows[i][k].abs() > rows[best][k].abs() { i } else { best }
        };
        let pivot = (k..count).fold(k, larger);
        if rows[pivot][k].abs() < 1e-6 {
            return None;
        }
        rows.swap(k, pivot);
        right.swap(k, pivot);
        for i in (0..count).filter(|&i| i != k) {
            let share = rows[i][k] / rows[k][k];
            let row = rows[k];
            (k..count).for_each(|j| rows[i][j] -= share * row[j]);
            right[i] -= share * right[k];
        }
    }
    Some(std::array::from_fn(|k| if k < count { right[k] / rows[k][k] } else { 0.0 }))
}

/// A square in the plane `normal . x = bound` around the foot of the origin, counter-clockwise seen
/// from the side of the normal.
fn face_square(normal: Vec3, bound: f64, half_size: f64) -> Vec<Vec3> {
    let foot = scale(normal, bound / dot(normal, normal));
    let axis =
        (1..3).fold(0, |best, i| if normal[i].abs() < normal[best].abs() { i } else { best });
    let u = cross(normal, std::array::from_fn(|i| if i == axis { half_size } else { 0.0 }));
    let v = cross(normal, u);
    [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
        .map(|(s, t)| add(foot, add(scale(u, s), scale(v, t))))
        .to_vec()
}

/// Clips a polygon by half-spaces. Source: Sutherland and Hodgman, Reentrant Polygon Clipping
/// (1974).
fn clip_polygon(mut polygon: Vec<Vec3>, halves: impl Iterator<Item = (Vec3, f64)>) -> Vec<Vec3> {
    for (normal, bound) in halves {
        let left = |p: Vec3| bound - dot(normal, p);
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (i, &p) in polygon.iter().enumerate() {
            let q = polygon[(i + 1) % polygon.len()];
            let (d, e) = (left(p), left(q));
            if d >= 0.0 {
                kept.push(p);
            }
            if (d >= 0.0) != (e >= 0.0) {
                kept.push(add(p, scale(sub(q, p), d / (d - e))));
            }
        }
        polygon = kept;
    }
    polygon
}

/// The area vector of a flat polygon: its area along its normal.
fn area_vector(polygon: &[Vec3]) -> Vec3 {
    let fan = polygon
        .windows(2)
        .map(|pair| scale(cross(sub(pair[0], polygon[0]), sub(pair[1], polygon[0])), 0.5));
    fan.fold([0.0; 3], add)
}
