//! The recorded motion of two meshes that is part of FCL: `Model_1.xml`.

use boxwood::f64::{Mesh, Pose};
use nalgebra::{Matrix3, Point3, Rotation3, Translation3, UnitQuaternion};

pub struct Recording {
    pub meshes: [Mesh; 2],
    /// Poses of both meshes, frame by frame.
    pub frames: Vec<[Pose; 2]>,
}

/// Reads the recording; `None` without the data.
pub fn recording() -> Option<Recording> {
    let file = crate::data::data()?.join("meshes/fcl-moving-pair/Model_1.xml");
    let text = std::fs::read_to_string(file).expect("a readable file");
    let objects: Vec<&str> = text.split("<OBJECT").skip(1).collect();
    let meshes = [objects[0], objects[1]].map(mesh);
    let motion = text.split("<MOTION>").nth(1).expect("a motion");
    let frames = motion.split("<FRAME").skip(1).map(frame).collect();
    Some(Recording { meshes, frames })
}

/// Returns the numbers between the quotes after the name.
fn numbers(text: &str, name: &str) -> Vec<f64> {
    let after = text.split(name).nth(1).expect("the attribute");
    let quoted = after.split('"').nth(1).expect("a quoted value");
    quoted.split_whitespace().map(|word| word.parse().expect("a number")).collect()
}

fn mesh(object: &str) -> Mesh {
    let tags = |name: &'static str| object.split(name).skip(1);
    let vertex = |tag: &str| Point3::from([" x", " y", " z"].map(|name| numbers(tag, name)[0]));
    let corner = |tag: &str, name: &str| numbers(tag, name)[0] as u32 - 1;
    let triangle = |tag: &str| [" g1", " g2", " g3"].map(|name| corner(tag, name));
    Mesh::new(tags("<GRID").map(vertex).collect(), tags("<TRIA").map(triangle).collect())
        .expect("a mesh")
}

/// Reads a frame, whose direction cosines are row by row.
fn frame(tag: &str) -> [Pose; 2] {
    [("obj1_pos", "obj1_dc"), ("obj2_pos", "obj2_dc")].map(|(position, cosines)| {
        let [x, y, z] = numbers(tag, position)[..] else { panic!("three numbers") };
        let matrix = Matrix3::from_row_slice(&numbers(tag, cosines));
        let rotation = Rotation3::from_matrix_unchecked(matrix);
        let turn = UnitQuaternion::from_rotation_matrix(&rotation);
        Pose::from_parts(Translation3::new(x, y, z), turn)
    })
}

/// Reads one of the meshes of FCL's environment and robot, `env` or `rob`; `None` without the data.
pub fn scenery(name: &str) -> Option<Mesh> {
    let file = crate::data::data()?.join(format!("meshes/fcl-env-rob/{name}.obj"));
    let text = std::fs::read_to_string(file).expect("a readable file");
    let lines = |tag: &'static str| text.lines().filter_map(move |line| line.strip_prefix(tag));
    let three = |line: &str| -> [f64; 3] {
        let numbers: Vec<f64> =
            line.split_whitespace().map(|word| word.parse().expect("a number")).collect();
        numbers.try_into().expect("three numbers")
    };
    let vertices = lines("v ").map(|line| Point3::from(three(line))).collect();
    let triangles = lines("f ").map(|line| three(line).map(|index| index as u32 - 1)).collect();
    Some(Mesh::new(vertices, triangles).expect("a mesh"))
}
