//! Real characters, read by boxwood and by the `gltf` crate with 4x4 matrices.

use std::collections::HashMap;
use std::path::PathBuf;

use boxwood::load::{self, Loader, Straddling};
use boxwood::motion::{Clip, Joints};
use gltf::animation::Property;
use gltf::animation::util::ReadOutputs;
use nalgebra::Quaternion;

use support::data::data;
use support::folder::Folder;
use support::prelude::*;
use support::skinning::{Character, scene_nodes};
use support::surface::surface;

/// Counts from the README of a file.
struct ReadmeCounts {
    file: &'static str,
    triangles: usize,
    clips: usize,
    /// Joints of its skin.
    joints: usize,
    bounds: [[f64; 3]; 2],
    /// Largest distance between a vertex placed by its dominating joint alone and by all its
    /// joints, as a fraction of the size: rounding only where the rest pose is the bind pose.
    stray: f64,
}

const CHARACTERS: [ReadmeCounts; 7] = [
    ReadmeCounts {
        file: "kaykit-knight/Knight.glb",
        triangles: 6952,
        clips: 76,
        joints: 41,
        bounds: [[-1.303, 0.0, -0.579], [1.387, 2.467, 1.998]],
        stray: 1e-4,
    },
    ReadmeCounts {
        file: "fox/Fox.glb",
        triangles: 576,
        clips: 3,
        joints: 24,
        bounds: [[-12.593, -0.122, -88.095], [12.593, 78.907, 66.625]],
        stray: 1e-4,
    },
    ReadmeCounts {
        file: "cesium-man/CesiumMan.glb",
        triangles: 4672,
        clips: 1,
        joints: 19,
        bounds: [[-0.131, 0.0, -0.569], [0.181, 1.507, 0.569]],
        stray: 1e-4,
    },
    ReadmeCounts {
        file: "robot-expressive/robot.glb",
        triangles: 3238,
        clips: 14,
        joints: 43,
        bounds: [[-3.312, -0.02, -1.308], [3.309, 4.539, 1.308]],
        stray: 1e-4,
    },
    ReadmeCounts {
        file: "quaternius-spider/Spider.glb",
        triangles: 2712,
        clips: 5,
        joints: 39,
        bounds: [[-2.959, 0.0, -2.354], [2.952, 2.002, 2.725]],
        stray: 0.02, // the rest pose is not the bind pose
    },
    ReadmeCounts {
        file: "quaternius-snake/Snake.glb",
        triangles: 1618,
        clips: 4,
        joints: 15,
        bounds: [[-0.553, -0.003, -1.046], [0.5, 3.178, 1.683]],
        stray: 0.02, // the rest pose is not the bind pose
    },
    ReadmeCounts {
        file: "rigged-simple/RiggedSimple.glb",
        triangles: 188,
        clips: 1,
        joints: 2,
        bounds: [[-1.0, -4.575, -1.0], [1.0, 4.575, 1.0]],
        stray: 1e-4,
    },
];

impl ReadmeCounts {
    fn path(&self, data: &std::path::Path) -> PathBuf {
        data.join("characters").join(self.file)
    }
}

/// Returns the joint of each node of the file: joints are the nodes of the scene, depth first.
fn joint_of_node(character: &Character) -> HashMap<usize, usize> {
    let nodes = scene_nodes(&character.document);
    nodes.iter().enumerate().map(|(joint, (node, _))| (node.index(), joint)).collect()
}

#[test]
fn characters_have_the_counts_of_their_files() {
    let Some(data) = data() else { return };
    for known in &CHARACTERS {
        let loaded = load::gltf(known.path(&data)).expect(known.file);
        let character = Character::read(&known.path(&data));
        assert_eq!(loaded.clips.len(), known.clips, "{}", known.file);
        assert_eq!(character.triangles.len(), known.triangles, "{}", known.file);
        assert_eq!(loaded.skeleton.len(), character.document.nodes().len(), "{}", known.file);
        let joints = joint_of_node(&character);
        let skin = character.document.skins().next().expect("a skin");
        let in_skin = skin.joints().filter(|joint| joints.contains_key(&joint.index())).count();
        assert_eq!(in_skin, known.joints, "{}", known.file);
        for warning in &loaded.warnings {
            eprintln!("{}: {warning}", known.file);
        }
    }
}

/// Returns a loader of the file's triangles, whole in every part, without caps.
fn bare() -> Loader<'static> {
    Loader::new().solid(false).straddling(Straddling::Both)
}

#[test]
fn every_triangle_is_placed_by_its_joint() {
    let Some(data) = data() else { return };
    for known in &CHARACTERS {
        let loaded = bare().gltf(known.path(&data)).expect(known.file);
        let character = Character::read(&known.path(&data));
        let joints = joint_of_node(&character);
        let mut shares: HashMap<usize, Vec<[Point3<f64>; 3]>> = HashMap::new();
        for (node, corners) in &character.shares {
            shares.entry(joints[node]).or_default().push(*corners);
        }
        let poses = loaded.skeleton.rest_poses();
        let mut worst = 0.0_f64;
        for (part, pose) in poses.iter().enumerate() {
            let expected = shares.remove(&part).unwrap_or_default();
            let Some(mesh) = surface(&loaded, part) else {
                assert!(expected.is_empty(), "{}: part {part} is empty", known.file);
                continue;
            };
            // Triangles keep their order, although equal corners may be merged.
            assert_eq!(mesh.triangles().len(), expected.len(), "{}: part {part}", known.file);
            for (triangle, expected) in expected.iter().enumerate() {
                for (found, expected) in mesh.corners(triangle).iter().zip(expected) {
                    let found = (pose * found).cast::<f64>();
                    worst = worst.max((found - expected).norm());
                }
            }
        }
        assert!(shares.is_empty());
        let relative = worst / character.size();
        eprintln!("{}: corners within {relative:e} of the size", known.file);
        assert!(relative < 2e-6, "{}: {relative:e}", known.file);
    }
}

