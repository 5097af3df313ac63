//! Root boxes of a model's parts as structure of arrays, in f32: the input for placing many parts
//! at once.

use super::{Part, PartId};
use crate::broad_phase::{BLOCK, MAX_F32_DISTANCE, PartBox16, part_at_slot};
use crate::narrow_phase::{PosedRoot, RootTraits};
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::sat::prefilter::{PartBox, PosedBox};
use crate::shape::Pose;

/// The root boxes of a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct RootBoxes {
    /// The boxes in blocks, in the order of the world boxes.
    pub blocks: Vec<PartBox16>,
    /// The boxes part by part, and their properties.
    roots: Vec<PartBox>,
    traits: Vec<RootTraits>,
}

/// Least radius, except 0, at which single precision is used; also the least size of boxes for the
/// SAT prefilter. Products of smaller numbers underflow. Units.
const MIN_F32_RADIUS: f64 = 1e-20;

impl RootBoxes {
    /// The heap memory in bytes.
    pub fn bytes(&self) -> usize {
        let blocks = size_of_val(&self.blocks[..]);
        blocks + size_of_val(&self.roots[..]) + size_of_val(&self.traits[..])
    }

    /// Builds the boxes, in the `order` of [`part_at_slot`]; `None` for parts that require double
    /// precision.
    pub fn new<T: Scalar>(parts: &[Part<T>], order: &[u32]) -> Option<Self> {
        let mut roots = RootBoxes {
            blocks: vec![PartBox16::EMPTY; parts.len().div_ceil(BLOCK)],
            roots: vec![PartBox::UNDECIDED; parts.len()],
            traits: vec![RootTraits::default(); parts.len()],
        };
        for at in 0..parts.len() {
            let index = part_at_slot(order, at);
            let Some(tree) = &parts[index].tree else { continue };
            let (center, half) = tree.root_box();
            let sum = |v: Vec3| v[0].abs() + v[1].abs() + v[2].abs();
            let radius = (sum(center) + sum(half)) * (1.0 + 1e-6);
            if radius != 0.0 && !(MIN_F32_RADIUS..=MAX_F32_DISTANCE).contains(&radius) {
                return None;
            }
            let (block, lane) = (&mut roots.blocks[at / BLOCK], at % BLOCK);
            for i in 0..3 {
                block.center[i][lane] = center[i] as f32;
                block.half[i][lane] = half[i] as f32;
            }
            block.radius_about_origin[lane] = radius as f32;
            block.geometry_mask |= 1 << lane;
            let size = match sum(half) >= MIN_F32_RADIUS {
                true => (sum(half) + T::REACH_SHARE * tree.radius_about_origin().wide()) as f32,
                false => f32::INFINITY,
            };
            let single = |v: Vec3| v.map(|x| x as f32);
            roots.roots[index] = PartBox::new(single(center), single(half), size);
            roots.traits[index] = RootTraits {
                box_is_geometry: tree.box_is_geometry(),
                ..RootTraits::from_tree(tree)
            };
        }
        Some(roots)
    }

    /// Returns a part's root box with its pose, for the SAT prefilter.
    #[inline]
    pub fn posed_root<'a, T: Scalar>(
        &'a self,
        part: PartId,
        poses: &'a [Pose<T>],
    ) -> PosedRoot<'a, T> {
        let index = part.index();
        let posed = PosedBox { aligned_box: &self.roots[index], pose: &poses[index] };
        PosedRoot { posed, traits: self.traits[index] }
    }
}
