//! Contacts of many pairs of nodes of two trees, as many at once as the machine has room for.

use super::{By, Node, Touch, TreePair};
use crate::num::doubles::{Doubles, Kernel, MOST};
use crate::num::linear::{Mat3, Vec3};
use crate::num::{Level, Scalar};
use crate::pair::Contact;
use crate::pair::facing::{Facing, Touching};
use crate::shape::WideObb;

/// Oriented boxes number by number: the centre, axis after axis, the half extents.
type Rows = [[f64; MOST]; 15];

impl<T: Scalar> TreePair<'_, T> {
    /// Adds the contact of every two nodes that touch, as [`TreePair::contact`] and with the slack of what decided.
    pub(crate) fn contacts(&self, level: Level, touches: &[Touch], found: &mut Vec<Contact<T>>) {
        for some in touches.chunks(MOST) {
            let mut boxes = [[[0.0; MOST]; 15]; 2];
            let (mut excess, mut swapped) = ([0.0; MOST], 0u32);
            for (place, touch) in some.iter().enumerate() {
                let (first, second, is_swapped) = self.canonical(touch.a, touch.b);
                put(&mut boxes[0], place, first);
                put(&mut boxes[1], place, second);
                excess[place] = first.bound.wide() + second.bound.wide();
                swapped |= u32::from(is_swapped) << place;
            }
            let start = found.len();
            let kernel =
                Contacts { pair: self, boxes: &boxes, excess: &excess, len: some.len(), found };
            // One or two are done sooner by themselves.
            let level = if some.len() > 2 { level } else { Level::PLAIN };
            level.run_doubles(kernel);
            for (place, (touch, contact)) in some.iter().zip(&mut found[start..]).enumerate() {
                if swapped >> place & 1 == 1 {
                    *contact = contact.reversed();
                }
                if touch.by != By::Boxes {
                    contact.slack = T::zero();
                }
            }
        }
    }
}

fn put<T: Scalar>(rows: &mut Rows, place: usize, node: &Node<T>) {
    let WideObb { center, axes: [x, y, z], half_extents } = node.oriented.wide();
    for (i, vector) in [center, x, y, z, half_extents].iter().enumerate() {
        for (j, &value) in vector.iter().enumerate() {
            rows[3 * i + j][place] = value;
        }
    }
}

struct Contacts<'a, 'b, T: Scalar> {
    pair: &'a TreePair<'b, T>,
    boxes: &'a [Rows; 2],
    excess: &'a [f64; MOST],
    len: usize,
    found: &'a mut Vec<Contact<T>>,
}

impl<T: Scalar> Kernel for Contacts<'_, '_, T> {
    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) {
        let Contacts { pair, boxes, excess, len, found } = self;
        let (rotation, offset, reach) = pair.facing_frame();
        let [(turn_a, at_a), (turn_b, at_b)] = pair.places();
        let rotation = splat_matrix::<D>(token, rotation);
        let offset = splat_vector::<D>(token, offset);
        let turns = [splat_matrix::<D>(token, turn_a), splat_matrix::<D>(token, turn_b)];
        let moves = [splat_vector::<D>(token, at_a), splat_vector::<D>(token, at_b)];
        let mut from = 0;
        while from < len {
            let first = solid::<D>(token, &boxes[0], from);
            let second = solid::<D>(token, &boxes[1], from);
            let size = first.radius() + second.radius() + D::splat(token, reach);
            let slack = D::splat(token, T::LEAF_SLACK) * size;
            let facing = Facing::across(&first, &second, &rotation, offset);
            let world = [first.moved(&turns[0], moves[0]), second.moved(&turns[1], moves[1])];
            let touching = facing.touching::<T>(
                token,
                [&world[0], &world[1]],
                [slack, D::load(token, &excess[from..])],
            );
            spread(&touching, len - from, found);
            from += D::LEN;
        }
    }
}

#[inline(always)]
fn solid<D: Doubles>(token: D::Token, rows: &Rows, from: usize) -> WideObb<D> {
    WideObb {
        center: vector(token, rows, 0, from),
        axes: [
            vector(token, rows, 3, from),
            vector(token, rows, 6, from),
            vector(token, rows, 9, from),
        ],
        half_extents: vector(token, rows, 12, from),
    }
}

#[inline(always)]
fn vector<D: Doubles>(token: D::Token, rows: &Rows, row: usize, from: usize) -> Vec3<D> {
    [
        D::load(token, &rows[row][from..]),
        D::load(token, &rows[row + 1][from..]),
        D::load(token, &rows[row + 2][from..]),
    ]
}

#[inline(always)]
fn splat_vector<D: Doubles>(token: D::Token, v: Vec3) -> Vec3<D> {
    [D::splat(token, v[0]), D::splat(token, v[1]), D::splat(token, v[2])]
}

#[inline(always)]
fn splat_matrix<D: Doubles>(token: D::Token, m: &Mat3) -> Mat3<D> {
    [splat_vector(token, m[0]), splat_vector(token, m[1]), splat_vector(token, m[2])]
}

/// Takes the first so many apart.
#[inline(always)]
fn spread<T: Scalar, D: Doubles>(
    touching: &Touching<D>,
    count: usize,
    found: &mut Vec<Contact<T>>,
) {
    let Touching { point, point_error, normal, depth, slack } = touching;
    let mut rows = [[0.0; MOST]; 9];
    for i in 0..3 {
        point[i].store(&mut rows[i]);
        normal[i].store(&mut rows[3 + i]);
    }
    point_error.store(&mut rows[6]);
    depth.store(&mut rows[7]);
    slack.store(&mut rows[8]);
    for place in 0..count.min(D::LEN) {
        let [x, y, z, n, m, o, point_error, depth, slack] = rows.map(|row| row[place]);
        let one = Touching { point: [x, y, z], point_error, normal: [n, m, o], depth, slack };
        found.push(one.contact());
    }
}
