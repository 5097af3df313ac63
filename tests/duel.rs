//! The main job from outside: what it prints, writes and refuses.

#[path = "support/example.rs"]
mod example;
#[path = "support/folder.rs"]
mod folder;

use std::fs;
use std::process::Output;

use folder::Folder;
use serde_json::Value;

fn duel(flags: &[&str]) -> Output {
    example::run("duel", flags)
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The ends of a box along a direction.
fn ends(of: &Value, direction: &[f64]) -> [f64; 2] {
    let half = numbers(&of["half_extents"]);
    let axes: Vec<_> = of["axes"].as_array().expect("axes").iter().map(numbers).collect();
    let reach: f64 = axes.iter().zip(&half).map(|(u, h)| h * dot(u, direction).abs()).sum();
    let middle = dot(&numbers(&of["center"]), direction);
    [middle - reach, middle + reach]
}

#[test]
fn the_default_fight_prints_marks_and_writes_hits() {
    let out = Folder::new();
    let (json, dump, svg) = (out.path("hits.jsonl"), out.path("dump"), out.path("svg"));
    let text = |path: &std::path::Path| path.to_str().expect("a plain path").to_owned();
    let flags = ["--frames", "120", "--json", &text(&json), "--dump", &text(&dump), "--svg"];
    let run = duel(&[&flags[..], &[&text(&svg)]].concat());
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let printed = String::from_utf8(run.stdout).expect("text");
    assert!(printed.contains("left_hand") && printed.contains("box tests, oriented"));
    let lines: Vec<Value> = fs::read_to_string(&json)
        .expect("hits")
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .collect();
    assert_eq!(printed.lines().filter(|line| line.contains(" at (")).count(), lines.len());
    assert!(lines.len() > 10, "only {} hits", lines.len());
    lines.iter().for_each(check_hit);
    let frame = lines[0]["frame"].as_u64().expect("a frame");
    check_dump(&fs::read_to_string(dump.join(format!("frame-{frame:04}.json"))).expect("a dump"));
    let picture = fs::read_to_string(svg.join(format!("frame-{frame:04}.svg"))).expect("a picture");
    assert!(picture.contains("class=\"node\"") && picture.ends_with("</svg>\n"));
    assert_eq!(fs::read_dir(&dump).expect("dumps").count(), 120);
}

/// Boxes with unit axes that overlap along the normal by the depth stated.
fn check_hit(hit: &Value) {
    let (a, b) = (&hit["a"]["box"], &hit["b"]["box"]);
    assert_eq!((&hit["a"]["character"], &hit["b"]["character"]), (&0.into(), &1.into()));
    assert!(hit["a"]["part"].is_string() && hit["b"]["node"].is_u64());
    for axes in [&a["axes"], &b["axes"]] {
        let axes: Vec<_> = axes.as_array().expect("axes").iter().map(numbers).collect();
        for (i, u) in axes.iter().enumerate() {
            for (j, v) in axes.iter().enumerate() {
                assert!((dot(u, v) - f64::from(u8::from(i == j))).abs() < 1e-6);
            }
        }
    }
    let normal = numbers(&hit["normal"]);
    assert!((dot(&normal, &normal) - 1.0).abs() < 1e-6);
    let depth = hit["depth"].as_f64().expect("a depth");
    let overlap = ends(a, &normal)[1] - ends(b, &normal)[0];
    assert!((overlap - depth).abs() < 1e-5, "{overlap} along the normal, {depth} stated");
    assert!(hit["slack"].as_f64().expect("a slack") >= 0.0);
    // Between the centres.
    let point = numbers(&hit["point"]);
    let (from, to) = (numbers(&a["center"]), numbers(&b["center"]));
    let span: Vec<f64> = from.iter().zip(&to).map(|(x, y)| y - x).collect();
    let off: Vec<f64> = from.iter().zip(&point).map(|(x, p)| p - x).collect();
    let share = dot(&off, &span) / dot(&span, &span);
    assert!((-1e-4..=1.0001).contains(&share), "the point is not between the centres");
}

fn check_dump(text: &str) {
    let dump: Value = serde_json::from_str(text).expect("one object");
    let parts = dump["parts"].as_array().expect("parts");
    assert_eq!(parts.len(), 42);
    let triangles: usize = parts
        .iter()
        .map(|part| {
            let triangles = part["triangles"].as_array().expect("triangles");
            assert!(triangles.iter().all(|triangle| numbers(triangle).len() == 9));
            triangles.len()
        })
        .sum();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/fighter/fighter.glb");
    let loaded = boxwood::load::gltf(file).expect("the fighter");
    let of =
        |part: &boxwood::model::Part<f32>| Some(part.tree()?.geometry().mesh()?.triangles().len());
    assert_eq!(triangles, 2 * loaded.model.parts().iter().filter_map(of).sum::<usize>());
}

#[test]
fn churn_changes_not_a_line() {
    let [plain, churned] =
        [&["--frames", "100"][..], &["--frames", "100", "--churn", "33"]].map(duel);
    assert!(plain.status.success() && plain.stdout.len() > 500);
    assert_eq!(plain.stdout, churned.stdout);
}

#[test]
fn bad_files_and_flags_end_with_two_and_one_line() {
    let out = Folder::new();
    let (missing, empty) = (out.path("missing.glb"), out.write("empty.glb", ""));
    let (missing, empty) = (missing.to_str().expect("plain"), empty.to_str().expect("plain"));
    let cases: [(&[&str], &str); 6] = [
        (&["--a", missing], missing),
        (&["--b", empty], empty),
        (&["--clip-a", "moonwalk"], "moonwalk"),
        (&["--frames", "many"], "many"),
        (&["--detail", "atoms"], "atoms"),
        (&["--fight"], "--fight"),
    ];
    for (flags, named) in cases {
        let run = duel(flags);
        let trouble = String::from_utf8(run.stderr).expect("text");
        assert_eq!(run.status.code(), Some(2), "{trouble}");
        assert!(trouble.lines().count() == 1 && trouble.contains(named), "{trouble}");
    }
}

#[test]
fn duel_and_the_examples_with_many_flags_help() {
    let flags = ["--a", "--clip-b", "--distance", "--frames", "--depth", "--detail", "--json"];
    example::helps("duel", &flags);
    example::helps("self_collision", &["--robot", "--samples", "--within", "--surfaces"]);
    example::helps("depth_vs_accuracy", &["--model", "--out", "--cases", "--tune"]);
    example::helps("census", &["FILE", "FOLDER"]);
    example::helps("make_fighter", &["FILE"]);
}

#[test]
fn numbers_out_of_range_are_answered_with_the_range() {
    for (example, flag, value, range) in [
        ("duel", "--depth", "300", "from 0 to 255"),
        ("duel", "--depth", "-1", "from 0 to 255"),
        ("duel", "--frames", "2.5", "from 0 to 100000000"),
        ("duel", "--churn", "x", "a whole number"),
        ("duel", "--distance", "inf", "a finite number"),
        ("self_collision", "--samples", "-4", "of at least 0"),
        ("self_collision", "--within", "-0.1", "of at least 0"),
        ("self_collision", "--within", "NaN", "a finite number"),
        ("depth_vs_accuracy", "--cases", "0", "of at least 1"),
        ("depth_vs_accuracy", "--tune", "-1", "of at least 0"),
    ] {
        let trouble = example::refused(example, &[flag, value]);
        let told = format!("{flag} can not be '{value}': it takes");
        assert!(trouble.contains(&told) && trouble.contains(range), "{trouble}");
    }
}

#[test]
fn no_frames_take_no_time() {
    let run = duel(&["--frames", "0"]);
    let told = String::from_utf8(run.stderr).expect("text");
    assert!(run.status.success() && told.contains("0.0 (median 0.0)"), "{told}");
    assert!(!told.contains("-0") && !String::from_utf8_lossy(&run.stdout).contains("-0"), "{told}");
}
