//! A person among five boxes that are one part, beside the same boxes as a part each: what a caller
//! loses who puts things that are far apart into one part.

use boxwood::model::ModelBuilder;
use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{Accuracy, Buffers, Build, Geometry, Hits, Model, Obb, PairQuery, Spawn};

use crate::support::crowd::{Body, Placed, model};
use crate::support::measure::{BenchGroups, Way, clock, way};
use crate::table::Table;

/// People, each of whom is asked about alone.
const PEOPLE: usize = 100;
/// Spacing of people [m].
const SPACING: f64 = 1.0;

/// Boxes of different sizes among the people.
fn boxes() -> Vec<Obb> {
    let one = |index: u32| {
        let at = [0, 1, 2].map(|axis| {
            [8.0, 1.2, 8.0][axis] * (0.618 * f64::from(3 * index + axis as u32)).fract()
        });
        let half = Vector3::new(0.3, 0.2, 0.4).cast::<f32>() * (0.5 + 0.3 * index as f32);
        let turn = Vector3::new(0.3, 0.7, 0.2) * index as f32;
        Obb::from_pose(&Isometry3::new(Vector3::from(at).cast(), turn), half).expect("a box")
    };
    (0..5).map(one).collect()
}

/// Number of people who touch any of the boxes, which are the parts of one character.
fn touching<'a>(name: &str, parts: Vec<Vec<Obb>>) -> Way<'a> {
    let mut crowd = Placed::new(&model(Body::Box, &[]), PEOPLE, SPACING);
    let part = |all: ModelBuilder<f32>, (index, boxes)| {
        all.part(format!("part {index}"), None, Geometry::Boxes(boxes))
    };
    let things = parts.into_iter().enumerate().fold(Model::builder(), part);
    let things = things.build(&Build::default()).expect("a model");
    let key = crowd.scene.insert(&things, Spawn::default().at_rest(true)).expect("room");
    let query = |&person| PairQuery::between(person, key).accuracy(Accuracy::Exact);
    let queries: Vec<PairQuery<'_>> = crowd.keys.iter().map(query).collect();
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    way(name, move || {
        let now = crowd.next().snapshot(&mut buffers);
        let mut touches =
            |query: &&PairQuery<'_>| now.intersects(query, hits.scratch()).expect("sound keys");
        clock(|| queries.iter().filter(&mut touches).count())
    })
}

pub fn rows(table: &mut Table) {
    let boxes = boxes();
    let ways = vec![
        touching("boxwood", vec![boxes.clone()]),
        touching("the same as five parts", boxes.into_iter().map(|one| vec![one]).collect()),
    ];
    table.group("a person among five boxes in one part: yes or no", PEOPLE, ways);
}
