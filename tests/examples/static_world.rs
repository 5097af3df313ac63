//! The example `static_world` from outside: every run prints the same, and everything of the world
//! is hit. Levels and meshes of files are worlds as well.

use support::run_example::{helps, printed, refuses_files};

#[test]
fn everything_of_the_world_is_hit() {
    let answer = printed("static_world", &[]);
    assert_eq!(answer, printed("static_world", &[]));
    for name in ["hill", "floor", "things", "level"] {
        let line = answer.lines().find(|line| line.starts_with(name) && line.contains("touched"));
        let line = line.unwrap_or_else(|| panic!("{name}: {answer}"));
        let ticks = line.split_once("touched in ").expect("ticks").1.trim_start();
        let ticks: usize = ticks.split(' ').next().and_then(|x| x.parse().ok()).expect("a number");
        assert!(ticks > 5, "{line}");
    }
    assert!(answer.contains("ground below in 360 ticks"), "{answer}");
    assert!(answer.contains("a ball thrown hits"), "{answer}");
}

/// Returns the numbers of ticks with a contact and with ground below, in the world of a file.
fn walked(file: &str) -> [usize; 2] {
    let answer = printed("static_world", &[file]);
    assert_eq!(answer, printed("static_world", &[file]));
    assert!(answer.contains("a ball thrown hits "), "{answer}");
    let number = |start: &str, after: &str| {
        let line = answer.lines().find(|line| line.starts_with(start) && line.contains(after));
        let rest = line.and_then(|line| line.split_once(after)).map(|(_, rest)| rest.trim_start());
        let word = rest.and_then(|rest| rest.split(' ').next());
        word.and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{start}: {answer}"))
    };
    [number("level", "touched in"), number("ground", "below in")]
}

#[test]
fn levels_and_meshes_of_files_are_worlds() {
    let [touched, grounded] = walked("examples/walk_brushes/level.map");
    assert!(touched > 30 && grounded > 100, "{touched} {grounded}");
    // A square of 40 m, whose middle is the start: the walk of 12 m does not leave it.
    let folder = support::folder::Folder::new();
    let text = "v -20 3 -20\nv 20 3 -20\nv 20 3 20\nv -20 3 20\nf 1 3 2\nf 1 4 3\n";
    let floor = folder.write("floor.obj", text);
    let [touched, grounded] = walked(floor.to_str().expect("a plain path"));
    assert!(touched > 100 && grounded == 360, "{touched} {grounded}");
    let Some(data) = support::data::data() else { return };
    for file in
        ["levels/lq-dm3/lqdm3.map", "levels/lq-slope/slope.map", "meshes/fcl-env-rob/env.obj"]
    {
        let file = data.join(file);
        let [touched, grounded] = walked(file.to_str().expect("a plain path"));
        assert!(touched > 100 && grounded == 360, "{}: {touched} {grounded}", file.display());
    }
}

#[test]
fn the_static_world_example_has_help_and_names_bad_files() {
    helps("static_world", &["FILE"]);
    let folder = support::folder::Folder::new();
    let empty = folder.write("empty.map", "{ \"classname\" \"worldspawn\" }");
    refuses_files(
        "static_world",
        &[
            ("nothing.map", "nothing.map"),
            ("nothing.obj", "nothing.obj"),
            ("fighter.glb", "fighter.glb: files of type '.glb' are not supported"),
            (empty.to_str().expect("a plain path"), "empty.map: no place where players start"),
        ],
    );
}
