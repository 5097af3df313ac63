//! A ray in the frame of a part, in double precision, and its contacts with boxes, triangles and
//! convex primitives.
//!
//! The origin is moved along the ray to where it passes the part, so that errors scale with sizes
//! and not with distances. Every test is padded by `pad`, `512 e` of the distance (the sum of its
//! coordinates) and the part's radius about its origin, so that no ray misses what it touches.

use super::collect::RayContact;
use super::volume::{FRAME_ERROR, LocalVolume, Primitive};
use super::wide_ray::WideRay;
use crate::broad_phase::WorldRay;
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Mat3, Vec3, add, cross, dot, length, rotate_back, scale, sub};
use crate::pair::convex::{ConvexPair, Support};
use crate::pair::rounded::triangle_exact::TriangleCorners;
use crate::shape::{
    Aabb, Obb, Placement, Segment, WideObb, WideTriangle, nearest_point, wide_point,
};
use crate::tree::{Node, NodeId, ObbTree};

/// A ray in the frame of a part.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalRay {
    /// Point of the ray where it passes the part.
    origin: Vec3,
    along: Vec3,
    /// Distance of `origin` along the ray.
    shift: f64,
    pub pad: f64,
    /// Length of the ray.
    end: f64,
}

/// The interval of a ray in a box, measured from `origin`, with the normal of the face it enters
/// through.
#[derive(Debug, Clone, Copy)]
pub(super) struct RayInterval {
    pub from: f64,
    to: f64,
    normal: Vec3,
}

const WHOLE_LINE: RayInterval =
    RayInterval { from: f64::NEG_INFINITY, to: f64::INFINITY, normal: [0.0; 3] };

impl LocalRay {
    /// Transforms a ray into the frame of a part, given by its centre and its radius about its
    /// origin.
    #[inline(always)]
    pub fn new(ray: &WorldRay, placement: &Placement, middle: Vec3, reach: f64) -> Self {
        let start = rotate_back(&placement.rotation, sub(ray.from, placement.position));
        let along = rotate_back(&placement.rotation, ray.direction);
        // The direction has unit length up to rounding, which suffices here.
        let shift = dot(sub(middle, start), along);
        let far = start[0].abs() + start[1].abs() + start[2].abs();
        let pad = (far + reach) * FRAME_ERROR;
        LocalRay { origin: add(start, scale(along, shift)), along, shift, pad, end: ray.end }
    }

    /// Returns a point of the ray's line and the direction.
    #[cfg(feature = "internals")]
    pub fn line(&self) -> (Vec3, Vec3) {
        (self.origin, self.along)
    }

    #[inline(always)]
    pub fn clip_to_aabb<T: Scalar>(&self, bounds: &Aabb<T, 3>) -> Option<RayInterval> {
        let (low, high) = (wide_point(bounds.min), wide_point(bounds.max));
        let slabs = LineSlabs { low, high, axes: &IDENTITY, pad: self.pad };
        slabs.clip(WHOLE_LINE, self.origin, self.along).filter(|piece| self.overlaps_ray(piece))
    }

    /// Returns `true` if the oriented box of a tree's root equals the aligned one up to rounding,
    /// and so clips nothing off an interval in that one.
    ///
    /// The oriented test grows each side further by at least `1/14` of the slack of its sizes,
    /// which has to exceed the rounding of coordinates here; `pad` is several times that rounding.
    #[inline(always)]
    pub fn is_oriented_redundant<T: Scalar>(&self, tree: &ObbTree<T>) -> bool {
        let [x, y, z] = tree.root_box().1;
        tree.root_oriented_is_aligned() && T::LEAF_SLACK * (x + y + z) >= 16.0 * self.pad
    }

    /// Clips the interval to the oriented box.
    #[inline(never)]
    pub fn clip_to_obb<T: Scalar>(
        &self,
        solid: &Obb<T>,
        piece: RayInterval,
    ) -> Option<RayInterval> {
        let WideObb { center, axes, half_extents: high } = solid.wide();
        let pad = self.pad + T::LEAF_SLACK * length(high);
        let slabs = LineSlabs { low: high.map(|h| -h), high, axes: &axes, pad };
        let origin = rotate_back(&axes, sub(self.origin, center));
        slabs
            .clip(piece, origin, rotate_back(&axes, self.along))
            .filter(|piece| self.overlaps_ray(piece))
    }

    pub fn interval_in_obb<T: Scalar>(&self, solid: &Obb<T>) -> Option<RayInterval> {
        self.clip_to_obb(solid, WHOLE_LINE)
    }

    /// Returns `true` if the interval overlaps the ray between its start and its end.
    #[inline(always)]
    fn overlaps_ray(&self, piece: &RayInterval) -> bool {
        piece.to >= -self.shift - self.pad && piece.from + self.shift <= self.end + self.pad
    }

    /// Returns the contact where the interval begins, or the start of the ray in it.
    #[inline(always)]
    pub fn contact(&self, piece: &RayInterval) -> RayContact {
        self.contact_at(piece.from, piece.normal)
    }

