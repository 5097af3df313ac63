//! The example `duel` from outside: its output, its files and its errors.

use std::fs;
use std::process::Output;

use serde_json::Value;
use support::folder::Folder;

fn duel(flags: &[&str]) -> Output {
    support::run_example::run("duel", flags)
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Returns the ends of a box along a direction.
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
    let (json_flag, dump_flag) = (text(&json), text(&dump));
    let flags = ["--frames", "120", "--details", "--json", &json_flag, "--dump", &dump_flag];
    let run = duel(&[&flags[..], &["--svg", &text(&svg)]].concat());
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let printed = String::from_utf8(run.stdout).expect("text");
    assert!(printed.contains("left_hand") && printed.contains("pairs of boxes tested"));
    let lines: Vec<Value> = fs::read_to_string(&json)
        .expect("hits")
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .filter(|object: &Value| object.get("push").is_none())
        .collect();
    assert_eq!(printed.lines().filter(|line| line.contains(" at (")).count(), lines.len());
    assert!(lines.len() > 10, "only {} hits", lines.len());
    lines.iter().for_each(check_bodies);
    let frame = lines[0]["frame"].as_u64().expect("a frame");
    check_dump(&fs::read_to_string(dump.join(format!("frame-{frame:04}.json"))).expect("a dump"));
    let picture = fs::read_to_string(svg.join(format!("frame-{frame:04}.svg"))).expect("a picture");
    assert!(picture.contains("class=\"node\"") && picture.ends_with("</svg>\n"));
    assert_eq!(fs::read_dir(&dump).expect("dumps").count(), 120);
}

