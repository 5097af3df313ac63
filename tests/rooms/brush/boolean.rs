//! Boolean operations of brushes: volumes, samples, disjoint pieces.

use boxwood::Error;
use boxwood::brush::Brush;
use boxwood::f64::Aabb;

use support::brushes::{any_brush, brush, cuboid, half_spaces, moved};
use support::cylinder_distance::HalfSpace;
use support::exact_cylinder::Relation::{self, Apart, Overlapping, Touching};
use support::exact_cylinder::relation;
use support::plain_box::UPRIGHT;
use support::prelude::*;
use support::random::about;

fn block(min: V, max: V) -> Brush {
    Brush::from_aabb(&Aabb::new(Point3::from(min), Point3::from(max))).expect("a box")
}

fn volume(brushes: &[Brush]) -> f64 {
    brushes.iter().map(Brush::volume).sum()
}

/// Returns the height of a point over the surface of a brush: negative inside.
fn height(planes: &[HalfSpace], point: V) -> f64 {
    planes.iter().map(|&(n, o)| inner(n, point) - o).fold(f64::NEG_INFINITY, f64::max)
}

/// Draws a point in the box around both.
fn sample(random: &mut Random, a: &Brush, b: &Brush) -> V {
    let bounds = Aabb::from_points(a.corners().into_iter().chain(b.corners()));
    std::array::from_fn(|i| random.between(bounds.min[i], bounds.max[i]))
}

/// Distance from a plane below which points are not checked.
const CLOSE: f64 = 1e-9;

/// Checks all properties of any two brushes; returns the pieces of the difference.
fn check(random: &mut Random, a: &Brush, b: &Brush) -> Vec<Brush> {
    let (pieces, union, both) = (a.subtract(b), a.union(b), a.intersection(b));
    assert!(pieces.len() <= b.planes().len() && union.len() <= a.planes().len() + 1);
    assert_eq!(&union[0], a);
    let shared = both.as_ref().map_or(0.0, Brush::volume);
    // Pieces thinner than 2^-38 of the largest coordinate are omitted.
    let rounding = 1e-9 * (a.volume() + b.volume());
    assert!((volume(&pieces) + shared - a.volume()).abs() < rounding, "{a:?} {b:?}");
    assert!((volume(&union) + shared - a.volume() - b.volume()).abs() < rounding);
    let other = b.intersection(a).map_or(0.0, |both| both.volume());
    assert!((other - shared).abs() < rounding);
    for list in [&pieces, &union] {
        for (i, piece) in list.iter().enumerate() {
            let shared = list[..i].iter().filter_map(|other| piece.intersection(other));
            assert!(shared.map(|shared| shared.volume()).sum::<f64>() < rounding);
        }
    }
    let plain = |list: &[Brush]| -> Vec<_> { list.iter().map(half_spaces).collect() };
    let (in_pieces, in_union) = (plain(&pieces), plain(&union));
    let in_both = both.as_ref().map(half_spaces);
    let (in_a, in_b) = (half_spaces(a), half_spaces(b));
    for _ in 0..20 {
        let point = sample(random, a, b);
        let (h, k) = (height(&in_a, point), height(&in_b, point));
        let some = in_a.iter().chain(&in_b).any(|&(n, o)| (inner(n, point) - o).abs() < CLOSE);
        if some {
            continue;
        }
        let holders = |list: &[Vec<HalfSpace>]| {
            list.iter().filter(|planes| height(planes, point) < 0.0).count()
        };
        assert_eq!(holders(&in_pieces), usize::from(h < 0.0 && k > 0.0), "{point:?} {a:?} {b:?}");
        assert_eq!(holders(&in_union), usize::from(h < 0.0 || k < 0.0));
        let shared = in_both.as_ref().is_some_and(|planes| height(planes, point) < 0.0);
        assert_eq!(shared, h < 0.0 && k < 0.0);
    }
    pieces
}

/// Asserts that every plane of a piece is one of `a`, or one of `b` or its reverse, bit for bit.
fn planes_are_kept(a: &Brush, b: &Brush, pieces: &[Brush]) {
    let (a, b) = (half_spaces(a), half_spaces(b));
    let known = |(n, o): HalfSpace| {
        a.contains(&(n, o)) || b.contains(&(n, o)) || b.contains(&(n.map(|x| -x), -o))
    };
    assert!(pieces.iter().flat_map(half_spaces).all(known));
}

fn wall() -> Brush {
    block([0.0, 0.0, 0.0], [10.0, 0.5, 3.0])
}

fn door() -> Brush {
    block([4.0, -1.0, 0.0], [6.0, 1.0, 2.0])
}

