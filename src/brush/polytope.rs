//! Faces, edges and corners of an intersection of half-spaces; each face is clipped by all other
//! planes.
//!
//! A face is a convex polygon in its plane: it begins as a square far larger than the solid and is
//! clipped by one half-space after the other, in the order of the planes (Sutherland and Hodgman
//! 1974). Every side stores the plane that clipped it, and a new corner is the intersection of
//! three planes, so no corner inherits the rounding of the corners before it.

use std::collections::HashMap;

use super::tree::Bounds;
use crate::num::linear::{Vec3, add, cross, dot, length, scale, sub};
use crate::num::simd::Lanes;
use crate::shape::UpAxis;

/// Plane with a unit normal; the solid is where `normal . x <= offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HalfSpace {
    pub normal: Vec3,
    pub offset: f64,
}

impl HalfSpace {
    /// Returns the signed distance in front of the plane; negative in the solid.
    #[inline(always)]
    pub fn height(&self, point: Vec3) -> f64 {
        dot(self.normal, point) - self.offset
    }

    /// Returns the half-space rotated about the origin.
    #[inline(always)]
    pub fn rotated(&self, rotation: impl Fn(Vec3) -> Vec3) -> HalfSpace {
        HalfSpace { normal: rotation(self.normal), offset: self.offset }
    }
}

/// Edge between two faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PolytopeEdge {
    /// Indices of its corners; the left face has them in this order.
    pub corners: [u32; 2],
    /// Indices of the planes to its left and right, seen from outside.
    pub faces: [u32; 2],
}

/// Solid enclosed by planes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Polytope {
    /// Planes that have a face.
    pub planes: Vec<HalfSpace>,
    /// Index of each plane in the list given.
    pub source_indices: Vec<usize>,
    pub corners: Vec<Vec3>,
    /// Indices of the corners of each face, counter-clockwise seen from outside, one face after
    /// another.
    pub outline: Vec<u32>,
    /// End of each face in `outline`.
    pub ends: Vec<u32>,
    pub edges: Vec<PolytopeEdge>,
}

/// Reason why planes enclose no solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PolytopeError {
    /// The face of this plane is unbounded.
    Unbounded(usize),
    /// Planes without a common point, or a solid too thin at this one.
    Empty(usize),
}

/// Distance below which corners are merged, as a share of the largest coordinate; a solid must be
/// four times as thick. The error of an intersection is some `2^-50` divided by the sine of the
/// planes' angle.
pub(super) const MERGE_RATIO: f64 = 1.0 / (1u64 << 40) as f64;

/// Half the side of the square that a face begins as, as a multiple of the largest offset.
const START_SIZE: f64 = (1u64 << 24) as f64;

/// Least sine of two planes that are not parallel: below it double precision finds no intersection
/// line.
const MIN_SINE: f64 = 1e-10;

/// Side of a face: its first corner, and the plane beyond it.
#[derive(Debug, Clone, Copy)]
struct FaceSide {
    from: Vec3,
    /// Error of `from` [length units].
    error: f64,
    plane: usize,
}

/// Sides of a face while it is clipped, and the buffer for the result.
#[derive(Debug, Default)]
struct FaceClipper {
    sides: Vec<FaceSide>,
    next: Vec<FaceSide>,
    heights: Vec<f64>,
}

impl Polytope {
    /// Creates the intersection of the half-spaces.
    pub fn new(source_indices: &[HalfSpace]) -> Result<Polytope, PolytopeError> {
        let kept = without_parallels(source_indices)?;
        let mut planes: Vec<(HalfSpace, usize)> =
            kept.into_iter().map(|index| (source_indices[index], index)).collect();
        let largest = planes.iter().fold(0.0, |most: f64, (plane, _)| {
            if plane.offset.abs() > most { plane.offset.abs() } else { most }
        });
        let mut cutter = FaceClipper::default();
        // Planes without a face are removed, and the faces that they cut are clipped again.
        for _ in 0..=source_indices.len() {
            let (polytope, without) = cutter.clip_faces(&planes, largest)?;
            if without.is_empty() {
                return polytope.check_thickness();
            }
            let mut index = 0;
            planes.retain(|_| (!without.contains(&index), index += 1).0);
        }
        Err(PolytopeError::Empty(0))
    }

