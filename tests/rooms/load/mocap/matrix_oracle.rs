//! A second reader of BVH, ASF and AMC: joint positions from the text by products of matrices.

use std::collections::HashMap;

use nalgebra::Matrix4;

use support::prelude::*;

pub fn turned(axis: char, degrees: f64) -> Matrix4<f64> {
    let (s, c) = degrees.to_radians().sin_cos();
    let [x, y, z] = ['X', 'Y', 'Z'].map(|other| other == axis.to_ascii_uppercase());
    let entry = |i: usize, j: usize| match (i, j) {
        (3, 3) => 1.0,
        (0, 0) if x => 1.0,
        (1, 1) if y => 1.0,
        (2, 2) if z => 1.0,
        (0, 0) | (1, 1) | (2, 2) => c,
        (2, 1) if x => s,
        (1, 2) if x => -s,
        (0, 2) if y => s,
        (2, 0) if y => -s,
        (1, 0) if z => s,
        (0, 1) if z => -s,
        _ => 0.0,
    };
    Matrix4::from_fn(entry)
}

/// Returns the matrices of every joint of a frame, from the text: no positions but the root's.
pub fn bvh_frame(text: &str, frame: usize) -> Vec<Matrix4<f64>> {
    let (hierarchy, motion) = text.split_once("MOTION").expect("a motion");
    let row = motion.lines().filter(|line| !line.trim().is_empty()).nth(2 + frame).expect("a row");
    let mut row = row.split_whitespace().map(|word| word.parse::<f64>().expect("a number"));
    let (mut stack, mut found): (Vec<Matrix4<f64>>, Vec<Matrix4<f64>>) = (Vec::new(), Vec::new());
    let mut in_end = false;
    for line in hierarchy.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            Some(&"End") => in_end = true,
            Some(&"OFFSET") if !in_end => {
                let [x, y, z] = [1, 2, 3].map(|i| words[i].parse::<f64>().expect("a number"));
                let above = stack.last().copied().unwrap_or_else(Matrix4::identity);
                stack.push(above * Matrix4::new_translation(&Vector3::new(x, y, z)));
            }
            Some(&"CHANNELS") => {
                let joint = stack.last_mut().expect("a joint");
                for channel in &words[2..] {
                    let value = row.next().expect("a number");
                    *joint *= match (&channel[..1], &channel[1..]) {
                        ("X", "position") => Matrix4::new_translation(&(Vector3::x() * value)),
                        ("Y", "position") => Matrix4::new_translation(&(Vector3::y() * value)),
                        ("Z", "position") => Matrix4::new_translation(&(Vector3::z() * value)),
                        (axis, _) => turned(axis.chars().next().expect("a letter"), value),
                    };
                }
                found.push(*joint);
            }
            Some(&"}") if in_end => in_end = false,
            Some(&"}") => {
                stack.pop();
            }
            _ => {}
        }
    }
    found
}

/// Direction times length, axis, degrees.
pub type Limb = (Vector3<f64>, [f64; 3], Vec<char>);

/// Limbs and parents of an ASF file by name.
pub struct Asf {
    pub bones: HashMap<String, Limb>,
    pub parents: HashMap<String, String>,
}

pub fn read_asf(text: &str) -> Asf {
    let (mut bones, mut parents) = (HashMap::new(), HashMap::new());
    let data = text.split(":bonedata").nth(1).expect("bones");
    let (data, hierarchy) = data.split_once(":hierarchy").expect("a hierarchy");
    for bone in data.split("begin").skip(1) {
        let line = |key: &str| -> Option<Vec<&str>> {
            let line = bone.lines().find(|line| line.trim().starts_with(key))?;
            Some(line.split_whitespace().skip(1).collect())
        };
        let number = |word: &&str| word.parse::<f64>().expect("a number");
        let direction: Vec<f64> = line("direction").expect("it").iter().map(number).collect();
        let length = number(&line("length").expect("it")[0]);
        let axis = line("axis").expect("it");
        assert_eq!(axis[3], "XYZ");
        let degrees = line("dof").unwrap_or_default();
        let degrees = degrees.iter().map(|word| word.chars().nth(1).expect("a letter")).collect();
        let reach = Vector3::from_column_slice(&direction) * length;
        let axis = [0, 1, 2].map(|i| number(&axis[i]));
        bones.insert(line("name").expect("it")[0].to_owned(), (reach, axis, degrees));
    }
    for line in hierarchy.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for child in words.iter().skip(1) {
            parents.insert((*child).to_owned(), words[0].to_owned());
        }
    }
    Asf { bones, parents }
}

impl Asf {
    pub fn matrix(&self, name: &str, frame: &HashMap<&str, Vec<f64>>) -> Matrix4<f64> {
        if name == "root" {
            let v = &frame["root"];
            let turn = turned('z', v[5]) * turned('y', v[4]) * turned('x', v[3]);
            return Matrix4::new_translation(&Vector3::new(v[0], v[1], v[2])) * turn;
        }
        let (_, axis, degrees) = &self.bones[name];
        let axes = turned('z', axis[2]) * turned('y', axis[1]) * turned('x', axis[0]);
        let mut turn = Matrix4::identity();
        for (letter, value) in degrees.iter().zip(frame.get(name).into_iter().flatten()) {
            turn = turned(*letter, *value) * turn;
        }
        let parent = &self.parents[name];
        let reach = self.bones.get(parent).map_or(Vector3::zeros(), |bone| bone.0);
        let above = self.matrix(parent, frame) * Matrix4::new_translation(&reach);
        above * axes * turn * axes.try_inverse().expect("a rotation")
    }
}

/// Returns the numbers of every bone, frame by frame, of an AMC file.
pub fn read_amc(text: &str) -> Vec<HashMap<&str, Vec<f64>>> {
    let mut frames: Vec<HashMap<&str, Vec<f64>>> = Vec::new();
    for line in text.lines().skip(3) {
        let mut words = line.split_whitespace();
        let name = words.next().expect("a name");
        let values: Vec<f64> = words.map(|word| word.parse().expect("a number")).collect();
        match values.is_empty() {
            true => frames.push(HashMap::new()),
            false => drop(frames.last_mut().expect("a frame").insert(name, values)),
        }
    }
    frames
}
