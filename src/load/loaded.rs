//! Characters that loaders return, and options of their skins.

use std::sync::Arc;

use super::Warning;
use crate::model::Model;
use crate::motion::{Clips, Skeleton, Skin};
use crate::num::Scalar;

/// A character from a file.
///
/// The model has one part per joint, with the joint's index and name: part `i` moves with joint
/// `i`, and joints without geometry are parts without geometry.
///
/// ```
/// # #[cfg(feature = "gltf")] {
/// let fighter = boxwood::load::gltf("examples/fighter/fighter.glb")?;
/// assert_eq!(fighter.model.len(), fighter.skeleton.len()); // part i moves with joint i
/// println!("{} clips, {} warnings", fighter.clips.len(), fighter.warnings.len());
/// # }
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Loaded<T: Scalar> {
    /// Parts, geometry and trees. The bind pose is the rest pose of the file.
    pub model: Arc<Model<T>>,
    /// The joints, parents first.
    pub skeleton: Arc<Skeleton<T>>,
    /// The node of each joint, as an index into the file's list of nodes: an engine's own loader
    /// knows joints by it, as names may repeat. glTF; `None` for the upper of the two joints that a
    /// sheared matrix becomes. Empty for files without such a list.
    ///
    /// ```
    /// # #[cfg(feature = "gltf")] {
    /// let fighter = boxwood::load::gltf("examples/fighter/fighter.glb")?;
    /// let hand = fighter.model.part("left_hand")?;
    /// println!("the hand is nodes[{:?}] of the file", fighter.nodes[hand.index()]);
    /// # }
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub nodes: Vec<Option<usize>>,
    /// The animations in the file.
    pub clips: Clips<T>,
    /// The skin that the parts approximate, as [`coverage`](crate::model::coverage()) measures it;
    /// kept if [requested](crate::load::Loader::keep_skin). Meshes without skin are in it with the
    /// weight 1 of their node.
    pub skin: Option<Skin<T>>,
    /// Features of the file that the model approximates or omits.
    pub warnings: Vec<Warning>,
}

impl<T: Scalar> Loaded<T> {
    /// Returns a character without clips and skin: for characters made by a program, to be
    /// [baked](Loaded::bake) or used like loaded ones. The other fields can be set afterwards.
    ///
    /// The model needs one part per joint, which baking checks.
    ///
    /// ```
    /// # boxwood::fixture_model!(cube, model);
    /// use boxwood::Loaded;
    /// use boxwood::motion::{Joint, Skeleton, Transform};
    ///
    /// let joint = Joint { name: "cube".into(), parent: None, rest: Transform::<f32>::default() };
    /// let made = Loaded::new(model, Skeleton::new(vec![joint])?.into());
    /// assert!(made.clips.is_empty() && made.skin.is_none());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn new(model: Arc<Model<T>>, skeleton: Arc<Skeleton<T>>) -> Self {
        let (clips, nodes, warnings) = (Clips::default(), Vec::new(), Vec::new());
        Loaded { model, skeleton, nodes, clips, skin: None, warnings }
    }
}

/// Assignment of the triangles of a skin to parts.
///
/// Dominating joints are the default: over the clips of eight characters no vertex of the blended
/// skin is further than 1 % of the character's size from eight boxes per part. Assignment of every
/// share above a tenth needs up to half as many triangles again for 0.6 %.
/// [`coverage`](crate::model::coverage()) measures it for a character and a clip.
///
/// ```
/// use boxwood::{Loader, load::SkinAssignment};
///
/// let loader = Loader::new().assign(SkinAssignment::Above(0.1));
/// # let _ = loader;
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum SkinAssignment {
    /// The joints that dominate the triangle: the largest weight, the first joint of equal weights.
    /// [`Straddling`] applies to a triangle with several.
    Dominating,
    /// The joints that dominate one of the triangle's corners, and those whose share of the weight
    /// of a corner is larger than this, from 0 to 1; each gets the whole triangle. Parts extend
    /// further over their joints: less of the blended skin is outside, and there are more false
    /// contacts.
    Above(f64),
}

/// Treatment of the triangles of a skin that several joints dominate.
///
/// Parts are rigid. A whole triangle on both sides of a joint leaves the character as soon as the
/// joint bends, by up to the length of the triangle: in characters of few polygons by up to a tenth
/// of the size. Pieces end at the joint.
///
/// ```
/// use boxwood::{Loader, load::Straddling};
///
/// let loader = Loader::new().straddling(Straddling::Both);
/// # let _ = loader;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Straddling {
    /// Cuts the triangle between the joints: a point belongs to the joint with the largest weight
    /// there, interpolated linearly between the corners; the first joint of equal weights.
    /// Neighbouring triangles are cut at the same points of their common edge. Solid parts get caps
    /// over the cuts, raised over the rim by up to 0.85 of its mean radius as far as that stays
    /// inside the skin at rest: parts overlap there, so that a joint that bends does not open a
    /// gap.
    #[default]
    Cut,
    /// Gives the whole triangle to every joint that dominates one of its corners.
    Both,
}
