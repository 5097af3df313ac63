//! Guarantees of every accuracy on scenes and in self-collision.

use boxwood::model::{Model, SelfQueryScratch};
use boxwood::scene::{Buffers, CharacterKey, Hits, Scene, Snapshot, Spawn};
use boxwood::shape::{Mesh, Pose};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, Detail, Error, NodeRef, PairQuery, PartId};

use super::brute_force::{contact, crowd};
use support::brute_force::bits;
use support::prelude::*;

const ALL: [Accuracy; 14] = [
    Accuracy::Depth(0),
    Accuracy::Depth(2),
    Accuracy::Depth(u8::MAX),
    Accuracy::Within(1.0),
    Accuracy::Within(0.1),
    Accuracy::Within(1e-3),
    Accuracy::Within(0.0),
    Accuracy::Exact,
    Accuracy::Budget(0),
    Accuracy::Budget(1),
    Accuracy::Budget(7),
    Accuracy::Budget(100),
    Accuracy::Budget(5_000),
    Accuracy::Budget(u32::MAX),
];

type Parts = Vec<((CharacterKey, PartId), (CharacterKey, PartId))>;

/// Returns the touching pairs of parts, ascending by characters, not by keys, and the slack.
fn parts<T: Scalar>(now: &Snapshot<'_, T>, query: &PairQuery, hits: &mut Hits<T>) -> (Parts, f64) {
    let report =
        now.pairs(&query.clone().detail(Detail::DeepestBoxes), hits).expect("a good query");
    let side = |node: &NodeRef| (node.character, node.part);
    (hits.pairs().iter().map(|(a, b)| (side(a), side(b))).collect(), report.slack.wide())
}

/// Asserts that the four forms of one query agree with each other and with the requested slack.
/// Returns the touching pairs.
fn forms_agree<T: Scalar>(now: &Snapshot<'_, T>, query: &PairQuery, accuracy: Accuracy) -> Parts {
    let (query, mut hits) = (query.clone().accuracy(accuracy), Hits::new());
    let (found, slack) = parts(now, &query, &mut hits);
    let any = now.intersects(&query, hits.scratch()).expect("a good query");
    assert_eq!(any, !found.is_empty(), "{accuracy:?}");
    let allowed = match accuracy {
        Accuracy::Within(t) => t,
        Accuracy::Exact | Accuracy::Budget(u32::MAX) => 0.0,
        _ => f64::INFINITY,
    };
    assert!(slack <= allowed, "{accuracy:?}: {slack}");
    let report = now.contacts(&query, &mut hits).expect("a good query");
    let side = |node: &NodeRef| (node.character, node.part);
    let of_hits: Parts = hits.iter().map(|h| (side(&h.a), side(&h.b))).collect();
    assert_eq!(of_hits.len(), found.len(), "{accuracy:?}");
    assert!(found.iter().all(|pair| of_hits.contains(pair)), "{accuracy:?}");
    assert!(report.slack.wide() <= allowed && hits.iter().all(|h| h.slack <= report.slack));
    assert!(report.met || matches!(accuracy, Accuracy::Budget(n) if n < u32::MAX));
    let boxes = query.clone().detail(Detail::Boxes);
    let report = now.contacts(&boxes, &mut hits).expect("a good query");
    assert!(report.slack.wide() <= allowed && hits.iter().all(|h| h.slack <= report.slack));
    let of_boxes: Parts = hits.iter().map(|h| (side(&h.a), side(&h.b))).collect();
    assert!(of_boxes.iter().all(|pair| found.contains(pair)), "{accuracy:?}");
    assert!(found.iter().all(|pair| of_boxes.contains(pair)), "{accuracy:?}");
    let nodes: Vec<(NodeRef, NodeRef)> = hits.iter().map(|h| (h.a, h.b)).collect();
    now.pairs(&boxes, &mut hits).expect("a good query");
    assert_eq!(hits.pairs(), nodes, "{accuracy:?}");
    found
}

/// Asserts that swapped arguments reverse every answer, bit for bit.
fn reversed<T: Scalar>(now: &Snapshot<'_, T>, keys: [CharacterKey; 2], accuracy: Accuracy) {
    for detail in [Detail::DeepestBoxes, Detail::Boxes] {
        let ask = |a, b| {
            let mut hits = Hits::new();
            let query = PairQuery::between(a, b).detail(detail).accuracy(accuracy);
            let report = now.contacts(&query, &mut hits).expect("a good query");
            (hits.to_vec(), report)
        };
        let ((there, report), (back, other)) = (ask(keys[0], keys[1]), ask(keys[1], keys[0]));
        let mut back: Vec<_> = back.iter().map(|hit| hit.reversed()).collect();
        back.sort_by_key(|h| (h.a.part, h.a.node, h.b.part, h.b.node));
        assert_eq!(there.len(), back.len(), "{accuracy:?}");
        for (x, y) in there.iter().zip(&back) {
            assert_eq!((x.a, x.b), (y.a, y.b));
            assert_eq!(bits(&contact(x)), bits(&contact(y)), "{accuracy:?}");
        }
        assert_eq!((report.slack, report.met), (other.slack, other.met), "{accuracy:?}");
    }
}

