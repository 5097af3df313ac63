//! Bounds of hulls: upper bounds on the distance of a convex hull's points from the part, or its
//! inside.
//!
//! Let `w` be a point *within* the part and the origin of what follows. The segment from `w` to a
//! point of the hull outside the part leaves the part through some face. The points behind a face,
//! seen from `w`, are its multiples: the face times 1 and more, up to the end of the hull. A plane
//! `d.x <= 1` that the hull does not cross bounds the multiple: for a point `y` of the face, `m y`
//! is in the hull only if `m (d.y) <= 1`. The resulting *column* is convex, and so is the distance
//! from the face: it is largest at a corner of the column.
//!
//! A long hull is cut into slices across its longest axis, each with its own point within: from far
//! away, faces are seen at a slant, and columns are long.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::interior::{Face, PartInterior};
use crate::hull::{ExtremeCorners, HullCorners, directions, offset_to};
use crate::num::linear::{Vec3, add, cross, dot, length, scale, sub};
use crate::num::simd::{DoubleKernel, Doubles, MAX_DOUBLES};
use crate::num::{Scalar, SimdLevel};
use crate::shape::{WideObb, WideTriangle};
use crate::tree::node::OrderedNodes;
use crate::tree::{Geometry, Node};

/// Largest number of refined columns of a root, and the number of faces for each of them; half as
/// many columns at the next depth, and so on. More: closer bounds of hulls over hollows, in
/// proportion to the time.
const MAX_COLUMNS: u32 = 256;
const FACES_PER_COLUMN: u32 = 3;

/// Nodes with fewer faces keep the bounds of their boxes: such nodes are many and contain little of
/// the inside.
const MIN_FACES: usize = 12;

/// Number of directions whose planes end all columns; refined columns use the hull itself.
const PLANE_COUNT: usize = 74;

/// Largest number of slices of a hull.
const MAX_SLICES: usize = 4;

/// The search ends below this share of the unit of the corners.
const STOP_SHARE: f64 = 1.0 / 8192.0;

/// Upper bound on the error of a support point, as a share of the unit of the corners and of the
/// direction: see [`crate::hull`].
const SUPPORT_ERROR: f64 = 1.0 / (1u64 << 20) as f64;

/// Smallest distance of a plane from the point within, as a share of the size: nearer planes are
/// moved out to it. Far more than rounding.
const MIN_PLANE_DISTANCE: f64 = 1.0 / (1u64 << 20) as f64;

/// Columns end below this multiple of the face; longer ones have no end. The pad of the multiple is
/// more than the rounding of the product of a point and a plane at [`MIN_PLANE_DISTANCE`].
const MAX_RATIO: f64 = 1e3;
const RATIO_PAD: f64 = 1.0 + 1e-6;

/// Returns upper bounds on the distance of the convex hulls of the first nodes from the part, or
/// its inside [part units]. Where the part has no inside or the node few faces, the bound is that
/// of the box.
pub(in crate::tree) fn bounds<'h, T: Scalar>(
    geometry: &Geometry<T>,
    ordered: OrderedNodes<'_, T>,
    hulls: impl ExactSizeIterator<Item = Option<&'h HullCorners>>,
) -> Vec<f64> {
    let part = PartInterior::new(geometry, ordered);
    let directions = &directions()[..PLANE_COUNT];
    // Depth of each node, and a nearby point within the part.
    let mut depths_and_points: Vec<(u32, Option<Vec3>)> = vec![(0, None); hulls.len()];
    let mut bounds = Vec::with_capacity(hulls.len());
    for (index, hull) in hulls.enumerate() {
        let (node, (depth, near)) = (&ordered.nodes[index], depths_and_points[index]);
        // Pad: corners are rounded, and the box contains the unrounded ones.
        let of_box = node.bound.wide() + hull.map_or(0.0, |h| h.unit / (1u64 << 22) as f64);
        let hull = hull.filter(|_| part.face_count(node) >= MIN_FACES);
        let nearby_point = hull.and_then(|_| part.interior_point(node)).or(near);
        let child = node.first_child as usize;
        if child > 0 && child + 1 < depths_and_points.len() {
            depths_and_points[child..child + 2].fill((depth + 1, nearby_point));
        }
        bounds.push(hull.map_or(of_box, |hull| {
            let max_columns =
                MAX_COLUMNS.min(part.faces.len() as u32 / FACES_PER_COLUMN) >> depth.min(31);
            HullBound { part: &part, hull, max_columns, box_bound: of_box }.bound(
                node,
                nearby_point,
                directions,
            )
        }));
    }
    bounds
}

