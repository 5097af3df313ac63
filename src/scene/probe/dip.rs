//! Half-spaces against the characters and their parts: most boxes are told side by side to be out
//! of one or in it, so that few are asked.

use std::ops::ControlFlow::{self, Break, Continue};

use super::HitMode;
use super::half::{Cut, Half, Marking, Told, pad};
use super::local::Local;
use super::outer::of_crowd;
use super::walk::{Host, Walk, decides};
use crate::broad_phase::BLOCK;
use crate::model::{PartId, Roots};
use crate::num::Scalar;
use crate::num::simd::Floats;
use crate::scene::entry::Entry;
use crate::scene::{Character, NodeRef};
use crate::shape::{Aabb, Placement, Plane, WidePlane, wide_point};
use crate::tree::{Accuracy, Coarsest, NodeId};

/// A half-space as it is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dip {
    plane: WidePlane,
    world: Half,
    cut: Cut,
}

impl Dip {
    /// For boxes no further out than that.
    fn new<T: Scalar>(plane: &Plane<T>, out: f32) -> Self {
        let plane = plane.wide();
        let world = Half::of_world(&plane, 2.0 * f64::from(out));
        Dip { plane, world, cut: Cut::new(&world, out) }
    }

    /// Whether a part or character may be met, by its world box.
    fn meets<T: Scalar>(&self, bounds: &Aabb<T, 3>) -> bool {
        !bounds.is_empty() && self.world.meets(bounds.wide())
    }

    /// The doubt of no part of that character is more, if it is one box along its frame.
    fn most<T: Scalar>(&self, roots: &Roots, bounds: &Aabb<T, 3>) -> f64 {
        let (low, high) = (wide_point(bounds.min), wide_point(bounds.max));
        let out = |i: usize| f64::max(low[i] * low[i], high[i] * high[i]);
        // A part is no further from what it holds than it reaches.
        let far = (out(0) + out(1) + out(2)).sqrt() + roots.reach;
        Half::doubt(&self.plane, [far, 0.0, 0.0], roots.reach)
    }
}

/// What a slack is at most that these add up to: more than rounding makes of it.
#[inline(always)]
fn sum(slack: f64, doubt: f64) -> f64 {
    (slack + doubt) * (1.0 + 1e-9)
}

