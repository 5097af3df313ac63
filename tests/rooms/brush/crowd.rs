//! Walkers among each other: pairs apart stay apart, by their distance in closed form; crowds are
//! walks among lists, bit for bit; riders, pushes, squeezes, heads.

use boxwood::brush::{
    BodyId, BrushFilter, BrushId, BrushWorld, CrowdWalker, CylinderAt, PushOutcome, WalkScratch,
    Walker, WalkerCrowd, WalkerState,
};
use boxwood::shape::UprightCylinder;
use boxwood::{CollisionGroups, Error};
use support::brushes::{brush, cuboid};
use support::cylinder_distance::HalfSpace;
use support::prelude::*;
use support::walks::{floor, place, size, world, world_with_body};

use super::levels::{levels, push, spawns};

/// Walker of a size, with steps of 0.45.
fn sized<T: Scalar>(radius: f64, half_height: f64) -> Walker<T> {
    let size = UprightCylinder::new(T::nearest(radius), T::nearest(half_height)).expect("a size");
    Walker::new(size).step(0.45)
}

fn person<T: Scalar>() -> Walker<T> {
    sized(0.4, 0.9)
}

/// Radius, half height and centre.
type Plain = ([f64; 2], V);

fn plain<T: Scalar>(one: &CrowdWalker<T>) -> Plain {
    let (radius, half) = size(&one.walker);
    ([radius, half], place(&one.state))
}

fn all_plain<T: Scalar>(crowd: &WalkerCrowd<T>) -> Vec<Plain> {
    crowd.walkers().iter().map(plain).collect()
}

/// Depth of two cylinders, by their definition: the lesser of sideways and upright; negative if
/// they are apart.
fn depth((a, p): &Plain, (b, q): &Plain) -> f64 {
    let way = minus(*p, *q);
    let sideways = a[0] + b[0] - way[0].hypot(way[1]);
    sideways.min(a[1] + b[1] - way[2].abs())
}

/// Rounding of [`depth`].
const ROUNDING: f64 = 1e-9;

/// Pairs of walkers that overlap, by their indices.
fn overlaps(all: &[Plain]) -> Vec<(usize, usize)> {
    let pairs = (0..all.len()).flat_map(|i| (i + 1..all.len()).map(move |j| (i, j)));
    pairs.filter(|&(i, j)| depth(&all[i], &all[j]) > ROUNDING * norm(all[i].1)).collect()
}

/// Ticks of a crowd with random displacements.
struct Ticks<T: Scalar> {
    crowd: WalkerCrowd<T>,
    random: Random,
    /// Set if walkers may be moved by others after their own moves.
    is_pushing: bool,
    /// Number of walkers that moved much less than they wanted.
    blocked: usize,
    squeezed: usize,
}

impl<T: Scalar> Ticks<T> {
    fn new(crowd: WalkerCrowd<T>, seed: u64) -> Self {
        Ticks { crowd, random: Random(seed), is_pushing: false, blocked: 0, squeezed: 0 }
    }

    /// One tick. Asserts that pairs apart before are apart after, or named by both, and that legs
    /// are free of others all along.
    fn tick(
        &mut self,
        world: &mut BrushWorld,
        moves: &[(BodyId, Vector3<T>)],
        wish: impl Fn(&mut Random) -> V,
    ) {
        let (before, begin) = (overlaps(&all_plain(&self.crowd)), all_plain(&self.crowd));
        let mut is_pushed = false;
        for &(body, offset) in moves {
            let pose = world.set_offset(body, offset).expect("a body");
            self.crowd.push(world, body, &pose).expect("numbers");
            is_pushed = true;
        }
        let wishes: Vec<V> = begin.iter().map(|_| wish(&mut self.random)).collect();
        let mut next = wishes.iter();
        let walked = self.crowd.walk(world, |_| vector(*next.next().expect("one each")));
        walked.expect("numbers");
        let end = all_plain(&self.crowd);
        let walkers = self.crowd.walkers();
        for (i, j) in overlaps(&end) {
            let [a, b] = [&walkers[i], &walkers[j]];
            let named = a.report.squeezed.is_some() && b.report.squeezed.is_some();
            let deep = depth(&end[i], &end[j]);
            assert!(before.contains(&(i, j)) || named && is_pushed, "{deep:e} {a:?} {b:?}");
        }
        for (i, one) in walkers.iter().enumerate() {
            self.squeezed += usize::from(one.report.squeezed.is_some());
            let moved = one.report.moved.map(T::wide);
            self.blocked +=
                usize::from(moved.norm() < 0.5 * norm([wishes[i][0], wishes[i][1], 0.0]));
            if is_pushed || self.is_pushing {
                continue;
            }
            // Walkers before this one have moved, those behind have not.
            for leg in self.crowd.path(one.order) {
                let [from, to] = [leg.start, leg.end].map(|p| p.coords.map(T::wide).into());
                for step in 0..=16 {
                    let at = plus(from, times(minus(to, from), f64::from(step) / 16.0));
                    let own = (end[i].0, at);
                    for j in (0..end.len()).filter(|&j| j != i) {
                        let other = if j < i { &end[j] } else { &begin[j] };
                        let pair = (i.min(j), i.max(j));
                        let free = depth(&own, other) <= 1e-6 * (1.0 + norm(at));
                        assert!(free || before.contains(&pair), "{one:?} in {other:?} at {at:?}");
                    }
                }
            }
        }
    }
}

