//! Every shape against planes: corners and densely sampled models.

use boxwood::pair::plane::Side;
use boxwood::shape::{Ellipsoid, Obb, Plane};

use super::plain_models::{KINDS, Kind, plain, point};
use super::regime_counts::Census;
use support::pair_regime::{REGIMES, Regime};
use support::prelude::*;

const CASES: usize = 20_000;

pub fn plane<T: Scalar>(normal: V, offset: f64) -> Plane<T> {
    let normal = Unit::new_unchecked(Vector3::from(normal).map(T::nearest));
    Plane::new(normal, T::nearest(offset)).expect("a plane")
}

/// Computes the expected heights: the stored normal, divided by its length.
fn expected<T: Scalar>(shape: &Kind<T>, plane: &Plane<T>) -> (f64, f64) {
    let n: V = std::array::from_fn(|i| plane.normal()[i].wide());
    let (model, o) = (shape.model(), plane.offset().wide());
    ((-model.reach(times(n, -1.0)) - o) / norm(n), (model.reach(n) - o) / norm(n))
}

fn planes<T: Scalar>(seed: u64) {
    for (kind, name) in KINDS.iter().enumerate() {
        let (mut census, mut random) = (Census::default(), Random(seed ^ kind as u64));
        for _ in 0..cases(CASES) {
            let regime = REGIMES[random.below(4)];
            let size = random.decade(-6.0, 6.0);
            let at = times(random.direction(), size * random.decade(-1.0, 3.0));
            let flat = regime == Regime::Degenerate;
            let shape = Kind::<T>::random(kind, size, at, flat, &mut random);
            let n = random.direction();
            let model = shape.model();
            let (low, high) = (-model.reach(times(n, -1.0)), model.reach(n));
            let gap = size * random.decade(-3.0, 2.0);
            let offset = match (regime, random.chance(0.5)) {
                (Regime::Apart, true) => low - gap,
                (Regime::Apart, false) => high + gap,
                (Regime::Touching, true) => low,
                (Regime::Touching, false) => high,
                _ => random.between(low, high),
            };
            check(&shape, &plane(n, offset));
            census.add(regime);
        }
        census.check(name, 4);
    }
}

fn check<T: Scalar>(shape: &Kind<T>, plane: &Plane<T>) {
    let (low, high) = expected(shape, plane);
    let found = shape.heights(plane);
    let model = shape.model();
    // f64 throughout; axes of f32 are the stored ones on both sides.
    let doubt = 2e-15 * (model.size() + plane.offset().wide().abs());
    assert!((found.least - low).abs() <= doubt, "{found:?} {low:e} {shape:?} {plane:?}");
    assert!((found.greatest - high).abs() <= doubt, "{found:?} {high:e} {shape:?} {plane:?}");
    let back = shape.heights(&plane.flipped());
    assert_eq!((back.least, back.greatest), (-found.greatest, -found.least));
    macro_rules! verdicts {
        ($($kind:ident),*) => { match shape { $(Kind::$kind(s) => (plane.side(s), plane.touches(s), plane.overlaps(s), plane.contains_shape(s), plane.depth(s)),)* } };
    }
    let (side, touches, overlaps, holds, depth) =
        verdicts!(Sphere, Capsule, Segment, Triangle, Aabb, Obb, Ellipsoid);
    assert_eq!(touches, side == Side::Straddling);
    assert_eq!(overlaps, side != Side::Front);
    assert_eq!(holds, found.greatest <= 0.0);
    assert_eq!(depth.is_some(), overlaps);
    if let Some(depth) = depth {
        assert!(depth.wide() >= 0.0);
        assert!((depth.wide() + low).abs() <= doubt + T::ROUNDING * low.abs());
    }
    if low > doubt {
        assert_eq!(side, Side::Front);
    } else if high < -doubt {
        assert_eq!(side, Side::Behind);
    } else if low < -doubt && high > doubt {
        assert_eq!(side, Side::Straddling);
    }
}

