//! Closest points of two boxes, of which one is oriented.

use super::axes::Axes;
use super::block::{Block, clamped, nearest_share};
use super::near::{Between, Near};
use crate::num::linear::{
    Mat3, Vec3, add, dot, length, relative, scale, spread, sub, turn, turn_back,
};
use crate::shape::WideObb;

impl Between<Block> for Block {
    fn near(&self, other: &Block) -> Near {
        Both::new(self, other).near()
    }

    #[inline]
    fn meets(&self, other: &Block) -> bool {
        !Both::new(self, other).apart(greater(self.share, other.share))
    }

    /// The verdict has a slack, and so has to be asked.
    fn surely_apart(&self, _: &Block, _: &Near) -> bool {
        false
    }

    fn apart(&self, other: &Block) -> Option<Near> {
        let both = Both::new(self, other);
        both.apart(greater(self.share, other.share)).then(|| both.near())
    }

    fn told(&self, other: &Block) -> (Near, bool) {
        let both = Both::new(self, other);
        (both.near(), both.apart(greater(self.share, other.share)))
    }
}

fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Two boxes and where they are.
pub(super) struct Both<'a> {
    centers: [Vec3; 2],
    axes: [&'a Mat3; 2],
    /// The second seen from the first.
    facing: Facing,
}

/// One box in the frame of another.
#[derive(Clone, Copy)]
struct Facing {
    /// The axes of the other.
    axes: Mat3,
    /// Its centre.
    center: Vec3,
    /// Half sizes of the own box and of the other.
    own: Vec3,
    half: Vec3,
}

impl<'a> Both<'a> {
    #[inline(always)]
    fn new(first: &'a Block, second: &'a Block) -> Self {
        let (facing, center) = Facing::new(first, second);
        Both { centers: [center, second.center], axes: [first.axes(), second.axes()], facing }
    }

    /// Two oriented boxes as they are stored.
    #[inline(always)]
    pub fn oriented(first: &'a WideObb, second: &'a WideObb) -> Self {
        let facing = Facing {
            axes: relative(&first.axes, &second.axes),
            center: turn_back(&first.axes, sub(second.center, first.center)),
            own: first.half_extents,
            half: second.half_extents,
        };
        let centers = [first.center, second.center];
        Both { centers, axes: [&first.axes, &second.axes], facing }
    }

    /// Whether the 15 axes tell the two apart by more than that share of the sizes.
    #[inline(always)]
    pub fn apart(&self, share: f64) -> bool {
        let Facing { axes, center, own, half } = self.facing;
        Axes::new(axes).apart(center, own, half, share * (length(own) + length(half)))
    }

    /// A corner and the other box, or two edges: tried from where the faces leave most between, until a way is found along which the
    /// boxes are as far apart as that way is long, which no shorter one can be. Without luck all edges are.
    pub fn near(&self) -> Near {
        let turned = self.facing.turned();
        let [first, second] = [self.facing.gaps(), turned.gaps()];
        let own = dot(first, first) >= dot(second, second);
        let (mut way, mut own) = if own { (first, true) } else { (second, false) };
        if way == [0.0; 3] {
            if let Some(point) = self.facing.common() {
                return self.placed(Near::common(point), true);
            }
            (way, own) = (self.facing.center, true);
        }
        for _ in 0..TRIES {
            let facing = if own { &self.facing } else { &turned };
            let (found, sure) = facing.try_along(way);
            if sure {
                return self.placed(found, own);
            }
            let other = if own { &self.facing.axes } else { &turned.axes };
            way = scale(turn_back(other, found.offset), -1.0);
            own = !own;
        }
        self.by_all_edges(&turned)
    }

    /// An edge of either and the other box: corners are ends of edges, and boxes that overlap have an edge in the other.
    #[cold]
    fn by_all_edges(&self, turned: &Facing) -> Near {
        let first = self.facing.by_all_edges(f64::INFINITY);
        let least = first.map_or(f64::INFINITY, |near| near.squared);
        if least == 0.0 {
            return self.placed(first.unwrap_or(Near::common([0.0; 3])), true);
        }
        match turned.by_all_edges(least) {
            Some(second) => self.placed(second, false),
            None => self.placed(first.unwrap_or(Near::common([0.0; 3])), true),
        }
    }

    /// What was found in the frame of the first, or of the second.
    #[inline]
    fn placed(&self, near: Near, own: bool) -> Near {
        let i = usize::from(!own);
        let on_it = add(self.centers[i], turn(self.axes[i], near.on_a));
        let placed = Near { on_a: on_it, offset: turn(self.axes[i], near.offset), ..near };
        if own { placed } else { placed.reversed() }
    }
}

/// How often closest points are tried before all edges are.
const TRIES: usize = 4;

/// How often a common point is looked for before all edges are.
const STEPS: usize = 8;

/// By how much a way may be longer than the boxes are apart along it, as a share of the sizes and distance: a few roundings.
const LONGER: f64 = 1.0 / (1u64 << 48) as f64;