/// Crowd of walkers of several sizes, apart from each other, on the ground below their places.
fn crowd_at<T: Scalar>(world: &BrushWorld, places: &[V], random: &mut Random) -> WalkerCrowd<T> {
    let (mut crowd, mut scratch) = (WalkerCrowd::new(), WalkScratch::new());
    let mut taken: Vec<Plain> = Vec::new();
    for (order, &at) in places.iter().enumerate() {
        let size = [random.between(0.25, 0.6), random.between(0.5, 1.1)];
        let mut walker = sized::<T>(size[0], size[1]);
        if random.chance(0.3) {
            walker = walker.skin(random.between(0.001, 0.02));
        }
        let at = plus(at, [0.0, 0.0, size[1] + 0.03]);
        let grown = ([size[0] + 0.03, size[1] + 0.03], at);
        if taken.iter().any(|other| depth(&grown, other) > 0.0) {
            continue;
        }
        let Ok(state) = walker.stand(world, point(at), &mut scratch) else { continue };
        crowd.insert(order as u64, walker, state).expect("an order of its own");
        taken.push(grown);
    }
    crowd
}

fn crossing_wish(random: &mut Random) -> V {
    let speed = random.decade(-2.0, 0.3);
    let (sine, cosine) = random.between(-3.2, 3.2).sin_cos();
    let up = if random.chance(0.1) { random.between(0.0, 0.5) } else { -random.between(0.0, 0.4) };
    [speed * cosine, speed * sine, up]
}

/// Plane, corridor, and stairs with blocks.
fn scenes() -> Vec<Vec<Vec<HalfSpace>>> {
    let corridor = vec![
        floor(50.0),
        cuboid([-20.0, -2.0, 0.0], [20.0, -1.2, 3.0]),
        cuboid([-20.0, 1.2, 0.0], [20.0, 2.0, 3.0]),
    ];
    let mut stairs = vec![floor(50.0)];
    for step in 0..10 {
        let x = -4.0 + 0.8 * f64::from(step);
        stairs.push(cuboid([x, -4.0, 0.0], [9.0, 4.0, 0.3 * f64::from(step + 1)]));
    }
    stairs.push(cuboid([-1.0, -1.0, 0.0], [0.0, 1.0, 5.0]));
    vec![vec![floor(50.0)], corridor, stairs]
}

fn apart_stays_apart<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for (scene, solids) in scenes().into_iter().enumerate() {
        let (mut level, mut blocked) = (world(&solids), 0);
        for run in 0..at_least(12, 1) as u64 {
            let places: Vec<V> = (0..120)
                .map(|_| {
                    let side = if scene == 1 { 1.0 } else { 5.0 };
                    [random.between(-5.0, 5.0), random.between(-side, side), [0.0, 0.0, 3.0][scene]]
                })
                .collect();
            let crowd = crowd_at::<T>(&level, &places, &mut random).pushing(run % 3 == 2);
            assert!(crowd.len() > 8, "scene {scene}: {}", crowd.len());
            let mut ticks = Ticks::new(crowd, seed + run);
            ticks.is_pushing = run % 3 == 2;
            for _ in 0..40 {
                ticks.tick(&mut level, &[], crossing_wish);
            }
            blocked += ticks.blocked;
            assert_eq!(ticks.squeezed, 0);
        }
        assert!(blocked > 20, "scene {scene}: {blocked}");
    }
}

scalars! {
    pairs_apart_stay_apart => apart_stays_apart(0xc0_0001; 0xc0_0002);
    pairs_apart_stay_apart_on_moving_bodies => apart_among_bodies(0xc0_0003; 0xc0_0004);
    crowds_are_walks_among_all_others => crowd_and_list(0xc0_0005; 0xc0_0006);
    pairs_inside_only_part => only_part(0xc0_0007; 0xc0_0008);
    the_history_of_insertions_changes_no_bit => any_history(0xc0_0009; 0xc0_000a);
    a_crowd_of_one_walks_as_alone => alone(0xc0_000b; 0xc0_000c);
}

/// Lifts under a ceiling, a train and a ram among a crowd.
fn apart_among_bodies<T: Scalar>(seed: u64) {
    let (mut random, mut squeezed) = (Random(seed), 0);
    for run in 0..at_least(20, 3) as u64 {
        let mut builder = BrushWorld::builder();
        let bodies = [(); 3].map(|()| builder.body());
        let solids = [
            cuboid([-6.0, -6.0, 0.0], [-2.0, 6.0, 0.2]),
            cuboid([0.0, -6.0, 0.0], [6.0, 0.0, 0.2]),
            cuboid([-9.0, -6.0, 0.0], [-8.0, 6.0, 2.5]),
        ];
        builder.push(brush(&floor(50.0)), CollisionGroups::ALL);
        builder.push(brush(&cuboid([-9.0, -9.0, 3.2], [-4.0, 9.0, 4.0])), CollisionGroups::ALL);
        builder.push(brush(&cuboid([2.0, 0.5, 0.0], [2.5, 6.0, 3.0])), CollisionGroups::ALL);
        for (body, planes) in bodies.iter().zip(&solids) {
            builder.push_to(*body, brush(planes), CollisionGroups::ALL);
        }
        let mut level = builder.build().expect("ids of its own");
        let places: Vec<V> =
            (0..150).map(|_| [random.between(-7.0, 6.0), random.between(-6.0, 6.0), 0.2]).collect();
        let mut ticks = Ticks::new(crowd_at::<T>(&level, &places, &mut random), seed + run);
        let mut phase = [0.0; 3];
        for _ in 0..40 {
            phase[0] += random.between(0.0, 0.1);
            phase[1] += random.between(0.0, 0.2);
            phase[2] += random.between(0.0, 0.3);
            let offsets = [
                [0.0, 0.0, 1.2 * (1.0 - f64::cos(phase[0]))],
                [2.0 * f64::sin(phase[1]), 1.0 - f64::cos(phase[1]), 0.0],
                [4.0 * (1.0 - f64::cos(phase[2])), 0.0, 0.0],
            ];
            let moves = [0, 1, 2].map(|i| (bodies[i], vector::<T>(offsets[i])));
            ticks.tick(&mut level, &moves, crossing_wish);
        }
        squeezed += ticks.squeezed;
    }
    println!("{squeezed} reports of squeezed walkers");
    assert!(squeezed > 0, "no brush left no place");
}