/// The formula itself against the surface: no sample is higher than the tangent points, some
/// nearly.
#[test]
fn tangent_points_are_extreme_on_a_rotated_ellipsoid() {
    let mut random = Random(43);
    for case in 0..100 {
        let Kind::Ellipsoid(solid) = Kind::<f64>::random(6, 1.0, [1.0; 3], false, &mut random)
        else {
            panic!("an ellipsoid")
        };
        let n = random.direction();
        let plane = plane::<f64>(n, random.between(-1.0, 3.0));
        let [low, high] = plane.tangent_points(&solid);
        let heights = plane.heights(&solid);
        assert!((plane.distance(low) - heights.least).abs() < 1e-13);
        assert!((plane.distance(high) - heights.greatest).abs() < 1e-13);
        let mut best = f64::NEG_INFINITY;
        // One sample in a hundred is as near to the top as asserted below: of 2,000 at least one.
        let mut samples = Random(case);
        for _ in 0..at_least(20_000, 2_000) {
            let s = Vector3::from(samples.direction()).component_mul(&solid.radii());
            let p = solid.center() + solid.axes() * s;
            best = best.max(plane.distance(p));
        }
        let spread = heights.greatest - heights.least;
        assert!(best <= heights.greatest + 1e-13 && best >= heights.greatest - 0.01 * spread);
        // On the surface.
        for end in [low, high] {
            let local = solid.axes().transpose() * (end - solid.center());
            assert!((local.component_div(&solid.radii()).norm() - 1.0).abs() < 1e-12);
        }
    }
}

/// Checks that a box and the ellipsoid in it share the planes of their faces.
#[test]
fn an_ellipsoid_touches_the_faces_of_its_box() {
    let mut random = Random(44);
    for _ in 0..cases(1_000) {
        let axes = random.rotation();
        let axes = Matrix3::from_fn(|i, j| axes[j][i]);
        let half = Vector3::new(random.share(), random.share(), random.share());
        let solid = Ellipsoid::<f64>::new(point([1.0; 3]), axes, half).expect("sound");
        let outer = Obb::new(solid.center(), solid.axes(), half).expect("sound");
        for i in 0..3 {
            let n: V = solid.axes().column(i).into_owned().into();
            let plane = plane::<f64>(n, 0.5);
            let (a, b) = (plane.heights(&solid), plane.heights(&outer));
            assert!((a.least - b.least).abs() < 1e-14 && (a.greatest - b.greatest).abs() < 1e-14);
        }
    }
}

/// Checks signed distance, tolerance and projection by their defining properties.
#[test]
fn distances_and_projections_of_points_and_planes() {
    let (mut random, mut census) = (Random(45), Census::default());
    for _ in 0..cases(CASES) {
        let (n, p) = (random.direction(), times(random.direction(), random.decade(-1.0, 1.0)));
        let height = [-1.0, 0.0, 1.0][random.below(3)] * random.decade(-2.0, 1.0);
        let plane = plane::<f64>(n, inner(n, p) - height);
        let found = plane.distance(point(p));
        assert!((found - height).abs() < 1e-13);
        assert!(plane.contains_within(point(p), height.abs() + 1e-13));
        assert!(height == 0.0 || !plane.contains_within(point(p), 0.999 * height.abs()));
        let foot = plain(plane.projected(point(p)));
        assert!((inner(n, foot) - plane.offset()).abs() < 1e-13);
        assert!(norm(minus(plus(foot, times(n, height)), p)) < 1e-13);
        let nearest = plane.closest_point(point(p));
        assert_eq!(nearest, if found <= 0.0 { point(p) } else { point(foot) });
        assert_eq!(plane.contains(point(p)), found <= 0.0);
        // A plane through a point contains it, also after a move within the plane.
        let through = Plane::through(point::<f64>(p), plane.normal()).expect("sound");
        assert!(through.contains_within(point(p), 1e-14));
        let pose = nalgebra::Isometry3::new(
            Vector3::from(random.direction()),
            Vector3::from(random.direction()),
        );
        let moved = plane.transformed(&pose).expect("sound");
        assert!((moved.distance(pose * point::<f64>(p)) - found).abs() < 1e-13);
        census.add(height.partial_cmp(&0.0));
    }
    census.check("point and plane", 3);
}

scalars! {
    heights_and_sides_are_those_of_the_corners => planes(41; 42);
}
