//! k-DOPs: on a lattice equal to integer intervals; elsewhere they contain their points
//! conservatively.

use boxwood::shape::{Aabb, Dop8, Dop14, Dop18, Kdop, Slabs, SpaceDop8};
use nalgebra::{Point, SVector};
use num_bigint::BigInt;

use super::regime_counts::Census;
use support::exact_boxes::{range, whole};
use support::prelude::*;

type Interval = (i64, i64);

fn intervals<const D: usize, const N: usize>(
    points: &[[i64; D]],
    directions: &[[i8; D]; N],
) -> [Interval; N] {
    directions.map(|d| {
        let along = points.iter().map(|p| (0..D).map(|i| i64::from(d[i]) * p[i]).sum::<i64>());
        (along.clone().min().expect("points"), along.max().expect("points"))
    })
}

fn lattice<T: Scalar, const D: usize, const N: usize>(seed: u64, shifts: [i64; 4])
where
    Kdop<T, D, N>: Slabs<D, N>,
{
    let directions = <Kdop<T, D, N> as Slabs<D, N>>::DIRECTIONS;
    let (mut random, mut census) = (Random(seed), Census::default());
    for _ in 0..cases(20_000) {
        let flat = random.chance(0.3);
        let shift = shifts[random.below(4)];
        let mut cloud = |shift: i64| -> Vec<[i64; D]> {
            let count = if flat { 1 + random.below(2) } else { 3 + random.below(4) };
            (0..count).map(|_| std::array::from_fn(|_| random.below(4) as i64 + shift)).collect()
        };
        let (a, b) = (cloud(0), cloud(shift - 2));
        let real = |p: &[i64; D]| Point::from(SVector::from_fn(|i, _| T::nearest(p[i] as f64)));
        let dop = |points: &[[i64; D]]| Kdop::<T, D, N>::from_points(points.iter().map(real));
        let (first, second) = (dop(&a), dop(&b));
        let (of_a, of_b) = (intervals(&a, &directions), intervals(&b, &directions));
        let stored = |i: usize| (first.low()[i].wide(), first.high()[i].wide());
        for (i, &(low, high)) in of_a.iter().enumerate() {
            assert_eq!(stored(i), (low as f64, high as f64));
        }
        let gaps = (0..N).map(|i| (of_b[i].0 - of_a[i].1).max(of_a[i].0 - of_b[i].1));
        let gap = gaps.max().expect("directions");
        assert_eq!(first.intersects(&second), gap <= 0);
        assert_eq!(second.intersects(&first), gap <= 0);
        let both: Vec<[i64; D]> = a.iter().chain(&b).copied().collect();
        assert_eq!(first.merged(&second), dop(&both));
        assert_eq!(first.merged(&Kdop::empty()), first);
        for p in &b {
            let along = intervals(std::slice::from_ref(p), &directions);
            let inside = (0..N).all(|i| of_a[i].0 <= along[i].0 && along[i].1 <= of_a[i].1);
            assert_eq!(first.contains(real(p)), inside);
        }
        census.add(match gap {
            _ if flat => "degenerate",
            1.. => "apart",
            0 => "touching",
            _ => "deep",
        });
    }
    census.check("k-DOPs", 4);
}

#[test]
fn dops_equal_intervals_on_a_lattice() {
    lattice::<f32, 2, 4>(81, [2, 3, 4, 6]);
    lattice::<f64, 2, 4>(82, [2, 3, 4, 6]);
    lattice::<f32, 3, 7>(83, [2, 3, 4, 6]);
    lattice::<f64, 3, 7>(84, [2, 3, 4, 6]);
    lattice::<f32, 3, 9>(85, [2, 3, 4, 6]);
    lattice::<f64, 3, 9>(86, [2, 3, 4, 6]);
    lattice::<f32, 3, 4>(87, [2, 3, 3, 4]);
    lattice::<f64, 3, 4>(88, [2, 3, 3, 4]);
}

