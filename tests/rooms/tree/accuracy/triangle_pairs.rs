//! Triangle against triangle: the crate decides like integer arithmetic, regime by regime, in both
//! orders.

use boxwood::tree::{Build, ObbTree, TreePair};

use super::coincident_poses::{Place, between, local, origin, point_of, poses};
use support::exact_parts::{ExactPair, Part};
use support::prelude::*;
use support::random_parts::mesh;
use support::triangle_distance::Triangle;

/// Triangles that share two poses.
const BATCH: usize = 500;
/// Number of batches of a regime.
fn batches() -> usize {
    support::proof::at_least(16, 2)
}

type Pair = [Triangle; 2];

fn any(random: &mut Random) -> Pair {
    std::array::from_fn(|_| std::array::from_fn(|_| between(random, 1.0)))
}

/// Moves the second triangle so that a point of it is on one of the first, up to a hair.
fn brought(random: &mut Random, [a, b]: Pair, hair: f64) -> Pair {
    let step = minus(point_of(random, a), point_of(random, b));
    let step = plus(step, times(random.direction(), hair));
    [a, b.map(|p| plus(p, step))]
}

fn nearly(random: &mut Random) -> Pair {
    let (pair, hair) = (any(random), random.decade(-16.0, -6.0));
    brought(random, pair, hair)
}

fn touching(random: &mut Random) -> Pair {
    let pair = any(random);
    brought(random, pair, 0.0)
}

/// Draws corners, edges and faces that coincide.
fn lattice(random: &mut Random) -> Pair {
    let side = 2 + random.below(4);
    let corner = |random: &mut Random| std::array::from_fn(|_| random.below(side) as f64 - 1.0);
    std::array::from_fn(|_| std::array::from_fn(|_| corner(random)))
}

/// Draws coplanar triangles: integer multiples of two integer vectors stay in their plane without
/// rounding.
fn coplanar(random: &mut Random) -> Pair {
    let whole =
        |random: &mut Random| -> V { std::array::from_fn(|_| random.below(7) as f64 - 3.0) };
    let (u, v, at) = (whole(random), whole(random), whole(random));
    let point = |random: &mut Random| {
        let (s, t) = (random.below(9) as f64, random.below(9) as f64);
        plus(at, plus(times(u, s), times(v, t)))
    };
    let [a, b]: Pair = std::array::from_fn(|_| std::array::from_fn(|_| point(random)));
    let lift = [0.0, 0.0, 0.0, 0.5f64.powi(40), -(0.5f64.powi(15))][random.below(5)];
    [a, b.map(|p| plus(p, times(outer(u, v), lift)))]
}

/// Draws long, extremely thin triangles.
fn thin(random: &mut Random) -> Pair {
    let sliver = |random: &mut Random| -> Triangle {
        let (at, along) = (between(random, 0.5), random.direction());
        let aside = times(random.direction(), random.decade(-17.0, -3.0));
        let share = random.between(-0.5, 1.5);
        [at, plus(at, along), plus(plus(at, times(along, share)), aside)]
    };
    let (pair, hair) = ([sliver(random), sliver(random)], random.decade(-18.0, -3.0));
    brought(random, pair, hair)
}

/// Draws segments, points, and full triangles against them.
fn collapsed(random: &mut Random) -> Pair {
    let one = |random: &mut Random| -> Triangle {
        let [[a, b, c], _] = lattice(random);
        [[a, b, a], [a, b, b], [a; 3], [a, b, c], [a, plus(a, times(minus(b, a), 2.0)), b]]
            [random.below(5)]
    };
    [one(random), one(random)]
}

/// Pair of unrelated sizes.
fn unlike(random: &mut Random) -> Pair {
    let [a, b] = any(random);
    let (large, small) = (random.decade(-12.0, 12.0), random.decade(-12.0, 12.0));
    let hair = if random.chance(0.3) { 0.0 } else { small.min(large) * random.decade(-12.0, 0.0) };
    let pair = [a.map(|p| times(p, large)), b.map(|p| times(p, small))];
    brought(random, pair, hair)
}

