//! Circumscribed tessellation of boxes, cylinders, spheres and capsules.
//!
//! Every solid here contains the true shape. Directions are computed by halving angles, with square
//! roots alone, so that they are equal on all machines.

use nalgebra::{Matrix3, Point3, Vector3};

use crate::load::meshes::Soup;
use crate::shape::Pose;

/// Factor by which corners are enlarged before they are rounded to the number type.
const OUTWARD_FACTOR: f64 = 1.0 + 1e-6;
/// Number of times that the quarter turns of a ring are halved: 32 sides. The prism exceeds the
/// true cylinder by at most 0.49 % of its radius.
const RING_HALVINGS: u32 = 3;
/// Number of times that the edges of an octahedron are halved: 512 triangles. The hull exceeds the
/// true sphere by at most 2 % of its radius.
const BALL_HALVINGS: u32 = 3;

type Corners3 = [Point3<f64>; 3];

/// The twelve triangles of a box with these half extents.
pub(in crate::load) fn cuboid(half: Vector3<f64>) -> Soup {
    let corner = |x: f64, y: f64, z: f64| Point3::new(x * half.x, y * half.y, z * half.z);
    let [a, b, c, d] = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    Soup(prism(&[a, b, c, d].map(|(x, y)| [corner(x, y, -1.0), corner(x, y, 1.0)])))
}

/// A prism around a cylinder along z, centred on the origin.
pub(super) fn cylinder(radius: f64, length: f64) -> Soup {
    let ring = ring();
    // The sides are nearest to the axis at their midpoints.
    let middle = (ring[0] + ring[1]).norm() / 2.0;
    let (ring_radius, half) = (radius / middle * OUTWARD_FACTOR, length / 2.0 * OUTWARD_FACTOR);
    let side = |direction: &Vector3<f64>| {
        [-half, half].map(|z| Point3::from(direction * ring_radius + Vector3::z() * z))
    };
    Soup(prism(&ring.iter().map(side).collect::<Vec<_>>()))
}

/// A polyhedron around a sphere, centred on the origin.
pub(super) fn sphere(radius: f64) -> Soup {
    let mut faces = octahedron();
    for _ in 0..BALL_HALVINGS {
        faces = faces.into_iter().flat_map(quartered).collect();
    }
    let nearest = faces.iter().map(plane_distance).fold(f64::MAX, f64::min);
    let circumradius = radius / nearest * OUTWARD_FACTOR;
    Soup(faces.into_iter().map(|face| face.map(|corner| corner * circumradius)).collect())
}

pub(in crate::load) fn transformed_by_pose(soup: Soup, pose: &Pose<f64>) -> Soup {
    transformed(&soup, pose.rotation.to_rotation_matrix().matrix(), &pose.translation.vector)
}

/// Transforms a soup; a mirroring transform reverses the winding, so that outside remains outside.
pub(in crate::load) fn transformed(
    soup: &Soup,
    linear: &Matrix3<f64>,
    shift: &Vector3<f64>,
) -> Soup {
    let mirrors = linear.determinant() < 0.0;
    let map = |corners: &[Point3<f64>; 3]| {
        let [a, b, c] = corners.map(|corner| linear * corner + shift);
        if mirrors { [a, c, b] } else { [a, b, c] }
    };
    Soup(soup.0.iter().map(map).collect())
}

/// The triangles of a prism, from its sides, each a lower and an upper corner, counterclockwise
/// seen from above.
fn prism(sides: &[[Point3<f64>; 2]]) -> Vec<Corners3> {
    let mut triangles = Vec::with_capacity(4 * sides.len());
    for (&[low, high], &[next_low, next_high]) in sides.iter().zip(sides.iter().cycle().skip(1)) {
        triangles.push([low, next_low, next_high]);
        triangles.push([low, next_high, high]);
    }
    for pair in sides[1..].windows(2) {
        let ([low, high], [next_low, next_high]) = (pair[0], pair[1]);
        triangles.push([sides[0][0], next_low, low]);
        triangles.push([sides[0][1], high, next_high]);
    }
    triangles
}

/// Directions around z, counterclockwise.
fn ring() -> Vec<Vector3<f64>> {
    let mut ring = vec![Vector3::x(), Vector3::y(), -Vector3::x(), -Vector3::y()];
    for _ in 0..RING_HALVINGS {
        let next = ring.iter().cycle().skip(1);
        let halved = ring.iter().zip(next).flat_map(|(a, b)| [*a, (a + b).normalize()]);
        ring = halved.collect();
    }
    ring
}

fn octahedron() -> Vec<Corners3> {
    let (x, y, z) =
        (Point3::new(1.0, 0.0, 0.0), Point3::new(0.0, 1.0, 0.0), Point3::new(0.0, 0.0, 1.0));
    let equator = [x, y, -x, -y];
    let pair = |i: usize| (equator[i], equator[(i + 1) % 4]);
    (0..4).map(pair).flat_map(|(a, b)| [[a, b, z], [b, a, -z]]).collect()
}

fn quartered([a, b, c]: Corners3) -> [Corners3; 4] {
    let middle = |a: Point3<f64>, b: Point3<f64>| Point3::from((a.coords + b.coords).normalize());
    let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
}

fn plane_distance([a, b, c]: &Corners3) -> f64 {
    (b - a).cross(&(c - a)).normalize().dot(&a.coords)
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::shape::Mesh;

    /// Checks that a soup is closed, outward and convex: every corner is behind the plane of every
    /// triangle.
    fn checked(soup: &Soup) -> Mesh<f64> {
        let mesh: Mesh<f64> = soup.mesh().expect("a mesh");
        assert!(mesh.open_edges().is_empty() && mesh.volume() > 0.0);
        for [a, b, c] in &soup.0 {
            let normal = (b - a).cross(&(c - a)).normalize();
            assert!(mesh.vertices().iter().all(|v| normal.dot(&(v - a)) < 1e-12));
        }
        mesh
    }

    pub fn the_hull_of_a_cylinder_contains_it_and_is_half_a_percent_larger() {
        let soup = cylinder(2.0, 6.0);
        let mesh = checked(&soup);
        assert_eq!(mesh.triangles().len(), 124);
        for [a, b, c] in &soup.0 {
            let normal = (b - a).cross(&(c - a)).normalize();
            // The farthest point of the true cylinder along the normal.
            let reach = 2.0 * normal.xy().norm() + 3.0 * normal.z.abs();
            assert!(normal.dot(&a.coords) >= reach);
        }
        let reach = mesh.vertices().iter().map(|v| v.coords.xy().norm()).fold(0.0, f64::max);
        assert!(reach < 2.0 * 1.0049, "{reach}");
    }

    pub fn the_hull_of_a_sphere_contains_it_and_is_two_percent_larger() {
        let soup = sphere(3.0);
        let mesh = checked(&soup);
        assert_eq!(mesh.triangles().len(), 512);
        assert!(soup.0.iter().all(|face| plane_distance(face) >= 3.0));
        let reach = mesh.vertices().iter().map(|v| v.coords.norm()).fold(0.0, f64::max);
        assert!(reach < 3.0 * 1.02, "{reach}");
    }

    pub fn a_box_is_itself() {
        let mesh = checked(&cuboid(Vector3::new(1.0, 2.0, 3.0)));
        assert_eq!((mesh.triangles().len(), mesh.volume()), (12, 48.0));
    }
}
