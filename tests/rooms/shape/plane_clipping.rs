//! Clipping of segments, rays and triangles by a plane; on a lattice by signs of integers.

use boxwood::pair::plane::{LineCut, TriangleCut};
use boxwood::shape::{Plane, Ray, Segment, Triangle};

use super::plain_models::{plain, point};
use super::planes::plane;
use super::regime_counts::Census;

use support::prelude::*;

const CASES: usize = 20_000;

/// Plane across an axis at an integer height, with the integer height of lattice points above it.
struct LatticePlane {
    axis: usize,
    up: i64,
    at: i64,
}

impl LatticePlane {
    fn random(random: &mut Random) -> Self {
        LatticePlane {
            axis: random.below(3),
            up: random.sign() as i64,
            at: random.below(5) as i64 - 2,
        }
    }

    fn plane(&self) -> Plane<f64> {
        let mut normal = [0.0; 3];
        normal[self.axis] = self.up as f64;
        plane(normal, (self.up * self.at) as f64)
    }

    fn height(&self, p: [i64; 3]) -> i64 {
        self.up * (p[self.axis] - self.at)
    }

    /// Draws a lattice point at that height.
    fn point(&self, height: i64, random: &mut Random) -> [i64; 3] {
        let mut p = std::array::from_fn(|_| random.below(9) as i64 - 4);
        p[self.axis] = self.at + self.up * height;
        p
    }
}

fn real(p: [i64; 3]) -> Point3<f64> {
    point(p.map(|x| x as f64))
}

#[test]
fn clipping_of_lattice_segments_is_exact() {
    let (mut random, mut census) = (Random(61), Census::default());
    for _ in 0..cases(CASES) {
        let lattice = LatticePlane::random(&mut random);
        let first = random.below(9) as i64 - 4;
        let second = if random.chance(0.1) { first } else { random.below(9) as i64 - 4 };
        let first = if random.chance(0.4) { 0 } else { first };
        let second = if random.chance(0.15) { first } else { second };
        let (p, q) = (lattice.point(first, &mut random), lattice.point(second, &mut random));
        let (h, k) = (lattice.height(p), lattice.height(q));
        let segment = Segment::new(real(p), real(q)).expect("sound");
        let found = lattice.plane().cut_segment(&segment, 0.0);
        match found {
            LineCut::Coplanar => assert!(h == 0 && k == 0),
            LineCut::Parallel => assert!(h == k && h != 0),
            LineCut::Missed => assert!(h != k && h * k > 0),
            LineCut::At { t, point } => {
                assert!(h != k && h * k <= 0);
                assert_eq!(t, h as f64 / (h - k) as f64);
                let expected = real(p) + (real(q) - real(p)) * t;
                assert!((point - expected).norm() < 1e-15 * 32.0);
                assert!(lattice.plane().distance(point).abs() < 1e-15);
            }
        }
        assert_eq!(lattice.plane().flipped().cut_segment(&segment, 0.0), found);
        census.add(name(&found));
    }
    census.check("segments", 4);
}

#[test]
fn clipping_of_lattice_rays_is_exact() {
    let (mut random, mut census) = (Random(62), Census::default());
    for _ in 0..cases(CASES) {
        let lattice = LatticePlane::random(&mut random);
        let first = if random.chance(0.3) { 0 } else { random.below(5) as i64 - 2 };
        let slope = if random.chance(0.4) { 0 } else { random.sign() as i64 };
        let p = lattice.point(first, &mut random);
        // Directions of integer length: the slope of (3, 4) is 4/5 or zero.
        let mut d = [0.0; 3];
        d[lattice.axis] = (lattice.up * slope) as f64 * 0.8;
        d[(lattice.axis + 1) % 3] = if slope == 0 { 1.0 } else { 0.6 };
        let ray = Ray::new(real(p), Unit::new_unchecked(Vector3::from(d))).expect("sound");
        let found = lattice.plane().cut_ray(&ray, 0.0);
        match found {
            LineCut::Coplanar => assert!(first == 0 && slope == 0),
            LineCut::Parallel => assert!(first != 0 && slope == 0),
            LineCut::Missed => assert!(first * slope > 0),
            LineCut::At { t, point } => {
                assert!(slope != 0 && first * slope <= 0);
                assert!((t - first.abs() as f64 * 1.25).abs() < 1e-15 * 8.0);
                assert!(
                    lattice.plane().distance(point).abs() < 1e-15
                        && (ray.at(t) - point).norm() < 1e-14
                );
            }
        }
        assert_eq!(lattice.plane().flipped().cut_ray(&ray, 0.0), found);
        census.add(name(&found));
    }
    census.check("rays", 4);
}

fn name(cut: &LineCut<f64>) -> &'static str {
    match cut {
        LineCut::Missed => "missed",
        LineCut::Parallel => "parallel",
        LineCut::Coplanar => "coplanar",
        LineCut::At { .. } => "at a point",
    }
}

