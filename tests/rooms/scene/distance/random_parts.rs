//! Distances of random parts: far, near, touching, nested, beyond the largest distance.

use boxwood::shape::{Obb, Pose};
use boxwood::tree::{Accuracy, Build, Geometry, ObbTree, TreePair, TreeScratch};
use nalgebra::Translation3;

use support::part_distance::{self, Placed};
use support::prelude::*;

const DIAL: [Accuracy; 6] = [
    Accuracy::Depth(0),
    Accuracy::Depth(2),
    Accuracy::Depth(40),
    Accuracy::Within(0.3),
    Accuracy::Within(0.02),
    Accuracy::Exact,
];

/// Part with its pose and its primitives for brute force.
pub struct Subject<T: Scalar> {
    pub tree: ObbTree<T>,
    pub pose: Pose<T>,
    pub placed: Placed,
}

impl<T: Scalar> Subject<T> {
    pub fn new(geometry: Geometry<T>, pose: Pose<T>, round: usize) -> Self {
        let build = if round.is_multiple_of(5) { Build::fast() } else { Build::default() };
        let tree = ObbTree::build(geometry, &build).expect("a part");
        let placed = Placed::new(&tree, &pose);
        Subject { tree, pose, placed }
    }

    fn moved(&mut self, by: V) {
        self.pose = Translation3::from(vector(by)) * self.pose;
        self.placed = Placed::new(&self.tree, &self.pose);
    }
}

/// Returns two parts, as close as the round demands.
pub fn subjects<T: Scalar>(random: &mut Random, round: usize) -> [Subject<T>; 2] {
    let kinds = [round % 4, round / 4 % 4];
    brought(random, round, |random, i| random_part(random, kinds[i]))
}

/// Like [`subjects`], but with parts of one box each, aligned with the frame or not, solid or flat.
pub fn single_boxes<T: Scalar>(random: &mut Random, round: usize) -> [Subject<T>; 2] {
    brought(random, round, |random, i| {
        let half: V = std::array::from_fn(|_| random.decade(-1.5, 0.3));
        let flat = if random.chance(0.2) { 0.0 } else { half[0] };
        let at = times(random.direction(), random.share());
        let tilted = round >> i & 1 == 1 && random.chance(0.3);
        let pose = if tilted { turned(random, at) } else { upright(at) };
        let solid = Obb::from_pose(&pose, vector([flat, half[1], half[2]])).expect("a box");
        Geometry::Boxes(vec![solid])
    })
}

/// Returns two poses: far, near, nearly touching, at one position, one around the other.
fn brought<T: Scalar>(
    random: &mut Random,
    round: usize,
    part: impl Fn(&mut Random, usize) -> Geometry<T>,
) -> [Subject<T>; 2] {
    let far = times(random.direction(), random.between(2.5, 6.0));
    let size = if round.is_multiple_of(7) { 1e4 } else { 1.0 };
    let at = times(random.direction(), size * random.share());
    let poses = [at, support::plain_box::plus(at, far)].map(|at| turned::<T>(random, at));
    let [a, b] = [0, 1].map(|i| Subject::new(part(random, i), poses[i], round + i));
    let mut pair = [a, b];
    match round / 16 % 4 {
        0 => {}
        1 => approach(&mut pair, |gap| 0.5 * gap),
        2 => approach(&mut pair, |gap| gap * (1.0 - 1e-5)),
        _ => {
            let back = times(far, -random.between(0.8, 1.2));
            pair[1].moved(back);
        }
    }
    pair
}

/// Moves the second towards the first by a fraction of their distance.
fn approach<T: Scalar>(pair: &mut [Subject<T>; 2], by: impl Fn(f64) -> f64) {
    let mut scratch = TreeScratch::default();
    let [a, b] = &*pair;
    let there = TreePair::new(&a.tree, &a.pose, &b.tree, &b.pose).expect("sound poses");
    let found = there.distance(Accuracy::Exact, f64::INFINITY, &mut scratch).expect("a question");
    let found = found.expect("no cut-off");
    let wide = |p: nalgebra::Point3<T>| [p.x.wide(), p.y.wide(), p.z.wide()];
    let way = minus(wide(found.on_a), wide(found.on_b));
    let length = norm(way);
    if length > 0.0 {
        pair[1].moved(times(way, by(length) / length));
    }
}

#[derive(Default, Debug)]
struct Census {
    apart: usize,
    near: usize,
    touching: usize,
    refused: usize,
    asked: usize,
}

