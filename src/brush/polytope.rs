//! Faces, edges and corners of an intersection of half-spaces; each face is clipped by all other
//! planes.
//!
//! A face is a convex polygon in its plane: it begins as a square far larger than the solid and is
//! clipped by one half-space after the other, in the order of the planes (Sutherland and Hodgman
//! 1974). Every side stores the plane that clipped it, and a new corner is the intersection of
//! three planes, so no corner inherits the rounding of the corners before it.

use super::tree::Bounds;
use crate::num::linear::{IDENTITY, Vec3, add, cross, dot, least_axis, length, scale, sub};
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
#[derive(Debug, Clone, Default, PartialEq)]
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
    /// The two planes that intersect the face in `from`, if it is the intersection of three. The
    /// error of `from` is computed at the end: most corners are clipped away before.
    met: Option<[u32; 2]>,
    plane: u32,
}

/// Number of planes in a block.
const BLOCK_PLANES: usize = 4;

/// Planes side by side, coordinate by coordinate; a plane that everything is behind fills up the
/// last block.
#[derive(Debug, Clone, Copy)]
struct PlaneBlock {
    normal: [[f64; BLOCK_PLANES]; 3],
    offset: [f64; BLOCK_PLANES],
}

/// Sides of a face while it is clipped, and buffers.
#[derive(Debug, Default)]
struct FaceClipper {
    sides: Vec<FaceSide>,
    next: Vec<FaceSide>,
    heights: Vec<f64>,
    blocks: Vec<PlaneBlock>,
    /// Indices of the planes that are parallel to the face.
    parallels: Vec<usize>,
}

/// Planes that no parallel plane hides.
struct PlaneList {
    planes: Vec<HalfSpace>,
    /// Index of each plane in the list given.
    source_indices: Vec<usize>,
    /// Pairs of opposite planes, as indices in the list given.
    opposite: Vec<[usize; 2]>,
}

