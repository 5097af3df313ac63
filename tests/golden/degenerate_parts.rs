//! A scene of parts without interior, width or length: touching exactly, coincident, parallel, far
//! out, tiny and huge.

use boxwood::model::Model;
use boxwood::shape::{Mesh, Obb, Pose};
use boxwood::tree::Geometry;

use crate::answers::Number;
use crate::random::{NO_TURN, Random, V, matrix, plus, point, pose, times, vector};
use crate::test_scenes::{TIGHT, TestScene, globe};

/// Number of parts of a character.
const PARTS: usize = 10;

/// Positions of the groups, and their unit.
const GROUPS: [(V, f64); 4] = [
    ([0.0; 3], 1.0),
    ([16384.0, -8192.0, 4096.0], 1.0),
    ([0.0, 64.0, 0.0], 1.0 / 65536.0),
    ([0.0, 0.0, 8388608.0], 65536.0),
];

/// Builds four groups of three characters: integer coordinates and quarter turns, so that nothing
/// is rounded; and one group of any rotation.
pub fn degenerate<T: Number>() -> TestScene<T> {
    let (mut stage, mut random) = (TestScene::new("degenerate", 1.0), Random(47));
    for (center, size) in GROUPS {
        let before = stage.spots.len();
        let mut builder = Model::builder();
        for part in 0..PARTS {
            let geometry = awkward(&mut random, part, size);
            builder = builder.part(part.to_string(), None, geometry);
        }
        let model = builder.build(&TIGHT).expect("a model");
        for character in 0..3 {
            let whole = |random: &mut Random| -> Pose<T> {
                // One of them is scattered, so that its parts are separate.
                let reach = if character == 1 { 9 } else { 2 };
                let away = [0; 3].map(|_| size * random.whole(reach));
                let turn = if character == 2 { random.turn() } else { random.quarter() };
                pose(turn, plus(center, away))
            };
            let poses: Vec<Pose<T>> = (0..PARTS).map(|_| whole(&mut random)).collect();
            stage.add(&model, &poses, false);
        }
        stage.spots.iter_mut().skip(before).for_each(|(_, far)| *far = size);
    }
    stage
}

/// Draws a plate, a rod, a point or a cube, as a box; or triangles that are a point, a segment,
/// flat in one plane, slivers, one alone.
fn awkward<T: Number>(random: &mut Random, kind: usize, size: f64) -> Geometry<T> {
    let one = |half: V| {
        let half = vector(times(half, size));
        Geometry::Boxes(vec![Obb::new(point([0.0; 3]), matrix(NO_TURN), half).expect("a box")])
    };
    let some = |triangles: &[[V; 3]]| {
        let corners = triangles.iter().flatten().map(|&p| point(times(p, size))).collect();
        let count = triangles.len() as u32;
        let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Geometry::Surface(Mesh::new(corners, triangles).expect("a mesh"))
    };
    match kind {
        0 => one([1.0, 1.0, 0.0]),
        1 => one([0.0, 1.0, 0.0]),
        2 => one([0.0; 3]),
        3 => one([1.0; 3]),
        4 => some(&[[[1.0, 0.0, 0.0]; 3]]),
        5 => some(&[[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3]]]),
        6 => some(&[
            [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0]],
            [[-1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]],
        ]),
        7 => some(&[0.0, 0.5, 1.0].map(|from| {
            let aside = times(random.direction(), 1e-9);
            [[from, -1.0, 0.0], [from, 1.0, 0.0], plus([from, 0.0, 0.0], aside)]
        })),
        8 => some(&[[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 1.0]]]),
        _ => Geometry::Solid(globe(1, [size; 3], 0.0, random)),
    }
}