/// Crowd by walks among all others, one walker after another, without a grid.
fn crowd_and_list<T: Scalar>(seed: u64) {
    let (mut random, mut scratch) = (Random(seed), WalkScratch::new());
    for solids in scenes() {
        let level = world(&solids);
        for _ in 0..at_least(10, 2) {
            let places: Vec<V> = (0..90)
                .map(|_| [random.between(-5.0, 5.0), random.between(-4.0, 4.0), 3.1])
                .collect();
            let mut crowd = crowd_at::<T>(&level, &places, &mut random);
            for tick in 0..30 {
                // Now and then some run past many others at once.
                let fast = if tick % 7 == 3 { 30.0 } else { 1.0 };
                let wishes: Vec<Vector3<T>> = (0..crowd.len())
                    .map(|_| {
                        let [x, y, z] = crossing_wish(&mut random);
                        vector([fast * x, fast * y, z])
                    })
                    .collect();
                let mut states: Vec<WalkerState<T>> =
                    crowd.walkers().iter().map(|one| one.state).collect();
                let walkers: Vec<Walker<T>> =
                    crowd.walkers().iter().map(|one| one.walker).collect();
                let orders: Vec<u64> = crowd.walkers().iter().map(|one| one.order).collect();
                let mut next = wishes.iter();
                crowd.walk(&level, |_| *next.next().expect("one each")).expect("numbers");
                for index in 0..states.len() {
                    let rest = (0..states.len()).filter(|&other| other != index);
                    let rest: Vec<usize> = rest.collect();
                    let others: Vec<CylinderAt<T>> = rest
                        .iter()
                        .map(|&other| CylinderAt {
                            cylinder: walkers[other].cylinder(),
                            center: states[other].position(),
                            groups: CollisionGroups::ALL,
                        })
                        .collect();
                    let (walker, wish) = (walkers[index], wishes[index]);
                    let mut at = states[index];
                    let report = walker.walk_among(&level, &mut at, wish, &others, &mut scratch);
                    let report = report.expect("numbers");
                    states[index] = at;
                    let one = &crowd.walkers()[index];
                    assert_eq!(one.state, at, "walker {index}, tick {tick}");
                    let seen = (one.report.ground, one.report.stepped, one.report.bumps);
                    assert_eq!(seen, (report.ground, report.stepped, report.bumps));
                    assert_eq!((one.report.casts, one.report.moved), (report.casts, report.moved));
                    let head = report.head.map(|head| orders[rest[head as usize]]);
                    assert_eq!(one.report.head, head);
                }
            }
        }
    }
}

/// Pairs that overlap at first: no tick makes one deeper, and all can walk apart.
fn only_part<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let level = world(&[floor(50.0)]);
    let mut parted = 0;
    for _ in 0..at_least(300, 30) {
        let (mut crowd, mut scratch) = (WalkerCrowd::new(), WalkScratch::new());
        for order in 0..5 {
            let walker = sized::<T>(0.4, random.between(0.6, 1.0));
            let high = if random.chance(0.3) { random.between(0.0, 1.8) } else { 0.0 };
            let (_, half) = size(&walker);
            let at = [random.between(-0.6, 0.6), random.between(-0.6, 0.6), high + half + 0.01];
            let state = walker.stand(&level, point(at), &mut scratch).expect("a free place");
            crowd.insert(order, walker, state).expect("an order of its own");
        }
        let inside = overlaps(&all_plain(&crowd)).len();
        for tick in 0..60 {
            let before = all_plain(&crowd);
            let center = before.iter().fold([0.0; 3], |sum, one| plus(sum, times(one.1, 0.2)));
            let walked = crowd.walk(&level, |one| {
                let out = minus(place(&one.state), center);
                match tick < 30 {
                    true => vector(crossing_wish(&mut random)),
                    false => vector([0.3 * out[0], 0.3 * out[1], -0.1]),
                }
            });
            walked.expect("numbers");
            let after = all_plain(&crowd);
            for i in 0..after.len() {
                for j in i + 1..after.len() {
                    let [old, new] = [&before, &after].map(|all| depth(&all[i], &all[j]).max(0.0));
                    assert!(new <= old + 1e-12, "tick {tick}: {old} to {new}");
                }
            }
        }
        parted += inside - overlaps(&all_plain(&crowd)).len();
    }
    assert!(parted > 50, "{parted} pairs parted");
}

/// Walkers inserted in another order, some of them removed in between.
fn any_history<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let level = world(&scenes()[2]);
    for _ in 0..at_least(30, 4) {
        let places: Vec<V> =
            (0..60).map(|_| [random.between(-5.0, 5.0), random.between(-4.0, 4.0), 3.0]).collect();
        let mut crowd = crowd_at::<T>(&level, &places, &mut random);
        let mut shuffled: Vec<CrowdWalker<T>> = crowd.walkers().to_vec();
        for index in (1..shuffled.len()).rev() {
            shuffled.swap(index, random.below(index + 1));
        }
        let mut other = WalkerCrowd::new();
        for (index, one) in shuffled.iter().enumerate() {
            other.insert(one.order + 1000, one.walker, one.state).expect("free");
            other.insert(one.order, one.walker, one.state).expect("free");
            let walk = |_: &CrowdWalker<T>| Vector3::zeros();
            if index % 8 == 0 {
                other.clone().walk(&level, walk).expect("numbers");
            }
            assert!(other.remove(one.order + 1000).is_some());
            let taken = other.insert(one.order, one.walker, one.state);
            assert_eq!(taken, Err(Error::DuplicateOrder { order: one.order }));
        }
        for _ in 0..20 {
            let wishes: Vec<Vector3<T>> =
                (0..crowd.len()).map(|_| vector(crossing_wish(&mut random))).collect();
            for crowd in [&mut crowd, &mut other] {
                let mut next = wishes.iter();
                crowd.walk(&level, |_| *next.next().expect("one each")).expect("numbers");
            }
            assert_eq!(crowd.walkers(), other.walkers());
        }
    }
}

