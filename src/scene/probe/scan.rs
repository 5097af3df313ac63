//! One region against the characters, their parts, the nodes of their trees.

use std::ops::ControlFlow::{self, Break, Continue};

use super::local::{Local, WORLD};
use super::outer::Outer;
use super::walk::{Raw, Seat, Walk, decides, opens};
use super::{Region, Wanted};
use crate::num::Scalar;
use crate::num::linear::IDENTITY;
use crate::scene::Detail;
use crate::scene::rows::BLOCK;
use crate::shape::{Aabb, WideObb, wide_point};
use crate::tree::{Geometry, LEVELS, Node, NodeId};

impl<T: Scalar> Walk<'_, '_, T> {
    /// All that is in the region, in the order of answers.
    pub fn search(&mut self, region: &Region<T>, one: Option<u32>) {
        if region.is_empty() {
            return;
        }
        let buffers = self.now.buffers;
        let (out, _) = self.now.around(one);
        // Only culls, so it may be taken for further off than it is.
        let world = Local::new(region, &WORLD, 2.0 * f64::from(out));
        let outer = world.outer();
        let (mut places, mut nodes) =
            (std::mem::take(&mut self.work.places), std::mem::take(&mut self.work.nodes));
        self.report.counts.characters += match one {
            None => outer.of_crowd((buffers.level, buffers.crowd()), &mut nodes, &mut places),
            Some(one) => {
                places.clear();
                places.push(one);
                1
            }
        };
        for &place in &places {
            if in_world(&world, self.bounds(place))
                && self.search_character(region, (&world, &outer), place).is_break()
            {
                break;
            }
        }
        (self.work.places, self.work.nodes) = (places, nodes);
    }

    fn bounds(&self, place: u32) -> &Aabb<T, 3> {
        &self.now.buffers.entries[place as usize].bounds
    }

    fn search_character(
        &mut self,
        region: &Region<T>,
        (world, outer): (&Local, &Outer),
        place: u32,
    ) -> ControlFlow<()> {
        if self.is_excluded(place) {
            return Continue(());
        }
        let (buffers, host) = (self.now.buffers, self.host(place));
        let search = |walk: &mut Self, part: usize| {
            let bounds = &host.placed[part].bounds;
            if (world.is_angular() || in_world(world, bounds)) && walk.includes(&host, part) {
                return walk.search_part(&host.seat(part), (region, world));
            }
            Continue(())
        };
        if !self.has_rows(place) {
            return self.each_of_many(&host, |bounds| in_world(world, bounds), search);
        }
        let len = host.placed.len();
        let bits = outer.of_parts(buffers.level, buffers.rows_of(place), len);
        self.report.counts.parts += len.next_multiple_of(BLOCK) as u64;
        self.each_part(bits, search)
    }

    fn search_part(
        &mut self,
        seat: &Seat<'_, T>,
        (region, world): (&Region<T>, &Local),
    ) -> ControlFlow<()> {
        let local = world.seen_from(region, &seat.placed.placement, seat.tree.wide_reach());
        let before = self.work.found.len();
        self.work.stack.clear();
        self.work.stack.push((0, 0, 0.0));
        while let Some((id, depth, _)) = self.work.stack.pop() {
            let node = seat.tree.node(NodeId::new(id as usize));
            self.report.counts.boxes[usize::from(depth).min(LEVELS - 1)] += 1;
            let one_is_enough = local.is_angular() && is_upright(node);
            if !one_is_enough && !local.meets_aligned(node.aligned()) {
                continue;
            }
            let slack = || local.pad::<T>(node.oriented().wide().radius()) + node.bound().wide();
            if opens(self.targets.accuracy, node, depth, slack) {
                let children = node.children().into_iter().flatten();
                self.work.stack.extend(children.map(|c| (c.index() as u32, depth + 1, 0.0)));
            } else if let Some(slack) = self.holds_some(seat, &local, id) {
                self.note(seat, id, slack)?;
                if self.targets.detail == Detail::Parts {
                    return Continue(());
                }
            }
        }
        let found = &mut self.work.found[before..];
        if found.len() > 1 {
            found.sort_unstable_by_key(|raw| raw.key);
        }
        let empty = found.is_empty();
        match region.point().is_some_and(|point| empty && self.holds(seat, point)) {
            true => self.note(seat, 0, 0.0),
            false => Continue(()),
        }
    }

    /// Whether some of a node of the cut is in the region, and then the slack.
    fn holds_some(&mut self, seat: &Seat<'_, T>, local: &Local, id: u32) -> Option<f64> {
        let node = seat.tree.node(NodeId::new(id as usize));
        self.report.counts.oriented += 1;
        let wide = node.oriented().wide();
        let size = wide.radius();
        if !local.meets_oriented::<T>(&wide, size) {
            return None;
        }
        let slack = node.bound().wide() + local.pad::<T>(size);
        if decides(self.targets.accuracy, slack) {
            return Some(slack);
        }
        let counts = &mut self.report.counts;
        let mut primitives = seat.tree.primitives(NodeId::new(id as usize)).iter();
        let any = primitives.any(|&index| {
            counts.primitives += 1;
            match seat.tree.geometry() {
                Geometry::Boxes(boxes) => {
                    let wide = boxes[index as usize].wide();
                    local.meets_oriented::<T>(&wide, wide.radius())
                }
                geometry => geometry.mesh().is_some_and(|mesh| {
                    local.meets_triangle(&mesh.triangle(index as usize).corners)
                }),
            }
        });
        any.then(|| local.pad::<T>(size))
    }

    fn note(&mut self, seat: &Seat<'_, T>, id: u32, slack: f64) -> ControlFlow<()> {
        let ([place, part], parts) = (seat.key, self.targets.detail == Detail::Parts);
        let key = [place, part, if parts { 0 } else { id }];
        self.work.found.push(Raw { t: 0.0, key, normal: None, slack });
        if self.wanted == Wanted::Any { Break(()) } else { Continue(()) }
    }
}

/// Whether the oriented box of a leaf lies along the aligned one and in it: then what meets it meets both.
fn is_upright<T: Scalar>(node: &Node<T>) -> bool {
    let WideObb { center, axes, half_extents: half } = node.oriented().wide();
    let (low, high) = (wide_point(node.aligned().min), wide_point(node.aligned().max));
    let held = |i: usize| center[i] - half[i] >= low[i] && center[i] + half[i] <= high[i];
    node.children().is_none() && axes == IDENTITY && held(0) && held(1) && held(2)
}

fn in_world<T: Scalar>(world: &Local, bounds: &Aabb<T, 3>) -> bool {
    !bounds.is_empty() && world.meets_aligned(bounds)
}
