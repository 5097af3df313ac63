//! Contacts of many pairs of nodes of two trees, one SIMD batch at a time.

use crate::num::linear::{Mat3, Vec3, relative_axes, rotate_back, rotation_at, sub};
use crate::num::simd::{DoubleKernel, Doubles, MAX_DOUBLES};
use crate::num::{Scalar, SimdLevel};
use crate::pair::Contact;
use crate::pair::boxes::box_contact::BoxContact;
use crate::pair::boxes::contact_batch::{ContactRows, ObbRows};
use crate::sat::BoxPair;
use crate::shape::Pose;
use crate::tree::pair::ordered_pair::OrderedPair;
use crate::tree::pair::tree_slack::primitive_slack;
use crate::tree::{DecidedBy, NodePair, TreeScratch};

/// Pairs of nodes that touch, collected until they fill all lanes.
#[derive(Debug, Clone)]
pub(crate) struct ContactBatch {
    boxes: [ObbRows; 2],
    /// Pose of each part in the world: quaternion, position.
    poses: [[[f64; MAX_DOUBLES]; 7]; 2],
    /// Sum of the radii of both parts about their origins, for the error of the contact. [world
    /// units]
    size_pad: [f64; MAX_DOUBLES],
    /// Sum of the bounds of both nodes: greatest distance of their geometry from the boxes.
    bounds: [f64; MAX_DOUBLES],
    /// Least slack of the ancestors; the slack itself if primitives or an inside test decided.
    /// [world units]
    slack: [f64; MAX_DOUBLES],
    /// Bit per lane: set if the canonical order swaps the two nodes.
    swapped: u32,
    /// Bit per lane: set if primitives or an inside test decided.
    exact: u32,
    len: usize,
}

impl Default for ContactBatch {
    fn default() -> Self {
        ContactBatch {
            boxes: Default::default(),
            poses: [[[0.0; MAX_DOUBLES]; 7]; 2],
            size_pad: [0.0; MAX_DOUBLES],
            bounds: [0.0; MAX_DOUBLES],
            slack: [0.0; MAX_DOUBLES],
            swapped: 0,
            exact: 0,
            len: 0,
        }
    }
}

impl ContactBatch {
    /// Returns the number of pairs in the batch.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Adds two nodes that touch, and flushes the batch into `found` once it is full. Contacts
    /// equal those of [`TreePair::contact`](crate::tree::TreePair::contact), with the slack of the
    /// test that decided. `scratch` must be that of the query that found the nodes.
    pub fn push<T: Scalar>(
        &mut self,
        ordered: &OrderedPair<'_, T>,
        touch: NodePair,
        (scratch, simd): (&mut TreeScratch, SimdLevel),
        found: &mut Vec<Contact<T>>,
    ) {
        let (first, second, swapped) = ordered.canonical_nodes(touch.a, touch.b);
        let lane = self.len;
        self.boxes[0].set(lane, &first.oriented.wide());
        self.boxes[1].set(lane, &second.oriented.wide());
        store_pose(&mut self.poses[0], lane, &ordered.first.pose);
        store_pose(&mut self.poses[1], lane, &ordered.second.pose);
        self.size_pad[lane] = ordered.size_pad();
        self.bounds[lane] = first.bound.wide() + second.bound.wide();
        let exact = touch.by != DecidedBy::Boxes;
        self.slack[lane] = match touch.by {
            DecidedBy::Boxes => {
                let cache = Some(&mut scratch.node_pair_cache);
                ordered.ancestor_slack(touch.a, touch.b, simd, cache)
            }
            DecidedBy::Primitives => {
                // Contacts have no margin.
                primitive_slack([ordered.first.tree, ordered.second.tree], 0.0).wide()
            }
            DecidedBy::Inside => 0.0,
        };
        self.swapped |= u32::from(swapped) << lane;
        self.exact |= u32::from(exact) << lane;
        self.len += 1;
        if self.len == MAX_DOUBLES {
            self.flush(simd, found);
        }
    }

