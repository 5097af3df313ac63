//! Shapes of space in nine regimes, in pairs.

use boxwood::nalgebra::{Point3, Unit};
use boxwood::shape::{
    Aabb, Capsule, Dop14, Dop18, Ellipsoid, Frustum, Obb, Plane, Ray, Segment, SpaceDop8, Sphere,
    Triangle,
};

use crate::answers::Number;
use crate::random::{
    NO_TURN, Random, Turn, V, compose, matrix, plus, point, pose, times, turned, vector,
};

/// Relations of the two shapes of a pair.
pub const REGIMES: [&str; 9] = [
    "apart",
    "near",
    "deep",
    "on whole coordinates",
    "flat",
    "far out",
    "tiny",
    "huge",
    "all but parallel",
];

/// Position and size of a shape.
#[derive(Clone, Copy)]
pub struct Place {
    pub at: V,
    pub size: f64,
    /// `true` if all coordinates are integers, where touching exactly, coincident and parallel are
    /// common.
    pub whole: bool,
    /// `true` if some sizes are zero.
    pub flat: bool,
    /// Direction that all others are along or across, up to some noise.
    pub frame: Option<Turn>,
}

/// Draws two places in a regime, closer together where the depth matters.
pub fn two_places(random: &mut Random, regime: usize, closer: f64) -> [Place; 2] {
    let (whole, flat) = (regime == 3, regime == 4 || regime == 3 && random.chance(0.5));
    let size = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1e-5, 1e6, 1.0][regime];
    let gap = match regime {
        0 => random.between(2.0, 4.0),
        2 => random.between(0.0, 0.4),
        _ => random.between(0.0, 2.5),
    };
    let at = match regime {
        3 => [0; 3].map(|_| random.whole(2)),
        5 => times(random.direction(), 1e4),
        _ => times(random.direction(), size * random.share()),
    };
    let other = match regime {
        3 if closer < 1.0 => plus(at, [0; 3].map(|_| random.whole(1))),
        3 => [0; 3].map(|_| random.whole(2)),
        _ => plus(at, times(random.direction(), closer * gap * size)),
    };
    // One in four is much larger than the other.
    let larger = if !whole && random.chance(0.25) { 30.0 } else { 1.0 };
    let frame = (regime == 8).then(|| random.turn());
    [(at, size), (other, size * larger)].map(|(at, size)| Place { at, size, whole, flat, frame })
}

/// Shape that can be made at a place.
pub trait Made: std::fmt::Debug {
    fn made(random: &mut Random, place: &Place) -> Self;
}

/// Shape that rays are aimed at.
pub trait Aimed<T: Number> {
    /// Returns a point of it; for a plane, one near it.
    fn middle(&self) -> Point3<T>;
}

macro_rules! aimed {
    ($($kind:ty: $shape:ident => $middle:expr;)*) => {$(
        impl<T: Number> Aimed<T> for $kind {
            fn middle(&self) -> Point3<T> {
                let $shape = self;
                $middle
            }
        }
    )*};
}

fn between<T: Number>(a: Point3<T>, b: Point3<T>) -> Point3<T> {
    a + (b - a) * T::nearest(0.4)
}

aimed! {
    Sphere<T, 3>: ball => ball.center();
    Ellipsoid<T>: ellipsoid => ellipsoid.center();
    Capsule<T>: capsule => between(capsule.segment().a(), capsule.segment().b());
    Segment<T>: segment => between(segment.a(), segment.b());
    Triangle<T>: triangle => between(between(triangle.a(), triangle.b()), triangle.c());
    Aabb<T, 3>: aligned => between(aligned.min, aligned.max);
    Obb<T>: solid => solid.center();
    SpaceDop8<T>: dop => between(dop.aabb().min, dop.aabb().max);
    Dop14<T>: dop => between(dop.aabb().min, dop.aabb().max);
    Dop18<T>: dop => between(dop.aabb().min, dop.aabb().max);
    Frustum<T>: frustum => between(frustum.corners()[0], frustum.corners()[7]);
    Plane<T>: plane => plane.projected(Point3::origin());
}

impl Place {
    /// Draws a size along one direction.
    pub fn length(&self, random: &mut Random) -> f64 {
        match (self.whole, self.flat && random.chance(0.4)) {
            (_, true) => 0.0,
            (true, _) => 1.0 + random.below(2) as f64,
            (false, _) => self.size * random.between(0.1, 1.0),
        }
    }

    pub fn half(&self, random: &mut Random) -> V {
        [0; 3].map(|_| self.length(random))
    }

    /// Draws the deviation of nearly parallel directions.
    fn noise(random: &mut Random) -> f64 {
        [0.0, 1e-12, 1e-9, 1e-7, 1e-5][random.below(5)]
    }

