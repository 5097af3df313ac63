//! Unknown elements, attributes and properties: at any depth of any format each gives a warning
//! that names it and its position; harmless ones are listed.

use boxwood::load::{ElementClass, FileElement, Robot, Warning, elements};
use boxwood::{Error, Loader};
use serde_json::Value;

use super::samples;
use super::urdf::small::{self, OBJ};
use support::folder::Folder;
use support::small_gltf::base64;

const STRANGE: &str = "unheard_of";

/// Tag of a text: its name, the byte after the name, and the byte of its end, `>` or `/>`.
struct Tag<'a> {
    name: &'a str,
    after_name: usize,
    end: usize,
    empty: bool,
}

/// Returns the opening tags of an XML text.
fn opening_tags(text: &str) -> Vec<Tag<'_>> {
    let starts = text.match_indices('<').map(|(at, _)| at + 1);
    let opening = starts.filter(|&at| text[at..].starts_with(|c: char| c.is_ascii_alphabetic()));
    let tag = |at: usize| {
        let length = text[at..].find(|c: char| c.is_whitespace() || "/>".contains(c));
        let after_name = at + length.expect("the end of a name");
        let close = after_name + text[after_name..].find('>').expect("the end of a tag");
        let empty = text[..close].ends_with('/');
        Tag { name: &text[at..after_name], after_name, end: close - usize::from(empty), empty }
    };
    opening.map(tag).collect()
}

/// Returns the text with an unknown element inside the tag.
fn with_element(text: &str, tag: &Tag<'_>) -> String {
    let (before, after) = text.split_at(tag.end);
    match tag.empty {
        true => format!("{before}><{STRANGE}/></{}>{}", tag.name, &after[2..]),
        false => format!("{before}><{STRANGE}/>{}", &after[1..]),
    }
}

/// Returns the text with an unknown attribute in the tag.
fn with_attribute(text: &str, tag: &Tag<'_>) -> String {
    let (before, after) = text.split_at(tag.after_name);
    format!("{before} {STRANGE}='1'{after}")
}

/// Unknown element: the element that contains it, its name, its number.
type Found<'a> = (&'a str, &'a str, usize);

/// Returns the unknown elements of the warnings.
fn unknown(warnings: &[Warning]) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    for warning in warnings {
        if let Warning::Unknown { parent, name, count, .. } = warning {
            found.push((parent.as_str(), name.as_str(), *count));
        }
    }
    found
}

/// Injects an unknown element and an unknown attribute into every tag of a text, except inside the
/// harmless elements, whose content is not read.
fn every_level(text: &str, harmless: &[&str], load: impl Fn(&str) -> Result<Vec<Warning>, Error>) {
    assert_eq!(unknown(&load(text).expect("a good file")), [], "{text}");
    let mut injected = 0;
    for tag in opening_tags(text) {
        let place = format!("<{}>", tag.name);
        let element = format!("<{STRANGE}>");
        for (changed, name) in
            [(with_element(text, &tag), element.as_str()), (with_attribute(text, &tag), STRANGE)]
        {
            injected += 1;
            let warnings = match load(&changed) {
                Ok(warnings) => warnings,
                // Refused by name where any element would be geometry.
                Err(error) => {
                    assert!(error.to_string().contains(STRANGE), "{error}: {changed}");
                    continue;
                }
            };
            let expected: &[_] = match harmless.contains(&tag.name) {
                true => &[],
                false => &[(place.as_str(), name, 1)],
            };
            assert_eq!(unknown(&warnings), expected, "{changed}");
        }
    }
    assert!(injected > 10);
}

const URDF: &str = "<robot name='r'><material name='red'><color rgba='1 0 0 1'/></material>\
    <link name='a'><inertial><mass value='1'/></inertial><visual><geometry><box size='1 1 1'/></geometry></visual>\
    <collision name='c'><origin xyz='0 0 0' rpy='0 0 0'/><geometry><box size='1 1 1'/></geometry></collision>\
    <collision><geometry><cylinder radius='1' length='1'/></geometry></collision>\
    <collision><geometry><capsule radius='1' length='1'/></geometry></collision>\
    <collision><geometry><sphere radius='1'/></geometry></collision></link>\
    <link name='b'><collision><geometry><mesh filename='mesh.obj' scale='1 1 1'/></geometry></collision></link>\
    <link name='d'/>\
    <joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>\
    <limit lower='-1' upper='1' effort='1' velocity='1'/><dynamics damping='1'/></joint>\
    <joint name='k' type='continuous'><parent link='b'/><child link='d'/><mimic joint='j'/></joint>\
    <gazebo reference='a'><collision><surface/></collision></gazebo></robot>";

