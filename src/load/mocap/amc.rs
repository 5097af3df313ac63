//! AMC files: one value per frame for every degree of freedom of an ASF skeleton.

use std::collections::HashMap;

use nalgebra::UnitQuaternion;

use super::asf::{AsfBone, AsfSkeleton, DegreeOfFreedom};
use super::bones::RecordedBones;
use super::euler::{axis_rotation, number};

pub(super) fn read(text: &str, body: AsfSkeleton, rate: f64) -> Result<RecordedBones, String> {
    if !(rate > 0.0 && rate.is_finite()) {
        return Err(format!("the frame rate {rate} is not a positive number"));
    }
    let mut bones = body.bones;
    let names: Vec<String> = bones.iter().map(|bone| bone.recorded.name.clone()).collect();
    let numbers: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let (mut frames, mut unit) = (0, 1.0);
    for (line, count) in text.lines().zip(1..) {
        let at = |trouble: String| format!("line {count}: {trouble}");
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            [] => {}
            [":RADIANS"] => unit = 1.0_f64.to_degrees(),
            [only] if only.bytes().all(|byte| byte.is_ascii_digit()) => {
                check_full(&bones, frames).map_err(at)?;
                frames += 1;
            }
            [first, ..] if first.starts_with(['#', ':']) => {}
            [name, ref values @ ..] => {
                let bone = numbers.get(name);
                let bone = bone.ok_or_else(|| at(format!("no bone is called '{name}'")))?;
                bones[*bone].frame(values, unit, frames).map_err(at)?;
            }
        }
    }
    let at_end = |trouble: String| format!("line {}: {trouble}", text.lines().count().max(1));
    check_full(&bones, frames).map_err(at_end)?;
    if frames == 0 {
        return Err(at_end("there are no frames".to_owned()));
    }
    Ok(recording(bones, 1.0 / rate))
}

/// Checks that every bone with degrees of freedom has values in every frame so far.
fn check_full(bones: &[AsfBone], frames: usize) -> Result<(), String> {
    let short = bones
        .iter()
        .find(|bone| !bone.degrees.is_empty() && bone.recorded.rotations.len() < frames);
    match short {
        Some(bone) => {
            Err(format!("frame {frames} has no values for bone '{}'", bone.recorded.name))
        }
        None => Ok(()),
    }
}

impl AsfBone {
    /// Reads the values of a frame, counted from 1.
    fn frame(&mut self, values: &[&str], unit: f64, frame: usize) -> Result<(), String> {
        let name = &self.recorded.name;
        if values.len() != self.degrees.len() || values.is_empty() {
            let (found, wanted) = (values.len(), self.degrees.len());
            return Err(format!("bone '{name}' has {found} values, {wanted} expected"));
        }
        if self.recorded.rotations.len() + 1 != frame {
            return Err(format!(
                "bone '{name}' occurs twice in a frame, or before the first frame"
            ));
        }
        let mut position = self.recorded.offset;
        let mut turned = UnitQuaternion::identity();
        for (degree, word) in self.degrees.iter().zip(values) {
            let value = number(word).ok_or_else(|| format!("'{word}' is not a number"))?;
            match *degree {
                DegreeOfFreedom::Translation(axis) => position[axis] += value,
                DegreeOfFreedom::Rotation(axis) => {
                    turned = axis_rotation(axis, value * unit) * turned
                }
            }
        }
        self.recorded.rotations.push(self.axes * turned * self.axes.inverse());
        if self.degrees.iter().any(|degree| matches!(degree, DegreeOfFreedom::Translation(_))) {
            self.recorded.positions.push(position);
        }
        Ok(())
    }
}

fn recording(bones: Vec<AsfBone>, step: f64) -> RecordedBones {
    let mut is_parent = vec![false; bones.len()];
    bones
        .iter()
        .filter_map(|bone| bone.recorded.parent)
        .for_each(|parent| is_parent[parent] = true);
    let ends = bones.iter().enumerate().filter(|(index, _)| !is_parent[*index]);
    let ends = ends.map(|(index, bone)| (index, bone.end)).collect();
    let bones = bones.into_iter().map(|bone| bone.recorded).collect();
    RecordedBones { bones, ends, step, warnings: Vec::new() }
}
