//! Distances of primitives from a cell of a box: from its centre, and from its corners, several at
//! a time in SIMD lanes. Every SIMD level computes the same bits.

use std::ops::Range;

use super::prepared::{PreparedPrimitive, PreparedTriangle};
use crate::num::linear::{Vec3, coordinate_sum, dot, length, scale, splat};
use crate::num::simd::{DoubleKernel, Doubles, MAX_DOUBLES};
use crate::num::vectors::load;
use crate::shape::WideObb;

/// Relative error of a direction. Points and distances are off by some `16 e` of the coordinates:
/// below this share of them a direction is unknown, and above it a direction, and so a tangent, is
/// off by less than half this share of its length.
const DIRECTION_ERROR: f64 = 1.0 / (1 << 24) as f64;

/// Primitive that may be nearest to some point of a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearPrimitive {
    pub primitive: u32,
    /// Distance from the cell's centre.
    pub distance: f64,
    /// Lower bound on the distance of the cell's farthest corner.
    pub corner_bound: f64,
}

/// Cell about a point, and the errors of distances from the point.
pub(super) struct CellBox {
    point: Vec3,
    /// Half axes of the cell.
    half_axes: [Vec3; 3],
    /// Distance below which the direction to a body is unknown.
    min_distance: f64,
    /// Upper bound on the error of a tangent at a corner.
    tangent_error: f64,
}

impl CellBox {
    /// Creates a cell about a point, of a box that lies within `extent` of the origin.
    pub fn new((of, extent): (&WideObb, f64), point: Vec3, half: Vec3) -> Self {
        let [x, y, z] = of.axes;
        let half_axes = [scale(x, half[0]), scale(y, half[1]), scale(z, half[2])];
        let (min_distance, tangent_error) =
            (DIRECTION_ERROR * extent, DIRECTION_ERROR * coordinate_sum(half));
        CellBox { point, half_axes, min_distance, tangent_error }
    }
}

/// Kernel of [`CellSearch::measure`](super::cells::CellSearch), with a triangle in each lane.
pub(super) struct CellDistanceKernel<'s, 'a> {
    pub targets: &'s [PreparedPrimitive<'a>],
    pub near: &'s mut Vec<NearPrimitive>,
    pub candidates: Range<usize>,
    pub cell: CellBox,
    pub step: f64,
    pub window: f64,
}

impl DoubleKernel for CellDistanceKernel<'_, '_> {
    type Output = f64;

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) -> f64 {
        let CellDistanceKernel { targets, near, candidates, cell, step, window } = self;
        let points = splat::<D>(token, cell.point);
        let (mut next, mut least) = (candidates.start, f64::INFINITY);
        loop {
            // Fills the lanes with triangles, and notes where their distances belong.
            let (mut triangles, mut slots, mut filled) = ([None; MAX_DOUBLES], [0; MAX_DOUBLES], 0);
            while next < candidates.end && filled < D::LEN {
                let NearPrimitive { primitive, distance, .. } = near[next];
                next += 1;
                if distance - step > least + window {
                    continue;
                }
                let (distance, corner_bound) = match &targets[primitive as usize] {
                    PreparedPrimitive::Triangle(triangle) if D::LEN > 1 => {
                        (triangles[filled], slots[filled]) = (Some(triangle), near.len());
                        filled += 1;
                        (f64::INFINITY, f64::INFINITY)
                    }
                    PreparedPrimitive::Triangle(triangle) => {
                        let apart = triangle.triangle().point_offset(cell.point);
                        let distance = length(apart);
                        (distance, farthest_corner((), &cell, (apart, distance)))
                    }
                    target => {
                        let distance = target.distance(cell.point);
                        (distance, distance)
                    }
                };
                least = least.min(distance);
                near.push(NearPrimitive { primitive, distance, corner_bound });
            }
            if filled == 0 && next == candidates.end {
                return least;
            }
            let (mut distances, mut corners) = ([0.0; MAX_DOUBLES], [0.0; MAX_DOUBLES]);
            let apart = PreparedTriangle::<D>::pack(token, &triangles).apart(token, points);
            let distance = length(apart);
            distance.store(&mut distances);
            farthest_corner(token, &cell, (apart, distance)).store(&mut corners);
            for (lane, &slot) in slots[..filled].iter().enumerate() {
                let distance = distances[lane];
                near[slot] = NearPrimitive { distance, corner_bound: corners[lane], ..near[slot] };
                least = least.min(distance);
            }
        }
    }
}

/// Kernel of [`CellSearch::nearest_distance`](super::cells::CellSearch), with a triangle in each
/// lane.
pub(super) struct NearestDistanceKernel<'s, 'a> {
    pub targets: &'s [PreparedPrimitive<'a>],
    /// Primitives with their distances from the centre of a cell.
    pub near: &'s [NearPrimitive],
    /// Point within `step` of that centre.
    pub point: Vec3,
    pub step: f64,
    /// Distance below which the search ends, and upper bound on the distance.
    pub limits: [f64; 2],
}

