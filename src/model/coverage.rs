//! Coverage: how well rigid parts approximate a skin, in both directions.

use super::skin_surface::SkinSurface;
use super::{Model, Part};
use crate::error::Error;
use crate::fit::AxisBounds;
use crate::motion::{Clip, Joints, Skin, SkinWeight};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, cross, length, rotate_back, scale, sub};
use crate::shape::{Placement, Pose, WideObb};
use crate::tree::{NodeId, ObbTree};

/// Distance from a box, or from the skin, up to which a point counts as inside: skins are blended
/// in the number type of the model. As a share of the part's radius, or of the skin's size.
const SURFACE_ERROR: f64 = 1e-5;

/// Sampling of a clip.
///
/// ```
/// use boxwood::model::Frames;
///
/// let look = Frames { count: 30, depth: 3 }; // 30 moments, boxes of depth 3
/// assert_eq!(look, Frames { depth: 3, ..look });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frames {
    /// Number of frames, evenly from the clip's start to its end; one is the start.
    pub count: usize,
    /// Depth of the boxes that should contain the skin; 255 for the finest.
    pub depth: u8,
}

/// Counts of the vertices of the skin, and of those outside all boxes of the parts.
///
/// ```
/// use boxwood::model::Coverage;
///
/// let skin = Coverage { samples: 200, outside: 3, farthest: 0.002 };
/// assert_eq!(skin.share(), 0.015);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Coverage {
    /// The number of vertices, in all frames.
    pub samples: usize,
    /// The number of vertices outside.
    pub outside: usize,
    /// The largest distance of a vertex from the nearest box. Model units.
    pub farthest: f64,
}

impl Coverage {
    /// The share of vertices outside, from 0 to 1; 0 without vertices.
    pub fn share(&self) -> f64 {
        if self.samples == 0 { 0.0 } else { self.outside as f64 / self.samples as f64 }
    }

    fn add(&mut self, distance: f64) {
        self.samples += 1;
        self.outside += usize::from(distance > 0.0);
        self.farthest = self.farthest.max(distance);
    }

    /// Adds other vertices: of another frame, clip or part.
    pub fn merge(&mut self, other: &Coverage) {
        self.samples += other.samples;
        self.outside += other.outside;
        self.farthest = self.farthest.max(other.farthest);
    }
}

/// Area of the triangles of parts, and the part of it that is outside the skin.
///
/// ```
/// use boxwood::model::OutsideArea;
///
/// let mut hand = OutsideArea { area: 0.5, outside: 0.0, farthest: 0.0 };
/// hand.merge(&OutsideArea { area: 1.5, outside: 0.1, farthest: 0.02 });
/// assert_eq!((hand.share(), hand.farthest), (0.05, 0.02));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct OutsideArea {
    /// The area of all triangles, those of caps included, in all frames. Model units squared.
    pub area: f64,
    /// The area outside the skin. Model units squared.
    pub outside: f64,
    /// The largest distance of a point of the triangles from the skin. Model units.
    pub farthest: f64,
}

impl OutsideArea {
    /// The share of the area that is outside, from 0 to 1; 0 without area.
    pub fn share(&self) -> f64 {
        if self.area > 0.0 { self.outside / self.area } else { 0.0 }
    }

    fn add(&mut self, area: f64, distance: f64) {
        self.area += area;
        self.outside += if distance > 0.0 { area } else { 0.0 };
        self.farthest = self.farthest.max(distance);
    }

    /// Adds other areas: of another frame, clip or part.
    pub fn merge(&mut self, other: &OutsideArea) {
        self.area += other.area;
        self.outside += other.outside;
        self.farthest = self.farthest.max(other.farthest);
    }
}

