//! The farthest corner of a box from what is in it, by a look at one primitive: any one bounds the distance. Several boxes are
//! looked at together.

use nalgebra::Point3;

use super::target::{Spanned, Target};
use crate::num::doubles::{Doubles, Kernel, MOST};
use crate::num::linear::{Vec3, abreast, add, scale, sub, turn, turn_back};
use crate::num::{Level, Scalar};
use crate::shape::{Mesh, WideObb, WideTriangle, wide_point};
use crate::tree::{Geometry, Node};

/// Primitives among which the best one is sought, by their centroids. More: closer bounds of large nodes, in proportion to
/// the time.
const TRIED: usize = 16;

/// Works through the boxes of one tree.
pub(super) struct Crude<'a, T: Scalar> {
    geometry: &'a Geometry<T>,
    order: &'a [u32],
    /// Points of the primitives in the order of the leaves.
    centroids: Vec<Vec3>,
    /// The triangles in that order, which are far from each other in that of the mesh.
    triangles: Vec<[Point3<T>; 3]>,
    /// How many primitives of nodes are tried, and in the lower half of the bits which nodes they are.
    sorted: Vec<u64>,
}

impl<'a, T: Scalar> Crude<'a, T> {
    pub fn new(geometry: &'a Geometry<T>, order: &'a [u32]) -> Self {
        let corners = |mesh: &Mesh<T>| order.iter().map(|&i| mesh.corners(i as usize)).collect();
        let triangles: Vec<[Point3<T>; 3]> = geometry.mesh().map(corners).unwrap_or_default();
        let centroids = match geometry {
            Geometry::Boxes(boxes) => {
                order.iter().map(|&i| wide_point(boxes[i as usize].center())).collect()
            }
            _ => triangles.iter().map(centroid).collect(),
        };
        Crude { geometry, order, centroids, triangles, sorted: Vec::new() }
    }

    /// For each node: no corner of its oriented box is further from the nearest of its primitives than this, but for rounding
    /// of the box's axes.
    pub fn bounds(&mut self, nodes: &[Node<T>], bounds: &mut Vec<f64>) {
        bounds.clear();
        bounds.resize(nodes.len(), 0.0);
        self.sorted.clear();
        let tried = |node: &Node<T>| node.range().len().min(TRIED) as u64;
        self.sorted.extend(nodes.iter().zip(0..).map(|(node, at)| tried(node) << 32 | at));
        self.sorted.sort_unstable();
        Level::best().run_doubles(Look { crude: self, nodes, bounds });
    }

    /// The farthest corner of a box from the primitive at that place.
    fn farthest(&self, place: usize, wide: &WideObb) -> f64 {
        let target = Target::of(self.geometry, self.order[place]);
        let distance = |corner: &Vec3| target.map_or(f64::INFINITY, |t| t.distance(*corner));
        wide.corners().iter().map(distance).fold(0.0, f64::max)
    }
}

/// Which of the nodes it is.
fn place(sorted: u64) -> usize {
    sorted as u32 as usize
}

/// A point of a triangle, up to rounding.
fn centroid<T: Scalar>(triangle: &[Point3<T>; 3]) -> Vec3 {
    let [a, b, c] = triangle.map(wide_point);
    scale(add(add(a, b), c), 1.0 / 3.0)
}

/// A look at many boxes.
struct Look<'a, 'b, T: Scalar> {
    crude: &'a Crude<'b, T>,
    nodes: &'a [Node<T>],
    bounds: &'a mut [f64],
}

impl<T: Scalar> Kernel for Look<'_, '_, T> {
    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) {
        let Look { crude, nodes, bounds } = self;
        for row in crude.sorted.chunks(D::LEN) {
            // Where there are less boxes the first stands in.
            let mut several = [&nodes[place(row[0])]; MOST];
            for (node, &sorted) in several.iter_mut().zip(row) {
                *node = &nodes[place(sorted)];
            }
            let wide = boxes::<D, T>(token, &several);
            let (squared, places) = nearest(token, &crude.centroids, &several, &wide);
            let mut found = [0.0; MOST];
            squared.sqrt().store(&mut found);
            let farthest = farthest(token, crude, &places, &wide);
            for (lane, &sorted) in row.iter().enumerate() {
                let farthest = match farthest[lane] {
                    Some(farthest) => farthest,
                    None => crude.farthest(places[lane], &several[lane].oriented.wide()),
                };
                bounds[place(sorted)] = found[lane].min(farthest);
            }
        }
    }
}

