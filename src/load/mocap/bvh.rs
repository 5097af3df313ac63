//! BVH files: a hierarchy of joints with offsets and channels, then a row of numbers per frame.
//!
//! Line breaks do not matter. Source: M. Meredith and S. Maddock, Motion Capture File
//! Formats Explained (2001), section 3.

use std::collections::HashSet;

use nalgebra::{UnitQuaternion, Vector3};

use super::bones::{Bone, RecordedBones};
use super::euler::{AxisIndex, axis, axis_rotation, number};
use crate::load::Warning;

/// A channel: the degree of freedom that a number of a row sets.
#[derive(Clone, Copy)]
enum Channel {
    Position(AxisIndex),
    Rotation(AxisIndex),
    Scale,
}

/// Largest number of channels of a joint: three each of position, rotation and scale.
const MAX_CHANNELS: f64 = 9.0;

/// Least deviation from 1 of a scale that is reported.
const MIN_SCALE_CHANGE: f64 = 1e-6;

/// A joint of the hierarchy and its channels, in the order of the file.
struct BvhJoint {
    bone: Bone,
    channels: Vec<Channel>,
    /// The number of values that scale it.
    scaled: usize,
}

#[derive(Default)]
struct Hierarchy {
    joints: Vec<BvhJoint>,
    ends: Vec<(usize, Vector3<f64>)>,
}

/// The words of the file, the number of words read, and the line of the last one.
struct BvhWords<'t> {
    lines: std::str::Lines<'t>,
    /// The rest of the current line.
    words: std::str::SplitAsciiWhitespace<'t>,
    taken: usize,
    line: usize,
}

impl<'t> BvhWords<'t> {
    fn new(text: &'t str) -> Self {
        BvhWords { lines: text.lines(), words: "".split_ascii_whitespace(), taken: 0, line: 0 }
    }

    fn next(&mut self, expected: &str) -> Result<&'t str, String> {
        self.taken += 1;
        loop {
            if let Some(word) = self.words.next() {
                return Ok(word);
            }
            let Some(line) = self.lines.next() else { break };
            self.words = line.split_ascii_whitespace();
            self.line += 1;
        }
        Err(format!("word {}: the file ends, {expected} expected", self.taken))
    }

    /// The number of words that remain.
    fn left(&self) -> usize {
        let below = self.lines.clone().map(|line| line.split_ascii_whitespace().count());
        self.words.clone().count() + below.sum::<usize>()
    }

    fn number(&mut self) -> Result<f64, String> {
        let word = self.next("a number")?;
        number(word).ok_or_else(|| format!("word {}: '{word}' is not a number", self.taken))
    }

    fn offset(&mut self) -> Result<Vector3<f64>, String> {
        Ok(Vector3::new(self.number()?, self.number()?, self.number()?))
    }

    fn wanted(&mut self, wanted: &str) -> Result<(), String> {
        let word = self.next(wanted)?;
        if word.eq_ignore_ascii_case(wanted) { Ok(()) } else { Err(self.unexpected(word)) }
    }

    /// Reads a number after a label of one or more words, with or without a colon and the space
    /// after it.
    fn labelled_number(&mut self, label: &str) -> Result<f64, String> {
        let mut read = String::new();
        while read.len() <= label.len() {
            let word = self.next(label)?;
            if read == label
                && let Some(number) = number(word)
            {
                return Ok(number);
            }
            read.extend(word.chars().map(|letter| letter.to_ascii_lowercase()));
            if let Some(rest) = read.strip_prefix(label).and_then(|rest| rest.strip_prefix(':')) {
                return match rest {
                    "" => self.number(),
                    rest => number(rest).ok_or_else(|| self.unexpected(word)),
                };
            }
            if !label.starts_with(read.as_str()) {
                return Err(self.unexpected(word));
            }
        }
        Err(format!("word {}: {label} has no number", self.taken))
    }

    fn unexpected(&self, word: &str) -> String {
        format!("word {}: unexpected '{word}'", self.taken)
    }

    /// Reads all words up to the brace: names may contain spaces.
    fn name(&mut self) -> Result<String, String> {
        let mut name: Vec<&str> = Vec::new();
        loop {
            match self.next("'{'")? {
                "{" => return Ok(name.join(" ")),
                word => name.push(word),
            }
        }
    }
}

pub(super) fn read(text: &str) -> Result<RecordedBones, String> {
    let mut words = BvhWords::new(text);
    read_words(&mut words).map_err(|trouble| format!("line {}: {trouble}", words.line))
}

