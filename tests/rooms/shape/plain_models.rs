//! Every kind of shape, and a plain model of each that shares no code with the crate.

use boxwood::pair::plane::Heights;
use boxwood::shape::{Aabb, Capsule, Ellipsoid, Obb, Plane, Pose, Segment, Sphere, Triangle};

use support::prelude::*;

pub use support::random_parts::point;

#[derive(Clone, Copy, Debug)]
pub enum Kind<T: Scalar> {
    Sphere(Sphere<T, 3>),
    Capsule(Capsule<T>),
    Segment(Segment<T>),
    Triangle(Triangle<T>),
    Aabb(Aabb<T, 3>),
    Obb(Obb<T>),
    Ellipsoid(Ellipsoid<T>),
}

pub const KINDS: [&str; 7] =
    ["sphere", "capsule", "segment", "triangle", "aabb", "obb", "ellipsoid"];

pub fn plain<T: Scalar>(p: Point3<T>) -> V {
    std::array::from_fn(|i| p[i].wide())
}

impl<T: Scalar> Kind<T> {
    /// Draws the kind of that index, of about that size, near `at`; some sizes are zero if it is to
    /// be degenerate.
    pub fn random(kind: usize, size: f64, at: V, degenerate: bool, random: &mut Random) -> Self {
        let mut near = || plus(at, times(random.direction(), size * random.between(0.2, 1.0)));
        let (a, b, c) = (near(), near(), near());
        // On one line, or at one point.
        let (b, c) = match (degenerate, random.chance(0.5)) {
            (true, true) => (a, a),
            (true, false) if kind == 3 => (b, plus(a, times(minus(b, a), 0.5))),
            (true, false) => (a, a),
            _ => (b, c),
        };
        let zero = random.below(3);
        let half: V = std::array::from_fn(|i| match degenerate && i <= zero {
            true => 0.0,
            false => size * random.decade(-2.0, 0.0),
        });
        let half = Vector3::from(half).map(T::nearest);
        let axes = random.rotation();
        let axes = Matrix3::from_fn(|i, j| T::nearest(axes[j][i]));
        let radius = T::nearest(if degenerate { 0.0 } else { size * random.between(0.1, 1.0) });
        let segment = Segment::new(point(a), point(b)).expect("a segment");
        match kind {
            0 => Kind::Sphere(Sphere::new(point(a), radius).expect("a sphere")),
            1 => {
                // Degenerate: no radius, or no length.
                let radius = if random.chance(0.5) { radius } else { T::nearest(size) };
                Kind::Capsule(Capsule::new(segment, radius).expect("a capsule"))
            }
            2 => Kind::Segment(segment),
            3 => Kind::Triangle(Triangle::new(point(a), point(b), point(c)).expect("corners")),
            4 => {
                let center: Point3<T> = point(a);
                Kind::Aabb(Aabb::new(center - half, center + half))
            }
            5 => Kind::Obb(Obb::new(point(a), axes, half).expect("a box")),
            _ => Kind::Ellipsoid(Ellipsoid::new(point(a), axes, half).expect("an ellipsoid")),
        }
    }

    /// Returns `None` for shapes without interior.
    pub fn contains(&self, p: Point3<T>) -> Option<bool> {
        match self {
            Kind::Sphere(s) => Some(s.contains(p)),
            Kind::Capsule(s) => Some(s.contains(p)),
            Kind::Segment(_) | Kind::Triangle(_) => None,
            Kind::Aabb(s) => Some(s.contains(p)),
            Kind::Obb(s) => Some(s.contains(p)),
            Kind::Ellipsoid(s) => Some(s.contains(p)),
        }
    }

    pub fn closest_point(&self, p: Point3<T>) -> Point3<T> {
        match self {
            Kind::Sphere(s) => s.closest_point(p),
            Kind::Capsule(s) => s.closest_point(p),
            Kind::Segment(s) => s.closest_point(p),
            Kind::Triangle(s) => s.closest_point(p),
            Kind::Aabb(s) => s.closest_point(p).expect("not empty"),
            Kind::Obb(s) => s.closest_point(p),
            Kind::Ellipsoid(s) => s.closest_point(p),
        }
    }

    pub fn support(&self, d: Vector3<T>) -> Point3<T> {
        match self {
            Kind::Sphere(s) => s.support(d),
            Kind::Capsule(s) => s.support(d),
            Kind::Segment(s) => s.support(d),
            Kind::Triangle(s) => s.support(d),
            Kind::Aabb(s) => s.support(d).expect("not empty"),
            Kind::Obb(s) => s.support(d),
            Kind::Ellipsoid(s) => s.support(d),
        }
    }

    pub fn aabb(&self) -> Aabb<T, 3> {
        match self {
            Kind::Sphere(s) => s.aabb(),
            Kind::Capsule(s) => s.aabb(),
            Kind::Segment(s) => s.aabb(),
            Kind::Triangle(s) => s.aabb(),
            Kind::Aabb(s) => *s,
            Kind::Obb(s) => s.aabb(),
            Kind::Ellipsoid(s) => s.aabb(),
        }
    }

