//! Boxes fitted to points.

use boxwood::Error;
use boxwood::shape::{Aabb, Obb};

use super::plain_models::{Kind, plain, point};
use support::prelude::*;
use support::random::apply;

fn surface<T: Scalar>(h: Vector3<T>) -> f64 {
    let h = h.map(T::wide);
    h.x * h.y + h.y * h.z + h.z * h.x
}

fn fits<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for _ in 0..500 {
        let (axes, size) = (random.rotation(), random.decade(-3.0, 3.0));
        let stretch = [1.0, random.decade(-3.0, 0.0), random.decade(-3.0, 0.0)];
        let at = times(random.direction(), size);
        let count = 1 + random.below(40);
        let cloud: Vec<Point3<T>> = (0..count)
            .map(|_| {
                let local = std::array::from_fn(|i| size * stretch[i] * random.between(-1.0, 1.0));
                point(plus(at, apply(&axes, local)))
            })
            .collect();
        let fit = Obb::fit(&cloud).expect("points");
        let block = PlainBox::of(&fit);
        let doubt = 8.0 * T::ROUNDING * (size * 4.0);
        for &p in &cloud {
            assert!(block.excess(plain(p)) <= doubt, "{:e}", block.excess(plain(p)));
        }
        let around = Aabb::from_points(cloud.iter().copied());
        assert!(
            surface(fit.half_extents())
                <= surface(around.half_extents()) * (1.0 + 1e-5) + doubt * size
        );
        // The corners of a box in any pose give that box again.
        let Kind::Obb(solid) = Kind::<T>::random(5, size, at, false, &mut random) else { continue };
        let again = Obb::fit(&solid.corners()).expect("points");
        let (found, true_one) = (surface(again.half_extents()), surface(solid.half_extents()));
        let thin = solid.half_extents().map(T::wide).min();
        if thin > 1e3 * doubt {
            assert!(found <= 1.02 * true_one, "{found:e} {true_one:e}");
        }
    }
}

#[test]
fn fitted_boxes_contain_their_points_and_are_tight() {
    fits::<f32>(101);
    fits::<f64>(102);
    assert_eq!(Obb::<f64>::fit(&[]), Err(Error::Empty { field: "points" }));
    let bad = [Point3::new(0.0f32, 0.0, 0.0), Point3::new(f32::INFINITY, 0.0, 0.0)];
    assert_eq!(Obb::fit(&bad), Err(Error::NotFinite { field: "point", index: 1 }));
}
