//! Faces, edges and corners of an intersection of half-spaces, each face cut by all other planes.
//!
//! A face is a convex polygon in its plane: it begins as a square far larger than the solid and is
//! clipped by one half-space after the other, in the order of the planes (Sutherland and Hodgman
//! 1974). Every side remembers which plane cut it, and a new corner is where three planes meet, so
//! no corner inherits the rounding of the corners before it.

use std::collections::HashMap;

use super::tree::Bounds;
use crate::num::linear::{Vec3, add, cross, dot, length, scale, sub};
use crate::num::simd::Lanes;
use crate::shape::UpAxis;

/// A plane with a unit normal; the solid is where `normal . x <= offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HalfSpace {
    pub normal: Vec3,
    pub offset: f64,
}

impl HalfSpace {
    /// How far the point is in front of the plane; negative in the solid.
    #[inline(always)]
    pub fn height(&self, point: Vec3) -> f64 {
        dot(self.normal, point) - self.offset
    }
}

/// Where two faces meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PolytopeEdge {
    /// Its ends, as indices of corners; the left face has them in this order.
    pub corners: [u32; 2],
    /// The faces to its left and right, seen from outside, as indices of planes.
    pub faces: [u32; 2],
}

/// What the planes enclose.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Polytope {
    /// The planes that have a face.
    pub planes: Vec<HalfSpace>,
    /// For each of them, its index in the list given.
    pub given: Vec<usize>,
    pub corners: Vec<Vec3>,
    /// Indices of corners of each face, counter-clockwise seen from outside, one face after
    /// another.
    pub outline: Vec<u32>,
    /// Where each face ends in `outline`.
    pub ends: Vec<u32>,
    pub edges: Vec<PolytopeEdge>,
}

/// Why planes enclose no solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoPolytope {
    /// The face of this plane has no end.
    Unbounded(usize),
    /// Nothing is behind all planes, or a solid too thin at this one.
    Empty(usize),
}

/// Corners nearer than this share of the largest coordinate are one; a solid thinner than four
/// times that is none. Planes meet with an error of some `2^-50` divided by the sine of their
/// angle.
const MERGE: f64 = 1.0 / (1u64 << 40) as f64;

/// Half the side of the square a face begins as, as a multiple of the largest offset.
const FAR: f64 = (1u64 << 24) as f64;

/// Planes whose normals have a smaller sine are parallel: they have no line in common that double
/// precision could find.
const PARALLEL: f64 = 1e-10;

/// A side of a face: where it begins, and the plane beyond it.
#[derive(Debug, Clone, Copy)]
struct FaceSide {
    from: Vec3,
    /// How far rounding may have moved `from`. Units.
    doubt: f64,
    plane: usize,
}

/// The sides of a face while it is cut, and the list it is cut into.
#[derive(Debug, Default)]
struct Cutter {
    sides: Vec<FaceSide>,
    next: Vec<FaceSide>,
    heights: Vec<f64>,
}

impl Polytope {
    /// What the half-spaces have in common.
    pub fn new(given: &[HalfSpace]) -> Result<Polytope, NoPolytope> {
        let kept = without_parallels(given)?;
        let mut planes: Vec<(HalfSpace, usize)> =
            kept.into_iter().map(|index| (given[index], index)).collect();
        let largest = planes.iter().fold(0.0, |most: f64, (plane, _)| {
            if plane.offset.abs() > most { plane.offset.abs() } else { most }
        });
        let mut cutter = Cutter::default();
        // Planes without a face go, and what they left of other faces is cut again without them.
        for _ in 0..=given.len() {
            let (polytope, without) = cutter.cut(&planes, largest)?;
            if without.is_empty() {
                return polytope.thick_enough();
            }
            let mut index = 0;
            planes.retain(|_| (!without.contains(&index), index += 1).0);
        }
        Err(NoPolytope::Empty(0))
    }

    /// The corners of a face, counter-clockwise seen from outside.
    pub fn face(&self, face: usize) -> &[u32] {
        let start = if face == 0 { 0 } else { self.ends[face - 1] as usize };
        &self.outline[start..self.ends[face] as usize]
    }

    /// The largest value of `direction . x` among the corners.
    pub fn support(&self, direction: Vec3) -> f64 {
        let most = f64::NEG_INFINITY;
        self.corners.iter().fold(most, |most, &corner| most.greater(dot(direction, corner)))
    }

