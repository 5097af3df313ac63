//! Tests of `edges`: verdicts against an arm of one joint, rows of text, obstacles, refusals.

use serde_json::Value;

use crate::tool::{BARS, Folder, baked_fighter, data, objects, printed, refused, text};

/// An arm of length 1 that turns about z, with a lamp that turns far above.
const ARM: &str = r#"<robot name="arm">
  <link name="base"/>
  <link name="arm"><collision><origin xyz="0.5 0 0"/>
    <geometry><box size="1 0.02 0.02"/></geometry></collision></link>
  <link name="lamp"><collision><origin xyz="0 0 9"/>
    <geometry><box size="1 1 1"/></geometry></collision></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/>
    <axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="0" velocity="0"/></joint>
  <joint name="light" type="continuous"><parent link="base"/><child link="lamp"/>
    <axis xyz="0 0 1"/></joint>
</robot>
"#;

/// A post at y = 0.9, between y = 0.89 and 0.91.
const POST: &str = r#"<robot name="post"><link name="post"><collision><origin xyz="0 0.9 0"/>
  <geometry><box size="0.02 0.02 2"/></geometry></collision></link></robot>"#;

fn verdicts(lines: &[Value]) -> Vec<&str> {
    lines.iter().filter_map(|line| line["verdict"].as_str()).collect()
}

#[test]
fn an_arm_collides_with_a_post_between_two_free_ends() {
    let folder = Folder::new();
    let (arm, post) = (folder.write("arm.urdf", ARM), folder.write("post.urdf", POST));
    // Free, through the post, back behind it, and along the lamp alone.
    let rows = folder.write("rows.csv", "turn, light\n-1, 0\n1.4, 0\n1.8, 0\n2.5, 1\n2.5, 2\n");
    let words = ["edges", text(&arm), "--rows", text(&rows), "--obstacles", text(&post)];
    let found = objects(&words);
    assert_eq!(found.len(), 5);
    assert_eq!(verdicts(&found), ["free", "collides", "free", "free"]);
    let hit = &found[1];
    assert_eq!((&hit["a"], &hit["b"]), (&"arm".into(), &"post".into()));
    assert!(hit["obstacle"].as_str().is_some_and(|file| file.ends_with("post.urdf")), "{hit}");
    // The arm points along y where its half width of 0.01 meets the post's: within 0.03 rad.
    let values: Vec<f64> =
        hit["values"].as_array().expect("values").iter().filter_map(Value::as_f64).collect();
    assert!((values[0] - std::f64::consts::FRAC_PI_2).abs() < 0.03 && values[1] == 0.0, "{hit}");
    let fraction = hit["fraction"].as_f64().expect("a share");
    assert!((fraction - (values[0] - 1.4) / 0.4).abs() < 1e-5, "{hit}");
    let totals = &found[4]["totals"];
    let count = |name: &str| totals[name].as_u64().expect("a count");
    assert_eq!(["edges", "free", "collides", "undecided"].map(count), [4, 3, 1, 0]);
    assert_eq!(found[4]["seed"], Value::Null);
    // The first collision: the sides meet where the arm's side has turned to the post's corner.
    let first = &objects(&[&words[..], &["--first"]].concat())[1];
    let until = first["clear_until"].as_f64().expect("a share");
    let expected = |share: f64| 1.4 + share * 0.4;
    let side = std::f64::consts::FRAC_PI_2 - (0.02_f64 / 0.9).atan();
    assert!(until > 0.0 && expected(until) <= side + 1e-3, "{first}");
    assert!(
        (expected(first["fraction"].as_f64().expect("a share")) - side).abs() < 5e-3,
        "{first}"
    );
    let told = printed(&words);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 5);
    assert!(lines[0].contains("free") && lines[0].contains(" apart"), "{told}");
    assert!(lines[1].contains(": arm - post of ") && lines[1].contains("post.urdf"), "{told}");
    assert!(lines[4].starts_with("4 edges: 3 proved free, 1 collide, 0 undecided; "), "{told}");
}

