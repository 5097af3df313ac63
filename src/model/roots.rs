//! The root boxes of a model's parts as structure of arrays, in f32: the input for placing many
//! parts at once.

use super::{Part, PartId};
use crate::broad_phase::{BLOCK, FARTHEST, PartBox16, SIDE_BY_SIDE};
use crate::narrow_phase::RootTraits;
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::sat::prefilter::{PartBox, PosedBox};
use crate::shape::Pose;

/// The root boxes of a model of at most [`SIDE_BY_SIDE`] parts.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Roots {
    pub blocks: Vec<PartBox16>,
    /// The boxes part by part.
    roots: Vec<PartBox>,
    /// A bit for each part: whether it has geometry, whether its box is aligned with its frame,
    /// whether that is its only node, and whether the box is the geometry itself.
    pub solid: u64,
    pub upright: u64,
    pub single: u64,
    /// Those whose root has a convex hull.
    pub hulled: u64,
    pub whole: u64,
}

/// Below this reach, except for points, single precision is not used, nor is the SAT prefilter on
/// smaller boxes: products underflow. Units.
const LEAST: f64 = 1e-20;

impl Roots {
    /// The heap memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.blocks[..]) + size_of_val(&self.roots[..])
    }

    /// `None` for more than [`SIDE_BY_SIDE`] parts, and for those that have to be placed in double
    /// precision.
    pub fn new<T: Scalar>(parts: &[Part<T>]) -> Option<Self> {
        if parts.len() > SIDE_BY_SIDE {
            return None;
        }
        let blocks = vec![PartBox16::NOTHING; parts.len().div_ceil(BLOCK)];
        let roots = vec![PartBox::NONE; parts.len()];
        let mut roots = Roots { blocks, roots, ..Roots::default() };
        for (index, part) in parts.iter().enumerate() {
            let Some(tree) = &part.tree else { continue };
            let (center, half) = tree.root_box();
            let sum = |v: Vec3| v[0].abs() + v[1].abs() + v[2].abs();
            let reach = (sum(center) + sum(half)) * (1.0 + 1e-6);
            if reach != 0.0 && !(LEAST..=FARTHEST).contains(&reach) {
                return None;
            }
            let block = &mut roots.blocks[index / BLOCK];
            let place = index % BLOCK;
            for i in 0..3 {
                block.center[i][place] = center[i] as f32;
                block.half[i][place] = half[i] as f32;
            }
            block.reach[place] = reach as f32;
            let size = match sum(half) >= LEAST {
                true => (sum(half) + T::REACH_SHARE * tree.reach().wide()) as f32,
                false => f32::INFINITY,
            };
            let single = |v: Vec3| v.map(|x| x as f32);
            roots.roots[index] = PartBox::new(single(center), single(half), size);
            roots.solid |= 1 << index;
            roots.upright |= u64::from(tree.is_upright()) << index;
            roots.hulled |= u64::from(tree.has_root_hull()) << index;
            roots.single |= u64::from(tree.len() == 1) << index;
            roots.whole |= u64::from(tree.is_whole()) << index;
        }
        Some(roots)
    }

    /// What holds of the roots of both parts.
    #[inline]
    pub fn traits(&self, (a, b): (PartId, PartId)) -> RootTraits {
        let both = |bits: u64| bits >> a.index() & bits >> b.index() & 1 == 1;
        RootTraits {
            single: both(self.single),
            upright: both(self.upright),
            hulled: both(self.hulled),
            whole: both(self.whole),
        }
    }

    /// A part's root box with its pose, for the SAT prefilter.
    #[inline]
    pub fn posed<'a, T: Scalar>(&'a self, part: PartId, poses: &'a [Pose<T>]) -> PosedBox<'a, T> {
        PosedBox { of_part: &self.roots[part.index()], pose: &poses[part.index()] }
    }
}
