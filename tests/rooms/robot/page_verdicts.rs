//! Verdicts of the web page on its example robot, against queries of the crate.
//!
//! `node web/test.mjs --store-verdicts` writes them. The page samples sines of its own, so that
//! distances and fractions may differ by rounding; parts and kinds of verdicts are equal.

use boxwood::load::{self, Robot};
use boxwood::robot::{Edge, EdgeChecker, EdgePart, EdgeScratch};
use boxwood::{Accuracy, PartId, SelfQueryScratch};
use serde_json::Value;

/// Largest difference of lengths and of fractions. [metres]
const NEAR: f64 = 1e-4;

fn robot() -> Robot<f32> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/robot/arm.urdf");
    load::urdf(path).expect("the example of the page")
}

fn verdicts() -> Value {
    let text = include_str!("../../../web/test/arm_verdicts.json");
    serde_json::from_str(text).expect("JSON")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn configuration(value: &Value) -> Vec<f32> {
    list(value).iter().map(|value| number(value) as f32).collect()
}

fn names(value: &Value) -> Vec<&str> {
    list(value).iter().map(|name| name.as_str().expect("a name")).collect()
}

#[test]
fn configurations_touch_in_the_page_where_they_touch_here() {
    let (robot, stored) = (robot(), verdicts());
    let (mut poses, mut scratch) = (Vec::new(), SelfQueryScratch::default());
    let name = |part: PartId| robot.model.parts()[part.index()].name();
    let rows = list(&stored["configurations"]);
    let mut touching = 0;
    for row in rows {
        robot.mechanism.poses(&configuration(&row["values"]), &mut poses).expect("in the limits");
        let pairs = robot.model.self_pairs(&poses, Accuracy::Exact, &mut scratch).expect("pairs");
        let found: Vec<&str> = pairs.iter().flat_map(|&(a, b)| [name(a), name(b)]).collect();
        assert_eq!(names(&row["pairs"]), found);
        touching += usize::from(!found.is_empty());
        let near = robot.model.self_distance(&poses, Accuracy::Exact, f64::INFINITY, &mut scratch);
        let near = near.expect("a distance").expect("two parts");
        assert!((f64::from(near.distance) - number(&row["distance"])).abs() < NEAR);
        assert_eq!(near.distance == 0.0, !found.is_empty());
        if near.distance > 0.0 {
            assert_eq!(names(&row["closest"]), [name(near.a.part), name(near.b.part)]);
        }
    }
    assert!(rows.len() == 60 && touching > 5 && touching < 55, "{touching} of {}", rows.len());
}

#[test]
fn edges_are_free_in_the_page_where_they_are_free_here() {
    let (robot, stored) = (robot(), verdicts());
    let checker = EdgeChecker::new(&robot.mechanism, &robot.model).expect("a checker");
    let mut scratch = EdgeScratch::default();
    let name = |part: PartId| robot.model.parts()[part.index()].name();
    let other = |part: EdgePart| match part {
        EdgePart::Robot(part) => name(part),
        _ => panic!("there is no world"),
    };
    let rows = list(&stored["edges"]);
    let mut free = 0;
    for row in rows {
        let ends = [configuration(&row["from"]), configuration(&row["to"])];
        let found = checker.first(&ends[0], &ends[1], &mut scratch).expect("a verdict");
        let (kind, first, second, parts) = match found {
            Edge::Free { clearance_at_least } => (0.0, clearance_at_least, 1.0, vec![]),
            Edge::Collides { fraction, clear_until, a, b, .. } => {
                (1.0, fraction, clear_until, vec![name(a), other(b)])
            }
            Edge::Undecided { fraction, slack, a, b, .. } => {
                (2.0, fraction, slack, vec![name(a), other(b)])
            }
            _ => panic!("{found:?}"),
        };
        free += usize::from(kind == 0.0);
        assert_eq!((number(&row["kind"]), names(&row["parts"])), (kind, parts));
        assert!((number(&row["first"]) - first).abs() < NEAR, "{first} {row}");
        assert!((number(&row["second"]) - second).abs() < NEAR, "{second} {row}");
    }
    assert!(rows.len() == 24 && free > 2 && free < 22, "{free} of {}", rows.len());
}