    /// Returns the corners of a face, counter-clockwise seen from outside.
    pub fn face(&self, face: usize) -> &[u32] {
        let start = if face == 0 { 0 } else { self.ends[face - 1] as usize };
        &self.outline[start..self.ends[face] as usize]
    }

    /// Returns the largest value of `direction . x` among the corners.
    pub fn support(&self, direction: Vec3) -> f64 {
        let most = f64::NEG_INFINITY;
        self.corners.iter().fold(most, |most, &corner| most.greater(dot(direction, corner)))
    }

    /// Returns the distance below which corners are merged [length units].
    pub fn merge_distance(&self) -> f64 {
        MERGE_RATIO * self.largest_coordinate()
    }

    /// Returns the largest absolute coordinate of a corner, or offset [length units].
    pub fn largest_coordinate(&self) -> f64 {
        self.rotated_largest_coordinate(|v| v)
    }

    /// Returns the largest absolute coordinate of a corner rotated about the origin, or offset
    /// [length units].
    pub fn rotated_largest_coordinate(&self, rotation: impl Fn(Vec3) -> Vec3) -> f64 {
        let offsets = self.planes.iter().map(|plane| plane.offset);
        let corners = self.corners.iter().flat_map(|&corner| rotation(corner));
        offsets.chain(corners).fold(0.0, |most, x| most.greater(x.abs()))
    }

    /// Returns the solid in a frame in which z is up.
    pub fn upright(&self, up: UpAxis) -> Polytope {
        Polytope {
            planes: self.planes.iter().map(|plane| plane.rotated(|v| up.to_z(v))).collect(),
            corners: self.corners.iter().map(|&corner| up.to_z(corner)).collect(),
            ..self.clone()
        }
    }

    /// Returns an axis-aligned box around the solid, padded by the rounding of its corners.
    pub fn bounds(&self) -> Bounds {
        let pad = self.merge_distance();
        let point =
            |corner: Vec3| Bounds { min: corner.map(|x| x - pad), max: corner.map(|x| x + pad) };
        self.corners.iter().fold(Bounds::EMPTY, |all, &corner| all.merged(&point(corner)))
    }

    /// Returns an error if no corner is far enough behind one of the planes.
    fn check_thickness(self) -> Result<Polytope, PolytopeError> {
        let least = 4.0 * self.merge_distance();
        for (plane, &given) in self.planes.iter().zip(&self.source_indices) {
            if self.support(scale(plane.normal, -1.0)) + plane.offset < least {
                return Err(PolytopeError::Empty(given));
            }
        }
        Ok(self)
    }

    /// Returns the index of a corner; adds it if it is farther from all others than `merge` and
    /// both errors. Of several positions the one with the least error stays.
    fn corner_index(&mut self, doubts: &mut Vec<f64>, side: &FaceSide, merge: f64) -> u32 {
        let known = self.corners.iter().zip(&*doubts);
        let near = |(&corner, &doubt): (&Vec3, &f64)| {
            let (way, reach) = (sub(corner, side.from), merge + doubt + side.error);
            dot(way, way) <= reach * reach
        };
        let index = known.map(near).position(|near| near).unwrap_or(doubts.len());
        if index == doubts.len() {
            self.corners.push(side.from);
            doubts.push(side.error);
        } else if side.error < doubts[index] {
            self.corners[index] = side.from;
            doubts[index] = side.error;
        }
        index as u32
    }

