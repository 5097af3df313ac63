//! Parts of convex primitives of every kind, in pairs: verdict, closest points, passage.

use boxwood::nalgebra::{Unit, Vector3};
use boxwood::pair::ConvexShape;
use boxwood::shape::{Capsule, ConvexHull, Cylinder, Ellipsoid, Obb, Segment, Sphere, Triangle};
use boxwood::tree::{Accuracy, Geometry, ObbTree, TreePair, TreeScratch};

use crate::answers::{AsText, Number};
use crate::digest::Row;
use crate::random::{Random, matrix, plus, point, pose, times, turned, vector};
use crate::test_scenes::TIGHT;

const KINDS: [&str; 7] = ["sphere", "capsule", "cylinder", "ellipsoid", "box", "hull", "triangle"];

fn shape<T: Number>(kind: usize, random: &mut Random) -> ConvexShape<T> {
    let (at, turn) = (random.inside(0.5), random.turn());
    let half = [0; 3].map(|_| random.between(0.05, 0.5));
    let mut spot = || point::<T>(plus(at, random.inside(0.5)));
    let [radius, height] = [half[0], half[1]].map(T::nearest);
    match kind {
        0 => Sphere::new(point(at), radius).expect("a ball").into(),
        1 => {
            let segment = Segment::new(spot(), spot()).expect("a segment");
            Capsule::new(segment, radius).expect("a capsule").into()
        }
        2 => {
            let axis = Unit::new_unchecked(vector::<T>(turned(turn, [0.0, 0.0, 1.0])));
            Cylinder::new(point(at), axis, height, radius).expect("a cylinder").into()
        }
        3 => Ellipsoid::new(point(at), matrix(turn), vector(half)).expect("an ellipsoid").into(),
        4 => Obb::new(point(at), matrix(turn), vector(half)).expect("a box").into(),
        5 => {
            let corners: Vec<_> = (0..9).map(|_| spot()).collect();
            ConvexHull::new(&corners).expect("a hull").into()
        }
        _ => Triangle::new(spot(), spot(), spot()).expect("a triangle").into(),
    }
}

/// Builds a part of one kind, or of all from that one on.
fn part<T: Number>(kind: usize, count: usize, random: &mut Random) -> ObbTree<T> {
    let shapes = (kind..kind + count).map(|kind| shape(kind % KINDS.len(), random)).collect();
    ObbTree::build(Geometry::Convex(shapes), &TIGHT).expect("a part")
}

pub fn rows<T: Number>() -> Vec<Row> {
    // Distances and passages are bounds at the end of an iteration.
    let name = |group: &str, what: &str| Row::new(format!("{group} {} convex {what}", T::NAME));
    let mut rows =
        [name("volumes", "distances"), name("geometry", "intersects"), name("volumes", "passages")];
    let mut scratch = TreeScratch::default();
    for (first, name) in KINDS.iter().enumerate() {
        for (second, other) in KINDS.iter().enumerate().skip(first) {
            let mut random = Random::named("convex", (first * 8 + second) as u64);
            for round in 0..6 {
                let count = [1, 1, 1, 1, 3, 7][round];
                let [a, b] = [first, second].map(|kind| part::<T>(kind, count, &mut random));
                let (pose_a, way) = (pose(random.turn(), [1.0, 2.0, 3.0]), random.direction());
                let at = plus([1.0, 2.0, 3.0], times(way, random.between(0.0, 2.5)));
                let pose_b = pose(random.turn(), at);
                let pair = TreePair::new(&a, &pose_a, &b, &pose_b).expect("sound poses");
                let question = format!("{name} {other} {round}");
                let touch = pair.intersects(Accuracy::Exact, &mut scratch).expect("an accuracy");
                rows[1].ask(&question, touch.said());
                let near = pair.distance(Accuracy::Exact, f64::INFINITY, &mut scratch);
                let near = near.expect("an accuracy").expect("in reach");
                rows[0].ask(&question, (near.distance, near.on_a, near.on_b).said());
                let normal = Unit::new_normalize(Vector3::from(way.map(T::nearest)));
                let passage = pair.passage(normal, &mut scratch).expect("a direction");
                let ends = passage.map(|p| (p.first.shift, p.last.shift));
                rows[2].ask(&question, ends.said());
            }
        }
    }
    rows.into()
}
