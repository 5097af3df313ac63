//! Which triangles of two meshes touch, in double precision: as boxwood does it, and as a user of parry3d-f64 can.
//!
//! In f32 parry3d misjudges small triangles, so it is met in f64, and boxwood too.

use std::ops::ControlFlow;

use boxwood::f64::ObbTree;
use boxwood::nalgebra::{Isometry3, Point3};
use boxwood::tree::{Scratch, TreePair};
use boxwood::{Accuracy, Error};
use parry3d_f64::bounding_volume::BoundingVolume;
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::partitioning::BvhNode;
use parry3d_f64::query::intersection_test;
use parry3d_f64::shape::{TriMesh, TriMeshBuilderError};

/// A ring against itself elsewhere.
pub struct Ours {
    ring: ObbTree,
    places: Vec<Isometry3<f64>>,
    scratch: Scratch,
    pairs: Vec<[u32; 2]>,
}

impl Ours {
    pub fn new(ring: ObbTree, places: &[Isometry3<f64>]) -> Self {
        Ours { ring, places: places.to_vec(), scratch: Scratch::default(), pairs: Vec::new() }
    }

    /// At how many places they touch.
    pub fn touching(&mut self) -> Result<usize, Error> {
        let mut count = 0;
        for place in &self.places {
            let pair = TreePair::new(&self.ring, &Isometry3::identity(), &self.ring, place)?;
            count += usize::from(pair.intersects(Accuracy::Exact, &mut self.scratch)?);
        }
        Ok(count)
    }

    /// How many pairs of triangles touch, at all places together.
    pub fn pairs(&mut self) -> Result<usize, Error> {
        self.pairs.clear();
        for place in &self.places {
            let pair = TreePair::new(&self.ring, &Isometry3::identity(), &self.ring, place)?;
            let _ = pair.visit_primitives(&mut self.scratch, |i, j| {
                self.pairs.push([i, j]);
                ControlFlow::Continue(())
            });
        }
        Ok(self.pairs.len())
    }
}

/// The same in parry3d-f64.
pub struct Peer {
    ring: TriMesh,
    places: Vec<Pose>,
    pairs: Vec<[u32; 2]>,
}

impl Peer {
    pub fn new(
        (vertices, triangles): (Vec<Point3<f64>>, Vec<[u32; 3]>),
        places: &[Isometry3<f64>],
    ) -> Result<Self, TriMeshBuilderError> {
        let vertices = vertices.into_iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
        let places = places.iter().map(|&place| place.into()).collect();
        Ok(Peer { ring: TriMesh::new(vertices, triangles)?, places, pairs: Vec::new() })
    }

    /// At how many places they touch, by the library's own test.
    pub fn touching(&mut self) -> usize {
        let Peer { ring, places, .. } = self;
        let touches = |place: &&Pose| {
            intersection_test(&Pose::identity(), ring, place, ring)
                .is_ok_and(|answer| answer.intersecting)
        };
        places.iter().filter(touches).count()
    }

    /// The same, walking both trees together.
    pub fn touching_by_walk(&mut self) -> usize {
        let Peer { ring, places, .. } = self;
        places.iter().filter(|place| touching_triangles(place, ring).next().is_some()).count()
    }

    /// How many pairs of triangles touch, at all places together.
    pub fn pairs(&mut self) -> usize {
        let Peer { ring, places, pairs } = self;
        pairs.clear();
        pairs.extend(places.iter().flat_map(|place| touching_triangles(place, ring)));
        pairs.len()
    }
}

/// The triangles of a ring that touch those of the ring moved by `place`.
fn touching_triangles<'a>(
    place: &'a Pose,
    ring: &'a TriMesh,
) -> impl Iterator<Item = [u32; 2]> + 'a {
    let near = |a: &BvhNode, b: &BvhNode| a.aabb().intersects(&b.aabb().transform_by(place));
    ring.bvh().leaf_pairs(ring.bvh(), near).map(|(i, j)| [i, j]).filter(move |&[i, j]| {
        let (a, b) = (ring.triangle(i), ring.triangle(j));
        intersection_test(&Pose::identity(), &a, place, &b).is_ok_and(|answer| answer.intersecting)
    })
}
