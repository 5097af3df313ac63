//! A region seen from a part, or from the world, and what of boxes and triangles it meets.
//!
//! # What is certain
//! Seen from a part each coordinate is off by less than `80 e` of the distance and the part's reach
//! (third item of [`tolerance`](crate::num::tolerance)). Every test here is passed with `512 e` to
//! spare, and against oriented boxes with the slack of their axes: so nothing that shares a point
//! is left out.

use super::QueryShape;
use super::ball::Ball;
use super::edged::farthest;
use super::half::{Half, pad};
use crate::model::rows::Single;
use crate::num::Scalar;
use crate::num::linear::{
    IDENTITY, Mat3, Vec3, add, dot, length, relative, scale, sub, transposed, turn, turn_back,
};
use crate::num::simd::Lanes;
use crate::pair::convex::{ConvexPair, RoundedPoints, Support};
use crate::pair::triangles::Corners;
use crate::sat::box_meets_aligned;
use crate::sat::polytope::{Hull, box_meets_triangle, boxes_meet};
use crate::sat::primitive_slabs::Primitive;
use crate::shape::{
    Aabb, Capsule, Obb, Placement, Segment, Triangle, WideObb, WideTriangle, nearest_point,
    wide_point,
};

/// Half a unit in the last place, 512 times. No unit.
pub(super) const SHARE: f64 = 1.0 / (1u64 << 44) as f64;

// One is made for a part and never kept; boxing the hull would allocate.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Ball(Vec3),
    Capsule([Vec3; 2]),
    Solid(WideObb),
    /// From where the frame is, but along the axes of the world; how the frame is turned.
    Hull(Hull, Mat3),
    Half {
        normal: Vec3,
        offset: f64,
    },
}

/// A region in some frame, in double precision.
#[derive(Debug, Clone, Copy)]
pub(super) struct Local {
    pub(super) kind: Kind,
    radius: f64,
    /// What it and the frame are off. Units.
    pub doubt: f64,
}

/// The world as a frame.
pub(super) const WORLD: Placement = Placement { rotation: IDENTITY, position: [0.0; 3] };

impl Local {
    /// Seen from a part; `reach` is how far its points are from its origin.
    #[inline(always)]
    pub fn new<T: Scalar>(region: &QueryShape<T>, place: &Placement, reach: f64) -> Self {
        // Here without the room that others take: a call would move that about.
        let Some(round) = region.round() else {
            return Local::other(region, place, reach);
        };
        let Ball { center, radius, doubt } = Ball::new(round, place, reach);
        Local { kind: Kind::Ball(center), radius, doubt }
    }

    /// Seen from the world; `reach` is how far out boxes are.
    #[inline(never)]
    pub fn of_world<T: Scalar>(region: &QueryShape<T>, reach: f64) -> Self {
        let own = match region {
            QueryShape::Aabb(b) => upright(b),
            QueryShape::Obb(b) => b.wide(),
            QueryShape::Frustum(frustum) => {
                let hull = Hull::frustum(frustum.corners().map(wide_point));
                let doubt = (farthest(hull.corners(), [0.0; 3]) + reach) * SHARE;
                return Local { kind: Kind::Hull(hull, IDENTITY), radius: 0.0, doubt };
            }
            _ => return Local::new(region, &WORLD, reach),
        };
        let far = length(own.center) + own.radius();
        Local { kind: Kind::Solid(own), radius: 0.0, doubt: (far + reach) * SHARE }
    }

    /// What is not round.
    #[inline(never)]
    fn other<T: Scalar>(region: &QueryShape<T>, place: &Placement, reach: f64) -> Self {
        let seen = |p: Vec3| turn_back(&place.rotation, sub(p, place.position));
        let (kind, radius, far) = match region {
            QueryShape::Point(_) | QueryShape::Sphere(_) => {
                return Local::new(region, place, reach);
            }
            QueryShape::Capsule(capsule) => {
                let (ends, radius) = (capsule.segment().wide().map(seen), capsule.radius().wide());
                (Kind::Capsule(ends), radius, length(ends[0]) + length(ends[1]) + radius)
            }
            QueryShape::Aabb(b) => solid(&upright(b), place),
            QueryShape::Obb(b) => solid(&b.wide(), place),
            QueryShape::Frustum(frustum) => {
                let hull = Hull::frustum(frustum.corners().map(wide_point));
                return Local::around(&hull, place, reach);
            }
            QueryShape::HalfSpace(plane) => {
                return Local::half(Half::new(&plane.wide(), place, reach));
            }
        };
        Local { kind, radius, doubt: (far + reach) * SHARE }
    }

    /// A half-space.
    pub fn half(Half { normal, offset, doubt }: Half) -> Local {
        Local { kind: Kind::Half { normal, offset }, radius: 0.0, doubt }
    }