    /// Finds the edges: sides of two faces between the same corners.
    fn pair_edges(&mut self, beyond: &[u32]) {
        let faces = self.planes.len();
        let mut sides = Vec::with_capacity(self.outline.len());
        for face in 0..faces {
            let start = if face == 0 { 0 } else { self.ends[face - 1] as usize };
            let corners = self.face(face);
            for (i, &a) in corners.iter().enumerate() {
                let b = corners[(i + 1) % corners.len()];
                sides.push((a, b, face as u32, beyond[start + i]));
            }
        }
        // First face with each side. A map for lookups only, so that no order depends on it.
        let mut first = HashMap::with_capacity(sides.len());
        for &(a, b, face, _) in &sides {
            first.entry((a, b)).or_insert(face);
        }
        for &(a, b, face, plane) in &sides {
            let across = first.get(&(b, a)).copied();
            let other = across.unwrap_or(plane);
            // Each edge once, from the face with the lower index; a side without its twin from its
            // only face.
            if face < other || across.is_none() {
                self.edges.push(PolytopeEdge { corners: [a, b], faces: [face, other] });
            }
        }
    }
}

impl FaceClipper {
    /// Returns the faces of all planes, and the planes that have none.
    fn clip_faces(
        &mut self,
        planes: &[(HalfSpace, usize)],
        largest: f64,
    ) -> Result<(Polytope, Vec<usize>), PolytopeError> {
        let mut polytope = Polytope {
            planes: planes.iter().map(|plane| plane.0).collect(),
            source_indices: planes.iter().map(|plane| plane.1).collect(),
            corners: Vec::new(),
            outline: Vec::new(),
            ends: Vec::new(),
            edges: Vec::new(),
        };
        let (mut beyond, mut without, mut doubts) = (Vec::new(), Vec::new(), Vec::new());
        let size = if largest > 0.0 { largest } else { 1.0 };
        for face in 0..planes.len() {
            self.clip_face(&polytope.planes, face, size);
            if self.sides.iter().any(|side| side.plane >= planes.len()) {
                return Err(PolytopeError::Unbounded(planes[face].1));
            }
            let reach = self.sides.iter().flat_map(|side| side.from);
            let merge = MERGE_RATIO * reach.fold(largest, |most, x| most.greater(x.abs()));
            let start = polytope.outline.len();
            for side in &self.sides {
                let corner = polytope.corner_index(&mut doubts, side, merge);
                if polytope.outline[start..].last() == Some(&corner) {
                    // A side without length: the next one starts at the same corner.
                    *beyond.last_mut().expect("a side") = side.plane as u32;
                } else {
                    polytope.outline.push(corner);
                    beyond.push(side.plane as u32);
                }
            }
            if polytope.outline.len() > start + 1
                && polytope.outline[start] == polytope.outline[polytope.outline.len() - 1]
            {
                polytope.outline.pop();
                beyond.pop();
            }
            if polytope.outline.len() < start + 3 {
                without.push(face);
            }
            polytope.ends.push(polytope.outline.len() as u32);
        }
        if without.len() == planes.len() {
            return Err(PolytopeError::Empty(0));
        }
        if without.is_empty() {
            polytope.pair_edges(&beyond);
        }
        Ok((polytope, without))
    }

    /// Clips one face into `sides`; leaves none if other planes cut all of it away.
    fn clip_face(&mut self, planes: &[HalfSpace], face: usize, size: f64) {
        let (u, v) = tangents(planes[face].normal);
        let (center, far) = (scale(planes[face].normal, planes[face].offset), size * START_SIZE);
        let at = |x: f64, y: f64| add(center, add(scale(u, x * far), scale(v, y * far)));
        self.sides.clear();
        let ends = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
        let square = ends.into_iter().enumerate();
        let side = |(i, from)| FaceSide { from, error: 0.0, plane: planes.len() + i };
        self.sides.extend(square.map(side));
        for other in (0..planes.len()).filter(|&other| other != face) {
            if !is_parallel(planes[face].normal, planes[other].normal) {
                self.clip(planes, face, other, size);
            }
        }
    }

