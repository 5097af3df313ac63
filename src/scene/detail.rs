//! The detail of answers.

/// Answers about parts, or about boxes.
///
/// ```
/// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
/// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
/// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
/// # let model = parts.build(&Build::default())?;
/// # let mut scene = Scene::new();
/// # let red = scene.insert(&model, Spawn::default())?;
/// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(0.9, 0.0, 0.0)))?;
/// # let mut buffers = Buffers::new();
/// # let now = scene.snapshot(&mut buffers);
/// use boxwood::{Detail, Hits};
///
/// let mut hits = Hits::new();
/// now.pairs(&PairQuery::all().detail(Detail::Boxes), &mut hits)?;
/// assert_eq!(hits.pairs().len(), 1); // each part has one box
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// One answer a part or a pair of parts. A pair of parts names its deepest pair of boxes (which
    /// need not be as deep as the parts: see [`Hit`](super::Hit)), a part that a ray hits names the
    /// first box along the ray, a part that a shape overlaps names its root.
    #[default]
    Parts,
    /// One answer a box, or pair of boxes, of the cut.
    Boxes,
}