fn check<T: Scalar>(pair: &[Subject<T>; 2], random: &mut Random, census: &mut Census) {
    let [a, b] = pair;
    let truth = part_distance::distance(&a.placed, &b.placed);
    let there = TreePair::new(&a.tree, &a.pose, &b.tree, &b.pose).expect("sound poses");
    let mut scratch = TreeScratch::default();
    for accuracy in DIAL {
        let all = there.distance(accuracy, f64::INFINITY, &mut scratch).expect("a question");
        let found = all.expect("no cut-off");
        let (distance, slack) = (found.distance.wide(), found.slack.wide());
        let stated = stated(pair) + 2f64.powi(-23) * distance;
        // Brute force rounds too, most far from the origin.
        let own = 1e-13 * (1.0 + norm(a.placed.corner()) + norm(b.placed.corner()));
        assert!(distance <= truth + stated + own, "{accuracy:?}: {distance} above {truth}");
        assert!(
            truth <= distance + slack + own,
            "{accuracy:?}: {truth} above {distance} + {slack}"
        );
        let touch = there.intersects(accuracy, &mut scratch).expect("a question");
        assert!(!touch || distance == 0.0, "{accuracy:?}: they touch, {distance} apart");
        if accuracy == Accuracy::Exact {
            assert_eq!(touch, distance == 0.0);
            points(pair, &found, own);
            census.asked += 1;
            census.touching += usize::from(distance == 0.0);
            census.near += usize::from(distance > 0.0 && distance < 1e-3);
            census.apart += usize::from(distance >= 1e-3);
        }
        // The cut-off affects only pruning.
        let max_distance = distance * random.between(0.5, 1.5);
        let within = there.distance(accuracy, max_distance, &mut scratch).expect("a question");
        if within.is_none() {
            assert!(truth > max_distance - own, "lost below the largest distance");
            assert!(
                accuracy != Accuracy::Exact || distance > max_distance,
                "lost below the largest distance"
            );
            census.refused += usize::from(accuracy == Accuracy::Exact);
        } else if accuracy == Accuracy::Exact {
            assert_eq!(within.map(|found| found.distance), Some(found.distance));
        }
    }
}

/// Returns the rounding that [`boxwood::tree::ClosestPoints::distance`] states.
pub fn stated<T: Scalar>(pair: &[Subject<T>; 2]) -> f64 {
    let [a, b] = pair;
    let origins = (a.pose.translation.vector - b.pose.translation.vector).map(T::wide).norm();
    let reach = a.tree.radius_about_origin().wide() + b.tree.radius_about_origin().wide();
    let boxes = if T::ROUNDING > 1e-10 { 2f64.powi(-17) } else { 2f64.powi(-42) };
    2f64.powi(-40) * (origins + reach) + boxes * reach
}

/// Asserts that the points are on the parts, and as far apart as stated.
fn points<T: Scalar>(
    pair: &[Subject<T>; 2],
    found: &boxwood::pair::ClosestPoints<T, boxwood::NodeId>,
    own: f64,
) {
    let wide = |p: nalgebra::Point3<T>| [p.x.wide(), p.y.wide(), p.z.wide()];
    let (on_a, on_b) = (wide(found.on_a), wide(found.on_b));
    let coordinates = norm(on_a) + norm(on_b) + 2.0;
    let off = stated(pair) + 8.0 * T::ROUNDING * coordinates + own;
    assert!((norm(minus(on_a, on_b)) - found.distance.wide()).abs() <= 2.0 * off);
    if found.distance.wide() == 0.0 {
        return;
    }
    assert!(part_distance::from(on_a, &pair[0].placed) <= off, "not on the first");
    assert!(part_distance::from(on_b, &pair[1].placed) <= off, "not on the second");
}

fn every_regime<T: Scalar>(subjects: impl Fn(&mut Random, usize) -> [Subject<T>; 2]) {
    let (mut random, mut census) = (Random(51), Census::default());
    for round in 0..support::proof::at_least(512, 192) {
        check(&subjects(&mut random, round), &mut random, &mut census);
    }
    println!("{census:?}");
    let Census { apart, near, touching, refused, asked } = census;
    for (name, count) in
        [("apart", apart), ("near", near), ("touching", touching), ("beyond the cut-off", refused)]
    {
        assert!(10 * count >= asked, "{name}: {count} of {asked}");
    }
}

fn random_parts<T: Scalar>() {
    every_regime(subjects::<T>);
}

fn boxes<T: Scalar>() {
    every_regime(single_boxes::<T>);
}

scalars! {
    random_parts_against_brute_force => random_parts();
    single_boxes_against_brute_force => boxes();
}