/// A crowd of one beside a walker on its own, on a lift too.
fn alone<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let solid = cuboid([-9.0, -4.0, 0.0], [-4.0, 4.0, 0.4]);
    let (mut level, lift) = world_with_body(&scenes()[2], &[solid]);
    let (walker, mut scratch) = (person::<T>(), WalkScratch::new());
    let mut rides = 0;
    for run in 0..at_least(20, 4) {
        level.set_offset(lift, Vector3::<T>::zeros()).expect("a body");
        let feet = if run % 2 == 0 { [-6.0, 0.0, 0.4] } else { [3.0, 0.0, 5.0] };
        let at = walker.stand_at_feet(&level, point(feet), &mut scratch);
        let (mut at, mut crowd) = (at.expect("a free place"), WalkerCrowd::new());
        crowd.insert(7, walker, at).expect("the first");
        for tick in 0..60 {
            let offset =
                vector([0.3 * f64::sin(0.1 * f64::from(tick)), 0.0, 0.02 * f64::from(tick)]);
            let before = level.set_offset(lift, offset).expect("a body");
            scratch.begin_tick();
            let pushed = walker.push(&level, &mut at, lift, &before, &mut scratch);
            crowd.push(&level, lift, &before).expect("numbers");
            assert_eq!(crowd.walkers()[0].pushed, pushed.expect("numbers"));
            let wish = vector(times(crossing_wish(&mut random), 0.3));
            let report = walker.walk(&level, &mut at, wish, &mut scratch).expect("numbers");
            crowd.walk(&level, |_| wish).expect("numbers");
            let one = crowd.get(7).expect("inserted");
            assert_eq!((one.state, one.report), (at, report), "tick {tick}");
            let path: Vec<_> = walker.path(&scratch).collect();
            assert_eq!(crowd.path(7).collect::<Vec<_>>(), path);
            rides += usize::from(at.ground().is_some_and(|id| level.body(id) == Some(lift)));
        }
    }
    assert!(rides > 30, "{rides}");
}

/// Crowd of persons at feet on the ground of a level.
fn persons(level: &BrushWorld, feet: &[V]) -> WalkerCrowd<f64> {
    let (mut crowd, mut scratch) = (WalkerCrowd::new(), WalkScratch::new());
    for (order, &at) in feet.iter().enumerate() {
        let state = person().stand_at_feet(level, point(at), &mut scratch).expect("a free place");
        crowd.insert(order as u64, person(), state).expect("an order of its own");
    }
    crowd
}

fn at(crowd: &WalkerCrowd<f64>, order: u64) -> V {
    place(&crowd.get(order).expect("a walker").state)
}

/// World of a floor and one body.
fn with_body(still: &[Vec<HalfSpace>], solid: &[HalfSpace]) -> (BrushWorld, BodyId) {
    world_with_body(&[&[floor(50.0)], still].concat(), &[solid.to_vec()])
}

#[test]
fn earlier_ones_count_where_they_end_and_later_ones_where_they_start() {
    let level = world(&[floor(50.0)]);
    // In a row, all by one step: the first finds the second in its way, who then walks on.
    let step = |crowd: &mut WalkerCrowd<f64>, way: f64| {
        crowd.walk(&level, |_| Vector3::new(way, 0.0, -0.1)).expect("numbers");
        [0, 1].map(|order| at(crowd, order)[0])
    };
    let mut crowd = persons(&level, &[[0.0, 0.0, 0.0], [0.9, 0.0, 0.0]]);
    let [a, b] = step(&mut crowd, 0.5);
    assert!((a - 0.1).abs() < 0.002 && b == 1.4, "{a} {b}");
    let mut crowd = persons(&level, &[[0.0, 0.0, 0.0], [0.9, 0.0, 0.0]]);
    let [a, b] = step(&mut crowd, -0.5);
    assert!(a == -0.5 && (b - 0.4).abs() < 1e-12, "{a} {b}");
}

#[test]
fn a_walker_slides_along_another_and_keeps_its_skin() {
    let level = world(&[floor(50.0)]);
    let mut crowd = persons(&level, &[[-2.0, 0.3, 0.0], [0.0, 0.0, 0.0]]);
    let mut least = f64::INFINITY;
    for _ in 0..80 {
        let wish = |one: &CrowdWalker<f64>| match one.order {
            0 => Vector3::new(0.05, 0.0, -0.1),
            _ => Vector3::new(0.0, 0.0, -0.1),
        };
        crowd.walk(&level, wish).expect("numbers");
        let [x, y, _] = minus(at(&crowd, 0), at(&crowd, 1));
        least = least.min(x.hypot(y) - 0.8);
    }
    assert!(at(&crowd, 0)[0] > 1.0, "{:?}", at(&crowd, 0));
    let skin = 0.4 / 512.0;
    assert!(least >= 0.5 * skin && least <= 1.01 * skin, "{least}");
}

