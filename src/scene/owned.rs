//! A snapshot that owns what it is made of.

use super::{Buffers, Scene, Snapshot};
use crate::num::Scalar;

/// One moment of a scene that borrows nothing: to keep, to send to another thread, to store as a
/// resource of an entity component system.
///
/// It holds a copy of the scene (poses and switches; models are shared) and its buffers. Keys of
/// the scene are good in it; answers are those of [`Scene::snapshot`] at the moment of the copy,
/// bit for bit.
///
/// ```
/// # use boxwood::{Build, Geometry, Hits, Model, Obb, PairQuery, Scene, Spawn};
/// # use boxwood::nalgebra::{Isometry3, Matrix3, Point3, Vector3};
/// # use boxwood::OwnedSnapshot;
/// # let cube = Obb::new(Point3::origin(), Matrix3::identity(), Vector3::repeat(0.5))?;
/// # let model = Model::builder().part("a", None, Geometry::Boxes(vec![cube])).build(&Build::default())?;
/// let mut scene = Scene::new();
/// let [a, b] = [scene.insert(&model, Spawn::default())?, scene.insert(&model, Spawn::default())?];
/// let then = OwnedSnapshot::new(&scene);
/// scene.set_root(b, &Isometry3::translation(9.0, 0.0, 0.0))?;
///
/// let asked = std::thread::spawn(move || {
///     let mut hits = Hits::new();
///     then.snapshot().intersects(&PairQuery::between(a, b), hits.scratch())
/// });
/// assert_eq!(asked.join().expect("a thread"), Ok(true));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct OwnedSnapshot<T: Scalar> {
    scene: Scene<T>,
    buffers: Buffers<T>,
}

impl<T: Scalar> OwnedSnapshot<T> {
    /// Copies the scene as it is now.
    pub fn new(scene: &Scene<T>) -> Self {
        OwnedSnapshot::with_buffers(scene, Buffers::new())
    }

    /// Copies the scene as it is now, with buffers that choose the
    /// [instruction set](crate::SimdLevel).
    pub fn with_buffers(scene: &Scene<T>, mut buffers: Buffers<T>) -> Self {
        let scene = scene.clone();
        let _ = scene.snapshot(&mut buffers);
        OwnedSnapshot { scene, buffers }
    }

    /// Replaces the moment by the scene as it is now. Where the characters are the same as before,
    /// the storage is reused: far fewer allocations than a new one makes.
    pub fn update(&mut self, scene: &Scene<T>) {
        self.scene.clone_from(scene);
        let _ = self.scene.snapshot(&mut self.buffers);
    }

    /// The snapshot that queries are asked of.
    pub fn snapshot(&self) -> Snapshot<'_, T> {
        Snapshot::new(&self.scene, &self.buffers)
    }

    /// The scene of that moment.
    pub fn scene(&self) -> &Scene<T> {
        &self.scene
    }
}
