//! A snapshot that owns its scene and buffers.

use crate::num::Scalar;
use crate::scene::{Buffers, Scene, Snapshot};

/// One moment of a scene that borrows nothing: to keep, to send to another thread, to store as a
/// resource of an entity component system.
///
/// It owns a copy of the scene (poses and switches; models are shared) and its buffers. Keys of the
/// scene are valid in it; answers are those of [`Scene::snapshot`] at the moment of the copy, bit
/// for bit.
///
/// ```
/// # use boxwood::{Build, Geometry, Hits, Model, Obb, PairQuery, Scene, Spawn};
/// # use boxwood::nalgebra::{Isometry3, Matrix3, Point3, Vector3};
/// # use boxwood::OwnedSnapshot;
/// # let cube = Obb::new(Point3::origin(), Matrix3::identity(), Vector3::repeat(0.5))?;
/// # let parts = Model::builder().part("a", None, Geometry::Boxes(vec![cube]));
/// # let model = parts.build(&Build::default())?;
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
    /// Copies the current state of a scene.
    pub fn new(scene: &Scene<T>) -> Self {
        OwnedSnapshot::with_buffers(scene, Buffers::new())
    }

    /// Copies the current state of a scene, with buffers that choose the [instruction
    /// set](crate::SimdLevel).
    pub fn with_buffers(scene: &Scene<T>, mut buffers: Buffers<T>) -> Self {
        let scene = scene.clone();
        let _ = scene.snapshot(&mut buffers);
        OwnedSnapshot { scene, buffers }
    }

    /// Replaces the copy by the current state of a scene. With the same characters as before it
    /// reuses the storage, and allocates far less than [`OwnedSnapshot::new`].
    pub fn update(&mut self, scene: &Scene<T>) {
        self.scene.clone_from(scene);
        let _ = self.scene.snapshot(&mut self.buffers);
    }

    /// Returns the snapshot, which queries take.
    pub fn snapshot(&self) -> Snapshot<'_, T> {
        Snapshot::new(&self.scene, &self.buffers)
    }

    /// Returns the copy of the scene.
    pub fn scene(&self) -> &Scene<T> {
        &self.scene
    }
}
