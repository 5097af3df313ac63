//! Segment on a straight way past a flat convex outline, in double precision: its distance at any
//! time, and the time of the minimum.

use boxwood::num::Scalar;

use crate::plain_box::{V, minus, norm, outer, plus, times};
use crate::triangle_distance::segment_triangle;

/// Moving segment with a radius, and a static outline of corners.
#[derive(Clone, Debug)]
pub struct Way {
    pub core: [V; 2],
    pub radius: f64,
    pub by: V,
    pub corners: Vec<V>,
}

/// Smaller part of a length in the golden ratio.
const LESSER: f64 = 0.381_966_011_250_105_1;

impl Way {
    /// Computes the distance of the core from the outline at a time.
    pub fn distance(&self, time: f64) -> f64 {
        let [a, b] = self.core.map(|p| plus(p, times(self.by, time)));
        // Relative to one end, for precision far out.
        let line = [[0.0; 3], minus(b, a)];
        let fans = (1..self.corners.len() - 1).map(|i| [0, i, i + 1]);
        let placed = fans.map(|fan| fan.map(|k| minus(self.corners[k], a)));
        placed.map(|fan| segment_triangle(line, fan)).fold(f64::MAX, f64::min)
    }

    /// Returns the time of 0..=1 at which they are closest: the distance is convex along the way.
    ///
    /// By golden section, until the core moves less between the ends than a hundredth of the least
    /// [`Way::noise`].
    pub fn closest(&self) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        let (speed, enough) = (norm(self.by), 1e-16 * self.size());
        let [mut a, mut b] = [LESSER, 1.0 - LESSER];
        let [mut f, mut g] = [a, b].map(|time| self.distance(time));
        while (high - low) * speed > enough && low < a && a < b && b < high {
            // Both pierced: anywhere in between.
            if f <= g {
                (high, b, g) = (b, a, f);
                a = low + LESSER * (high - low);
                f = self.distance(a);
            } else {
                (low, a, f) = (a, b, g);
                b = high - LESSER * (high - low);
                g = self.distance(b);
            }
        }
        let ends = [0.0, 1.0, 0.5 * (low + high)];
        let measured = ends.map(|time| (self.distance(time), time));
        let better = |x: (f64, f64), y: (f64, f64)| if y.0 < x.0 { y } else { x };
        measured.into_iter().reduce(better).expect("three").1
    }

    /// Returns `true` if the core is nowhere on the way nearer than a distance. Most ways are
    /// decided by the distance in their middle: no point moves farther from there than half of it.
    pub fn stays_beyond(&self, least: f64) -> bool {
        self.distance(0.5) - 0.5 * norm(self.by) - self.noise() > least
            || self.distance(self.closest()) >= least
    }

    /// Returns a bound on all lengths.
    pub fn size(&self) -> f64 {
        let away = self.corners.iter().map(|&c| norm(minus(c, self.core[0])));
        away.fold(0.0, f64::max)
            + norm(minus(self.core[1], self.core[0]))
            + self.radius
            + norm(self.by)
    }

    /// Returns the rounding error of [`Way::distance`]. The plane of a sliver is uncertain, but its
    /// edges bound the effect by its width.
    pub fn noise(&self) -> f64 {
        let size = self.size();
        let fans = (1..self.corners.len() - 1).map(|i| [0, i, i + 1].map(|k| self.corners[k]));
        let tilt = fans.map(|[a, b, c]| {
            let edges = [minus(b, a), minus(c, b), minus(a, c)];
            let longest = edges.iter().map(|&e| norm(e)).fold(0.0, f64::max);
            let width = norm(outer(edges[0], edges[1])) / longest;
            if width > 0.0 { width.min(1e-15 * size * size / width) } else { 0.0 }
        });
        2e-14 * size + tilt.fold(0.0, f64::max)
    }

    /// Rounds to `T`, so that query and oracle have the same numbers.
    pub fn stored<T: Scalar>(mut self) -> Self {
        let near = |v: V| v.map(|x| T::nearest(x).wide());
        self.core = self.core.map(near);
        self.radius = T::nearest(self.radius).wide();
        self.by = near(self.by);
        self.corners.iter_mut().for_each(|c| *c = near(*c));
        self
    }
}