/// Search for the bound of one hull.
struct HullBound<'a, T: Scalar> {
    part: &'a PartInterior<'a, T>,
    hull: &'a HullCorners,
    max_columns: u32,
    /// Known upper bound.
    box_bound: f64,
}

impl<T: Scalar> HullBound<'_, T> {
    /// Returns the bound, given a nearby point within the part, if there is one.
    fn bound(&self, node: &Node<T>, nearby_point: Option<Vec3>, directions: &[Vec3]) -> f64 {
        let simd = SimdLevel::best();
        let found = ExtremeCorners { corners: self.hull, directions }.find(simd);
        let reach = |(&d, corner): (&Vec3, usize)| (d, self.support_distance(d, corner));
        let mut planes: Vec<(Vec3, f64)> = directions.iter().zip(found).map(reach).collect();
        let (slices, first) = (BoxSlices::from_box(&node.oriented.wide()), planes.len());
        let mut most = 0.0;
        for slice in 0..slices.count {
            planes.truncate(first);
            let middle = slices.add_slice_planes(slice, &mut planes);
            let within = Some(middle).filter(|&point| self.part.contains(point)).or(nearby_point);
            let Some(within) = within else { return self.box_bound };
            let far = |p: Vec3| p[0].abs() + p[1].abs() + p[2].abs();
            let size = far(sub(self.hull.center, within)) + 3.0 * self.hull.unit;
            let seen = |&(d, reach): &(Vec3, f64)| {
                let distance = reach - dot(d, within);
                scale(
                    d,
                    1.0 / if distance > MIN_PLANE_DISTANCE * size {
                        distance
                    } else {
                        MIN_PLANE_DISTANCE * size
                    },
                )
            };
            let planes: Vec<Vec3> = planes.iter().map(seen).collect();
            let slice_planes = &planes[first..];
            let columns = ColumnSearch {
                hull_bound: self,
                within,
                size,
                slice_planes,
                simd,
                column_count: 0,
            };
            let found = columns.distance_bound(&planes, self.max_columns / slices.count as u32);
            most = if found > most { found } else { most };
        }
        if most < self.box_bound { most } else { self.box_bound }
    }

    /// Returns an upper bound on the extent of the hull in a direction, given the corner found as
    /// farthest.
    fn support_distance(&self, direction: Vec3, corner: usize) -> f64 {
        let size = direction[0].abs() + direction[1].abs() + direction[2].abs();
        let corner = add(self.hull.center, self.hull.corner(corner));
        dot(direction, corner) + SUPPORT_ERROR * size * self.hull.unit
    }
}

/// Slices of a box across its longest axis, each as thick as the second longest axis.
struct BoxSlices {
    center: Vec3,
    axis: Vec3,
    half: f64,
    count: usize,
}

impl BoxSlices {
    fn from_box(solid: &WideObb) -> Self {
        let half = solid.half_extents;
        let longest =
            (1..3).fold(0, |best, axis| if half[axis] > half[best] { axis } else { best });
        let others = half[(longest + 1) % 3].max(half[(longest + 2) % 3]);
        let count =
            1 + (1..MAX_SLICES).filter(|&n| half[longest] > (n + 1) as f64 * others).count();
        BoxSlices { center: solid.center, axis: solid.axes[longest], half: half[longest], count }
    }

    /// Returns the centre of a slice, and appends the planes between it and its neighbours.
    fn add_slice_planes(&self, slice: usize, planes: &mut Vec<(Vec3, f64)>) -> Vec3 {
        let (width, middle) = (2.0 * self.half / self.count as f64, dot(self.axis, self.center));
        let low = slice as f64 * width - self.half;
        if slice > 0 {
            planes.push((scale(self.axis, -1.0), -(middle + low)));
        }
        if slice + 1 < self.count {
            planes.push((self.axis, middle + low + width));
        }
        add(self.center, scale(self.axis, low + 0.5 * width))
    }
}

/// Points behind a face or a piece of one.
#[derive(Debug, Clone)]
struct HullColumn {
    /// Upper bound on the distance of the column's points from the part.
    upper_bound: f64,
    /// Index of the face, and the corners of the piece, relative to the point within.
    face: usize,
    corners: Face,
    /// Upper bound on the multiples of the piece that form the column.
    max_ratio: f64,
    /// `true` once support planes have reduced `max_ratio`.
    is_refined: bool,
    sequence: u32,
}