    #[inline(always)]
    fn contact_at(&self, from: f64, normal: Vec3) -> RayContact {
        let t = (from + self.shift).min(self.end);
        if t > 0.0 {
            RayContact { t, normal: Some(normal) }
        } else {
            RayContact { t: 0.0, normal: None }
        }
    }

    /// Returns the contact with a convex primitive: the first shift at which a point moving along
    /// the ray touches it.
    pub fn cast_convex(&self, body: &dyn Support) -> Option<RayContact> {
        let bodies = [body, &self.origin];
        // `ConvexPair` applies its error twice.
        let error = 0.5 * self.pad;
        let pair = ConvexPair { bodies, rotation: IDENTITY, offset: [0.0; 3], error };
        let (from, axis) = pair.first_shift(self.along, -self.shift)?;
        if axis == [0.0; 3] {
            return Some(RayContact { t: 0.0, normal: None });
        }
        let piece = RayInterval { from, to: from, normal: scale(axis, -1.0) };
        self.overlaps_ray(&piece).then(|| self.contact(&piece))
    }

    /// Returns the contact with a triangle, from either side. Source: Möller and Trumbore, Fast,
    /// Minimum Storage Ray/Triangle Intersection (1997), with the signs of the three edges; where
    /// these are close to zero, the distances from the edges.
    ///
    /// The flag is `true` if the ray surely passes through the triangle: the line between its
    /// edges, beyond all error, and all of the triangle between both ends. Boxes around the
    /// triangle, which are tested with a pad of several times the error, are then hit, too.
    pub fn cast_triangle(&self, corners: &TriangleCorners) -> Option<(RayContact, bool)> {
        let seen = corners.map(|p| sub(p, self.origin));
        let square = dot(self.along, self.along);
        let heights = seen.map(|p| dot(p, self.along) / square);
        let [low, high] = [
            heights[0].min(heights[1]).min(heights[2]),
            heights[0].max(heights[1]).max(heights[2]),
        ];
        let edges = [0, 1, 2].map(|i| (seen[i], seen[(i + 1) % 3]));
        let sides = edges.map(|(p, q)| dot(self.along, cross(p, q)));
        let close = edges.map(|(p, q)| {
            2.0 * self.pad * length(sub(q, p)) + 64.0 * f64::EPSILON * length(p) * length(q)
        });
        let is = |sign: f64, least: f64| (0..3).all(|i| sign * sides[i] >= least * close[i]);
        let normal = cross(sub(seen[1], seen[0]), sub(seen[2], seen[0]));
        let rate = dot(normal, self.along);
        if !(is(1.0, -1.0) || is(-1.0, -1.0)) {
            return None;
        }
        let through = (rate != 0.0).then(|| (dot(normal, seen[0]) / rate).max(low).min(high));
        let certain = is(1.0, 1.0) || is(-1.0, 1.0);
        let on = |t: &f64| {
            let signs = is(1.0, 0.0) || is(-1.0, 0.0);
            let point = scale(self.along, *t);
            signs && WideTriangle { corners: seen }.distance(point) <= 4.0 * self.pad
        };
        let from = through
            .filter(|t| certain || on(t))
            .or_else(|| self.first_edge_contact(&edges, [low, high]))?;
        let piece = RayInterval { from, to: from, normal: facing_normal(normal, rate, self.along) };
        let is_within =
            certain && rate != 0.0 && low >= -self.shift && high + self.shift <= self.end;
        self.overlaps_ray(&piece).then(|| (self.contact(&piece), is_within))
    }

    /// Returns the first position along the ray that is within rounding of an edge, between two
    /// positions; edges are relative to the origin.
    fn first_edge_contact(&self, edges: &[(Vec3, Vec3); 3], [low, high]: [f64; 2]) -> Option<f64> {
        let segment =
            |a: Vec3, b: Vec3| Segment::new(nearest_point(a), nearest_point::<f64>(b)).ok();
        let line = segment(scale(self.along, low - self.pad), scale(self.along, high + self.pad))?;
        let near = edges.iter().filter_map(|&(a, b)| {
            let closest = line.closest_points(&segment(a, b)?);
            let t = dot(wide_point(closest.on_a), self.along) / dot(self.along, self.along);
            (closest.distance <= 2.0 * self.pad).then_some(t)
        });
        near.reduce(f64::min)
    }
}

/// Returns the unit normal against the ray; the reversed ray direction if the triangle has no
/// normal or is parallel.
fn facing_normal(normal: Vec3, rate: f64, along: Vec3) -> Vec3 {
    let size = length(normal);
    match size > 0.0 && rate != 0.0 {
        true => scale(normal, if rate > 0.0 { -1.0 / size } else { 1.0 / size }),
        false => scale(along, -1.0 / length(along)),
    }
}

impl<T: Scalar> LocalVolume<T> for LocalRay {
    type Details = RayContact;
    type Entry = RayInterval;

    const NEAREST_FIRST: bool = true;

    /// Bounds the distance from the ray of all points of a box grown by both pads.
    #[inline(always)]
    fn pad(&self, radius: f64) -> f64 {
        2.0 * (self.pad + T::LEAF_SLACK * radius)
    }