    /// A frustum of the world.
    fn around(hull: &Hull, place: &Placement, reach: f64) -> Local {
        let hull = hull.seen_from(place.position);
        let far = farthest(hull.corners(), [0.0; 3]);
        Local { kind: Kind::Hull(hull, place.rotation), radius: 0.0, doubt: (far + reach) * SHARE }
    }

    /// As [`Local::new`], for what is seen from the world here: a frustum's axes need not be found
    /// again.
    #[inline]
    pub fn seen_from<T: Scalar>(
        &self,
        region: &QueryShape<T>,
        place: &Placement,
        reach: f64,
    ) -> Self {
        match &self.kind {
            Kind::Hull(hull, _) => Local::around(hull, place, reach),
            _ => Local::new(region, place, reach),
        }
    }

    /// Whether it has edges: then an aligned box costs as much to test as an oriented one, and none
    /// is tested only to spare the other.
    pub fn is_angular(&self) -> bool {
        matches!(self.kind, Kind::Solid(_) | Kind::Hull(..))
    }

    /// Whether it is a box.
    pub fn is_solid(&self) -> bool {
        matches!(self.kind, Kind::Solid(_))
    }

    /// What holds it; seen from the world.
    pub fn outer(&self) -> Single {
        let ends = match &self.kind {
            Kind::Ball(center) => [*center, *center],
            Kind::Capsule(ends) => ends_of(ends),
            Kind::Solid(WideObb { center, axes, half_extents: half }) => {
                let mut out = [0.0; 3];
                for (i, out) in out.iter_mut().enumerate() {
                    let along = |axis: usize| half[axis] * axes[axis][i].abs();
                    *out = along(0) + along(1) + along(2);
                }
                [sub(*center, out), add(*center, out)]
            }
            Kind::Hull(hull, _) => ends_of(hull.corners()),
            // No box does; these are asked by themselves.
            Kind::Half { .. } => return Single::EVERYTHING,
        };
        grown(ends, self.radius + self.doubt)
    }

    /// Whether it may share a point with the aligned box of its frame.
    #[inline(always)]
    pub fn meets_aligned<T: Scalar>(&self, bounds: &Aabb<T, 3>) -> bool {
        let Kind::Ball(center) = &self.kind else { return self.meets_aligned_box(bounds) };
        self.ball(*center).meets_between([wide_point(bounds.min), wide_point(bounds.max)])
    }

    #[inline(always)]
    fn ball(&self, center: Vec3) -> Ball {
        Ball { center, radius: self.radius, doubt: self.doubt }
    }

    fn meets_aligned_box<T: Scalar>(&self, bounds: &Aabb<T, 3>) -> bool {
        let (low, high) = (wide_point(bounds.min), wide_point(bounds.max));
        let reach = self.radius + self.doubt;
        match &self.kind {
            Kind::Capsule(ends) => {
                let beside = |i: usize| {
                    let (from, to) = (ends[0][i].min(ends[1][i]), ends[0][i].max(ends[1][i]));
                    from - reach > high[i] || to + reach < low[i]
                };
                let bounds = || Aabb::new(nearest_point::<f64>(low), nearest_point(high));
                !(0..3).any(beside) && capsule(ends, reach).is_none_or(|c| c.intersects(&bounds()))
            }
            _ => {
                let (center, half) = bounds.wide();
                self.meets_upright([center, half])
            }
        }
    }

    /// Whether it may share a point with the oriented box, given in its frame; half its diagonal is
    /// `size`.
    #[inline]
    pub fn meets_oriented<T: Scalar>(&self, solid: &WideObb, size: f64) -> bool {
        self.meets_box(solid, T::LEAF_SLACK * (size + self.radius))
    }

    /// The same of one that lies along the frame: nothing of it was turned, so nothing is to spare
    /// for that.
    #[inline(always)]
    pub fn meets_upright(&self, [center, half]: [Vec3; 2]) -> bool {
        match &self.kind {
            Kind::Ball(middle) => self.ball(*middle).meets((center, half)),
            Kind::Solid(own) => box_meets_aligned(own, [center, half], self.doubt),
            Kind::Hull(hull, rotation) => {
                let place = Placement { rotation: *rotation, position: [0.0; 3] };
                hull.meets_aligned(&place, [center, half], self.doubt)
            }
            _ => self.meets_box(&WideObb { center, axes: IDENTITY, half_extents: half }, 0.0),
        }
    }

    /// How far apart the two may be where they are said to meet, along a separating axis: half the
    /// diagonal is `size`.
    pub fn pad<T: Scalar>(&self, size: f64) -> f64 {
        pad::<T>(self.doubt, size + self.radius)
    }