/// Search over all columns, relative to a point within.
struct ColumnSearch<'a, T: Scalar> {
    hull_bound: &'a HullBound<'a, T>,
    within: Vec3,
    /// Upper bound on the distance of any corner from the point within.
    size: f64,
    /// Planes of the slice, beside the hull.
    slice_planes: &'a [Vec3],
    simd: SimdLevel,
    column_count: u32,
}

impl<T: Scalar> ColumnSearch<'_, T> {
    /// Returns an upper bound on the distance of all columns from the part.
    fn distance_bound(mut self, planes: &[Vec3], effort: u32) -> f64 {
        let enough = STOP_SHARE * self.hull_bound.hull.unit;
        let mut columns: BinaryHeap<HullColumn> = self.long_columns(planes, enough).into();
        let mut looked = 0;
        while let Some(column) = columns.pop() {
            if column.upper_bound <= enough {
                break;
            }
            if looked >= effort {
                return column.upper_bound;
            }
            let pieces = if column.is_refined {
                bisect_triangle(&column.corners)
            } else {
                [column.corners; 2]
            };
            let count = if column.is_refined { 2 } else { 1 };
            for &piece in &pieces[..count] {
                columns.push(self.refined_column(column.face, piece, column.max_ratio));
                looked += 1;
            }
        }
        enough
    }

    /// Returns the columns of all faces but the short ones.
    fn long_columns(&mut self, planes: &[Vec3], enough: f64) -> Vec<HullColumn> {
        let within = self.within;
        let seen = |face: &Face| face.map(|corner| sub(corner, within));
        let faces: Vec<Face> = self.hull_bound.part.faces.iter().map(seen).collect();
        let mut times = vec![0.0; faces.len()];
        self.simd.run_doubles(MaxRatioKernel { planes, faces: &faces, ratios: &mut times });
        let is_long = |face: &Face, times: f64| {
            let far = |most: f64, &corner: &Vec3| most.max(dot(corner, corner));
            times > 1.0 && (times - 1.0) * face.iter().fold(0.0, far).sqrt() > enough
        };
        let long: Vec<usize> = (0..faces.len()).filter(|&i| is_long(&faces[i], times[i])).collect();
        // The plane of a face on the hull is its closest plane.
        let normals: Vec<Vec3> = long.iter().map(|&face| outward_normal(&faces[face])).collect();
        let found =
            ExtremeCorners { corners: self.hull_bound.hull, directions: &normals }.find(self.simd);
        let mut columns = Vec::new();
        for ((&face, &normal), corner) in long.iter().zip(&normals).zip(found) {
            let times = self.support_ratio(&faces[face], normal, corner).min(times[face]);
            if is_long(&faces[face], times) {
                columns.push(self.new_column((face, faces[face]), times, false));
            }
        }
        columns
    }

    /// Returns the largest multiple of a piece in the hull, given the farthest corner in a
    /// direction.
    fn support_ratio(&self, corners: &Face, direction: Vec3, farthest: usize) -> f64 {
        let reach =
            self.hull_bound.support_distance(direction, farthest) - dot(direction, self.within);
        let reach = if reach > MIN_PLANE_DISTANCE * self.size {
            reach
        } else {
            MIN_PLANE_DISTANCE * self.size
        };
        max_ratio(corners, scale(direction, 1.0 / reach))
    }

    /// Returns the column of a piece of a face, its end refined by support planes.
    fn refined_column(&mut self, face: usize, corners: Face, ratio: f64) -> HullColumn {
        let [a, b, c] = corners;
        let center = scale(add(add(a, b), c), 1.0 / 3.0);
        let outside_ratio = 1.0 + 2.0 * self.size / length(center);
        let cuts = self.slice_planes.iter().map(|&plane| max_ratio(&corners, plane));
        let mut least = cuts.fold(ratio, f64::min);
        // The nearest point of the hull to the end of the middle ray gives a plane that ends the
        // ray sooner.
        for _ in 0..3 {
            let end = scale(center, if least < outside_ratio { least } else { outside_ratio });
            let way = offset_to(
                self.hull_bound.hull,
                sub(add(self.within, end), self.hull_bound.hull.center),
                self.simd,
            );
            let direction = with_unit_maximum(scale(way, -1.0));
            let found = ExtremeCorners { corners: self.hull_bound.hull, directions: &[direction] }
                .find(self.simd);
            let times = self.support_ratio(&corners, direction, found[0]);
            if times >= least {
                break;
            }
            least = times;
        }
        self.new_column((face, corners), least, true)
    }

    fn new_column(
        &mut self,
        (face, corners): (usize, Face),
        max_ratio: f64,
        is_refined: bool,
    ) -> HullColumn {
        self.column_count += 1;
        let PartInterior { faces, boxes, .. } = self.hull_bound.part;
        let mut upper_bound = self.hull_bound.box_bound;
        if max_ratio <= 1.0 {
            upper_bound = 0.0;
        } else if max_ratio < MAX_RATIO {
            let [near, far] = [1.0, max_ratio]
                .map(|times| corners.map(|corner| add(self.within, scale(corner, times))));
            let own = WideTriangle { corners: faces[face] };
            upper_bound =
                far.iter().fold(0.0, |most: f64, &p| most.max(own.distance(p))).min(upper_bound);
            for solid in boxes {
                let ends = near.iter().chain(&far);
                upper_bound =
                    ends.fold(0.0, |most: f64, &p| most.max(solid.distance(p))).min(upper_bound);
            }
        }
        HullColumn {
            upper_bound,
            face,
            corners,
            max_ratio,
            is_refined,
            sequence: self.column_count,
        }
    }
}