/// The result of [`coverage`].
///
/// ```
/// use boxwood::model::{Coverage, Covered, OutsideArea};
///
/// fn worst_part(covered: &Covered) -> Option<usize> {
///     let far = |part: &usize| covered.parts[*part].farthest;
///     (0..covered.parts.len()).max_by(|a, b| far(a).total_cmp(&far(b)))
/// }
/// let part = |farthest| Coverage { samples: 10, outside: 1, farthest };
/// let parts = vec![part(0.1), part(0.2)];
/// let outside_skin = vec![OutsideArea { area: 2.0, outside: 0.1, farthest: 0.3 }];
/// let covered = Covered { all: part(0.2), parts, frames: vec![], outside_skin };
/// assert_eq!(worst_part(&covered), Some(1));
/// assert_eq!(covered.all_outside_skin().share(), 0.05);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Covered {
    /// The skin outside the parts: all vertices of the skin in all frames.
    pub all: Coverage,
    /// The skin outside the parts, by the part of the joint with the largest weight on the vertex,
    /// the first of equals.
    pub parts: Vec<Coverage>,
    /// The skin outside the parts, by frame.
    pub frames: Vec<Coverage>,
    /// The parts outside the skin, by part, in all frames; see [`parts_outside_skin`].
    pub outside_skin: Vec<OutsideArea>,
}

impl Covered {
    /// The parts outside the skin, all together.
    pub fn all_outside_skin(&self) -> OutsideArea {
        let mut all = OutsideArea::default();
        self.outside_skin.iter().for_each(|part| all.merge(part));
        all
    }
}

/// Measures how much of the skin is outside all boxes of the model, and how much of the parts is
/// outside the skin, while a clip runs. Part `i` moves with joint `i`.
///
/// # Errors
/// [`Error::WrongCount`] unless there is a part for every joint of the clip,
/// [`Error::IndexOutOfRange`] if the skin refers to a joint that does not exist.
///
/// ```
/// # #[cfg(feature = "gltf")] {
/// use boxwood::Loader;
/// use boxwood::model::{Frames, coverage};
///
/// let loader = Loader::new().keep_skin(true);
/// let fighter = loader.gltf("examples/fighter/fighter.glb")?;
/// let (skin, clip) = (fighter.skin.as_ref().expect("kept"), fighter.clips.get("jab")?);
/// let covered = coverage(&fighter.model, skin, clip, Frames { count: 5, depth: 3 })?;
/// assert_eq!(covered.frames.len(), 5);
/// println!("{} % outside, at most {}", 100.0 * covered.all.share(), covered.all.farthest);
/// println!("parts outside the skin: at most {}", covered.all_outside_skin().farthest);
/// # }
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn coverage<T: Scalar>(
    model: &Model<T>,
    skin: &Skin<T>,
    clip: &Clip<T>,
    sampling: Frames,
) -> Result<Covered, Error> {
    check_joints(model, skin, clip.skeleton().len())?;
    let found = model.len();
    let part_boxes: Vec<_> =
        (0..found).map(|part| CutBoxes::new(model, part, sampling.depth)).collect();
    let mut covered = Covered {
        all: Coverage::default(),
        parts: vec![Coverage::default(); found],
        frames: Vec::new(),
        outside_skin: vec![OutsideArea::default(); found],
    };
    let part_samples: Vec<_> = model.parts().iter().map(part_samples).collect();
    let mut surface = None;
    let mut joints = Joints::new();
    for frame in 0..sampling.count {
        let share = frame as f64 / sampling.count.saturating_sub(1).max(1) as f64;
        clip.sample(T::nearest(clip.duration().wide() * share), &mut joints)?;
        let placements: Vec<_> = joints.poses().iter().map(Placement::new).collect();
        let mut of_frame = Coverage::default();
        for corner in skin.corners() {
            let (point, dominant) = (joints.skinned(corner).into(), dominant_joint(corner));
            let distance = distance_outside(&part_boxes, &placements, point, dominant);
            covered.parts[dominant].add(distance);
            of_frame.add(distance);
        }
        covered.all.merge(&of_frame);
        covered.frames.push(of_frame);
        let surface = match &mut surface {
            None => surface.insert(SkinSurface::new(skin, &joints)),
            Some(surface) => {
                surface.pose(skin, &joints);
                surface
            }
        };
        let parts = part_samples.iter().zip(joints.poses()).zip(&mut covered.outside_skin);
        parts
            .for_each(|((samples, pose), found)| add_outside(samples, (surface, pose), 0.0, found));
    }
    Ok(covered)
}

