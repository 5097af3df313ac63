//! A search through the characters, their parts, the nodes of their trees.

use std::ops::ControlFlow::{self, Break, Continue};

use super::line::Met;
use super::results::Work;
use super::{HitMode, QueryFilter};
use crate::model::{PartId, Placed};
use crate::num::Scalar;
use crate::num::linear::{Vec3, scale, turn};
use crate::scene::{Character, Detail, Report, Snapshot};
use crate::shape::{Aabb, Pose};
use crate::tree::{Accuracy, Geometry, Node, NodeId, ObbTree};

/// What was found, before it is put into an answer: small, because it is sorted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Raw {
    /// Rounded as in the answer.
    pub t: f64,
    /// Character by order, part, node.
    pub key: [u32; 3],
    /// World; none for a start inside.
    pub normal: Option<Vec3>,
    pub slack: f64,
}

/// What is in a region, before it is put into an answer: character by order, part, node; and the
/// slack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    pub key: [u32; 3],
    pub slack: f64,
}

/// A search under way.
pub(super) struct Walk<'a, 'w, T: Scalar> {
    pub now: &'w Snapshot<'a, T>,
    pub targets: &'w QueryFilter<'w>,
    pub wanted: HitMode,
    pub work: &'w mut Work,
    pub report: &'w mut Report<T>,
    /// How many of those found stay. Where the first alone counts, of all or of a part, it is
    /// behind them.
    pub(super) settled: usize,
    /// Whether the first alone counts.
    first_alone: bool,
}

/// A character in place.
pub(super) struct Host<'a, T: Scalar> {
    pub place: u32,
    character: &'a Character<T>,
    pub placed: &'a [Placed<T>],
    /// Whether nothing was said that could leave out a part.
    open: bool,
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
        now: &'w Snapshot<'a, T>,
        (targets, wanted): (&'w QueryFilter<'w>, HitMode),
        work: &'w mut Work,
        report: &'w mut Report<T>,
    ) -> Self {
        work.found.clear();
        work.held.clear();
        let boxes = wanted == HitMode::All && targets.detail == Detail::Boxes;
        let first_alone = wanted != HitMode::Any && !boxes;
        Walk { now, targets, wanted, work, report, settled: 0, first_alone }
    }

    pub(super) fn is_excluded(&self, place: u32) -> bool {
        self.targets.excludes(self.now.key(place))
    }

    /// A character to be visited.
    #[inline(always)]
    pub(super) fn host(&self, place: u32) -> Host<'a, T> {
        let character = self.now.character(place).1;
        let open = self.is_open(character);
        Host { place, character, placed: self.now.parts(place), open }
    }

    /// Whether nothing was said that could leave out a part.
    #[inline(always)]
    pub(super) fn is_open(&self, character: &Character<T>) -> bool {
        self.targets.includes_all(character)
    }

    /// Visits those of a character's many parts whose boxes are met, through the tree over them:
    /// `met` has to be true of every box around one of which it is true. The boxes are a little
    /// larger than those of [`Host::placed`].
    #[inline(never)]
    pub(super) fn each_of_many(
        &mut self,
        host: &Host<'a, T>,
        met: impl Fn(&Aabb<T, 3>) -> bool,
        mut visit: impl FnMut(&mut Self, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (entry, character) = self.now.character(host.place);
        let Some(boxes) = self.now.buffers.part_boxes(entry, character) else {
            return Continue(());
        };
        let mut parts = std::mem::take(&mut self.work.parts);
        parts.clear();
        let push = |part: PartId| parts.push(part.index());
        self.report.counts.parts += boxes.each_met(met, &mut self.work.path, push);
        parts.sort_unstable();
        let flow = parts.iter().try_for_each(|&part| visit(self, part));
        self.work.parts = parts;
        flow
    }

    /// Takes note of what was met; breaks where that is enough.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        seat: &Seat<'_, T>,
        node: NodeId,
        (met, slack): (Met, f64),
    ) -> ControlFlow<()> {
        let [place, part] = seat.key;
        let normal = met.normal.map(|normal| turn(&seat.placed.placement.rotation, normal));
        let t = T::nearest(met.t).wide();
        let key = [place, part, node.index() as u32];
        if self.best().is_none_or(|best| (t, key) < (best.t, best.key)) {
            let settled = if self.first_alone { self.settled } else { self.work.found.len() };
            self.work.found.truncate(settled);
            self.work.found.push(Raw { t, key, normal, slack });
        }
        if self.wanted == HitMode::Any { Break(()) } else { Continue(()) }
    }

    pub(super) fn takes_boxes(&self) -> bool {
        self.wanted == HitMode::All && self.targets.detail == Detail::Boxes
    }

    /// The first so far, where it alone counts.
    #[inline(always)]
    pub(super) fn best(&self) -> Option<&Raw> {
        if self.first_alone { self.work.found.get(self.settled) } else { None }
    }

    /// Whether what begins there can not come before the best.
    pub(super) fn is_behind(&self, t: f64, pad: f64) -> bool {
        self.best().is_some_and(|best| t > best.t + best.t * 4.0 * T::ROUNDING + 4.0 * pad)
    }

    #[inline]
    pub(super) fn holds(&mut self, seat: &Seat<'_, T>, point: Vec3) -> bool {
        matches!(seat.tree.geometry(), Geometry::Solid(_)) && self.solid_holds(seat, point)
    }

    #[inline(never)]
    fn solid_holds(&mut self, seat: &Seat<'_, T>, point: Vec3) -> bool {
        self.report.counts.points += 1;
        seat.tree.contains_point(seat.pose, &seat.placed.placement, point, &mut self.work.path)
    }

    /// Whether the boxes of its parts stand side by side.
    pub(super) fn has_rows(&self, place: u32) -> bool {
        self.now.buffers.entries[place as usize].rows.len > 0
    }

    #[inline(always)]
    pub(super) fn includes(&self, host: &Host<'a, T>, part: usize) -> bool {
        host.open || self.includes_part(host, part)
    }

    #[inline(never)]
    fn includes_part(&self, host: &Host<'a, T>, part: usize) -> bool {
        let node = || self.now.node_ref([host.place, part as u32, 0]);
        self.targets.includes(host.character, PartId::new(part), node)
    }
}

impl<'a, T: Scalar> Host<'a, T> {
    /// Of a part that has geometry: its box was met.
    #[inline]
    pub fn tree(&self, part: usize) -> &'a ObbTree<T> {
        self.character.model.tree(PartId::new(part))
    }

    /// A part that has geometry: its box was met.
    #[inline]
    pub fn seat(&self, part: usize) -> Seat<'a, T> {
        let (pose, placed) = (&self.character.poses[part], &self.placed[part]);
        Seat { tree: self.tree(part), pose, placed, key: [self.place, part as u32] }
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