/// The oriented boxes side by side.
#[inline(always)]
fn boxes<D: Doubles, T: Scalar>(token: D::Token, nodes: &[&Node<T>; MOST]) -> WideObb<D> {
    let mut rows = [[[0.0; 3]; MOST]; 5];
    for (lane, node) in nodes[..D::LEN].iter().enumerate() {
        let WideObb { center, axes: [x, y, z], half_extents } = node.oriented.wide();
        for (row, vector) in rows.iter_mut().zip([center, x, y, z, half_extents]) {
            row[lane] = vector;
        }
    }
    let [center, x, y, z, half] = &rows;
    WideObb {
        center: abreast(token, center),
        axes: [abreast(token, x), abreast(token, y), abreast(token, z)],
        half_extents: abreast(token, half),
    }
}

/// The least square of the distance from one of some primitives of each box to its farthest corner, and where that
/// primitive is, the first of equals.
#[inline(always)]
fn nearest<D: Doubles, T: Scalar>(
    token: D::Token,
    centroids: &[Vec3],
    nodes: &[&Node<T>; MOST],
    wide: &WideObb<D>,
) -> (D, [usize; MOST]) {
    let mut tried = [[[0.0; MOST]; 3]; TRIED];
    let mut most = 0;
    for (lane, node) in nodes[..D::LEN].iter().enumerate() {
        let range = node.range();
        let step = range.len().div_ceil(TRIED);
        let own = &centroids[range];
        most = own.len().div_ceil(step).max(most);
        for (seat, row) in tried.iter_mut().enumerate() {
            // Where there are less the first stands in: it is nearer than itself never.
            let point = own.get(seat * step).unwrap_or(&own[0]);
            (row[0][lane], row[1][lane], row[2][lane]) = (point[0], point[1], point[2]);
        }
    }
    let (mut least, mut seat) = (D::splat(token, f64::INFINITY), D::splat(token, 0.0));
    for (place, [x, y, z]) in tried[..most].iter().enumerate() {
        let point = [D::load(token, x), D::load(token, y), D::load(token, z)];
        let along = turn_back(&wide.axes, sub(point, wide.center));
        let mut squared = D::splat(token, 0.0);
        for i in 0..3 {
            let far = wide.half_extents[i] + along[i].abs();
            squared = squared + far * far;
        }
        let less = least.above(squared);
        least = D::choose(less, squared, least);
        seat = D::choose(less, D::splat(token, place as f64), seat);
    }
    (least, places::<D, T>(seat, nodes))
}

/// Where in the order the primitives are that were tried as the so many-th.
#[inline(always)]
fn places<D: Doubles, T: Scalar>(seat: D, nodes: &[&Node<T>; MOST]) -> [usize; MOST] {
    let mut seats = [0.0; MOST];
    seat.store(&mut seats);
    let mut places = [0; MOST];
    for ((place, node), seat) in places.iter_mut().zip(nodes).zip(seats) {
        let range = node.range();
        *place = range.start + seat as usize * range.len().div_ceil(TRIED);
    }
    places
}

/// How far the farthest corner of each box is from the triangle at its place; `None` where that has to be found otherwise.
#[inline(always)]
fn farthest<D: Doubles, T: Scalar>(
    token: D::Token,
    crude: &Crude<'_, T>,
    places: &[usize; MOST],
    wide: &WideObb<D>,
) -> [Option<f64>; MOST] {
    if crude.triangles.is_empty() {
        return [None; MOST];
    }
    let mut corners = [[[0.0; 3]; MOST]; 3];
    for (lane, &place) in places[..D::LEN].iter().enumerate() {
        let triangle = WideTriangle::new(crude.triangles[place]);
        for (row, corner) in corners.iter_mut().zip(triangle.corners) {
            row[lane] = corner;
        }
    }
    let [a, b, c] = &corners;
    let triangle = [abreast(token, a), abreast(token, b), abreast(token, c)];
    let (sound, spanned) = Spanned::<D>::of(token, triangle);
    let mut farthest = D::splat(token, 0.0);
    for corner in 0..8 {
        let mut along = wide.half_extents;
        for (axis, half) in along.iter_mut().enumerate() {
            *half = if corner >> axis & 1 == 1 { *half } else { -*half };
        }
        let corner = add(wide.center, turn(&wide.axes, along));
        farthest = farthest.greater(spanned.distances(token, corner));
    }
    let mut found = [0.0; MOST];
    D::choose(sound, farthest, D::splat(token, -1.0)).store(&mut found);
    let mut some = [None; MOST];
    for (some, found) in some.iter_mut().zip(found) {
        *some = (found >= 0.0).then_some(found);
    }
    some
}
