//! Never through: pieces of ways by the exact oracle, at speeds up to 10^6 a tick, among brushes a
//! thousandth thin and 10^4 large; and mazes whose cells nobody leaves.

use boxwood::brush::{WalkScratch, Walker, WalkerState};
use boxwood::shape::UprightCylinder;
use support::brushes::{any_brush, cuboid, moved};
use support::cylinder_distance::HalfSpace;
use support::exact_walks::ExactLevel;
use support::prelude::*;
use support::random::{about, apply};
use support::walks::{Walkable, place};

const SKIN: f64 = 0.4 / 512.0;

fn walker<T: Scalar>() -> Walker<T> {
    let [radius, half] = [0.4, 0.9].map(T::nearest);
    Walker::new(UprightCylinder::new(radius, half).expect("a size")).step(0.45)
}

/// Builds slabs a thousandth thin and up to 10^4 large, slivers and blocks, anywhere within 8.
fn slivers(random: &mut Random) -> Walkable {
    let mut brushes = Vec::new();
    for kind in 0..10 + random.below(20) {
        let thin = 0.5 * random.decade(-3.0, -2.5);
        let size = if kind % 5 == 0 { 4.0 } else { 1.0 };
        let [long, wide] = [random.decade(-1.0, size), random.decade(-1.0, size)];
        let half = if kind % 7 == 0 { [long, thin, thin] } else { [long, wide, thin] };
        let planes = match kind % 4 {
            0 => any_brush(random),
            _ => cuboid(half.map(|x: f64| -x), half),
        };
        let turn = if random.chance(0.3) { random.quarter() } else { random.rotation() };
        let by = std::array::from_fn(|_| random.between(-8.0, 8.0));
        brushes.push(moved(&planes, &turn, by));
    }
    Walkable::new(&brushes)
}

/// Counts of moves whose way is one straight piece.
#[derive(Debug, Default)]
struct Pieces {
    moves: usize,
    /// Straight pieces, checked along their whole length.
    straight: usize,
    /// Straight pieces longer than 10, and those that ended at a brush.
    long: usize,
    stopped: usize,
    brushes: usize,
}

/// Runs slides and falls; a straight piece must be free along its whole length, grown by half of
/// the skin.
fn flies<T: Scalar>(random: &mut Random, seen: &mut Pieces) {
    let (level, walker, mut scratch) = (slivers(random), walker::<T>(), WalkScratch::new());
    let exact = ExactLevel::new(&level);
    for _ in 0..12 {
        let start: V = std::array::from_fn(|_| random.between(-8.0, 8.0));
        let Ok(mut at) = walker.stand(&level.world, point(start), &mut WalkScratch::new()) else {
            continue;
        };
        for _ in 0..4 {
            // A walker outside of everything is not checked.
            if norm(place(&at)) > 30.0 {
                break;
            }
            let wish = times(random.direction(), random.decade(-2.0, 6.0));
            let (before, grounded) = (at, at.ground().is_some());
            let report = match random.chance(0.5) {
                true => walker.slide(&level.world, &mut at, vector(wish), &mut scratch),
                false => walker.walk(&level.world, &mut at, vector(wish), &mut scratch),
            };
            let report = report.expect("numbers");
            seen.moves += 1;
            assert!(exact.keeps_gap(&walker, &at), "{before:?} by {wish:?} to {at:?}");
            let way = minus(place(&at), place(&before));
            let ahead = norm(minus(way, times(wish, inner(way, wish) / inner(wish, wish))));
            let one = report.bumps <= 1 || ahead <= 1e-13 * norm(way);
            // On ground a walk may have moved up and down as well.
            if grounded || report.stepped || !one || norm(way) == 0.0 {
                continue;
            }
            seen.straight += 1;
            seen.long += usize::from(norm(way) > 10.0);
            seen.stopped += usize::from(norm(way) < 0.999 * norm(wish));
            let free = exact.is_free(&walker, 0.5, place(&before), way);
            assert!(free, "{before:?} by {wish:?} to {at:?}");
        }
    }
    seen.brushes += exact.asked();
}

#[test]
fn straight_pieces_are_free_all_along() {
    let mut random = Random(0x5e90_0001);
    let mut seen = Pieces::default();
    for case in 0..at_least(10_000, 30) {
        if case % 3 == 0 {
            flies::<f32>(&mut random, &mut seen)
        } else {
            flies::<f64>(&mut random, &mut seen)
        }
    }
    println!("{seen:?}");
    assert!(seen.straight * 3 > seen.moves && seen.long * 8 > seen.straight, "{seen:?}");
    assert!(seen.stopped * 30 > seen.straight && seen.brushes > seen.straight, "{seen:?}");
}

/// Checks a leaning bar, and a way down along its side that enters it by 7 skins: first grazing the
/// arc of an edge, then past the plane beside it.
#[test]
fn the_plane_beside_a_grazed_arc_blocks() {
    let axes = [
        [0.6535380403981135, 0.5200980612775704, -0.5498963869747703],
        [0.7340681651808597, -0.6126086021735411, 0.2930096063459118],
        [0.18447752876868176, 0.5951543557752834, 0.782150454951672],
    ];
    let ends = [
        [-2.454852714913111, 2.846161755378802],
        [0.48379043636849794, 1.001224512289703],
        [4.59878687772429, -0.4488883127141503],
    ];
    let sides = axes.iter().zip(ends);
    let bar: Vec<HalfSpace> =
        sides.flat_map(|(&n, [high, low])| [(n, high), (times(n, -1.0), low)]).collect();
    let (level, walker) = (Walkable::new(&[bar]), walker::<f64>());
    let exact = ExactLevel::new(&level);
    let start = [-2.720950707864803, 0.09288243494194456, 4.340022632488334];
    let way = [0.0012870500610269175, -0.036386317815534856, -3.4888820959177433];
    assert!(!exact.is_free(&walker, -6.0, start, way));
    let mut at = walker.stand(&level.world, point(start), &mut WalkScratch::new()).expect("free");
    let report = walker.slide(&level.world, &mut at, vector(way), &mut WalkScratch::new());
    assert!(report.expect("numbers").bumps > 1, "{at:?}");
    let end = plus(start, way);
    assert!(norm(minus(place(&at), end)) > SKIN && exact.keeps_gap(&walker, &at), "{at:?}");
}

