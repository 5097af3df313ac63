//! Boxes around bones: a character made only of joints and their motion.

use std::sync::Arc;

use nalgebra::{Matrix3, Point3, Vector3};

use super::Recording;
use crate::error::Error;
use crate::load::Loaded;
use crate::model::Model;
use crate::num::{Scalar, check_coordinates, check_size, precompiled};
use crate::shape::Obb;
use crate::tree::{Build, Geometry};

/// Thickness of the boxes around the bones of a recorded motion, see [`Recording::character`].
/// Lengths are the motion's, including its scale.
///
/// ```
/// use boxwood::load::BoneBoxes;
///
/// let boxes = BoneBoxes::default().share(0.2).named("spine", 0.12);
/// assert_eq!((boxes.share, boxes.named.len(), boxes.ignore_neighbours), (0.2, 1, 2));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BoneBoxes {
    /// Half the thickness of a bone as a share of its length; 0.15 by default, as of a man's thigh
    /// and upper arm.
    pub share: f64,
    /// Least half thickness, as a share of the longest bone; 0.05 by default. For hands and feet,
    /// whose bones are short.
    pub least: f64,
    /// Half the thickness of the bones that begin at joints of given names, as a length: for
    /// trunks, whose bones are short and many.
    pub named: Vec<(String, f64)>,
    /// Number of joints within which bones are not tested, as they overlap at joints; 2 by default.
    pub ignore_neighbours: usize,
    /// The build of the trees.
    pub build: Build,
}

impl Default for BoneBoxes {
    fn default() -> Self {
        let (share, least, named, ignore_neighbours) = (0.15, 0.05, Vec::new(), 2);
        BoneBoxes { share, least, named, ignore_neighbours, build: Build::default() }
    }
}

impl BoneBoxes {
    /// Sets half the thickness of a bone as a [share of its length](BoneBoxes::share).
    pub fn share(mut self, share: impl Into<f64>) -> Self {
        self.share = share.into();
        self
    }

    /// Sets the least half thickness as a [share of the longest bone](BoneBoxes::least).
    pub fn least(mut self, least: impl Into<f64>) -> Self {
        self.least = least.into();
        self
    }

    /// Adds half the thickness of the bones that begin at the joint of a [name](BoneBoxes::named).
    pub fn named(mut self, joint: impl Into<String>, half_thickness: impl Into<f64>) -> Self {
        self.named.push((joint.into(), half_thickness.into()));
        self
    }

    /// Sets the [number of joints](BoneBoxes::ignore_neighbours) within which bones are not tested
    /// against each other.
    pub fn ignore_neighbours(mut self, hops: usize) -> Self {
        self.ignore_neighbours = hops;
        self
    }

    /// Sets the build of the trees.
    pub fn build(mut self, build: Build) -> Self {
        self.build = build;
        self
    }
}

precompiled! {
    fn with_bone_boxes<'a, T>(
        recording: &'a Recording<T>,
        boxes: &'a BoneBoxes,
    ) -> Result<Loaded<T>, Error> {
        recording.with_bone_boxes(boxes)
    }
}

impl<T: Scalar> Recording<T> {
    /// Returns a character with the proportions of the recorded one: a box along every bone, as
    /// long as the bone and as thick as `options` specify. Part `i` moves with joint `i` and has
    /// its name; it contains the bones that begin there, to each child joint and to the joint's
    /// end. Joints without a bone of positive length are parts without geometry.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Negative`] or [`Error::OutOfRange`] for a thickness,
    /// [`Error::UnknownName`] for a named joint, [`Error::IndexOutOfRange`] for an end without its
    /// joint; the errors of a box, in [`Error::Part`].
    pub fn character(&self, options: &BoneBoxes) -> Result<Loaded<T>, Error> {
        with_bone_boxes(self, options)
    }