    /// Moves an aligned box by the translation only: it has no rotation.
    pub fn transformed(&self, pose: &Pose<T>) -> Self {
        let sound = "a sound pose";
        match self {
            Kind::Sphere(s) => Kind::Sphere(s.transformed(pose).expect(sound)),
            Kind::Capsule(s) => Kind::Capsule(s.transformed(pose).expect(sound)),
            Kind::Segment(s) => Kind::Segment(s.transformed(pose).expect(sound)),
            Kind::Triangle(s) => Kind::Triangle(s.transformed(pose).expect(sound)),
            Kind::Aabb(s) => {
                let shift = pose.translation.vector;
                Kind::Aabb(Aabb::new(s.min + shift, s.max + shift))
            }
            Kind::Obb(s) => Kind::Obb(s.transformed(pose).expect(sound)),
            Kind::Ellipsoid(s) => Kind::Ellipsoid(s.transformed(pose).expect(sound)),
        }
    }

    pub fn heights(&self, plane: &Plane<T>) -> Heights {
        match self {
            Kind::Sphere(s) => plane.heights(s),
            Kind::Capsule(s) => plane.heights(s),
            Kind::Segment(s) => plane.heights(s),
            Kind::Triangle(s) => plane.heights(s),
            Kind::Aabb(s) => plane.heights(s),
            Kind::Obb(s) => plane.heights(s),
            Kind::Ellipsoid(s) => plane.heights(s),
        }
    }

    pub fn model(&self) -> Model {
        let hull = |points: Vec<V>, radius: f64| Model { points, radius, stretched: None };
        match self {
            Kind::Sphere(s) => hull(vec![plain(s.center())], s.radius().wide()),
            Kind::Capsule(s) => {
                hull(vec![plain(s.segment().a()), plain(s.segment().b())], s.radius().wide())
            }
            Kind::Segment(s) => hull(vec![plain(s.a()), plain(s.b())], 0.0),
            Kind::Triangle(s) => hull(s.corners().map(plain).to_vec(), 0.0),
            Kind::Aabb(s) => hull(s.corners().map(plain).to_vec(), 0.0),
            Kind::Obb(s) => hull(PlainBox::of(s).corners([0.0; 3]).to_vec(), 0.0),
            Kind::Ellipsoid(s) => {
                let (axes, radii) = (s.axes(), s.radii());
                let stretch = std::array::from_fn(|j| {
                    std::array::from_fn(|i| axes[(i, j)].wide() * radii[j].wide())
                });
                Model { points: vec![plain(s.center())], radius: 0.0, stretched: Some(stretch) }
            }
        }
    }
}

/// Hull of points with a ball of one radius, or a stretched ball, at each.
pub struct Model {
    points: Vec<V>,
    radius: f64,
    /// The half axes.
    stretched: Option<[V; 3]>,
}

impl Model {
    /// Returns the greatest `d . x` in it.
    pub fn reach(&self, d: V) -> f64 {
        let corners = self.points.iter().map(|&p| inner(p, d)).fold(f64::NEG_INFINITY, f64::max);
        let stretched = self.stretched.map_or(0.0, |half| norm(half.map(|axis| inner(axis, d))));
        corners + self.radius * norm(d) + stretched
    }

    /// Returns a point with the greatest `d . x`.
    pub fn end(&self, d: V) -> V {
        let higher = |a: V, b: V| if inner(b, d) > inner(a, d) { b } else { a };
        let corner = self.points.iter().copied().fold(self.points[0], higher);
        let out = times(d, self.radius / norm(d));
        self.stretched.map_or(plus(corner, out), |half| {
            let along = half.map(|axis| inner(axis, d));
            let size = norm(along);
            if size == 0.0 { corner } else { plus(corner, mixed(&half, times(along, 1.0 / size))) }
        })
    }

    /// Returns a point of it, well inside if there is an interior.
    pub fn inside(&self, random: &mut Random) -> V {
        let mut weights: Vec<f64> = self.points.iter().map(|_| random.share() + 0.01).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|w| *w /= sum);
        let corners = self.points.iter().zip(&weights);
        let middle = corners.fold([0.0; 3], |m, (&p, &w)| plus(m, times(p, w)));
        let share = random.share() * 0.8;
        let out = times(random.direction(), share);
        self.stretched
            .map_or(plus(middle, times(out, self.radius)), |half| plus(middle, mixed(&half, out)))
    }

    /// Returns the largest coordinate, the scale of rounding.
    pub fn size(&self) -> f64 {
        let farthest = self.points.iter().map(|&p| norm(p)).fold(0.0, f64::max);
        farthest + self.radius + self.stretched.map_or(0.0, |half| half.map(norm).iter().sum())
    }
}

fn mixed(half: &[V; 3], shares: V) -> V {
    (0..3).fold([0.0; 3], |sum, i| plus(sum, times(half[i], shares[i])))
}
