//! Segments, triangles, boxes and points with small integer corners, where every separating
//! direction can be tried without rounding, and touching is common.

use support::pair::any_shape::{Any, Kind, Plan, UPRIGHT};
use support::prelude::*;

type W = [i128; 3];

fn minus(a: W, b: W) -> W {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: W, b: W) -> W {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn inner(a: W, b: W) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns steps along edges, between corners of the two, across two of them, and across that and a
/// third: the vector between closest points is one of them, whichever features these are on.
fn directions(a: &[W], b: &[W]) -> Vec<W> {
    let mut steps: Vec<W> = Vec::new();
    for hull in [a, b] {
        for (i, &p) in hull.iter().enumerate() {
            // For a box the three edges at its first corner suffice.
            let ends = if hull.len() == 8 { vec![1, 2, 4] } else { (i + 1..hull.len()).collect() };
            if hull.len() < 8 || i == 0 {
                steps.extend(ends.into_iter().map(|j| minus(hull[j], p)));
            }
        }
    }
    let edges = steps.clone();
    steps.extend(a.iter().flat_map(|&p| b.iter().map(move |&q| minus(q, p))));
    let across = |u: W| edges.iter().map(move |&e| cross(u, e));
    let twice: Vec<W> = steps.iter().flat_map(|&u| across(u)).collect();
    let thrice: Vec<W> = twice.iter().flat_map(|&u| across(u)).collect();
    steps.into_iter().chain(twice).chain(thrice).collect()
}

/// Returns -1 if the interiors overlap along every direction, 0 if the two only touch along some, 1
/// if separate.
fn verdict(a: &[W], b: &[W]) -> i32 {
    let along = |hull: &[W], way: W| {
        let products = hull.iter().map(|&p| inner(p, way));
        products.fold((i128::MAX, i128::MIN), |(low, high), x| (low.min(x), high.max(x)))
    };
    let excess = |way: W| {
        let ((low_a, high_a), (low_b, high_b)) = (along(a, way), along(b, way));
        (low_b - high_a).max(low_a - high_b).signum() as i32
    };
    let ways = directions(a, b).into_iter().filter(|&way| way != [0; 3]);
    ways.map(excess).max().unwrap_or(0)
}

fn plan(kind: Kind, random: &mut Random) -> Plan {
    let mut number = |below: usize| random.below(below) as f64;
    let mut points = [[0.0; 3]; 3];
    for p in &mut points {
        *p = [number(5), number(5), number(5)];
    }
    let half: V = [number(3), number(3), number(3)];
    if matches!(kind, Kind::Aabb | Kind::Obb) {
        points = [points[0]; 3];
    }
    Plan { kind, points, axes: UPRIGHT, half, radius: 0.0 }
}

fn whole(plan: &Plan) -> Vec<W> {
    plan.hull().iter().map(|p| p.map(|x| x as i128)).collect()
}

/// Checks small lattices: the kernels of two boxes have a slack, so finer lattices are not tried
/// for them.
#[test]
fn verdicts_are_exact_on_a_lattice() {
    let mut random = Random(3);
    let (mut apart, mut touching, mut deep) = (0, 0, 0);
    for (i, first) in Kind::ALL.into_iter().enumerate() {
        for second in Kind::ALL.into_iter().skip(i) {
            for _ in 0..cases(600) {
                let plans = [plan(first, &mut random), plan(second, &mut random)];
                let expected = verdict(&whole(&plans[0]), &whole(&plans[1]));
                // Powers of two are exact; thirds are not.
                let scale = [1.0, 0.125, 1024.0][random.below(3)];
                let [a, b]: [Any<f32>; 2] = plans.map(|plan| plan.scaled(scale).build());
                assert_eq!(a.intersects(&b), expected <= 0, "{a:?} {b:?}");
                assert_eq!(a.distance(&b) == 0.0, expected <= 0, "{a:?} {b:?}");
                match expected {
                    1 => apart += 1,
                    0 => touching += 1,
                    _ => deep += 1,
                }
            }
        }
    }
    println!("apart {apart}, touching {touching}, deep {deep}");
    let tenth = (apart + touching + deep) / 10;
    assert!(apart > tenth && touching > tenth && deep > tenth / 4);
}

/// Checks two segments, and a segment and a triangle, that cross at a point that is not
/// representable: only exact arithmetic decides.
#[test]
fn crossings_at_unrepresentable_points_are_found() {
    use boxwood::nalgebra::Point3;
    use boxwood::shape::{Segment, Triangle};
    let mut random = Random(5);
    let mut met = 0;
    for _ in 0..cases(2_000) {
        let mut number = |size: usize| random.below(size) as f64 - (size / 2) as f64;
        let [a, u, w]: [V; 3] = std::array::from_fn(|_| [number(64), number(64), number(64)]);
        let share = number(6) + 4.0;
        // The first is from a to a + u, and p = P / 7 = a + u share / 7 is on it; the second, from
        // P + 3 w to -P - 4 w, contains p too, three sevenths of the way from its second end. All
        // ends are integers, p is not.
        let seven: V = std::array::from_fn(|i| 7.0 * a[i] + share * u[i]);
        let c: V = std::array::from_fn(|i| seven[i] + 3.0 * w[i]);
        let d: V = std::array::from_fn(|i| -seven[i] - 4.0 * w[i]);
        let b: V = std::array::from_fn(|i| a[i] + u[i]);
        let first = Segment::new(Point3::from(a), Point3::from(b)).expect("a segment");
        let second = Segment::new(Point3::from(c), Point3::from(d)).expect("a segment");
        assert!(first.intersects(&second), "{first:?} {second:?}");
        assert_eq!(first.distance(&second), 0.0);
        let beside = Point3::from([number(99), number(99), number(99)]);
        let corners = Triangle::new(second.a(), second.b(), beside).expect("a triangle");
        assert!(first.intersects(&corners) && corners.intersects(&first), "{first:?} {corners:?}");
        // One step of the last bit across both: separate again.
        let normal = (first.direction()).cross(&second.direction());
        let axis = normal.iamax();
        if normal[axis] != 0.0 {
            let mut ends = [second.a(), second.b()];
            for end in &mut ends {
                end[axis] += if end[axis] == 0.0 { 1e-13 } else { end[axis].abs() * 2e-16 };
            }
            let aside = Segment::new(ends[0], ends[1]).expect("a segment");
            if (ends[0] - second.a())[axis] > 0.0 && (ends[1] - second.b())[axis] > 0.0 {
                assert!(!first.intersects(&aside) && first.distance(&aside) > 0.0);
                met += 1;
            }
        }
    }
    println!("{met} of 2000 moved off by the last bit");
    assert!(5 * met > cases(2_000));
}
