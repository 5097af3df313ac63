//! The page about the tool: it names every field of every answer, and only existing commands.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::tool::{BARS, Folder, baked_fighter, fighter, level, objects, repository, text};

/// Collects the names of all fields.
fn fields(of: &Value, found: &mut BTreeSet<String>) {
    match of {
        Value::Object(object) => {
            for (name, value) in object {
                found.insert(name.clone());
                fields(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| fields(value, found)),
        _ => {}
    }
}

#[test]
fn the_page_names_every_field() {
    let page = std::fs::read_to_string(repository("docs/cli.md")).expect("the page");
    let page = page.split("## JSON").nth(1).expect("the chapter about fields");
    let folder = Folder::new();
    let (bars, out) = (folder.write("bars.urdf", BARS), folder.path("bars.baked"));
    let element = r#"<script type="text/plain" id="boxwood-file" data-name=""></script>"#;
    let (viewer, html) = (folder.write("viewer.html", element), folder.path("out.html"));
    let (fighter, level, bars) = (fighter(), level(), text(&bars));
    let baked = baked_fighter();
    let srdf = folder.path("bars.srdf");
    let drawn = folder.path("out.svg");
    let commands: [&[&str]; 12] = [
        &["inspect", "--skin", text(&fighter), text(&level), bars],
        &["check", bars, "-n", "50"],
        &["check", bars, "-n", "5", "--dial"],
        &["check", bars, "-n", "5", "--write-srdf", text(&srdf)],
        &["matrix", bars, "-n", "50"],
        &["edges", bars, "--random", "20"],
        &["diff", bars, bars],
        &["picture", bars, "-o", text(&drawn)],
        &["bake", bars, "-o", text(&out)],
        &["view", text(&fighter), "--page", text(&viewer), "-o", text(&html)],
        &["duel", text(&baked), "--clip-a", "kick", "--frames", "60"],
        &["walk", text(&level), "--frames", "2"],
    ];
    let mut all = BTreeSet::new();
    for words in commands {
        let mut found = BTreeSet::new();
        objects(words).iter().for_each(|object| fields(object, &mut found));
        for name in &found {
            assert!(page.contains(&format!("`{name}`")), "{}: {name} is not on the page", words[0]);
        }
        all.extend(found);
    }
    assert!(all.len() > 60 && all.contains("half_extents") && all.contains("push"), "{all:?}");
}