/// Returns an upper bound on the multiples of a piece up to a plane `d.x <= 1`.
fn max_ratio(corners: &Face, plane: Vec3) -> f64 {
    let [a, b, c] = corners.map(|corner| dot(plane, corner));
    let least = a.min(b).min(c);
    if least > 1.0 / MAX_RATIO { RATIO_PAD / least } else { f64::INFINITY }
}

/// Kernel of [`max_ratio`] over many faces, with the best plane of each.
struct MaxRatioKernel<'a> {
    planes: &'a [Vec3],
    faces: &'a [Face],
    ratios: &'a mut [f64],
}

impl DoubleKernel for MaxRatioKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) {
        for (faces, times) in self.faces.chunks(D::LEN).zip(self.ratios.chunks_mut(D::LEN)) {
            let mut rows = [[[0.0; MAX_DOUBLES]; 3]; 3];
            for (lane, face) in faces.iter().enumerate() {
                for (row, corner) in rows.iter_mut().zip(face) {
                    (row[0][lane], row[1][lane], row[2][lane]) = (corner[0], corner[1], corner[2]);
                }
            }
            let [a, b, c] = &rows;
            let (a, b, c) =
                (load_row::<D>(token, a), load_row::<D>(token, b), load_row::<D>(token, c));
            let mut most = D::splat(token, 0.0);
            for &[x, y, z] in self.planes {
                let plane = [D::splat(token, x), D::splat(token, y), D::splat(token, z)];
                most = most.greater(dot(plane, a).lesser(dot(plane, b)).lesser(dot(plane, c)));
            }
            let mut found = [0.0; MAX_DOUBLES];
            most.store(&mut found);
            for (times, &least) in times.iter_mut().zip(&found) {
                *times = if least > 1.0 / MAX_RATIO { RATIO_PAD / least } else { f64::INFINITY };
            }
        }
    }
}

#[inline(always)]
fn load_row<D: Doubles>(token: D::Token, [x, y, z]: &[[f64; MAX_DOUBLES]; 3]) -> Vec3<D> {
    [D::load(token, x), D::load(token, y), D::load(token, z)]
}

/// Bisects a triangle through the middle of its longest edge.
fn bisect_triangle(&[a, b, c]: &Face) -> [Face; 2] {
    let squared = |p: Vec3, q: Vec3| dot(sub(p, q), sub(p, q));
    let (ab, bc, ca) = (squared(a, b), squared(b, c), squared(c, a));
    let [p, q, r] = match (ab >= bc && ab >= ca, bc >= ca) {
        (true, _) => [a, b, c],
        (_, true) => [b, c, a],
        _ => [c, a, b],
    };
    let middle = scale(add(p, q), 0.5);
    [[p, middle, r], [middle, q, r]]
}

/// Returns the normal of a triangle, away from the origin; its largest coordinate is 1.
fn outward_normal(&[a, b, c]: &Face) -> Vec3 {
    let normal = with_unit_maximum(cross(sub(b, a), sub(c, a)));
    if dot(normal, a) < 0.0 { scale(normal, -1.0) } else { normal }
}

fn with_unit_maximum(v: Vec3) -> Vec3 {
    let most = v[0].abs().max(v[1].abs()).max(v[2].abs());
    match most > 0.0 && most < f64::INFINITY {
        true => scale(v, 1.0 / most),
        false => [1.0, 0.0, 0.0],
    }
}

impl Ord for HullColumn {
    /// Orders by bound, of equal ones the older column greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        self.upper_bound.total_cmp(&other.upper_bound).then(other.sequence.cmp(&self.sequence))
    }
}

impl PartialOrd for HullColumn {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for HullColumn {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for HullColumn {}
