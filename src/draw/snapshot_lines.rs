//! Debug lines of a snapshot of a scene, coloured by contact.

use std::collections::BTreeSet;

use super::{aabb, edges};
use crate::model::PartId;
use crate::num::Scalar;
use crate::scene::{CharacterKey, Hit, NodeRef, Snapshot};
use crate::shape::Pose;
use crate::tree::{Node, ObbTree};

/// Red, green, blue and opacity, each from 0 to 1: the colours of [`Lines::default`].
pub type Color = [f32; 4];

/// Choice between a node's two boxes.
///
/// ```
/// use boxwood::draw::{Boxes, Lines};
///
/// assert_eq!(Lines::default().boxes, Boxes::Oriented);
/// assert_eq!(Lines::default().boxes(Boxes::Aligned).boxes, Boxes::Aligned);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Boxes {
    /// The oriented box.
    #[default]
    Oriented,
    /// The box aligned with the part's frame.
    Aligned,
}

/// Elements of a snapshot to draw, each with its colour; `None` omits an element.
///
/// A colour has any type of the caller's and is passed on unchanged.
///
/// ```
/// use boxwood::draw::{Boxes, Lines};
///
/// let red = "red"; // whatever the engine calls a colour
/// let lines = Lines::none().depth(3).boxes(Boxes::Aligned).touching(red).points(red);
/// assert_eq!((lines.touching, lines.apart), (Some(red), None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Lines<C = Color> {
    /// Depth of the boxes in the trees of the parts; a leaf above it is drawn itself.
    pub depth: u8,
    /// Boxes to draw.
    pub boxes: Boxes,
    /// Colour of the world AABBs of characters.
    pub characters: Option<C>,
    /// Colour of the boxes of parts that are in no hit.
    pub apart: Option<C>,
    /// Colour of the boxes of parts that are in a hit.
    pub touching: Option<C>,
    /// Colour of the two boxes of every hit, at any depth.
    pub hits: Option<C>,
    /// Colour of a cross of three lines along the world's axes at the point of every hit.
    pub points: Option<C>,
    /// Colour of a line from the point of every hit along its normal, as long as the hit is deep,
    /// but at least half a cross.
    pub normals: Option<C>,
    /// Length of the lines of a cross [world units].
    pub cross: f32,
}

impl Default for Lines {
    /// Draws all elements but the characters, at depth 0, with crosses of 0.1.
    fn default() -> Self {
        Lines {
            apart: Some([0.16, 0.38, 0.79, 0.65]),
            touching: Some([0.82, 0.13, 0.13, 1.0]),
            hits: Some([0.55, 0.06, 0.06, 1.0]),
            points: Some([1.0, 0.82, 0.12, 1.0]),
            normals: Some([0.1, 0.6, 0.2, 1.0]),
            ..Lines::none()
        }
    }
}

impl<C> Lines<C> {
    /// Draws nothing: a start to add elements to.
    pub fn none() -> Self {
        Lines {
            depth: 0,
            boxes: Boxes::default(),
            characters: None,
            apart: None,
            touching: None,
            hits: None,
            points: None,
            normals: None,
            cross: 0.1,
        }
    }

    /// Sets the depth of the boxes in the trees.
    pub fn depth(mut self, depth: u8) -> Self {
        self.depth = depth;
        self
    }

    /// Sets the boxes to draw.
    pub fn boxes(mut self, boxes: Boxes) -> Self {
        self.boxes = boxes;
        self
    }

    /// Sets the length of the crosses [world units].
    pub fn cross(mut self, length: impl Into<f64>) -> Self {
        self.cross = f32::nearest(length.into());
        self
    }
}