#[test]
fn riders_in_a_row_are_carried_whole() {
    for direction in [1.0, -1.0] {
        let (mut level, train) = with_body(&[], &cuboid([-9.0, -9.0, 0.0], [9.0, 9.0, 0.5]));
        let feet: Vec<V> = (0..5).map(|i| [0.803 * f64::from(i), 0.0, 0.5]).collect();
        let mut crowd = persons(&level, &feet);
        for tick in 1..=20 {
            let along = direction * 0.3 * f64::from(tick);
            let before = level.set_offset(train, Vector3::new(along, 0.0, 0.0)).expect("a body");
            crowd.push(&level, train, &before).expect("numbers");
            crowd.walk(&level, |_| Vector3::new(0.0, 0.0, -0.1)).expect("numbers");
            for (order, feet) in feet.iter().enumerate() {
                let x = at(&crowd, order as u64)[0];
                assert!((x - feet[0] - along).abs() < 1e-9, "{order}, tick {tick}: {x}");
            }
        }
    }
}

#[test]
fn a_ram_moves_a_row_and_squeezes_it_at_a_wall() {
    let wall = cuboid([4.0, -9.0, 0.0], [5.0, 9.0, 3.0]);
    let (mut level, ram) = with_body(&[wall], &cuboid([-3.0, -2.0, 0.0], [-1.0, 2.0, 3.0]));
    let mut crowd = persons(&level, &[[0.0, 0.0, 0.0], [0.9, 0.0, 0.0], [2.0, 0.0, 0.0]]);
    let mut squeezed_from = None;
    for tick in 1..=40 {
        let offset = Vector3::new(0.1 * f64::from(tick), 0.0, 0.0);
        let before = level.set_offset(ram, offset).expect("a body");
        crowd.push(&level, ram, &before).expect("numbers");
        crowd.walk(&level, |_| Vector3::new(0.0, 0.0, -0.1)).expect("numbers");
        let front = -1.0 + offset.x;
        let reports: Vec<_> = crowd.walkers().iter().map(|one| one.report.squeezed).collect();
        // The three and the wall take 2.4.
        let is_free = front + 2.4 < 3.99;
        let named = reports.iter().flatten().count();
        assert!(!is_free || named == 0, "tick {tick}: {reports:?}");
        for one in crowd.walkers() {
            assert!(place(&one.state)[0] > front + 0.4, "tick {tick}: {one:?}");
        }
        if named > 0 && squeezed_from.is_none() {
            squeezed_from = Some(front);
            for (index, squeezed) in reports.iter().enumerate() {
                let Some(squeezed) = squeezed else { continue };
                assert_eq!(squeezed.brush, BrushId(2));
                let both = reports[squeezed.other as usize].expect("the other one");
                assert!(both.other == index as u64 || named > 2, "{reports:?}");
            }
        }
    }
    let from = squeezed_from.expect("no place is left");
    assert!(from > 1.55 && from < 1.75, "{from}");
}

#[test]
fn a_lift_lifts_those_who_stand_over_its_rider() {
    // The second stands on a ledge, half over the first.
    let ledge = cuboid([0.5, -2.0, 0.0], [3.0, 2.0, 2.2]);
    let ceiling = cuboid([0.5, -2.0, 6.0], [3.0, 2.0, 7.0]);
    let (mut level, lift) =
        with_body(&[ledge, ceiling], &cuboid([-2.0, -2.0, 0.0], [0.45, 2.0, 0.1]));
    let mut crowd = persons(&level, &[[0.05, 0.0, 0.1], [0.6, 0.0, 2.2]]);
    let high = *crowd.get(1).expect("a walker");
    assert!(crowd.set(1, high.walker.rests_on_heads(true), high.state));
    let mut squeezed = 0;
    for tick in 1..=60 {
        let up = 0.05 * f64::from(tick);
        let before = level.set_offset(lift, Vector3::new(0.0, 0.0, up)).expect("a body");
        crowd.push(&level, lift, &before).expect("numbers");
        crowd.walk(&level, |_| Vector3::new(0.0, 0.0, -0.1)).expect("numbers");
        let [low, high] = [0, 1].map(|order| at(&crowd, order));
        assert!(low[2] - 0.9 > 0.1 + up, "tick {tick}: {low:?}");
        let named = crowd.walkers().iter().filter(|one| one.report.squeezed.is_some()).count();
        squeezed += named;
        let apart = depth(&plain(&crowd.walkers()[0]), &plain(&crowd.walkers()[1])) <= 0.0;
        assert!(apart || squeezed >= 2, "tick {tick}: {low:?} {high:?}");
        // The two are 3.6 high.
        assert_eq!(apart, 0.1 + up + 3.6 < 5.99, "tick {tick}: {low:?} {high:?}");
    }
    // Named by both in each tick in which the lift makes them deeper.
    assert!(squeezed >= 6 && squeezed % 2 == 0, "{squeezed}");
}

#[test]
fn who_falls_on_a_head_slips_off_or_rests_there() {
    let level = world(&[floor(50.0)]);
    for rests in [false, true] {
        let mut crowd = persons(&level, &[[0.0, 0.0, 0.0]]);
        let above = person::<f64>().rests_on_heads(rests);
        let state = above.stand(&level, point([0.1, 0.0, 3.5]), &mut WalkScratch::new());
        crowd.insert(1, above, state.expect("free")).expect("an order of its own");
        let mut heads = 0;
        for _ in 0..60 {
            crowd.walk(&level, |_| Vector3::new(0.0, 0.0, -0.1)).expect("numbers");
            let one = crowd.get(1).expect("a walker");
            assert!(one.report.head.is_none_or(|head| head == 0));
            assert!(one.report.head.is_none() || one.state.ground().is_none());
            heads += usize::from(one.report.head.is_some());
        }
        let [x, _, z] = at(&crowd, 1);
        assert!(heads > 0);
        match rests {
            true => assert!((z - 2.7).abs() < 0.01 && x == 0.1 && heads > 40, "{x} {z} {heads}"),
            false => assert!(z < 0.91 && x > 0.8 && heads < 12, "{x} {z} {heads}"),
        }
    }
}