const URDF_HARMLESS: [&str; 9] =
    ["material", "color", "inertial", "mass", "gazebo", "surface", "dynamics", "inertia", "extra"];

#[test]
fn unknown_elements_of_urdf_are_reported() {
    let folder = Folder::new();
    folder.write("mesh.obj", OBJ.as_bytes());
    let loader: Loader<'_> = Loader::new().folder(folder.path(""));
    let load = |text: &str| loader.urdf_bytes(text.as_bytes()).map(|robot| robot.warnings);
    let warnings = |text: &str| load(text).expect("a robot");
    // The collision inside <gazebo> is harmless with it; that of a link is not.
    let (simulated, own) =
        (URDF.find("<gazebo").expect("it"), URDF.rfind("<collision>").expect("it"));
    assert!(simulated < own);
    let plain = format!("{}</robot>", &URDF[..simulated]);
    every_level(&plain, &URDF_HARMLESS, load);
    assert_eq!(unknown(&warnings(URDF)), []);
    // Two of a kind give one warning.
    let twice = plain.replace("<link ", "<link colour='1' ");
    assert_eq!(unknown(&warnings(&twice)), [("<link>", "colour", 3)]);
}

#[test]
fn geometry_and_joints_in_harmless_elements_are_reported() {
    let load = |inside: &str| {
        let text = URDF.replace("<surface/>", inside).replace(
            "<link name='b'><collision><geometry><mesh filename='mesh.obj' scale='1 1 1'/></geometry></collision></link>",
            "<link name='b'/>",
        );
        Loader::new().urdf_bytes(text.as_bytes()).expect("a robot").warnings
    };
    let cases: [(&str, &[Found<'_>]); 4] = [
        ("<surface><friction/></surface>", &[]),
        ("<joint name='j'/>", &[]),
        ("<geometry><box/></geometry>", &[("<gazebo>", "<geometry>", 1)]),
        ("<joint type='ball'/><joint type='ball'/>", &[("<gazebo>", "<joint>", 2)]),
    ];
    for (inside, expected) in cases {
        assert_eq!(unknown(&load(inside)), expected, "{inside}");
    }
}

#[test]
fn unknown_elements_of_srdf_are_reported() {
    let robot = samples::robot();
    let load = |srdf: &str| {
        let loader: Loader<'_> = Loader::new().srdf_bytes(srdf.as_bytes());
        loader.urdf_bytes(robot.as_bytes()).map(|robot| robot.warnings)
    };
    let srdf = "<robot name='r'><group name='arm'><chain base_link='a' tip_link='b'/></group>\
        <disable_collisions link1='a' link2='b' reason='Adjacent'/>\
        <disable_default_collisions link='a'/><enable_collisions link1='a' link2='b'/>\
        <virtual_joint name='v' type='fixed'/><passive_joint name='p'/></robot>";
    every_level(srdf, &["group", "chain", "virtual_joint", "passive_joint"], load);
}

#[test]
fn unknown_elements_of_mjcf_are_reported() {
    let text = "<mujoco model='m'><compiler angle='radian' autolimits='true'/><option timestep='1'/>\
        <default><geom contype='1'/><default class='d'><joint range='-1 1'/><mesh scale='1 1 1'/></default></default>\
        <asset><mesh name='t' vertex='0 0 0  1 0 0  0 1 0  0 0 1'/><material name='red'/></asset>\
        <worldbody><light pos='0 0 3'/><body name='a' pos='0 0 1'><freejoint/><inertial pos='0 0 0' mass='1'/>\
        <geom type='box' size='1 1 1' rgba='1 0 0 1'/><geom type='mesh' mesh='t'/>\
        <body name='b'><joint name='j' axis='0 0 1'/><geom size='1'/><site name='s'/>\
        <frame pos='0 0 1'><body name='c'><joint name='k'/><geom size='1'/></body></frame></body></body></worldbody>\
        <contact><exclude body1='a' body2='c'/></contact><equality><joint joint1='j' joint2='k'/></equality>\
        <actuator><motor joint='j'/></actuator><sensor><jointpos joint='j'/></sensor></mujoco>";
    let load = |text: &str| {
        let robot: Robot<f32> = Loader::new().mjcf_bytes(text.as_bytes())?;
        Ok(robot.warnings)
    };
    let harmless =
        ["material", "light", "inertial", "site", "actuator", "motor", "sensor", "jointpos"];
    every_level(text, &harmless, load);
}

#[test]
fn unknown_elements_of_dae_are_reported() {
    let folder = Folder::new();
    let robot = small::robot(&small::link("a", &small::collision("", "<mesh filename='a.dae'/>")));
    let loader: Loader<'_> = Loader::new().folder(folder.path(""));
    let load = |text: &str| {
        folder.write("a.dae", text.as_bytes());
        loader.urdf_bytes(robot.as_bytes()).map(|robot| robot.warnings)
    };
    let text = "<COLLADA version='1.4.1'><asset><unit meter='1'/><up_axis>Z_UP</up_axis><created/></asset>\
        <library_effects><effect id='e'/></library_effects>\
        <library_geometries><geometry id='g'><mesh>\
        <source id='s'><float_array id='f' count='12'>0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>\
        <accessor source='#f' count='4' stride='3'><param name='X'/></accessor></technique_common></source>\
        <vertices id='v'><input semantic='POSITION' source='#s'/></vertices>\
        <triangles count='4'><input semantic='VERTEX' source='#v' offset='0'/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>\
        </mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='w'><node id='n'>\
        <translate>0 0 1</translate><instance_geometry url='#g'/></node></visual_scene></library_visual_scenes>\
        <scene><instance_visual_scene url='#w'/></scene></COLLADA>";
    every_level(text, &["created", "library_effects", "effect", "param"], load);
    // The warning names the file that contains it.
    let warnings = load(&text.replace("<mesh>", "<mesh><brush/>")).expect("a robot");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let said = warnings[0].to_string();
    assert_eq!(said, "DAE 'a.dae': <brush> in <mesh> is unknown and is left out");
}

/// Collects the paths of all objects of a value, except those inside `extras`.
fn objects(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            found.push(path.to_owned());
            let read = map.iter().filter(|(key, _)| *key != "extras");
            read.for_each(|(key, inner)| objects(inner, &format!("{path}/{key}"), found));
        }
        Value::Array(list) => {
            let inner = list.iter().enumerate();
            inner.for_each(|(index, inner)| objects(inner, &format!("{path}/{index}"), found));
        }
        _ => {}
    }
}