    /// Corners nearer than this are one. Units.
    pub fn merge_distance(&self) -> f64 {
        MERGE * self.largest_coordinate()
    }

    /// The largest coordinate of a corner, or offset.
    pub fn largest_coordinate(&self) -> f64 {
        let offsets = self.planes.iter().map(|plane| plane.offset);
        let corners = self.corners.iter().flatten().copied();
        offsets.chain(corners).fold(0.0, |most, x| most.greater(x.abs()))
    }

    /// The same solid in a frame in which z is up.
    pub fn upright(&self, up: UpAxis) -> Polytope {
        self.turned(|v| up.to_z(v))
    }

    /// The same solid turned about the origin.
    pub fn turned(&self, turn: impl Fn(Vec3) -> Vec3) -> Polytope {
        let plane = |plane: &HalfSpace| HalfSpace { normal: turn(plane.normal), ..*plane };
        Polytope {
            planes: self.planes.iter().map(plane).collect(),
            corners: self.corners.iter().map(|&corner| turn(corner)).collect(),
            ..self.clone()
        }
    }

    /// A box along the axes around it, padded by the rounding of its corners.
    pub fn bounds(&self) -> Bounds {
        let pad = self.merge_distance();
        let point =
            |corner: Vec3| Bounds { min: corner.map(|x| x - pad), max: corner.map(|x| x + pad) };
        self.corners.iter().fold(Bounds::EMPTY, |all, &corner| all.merged(&point(corner)))
    }

    /// Refuses a solid without a corner far enough behind one of its planes.
    fn thick_enough(self) -> Result<Polytope, NoPolytope> {
        let least = 4.0 * self.merge_distance();
        for (plane, &given) in self.planes.iter().zip(&self.given) {
            if self.support(scale(plane.normal, -1.0)) + plane.offset < least {
                return Err(NoPolytope::Empty(given));
            }
        }
        Ok(self)
    }