impl Polytope {
    /// Creates the intersection of the half-spaces.
    pub fn new(source_indices: &[HalfSpace]) -> Result<Polytope, PolytopeError> {
        let mut list = without_parallels(source_indices)?;
        let largest = list.planes.iter().fold(0.0, |most: f64, plane| {
            if plane.offset.abs() > most { plane.offset.abs() } else { most }
        });
        let mut cutter = FaceClipper::default();
        // Planes without a face are removed, and the faces that they cut are clipped again.
        for _ in 0..=source_indices.len() {
            let (polytope, without) = cutter.clip_faces(&list, largest)?;
            if without.is_empty() {
                return polytope.check_thickness();
            }
            list.remove(&without);
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

    /// Becomes another solid in a frame in which z is up; reuses storage.
    pub fn set_upright(&mut self, solid: &Polytope, up: UpAxis) {
        let Polytope { planes, source_indices, corners, outline, ends, edges } = solid;
        self.planes.clear();
        self.planes.extend(planes.iter().map(|plane| plane.rotated(|v| up.to_z(v))));
        self.corners.clear();
        self.corners.extend(corners.iter().map(|&corner| up.to_z(corner)));
        self.source_indices.clone_from(source_indices);
        self.outline.clone_from(outline);
        self.ends.clone_from(ends);
        self.edges.clone_from(edges);
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
    fn corner_index(&mut self, errors: &mut Vec<f64>, from: Vec3, error: f64, merge: f64) -> u32 {
        let known = self.corners.iter().zip(&*errors);
        let is_near = |(&corner, &other): (&Vec3, &f64)| {
            let (way, reach) = (sub(corner, from), merge + other + error);
            dot(way, way) <= reach * reach
        };
        let index = known.map(is_near).position(|near| near).unwrap_or(errors.len());
        if index == errors.len() {
            self.corners.push(from);
            errors.push(error);
        } else if error < errors[index] {
            self.corners[index] = from;
            errors[index] = error;
        }
        index as u32
    }

    /// Finds the edges: sides of two faces between the same corners.
    fn pair_edges(&mut self, beyond: &[u32]) {
        // Sides by their first corner, those of a corner in the order of the faces.
        let mut ends = vec![0_u32; self.corners.len() + 1];
        for &corner in &self.outline {
            ends[corner as usize + 1] += 1;
        }
        for corner in 1..ends.len() {
            ends[corner] += ends[corner - 1];
        }
        let mut sides = vec![[0_u32; 2]; self.outline.len()];
        self.for_each_side(|_, [a, b], face| {
            sides[ends[a as usize] as usize] = [b, face];
            ends[a as usize] += 1;
        });
        // The end of each corner's sides is now where those of the next corner begin.
        let first_face = |a: u32, b: u32| {
            let start = if a == 0 { 0 } else { ends[a as usize - 1] as usize };
            let own = &sides[start..ends[a as usize] as usize];
            own.iter().find(|[end, _]| *end == b).map(|&[_, face]| face)
        };
        let mut edges = Vec::with_capacity(self.outline.len() / 2);
        self.for_each_side(|index, [a, b], face| {
            let across = first_face(b, a);
            let other = across.unwrap_or(beyond[index]);
            // Each edge once, from the face with the lower index; a side without its twin from its
            // only face.
            if face < other || across.is_none() {
                edges.push(PolytopeEdge { corners: [a, b], faces: [face, other] });
            }
        });
        self.edges = edges;
    }

    /// Calls `found` with every side: its index, its corners, its face.
    fn for_each_side(&self, mut found: impl FnMut(usize, [u32; 2], u32)) {
        let mut start = 0;
        for (face, &end) in self.ends.iter().enumerate() {
            let corners = &self.outline[start..end as usize];
            let mut from = corners.iter().copied().enumerate();
            let after = corners.iter().skip(1).chain(corners.first());
            for (&next, (index, own)) in after.zip(&mut from) {
                found(start + index, [own, next], face as u32);
            }
            start = end as usize;
        }
    }
}

impl PlaneList {
    /// Removes planes by their indices, ascending.
    fn remove(&mut self, without: &[usize]) {
        let mut kept = (0..self.planes.len()).map(|index| !without.contains(&index));
        let mut same = kept.clone();
        self.planes.retain(|_| kept.next() == Some(true));
        self.source_indices.retain(|_| same.next() == Some(true));
    }
}

impl PlaneBlock {
    fn new(planes: &[HalfSpace]) -> Self {
        let none = HalfSpace { normal: [0.0; 3], offset: f64::INFINITY };
        let plane = |i: usize| planes.get(i).unwrap_or(&none);
        PlaneBlock {
            normal: std::array::from_fn(|axis| std::array::from_fn(|i| plane(i).normal[axis])),
            offset: std::array::from_fn(|i| plane(i).offset),
        }
    }

    /// Returns for each plane `true` if a side begins in front of it by more than the tolerance:
    /// the comparison of [`HalfSpace::height`], bit for bit.
    #[inline(always)]
    fn cuts(&self, sides: &[FaceSide], tolerance: f64) -> [bool; BLOCK_PLANES] {
        let [x, y, z] = &self.normal;
        let mut highest = [f64::NEG_INFINITY; BLOCK_PLANES];
        for side in sides {
            let p = side.from;
            for i in 0..BLOCK_PLANES {
                let height = x[i] * p[0] + y[i] * p[1] + z[i] * p[2] - self.offset[i];
                highest[i] = if highest[i] < height { height } else { highest[i] };
            }
        }
        highest.map(|height| height > tolerance)
    }
}

impl FaceClipper {
    /// Returns the faces of all planes, and the planes that have none.
    fn clip_faces(
        &mut self,
        list: &PlaneList,
        largest: f64,
    ) -> Result<(Polytope, Vec<usize>), PolytopeError> {
        let PlaneList { planes, source_indices, .. } = list;
        let count = planes.len();
        let mut polytope = Polytope {
            planes: planes.clone(),
            source_indices: source_indices.clone(),
            corners: Vec::with_capacity(count + 2),
            outline: Vec::with_capacity(4 * count),
            ends: Vec::with_capacity(count),
            edges: Vec::new(),
        };
        let (mut beyond, mut without) = (Vec::with_capacity(4 * count), Vec::new());
        let mut errors = Vec::with_capacity(count + 2);
        let size = if largest > 0.0 { largest } else { 1.0 };
        self.blocks.clear();
        self.blocks.extend(planes.chunks(BLOCK_PLANES).map(PlaneBlock::new));
        for face in 0..count {
            self.set_parallels(list, face);
            self.clip_face(planes, face, size);
            if self.sides.iter().any(|side| side.plane as usize >= count) {
                return Err(PolytopeError::Unbounded(source_indices[face]));
            }
            let reach = self.sides.iter().flat_map(|side| side.from);
            let merge = MERGE_RATIO * reach.fold(largest, |most, x| most.greater(x.abs()));
            let start = polytope.outline.len();
            for side in &self.sides {
                let error = side.met.map_or(0.0, |[third, other]| {
                    let [third, other] = [third, other].map(|plane| &planes[plane as usize]);
                    intersection_error(&planes[face], third, other, side.from)
                });
                let corner = polytope.corner_index(&mut errors, side.from, error, merge);
                if polytope.outline[start..].last() == Some(&corner) {
                    // A side without length: the next one starts at the same corner.
                    *beyond.last_mut().expect("a side") = side.plane;
                } else {
                    polytope.outline.push(corner);
                    beyond.push(side.plane);
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
        if without.len() == count {
            return Err(PolytopeError::Empty(0));
        }
        if without.is_empty() {
            polytope.pair_edges(&beyond);
        }
        Ok((polytope, without))
    }

    /// Collects the planes that are parallel to a face.
    fn set_parallels(&mut self, list: &PlaneList, face: usize) {
        self.parallels.clear();
        let index = |source: usize| list.source_indices.iter().position(|&own| own == source);
        for &[a, b] in &list.opposite {
            match list.source_indices[face] {
                own if own == a => self.parallels.extend(index(b)),
                own if own == b => self.parallels.extend(index(a)),
                _ => {}
            }
        }
    }

    /// Clips one face into `sides`; leaves none if other planes cut all of it away.
    fn clip_face(&mut self, planes: &[HalfSpace], face: usize, size: f64) {
        let (u, v) = tangents(planes[face].normal);
        let (center, far) = (scale(planes[face].normal, planes[face].offset), size * START_SIZE);
        let at = |x: f64, y: f64| add(center, add(scale(u, x * far), scale(v, y * far)));
        self.sides.clear();
        let ends = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
        let square = ends.into_iter().zip(planes.len() as u32..);
        self.sides.extend(square.map(|(from, plane)| FaceSide { from, met: None, plane }));
        // Corners in front by less are kept: a face may be too large by it, never too small.
        let tolerance = size * (MERGE_RATIO / 16.0);
        let mut next = 0;
        while next < planes.len() {
            let block = next / BLOCK_PLANES;
            let cuts = self.blocks[block].cuts(&self.sides, tolerance);
            let end = planes.len().min((block + 1) * BLOCK_PLANES);
            let is_cut = |other: &usize| {
                cuts[other % BLOCK_PLANES] && *other != face && !self.parallels.contains(other)
            };
            next = match (next..end).find(is_cut) {
                Some(other) => {
                    self.clip(planes, [face, other], tolerance);
                    other + 1
                }
                None => end,
            };
        }
    }

    /// Clips the face to the part behind another plane.
    fn clip(&mut self, planes: &[HalfSpace], [face, other]: [usize; 2], tolerance: f64) {
        let FaceClipper { sides, next, heights, .. } = self;
        let (own, plane) = (&planes[face], &planes[other]);
        heights.clear();
        heights.extend(sides.iter().map(|side| plane.height(side.from)));
        next.clear();
        let (sides_now, heights) = (&sides[..], &heights[..sides.len()]);
        let Some(&first) = heights.first() else { return };
        let mut inside = first <= tolerance;
        for (i, side) in sides_now.iter().enumerate() {
            let j = if i + 1 < heights.len() { i + 1 } else { 0 };
            let stays = heights[j] <= tolerance;
            if inside {
                next.push(*side);
            }
            if inside != stays {
                let third = planes.get(side.plane as usize);
                let met = third.and_then(|third| intersect_planes(own, third, plane));
                let from = met.unwrap_or_else(|| {
                    let share = heights[i] / (heights[i] - heights[j]);
                    add(side.from, scale(sub(sides_now[j].from, side.from), share))
                });
                next.push(FaceSide {
                    from,
                    met: met.map(|_| [side.plane, other as u32]),
                    plane: if inside { other as u32 } else { side.plane },
                });
            }
            inside = stays;
        }
        std::mem::swap(sides, next);
    }
}

/// Returns the planes that no parallel plane hides; an error for two opposite planes with less than
/// the least thickness between them.
fn without_parallels(given: &[HalfSpace]) -> Result<PlaneList, PolytopeError> {
    let (mut hidden, mut opposite) = (vec![false; given.len()], Vec::new());
    for (i, a) in given.iter().enumerate() {
        for (j, b) in given.iter().enumerate().skip(i + 1) {
            let cosine = dot(a.normal, b.normal);
            // Unit normals with such a cosine are far from parallel.
            if cosine.abs() < 0.9 || !is_parallel(a.normal, b.normal) {
                continue;
            }
            if cosine < 0.0 {
                let size = a.offset.abs().greater(b.offset.abs());
                if a.offset + b.offset <= 4.0 * MERGE_RATIO * size {
                    return Err(PolytopeError::Empty(i));
                }
                opposite.push([i, j]);
            } else {
                hidden[i] |= b.offset < a.offset;
                hidden[j] |= a.offset <= b.offset;
            }
        }
    }
    let kept = || (0..given.len()).filter(|&index| !hidden[index]);
    let (planes, source_indices) = (kept().map(|index| given[index]).collect(), kept().collect());
    Ok(PlaneList { planes, source_indices, opposite })
}

/// Returns `true` if two unit normals are parallel within rounding.
fn is_parallel(a: Vec3, b: Vec3) -> bool {
    let across = cross(a, b);
    dot(across, across) < MIN_SINE * MIN_SINE
}

/// Returns the intersection of three planes, by Cramer's rule; `None` if they share a line.
fn intersect_planes(a: &HalfSpace, b: &HalfSpace, c: &HalfSpace) -> Option<Vec3> {
    let (bc, ca, ab) =
        (cross(b.normal, c.normal), cross(c.normal, a.normal), cross(a.normal, b.normal));
    let volume = dot(a.normal, bc);
    let sum = add(add(scale(bc, a.offset), scale(ca, b.offset)), scale(ab, c.offset));
    (volume.abs() > 1e-12).then(|| sum.map(|x| x / volume))
}

/// Returns the error of the intersection of three planes.
///
/// Offsets are known to `e = 2^-53` of the largest, and with normals off by as much the error of a
/// plane is about `2 e` of the coordinates. Each moves the point by that, times the length of the
/// cross product of the other two normals over the triple product. For planes 0.05 degrees apart
/// the error is `2^-40`, for right angles `2^-51`.
fn intersection_error(a: &HalfSpace, b: &HalfSpace, c: &HalfSpace, point: Vec3) -> f64 {
    let (bc, ca, ab) =
        (cross(b.normal, c.normal), cross(c.normal, a.normal), cross(a.normal, b.normal));
    let volume = dot(a.normal, bc);
    let size = point.into_iter().fold(0.0, |most, x| most.greater(x.abs()));
    let spread = (length(bc) + length(ca) + length(ab)) / volume.abs();
    4.0 * f64::EPSILON * size * spread
}

/// Returns two unit directions perpendicular to a unit normal and to each other, right-handed in
/// the order `u, v, normal`.
fn tangents(normal: Vec3) -> (Vec3, Vec3) {
    // Not the negative of `unit_perpendicular`: its zeros have other signs, which reach the points.
    let u = cross(IDENTITY[least_axis(normal)], normal);
    let u = scale(u, 1.0 / length(u));
    (u, cross(normal, u))
}