    /// Clips the face to the part behind a plane.
    fn clip(&mut self, planes: &[HalfSpace], face: usize, other: usize, size: f64) {
        let FaceClipper { sides, next, heights } = self;
        heights.clear();
        heights.extend(sides.iter().map(|side| planes[other].height(side.from)));
        // Corners in front by less are kept: a face may be too large by it, never too small.
        let tolerance = size * (MERGE_RATIO / 16.0);
        if heights.iter().all(|&height| height <= tolerance) {
            return;
        }
        next.clear();
        for (i, side) in sides.iter().enumerate() {
            let j = (i + 1) % sides.len();
            let (inside, stays) = (heights[i] <= tolerance, heights[j] <= tolerance);
            if inside {
                next.push(*side);
            }
            if inside != stays {
                let share = heights[i] / (heights[i] - heights[j]);
                let between = add(side.from, scale(sub(sides[j].from, side.from), share));
                let third = planes.get(side.plane);
                let met =
                    third.and_then(|third| intersect_planes(&planes[face], third, &planes[other]));
                let plane = if inside { other } else { side.plane };
                let (from, error) = met.unwrap_or((between, 0.0));
                next.push(FaceSide { from, error, plane });
            }
        }
        std::mem::swap(sides, next);
    }
}

/// Returns the planes that no parallel plane hides; an error for two opposite planes with less than
/// the least thickness between them.
fn without_parallels(given: &[HalfSpace]) -> Result<Vec<usize>, PolytopeError> {
    let mut kept = Vec::with_capacity(given.len());
    for (i, a) in given.iter().enumerate() {
        let mut hidden = false;
        for (j, b) in given.iter().enumerate() {
            if i == j || !is_parallel(a.normal, b.normal) {
                continue;
            }
            if dot(a.normal, b.normal) < 0.0 {
                let size = a.offset.abs().greater(b.offset.abs());
                if a.offset + b.offset <= 4.0 * MERGE_RATIO * size {
                    return Err(PolytopeError::Empty(i));
                }
            } else {
                hidden |= b.offset < a.offset || b.offset == a.offset && j < i;
            }
        }
        if !hidden {
            kept.push(i);
        }
    }
    Ok(kept)
}

/// Returns `true` if two unit normals are parallel within rounding.
fn is_parallel(a: Vec3, b: Vec3) -> bool {
    let across = cross(a, b);
    dot(across, across) < MIN_SINE * MIN_SINE
}

/// Returns the intersection of three planes, by Cramer's rule, and its error; `None` if they share
/// a line.
///
/// Offsets are known to `e = 2^-53` of the largest, and with normals off by as much the error of a
/// plane is about `2 e` of the coordinates. Each moves the point by that, times the length of the
/// cross product of the other two normals over the triple product. For planes 0.05 degrees apart
/// the error is `2^-40`, for right angles `2^-51`.
fn intersect_planes(a: &HalfSpace, b: &HalfSpace, c: &HalfSpace) -> Option<(Vec3, f64)> {
    let (bc, ca, ab) =
        (cross(b.normal, c.normal), cross(c.normal, a.normal), cross(a.normal, b.normal));
    let volume = dot(a.normal, bc);
    let sum = add(add(scale(bc, a.offset), scale(ca, b.offset)), scale(ab, c.offset));
    let point = sum.map(|x| x / volume);
    let size = point.into_iter().fold(0.0, |most, x| most.greater(x.abs()));
    let spread = (length(bc) + length(ca) + length(ab)) / volume.abs();
    (volume.abs() > 1e-12).then_some((point, 4.0 * f64::EPSILON * size * spread))
}

/// Returns two unit directions perpendicular to a unit normal and to each other, right-handed in
/// the order `u, v, normal`.
fn tangents(normal: Vec3) -> (Vec3, Vec3) {
    let least =
        (1..3).fold(0, |best, i| if normal[i].abs() < normal[best].abs() { i } else { best });
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let u = cross(axis, normal);
    let u = scale(u, 1.0 / length(u));
    (u, cross(normal, u))
}
