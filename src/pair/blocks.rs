//! Closest points of two boxes, of which one is oriented.

use super::block::{Block, clamped, nearest_share};
use super::facing::Facing;
use super::near::{Between, Near};
use crate::num::linear::{add, dot, relative, scale, sub, turn, turn_back};
use crate::shape::WideObb;

impl Between<Block> for Block {
    /// An edge of either and the other box: corners are ends of edges, and boxes that overlap have an edge in the other.
    fn near(&self, other: &Block) -> Near {
        let first = self.cut_for(other);
        let origin = first.homed().center;
        let (a, b) = (first.about(origin), other.about(origin));
        let best = edges(&b, &a, Near::new([0.0; 3], [f64::INFINITY; 3])).reversed();
        let best = if best.squared > 0.0 { edges(&a, &b, best) } else { best };
        Near { on_a: add(best.on_a, origin), ..best }
    }

    fn meets(&self, other: &Block) -> bool {
        let first = self.cut_for(other);
        let origin = first.homed().center;
        let (a, b) = (first.about(origin), other.about(origin));
        let share = if self.share > other.share { self.share } else { other.share };
        !Facing::new(&a, &b).apart(share * (a.radius() + b.radius()))
    }

    /// The verdict has a slack, and so has to be asked.
    fn surely_apart(&self, _: &Block, _: &Near) -> bool {
        false
    }
}

/// The edges of the first against the second, if they are nearer than `best`, which is from the first too.
fn edges(lines: &WideObb, solid: &WideObb, mut best: Near) -> Near {
    let turned = relative(&solid.axes, &lines.axes);
    let center = turn_back(&solid.axes, sub(lines.center, solid.center));
    let (h, high) = (lines.half_extents, solid.half_extents);
    let low = high.map(|h| -h);
    for k in 0..3 {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let half = scale(turned[k], h[k]);
        // Those that face the other first: they leave the others no chance.
        let facing = |axis: usize| if dot(turned[axis], center) > 0.0 { -1.0 } else { 1.0 };
        let (u, v) = (facing(i), facing(j));
        for (s, t) in [(u, v), (-u, v), (u, -v), (-u, -v)] {
            let aside = add(scale(turned[i], s * h[i]), scale(turned[j], t * h[j]));
            let middle = add(center, aside);
            let least = [0, 1, 2].map(|n| {
                let out = middle[n].abs() - half[n].abs() - high[n];
                if out > 0.0 { out } else { 0.0 }
            });
            if dot(least, least) >= best.squared {
                continue;
            }
            let (p, d) = (sub(middle, half), scale(half, 2.0));
            let local = add(p, scale(d, nearest_share(p, d, low, high)));
            let way = sub(clamped(local, low, high), local);
            if dot(way, way) < best.squared {
                let on_line = add(solid.center, turn(&solid.axes, local));
                best = Near::new(on_line, turn(&solid.axes, way));
            }
        }
    }
    best
}
