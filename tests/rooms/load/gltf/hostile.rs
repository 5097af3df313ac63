//! Hostile glTF bytes: every answer is a model or an error.

use boxwood::Error;
use serde_json::{Value, json};

use super::{bare_f32, skinned, trouble_in};
use support::folder::Folder;
use support::small_gltf::{SHORT, Small, Track};

#[test]
fn every_truncation_is_an_error() {
    let glb = skinned().glb();
    for length in 0..glb.len() {
        trouble_in(&glb[..length]);
    }
}

#[test]
fn broken_bytes_never_panic() {
    let folder = Folder::new();
    let (mut read, mut refused) = (0, 0);
    let original = skinned().glb();
    for place in 0..original.len() {
        for byte in [if place % 2 == 0 { b'9' } else { 0xff }, original[place] ^ 1] {
            let mut glb = original.clone();
            glb[place] = byte;
            match bare_f32(folder.write("broken.glb", glb)) {
                Ok(_) => read += 1,
                Err(Error::File { .. }) => refused += 1,
                Err(other) => panic!("{other:?}"),
            }
        }
    }
    assert!(read > 0 && refused > 0);
}

/// Builds a file with a skin, a clip and a sparse accessor: every kind of data that is read.
fn rich() -> Small {
    let mut small = skinned();
    let times = small.floats("SCALAR", 1, &[0.0, 1.0]);
    let turns = small.floats("VEC4", 4, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8]);
    let scales = small.floats("VEC3", 3, &[1.0, 1.0, 1.0, 2.0, 1.0, 1.0]);
    let turn = Track { node: 1, path: "rotation", times, values: turns, how: "LINEAR" };
    let scale = Track { node: 2, path: "scale", times, values: scales, how: "STEP" };
    small.clip("go", &[turn, scale]);
    let (places, values) = (small.view(&[0, 2]), small.view(&[0; 24]));
    let sparse = small.raw_accessor(&format!(
        r#"{{"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[0,0,0],"sparse":{{"count":2,"indices":{{"bufferView":{places},"componentType":5121}},"values":{{"bufferView":{values}}}}}}}"#
    ));
    let indices = small.accessor(SHORT, "SCALAR", 3, &[0, 0, 1, 0, 2, 0], "");
    small.meshes += &format!(
        r#",{{"primitives":[{{"indices":{indices},"attributes":{{"POSITION":{sparse}}},"targets":[{{"POSITION":0}}],"mode":4}}]}}"#
    );
    small.nodes += r#",{"mesh":1,"matrix":[1,0,0,0,0.5,1,0,0,0,0,1,0,0,0,0,1]}"#;
    small.roots += ",3";
    small.more =
        r#""cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":1}}],"#.to_owned();
    small
}

/// Returns every change of one value of the document, including its removal.
fn changes(value: &Value) -> Vec<Value> {
    let others = [
        json!(-1),
        json!(0),
        json!(1),
        json!(7),
        json!(99),
        json!(4_294_967_295_u64),
        json!(u64::MAX),
        json!(1e39),
        json!(-1e308),
        json!(0.5),
        json!("POSITION"),
        json!("x"),
        json!(null),
        json!(true),
        json!([]),
        json!({}),
        json!([0, 0]),
        json!([[[]]]),
        json!({ "a": 1 }),
    ];
    let mut found: Vec<Value> = others.into_iter().filter(|other| other != value).collect();
    match value {
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                let with = |new: Option<Value>| {
                    let mut items = items.clone();
                    match new {
                        Some(new) => items[i] = new,
                        None => drop(items.remove(i)),
                    }
                    Value::Array(items)
                };
                found.push(with(None));
                found.extend(changes(item).into_iter().map(|new| with(Some(new))));
            }
            let twice = items.iter().chain(items).cloned().collect();
            found.push(Value::Array(twice));
        }
        Value::Object(members) => {
            for (name, member) in members {
                let with = |new: Option<Value>| {
                    let mut members = members.clone();
                    match new {
                        Some(new) => drop(members.insert(name.clone(), new)),
                        None => drop(members.remove(name)),
                    }
                    Value::Object(members)
                };
                found.push(with(None));
                found.extend(changes(member).into_iter().map(|new| with(Some(new))));
            }
        }
        _ => {}
    }
    found
}

#[test]
fn no_changed_value_of_the_document_panics() {
    let small = rich();
    super::read(&small).expect("good as it is");
    let folder = Folder::new();
    folder.write("b.bin", &small.bytes);
    let document: Value = serde_json::from_str(&small.json(Some("b.bin"))).expect("JSON");
    let (mut read, mut refused) = (0, 0);
    for changed in changes(&document) {
        match bare_f32(folder.write("changed.gltf", changed.to_string())) {
            Ok(_) => read += 1,
            Err(Error::File { trouble, .. }) => {
                assert!(!trouble.is_empty() && !trouble.contains('\n'), "{trouble}");
                refused += 1;
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    eprintln!("{read} documents read, {refused} refused");
    assert!(read > 300 && refused > 1000);
}
