//! The boxes of one node.

use super::Fit;
use super::primitive::{Primitive, ends, frame, spread};
use crate::fit::{Ends, Frame, refined, surface};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Mat3, Vec3};
use crate::shape::{Aabb, Obb, nearest_point, wide_matrix};
use crate::tree::{Geometry, Node};

/// So many primitives tell how all of a node are spread. More: axes a little better near the root, in proportion to
/// the time.
const ENOUGH: usize = 1024;

/// A leaf around those primitives, the first of which is at that place of the order; its bound still to be found.
pub(super) fn node<T: Scalar, S: Scalar, const N: usize>(
    geometry: &Geometry<T>,
    primitives: &[Primitive<S, N>],
    first: usize,
    fit: Fit,
) -> Node<T> {
    let plain = ends(primitives, |corner| corner);
    let aligned = match geometry {
        // Their corners are rounded here.
        Geometry::Boxes(_) => {
            primitives.iter().fold(Aabb::empty(), |b, p| b.merged(&geometry.aabb(p.index)))
        }
        _ => Aabb::new(nearest_point(plain.low), nearest_point(plain.high)),
    };
    let oriented = match (geometry, primitives) {
        (Geometry::Boxes(boxes), [only]) => boxes[only.index as usize],
        _ => Fitting { geometry, primitives, plain }.oriented(fit),
    };
    let last = first + primitives.len();
    let (first, last) = (first as u32, last as u32);
    Node { aligned, oriented, bound: T::zero(), child: 0, first, last }
}

/// What is to be fitted.
struct Fitting<'a, T: Scalar, S, const N: usize> {
    geometry: &'a Geometry<T>,
    primitives: &'a [Primitive<S, N>],
    /// How far its corners go in the frame of the part.
    plain: Ends,
}

impl<T: Scalar, S: Scalar, const N: usize> Fitting<'_, T, S, N> {
    fn oriented(&self, fit: Fit) -> Obb<T> {
        match fit {
            Fit::Aligned => self.aligned(),
            Fit::Spread => self.along(&spread(self.primitives, ENOUGH)),
            Fit::Best => self.best(),
            Fit::Refined => {
                let start = self.best();
                // The best for one triangle is the least there is.
                if self.primitives.len() == 1 {
                    return start;
                }
                let points: Vec<Vec3> =
                    self.primitives.iter().flat_map(Primitive::corners).collect();
                smaller(start, self.along(&refined(&wide_matrix(&start.axes()), &points)))
            }
        }
    }

    fn aligned(&self) -> Obb<T> {
        Frame::new(&IDENTITY).around(&self.plain, &self.plain)
    }

    fn along(&self, axes: &Mat3) -> Obb<T> {
        let frame = Frame::new(axes);
        frame.around(&self.plain, &ends(self.primitives, |corner| frame.along(corner)))
    }

    /// The best of a few fits: along the part's frame, along the spread of the geometry, along its first primitive.
    fn best(&self) -> Obb<T> {
        let few = self.primitives.len() <= 4;
        let own = few.then(|| frame(self.geometry, self.primitives[0].index)).flatten();
        let others = [Some(spread(self.primitives, ENOUGH)), own];
        let smallest = |best, axes| smaller(best, self.along(axes));
        others.iter().flatten().fold(self.aligned(), smallest)
    }
}

/// The one with less surface, the first of equals.
fn smaller<T: Scalar>(a: Obb<T>, b: Obb<T>) -> Obb<T> {
    if surface(&b) < surface(&a) { b } else { a }
}