/// Draws triangles so small that products of three coordinates underflow.
fn tiny(random: &mut Random) -> Pair {
    let size = random.decade(-39.0, -37.0);
    nearly(random).map(|t| t.map(|p| times(p, size)))
}

/// Draws triangles so small that coordinates themselves underflow in double precision.
fn smallest(random: &mut Random) -> Pair {
    lattice(random).map(|t| t.map(|p| times(p, 5e-324)))
}

type Regime = (&'static str, fn(&mut Random) -> Pair, Place);

const REGIMES: [Regime; 13] = [
    ("random", any, Place::Free(3.0)),
    ("nearly touching", nearly, Place::Free(1.0)),
    ("nearly touching, upright", nearly, Place::Same),
    ("touching but for rounding", touching, Place::Free(0.0)),
    ("on a lattice", lattice, Place::Same),
    ("on a lattice, by thirds", lattice, Place::Thirds),
    ("coplanar", coplanar, Place::Same),
    ("coplanar, by thirds", coplanar, Place::Thirds),
    ("slivers", thin, Place::Free(1.0)),
    ("collapsed", collapsed, Place::Same),
    ("unlike sizes", unlike, Place::Free(1.0)),
    ("tiny", tiny, Place::Free(0.0)),
    ("far from the origin", nearly, Place::Free(1e5)),
];

#[derive(Default)]
struct Tally {
    touching: usize,
    pairs: usize,
}

fn batch<T: Scalar>(random: &mut Random, (name, pair, place): Regime, tally: &mut Tally) {
    let poses = poses::<T>(random, place);
    let at = origin(&poses[0], place);
    let pairs: Vec<Pair> = (0..BATCH).map(|_| pair(random)).collect();
    let geometry: [_; 2] = std::array::from_fn(|side| {
        let put = |p| local(p, &poses[side], place, at);
        mesh::<T>(&pairs.iter().map(|pair| pair[side].map(put)).collect::<Vec<_>>())
    });
    let parts = geometry.each_ref().map(Part::of);
    let [a, b] = geometry.map(|g| ObbTree::build(g, &Build::fast()).expect("a tree"));
    let exact_pair = ExactPair::new(&parts[0], &poses[0], &parts[1], &poses[1]);
    let forth = TreePair::new(&a, &poses[0], &b, &poses[1]).expect("sound poses");
    let back = TreePair::new(&b, &poses[1], &a, &poses[0]).expect("sound poses");
    for i in 0..BATCH {
        for j in [i, (i + 1) % BATCH] {
            let expected = exact_pair.primitives(i, j);
            let (i, j) = (i as u32, j as u32);
            let found = [forth.primitives_touch(i, j), back.primitives_touch(j, i)];
            assert_eq!(found, [expected; 2], "{name}: {:?} {poses:?}", pairs[i as usize]);
            tally.touching += usize::from(expected);
            tally.pairs += 1;
        }
    }
}

fn every_regime<T: Scalar>(seed: u64, more: &[Regime]) {
    let (mut random, mut total) = (Random(seed), 0);
    for &regime in REGIMES.iter().chain(more) {
        let mut tally = Tally::default();
        (0..batches()).for_each(|_| batch::<T>(&mut random, regime, &mut tally));
        println!("{:27} {:6} of {} touch", regime.0, tally.touching, tally.pairs);
        assert!(tally.touching > tally.pairs / 50 && tally.touching < tally.pairs * 49 / 50);
        total += tally.pairs;
    }
    println!("{total} pairs of triangles");
    assert!(total >= 12_500 * batches());
}

scalars! {
    every_regime => every_regime(401, &[]; 402, &[("smallest", smallest, Place::Same)]);
}