    #[inline]
    fn meets_box(&self, solid: &WideObb, slack: f64) -> bool {
        let WideObb { center, axes, half_extents: half } = *solid;
        let reach = self.radius + self.doubt + slack;
        match &self.kind {
            Kind::Ball(middle) => solid.distance_squared(*middle) <= reach * reach,
            Kind::Capsule(ends) => {
                let b = Obb::from_parts(
                    nearest_point::<f64>(center),
                    crate::shape::nearest_matrix(&axes),
                    half.into(),
                );
                capsule(ends, reach).is_none_or(|capsule| capsule.intersects(&b))
            }
            Kind::Solid(own) => boxes_meet(own, solid, sub(center, own.center), self.doubt),
            Kind::Hull(hull, rotation) => {
                hull.meets_box(&solid.moved(rotation, [0.0; 3]), self.doubt)
            }
            Kind::Half { normal, offset } => {
                let along = |i: usize| half[i] * dot(*normal, axes[i]).abs();
                dot(*normal, center) - (along(0) + along(1) + along(2)) <= offset + self.doubt
            }
        }
    }

    /// Whether it may share a point with a convex primitive.
    pub fn meets_convex(&self, body: &dyn Support) -> bool {
        let meets = |region: &dyn Support, rotation: Mat3| {
            let bodies = [body, region];
            let pair = ConvexPair { bodies, rotation, offset: [0.0; 3], doubt: self.doubt };
            pair.touches(0.0)
        };
        let rounded = |points: &[Vec3], rotation: Mat3| {
            meets(&RoundedPoints { points, radius: self.radius }, rotation)
        };
        match &self.kind {
            Kind::Ball(center) => rounded(&[*center], IDENTITY),
            Kind::Capsule(ends) => rounded(ends, IDENTITY),
            Kind::Solid(own) => meets(&Primitive::Solid(*own), IDENTITY),
            Kind::Hull(hull, rotation) => rounded(hull.corners(), transposed(rotation)),
            Kind::Half { normal, offset } => {
                let lowest = body.farthest(scale(*normal, -1.0));
                dot(*normal, lowest) - body.radius() * length(*normal) <= offset + self.doubt
            }
        }
    }

    /// Whether it may share a point with the triangle.
    pub fn meets_triangle(&self, corners: &Corners) -> bool {
        let reach = self.radius + self.doubt;
        match &self.kind {
            Kind::Ball(center) => WideTriangle { corners: *corners }.distance(*center) <= reach,
            Kind::Capsule(ends) => {
                let [a, b, c] = corners.map(nearest_point::<f64>);
                let triangle = Triangle::new(a, b, c).ok();
                let both = capsule(ends, reach).zip(triangle);
                both.is_none_or(|(capsule, triangle)| capsule.intersects(&triangle))
            }
            Kind::Solid(own) => box_meets_triangle(own, corners, self.doubt),
            Kind::Hull(hull, rotation) => {
                hull.meets_triangle(&corners.map(|p| turn(rotation, p)), self.doubt)
            }
            Kind::Half { normal, offset } => {
                corners.iter().any(|&p| dot(*normal, p) <= offset + self.doubt)
            }
        }
    }
}

fn solid(solid: &WideObb, place: &Placement) -> (Kind, f64, f64) {
    let (seen, far) = seen_solid(solid, place);
    (Kind::Solid(seen), 0.0, far)
}

/// A box of the world in a frame, and how far out it is there.
#[inline(always)]
pub(super) fn seen_solid(solid: &WideObb, place: &Placement) -> (WideObb, f64) {
    let center = turn_back(&place.rotation, sub(solid.center, place.position));
    let axes = relative(&place.rotation, &solid.axes);
    (WideObb { center, axes, ..*solid }, length(center) + solid.radius())
}

/// An aligned box.
fn upright<T: Scalar>(bounds: &Aabb<T, 3>) -> WideObb {
    let (center, half_extents) = bounds.wide();
    WideObb { center, axes: IDENTITY, half_extents }
}

/// Between which ends points lie.
#[inline(always)]
pub(super) fn ends_of(points: &[Vec3]) -> [Vec3; 2] {
    let [mut low, mut high] = [points[0]; 2];
    for point in points {
        for i in 0..3 {
            low[i] = low[i].low(point[i]);
            high[i] = high[i].high(point[i]);
        }
    }
    [low, high]
}

/// What holds all that is so far from what lies between those ends.
#[inline(always)]
pub(super) fn grown([mut low, mut high]: [Vec3; 2], reach: f64) -> Single {
    for i in 0..3 {
        low[i] -= reach + low[i].abs() * f64::EPSILON;
        high[i] += reach + high[i].abs() * f64::EPSILON;
    }
    Single::outward([low, high])
}

/// `None` for coordinates that no capsule may have: then it is not said to be apart from anything.
fn capsule(ends: &[Vec3; 2], radius: f64) -> Option<Capsule<f64>> {
    let [a, b] = ends.map(nearest_point);
    Capsule::new(Segment::new(a, b).ok()?, radius).ok()
}
