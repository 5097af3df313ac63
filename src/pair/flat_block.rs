//! Boxes against points, segments and triangles: closest points and overlap.

use super::block::{Block, clamped, nearest_share};
use super::near::{Between, Line, Near};
use super::point::Face;
use super::triangles::Corners;
use crate::num::exact::exact;
use crate::num::linear::{Vec3, add, dot, scale, sub};
use crate::sat::box_triangle::{box_segment, local_triangle};
use crate::sat::exact_boxes::Body;
use crate::shape::clamp_to_unit;

impl Between<Block> for Vec3 {
    #[inline]
    fn near(&self, block: &Block) -> Near {
        block.from(*self, block.local(*self))
    }
    fn meets(&self, block: &Block) -> bool {
        let near = self.near(block);
        !self.surely_apart(block, &near) && meets(&[*self; 3], block)
    }
}

impl Between<Block> for Line {
    #[inline]
    fn near(&self, block: &Block) -> Near {
        let home = block.homed();
        let along = sub(self[1], self[0]);
        let (p, d) = (home.local(self[0]), home.along(along));
        let t = nearest_share(p, d, home.low, home.high);
        home.from(add(self[0], scale(along, t)), add(p, scale(d, t)))
    }

    #[inline]
    fn meets(&self, block: &Block) -> bool {
        let (local, half, slack) = seen(self, block);
        box_segment(&local, half, slack)
            .unwrap_or_else(|| meets(&[self[0], self[1], self[1]], block))
    }

    #[inline]
    fn apart(&self, block: &Block) -> Option<Near> {
        (!self.meets(block)).then(|| self.near(block))
    }
}

impl Between<Block> for Corners {
    /// Tests three features: an edge of the triangle against the box, a corner of the box against
    /// the inside of the triangle, and the box piercing the inside.
    fn near(&self, block: &Block) -> Near {
        let face = Face::new(self);
        let home = block.homed();
        let local = self.map(|p| home.local(p));
        let best = nearest_edge(self, &local, &home);
        if best.squared == 0.0 {
            return best;
        }
        let normal = home.along(face.normal);
        let height = |corner: Vec3| dot(normal, sub(corner, local[0]));
        let pick = |up: bool| {
            [0, 1, 2].map(|i| if (normal[i] > 0.0) == up { home.high[i] } else { home.low[i] })
        };
        let placed = |local: Vec3| add(home.center, home.turned(local));
        let ends = [pick(false), pick(true)];
        let [lowest, highest] = ends.map(height);
        if lowest <= 0.0 && highest >= 0.0 {
            // No edge is in the box, so the section of the plane with the box lies wholly inside or
            // wholly outside the triangle.
            let share = clamp_to_unit(lowest / (lowest - highest));
            let point = placed(add(ends[0], scale(sub(ends[1], ends[0]), share)));
            let outside = face.outside(point).contains(&true);
            return if outside { best } else { Near::common(point) };
        }
        let corner = placed(if lowest > 0.0 { ends[0] } else { ends[1] });
        face.foot(corner).map_or(best, |near| best.or(near.reversed()))
    }

    #[inline]
    fn meets(&self, block: &Block) -> bool {
        meets(self, block)
    }

    #[inline]
    fn apart(&self, block: &Block) -> Option<Near> {
        (!self.meets(block)).then(|| self.near(block))
    }
}

/// Returns points in the frame of the box centre, the half extents, and a bound on the error of
/// both from rounding and axes that are not quite orthogonal.
#[inline]
fn seen<const N: usize>(points: &[Vec3; N], block: &Block) -> ([Vec3; N], Vec3, f64) {
    let (local, half, off) = if block.aligned {
        let middle = scale(add(block.low, block.high), 0.5);
        let (down, up) = (sub(middle, block.low), sub(block.high, middle));
        let half = [0, 1, 2].map(|i| if up[i] > down[i] { up[i] } else { down[i] });
        (points.map(|p| sub(p, middle)), half, sum(sub(up, down)))
    } else {
        (points.map(|p| block.local(p)), block.high, 0.0)
    };
    let far = local.iter().map(|&p| sum(p)).fold(0.0, |most, x| if x > most { x } else { most });
    (local, half, block.share * (sum(half) + far) + off)
}

/// Returns the sum of the absolute coordinates, an upper bound on the length.
#[inline]
fn sum(v: Vec3) -> f64 {
    v[0].abs() + v[1].abs() + v[2].abs()
}

/// Returns `true` if a box shares a point with a triangle, segment or point, given by three
/// corners. Separating axes decide first, exact arithmetic what rounding leaves open.
pub(super) fn meets(corners: &Corners, block: &Block) -> bool {
    let (local, half, slack) = seen(corners, block);
    local_triangle(&local, half, slack).unwrap_or_else(|| exactly(corners, block))
}

#[cold]
fn exactly(corners: &Corners, block: &Block) -> bool {
    let Block { center, low, high, .. } = *block;
    let solid = Body::block(&exact(center), block.axes().map(exact), low, high);
    solid.meets(&Body::triangle(corners.map(exact)))
}

/// Returns the closest points of the triangle edges and the box; `local` are the corners in the
/// frame of the box.
#[inline]
fn nearest_edge(corners: &Corners, local: &Corners, block: &Block) -> Near {
    let (low, high) = (block.low, block.high);
    let (mut best, mut least) = ((0, 0.0, [0.0; 3]), f64::INFINITY);
    for i in 0..3 {
        let (p, q) = (local[i], local[(i + 1) % 3]);
        let aside = [0, 1, 2].map(|n| {
            let (from, to) = if p[n] < q[n] { (p[n], q[n]) } else { (q[n], p[n]) };
            let out = if from > high[n] { from - high[n] } else { low[n] - to };
            if out > 0.0 { out } else { 0.0 }
        });
        if dot(aside, aside) >= least {
            continue;
        }
        let d = sub(q, p);
        let t = nearest_share(p, d, low, high);
        let at = add(p, scale(d, t));
        let way = sub(clamped(at, low, high), at);
        if dot(way, way) < least {
            (best, least) = ((i, t, way), dot(way, way));
        }
    }
    let (i, t, way) = best;
    let along = sub(corners[(i + 1) % 3], corners[i]);
    Near::new(add(corners[i], scale(along, t)), block.turned(way))
}
