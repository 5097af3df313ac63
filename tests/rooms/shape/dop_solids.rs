//! k-DOPs as solids: support, closest point and volume by corners from all sets of planes.

use boxwood::shape::{Dop8, Dop14, Dop18, Kdop, Slabs, SpaceDop8};
use nalgebra::{Point, SMatrix, SVector};

use super::regime_counts::Census;

use support::prelude::*;

type Row<const D: usize> = ([f64; D], f64);

/// Returns `normal . x <= bound` for all sides.
fn rows<T: Scalar, const D: usize, const N: usize>(dop: &Kdop<T, D, N>) -> Vec<Row<D>>
where
    Kdop<T, D, N>: Slabs<D, N>,
{
    let directions = <Kdop<T, D, N> as Slabs<D, N>>::DIRECTIONS;
    let side =
        |i: usize, sign: f64, bound: f64| (directions[i].map(|x| sign * f64::from(x)), bound);
    (0..N)
        .flat_map(|i| [side(i, 1.0, dop.high()[i].wide()), side(i, -1.0, -dop.low()[i].wide())])
        .collect()
}

fn inner<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    (0..D).map(|i| a[i] * b[i]).sum()
}

/// Returns every intersection point of `D` planes that no side cuts off, by nalgebra's inverse.
fn corners<const D: usize>(rows: &[Row<D>], slack: f64) -> Vec<[f64; D]> {
    let mut found = Vec::new();
    let count = rows.len();
    for code in 0..count.pow(D as u32) {
        let chosen: [usize; D] = std::array::from_fn(|k| code / count.pow(k as u32) % count);
        if !chosen.windows(2).all(|pair| pair[0] < pair[1]) {
            continue;
        }
        let normals = nalgebra::DMatrix::from_fn(D, D, |i, j| rows[chosen[i]].0[j]);
        if normals.determinant().abs() < 0.5 {
            continue;
        }
        let bounds = nalgebra::DVector::from_fn(D, |i, _| rows[chosen[i]].1);
        let at = normals.lu().solve(&bounds).expect("a corner");
        let at: [f64; D] = std::array::from_fn(|i| at[i]);
        if rows.iter().all(|(normal, bound)| inner(normal, &at) <= bound + slack) {
            found.push(at);
        }
    }
    found
}

/// Computes the volume: in the plane by the corners sorted around their middle; in space by
/// pyramids over the corners of each side, sorted likewise.
fn volume<const D: usize>(corners: &[[f64; D]], rows: &[Row<D>], slack: f64) -> f64 {
    let point = |p: &[f64; D]| Vector3::from_fn(|i, _| if i < D { p[i] } else { 0.0 });
    let middle = corners.iter().map(point).sum::<Vector3<f64>>() / corners.len() as f64;
    let area = |points: Vec<Vector3<f64>>, normal: Vector3<f64>| {
        let middle = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
        let u = normal.cross(&Vector3::from_fn(|i, _| f64::from(i == normal.iamin()))).normalize();
        let v = normal.cross(&u).normalize();
        let angle = |p: &Vector3<f64>| (p - middle).dot(&v).atan2((p - middle).dot(&u));
        let mut around = points.clone();
        around.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
        let next = around.iter().cycle().skip(1);
        around.iter().zip(next).map(|(p, q)| (p - middle).cross(&(q - middle)).norm() / 2.0).sum()
    };
    if D == 2 {
        return area(corners.iter().map(point).collect(), Vector3::z());
    }
    let pyramid = |(normal, bound): &Row<D>| -> f64 {
        let on = |c: &&[f64; D]| (inner(normal, c) - bound).abs() <= slack;
        let side: Vec<_> = corners.iter().filter(on).map(point).collect();
        let normal = point(normal);
        let height = (bound - normal.dot(&middle)) / normal.norm();
        if side.len() < 3 { 0.0 } else { area(side, normal) * height / 3.0 }
    };
    rows.iter().map(pyramid).sum()
}

fn wide<T: Scalar, const D: usize>(p: Point<T, D>) -> [f64; D] {
    std::array::from_fn(|i| p[i].wide())
}

