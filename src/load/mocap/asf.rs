//! ASF files: bones with directions, lengths and axes, all in the skeleton's global frame at rest.
//!
//! Source: M. Meredith and S. Maddock, Motion Capture File Formats Explained (2001), section 5; the
//! Acclaim format as in CMU's files.

use std::collections::HashMap;

use nalgebra::{UnitQuaternion, Vector3};

use super::bones::Bone;
use super::euler::{AxisIndex, axis, axis_rotation, number};

/// A degree of freedom of a bone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DegreeOfFreedom {
    Translation(AxisIndex),
    Rotation(AxisIndex),
}

/// A bone, its degrees of freedom, and its end.
pub(super) struct AsfBone {
    pub recorded: Bone,
    /// The frame of its rotations.
    pub axes: UnitQuaternion<f64>,
    pub degrees: Vec<DegreeOfFreedom>,
    /// The vector from the beginning of the bone to its end, at rest.
    pub end: Vector3<f64>,
}

/// The skeleton: bones, parents first; the root has no length.
pub(super) struct AsfSkeleton {
    pub bones: Vec<AsfBone>,
}

/// The entries of one bone while the file is read.
struct BoneDraft {
    name: String,
    direction: Vector3<f64>,
    length: f64,
    axes: UnitQuaternion<f64>,
    degrees: Vec<DegreeOfFreedom>,
    position: Vector3<f64>,
    /// The line on which the bone begins.
    line: usize,
}

impl BoneDraft {
    fn new(name: &str, line: usize) -> Self {
        BoneDraft {
            line,
            name: name.to_owned(),
            direction: Vector3::zeros(),
            length: 0.0,
            axes: UnitQuaternion::identity(),
            degrees: Vec::new(),
            position: Vector3::zeros(),
        }
    }
}

pub(super) fn read(text: &str) -> Result<AsfSkeleton, String> {
    let mut reader = AsfReader { drafts: vec![BoneDraft::new("root", 1)], ..AsfReader::default() };
    for (line, count) in text.lines().zip(1..) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        reader.line = count;
        reader.read_line(&words).map_err(|trouble| format!("line {count}: {trouble}"))?;
    }
    reader.body()
}

#[derive(Default)]
struct AsfReader {
    /// The line being read, counted from 1.
    line: usize,
    section: String,
    drafts: Vec<BoneDraft>,
    /// `true` if angles in the file are radians.
    radians: bool,
    /// The root's angles and the order of its axes, which are on different lines of the file.
    root: (Vector3<f64>, String),
    /// Children by parent, in the order of the file.
    below: HashMap<String, BoneChildren>,
}

/// The children of a bone, and the line that names the last of them.
#[derive(Default)]
struct BoneChildren {
    children: Vec<String>,
    line: usize,
}

