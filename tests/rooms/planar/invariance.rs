//! Invariance of planar queries: pairs rotated, scaled, moved; an aligned box becomes an oriented
//! one.

use boxwood::planar::{ConvexPolygon, Obb2};
use boxwood::shape::Sphere;

use super::distance_oracle::distance;
use support::pair_regime::REGIMES;
use support::planar::any_shape::{
    Any, P, contact, intersects, minus, norm, plus, point, sweep, times, vector, wide,
};
use support::planar::random_pairs::{self, pair};
use support::prelude::*;

/// Rotation, scale and translation.
#[derive(Clone, Copy)]
struct Place {
    turn: P,
    scale: f64,
    shift: P,
}

impl Place {
    fn direction(&self, v: P) -> P {
        [v[0] * self.turn[0] - v[1] * self.turn[1], v[0] * self.turn[1] + v[1] * self.turn[0]]
    }

    fn point(&self, p: P) -> P {
        plus(times(self.direction(p), self.scale), self.shift)
    }

    fn rectangle(&self, center: P, axis: P, half: P) -> Any<f64> {
        let (center, axis) = (point(self.point(center)), vector(self.direction(axis)));
        Any::Obb2(Obb2::new(center, axis, vector(times(half, self.scale))).expect("a box"))
    }

    /// Returns `None` if rounding makes a polygon slightly concave.
    fn shape(&self, of: &Any<f64>) -> Option<Any<f64>> {
        let at = |p: nalgebra::Point2<f64>| point::<f64>(self.point(wide(&p.coords)));
        Some(match of {
            Any::Obb2(o) => {
                self.rectangle(wide(&o.center().coords), wide(&o.axis()), wide(&o.half_extents()))
            }
            Any::Aabb(b) => {
                let (p, q) = (wide(&b.min.coords), wide(&b.max.coords));
                self.rectangle(times(plus(p, q), 0.5), [1.0, 0.0], times(minus(q, p), 0.5))
            }
            Any::Circle(s) => {
                Any::Circle(Sphere::new(at(s.center()), s.radius() * self.scale).expect("a circle"))
            }
            Any::Polygon(p) => {
                let corners = p.corners().iter().map(|&c| at(c)).collect();
                Any::Polygon(ConvexPolygon::new(corners).ok()?)
            }
        })
    }
}

#[test]
fn rigid_motions_and_scale_keep_the_answers() {
    let mut random = Random(51);
    let (mut hits, mut contacts, mut apart) = (0, 0, 0);
    for round in 0..cases(8_000) {
        let (a, b) = pair::<f64>(&mut random, REGIMES[round % 3]);
        let scale = random.decade(-3.0, 3.0);
        let turn = random_pairs::direction(&mut random);
        let place =
            Place { turn, scale, shift: times(random_pairs::direction(&mut random), scale) };
        let Some((p, q)) = place.shape(&a).zip(place.shape(&b)) else { continue };
        let size = a.seen().size() + b.seen().size() + norm(a.seen().center());
        let gap = distance(&a.seen(), &b.seen());
        let (here, there) = (contact(&a, &b), contact(&p, &q));
        assert_eq!(there.is_some(), intersects(&p, &q));
        if let (Some(here), Some(there)) = (here, there) {
            let depth = there.depth / scale;
            assert!((depth - here.depth).abs() <= 1e-12 * size, "{a:?} {b:?}");
            contacts += 1;
        } else if gap > 1e-12 * size {
            assert!(here.is_none() && there.is_none(), "{gap:e} {a:?} {b:?}");
            apart += 1;
        } else {
            let depth = here.or(there).map_or(0.0, |c| c.depth) / scale.min(1.0);
            assert!(depth <= 1e-12 * size, "{depth:e} {a:?} {b:?}");
        }
        let by = times(random_pairs::direction(&mut random), 3.0 * size);
        let moved = times(place.direction(by), scale);
        let (here, there) = (sweep(&a, &b, [by, [0.0; 2]]), sweep(&p, &q, [moved, [0.0; 2]]));
        if let (Some(here), Some(there)) = (here, there) {
            let off = (here.time_of_impact - there.time_of_impact).abs();
            // If a corner grazes a side, a tiny error of distance is a large one of time.
            assert!(off < 1e-5, "{off:e} {a:?} {b:?}");
            hits += 1;
        }
    }
    println!("{contacts} contacts, {apart} apart, {hits} hits");
    assert!(
        5 * contacts > cases(8_000) && 7 * apart > cases(8_000) && 4 * hits > cases(8_000),
        "{contacts} {apart} {hits}"
    );
}
