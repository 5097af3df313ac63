//! Brushes as plain half-spaces, and as the crate's type.

use boxwood::brush::Brush;
use boxwood::f64::Plane;
use nalgebra::{Unit, Vector3};

use crate::cylinder_distance::HalfSpace;
use crate::plain_box::{V, inner, norm, plus, times};
use crate::random::{Random, apply};

/// Returns the crate's plane of a half-space with a unit normal.
pub fn plane(&(normal, offset): &HalfSpace) -> Plane {
    Plane::new(Unit::new_unchecked(Vector3::from(normal)), offset).expect("a unit normal")
}

/// Returns the crate's brush of half-spaces with unit normals.
pub fn brush(planes: &[HalfSpace]) -> Brush {
    let planes: Vec<Plane> = planes.iter().map(plane).collect();
    Brush::from_planes(&planes).unwrap_or_else(|error| panic!("{error}: {planes:?}"))
}

/// Returns the half-spaces of a brush, exactly as stored.
pub fn half_spaces(brush: &Brush) -> Vec<HalfSpace> {
    let plain = |plane: &Plane| (plane.normal().into_inner().into(), plane.offset());
    brush.planes().iter().map(plain).collect()
}

/// Normalizes the half-spaces.
pub fn unit(planes: &[HalfSpace]) -> Vec<HalfSpace> {
    planes.iter().map(|&(n, o)| (times(n, 1.0 / norm(n)), o / norm(n))).collect()
}

/// Returns an axis-aligned box.
pub fn cuboid(min: V, max: V) -> Vec<HalfSpace> {
    let axis = |i: usize| std::array::from_fn(|k| f64::from(u8::from(k == i)));
    let pair = |i: usize| [(axis(i), max[i]), (axis(i).map(|x: f64| -x), -min[i])];
    (0..3).flat_map(pair).collect()
}

/// Rotates the half-spaces by a rotation (by columns), then translates them.
pub fn moved(planes: &[HalfSpace], rotation: &[V; 3], by: V) -> Vec<HalfSpace> {
    let turn = |&(n, o): &HalfSpace| {
        let normal = apply(rotation, n);
        (normal, o + inner(normal, by))
    };
    planes.iter().map(turn).collect()
}

/// Draws planes that touch a ball, in random directions; those along the axes bound it.
pub fn around_ball(random: &mut Random, count: usize, center: V, radius: f64) -> Vec<HalfSpace> {
    let axes = cuboid([-1.0; 3], [1.0; 3]).into_iter().map(|(normal, _)| normal);
    let mut normals: Vec<V> = axes.collect();
    normals.extend((0..count).map(|_| random.direction()));
    normals.into_iter().map(|n| (n, inner(n, center) + radius)).collect()
}

/// Returns an upright prism on a regular polygon.
pub fn pillar(sides: usize, radius: f64, half_height: f64) -> Vec<HalfSpace> {
    let side = |i: usize| {
        let (sine, cosine) = (std::f64::consts::TAU * i as f64 / sides as f64).sin_cos();
        ([cosine, sine, 0.0], radius)
    };
    let ends = [([0.0, 0.0, 1.0], half_height), ([0.0, 0.0, -1.0], half_height)];
    (0..sides).map(side).chain(ends).collect()
}

/// Returns a pyramid: a floor at 0, and sides that lean in by the same slope to an apex at a
/// height.
pub fn pyramid(sides: usize, radius: f64, height: f64) -> Vec<HalfSpace> {
    let lean = |(n, _): HalfSpace| (plus(times(n, height), [0.0, 0.0, radius]), radius * height);
    let mut planes: Vec<HalfSpace> =
        pillar(sides, radius, height).into_iter().take(sides).map(lean).collect();
    planes.push(([0.0, 0.0, -1.0], 0.0));
    unit(&planes)
}

/// Returns the twelve faces of a regular dodecahedron around a ball of radius 1.
pub fn dodecahedron() -> Vec<HalfSpace> {
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let cycle = |i: usize| {
        [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].map(|(s, t)| {
            let mut normal = [0.0; 3];
            normal[i] = s;
            normal[(i + 1) % 3] = t * golden;
            (times(normal, 1.0 / norm(normal)), 1.0)
        })
    };
    (0..3).flat_map(cycle).collect()
}

/// Draws a brush near the origin, of one of several kinds: box, rotated box, pyramid, pillar, flat
/// slab, planes around a ball.
pub fn any_brush(random: &mut Random) -> Vec<HalfSpace> {
    let half: V = std::array::from_fn(|_| random.decade(-1.0, 0.7));
    let shape = match random.below(6) {
        0 => return cuboid(half.map(|x| -x), half),
        1 | 2 => cuboid(half.map(|x| -x), half),
        3 => pyramid(3 + random.below(4), half[0], half[1]),
        4 => pillar(3 + random.below(6), half[0], half[1]),
        _ => {
            let count = 2 + random.below(12);
            around_ball(random, count, [0.0; 3], half[0])
        }
    };
    let rotation = match random.below(3) {
        0 => crate::random::about([0.0, 0.0, 1.0], random.between(-3.0, 3.0)),
        1 => random.quarter(),
        _ => random.rotation(),
    };
    let by = std::array::from_fn(|_| random.between(-2.0, 2.0));
    moved(&shape, &rotation, by)
}
