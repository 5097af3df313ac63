//! Tests of `check --write-srdf`: the file has its reasons, and loads again.

use std::fs;

use serde_json::Value;

use crate::tool::{BARS, Folder, baked_fighter, data, objects, printed, refused, text};

/// A post with a fixed cap, an arm and a ring that rotate inside the post, and a lamp that circles
/// far out. The ring's name contains every character that XML takes for markup.
const POST: &str = r#"<robot name="post &amp; lamp">
  <link name="post"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="cap"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="arm"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="ring &lt;1&gt; &amp; &quot;it's&#9;&quot;"><collision><geometry>
    <box size="1 1 1"/></geometry></collision></link>
  <link name="lamp"><collision><origin xyz="9 0 0"/>
    <geometry><box size="1 1 1"/></geometry></collision></link>
  <joint name="weld" type="fixed"><parent link="post"/><child link="cap"/>
    <origin xyz="0 0 20"/></joint>
  <joint name="a" type="continuous"><parent link="post"/><child link="arm"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="b" type="continuous"><parent link="arm"/>
    <child link="ring &lt;1&gt; &amp; &quot;it's&#9;&quot;"/><axis xyz="0 0 1"/></joint>
  <joint name="c" type="continuous"><parent link="ring &lt;1&gt; &amp; &quot;it's&#9;&quot;"/>
    <child link="lamp"/><axis xyz="0 0 1"/></joint>
</robot>
"#;
const RING: &str = "ring <1> & \"it's\t\"";

fn count(found: &Value, name: &str) -> u64 {
    found[name].as_u64().unwrap_or_else(|| panic!("{name} in {found}"))
}

#[test]
fn adjacent_and_always_are_written_and_never_is_not() {
    let folder = Folder::new();
    let (file, out) = (folder.write("post.urdf", POST), folder.path("post.srdf"));
    let base = ["check", text(&file), "-n", "200", "--write-srdf", text(&out)];
    let found = &objects(&base)[0];
    let srdf = &found["srdf"];
    assert_eq!((count(found, "pairs_tested"), count(found, "colliding")), (5, 200));
    assert_eq!((count(srdf, "adjacent"), count(srdf, "always")), (5, 1));
    assert_eq!((count(srdf, "given"), count(srdf, "enabled")), (0, 0));
    let never = srdf["never"].as_array().expect("pairs");
    let never: Vec<_> = never.iter().map(|pair| (pair["a"].clone(), pair["b"].clone())).collect();
    let pair = |a: &str, b: &str| (Value::from(a), Value::from(b));
    let expected =
        [pair("post", "lamp"), pair("cap", RING), pair("cap", "lamp"), pair("arm", "lamp")];
    assert_eq!(never.len(), 4);
    assert!(expected.iter().all(|pair| never.contains(pair)), "{never:?}");
    // The file is XML, has the robot's name, and the reasons.
    let written = fs::read_to_string(&out).expect("the file");
    let document = roxmltree::Document::parse(&written).expect("XML");
    let root = document.root_element();
    assert_eq!(root.attribute("name"), Some("post & lamp"));
    let disabled: Vec<_> =
        root.children().filter(|node| node.has_tag_name("disable_collisions")).collect();
    assert_eq!(disabled.len(), 6);
    let always: Vec<_> = disabled
        .iter()
        .filter(|node| node.attribute("reason") != Some("Adjacent"))
        .map(|node| ["link1", "link2", "reason"].map(|name| node.attribute(name)))
        .collect();
    assert_eq!(always, [[Some("post"), Some(RING), Some("Always (200 samples)")]]);
    // With the file no pair touches any more, and pairs that touched in no sample are tested.
    let again = &objects(&["check", text(&file), "-n", "200", "--srdf", text(&out)])[0];
    assert_eq!((count(again, "pairs_tested"), count(again, "colliding")), (4, 0));
    assert!(again["srdf"].is_null());
}

