//! Shapes of the world as parry3d has them, in f64. Its interface moves, so it is met only here.

use std::collections::BTreeMap;

use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::Ray;
use parry3d_f64::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid, HalfSpace, Shape, Triangle};

use crate::placed_scenes::Place;
use crate::plain_box::{PlainBox, V, inner, minus};
use crate::triangle_distance::solid_angle;

pub struct Peer {
    pose: Pose,
    shape: Box<dyn Shape>,
}

fn vector(v: V) -> Vector {
    Vector::new(v[0], v[1], v[2])
}

impl Peer {
    fn at_origin(shape: impl Shape) -> Self {
        Peer { pose: Isometry3::identity().into(), shape: Box::new(shape) }
    }

    pub fn ball(center: V, radius: f64) -> Self {
        let pose: Isometry3<f64> = Translation3::from(Vector3::from(center)).into();
        Peer { pose: pose.into(), shape: Box::new(Ball::new(radius)) }
    }

    pub fn capsule(ends: [V; 2], radius: f64) -> Self {
        Peer::at_origin(Capsule::new(vector(ends[0]), vector(ends[1]), radius))
    }

    pub fn half_space(normal: V, point: V) -> Self {
        let pose: Isometry3<f64> = Translation3::from(Vector3::from(point)).into();
        Peer { pose: pose.into(), shape: Box::new(HalfSpace::new(vector(normal))) }
    }

    pub fn solid(block: &PlainBox) -> Self {
        let axes = Matrix3::from_columns(&block.axes.map(Vector3::from));
        let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
        let at = Translation3::from(Vector3::from(block.center));
        let pose = Isometry3::from_parts(at, turn);
        Peer { pose: pose.into(), shape: Box::new(Cuboid::new(vector(block.half))) }
    }

    pub fn triangle([a, b, c]: [V; 3]) -> Self {
        Peer::at_origin(Triangle::new(vector(a), vector(b), vector(c)))
    }

    pub fn hull(corners: [Point3<f64>; 8]) -> Self {
        let points = corners.map(|p| Vector::new(p.x, p.y, p.z));
        Peer::at_origin(ConvexPolyhedron::from_convex_hull(&points).expect("a hull"))
    }

    /// Whether the two touch; `None` if they are closer to touching than the band.
    pub fn meets(&self, other: &Peer, band: f64) -> Option<bool> {
        let distance = parry3d_f64::query::distance(
            &self.pose,
            self.shape.as_ref(),
            &other.pose,
            other.shape.as_ref(),
        );
        let distance = distance.expect("supported").distance;
        if distance > 0.0 {
            return (distance > band).then_some(false);
        }
        let contact = parry3d_f64::query::contact(
            &self.pose,
            self.shape.as_ref(),
            &other.pose,
            other.shape.as_ref(),
            0.0,
        );
        let depth = contact.ok().flatten().map_or(f64::INFINITY, |contact| -contact.dist);
        (depth > band).then_some(true)
    }

    /// Whether both boxes of a node are touched.
    pub fn meets_both(&self, both: &[PlainBox; 2], band: f64) -> Option<bool> {
        match both.map(|block| self.meets(&Peer::solid(&block), band)) {
            [Some(false), _] | [_, Some(false)] => Some(false),
            [Some(true), Some(true)] => Some(true),
            _ => None,
        }
    }

    /// Whether any primitive of each leaf is touched.
    pub fn meets_leaves(
        &self,
        (triangles, solids): Primitives<'_>,
        band: f64,
    ) -> BTreeMap<Place, Option<bool>> {
        let mut leaves: BTreeMap<Place, Vec<Option<bool>>> = BTreeMap::new();
        for (place, corners) in triangles {
            let met = self.meets(&Peer::triangle(*corners), band);
            leaves.entry(*place).or_default().push(met);
        }
        for (place, block) in solids {
            leaves.entry(*place).or_default().push(self.meets(&Peer::solid(block), band));
        }
        let judged = leaves.into_iter().map(|(place, met)| {
            let any = met.contains(&Some(true)).then_some(true);
            let none = met.iter().all(|met| *met == Some(false)).then_some(false);
            (place, any.or(none))
        });
        judged.collect()
    }

