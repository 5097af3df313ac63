//! Bodies through elliptical rings, as fields.

use nalgebra::Vector3;

/// Direction of the sequence of rings, from the joint; the figure faces +Z, its left is +X.
#[derive(Clone, Copy)]
pub enum Along {
    /// Rings from the joint upwards.
    Up,
    /// Rings from the joint downwards.
    Down,
    /// Rings from heel to toe; their third and fourth extent are up and down.
    Forward,
    /// Rings from the mid-line to the left; their first and second extent are up and down.
    Out,
}

/// Distance from the joint, then extent of the ring from the bone to the outside, inside, front and
/// back [cm on a person of 1.75 m].
pub type Ring = [f64; 5];

/// Displacement of the skin within `radius` of `at` by up to `pull`: a nose, a thumb [cm in the
/// frame of the joint].
pub struct Bump {
    pub at: [f64; 3],
    pub radius: f64,
    pub pull: [f64; 3],
}

/// A tube through rings, rounded at both ends.
pub struct Loft<'a> {
    pub along: Along,
    /// Exponent of the rings: 2 is an ellipse, more is boxier.
    pub power: f64,
    pub rings: &'a [Ring],
    /// Heights of the rounded ends, before the first ring and after the last one [cm].
    pub domes: [f64; 2],
    pub bumps: &'a [Bump],
}

/// A point relative to a body.
#[derive(Clone, Copy)]
pub struct BodyPoint {
    /// Distance from the bone in body radii: 1 on the surface.
    pub radii: f64,
    /// Distance from the surface along the ray from the bone, negative inside [cm].
    pub distance: f64,
}

impl Loft<'_> {
    /// Returns a point of the joint's frame relative to the body [cm].
    pub fn sees(&self, point: Vector3<f64>) -> BodyPoint {
        let [distance, a, b] = self.along.split(self.unbumped(point));
        let (first, last) = (&self.rings[0], &self.rings[self.rings.len() - 1]);
        let within = distance.clamp(first[0], last[0]);
        let beyond = distance - within;
        let [_, outside, inside, front, back] = self.ring(within);
        let (middle, half) = split(outside, inside);
        let (a, a_half) = (a - middle, half);
        let (middle, half) = split(front, back);
        let (b, b_half) = (b - middle, half);
        let across = (a / a_half).abs().powf(self.power) + (b / b_half).abs().powf(self.power);
        let past = beyond / self.domes[usize::from(beyond > 0.0)];
        let radii = across.powf(2.0 / self.power) + past * past;
        let radii = radii.sqrt();
        let far = Vector3::new(a, b, beyond).norm();
        // All directions are equal on the bone.
        let surface = if radii < 1e-6 { a_half.min(b_half) } else { far / radii };
        BodyPoint { radii, distance: far - surface }
    }

    /// Ring at a distance, interpolated linearly between those of the table.
    fn ring(&self, distance: f64) -> Ring {
        let next = self.rings.partition_point(|ring| ring[0] < distance);
        let next = next.clamp(1, self.rings.len() - 1);
        let (a, b) = (self.rings[next - 1], self.rings[next]);
        let share = (distance - a[0]) / (b[0] - a[0]);
        std::array::from_fn(|i| a[i] + share * (b[i] - a[i]))
    }

    /// Returns the point before the bumps displace it.
    fn unbumped(&self, point: Vector3<f64>) -> Vector3<f64> {
        let mut at = point;
        for bump in self.bumps {
            // The bump displaces points: its influence is centred half its pull away.
            let pull = Vector3::from(bump.pull);
            let off = (point - Vector3::from(bump.at) - 0.5 * pull).norm() / bump.radius;
            at -= pull * (1.0 - off * off).max(0.0);
        }
        at
    }
}

impl Along {
    /// Coordinates of a point along the bone, to the outside (or up), and to the front (or up).
    fn split(self, point: Vector3<f64>) -> [f64; 3] {
        let [x, y, z] = point.into();
        match self {
            Along::Up => [y, x, z],
            Along::Down => [-y, x, z],
            Along::Forward => [z, x, y],
            Along::Out => [x, y, z],
        }
    }
}

/// Centre of two opposite extents, and half their span.
fn split(reach: f64, counter: f64) -> (f64, f64) {
    ((reach - counter) / 2.0, (reach + counter) / 2.0)
}
