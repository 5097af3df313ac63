//! The GLB container: JSON, then bytes.
//!
//! Source: Khronos, glTF 2.0 specification, sections 3.6 (alignment and bounds), 3.7.3 (skins),
//! 3.11 (animations), 4 (GLB).

use boxwood::motion::{Clip, Clips, Keys, Skeleton};
use serde_json::{Value, json};

use super::skin::{Skin, fine};

const BYTE: u32 = 5121;
const SHORT: u32 = 5123;
const FLOAT: u32 = 5126;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// Binary chunk, and its views and accessors.
#[derive(Default)]
struct Store {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

/// Layout of an accessor.
struct Layout {
    component: u32,
    kind: &'static str,
    width: usize,
    /// Target of the buffer view, if set.
    target: Option<u32>,
}

const fn floats(kind: &'static str, width: usize) -> Layout {
    Layout { component: FLOAT, kind, width, target: None }
}

impl Store {
    /// Appends an accessor with its own bytes, which begin at a multiple of four; returns its
    /// index.
    fn add(&mut self, layout: &Layout, bytes: &[u8]) -> usize {
        let size = match layout.component {
            BYTE => 1,
            SHORT => 2,
            _ => 4,
        };
        let mut view = json!({
            "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()
        });
        if let Some(target) = layout.target {
            view["target"] = target.into();
        }
        self.views.push(view);
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": layout.component,
            "count": bytes.len() / size / layout.width, "type": layout.kind
        }));
        self.accessors.len() - 1
    }

    fn floats(&mut self, layout: &Layout, numbers: &[f32]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.add(layout, &bytes)
    }

    /// Appends an accessor with the least and largest value of every component.
    fn bounded(&mut self, layout: &Layout, numbers: &[f32]) -> usize {
        let accessor = self.floats(layout, numbers);
        for (name, pick) in [("min", f32::min as fn(f32, f32) -> f32), ("max", f32::max)] {
            let of = |axis: usize| numbers.iter().skip(axis).step_by(layout.width).copied();
            let ends = (0..layout.width).map(|axis| of(axis).reduce(pick).expect("numbers"));
            self.accessors[accessor][name] = ends.collect();
        }
        accessor
    }
}

pub fn glb(skeleton: &Skeleton<f32>, skin: &Skin, clips: &Clips<f32>) -> Vec<u8> {
    let mut store = Store::default();
    let mesh = mesh(&mut store, skin);
    let binds = store.floats(&floats("MAT4", 16), skin.inverse_binds.as_flattened());
    let animations: Vec<Value> = clips.iter().map(|clip| animation(&mut store, clip)).collect();
    let joints: Vec<usize> = (0..skeleton.len()).collect();
    let mut nodes: Vec<Value> = joints.iter().map(|&joint| node(skeleton, joint)).collect();
    // The transform of a skinned mesh's node has no effect.
    nodes.push(json!({ "name": "skin", "mesh": 0, "skin": 0 }));
    let root = json!({
        "asset": { "version": "2.0", "generator": "boxwood make_fighter" },
        "scene": 0, "scenes": [{ "name": "fighter", "nodes": [0, skeleton.len()] }],
        "nodes": nodes, "meshes": [mesh], "animations": animations,
        "skins": [{ "name": "fighter", "joints": joints, "skeleton": 0, "inverseBindMatrices": binds }],
        "materials": [{ "name": "skin", "pbrMetallicRoughness":
            { "baseColorFactor": [0.75, 0.7, 0.65, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8 } }],
        "accessors": store.accessors, "bufferViews": store.views,
        "buffers": [{ "byteLength": store.bytes.len() }]
    });
    container(root.to_string().into_bytes(), &store.bytes)
}

fn mesh(store: &mut Store, skin: &Skin) -> Value {
    let vertices = |layout: Layout| Layout { target: Some(VERTICES), ..layout };
    let four = || vertices(Layout { component: BYTE, ..floats("VEC4", 4) });
    let positions = store.bounded(&vertices(floats("VEC3", 3)), skin.positions.as_flattened());
    let normals = store.floats(&vertices(floats("VEC3", 3)), skin.normals.as_flattened());
    let joints: Vec<u8> = skin.weights.iter().flat_map(|(joints, _)| *joints).collect();
    let weights: Vec<u8> = skin.weights.iter().flat_map(|(_, weights)| *weights).collect();
    let joints = store.add(&four(), &joints);
    let weights = store.add(&four(), &weights);
    store.accessors[weights]["normalized"] = true.into();
    let corners: Vec<u8> =
        skin.triangles.as_flattened().iter().flat_map(|at| at.to_le_bytes()).collect();
    let layout = Layout { component: SHORT, kind: "SCALAR", width: 1, target: Some(INDICES) };
    let corners = store.add(&layout, &corners);
    json!({ "name": "skin", "primitives": [{ "indices": corners, "material": 0, "attributes": {
        "POSITION": positions, "NORMAL": normals, "JOINTS_0": joints, "WEIGHTS_0": weights } }] })
}

fn node(skeleton: &Skeleton<f32>, joint: usize) -> Value {
    let own = &skeleton.joints()[joint];
    let at: [f32; 3] = own.rest.translation.into();
    let mut node = json!({ "name": own.name, "translation": at });
    let children: Vec<usize> = (0..skeleton.len())
        .filter(|&child| skeleton.joints()[child].parent == Some(joint))
        .collect();
    if !children.is_empty() {
        node["children"] = children.into();
    }
    node
}

/// Returns a clip as JSON; all tracks of a clip have the same times.
fn animation(store: &mut Store, clip: &Clip<f32>) -> Value {
    let times = store.bounded(&floats("SCALAR", 1), clip.tracks()[0].times());
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    for track in clip.tracks() {
        let (path, kind, width, numbers): (_, _, _, Vec<f32>) = match track.keys() {
            Keys::Rotation(turns) => (
                "rotation",
                "VEC4",
                4,
                turns.iter().flat_map(|turn| turn.coords.as_slice().to_vec()).collect(),
            ),
            Keys::Translation(shifts) | Keys::Scale(shifts) => (
                "translation",
                "VEC3",
                3,
                shifts.iter().flat_map(|shift| shift.as_slice().to_vec()).collect(),
            ),
        };
        let numbers: Vec<f32> = numbers.into_iter().map(|x| fine(f64::from(x))).collect();
        let values = store.floats(&floats(kind, width), &numbers);
        samplers.push(json!({ "input": times, "output": values, "interpolation": "LINEAR" }));
        channels.push(json!({ "sampler": samplers.len() - 1,
            "target": { "node": track.joint(), "path": path } }));
    }
    json!({ "name": clip.name(), "samplers": samplers, "channels": channels })
}

/// Returns the container: header, JSON padded with blanks, bytes.
fn container(mut json: Vec<u8>, bytes: &[u8]) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    let words = |words: [usize; 2]| words.map(|word| (word as u32).to_le_bytes()).concat();
    let mut file = b"glTF".to_vec();
    file.extend(words([2, 28 + json.len() + bytes.len()]));
    file.extend((json.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(json);
    file.extend((bytes.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(bytes);
    file
}
