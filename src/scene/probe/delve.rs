//! One region against the nodes of a part's tree.

use std::ops::ControlFlow::{self, Break, Continue};

use super::edged::Edged;
use super::half::pad;
use super::local::Local;
use super::scan::in_world;
use super::walk::{Held, Host, Seat, Walk, decides, opens};
use super::{HitMode, QueryShape};
use crate::num::Scalar;
use crate::num::linear::IDENTITY;
use crate::scene::Detail;
use crate::shape::{WideObb, wide_point};
use crate::tree::{Coarsest, Geometry, LEVELS, Node, NodeId};

impl<'a, T: Scalar> Walk<'a, '_, T> {
    /// A part whose world box the region may meet, by single precision.
    #[inline(always)]
    pub(super) fn search_part(
        &mut self,
        (host, part): (&Host<'a, T>, usize),
        (region, world): (&QueryShape<T>, Option<&Local>),
    ) -> ControlFlow<()> {
        let bounds = &host.placed[part].bounds;
        let near = match world {
            Some(world) if world.is_angular() => !bounds.is_empty(),
            Some(world) => in_world(world, bounds),
            None => true,
        };
        if !near || !self.includes(host, part) {
            return Continue(());
        }
        let seat = host.seat(part);
        let before = self.work.held.len();
        match self.search_single(&seat, world) {
            Some(flow) => flow?,
            None => {
                let (place, reach) = (&seat.placed.placement, seat.tree.wide_reach());
                let local = match world {
                    Some(world) => world.seen_from(region, place, reach),
                    None => Local::new(region, place, reach),
                };
                self.search_tree(&seat, &local)?;
            }
        }
        match self.work.held.len() == before
            && region.point().is_some_and(|point| self.holds(&seat, point))
        {
            true => self.note(&seat, 0, 0.0),
            false => Continue(()),
        }
    }

    /// A part that is one box along its frame, if that decides, against a region with edges.
    #[inline(always)]
    fn search_single(
        &mut self,
        seat: &Seat<'_, T>,
        world: Option<&Local>,
    ) -> Option<ControlFlow<()>> {
        let (only, Coarsest { bound, radius }) = seat.tree.only_box()?;
        let edged = Edged::new(world?, &seat.placed.placement, seat.tree.wide_reach())?;
        let slack = bound + pad::<T>(edged.doubt, radius);
        if !decides(self.targets.overlap_accuracy(), slack) {
            return None;
        }
        self.report.counts.boxes[0] += 1;
        self.report.counts.oriented += 1;
        Some(match edged.meets_upright(only) {
            true => self.note(seat, 0, slack),
            false => Continue(()),
        })
    }

    /// What of a part's tree is in the region.
    #[inline(always)]
    fn search_tree(&mut self, seat: &Seat<'_, T>, local: &Local) -> ControlFlow<()> {
        let Some((only, Coarsest { bound, radius })) = seat.tree.only_box() else {
            return self.search_nodes(seat, local, false);
        };
        let slack = bound + local.pad::<T>(radius);
        if !decides(self.targets.overlap_accuracy(), slack) {
            return self.search_nodes(seat, local, false);
        }
        self.report.counts.boxes[0] += 1;
        self.report.counts.oriented += 1;
        match local.meets_upright(only) {
            true => self.note(seat, 0, slack),
            false => Continue(()),
        }
    }

    /// The nodes of a part's tree; of one that is known to lie in the region as a whole none is
    /// asked.
    #[inline(never)]
    pub(super) fn search_nodes(
        &mut self,
        seat: &Seat<'_, T>,
        local: &Local,
        whole: bool,
    ) -> ControlFlow<()> {
        let before = self.work.held.len();
        let flow = self.descend(seat, local, whole);
        let held = &mut self.work.held[before..];
        if held.len() > 1 {
            held.sort_unstable_by_key(|held| held.key);
        }
        flow
    }

    /// The same, in no order.
    #[inline(always)]
    fn descend(&mut self, seat: &Seat<'_, T>, local: &Local, whole: bool) -> ControlFlow<()> {
        self.work.stack.clear();
        let mut next = Some((0, 0, 0.0));
        while let Some((id, depth, _)) = next {
            let node = seat.tree.node(NodeId::new(id as usize));
            self.report.counts.boxes[usize::from(depth).min(LEVELS - 1)] += u64::from(!whole);
            let upright = is_upright(node);
            if whole || upright || local.meets_aligned(node.aligned()) {
                let slack =
                    || local.pad::<T>(node.oriented().wide().radius()) + node.bound().wide();
                if opens(self.targets.overlap_accuracy(), node, depth, slack) {
                    let children = node.children().into_iter().flatten();
                    self.work.stack.extend(children.map(|c| (c.index() as u32, depth + 1, 0.0)));
                } else if let Some(slack) = self.holds_some(seat, local, (id, upright), whole) {
                    self.note(seat, id, slack)?;
                    if self.targets.detail == Detail::Parts {
                        return Continue(());
                    }
                }
            }
            next = self.work.stack.pop();
        }
        Continue(())
    }

    /// Whether some of a node of the cut, whose aligned box is met unless the oriented one tells
    /// all, is in the region, and then the slack.
    #[inline(always)]
    fn holds_some(
        &mut self,
        seat: &Seat<'_, T>,
        local: &Local,
        (id, upright): (u32, bool),
        whole: bool,
    ) -> Option<f64> {
        self.report.counts.oriented += u64::from(!whole);
        let node = seat.tree.node(NodeId::new(id as usize));
        let wide = node.oriented().wide();
        let size = wide.radius();
        let met = whole
            || match upright {
                true => local.meets_upright([wide.center, wide.half_extents]),
                false => local.meets_oriented::<T>(&wide, size),
            };
        if !met {
            return None;
        }
        let slack = node.bound().wide() + local.pad::<T>(size);
        match decides(self.targets.overlap_accuracy(), slack) {
            true => Some(slack),
            false => (whole || self.holds_primitive(seat, local, id)).then(|| local.pad::<T>(size)),
        }
    }

    #[inline(never)]
    fn holds_primitive(&mut self, seat: &Seat<'_, T>, local: &Local, id: u32) -> bool {
        let counts = &mut self.report.counts;
        seat.tree.primitives(NodeId::new(id as usize)).iter().any(|&index| {
            counts.primitives += 1;
            match seat.tree.geometry() {
                Geometry::Boxes(boxes) => {
                    let wide = boxes[index as usize].wide();
                    local.meets_oriented::<T>(&wide, wide.radius())
                }
                Geometry::Convex(shapes) => local.meets_convex(shapes[index as usize].body()),
                geometry => geometry.mesh().is_some_and(|mesh| {
                    local.meets_triangle(&mesh.triangle(index as usize).corners)
                }),
            }
        })
    }

    fn note(&mut self, seat: &Seat<'_, T>, id: u32, slack: f64) -> ControlFlow<()> {
        let ([place, part], parts) = (seat.key, self.targets.detail == Detail::Parts);
        let key = [place, part, if parts { 0 } else { id }];
        self.work.held.push(Held { key, slack });
        if self.wanted == HitMode::Any { Break(()) } else { Continue(()) }
    }
}

/// Whether the oriented box of a leaf lies along the aligned one and in it: then what meets it
/// meets both.
#[inline(always)]
fn is_upright<T: Scalar>(node: &Node<T>) -> bool {
    let WideObb { center, axes, half_extents: half } = node.oriented().wide();
    let (low, high) = (wide_point(node.aligned().min), wide_point(node.aligned().max));
    let held = |i: usize| center[i] - half[i] >= low[i] && center[i] + half[i] <= high[i];
    node.children().is_none() && axes == IDENTITY && held(0) && held(1) && held(2)
}
