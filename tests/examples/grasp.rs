//! The example `grasp` from outside: the fingers touch the mug until they hold it, then only the
//! mug collides with the post, and scaled by two the output is the same. So it is with a mesh of a
//! file.

use support::run_example::{helps, printed, refused, refuses_files};

/// Checks the steps with a thing that the post blocks, and no finger.
fn carried(thing: &str, words: &[&str]) {
    let answer = printed("grasp", words);
    assert_eq!(answer, printed("grasp", words));
    let line = |step: &str| {
        let start = format!("{step}: ");
        let line = answer.lines().find_map(|line| line.strip_prefix(&start));
        line.unwrap_or_else(|| panic!("no step '{step}': {answer}"))
    };
    let nothing = "the robot touches nothing; with what it holds nothing";
    for step in ["around the mug", "lifted", "high over the post", "beside the post", "let go"] {
        assert_eq!(line(step), nothing, "{step}");
    }
    let fingers = format!("left_finger and {thing}, right_finger and {thing}");
    let closed = format!("the robot touches {fingers}; with what it holds {fingers}");
    assert_eq!(line("closed"), closed);
    let low = format!("the robot touches nothing; with what it holds {thing} and post");
    assert_eq!(line("low over the post"), low);
    assert!(answer.ends_with("twice as large: the same 7 answers\n"), "{answer}");
}

#[test]
fn the_held_mug_belongs_to_the_robot() {
    carried("mug", &[]);
}

/// Text of an OBJ file: a box of these sizes.
fn block([x, y, z]: [f32; 3]) -> String {
    let corner = |i: u32| {
        let [x, y, z] = [(x, i & 1), (y, i >> 1 & 1), (z, i >> 2)].map(|(size, far)| match far {
            0 => 0.0,
            _ => size,
        });
        format!("v {x} {y} {z}\n")
    };
    let corners: String = (0..8).map(corner).collect();
    corners + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
}

#[test]
fn a_mesh_of_a_file_is_held_like_the_mug() {
    let folder = support::folder::Folder::new();
    let file = folder.write("block.obj", block([3.0, 3.0, 4.0]));
    carried("mesh", &[file.to_str().expect("a plain path")]);
    // Scaled to the largest length it is too thin for the fingers.
    let thin = folder.write("thin.obj", block([30.0, 1.0, 1.0]));
    let trouble = refused("grasp", &[thin.to_str().expect("a plain path")]);
    assert!(trouble.contains("thin.obj: the fingers close without touching it"), "{trouble}");
    let Some(data) = support::data::data() else { return };
    for link in 0..7 {
        let file = data.join(format!("robots/panda/meshes/collision/link{link}.stl"));
        carried("mesh", &[file.to_str().expect("a plain path")]);
    }
}

#[test]
fn robots_of_files_hold_a_ball() {
    let numbers = |file: &str| -> [usize; 3] {
        let answer = printed("grasp", &[file]);
        assert!(answer.ends_with("twice as large: the same 4 answers\n"), "{answer}");
        let lines = answer.lines().skip(1).take(3);
        let first = |line: &str| line.split_whitespace().next().and_then(|word| word.parse().ok());
        let counts: Option<Vec<usize>> = lines.map(first).collect();
        counts.and_then(|counts| counts.try_into().ok()).unwrap_or_else(|| panic!("{answer}"))
    };
    let arm = numbers("bindings/python/examples/arm.urdf");
    let data = support::data::data();
    let panda = data.map(|data| data.join("robots/panda/urdf/panda.urdf"));
    let panda = panda.map(|file| numbers(file.to_str().expect("a plain path")));
    for [alone, both, own] in std::iter::once(arm).chain(panda) {
        // With the ball the robot touches no less.
        assert!(alone <= both && both < 1000 && 0 < own && own < 1000, "{alone} {both} {own}");
    }
    assert!(panda.is_none_or(|[alone, both, _]| 0 < alone && alone < both), "{panda:?}");
}

#[test]
fn the_grasp_example_has_help_and_names_bad_files() {
    helps("grasp", &["FILE"]);
    let folder = support::folder::Folder::new();
    let broken = folder.write("broken.obj", "v 0 0 0\nf 1 2 3\n");
    refuses_files(
        "grasp",
        &[
            ("nothing.stl", "nothing.stl"),
            ("nothing.urdf", "nothing.urdf"),
            (
                "fighter.glb",
                "fighter.glb: files of type '.glb' are not supported; supported are .obj",
            ),
            (broken.to_str().expect("a plain path"), "broken.obj"),
        ],
    );
}