#[test]
fn differences_of_doors_windows_and_nested_boxes() {
    let mut random = Random(41);
    let mut cut = |a: &Brush, b: &Brush| {
        let pieces = check(&mut random, a, b);
        planes_are_kept(a, b, &pieces);
        (pieces.len(), volume(&pieces))
    };
    assert_eq!(cut(&wall(), &door()), (3, 15.0 - 2.0));
    let window = block([4.0, -1.0, 1.0], [6.0, 1.0, 2.0]);
    assert_eq!(cut(&wall(), &window), (4, 15.0 - 1.0));
    // A niche that does not pierce the wall.
    assert_eq!(cut(&wall(), &block([4.0, -1.0, 1.0], [6.0, 0.25, 2.0])), (5, 15.0 - 0.5));
    let (outer, inside) = (block([0.0; 3], [4.0; 3]), block([1.0; 3], [2.0; 3]));
    assert_eq!(cut(&outer, &inside), (6, 63.0));
    assert_eq!(cut(&inside, &outer), (0, 0.0));
    assert_eq!(cut(&outer, &outer.clone()), (0, 0.0));
    // A corner, an edge and a slice off.
    assert_eq!(cut(&outer, &block([3.0; 3], [5.0; 3])), (3, 63.0));
    assert_eq!(cut(&outer, &block([3.0, 3.0, -1.0], [5.0; 3])), (2, 60.0));
    assert_eq!(cut(&outer, &block([3.0, -1.0, -1.0], [5.0; 3])), (1, 48.0));
}

#[test]
fn brushes_that_only_touch_or_are_separate_are_unchanged() {
    let mut random = Random(42);
    let cube = block([0.0; 3], [1.0; 3]);
    let others = [
        block([1.0, 0.0, 0.0], [2.0, 1.0, 1.0]),
        block([1.0, 1.0, 0.0], [2.0, 2.0, 1.0]),
        block([1.0; 3], [2.0; 3]),
        block([3.0; 3], [4.0; 3]),
        // Deeper than touching by less than the least thickness.
        block([1.0 - 1e-13, 0.0, 0.0], [2.0, 1.0, 1.0]),
    ];
    for other in &others {
        assert_eq!(cube.subtract(other), std::slice::from_ref(&cube));
        assert_eq!(cube.intersection(other), None);
        assert_eq!(cube.union(other), [cube.clone(), other.clone()]);
        check(&mut random, &cube, other);
    }
    // Thick enough: a piece of 1e-9 is cut off.
    let thin = block([1.0 - 1e-9, -1.0, -1.0], [2.0, 2.0, 2.0]);
    let both = cube.intersection(&thin).expect("a thin one");
    assert!((both.volume() - 1e-9).abs() < 1e-15);
    assert_eq!(check(&mut random, &cube, &thin).len(), 1);
}

#[test]
fn booleans_of_rotated_brushes() {
    let mut random = Random(43);
    for degrees in [45.0f64, 17.3, 90.0, 0.05] {
        let rotation = about([0.0, 0.0, 1.0], degrees.to_radians());
        let turn = |solid: &Brush| brush(&moved(&half_spaces(solid), &rotation, [0.3, -0.2, 0.1]));
        let (a, b) = (turn(&wall()), turn(&door()));
        let pieces = check(&mut random, &a, &b);
        planes_are_kept(&a, &b, &pieces);
        assert_eq!(pieces.len(), 3);
        assert!((volume(&pieces) - 13.0).abs() < 1e-12);
        // One rotated, the other not.
        check(&mut random, &wall(), &b);
        check(&mut random, &a, &door());
    }
}

#[test]
fn boxes_on_a_lattice_conserve_volume_exactly() {
    let mut random = Random(44);
    for _ in 0..cases(5_000) {
        let mut any = || {
            let min: V = std::array::from_fn(|_| random.below(7) as f64);
            block(min, min.map(|x| x + 1.0 + random.below(5) as f64))
        };
        let (a, b) = (any(), any());
        let shared = a.intersection(&b).map_or(0.0, |both| both.volume());
        let overlap = |i: usize| {
            let ends = [a.corners(), b.corners()].map(|corners| {
                let along = || corners.iter().map(|corner| corner[i]);
                (along().fold(9e9, f64::min), along().fold(-9e9, f64::max))
            });
            (ends[0].1.min(ends[1].1) - ends[0].0.max(ends[1].0)).max(0.0)
        };
        assert_eq!(shared, (0..3).map(overlap).product::<f64>());
        assert_eq!(volume(&a.subtract(&b)), a.volume() - shared);
        assert_eq!(volume(&a.union(&b)), a.volume() + b.volume() - shared);
        planes_are_kept(&a, &b, &a.subtract(&b));
    }
}