#[test]
fn no_step_is_taken_onto_others_or_snapped_to() {
    let level = world(&[floor(50.0), cuboid([-9.0, -9.0, 0.0], [-2.0, 9.0, 0.4])]);
    // A low one: lower than a step.
    let (mut crowd, mut scratch) = (persons(&level, &[[-1.5, 0.0, 0.0]]), WalkScratch::new());
    let low = sized::<f64>(0.4, 0.1);
    let state = low.stand_at_feet(&level, point([0.0, 0.0, 0.0]), &mut scratch).expect("free");
    crowd.insert(1, low, state).expect("an order of its own");
    for _ in 0..60 {
        let wish = |one: &CrowdWalker<f64>| {
            Vector3::new(if one.order == 0 { 0.05 } else { 0.0 }, 0.0, -0.1)
        };
        crowd.walk(&level, wish).expect("numbers");
        let one = crowd.get(0).expect("a walker");
        assert!(!one.report.stepped && place(&one.state)[2] < 0.91, "{one:?}");
    }
    assert!((at(&crowd, 0)[0] + 0.8).abs() < 0.01, "{:?}", at(&crowd, 0));
}

#[test]
fn no_step_is_taken_onto_the_head_of_one_who_lies_on_the_step() {
    let level = world(&[floor(50.0), cuboid([0.0, -9.0, 0.0], [9.0, 9.0, 0.3])]);
    for lies in [true, false] {
        let (mut crowd, mut scratch) = (persons(&level, &[[-1.05, 0.0, 0.0]]), WalkScratch::new());
        let low = sized::<f64>(0.4, 0.05);
        let x = if lies { 0.45 } else { 5.0 };
        let state = low.stand_at_feet(&level, point([x, 0.0, 0.3]), &mut scratch).expect("free");
        crowd.insert(1, low, state).expect("an order of its own");
        let mut steps = 0;
        for _ in 0..40 {
            let wish = |one: &CrowdWalker<f64>| {
                Vector3::new(if one.order == 0 { 0.15 } else { 0.0 }, 0.0, -0.1)
            };
            crowd.walk(&level, wish).expect("numbers");
            steps += usize::from(crowd.get(0).expect("a walker").report.stepped);
        }
        let [x, _, z] = at(&crowd, 0);
        match lies {
            true => assert!(steps == 0 && x < -0.35 && z < 0.91, "{steps} {x} {z}"),
            false => assert!(steps > 0 && x > 1.0 && z > 1.19, "{steps} {x} {z}"),
        }
    }
}

#[test]
fn where_positions_are_coarser_than_the_skin_no_pair_overlaps() {
    // Single precision far outside of a small world: a unit in the last place is 1/4.
    let (level, mut random) = (world(&[floor(50.0)]), Random(0xc0_0024));
    let mut blocked = 0;
    for _ in 0..at_least(300, 60) {
        let (mut crowd, mut scratch) = (WalkerCrowd::<f32>::new(), WalkScratch::new());
        for order in 0..6 {
            let walker = sized::<f32>(random.between(0.2, 1.1), 0.9);
            let at = [3e6 + 2.5 * (order % 3) as f64, 3e6 + 2.5 * (order / 3) as f64, 50.0];
            let state = walker.stand(&level, point(at), &mut scratch).expect("free");
            crowd.insert(order, walker, state).expect("an order of its own");
        }
        for _ in 0..30 {
            let walked = crowd.walk(&level, |_| {
                vector([random.between(-2.0, 2.0), random.between(-2.0, 2.0), 0.0])
            });
            walked.expect("numbers");
            let all = all_plain(&crowd);
            for i in 0..6 {
                blocked += usize::from(crowd.walkers()[i].report.moved.norm() < 0.2);
                for j in i + 1..6 {
                    assert!(depth(&all[i], &all[j]) <= 0.0, "{:?} {:?}", all[i], all[j]);
                }
            }
        }
    }
    assert!(blocked > 50, "{blocked}");
}

/// Crosses that turn in a crowd: nobody but crushed ones is in a brush, and pairs stay apart.
#[test]
fn turning_crosses_move_crowds_and_enter_nobody() {
    let (mut random, mut pushes, mut crushed) = (Random(0xc0_0025), 0, 0);
    for _ in 0..at_least(100, 12) {
        let bar = |x: f64, y: f64| cuboid([-x, -y, 0.0], [x, y, 3.0]);
        let (mut level, body) = world_with_body(&[floor(50.0)], &[bar(4.0, 0.2), bar(0.2, 4.0)]);
        let places: Vec<V> =
            (0..60).map(|_| [random.between(-5.0, 5.0), random.between(-5.0, 5.0), 0.0]).collect();
        let mut crowd = crowd_at::<f64>(&level, &places, &mut random);
        let (mut angle, mut inside) = (0.0, Vec::new());
        for _ in 0..40 {
            let before = overlaps(&all_plain(&crowd));
            angle += random.between(-0.1, 0.4);
            let turn = nalgebra::Isometry3::rotation(Vector3::z() * angle);
            let pose = level.set_pose(body, turn).expect("about z");
            crowd.push(&level, body, &pose).expect("numbers");
            crowd.walk(&level, |_| vector(crossing_wish(&mut random))).expect("numbers");
            let end = all_plain(&crowd);
            for (i, j) in overlaps(&end) {
                let both = [i, j].map(|i| crowd.walkers()[i].report.squeezed.is_some());
                assert!(before.contains(&(i, j)) || both == [true; 2], "{i} {j}");
            }
            let mut gone = Vec::new();
            for one in crowd.walkers() {
                let (cylinder, center) = (one.walker.cylinder(), one.state.position());
                let all = BrushFilter::default();
                level.overlaps_cylinder(&cylinder, center, &all, &mut inside).expect("numbers");
                let is_crushed = matches!(one.pushed, PushOutcome::Crushed { .. });
                pushes += usize::from(matches!(one.pushed, PushOutcome::Moved(_)));
                assert!(inside.is_empty() || is_crushed, "{one:?} in {inside:?}");
                if is_crushed {
                    gone.push(one.order);
                }
            }
            crushed += gone.len();
            for order in gone {
                crowd.remove(order);
            }
        }
    }
    println!("{pushes} pushes, {crushed} crushed");
    assert!(pushes > 500, "{pushes}");
}

