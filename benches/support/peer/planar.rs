//! Shapes of the plane in parry2d, in f32, behind `dyn Shape`, as its queries require.

use boxwood::nalgebra::{Complex, Isometry2, Point2, Translation2, Unit, Vector2};
use boxwood::planar;
use boxwood::shape::{Aabb, Sphere};
use parry2d::bounding_volume::{self, BoundingVolume};
use parry2d::math::{Pose, Vector};
use parry2d::query::{self, ShapeCastOptions, details};
use parry2d::shape::{Ball, ConvexPolygon, Cuboid, Shape};

pub type Placed<S> = (Pose, S);

pub fn vector(v: Vector2<f32>) -> Vector {
    Vector::new(v.x, v.y)
}

fn at(p: Point2<f32>) -> Pose {
    Isometry2::from(p.coords).into()
}

/// Shapes that parry also has, equal up to rounding.
pub trait InParry {
    type Shape: Shape;

    fn in_parry(&self) -> Placed<Self::Shape>;
}

impl InParry for planar::Obb2<f32> {
    type Shape = Cuboid;

    fn in_parry(&self) -> Placed<Cuboid> {
        let axis = self.axis();
        let turn = Unit::new_unchecked(Complex::new(axis.x, axis.y));
        let pose = Isometry2::from_parts(Translation2::from(self.center().coords), turn);
        (pose.into(), Cuboid::new(vector(self.half_extents())))
    }
}

impl InParry for planar::ConvexPolygon<f32> {
    type Shape = ConvexPolygon;

    fn in_parry(&self) -> Placed<ConvexPolygon> {
        let corners = self.corners().iter().map(|corner| vector(corner.coords)).collect();
        let same = ConvexPolygon::from_convex_polyline_unmodified(corners);
        (Pose::IDENTITY, same.expect("a polygon"))
    }
}

impl InParry for Sphere<f32, 2> {
    type Shape = Ball;

    fn in_parry(&self) -> Placed<Ball> {
        (at(self.center()), Ball::new(self.radius()))
    }
}

impl InParry for Aabb<f32, 2> {
    type Shape = Cuboid;

    fn in_parry(&self) -> Placed<Cuboid> {
        let half = (self.max - self.min) * 0.5;
        (at(nalgebra::center(&self.min, &self.max)), Cuboid::new(vector(half)))
    }
}

pub type Pair<A, B> = (Placed<<A as InParry>::Shape>, Placed<<B as InParry>::Shape>);

pub fn pairs<A: InParry, B: InParry>(pairs: &[(A, B)]) -> Vec<Pair<A, B>> {
    pairs.iter().map(|(a, b)| (a.in_parry(), b.in_parry())).collect()
}

pub fn intersects<A: Shape, B: Shape>(a: &Placed<A>, b: &Placed<B>) -> bool {
    query::intersection_test(&a.0, &a.1, &b.0, &b.1).expect("supported").intersecting
}

pub fn distance<A: Shape, B: Shape>(a: &Placed<A>, b: &Placed<B>) -> f32 {
    query::distance(&a.0, &a.1, &b.0, &b.1).expect("supported").distance
}

/// Penetration depth; none where the two are disjoint.
pub fn contact<A: Shape, B: Shape>(a: &Placed<A>, b: &Placed<B>) -> Option<f32> {
    let found = query::contact(&a.0, &a.1, &b.0, &b.1, 0.0).expect("supported");
    found.map(|contact| -contact.dist)
}

/// Time of impact of two shapes in linear motion over one unit of time.
pub fn cast<A: Shape, B: Shape>(
    (a, p): (&Placed<A>, Vector),
    (b, q): (&Placed<B>, Vector),
) -> Option<f32> {
    let options = ShapeCastOptions::with_max_time_of_impact(1.0);
    let hit = query::cast_shapes(&a.0, p, &a.1, &b.0, q, &b.1, options).expect("supported");
    hit.map(|hit| hit.time_of_impact)
}

/// Distance of a point to the solid shape.
pub fn to_point<S: Shape>(shape: &Placed<S>, at: Vector) -> f32 {
    (shape.1.project_point(&shape.0, at, true).point - at).length()
}

pub fn contains<S: Shape>(shape: &Placed<S>, at: Vector) -> bool {
    shape.1.contains_point(&shape.0, at)
}

// Functions that the library has for one pair of kinds.

pub fn cuboids_meet(a: &Placed<Cuboid>, b: &Placed<Cuboid>) -> bool {
    details::intersection_test_cuboid_cuboid(&a.0.inv_mul(&b.0), &a.1, &b.1)
}

pub fn between_cuboids(a: &Placed<Cuboid>, b: &Placed<Cuboid>) -> f32 {
    details::distance_cuboid_cuboid(&a.0.inv_mul(&b.0), &a.1, &b.1)
}

pub type Disc = (Vector, Ball);

pub fn disc(of: &Sphere<f32, 2>) -> Disc {
    (vector(of.center().coords), Ball::new(of.radius()))
}

pub fn discs_meet(a: &Disc, b: &Disc) -> bool {
    details::intersection_test_ball_ball(b.0 - a.0, &a.1, &b.1)
}

pub type Bounds = bounding_volume::Aabb;

pub fn bounds(of: &Aabb<f32, 2>) -> Bounds {
    Bounds::new(vector(of.min.coords), vector(of.max.coords))
}

pub fn bounds_meet(a: &Bounds, b: &Bounds) -> bool {
    a.intersects(b)
}