#[test]
fn margins_and_tolerances_change_the_verdict() {
    let folder = Folder::new();
    let (arm, post) = (folder.write("arm.urdf", ARM), folder.write("post.urdf", POST));
    // The arm's side comes within 0.0399 of the post at its end.
    let rows = folder.write("rows.txt", "# from far away\n1 0\n\n1.51 0\n");
    let words = ["edges", text(&arm), "--rows", text(&rows), "--obstacles", text(&post)];
    let with = |flags: &[&str]| objects(&[&words[..], flags].concat());
    let free = with(&[]);
    assert_eq!(verdicts(&free), ["free"]);
    let clearance = free[0]["clearance_at_least"].as_f64().expect("a distance");
    assert!((0.0..0.04).contains(&clearance), "{clearance}");
    assert_eq!(free[0]["clearance_at_least"], free[1]["totals"]["clearance_at_least"]);
    assert_eq!(verdicts(&with(&["--margin", "0.05"])), ["collides"]);
    let coarse = with(&["--tolerance", "0.1", "--margin", "0.02"]);
    assert!(["free", "undecided"].contains(&verdicts(&coarse)[0]), "{coarse:?}");
    if let Some(slack) = coarse[0]["slack"].as_f64() {
        assert!(slack <= 0.1);
    }
    // A single configuration is an edge of no length.
    let one = folder.write("one.txt", "1.57 0");
    let found = objects(&["edges", text(&arm), "--rows", text(&one), "--obstacles", text(&post)]);
    assert_eq!((found.len(), verdicts(&found)), (2, vec!["collides"]));
    let alone = objects(&["edges", text(&arm), "--rows", text(&one)]);
    assert_eq!(verdicts(&alone), ["free"]);
}

#[test]
fn random_edges_are_those_of_their_seed_and_as_long_as_asked() {
    let folder = Folder::new();
    let file = folder.write("bars.urdf", BARS);
    let words = |flags: &[&'static str]| -> Vec<Value> {
        objects(&[&["edges", text(&file), "--random", "200"][..], flags].concat())
    };
    let (long, short) = (words(&[]), words(&["--length", "0.05"]));
    assert_eq!((long.len(), long[200]["seed"].as_u64()), (201, Some(1)));
    assert!(long != words(&["--seed", "2"]));
    let count = |lines: &[Value], name: &str| lines[200]["totals"][name].as_u64().expect("a count");
    for lines in [&long, &short] {
        let all = ["free", "collides", "undecided"].map(|name| count(lines, name));
        assert_eq!(all.iter().sum::<u64>(), 200);
        assert!(lines[..200].iter().all(|line| line["b"] != "lamp"));
    }
    // Short edges collide as often as single configurations, long ones more often.
    assert!(count(&long, "collides") > count(&short, "collides"));
    let share = objects(&["check", text(&file), "-n", "4000"])[0]["colliding"].as_u64();
    let expected = share.expect("a count") as f64 / 4000.0 * 200.0;
    let short = count(&short, "collides") as f64;
    assert!((short - expected).abs() < 0.5 * expected, "{short} {expected}");
}

