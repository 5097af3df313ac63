//! Messages of errors.

use boxwood::scene::{Buffers, Hits, Scene, Spawn};
use boxwood::{Error, PairQuery};

use crate::scene::brute_force::random_model;

use support::prelude::*;

#[test]
fn no_message_prints_an_index_as_the_value() {
    let place = std::path::PathBuf::from("a.obj");
    let file = Error::File { path: place, trouble: "line 3: no number".to_owned() };
    let [name, kind] = ["hip".to_owned(), "actuator".to_owned()];
    let unknown = |count: usize| {
        let known = (0..count).map(|i| format!("p{i}")).collect();
        Error::UnknownName { kind: "part", name: name.clone(), known }
    };
    let names: Vec<String> = (0..15).map(|i| format!("'p{i}'")).collect();
    let many = format!("no part is called 'hip', only {}", names.join(", "));
    for (error, expected) in [
        (Error::NotFinite { field: "tolerance", index: 0 }, "tolerance is not finite"),
        (Error::Negative { field: "tolerance", index: 0 }, "tolerance is negative"),
        (Error::Negative { field: "largest distance", index: 0 }, "largest distance is negative"),
        (Error::OutOfRange { field: "place", index: 0, limit: 1e30 }, "place is larger than 1e30"),
        (Error::NotUnit { field: "normal", index: 0, length: 2.0 }, "normal has length 2, not 1"),
        (
            Error::Negative { field: "half extent", index: 1 },
            "half extent number 1 (from 0) is negative",
        ),
        (Error::NotFinite { field: "vertex", index: 0 }, "vertex number 0 (from 0) is not finite"),
        (
            Error::OutOfRange { field: "pose", index: 7, limit: 1e75 },
            "pose number 7 (from 0) is larger than 1e75",
        ),
        (
            Error::NotUnit { field: "axis", index: 2, length: 0.5 },
            "axis number 2 (from 0) has length 0.5, not 1",
        ),
        (
            Error::NotOrthonormal { field: "axis", index: 1 },
            "axis number 1 (from 0): the axes are not a right-handed set at right angles",
        ),
        (
            Error::NotConvex { index: 0 },
            "corner number 0 (from 0): the corners do not form a convex polygon, wound once",
        ),
        (
            Error::IndexOutOfRange { field: "triangle", index: 4, target: 9, len: 6 },
            "triangle number 4 (from 0) refers to 9, but there are only 6",
        ),
        (
            Error::IndexOutOfRange { field: "part", index: 0, target: 9, len: 6 },
            "there is no part 9: the count is 6",
        ),
        (
            Error::IndexOutOfRange { field: "skin", index: 0, target: 9, len: 6 },
            "skin refers to 9, but there are only 6",
        ),
        (
            Error::Part {
                part: "arm".into(),
                source: Box::new(Error::OutOfOrder { field: "key time", index: 3 }),
            },
            "part 'arm': key time number 3 (from 0) is out of order",
        ),
        (
            Error::Row { row: 7, source: Box::new(Error::Empty { field: "model" }) },
            "row 7: model is empty",
        ),
        (
            Error::NotAffine { field: "matrix" },
            "matrix: the last row of the matrix is not 0, 0, 0, 1",
        ),
        (Error::Empty { field: "model" }, "model is empty"),
        (
            Error::Open { edges: vec![[0, 1]], count: 3 },
            "the mesh is not closed: 3 open edges, the first between corners [[0, 1]]",
        ),
        (Error::WrongCount { field: "poses", expected: 3, found: 2 }, "2 poses given, 3 expected"),
        (unknown(0), "no part is called 'hip'"),
        (unknown(1), "no part is called 'hip', only 'p0'"),
        (unknown(3), "no part is called 'hip', only 'p0', 'p1', 'p2'"),
        (unknown(16), &format!("{many}, 'p15'")),
        (unknown(17), &format!("{many}, 'p15' and 1 more")),
        (unknown(40), &format!("{many}, 'p15' and 24 more")),
        (Error::DuplicateName { kind: "part", name: name.clone() }, "two parts are called 'hip'"),
        (Error::DuplicateOrder { order: 0 }, "another character of the scene already has order 0"),
        (Error::ForeignState { index: 3 }, "state 3 is of another scene than state 0"),
        (
            Error::BeyondLimits { actuator: kind, value: 2.0, least: -1.0, most: 1.0 },
            "actuator 'actuator': the value 2 is outside the limits -1 to 1",
        ),
        (file, "a.obj: line 3: no number"),
    ] {
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn single_elements_are_named_without_an_index() {
    let model = random_model::<f32>(&mut Random(5));
    let (mut scene, mut buffers, mut hits) = (Scene::new(), Buffers::new(), Hits::new());
    let key = scene.insert(&model, Spawn::default()).expect("a character");
    let far = boxwood::Pose::translation(1e31, 0.0, 0.0);
    let said = scene.set_joints(key, &far, &model.bind_poses()).expect_err("too far");
    assert_eq!(said.to_string(), "place is larger than 1e30");
    let query = PairQuery::all().accuracy(boxwood::Accuracy::Within(-1.0));
    let said = scene.snapshot(&mut buffers).contacts(&query, &mut hits).expect_err("negative");
    assert_eq!(said.to_string(), "tolerance is negative");
    let ball = boxwood::shape::Sphere::new([0.0_f32; 3].into(), -1.0).expect_err("negative");
    assert_eq!(ball.to_string(), "radius is negative");
    let mut poses = model.bind_poses();
    poses[1].translation.x = f32::NAN;
    let said = scene.set_parts(key, &poses).expect_err("no number").to_string();
    assert_eq!(said, "pose number 1 (from 0) is not finite");
}