/// Defines setters of the colours.
macro_rules! coloured {
    ($($(#[$doc:meta])* $field:ident;)*) => {
        impl<C> Lines<C> {$(
            $(#[$doc])*
            pub fn $field(mut self, color: C) -> Self {
                self.$field = Some(color);
                self
            }
        )*}
    };
}

coloured! {
    /// Sets the colour of the world AABBs of characters.
    characters;
    /// Sets the colour of the boxes of parts that are in no hit.
    apart;
    /// Sets the colour of the boxes of parts that are in a hit.
    touching;
    /// Sets the colour of the two boxes of every hit.
    hits;
    /// Sets the colour of the cross at the point of every hit.
    points;
    /// Sets the colour of the normal of every hit.
    normals;
}

/// Calls `line` with both ends of every line and its colour: characters, then boxes of parts apart,
/// of touching parts, of hits, then points and normals, each in the order of results. Every box is
/// twelve lines in a row. World frame and units, rounded to `f32`.
///
/// `hits` must be results from this snapshot; others are not drawn. Parts that are switched off are
/// not drawn either.
///
/// ```
/// use boxwood::{Hits, PairQuery, Snapshot, draw};
///
/// fn show(now: &Snapshot, hits: &mut Hits) -> Result<(), boxwood::Error> {
///     now.contacts(&PairQuery::all(), hits)?;
///     draw::for_each_line(now, hits, &draw::Lines::default(), |from, to, color| {
///         println!("{from:?} {to:?} {color:?}"); // or what the engine draws lines with
///     });
///     Ok(())
/// }
/// ```
pub fn for_each_line<T: Scalar, C: Copy>(
    now: &Snapshot<'_, T>,
    hits: &[Hit<T>],
    lines: &Lines<C>,
    mut line: impl FnMut([f32; 3], [f32; 3], C),
) {
    let keys = now.characters();
    if let Some(color) = lines.characters {
        let boxes = keys.clone().filter_map(|key| now.character_aabb(key).ok());
        boxes.for_each(|bounds| aabb(&bounds, |a, b| line(to_f32(a), to_f32(b), color)));
    }
    let sides = hits.iter().flat_map(|hit| [hit.a, hit.b]);
    let touching: BTreeSet<(CharacterKey, PartId)> =
        sides.map(|node| (node.character, node.part)).collect();
    for (color, of_touching) in [(lines.apart, false), (lines.touching, true)] {
        let Some(color) = color else { continue };
        for key in keys.clone() {
            for_each_part(now, key, |part, tree, pose| {
                if touching.contains(&(key, part)) == of_touching {
                    draw_cut(tree, pose, lines, |a, b| line(a, b, color));
                }
            });
        }
    }
    let known = |hit: &&Hit<T>| [hit.a, hit.b].iter().all(|&node| now.node_obb(node).is_ok());
    if let Some(color) = lines.hits {
        for NodeRef { character, part, node } in hits.iter().filter(known).flat_map(|h| [h.a, h.b])
        {
            for_each_part(now, character, |id, tree, pose| {
                if id == part {
                    draw_box(tree.node(node), pose, lines.boxes, |a, b| line(a, b, color));
                }
            });
        }
    }
    hits.iter().filter(known).for_each(|hit| draw_hit(hit, lines, &mut line));
}

/// Calls `each` for every drawn part of a character.
fn for_each_part<T: Scalar>(
    now: &Snapshot<'_, T>,
    key: CharacterKey,
    mut each: impl FnMut(PartId, &ObbTree<T>, &Pose<T>),
) {
    let (Ok(model), Ok(poses)) = (now.scene().model(key), now.scene().poses(key)) else { return };
    for (index, (part, pose)) in model.parts().iter().zip(poses).enumerate() {
        let id = PartId::new(index);
        if let (Some(tree), false) = (part.tree(), is_off(now, key, id)) {
            each(id, tree, pose);
        }
    }
}

/// Returns `true` if a part is switched off: its world box is empty.
fn is_off<T: Scalar>(now: &Snapshot<'_, T>, key: CharacterKey, part: PartId) -> bool {
    now.part_aabb(key, part).is_ok_and(|bounds| bounds.is_empty())
}

fn draw_cut<T: Scalar, C>(
    tree: &ObbTree<T>,
    pose: &Pose<T>,
    lines: &Lines<C>,
    mut line: impl FnMut([f32; 3], [f32; 3]),
) {
    for node in tree.cut(lines.depth) {
        draw_box(tree.node(node), pose, lines.boxes, &mut line);
    }
}

fn draw_box<T: Scalar>(
    node: &Node<T>,
    pose: &Pose<T>,
    boxes: Boxes,
    line: impl FnMut([f32; 3], [f32; 3]),
) {
    let corners = match boxes {
        // Valid, as the pose was checked.
        Boxes::Oriented => match node.oriented().transformed(pose) {
            Ok(placed) => placed.corners(),
            Err(_) => return,
        },
        Boxes::Aligned => node.aligned().corners().map(|corner| pose * corner),
    };
    edges(&corners.map(|corner| to_f32(corner.into())), line);
}

fn draw_hit<T: Scalar, C: Copy>(
    hit: &Hit<T>,
    lines: &Lines<C>,
    mut line: impl FnMut([f32; 3], [f32; 3], C),
) {
    let (point, half) = (to_f32(hit.point.into()), 0.5 * lines.cross);
    let moved = |by: [f32; 3]| std::array::from_fn(|i| point[i] + by[i]);
    if let Some(color) = lines.points {
        for axis in 0..3 {
            let end =
                |length: f32| moved(std::array::from_fn(|i| if i == axis { length } else { 0.0 }));
            line(end(-half), end(half), color);
        }
    }
    if let Some(color) = lines.normals {
        let length = (hit.depth.wide() as f32).max(half);
        let along = to_f32(hit.normal.into()).map(|x| x * length);
        line(point, moved(along), color);
    }
}

fn to_f32<T: Scalar>(of: [T; 3]) -> [f32; 3] {
    of.map(|x| x.wide() as f32)
}
