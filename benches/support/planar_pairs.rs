//! Random pairs of shapes of the plane: of eight five are disjoint, two overlap deeply, and one
//! touches up to rounding.

use boxwood::nalgebra::{Point2, Vector2};
use boxwood::planar::{ConvexPolygon, Obb2, Shape};
use boxwood::shape::{Aabb, Sphere};

use super::random::Random;

/// Relation of the two shapes of a pair. In a sweep, touching pairs hit.
#[derive(Clone, Copy, PartialEq)]
pub enum Regime {
    Apart,
    Touching,
    Deep,
}

impl Regime {
    fn by_chance(random: &mut Random) -> Self {
        match random.below(8) {
            0..5 => Regime::Apart,
            5..7 => Regime::Deep,
            _ => Regime::Touching,
        }
    }
}

pub trait Flat: Shape<f32> + Clone {
    const NAME: &'static str;

    /// Random shape about a point, with half sizes from a tenth to one.
    fn made(random: &mut Random, at: Point2<f32>) -> Self;

    /// The shape translated, with rounding.
    fn moved(&self, by: Vector2<f32>) -> Self;

    /// Random point of the boundary, a corner where there are any.
    fn rim(&self, random: &mut Random) -> Point2<f32>;
}

pub fn direction(random: &mut Random) -> Vector2<f32> {
    let angle = random.between(0.0, std::f64::consts::TAU);
    Vector2::new(angle.cos(), angle.sin()).cast()
}

fn half(random: &mut Random) -> Vector2<f32> {
    Vector2::from_fn(|_, _| random.between(0.1, 1.0) as f32)
}

impl Flat for Obb2<f32> {
    const NAME: &'static str = "Obb2";

    fn made(random: &mut Random, at: Point2<f32>) -> Self {
        Obb2::new(at, direction(random), half(random)).expect("a box")
    }

    fn moved(&self, by: Vector2<f32>) -> Self {
        Obb2::new(self.center() + by, self.axis(), self.half_extents()).expect("a box")
    }

    fn rim(&self, random: &mut Random) -> Point2<f32> {
        let (x, half) = (self.axis(), self.half_extents());
        let y = Vector2::new(-x.y, x.x);
        self.center() + x * half.x * random.sign() as f32 + y * half.y * random.sign() as f32
    }
}

impl Flat for ConvexPolygon<f32> {
    const NAME: &'static str = "Polygon";

    /// Three to eight corners on an ellipse, repeated until they are convex after rounding.
    fn made(random: &mut Random, at: Point2<f32>) -> Self {
        loop {
            let (half, x, count) = (half(random), direction(random), 3 + random.below(6));
            let step = std::f64::consts::TAU / count as f64;
            let corner = |k: usize| {
                let angle = ((k as f64 + random.between(-0.2, 0.2)) * step) as f32;
                let (p, q) = (half.x * angle.cos(), half.y * angle.sin());
                at + Vector2::new(p * x.x - q * x.y, p * x.y + q * x.x)
            };
            if let Ok(made) = ConvexPolygon::new((0..count).map(corner).collect()) {
                return made;
            }
        }
    }

    fn moved(&self, by: Vector2<f32>) -> Self {
        let corners = self.corners().iter().map(|corner| corner + by).collect();
        ConvexPolygon::new(corners).unwrap_or_else(|_| self.clone())
    }

    fn rim(&self, random: &mut Random) -> Point2<f32> {
        self.corners()[random.below(self.corners().len())]
    }
}

impl Flat for Sphere<f32, 2> {
    const NAME: &'static str = "Circle";

    fn made(random: &mut Random, at: Point2<f32>) -> Self {
        Sphere::new(at, half(random).x).expect("a circle")
    }

    fn moved(&self, by: Vector2<f32>) -> Self {
        Sphere::new(self.center() + by, self.radius()).expect("a circle")
    }

    fn rim(&self, random: &mut Random) -> Point2<f32> {
        self.center() + direction(random) * self.radius()
    }
}

