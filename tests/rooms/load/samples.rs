//! A small file of every format, and one way to load each from disk and from memory.

use std::path::PathBuf;

use boxwood::Error;
use boxwood::load::{Loaded, Loader, Recording, Robot};

use super::mocap::small;
use super::urdf::small as robots;
use support::folder::Folder;
use support::prelude::*;
use support::small_gltf::{Small, Track};

/// Builds a clip over one node with one triangle, with all bytes inside.
pub fn character() -> Small {
    let mut small = Small::default();
    let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let positions = small.floats("VEC3", 3, &corners);
    let times = small.floats("SCALAR", 1, &[0.0, 1.5]);
    let places = small.floats("VEC3", 3, &[0.0, 0.0, 0.0, 2.0, 0.0, 1.0]);
    small.meshes = format!(r#"{{"primitives":[{{"attributes":{{"POSITION":{positions}}}}}]}}"#);
    small.nodes = r#"{"mesh":0,"name":"leaf"}"#.to_owned();
    small.roots = "0".to_owned();
    let track = Track { node: 0, path: "translation", times, values: places, how: "LINEAR" };
    small.clip("go", &[track]);
    small
}

/// Returns two links and a joint between them, all of boxes.
pub fn robot() -> String {
    let shape = |x: f64| robots::collision(&format!("xyz='{x} 0 0'"), "<box size='1 1 1'/>");
    let links = robots::link("a", &shape(0.0)) + &robots::link("b", &shape(1.0));
    let joint = robots::joint("j", "continuous", ["a", "b"], "<axis xyz='0 0 1'/>");
    robots::robot(&(links + &joint))
}

pub const MJCF: &str = "<mujoco><worldbody><body name='low'><geom size='1'/><body name='high' pos='0 0 3'>\
    <joint name='turn' range='-1 1'/><geom type='box' size='1 2 3'/></body></body></worldbody></mujoco>";

pub const ASF: &str = ":version 1.10\n:name VICON\n:units\n  mass 1.0\n  length 1\n  angle deg\n:root\n  order TX TY TZ RX RY RZ\n\
    axis XYZ\n  position 0 0 0\n  orientation 0 0 0\n:bonedata\n  begin\n    id 1\n    name leg\n    direction 0 -1 0\n\
    length 2\n    axis 0 0 0 XYZ\n    dof rx\n  end\n:hierarchy\n  begin\n    root leg\n  end\n";

pub const AMC: &str =
    ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\nleg 10\n2\nroot 1 0 0 0 90 0\nleg 20\n";

/// Loaded data of any format, as far as it can be compared.
#[derive(Debug)]
pub enum Any<T: Scalar> {
    Character(Box<Loaded<T>>),
    Robot(Box<Robot<T>>),
    Motion(Box<Recording<T>>),
}

impl<T: Scalar> PartialEq for Any<T> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Any::Character(a), Any::Character(b)) => {
                a.model == b.model
                    && a.model.fingerprint() == b.model.fingerprint()
                    && a.skeleton == b.skeleton
                    && a.clips == b.clips
                    && a.skin == b.skin
                    && a.warnings == b.warnings
            }
            (Any::Robot(a), Any::Robot(b)) => {
                a.model == b.model
                    && a.model.fingerprint() == b.model.fingerprint()
                    && a.mechanism == b.mechanism
                    && a.warnings == b.warnings
            }
            (Any::Motion(a), Any::Motion(b)) => {
                a.skeleton == b.skeleton
                    && a.clips == b.clips
                    && a.ends == b.ends
                    && a.warnings == b.warnings
            }
            _ => false,
        }
    }
}

/// Format, by the name of its method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Format {
    Gltf,
    Obj,
    Stl,
    Urdf,
    Mjcf,
    Bvh,
    Amc,
    Baked,
}

pub const FORMATS: [Format; 8] = [
    Format::Gltf,
    Format::Obj,
    Format::Stl,
    Format::Urdf,
    Format::Mjcf,
    Format::Bvh,
    Format::Amc,
    Format::Baked,
];

/// Bytes of a file, or of two.
pub struct Sample {
    pub format: Format,
    pub bytes: Vec<Vec<u8>>,
    pub paths: Vec<PathBuf>,
}

impl Sample {
    /// Writes the small file of that format into the folder, called `sample`.
    pub fn small<T: Scalar>(format: Format, folder: &Folder) -> Self {
        let text = |text: &str| vec![text.as_bytes().to_vec()];
        let bytes = match format {
            Format::Gltf => vec![character().glb()],
            Format::Obj => text(robots::OBJ),
            Format::Stl => text(&robots::stl()),
            Format::Urdf => text(&robot()),
            Format::Mjcf => text(MJCF),
            Format::Bvh => text(small::SMALL),
            Format::Amc => [text(ASF), text(AMC)].concat(),
            Format::Baked => {
                let loaded: Loaded<T> =
                    Loader::new().gltf_bytes(&character().glb()).expect("a character");
                vec![loaded.bake().expect("bytes")]
            }
        };
        let name = |i: usize| ["sample.first", "sample.second"][i];
        let at_end = bytes.len() - 1;
        // The clip of an AMC file has the name of that file.
        let written = |(i, bytes): (usize, &Vec<u8>)| folder.write(name(at_end - i), bytes);
        let paths = bytes.iter().enumerate().map(written).collect();
        Sample { format, bytes, paths }
    }

    pub fn of_files(format: Format, paths: Vec<PathBuf>) -> Self {
        let bytes = paths.iter().map(|path| std::fs::read(path).expect("a file")).collect();
        Sample { format, bytes, paths }
    }

    pub fn read_file<T: Scalar>(&self, loader: &Loader<'_, T>) -> Result<Any<T>, Error> {
        let path = &self.paths[0];
        match self.format {
            Format::Gltf => loader.gltf(path).map(character_of),
            Format::Obj => loader.obj(path).map(character_of),
            Format::Stl => loader.stl(path).map(character_of),
            Format::Baked => loader.baked(path).map(character_of),
            Format::Urdf => loader.urdf(path).map(robot_of),
            Format::Mjcf => loader.mjcf(path).map(robot_of),
            Format::Bvh => loader.bvh(path).map(motion_of),
            Format::Amc => loader.amc(path, &self.paths[1]).map(motion_of),
        }
    }

    pub fn read_bytes<T: Scalar>(&self, loader: &Loader<'_, T>) -> Result<Any<T>, Error> {
        let bytes = &self.bytes[0];
        match self.format {
            Format::Gltf => loader.gltf_bytes(bytes).map(character_of),
            Format::Obj => loader.obj_bytes(bytes).map(character_of),
            Format::Stl => loader.stl_bytes(bytes).map(character_of),
            Format::Baked => loader.baked_bytes(bytes).map(character_of),
            Format::Urdf => loader.urdf_bytes(bytes).map(robot_of),
            Format::Mjcf => loader.mjcf_bytes(bytes).map(robot_of),
            Format::Bvh => loader.bvh_bytes(bytes).map(motion_of),
            Format::Amc => loader.amc_bytes(bytes, &self.bytes[1]).map(motion_of),
        }
    }
}

fn character_of<T: Scalar>(loaded: Loaded<T>) -> Any<T> {
    Any::Character(Box::new(loaded))
}

fn robot_of<T: Scalar>(robot: Robot<T>) -> Any<T> {
    Any::Robot(Box::new(robot))
}

fn motion_of<T: Scalar>(motion: Recording<T>) -> Any<T> {
    Any::Motion(Box::new(motion))
}
