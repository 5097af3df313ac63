//! The root boxes of a model's parts side by side in single precision: what placing many parts at once starts from.

use super::rows::BLOCK;
use super::{Part, PartId};
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::pair::glance::{Posed, Upright};
use crate::shape::Pose;
use crate::tree::{Accuracy, Coarsest};

/// Boxes along the frames of their parts, number by number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RootBlock {
    pub center: [[f32; BLOCK]; 3],
    pub half: [[f32; BLOCK]; 3],
    /// How far from the part's origin the box comes, along the coordinates; or a little more.
    pub reach: [f32; BLOCK],
}

/// The root boxes of a model of at most [`SIDE_BY_SIDE`] parts.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Roots {
    pub blocks: Vec<RootBlock>,
    /// Part by part.
    roots: Vec<Upright>,
    /// A bit for each part: whether it has geometry, whether its box stands along its frame, whether that is all there is, and
    /// whether it is the geometry itself.
    pub solid: u64,
    pub upright: u64,
    pub single: u64,
    pub whole: u64,
    /// Of each part that is one box along its frame what its bound, and the share of its size that counts as touching, add up to, and which it
    /// is: the loosest first. Units.
    pub loosest: Vec<(f64, usize)>,
    /// How far any point of them is from its part's origin. Units.
    pub reach: f64,
}

/// Parts of one model that are compared side by side, at most: a bit for each.
pub(crate) const SIDE_BY_SIDE: usize = u64::BITS as usize;

/// Further out single precision places nothing, nor what reaches so far: products overflow. Units.
pub(crate) const FARTHEST: f64 = 1e15;

/// Nor what does not reach as far as this, unless it is a point; and no glance looks at boxes smaller than this: products underflow. Units.
const LEAST: f64 = 1e-20;

const NOTHING: RootBlock =
    RootBlock { center: [[0.0; BLOCK]; 3], half: [[0.0; BLOCK]; 3], reach: [0.0; BLOCK] };

impl Roots {
    /// How many bytes it holds beside itself.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.blocks[..])
            + size_of_val(&self.roots[..])
            + size_of_val(&self.loosest[..])
    }

    /// `None` for more than [`SIDE_BY_SIDE`] parts, and for those that have to be placed in double precision.
    pub fn new<T: Scalar>(parts: &[Part<T>]) -> Option<Self> {
        if parts.len() > SIDE_BY_SIDE {
            return None;
        }
        let blocks = vec![NOTHING; parts.len().div_ceil(BLOCK)];
        let roots = vec![Upright::NONE; parts.len()];
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
            roots.roots[index] = Upright::new(single(center), single(half), size);
            roots.solid |= 1 << index;
            roots.upright |= u64::from(tree.is_upright()) << index;
            roots.single |= u64::from(tree.len() == 1) << index;
            roots.whole |= u64::from(tree.is_whole()) << index;
            if let Some((_, Coarsest { bound, radius })) = tree.only_box() {
                roots.loosest.push((bound + T::LEAF_SLACK * radius, index));
                roots.reach = roots.reach.max(tree.wide_reach());
            }
        }
        roots.loosest.sort_by(|a, b| b.0.total_cmp(&a.0));
        Some(roots)
    }

    /// Whether two parts touch at an accuracy if their root boxes surely do.
    pub fn tell(&self, accuracy: Accuracy, (a, b): (PartId, PartId)) -> bool {
        let both = |bits: u64| bits >> a.index() & bits >> b.index() & 1 == 1;
        both(self.upright) && accuracy.is_told_by_roots(both(self.single), both(self.whole))
    }

    /// A part's root box as a glance takes it.
    #[inline]
    pub fn posed<'a, T: Scalar>(&'a self, part: PartId, poses: &'a [Pose<T>]) -> Posed<'a, T> {
        Posed { upright: &self.roots[part.index()], pose: &poses[part.index()] }
    }
}
