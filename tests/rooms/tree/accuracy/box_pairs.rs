//! Boxes against boxes and triangles: the crate decides like integer arithmetic.

use boxwood::shape::{Obb, Pose};
use boxwood::tree::{Build, Geometry, ObbTree, TreePair};

use super::coincident_poses::{Place, between, local, origin, point_of, poses};
use support::exact_parts::{ExactPair, Part};
use support::prelude::*;
use support::random::apply;
use support::random_parts::{mesh, solid};
use support::triangle_distance::Triangle;

const BATCH: usize = 250;
/// Number of batches of a regime.
fn batches() -> usize {
    support::proof::at_least(16, 4)
}

/// Box or triangle in the world.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Solid { center: V, axes: [V; 3], half: V },
    Triangle(Triangle),
}

impl Shape {
    fn moved(self, by: V) -> Shape {
        match self {
            Shape::Solid { center, axes, half } => {
                Shape::Solid { center: plus(center, by), axes, half }
            }
            Shape::Triangle(t) => Shape::Triangle(t.map(|p| plus(p, by))),
        }
    }

    /// Draws a corner, a point of an edge or of a face.
    fn point(self, random: &mut Random) -> V {
        match self {
            Shape::Triangle(t) => point_of(random, t),
            Shape::Solid { center, axes, half } => {
                let mut share: V = std::array::from_fn(|_| random.sign());
                (0..random.below(3)).for_each(|k| share[k] = random.between(-1.0, 1.0));
                let step: V = std::array::from_fn(|k| share[k] * half[k]);
                plus(center, apply(&axes, step))
            }
        }
    }
}

/// Draws half extents: equal, a plate, a needle, flat, a segment or a point.
fn extents(random: &mut Random) -> V {
    let mut half: V = std::array::from_fn(|_| random.between(0.1, 1.0));
    let small = [0.0, random.decade(-16.0, -3.0)][random.below(2)];
    (0..random.below(5).saturating_sub(1)).for_each(|k| half[k] = small);
    half
}

fn any_solid(random: &mut Random) -> Shape {
    Shape::Solid { center: between(random, 1.0), axes: random.rotation(), half: extents(random) }
}

fn any(random: &mut Random) -> [Shape; 2] {
    [any_solid(random), any_other(random)]
}

fn any_other(random: &mut Random) -> Shape {
    match random.chance(0.5) {
        true => any_solid(random),
        false => Shape::Triangle(std::array::from_fn(|_| between(random, 1.0))),
    }
}

/// Moves a point of one shape onto a point of the other, up to a hair.
fn brought(random: &mut Random, [a, b]: [Shape; 2]) -> [Shape; 2] {
    let hair = if random.chance(0.3) { 0.0 } else { random.decade(-17.0, -4.0) };
    let step = minus(a.point(random), b.point(random));
    [a, b.moved(plus(step, times(random.direction(), hair)))]
}

fn close(random: &mut Random) -> [Shape; 2] {
    let pair = any(random);
    brought(random, pair)
}

/// Draws boxes with parallel or nearly parallel edges.
fn aligned(random: &mut Random) -> [Shape; 2] {
    let axes = random.rotation();
    let tilt = [0.0, random.decade(-16.0, -2.0)][random.below(2)];
    let other = support::random::compose(&random.turn(tilt), &axes);
    let one = |random: &mut Random, axes| Shape::Solid {
        center: between(random, 1.0),
        axes,
        half: extents(random),
    };
    let pair = [one(random, axes), one(random, other)];
    brought(random, pair)
}

/// Draws boxes with integer coordinates: faces, edges and corners that coincide.
fn lattice(random: &mut Random) -> [Shape; 2] {
    let whole = |random: &mut Random, low: f64| -> V {
        std::array::from_fn(|_| low + random.below(5) as f64)
    };
    let one = |random: &mut Random| Shape::Solid {
        center: whole(random, -2.0),
        axes: random.quarter(),
        half: whole(random, 0.0).map(|x| x * 0.5),
    };
    let triangle =
        |random: &mut Random| Shape::Triangle(std::array::from_fn(|_| whole(random, -2.0)));
    let other = if random.chance(0.5) { one(random) } else { triangle(random) };
    [one(random), other]
}

