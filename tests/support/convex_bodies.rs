//! Random convex bodies of every kind by plain numbers: farthest points, distances of points, and
//! points of their surfaces with a normal, all independent of the crate's arithmetic.

use boxwood::nalgebra::{Matrix3, Point3, Unit, Vector3};
use boxwood::num::Scalar;
use boxwood::pair::ConvexShape;
use boxwood::shape::{Capsule, ConvexHull, Cylinder, Ellipsoid, Obb, Segment, Sphere, Triangle};

use crate::plain_box::{V, inner, minus, norm, outer, plus, times};
use crate::random::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    Sphere,
    Capsule,
    Cylinder,
    Ellipsoid,
    Box,
    Hull,
    Triangle,
}

impl BodyKind {
    pub const ALL: [BodyKind; 7] = [
        BodyKind::Sphere,
        BodyKind::Capsule,
        BodyKind::Cylinder,
        BodyKind::Ellipsoid,
        BodyKind::Box,
        BodyKind::Hull,
        BodyKind::Triangle,
    ];
}

/// Convex body with radius `half[0]` and half height `half[2]` if round about its third axis.
#[derive(Debug, Clone)]
pub struct Body {
    pub kind: BodyKind,
    pub center: V,
    pub axes: [V; 3],
    pub half: V,
    /// Points of hulls and triangles.
    pub points: Vec<V>,
    /// Faces of hulls: a point of each, its normal, its corners.
    faces: Vec<(V, [V; 3])>,
}

fn sum(center: V, axes: &[V; 3], local: V) -> V {
    (0..3).fold(center, |sum, i| plus(sum, times(axes[i], local[i])))
}

impl Body {
    /// Draws a body; `thin` from 0 to 4 is the largest ratio of half sizes, in powers of ten.
    pub fn random(random: &mut Random, kind: BodyKind, (size, thin): (f64, f64)) -> Body {
        let center = times(random.direction(), size * random.between(0.0, 1.0));
        let axes = if random.chance(0.2) { random.quarter() } else { random.rotation() };
        let half: V = std::array::from_fn(|_| size * random.decade(-thin, 0.0));
        let count = match kind {
            BodyKind::Hull => 4 + random.below(7),
            BodyKind::Triangle => 3,
            _ => 0,
        };
        let corner = |random: &mut Random| {
            let local: V = std::array::from_fn(|i| half[i] * random.between(-1.0, 1.0));
            sum(center, &axes, local)
        };
        let points: Vec<V> = (0..count).map(|_| corner(random)).collect();
        let mut body = Body { kind, center, axes, half, points, faces: Vec::new() };
        body.faces = body.all_faces();
        body
    }

    /// Returns the translated body.
    pub fn moved(&self, by: V) -> Body {
        let mut moved = self.clone();
        moved.center = plus(self.center, by);
        moved.points.iter_mut().for_each(|p| *p = plus(*p, by));
        moved.faces = moved.all_faces();
        moved
    }

    /// Returns all triples of points with every other point on one side.
    fn all_faces(&self) -> Vec<(V, [V; 3])> {
        let (points, count) = (&self.points, self.points.len());
        let mut faces = Vec::new();
        for i in 0..count {
            for j in i + 1..count {
                for k in j + 1..count {
                    let corners = [points[i], points[j], points[k]];
                    let [x, y] = [1, 2].map(|at| minus(corners[at], corners[0]));
                    let normal = outer(x, y);
                    let normal = times(normal, 1.0 / norm(normal));
                    let heights: Vec<f64> =
                        points.iter().map(|&p| inner(normal, minus(p, corners[0]))).collect();
                    let flat = 1e-13 * self.size();
                    if heights.iter().all(|&h| h <= flat) {
                        faces.push((normal, corners));
                    }
                    if heights.iter().all(|&h| h >= -flat) {
                        faces.push((times(normal, -1.0), corners));
                    }
                }
            }
        }
        faces
    }

    pub fn shape<T: Scalar>(&self) -> ConvexShape<T> {
        let vector = |v: V| Vector3::from(v.map(T::nearest));
        let place = |v: V| Point3::from(v.map(T::nearest));
        let [radius, half_height] = [self.half[0], self.half[2]].map(T::nearest);
        let axes = Matrix3::from_columns(&self.axes.map(vector));
        match self.kind {
            BodyKind::Sphere => Sphere::new(place(self.center), radius).expect("a ball").into(),
            BodyKind::Capsule => {
                let [a, b] = self.ends().map(place);
                let segment = Segment::new(a, b).expect("a segment");
                Capsule::new(segment, radius).expect("a capsule").into()
            }
            BodyKind::Cylinder => {
                let axis = Unit::new_unchecked(vector(self.axes[2]));
                let cylinder = Cylinder::new(place(self.center), axis, half_height, radius);
                cylinder.expect("a cylinder").into()
            }
            BodyKind::Ellipsoid => {
                let ellipsoid = Ellipsoid::new(place(self.center), axes, vector(self.half));
                ellipsoid.expect("an ellipsoid").into()
            }
            BodyKind::Box => {
                Obb::new(place(self.center), axes, vector(self.half)).expect("a box").into()
            }
            BodyKind::Hull => {
                let points: Vec<_> = self.points.iter().copied().map(place).collect();
                ConvexHull::new(&points).expect("a hull").into()
            }
            BodyKind::Triangle => {
                let [a, b, c] = [0, 1, 2].map(|i| place(self.points[i]));
                Triangle::new(a, b, c).expect("a triangle").into()
            }
        }
    }

    /// Returns about the least radius about its frame's origin.
    pub fn size(&self) -> f64 {
        norm(self.center) + norm(self.half) + self.half[0]
    }