    fn with_bone_boxes(&self, options: &BoneBoxes) -> Result<Loaded<T>, Error> {
        let bones = self.bones()?;
        let thickness = Thickness::new(self, options, &bones)?;
        let joints = self.skeleton.joints();
        let mut builder = Model::builder().ignore_neighbours(options.ignore_neighbours);
        for (index, pose) in self.skeleton.rest_poses().into_iter().enumerate() {
            let joint = &joints[index];
            let boxes = bones[index].iter().map(|bone| bone_box(bone, thickness.half(index, bone)));
            let boxes: Vec<Obb<T>> =
                boxes.collect::<Result<_, _>>().map_err(|error| error.in_part(&joint.name))?;
            let geometry = if boxes.is_empty() { Geometry::None } else { Geometry::Boxes(boxes) };
            let parent = joint.parent.map(|parent| joints[parent].name.as_str());
            builder = builder.part(joint.name.as_str(), parent, geometry).bind(pose);
        }
        Ok(Loaded {
            model: builder.build(&options.build)?,
            skeleton: Arc::clone(&self.skeleton),
            nodes: Vec::new(),
            clips: self.clips.clone(),
            skin: None,
            warnings: self.warnings.clone(),
        })
    }

    /// The end points of the bones that begin at each joint, in its frame.
    fn bones(&self) -> Result<Vec<Vec<Vector3<f64>>>, Error> {
        let joints = self.skeleton.joints();
        let below = joints.iter().filter_map(|joint| Some((joint.parent?, joint.rest.translation)));
        let mut bones = vec![Vec::new(); joints.len()];
        for (index, (target, end)) in below.chain(self.ends.iter().copied()).enumerate() {
            check_coordinates(end.as_slice(), "end of bone", index)?;
            let end = end.map(T::wide);
            let len = bones.len();
            let own: &mut Vec<Vector3<f64>> = bones
                .get_mut(target)
                .ok_or(Error::IndexOutOfRange { field: "end of bone", index, target, len })?;
            // One bone suffices if several joints begin at one position.
            if end.norm() > 0.0 && !own.contains(&end) {
                own.push(end);
            }
        }
        Ok(bones)
    }
}

/// The thickness of each bone.
struct Thickness {
    share: f64,
    least: f64,
    /// Half the thickness by joint, if given.
    named: Vec<Option<f64>>,
}

impl Thickness {
    fn new<T: Scalar>(
        motion: &Recording<T>,
        options: &BoneBoxes,
        bones: &[Vec<Vector3<f64>>],
    ) -> Result<Self, Error> {
        check_size(options.share, "thickness of bones")?;
        check_size(options.least, "least thickness of bones")?;
        let mut named = vec![None; bones.len()];
        for (name, half) in &options.named {
            check_size(*half, "thickness").map_err(|error| error.in_part(name))?;
            let joint = motion.skeleton.find(name);
            let names = motion.skeleton.joints().iter().map(|joint| &*joint.name);
            let joint = joint.ok_or_else(|| Error::unknown_name("joint", name, names))?;
            named[joint] = Some(*half);
        }
        let longest = bones.iter().flatten().map(|bone| bone.norm()).fold(0.0, f64::max);
        Ok(Thickness { share: options.share, least: options.least * longest, named })
    }

    fn half(&self, joint: usize, bone: &Vector3<f64>) -> f64 {
        self.named[joint].unwrap_or_else(|| (self.share * bone.norm()).max(self.least))
    }
}

/// Returns the box from the origin to the end of a bone, with its first axis along the bone.
fn bone_box<T: Scalar>(bone: &Vector3<f64>, half: f64) -> Result<Obb<T>, Error> {
    let along = bone.normalize();
    let mut beside = Vector3::zeros();
    beside[along.iamin()] = 1.0;
    let side = along.cross(&beside).normalize();
    let axes = Matrix3::from_columns(&[along, side, along.cross(&side)]);
    let halves = Vector3::new(0.5 * bone.norm(), half, half);
    Obb::new(
        Point3::from((bone * 0.5).map(T::nearest)),
        axes.map(T::nearest),
        halves.map(T::at_least),
    )
}
