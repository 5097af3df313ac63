//! The boxes of nodes, several nodes at a time.

use std::ops::Range;

use super::Fit;
use super::group::{Gathered, Group};
use super::measure;
use super::primitives::Primitives;
use crate::fit::{Ends, Frame, refined, surface, triangle_frame};
use crate::num::doubles::{Doubles, Kernel, MOST};
use crate::num::linear::{Mat3, Vec3, abreast, apart, choose, choose_all};
use crate::num::{Level, Scalar};
use crate::shape::{Aabb, Obb, WideObb, wide_matrix};
use crate::tree::{Geometry, Node};

/// Of nodes with no more primitives than this a box along the first of them is tried.
const FEW: usize = 4;

/// Finds the boxes of nodes; what it works in is kept.
pub(super) struct Boxes<'a, T: Scalar, const N: usize> {
    geometry: &'a Geometry<T>,
    fit: Fit,
    level: Level,
    gathered: Box<Gathered<N>>,
    /// How many primitives nodes have, and in the lower half of the bits which they are: those alike in size together.
    sorted: Vec<u64>,
}

impl<'a, T: Scalar, const N: usize> Boxes<'a, T, N> {
    pub fn new(geometry: &'a Geometry<T>, fit: Fit) -> Self {
        let gathered = Box::new(Gathered::new());
        Boxes { geometry, fit, level: Level::best(), gathered, sorted: Vec::new() }
    }

    /// Gives nodes their boxes.
    pub fn fit<S: Scalar>(&mut self, primitives: &Primitives<S, N>, nodes: &mut [Node<T>]) {
        self.sorted.clear();
        self.sorted
            .extend(nodes.iter().zip(0..).map(|(node, at)| (node.range().len() as u64) << 32 | at));
        self.sorted.sort_unstable();
        self.level.run_doubles(Fitting {
            geometry: self.geometry,
            primitives,
            fit: self.fit,
            gathered: &mut self.gathered,
            sorted: &self.sorted,
            nodes,
        });
        if self.fit == Fit::Refined {
            nodes.iter_mut().for_each(|node| refine(primitives, node));
        }
        if let Geometry::Boxes(boxes) = self.geometry {
            nodes.iter_mut().for_each(|node| own_boxes(boxes, &primitives.index, node));
        }
    }
}

/// Which of the nodes it is.
fn place(sorted: u64) -> usize {
    sorted as u32 as usize
}

/// Turns the box of a node as long as that makes it smaller.
fn refine<T: Scalar, S: Scalar, const N: usize>(primitives: &Primitives<S, N>, node: &mut Node<T>) {
    // The best for one triangle is the least there is.
    if node.last - node.first > 1 {
        let points: Vec<Vec3> = node.range().flat_map(|place| primitives.at(place)).collect();
        let axes = refined(&wide_matrix(&node.oriented.axes()), &points);
        let turned: Obb<T> = along(primitives, node.range(), &axes);
        node.oriented = smaller(&node.oriented.wide(), &turned.wide()).narrow();
    }
}

/// Gives a node the boxes along the axes of the part and along those; see [`own_boxes`].
pub(super) fn turn<T: Scalar, S: Scalar, const N: usize>(
    geometry: &Geometry<T>,
    primitives: &Primitives<S, N>,
    axes: &Mat3,
    node: &mut Node<T>,
) {
    let plain = measure::ends::<f64, S, N>((), &primitives.rows(node.range()), None);
    node.aligned = plain.aligned();
    node.oriented = along(primitives, node.range(), axes);
    if let Geometry::Boxes(boxes) = geometry {
        own_boxes(boxes, &primitives.index, node);
    }
}

/// The box of one range along those axes.
fn along<T: Scalar, S: Scalar, const N: usize>(
    primitives: &Primitives<S, N>,
    range: Range<usize>,
    axes: &Mat3,
) -> Obb<T> {
    let frame = Frame::new::<T>((), axes);
    let ends = |frame| measure::ends::<f64, S, N>((), &primitives.rows(range.clone()), frame);
    frame.box_around(&ends(None), &ends(Some(&frame)))
}

/// Corners of hand-made boxes are rounded here, and a box around one of them is that one.
fn own_boxes<T: Scalar>(boxes: &[Obb<T>], order: &[u32], node: &mut Node<T>) {
    let own = order[node.range()].iter().map(|&index| &boxes[index as usize]);
    node.aligned = own.clone().fold(Aabb::empty(), |sum, b| sum.merged(&b.aabb()));
    if let (Some(only), 1) = (own.clone().next(), own.len()) {
        node.oriented = *only;
    }
}

/// What is to be fitted.
struct Fitting<'a, T: Scalar, S, const N: usize> {
    geometry: &'a Geometry<T>,
    primitives: &'a Primitives<S, N>,
    fit: Fit,
    gathered: &'a mut Gathered<N>,
    sorted: &'a [u64],
    nodes: &'a mut [Node<T>],
}

