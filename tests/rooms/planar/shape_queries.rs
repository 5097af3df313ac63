//! Queries of one planar shape: closest point, support, area, transformed; checked by its corners
//! alone.

use boxwood::Error;
use boxwood::f64::{Aabb2, Polygon2};
use boxwood::pair::Sweep;
use boxwood::planar::Obb2;
use boxwood::shape::Sphere;
use nalgebra::{Isometry2, Point2, UnitComplex, Vector2};

use super::distance_oracle::distance;
use support::pair_regime::{REGIMES, Regime, Tally};
use support::planar::any_shape::{
    Any, P, RoundedCore, inner, minus, norm, outer, plus, point, times, vector, wide,
};
use support::planar::random_pairs::{direction, pair};
use support::prelude::*;

struct ShapeQueries<T: Scalar> {
    contains: bool,
    nearest: Point2<T>,
    farthest: Point2<T>,
    area: f64,
    moved: Option<Any<T>>,
}

fn answers<T: Scalar>(
    of: &Any<T>,
    p: Point2<T>,
    way: Vector2<T>,
    pose: &Isometry2<T>,
) -> ShapeQueries<T> {
    macro_rules! asked {
        ($s:expr, $moved:expr) => {
            ShapeQueries {
                contains: $s.contains(p),
                nearest: $s.closest_point(p),
                farthest: $s.support(way),
                area: $s.volume().wide(),
                moved: $moved,
            }
        };
    }
    match of {
        Any::Obb2(s) => asked!(s, Some(Any::Obb2(s.transformed(pose).expect("sound")))),
        Any::Polygon(s) => asked!(s, s.transformed(pose).ok().map(Any::Polygon)),
        Any::Circle(s) => asked!(s, Some(Any::Circle(s.transformed(pose).expect("sound")))),
        Any::Aabb(_) => panic!("asked elsewhere"),
    }
}

fn area(of: &RoundedCore) -> f64 {
    let first = of.corners[0];
    let fan = of.corners.windows(2).map(|e| outer(minus(e[0], first), minus(e[1], first)));
    0.5 * fan.sum::<f64>() + std::f64::consts::PI * of.round * of.round
}

fn alone<T: Scalar>(seed: u64) {
    let (mut random, mut tally) = (Random(seed), Tally::default());
    let (mut polygons, mut dented) = (0, 0);
    for round in 0..cases(24_000) {
        let regime = REGIMES[round % 4];
        let (of, _) = pair::<T>(&mut random, regime);
        if matches!(of, Any::Aabb(_)) {
            continue;
        }
        let seen = of.seen();
        let (size, middle) = (seen.size(), seen.center());
        let rim = plus(
            seen.corners[random.below(seen.corners.len())],
            times(direction(&mut random), seen.round),
        );
        let p: P = match regime {
            Regime::Apart => {
                plus(middle, times(direction(&mut random), size * random.between(1.0, 9.0)))
            }
            Regime::Touching => rim,
            Regime::Deep => plus(middle, times(minus(rim, middle), random.between(0.0, 0.9))),
            Regime::Degenerate => {
                plus(middle, times(direction(&mut random), size * random.decade(-6.0, 3.0)))
            }
        };
        let stored = point::<T>(p);
        let p = wide(&stored.coords);
        let way = vector::<T>(direction(&mut random));
        let turn = UnitComplex::new(T::nearest(random.between(-3.0, 3.0)));
        let pose =
            Isometry2::from_parts(vector::<T>(times(direction(&mut random), size)).into(), turn);
        let found = answers(&of, stored, way, &pose);
        let band = (size + norm(middle) + norm(p)) * (4.0 * T::ROUNDING + 1e-14);
        // A point is a shape of one corner.
        let far = distance(&RoundedCore { corners: vec![p], round: 0.0 }, &seen);
        assert!(far <= band || !found.contains, "{of:?} {p:?} {far:e}");
        let nearest = wide(&found.nearest.coords);
        assert!((norm(minus(nearest, p)) - far).abs() <= band, "{of:?} {p:?} {nearest:?} {far:e}");
        assert!(distance(&RoundedCore { corners: vec![nearest], round: 0.0 }, &seen) <= band);
        assert!(!found.contains || found.nearest == stored);
        let along = inner(wide(&way), wide(&found.farthest.coords));
        let most = seen.corners.iter().map(|&c| inner(wide(&way), c)).fold(f64::MIN, f64::max);
        let most = most + seen.round * norm(wide(&way));
        assert!((along - most).abs() <= band, "{of:?} {way:?} {along:e} {most:e}");
        assert!(
            (found.area - area(&seen)).abs() <= band * size,
            "{of:?} {} {}",
            found.area,
            area(&seen)
        );
        polygons += usize::from(matches!(of, Any::Polygon(_)));
        match found.moved {
            None => dented += 1,
            Some(image) => {
                let image = image.seen();
                assert_eq!(image.corners.len(), seen.corners.len());
                let c = pose.rotation.into_inner();
                let (c, s) = (c.re.wide(), c.im.wide());
                let step = wide(&pose.translation.vector);
                for (q, &p) in image.corners.iter().zip(&seen.corners) {
                    let expected = plus([c * p[0] - s * p[1], s * p[0] + c * p[1]], step);
                    assert!(norm(minus(*q, expected)) <= 4.0 * band, "{of:?} {image:?}");
                }
            }
        }
        tally.add(regime);
    }
    println!("{dented} of {polygons} polygons dented by rounding");
    assert!(5 * dented < polygons);
    tally.finish("a shape of the plane and a point");
}