    pub fn turn(&self, random: &mut Random) -> Turn {
        if let Some(frame) = self.frame {
            let noise = Place::noise(random);
            return compose(frame, random.small_turn(noise));
        }
        match self.whole {
            true => random.quarter(),
            false if random.chance(0.1) => NO_TURN,
            false => random.turn(),
        }
    }

    /// Draws a point around the place; for a flat one, often the place itself.
    pub fn near(&self, random: &mut Random) -> V {
        if let Some(frame) = self.frame {
            let corner = turned(frame, [0; 3].map(|_| self.size * random.whole(1)));
            let noise = Place::noise(random);
            return plus(plus(self.at, corner), random.inside(noise));
        }
        match (self.whole, self.flat && random.chance(0.3)) {
            (_, true) => self.at,
            (true, _) => plus(self.at, [0; 3].map(|_| random.whole(2))),
            (false, _) => plus(self.at, times(random.direction(), self.size)),
        }
    }

    pub fn normal(&self, random: &mut Random) -> V {
        if self.frame.is_some() {
            return turned(self.turn(random), [0.0, 0.0, random.sign()]);
        }
        if self.whole {
            let mut normal = [0.0; 3];
            normal[random.below(3)] = random.sign();
            return normal;
        }
        random.direction()
    }
}

impl<T: Number> Made for Point3<T> {
    fn made(random: &mut Random, place: &Place) -> Self {
        point(place.near(random))
    }
}

impl<T: Number> Made for Sphere<T, 3> {
    fn made(random: &mut Random, place: &Place) -> Self {
        Sphere::new(point(place.at), T::nearest(place.length(random))).expect("a ball")
    }
}

impl<T: Number> Made for Segment<T> {
    fn made(random: &mut Random, place: &Place) -> Self {
        let ends = [point(place.near(random)), point(place.near(random))];
        Segment::new(ends[0], ends[1]).expect("a segment")
    }
}

impl<T: Number> Made for Capsule<T> {
    fn made(random: &mut Random, place: &Place) -> Self {
        let middle = Segment::made(random, place);
        Capsule::new(middle, T::nearest(0.5 * place.length(random))).expect("a capsule")
    }
}

impl<T: Number> Made for Triangle<T> {
    fn made(random: &mut Random, place: &Place) -> Self {
        let mut corners = [0; 3].map(|_| place.near(random));
        if place.flat && random.chance(0.3) {
            // A sliver.
            corners[2] = plus(corners[1], times(random.direction(), 1e-7 * place.size));
        }
        let [a, b, c] = corners.map(point);
        Triangle::new(a, b, c).expect("a triangle")
    }
}

impl<T: Number> Made for Aabb<T, 3> {
    fn made(random: &mut Random, place: &Place) -> Self {
        let half = place.half(random);
        Aabb::new(point(plus(place.at, times(half, -1.0))), point(plus(place.at, half)))
    }
}

impl<T: Number> Made for Obb<T> {
    fn made(random: &mut Random, place: &Place) -> Self {
        let (turn, half) = (place.turn(random), place.half(random));
        Obb::new(point(place.at), matrix(turn), vector(half)).expect("a box")
    }
}

impl<T: Number> Made for Ellipsoid<T> {
    fn made(random: &mut Random, place: &Place) -> Self {
        let (turn, radii) = (place.turn(random), place.half(random));
        let radii = radii.map(|radius| radius + 0.1 * place.size);
        Ellipsoid::new(point(place.at), matrix(turn), vector(radii)).expect("an ellipsoid")
    }
}

impl<T: Number> Made for Plane<T> {
    fn made(random: &mut Random, place: &Place) -> Self {
        let normal = Unit::new_unchecked(vector(place.normal(random)));
        Plane::through(point(place.at), normal).expect("a plane")
    }
}

impl<T: Number> Made for Ray<T> {
    fn made(random: &mut Random, place: &Place) -> Self {
        loop {
            let ends = [point(place.near(random)), point(place.near(random))];
            if let Some(ray) = Ray::through(ends[0], ends[1]).expect("two points") {
                return ray;
            }
        }
    }
}

impl<T: Number> Made for Frustum<T> {
    fn made(random: &mut Random, place: &Place) -> Self {
        let eye = pose(place.turn(random), place.at);
        let tangents = [0; 2].map(|_| random.between(0.1, 1.0));
        let depths = [0.5, 2.0].map(|depth| depth * place.size);
        Frustum::of_eye(&eye, tangents, depths).expect("a frustum")
    }
}

macro_rules! dops {
    ($($kind:ident),*) => {$(
        impl<T: Number> Made for $kind<T> {
            fn made(random: &mut Random, place: &Place) -> Self {
                $kind::from_points([0; 6].map(|_| point(place.near(random))))
            }
        }
    )*};
}

dops!(SpaceDop8, Dop14, Dop18);