#[test]
fn pushing_walkers_move_others_ahead() {
    let level = world(&[floor(50.0), cuboid([3.0, -9.0, 0.0], [4.0, 9.0, 3.0])]);
    for pushing in [false, true] {
        let mut crowd = persons(&level, &[[0.0, 0.0, 0.0], [0.9, 0.0, 0.0]]).pushing(pushing);
        for _ in 0..100 {
            let wish = |one: &CrowdWalker<f64>| {
                Vector3::new(if one.order == 0 { 0.05 } else { 0.0 }, 0.0, -0.1)
            };
            crowd.walk(&level, wish).expect("numbers");
        }
        let want = if pushing { [1.8, 2.6] } else { [0.1, 0.9] };
        for order in [0, 1] {
            let x = at(&crowd, order)[0];
            assert!((x - want[order as usize]).abs() < 0.01, "{pushing} {order}: {x}");
        }
    }
}

#[test]
fn triggers_of_a_tick_have_their_times() {
    let triggers = world(&[cuboid([1.5, -2.0, 0.0], [1.501, 2.0, 2.0])]);
    let (mut level, ram) = with_body(&[], &cuboid([-3.0, -2.0, 0.0], [-1.0, 2.0, 3.0]));
    let mut crowd = persons(&level, &[[0.0, 0.0, 0.0], [0.0, 9.0, 0.0]]);
    let mut hits = Vec::new();
    // Pushed by 1.4, then walks 1.6: the sheet is touched after 1.1 of 3 and left after 1.901.
    let before = level.set_offset(ram, Vector3::new(2.0, 0.0, 0.0)).expect("a body");
    crowd.push(&level, ram, &before).expect("numbers");
    let pushed = crowd.get(0).expect("a walker").pushed;
    assert!(matches!(pushed, PushOutcome::Moved(by) if (by.x - 1.4).abs() < 0.01), "{pushed:?}");
    crowd.walk(&level, |_| Vector3::new(1.6, 0.0, -0.1)).expect("numbers");
    crowd.passages(0, &triggers, &BrushFilter::default(), &mut hits).expect("one axis up");
    assert_eq!(hits.len(), 1);
    assert!((hits[0].time_of_impact - 1.1 / 3.0).abs() < 0.002, "{hits:?}");
    assert!((hits[0].time_of_leaving - 1.901 / 3.0).abs() < 0.002, "{hits:?}");
    crowd.passages(1, &triggers, &BrushFilter::default(), &mut hits).expect("one axis up");
    assert!(hits.is_empty());
    // The next tick is another path.
    crowd.walk(&level, |_| Vector3::new(0.1, 0.0, -0.1)).expect("numbers");
    crowd.passages(0, &triggers, &BrushFilter::default(), &mut hits).expect("one axis up");
    assert!(hits.is_empty());
}

#[test]
fn walkers_of_other_groups_do_not_block() {
    let level = world(&[floor(50.0)]);
    let group = |bit: u32, sees: u64| CollisionGroups { memberships: 1 << bit, filter: sees };
    let (mut crowd, mut scratch) = (WalkerCrowd::new(), WalkScratch::new());
    for (order, x, groups) in
        [(0, 0.0, group(0, !2)), (1, 2.0, group(1, !0)), (2, 4.0, group(2, !0))]
    {
        let walker = person::<f64>().filter(BrushFilter::default().groups(groups));
        let state = walker.stand_at_feet(&level, point([x, 0.0, 0.0]), &mut scratch);
        crowd.insert(order, walker, state.expect("free")).expect("an order of its own");
    }
    let wish =
        |one: &CrowdWalker<f64>| Vector3::new(if one.order == 0 { 9.0 } else { 0.0 }, 0.0, -0.1);
    crowd.walk(&level, wish).expect("numbers");
    let x = at(&crowd, 0)[0];
    assert!((x - 3.2).abs() < 0.01, "{x}"); // through the second, up to the third
}