#[test]
fn invalid_poses_are_refused() {
    let circle = Sphere::<f64, 2>::new(Point2::new(1.0, 0.0), 1.0).expect("a circle");
    let turned = |re: f64, im: f64, x: f64| {
        let turn = UnitComplex::new_unchecked(nalgebra::Complex::new(re, im));
        circle.transformed(&Isometry2::from_parts(Vector2::new(x, 0.0).into(), turn))
    };
    let found = turned(0.0, 1.0, 2.0).expect("a quarter turn");
    assert_eq!((found.center(), found.radius()), (Point2::new(2.0, 1.0), 1.0));
    assert!(matches!(turned(0.0, f64::NAN, 0.0), Err(Error::NotFinite { .. })));
    assert!(matches!(turned(0.0, 1.0, f64::INFINITY), Err(Error::NotFinite { .. })));
    assert!(matches!(turned(1.5, 0.0, 0.0), Err(Error::NotUnit { field: "pose", .. })));
    let plank =
        Obb2::<f64>::new(Point2::origin(), Vector2::x(), Vector2::new(2.0, 1.0)).expect("a box");
    assert_eq!(plank.closest_point(Point2::new(9.0, 0.5)), Point2::new(2.0, 0.5));
    assert_eq!(
        (plank.support(Vector2::new(-1.0, 0.0)), plank.volume()),
        (Point2::new(-2.0, 1.0), 8.0)
    );
}

#[test]
fn clockwise_corners_are_reversed() {
    let corners = [[0., 0.], [0., 1.], [2., 1.], [2., 0.]];
    let made = Polygon2::new(corners.map(Point2::from).to_vec()).expect("a rectangle");
    let turned: Vec<[f64; 2]> = made.corners().iter().map(|c| [c.x, c.y]).collect();
    assert_eq!(turned, [[2., 0.], [2., 1.], [0., 1.], [0., 0.]]);
    assert_eq!((made.area(), made.center()), (2.0, Point2::new(1.0, 0.5)));
    assert_eq!(made.aabb(), Aabb2::new(Point2::origin(), Point2::new(2.0, 1.0)));
    assert!(made.contains(Point2::new(0.0, 0.3)) && !made.contains(Point2::new(-1e-300, 0.3)));
}

#[test]
fn rotated_boxes_have_their_area_corners_and_interior() {
    let solid = Obb2::new(Point2::origin(), Vector2::new(0.6, 0.8), Vector2::new(2.0, 1.0));
    let solid: Obb2<f64> = solid.expect("a box");
    assert_eq!((solid.area(), solid.diagonal()), (8.0, 20f64.sqrt()));
    assert!(solid.corners().iter().all(|&corner| solid.aabb().contains(corner)));
    assert!(solid.contains(Point2::new(1.19, 1.59)) && !solid.contains(Point2::new(1.21, 1.61)));
}

#[test]
fn empty_boxes_and_infinite_displacements_hit_nothing() {
    let disc = Sphere::new(Point2::origin(), 1.0).expect("a circle");
    let empty = Aabb2::empty();
    let endless = Aabb2::new(Point2::new(-1.0, -1.0), Point2::new(1.0, f64::INFINITY));
    let nan = Aabb2::new(Point2::new(-1.0, f64::NAN), Point2::new(1.0, 1.0));
    for none in [empty, endless, nan] {
        assert!(!disc.intersects(&none) && disc.contact(&none).is_none());
        assert_eq!(disc.sweep(Vector2::new(1.0, 0.0), &none), None);
        assert_eq!(none.sweep(Vector2::new(1.0, 0.0), &disc), None);
    }
    assert!(disc.intersects(&disc));
    for by in [f64::NAN, f64::INFINITY, 1e80] {
        assert_eq!(disc.sweep(Vector2::new(by, 0.0), &disc), None);
    }
}

scalars! {
    shapes_answer_for_themselves => alone(61; 62);
}