#[test]
fn an_srdf_file_that_is_given_is_kept() {
    let folder = Folder::new();
    let file = folder.write("post.urdf", POST);
    let given = r#"<robot name="post &amp; lamp">
        <enable_collisions link1="post" link2="arm"/><enable_collisions link1="cap" link2="arm"/>
        <disable_collisions link1="cap" link2="lamp" reason="Never"/></robot>"#;
    let (given, out) = (folder.write("given.srdf", given), folder.path("out.srdf"));
    let base = ["check", text(&file), "-n", "50", "--srdf"];
    let words = [&base[..], &[text(&given), "--write-srdf", text(&out)]].concat();
    let found = &objects(&words)[0];
    let srdf = &found["srdf"];
    // Post and arm touch always; cap and arm never, and stay enabled.
    assert_eq!(count(found, "pairs_tested"), 6);
    assert_eq!(["adjacent", "given", "enabled", "always"].map(|n| count(srdf, n)), [3, 1, 1, 2]);
    let again = &objects(&[&base[..], &[text(&out)]].concat())[0];
    assert_eq!((count(again, "pairs_tested"), count(again, "colliding")), (4, 0));
}

#[test]
fn the_text_lists_pairs_that_were_never_seen_to_touch() {
    let folder = Folder::new();
    let (file, out) = (folder.write("bars.urdf", BARS), folder.path("bars--x.srdf"));
    let told = printed(&["check", text(&file), "-n", "300", "--write-srdf", text(&out)]);
    assert!(told.contains("adjacent                        0 pairs"), "{told}");
    assert!(told.contains("2 pairs in 300 samples, no proof: not written"), "{told}");
    assert!(told.contains("  left - lamp\n  right - lamp\n"), "{told}");
    assert!(told.contains("bars--x.srdf: 0 pairs disabled"), "{told}");
}

#[test]
fn words_that_do_not_go_together_are_mistakes_of_usage() {
    let folder = Folder::new();
    let file = folder.write("bars--two.urdf", BARS);
    let model = "<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>";
    let (robot, mjcf) = (text(&file), folder.write("ball.xml", model));
    let (out, character) = (folder.path("out.srdf"), baked_fighter());
    let out = text(&out);
    let srdf = folder.write("given.srdf", "<robot/>");
    for words in [
        &["check", robot, "--write-srdf", out, "--depth", "3"][..],
        &["check", robot, "--write-srdf", out, "--within", "0.1"],
        &["check", robot, "--write-srdf", out, "--margin", "0.1"],
        &["check", robot, "--write-srdf", out, "--dial"],
        &["check", robot, "--write-srdf", out, "-n", "0"],
        &["check", robot, "--write-srdf", robot],
        &["check", robot, "--srdf", text(&srdf), "--write-srdf", text(&srdf)],
        &["check", text(&mjcf), "--write-srdf", out],
        &["check", text(&character), "--write-srdf", out],
    ] {
        refused(2, words);
    }
    let nowhere = folder.path("no/such/folder.srdf");
    let told = refused(1, &["check", robot, "-n", "5", "--write-srdf", text(&nowhere)]);
    assert!(told.contains("folder.srdf"), "{told}");
    // Two dashes in the name of the robot's file do not end the comment.
    printed(&["check", robot, "-n", "5", "--write-srdf", out]);
    printed(&["check", robot, "-n", "5", "--srdf", out]);
}

#[test]
fn what_is_written_for_the_panda_takes_out_what_always_touches() {
    let Some(urdf) = data("robots/panda/urdf/panda.urdf") else { return };
    let folder = Folder::new();
    let out = folder.path("panda.srdf");
    let words = ["check", text(&urdf), "-n", "500"];
    let found = &objects(&[&words[..], &["--write-srdf", text(&out)]].concat())[0];
    let again = &objects(&[&words[..], &["--srdf", text(&out)]].concat())[0];
    let pairs = found["pairs"].as_array().expect("pairs");
    let sometimes: Vec<_> = pairs.iter().filter(|pair| count(pair, "samples") < 500).collect();
    let left: Vec<_> = again["pairs"].as_array().expect("pairs").iter().collect();
    assert_eq!(left, sometimes);
    let always = count(&found["srdf"], "always");
    assert_eq!(count(again, "pairs_tested") + always, count(found, "pairs_tested"));
}