impl<T: Scalar, S: Scalar, const N: usize> Kernel for Fitting<'_, T, S, N> {
    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) {
        let Fitting { geometry, primitives, fit, gathered, sorted, nodes } = self;
        for places in sorted.chunks(D::LEN) {
            let mut ranges = [[0; 2]; MOST];
            for (lane, range) in ranges.iter_mut().enumerate() {
                let node = &nodes[place(places[if lane < places.len() { lane } else { 0 }])];
                *range = [node.first as usize, node.last as usize];
            }
            let mut group = Group { primitives, gathered: &mut *gathered, ranges };
            group.gather::<D>();
            let plain = group.ends::<D>(token, None);
            let best = best::<D, T, S, N>(token, &group, geometry, (fit, &plain));
            store(places, &plain, &best, nodes);
        }
    }
}

/// The box of each, given how far corners go along the axes of the part.
#[inline(always)]
fn best<D: Doubles, T: Scalar, S: Scalar, const N: usize>(
    token: D::Token,
    group: &Group<'_, S, N>,
    geometry: &Geometry<T>,
    (fit, plain): (Fit, &Ends<D>),
) -> WideObb<D> {
    let aligned = Frame::upright(token).around::<T>(token, plain, plain);
    if fit == Fit::Aligned {
        return aligned;
    }
    let spread = group.spread::<D>(token).axes(token);
    let turned = around::<D, T, S, N>(token, group, plain, &spread);
    if fit == Fit::Spread {
        return turned;
    }
    let best = smaller(&aligned, &turned);
    let lens = group.lens::<D>(token);
    let few = D::splat(token, FEW as f64 + 0.5).above(lens);
    if D::none(few) {
        return best;
    }
    let (sound, own) = own_frame::<D, T, S, N>(token, group, geometry);
    let axes = choose_all(D::both(few, sound), &own, &spread);
    smaller(&best, &around::<D, T, S, N>(token, group, plain, &axes))
}

#[inline(always)]
fn around<D: Doubles, T: Scalar, S: Scalar, const N: usize>(
    token: D::Token,
    group: &Group<'_, S, N>,
    plain: &Ends<D>,
    axes: &Mat3<D>,
) -> WideObb<D> {
    let frame = Frame::new::<T>(token, axes);
    frame.around::<T>(token, plain, &group.ends(token, Some(&frame)))
}

/// A frame that fits the first primitive of each by itself, and whether it has one.
#[inline(always)]
fn own_frame<D: Doubles, T: Scalar, S: Scalar, const N: usize>(
    token: D::Token,
    group: &Group<'_, S, N>,
    geometry: &Geometry<T>,
) -> (D::Mask, Mat3<D>) {
    if let [a, b, c] = group.corners::<D>(token, 0)[..] {
        return triangle_frame(token, [a, b, c]);
    }
    let mut axes = [[[0.0; 3]; MOST]; 3];
    if let Geometry::Boxes(boxes) = geometry {
        for (lane, [first, _]) in group.ranges.into_iter().enumerate() {
            let wide = boxes[group.primitives.index[first] as usize].wide();
            (0..3).for_each(|axis| axes[axis][lane] = wide.axes[axis]);
        }
    }
    let [x, y, z] = [&axes[0], &axes[1], &axes[2]];
    let axes = [abreast(token, x), abreast(token, y), abreast(token, z)];
    (D::splat(token, 1.0).above(D::splat(token, 0.0)), axes)
}

/// The one with less surface, the first of equals.
#[inline(always)]
fn smaller<D: Doubles>(a: &WideObb<D>, b: &WideObb<D>) -> WideObb<D> {
    let less = surface(a.half_extents).above(surface(b.half_extents));
    WideObb {
        center: choose(less, b.center, a.center),
        axes: choose_all(less, &b.axes, &a.axes),
        half_extents: choose(less, b.half_extents, a.half_extents),
    }
}

/// Writes boxes down where they belong.
#[inline(always)]
fn store<D: Doubles, T: Scalar>(
    places: &[u64],
    plain: &Ends<D>,
    best: &WideObb<D>,
    nodes: &mut [Node<T>],
) {
    let (low, high) = (apart(plain.low), apart(plain.high));
    let [x, y, z] = [apart(best.axes[0]), apart(best.axes[1]), apart(best.axes[2])];
    let (center, half) = (apart(best.center), apart(best.half_extents));
    for (lane, &sorted) in places.iter().enumerate() {
        let axes = [x[lane], y[lane], z[lane]];
        let wide = WideObb { center: center[lane], axes, half_extents: half[lane] };
        let node = &mut nodes[place(sorted)];
        node.aligned = Ends { low: low[lane], high: high[lane] }.aligned();
        node.oriented = wide.narrow();
    }
}
