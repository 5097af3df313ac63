//! Encodings of XML files: byte order marks, UTF-16, and declared encodings.

use boxwood::load::Loader;

use super::small::{OBJ, collision, link};
use support::folder::Folder;

fn robot(declaration: &str, name: &str) -> String {
    let cube = collision("", "<box size='1 1 1'/>");
    format!("{declaration}<robot name='r'>{}</robot>", link(name, &cube))
}

fn name(bytes: &[u8]) -> Result<String, String> {
    let robot = Loader::<f64>::new().urdf_bytes(bytes).map_err(|error| error.to_string())?;
    Ok(robot.model.parts()[0].name().to_owned())
}

fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect()
}

#[test]
fn robots_are_read_in_the_encoding_of_the_file() {
    let marked = format!("\u{feff}{}", robot("<?xml version='1.0'?>", "caf\u{e9}"));
    assert_eq!(name(marked.as_bytes()).as_deref(), Ok("caf\u{e9}"));
    let wide = robot("<?xml version='1.0' encoding='UTF-16'?>", "caf\u{e9}");
    let units = |order: fn(u16) -> [u8; 2]| {
        std::iter::once(0xfeff).chain(wide.encode_utf16()).flat_map(order).collect::<Vec<u8>>()
    };
    assert_eq!(name(&units(u16::to_le_bytes)).as_deref(), Ok("caf\u{e9}"));
    assert_eq!(name(&units(u16::to_be_bytes)).as_deref(), Ok("caf\u{e9}"));
    for encoding in ["ISO-8859-1", "latin1", "windows-1252"] {
        let declaration = format!("<?xml version='1.0' encoding='{encoding}'?>");
        let text = latin(&robot(&declaration, "caf\u{e9}"));
        assert_eq!(name(&text).as_deref(), Ok("caf\u{e9}"), "{encoding}");
    }
    // Another encoding is declared, but the text is ASCII.
    let ascii = robot("<?xml version='1.0' encoding='US-ASCII'?>", "arm");
    assert_eq!(name(ascii.as_bytes()).as_deref(), Ok("arm"));
}

/// Checks Drake's elements in files that do not declare their prefix.
#[test]
fn elements_of_an_undeclared_prefix_are_warned_of() {
    let cube = collision("", "<box size='1 1 1'/>");
    let group = "<drake:collision_filter_group name='g'><drake:member link='a'/>\
        </drake:collision_filter_group>";
    let text = format!("<robot name='r'>{}{group}</robot>", link("a", &cube));
    let robot = Loader::<f64>::new().urdf_bytes(text.as_bytes()).expect("a robot");
    let warnings: Vec<String> = robot.warnings.iter().map(ToString::to_string).collect();
    let expected = "URDF: <{drake}collision_filter_group> in <robot> is unknown and is left out";
    assert_eq!(warnings, [expected]);
    // An unexpanded macro is refused, declared or not.
    let text = text.replace(group, "<xacro:arm/>");
    assert!(Loader::<f64>::new().urdf_bytes(text.as_bytes()).is_err());
}

/// Checks Drake's attributes in the robots of other tools, which do not declare their prefix.
#[test]
fn attributes_of_an_undeclared_prefix_are_ignored() {
    let cube = collision("", "<box size='1 1 1'/>");
    for body in [
        link("a", &cube).replace("<collision", "<collision drake:a='1' \n sensor:b = '2'"),
        // A longer prefix is declared, this one is not; text is no attribute.
        link("a", &cube)
            .replace("<collision", "<collision xmlns:drakes='d' drakes:a='1' drake:a='2'"),
        format!("{}<!-- a:b c:d=1 --> ", link("a", &cube)),
    ] {
        let text = format!("<robot name='r'>{body}</robot>");
        let robot = Loader::<f64>::new().urdf_bytes(text.as_bytes()).expect("a robot");
        assert_eq!(robot.model.parts()[0].tree().map(|tree| tree.len()), Some(1), "{text}");
    }
}

#[test]
fn other_encodings_are_refused_by_name() {
    let declared = robot("<?xml version='1.0' encoding='Shift_JIS'?>", "caf\u{e9}");
    let said = name(&latin(&declared)).expect_err("refused");
    assert!(said.contains("the encoding 'Shift_JIS' is not supported"), "{said}");
    let undeclared = robot("<?xml version='1.0'?>\n", "caf\u{e9}");
    let said = name(&latin(&undeclared)).expect_err("refused");
    assert!(said.contains("line 2: the text is not UTF-8"), "{said}");
}

#[test]
fn srdf_and_mjcf_files_are_read_in_every_encoding() {
    let cube = collision("", "<box size='1 1 1'/>");
    let links = link("a", &cube) + &link("b", &cube);
    let text = format!(
        "<robot>{links}<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint></robot>"
    );
    let srdf = "<?xml version='1.0' encoding='ISO-8859-1'?><robot><disable_collisions \
        link1='caf\u{e9}' link2='a'/></robot>";
    let found = Loader::<f64>::new().srdf_bytes(latin(srdf)).urdf_bytes(text.as_bytes());
    let warnings = found.expect("a robot").warnings;
    assert!(warnings[0].to_string().contains("caf\u{e9}"), "{warnings:?}");
    let mjcf = "\u{feff}<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>";
    assert!(Loader::<f64>::new().mjcf_bytes(mjcf.as_bytes()).is_ok());
}

#[test]
fn a_bare_file_name_has_the_current_folder() {
    // Bytes with an empty folder: like a file named without its folder.
    let text = format!("<robot>{}</robot>", link("a", &collision("", "<mesh filename='t.obj'/>")));
    let error = Loader::<f64>::new().folder("").urdf_bytes(text.as_bytes()).expect_err("no mesh");
    let here = std::env::current_dir().expect("a folder");
    assert!(error.to_string().contains(&here.display().to_string()), "{error}");
    let folder = Folder::new();
    folder.write("t.obj", OBJ);
    let loader = Loader::<f64>::new().folder(folder.path(""));
    assert!(loader.urdf_bytes(text.as_bytes()).is_ok());
}