/// Measures how far each part is out of the skin, in the pose last set in `joints`: parts touch
/// there what the character does not. Part `i` moves with joint `i`.
///
/// Samples are the corners and the centroids of all triangles of a part, with those of
/// [caps](crate::Mesh::capped) over holes; each represents a quarter of the area of its triangles.
/// Parts that consist of boxes have no samples, and without triangles of the skin no part has. A
/// sample is outside if most rays from it do not end inside the skin, whose holes count as capped
/// like those of parts, and if it is farther than `near` from the nearest triangle; a small `near`
/// takes longer.
///
/// # Errors
/// [`Error::WrongCount`] unless there is a part for every joint, [`Error::IndexOutOfRange`] if the
/// skin refers to a joint that does not exist.
///
/// ```
/// # #[cfg(feature = "gltf")] {
/// use boxwood::Loader;
/// use boxwood::model::parts_outside_skin;
///
/// let fighter = Loader::new().keep_skin(true).gltf("examples/fighter/fighter.glb")?;
/// let (skin, skeleton) = (fighter.skin.as_ref().expect("kept"), &fighter.skeleton);
/// let rest: Vec<_> = skeleton.joints().iter().map(|joint| joint.rest).collect();
/// let mut joints = boxwood::motion::Joints::new();
/// skeleton.poses(&rest, &mut joints)?;
/// let parts = parts_outside_skin(&fighter.model, skin, &joints, 0.0)?;
/// assert_eq!(parts.len(), fighter.model.len());
/// assert!(parts.iter().all(|part| part.farthest < 0.05)); // metres
/// # }
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn parts_outside_skin<T: Scalar>(
    model: &Model<T>,
    skin: &Skin<T>,
    joints: &Joints<T>,
    near: impl Into<f64>,
) -> Result<Vec<OutsideArea>, Error> {
    let near = near.into();
    check_joints(model, skin, joints.poses().len())?;
    let surface = SkinSurface::new(skin, joints);
    let parts = model.parts().iter().zip(joints.poses());
    Ok(parts.map(|(part, pose)| part_outside(part, &surface, pose, near)).collect())
}

/// Measures how far a part is out of a skin, like [`parts_outside_skin`]; the surface is already in
/// the pose of the part.
pub(crate) fn part_outside<T: Scalar>(
    part: &Part<T>,
    surface: &SkinSurface,
    pose: &Pose<T>,
    near: f64,
) -> OutsideArea {
    let mut found = OutsideArea::default();
    add_outside(&part_samples(part), (surface, pose), near, &mut found);
    found
}

/// Rejects a model without one part for each of `expected` joints, or a skin with more joints.
fn check_joints<T: Scalar>(model: &Model<T>, skin: &Skin<T>, expected: usize) -> Result<(), Error> {
    let found = model.len();
    if expected != found {
        return Err(Error::WrongCount { field: "parts", expected, found });
    }
    if let Some(target) = skin.last_joint().filter(|&joint| joint >= expected) {
        let (field, len) = ("skin", expected);
        return Err(Error::IndexOutOfRange { field, index: 0, target, len });
    }
    Ok(())
}

/// Adds the samples of a part in the pose of a surface. Distances up to `near` count as 0.
fn add_outside<T: Scalar>(
    samples: &[PartSample],
    (surface, pose): (&SkinSurface, &Pose<T>),
    near: f64,
    found: &mut OutsideArea,
) {
    if surface.is_empty() {
        return;
    }
    let (near, placement) = (near.max(SURFACE_ERROR * surface.size()), Placement::new(pose));
    for &PartSample { point, area } in samples {
        found.add(area, surface.distance_outside(placement.point(point), near));
    }
}

/// A point of a part's triangles, in the frame of the part, and the area that it represents.
struct PartSample {
    point: Vec3,
    area: f64,
}

/// Returns the corners of a part's triangles, each once, and their centroids.
fn part_samples<T: Scalar>(part: &Part<T>) -> Vec<PartSample> {
    let Some(mesh) = part.tree().and_then(|tree| tree.geometry().mesh()) else { return Vec::new() };
    let mut of_vertex = vec![None; mesh.vertices().len()];
    let mut samples = Vec::new();
    for (index, triangle) in mesh.triangles().iter().enumerate() {
        let corners = mesh.triangle(index).corners;
        let [a, b, c] = corners;
        let area = length(cross(sub(b, a), sub(c, a))) / 8.0;
        for (&vertex, point) in triangle.iter().zip(corners) {
            let sample = *of_vertex[vertex as usize].get_or_insert_with(|| {
                samples.push(PartSample { point, area: 0.0 });
                samples.len() - 1
            });
            samples[sample].area += area;
        }
        samples.push(PartSample { point: scale(add(add(a, b), c), 1.0 / 3.0), area });
    }
    samples
}

