//! Tree of boxes over brushes, for the broad phase.

use crate::num::linear::Vec3;

/// Axis-aligned box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub min: Vec3,
    pub max: Vec3,
}

const MAX_LEAF_BOXES: usize = 4;

/// Binary tree, split at the median of the longest axis of the centres; built once.
#[derive(Debug, Clone, Default)]
pub(crate) struct BoundsTree {
    nodes: Vec<BoundsNode>,
    /// Boxes with their owners, in the order of the leaves.
    boxes: Vec<(Bounds, u32)>,
}

#[derive(Debug, Clone, Copy)]
struct BoundsNode {
    bounds: Bounds,
    /// Second child of an inner node (the first follows the node); first box of a leaf.
    next: u32,
    /// Number of boxes of a leaf; 0 for an inner node.
    count: u32,
}

impl Bounds {
    pub const EMPTY: Bounds = Bounds { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] };

    /// Bounds of everything a cylinder can touch.
    pub const UNBOUNDED: Bounds = Bounds { min: [-1e300; 3], max: [1e300; 3] };

    #[inline(always)]
    pub fn overlaps(&self, other: &Bounds) -> bool {
        (0..3).all(|i| self.min[i] <= other.max[i] && other.min[i] <= self.max[i])
    }

    pub fn merged(&self, other: &Bounds) -> Bounds {
        let lesser = |i: usize| if other.min[i] < self.min[i] { other.min[i] } else { self.min[i] };
        let greater =
            |i: usize| if other.max[i] > self.max[i] { other.max[i] } else { self.max[i] };
        Bounds { min: std::array::from_fn(lesser), max: std::array::from_fn(greater) }
    }

    /// Returns the bounds of the sweep of a box with these half extents.
    pub fn swept(start: Vec3, way: Vec3, half: Vec3) -> Bounds {
        let end: Vec3 = std::array::from_fn(|i| start[i] + way[i]);
        let low = |i: usize| if end[i] < start[i] { end[i] } else { start[i] };
        let high = |i: usize| if end[i] > start[i] { end[i] } else { start[i] };
        Bounds {
            min: std::array::from_fn(|i| low(i) - half[i]),
            max: std::array::from_fn(|i| high(i) + half[i]),
        }
    }

    pub fn moved(&self, by: Vec3) -> Bounds {
        Bounds {
            min: std::array::from_fn(|i| self.min[i] + by[i]),
            max: std::array::from_fn(|i| self.max[i] + by[i]),
        }
    }

    pub fn grown(&self, by: f64) -> Bounds {
        Bounds { min: self.min.map(|x| x - by), max: self.max.map(|x| x + by) }
    }

    fn longest_axis(&self) -> usize {
        let size = |i: usize| self.max[i] - self.min[i];
        (1..3).fold(0, |best, i| if size(i) > size(best) { i } else { best })
    }
}

impl BoundsTree {
    pub fn new(mut boxes: Vec<(Bounds, u32)>) -> BoundsTree {
        let mut nodes = Vec::new();
        if !boxes.is_empty() {
            append_subtree(&mut boxes, 0, &mut nodes);
        }
        BoundsTree { nodes, boxes }
    }

    /// Calls `found` with the owner of every box that overlaps.
    #[inline]
    pub fn visit(&self, bounds: &Bounds, mut found: impl FnMut(u32)) {
        if self.nodes.is_empty() {
            return;
        }
        // Median splits halve the count, so no path is longer than its number of bits.
        let (mut stack, mut held) = ([0u32; 64], 1);
        while held > 0 {
            held -= 1;
            let index = stack[held] as usize;
            let node = &self.nodes[index];
            if !node.bounds.overlaps(bounds) {
                continue;
            }
            if node.count == 0 {
                stack[held] = node.next;
                stack[held + 1] = index as u32 + 1;
                held += 2;
                continue;
            }
            let start = node.next as usize;
            for (own, owner) in &self.boxes[start..start + node.count as usize] {
                if own.overlaps(bounds) {
                    found(*owner);
                }
            }
        }
    }
}

/// Appends the subtree of some boxes, the first of which has index `start`.
fn append_subtree(boxes: &mut [(Bounds, u32)], start: usize, nodes: &mut Vec<BoundsNode>) {
    let bounds = boxes.iter().fold(Bounds::EMPTY, |all, (own, _)| all.merged(own));
    let index = nodes.len();
    if boxes.len() <= MAX_LEAF_BOXES {
        nodes.push(BoundsNode { bounds, next: start as u32, count: boxes.len() as u32 });
        return;
    }
    let center = |own: &Bounds, axis: usize| own.min[axis] + own.max[axis];
    let centers = boxes.iter().fold(Bounds::EMPTY, |all, (own, _)| {
        let at = std::array::from_fn(|axis| center(own, axis));
        all.merged(&Bounds { min: at, max: at })
    });
    let axis = centers.longest_axis();
    let middle = boxes.len() / 2;
    boxes.select_nth_unstable_by(middle, |a, b| {
        center(&a.0, axis).total_cmp(&center(&b.0, axis)).then(a.1.cmp(&b.1))
    });
    nodes.push(BoundsNode { bounds, next: 0, count: 0 });
    let (low, high) = boxes.split_at_mut(middle);
    append_subtree(low, start, nodes);
    nodes[index].next = nodes.len() as u32;
    append_subtree(high, start + middle, nodes);
}
