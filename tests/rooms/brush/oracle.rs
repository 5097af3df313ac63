//! The oracles of cylinders among brushes: on known cases, against each other, and by samples.

use support::brushes::{any_brush, cuboid, moved, pillar};
use support::cylinder_distance::{Corners, Cylinder, HalfSpace, gap};
use support::exact_cylinder::Relation::{Apart, Overlapping, Touching};
use support::exact_cylinder::{Centre, ExactBrush, Grown, Relation, overlaps, relation, within};
use support::exact_planes::is_before;
use support::prelude::*;

/// Returns the relation, asserted equal with and without the filter.
fn lie(planes: &[HalfSpace], radius: f64, half_height: f64, centre: V) -> Relation {
    let mut brush = ExactBrush::new(planes).expect("a brush");
    let cylinder = Grown { radius, half_height, growth: 0.0 };
    let filtered = brush.relation(&cylinder, &Centre::at(centre));
    brush.filter = false;
    assert_eq!(brush.relation(&cylinder, &Centre::at(centre)), filtered);
    filtered
}

/// Asserts that `at` touches, one bit further along an axis is separate, and one bit back overlaps.
fn touches_at(planes: &[HalfSpace], radius: f64, half_height: f64, at: V, axis: usize) {
    let step = |next: fn(f64) -> f64| {
        let mut at = at;
        at[axis] = next(at[axis]);
        lie(planes, radius, half_height, at)
    };
    assert_eq!(lie(planes, radius, half_height, at), Touching);
    assert_eq!(step(f64::next_up), Apart);
    assert_eq!(step(f64::next_down), Overlapping);
    assert!(gap(planes, radius, half_height, at).abs() < 1e-12);
}

fn wedge() -> Vec<HalfSpace> {
    // z <= 3/4 x, its normal of length 5.
    let mut planes = cuboid([-9.0, -1.0, 0.0], [4.0, 1.0, 9.0]);
    planes.push(([-3.0, 0.0, 4.0], 0.0));
    planes
}

fn tetrahedron() -> Vec<HalfSpace> {
    let sides = [([-1.0, 0.0, 0.0], 0.0), ([0.0, -1.0, 0.0], 0.0), ([0.0, 0.0, -1.0], 0.0)];
    sides.into_iter().chain([([3.0, 4.0, 12.0], 12.0)]).collect()
}

#[test]
fn contact_with_a_cube_is_exact_to_the_bit() {
    let cube = cuboid([-1.0; 3], [1.0; 3]);
    touches_at(&cube, 0.5, 1.0, [1.5, 0.25, 0.0], 0);
    touches_at(&cube, 0.5, 1.0, [0.25, 1.5, 1.75], 1);
    touches_at(&cube, 0.5, 1.0, [0.0, 0.0, 2.0], 2);
    touches_at(&cube, 0.5, 1.0, [1.25, 0.0, 2.0], 2);
    // 3, 4, 5 around the upright edge.
    touches_at(&cube, 5.0, 1.0, [4.0, 5.0, 0.5], 0);
    touches_at(&cube, 5.0, 1.0, [4.0, 5.0, 0.5], 1);
    // Rim on corner: the heights touch, and so do the plans.
    assert_eq!(lie(&cube, 5.0, 1.0, [4.0, 5.0, 2.0]), Touching);
    assert_eq!(lie(&cube, 5.0, 1.0, [4.0, 5.0, 2f64.next_up()]), Apart);
    // A point and a segment as cylinders.
    assert_eq!(lie(&cube, 0.0, 0.0, [1.0, 0.0, 0.0]), Touching);
    assert_eq!(lie(&cube, 0.0, 0.0, [1f64.next_down(), 0.0, 0.0]), Overlapping);
    assert_eq!(lie(&cube, 0.0, 3.0, [1.0, 1.0, 4.0]), Touching);
    assert_eq!(lie(&cube, 0.0, 3.0, [0.5, 0.5, 4.0]), Touching);
}

#[test]
fn contact_with_a_wedge_at_the_rim() {
    // The rim's uphill end: z - H = 3/4 (x + R).
    touches_at(&wedge(), 1.0, 1.0, [1.0, 0.0, 2.5], 2);
    touches_at(&wedge(), 0.5, 2.0, [2.5, 0.5, 4.25], 2);
    // Beyond the upper edge it rests on the edge; in front of the lower edge nothing is above it.
    touches_at(&wedge(), 1.0, 1.0, [4.5, 0.0, 4.0], 2);
    touches_at(&wedge(), 1.0, 1.0, [5.0, 0.0, 3.0], 0);
    assert_eq!(lie(&wedge(), 1.0, 1.0, [-1.0, 0.0, 0.0]), Touching);
    assert_eq!(lie(&wedge(), 1.0, 1.0, [(-1f64).next_down(), 0.0, 0.0]), Apart);
}

