//! Nodes, primitives and rays of a scene by parry3d's shapes.

use std::collections::BTreeMap;

use crate::parry::Peer;
use crate::placed_scenes::Place;
use crate::plain_box::{PlainBox, V, inner, minus};
use crate::triangle_distance::solid_angle;

impl Peer {
    /// Returns `true` if the two touch; `None` if they are closer to touching than the band.
    pub fn meets(&self, other: &Peer, band: f64) -> Option<bool> {
        let distance = self.distance(other);
        if distance > 0.0 {
            return (distance > band).then_some(false);
        }
        let depth = self.depth(other).unwrap_or(f64::INFINITY);
        (depth > band).then_some(true)
    }

    /// Returns `true` if both boxes of a node are touched.
    pub fn meets_both(&self, both: &[PlainBox; 2], band: f64) -> Option<bool> {
        match both.map(|block| self.meets(&Peer::solid(&block), band)) {
            [Some(false), _] | [_, Some(false)] => Some(false),
            [Some(true), Some(true)] => Some(true),
            _ => None,
        }
    }

    /// Returns the verdict for each leaf: `true` if any primitive of it is touched.
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
}

/// Returns the distance of the line inside all three edges of the triangle, in units, negative
/// outside; and the sine of the angle.
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

/// Returns the interval of the line inside all boxes; reversed if empty.
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

/// Returns the time at which a ray first hits each leaf, and the leaves that it hits too near an
/// edge to decide: among primitives of about that size, within that band.
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

/// Returns `true` if a point is inside the closed surface of a part.
pub fn is_inside(from: V, key: (usize, usize), triangles: &[(Place, [V; 3])]) -> bool {
    let of_part = triangles.iter().filter(|((at, part, _), _)| (*at, *part) == key);
    of_part.map(|(_, corners)| solid_angle(from, *corners)).sum::<f64>().abs() > 6.3
}