impl DoubleKernel for NearestDistanceKernel<'_, '_> {
    type Output = f64;

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) -> f64 {
        let NearestDistanceKernel { targets, near, point, step, limits: [enough, mut least] } =
            self;
        let (points, mut rest) = (splat::<D>(token, point), near.iter());
        while least > enough {
            let (mut triangles, mut filled) = ([None; MAX_DOUBLES], 0);
            while filled < D::LEN {
                let Some(near) = rest.next() else { break };
                if near.distance - step > least {
                    continue;
                }
                match &targets[near.primitive as usize] {
                    PreparedPrimitive::Triangle(triangle) if D::LEN > 1 => {
                        triangles[filled] = Some(triangle);
                        filled += 1;
                    }
                    target => least = least.min(target.distance(point)),
                }
            }
            if filled == 0 {
                return least;
            }
            let mut distances = [0.0; MAX_DOUBLES];
            let packed = PreparedTriangle::<D>::pack(token, &triangles);
            packed.distances(token, points).store(&mut distances);
            for &distance in &distances[..filled] {
                least = least.min(distance);
            }
        }
        least
    }
}

/// Returns a lower bound on the distance of a cell's farthest corner from a convex body, given the
/// vector to its centre and the length of that: a convex function is nowhere below its tangent.
#[inline(always)]
fn farthest_corner<D: Doubles>(
    token: D::Token,
    cell: &CellBox,
    (apart, distance): (Vec3<D>, D),
) -> D {
    let [x, y, z] = cell.half_axes;
    let out = dot(splat(token, x), apart).abs()
        + dot(splat(token, y), apart).abs()
        + dot(splat(token, z), apart).abs();
    let farther = distance + (out / distance - D::splat(token, cell.tangent_error));
    D::choose(distance.above(D::splat(token, cell.min_distance)), farther, distance)
}

/// Kernel of [`CellSearch::corner_bound`](super::cells::CellSearch).
pub(super) struct CellCornerKernel<'s, 'a> {
    pub targets: &'s [PreparedPrimitive<'a>],
    pub near: &'s [NearPrimitive],
    pub corners: &'s [Vec3; 8],
    pub upper_bound: f64,
}

impl DoubleKernel for CellCornerKernel<'_, '_> {
    type Output = Option<(f64, usize)>;

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) -> Option<(f64, usize)> {
        let CellCornerKernel { targets, near, corners, upper_bound: mut most } = self;
        let mut rows = [[0.0; 8]; 3];
        for (place, corner) in corners.iter().enumerate() {
            for (row, x) in rows.iter_mut().zip(corner) {
                row[place] = *x;
            }
        }
        let corners = (corners, &rows);
        // `far` is the batch of corners that ruled out the last primitive: often it rules out the
        // next too.
        let (mut found, mut far) = (None, 0);
        for near in near {
            if near.corner_bound >= most {
                continue;
            }
            let (target, mut distances) = (&targets[near.primitive as usize], [0.0; 8]);
            let mut all = measure_corners::<D>(token, target, (corners, far), most, &mut distances);
            let (first, mut at) = (far, 0);
            while all && at < distances.len() {
                if at != first
                    && !measure_corners::<D>(token, target, (corners, at), most, &mut distances)
                {
                    (all, far) = (false, at);
                }
                at += D::LEN;
            }
            if all {
                let mut farthest = (0.0, 0);
                for (corner, &distance) in distances.iter().enumerate() {
                    farthest = if distance > farthest.0 { (distance, corner) } else { farthest };
                }
                (most, found) = (farthest.0, Some(farthest));
            }
        }
        found
    }
}

/// Measures as many corners as there are lanes; returns `true` if all are nearer than `most`.
#[inline(always)]
fn measure_corners<D: Doubles>(
    token: D::Token,
    target: &PreparedPrimitive<'_>,
    ((corners, rows), at): ((&[Vec3; 8], &[[f64; 8]; 3]), usize),
    most: f64,
    distances: &mut [f64; 8],
) -> bool {
    if let (PreparedPrimitive::Triangle(triangle), true) = (target, D::LEN > 1) {
        let triangle = PreparedTriangle::<D>::splat(token, triangle);
        let apart = triangle.apart(token, load(token, rows, at));
        let squared = dot(apart, apart);
        // Mostly sufficient, and needs no root.
        if D::any(squared.above(D::splat(token, most * most * (1.0 + 1e-14)))) {
            return false;
        }
        let measured = squared.sqrt();
        measured.store(&mut distances[at..]);
        return D::all(D::splat(token, most).above(measured));
    }
    for (corner, distance) in corners[at..at + D::LEN].iter().zip(&mut distances[at..]) {
        *distance = target.distance(*corner);
        if *distance >= most {
            return false;
        }
    }
    true
}
