//! Files on standard input, by the name `-`.

use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::tool::{
    BARS, Folder, baked_fighter, data, fighter, level, printed, refused, text, tool,
};

/// Runs the tool with bytes on standard input.
fn piped(bytes: &[u8], words: &[&str]) -> Output {
    let mut child = tool()
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    // The tool may refuse the words before it reads.
    let _ = child.stdin.take().expect("a pipe").write_all(bytes);
    child.wait_with_output().expect("an end")
}

fn told(bytes: &[u8], words: &[&str]) -> String {
    let done = piped(bytes, words);
    let errors = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{words:?}: {errors}");
    String::from_utf8(done.stdout).expect("text")
}

#[test]
fn the_contents_decide_how_a_file_is_read() {
    let folder = Folder::new();
    let bars = folder.write("bars.urdf", BARS);
    let robot = folder.path("bars.box");
    printed(&["bake", text(&bars), "-o", text(&robot)]);
    let mjcf = "<?xml version='1.0'?>\n<!-- <robot> --><mujoco><worldbody><body name='arm'><joint/>\
        <geom type='box' size='1 1 1'/></body></worldbody></mujoco>";
    let mesh =
        "# a tetrahedron\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let sheet = "solid sheet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
        vertex 0 1 0\nendloop\nendfacet\nendsolid sheet\n";
    let motion = [
        "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n",
        "End Site\n{\nOFFSET 0 1 0\n}\n}\n",
        "MOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n0 1 0\n",
    ];
    let motion = motion.concat();
    let mut binary = vec![0; 80];
    binary.extend(1_u32.to_le_bytes());
    for number in [0.0_f32, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
        binary.extend(number.to_le_bytes());
    }
    binary.extend([0, 0]);
    let read = |path: std::path::PathBuf| std::fs::read(path).expect("a file");
    let files: [(&str, Vec<u8>); 10] = [
        ("fighter.glb", read(fighter())),
        ("fighter.baked", read(baked_fighter())),
        ("bars.urdf", [b"\xef\xbb\xbf", BARS.as_bytes()].concat()),
        ("bars.box", read(robot)),
        ("arm.xml", mjcf.into()),
        ("tetra.obj", mesh.into()),
        ("sheet.stl", sheet.into()),
        ("binary.stl", binary),
        ("motion.bvh", motion.into()),
        ("level.map", read(level())),
    ];
    for (name, bytes) in &files {
        let file = folder.write(name, bytes);
        let found = |text: &str| -> Value {
            let mut found: Value = serde_json::from_str(text).expect("an object");
            // Parts and clips of meshes and recordings are named after their file, in warnings and in
            // the fingerprint too.
            for field in ["file", "fingerprint", "model_bytes", "clips", "warnings"] {
                found[field] = Value::Null;
            }
            found
        };
        let piped = found(&told(bytes, &["inspect", "-", "--json"]));
        assert_eq!(piped, found(&printed(&["inspect", text(&file), "--json"])), "{name}");
    }
}

#[test]
fn every_command_that_reads_a_file_reads_standard_input() {
    let folder = Folder::new();
    let (bars, out) = (folder.write("bars.urdf", BARS), folder.path("out"));
    let (bars, out) = (text(&bars), text(&out));
    let urdf = BARS.as_bytes();
    let element = r#"<script type="text/plain" id="boxwood-file" data-name=""></script>"#;
    let page = folder.write("viewer.html", element);
    let same = |words: &[&str]| {
        let by_name: Vec<&str> =
            words.iter().map(|word| if *word == "-" { bars } else { word }).collect();
        assert_eq!(told(urdf, words), printed(&by_name), "{words:?}");
    };
    same(&["check", "-", "-n", "100"]);
    same(&["check", "-", "-n", "100", "--write-srdf", out]);
    same(&["matrix", "-", "-n", "50", "-o", out]);
    assert!(std::fs::read_to_string(out).is_ok_and(|srdf| srdf.contains("<robot name=\"bars\">")));
    same(&["edges", "-", "--random", "20"]);
    same(&["bake", "-", "-o", out]);
    assert!(told(urdf, &["diff", "-", bars]).contains("- and ") && !out.is_empty());
    assert!(told(urdf, &["picture", "-", "-o", out]).contains("boxes at depth 3"));
    let viewed = told(urdf, &["view", "-", "--page", text(&page), "-o", out]);
    assert!(viewed.contains("standard_input.box inside"), "{viewed}");
    let map = std::fs::read(level()).expect("the level");
    assert!(told(&map, &["walk", "-", "--frames", "5"]).contains("walk: 5 frames"));
    let baked = std::fs::read(baked_fighter()).expect("a file");
    assert!(told(&baked, &["duel", "-", "--frames", "5", "--clip-a", "kick"]).contains("kick"));
    // Rows, and a mesh beside the current folder.
    let rows = told(b"0 0 0\n1 0 0\n", &["edges", bars, "--rows", "-"]);
    assert!(rows.contains("1 edges: "), "{rows}");
}

#[test]
fn maps_and_json_begin_with_the_same_bracket() {
    let map = told(b"{ \"classname\" \"worldspawn\" }", &["inspect", "-", "--json"]);
    assert!(map.contains("\"kind\":\"level\""), "{map}");
    let done = piped(b"{ \"asset\" : {\"version\":\"2.0\"}}", &["check", "-"]);
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(errors.starts_with("boxwood: standard input: "), "{errors}");
    assert!(!errors.contains("supported"), "{errors}");
}

#[test]
fn contents_of_no_known_type_are_refused() {
    let folder = Folder::new();
    let out = folder.path("out.box");
    for bytes in [&b""[..], b"hello", b"\xff\xfe\x00", b"<svg/>", b"<!-- ", b"{", b"glTF", b"solid"]
    {
        for words in [&["inspect", "-"][..], &["check", "-"], &["bake", "-", "-o", text(&out)]] {
            let done = piped(bytes, words);
            let errors = String::from_utf8_lossy(&done.stderr).into_owned();
            assert_eq!(done.status.code(), Some(1), "{bytes:?} {words:?}: {errors}");
            assert!(errors.contains("standard input: ") && errors.lines().count() == 1, "{errors}");
        }
    }
    let done = piped(b"hello", &["inspect", "-"]);
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(
        errors.contains(".urdf") && errors.contains(".box") && errors.contains(".map"),
        "{errors}"
    );
    let broken = piped(&BARS.as_bytes()[..BARS.len() / 2], &["inspect", "-"]);
    let errors = String::from_utf8_lossy(&broken.stderr).into_owned();
    assert!(
        errors.starts_with("boxwood: standard input: ") && !errors.contains("memory"),
        "{errors}"
    );
    let told = refused(1, &["matrix", "-"]);
    assert!(told.contains("standard input: it is empty; supported are .urdf, "), "{told}");
}

#[test]
fn a_robot_on_standard_input_finds_its_meshes_from_the_current_folder() {
    let Some(urdf) = data("bugs/bare_name.urdf") else { return };
    let mut child = tool()
        .current_dir(urdf.parent().expect("a folder"))
        .args(["inspect", "-", "--json"])
        .stdin(std::fs::File::open(&urdf).expect("the file"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut out = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().expect("a pipe"), &mut out)
        .expect("text");
    assert!(child.wait().expect("an end").success());
    let found: Value = serde_json::from_str(&out).expect("an object");
    assert_eq!(found["triangles"], 12);
}