/// Square cells of side 2 on a floor under a ceiling, with some of the walls between them missing.
struct Maze {
    /// Cells per side.
    side: usize,
    /// Region number of each cell: equal for cells connected by missing walls.
    region: Vec<usize>,
    walls: Vec<Vec<HalfSpace>>,
}

impl Maze {
    fn new(random: &mut Random, side: usize, thick: f64, closed: f64) -> Maze {
        let cell = |i: usize, j: usize| i * side + j;
        let mut region: Vec<usize> = (0..side * side).collect();
        let size = 2.0 * side as f64;
        let mut walls = vec![
            cuboid([-1e4, -1e4, -thick], [1e4, 1e4, 0.0]),
            cuboid([-1e4, -1e4, 3.0], [1e4, 1e4, 3.0 + thick]),
        ];
        for line in 0..=side {
            for along in 0..side {
                for across in [false, true] {
                    let [at, low] = [line, along].map(|i| 2.0 * i as f64 - 0.5 * size);
                    let border = line == 0 || line == side;
                    if border || random.chance(closed) {
                        let (min, max) = ([at, low, -1.0], [at + thick, low + 2.0 + thick, 4.0]);
                        let swap = |[x, y, z]: V| if across { [y, x, z] } else { [x, y, z] };
                        walls.push(cuboid(swap(min), swap(max)));
                        continue;
                    }
                    let swap = |i, j| if across { cell(j, i) } else { cell(i, j) };
                    let (a, b) = (region[swap(line - 1, along)], region[swap(line, along)]);
                    region.iter_mut().filter(|own| **own == a).for_each(|own| *own = b);
                }
            }
        }
        Maze { side, region, walls }
    }

    /// Returns the region of a position in the maze's own frame; `None` outside.
    fn region(&self, [x, y, z]: V) -> Option<usize> {
        let cell = |x: f64| (0.5 * x + 0.5 * self.side as f64).floor();
        let (i, j) = (cell(x), cell(y));
        let inside = |i: f64| i >= 0.0 && i < self.side as f64;
        let all = inside(i) && inside(j) && z > 0.0 && z < 3.0;
        all.then(|| self.region[i as usize * self.side + j as usize])
    }
}

/// Moves at random from every region; a walker in another region passed through a wall.
fn stays_in_its_region<T: Scalar>(random: &mut Random, side: usize, tally: &mut [usize; 3]) {
    let thick = if random.chance(0.5) { 1e-3 } else { 0.1 };
    let maze = Maze::new(random, side, thick, 0.65);
    let frame = match random.chance(0.3) {
        true => about([0.0, 0.0, 1.0], 0.0),
        false => about([0.0, 0.0, 1.0], random.between(-3.0, 3.0)),
    };
    let walls: Vec<_> = maze.walls.iter().map(|wall| moved(wall, &frame, [0.0; 3])).collect();
    let (level, walker, mut scratch) = (Walkable::new(&walls), walker::<T>(), WalkScratch::new());
    let own = |at: &WalkerState<T>| -> V { frame.map(|axis| inner(axis, place(at))) };
    for _ in 0..20 {
        let cell = |random: &mut Random| 2.0 * random.below(side) as f64 + 1.0 - side as f64;
        let start = [cell(random), cell(random), 1.5];
        let start = point(apply(&frame, start));
        let mut at = walker
            .stand(&level.world, start, &mut WalkScratch::new())
            .expect("the middle of a cell");
        let region = maze.region(own(&at)).expect("inside");
        for _ in 0..20 {
            let (sine, cosine) = random.between(-3.2, 3.2).sin_cos();
            let speed = random.decade(-1.0, 6.0);
            let wish = [speed * cosine, speed * sine, random.between(-0.3, 0.1) * speed];
            let before = at;
            let moved = match random.chance(0.5) {
                true => walker.slide(&level.world, &mut at, vector(wish), &mut scratch),
                false => walker.walk(&level.world, &mut at, vector(wish), &mut scratch),
            };
            let moved = moved.expect("numbers");
            let now = maze.region(own(&at));
            assert_eq!(now, Some(region), "{before:?} by {wish:?} to {at:?}");
            tally[0] += 1;
            tally[1] += usize::from(moved.bumps > 1);
            tally[2] += usize::from(moved.moved.norm() > T::nearest(2.0));
        }
    }
}

#[test]
fn nobody_leaves_a_maze_of_thin_walls() {
    let mut random = Random(0x5e90_0002);
    let mut tally = [0; 3];
    for round in 0..at_least(1500, 60) {
        // A way is compared with every wall that its box overlaps: distant walls only cost time.
        let side = if round % 4 == 0 { 8 } else { 4 };
        stays_in_its_region::<f64>(&mut random, side, &mut tally);
        stays_in_its_region::<f32>(&mut random, side, &mut tally);
    }
    let [moves, pieces, far] = tally;
    println!("{moves} moves, {pieces} of several pieces, {far} beyond a cell");
    assert!(pieces * 3 > moves && far * 50 > moves, "{tally:?}");
}
