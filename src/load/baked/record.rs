//! The serialized form of a character, and conversions in both directions.

use std::sync::Arc;

use nalgebra::Isometry3;
use serde::{Deserialize, Serialize};

use super::number::{
    Number, NumberQuad, NumberTriple, point, quad, quaternion, rotation, triple, vector,
};
use super::tree::TreeRecord;
use crate::error::Error;
use crate::load::{Loaded, Warning};
use crate::model::{CollisionGroups, Model, Part, StoredPart};
use crate::motion::{
    Clip, Clips, Interpolation, Joint, Keys, Skeleton, Skin, SkinWeight, Track, Transform,
};
use crate::num::Scalar;
use crate::tree::ObbTree;

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct CharacterRecord<T: Scalar> {
    model: ModelRecord<T>,
    joints: Vec<JointRecord<T>>,
    nodes: Vec<Option<u64>>,
    clips: Vec<ClipRecord<T>>,
    skin: Option<SkinRecord<T>>,
    warnings: Vec<Warning>,
}

/// The serialized form of a model: parts with their trees, and the rules between them.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct ModelRecord<T: Scalar> {
    parts: Vec<PartRecord<T>>,
    ignored: Vec<u64>,
    fingerprint: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct PartRecord<T: Scalar> {
    name: String,
    parent: Option<u32>,
    position: NumberTriple<T>,
    rotation: NumberQuad<T>,
    tree: Option<TreeRecord<T>>,
    memberships: u64,
    filter: u64,
    user: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct JointRecord<T: Scalar> {
    name: String,
    parent: Option<u32>,
    translation: NumberTriple<T>,
    rotation: NumberQuad<T>,
    scale: NumberTriple<T>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct ClipRecord<T: Scalar> {
    name: String,
    tracks: Vec<TrackRecord<T>>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct TrackRecord<T: Scalar> {
    joint: u32,
    interpolation: InterpolationRecord,
    times: Vec<Number<T>>,
    keys: KeysRecord<T>,
}

#[derive(Serialize, Deserialize)]
enum InterpolationRecord {
    Step,
    Linear,
    CubicSpline,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
enum KeysRecord<T: Scalar> {
    Translation(Vec<NumberTriple<T>>),
    Rotation(Vec<NumberQuad<T>>),
    Scale(Vec<NumberTriple<T>>),
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct SkinRecord<T: Scalar> {
    corners: Vec<Vec<SkinWeightRecord<T>>>,
    triangles: Vec<[u32; 3]>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct SkinWeightRecord<T: Scalar> {
    joint: u32,
    share: Number<T>,
    at: NumberTriple<T>,
}

/// Rejects a character unless it has one part per joint: part `i` moves with joint `i`.
pub(super) fn check_counts(parts: usize, joints: usize) -> Result<(), Error> {
    match parts == joints {
        true => Ok(()),
        false => Err(Error::WrongCount { field: "parts", expected: joints, found: parts }),
    }
}

/// Rejects a character unless it has one node for every joint, or none.
pub(super) fn check_nodes(nodes: usize, joints: usize) -> Result<(), Error> {
    match nodes == 0 || nodes == joints {
        true => Ok(()),
        false => Err(Error::WrongCount { field: "nodes", expected: joints, found: nodes }),
    }
}

impl<T: Scalar> CharacterRecord<T> {
    pub fn from_character(loaded: &Loaded<T>) -> Self {
        CharacterRecord {
            model: ModelRecord::from_model(&loaded.model),
            joints: loaded.skeleton.joints().iter().map(JointRecord::from_joint).collect(),
            nodes: loaded.nodes.iter().map(|node| node.map(|node| node as u64)).collect(),
            clips: loaded.clips.iter().map(ClipRecord::from_clip).collect(),
            skin: loaded.skin.as_ref().map(SkinRecord::from_skin),
            warnings: loaded.warnings.clone(),
        }
    }

    /// Restores the character.
    ///
    /// # Errors
    /// The errors of a record that does not describe a character.
    pub fn character(self) -> Result<Loaded<T>, Error> {
        check_counts(self.model.len(), self.joints.len())?;
        check_nodes(self.nodes.len(), self.joints.len())?;
        let model = self.model.model()?;
        let joints = self.joints.into_iter().map(JointRecord::joint).collect();
        let skeleton = Arc::new(Skeleton::new(joints)?);
        let clips = self.clips.into_iter().map(|clip| clip.clip(&skeleton));
        let clips = Clips::new(clips.collect::<Result<_, _>>()?)?;
        let skin = self.skin.map(|skin| skin.skin(skeleton.len())).transpose()?;
        let nodes = self.nodes.into_iter().map(|node| node.map(usize::try_from).transpose());
        let nodes = nodes.collect::<Result<_, _>>();
        let nodes =
            nodes.map_err(|_| Error::BadQuery { reason: "the index of a node is too large" })?;
        Ok(Loaded { model, skeleton, nodes, clips, skin, warnings: self.warnings })
    }
}

impl<T: Scalar> ModelRecord<T> {
    pub fn from_model(model: &Model<T>) -> Self {
        ModelRecord {
            parts: model.parts().iter().map(PartRecord::from_part).collect(),
            ignored: model.rule_words(),
            fingerprint: model.fingerprint(),
        }
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Restores the model.
    ///
    /// # Errors
    /// The errors of a record that does not describe a model.
    pub fn model(self) -> Result<Arc<Model<T>>, Error> {
        let parts = self.parts.into_iter().map(PartRecord::part).collect::<Result<_, _>>()?;
        let model = Model::assembled(parts, self.ignored)?;
        match model.fingerprint() == self.fingerprint {
            true => Ok(model),
            false => Err(Error::BadQuery { reason: "the fingerprint does not match the model" }),
        }
    }
}

impl<T: Scalar> PartRecord<T> {
    fn from_part(part: &Part<T>) -> Self {
        PartRecord {
            name: part.name().to_owned(),
            parent: part.parent().map(|parent| parent.index() as u32),
            position: triple(&part.bind().translation.vector),
            rotation: quad(&part.bind().rotation),
            tree: part.tree().map(|tree| TreeRecord::from_tree(&tree.to_compact())),
            memberships: part.groups().memberships,
            filter: part.groups().filter,
            user: part.user(),
        }
    }

    fn part(self) -> Result<StoredPart<T>, Error> {
        let restored = |tree: TreeRecord<T>| ObbTree::from_compact(tree.compact()?);
        let tree =
            self.tree.map(restored).transpose().map_err(|error| error.in_part(&self.name))?;
        let bind = Isometry3::from_parts(vector(&self.position).into(), rotation(&self.rotation));
        let parent = self.parent.map(|parent| parent as usize);
        let groups = CollisionGroups { memberships: self.memberships, filter: self.filter };
        Ok(StoredPart { name: self.name, parent, bind, tree, groups, user: self.user })
    }
}

impl<T: Scalar> JointRecord<T> {
    fn from_joint(joint: &Joint<T>) -> Self {
        JointRecord {
            name: joint.name.clone(),
            parent: joint.parent.map(|parent| parent as u32),
            translation: triple(&joint.rest.translation),
            rotation: quad(&joint.rest.rotation),
            scale: triple(&joint.rest.scale),
        }
    }

    fn joint(self) -> Joint<T> {
        let rest = Transform {
            translation: vector(&self.translation),
            rotation: rotation(&self.rotation),
            scale: vector(&self.scale),
        };
        Joint { name: self.name, parent: self.parent.map(|parent| parent as usize), rest }
    }
}

impl<T: Scalar> ClipRecord<T> {
    fn from_clip(clip: &Clip<T>) -> Self {
        let tracks = clip.tracks().iter().map(TrackRecord::from_track).collect();
        ClipRecord { name: clip.name().to_owned(), tracks }
    }

    fn clip(self, skeleton: &Arc<Skeleton<T>>) -> Result<Clip<T>, Error> {
        let tracks = self.tracks.into_iter().map(TrackRecord::track);
        Clip::new(self.name, skeleton, tracks.collect::<Result<_, _>>()?)
    }
}

impl<T: Scalar> TrackRecord<T> {
    fn from_track(track: &Track<T>) -> Self {
        TrackRecord {
            joint: track.joint() as u32,
            interpolation: match track.interpolation() {
                Interpolation::Step => InterpolationRecord::Step,
                Interpolation::Linear => InterpolationRecord::Linear,
                Interpolation::CubicSpline => InterpolationRecord::CubicSpline,
            },
            times: track.times().iter().copied().map(Number).collect(),
            keys: match track.keys() {
                Keys::Translation(v) => KeysRecord::Translation(v.iter().map(triple).collect()),
                Keys::Rotation(v) => KeysRecord::Rotation(v.iter().map(quad).collect()),
                Keys::Scale(v) => KeysRecord::Scale(v.iter().map(triple).collect()),
            },
        }
    }

    fn track(self) -> Result<Track<T>, Error> {
        let times = self.times.into_iter().map(|Number(time)| time).collect();
        let interpolation = match self.interpolation {
            InterpolationRecord::Step => Interpolation::Step,
            InterpolationRecord::Linear => Interpolation::Linear,
            InterpolationRecord::CubicSpline => Interpolation::CubicSpline,
        };
        let keys = match self.keys {
            KeysRecord::Translation(v) => Keys::Translation(v.iter().map(vector).collect()),
            KeysRecord::Rotation(v) => Keys::Rotation(v.iter().map(quaternion).collect()),
            KeysRecord::Scale(v) => Keys::Scale(v.iter().map(vector).collect()),
        };
        Track::new(self.joint as usize, times, keys, interpolation)
    }
}

impl<T: Scalar> SkinWeightRecord<T> {
    fn from_weight(weight: &SkinWeight<T>) -> Self {
        let SkinWeight { joint, share, at } = weight;
        SkinWeightRecord { joint: *joint as u32, share: Number(*share), at: triple(&at.coords) }
    }
}

impl<T: Scalar> SkinRecord<T> {
    fn from_skin(skin: &Skin<T>) -> Self {
        let corner =
            |corner: &[SkinWeight<T>]| corner.iter().map(SkinWeightRecord::from_weight).collect();
        let triangles = skin.triangles().to_vec();
        SkinRecord { corners: skin.corners().map(corner).collect(), triangles }
    }

    /// Restores the skin.
    ///
    /// # Errors
    /// The errors of [`Skin`], and of a weight of a joint beyond `joints`.
    fn skin(self, joints: usize) -> Result<Skin<T>, Error> {
        let weight = |own: SkinWeightRecord<T>| SkinWeight {
            joint: own.joint as usize,
            share: own.share.0,
            at: point(&own.at),
        };
        let corners = self.corners.into_iter();
        let corners = corners.map(|corner| corner.into_iter().map(weight).collect());
        let skin = Skin::new(corners)?.with_triangles(self.triangles)?;
        match skin.last_joint() {
            Some(target) if target >= joints => {
                Err(Error::IndexOutOfRange { field: "skin", index: 0, target, len: joints })
            }
            _ => Ok(skin),
        }
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    /// A warning of every variant, and its bytes: the index of the variant, then the fields.
    fn warnings() -> Vec<(Warning, &'static [u8])> {
        let [a, b] = [|| "a".to_owned(), || "b".to_owned()];
        let pair = || vec![(a(), b())];
        let parts = || vec![a(), b()];
        vec![
            (Warning::Shear { joint: a() }, b"\x00\x01a"),
            (Warning::NonUniformScale { joints: parts(), percent: 7 }, b"\x01\x02\x01a\x01b\x07"),
            (Warning::AnimatedScale { joints: pair(), percent: 7 }, b"\x02\x01\x01a\x01b\x07"),
            (Warning::Stretched { parts: pair(), percent: 7 }, b"\x03\x01\x01a\x01b\x07"),
            (Warning::OutsideSkin { parts: parts(), percent: 7 }, b"\x04\x02\x01a\x01b\x07"),
            (Warning::WeightSum { mesh: a(), vertices: 7 }, b"\x05\x01a\x07"),
            (Warning::NoWeight { mesh: a(), vertices: 7 }, b"\x06\x01a\x07"),
            (Warning::NoSkinning { mesh: a() }, b"\x07\x01a"),
            (Warning::NotTriangles { mesh: a() }, b"\x08\x01a"),
            (Warning::MorphTargets { mesh: a() }, b"\x09\x01a"),
            (Warning::StrayTrack { clip: a(), node: 7 }, b"\x0a\x01a\x07"),
            (Warning::RepeatedTrack { clip: a(), joint: b() }, b"\x0b\x01a\x01b"),
            (Warning::Capped { mesh: a(), edges: 7 }, b"\x0c\x01a\x07"),
            (Warning::NoCollision { link: a() }, b"\x0d\x01a"),
            (Warning::FixedJoint { joint: a() }, b"\x0e\x01a"),
            (Warning::StrayPair { a: a(), b: b() }, b"\x0f\x01a\x01b"),
            (Warning::StrayLink { link: a() }, b"\x10\x01a"),
            (Warning::RigidPair { a: a(), b: b() }, b"\x11\x01a\x01b"),
            (Warning::ExtraRows { rows: 7 }, b"\x12\x07"),
            (Warning::Endless { shape: a() }, b"\x13\x01a"),
            (Warning::Unread { element: a(), name: b() }, b"\x14\x01a\x01b"),
            (Warning::Skipped { file: a(), element: b(), count: 7 }, b"\x15\x01a\x01b\x07"),
            (Warning::MixedGroups { body: a() }, b"\x16\x01a"),
            (
                Warning::Unknown { file: a(), parent: b(), name: a(), count: 7 },
                b"\x17\x01a\x01b\x01a\x07",
            ),
            (Warning::MocapBody { body: a() }, b"\x18\x01a"),
            (Warning::Uncoupled { joint: a() }, b"\x19\x01a"),
            (Warning::NoLimits { joint: a() }, b"\x1a\x01a"),
            (Warning::ContactsDisabled { flag: a() }, b"\x1b\x01a"),
            (Warning::WidePair { a: a(), b: b() }, b"\x1c\x01a\x01b"),
        ]
    }

    /// New variants get a row at the end. Any other change of this table requires a new format
    /// version.
    pub fn warning_indices_are_pinned() {
        for (warning, bytes) in warnings() {
            assert_eq!(postcard::to_allocvec(&warning).expect("bytes"), bytes, "{warning:?}");
            assert_eq!(postcard::from_bytes::<Warning>(bytes), Ok(warning));
        }
    }

    pub fn warnings_of_a_later_boxwood_are_refused() {
        for index in [0x7f_u8, 0xfe] {
            assert!(postcard::from_bytes::<Warning>(&[index, 1, b'a']).is_err(), "{index}");
        }
    }
}
