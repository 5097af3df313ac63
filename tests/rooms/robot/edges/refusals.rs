//! Refused edges name the row and the value or the actuator; paths.

use boxwood::f64::{Geometry, Model};
use boxwood::motion::JointKind;
use boxwood::robot::{Edge, EdgeChecker, EdgeScratch, PathEdge};
use boxwood::{Build, Error};

use super::closed_forms::{Made, ball, made, turn};

fn arm() -> Made {
    made(
        vec![
            (None, [0.0; 3], JointKind::Fixed, ball([1.0, 0.0, 0.0], 0.1)),
            (None, [0.0; 3], turn(0), ball([1.0, 0.0, 0.0], 0.1)),
            (Some(1), [1.0, 0.0, 0.0], turn(1), ball([0.3, 0.0, 0.0], 0.05)),
        ],
        &[Some([-2.0, 2.0]), None],
    )
}

#[test]
fn values_are_refused_by_row_and_actuator() {
    let Made { mechanism, model } = arm();
    let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
    let mut scratch = EdgeScratch::default();
    let good = [1.0, 5.0];
    let beyond =
        Error::BeyondLimits { actuator: "joint 0".to_owned(), value: 2.5, least: -2.0, most: 2.0 };
    let field = "actuator value";
    let joint = |index: usize, source: Error| Error::Part {
        part: format!("joint {index}"),
        source: Box::new(source),
    };
    let bad: [(&[f64], Error); 5] = [
        (&[2.5, 0.0], beyond),
        (&[0.0, f64::NAN], joint(1, Error::NotFinite { field, index: 1 })),
        (&[f64::INFINITY, 0.0], joint(0, Error::NotFinite { field, index: 0 })),
        (&[0.0, 1e80], joint(1, Error::OutOfRange { field, index: 1, limit: 1e75 })),
        (&[0.0], Error::WrongCount { field: "actuator values", expected: 2, found: 1 }),
    ];
    for (values, error) in bad {
        let at = |row: usize| Err(Error::Row { row, source: Box::new(error.clone()) });
        assert_eq!(checker.check(values, &good, &mut scratch), at(0));
        assert_eq!(checker.check(&good, values, &mut scratch), at(1));
        assert_eq!(checker.first(&good, values, &mut scratch), at(1));
        if values.len() == 2 {
            let rows = [&good[..], &good[..], values].concat();
            let path = checker.check_path(&rows, &mut scratch);
            assert_eq!(path, Err(Error::Row { row: 2, source: Box::new(error.clone()) }));
        }
    }
    let error = checker.check(&good, &[9.0, 0.0], &mut scratch).expect_err("beyond the limits");
    let text = "row 1: actuator 'joint 0': the value 9 is outside the limits -2 to 2";
    assert_eq!(error.to_string(), text);
}

#[test]
fn settings_are_refused() {
    let Made { mechanism, model } = arm();
    let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
    let (mut scratch, good) = (EdgeScratch::default(), [1.0, 5.0]);
    let mut refused = |checker: EdgeChecker<'_, f64>| {
        checker.check(&good, &good, &mut scratch).expect_err("a bad setting")
    };
    let negative = Error::Negative { field: "margin", index: 0 };
    assert_eq!(refused(checker.clone().margin(-0.1)), negative);
    let not_finite = Error::NotFinite { field: "margin", index: 0 };
    assert_eq!(refused(checker.clone().margin(f64::NAN)), not_finite);
    assert!(matches!(refused(checker.clone().tolerance(0.0)), Error::BadQuery { .. }));
    let negative = Error::Negative { field: "tolerance", index: 0 };
    assert_eq!(refused(checker.clone().tolerance(-1.0)), negative);
    let not_finite = Error::NotFinite { field: "tolerance", index: 0 };
    assert_eq!(refused(checker.tolerance(f64::INFINITY)), not_finite);
    let other = Model::builder().part("a", None, Geometry::None).build(&Build::default());
    let other = other.expect("a model");
    let expected = Error::WrongCount { field: "parts", expected: 3, found: 1 };
    assert_eq!(EdgeChecker::new(&mechanism, &other).map(|_| ()), Err(expected));
}

#[test]
fn paths_stop_at_the_first_edge_that_is_not_free() {
    let Made { mechanism, model } = arm();
    let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
    let mut scratch = EdgeScratch::default();
    let rows = [[1.8, 0.0], [1.0, 1.0], [0.6, -1.0], [-0.6, 0.0], [-1.0, 0.0]];
    let free = checker.check_path(&rows[..3].concat(), &mut scratch).expect("a verdict");
    let PathEdge { index: 2, edge: Edge::Free { clearance_at_least }, .. } = free else {
        panic!("free: {free:?}");
    };
    let each = rows[..3].windows(2).map(|ends| {
        let edge = checker.check(&ends[0], &ends[1], &mut scratch).expect("a verdict");
        let Edge::Free { clearance_at_least } = edge else { panic!("free: {edge:?}") };
        clearance_at_least
    });
    assert_eq!(each.fold(f64::INFINITY, f64::min), clearance_at_least);
    let path = checker.check_path(&rows.concat(), &mut scratch).expect("a verdict");
    assert!(matches!(path, PathEdge { index: 2, edge: Edge::Collides { .. }, .. }), "{path:?}");
    let one = checker.check_path(&rows[1], &mut scratch).expect("a verdict");
    assert!(matches!(one, PathEdge { index: 1, edge: Edge::Free { .. }, .. }), "{one:?}");
    assert_eq!(checker.check_path(&[], &mut scratch), Err(Error::Empty { field: "path" }));
    let odd = Error::WrongCount { field: "actuator values", expected: 4, found: 3 };
    assert_eq!(checker.check_path(&[0.0; 3], &mut scratch), Err(odd));
}

/// An edge without tested parts is free, however far.
#[test]
fn robots_without_pairs_are_free() {
    let Made { mechanism, model } =
        made(vec![(None, [0.0; 3], turn(0), ball([1.0, 0.0, 0.0], 0.1))], &[None]);
    let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
    let mut scratch = EdgeScratch::default();
    let free = Edge::Free { clearance_at_least: f64::INFINITY };
    assert_eq!(checker.check(&[0.0], &[1e6], &mut scratch), Ok(free));
    assert_eq!(checker.first(&[0.0], &[1e6], &mut scratch), Ok(free));
    let Made { mechanism, model } =
        made(vec![(None, [0.0; 3], JointKind::Fixed, ball([1.0, 0.0, 0.0], 0.1))], &[]);
    let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
    assert_eq!(checker.check(&[], &[], &mut scratch), Ok(free));
    let path = checker.check_path(&[], &mut scratch).expect("one configuration");
    assert_eq!(path, PathEdge { index: 1, edge: free });
}