#[test]
fn booleans_of_random_brushes() {
    let (mut random, mut cut) = (Random(45), 0);
    for _ in 0..cases(10_000) {
        let (a, b) = (brush(&any_brush(&mut random)), brush(&any_brush(&mut random)));
        let pieces = check(&mut random, &a, &b);
        planes_are_kept(&a, &b, &pieces);
        cut += usize::from(pieces.len() > 1);
    }
    println!("{cut} of {} cut into several pieces", cases(10_000));
    assert!(cut * 10 > cases(10_000));
}

#[test]
fn repeated_cuts() {
    let mut random = Random(46);
    let wall = block([0.0, 0.0, 0.0], [20.0, 1.0, 6.0]);
    let holes: Vec<Brush> = (0..12)
        .map(|_| {
            let planes = any_brush(&mut random);
            let by = [random.between(0.0, 20.0), 0.5, random.between(0.0, 6.0)];
            brush(&moved(&planes, &UPRIGHT, by))
        })
        .collect();
    let pieces = holes.iter().fold(vec![wall.clone()], |pieces, hole| {
        pieces.iter().flat_map(|piece| piece.subtract(hole)).collect()
    });
    let (solids, holes): (Vec<_>, Vec<_>) =
        (pieces.iter().map(half_spaces).collect(), holes.iter().map(half_spaces).collect());
    let mut open = 0;
    for _ in 0..cases(50_000) {
        let point = [random.between(0.0, 20.0), random.between(0.0, 1.0), random.between(0.0, 6.0)];
        if holes.iter().flatten().any(|&(n, o)| (inner(n, point) - o).abs() < CLOSE) {
            continue;
        }
        let inside = |list: &[Vec<HalfSpace>]| {
            list.iter().filter(|planes| height(planes, point) < 0.0).count()
        };
        let cut = inside(&holes) > 0;
        assert_eq!(inside(&solids), usize::from(!cut));
        open += usize::from(cut);
    }
    println!("{} pieces, {open} samples in holes", pieces.len());
    assert!(open > 100 && pieces.len() > 12);
}

/// Checks the patent's example: a cylinder of radius 1 beside a door from 4 to 6 collides at 3.5.
#[test]
fn booleans_come_before_offsets() {
    let pieces = wall().subtract(&door());
    let lies = |x: f64, radius: f64| {
        let centre = [x, 0.25, 1.0];
        let relations =
            pieces.iter().map(|piece| relation(&half_spaces(piece), radius, 0.5, 0.0, centre));
        relations
            .max_by_key(|&found| [Apart, Touching, Overlapping].iter().position(|&r| r == found))
    };
    let expected: [(f64, f64, Relation); 5] = [
        (3.5, 1.0, Overlapping),
        (5.0, 1.0, Touching),
        (5.0, 1f64.next_down(), Apart),
        (5.25, 0.5, Apart),
        (5.5, 0.5, Touching),
    ];
    for (x, radius, found) in expected {
        assert_eq!(lies(x, radius), Some(found), "{x} {radius}");
    }
    // Boxes offset by (1, 1, 0.5), an outer bound of the offset by the cylinder: in the difference
    // of the offsets the position is free, although the cylinder there overlaps the wall.
    let offset = |solid: &Brush| {
        let by = nalgebra::Vector3::new(1.0, 1.0, 0.5);
        let bounds = Aabb::from_points(solid.corners());
        Brush::from_aabb(&Aabb::new(bounds.min - by, bounds.max + by)).expect("a box")
    };
    let centre = Point3::new(3.5, 0.25, 1.0);
    let wrong = offset(&wall()).subtract(&offset(&door()));
    assert!(!wrong.iter().any(|piece| piece.contains(centre)));
    assert!(pieces.iter().any(|piece| offset(piece).contains(centre)));
}

#[test]
fn degenerate_booleans_do_not_panic() {
    let refused =
        Brush::from_aabb(&Aabb::new(Point3::new(1.0, 0.0, 0.0), Point3::new(1.0, 1.0, 1.0)));
    assert!(matches!(refused, Err(Error::EmptyBrush { .. })));
    // Very unequal sizes: a needle through a hall, a hall around a needle.
    let hall = block([-1e4; 3], [1e4; 3]);
    let needle = block([-1e-3, -1e-3, -2e4], [1e-3, 1e-3, 2e4]);
    assert_eq!(hall.subtract(&needle).len(), 4);
    assert_eq!(needle.subtract(&hall).len(), 2);
    let cuboids = [cuboid([-1e6; 3], [1e6; 3]), cuboid([-1.0; 3], [1.0; 3])];
    assert_eq!(brush(&cuboids[0]).subtract(&brush(&cuboids[1])).len(), 6);
}