impl Facing {
    /// The second box seen from the first, and where the first is.
    #[inline(always)]
    fn new(first: &Block, second: &Block) -> (Self, Vec3) {
        if !first.aligned {
            let facing = Facing {
                axes: relative(first.axes(), second.axes()),
                center: turn_back(first.axes(), sub(second.center, first.center)),
                own: first.high,
                half: second.high,
            };
            return (facing, first.center);
        }
        let first = first.cut_for(second);
        // From the other's middle, so that what is near is small.
        let (down, up) = (sub(first.low, second.center), sub(first.high, second.center));
        let middle = scale(add(down, up), 0.5);
        let facing = Facing {
            axes: *second.axes(),
            center: scale(middle, -1.0),
            own: scale(sub(up, down), 0.5),
            half: second.high,
        };
        (facing, add(second.center, middle))
    }

    /// The own box seen from the other.
    #[inline]
    fn turned(&self) -> Self {
        let [x, y, z] = &self.axes;
        let axes = [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]];
        let center = scale(turn_back(&self.axes, self.center), -1.0);
        Facing { axes, center, own: self.half, half: self.own }
    }

    /// How far the other is beyond each pair of the own faces, with the sign of the side; 0 where it is between.
    #[inline]
    fn gaps(&self) -> Vec3 {
        let around = spread(&self.axes, self.half);
        [self.gap(0, around), self.gap(1, around), self.gap(2, around)]
    }

    #[inline(always)]
    fn gap(&self, i: usize, around: Vec3) -> f64 {
        let gap = self.center[i].abs() - self.own[i] - around[i];
        let beyond = if gap > 0.0 { gap } else { 0.0 };
        if self.center[i] > 0.0 { beyond } else { -beyond }
    }

    /// A point of both, if going to and fro between the two comes upon one soon.
    /// Source: von Neumann's alternating projections; Bauschke, Borwein, On Projection Algorithms for Solving Convex Feasibility
    /// Problems (1996).
    fn common(&self) -> Option<Vec3> {
        let mut at = self.center;
        for _ in 0..STEPS {
            let on_own = clamped(at, scale(self.own, -1.0), self.own);
            let local = turn_back(&self.axes, sub(on_own, self.center));
            let inside = clamped(local, scale(self.half, -1.0), self.half);
            if inside == local {
                return Some(on_own);
            }
            at = add(self.center, turn(&self.axes, inside));
        }
        None
    }

    /// The corner of the other box that comes first along the way to it, then the three edges there: the closest points, and whether
    /// nothing can be closer.
    #[inline]
    fn try_along(&self, way: Vec3) -> (Near, bool) {
        let steps = [self.step(0, way), self.step(1, way), self.step(2, way)];
        let corner = sub(self.center, add(add(steps[0], steps[1]), steps[2]));
        let mut best = self.from(corner);
        if self.sure(&best) {
            return (best, true);
        }
        for step in steps {
            let along = scale(step, 2.0);
            let t = nearest_share(corner, along, scale(self.own, -1.0), self.own);
            if t > 0.0 {
                best = best.or(self.from(add(corner, scale(along, t))));
            }
        }
        (best, self.sure(&best))
    }

    /// Half an edge of the other box, along the way.
    #[inline(always)]
    fn step(&self, j: usize, way: Vec3) -> Vec3 {
        let ahead = dot(self.axes[j], way) > 0.0;
        scale(self.axes[j], if ahead { self.half[j] } else { -self.half[j] })
    }

    /// From the own box to a point.
    #[inline]
    fn from(&self, p: Vec3) -> Near {
        let on_own = clamped(p, scale(self.own, -1.0), self.own);
        Near::new(on_own, sub(p, on_own))
    }

    /// Whether the boxes are as far apart along the way as that is long.
    #[inline]
    fn sure(&self, near: &Near) -> bool {
        let way = near.offset;
        let reach = |axes: &Mat3, half: Vec3| {
            let along = turn_back(axes, way);
            half[0] * along[0].abs() + half[1] * along[1].abs() + half[2] * along[2].abs()
        };
        let own =
            self.own[0] * way[0].abs() + self.own[1] * way[1].abs() + self.own[2] * way[2].abs();
        let other = reach(&self.axes, self.half);
        let between = dot(way, self.center);
        let longer = near.squared - (between - own - other);
        longer <= LONGER * (between + own + other)
    }

    /// The edges of the other against the own box, if one is nearer than that.
    fn by_all_edges(&self, mut least: f64) -> Option<Near> {
        let mut best = None;
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let half = scale(self.axes[k], self.half[k]);
            // Those that face the own box first: they leave the others no chance.
            let facing =
                |axis: usize| if dot(self.axes[axis], self.center) > 0.0 { -1.0 } else { 1.0 };
            let (u, v) = (facing(i), facing(j));
            for (s, t) in [(u, v), (-u, v), (u, -v), (-u, -v)] {
                let aside = add(
                    scale(self.axes[i], s * self.half[i]),
                    scale(self.axes[j], t * self.half[j]),
                );
                let middle = add(self.center, aside);
                let out = [0, 1, 2].map(|n| {
                    let out = middle[n].abs() - half[n].abs() - self.own[n];
                    if out > 0.0 { out } else { 0.0 }
                });
                if dot(out, out) >= least {
                    continue;
                }
                let (p, d) = (sub(middle, half), scale(half, 2.0));
                let t = nearest_share(p, d, scale(self.own, -1.0), self.own);
                let near = self.from(add(p, scale(d, t)));
                if near.squared < least {
                    (best, least) = (Some(near), near.squared);
                }
            }
        }
        best
    }
}
