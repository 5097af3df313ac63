//! A frame of a crowd, from the poses of all parts to what touches, as boxwood does it.

use boxwood::nalgebra::Isometry3;
use boxwood::{
    Buffers, Build, CharacterKey, Detail, Error, Geometry, Hits, Model, Obb, Query, Scene, Site,
    Spawn,
};

use crate::people::{PARTS, leaves, parts};

/// What a part is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// One box.
    Box,
    /// [`LEAVES`](crate::people::LEAVES) boxes.
    Leaves,
}

/// The crowd in a scene.
pub struct Ours {
    scene: Scene,
    keys: Vec<CharacterKey>,
    buffers: Buffers,
    hits: Hits,
}

impl Ours {
    pub fn new(people: usize, body: Body) -> Result<Self, Error> {
        let mut builder = Model::builder();
        for (index, (name, half_extents)) in parts().into_iter().enumerate() {
            let boxes = match body {
                Body::Box => vec![Obb::from_pose(&Isometry3::identity(), half_extents)?],
                Body::Leaves => leaves(half_extents, index as u64)
                    .into_iter()
                    .map(|(pose, half)| Obb::from_pose(&pose, half))
                    .collect::<Result<_, _>>()?,
            };
            builder = builder.part(format!("{name} {index}"), None, Geometry::Boxes(boxes));
        }
        let (model, mut scene) = (builder.build(&Build::tight())?, Scene::new());
        let insert = |_| scene.insert(&model, Spawn::default());
        let keys = (0..people).map(insert).collect::<Result<_, _>>()?;
        Ok(Ours { scene, keys, buffers: Buffers::new(), hits: Hits::new() })
    }

    /// Places everyone and finds who touches: pairs of parts, or of boxes.
    pub fn pairs(&mut self, poses: &[Isometry3<f32>], detail: Detail) -> Result<usize, Error> {
        self.place(poses)?;
        let now = self.scene.snapshot(&mut self.buffers);
        now.pairs(&Query::all().detail(detail), &mut self.hits)?;
        Ok(self.hits.pairs().len())
    }

    /// How many pairs of people the last pairs of parts are of.
    pub fn meetings(&self) -> usize {
        let people = |(a, b): &(Site, Site)| (a.character, b.character);
        self.hits.pairs().chunk_by(|one, next| people(one) == people(next)).count()
    }

    /// The same with where and how deep.
    pub fn contacts(&mut self, poses: &[Isometry3<f32>], detail: Detail) -> Result<usize, Error> {
        self.place(poses)?;
        let now = self.scene.snapshot(&mut self.buffers);
        now.contacts(&Query::all().detail(detail), &mut self.hits)?;
        Ok(self.hits.len())
    }

    /// Where everyone is now, and who is near whom; says how many pairs of people.
    #[allow(dead_code)] // asked by a bench
    pub fn update(&mut self, poses: &[Isometry3<f32>]) -> Result<usize, Error> {
        self.place(poses)?;
        Ok(self.scene.snapshot(&mut self.buffers).near_characters().count())
    }

    /// Whether anybody touches anybody.
    #[allow(dead_code)] // asked by a bench
    pub fn intersects(&mut self, poses: &[Isometry3<f32>]) -> Result<bool, Error> {
        self.place(poses)?;
        let now = self.scene.snapshot(&mut self.buffers);
        now.intersects(&Query::all(), &mut self.hits)
    }

    fn place(&mut self, poses: &[Isometry3<f32>]) -> Result<(), Error> {
        let mut people = self.keys.iter().zip(poses.chunks_exact(PARTS));
        people.try_for_each(|(&key, poses)| self.scene.set_parts(key, poses))
    }
}