fn crowds<T: Scalar>() {
    let (mut random, mut exact, mut falsely) = (Random(91), 0, 0);
    for round in 0..24 {
        let (scene, roster) = crowd::<T>(&mut random, 2 + round % 3, [0.0, 10.0, 1e3][round % 3]);
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        let keys = [roster[0].key, roster[1].key];
        for query in [PairQuery::all(), PairQuery::of(keys[1]), PairQuery::within(keys[0])] {
            let truth = forms_agree(&now, &query, Accuracy::Exact);
            exact += truth.len();
            for accuracy in ALL {
                let found = forms_agree(&now, &query, accuracy);
                let missed = truth.iter().find(|pair| !found.contains(pair));
                assert_eq!(missed, None, "{accuracy:?} round {round}");
                falsely += found.len() - truth.len();
                if matches!(accuracy, Accuracy::Budget(u32::MAX) | Accuracy::Within(0.0)) {
                    assert_eq!(found, truth, "{accuracy:?}");
                }
            }
        }
        ALL.into_iter().for_each(|accuracy| reversed(&now, keys, accuracy));
    }
    println!("{exact} pairs of parts touch; {falsely} reported that do not");
    assert!(exact > 100 && falsely > 100);
}

/// A closed box of triangles.
fn chest<T: Scalar>(half: f64) -> Mesh<T> {
    let corner = |i: usize| {
        let sign = |bit: usize| if i >> bit & 1 == 1 { half } else { -half };
        vector::<T>([sign(0), sign(1), sign(2)]).into()
    };
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Mesh::new((0..8).map(corner).collect(), triangles).expect("a mesh")
}

fn blade_in_a_torso<T: Scalar>() {
    let blade = || Geometry::Surface(chest::<T>(0.05));
    let torsos = [Geometry::Solid(chest(1.0)), Geometry::Surface(chest(1.0))];
    let torso_of = |geometry| model_of(vec![geometry]);
    let sword = torso_of(blade());
    for (torso, solid) in torsos.into_iter().zip([true, false]) {
        let mut scene = Scene::<T>::new();
        let a = scene.insert(&torso_of(torso), Spawn::default()).expect("a character");
        let at = upright([0.3, 0.2, -0.1]);
        let b = scene.insert(&sword, Spawn::at(at)).expect("a character");
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        for accuracy in ALL {
            // A surface has no inside; only boxes too coarse to decide may report it.
            if solid || matches!(accuracy, Accuracy::Exact | Accuracy::Budget(u32::MAX)) {
                let found = forms_agree(&now, &PairQuery::between(b, a), accuracy).len();
                assert_eq!(found, usize::from(solid), "{accuracy:?}");
                reversed(&now, [a, b], accuracy);
            }
        }
    }
}

#[test]
fn self_collision_reports_all_contacts_within_its_slack() {
    let model = model_of(vec![
        Geometry::Solid(chest::<f32>(1.0)),
        Geometry::Surface(chest(0.5)),
        Geometry::Surface(chest(0.5)),
    ]);
    let place = |x: f64| -> Pose<f32> { upright([x, 0.0, 0.0]) };
    let (inside, beside) = (place(0.1), place(1.75));
    let mut scratch = SelfQueryScratch::default();
    for accuracy in ALL {
        let poses = [place(0.0), inside, beside];
        let found = model.self_pairs(&poses, accuracy, &mut scratch).expect("good poses").to_vec();
        let (a, b) = (PartId::new(0), PartId::new(1));
        assert!(found.contains(&(a, b)), "{accuracy:?}");
        if matches!(
            accuracy,
            Accuracy::Exact | Accuracy::Within(..=0.1) | Accuracy::Budget(u32::MAX)
        ) {
            assert_eq!(found, [(a, b)], "{accuracy:?}");
        }
        let report = *scratch.report();
        assert!(report.met || matches!(accuracy, Accuracy::Budget(_)), "{accuracy:?}");
        assert!(model.self_intersects(&poses, accuracy, &mut scratch).expect("good poses"));
        let poses = [place(0.0), place(1.51), place(5.0)];
        let apart = !model.self_intersects(&poses, accuracy, &mut scratch).expect("good poses");
        assert!(apart, "{accuracy:?}");
    }
}

#[test]
fn an_invalid_tolerance_and_an_open_solid_are_errors() {
    let mut scene = Scene::<f32>::new();
    let part = Geometry::Solid(chest(1.0));
    let model = model_of(vec![part]);
    let key = scene.insert(&model, Spawn::default()).expect("a character");
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    for (bad, infinite) in [(f64::NAN, true), (f64::INFINITY, true), (-1e-9, false)] {
        let query = PairQuery::of(key).accuracy(Accuracy::Within(bad));
        let expected = match infinite {
            true => Error::NotFinite { field: "tolerance", index: 0 },
            false => Error::Negative { field: "tolerance", index: 0 },
        };
        assert_eq!(now.intersects(&query, hits.scratch()), Err(expected.clone()));
        let mut scratch = SelfQueryScratch::default();
        let own = model.self_intersects(&[upright([0.0; 3])], Accuracy::Within(bad), &mut scratch);
        assert_eq!(own, Err(expected));
    }
    let whole = chest::<f32>(1.0);
    let open =
        Mesh::new(whole.vertices().to_vec(), whole.triangles()[1..].to_vec()).expect("a mesh");
    let refused = Model::builder()
        .part("chest", None, Geometry::Solid(open.clone()))
        .build(&Build::default())
        .expect_err("not closed");
    let text = refused.to_string();
    assert!(text.contains("'chest'") && text.contains("3 open edges"), "{text}");
    let capped = Geometry::Solid(open.capped());
    assert!(Model::builder().part("chest", None, capped).build(&Build::default()).is_ok());
}

scalars! {
    every_accuracy_reports_all_contacts_within_its_slack => crowds();
    a_blade_wholly_inside_a_torso_touches_it_at_every_accuracy => blade_in_a_torso();
}
