//! One ray against the characters, their parts, the nodes of their trees.

use std::ops::ControlFlow::{self, Break, Continue};

use super::line::{Line, Met};
use super::queue::{Next, Queue};
use super::struck::Work;
use super::{Beam, Targets, Wanted};
use crate::model::{PartId, Placed};
use crate::num::Scalar;
use crate::num::linear::{Vec3, scale, turn};
use crate::scene::crowd::Behind;
use crate::scene::cull::{Slabs, filled};
use crate::scene::filter::OfOne;
use crate::scene::rows::{BLOCK, Block};
use crate::scene::way::Way;
use crate::scene::{Detail, Report, Snapshot};
use crate::shape::{Pose, wide_point};
use crate::tree::{Accuracy, Geometry, Node, NodeId, ObbTree};

/// What was found, before it is put into an answer: small, because it is sorted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Raw {
    /// Rounded as in the answer. Zero for regions.
    pub t: f64,
    /// Character by order, part, node.
    pub key: [u32; 3],
    /// World; none for a start inside.
    pub normal: Option<Vec3>,
    pub slack: f64,
}

/// Rounding of lengths along a ray seen from the world and from a part. No unit.
const SLANT: f64 = 1.0 / (1u64 << 42) as f64;

/// A search under way.
pub(super) struct Walk<'a, 'w, T: Scalar> {
    pub now: Snapshot<'a, T>,
    pub targets: &'w Targets,
    pub wanted: Wanted,
    pub work: &'w mut Work,
    pub report: &'w mut Report<T>,
    /// The first of what is asked for, where that alone counts.
    best: Option<Raw>,
}

/// A part in place.
pub(super) struct Seat<'a, T: Scalar> {
    pub tree: &'a ObbTree<T>,
    pub pose: &'a Pose<T>,
    pub placed: &'a Placed<T>,
    pub key: [u32; 2],
}

impl<'a, 'w, T: Scalar> Walk<'a, 'w, T> {
    pub fn new(
        now: Snapshot<'a, T>,
        (targets, wanted): (&'w Targets, Wanted),
        work: &'w mut Work,
        report: &'w mut Report<T>,
    ) -> Self {
        work.found.clear();
        Walk { now, targets, wanted, work, report, best: None }
    }

    /// Everything the ray meets that is wanted, in the order of answers.
    pub fn shoot(&mut self, beam: &Beam<T>, one: Option<u32>) {
        let way = Way::new(beam.ray.wide(), beam.end());
        let mut queue = std::mem::take(&mut self.work.queue);
        queue.clear();
        let mut slabs = match one {
            Some(place) => self.only(place, &way, &mut queue),
            None => self.everyone(&way, &mut queue),
        };
        while let Some(next) = queue.pop() {
            if slabs.ends_before(next.near()) {
                break;
            }
            let Some(place) = next.what().as_character() else {
                self.shoot_node(next.what(), &slabs, &mut queue);
                continue;
            };
            if self.shoot_character(&way, place, &slabs).is_break() {
                break;
            }
            if let Some(best) = self.best.filter(|_| self.wanted == Wanted::Closest) {
                slabs.end_at(best.t);
            }
        }
        self.work.queue = queue;
        self.work.found.extend(self.best.take());
        self.work.found.sort_unstable_by(|a, b| a.t.total_cmp(&b.t).then(a.key.cmp(&b.key)));
    }

    /// One character to be looked at.
    fn only(&mut self, place: u32, way: &Way, queue: &mut Queue) -> Slabs {
        self.report.counts.characters += 1;
        let bounds = &self.now.buffers.entries[place as usize].bounds;
        if !bounds.is_empty() {
            queue.push(Next::new(0.0, Behind::character(place)));
        }
        Slabs::new(way, [wide_point(bounds.min), wide_point(bounds.max)])
    }

    /// The root of all characters to be looked at.
    fn everyone(&mut self, way: &Way, queue: &mut Queue) -> Slabs {
        let crowd = self.now.buffers.crowd();
        crowd.root().into_iter().for_each(|root| queue.push(Next::new(0.0, root)));
        Slabs::new(way, crowd.around)
    }

    /// What of a node is to be looked at: the nearest first, or, where that is of no use, the characters in their order.
    fn shoot_node(&mut self, id: Behind, slabs: &Slabs, queue: &mut Queue) {
        let buffers = self.now.buffers;
        let node = buffers.crowd().node(id);
        self.report.counts.characters += BLOCK as u64;
        let mut bits = slabs.meets(buffers.level, &node.boxes, node.len);
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize % BLOCK;
            bits &= bits - 1;
            let near = match self.wanted {
                Wanted::Closest => slabs.near(&node.boxes[0], lane),
                _ => 0.0,
            };
            queue.push(Next::new(near, node.behind[lane]));
        }
    }

    fn shoot_character(&mut self, way: &Way, place: u32, slabs: &Slabs) -> ControlFlow<()> {
        let level = self.now.buffers.level;
        let meets = |rows: &[Block], len| slabs.meets(level, rows, len);
        self.each_part(place, meets, |walk, key| walk.shoot_box(way, key))
    }