/// Returns the joint with the largest weight on a vertex.
fn dominant_joint<T: Scalar>(corner: &[SkinWeight<T>]) -> usize {
    let mut best = corner[0];
    for weight in corner {
        let tied = weight.share == best.share && weight.joint < best.joint;
        if weight.share > best.share || tied {
            best = *weight;
        }
    }
    best.joint
}

/// Returns the distance of a point from the nearest box, 0 inside one; the part `first` is tested
/// first.
fn distance_outside(
    part_boxes: &[CutBoxes],
    placements: &[Placement],
    point: Vec3,
    first: usize,
) -> f64 {
    let mut least = f64::INFINITY;
    let others = (0..part_boxes.len()).filter(|&part| part != first);
    for part in std::iter::once(first).chain(others) {
        if least <= 0.0 {
            break;
        }
        let Placement { rotation, position } = &placements[part];
        let local = rotate_back(rotation, sub(point, *position));
        least = part_boxes[part].distance(local, least);
    }
    if least.is_finite() { least } else { 0.0 }
}

/// The boxes of one part at a depth, in a tree of their bounds.
struct CutBoxes {
    /// Nodes after their children, the root last; empty for a part without a tree.
    nodes: Vec<CutNode>,
    error: f64,
}

struct CutNode {
    /// Bounds of all corners of the boxes below.
    bounds: AxisBounds,
    content: CutContent,
}

enum CutContent {
    Box(WideObb),
    /// Indices of the children.
    Nodes([usize; 2]),
}

impl CutBoxes {
    fn new<T: Scalar>(model: &Model<T>, part: usize, depth: u8) -> Self {
        let mut boxes = CutBoxes { nodes: Vec::new(), error: 0.0 };
        if let Some(tree) = model.parts()[part].tree() {
            boxes.error = SURFACE_ERROR * tree.radius_about_origin().wide();
            boxes.add_node(tree, NodeId::ROOT, depth);
        }
        boxes
    }

    /// Adds a node after its descendants, and returns its index.
    fn add_node<T: Scalar>(&mut self, tree: &ObbTree<T>, id: NodeId, levels: u8) -> usize {
        let node = tree.node(id);
        let (bounds, content) = match node.children().filter(|_| levels > 0) {
            Some(children) => {
                let below = children.map(|child| self.add_node(tree, child, levels - 1));
                let ends = below.map(|child| self.nodes[child].bounds);
                (
                    AxisBounds::from_points(ends.iter().flat_map(|of| [of.low, of.high])),
                    CutContent::Nodes(below),
                )
            }
            None => {
                let solid = node.oriented().wide();
                (AxisBounds::from_points(solid.corners()), CutContent::Box(solid))
            }
        };
        self.nodes.push(CutNode { bounds, content });
        self.nodes.len() - 1
    }

    /// Returns the distance from the nearest box if that is below `least`, or `least`.
    fn distance(&self, point: Vec3, mut least: f64) -> f64 {
        if let Some(root) = self.nodes.last()
            && root.bounds.distance(point) <= least
        {
            self.lower_to_nearest(root, point, &mut least);
        }
        least
    }

    /// Lowers `least` to the distance from the nearest box of a node or its descendants.
    fn lower_to_nearest(&self, node: &CutNode, point: Vec3, least: &mut f64) {
        match &node.content {
            CutContent::Box(solid) => {
                let distance = solid.distance(point);
                *least = least.min(if distance <= self.error { 0.0 } else { distance });
            }
            CutContent::Nodes(below) => {
                let mut children =
                    below.map(|child| &self.nodes[child]).map(|n| (n.bounds.distance(point), n));
                if children[1].0 < children[0].0 {
                    children.swap(0, 1);
                }
                for (beside, child) in children {
                    if beside <= *least && *least > 0.0 {
                        self.lower_to_nearest(child, point, least);
                    }
                }
            }
        }
    }
}
