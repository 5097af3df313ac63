//! Sweeps of pairs of boxes; the first half extents serve as radii of balls. Half of the pairs hit;
//! the others pass by or stop short.

use boxwood::nalgebra::{Isometry3, Matrix3, Point3, Unit, Vector3};
use boxwood::shape::{Aabb, Obb, Plane, Sphere};

use super::plain_box::{V, plus, times};
use super::random::Random;

pub struct Moving {
    pub boxes: [Obb<f32>; 2],
    pub balls: [Sphere<f32, 3>; 2],
    pub aligned: [Aabb<f32, 3>; 2],
    /// Half-space whose plane goes through the centre of the second box, across its first axis.
    pub wall: Plane<f32>,
    /// Displacements of both in one unit of time.
    pub by: [Vector3<f32>; 2],
}

fn solid(center: V, half: V, axes: [V; 3]) -> Obb<f32> {
    let axes = Matrix3::from_fn(|i, j| axes[j][i] as f32);
    let half = Vector3::from(half).cast();
    Obb::new(Point3::from(center).cast(), axes, half).expect("a box")
}

fn moving(random: &mut Random) -> Moving {
    let mut half = || -> V { std::array::from_fn(|_| random.between(0.1, 1.0)) };
    let halves = [half(), half()];
    let size: f64 = halves.map(|h| Vector3::from(h).norm()).iter().sum();
    let (center, way) = (random.direction(), random.direction());
    let near = times(random.direction(), random.between(0.0, 0.4) * size);
    // Start before the centre of the second box, length of the motion, and lateral offset.
    let (back, length, aside) = match random.chance(0.5) {
        true => (1.5 * size, 2.5 * size, near),
        false => {
            let aside = times(random.direction(), random.between(0.0, 1.1) * size);
            let (back, length) = match random.below(10) {
                0..4 => (-1.1 * size, 2.0 * size),
                4..7 => (3.0 * size, 1.5 * size),
                _ => (2.0 * size, 4.0 * size),
            };
            (back, length, aside)
        }
    };
    let other = if random.chance(0.5) { times(random.direction(), size) } else { [0.0; 3] };
    let start = plus(plus(center, aside), times(way, -back));
    let boxes = [start, center].map(|at| (at, random.rotation()));
    let boxes = [0, 1].map(|i| solid(boxes[i].0, halves[i], boxes[i].1));
    let by = [plus(times(way, length), other), other].map(|v| Vector3::from(v).cast());
    let up = Unit::new_normalize(boxes[1].axes().column(0).into_owned());
    let ball = |of: &Obb<f32>| Sphere::new(of.center(), of.half_extents().x).expect("a ball");
    let ends =
        |of: &Obb<f32>| Aabb::new(of.center() - of.half_extents(), of.center() + of.half_extents());
    Moving {
        wall: Plane::through(boxes[1].center(), up).expect("a plane"),
        balls: boxes.each_ref().map(ball),
        aligned: boxes.each_ref().map(ends),
        boxes,
        by,
    }
}

pub fn pairs(count: usize) -> Vec<Moving> {
    let mut random = Random(1);
    (0..count).map(|_| moving(&mut random)).collect()
}

/// Pose of the second of two bodies that overlap by half and are rotated against each other.
pub fn clinch(reach: f32, random: &mut Random) -> Isometry3<f32> {
    let turn = Vector3::from(random.direction()) * random.between(0.0, 1.5);
    let off = Vector3::from(random.direction()).cast::<f32>() * reach;
    Isometry3::new(off, turn.cast())
}
