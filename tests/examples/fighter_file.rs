//! The fighter's file: equal to the generator's output today, valid glTF, and a skin that bends
//! smoothly.

use std::collections::{HashMap, HashSet};

use boxwood::Loader;
use boxwood::load::{self};
use boxwood::motion::Joints;
use serde_json::Value;
use support::fighter::{FILE, skeleton};

/// JSON of the file and its bytes.
struct File {
    json: Value,
    bytes: &'static [u8],
}

fn word(at: usize) -> usize {
    u32::from_le_bytes(FILE[at..at + 4].try_into().expect("four bytes")) as usize
}

fn file() -> File {
    let json = word(12);
    assert_eq!((&FILE[..4], word(4), word(8)), (&b"glTF"[..], 2, FILE.len()));
    assert_eq!((&FILE[16..20], &FILE[24 + json..28 + json]), (&b"JSON"[..], &b"BIN\0"[..]));
    assert_eq!((json % 4, word(20 + json)), (0, FILE.len() - 28 - json));
    let bytes = &FILE[28 + json..];
    File { json: serde_json::from_slice(&FILE[20..20 + json]).expect("JSON"), bytes }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn index(value: &Value) -> usize {
    value.as_u64().expect("an index") as usize
}

fn width(accessor: &Value) -> usize {
    match accessor["type"].as_str() {
        Some("SCALAR") => 1,
        Some("VEC3") => 3,
        Some("VEC4") => 4,
        Some("MAT4") => 16,
        other => panic!("{other:?}"),
    }
}

fn size(accessor: &Value) -> usize {
    match accessor["componentType"].as_u64() {
        Some(5121) => 1,
        Some(5123) => 2,
        Some(5126) => 4,
        other => panic!("{other:?}"),
    }
}

impl File {
    /// Returns the numbers of an accessor, element by element, as stored.
    fn numbers(&self, accessor: &Value) -> Vec<Vec<f64>> {
        let accessor = &self.json["accessors"][index(accessor)];
        let view = &self.json["bufferViews"][index(&accessor["bufferView"])];
        let (from, length) = (index(&view["byteOffset"]), index(&view["byteLength"]));
        let (width, size) = (width(accessor), size(accessor));
        assert_eq!((from % 4, length), (0, index(&accessor["count"]) * width * size));
        let number = |bytes: &[u8]| match size {
            1 => f64::from(bytes[0]),
            2 => f64::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            _ => f64::from(f32::from_le_bytes(bytes.try_into().expect("four"))),
        };
        let elements = self.bytes[from..from + length].chunks(width * size);
        elements.map(|element| element.chunks(size).map(number).collect()).collect()
    }

    fn attribute(&self, name: &str) -> Vec<Vec<f64>> {
        self.numbers(&self.json["meshes"][0]["primitives"][0]["attributes"][name])
    }

    fn triangles(&self) -> Vec<[usize; 3]> {
        let corners = self.numbers(&self.json["meshes"][0]["primitives"][0]["indices"]);
        corners.chunks(3).map(|three| [0, 1, 2].map(|at| three[at][0] as usize)).collect()
    }
}

fn length(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[test]
fn the_generator_writes_the_stored_file() {
    // Not `assert_eq!`, which would print both.
    assert!(crate::make::file() == FILE, "run the example make_fighter");
}

#[test]
fn every_accessor_is_inside_the_buffer_and_within_its_bounds() {
    let file = file();
    let accessors = list(&file.json["accessors"]);
    for (at, accessor) in accessors.iter().enumerate() {
        let numbers = file.numbers(&at.into());
        assert!(numbers.iter().flatten().all(|x| x.is_finite()));
        for (name, pick) in [("min", f64::min as fn(f64, f64) -> f64), ("max", f64::max)] {
            for (axis, end) in accessor[name].as_array().into_iter().flatten().enumerate() {
                let found = numbers.iter().map(|element| element[axis]).reduce(pick);
                assert_eq!(found, end.as_f64(), "accessor {at}");
            }
        }
    }
    assert_eq!(index(&file.json["buffers"][0]["byteLength"]), file.bytes.len());
    assert!(FILE.len() < 400_000);
}

#[test]
fn the_skin_is_one_closed_surface_with_unit_normals_that_face_outward() {
    let file = file();
    let (places, normals) = (file.attribute("POSITION"), file.attribute("NORMAL"));
    let triangles = file.triangles();
    assert!(triangles.len() >= 3_000, "{}", triangles.len());
    let mut edges: HashMap<[usize; 2], usize> = HashMap::new();
    let mut volume = 0.0;
    for &[a, b, c] in &triangles {
        for edge in [[a, b], [b, c], [c, a]] {
            *edges.entry(edge).or_default() += 1;
        }
        let [p, q, r] = [a, b, c].map(|at| &places[at]);
        let cross = |i: usize, j: usize| q[i] * r[j] - q[j] * r[i];
        volume += p[0] * cross(1, 2) + p[1] * cross(2, 0) + p[2] * cross(0, 1);
    }
    assert!(edges.iter().all(|([a, b], count)| (*count, edges.get(&[*b, *a])) == (1, Some(&1))));
    // Connected, with the Euler characteristic of a ball: corners - edges + triangles.
    assert_eq!(places.len() + triangles.len() - edges.len() / 2, 2);
    let mut reached = HashSet::from([0]);
    while let Some(more) = edges.keys().find(|[a, b]| reached.contains(a) && !reached.contains(b)) {
        reached.insert(more[1]);
    }
    assert_eq!(reached.len(), places.len());
    // An adult of 60 to 90 litres.
    assert!((0.06..0.09).contains(&(volume / 6.0)), "{}", volume / 6.0);
    assert!(normals.iter().all(|normal| (length(normal) - 1.0).abs() < 1e-5));
}

#[test]
fn the_left_side_mirrors_the_right() {
    let corners = file().attribute("POSITION");
    let known: HashSet<_> = corners.iter().map(|c| [c[0], c[1], c[2]].map(f64::to_bits)).collect();
    let across = |c: &Vec<f64>| [0.0 - c[0], c[1], c[2]].map(f64::to_bits);
    assert!(corners.iter().all(|corner| known.contains(&across(corner))));
}

#[test]
fn weights_sum_to_one_and_joints_blend_where_they_bend() {
    let file = file();
    let (joints, weights) = (file.attribute("JOINTS_0"), file.attribute("WEIGHTS_0"));
    let mut of = vec![(0, 0); skeleton::COUNT];
    for (joints, weights) in joints.iter().zip(&weights) {
        assert_eq!(weights.iter().sum::<f64>(), 255.0);
        let used = joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
        for (joint, weight) in used {
            let (all, blended) = &mut of[*joint as usize];
            *all += 1;
            *blended += usize::from(*weight < 255.0);
        }
    }
    assert!(of.iter().all(|(all, blended)| *all > 20 && *blended > 20), "{of:?}");
    // No corner follows a joint much less than the neighbouring corner.
    let share = |corner: usize, joint: usize| -> f64 {
        let slots = joints[corner].iter().zip(&weights[corner]);
        slots.filter(|(j, _)| **j == joint as f64).map(|(_, w)| w / 255.0).sum()
    };
    let edges = file.triangles().into_iter().flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
    let steepest = edges
        .flat_map(|[a, b]| (0..skeleton::COUNT).map(move |j| (share(a, j) - share(b, j)).abs()))
        .fold(0.0, f64::max);
    println!("weights differ by at most {steepest:.2} along an edge");
    assert!(steepest < 0.75, "{steepest}");
}

#[test]
fn clips_have_rising_times_and_unit_rotations_and_every_joint_one_parent() {
    let file = file();
    for animation in list(&file.json["animations"]) {
        for channel in list(&animation["channels"]) {
            let sampler = &animation["samplers"][index(&channel["sampler"])];
            let (times, values) =
                (file.numbers(&sampler["input"]), file.numbers(&sampler["output"]));
            assert_eq!((times[0][0], times.len()), (0.0, values.len()));
            assert!(times.windows(2).all(|pair| pair[0][0] < pair[1][0]));
            let turns = channel["target"]["path"] == "rotation";
            assert!(values.iter().all(|v| !turns || (length(v) - 1.0).abs() < 1e-5));
        }
    }
    let nodes = list(&file.json["nodes"]);
    let children = nodes.iter().flat_map(|node| node["children"].as_array().into_iter().flatten());
    let mut reached: Vec<usize> = children.map(index).collect();
    reached.extend(list(&file.json["scenes"][0]["nodes"]).iter().map(index));
    reached.sort_unstable();
    assert_eq!(reached, (0..nodes.len()).collect::<Vec<_>>());
    assert_eq!(list(&file.json["skins"][0]["joints"]).len(), skeleton::COUNT);
}

#[test]
fn the_loaded_skeleton_and_clips_equal_those_of_the_code() {
    let loaded = support::fighter::fighter();
    let made = std::sync::Arc::new(skeleton::skeleton());
    for (found, own) in loaded.skeleton.joints().iter().zip(made.joints()) {
        assert_eq!((&found.name, found.parent, found.rest), (&own.name, own.parent, own.rest));
    }
    let clips = support::fighter::clips::clips(&made);
    assert_eq!(loaded.clips.len(), clips.len());
    for own in &clips {
        let found = loaded.clips.get(own.name()).expect("the same names");
        assert!((found.duration() - own.duration()).abs() < 1e-6);
        for step in 0..50 {
            let t = own.duration() * step as f32 / 50.0;
            let (mut a, mut b) = (Joints::new(), Joints::new());
            let pairs = found.sample(t, &mut a).expect("a time").iter();
            for (a, b) in pairs.zip(own.sample(t, &mut b).expect("a time")) {
                assert!((a.translation.vector - b.translation.vector).norm() < 1e-4);
                assert!(a.rotation.angle_to(&b.rotation) < 2e-3);
            }
        }
    }
}

#[test]
fn bytes_load_like_the_file() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fighter/fighter.glb");
    let file = load::gltf(folder).expect("a character");
    assert_eq!(file.model.fingerprint(), support::fighter::fighter().model.fingerprint());
    let wide = Loader::new().gltf_bytes(FILE).expect("a character");
    assert_eq!(wide.model.len(), file.model.len());
}