#[test]
fn contact_with_a_tetrahedron_on_face_edge_and_corner() {
    // At the height 1/2 the face is 3 x + 4 y = 6 in plan; 1.25 along its normal from (1, 0.75).
    touches_at(&tetrahedron(), 1.25, 0.5, [1.75, 1.75, 1.0], 0);
    touches_at(&tetrahedron(), 1.25, 0.5, [1.75, 1.75, 1.0], 2);
    // On the top corner, beside the slanted edge above y = 0, and around the corner (4, 0, 0).
    touches_at(&tetrahedron(), 2.0, 0.25, [1.0, -1.0, 1.25], 2);
    assert_eq!(lie(&tetrahedron(), 1.0, 0.25, [1.0, -1.0, 0.5]), Touching);
    touches_at(&tetrahedron(), 5.0, 0.25, [7.0, -4.0, 0.25], 0);
}

#[test]
fn sums_and_moved_centres_are_exact() {
    let cube = cuboid([-1.0; 3], [1.0; 3]);
    let tiny = f64::powi(2.0, -80);
    assert!(!within(&cube, 0.5, 1.0, [1.5, 0.0, 0.0], 0.0));
    assert!(within(&cube, 0.5, 1.0, [1.5, 0.0, 0.0], tiny));
    assert_eq!(relation(&cube, 0.5, 1.0, -tiny, [1.5, 0.0, 0.0]), Apart);
    let brush = ExactBrush::new(&cube).expect("a brush");
    let cylinder = Grown { radius: 0.5, half_height: 1.0, growth: 0.0 };
    let start = [3.0, 0.0, 0.0];
    let at = |way: f64, time: f64| {
        brush.relation(&cylinder, &Centre { start, way: [-way, 0.0, 0.0], time })
    };
    assert_eq!([at(3.0, 0.5), at(3.0, 0.5f64.next_down())], [Touching, Apart]);
    assert_eq!(at(3.0, 0.5f64.next_up()), Overlapping);
    // A product that is not representable: (1 + 2^-50)^2 is above 1 + 2^-49.
    let long = 1.0 + f64::powi(2.0, -50);
    let brush = ExactBrush::new(&cuboid([-1.0; 3], [1.5 - 2.0 * (long - 1.0), 1.0, 1.0]));
    let centre = Centre { start, way: [-long, 0.0, 0.0], time: long };
    assert_eq!(brush.expect("a brush").relation(&cylinder, &centre), Overlapping);
}

#[test]
fn redundant_planes_and_their_order_do_not_matter() {
    let mut random = Random(31);
    for _ in 0..cases(2_000) {
        let mut planes = any_brush(&mut random);
        let cylinder = Grown { radius: 0.5, half_height: 0.75, growth: 0.0 };
        let centre = Centre::at(std::array::from_fn(|_| random.between(-4.0, 4.0)));
        let first = ExactBrush::new(&planes).expect("a brush");
        let found = first.relation(&cylinder, &centre);
        planes.push((random.direction(), 50.0));
        planes.push(planes[random.below(planes.len())]);
        planes.rotate_left(random.below(4));
        planes.reverse();
        let mut again = ExactBrush::new(&planes).expect("a brush");
        again.filter = false;
        assert_eq!(again.relation(&cylinder, &centre), found);
        assert_eq!(again.corners().len(), first.corners().len());
    }
}

/// Draws a cylinder near a brush.
fn any_cylinder(random: &mut Random) -> (Cylinder, V) {
    let (radius, half_height) = (random.decade(-1.0, 0.3), random.decade(-1.0, 0.3));
    (Cylinder { radius, half_height }, std::array::from_fn(|_| random.between(-4.0, 4.0)))
}

#[test]
fn the_f64_oracle_is_accurate_to_1e_9() {
    let (mut random, mut tally) = (Random(32), [0; 2]);
    for _ in 0..cases(20_000) {
        let planes = any_brush(&mut random);
        let (cylinder, centre) = any_cylinder(&mut random);
        let gap = Corners::of_planes(&planes).expect("corners").gap(&cylinder, centre);
        let Cylinder { radius, half_height } = cylinder;
        let mut brush = ExactBrush::new(&planes).expect("a brush");
        brush.filter = random.chance(0.5);
        let grown = |growth: f64| {
            let grown = Grown { radius, half_height, growth };
            brush.relation(&grown, &Centre::at(centre))
        };
        assert_ne!(grown(gap + 1e-9), Apart, "{planes:?} {cylinder:?} {centre:?}");
        if gap - 1e-9 >= -radius.min(half_height) {
            assert_eq!(grown(gap - 1e-9), Apart, "{planes:?} {cylinder:?} {centre:?}");
        }
        tally[usize::from(gap > 0.0)] += 1;
    }
    println!("{} overlapping, {} apart", tally[0], tally[1]);
    assert!(tally.iter().all(|&count| count * 20 > cases(20_000)));
}