fn solid<T: Scalar, const D: usize, const N: usize>(seed: u64)
where
    Kdop<T, D, N>: Slabs<D, N>,
{
    let (mut random, mut census) = (Random(seed), Census::default());
    for case in 0..support::proof::at_least(240, 60) {
        let regime = ["thick", "on a lattice", "flat", "far"][case % 4];
        let size = random.decade(-3.0, 3.0);
        let shift = if regime == "far" { 1e3 * size } else { 0.0 };
        let spread: [f64; D] = std::array::from_fn(|i| match regime {
            "flat" if i == 1 => 0.0,
            "thick" => size * random.decade(-1.5, 0.0),
            _ => size,
        });
        let mut any = |by: f64| -> Point<T, D> {
            let coordinate = |i: usize, _| match regime {
                "on a lattice" => T::nearest(random.below(4) as f64 * by),
                _ => T::nearest(shift + by * spread[i] * random.between(-1.0, 1.0)),
            };
            Point::from(SVector::from_fn(coordinate))
        };
        let dop = Kdop::<T, D, N>::from_points((0..6).map(|_| any(1.0)));
        let rows = rows(&dop);
        let size = if regime == "on a lattice" { 3.0 } else { size };
        let reach = size * 4.0 + 2.0 * shift;
        let band = reach * (1e-14 + 8.0 * T::ROUNDING);
        let corners = corners(&rows, reach * 1e-13);
        assert!(!corners.is_empty());
        for _ in 0..6 {
            let way = random.direction();
            let way: [f64; D] = std::array::from_fn(|i| T::nearest(way[i]).wide());
            let most = corners.iter().map(|c| inner(c, &way)).fold(f64::MIN, f64::max);
            let found = dop.support(SVector::from(way.map(T::nearest))).expect("filled");
            assert!((inner(&wide(found), &way) - most).abs() <= band, "{found:?} {way:?} {dop:?}");
            assert!(rows.iter().all(|(n, b)| inner(n, &wide(found)) <= b + band));
        }
        nearest(&dop, &rows, &corners, band, &mut random, &mut census);
        mapped(&dop, &corners, reach, &mut random);
        let found = dop.volume().wide();
        match regime {
            // Only planes across the axes keep the k-DOP of a flat set flat.
            "flat" if rows[0].0.iter().filter(|&&x| x != 0.0).count() == 1 => assert!(
                found >= 0.0 && found <= band * (4.0 * size).powi(D as i32 - 1),
                "{found:e} {size:e} {dop:?}"
            ),
            "thick" | "far" | "flat" => {
                let truth = volume(&corners, &rows, reach * 1e-13);
                let off = band * (4.0 * size).powi(D as i32 - 1) + 1e-10 * truth;
                assert!((found - truth).abs() <= off, "{found:e} {truth:e} {dop:?}");
            }
            _ => assert!(found >= 0.0 && found.is_finite()),
        }
    }
    census.check("nearest points of k-DOPs", 2);
}

/// Asserts that no point of the convex set lies beyond the plane through its closest point, normal
/// to the direction there.
fn nearest<T: Scalar, const D: usize, const N: usize>(
    dop: &Kdop<T, D, N>,
    rows: &[Row<D>],
    corners: &[[f64; D]],
    band: f64,
    random: &mut Random,
    census: &mut Census,
) where
    Kdop<T, D, N>: Slabs<D, N>,
{
    for k in 0..12 {
        let start = corners[random.below(corners.len())];
        let end = corners[random.below(corners.len())];
        let share = random.share();
        let off = if k % 2 == 0 { 0.0 } else { random.decade(-2.0, 1.0) };
        let aside = random.direction();
        let size: f64 = (0..D).map(|i| (dop.high()[i] - dop.low()[i]).wide()).sum();
        let p: Point<T, D> = Point::from(SVector::from_fn(|i, _| {
            T::nearest(start[i] + share * (end[i] - start[i]) + off * size * aside[i])
        }));
        let found = dop.closest_point(p).expect("filled");
        let (from, at) = (wide(p), wide(found));
        if found == p {
            assert!(rows.iter().all(|(n, b)| inner(n, &at) <= b + band), "{p:?} {dop:?}");
            census.add("inside");
            continue;
        }
        assert!(!dop.contains(p));
        let far: [f64; D] = std::array::from_fn(|i| from[i] - at[i]);
        let length = inner(&far, &far).sqrt();
        let band = band + 8.0 * T::ROUNDING * length;
        assert!(
            rows.iter().all(|(n, b)| inner(n, &at) <= b + 2.0 * band),
            "{p:?} {found:?} {dop:?}"
        );
        for corner in corners {
            let beyond = inner(&far, &std::array::from_fn(|i| corner[i] - at[i]));
            assert!(beyond <= 4.0 * band * (size + length), "{beyond:e} {p:?} {found:?} {dop:?}");
        }
        census.add("outside");
    }
}