/// Computes the area of all triangles of a mesh.
fn area(corners: impl Iterator<Item = [Point3<f64>; 3]>) -> f64 {
    corners.map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum()
}

#[test]
fn cut_parts_have_the_area_of_the_skin() {
    let Some(data) = data() else { return };
    // If the rest pose is not the bind pose, the skin is stretched at rest.
    for known in CHARACTERS.iter().filter(|known| known.stray < 0.01) {
        let character = Character::read(&known.path(&data));
        let corners = character.triangles.iter();
        let whole = area(corners.map(|of| of.map(|v| character.vertices[v].skinned)));
        let loaded = bare().straddling(Straddling::Cut).gltf(known.path(&data)).expect(known.file);
        let meshes = (0..loaded.model.len()).filter_map(|part| surface(&loaded, part));
        let pieces = meshes.flat_map(|mesh| {
            let all = (0..mesh.triangles().len()).map(|i| mesh.corners(i).map(|c| c.cast::<f64>()));
            all.collect::<Vec<_>>()
        });
        let off = (area(pieces) - whole).abs() / whole;
        assert!(off < 1e-5, "{}: {off:e}", known.file);
    }
}

#[test]
fn parts_at_rest_form_the_character() {
    let Some(data) = data() else { return };
    for known in &CHARACTERS {
        let character = Character::read(&known.path(&data));
        let [min, max] = character.bounds();
        let size = character.size();
        let [least, greatest] = known.bounds.map(Point3::from);
        let off = (min - least).norm().max((max - greatest).norm());
        assert!(off < 0.02 * size, "{}: {min} {max}", known.file);
        let stray = |v: &support::skinning::Vertex| (v.dominated - v.skinned).norm();
        let stray = character.vertices.iter().map(stray).fold(0.0, f64::max) / size;
        eprintln!("{}: bounds off {:e}, stray {stray:e}", known.file, off / size);
        assert!(stray <= known.stray, "{}: {stray:e}", known.file);
    }
}

#[test]
fn truncated_files_are_named() {
    let Some(data) = data() else { return };
    let folder = Folder::new();
    for known in &CHARACTERS {
        let bytes = std::fs::read(known.path(&data)).expect(known.file);
        for share in [0.0001, 0.01, 0.3, 0.9, 0.9999] {
            let length = (bytes.len() as f64 * share) as usize;
            let path = folder.write("cut.glb", &bytes[..length]);
            let error = load::gltf(&path).map(|_| ()).expect_err(known.file);
            assert!(error.to_string().contains("cut.glb"), "{error}");
        }
    }
}

#[test]
fn sampled_clips_have_finite_unit_poses() {
    let Some(data) = data() else { return };
    let mut joints = Joints::new();
    for known in &CHARACTERS {
        let loaded = load::gltf(known.path(&data)).expect(known.file);
        for clip in &loaded.clips {
            for step in -1..=12 {
                let t = clip.duration() * step as f32 / 10.0;
                for poses in [
                    clip.sample(t, &mut joints).expect("finite").to_vec(),
                    clip.sample_looped(t, &mut joints).expect("finite").to_vec(),
                ] {
                    assert_eq!(poses.len(), loaded.skeleton.len());
                    for pose in poses {
                        assert!(pose.translation.vector.iter().all(|x| x.is_finite()));
                        assert!((pose.rotation.coords.norm() - 1.0).abs() < 1e-5);
                    }
                }
            }
        }
    }
}

#[test]
fn sampled_clips_equal_the_keys_of_the_file() {
    let Some(data) = data() else { return };
    for known in &CHARACTERS {
        let loaded = load::gltf(known.path(&data)).expect(known.file);
        let character = Character::read(&known.path(&data));
        let joints = joint_of_node(&character);
        let mut keys = 0;
        for (animation, clip) in character.document.animations().zip(&loaded.clips) {
            for channel in animation.channels() {
                if channel.target().property() == Property::Rotation {
                    let joint = joints[&channel.target().node().index()];
                    keys += check_keys(clip, joint, &channel, &character.blob);
                }
            }
        }
        assert!(keys > 0, "{}", known.file);
    }
}

/// Checks a joint's rotation relative to its parent at its first, middle and last key.
fn check_keys(
    clip: &Clip<f32>,
    joint: usize,
    channel: &gltf::animation::Channel<'_>,
    blob: &[u8],
) -> usize {
    let reader = channel.reader(|_| Some(blob));
    let times: Vec<f32> = reader.read_inputs().expect("times").collect();
    let Some(ReadOutputs::Rotations(values)) = reader.read_outputs() else { panic!("rotations") };
    let values: Vec<[f32; 4]> = values.into_f32().collect();
    let mut joints = Joints::new();
    for key in [0, times.len() / 2, times.len() - 1] {
        let poses = clip.sample(times[key], &mut joints).expect("finite");
        let parent = clip.skeleton().joints()[joint].parent;
        let above = parent.map_or(UnitQuaternion::identity(), |parent| poses[parent].rotation);
        let [x, y, z, w] = values[key];
        let expected = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
        let found = above.inverse() * poses[joint].rotation;
        assert!(found.angle_to(&expected) < 2e-3, "clip '{}', joint {joint}", clip.name());
    }
    3
}