#[test]
fn bad_rows_name_their_line_and_column() {
    let folder = Folder::new();
    let arm = folder.write("arm.urdf", ARM);
    for (rows, expected) in [
        ("0 0\n0 x\n", "rows.csv: line 2, column 2: 'x' is not a finite number"),
        ("0,0\n\n0,\n", "rows.csv: line 3, column 2: '' is not a finite number"),
        ("0 0\n0 nan\n", "line 2, column 2: 'nan' is not"),
        ("# all\n0 0 0\n", "line 2: 3 values, 2 expected: turn, light"),
        ("0 0\n0\n", "line 2: 1 values, 2 expected: turn, light"),
        ("0 0\n3.5 0\n", "line 2, column 1: actuator 'turn': the value 3.5 is outside"),
        ("light;turn\n0;0\n0;-4\n", "line 3, column 2: actuator 'turn': the value -4 is outside"),
        ("turn lihgt\n0 0\n", "line 1, column 2: no actuator is called 'lihgt', only 'turn', "),
        ("turn,turn\n", "line 1, column 2: 'turn' is named twice"),
        ("turn\n", "line 1: 1 names, 2 expected: turn, light"),
        ("0 1e300\n", "line 1, column 2: "),
        ("\u{feff}# nothing\n", "rows.csv: it has no configuration"),
        ("", "rows.csv: it has no configuration"),
    ] {
        let file = folder.write("rows.csv", rows);
        let told = refused(1, &["edges", text(&arm), "--rows", text(&file)]);
        assert!(told.contains(expected), "{told}, not {expected}");
    }
    let file = folder.write("rows.csv", b"0 0\n0 \xff\n");
    let told = refused(1, &["edges", text(&arm), "--rows", text(&file)]);
    assert!(told.contains("rows.csv: line 2: it is not UTF-8"), "{told}");
    let told = refused(1, &["edges", text(&arm), "--rows", "nothing.csv"]);
    assert!(told.contains("nothing.csv"), "{told}");
    // Values are equal in either order of the columns.
    let [plain, named] = ["1 0.5\n-1 0.25", "light, turn\n0.5, 1\n0.25, -1\n"].map(|rows| {
        let file = folder.write("rows.csv", rows);
        printed(&["edges", text(&arm), "--rows", text(&file)])
    });
    assert_eq!(plain, named);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = Folder::new();
    let arm = folder.write("arm.urdf", ARM);
    let (arm, character) = (text(&arm), baked_fighter());
    for words in [
        &["edges", text(&character)][..],
        &["edges", arm, "--rows", "x", "--random", "5"],
        &["edges", arm, "--rows", "x", "--length", "1"],
        &["edges", arm, "--tolerance", "0"],
        &["edges", arm, "--margin", "-1"],
        &["edges", arm, "--length", "-1"],
        &["edges", "-", "--rows", "-"],
    ] {
        refused(2, words);
    }
    for file in ["nothing.urdf", "nothing.box"] {
        let told = refused(1, &["edges", file]);
        assert!(told.contains(file), "{told}");
    }
    let told = refused(1, &["edges", arm, "--obstacles", "nothing.stl"]);
    assert!(told.contains("nothing.stl"), "{told}");
    let empty = folder.write("none.obj", "");
    let told = refused(1, &["edges", arm, "--obstacles", text(&empty)]);
    assert!(told.contains("none.obj"), "{told}");
}

#[test]
fn edges_of_the_panda_are_those_of_its_baked_file() {
    let Some(urdf) = data("robots/panda/urdf/panda.urdf") else { return };
    let srdf = data("robots/panda/srdf/panda.srdf").expect("beside it");
    let (folder, flags) = (Folder::new(), ["--random", "40", "--length", "1"]);
    let (urdf, srdf, out) = (text(&urdf), text(&srdf), folder.path("panda.box"));
    printed(&["bake", urdf, "--srdf", srdf, "-o", text(&out)]);
    let told = printed(&[&["edges", urdf, "--srdf", srdf][..], &flags].concat());
    assert_eq!(printed(&[&["edges", text(&out)][..], &flags].concat()), told);
    assert!(told.contains("proved free") && !told.contains(" 0 proved free"), "{told}");
    // Every example of a collision collides by itself.
    for line in objects(&[&["edges", text(&out)][..], &flags].concat()) {
        if line["verdict"] != "collides" {
            continue;
        }
        let values: Vec<String> =
            line["values"].as_array().expect("values").iter().map(Value::to_string).collect();
        let row = folder.write("row.txt", values.join(" "));
        let again = objects(&["edges", text(&out), "--rows", text(&row)]);
        assert_eq!(verdicts(&again), ["collides"]);
    }
}
