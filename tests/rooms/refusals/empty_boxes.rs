//! Aligned boxes that are empty on one axis and NaN on another: refused wherever NaN is refused.

use boxwood::Error;
use boxwood::brush::Brush;
use boxwood::scene::{Buffers, HitMode, Overlaps, QueryFilter, QueryScratch, Scene, Spawn};
use boxwood::shape::{Aabb, ConvexHull, Obb, Plane};

use crate::scene::brute_force::random_model;
use support::prelude::*;
use support::refuses;

/// Returns all boxes that are NaN at one end of an axis and empty on another; `true` if the NaN is
/// in the maximum. Their third axis is sound, infinite or empty from plus to minus infinity.
fn empty_and_nan<T: Scalar>() -> Vec<(Aabb<T, 3>, bool)> {
    let number = T::nearest;
    let thirds = [[-1.0, 1.0], [f64::NEG_INFINITY, f64::INFINITY], [f64::INFINITY, -f64::INFINITY]];
    let empties = [[1.0, -1.0], [f64::INFINITY, f64::NEG_INFINITY], [1.0, 1.0 - 1e-6]];
    let mut boxes = Vec::new();
    for nan in 0..3 {
        for (is_max, next) in [(false, 1), (false, 2), (true, 1), (true, 2)] {
            for (empty, third) in empties.iter().flat_map(|e| thirds.map(|third| (e, third))) {
                let mut bounds = Aabb::new([-T::one(); 3].into(), [T::one(); 3].into());
                let (low, high) = (&mut bounds.min, &mut bounds.max);
                let (side, other) = ((nan + next) % 3, (nan + 3 - next) % 3);
                (low[side], high[side]) = (number(empty[0]), number(empty[1]));
                (low[other], high[other]) = (number(third[0]), number(third[1]));
                let end = if is_max { high } else { low };
                end[nan] = number(f64::NAN);
                assert!(bounds.is_empty());
                boxes.push((bounds, is_max));
            }
        }
    }
    boxes
}

/// Returns the boxes of [`empty_and_nan`], and those that are NaN and not empty.
fn with_nan<T: Scalar>() -> Vec<(Aabb<T, 3>, bool)> {
    let mut boxes = empty_and_nan::<T>();
    for (axis, is_max) in (0..3).flat_map(|axis| [(axis, false), (axis, true)]) {
        let mut bounds = Aabb::new([-T::one(); 3].into(), [T::one(); 3].into());
        let end = if is_max { &mut bounds.max } else { &mut bounds.min };
        end[axis] = T::nearest(f64::NAN);
        boxes.push((bounds, is_max));
    }
    boxes
}

fn queries<T: Scalar>() {
    let mut scene = Scene::new();
    let model = random_model::<T>(&mut Random(321));
    scene.insert(&model, Spawn::default()).expect("a character");
    let (mut buffers, all) = (Buffers::new(), QueryFilter::all());
    let now = scene.snapshot(&mut buffers);
    let (mut overlaps, mut scratch) = (Overlaps::new(), QueryScratch::new());
    let sound = Aabb::new([-T::one(); 3].into(), [T::one(); 3].into());
    for (bounds, is_max) in with_nan::<T>() {
        let batch = [sound.into(), bounds.into()];
        refuses! {
            all Error::NotFinite { field: "corner", index: usize::from(is_max) };
            now.overlaps(bounds, &all, &mut overlaps),
            now.overlaps_any(bounds, &all, &mut overlaps),
            now.overlaps_batch(&batch, HitMode::All, &all, &mut overlaps),
            now.shape_cast(bounds, Vector3::zeros(), &all, &mut scratch),
        }
        assert!(overlaps.is_empty());
    }
    // Empty boxes without NaN overlap nothing, whatever their ends.
    let [nothing, inside_out] = [f64::INFINITY, 1.0].map(|x| {
        let x = T::nearest(x);
        Aabb::new([x; 3].into(), [-x; 3].into())
    });
    for empty in [nothing, inside_out, Aabb::empty()] {
        assert_eq!(now.overlaps_any(empty, &all, &mut overlaps), Ok(false));
        let cast = now.shape_cast(empty, Vector3::zeros(), &all, &mut scratch);
        assert_eq!(cast, Ok(None));
    }
}

fn shapes<T: Scalar>() {
    let normal = Unit::new_unchecked(Vector3::new(T::one(), T::zero(), T::zero()));
    let plane = Plane::new(normal, T::zero()).expect("a plane");
    for (bounds, is_max) in with_nan::<T>() {
        let field = if is_max { "maximum" } else { "minimum" };
        refuses! {
            all Error::NotFinite { field, index: 0 };
            Obb::try_from(bounds),
            ConvexHull::half_space(&plane, &bounds),
        }
        // Brushes refuse infinite ends too, so the first that is not finite is named.
        let first = |end: Point3<T>| end.iter().any(|x| !x.wide().is_finite());
        let field = if first(bounds.min) { "minimum" } else { "maximum" };
        refuses! { all Error::NotFinite { field, index: 0 }; Brush::from_aabb(&bounds) }
    }
    refuses! {
        all Error::Empty { field: "box" };
        Obb::try_from(Aabb::<T, 3>::empty()),
        ConvexHull::half_space(&plane, &Aabb::empty()),
    }
}

scalars! {
    query_shapes_refuse_nan_in_empty_boxes => queries();
    shapes_made_of_boxes_refuse_nan_in_empty_boxes => shapes();
}
