//! Closed surfaces through elliptical rings.

use std::f64::consts::{FRAC_PI_4, TAU};

use boxwood::shape::Mesh;
use nalgebra::{Point3, Vector3};

use super::proportions::centimetres;

/// Which way the rings follow one another, from the joint; the figure faces +Z, its left is +X.
#[derive(Clone, Copy)]
pub enum Along {
    /// Rings from the joint upwards.
    Up,
    /// Rings from the joint downwards.
    Down,
    /// Rings from heel to toe; their third and fourth reach are up and down.
    Forward,
    /// Rings from the mid-line to the left; their first and second reach are up and down.
    Out,
}

/// Distance from the joint, then how far the ring reaches from the bone to the outside, to the
/// inside, to the front and to the back: centimetres on a person of 1.75 m.
pub type Ring = [f64; 5];

/// Draws the skin within `radius` of `at` by up to `pull`: a nose, a thumb. Centimetres, in the
/// frame of the joint.
pub struct Bump {
    pub at: [f64; 3],
    pub radius: f64,
    pub pull: [f64; 3],
}

/// A tube through rings, rounded at both ends.
pub struct Loft<'a> {
    pub along: Along,
    /// Corners of a ring: a multiple of four, so that it is symmetric.
    pub sides: usize,
    /// 2 is an ellipse, more is boxier.
    pub power: f64,
    pub rings: &'a [Ring],
    /// Heights of the rounded ends, before the first ring and after the last one, in centimetres.
    pub domes: [f64; 2],
    /// Nothing reaches below this height: a sole. Centimetres from the joint.
    pub floor: Option<f64>,
    pub bumps: &'a [Bump],
}

impl Loft<'_> {
    /// The surface, closed and facing outward, in the frame of the joint, in metres.
    pub fn mesh(&self) -> Mesh<f32> {
        let mut corners = vec![self.apex(0)];
        corners.extend(self.all_rings().iter().flat_map(|ring| self.corners(ring)));
        corners.push(self.apex(1));
        let mut triangles = tube(corners.len(), self.sides);
        if volume(&corners, &triangles) < 0.0 {
            triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let vertices = corners.iter().map(|&c| self.finish(c)).collect();
        Mesh::new(vertices, triangles).expect("rings make a mesh")
    }

    /// The rings of the table, and one halfway up either rounded end.
    fn all_rings(&self) -> Vec<Ring> {
        let (first, last) = (self.rings[0], self.rings[self.rings.len() - 1]);
        let halfway = FRAC_PI_4.sin();
        let mut all = vec![shrunk(first, first[0] - self.domes[0] * halfway)];
        all.extend_from_slice(self.rings);
        all.push(shrunk(last, last[0] + self.domes[1] * halfway));
        all
    }

    fn corners(&self, ring: &Ring) -> impl Iterator<Item = Vector3<f64>> {
        let &[distance, outside, inside, front, back] = ring;
        let (sides, power, along) = (self.sides, self.power, self.along);
        (0..sides).map(move |side| {
            let (sin, cos) = (TAU * side as f64 / sides as f64).sin_cos();
            let across = |reach: f64, counter: f64, wave: f64| {
                (reach - counter) / 2.0 + (reach + counter) / 2.0 * rounded(wave, power)
            };
            along.place(distance, across(outside, inside, cos), across(front, back, sin))
        })
    }

    fn apex(&self, end: usize) -> Vector3<f64> {
        let ring = if end == 0 { self.rings[0] } else { self.rings[self.rings.len() - 1] };
        let distance = ring[0] + if end == 0 { -self.domes[0] } else { self.domes[1] };
        self.along.place(distance, (ring[1] - ring[2]) / 2.0, (ring[3] - ring[4]) / 2.0)
    }

    /// Bumps, sole and unit.
    fn finish(&self, corner: Vector3<f64>) -> Point3<f32> {
        let mut at = corner;
        for bump in self.bumps {
            let off = (corner - Vector3::from(bump.at)).norm() / bump.radius;
            at += Vector3::from(bump.pull) * (1.0 - off * off).max(0.0);
        }
        at.y = at.y.max(self.floor.unwrap_or(f64::NEG_INFINITY));
        Point3::from(at.map(|c| centimetres(c) as f32))
    }
}

impl Along {
    /// The point at `distance` along the bone, `a` to the outside (or up) and `b` to the front (or
    /// up).
    fn place(self, distance: f64, a: f64, b: f64) -> Vector3<f64> {
        match self {
            Along::Up => Vector3::new(a, distance, b),
            Along::Down => Vector3::new(a, -distance, b),
            Along::Forward => Vector3::new(a, b, distance),
            Along::Out => Vector3::new(distance, a, b),
        }
    }
}

/// The other hand's: mirrored in the plane x = 0, and turned to face outward again.
pub fn mirrored(mesh: &Mesh<f32>) -> Mesh<f32> {
    let vertices = mesh.vertices().iter().map(|v| Point3::new(-v.x, v.y, v.z)).collect();
    let triangles = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    Mesh::new(vertices, triangles).expect("a mirrored mesh is a mesh")
}

/// The wave of a superellipse (Lamé curve) in place of a sine or cosine.
fn rounded(wave: f64, power: f64) -> f64 {
    // A cosine that should be 0 is 1e-17: the root would make it visible.
    if wave.abs() < 1e-12 { 0.0 } else { wave.signum() * wave.abs().powf(2.0 / power) }
}

/// `ring` moved to `distance`, with its reach shrunk about its middle as on the way up a dome.
fn shrunk(ring: Ring, distance: f64) -> Ring {
    let [_, outside, inside, front, back] = ring;
    let pair = |reach: f64, counter: f64| {
        let (middle, half) = ((reach - counter) / 2.0, (reach + counter) / 2.0 * FRAC_PI_4.cos());
        (half + middle, half - middle)
    };
    let ((outside, inside), (front, back)) = (pair(outside, inside), pair(front, back));
    [distance, outside, inside, front, back]
}

/// Triangles of a closed tube: corner 0 and the last are its ends, rings of `sides` corners lie
/// between.
fn tube(corners: usize, sides: usize) -> Vec<[u32; 3]> {
    let (rings, last) = ((corners - 2) / sides, corners - 1);
    let at = |ring: usize, side: usize| 1 + ring * sides + side % sides;
    let mut triangles = Vec::new();
    for side in 0..sides {
        triangles.push([0, at(0, side), at(0, side + 1)]);
        for ring in 0..rings - 1 {
            let [a, b] = [at(ring, side), at(ring, side + 1)];
            let [c, d] = [at(ring + 1, side), at(ring + 1, side + 1)];
            triangles.extend([[a, c, b], [b, c, d]]);
        }
        triangles.push([last, at(rings - 1, side + 1), at(rings - 1, side)]);
    }
    triangles.iter().map(|t| t.map(|v| v as u32)).collect()
}

/// Six times the volume inside, positive if the triangles face outward.
fn volume(corners: &[Vector3<f64>], triangles: &[[u32; 3]]) -> f64 {
    triangles
        .iter()
        .map(|t| t.map(|v| corners[v as usize]))
        .map(|[a, b, c]| a.dot(&b.cross(&c)))
        .sum()
}