/// Checks coordinates of very different sizes, whose sums are not exact: every point is between the
/// stored numbers.
fn surely<T: Scalar, const D: usize, const N: usize>(seed: u64)
where
    Kdop<T, D, N>: Slabs<D, N>,
{
    let directions = <Kdop<T, D, N> as Slabs<D, N>>::DIRECTIONS;
    let mut random = Random(seed);
    for _ in 0..cases(3_000) {
        let mut any = || {
            let coordinate = |_, _| T::nearest(random.sign() * random.decade(-12.0, 6.0));
            Point::<T, D>::from(SVector::from_fn(coordinate))
        };
        let points: Vec<Point<T, D>> = (0..4).map(|_| any()).collect();
        let dop = Kdop::from_points(points.iter().copied());
        assert!(points.iter().all(|&p| dop.contains(p) && dop.aabb().contains(p)));
        // Two that share a point touch.
        let other = Kdop::from_points([any(), points[0], any()]);
        assert!(dop.intersects(&other) && other.intersects(&dop));
        for (i, direction) in directions.iter().enumerate() {
            let ends = [dop.low()[i].wide(), dop.high()[i].wide()];
            let mut room = f64::INFINITY;
            for p in &points {
                let p = p.map(T::wide);
                let low = range(p.iter().chain(&ends)).0;
                let along: BigInt = (0..D).map(|k| whole::<BigInt>(p[k], low) * direction[k]).sum();
                let [below, above] = ends.map(|end| whole::<BigInt>(end, low));
                assert!(below <= along && along <= above, "{p:?} {direction:?}");
                let sum: f64 = (0..D).map(|k| f64::from(direction[k]) * p[k]).sum();
                let size: f64 = (0..D).map(|k| p[k].abs()).sum();
                room = room.min((ends[1] - sum) / size);
            }
            assert!(room <= 4.0 * T::ROUNDING + 2e-15, "{room:e}");
        }
    }
}

#[test]
fn dops_contain_their_points() {
    surely::<f32, 2, 4>(91);
    surely::<f64, 2, 4>(92);
    surely::<f32, 3, 7>(93);
    surely::<f64, 3, 7>(94);
    surely::<f32, 3, 9>(95);
    surely::<f64, 3, 9>(96);
    surely::<f32, 3, 4>(97);
    surely::<f64, 3, 4>(98);
}

/// Checks that the octagon around a rotated square is the square, and that a cube's corners and
/// edges are cut.
#[test]
fn dops_cut_corners_of_boxes() {
    let square = Dop8::<f64>::from_points(
        [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]].map(Point::from),
    );
    assert!(
        !square.contains(Point::from([0.75, 0.75])) && square.contains(Point::from([0.5, 0.5]))
    );
    assert!(square.aabb().contains(Point::from([0.75, 0.75])));
    let axes = [
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let star = Dop14::<f64>::from_points(axes.map(Point::from));
    assert!(
        !star.contains(Point::from([0.5, 0.5, 0.5]))
            && star.contains(Point::from([0.25, 0.5, 0.25]))
    );
    let star = Dop18::<f64>::from_points(axes.map(Point::from));
    assert!(
        star.contains(Point::from([0.5, 0.5, 0.5]))
            && !star.contains(Point::from([0.75, 0.5, 0.0]))
    );
    // The octahedron around a cube is three times as wide.
    let cube = Aabb::from_points([Point::from([-1.0; 3]), Point::from([1.0; 3])]);
    let eight = SpaceDop8::<f64>::from_points(cube.corners());
    let wide = Aabb::from_points([Point::from([-3.0; 3]), Point::from([3.0; 3])]);
    assert!(eight.contains(Point::from([2.9, 0.0, 0.0])) && !eight.contains(Point::from([1.5; 3])));
    let found = eight.aabb();
    assert!(wide.grown(1e-12).contains(found.min) && wide.grown(1e-12).contains(found.max));
    assert!(found.contains(wide.min) && found.contains(wide.max));
    assert!(SpaceDop8::<f32>::empty().aabb().is_empty());
    assert!(Dop8::<f32>::empty().is_empty() && !Dop8::<f32>::empty().contains(Point::origin()));
    assert!(!Dop18::<f64>::empty().intersects(&star) && Dop14::<f32>::default() == Dop14::empty());
    let nowhere = Dop8::<f64>::from_points([Point::from([f64::NAN, 0.0])]);
    assert!(nowhere.is_empty() && !square.contains(Point::from([f64::NAN, 0.0])));
}
