//! Closed shapes, shells, soups and boxes against each other, also one inside another: `Exact` is
//! the exact answer, and no accuracy finds less.

use boxwood::Accuracy;
use boxwood::shape::{Mesh, Pose};
use boxwood::tree::{Build, Geometry, ObbTree, TreePair, TreeScratch};

use super::every_accuracy::accuracies;
use support::exact_parts_by_hulls::{Body, touch};
use support::placed_corners::Placed;
use support::prelude::*;
use support::random_parts::mesh;

/// Builds a ball or a torus of a few hundred triangles, radius about 1, closed.
fn round(rings: usize, around: usize, hole: f64) -> Vec<[V; 3]> {
    let tau = std::f64::consts::TAU;
    let point = |i: usize, j: usize| -> V {
        let b = (j % around) as f64 / around as f64 * tau;
        if hole > 0.0 {
            let a = (i % rings) as f64 / rings as f64 * tau;
            let out = 1.0 - hole + hole * a.cos();
            return [out * b.cos(), out * b.sin(), hole * a.sin()];
        }
        let a = std::f64::consts::PI * i as f64 / rings as f64;
        let out = if i == 0 || i == rings { 0.0 } else { a.sin() };
        [out * b.cos(), out * b.sin(), a.cos()]
    };
    let quads = (0..rings).flat_map(|i| (0..around).map(move |j| (i, j)));
    let halves = quads.flat_map(|(i, j)| {
        let (a, b, c, d) = (point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1));
        [[a, b, c], [a, c, d]]
    });
    halves.filter(|t| t[0] != t[1] && t[1] != t[2] && t[0] != t[2]).collect()
}

fn scaled(triangles: &[[V; 3]], by: f64) -> Vec<[V; 3]> {
    triangles.iter().map(|t| t.map(|p| times(p, by))).collect()
}

fn flipped(triangles: Vec<[V; 3]>) -> Vec<[V; 3]> {
    triangles.into_iter().map(|[a, b, c]| [a, c, b]).collect()
}

fn solid<T: Scalar>(triangles: &[[V; 3]]) -> Geometry<T> {
    let soup = mesh::<T>(triangles);
    let soup: &Mesh<T> = soup.mesh().expect("triangles");
    assert!(soup.open_edges().is_empty());
    Geometry::Solid(soup.clone())
}

pub fn shapes<T: Scalar>(random: &mut Random) -> Vec<Geometry<T>> {
    let ball = round(7, 10, 0.0);
    let shell: Vec<_> = ball.iter().copied().chain(flipped(scaled(&ball, 0.8))).collect();
    let twins: Vec<_> = ball.iter().copied().chain(scaled(&ball, 0.4)).collect();
    let mut shapes = vec![
        solid(&ball),
        solid(&scaled(&ball, 0.25)),
        solid(&flipped(scaled(&ball, 0.5))),
        solid(&round(8, 12, 0.3)),
        solid(&shell),
        solid(&twins),
        mesh(&scaled(&ball, 0.3)),
    ];
    shapes.extend((0..4).map(|kind| random_part(random, kind)));
    shapes
}

fn compare<T: Scalar>(
    a: (&ObbTree<T>, &Body, &Pose<T>),
    b: (&ObbTree<T>, &Body, &Pose<T>),
) -> bool {
    let expected = touch(&Placed::of(a.2, b.2), a.1, b.1);
    let mut scratch = TreeScratch::default();
    for (x, y) in [(&a, &b), (&b, &a)] {
        let pair = TreePair::new(x.0, x.2, y.0, y.2).expect("sound poses");
        for accuracy in accuracies(2.0) {
            let found = pair.intersects(accuracy, &mut scratch).expect("an accuracy");
            match accuracy {
                Accuracy::Exact | Accuracy::Budget(u32::MAX) => assert_eq!(found, expected),
                Accuracy::Within(0.0) => assert_eq!(found, expected),
                _ => assert!(found || !expected, "{accuracy:?} misses"),
            }
        }
    }
    expected
}

fn mixed<T: Scalar>() {
    let mut random = Random(401);
    let parts: Vec<(ObbTree<T>, Body)> = shapes(&mut random)
        .into_iter()
        .enumerate()
        .map(|(i, geometry)| {
            let build = if i % 2 == 0 { Build::default() } else { Build::fast() };
            (ObbTree::build(geometry.clone(), &build).expect("a part"), Body::of(&geometry))
        })
        .collect();
    let (mut yes, mut inside, mut count) = (0, 0, 0);
    for (i, a) in parts.iter().enumerate() {
        for b in &parts[i..] {
            for distance in [0.0, 0.2, 0.7, 1.1, 1.6, 2.1] {
                let at = times(random.direction(), 5.0);
                let direction = random.direction();
                let pose = turned::<T>(&mut random, at);
                let other = turned::<T>(
                    &mut random,
                    support::plain_box::plus(at, times(direction, distance)),
                );
                let touching = compare((&a.0, &a.1, &pose), (&b.0, &b.1, &other));
                let placed = Placed::of(&pose, &other);
                let surfaces =
                    !support::exact_parts_by_hulls::touching_primitives(&placed, &a.1, &b.1, true)
                        .is_empty();
                (yes, inside) =
                    (yes + usize::from(touching), inside + usize::from(touching && !surfaces));
                count += 1;
            }
        }
    }
    println!("{yes} of {count} touch, {inside} of them one inside the other");
    assert!(yes > count / 5 && yes < count && inside > 10);
}

/// Solids of whole coordinates, shared faces, corners on edges: rays and planes meet corners
/// through corners exactly.
#[test]
fn exact_equals_the_oracle_for_lattice_solids() {
    let mut random = Random(402);
    let cube = |half: f64| {
        let point =
            |i: usize| -> V { std::array::from_fn(|k| if i >> k & 1 == 1 { half } else { -half }) };
        let quads =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let halves = quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
        halves.map(|t| t.map(point)).collect::<Vec<_>>()
    };
    let hollow: Vec<_> = cube(3.0).into_iter().chain(flipped(cube(2.0))).collect();
    let solids: Vec<(ObbTree<f64>, Body)> = [cube(1.0), cube(2.0), cube(3.0), hollow]
        .iter()
        .map(|triangles| solid::<f64>(triangles))
        .map(|g| (default_tree(g.clone()), Body::of(&g)))
        .collect();
    let (mut yes, mut count) = (0, 0);
    for _ in 0..at_least(500, 120) {
        let (a, b) = (&solids[random.below(4)], &solids[random.below(4)]);
        let shift: V = std::array::from_fn(|_| random.below(11) as f64 - 5.0);
        let (pose, mut other) = (turned::<f64>(&mut random, [0.5; 3]), upright([0.0; 3]));
        match random.chance(0.5) {
            true => other = upright(shift),
            false => {
                other.rotation = pose.rotation;
                other.translation.vector =
                    pose.translation.vector + pose.rotation * nalgebra::Vector3::from(shift);
            }
        }
        let first = if other.rotation == pose.rotation { pose } else { upright([0.0; 3]) };
        yes += usize::from(compare((&a.0, &a.1, &first), (&b.0, &b.1, &other)));
        count += 1;
    }
    println!("{yes} of {count} touch");
    assert!(yes > count / 4 && yes < count * 3 / 4);
}

scalars! {
    mixed_shapes_are_right => mixed();
}