#[test]
fn invalid_values_are_refused_and_nothing_has_moved() {
    let (level, body) = with_body(&[], &cuboid([-9.0, -9.0, 0.0], [-8.0, 9.0, 1.0]));
    let mut crowd = persons(&level, &[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
    let before = crowd.walkers().to_vec();
    for bad in [f64::NAN, f64::INFINITY] {
        let wish =
            |one: &CrowdWalker<f64>| Vector3::new(if one.order == 1 { bad } else { 0.5 }, 0.0, 0.0);
        let refused = Err(Error::NotFinite { field: "displacement", index: 1 });
        assert_eq!(crowd.walk(&level, wish), refused);
        let center = Point3::new(0.0, bad, 0.0);
        let cylinder = person::<f64>().cylinder();
        let other = CylinderAt { cylinder, center, groups: CollisionGroups::ALL };
        let fine = CylinderAt { center: Point3::new(5.0, 0.0, 0.9), ..other };
        let (mut state, mut scratch) = (before[0].state, WalkScratch::new());
        let way = Vector3::new(1.0, 0.0, 0.0);
        let walked = person().walk_among(&level, &mut state, way, &[fine, other], &mut scratch);
        assert_eq!(walked, Err(Error::NotFinite { field: "center", index: 1 }));
        assert_eq!(state, before[0].state);
    }
    assert_eq!(crowd.walkers(), before);
    // A skin too small for the world, of the second.
    let thin = person::<f64>().skin(1e-300);
    assert!(crowd.set(1, thin, before[1].state) && !crowd.set(9, thin, before[1].state));
    let walked = crowd.walk(&level, |_| Vector3::new(0.1, 0.0, 0.0));
    assert!(matches!(walked, Err(Error::BadQuery { .. })), "{walked:?}");
    let pose = nalgebra::Isometry3::identity();
    assert!(matches!(crowd.push(&level, body, &pose), Err(Error::BadQuery { .. })));
    assert_eq!(crowd.walkers()[0], before[0]);
    for (radius, half) in [(-1.0, 1.0), (1.0, -1.0), (f64::NAN, 1.0)] {
        assert!(UprightCylinder::new(radius, half).is_err());
    }
}

#[test]
fn warm_ticks_do_not_allocate() {
    let (mut level, ram) = with_body(&[], &cuboid([-9.0, -6.0, 0.0], [-7.0, 6.0, 2.0]));
    let mut random = Random(0xc0_0020);
    let places: Vec<V> =
        (0..80).map(|_| [random.between(-6.0, 5.0), random.between(-5.0, 5.0), 0.0]).collect();
    let start = crowd_at::<f32>(&level, &places, &mut random).pushing(true);
    let wishes: Vec<V> = (0..200).map(|_| crossing_wish(&mut random)).collect();
    let (mut crowd, mut hits) = (start.clone(), Vec::new());
    let mut run = |crowd: &mut WalkerCrowd<f32>| {
        for tick in 0..30 {
            let offset = Vector3::new(0.1 * (tick % 10) as f32, 0.0, 0.0);
            let before = level.set_offset(ram, offset).expect("a body");
            crowd.push(&level, ram, &before).expect("numbers");
            let walked =
                crowd.walk(&level, |one| vector(wishes[(one.order as usize * 7 + tick) % 200]));
            walked.expect("numbers");
            crowd.passages(3, &level, &BrushFilter::default(), &mut hits).expect("one axis up");
        }
        level.set_offset(ram, Vector3::<f32>::zeros()).expect("a body");
    };
    run(&mut crowd);
    for one in start.walkers() {
        assert!(crowd.set(one.order, one.walker, one.state));
    }
    let counted = allocation_counter::measure(|| run(&mut crowd));
    assert_eq!(counted.count_total, 0);
}

#[test]
fn a_list_in_another_order_changes_no_bit() {
    let mut random = Random(0xc0_0021);
    let (level, mut scratch) = (world(&[floor(50.0)]), WalkScratch::new());
    let mut blocked = 0;
    for _ in 0..at_least(2000, 200) {
        let mut others: Vec<CylinderAt<f64>> = (0..12)
            .map(|_| CylinderAt {
                cylinder: UprightCylinder::new(random.between(0.1, 0.5), 0.9).expect("a size"),
                center: Point3::new(random.between(1.0, 4.0), random.between(-3.0, 3.0), 0.9),
                groups: CollisionGroups::ALL,
            })
            .collect();
        let start = person::<f64>().stand_at_feet(&level, Point3::origin(), &mut scratch);
        let start = start.expect("a free place");
        let way = Vector3::new(random.between(0.5, 6.0), random.between(-3.0, 3.0), -0.1);
        let mut walk = |others: &[CylinderAt<f64>]| {
            let mut at = start;
            let report = person().walk_among(&level, &mut at, way, others, &mut scratch);
            (at, report.expect("numbers"))
        };
        let first = walk(&others);
        others.reverse();
        assert_eq!(walk(&others), first);
        blocked += usize::from(first.1.moved.x < 0.9 * way.x);
    }
    assert!(blocked > 100, "{blocked}");
}

/// Crowds in real levels, among doors and lifts that move.
#[test]
fn crowds_of_real_levels_stay_apart() {
    let mut random = Random(0xc0_0022);
    for (name, level) in levels() {
        let starts = spawns(&level);
        let bodies: Vec<BodyId> = level.bodies().map(|(body, _)| body).collect();
        let mut world = level.world;
        let size = UprightCylinder::new(16.0, 28.0).expect("a size");
        let walker = Walker::new(size).step(18.0).floor(0.7);
        let (mut crowd, mut scratch) = (WalkerCrowd::new(), WalkScratch::new());
        let mut taken: Vec<Plain> = Vec::new();
        for order in 0..at_least(120, 40) as u64 {
            // Some way from a start.
            let start = starts[random.below(starts.len())];
            let Ok(mut at) = walker.push_out(&world, start, &mut scratch) else { continue };
            for _ in 0..random.below(40) {
                let way = vector(push(&mut random));
                walker.walk(&world, &mut at, way, &mut scratch).expect("numbers");
            }
            let grown = ([16.1, 28.1], place(&at));
            if at.position().z > -4096.0 && taken.iter().all(|one| depth(&grown, one) <= 0.0) {
                taken.push(grown);
                crowd.insert(order, walker, at).expect("an order of its own");
            }
        }
        let count = crowd.len();
        let mut ticks = Ticks::new(crowd, 0xc0_0023);
        let (mut moved, mut offsets) = (0, vec![Vector3::zeros(); bodies.len()]);
        for tick in 0..at_least(120, 20) {
            let mut moves = Vec::new();
            for (index, &body) in bodies.iter().enumerate() {
                if tick % 2 == 0 && random.chance(0.3) {
                    offsets[index] += Vector3::from(times(random.direction(), 6.0));
                    moves.push((body, offsets[index]));
                }
            }
            moved += moves.len();
            ticks.tick(&mut world, &moves, push);
        }
        println!("{name}: {count} walkers, {moved} moves, {} squeezed", ticks.squeezed);
        assert!(count > 8 && ticks.blocked > 0, "{name}: {count} {}", ticks.blocked);
    }
}
