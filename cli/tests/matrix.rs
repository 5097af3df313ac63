//! Tests of `matrix`: verdicts, the SRDF file that it writes and those that it judges, refusals.

use serde_json::Value;

use crate::tool::{BARS, Folder, baked_fighter, data, objects, printed, refused, run, text};

fn verdicts(found: &Value) -> Vec<(String, String)> {
    let pairs = found["pairs"].as_array().expect("pairs");
    let name = |pair: &Value, name: &str| pair[name].as_str().expect("a name").to_owned();
    let between = |pair: &Value| format!("{} {}", name(pair, "a"), name(pair, "b"));
    pairs.iter().map(|pair| (between(pair), name(pair, "verdict"))).collect()
}

#[test]
fn bars_have_their_verdicts_and_the_file_is_read_again() {
    let folder = Folder::new();
    let (file, out) = (folder.write("bars.urdf", BARS), folder.path("bars.srdf"));
    let words = ["matrix", text(&file), "-n", "200", "-o", text(&out)];
    let found = &objects(&words)[0];
    let expected = [("left right", "sometimes"), ("left lamp", "never"), ("right lamp", "never")];
    let expected = expected.map(|(pair, verdict)| (pair.to_owned(), verdict.to_owned()));
    assert_eq!(verdicts(found), expected);
    let witness = found["pairs"][0]["witness"].as_array().expect("joint values");
    assert_eq!(witness.len(), 3);
    assert_eq!(found["pairs"][0]["least_gap"], Value::Null);
    // Only the bars are tested with the file, as often as without.
    let check = ["check", text(&file), "-n", "200"];
    let without = &objects(&check)[0];
    let with = &objects(&[&check[..], &["--srdf", text(&out)]].concat())[0];
    assert_eq!((&with["pairs_tested"], &without["pairs_tested"]), (&1.into(), &3.into()));
    assert_eq!(with["colliding"], without["colliding"]);
    let told = printed(&words);
    assert!(told.contains("3 pairs: 2 never touch and 0 always"), "{told}");
    assert!(told.contains("bars.srdf: 2 pairs disabled"), "{told}");
    assert_eq!(told, printed(&words));
    // With too few splits nothing is proved, and nothing is disabled.
    let open = &objects(&["matrix", text(&file), "-n", "200", "--splits", "0"])[0];
    assert!(verdicts(open).iter().all(|(_, verdict)| verdict != "always"), "{open}");
}

#[test]
fn baked_robots_have_the_verdicts_of_their_file() {
    let folder = Folder::new();
    let file = folder.write("bars.urdf", BARS);
    let single = folder.path("single.box");
    printed(&["bake", text(&file), "-o", text(&single)]);
    let robot = boxwood::f64::Loader::new().urdf(&file).expect("a robot");
    let double = folder.write("double.box", robot.bake().expect("bytes"));
    let found = |file| verdicts(&objects(&["matrix", text(file), "-n", "200"])[0]);
    let expected = found(&file);
    assert_eq!((found(&single), found(&double)), (expected.clone(), expected));
    let damaged = folder.write("damaged.box", b"boxrobot and nothing else");
    let told = refused(1, &["matrix", text(&damaged)]);
    assert!(told.contains("damaged.box: not a baked robot: "), "{told}");
}

#[test]
fn a_file_that_disables_what_touches_is_warned_of() {
    let folder = Folder::new();
    let file = folder.write("bars.urdf", BARS);
    let srdf = |b: &str| {
        format!(
            "<robot name='bars'><disable_collisions link1='left' link2='{b}' reason='x'/></robot>"
        )
    };
    let (wrong, right) =
        (folder.write("w.srdf", srdf("right")), folder.write("r.srdf", srdf("lamp")));
    let words = |given| ["--json", "matrix", text(&file), "-n", "200", "--srdf", given];
    let done = run(words(text(&wrong)));
    let warned = String::from_utf8_lossy(&done.stderr);
    assert!(warned.contains("w.srdf: left and right are disabled and touch, in "), "{warned}");
    assert!(warned.contains(" of 200 samples: at a "), "{warned}");
    let found: Value = serde_json::from_slice(&done.stdout).expect("an object");
    assert_eq!(found["pairs"][0]["disabled_although_touching"], true);
    let done = run(words(text(&right)));
    assert!(done.stderr.is_empty(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn what_is_no_robot_is_refused() {
    let folder = Folder::new();
    let (file, character) = (folder.write("bars.urdf", BARS), baked_fighter());
    let model = "<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>";
    let (robot, mjcf) = (text(&file), folder.write("ball.xml", model));
    let out = folder.path("out.srdf");
    let told = refused(2, &["matrix", text(&character)]);
    assert!(told.contains(".urdf, .xml (MJCF), or a baked one (.baked, .box)"), "{told}");
    refused(1, &["matrix", text(&folder.path("gone.box"))]);
    for words in [
        &["matrix", text(&character)][..],
        &["matrix", text(&mjcf), "-o", text(&out)],
        &["matrix", text(&mjcf), "--srdf", robot],
        &["matrix", robot, "-o", robot],
        &["matrix", robot, "--margin", "-1"],
        &["matrix", robot, "-n", "many"],
    ] {
        refused(2, words);
    }
    let nowhere = folder.path("no/such/folder.srdf");
    refused(1, &["matrix", robot, "-o", text(&nowhere)]);
    refused(1, &["matrix", text(&folder.path("gone.urdf"))]);
}

#[test]
fn the_pandas_published_file_disables_three_pairs_that_touch() {
    let Some(urdf) = data("robots/panda/urdf/panda.urdf") else { return };
    let srdf = data("robots/panda/srdf/panda.srdf").expect("beside it");
    let found = &objects(&["matrix", text(&urdf), "--srdf", text(&srdf)])[0];
    let all = verdicts(found);
    let count = |verdict: &str| all.iter().filter(|(_, found)| found == verdict).count();
    assert_eq!((all.len(), count("never"), count("undecided")), (55, 25, 0));
    let pairs = found["pairs"].as_array().expect("pairs");
    let wrong = pairs.iter().filter(|pair| pair["disabled_although_touching"] == true).count();
    assert_eq!(wrong, 3);
}