    /// Appends the contacts of the batch to `found`, in order of insertion, and clears it.
    pub fn flush<T: Scalar>(&mut self, simd: SimdLevel, found: &mut Vec<Contact<T>>) {
        let start = found.len();
        // Scalar code is faster for one or two pairs.
        let simd = if self.len > 2 { simd } else { SimdLevel::PLAIN };
        // The only kernel of `f64` that is worth compiling for each level.
        simd.run_wide_doubles(ContactBatchKernel { batch: self, found });
        for (lane, contact) in found[start..].iter_mut().enumerate() {
            if self.swapped >> lane & 1 == 1 {
                *contact = contact.reversed();
            }
            if self.exact >> lane & 1 == 1 {
                contact.slack = T::at_least(self.slack[lane]);
            }
        }
        self.clear();
    }

    /// Empties the batch.
    pub fn clear(&mut self) {
        (self.len, self.swapped, self.exact) = (0, 0, 0);
    }
}

fn store_pose<T: Scalar>(rows: &mut [[f64; MAX_DOUBLES]; 7], lane: usize, pose: &Pose<T>) {
    let (q, p) = (&pose.rotation.coords, &pose.translation.vector);
    for (row, value) in rows.iter_mut().zip([q.x, q.y, q.z, q.w, p.x, p.y, p.z]) {
        row[lane] = value.wide();
    }
}

struct ContactBatchKernel<'a, T: Scalar> {
    batch: &'a ContactBatch,
    found: &'a mut Vec<Contact<T>>,
}

impl<T: Scalar> DoubleKernel for ContactBatchKernel<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) {
        let ContactBatchKernel { batch, found } = self;
        let (mut contacts, mut from) = (ContactRows::default(), 0);
        while from < batch.len {
            let first = batch.boxes[0].load::<D>(token, from);
            let second = batch.boxes[1].load::<D>(token, from);
            let size_pad = D::load(token, &batch.size_pad[from..]);
            let slack =
                D::splat(token, T::LEAF_SLACK) * (first.radius() + second.radius() + size_pad);
            let (turn, position) = load_placement::<D>(token, &batch.poses[0], from);
            let (other_turn, other_position) = load_placement::<D>(token, &batch.poses[1], from);
            let rotation = relative_axes(&turn, &other_turn);
            let offset = rotate_back(&turn, sub(other_position, position));
            let pair = BoxPair::from_frames(&first, &second, &rotation, offset);
            let first = first.moved(&turn, position);
            let second = second.moved(&other_turn, other_position);
            let bounds = D::load(token, &batch.bounds[from..]);
            let boxes = [&first, &second];
            let mut contact = BoxContact::new::<T>(token, &pair, boxes, [slack, bounds]);
            contact.slack = contact.slack.lesser(D::load(token, &batch.slack[from..]));
            contacts.store(&contact, from);
            from += D::LEN;
        }
        found.extend((0..batch.len).map(|lane| contacts.contact(lane)));
    }
}

/// Returns the rotation and position of a part.
#[inline(always)]
fn load_placement<D: Doubles>(
    token: D::Token,
    rows: &[[f64; MAX_DOUBLES]; 7],
    from: usize,
) -> (Mat3<D>, Vec3<D>) {
    let ([x, y, z], w) = (load_vector(token, rows, 0, from), D::load(token, &rows[3][from..]));
    (rotation_at(token, [x, y, z, w]), load_vector(token, rows, 4, from))
}

#[inline(always)]
fn load_vector<D: Doubles>(
    token: D::Token,
    rows: &[[f64; MAX_DOUBLES]],
    row: usize,
    from: usize,
) -> Vec3<D> {
    [
        D::load(token, &rows[row][from..]),
        D::load(token, &rows[row + 1][from..]),
        D::load(token, &rows[row + 2][from..]),
    ]
}
