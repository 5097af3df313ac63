//! Box of the oracles: plain double precision and independent arithmetic.

use boxwood::num::Scalar;
use boxwood::shape::{Aabb, Obb};

/// Vector or point.
pub type V = [f64; 3];

/// Parallelepiped `center + sum s_i half_i axes_i`, `|s_i| <= 1`, exactly as stored.
#[derive(Clone, Copy, Debug)]
pub struct PlainBox {
    pub center: V,
    pub axes: [V; 3],
    pub half: V,
}

impl PlainBox {
    /// Widens a stored box, which is exact.
    pub fn of<T: Scalar>(stored: &Obb<T>) -> PlainBox {
        let (c, m, h) = (stored.center(), stored.axes(), stored.half_extents());
        PlainBox {
            center: std::array::from_fn(|i| c[i].wide()),
            axes: std::array::from_fn(|j| std::array::from_fn(|i| m[(i, j)].wide())),
            half: std::array::from_fn(|i| h[i].wide()),
        }
    }

    /// Returns an aligned box, up to the rounding of its middle.
    pub fn of_aabb<T: Scalar>(stored: &Aabb<T, 3>) -> PlainBox {
        let (low, high) = (stored.min, stored.max);
        PlainBox {
            center: std::array::from_fn(|i| 0.5 * (low[i].wide() + high[i].wide())),
            axes: UPRIGHT,
            half: std::array::from_fn(|i| 0.5 * (high[i].wide() - low[i].wide())),
        }
    }

    pub fn moved(mut self, by: V) -> PlainBox {
        self.center = plus(self.center, by);
        self
    }

    /// Returns half the main diagonal.
    pub fn radius(&self) -> f64 {
        // Scaled, so that boxes of 1e-200 have one too.
        let most = self.half.iter().fold(0.0, |m: f64, &h| m.max(h));
        if most == 0.0 { 0.0 } else { most * norm(times(self.half, 1.0 / most)) }
    }

    /// Returns the corner whose bits choose the end of each axis, relative to `origin`.
    pub fn corner(&self, bits: usize, origin: V) -> V {
        let mut corner = minus(self.center, origin);
        for i in 0..3 {
            let sign = if bits >> i & 1 == 1 { self.half[i] } else { -self.half[i] };
            corner = plus(corner, times(self.axes[i], sign));
        }
        corner
    }

    pub fn corners(&self, origin: V) -> [V; 8] {
        std::array::from_fn(|bits| self.corner(bits, origin))
    }

    /// Returns the twelve edges by their ends.
    pub fn edges(&self, origin: V) -> [[V; 2]; 12] {
        let corners = self.corners(origin);
        let mut edges = [[[0.0; 3]; 2]; 12];
        let ends = (0..8).flat_map(|low| (0..3).map(move |axis| (low, low | 1 << axis)));
        let pairs = ends.filter(|(low, high)| low != high);
        edges.iter_mut().zip(pairs).for_each(|(e, (l, h))| *e = [corners[l], corners[h]]);
        edges
    }

    /// Computes the distance of a point, assuming right angles between the axes: 0 inside.
    pub fn distance(&self, point: V) -> f64 {
        let from = minus(point, self.center);
        norm([0, 1, 2].map(|i| (inner(self.axes[i], from).abs() - self.half[i]).max(0.0)))
    }

    /// Computes the distance of a point outside the slab of each axis, at least minus the half
    /// extent.
    pub fn excess(&self, point: V) -> f64 {
        let from = minus(point, self.center);
        (0..3).map(|i| inner(self.axes[i], from).abs() - self.half[i]).fold(f64::MIN, f64::max)
    }
}

/// Returns the sum of those points of a lattice over the first of two boxes that are within the
/// second, and their number; `lines` points lie along each axis.
pub fn sampled_overlap([first, second]: [PlainBox; 2], lines: usize) -> (V, u32) {
    let (mut sum, mut count) = ([0.0; 3], 0);
    for index in 0..lines.pow(3) {
        let mut point = first.center;
        for (axis, place) in
            [index % lines, index / lines % lines, index / lines.pow(2)].iter().enumerate()
        {
            let along = (2 * place + 1) as f64 / lines as f64 - 1.0;
            point = plus(point, times(first.axes[axis], along * first.half[axis]));
        }
        if second.excess(point) <= 0.0 {
            (sum, count) = (plus(sum, point), count + 1);
        }
    }
    (sum, count)
}

/// Coordinate axes.
pub const UPRIGHT: [V; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

pub fn plus(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn minus(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn times(a: V, s: f64) -> V {
    [a[0] * s, a[1] * s, a[2] * s]
}

pub fn inner(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn outer(a: V, b: V) -> V {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j] * b[k] - a[k] * b[j]
    })
}

pub fn norm(a: V) -> f64 {
    inner(a, a).sqrt()
}
