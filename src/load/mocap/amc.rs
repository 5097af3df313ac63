//! AMC files: one value per frame for every degree of freedom of an ASF skeleton.

use std::collections::HashMap;

use nalgebra::UnitQuaternion;

use super::RecordedBones;
use super::asf::{Body, Degree, Limb};
use super::euler::{number, turn};

pub(super) fn read(text: &str, body: Body, rate: f64) -> Result<RecordedBones, String> {
    if !(rate > 0.0 && rate.is_finite()) {
        return Err(format!("{rate} frames a second"));
    }
    let mut limbs = body.limbs;
    let names: Vec<String> = limbs.iter().map(|limb| limb.bone.name.clone()).collect();
    let numbers: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let (mut frames, mut unit) = (0, 1.0);
    for (line, count) in text.lines().zip(1..) {
        let at = |trouble: String| format!("line {count}: {trouble}");
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            [] => {}
            [":RADIANS"] => unit = 1.0_f64.to_degrees(),
            [only] if only.bytes().all(|byte| byte.is_ascii_digit()) => {
                check_full(&limbs, frames).map_err(at)?;
                frames += 1;
            }
            [first, ..] if first.starts_with(['#', ':']) => {}
            [name, ref values @ ..] => {
                let limb = numbers.get(name);
                let limb = limb.ok_or_else(|| at(format!("no bone is called '{name}'")))?;
                limbs[*limb].frame(values, unit, frames).map_err(at)?;
            }
        }
    }
    let at_end = |trouble: String| format!("line {}: {trouble}", text.lines().count().max(1));
    check_full(&limbs, frames).map_err(at_end)?;
    if frames == 0 {
        return Err(at_end("there are no frames".to_owned()));
    }
    Ok(recording(limbs, 1.0 / rate))
}

/// Checks that every bone with degrees of freedom has values in every frame so far.
fn check_full(limbs: &[Limb], frames: usize) -> Result<(), String> {
    let short =
        limbs.iter().find(|limb| !limb.degrees.is_empty() && limb.bone.rotations.len() < frames);
    match short {
        Some(limb) => Err(format!("frame {frames} has no values for bone '{}'", limb.bone.name)),
        None => Ok(()),
    }
}

impl Limb {
    /// Reads the values of a frame, counted from 1.
    fn frame(&mut self, values: &[&str], unit: f64, frame: usize) -> Result<(), String> {
        let name = &self.bone.name;
        if values.len() != self.degrees.len() || values.is_empty() {
            let (found, wanted) = (values.len(), self.degrees.len());
            return Err(format!("{found} numbers for the {wanted} of bone '{name}'"));
        }
        if self.bone.rotations.len() + 1 != frame {
            return Err(format!("bone '{name}' comes twice in a frame, or before the first"));
        }
        let mut position = self.bone.offset;
        let mut turned = UnitQuaternion::identity();
        for (degree, word) in self.degrees.iter().zip(values) {
            let value = number(word).ok_or_else(|| format!("'{word}' is not a number"))?;
            match *degree {
                Degree::Shift(axis) => position[axis] += value,
                Degree::Turn(axis) => turned = turn(axis, value * unit) * turned,
            }
        }
        self.bone.rotations.push(self.axes * turned * self.axes.inverse());
        if self.degrees.iter().any(|degree| matches!(degree, Degree::Shift(_))) {
            self.bone.positions.push(position);
        }
        Ok(())
    }
}

fn recording(limbs: Vec<Limb>, step: f64) -> RecordedBones {
    let mut is_parent = vec![false; limbs.len()];
    limbs.iter().filter_map(|limb| limb.bone.parent).for_each(|parent| is_parent[parent] = true);
    let ends = limbs.iter().enumerate().filter(|(index, _)| !is_parent[*index]);
    let ends = ends.map(|(index, limb)| (index, limb.reach)).collect();
    let bones = limbs.into_iter().map(|limb| limb.bone).collect();
    RecordedBones { bones, ends, step, warnings: Vec::new() }
}
