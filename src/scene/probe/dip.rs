//! Half-spaces against the characters and their parts: most boxes are told side by side to be out of one or in it, so that few are asked.

use std::ops::ControlFlow::{self, Break, Continue};

use super::Wanted;
use super::half::{Cut, Half, Marking, Told, pad};
use super::local::{Local, WORLD};
use super::outer::of_crowd;
use super::walk::{Host, Walk, decides};
use crate::model::rows::BLOCK;
use crate::model::{PartId, Roots};
use crate::num::Scalar;
use crate::num::lanes::Lanes;
use crate::scene::boxes::Entry;
use crate::scene::{Character, Site};
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
        let world = Half::new(&plane, &WORLD, 2.0 * f64::from(out));
        Dip { plane, world, cut: Cut::new(&world, out) }
    }

    /// Whether a part or character may be met, by its world box.
    fn meets<T: Scalar>(&self, bounds: &Aabb<T, 3>) -> bool {
        !bounds.is_empty() && self.world.meets(bounds.wide())
    }

    /// No slack of a part of that character is more, if it is one box along its frame.
    fn most<T: Scalar>(&self, roots: &Roots, bounds: &Aabb<T, 3>) -> f64 {
        let (low, high) = (wide_point(bounds.min), wide_point(bounds.max));
        let out = |i: usize| f64::max(low[i] * low[i], high[i] * high[i]);
        // A part is no further from what it holds than it reaches.
        let far = (out(0) + out(1) + out(2)).sqrt() + roots.reach;
        let doubt = Half::doubt(&self.plane, [far, 0.0, 0.0], roots.reach);
        (roots.slack + doubt) * (1.0 + 1e-9)
    }
}