    /// The index of a corner, which is added if it is new: farther from all others than `merge`
    /// and the doubts about both. Of several positions the one with the least doubt is kept.
    fn corner(&mut self, doubts: &mut Vec<f64>, side: &FaceSide, merge: f64) -> u32 {
        let known = self.corners.iter().zip(&*doubts);
        let near = |(&corner, &doubt): (&Vec3, &f64)| {
            let (way, reach) = (sub(corner, side.from), merge + doubt + side.doubt);
            dot(way, way) <= reach * reach
        };
        let index = known.map(near).position(|near| near).unwrap_or(doubts.len());
        if index == doubts.len() {
            self.corners.push(side.from);
            doubts.push(side.doubt);
        } else if side.doubt < doubts[index] {
            self.corners[index] = side.from;
            doubts[index] = side.doubt;
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
        // The first side from a corner to another; looked up alone, so that no order depends on it.
        let mut first = HashMap::with_capacity(sides.len());
        for &(a, b, face, _) in &sides {
            first.entry((a, b)).or_insert(face);
        }
        for &(a, b, face, plane) in &sides {
            let across = first.get(&(b, a)).copied();
            let other = across.unwrap_or(plane);
            // From the face with the lower index; a side whose twin was lost, from the one it has.
            if face < other || across.is_none() {
                self.edges.push(PolytopeEdge { corners: [a, b], faces: [face, other] });
            }
        }
    }
}

impl Cutter {
    /// The faces of all planes, and the planes that have none.
    fn cut(
        &mut self,
        planes: &[(HalfSpace, usize)],
        largest: f64,
    ) -> Result<(Polytope, Vec<usize>), NoPolytope> {
        let mut polytope = Polytope {
            planes: planes.iter().map(|plane| plane.0).collect(),
            given: planes.iter().map(|plane| plane.1).collect(),
            corners: Vec::new(),
            outline: Vec::new(),
            ends: Vec::new(),
            edges: Vec::new(),
        };
        let (mut beyond, mut without, mut doubts) = (Vec::new(), Vec::new(), Vec::new());
        let size = if largest > 0.0 { largest } else { 1.0 };
        for face in 0..planes.len() {
            self.face(&polytope.planes, face, size);
            if self.sides.iter().any(|side| side.plane >= planes.len()) {
                return Err(NoPolytope::Unbounded(planes[face].1));
            }
            let reach = self.sides.iter().flat_map(|side| side.from);
            let merge = MERGE * reach.fold(largest, |most, x| most.greater(x.abs()));
            let start = polytope.outline.len();
            for side in &self.sides {
                let corner = polytope.corner(&mut doubts, side, merge);
                if polytope.outline[start..].last() == Some(&corner) {
                    // A side without length: the next one goes on from the same corner.
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
            return Err(NoPolytope::Empty(0));
        }
        if without.is_empty() {
            polytope.pair_edges(&beyond);
        }
        Ok((polytope, without))
    }

    /// Leaves the sides of one face in `sides`; none if other planes cut all of it away.
    fn face(&mut self, planes: &[HalfSpace], face: usize, size: f64) {
        let (u, v) = tangents(planes[face].normal);
        let (center, far) = (scale(planes[face].normal, planes[face].offset), size * FAR);
        let at = |x: f64, y: f64| add(center, add(scale(u, x * far), scale(v, y * far)));
        self.sides.clear();
        let ends = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
        let square = ends.into_iter().enumerate();
        let side = |(i, from)| FaceSide { from, doubt: 0.0, plane: planes.len() + i };
        self.sides.extend(square.map(side));
        for other in (0..planes.len()).filter(|&other| other != face) {
            if !parallel(planes[face].normal, planes[other].normal) {
                self.clip(planes, face, other, size);
            }
        }
    }

    /// Keeps the part of the face behind a plane.
    fn clip(&mut self, planes: &[HalfSpace], face: usize, other: usize, size: f64) {
        let Cutter { sides, next, heights } = self;
        heights.clear();
        heights.extend(sides.iter().map(|side| planes[other].height(side.from)));
        // What is in front by less is left: a face may be too large by it, never too small.
        let tolerance = size * (MERGE / 16.0);
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
                let met = third.and_then(|third| meet(&planes[face], third, &planes[other]));
                let plane = if inside { other } else { side.plane };
                let (from, doubt) = met.unwrap_or((between, 0.0));
                next.push(FaceSide { from, doubt, plane });
            }
        }
        std::mem::swap(sides, next);
    }
}

/// The planes that are not behind another one of the same direction; refuses two that face each
/// other with nothing between, or less than the least thickness.
fn without_parallels(given: &[HalfSpace]) -> Result<Vec<usize>, NoPolytope> {
    let mut kept = Vec::with_capacity(given.len());
    for (i, a) in given.iter().enumerate() {
        let mut hidden = false;
        for (j, b) in given.iter().enumerate() {
            if i == j || !parallel(a.normal, b.normal) {
                continue;
            }
            if dot(a.normal, b.normal) < 0.0 {
                let size = a.offset.abs().greater(b.offset.abs());
                if a.offset + b.offset <= 4.0 * MERGE * size {
                    return Err(NoPolytope::Empty(i));
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

/// Whether two unit normals have no direction of their own for a line between their planes.
fn parallel(a: Vec3, b: Vec3) -> bool {
    let across = cross(a, b);
    dot(across, across) < PARALLEL * PARALLEL
}

/// The point that three planes have in common, by Cramer's rule, and how far rounding may have
/// moved it; `None` where they have a line.
///
/// Offsets are known to `e = 2^-53` of the largest, and with normals off by as much a plane is off
/// by about `2 e` of the coordinates. Each moves the point by that, times the length of the cross
/// product of the other two normals over the triple product. Planes 0.05 degrees apart meet with an
/// error of `2^-40`, where right angles leave `2^-51`.
fn meet(a: &HalfSpace, b: &HalfSpace, c: &HalfSpace) -> Option<(Vec3, f64)> {
    let (bc, ca, ab) =
        (cross(b.normal, c.normal), cross(c.normal, a.normal), cross(a.normal, b.normal));
    let volume = dot(a.normal, bc);
    let sum = add(add(scale(bc, a.offset), scale(ca, b.offset)), scale(ab, c.offset));
    let point = sum.map(|x| x / volume);
    let size = point.into_iter().fold(0.0, |most, x| most.greater(x.abs()));
    let spread = (length(bc) + length(ca) + length(ab)) / volume.abs();
    (volume.abs() > 1e-12).then_some((point, 4.0 * f64::EPSILON * size * spread))
}

/// Two unit directions at right angles to a unit normal and to each other, such that the three are
/// right-handed in the order `u, v, normal`.
fn tangents(normal: Vec3) -> (Vec3, Vec3) {
    let least =
        (1..3).fold(0, |best, i| if normal[i].abs() < normal[best].abs() { i } else { best });
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let u = cross(axis, normal);
    let u = scale(u, 1.0 / length(u));
    (u, cross(normal, u))
}