#[test]
fn the_filter_changes_no_verdict() {
    let (mut random, mut tally) = (Random(33), [0; 2]);
    for _ in 0..cases(5_000) {
        let planes = any_brush(&mut random);
        let (cylinder, centre) = any_cylinder(&mut random);
        let Cylinder { radius, half_height } = cylinder;
        let mut brush = ExactBrush::new(&planes).expect("a brush");
        let gap = Corners::of_planes(&planes).expect("corners").gap(&cylinder, centre);
        // Nearly touching, on either side.
        let growth = gap + random.sign() * random.decade(-17.0, -6.0);
        if growth < -radius.min(half_height) {
            continue;
        }
        let grown = Grown { radius, half_height, growth };
        let filtered = brush.relation(&grown, &Centre::at(centre));
        brush.filter = false;
        assert_eq!(brush.relation(&grown, &Centre::at(centre)), filtered);
        tally[usize::from(filtered == Apart)] += 1;
    }
    assert!(tally.iter().all(|&count| count * 5 > cases(5_000)), "{tally:?}");
}

#[test]
fn a_common_point_is_never_missed() {
    let (mut random, mut common) = (Random(34), 0);
    for _ in 0..cases(20_000) {
        let planes = any_brush(&mut random);
        let (Cylinder { radius, half_height }, centre) = any_cylinder(&mut random);
        let angle = random.between(-4.0, 4.0);
        let far = radius * random.share().sqrt() * (1.0 - 1e-9);
        let rise = half_height * random.between(-1.0, 1.0) * (1.0 - 1e-9);
        let (sine, cosine) = angle.sin_cos();
        let point = [centre[0] + far * cosine, centre[1] + far * sine, centre[2] + rise];
        if planes.iter().all(|&(n, o)| inner(n, point) < o - 1e-9) {
            common += 1;
            assert!(overlaps(&planes, radius, half_height, centre));
            assert!(within(&planes, radius, half_height, centre, 0.0));
        }
    }
    assert!(common * 100 > cases(20_000), "{common}");
}

#[test]
fn known_times_of_impact_of_the_oracle() {
    let cube = ExactBrush::new(&cuboid([-1.0; 3], [1.0; 3])).expect("a brush");
    let cylinder = Grown { radius: 0.5, half_height: 1.0, growth: 0.0 };
    let time = |start: V, way: V| {
        let [apart, touching] = cube.time_of_impact(&cylinder, start, way)?;
        assert!(touching - apart < 2e-15);
        Some(touching)
    };
    let near = |found: Option<f64>, expected: f64| {
        let found = found.expect("a hit");
        assert!((found - expected).abs() < 2e-15, "{found} {expected}");
    };
    near(time([3.5, 0.0, 0.0], [-4.0, 0.0, 0.0]), 0.5);
    near(time([0.0, 0.0, 5.0], [0.0, 0.0, -12.0]), 0.25);
    near(time([1.25, 0.0, 0.0], [1.0, 0.0, 0.0]), 0.0);
    // Past the edge within 0.3: the circle is hit at 1 + 0.4.
    near(time([3.4, 1.3, 0.0], [-4.0, 0.0, 0.0]), 0.5);
    // Exactly on the top: touching all the way counts; just above: never.
    near(time([3.5, 0.0, 2.0], [-4.0, 0.0, 0.0]), 0.5);
    assert_eq!(time([3.5, 0.0, 2f64.next_up()], [-4.0, 0.0, 0.0]), None);
    // Far too fast for sampling, through a sheet.
    let sheet = ExactBrush::new(&cuboid([-1.0, -9.0, -9.0], [-0.999, 9.0, 9.0])).expect("a brush");
    let [_, touching] =
        sheet.time_of_impact(&cylinder, [1e6, 0.0, 0.0], [-2e6, 0.0, 0.0]).expect("a hit");
    assert!((touching - (1e6 + 0.499) / 2e6).abs() < 1e-15);
    assert_eq!(time([3.5, 0.0, 0.0], [-1.0, 0.0, 0.0]), None);
    assert_eq!(time([3.5, 3.0, 0.0], [-8.0, 0.0, 0.0]), None);
}