impl AsfReader {
    fn read_line(&mut self, words: &[&str]) -> Result<(), String> {
        let Some((&first, rest)) = words.split_first() else { return Ok(()) };
        if first.starts_with('#') {
            return Ok(());
        }
        if let Some(section) = first.strip_prefix(':') {
            self.section = section.to_ascii_lowercase();
            return Ok(());
        }
        match self.section.as_str() {
            "units" if first == "angle" => {
                self.radians = rest.first().is_some_and(|word| word.starts_with("rad"));
                Ok(())
            }
            "root" => self.root(first, rest),
            "bonedata" => self.bone(first, rest),
            "hierarchy" if first != "begin" && first != "end" => {
                let children = rest.iter().map(|&name| name.to_owned());
                let below = self.below.entry(first.to_owned()).or_default();
                below.children.extend(children);
                below.line = self.line;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn root(&mut self, key: &str, words: &[&str]) -> Result<(), String> {
        match key {
            "order" => self.drafts[0].degrees = degrees(words)?,
            "axis" => self.root.1 = words.first().copied().unwrap_or_default().to_owned(),
            "position" => self.drafts[0].position = three(words)?,
            "orientation" => self.root.0 = three(words)?,
            _ => {}
        }
        self.drafts[0].axes = self.axes(self.root.0, &self.root.1)?;
        Ok(())
    }

    fn bone(&mut self, key: &str, words: &[&str]) -> Result<(), String> {
        if key == "begin" {
            self.drafts.push(BoneDraft::new("", self.line));
            return Ok(());
        }
        let axes = match (key, words) {
            ("axis", [x, y, z, order]) => Some(self.axes(three(&[x, y, z])?, order)?),
            ("axis", _) => return Err("an axis needs three angles and an order".to_owned()),
            _ => None,
        };
        let bones = self.drafts.len();
        let Some(draft) = self.drafts.last_mut().filter(|_| bones > 1) else {
            return Err(format!("'{key}' occurs before the first bone"));
        };
        match key {
            "name" => draft.name = words.join(" "),
            "direction" => draft.direction = three(words)?,
            "length" => {
                let length = words.first().and_then(|word| number(word));
                draft.length = length.ok_or("the length is not a number")?;
            }
            "axis" => draft.axes = axes.unwrap_or_default(),
            "dof" => draft.degrees = degrees(words)?,
            _ => {}
        }
        Ok(())
    }

    /// A rotation about the axes of the skeleton's global frame, in the order of the letters.
    fn axes(&self, angles: Vector3<f64>, order: &str) -> Result<UnitQuaternion<f64>, String> {
        let unit = if self.radians { 1.0_f64.to_degrees() } else { 1.0 };
        let mut axes = UnitQuaternion::identity();
        for letter in order.chars() {
            let axis = axis(letter).ok_or_else(|| format!("'{letter}' is not an axis"))?;
            axes = axis_rotation(axis, angles[axis] * unit) * axes;
        }
        Ok(axes)
    }

    /// Returns the bones, depth first from the root.
    fn body(mut self) -> Result<AsfSkeleton, String> {
        let mut drafts = HashMap::new();
        for draft in self.drafts {
            let line = draft.line;
            if let Some(twice) = drafts.insert(draft.name.clone(), draft) {
                return Err(format!("line {line}: two bones are called '{}'", twice.name));
            }
        }
        let mut bones: Vec<AsfBone> = Vec::new();
        let mut waiting = vec![("root".to_owned(), None, 1)];
        while let Some((name, parent, line)) = waiting.pop() {
            let draft = drafts.remove(&name).ok_or_else(|| {
                format!(
                    "line {line}: bone '{name}' is missing, or is listed twice in the hierarchy"
                )
            })?;
            let offset = parent.map_or(draft.position, |parent: usize| bones[parent].end);
            let (rotations, positions) = (Vec::new(), Vec::new());
            let recorded = Bone { name: name.clone(), parent, offset, rotations, positions };
            let end = draft.direction * draft.length;
            let own = Some(bones.len());
            bones.push(AsfBone { recorded, axes: draft.axes, degrees: draft.degrees, end });
            let BoneChildren { children, line } = self.below.remove(&name).unwrap_or_default();
            waiting.extend(children.into_iter().rev().map(|child| (child, own, line)));
        }
        match drafts.values().min_by_key(|draft| draft.line) {
            Some(BoneDraft { name, line, .. }) => {
                Err(format!("line {line}: bone '{name}' has no parent"))
            }
            None => Ok(AsfSkeleton { bones }),
        }
    }
}

fn three(words: &[&str]) -> Result<Vector3<f64>, String> {
    let numbers: Option<Vec<f64>> = words.iter().map(|word| number(word)).collect();
    let numbers = numbers.and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
    numbers.map(Vector3::from).ok_or_else(|| "not three numbers".to_owned())
}

fn degrees(words: &[&str]) -> Result<Vec<DegreeOfFreedom>, String> {
    let degree = |word: &&str| {
        let mut letters = word.chars().map(|letter| letter.to_ascii_lowercase());
        match (letters.next(), letters.next().and_then(axis), letters.next()) {
            (Some('t'), Some(axis), None) => Ok(DegreeOfFreedom::Translation(axis)),
            (Some('r'), Some(axis), None) => Ok(DegreeOfFreedom::Rotation(axis)),
            _ => Err(format!("the degree of freedom '{word}' is not supported")),
        }
    };
    words.iter().map(degree).collect()
}