#[test]
fn clipping_of_lattice_triangles_is_exact() {
    let (mut random, mut census) = (Random(63), Census::default());
    for _ in 0..cases(CASES) {
        let lattice = LatticePlane::random(&mut random);
        // A given number of corners in the plane, so that every kind of cut is frequent.
        let on = random.below(4);
        let mut heights = [0i64; 3];
        let same = random.chance(0.5);
        for (i, height) in heights.iter_mut().enumerate() {
            let sign = if same { 1 } else { [1, -1, 1][i] };
            *height = if i < on { 0 } else { sign * (1 + random.below(3) as i64) };
        }
        heights.rotate_left(random.below(3));
        let corners = heights.map(|height| lattice.point(height, &mut random));
        let [a, b, c] = corners.map(real);
        let triangle = Triangle::new(a, b, c).expect("sound");
        let found = lattice.plane().cut_triangle(&triangle, 0.0);
        let [above, below, zero] = [1, -1, 0].map(|sign: i64| {
            (0..3).filter(|&i| lattice.height(corners[i]).signum() == sign).count()
        });
        match found {
            TriangleCut::Apart => assert!(zero == 0 && (above == 3 || below == 3)),
            TriangleCut::Coplanar => assert_eq!(zero, 3),
            TriangleCut::Corner(i) => {
                assert!(zero == 1 && (above == 2 || below == 2));
                assert_eq!(heights[i], 0);
            }
            TriangleCut::Edge(i) => {
                assert!(zero == 2);
                assert_eq!((heights[i], heights[(i + 1) % 3]), (0, 0));
            }
            TriangleCut::Across(ends) => {
                assert!(above > 0 && below > 0);
                for end in ends {
                    assert!(lattice.plane().distance(end).abs() < 1e-15);
                    assert!(triangle.contains_within(end, 1e-14));
                }
            }
        }
        assert_eq!(lattice.plane().flipped().cut_triangle(&triangle, 0.0), found);
        census.add(match found {
            TriangleCut::Apart => "apart",
            TriangleCut::Corner(_) => "a corner",
            TriangleCut::Edge(_) => "an edge",
            TriangleCut::Across(_) => "across",
            TriangleCut::Coplanar => "all",
        });
    }
    census.check("triangles", 5);
}

/// Checks any planes and triangles: the ends are the crossings of two edges, by an independent
/// formula.
#[test]
fn random_triangles_are_clipped_at_their_crossings() {
    let (mut random, mut census) = (Random(64), Census::default());
    for _ in 0..cases(CASES) {
        let size = random.decade(-6.0, 6.0);
        let [a, b, c, d]: [V; 4] = std::array::from_fn(|_| times(random.direction(), size));
        let plane = plane::<f64>(random.direction(), size * random.between(-0.7, 0.7));
        let n: V = plane.normal().into_inner().into();
        let height = |p: V| inner(n, p) - plane.offset();
        let cut = |p: V, q: V, r: V| {
            let triangle = Triangle::new(point(p), point(q), point(r)).expect("sound");
            plane.cut_triangle(&triangle, 0.0)
        };
        let found = cut(a, b, c);
        let heights = [a, b, c].map(height);
        let crossed: Vec<V> = [(a, b), (b, c), (c, a)]
            .into_iter()
            .filter(|&(p, q)| height(p) * height(q) < 0.0)
            .map(|(p, q)| plus(p, times(minus(q, p), height(p) / (height(p) - height(q)))))
            .collect();
        if heights.iter().any(|h| h.abs() < 1e-13 * size) {
            continue;
        }
        match found {
            TriangleCut::Apart => assert!(crossed.is_empty()),
            TriangleCut::Across(ends) => {
                assert_eq!(crossed.len(), 2);
                for (end, expected) in ends.iter().zip(&crossed) {
                    assert!(norm(minus(plain(*end), *expected)) < 1e-10 * size);
                }
                // The neighbour across the edge a-b is cut there in the same bits.
                if let TriangleCut::Across(others) = cut(b, a, d)
                    && height(a) * height(b) < 0.0
                {
                    assert!(others.iter().any(|p| ends.contains(p)), "{ends:?} {others:?}");
                }
            }
            other => panic!("{other:?}"),
        }
        census.add(crossed.len());
    }
    census.check("triangles anywhere", 2);
}

/// Checks points within the tolerance, which count as in the plane.
#[test]
fn points_within_the_tolerance_are_in_the_plane() {
    let ground = plane::<f64>([0.0, 0.0, 1.0], 0.0);
    let at = |x: f64, z: f64| Point3::new(x, 0.0, z);
    let segment = Segment::new(at(0.0, 0.01), at(1.0, -0.01)).expect("sound");
    assert_eq!(ground.cut_segment(&segment, 0.01), LineCut::Coplanar);
    assert!(matches!(ground.cut_segment(&segment, 0.005), LineCut::At { t: 0.5, .. }));
    for odd in [-1.0, f64::NAN] {
        assert!(matches!(ground.cut_segment(&segment, odd), LineCut::At { t: 0.5, .. }));
    }
    let triangle = Triangle::new(at(0.0, 0.01), at(1.0, -0.01), at(0.0, 3.0)).expect("sound");
    assert_eq!(ground.cut_triangle(&triangle, 0.02), TriangleCut::Edge(0));
    assert!(matches!(ground.cut_triangle(&triangle, 0.0), TriangleCut::Across(_)));
    let ray = Ray::new(at(0.0, 0.01), Vector3::x_axis()).expect("sound");
    assert_eq!(ground.cut_ray(&ray, 0.01), LineCut::Coplanar);
    assert_eq!(ground.cut_ray(&ray, 0.0), LineCut::Parallel);
    let dot = Segment::new(at(0.0, 0.0), at(0.0, 0.0)).expect("sound");
    assert_eq!(ground.cut_segment(&dot, 0.0), LineCut::Coplanar);
    let dot = Segment::new(at(0.0, 1.0), at(0.0, 1.0)).expect("sound");
    assert_eq!(ground.cut_segment(&dot, 0.0), LineCut::Parallel);
}