#[test]
fn at_the_time_of_impact_the_gap_is_zero() {
    let (mut random, mut tally) = (Random(35), [0; 2]);
    for _ in 0..cases(2_000) {
        let planes = any_brush(&mut random);
        let (cylinder, start) = any_cylinder(&mut random);
        let way: V = std::array::from_fn(|k| random.between(-2.0, 2.0) - 2.0 * start[k]);
        let corners = Corners::of_planes(&planes).expect("corners");
        let Cylinder { radius, half_height } = cylinder;
        let grown = Grown { radius, half_height, growth: 0.0 };
        let brush = ExactBrush::new(&planes).expect("a brush");
        let at = |time: f64| std::array::from_fn(|k| start[k] + time * way[k]);
        let found = brush.time_of_impact(&grown, start, way);
        let until = found.map_or(1.0, |[apart, _]| apart);
        let least = (0..=200).map(|i| corners.gap(&cylinder, at(until * f64::from(i) / 200.0)));
        let least = least.fold(f64::INFINITY, f64::min);
        match found {
            Some([_, 0.0]) => assert!(least < 1e-12),
            Some([_, touching]) => {
                assert!(corners.gap(&cylinder, at(touching)).abs() < 1e-9 && least > -1e-9);
            }
            None => assert!(least > -1e-9, "{planes:?} {cylinder:?} {start:?} {way:?}"),
        }
        tally[usize::from(found.is_some())] += 1;
    }
    println!("{} missed, {} hit", tally[0], tally[1]);
    assert!(tally.iter().all(|&count| count * 20 > cases(2_000)));
}

#[test]
fn a_separating_plane_is_a_proof() {
    let cube = cuboid([-1.0; 3], [1.0; 3]);
    let cylinder = Grown { radius: 0.5, half_height: 1.0, growth: 0.25 };
    let before = |start: V, way: V| is_before(&cube, &cylinder, start, way);
    assert!(before([1.75f64.next_up(), 0.0, 0.0], [0.0, 18.0, 0.0]));
    assert!(!before([1.75, 0.0, 0.0], [0.0, 18.0, 0.0]));
    assert!(before([0.0, 0.0, 2.25f64.next_up()], [7.0, 0.0, 0.0]));
    assert!(!before([0.0, 0.0, 2.25], [7.0, 0.0, 0.0]));
    // Past an edge: by the sum of two planes.
    assert!(before([9.0, -4.0, 0.0], [-13.0, 13.0, 0.0]));
    assert!(!before([9.0, -6.5, 0.0], [-13.0, 13.0, 0.0]));
    let (mut random, mut tally) = (Random(37), [0; 3]);
    for round in 0..cases(2_000) {
        let planes = any_brush(&mut random);
        let (Cylinder { radius, half_height }, start) = any_cylinder(&mut random);
        let grown = Grown { radius, half_height, growth: 0.0 };
        let still = f64::from(u8::from(round % 2 == 0));
        let way: V = std::array::from_fn(|k| still * (random.between(-2.0, 2.0) - 2.0 * start[k]));
        let mut brush = ExactBrush::new(&planes).expect("a brush");
        brush.filter = false;
        let apart = brush.time_of_impact(&grown, start, way).is_none();
        let told = is_before(&planes, &grown, start, way);
        assert!(apart || !told, "{planes:?} {grown:?} {start:?} {way:?}");
        tally[usize::from(apart) + usize::from(told)] += 1;
    }
    println!("{} touched, {} apart without a plane, {} with one", tally[0], tally[1], tally[2]);
    assert!(tally[0] * 20 > cases(2_000) && tally[2] > tally[1], "{tally:?}");
}

/// Prints the cost of a query: `cargo test --release oracle_speed -- --ignored --nocapture`.
#[test]
#[ignore = "prints times"]
fn oracle_speed() {
    let rotation = support::random::about([0.6, 0.0, 0.8], 0.3);
    for planes in [cuboid([-1.0; 3], [1.0; 3]), pillar(16, 1.0, 1.0)] {
        let planes = moved(&planes, &rotation, [0.1, 0.2, 0.3]);
        let mut brush = ExactBrush::new(&planes).expect("a brush");
        let corners = Corners::of_planes(&planes).expect("corners");
        let cylinder = Cylinder { radius: 0.4, half_height: 0.9 };
        let grown = Grown { radius: 0.4, half_height: 0.9, growth: 0.0 };
        let mut random = Random(36);
        let mut time = |count: u32, ask: &mut dyn FnMut(V)| {
            let start = std::time::Instant::now();
            (0..count).for_each(|_| ask(std::array::from_fn(|_| random.between(-2.0, 2.0))));
            start.elapsed() / count
        };
        let quick = time(20_000, &mut |c| _ = brush.relation(&grown, &Centre::at(c)));
        let gap = time(2_000, &mut |c| _ = corners.gap(&cylinder, c));
        let plan = time(20_000, &mut |c| _ = corners.in_plan(&cylinder, c));
        brush.filter = false;
        let exact = time(300, &mut |c| _ = brush.relation(&grown, &Centre::at(c)));
        println!("filtered {quick:?}, exact {exact:?}, gap {gap:?}, in plan {plan:?}");
    }
}
