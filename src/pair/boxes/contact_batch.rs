//! Contacts of oriented boxes in double precision, one pair a lane, with the bits of single pairs.

use std::marker::PhantomData;

use super::box_contact::BoxContact;
use crate::num::linear::Vec3;
use crate::num::simd::{DoubleKernel, Doubles, MAX_DOUBLES};
use crate::num::{Scalar, SimdLevel};
use crate::pair::results::Contact;
use crate::sat::{BoxPair, sorted_boxes};
use crate::shape::{Obb, WideObb};

/// Oriented boxes as structure of arrays: rows of the centre, the three axes, the half extents.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ObbRows([[f64; MAX_DOUBLES]; 15]);

impl ObbRows {
    #[inline(always)]
    pub fn set(&mut self, lane: usize, solid: &WideObb) {
        let [x, y, z] = solid.axes;
        let vectors = [solid.center, x, y, z, solid.half_extents];
        for (row, &value) in self.0.iter_mut().zip(vectors.as_flattened()) {
            row[lane] = value;
        }
    }

    /// Loads as many boxes as there are lanes, beginning at lane `from`.
    #[inline(always)]
    pub fn load<D: Doubles>(&self, token: D::Token, from: usize) -> WideObb<D> {
        WideObb {
            center: self.vector(token, 0, from),
            axes: [
                self.vector(token, 3, from),
                self.vector(token, 6, from),
                self.vector(token, 9, from),
            ],
            half_extents: self.vector(token, 12, from),
        }
    }

    #[inline(always)]
    fn vector<D: Doubles>(&self, token: D::Token, row: usize, from: usize) -> Vec3<D> {
        [
            D::load(token, &self.0[row][from..]),
            D::load(token, &self.0[row + 1][from..]),
            D::load(token, &self.0[row + 2][from..]),
        ]
    }
}

/// Contacts as structure of arrays.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ContactRows([[f64; MAX_DOUBLES]; 9]);

impl ContactRows {
    #[inline(always)]
    pub fn store<D: Doubles>(&mut self, contact: &BoxContact<D>, from: usize) {
        let BoxContact { point, point_error, normal, depth, slack } = contact;
        for i in 0..3 {
            point[i].store(&mut self.0[i][from..]);
            normal[i].store(&mut self.0[3 + i][from..]);
        }
        point_error.store(&mut self.0[6][from..]);
        depth.store(&mut self.0[7][from..]);
        slack.store(&mut self.0[8][from..]);
    }

    pub fn contact<T: Scalar>(&self, lane: usize) -> Contact<T> {
        let [x, y, z, n, m, o, point_error, depth, slack] = self.0.map(|row| row[lane]);
        BoxContact { point: [x, y, z], point_error, normal: [n, m, o], depth, slack }.rounded()
    }
}

/// Queue of box pairs that is flushed when all lanes are filled.
#[derive(Debug, Default)]
pub(in crate::pair) struct ContactQueue {
    boxes: [ObbRows; 2],
    /// Index of each pair in the answers.
    indices: [usize; MAX_DOUBLES],
    /// Bit of each pair: set if the arithmetic swaps the two boxes.
    swapped: u32,
    len: usize,
}

impl ContactQueue {
    /// Appends a pair whose contact belongs to `answers[index]`; flushes the queue if it is full.
    #[inline]
    pub fn push<T: Scalar>(
        &mut self,
        [a, b]: [&Obb<T>; 2],
        index: usize,
        simd: SimdLevel,
        answers: &mut [Option<Contact<T>>],
    ) {
        let ([first, second], swapped) = sorted_boxes(a, b);
        self.boxes[0].set(self.len, &first.wide());
        self.boxes[1].set(self.len, &second.wide());
        self.indices[self.len] = index;
        self.swapped |= u32::from(swapped) << self.len;
        self.len += 1;
        if self.len == MAX_DOUBLES {
            self.flush(simd, answers);
        }
    }

    /// Computes all queued contacts.
    pub fn flush<T: Scalar>(&mut self, simd: SimdLevel, answers: &mut [Option<Contact<T>>]) {
        let mut contacts = ContactRows::default();
        let (boxes, scalar) = (&self.boxes, PhantomData::<T>);
        let apart = simd.run_doubles(ContactKernel { boxes, contacts: &mut contacts, scalar });
        for lane in 0..self.len {
            if apart >> lane & 1 == 0 {
                let contact = contacts.contact(lane);
                let swapped = self.swapped >> lane & 1 == 1;
                let contact = if swapped { contact.reversed() } else { contact };
                answers[self.indices[lane]] = Some(contact);
            }
        }
        (self.swapped, self.len) = (0, 0);
    }
}

/// Kernel that writes the contacts of all lanes and returns a bit for each pair that an axis
/// separates.
struct ContactKernel<'a, T> {
    boxes: &'a [ObbRows; 2],
    contacts: &'a mut ContactRows,
    scalar: PhantomData<T>,
}

impl<T: Scalar> DoubleKernel for ContactKernel<'_, T> {
    type Output = u32;

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) -> u32 {
        let (mut apart, mut from) = (0, 0);
        while from < MAX_DOUBLES {
            let first = self.boxes[0].load::<D>(token, from);
            let second = self.boxes[1].load::<D>(token, from);
            let pair = BoxPair::new(&first, &second);
            let slack = D::splat(token, T::LEAF_SLACK) * (first.radius() + second.radius());
            apart |= D::bits(pair.separated_lanes(slack)) << from;
            let none = D::splat(token, 0.0);
            let contact = BoxContact::new::<T>(token, &pair, [&first, &second], [slack, none]);
            self.contacts.store(&contact, from);
            from += D::LEN;
        }
        apart
    }
}
