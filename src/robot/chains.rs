//! Chains of links: how each link of a mechanism moves in its parent along an edge, and bounds on
//! the motion of a part seen from an ancestor.
//!
//! Along an edge every actuator changes at a constant rate, so a joint turns or slides at a
//! constant rate, too: its own, times the factor of its mimic rule. A part seen from an ancestor
//! moves by the joints between the two alone. [`ChainBounds`] adds them up.

use std::collections::BTreeMap;

use crate::motion::{JointKind, Mechanism, Mimic, unit_axis};
use crate::num::Scalar;
use crate::num::linear::{Vec3, length};
use crate::scene::ChainBounds;

/// A link of a chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChainLink {
    pub parent: Option<u32>,
    /// Length of the offset in the parent with the joint at zero.
    offset: f64,
    pub joint: Option<MovingJoint>,
}

/// A joint that moves its link.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovingJoint {
    /// Unit axis in the frame of the link.
    pub axis: Vec3,
    /// `true` for a joint that turns, `false` for one that slides.
    pub turns: bool,
    /// Rule that gives the value.
    pub rule: Mimic,
}

/// Motion of a link in its parent along an edge. Times are shares of the edge.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LinkMotion {
    /// Rate of the joint: an angle or a length over the whole edge.
    pub rate: f64,
    turn: f64,
    slide: f64,
    /// Largest length of the offset in the parent.
    reach: f64,
    /// Errors of angle and length, from the rounding of values.
    angle_error: f64,
    slide_error: f64,
}

/// Share by which a value of a joint may be off after the rounding of a mix of two values and of a
/// mimic rule.
const VALUE_ERROR: f64 = 8.0 * f64::EPSILON;

/// Share by which velocities of links in the world may be off, relative to the whole chain.
const TWIST_ERROR: f64 = 1.0 / (1u64 << 44) as f64;

/// Returns the links of a mechanism, parents first.
pub(super) fn chain_links(mechanism: &Mechanism) -> Vec<ChainLink> {
    let link = |link: &crate::motion::Link| ChainLink {
        parent: link.parent.map(|parent| parent as u32),
        offset: length(link.origin.translation.vector.into()),
        joint: match link.joint {
            JointKind::Fixed => None,
            JointKind::Revolute { axis, mimic } => {
                Some(MovingJoint { axis: unit_axis(axis.into()), turns: true, rule: mimic })
            }
            JointKind::Prismatic { axis, mimic } => {
                Some(MovingJoint { axis: unit_axis(axis.into()), turns: false, rule: mimic })
            }
        },
    };
    mechanism.links().iter().map(link).collect()
}

impl LinkMotion {
    /// Returns the motion of a link along an edge between two configurations.
    pub fn new<T: Scalar>(link: &ChainLink, [from, to]: [&[T]; 2]) -> Self {
        let Some(MovingJoint { turns, rule, .. }) = link.joint else {
            return LinkMotion { reach: link.offset, ..LinkMotion::default() };
        };
        let [first, last] = [from, to].map(|values| values[rule.actuator].wide());
        let rate = rule.multiplier * (last - first);
        let size = first.abs().max(last.abs()) * rule.multiplier.abs();
        // The difference of two values is rounded, and so is its product.
        let speed = rate.abs() * (1.0 + 1e-6) + VALUE_ERROR * size;
        // Samples are rounded to the stored type.
        let error = (2.0 * T::ROUNDING + VALUE_ERROR) * size + VALUE_ERROR * rule.offset.abs();
        match turns {
            true => LinkMotion {
                rate,
                turn: speed,
                reach: link.offset,
                angle_error: error,
                ..LinkMotion::default()
            },
            false => LinkMotion {
                rate,
                slide: speed,
                reach: link.offset + size + rule.offset.abs(),
                slide_error: error,
                ..LinkMotion::default()
            },
        }
    }

    /// Returns bounds on the motion of the link, given those of its parent.
    fn added_to(&self, parent: &ChainBounds) -> ChainBounds {
        parent.with_joint(self.turn, self.slide, self.reach)
    }
}

/// The chains that pairs of parts need: links seen from an ancestor. Chains to one ancestor share
/// their upper links, so that their bounds are computed once an edge, each from the one above.
#[derive(Debug, Clone, Default)]
pub(super) struct ChainTable {
    /// Each chain behind those of its upper links.
    chains: Vec<Chain>,
    /// Index of each chain, by ancestor and last link.
    indices: BTreeMap<(Option<u32>, u32), u32>,
}

#[derive(Debug, Clone, Copy)]
struct Chain {
    /// The last link.
    link: u32,
    /// Index of the chain without it; `None` for a chain of one link.
    above: Option<u32>,
}

impl ChainTable {
    /// Adds the chain from an ancestor, or the world, to a link, and returns its index; `None` for
    /// the ancestor itself, which does not move.
    pub fn add(&mut self, links: &[ChainLink], (base, link): (Option<u32>, u32)) -> Option<u32> {
        let (mut missing, mut next, mut above) = (Vec::new(), Some(link), None);
        while let Some(link) = next.filter(|_| next != base) {
            above = self.indices.get(&(base, link)).copied();
            if above.is_some() {
                break;
            }
            missing.push(link);
            next = links[link as usize].parent;
        }
        for link in missing.into_iter().rev() {
            let index = self.chains.len() as u32;
            self.indices.insert((base, link), index);
            self.chains.push(Chain { link, above });
            above = Some(index);
        }
        above
    }

    /// Computes bounds on the motion of the last link of each chain, seen from the ancestor.
    pub fn write_bounds(&self, motions: &[LinkMotion], bounds: &mut Vec<ChainBounds>) {
        bounds.clear();
        for &Chain { link, above } in &self.chains {
            let above = above.map_or_else(ChainBounds::default, |above| bounds[above as usize]);
            bounds.push(motions[link as usize].added_to(&above));
        }
    }
}

/// Upper bounds on what the sample of a link may be off.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SampleError {
    bounds: ChainBounds,
    angle: f64,
    slide: f64,
}

impl SampleError {
    /// Returns the error of a link, given that of its parent.
    pub fn below(&self, motion: &LinkMotion) -> SampleError {
        SampleError {
            bounds: motion.added_to(&self.bounds),
            angle: self.angle + motion.angle_error,
            slide: self.slide + motion.slide_error,
        }
    }

    /// Returns bounds on the motion of the link, seen from the world.
    pub fn bounds(&self) -> &ChainBounds {
        &self.bounds
    }

    /// Returns an upper bound on the distance between where a point no further than `radius` from
    /// the origin is at a fraction of the edge, and where the pose of the sample puts it; the error
    /// of velocities over the whole edge included.
    pub fn pose_error_within<T: Scalar>(&self, radius: f64) -> f64 {
        self.bounds.error_within(radius, T::ROUNDING)
            + TWIST_ERROR * self.bounds.speed_within(radius)
            + self.angle * self.bounds.size_within(radius)
            + self.slide
    }
}