    /// Visits the parts of a character, unless it is left out. Where boxes stand side by side `meets` says which of so many come into
    /// question, a bit each; else all do.
    pub(super) fn each_part(
        &mut self,
        place: u32,
        meets: impl Fn(&[Block], usize) -> u64,
        mut visit: impl FnMut(&mut Self, [u32; 2]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.is_excluded(place) {
            return Continue(());
        }
        let (rows, parts) = (self.now.buffers.rows_of(place), self.len(place));
        for first in (0..parts).step_by(64) {
            let len = parts - first;
            let mut bits = if rows.is_empty() { filled(len) } else { meets(rows, len) };
            self.report.counts.parts += len.min(64).next_multiple_of(BLOCK) as u64;
            while bits != 0 {
                let part = first + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                visit(self, [place, part as u32])?;
            }
        }
        Continue(())
    }

    /// A part whose box the ray may meet.
    fn shoot_box(&mut self, way: &Way, key: [u32; 2]) -> ControlFlow<()> {
        let placed = self.placed(key);
        let Some(t) = way.enters(&placed.bounds) else { return Continue(()) };
        if !self.is_behind(t, t * SLANT) && self.includes(key) {
            let seat = self.seat(key);
            let line = Line::new(way, &placed.placement, seat.tree);
            self.shoot_part(&seat, &line, (t == 0.0).then_some(way.from))?;
            if self.wanted == Wanted::All {
                self.work.found.extend(self.best.take());
            }
        }
        Continue(())
    }

    /// Takes note of what was met; breaks where that is enough.
    pub(super) fn take(
        &mut self,
        seat: &Seat<'_, T>,
        node: NodeId,
        (met, slack): (Met, f64),
    ) -> ControlFlow<()> {
        let [place, part] = seat.key;
        let normal = met.normal.map(|normal| turn(&seat.placed.placement.rotation, normal));
        let t = T::nearest(met.t).wide();
        let raw = Raw { t, key: [place, part, node.index() as u32], normal, slack };
        if self.wanted == Wanted::Any || self.takes_boxes() {
            self.work.found.push(raw);
        } else if self.best.is_none_or(|best| (raw.t, raw.key) < (best.t, best.key)) {
            self.best = Some(raw);
        }
        if self.wanted == Wanted::Any { Break(()) } else { Continue(()) }
    }

    pub(super) fn takes_boxes(&self) -> bool {
        self.wanted == Wanted::All && self.targets.detail == Detail::Boxes
    }

    /// Whether what begins there can not come before the best.
    pub(super) fn is_behind(&self, t: f64, pad: f64) -> bool {
        self.best.is_some_and(|best| t > best.t + best.t * 4.0 * T::ROUNDING + 4.0 * pad)
    }

    #[inline]
    pub(super) fn holds(&mut self, seat: &Seat<'_, T>, point: Vec3) -> bool {
        matches!(seat.tree.geometry(), Geometry::Solid(_)) && self.solid_holds(seat, point)
    }

    #[inline(never)]
    fn solid_holds(&mut self, seat: &Seat<'_, T>, point: Vec3) -> bool {
        self.report.counts.points += 1;
        seat.tree.holds(seat.pose, &seat.placed.placement, point, &mut self.work.path)
    }

    pub(super) fn is_excluded(&self, place: u32) -> bool {
        self.targets.excludes(self.now.key(place))
    }

    /// How many parts the character has.
    pub(super) fn len(&self, place: u32) -> usize {
        match self.now.buffers.entries[place as usize].rows.len {
            0 => self.now.character(place).1.model.len(),
            len => len,
        }
    }

    pub(super) fn placed(&self, [place, part]: [u32; 2]) -> &'a Placed<T> {
        &self.now.parts(place)[part as usize]
    }

    pub(super) fn includes(&self, [place, part]: [u32; 2]) -> bool {
        let character = self.now.character(place).1;
        self.targets.includes(character, PartId::new(part as usize))
            && self.now.of_one.is_none_or(|OfOne(keeps)| keeps(self.now.site([place, part, 0])))
    }

    /// A part that has geometry: its box was met.
    pub(super) fn seat(&self, key: [u32; 2]) -> Seat<'a, T> {
        let ((_, character), part) = (self.now.character(key[0]), key[1] as usize);
        let tree = character.model.tree(PartId::new(part));
        Seat { tree, pose: &character.poses[part], placed: self.placed(key), key }
    }
}

/// Whether the cut lies below the node.
pub(super) fn opens<T: Scalar>(
    accuracy: Accuracy,
    node: &Node<T>,
    depth: u8,
    slack: impl FnOnce() -> f64,
) -> bool {
    node.children().is_some()
        && match accuracy {
            Accuracy::Depth(cut) => depth < cut,
            _ => !decides(accuracy, slack()),
        }
}

/// Whether boxes that loose decide.
pub(super) fn decides(accuracy: Accuracy, slack: f64) -> bool {
    match accuracy {
        Accuracy::Depth(_) => true,
        Accuracy::Within(most) => slack <= most,
        _ => false,
    }
}

/// A point of a ray.
pub(super) fn along(ray: (Vec3, Vec3), t: f64) -> Vec3 {
    crate::num::linear::add(ray.0, scale(ray.1, t))
}