    fn primitive_pad(&self, radius: f64, _: bool) -> f64 {
        2.0 * (4.0 * self.pad + T::LEAF_SLACK * radius)
    }

    #[inline(always)]
    fn enter_node(&self, node: &Node<T>, both: bool) -> Option<RayInterval> {
        let piece = self.clip_to_aabb(node.aligned())?;
        if both { self.clip_to_obb(node.oriented(), piece) } else { Some(piece) }
    }

    #[inline(always)]
    fn wide_ray(&self, tree: &ObbTree<T>) -> Option<WideRay> {
        let ends = [-self.shift, self.end - self.shift];
        Some(WideRay::new(tree, [self.origin, self.along], ends, self.pad, self.shift))
    }

    #[inline(always)]
    fn entry_distance(&self, piece: RayInterval) -> f64 {
        piece.from + self.shift
    }

    #[inline(always)]
    fn distance_error(&self) -> f64 {
        self.pad
    }

    #[inline(always)]
    fn test_node_boxes(
        &self,
        (tree, id): (&ObbTree<T>, NodeId),
        _: f64,
        entry: Option<RayInterval>,
    ) -> Option<RayContact> {
        let node = tree.node(id);
        let piece = entry.or_else(|| self.clip_to_aabb(node.aligned()))?;
        if id == NodeId::ROOT && self.is_oriented_redundant(tree) {
            return Some(self.contact(&piece));
        }
        self.clip_to_obb(node.oriented(), piece).map(|piece| self.contact(&piece))
    }

    fn test_only_box(&self, _: [Vec3; 2]) -> Option<RayContact> {
        None
    }

    fn test_primitive(&self, primitive: Primitive<'_, T>) -> Option<RayContact> {
        match primitive {
            Primitive::Box(solid) => self.interval_in_obb(solid).map(|piece| self.contact(&piece)),
            Primitive::Triangle(corners) => self.cast_triangle(&corners).map(|(met, _)| met),
            Primitive::Convex(body) => self.cast_convex(body),
        }
    }

    #[inline(always)]
    fn test_triangle(&self, corners: &TriangleCorners) -> Option<(RayContact, bool)> {
        self.cast_triangle(corners)
    }

    #[inline(always)]
    fn hit_distance(&self, met: RayContact) -> f64 {
        met.t
    }
}

/// Three pairs of planes, to clip an interval. Source: Kay and Kajiya, Ray Tracing Complex Scenes
/// (1986).
struct LineSlabs<'a> {
    low: Vec3,
    high: Vec3,
    axes: &'a Mat3,
    pad: f64,
}

impl LineSlabs<'_> {
    #[inline(always)]
    fn clip(&self, piece: RayInterval, origin: Vec3, along: Vec3) -> Option<RayInterval> {
        let rate = along.map(|x| 1.0 / x);
        if rate[0].abs() + rate[1].abs() + rate[2].abs() == f64::INFINITY {
            return self.clip_parallel(piece, origin, along);
        }
        let (mut enters, mut leaves) = ([0.0; 3], [0.0; 3]);
        for i in 0..3 {
            let (low, high) = (self.low[i] - self.pad, self.high[i] + self.pad);
            let ends = [(low - origin[i]) * rate[i], (high - origin[i]) * rate[i]];
            (enters[i], leaves[i]) = (lesser(ends[0], ends[1]), greater(ends[0], ends[1]));
        }
        // Index of the axis of the plane entered last, and the sign of its normal.
        let (mut from, mut to, mut last) = (piece.from, piece.to, (3, 0.0));
        for i in 0..3 {
            let against = (i, 1.0f64.copysign(-along[i]));
            (from, last) = if enters[i] > from { (enters[i], against) } else { (from, last) };
            to = lesser(to, leaves[i]);
        }
        let normal = self.axes.get(last.0).map_or(piece.normal, |axis| scale(*axis, last.1));
        (from <= to).then_some(RayInterval { from, to, normal })
    }

    /// Like [`LineSlabs::clip`], for a ray parallel to some of the planes, or nearly so.
    #[cold]
    fn clip_parallel(
        &self,
        mut piece: RayInterval,
        origin: Vec3,
        along: Vec3,
    ) -> Option<RayInterval> {
        for i in 0..3 {
            let (low, high) = (self.low[i] - self.pad, self.high[i] + self.pad);
            if along[i] == 0.0 {
                if origin[i] < low || origin[i] > high {
                    return None;
                }
                continue;
            }
            let ends = [(low - origin[i]) / along[i], (high - origin[i]) / along[i]];
            if lesser(ends[0], ends[1]) > piece.from {
                let normal = scale(self.axes[i], 1.0f64.copysign(-along[i]));
                (piece.from, piece.normal) = (lesser(ends[0], ends[1]), normal);
            }
            piece.to = lesser(piece.to, greater(ends[0], ends[1]));
        }
        (piece.from <= piece.to).then_some(piece)
    }
}

// Branch-free minimum and maximum of numbers: the result is unpredictable.
#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}