/// Draws a large box and a small shape at its surface, or the reverse.
fn unlike(random: &mut Random) -> [Shape; 2] {
    let scaled = |shape: Shape, by: f64| match shape {
        Shape::Solid { center, axes, half } => {
            Shape::Solid { center: times(center, by), axes, half: times(half, by) }
        }
        Shape::Triangle(t) => Shape::Triangle(t.map(|p| times(p, by))),
    };
    let [a, b] = any(random);
    let pair = [scaled(a, random.decade(-8.0, 8.0)), scaled(b, random.decade(-8.0, 8.0))];
    brought(random, pair)
}

type Regime = (&'static str, fn(&mut Random) -> [Shape; 2], Place);

const REGIMES: [Regime; 9] = [
    ("random", any, Place::Free(2.0)),
    ("close", close, Place::Free(1.0)),
    ("close, in one pose", close, Place::Same),
    ("parallel edges", aligned, Place::Free(1.0)),
    ("parallel edges, in one pose", aligned, Place::Same),
    ("on a lattice", lattice, Place::Same),
    ("on a lattice, by thirds", lattice, Place::Thirds),
    ("unlike sizes", unlike, Place::Free(1.0)),
    ("far from the origin", close, Place::Free(1e4)),
];

/// Box in the frame of the part.
fn stored<T: Scalar>(
    shape: Shape,
    pose: &Pose<T>,
    place: Place,
    at: V,
) -> Result<Obb<T>, Triangle> {
    let put = |p: V| local(p, pose, place, at);
    match shape {
        Shape::Triangle(t) => Err(t.map(put)),
        Shape::Solid { center, axes, half } => {
            let start = put([0.0; 3]);
            Ok(solid(put(center), &axes.map(|axis| minus(put(axis), start)), half))
        }
    }
}

/// Compares pairs one by one: a part has boxes or triangles, not both, so each pair makes its own
/// two parts.
fn compare<T: Scalar>(geometry: [Geometry<T>; 2], poses: [Pose<T>; 2], count: usize) -> usize {
    let parts = geometry.each_ref().map(Part::of);
    let [a, b] = geometry.map(|g| ObbTree::build(g, &Build::fast()).expect("a tree"));
    let exact_pair = ExactPair::new(&parts[0], &poses[0], &parts[1], &poses[1]);
    let forth = TreePair::new(&a, &poses[0], &b, &poses[1]).expect("sound poses");
    let back = TreePair::new(&b, &poses[1], &a, &poses[0]).expect("sound poses");
    let mut touching = 0;
    for i in 0..count {
        let expected = exact_pair.primitives(i, i);
        let found =
            [forth.primitives_touch(i as u32, i as u32), back.primitives_touch(i as u32, i as u32)];
        let primitives = [parts[0].primitives[i], parts[1].primitives[i]];
        assert_eq!(found, [expected; 2], "{primitives:?} {poses:?}");
        touching += usize::from(expected);
    }
    touching
}

fn batch<T: Scalar>(random: &mut Random, (_, pair, place): Regime) -> (usize, usize) {
    let poses = poses::<T>(random, place);
    let at = origin(&poses[0], place);
    let (mut boxes, mut triangles) = ([Vec::new(), Vec::new()], (Vec::new(), Vec::new()));
    for _ in 0..BATCH {
        let [first, second] = pair(random);
        let first = stored(first, &poses[0], place, at).expect("a box");
        match stored(second, &poses[1], place, at) {
            Ok(second) => {
                boxes[0].push(first);
                boxes[1].push(second);
            }
            Err(second) => {
                triangles.0.push(first);
                triangles.1.push(second);
            }
        }
    }
    let (with_boxes, with_triangles) = (boxes[0].len(), triangles.0.len());
    let mut touching = 0;
    if with_boxes > 0 {
        touching += compare(boxes.map(Geometry::Boxes), poses, with_boxes);
    }
    if with_triangles > 0 {
        let geometry = [Geometry::Boxes(triangles.0), mesh(&triangles.1)];
        touching += compare(geometry, poses, with_triangles);
    }
    (touching, with_boxes + with_triangles)
}

fn every_regime<T: Scalar>(seed: u64) {
    let (mut random, mut total) = (Random(seed), 0);
    for regime in REGIMES {
        let (mut touching, mut pairs) = (0, 0);
        for _ in 0..batches() {
            let counts = batch::<T>(&mut random, regime);
            (touching, pairs) = (touching + counts.0, pairs + counts.1);
        }
        println!("{:27} {touching:6} of {pairs} touch", regime.0);
        assert!(touching > pairs / 20 && touching < pairs * 19 / 20);
        total += pairs;
    }
    println!("{total} pairs with boxes");
}

scalars! {
    boxes_in_every_regime => every_regime(501; 502);
}