impl<'a, T: Scalar> Walk<'a, '_, T> {
    /// What of everyone is in a half-space, in the order of answers.
    #[inline(always)]
    pub(super) fn dip_all<L: Lanes>(
        &mut self,
        token: L::Token,
        plane: &Plane<T>,
        answers: &mut Vec<Site>,
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
    pub(super) fn dip_alone<L: Lanes>(
        &mut self,
        token: L::Token,
        (plane, place): (&Plane<T>, u32),
        answers: &mut Vec<Site>,
    ) {
        let dip = Dip::new(plane, self.now.around(Some(place)).0);
        let _ = self.dip_one::<L>(token, &dip, (place, false), answers);
    }

    /// A character that may be met, or that is wholly in.
    #[inline(always)]
    fn dip_one<L: Lanes>(
        &mut self,
        token: L::Token,
        dip: &Dip,
        (place, whole): (u32, bool),
        answers: &mut Vec<Site>,
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
        answers: &mut Vec<Site>,
    ) -> ControlFlow<()> {
        if self.is_excluded(place) {
            return Continue(());
        }
        let (entry, character) = self.now.character(place);
        let surely = self.surely_in(dip, (entry, character), told);
        if surely == told.met && surely != 0 && self.is_open(character) {
            let first =
                if self.wanted == Wanted::Any { surely & surely.wrapping_neg() } else { surely };
            self.take_boxes(place, first, answers);
            self.loosen(dip, (entry, character), first);
            return if self.wanted == Wanted::Any { Break(()) } else { Continue(()) };
        }
        // Of what is wholly in, that is known.
        if !whole && told.met & !surely != 0 && !dip.meets(&entry.bounds) {
            return Continue(());
        }
        let host = self.host(place);
        if self.has_rows(place) {
            return self.dip_each(dip, (&host, place), (told, surely), answers);
        }
        let met = |bounds: &Aabb<T, 3>| match whole {
            true => !bounds.is_empty(),
            false => dip.meets(bounds),
        };
        self.each_of_many(&host, met, |walk, part| {
            walk.dip_part(dip, (&host, part), whole, answers)
        })
    }

    /// Those parts of a character that may be met, of which some surely are.
    #[inline(always)]
    fn dip_each(
        &mut self,
        dip: &Dip,
        (host, place): (&Host<'a, T>, u32),
        (told, surely): (Told, u64),
        answers: &mut Vec<Site>,
    ) -> ControlFlow<()> {
        let mut met = told.met;
        while met != 0 {
            let part = met.trailing_zeros() as usize;
            met &= met - 1;
            if surely >> part & 1 == 0 {
                self.dip_part(dip, (host, part), told.whole >> part & 1 == 1, answers)?;
            } else if self.includes(host, part) {
                self.take_boxes(place, 1 << part, answers);
                self.loosen(dip, self.now.character(place), 1 << part);
                if self.wanted == Wanted::Any {
                    return Break(());
                }
            }
        }
        Continue(())
    }

    /// Those parts that are one box along their frame, which decides, and are met for certain.
    #[inline(always)]
    fn surely_in(
        &self,
        dip: &Dip,
        (entry, character): (&Entry<T>, &Character<T>),
        told: Told,
    ) -> u64 {
        let boxes = told.middle & entry.upright & entry.single;
        let Some(roots) = character.model.roots() else { return 0 };
        let decided = match self.targets.accuracy {
            Accuracy::Depth(_) => true,
            accuracy => decides(accuracy, dip.most(roots, &entry.bounds)),
        };
        if decided { boxes } else { 0 }
    }

    /// Takes note of parts of a character as a whole.
    #[inline(always)]
    fn take_boxes(&self, place: u32, mut parts: u64, answers: &mut Vec<Site>) {
        let character = self.now.key(place);
        let site =
            |part: u32| Site { character, part: PartId::new(part as usize), node: NodeId::ROOT };
        let count = parts.count_ones();
        if parts.trailing_ones() == count {
            answers.extend((0..count).map(site));
            return;
        }
        while parts != 0 {
            answers.push(site(parts.trailing_zeros()));
            parts &= parts - 1;
        }
    }

    /// Sees to it that the slack holds for those parts too.
    #[inline(always)]
    fn loosen(&mut self, dip: &Dip, (entry, character): (&Entry<T>, &Character<T>), parts: u64) {
        let stated = self.report.slack.wide();
        let most = character.model.roots().map(|roots| dip.most(roots, &entry.bounds));
        // Nearly always it does.
        if most.is_none_or(|most| most > stated) {
            self.report.slack = T::at_least(loosest(dip, character, parts, stated));
        }
    }

    /// A part whose world box may be met.
    #[inline(always)]
    fn dip_part(
        &mut self,
        dip: &Dip,
        (host, part): (&Host<'a, T>, usize),
        whole: bool,
        answers: &mut Vec<Site>,
    ) -> ControlFlow<()> {
        let near = whole || dip.meets(&host.placed[part].bounds);
        if !near || !self.includes(host, part) {
            return Continue(());
        }
        let seat = host.seat(part);
        let half = Half::new(&dip.plane, &seat.placed.placement, seat.tree.wide_reach());
        if let Some(([center, extents], Coarsest { bound, radius })) = seat.tree.only_box() {
            let slack = bound + pad::<T>(half.doubt, radius);
            if decides(self.targets.accuracy, slack) {
                self.report.counts.boxes[0] += 1;
                self.report.counts.oriented += 1;
                if !half.meets((center, extents)) {
                    return Continue(());
                }
                answers.push(self.now.site([seat.key[0], seat.key[1], 0]));
                self.state(slack);
                return if self.wanted == Wanted::Any { Break(()) } else { Continue(()) };
            }
        }
        let flow = self.search_nodes(&seat, &Local::half(half), whole);
        self.hand_over(answers);
        flow
    }
}

/// The largest of that slack and those of parts that are one box along their frame, as they are asked by themselves.
#[inline(never)]
fn loosest<T: Scalar>(dip: &Dip, character: &Character<T>, mut parts: u64, stated: f64) -> f64 {
    let mut most = stated;
    while parts != 0 {
        let part = parts.trailing_zeros() as usize;
        parts &= parts - 1;
        let tree = character.model.tree(PartId::new(part));
        let Some((_, Coarsest { bound, radius })) = tree.only_box() else { continue };
        let position = Placement::new(&character.poses[part]).position;
        let doubt = Half::doubt(&dip.plane, position, tree.wide_reach());
        most = most.max(bound + pad::<T>(doubt, radius));
    }
    most
}