impl Flat for Aabb<f32, 2> {
    const NAME: &'static str = "Aabb";

    fn made(random: &mut Random, at: Point2<f32>) -> Self {
        let half = half(random);
        Aabb::new(at - half, at + half)
    }

    fn moved(&self, by: Vector2<f32>) -> Self {
        Aabb::new(self.min + by, self.max + by)
    }

    fn rim(&self, random: &mut Random) -> Point2<f32> {
        let end = |low: f32, high: f32, random: &mut Random| match random.chance(0.5) {
            true => low,
            false => high,
        };
        let x = end(self.min.x, self.max.x, random);
        Point2::new(x, end(self.min.y, self.max.y, random))
    }
}

/// Distance along a direction at which two overlapping shapes separate.
fn reach<A: Flat, B: Flat>(a: &A, b: &B, way: Vector2<f32>) -> f32 {
    let (mut touching, mut apart) = (0.0, 6.0);
    for _ in 0..26 {
        let middle = 0.5 * (touching + apart);
        let touch = a.intersects(&b.moved(way * middle));
        *(if touch { &mut touching } else { &mut apart }) = middle;
    }
    touching
}

fn pair<A: Flat, B: Flat>(regime: Regime, random: &mut Random) -> (A, B) {
    let start = Point2::from(direction(random) * random.share() as f32);
    let (a, b) = (A::made(random, start), B::made(random, start));
    let way = direction(random);
    let reach = reach(&a, &b, way);
    let shift = match regime {
        Regime::Apart => reach + 2.0 * random.decade(-3.0, 0.0) as f32,
        Regime::Touching => reach,
        Regime::Deep => reach * random.between(0.0, 0.8) as f32,
    };
    let b = b.moved(way * shift);
    (a, b)
}

fn seeded<A: Flat, B: Flat>() -> Random {
    let name = A::NAME.bytes().chain(B::NAME.bytes());
    Random(name.fold(7, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(byte.into())))
}

pub fn pairs<A: Flat, B: Flat>(count: usize) -> Vec<(A, B)> {
    let mut random = seeded::<A, B>();
    let mut next = |_| pair(Regime::by_chance(&mut random), &mut random);
    (0..count).map(&mut next).collect()
}

/// A pair, and the displacements of both in one unit of time.
pub type Moving<A, B> = (A, B, [Vector2<f32>; 2]);

/// Sweeps: disjoint pairs pass by or stop short, touching ones hit, deep ones overlap at the start.
pub fn moving<A: Flat, B: Flat>(count: usize) -> Vec<Moving<A, B>> {
    let mut random = seeded::<A, B>();
    let mut next = |_| {
        let regime = Regime::by_chance(&mut random);
        let (a, b): (A, B) = pair(Regime::Deep, &mut random);
        let (way, size) = (direction(&mut random), 2.0);
        let (by, back) = match regime {
            Regime::Apart if random.chance(0.5) => (3.0 * size, -1.01),
            Regime::Apart => (3.0 * size, 3.0),
            Regime::Touching => (2.0 * size, random.between(0.6, 1.0) as f32),
            Regime::Deep => (size * random.between(0.5, 4.0) as f32, 0.0),
        };
        let by = way * by;
        // In half of the cases the other shape moves too.
        let other =
            if random.chance(0.5) { direction(&mut random) * size } else { Vector2::zeros() };
        (a.moved(-by * back), b, [by + other, other])
    };
    (0..count).map(&mut next).collect()
}

/// Shapes and points near them, half of them inside.
pub fn with_points<A: Flat>(count: usize) -> Vec<(A, Point2<f32>)> {
    let mut random = seeded::<A, A>();
    let mut next = |_| {
        let middle = Point2::from(direction(&mut random) * random.share() as f32);
        let shape = A::made(&mut random, middle);
        let share =
            if random.chance(0.5) { random.share() } else { random.between(1.0, 3.0) } as f32;
        let at = middle + (shape.rim(&mut random) - middle) * share;
        (shape, at)
    };
    (0..count).map(&mut next).collect()
}