#[test]
fn fighters_on_a_level_stand_on_brushes_and_touch_them() {
    let run = duel(&["--level"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let printed = String::from_utf8(run.stdout).expect("text");
    let level = &printed[printed.find("level     red").expect("what red stood on")..];
    assert!(level.contains("red stood on the floor 300 fr"), "{level}");
    assert!(level.contains("blue stood on the floor") && level.contains("the step"), "{level}");
    assert!(level.contains("right_foot - floor") && level.contains("right_foot - step"), "{level}");
    // Feet at rest on the floor overlap it by the excess of their boxes, and no more.
    let deep = level.lines().filter_map(|line| line.split(", ").nth(1));
    let deep = deep.filter_map(|text| text.split(" m").next().and_then(|m| m.parse::<f64>().ok()));
    let deep: Vec<f64> = deep.collect();
    assert!(deep.len() >= 2 && deep.iter().all(|&deep| deep < 0.05), "{level}");
}

#[test]
fn hits_of_boxes_are_those_of_their_boxes() {
    let out = Folder::new();
    for detail in ["parts", "boxes"] {
        let json = out.path("hits.jsonl");
        let file = json.to_str().expect("a plain path");
        let run = duel(&["--frames", "100", "--detail", detail, "--json", file]);
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let text = fs::read_to_string(&json).expect("hits");
        let lines = text.lines().map(|line| serde_json::from_str(line).expect("an object"));
        let hits: Vec<Value> = lines.filter(|line: &Value| line.get("push").is_none()).collect();
        assert!(hits.len() > 10, "only {} hits", hits.len());
        hits.iter().for_each(check_hit);
    }
}

/// Asserts a contact of two bodies: inside the boxes around both parts, which overlap along the
/// normal by no less than the depth.
fn check_bodies(hit: &Value) {
    let (a, b) = (&hit["a"]["box"], &hit["b"]["box"]);
    assert_eq!((&hit["a"]["character"], &hit["b"]["character"]), (&0.into(), &1.into()));
    assert_eq!((&hit["a"]["node"], &hit["b"]["node"]), (&0.into(), &0.into()));
    let (normal, point) = (numbers(&hit["normal"]), numbers(&hit["point"]));
    assert!((dot(&normal, &normal) - 1.0).abs() < 1e-6);
    let depth = hit["depth"].as_f64().expect("a depth");
    let overlap = ends(a, &normal)[1] - ends(b, &normal)[0];
    assert!(depth >= 0.0 && overlap >= depth - 1e-5, "{overlap} along the normal, {depth} stated");
    assert_eq!(hit["slack"].as_f64(), Some(0.0));
    for around in [a, b] {
        for axis in around["axes"].as_array().expect("axes").iter().map(numbers) {
            let ([low, high], at) = (ends(around, &axis), dot(&point, &axis));
            assert!(low - 1e-5 <= at && at <= high + 1e-5, "{point:?} is outside");
        }
    }
}

/// Asserts boxes with unit axes that overlap along the normal by the stated depth.
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
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fighter/fighter.glb");
    let loaded = boxwood::load::gltf(file).expect("the fighter");
    let of =
        |part: &boxwood::model::Part<f32>| Some(part.tree()?.geometry().mesh()?.triangles().len());
    assert_eq!(triangles, 2 * loaded.model.parts().iter().filter_map(of).sum::<usize>());
}

#[test]
fn insertions_and_removals_change_no_line() {
    let [plain, churned] =
        [&["--frames", "100"][..], &["--frames", "100", "--churn", "33"]].map(duel);
    assert!(plain.status.success() && plain.stdout.len() > 500);
    assert_eq!(plain.stdout, churned.stdout);
}

/// Returns a stick figure about 1.8 high that waves its arms, its hips at a position; lengths times
/// `unit`.
fn figure(unit: f64, [x, y, z]: [f64; 3]) -> String {
    let triple = |v: [f64; 3]| v.map(|c| format!("{}", c * unit)).join(" ");
    let mut text = String::from(
        "HIERARCHY\nROOT hips {\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n",
    );
    for (name, first, second) in [
        ("head", [0.0, 0.5, 0.0], [0.0, 0.3, 0.0]),
        ("left_arm", [0.2, 0.4, 0.0], [0.0, 0.0, 0.7]),
        ("right_arm", [-0.2, 0.4, 0.0], [0.0, 0.0, 0.7]),
        ("left_leg", [0.1, 0.0, 0.0], [0.0, -1.0, 0.0]),
        ("right_leg", [-0.1, 0.0, 0.0], [0.0, -1.0, 0.0]),
    ] {
        let (first, second) = (triple(first), triple(second));
        text += &format!(
            "JOINT {name} {{\nOFFSET {first}\nCHANNELS 3 Zrotation Yrotation Xrotation\n\
             End NodeRef {{\nOFFSET {second}\n}}\n}}\n"
        );
    }
    text += "}\nMOTION\nFrames: 60\nFrame Time: 0.0333333\n";
    for frame in 0..60 {
        let place = triple([x, y + 1.0, z]);
        let wave = 20.0 * (f64::from(frame) * 0.2).sin();
        let arms = format!("0 0 {wave} 0 0 {}", -wave);
        text += &format!("{place} 0 0 0 0 0 0 {arms} 0 0 0 0 0 0\n");
    }
    text
}

/// Returns the number of frames of 90 with a hit.
fn meetings(flags: &[&str]) -> usize {
    let run = duel(&[&["--frames", "90"], flags].concat());
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let printed = String::from_utf8(run.stdout).expect("text");
    let line = printed.lines().find(|line| line.starts_with("frames with a hit")).expect("a line");
    line.split_whitespace().nth(4).and_then(|word| word.parse().ok()).expect("a number")
}

#[test]
fn recordings_collide_wherever_they_were_recorded() {
    let out = Folder::new();
    let places = [
        [0.0; 3],
        [13.0, 0.0, 2.0],
        [0.0, 0.0, 13.0],
        [-9.0, 0.0, -9.0],
        [0.0, 13.0, 0.0],
        [4.0, -8.0, -11.0],
    ];
    let files: Vec<String> = places
        .iter()
        .enumerate()
        .map(|(index, &place)| {
            let path = out.write(&format!("at_{index}.bvh"), figure(1.0, place));
            path.to_str().expect("a plain path").to_owned()
        })
        .collect();
    // With itself, with a figure elsewhere, and with the fighter.
    for (index, file) in files.iter().enumerate() {
        let met = [
            meetings(&["--a", file, "--b", file]),
            meetings(&["--a", file, "--b", &files[(index + 1) % files.len()]]),
            meetings(&["--b", file]),
        ];
        assert!(met.iter().all(|&met| met > 0), "{:?}: {met:?}", places[index]);
    }
    // The position changes rounding only.
    let here = meetings(&["--a", &files[0], "--b", &files[0]]);
    let there = meetings(&["--a", &files[1], "--b", &files[2]]);
    assert!(here.abs_diff(there) <= 3, "{here} {there}");
}

#[test]
fn recordings_in_any_unit_are_scaled_and_unusual_sizes_warned_of() {
    let out = Folder::new();
    let [metres, centimetres] = [1.0, 100.0].map(|unit| {
        let path = out.write(&format!("in_{unit}.bvh"), figure(unit, [0.0; 3]));
        path.to_str().expect("a plain path").to_owned()
    });
    let same = ["--details", "--frames", "60", "--a", &metres, "--b"];
    let plain = duel(&[&same[..], &[&metres]].concat());
    let scaled = duel(&[&same[..], &[&centimetres, "--scale-b", "0.01"]].concat());
    assert!(plain.status.success() && plain.stdout.len() > 500);
    // Lengths of a hundred times a hundredth are equal up to rounding.
    let names = |output: &Output| -> Vec<String> {
        let text = String::from_utf8(output.stdout.clone()).expect("text");
        text.lines().filter_map(|line| Some(line.split_once(" at (")?.0.to_owned())).collect()
    };
    assert_eq!(names(&plain), names(&scaled));
    let said = |output: &Output| String::from_utf8(output.stderr.clone()).expect("text");
    assert!(!said(&plain).contains("joints span") && !said(&scaled).contains("joints span"));
    let odd = duel(&["--a", &metres, "--b", &centimetres, "--frames", "2"]);
    assert!(said(&odd).contains("blue: the joints span 64"), "{}", said(&odd));
    assert!(said(&odd).contains("0.01 for centimetres") && said(&odd).contains("--scale-b"));
    for bad in ["0", "-1", "nan", "x", "1e9"] {
        let run = duel(&["--scale-a", bad]);
        assert_eq!(run.status.code(), Some(2));
        assert!(said(&run).contains("--scale-a") && said(&run).contains(bad), "{}", said(&run));
    }
}

#[test]
fn models_without_geometry_are_refused_and_visual_geometry_fights_on_request() {
    let out = Folder::new();
    let look = "<visual><geometry><box size='0.4 0.4 1.6'/></geometry></visual>";
    let robot =
        out.write("looks.urdf", format!("<robot name='r'><link name='a'>{look}</link></robot>"));
    let robot = robot.to_str().expect("a plain path");
    let run = duel(&["--a", robot, "--frames", "2"]);
    let said = String::from_utf8(run.stderr).expect("text");
    assert_eq!(run.status.code(), Some(2), "{said}");
    assert!(
        said.contains("looks.urdf: no link has geometry that can collide; load visual"),
        "{said}"
    );
    assert!(meetings(&["--a", robot, "--visual"]) > 5);
}

#[test]
fn help_names_every_flag() {
    let run = duel(&["--help"]);
    let help = String::from_utf8(run.stdout).expect("text");
    let source = include_str!("../../examples/duel/arguments.rs");
    let flags = source.split('"').filter(|word| word.starts_with("--") && !word.contains(' '));
    let flags: std::collections::BTreeSet<&str> = flags.collect();
    assert!(flags.len() > 12, "{flags:?}");
    assert!(flags.iter().all(|flag| help.contains(flag)), "{flags:?}");
}

#[test]
fn invalid_files_and_flags_exit_with_two_and_one_line() {
    let out = Folder::new();
    let (missing, empty) = (out.path("missing.glb"), out.write("empty.glb", ""));
    let (missing, empty) = (missing.to_str().expect("plain"), empty.to_str().expect("plain"));
    let nowhere = out.path("missing/hits.jsonl");
    let nowhere = nowhere.to_str().expect("plain");
    let cases: [(&[&str], &str); 7] = [
        (&["--a", missing], missing),
        (&["--b", empty], empty),
        (&["--json", nowhere], nowhere),
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
fn duel_and_the_examples_with_many_flags_have_help() {
    let flags = ["--a", "--clip-b", "--distance", "--frames", "--depth", "--detail", "--json"];
    support::run_example::helps("duel", &flags);
    support::run_example::helps(
        "self_collision",
        &["--robot", "--samples", "--within", "--surfaces"],
    );
    support::run_example::helps("depth_vs_accuracy", &["--model", "--out", "--cases", "--tune"]);
    support::run_example::helps("census", &["FILE", "FOLDER"]);
    support::run_example::helps("make_fighter", &["FILE"]);
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
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
        let trouble = support::run_example::refused(example, &[flag, value]);
        let answer = format!("{flag} can not be '{value}': it takes");
        assert!(trouble.contains(&answer) && trouble.contains(range), "{trouble}");
    }
}

#[test]
fn zero_frames_are_accepted() {
    let run = duel(&["--frames", "0"]);
    let answer = String::from_utf8(run.stderr).expect("text");
    let rows: Vec<&str> =
        answer.lines().filter(|line| line.contains("0.0 us      0.0 us")).collect();
    assert!(run.status.success() && rows.len() == 4, "{answer}");
    let printed = String::from_utf8(run.stdout).expect("text");
    assert!(printed.contains("no blow: nothing touches in 0 frames (0.000 s)"), "{printed}");
    assert!(!answer.contains("-0") && !printed.contains("-0"), "{answer}{printed}");
}

#[test]
fn characters_of_very_different_size_give_a_warning_about_units() {
    let folder = Folder::new();
    for (size, hinted) in [(120.0, true), (1.5, false)] {
        let text = format!(
            "v 0 0 0\nv {size} 0 0\nv 0 {size} 0\nv 0 0 {size}\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
        );
        let file = folder.write("tetrahedron.obj", text);
        let run = duel(&["--a", file.to_str().expect("a name"), "--frames", "2"]);
        assert!(run.status.success());
        let said = String::from_utf8(run.stderr).expect("text");
        assert_eq!(said.contains("may be in different units"), hinted, "{size}: {said}");
    }
}