    fn ends(&self) -> [V; 2] {
        [-1.0, 1.0].map(|s| plus(self.center, times(self.axes[2], s * self.half[2])))
    }

    /// Computes the support of the body along a unit direction.
    pub fn reach(&self, n: V) -> f64 {
        let along = self.axes.map(|axis| inner(axis, n));
        let across = (along[0] * along[0] + along[1] * along[1]).sqrt();
        let far = match self.kind {
            BodyKind::Sphere => self.half[0],
            BodyKind::Capsule => self.half[0] + self.half[2] * along[2].abs(),
            BodyKind::Cylinder => self.half[0] * across + self.half[2] * along[2].abs(),
            BodyKind::Ellipsoid => norm(std::array::from_fn(|i| self.half[i] * along[i])),
            BodyKind::Box => (0..3).map(|i| self.half[i] * along[i].abs()).sum(),
            BodyKind::Hull | BodyKind::Triangle => {
                let along = self.points.iter().map(|&p| inner(p, n));
                return along.fold(f64::NEG_INFINITY, f64::max);
            }
        };
        inner(self.center, n) + far
    }

    /// Returns a lower bound on the distance of a point from the body; negative inside, zero on the
    /// surface.
    pub fn excess(&self, p: V) -> f64 {
        let local = self.axes.map(|axis| inner(axis, minus(p, self.center)));
        let across = (local[0] * local[0] + local[1] * local[1]).sqrt();
        match self.kind {
            BodyKind::Sphere => norm(local) - self.half[0],
            BodyKind::Capsule => {
                let beyond = (local[2].abs() - self.half[2]).max(0.0);
                (across * across + beyond * beyond).sqrt() - self.half[0]
            }
            BodyKind::Cylinder => (across - self.half[0]).max(local[2].abs() - self.half[2]),
            BodyKind::Ellipsoid => {
                let share = norm(std::array::from_fn(|i| local[i] / self.half[i]));
                // Along the line to the centre.
                if share > 0.0 { norm(local) * (1.0 - 1.0 / share) } else { -self.half[0] }
            }
            BodyKind::Box => (0..3).map(|i| local[i].abs() - self.half[i]).fold(f64::MIN, f64::max),
            BodyKind::Hull => {
                let above = |(n, corners): &(V, [V; 3])| inner(*n, minus(p, corners[0]));
                self.faces.iter().map(above).fold(f64::MIN, f64::max)
            }
            BodyKind::Triangle => {
                let corners = [0, 1, 2].map(|i| self.points[i]);
                crate::triangle_distance::point_triangle(p, corners)
            }
        }
    }

    /// Draws a point of the surface with a unit normal: on faces, edges, rims, sides, corners.
    pub fn surface(&self, random: &mut Random) -> (V, V) {
        let turn = random.between(0.0, std::f64::consts::TAU);
        let (sine, cosine) = turn.sin_cos();
        let out = plus(times(self.axes[0], cosine), times(self.axes[1], sine));
        let (up, side) = (self.axes[2], random.sign());
        let at =
            |across: f64, along: f64| plus(self.center, plus(times(out, across), times(up, along)));
        let mixed = |a: V, b: V, random: &mut Random| {
            let share = random.share();
            let sum = plus(times(a, share), times(b, 1.0 - share));
            times(sum, 1.0 / norm(sum))
        };
        let [radius, _, half] = self.half;
        match (self.kind, random.below(3)) {
            (BodyKind::Sphere, _) => {
                let n = random.direction();
                (plus(self.center, times(n, radius)), n)
            }
            (BodyKind::Capsule, 0) => (at(radius, half * random.between(-1.0, 1.0)), out),
            (BodyKind::Capsule, _) => {
                let n = mixed(out, times(up, side), random);
                (plus(at(0.0, side * half), times(n, radius)), n)
            }
            (BodyKind::Cylinder, 0) => (at(radius, half * random.between(-1.0, 1.0)), out),
            (BodyKind::Cylinder, 1) => (at(radius * random.share(), side * half), times(up, side)),
            (BodyKind::Cylinder, _) => {
                (at(radius, side * half), mixed(out, times(up, side), random))
            }
            (BodyKind::Ellipsoid, _) => {
                let n = random.direction();
                let along: V = std::array::from_fn(|i| self.half[i] * inner(self.axes[i], n));
                let local = std::array::from_fn(|i| self.half[i] * along[i] / norm(along));
                (sum(self.center, &self.axes, local), n)
            }
            (BodyKind::Box, free) => {
                // Number of free axes along the face, the edge or the corner.
                let free = 2 - free;
                let first = random.below(3);
                let mut local = [0.0; 3];
                let mut n = [0.0; 3];
                for k in 0..3 {
                    let axis = (first + k) % 3;
                    let sign = random.sign();
                    let loose = k < free;
                    local[axis] = if loose { random.between(-1.0, 1.0) } else { sign };
                    local[axis] *= self.half[axis];
                    if !loose {
                        n = plus(n, times(self.axes[axis], sign * random.between(0.01, 1.0)));
                    }
                }
                (sum(self.center, &self.axes, local), times(n, 1.0 / norm(n)))
            }
            (BodyKind::Hull | BodyKind::Triangle, 0) => {
                let (n, [a, b, c]) = self.faces[random.below(self.faces.len())];
                let (s, t) = (random.share(), random.share());
                let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
                (plus(a, plus(times(minus(b, a), s), times(minus(c, a), t))), n)
            }
            _ => {
                let n = random.direction();
                let far = |p: &V| inner(*p, n);
                let most = self.points.iter().max_by(|p, q| far(p).total_cmp(&far(q)));
                (*most.expect("points"), n)
            }
        }
    }
}

compiled_here! { Body::shape }
