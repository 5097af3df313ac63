//! The farthest corner of a box from what is in it, by a look at one primitive: any one bounds the distance.

use std::ops::Range;

use nalgebra::Point3;

use super::corners::distances;
use super::target::Target;
use crate::num::doubles::{Doubles, Kernel, MOST};
use crate::num::linear::{Vec3, add, scale, splat, splat_all, sub, turn_back};
use crate::num::{Level, Scalar};
use crate::shape::{Mesh, WideObb, WideTriangle, wide_point};
use crate::tree::Geometry;

/// Primitives among which the best one is sought, by their centroids. More: closer bounds of large nodes, in proportion to
/// the time.
const TRIED: usize = 16;

/// Works through the boxes of one tree.
pub(super) struct Crude<T: Scalar> {
    level: Level,
    /// Points of the primitives in the order of the leaves, by axis.
    centroids: [Vec<f64>; 3],
    /// The triangles in that order: looked at in the order of the mesh they were far from each other.
    triangles: Vec<[Point3<T>; 3]>,
}

impl<T: Scalar> Crude<T> {
    pub fn new(geometry: &Geometry<T>, order: &[u32]) -> Self {
        let corners = |mesh: &Mesh<T>| order.iter().map(|&i| mesh.corners(i as usize)).collect();
        let triangles: Vec<[Point3<T>; 3]> = geometry.mesh().map(corners).unwrap_or_default();
        let points: Vec<Vec3> = match geometry {
            Geometry::Boxes(boxes) => {
                order.iter().map(|&i| wide_point(boxes[i as usize].center())).collect()
            }
            _ => triangles.iter().map(centroid).collect(),
        };
        let centroids = [0, 1, 2].map(|axis| points.iter().map(|p| p[axis]).collect());
        Crude { level: Level::best(), centroids, triangles }
    }

    /// No corner of the box is further from the nearest of the primitives, given by their places in the order, but for
    /// rounding of the box's axes.
    pub fn bound(
        &self,
        geometry: &Geometry<T>,
        (order, range): (&[u32], Range<usize>),
        wide: &WideObb,
    ) -> f64 {
        let mut bound = 0.0;
        let target = |place: usize| match self.triangles.get(range.start + place) {
            Some(&triangle) => Some(Target::triangle(WideTriangle::new(triangle))),
            None => Target::of(geometry, order[range.start + place]),
        };
        let centroids = self.centroids.each_ref().map(|row| &row[range.clone()]);
        self.level.run_doubles(Look { centroids, target, wide, bound: &mut bound });
        bound
    }
}

/// A point of a triangle, up to rounding.
fn centroid<T: Scalar>(triangle: &[Point3<T>; 3]) -> Vec3 {
    let [a, b, c] = triangle.map(wide_point);
    scale(add(add(a, b), c), 1.0 / 3.0)
}

/// A look at one box.
struct Look<'a, F> {
    /// Of the primitives in it.
    centroids: [&'a [f64]; 3],
    target: F,
    wide: &'a WideObb,
    bound: &'a mut f64,
}

impl<F: Fn(usize) -> Option<Target>> Kernel for Look<'_, F> {
    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) {
        let Look { centroids, target, wide, bound } = self;
        let (squared, place) = nearest::<D>(token, centroids, wide);
        *bound = squared.sqrt();
        if let Some(target) = target(place) {
            let distances = distances::<D>(token, &target, wide);
            let farthest = distances.into_iter().fold(0.0, f64::max);
            *bound = bound.min(farthest);
        }
    }
}

/// The least square of the distance from one of some points to the farthest corner, and which point that is, the first of
/// equals.
#[inline(always)]
fn nearest<D: Doubles>(token: D::Token, points: [&[f64]; 3], wide: &WideObb) -> (f64, usize) {
    let len = points[0].len();
    let step = len.div_ceil(TRIED);
    let (center, axes) = (splat(token, wide.center), splat_all(token, &wide.axes));
    let half = splat::<D>(token, wide.half_extents);
    let (mut best, mut from) = ((f64::INFINITY, 0), 0);
    while from < len {
        let point = [
            D::sampled(token, &points[0][from..], step),
            D::sampled(token, &points[1][from..], step),
            D::sampled(token, &points[2][from..], step),
        ];
        let along = turn_back(&axes, sub(point, center));
        let mut sum = D::splat(token, 0.0);
        for i in 0..3 {
            let far = half[i] + along[i].abs();
            sum = sum + far * far;
        }
        let mut squares = [0.0; MOST];
        sum.store(&mut squares);
        for (&squared, place) in squares[..D::LEN].iter().zip((from..len).step_by(step)) {
            best = if squared < best.0 { (squared, place) } else { best };
        }
        from += step * D::LEN;
    }
    best
}
