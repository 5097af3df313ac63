//! Single shapes in parry3d, in f32. Shapes are stored by value, so both libraries read theirs in
//! order; they are behind `dyn Shape`, as its queries require.

use boxwood::nalgebra::{Isometry3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};
use boxwood::shape::{Aabb, Capsule, Obb, Plane, Ray, Segment, Sphere, Triangle};
pub use parry3d::math::{Pose, Vector};
use parry3d::query::{self, ClosestPoints, ShapeCastOptions};
use parry3d::shape::{self, Shape};

pub type Placed<S> = (Pose, S);

pub fn vector(v: Vector3<f32>) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

pub fn point(p: Point3<f32>) -> Vector {
    vector(p.coords)
}

fn at(p: Point3<f32>) -> Pose {
    Isometry3::from(p.coords).into()
}

fn here() -> Pose {
    Isometry3::<f32>::identity().into()
}

pub fn pose(of: &Obb<f32>) -> Pose {
    let turn = Rotation3::from_matrix_unchecked(of.axes());
    let turn = UnitQuaternion::from_rotation_matrix(&turn);
    Isometry3::from_parts(Translation3::from(of.center().coords), turn).into()
}

/// Shapes that parry also has, equal up to rounding.
pub trait InParry {
    type Shape: Shape;

    fn in_parry(&self) -> Placed<Self::Shape>;
}

impl InParry for Sphere<f32, 3> {
    type Shape = shape::Ball;

    fn in_parry(&self) -> Placed<shape::Ball> {
        (at(self.center()), shape::Ball::new(self.radius()))
    }
}

impl InParry for Capsule<f32> {
    type Shape = shape::Capsule;

    fn in_parry(&self) -> Placed<shape::Capsule> {
        let (a, b) = (self.segment().a(), self.segment().b());
        (here(), shape::Capsule::new(point(a), point(b), self.radius()))
    }
}

impl InParry for Segment<f32> {
    type Shape = shape::Segment;

    fn in_parry(&self) -> Placed<shape::Segment> {
        (here(), shape::Segment::new(point(self.a()), point(self.b())))
    }
}

impl InParry for Triangle<f32> {
    type Shape = shape::Triangle;

    fn in_parry(&self) -> Placed<shape::Triangle> {
        let [a, b, c] = self.corners().map(point);
        (here(), shape::Triangle::new(a, b, c))
    }
}

impl InParry for Aabb<f32, 3> {
    type Shape = shape::Cuboid;

    fn in_parry(&self) -> Placed<shape::Cuboid> {
        (at(nalgebra::center(&self.min, &self.max)), cuboid((self.max - self.min) * 0.5))
    }
}

impl InParry for Obb<f32> {
    type Shape = shape::Cuboid;

    fn in_parry(&self) -> Placed<shape::Cuboid> {
        (pose(self), cuboid(self.half_extents()))
    }
}

impl InParry for Plane<f32> {
    type Shape = shape::HalfSpace;

    fn in_parry(&self) -> Placed<shape::HalfSpace> {
        let up = self.normal().into_inner();
        (Isometry3::from(up * self.offset()).into(), shape::HalfSpace::new(vector(up)))
    }
}

pub fn cuboid(half: Vector3<f32>) -> shape::Cuboid {
    shape::Cuboid::new(vector(half))
}

pub type Pair<A, B> = (Placed<<A as InParry>::Shape>, Placed<<B as InParry>::Shape>);

pub fn pairs<A: InParry, B: InParry>(pairs: &[(A, B)]) -> Vec<Pair<A, B>> {
    pairs.iter().map(|(a, b)| (a.in_parry(), b.in_parry())).collect()
}

pub fn boxes(pairs: &[[Obb<f32>; 2]]) -> Vec<[Placed<shape::Cuboid>; 2]> {
    pairs.iter().map(|pair| [pair[0].in_parry(), pair[1].in_parry()]).collect()
}

pub fn intersects<A: Shape, B: Shape>(a: &Placed<A>, b: &Placed<B>) -> bool {
    query::intersection_test(&a.0, &a.1, &b.0, &b.1).expect("supported").intersecting
}

pub fn distance<A: Shape, B: Shape>(a: &Placed<A>, b: &Placed<B>) -> f32 {
    query::distance(&a.0, &a.1, &b.0, &b.1).expect("supported").distance
}

/// Distance of the closest points; 0 where the shapes intersect and the library returns no points.
pub fn closest<A: Shape, B: Shape>(a: &Placed<A>, b: &Placed<B>) -> f32 {
    match query::closest_points(&a.0, &a.1, &b.0, &b.1, f32::MAX).expect("supported") {
        ClosestPoints::WithinMargin(p, q) => (p - q).length(),
        _ => 0.0,
    }
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

pub type Line = query::Ray;

pub fn ray(of: &Ray<f32>) -> Line {
    Line::new(point(of.origin()), vector(of.direction().into_inner()))
}

/// First hit of a ray, with the normal.
pub fn cast_ray<S: Shape>(ray: &Line, shape: &Placed<S>) -> Option<f32> {
    let hit = shape.1.cast_ray_and_get_normal(&shape.0, ray, f32::MAX, true);
    hit.map(|hit| hit.time_of_impact)
}

/// Distance of a point to the solid shape.
pub fn to_point<S: Shape>(shape: &Placed<S>, at: Vector) -> f32 {
    (shape.1.project_point(&shape.0, at, true).point - at).length()
}

pub fn contains<S: Shape>(shape: &Placed<S>, at: Vector) -> bool {
    shape.1.contains_point(&shape.0, at)
}