fn read_words(words: &mut BvhWords<'_>) -> Result<RecordedBones, String> {
    words.wanted("HIERARCHY")?;
    let mut hierarchy = Hierarchy::read(words)?;
    let frames = words.labelled_number("frames")?;
    let step = words.labelled_number("frametime")?;
    if frames < 1.0 || frames.fract() != 0.0 || step <= 0.0 {
        return Err(format!("invalid frame count {frames} or frame time {step} s"));
    }
    let extra = hierarchy.rows(words, frames as usize)?;
    let mut warnings = Vec::new();
    warnings.extend((extra > 0).then_some(Warning::ExtraRows { rows: extra }));
    warnings.extend(hierarchy.joints.iter().filter(|joint| joint.scaled > 0).map(|joint| {
        let (file, element) = (joint.bone.name.clone(), "scales of the motion".to_owned());
        Warning::Skipped { file, element, count: joint.scaled }
    }));
    let bones = hierarchy.joints.into_iter().map(|joint| joint.bone).collect();
    Ok(RecordedBones { bones, ends: hierarchy.ends, step, warnings })
}

impl Hierarchy {
    /// Reads all joints, up to the word that begins the motion.
    fn read(words: &mut BvhWords<'_>) -> Result<Self, String> {
        let mut hierarchy = Hierarchy::default();
        // The stack of enclosing joints; `None` for an end site.
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut names = HashSet::new();
        loop {
            let word = words.next("a joint or MOTION")?;
            match (word.to_ascii_uppercase().as_str(), open.last().copied()) {
                ("ROOT", None) | ("JOINT", Some(Some(_))) => {
                    let bone = resting_bone(words.name()?, open.last().copied().flatten());
                    if !names.insert(bone.name.clone()) {
                        return Err(format!("two joints are called '{}'", bone.name));
                    }
                    open.push(Some(hierarchy.joints.len()));
                    hierarchy.joints.push(BvhJoint { bone, channels: Vec::new(), scaled: 0 });
                }
                ("END", Some(Some(_))) => {
                    words.name()?;
                    open.push(None);
                }
                ("OFFSET", Some(Some(joint))) => {
                    hierarchy.joints[joint].bone.offset = words.offset()?;
                }
                ("OFFSET", Some(None)) => {
                    let joint = open.iter().rev().find_map(|joint| *joint).unwrap_or_default();
                    hierarchy.ends.push((joint, words.offset()?));
                }
                ("CHANNELS", Some(Some(joint))) => {
                    hierarchy.joints[joint].channels = channels(words)?;
                }
                ("}", Some(_)) => {
                    open.pop();
                }
                ("MOTION", None) => return Ok(hierarchy),
                _ => return Err(words.unexpected(word)),
            }
        }
    }

    /// Reads the rows of all frames; returns the number of surplus rows.
    fn rows(&mut self, words: &mut BvhWords<'_>, frames: usize) -> Result<usize, String> {
        let width: usize = self.joints.iter().map(|joint| joint.channels.len()).sum();
        if width == 0 {
            return Err("the joints have no channels".to_owned());
        }
        for frame in 0..frames {
            for joint in &mut self.joints {
                joint.frame(words).map_err(|e| format!("frame {frame}, {e}"))?;
            }
        }
        Ok(words.left().div_ceil(width))
    }
}

impl BvhJoint {
    /// Reads the numbers of one joint in a row, one per channel.
    fn frame(&mut self, words: &mut BvhWords<'_>) -> Result<(), String> {
        let BvhJoint { bone, channels, scaled } = self;
        // Positions replace the offset, also a root's, as the file defines.
        let mut position = bone.offset;
        let mut rotation = UnitQuaternion::identity();
        let mut placed = false;
        for &channel in channels.iter() {
            let value = words.number()?;
            match channel {
                Channel::Rotation(axis) => rotation *= axis_rotation(axis, value),
                Channel::Position(axis) => position[axis] = value,
                Channel::Scale => *scaled += usize::from((value - 1.0).abs() > MIN_SCALE_CHANGE),
            }
            placed |= matches!(channel, Channel::Position(_));
        }
        if placed {
            bone.positions.push(position);
        }
        if channels.iter().any(|channel| matches!(channel, Channel::Rotation(_))) {
            bone.rotations.push(rotation);
        }
        Ok(())
    }
}

/// A joint without offset and motion.
fn resting_bone(name: String, parent: Option<usize>) -> Bone {
    let (rotations, positions) = (Vec::new(), Vec::new());
    Bone { name, parent, offset: Vector3::zeros(), rotations, positions }
}

/// Reads the count and the channel names after it.
fn channels(words: &mut BvhWords<'_>) -> Result<Vec<Channel>, String> {
    let count = words.number()?;
    if !(0.0..=MAX_CHANNELS).contains(&count) || count.fract() != 0.0 {
        return Err(format!("word {}: invalid number of channels: {count}", words.taken));
    }
    let channel = |_| {
        let word = words.next("a channel")?;
        let lower = word.to_ascii_lowercase();
        let axis = lower.chars().next().and_then(axis);
        match (axis, lower.get(1..)) {
            (Some(axis), Some("position")) => Ok(Channel::Position(axis)),
            (Some(axis), Some("rotation")) => Ok(Channel::Rotation(axis)),
            (Some(_), Some("scale")) => Ok(Channel::Scale),
            _ => Err(format!("word {}: unknown channel '{word}'", words.taken)),
        }
    };
    (0..count as usize).map(channel).collect()
}