impl<'a, T: Scalar> Walk<'a, '_, T> {
    /// What of everyone is in a half-space, in the order of answers.
    #[inline(always)]
    pub(super) fn dip_all<L: Floats>(
        &mut self,
        token: L::Token,
        plane: &Plane<T>,
        answers: &mut Vec<NodeRef>,
    ) {
        let buffers = self.now.buffers;
        let (crowd, mut marked) = (buffers.crowd(), std::mem::take(&mut self.work.marked));
        let dip = Dip::new(plane, crowd.out);
        marked.clear();
        marked.resize(buffers.entries.len().div_ceil(64), [0; 2]);
        let (sought, stack) = (Marking::new(&dip.cut, &mut marked), &mut self.work.nodes);
        self.report.counts.characters += of_crowd::<L>(token, crowd, sought, stack);
        'all: for (index, &[mut met, whole]) in marked.iter().enumerate() {
            while met != 0 {
                let bit = met.trailing_zeros();
                met &= met - 1;
                let place = index as u32 * 64 + bit;
                if self
                    .dip_one::<L>(token, &dip, (place, whole >> bit & 1 == 1), answers)
                    .is_break()
                {
                    break 'all;
                }
            }
        }
        self.work.marked = marked;
    }

    /// What of one character is.
    #[inline(always)]
    pub(super) fn dip_alone<L: Floats>(
        &mut self,
        token: L::Token,
        (plane, place): (&Plane<T>, u32),
        answers: &mut Vec<NodeRef>,
    ) {
        let dip = Dip::new(plane, self.now.around(Some(place)).0);
        let _ = self.dip_one::<L>(token, &dip, (place, false), answers);
    }

    /// A character that may be met, or that is wholly in.
    #[inline(always)]
    fn dip_one<L: Floats>(
        &mut self,
        token: L::Token,
        dip: &Dip,
        (place, whole): (u32, bool),
        answers: &mut Vec<NodeRef>,
    ) -> ControlFlow<()> {
        let buffers = self.now.buffers;
        let range = buffers.entries[place as usize].rows;
        let told = dip.cut.of_parts::<L>(token, (buffers.rows.range(range), range.len), whole);
        if !whole {
            self.report.counts.parts += range.len.next_multiple_of(BLOCK) as u64;
        }
        match told.met != 0 || range.len == 0 {
            true => self.dip_character(dip, (place, whole), told, answers),
            false => Continue(()),
        }
    }

    /// Those parts of a character, unless it is left out.
    #[inline(never)]
    fn dip_character(
        &mut self,
        dip: &Dip,
        (place, whole): (u32, bool),
        told: Told,
        answers: &mut Vec<NodeRef>,
    ) -> ControlFlow<()> {
        if self.is_excluded(place) {
            return Continue(());
        }
        let (entry, character) = self.now.character(place);
        let boxes = told.met & self.boxes(dip, (entry, character));
        let (surely, others) = (boxes & told.middle, told.met & !boxes);
        let mut found = self.included(place, surely);
        if found == 0 || self.wanted != HitMode::Any {
            // Of what is wholly in, or has a part that is, that is known.
            if !whole && surely == 0 && !dip.meets(&entry.bounds) {
                return Continue(());
            }
            found |= self.ask_boxes(dip, place, boxes & !surely);
        }
        let enough = found != 0 && self.wanted == HitMode::Any;
        if !enough && (others != 0 || !self.has_rows(place)) {
            return self.dip_others(dip, (place, whole), (told, others, found), answers);
        }
        match found {
            0 => Continue(()),
            _ => self.take_boxes(dip, place, found, answers),
        }
    }

    /// Of those parts the ones that nothing was said to leave out.
    #[inline(always)]
    fn included(&self, place: u32, parts: u64) -> u64 {
        match parts == 0 || self.is_open(self.now.character(place).1) {
            true => parts,
            false => self.included_of(place, parts),
        }
    }

    #[inline(never)]
    fn included_of(&self, place: u32, parts: u64) -> u64 {
        let host = self.host(place);
        let includes = |part: &usize| parts >> part & 1 == 1 && self.includes(&host, *part);
        (0..64).filter(includes).fold(0, |bits, part| bits | 1 << part)
    }

    /// The parts that are one box along their frame, where that decides.
    #[inline(always)]
    fn boxes(&self, dip: &Dip, (entry, character): (&Entry<T>, &Character<T>)) -> u64 {
        let Some(roots) = character.model.roots() else { return 0 };
        let decided = match (self.targets.overlap_accuracy(), roots.loosest.first()) {
            (Accuracy::Depth(_), _) => true,
            (accuracy, Some(loosest)) => {
                decides(accuracy, sum(loosest.0, dip.most(roots, &entry.bounds)))
            }
            _ => false,
        };
        if decided { entry.upright & entry.single } else { 0 }
    }

    /// Those of some parts, all of them one box along their frame, that are met; the first if
    /// anything will do.
    #[inline(always)]
    fn ask_boxes(&mut self, dip: &Dip, place: u32, parts: u64) -> u64 {
        let (mut open, mut found) = (self.included(place, parts), 0);
        if open == 0 {
            return 0;
        }
        let (host, mut asked) = (self.host(place), 0);
        while open != 0 {
            let part = open.trailing_zeros() as usize;
            open &= open - 1;
            let (placed, tree) = (&host.placed[part], host.tree(part));
            let half = Half::new(&dip.plane, &placed.placement, tree.wide_reach());
            let lowest = half.lowest(tree.root_box());
            asked += 1;
            // What is in without a doubt is so in the world too.
            if lowest <= half.offset
                || lowest <= half.offset + half.doubt && dip.meets(&placed.bounds)
            {
                found |= 1 << part;
                if self.wanted == HitMode::Any {
                    break;
                }
            }
        }
        self.report.counts.boxes[0] += asked;
        self.report.counts.oriented += asked;
        found
    }

    /// Parts of a character of which more has to be asked, and those that are known to be met.
    #[inline(never)]
    fn dip_others(
        &mut self,
        dip: &Dip,
        (place, whole): (u32, bool),
        (told, others, found): (Told, u64, u64),
        answers: &mut Vec<NodeRef>,
    ) -> ControlFlow<()> {
        let host = self.host(place);
        if !self.has_rows(place) {
            let met = |bounds: &Aabb<T, 3>| match whole {
                true => !bounds.is_empty(),
                false => dip.meets(bounds),
            };
            return self.each_of_many(&host, met, |walk, part| {
                walk.dip_part(dip, (&host, part), whole, answers)
            });
        }
        let mut parts = others | found;
        while parts != 0 {
            let part = parts.trailing_zeros() as usize;
            parts &= parts - 1;
            if found >> part & 1 == 1 {
                answers.push(self.now.node_ref([place, part as u32, 0]));
            } else {
                self.dip_part(dip, (&host, part), told.whole >> part & 1 == 1, answers)?;
            }
        }
        self.loosen(dip, self.now.character(place), found);
        Continue(())
    }

    /// Takes note of parts of a character, at least one, as a whole; of the first if anything will
    /// do.
    #[inline(always)]
    fn take_boxes(
        &mut self,
        dip: &Dip,
        place: u32,
        parts: u64,
        answers: &mut Vec<NodeRef>,
    ) -> ControlFlow<()> {
        let character = self.now.key(place);
        let site = |part: usize| NodeRef { character, part: PartId::new(part), node: NodeId::ROOT };
        if self.wanted == HitMode::Any {
            let first = parts.trailing_zeros() as usize;
            answers.push(site(first));
            self.state(slack_of(dip, self.now.character(place).1, first));
            return Break(());
        }
        self.loosen(dip, self.now.character(place), parts);
        let (mut left, count) = (parts, parts.count_ones());
        if left.trailing_ones() == count {
            answers.extend((0..count as usize).map(site));
            left = 0;
        }
        while left != 0 {
            answers.push(site(left.trailing_zeros() as usize));
            left &= left - 1;
        }
        Continue(())
    }

    /// Sees to it that the slack holds for those parts too, all of them one box along their frame.
    #[inline(always)]
    fn loosen(&mut self, dip: &Dip, (entry, character): (&Entry<T>, &Character<T>), parts: u64) {
        let Some(roots) = character.model.roots() else { return };
        let (stated, doubt) = (self.report.slack.wide(), dip.most(roots, &entry.bounds));
        // Nearly always it does.
        if roots.loosest.first().is_some_and(|loosest| sum(loosest.0, doubt) > stated) {
            self.state(loosest(dip, character, (roots, doubt), (parts, stated)));
        }
    }

    /// A part whose world box may be met.
    #[inline(always)]
    fn dip_part(
        &mut self,
        dip: &Dip,
        (host, part): (&Host<'a, T>, usize),
        whole: bool,
        answers: &mut Vec<NodeRef>,
    ) -> ControlFlow<()> {
        let near = whole || dip.meets(&host.placed[part].bounds);
        if !near || !self.includes(host, part) {
            return Continue(());
        }
        let seat = host.seat(part);
        let half = Half::new(&dip.plane, &seat.placed.placement, seat.tree.wide_reach());
        if let Some(([center, extents], Coarsest { bound, radius })) = seat.tree.only_box() {
            let slack = bound + pad::<T>(half.doubt, radius);
            if decides(self.targets.overlap_accuracy(), slack) {
                self.report.counts.boxes[0] += 1;
                self.report.counts.oriented += 1;
                if !half.meets((center, extents)) {
                    return Continue(());
                }
                answers.push(self.now.node_ref([seat.key[0], seat.key[1], 0]));
                self.state(slack);
                return if self.wanted == HitMode::Any { Break(()) } else { Continue(()) };
            }
        }
        let flow = self.search_nodes(&seat, &Local::half(half), whole);
        self.hand_over(answers);
        flow
    }
}

/// The largest of that slack and those of parts that are one box along their frame, as they are
/// asked by themselves; no doubt of theirs is more than that.
#[inline(never)]
fn loosest<T: Scalar>(
    dip: &Dip,
    character: &Character<T>,
    (roots, doubt): (&Roots, f64),
    (parts, stated): (u64, f64),
) -> f64 {
    let mut most = stated;
    for &(slack, part) in &roots.loosest {
        if parts >> part & 1 == 0 {
            continue;
        }
        if sum(slack, doubt) <= most {
            break;
        }
        most = most.max(slack_of(dip, character, part));
    }
    most
}

/// That of a part that is one box along its frame.
#[inline(always)]
fn slack_of<T: Scalar>(dip: &Dip, character: &Character<T>, part: usize) -> f64 {
    let tree = character.model.tree(PartId::new(part));
    let Coarsest { bound, radius } = *tree.coarsest(0);
    let position = Placement::new(&character.poses[part]).position;
    bound + pad::<T>(Half::doubt(&dip.plane, position, tree.wide_reach()), radius)
}
