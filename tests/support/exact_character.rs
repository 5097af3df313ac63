//! Exact intersection of whole characters: the pairs of parts that share a point.

use boxwood::PartId;
use boxwood::model::Model;
use boxwood::num::Scalar;
use boxwood::shape::Pose;

use crate::exact_parts::{ExactPair, Part, Primitive};
use crate::plain_box::{PlainBox, UPRIGHT, V, minus, norm, plus, times};
use crate::random::{Random, apply};
use crate::random_parts::{frame, put};

/// Parts of a model, with an aligned box around each in its own frame; none for joints without
/// geometry.
pub struct ExactCharacter(Vec<Option<(Part, PlainBox)>>);

/// Exact parts of a character with their poses.
pub struct Standing<'a, T: Scalar> {
    pub figure: &'a ExactCharacter,
    pub poses: &'a [Pose<T>],
}

impl ExactCharacter {
    pub fn of<T: Scalar>(model: &Model<T>) -> Self {
        let known = |tree: &boxwood::tree::ObbTree<T>| {
            let part = Part::of(tree.geometry());
            let bounds = around(&part);
            (part, bounds)
        };
        ExactCharacter(model.parts().iter().map(|part| part.tree().map(known)).collect())
    }

    /// Returns the parts that have geometry.
    pub fn solid(&self) -> Vec<usize> {
        (0..self.0.len()).filter(|&part| self.0[part].is_some()).collect()
    }
}

impl<T: Scalar> Standing<'_, T> {
    fn part(&self, index: usize) -> Option<(&Part, PlainBox)> {
        let (part, bounds) = self.figure.0[index].as_ref()?;
        Some((part, upright(bounds, &self.poses[index])))
    }

    /// Returns the aligned box around each part [world].
    fn boxes(&self) -> Vec<Option<PlainBox>> {
        (0..self.poses.len()).map(|index| Some(self.part(index)?.1)).collect()
    }

    /// Returns `true` if two parts share a point, of one character or of two.
    pub fn meet(&self, i: usize, other: &Self, j: usize) -> bool {
        let (Some(a), Some(b)) = (self.part(i), other.part(j)) else { return false };
        near(&a.1, &b.1) && ExactPair::new(a.0, &self.poses[i], b.0, &other.poses[j]).touch()
    }

    /// Returns `true` if they share a point although no primitives do: one is inside the other.
    pub fn holds(&self, i: usize, other: &Self, j: usize) -> bool {
        let (Some(a), Some(b)) = (self.part(i), other.part(j)) else { return false };
        let exact_pair = ExactPair::new(a.0, &self.poses[i], b.0, &other.poses[j]);
        exact_pair.pairs(1).is_empty() && exact_pair.inside()
    }

    /// Returns every part of this character that shares a point with one of the other, ascending.
    pub fn touching(&self, other: &Self) -> Vec<(usize, usize)> {
        self.few(other, usize::MAX)
    }

    /// Touching pairs, but at most `most`: enough to know whether there is any.
    pub fn few(&self, other: &Self, most: usize) -> Vec<(usize, usize)> {
        let (mine, others) = (self.boxes(), other.boxes());
        let all = (0..mine.len()).flat_map(|i| (0..others.len()).map(move |j| (i, j)));
        let close = all.filter(|&(i, j)| match (&mine[i], &others[j]) {
            (Some(a), Some(b)) => near(a, b),
            _ => false,
        });
        close.filter(|&(i, j)| self.meet(i, other, j)).take(most).collect()
    }

    /// Returns every two of its parts that share a point and that the model does not ignore, the
    /// lesser first, ascending.
    pub fn with_itself(&self, model: &Model<T>) -> Vec<(usize, usize)> {
        let asked = |i, j| !model.ignores(PartId::new(i), PartId::new(j));
        let all =
            (0..self.poses.len()).flat_map(|i| (i + 1..self.poses.len()).map(move |j| (i, j)));
        all.filter(|&(i, j)| asked(i, j) && self.meet(i, self, j)).collect()
    }

    /// Draws a point inside a triangle or a box of a part [world].
    pub fn spot(&self, part: usize, random: &mut Random) -> V {
        let (known, _) = self.figure.0[part].as_ref().expect("a part with geometry");
        let local = match known.primitives[random.below(known.primitives.len())] {
            Primitive::Triangle([a, b, c]) => {
                let (s, t) = (random.between(0.2, 0.8), random.between(0.2, 0.8));
                let edge = plus(times(a, 1.0 - s), times(b, s));
                plus(times(edge, 1.0 - t), times(c, t))
            }
            Primitive::Solid(block) => (0..3).fold(block.center, |p, k| {
                plus(p, times(block.axes[k], block.half[k] * random.between(-0.7, 0.7)))
            }),
        };
        put(&self.poses[part], local)
    }

    /// Returns half the diagonal of the box around a part.
    pub fn part_size(&self, part: usize) -> f64 {
        self.part(part).map_or(0.0, |(_, bounds)| norm(bounds.half))
    }

    /// Returns half the diagonal of the box around all parts.
    pub fn size(&self) -> f64 {
        let boxes: Vec<PlainBox> = self.boxes().into_iter().flatten().collect();
        let end = |k: usize, sign: f64| {
            boxes.iter().map(|b| sign * b.center[k] + b.half[k]).fold(f64::MIN, f64::max)
        };
        norm(std::array::from_fn(|k| 0.5 * (end(k, 1.0) + end(k, -1.0))))
    }
}

/// Returns the aligned box around all primitives.
fn around(part: &Part) -> PlainBox {
    let corners = |primitive: &Primitive| match primitive {
        Primitive::Triangle(corners) => corners.to_vec(),
        Primitive::Solid(block) => block.corners([0.0; 3]).to_vec(),
    };
    let points: Vec<V> = part.primitives.iter().flat_map(corners).collect();
    let end = |k: usize, sign: f64| points.iter().map(|p| sign * p[k]).fold(f64::MIN, f64::max);
    PlainBox {
        center: std::array::from_fn(|k| 0.5 * (end(k, 1.0) - end(k, -1.0))),
        axes: UPRIGHT,
        half: std::array::from_fn(|k| 0.5 * (end(k, 1.0) + end(k, -1.0))),
    }
}

/// Returns the aligned box around a box of a part [world].
fn upright<T: Scalar>(bounds: &PlainBox, pose: &Pose<T>) -> PlainBox {
    let (columns, at) = frame(pose);
    let half = (0..3).map(|k| columns[k].map(|x| x.abs() * bounds.half[k])).fold([0.0; 3], plus);
    PlainBox { center: plus(apply(&columns, bounds.center), at), axes: bounds.axes, half }
}

/// Returns `true` if two boxes of the world may share a point: generously, as these are rounded.
fn near(a: &PlainBox, b: &PlainBox) -> bool {
    let room = 1e-9 * (norm(a.center) + norm(b.center) + norm(a.half) + norm(b.half));
    let between = minus(b.center, a.center);
    (0..3).all(|k| between[k].abs() <= a.half[k] + b.half[k] + room + f64::MIN_POSITIVE)
}

compiled_here! { ExactCharacter::of; Standing: meet, holds, touching, few, with_itself, spot, part_size, size }
