//! One ray against the characters, their parts, the nodes of their trees.

use std::ops::ControlFlow::{self, Break, Continue};

use super::line::{Line, Met};
use super::queue::Next;
use super::seek::Seek;
use super::struck::Work;
use super::{Beam, Targets, Wanted};
use crate::model::{PartId, Placed};
use crate::num::Scalar;
use crate::num::linear::{Vec3, scale, turn};
use crate::scene::crowd::{self, Behind};
use crate::scene::cull::{self, Slabs};
use crate::scene::filter::OfOne;
use crate::scene::way::{Rated, Way};
use crate::scene::{Character, Detail, Report, Snapshot};
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
    pub now: &'w Snapshot<'a, T>,
    pub targets: &'w Targets,
    pub wanted: Wanted,
    pub work: &'w mut Work,
    pub report: &'w mut Report<T>,
    /// How many of those found stay. Where the first alone counts, of all or of a part, it is behind them.
    settled: usize,
    /// Whether the first alone counts.
    first_alone: bool,
}

/// A character in place.
pub(super) struct Host<'a, T: Scalar> {
    place: u32,
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
        (targets, wanted): (&'w Targets, Wanted),
        work: &'w mut Work,
        report: &'w mut Report<T>,
    ) -> Self {
        work.found.clear();
        let boxes = wanted == Wanted::All && targets.detail == Detail::Boxes;
        let first_alone = wanted != Wanted::Any && !boxes;
        Walk { now, targets, wanted, work, report, settled: 0, first_alone }
    }

    /// Everything the ray meets that is wanted, in the order of answers.
    pub fn shoot(&mut self, beam: &Beam<T>, one: Option<u32>) {
        self.work.queue.clear();
        let buffers = self.now.buffers;
        let (out, nodes, mut first) = match one {
            Some(place) => self.only(place),
            None => self.everyone(),
        };
        let way = beam.way();
        let mut slabs = Slabs::new(&way, out);
        while let Some((place, bits)) = buffers.level.run(Seek {
            slabs: &slabs,
            buffers,
            nodes,
            first: first.take().map(|first| Next::new(0.0, first)),
            queue: &mut self.work.queue,
            begins: &mut self.work.begins,
            counts: &mut self.report.counts,
        }) {
            let flow = self.shoot_character(&way, &mut slabs, (place, bits));
            if flow.is_break() || self.work.queue.is_empty() {
                break;
            }
        }
        if self.work.found.len() > 1 {
            self.work.found.sort_unstable_by(|a, b| a.t.total_cmp(&b.t).then(a.key.cmp(&b.key)));
        }
    }

    /// How far out one character is, and what to look at first.
    fn only(&mut self, place: u32) -> (f32, &'a [crowd::Node], Option<Behind>) {
        self.report.counts.characters += 1;
        let bounds = &self.now.buffers.entries[place as usize].bounds;
        let out = cull::out([wide_point(bounds.min), wide_point(bounds.max)]);
        (out, &[], (!bounds.is_empty()).then(|| Behind::character(place)))
    }

    /// How far out all characters are, the tree over them, and what to look at first.
    fn everyone(&self) -> (f32, &'a [crowd::Node], Option<Behind>) {
        let crowd = self.now.buffers.crowd();
        (crowd.out, crowd.nodes(), crowd.root())
    }

    /// The parts of a character that the ray may meet, unless it is left out.
    #[inline(never)]
    fn shoot_character(
        &mut self,
        way: &Way,
        slabs: &mut Slabs,
        (place, mut bits): (u32, u64),
    ) -> ControlFlow<()> {
        if self.is_excluded(place) {
            return Continue(());
        }
        let host = self.host(place);
        if !self.has_rows(place) {
            return self.shoot_many(way, &host);
        }
        while bits != 0 {
            let part = self.nearest(bits);
            bits &= !(1 << part);
            let begins = self.begins(part);
            if slabs.ends_before(begins) {
                break;
            }
            if !host.placed[part].bounds.is_empty() {
                self.shoot_box(way, (&host, part), begins == 0.0)?;
            }
            if self.wanted == Wanted::Closest
                && let Some(best) = self.best()
            {
                slabs.end_at(best.t);
            }
        }
        Continue(())
    }

    /// A character with so many parts that no blocks hold their boxes.
    #[inline(never)]
    fn shoot_many(&mut self, way: &Way, host: &Host<'a, T>) -> ControlFlow<()> {
        let rated = Rated::new(*way);
        self.report.counts.parts += host.placed.len() as u64;
        for (part, placed) in host.placed.iter().enumerate() {
            let Some(t) = rated.enters(&placed.bounds) else { continue };
            if !self.is_behind(t, t * SLANT) {
                self.shoot_box(way, (host, part), t == 0.0)?;
            }
        }
        Continue(())
    }

    /// The one of some parts, at least one, whose box begins nearest.
    #[inline]
    fn nearest(&self, mut bits: u64) -> usize {
        let mut nearest = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        while bits != 0 {
            let part = bits.trailing_zeros() as usize;
            nearest = if self.begins(part) < self.begins(nearest) { part } else { nearest };
            bits &= bits - 1;
        }
        nearest
    }

    /// Where the box of a part begins.
    #[inline]
    fn begins(&self, part: usize) -> f32 {
        self.work.begins.as_flattened()[part % 64]
    }

    /// A part whose world box the ray may meet, or start in.
    #[inline(always)]
    fn shoot_box(
        &mut self,
        way: &Way,
        (host, part): (&Host<'a, T>, usize),
        starts: bool,
    ) -> ControlFlow<()> {
        if !self.includes(host, part) {
            return Continue(());
        }
        let seat = host.seat(part);
        let line = Line::new(way, &seat.placed.placement, seat.tree);
        self.shoot_part(&seat, &line, starts.then_some(way.from))?;
        if self.wanted == Wanted::All {
            self.settled = self.work.found.len();
        }
        Continue(())
    }

    pub(super) fn is_excluded(&self, place: u32) -> bool {
        self.targets.excludes(self.now.key(place))
    }

    /// A character to be visited.
    #[inline(always)]
    pub(super) fn host(&self, place: u32) -> Host<'a, T> {
        let character = self.now.character(place).1;
        let open = self.now.of_one.is_none() && self.targets.includes_all(character);
        Host { place, character, placed: self.now.parts(place), open }
    }

    /// Visits those of 64 parts, from that one on, that have a bit.
    #[inline]
    pub(super) fn each_part(
        &mut self,
        first: usize,
        mut bits: u64,
        mut visit: impl FnMut(&mut Self, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        while bits != 0 {
            let part = first + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            visit(self, part)?;
        }
        Continue(())
    }

    #[inline(always)]
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
        if !self.first_alone {
            self.work.found.push(raw);
        } else if self.best().is_none_or(|best| (raw.t, raw.key) < (best.t, best.key)) {
            self.work.found.truncate(self.settled);
            self.work.found.push(raw);
        }
        if self.wanted == Wanted::Any { Break(()) } else { Continue(()) }
    }

    pub(super) fn takes_boxes(&self) -> bool {
        self.wanted == Wanted::All && self.targets.detail == Detail::Boxes
    }

    #[inline(always)]
    fn best(&self) -> Option<&Raw> {
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
        seat.tree.holds(seat.pose, &seat.placed.placement, point, &mut self.work.path)
    }

    /// Whether the boxes of its parts stand side by side.
    pub(super) fn has_rows(&self, place: u32) -> bool {
        self.now.buffers.entries[place as usize].rows.len > 0
    }

    #[inline]
    pub(super) fn includes(&self, host: &Host<'a, T>, part: usize) -> bool {
        host.open || self.includes_part(host, part)
    }

    fn includes_part(&self, host: &Host<'a, T>, part: usize) -> bool {
        let site = || self.now.site([host.place, part as u32, 0]);
        self.targets.includes(host.character, PartId::new(part))
            && self.now.of_one.is_none_or(|OfOne(keeps)| keeps(site()))
    }
}

impl<'a, T: Scalar> Host<'a, T> {
    /// A part that has geometry: its box was met.
    #[inline]
    pub fn seat(&self, part: usize) -> Seat<'a, T> {
        let tree = self.character.model.tree(PartId::new(part));
        let (pose, placed) = (&self.character.poses[part], &self.placed[part]);
        Seat { tree, pose, placed, key: [self.place, part as u32] }
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