    /// Distance of the two.
    pub fn distance(&self, other: &Peer) -> f64 {
        let (a, b) = (self.shape.as_ref(), other.shape.as_ref());
        parry3d_f64::query::distance(&self.pose, a, &other.pose, b).expect("supported").distance
    }

    /// Time of impact of the ray, and the normal.
    pub fn cast(&self, origin: V, along: V) -> Option<(f64, V)> {
        let ray = Ray::new(vector(origin), vector(along));
        let hit = self.shape.cast_ray_and_get_normal(&self.pose, &ray, f64::MAX, true)?;
        Some((hit.time_of_impact, [hit.normal.x, hit.normal.y, hit.normal.z]))
    }
}

/// Distance of the line inside all three edges of the triangle, in units: negative outside; and the
/// sine at which.
pub fn clearance(origin: V, along: V, [a, b, c]: [V; 3]) -> f64 {
    let seen = [a, b, c].map(|p| {
        let from = minus(p, origin);
        let t = inner(from, along);
        let foot: V = std::array::from_fn(|i| from[i] - t * along[i]);
        foot
    });
    let cross = |u: V, v: V| -> V {
        std::array::from_fn(|i| u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3])
    };
    let sides: Vec<f64> = (0..3)
        .map(|i| {
            let (p, q) = (seen[i], seen[(i + 1) % 3]);
            let edge = minus(q, p);
            inner(along, cross(p, q)) / inner(edge, edge).sqrt().max(1e-300)
        })
        .collect();
    let least = sides.iter().copied().fold(f64::INFINITY, f64::min);
    let most = sides.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    least.max(-most)
}

/// Interval of the line inside all boxes; reversed if empty.
pub fn piece(origin: V, along: V, boxes: &[PlainBox]) -> (f64, f64) {
    let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
    for block in boxes {
        for i in 0..3 {
            let x = inner(block.axes[i], minus(origin, block.center));
            let d = inner(block.axes[i], along);
            let ends = [(-block.half[i] - x) / d, (block.half[i] - x) / d];
            from = from.max(ends[0].min(ends[1]));
            to = to.min(ends[0].max(ends[1]));
        }
    }
    (from, to)
}

/// All triangles and boxes of a scene.
pub type Primitives<'a> = (&'a [(Place, [V; 3])], &'a [(Place, PlainBox)]);

/// When a ray hits each leaf first, and the leaves that it meets too near an edge to tell: among
/// primitives of about that size, within that band.
pub fn ray_hits_of(
    (triangles, solids): Primitives<'_>,
    (origin, along): (V, V),
    (size, band): (f64, f64),
) -> (BTreeMap<Place, f64>, Vec<Place>) {
    let mut expected: BTreeMap<Place, f64> = BTreeMap::new();
    let mut close = Vec::new();
    let mut add = |place: Place, t: f64| {
        let least = expected.entry(place).or_insert(f64::INFINITY);
        *least = least.min(t);
    };
    for (place, corners) in triangles {
        let middle = minus(corners[0], origin);
        let t = inner(middle, along);
        if clearance(origin, along, *corners).abs() < band || t.abs() < 1e-3 && t < size * 1e-3 {
            close.push(*place);
        } else if let Some((t, _)) = Peer::triangle(*corners).cast(origin, along) {
            add(*place, t);
        }
    }
    for (place, block) in solids {
        let (from, to) = piece(origin, along, &[*block]);
        if (to - from).min(to).abs() < band {
            close.push(*place);
        } else if let Some((t, _)) = Peer::solid(block).cast(origin, along) {
            add(*place, t);
        }
    }
    (expected, close)
}

/// Whether a point is inside the closed surface of a part.
pub fn is_inside(from: V, key: (usize, usize), triangles: &[(Place, [V; 3])]) -> bool {
    let of_part = triangles.iter().filter(|((at, part, _), _)| (*at, *part) == key);
    of_part.map(|(_, corners)| solid_angle(from, *corners)).sum::<f64>().abs() > 6.3
}
