//! Tests of `view`: the file in the page, and invalid pages.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::tool::{BARS, Folder, fighter, objects, printed, refused, repository, text};

const ELEMENT: &str = r#"<script type="text/plain" id="boxwood-file" data-name=""></script>"#;

/// A page whose other text a careless replacement would change.
fn stub() -> String {
    let (head, script) = ("<!doctype html>", "<script>let name = 'boxwood-file';</script>");
    format!("{head}\n<p>$1 \\0 &amp; {{}}</p>\n{ELEMENT}\n{script}\n")
}

/// Name and content of the filled element.
fn filled(page: &str) -> (&str, Vec<u8>) {
    let rest = page.split(r#"id="boxwood-file" data-name=""#).nth(1).expect("an element");
    let (name, rest) = rest.split_once(r#"">"#).expect("a name");
    let content = rest.split_once("</script>").expect("an end").0;
    (name, STANDARD.decode(content).expect("base64"))
}

#[test]
fn the_page_holds_the_bytes_of_the_file_and_nothing_else_changes() {
    let folder = Folder::new();
    let (page, out) = (folder.write("viewer.html", stub()), folder.path("out.html"));
    let words =
        ["view", text(&fighter()), "--page", text(&page), "-o", text(&out)].map(str::to_owned);
    let found = objects(&words);
    let written = std::fs::read_to_string(&out).expect("a page");
    let (name, content) = filled(&written);
    assert_eq!(name, "fighter.glb");
    assert!(content == std::fs::read(fighter()).expect("a file"));
    let inside = format!(
        r#"<script type="text/plain" id="boxwood-file" data-name="fighter.glb">{}</script>"#,
        STANDARD.encode(&content)
    );
    assert!(written.replace(&inside, ELEMENT) == stub());
    assert_eq!(found[0]["bytes"].as_u64(), Some(written.len() as u64));
    let told = printed(&words);
    assert!(told.contains("out.html: ") && told.contains("fighter.glb inside"), "{told}");
}

#[test]
fn a_name_is_escaped() {
    let folder = Folder::new();
    let file = folder.path(r#"a"><b>&'c.glb"#);
    std::fs::copy(fighter(), &file).expect("a copy");
    let (page, out) = (folder.write("viewer.html", stub()), folder.path("out.html"));
    printed(&["view", text(&file), "--page", text(&page), "-o", text(&out)]);
    let written = std::fs::read_to_string(&out).expect("a page");
    assert_eq!(filled(&written).0, "a&quot;>&lt;b>&amp;'c.glb");
}

#[test]
fn what_is_no_page_is_refused_by_name_and_nothing_is_written() {
    let folder = Folder::new();
    let out = folder.path("out.html");
    for (name, page) in [("none.html", String::new()), ("twice.html", format!("{0}\n{0}", stub()))]
    {
        let page = folder.write(name, page);
        let told = refused(1, &["view", text(&fighter()), "--page", text(&page), "-o", text(&out)]);
        assert!(told.contains(name) && told.contains("boxwood-file"), "{told}");
    }
    let page = folder.write("binary.html", [0xff, 0xfe, 0x00]);
    refused(1, &["view", text(&fighter()), "--page", text(&page), "-o", text(&out)]);
    let told = refused(1, &["view", text(&fighter()), "--page", "nothing.html", "-o", text(&out)]);
    assert!(told.contains("nothing.html"), "{told}");
    assert!(!out.exists());
}

/// The file in the page that `view` writes.
fn viewed(folder: &Folder, file: &Path, more: &[&str]) -> (String, Vec<u8>) {
    let (page, out) = (folder.write("viewer.html", stub()), folder.path("out.html"));
    let words = ["view", text(file), "--page", text(&page), "-o", text(&out)];
    printed(&[&words[..], more].concat());
    let written = std::fs::read_to_string(&out).expect("a page");
    let (name, bytes) = filled(&written);
    (name.to_owned(), bytes)
}

#[test]
fn a_robot_is_baked_with_its_meshes() {
    let folder = Folder::new();
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    folder.write("tetra.obj", mesh);
    let link = |name: &str| {
        format!(
            "<link name='{name}'><collision><geometry><mesh filename='package://x/tetra.obj'/>\
             </geometry></collision></link>"
        )
    };
    let joint = "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>\
        <origin xyz='3 0 0'/></joint><joint name='k' type='continuous'><parent link='b'/>\
        <child link='c'/><origin xyz='3 0 0'/></joint>";
    let links = ["a", "b", "c"].map(link).concat();
    let file = folder.write("two.urdf", format!("<robot name='r'>{links}{joint}</robot>"));
    let robot = boxwood::load::urdf(&file).expect("a robot");
    let (name, bytes) = viewed(&folder, &file, &[]);
    assert_eq!(name, "two.box");
    let baked = boxwood::Loader::new().baked_robot_bytes(&bytes).expect("a robot");
    assert_eq!((&baked.model, &baked.mechanism), (&robot.model, &robot.mechanism));
    let srdf = folder.write(
        "two.srdf",
        "<robot name='r'><disable_collisions link1='a' link2='c' reason='Never'/></robot>",
    );
    let (_, bytes) = viewed(&folder, &file, &["--srdf", text(&srdf)]);
    let fewer = boxwood::Loader::new().baked_robot_bytes(&bytes).expect("a robot");
    let [a, c] = ["a", "c"].map(|name| fewer.model.part(name).expect("a link"));
    assert!(fewer.model.ignores(a, c) && !robot.model.ignores(a, c));
    // The baked file itself, and MJCF.
    let file = folder.write("again.baked", &bytes);
    assert!(viewed(&folder, &file, &[]) == ("again.baked".to_owned(), bytes));
    let model = "<mujoco><worldbody><body name='arm'><joint/><geom type='box' size='1 1 1'/>\
        </body></worldbody></mujoco>";
    let (name, bytes) = viewed(&folder, &folder.write("arm.xml", model), &[]);
    assert_eq!(name, "arm.box");
    assert!(boxwood::load::is_baked_robot(&bytes));
}

#[test]
fn levels_and_baked_characters_are_copied_and_meshes_baked() {
    let folder = Folder::new();
    let level = repository("examples/walk_brushes/level.map");
    let (name, bytes) = viewed(&folder, &level, &[]);
    assert!(name == "level.map" && bytes == std::fs::read(level).expect("a file"));
    let baked = boxwood::load::gltf(fighter()).expect("a character").bake().expect("bytes");
    let file = folder.write("fighter.box", &baked);
    assert!(viewed(&folder, &file, &[]) == ("fighter.box".to_owned(), baked));
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let (name, bytes) = viewed(&folder, &folder.write("tetra.obj", mesh), &[]);
    assert_eq!(name, "tetra.box");
    assert!(boxwood::Loader::new().baked_bytes(&bytes).is_ok());
}

#[test]
fn what_the_page_can_not_show_is_refused() {
    let folder = Folder::new();
    let (page, out) = (folder.write("viewer.html", stub()), folder.path("out.html"));
    let broken = folder.write("broken.urdf", &BARS[..BARS.len() / 2]);
    let text_file = folder.write("notes.txt", "no");
    let level = folder.write("broken.map", "{ ( 0 0 0 ) ( 1 0");
    let damaged = folder.write("damaged.box", b"boxrobot and nothing else");
    let elsewhere = r#"{"asset":{"version":"2.0"},"buffers":[{"uri":"mesh.bin","byteLength":4}]}"#;
    let elsewhere = folder.write("elsewhere.gltf", elsewhere);
    let empty = folder.write("empty.gltf", r#"{"asset":{"version":"2.0"}}"#);
    for file in [&broken, &text_file, &level, &damaged, &elsewhere, &empty] {
        let told = refused(1, &["view", text(file), "--page", text(&page), "-o", text(&out)]);
        let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
        assert!(told.contains(name), "{told}");
    }
    let told = refused(1, &["view", text(&text_file), "--page", text(&page), "-o", text(&out)]);
    for ending in [".glb", ".gltf", ".urdf", ".xml", ".map", ".box", ".baked", ".obj", ".bvh"] {
        assert!(told.contains(ending), "{told}");
    }
    let fighter = fighter();
    let words = ["view", text(&fighter), "--srdf", "a.srdf", "--page", text(&page)];
    refused(2, &[&words[..], &["-o", text(&out)]].concat());
    for file in [&page, &fighter] {
        refused(2, &["view", text(file), "--page", text(&page), "-o", text(&page)]);
    }
    assert!(std::fs::read_to_string(&page).is_ok_and(|now| now == stub()));
    assert!(!out.exists());
}

#[test]
fn without_a_page_it_uses_the_built_one_or_says_how_to_build_it() {
    let folder = Folder::new();
    let out = folder.path("out.html");
    let words = ["view", text(&fighter()), "-o", text(&out)].map(str::to_owned);
    let inside = Path::new(env!("CARGO_MANIFEST_DIR")).join("viewer.html");
    let built = repository("web/dist/viewer.html");
    if inside.exists() || built.exists() {
        printed(&words);
        let written = std::fs::read_to_string(&out).expect("a page");
        assert!(filled(&written).1 == std::fs::read(fighter()).expect("a file"));
        return;
    }
    let told = refused(1, &words);
    assert!(!out.exists() && told.contains("--page"), "{told}");
    // The command is one of this repository, wherever the program runs.
    let command = told.split('`').nth(1).expect("a command");
    assert!(Path::new(command).ends_with("web/build") && Path::new(command).is_file(), "{told}");
    let page = told.split("which writes ").nth(1).and_then(|rest| rest.split(", and then").next());
    let web = Path::new(command).parent().expect("a folder");
    assert_eq!(page.map(Path::new), Some(&*web.join("dist/viewer.html")));
}