#[test]
fn unknown_properties_of_gltf_are_reported() {
    let character = samples::character();
    let uri = format!("data:application/octet-stream;base64,{}", base64(&character.bytes));
    let json: Value = serde_json::from_str(&character.json(Some(&uri))).expect("JSON");
    let mut places = Vec::new();
    objects(&json, "", &mut places);
    assert!(places.len() > 12, "{places:?}");
    for place in places {
        let mut changed = json.clone();
        let object = changed.pointer_mut(&place).and_then(Value::as_object_mut).expect("an object");
        object.insert(STRANGE.to_owned(), Value::from(0));
        if !place.ends_with("/attributes") {
            object.insert("extras".to_owned(), serde_json::json!({ STRANGE: { "a": [1, 2] } }));
        }
        let loaded = Loader::new().gltf_bytes(changed.to_string().as_bytes());
        let warnings = loaded.expect("a character").warnings;
        let found = unknown(&warnings);
        assert_eq!(found.len(), 1, "{place}: {warnings:?}");
        assert_eq!((found[0].1, found[0].2), (STRANGE, 1), "{place}");
    }
}

#[test]
fn the_list_of_elements_includes_harmless_ones() {
    let folder = Folder::new();
    let path = folder.write("robot.urdf", URDF.replace("<link ", "<link colour='1' ").as_bytes());
    let found = elements(&path).expect("a robot");
    let of = |name: &str| -> Vec<&FileElement> {
        found.iter().filter(|element| element.name == name).collect()
    };
    assert_eq!((of("<link>")[0].class, of("<link>")[0].count), (ElementClass::Used, 3));
    assert_eq!(of("<inertial>")[0].class, ElementClass::Harmless);
    assert_eq!((of("colour")[0].class, of("colour")[0].count), (ElementClass::Unknown, 3));
    assert_eq!(of("<mass>").len(), 0, "harmless elements are listed as a whole");
    assert!(elements(folder.write("robot.txt", b"<robot/>")).is_err());
    assert!(elements(folder.path("missing.urdf")).is_err());
}