/// Asserts that the image contains the image of every corner, and that each of its sides touches
/// one.
fn mapped<T: Scalar, const D: usize, const N: usize>(
    dop: &Kdop<T, D, N>,
    corners: &[[f64; D]],
    reach: f64,
    random: &mut Random,
) where
    Kdop<T, D, N>: Slabs<D, N>,
{
    let linear = SMatrix::<T, D, D>::from_fn(|_, _| T::nearest(random.between(-2.0, 2.0)));
    let by = SVector::<T, D>::from_fn(|_, _| T::nearest(reach * random.between(-1.0, 1.0)));
    let image = dop.transformed(&linear, &by);
    let moved = |c: &[f64; D]| -> [f64; D] {
        std::array::from_fn(|i| {
            (0..D).map(|k| linear[(i, k)].wide() * c[k]).sum::<f64>() + by[i].wide()
        })
    };
    for (normal, bound) in rows(&image) {
        let along = corners.iter().map(|c| inner(&normal, &moved(c)));
        let most = along.fold(f64::MIN, f64::max);
        // The corners' own error is not that of the image.
        assert!(most <= bound + 1e-12 * reach, "{most:e} {bound:e}");
        let room = reach * 64.0 * (T::ROUNDING + 1e-14);
        assert!(bound - most <= room, "{bound:e} {most:e} {normal:?} {dop:?}");
    }
    // Sides that rounding has moved off every corner are moved back to one.
    let still = dop.transformed(&SMatrix::identity(), &SVector::zeros());
    for (before, after) in rows(dop).iter().zip(rows(&still)) {
        let moved = after.1 - before.1;
        assert!(
            moved.abs() <= reach * 4.0 * (T::ROUNDING + 1e-14),
            "{moved:e} {reach:e} {dop:?} {still:?}"
        );
    }
}

#[test]
fn support_closest_point_and_containment_agree_with_corners() {
    solid::<f32, 2, 4>(1);
    solid::<f64, 2, 4>(2);
    solid::<f32, 3, 7>(3);
    solid::<f64, 3, 7>(4);
    solid::<f32, 3, 9>(5);
    solid::<f64, 3, 9>(6);
    solid::<f32, 3, 4>(7);
    solid::<f64, 3, 4>(8);
}

/// Checks known cases: a square, a cube, a cube cut across its long and its short diagonals.
#[test]
fn known_volumes_and_points_of_dops() {
    let corners = |d: f64| {
        (0..8).map(move |i| Point::from([0, 1, 2].map(|k| if i >> k & 1 == 1 { d } else { -d })))
    };
    let ends = |d: f64| {
        (0..6).map(move |i| {
            let mut p = [0.0; 3];
            p[i / 2] = if i % 2 == 0 { d } else { -d };
            Point::from(p)
        })
    };
    assert_eq!(Dop14::<f64>::from_points(corners(1.0)).volume(), 8.0);
    assert_eq!(Dop18::<f32>::from_points(corners(0.5).map(|p| p.map(|x| x as f32))).volume(), 1.0);
    let octahedron = Dop14::<f64>::from_points(ends(3.0));
    assert!((octahedron.volume() - 36.0).abs() < 1e-12);
    // The rhombic dodecahedron of 18 sides, cut by a cube that removes nothing.
    assert!((Dop18::<f64>::from_points(ends(1.0)).volume() - 2.0).abs() < 1e-12);
    // Eight sides alone; around a cube three times as far out.
    let eight = SpaceDop8::<f64>::from_points(ends(3.0));
    assert!((eight.volume() - 36.0).abs() < 1e-12);
    assert!((SpaceDop8::<f64>::from_points(corners(1.0)).volume() - 36.0).abs() < 1e-12);
    assert!(eight.contains(Point::from([1.0; 3])) && !eight.contains(Point::from([1.1; 3])));
    assert_eq!(eight.support(SVector::from([1.0, -5.0, 2.0])), Some(Point::from([0.0, -3.0, 0.0])));
    let foot = octahedron.closest_point(Point::from([3.0, 3.0, 3.0])).expect("filled");
    assert!((foot - Point::from([1.0; 3])).norm() < 1e-15);
    let square = Dop8::<f64>::from_points(
        [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]].map(Point::from),
    );
    assert_eq!(square.volume(), 2.0);
    assert_eq!(square.closest_point(Point::from([1.0, 1.0])), Some(Point::from([0.5, 0.5])));
    assert_eq!(square.support(SVector::from([3.0, 1.0])), Some(Point::from([1.0, 0.0])));
}

#[test]
fn empty_and_unbounded_dops_have_no_corner() {
    let (empty, infinite) = (
        Dop14::<f64>::empty(),
        Dop14::<f64>::from_points([Point::origin(), Point::from([f64::INFINITY, 0.0, 0.0])]),
    );
    let turn = SMatrix::<f64, 3, 3>::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    assert_eq!(empty.volume(), 0.0);
    assert!(
        empty.closest_point(Point::origin()).is_none() && empty.support(SVector::x()).is_none()
    );
    assert!(empty.transformed(&turn, &SVector::zeros()).is_empty());
    assert!(infinite.support(SVector::x()).is_none() && infinite.volume() == f64::INFINITY);
    let image = infinite.transformed(&turn, &SVector::zeros());
    assert!(image.contains(Point::from([1e9, -1e9, 5.0])) && image.volume() == f64::INFINITY);
    let point = Dop18::<f32>::from_points([Point::from([1.0, 2.0, 3.0])]);
    assert_eq!(point.volume(), 0.0);
    assert_eq!(point.support(SVector::y()), Some(Point::from([1.0, 2.0, 3.0])));
    assert_eq!(point.closest_point(Point::origin()), Some(Point::from([1.0, 2.0, 3.0])));
}
