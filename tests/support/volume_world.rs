//! All primitives of a scene in the world, and the parts that overlap shapes, by parry3d.

use std::collections::BTreeMap;

use boxwood::num::Scalar;
use boxwood::shape::Aabb;
use boxwood::tree::{Geometry, ObbTree};
use nalgebra::Point3;

use crate::parry::Peer;
use crate::parry_volumes::is_inside;
use crate::placed_scenes::{Place, TestScene};
use crate::plain_box::{PlainBox, V, inner, minus, norm, outer, plus, times};
use crate::random::Random;

/// All primitives in the world, and the solid parts.
pub struct World {
    pub triangles: Vec<(Place, [V; 3])>,
    pub solids: Vec<(Place, PlainBox)>,
    closed: Vec<(usize, usize)>,
    pub size: f64,
}

impl World {
    pub fn of<T: Scalar>(stage: &TestScene<T>) -> Self {
        let (triangles, solids) = (stage.triangles(), stage.solids());
        let closed = stage.keys.iter().enumerate().flat_map(|(at, &key)| {
            let parts = stage.scene.model(key).expect("a key").parts().iter().enumerate();
            let owns = |tree: &ObbTree<T>| matches!(tree.geometry(), Geometry::Solid(_));
            parts.filter(move |(_, part)| part.tree().is_some_and(owns)).map(move |(i, _)| (at, i))
        });
        let closed = closed.collect();
        let corners =
            triangles.iter().flat_map(|(_, c)| *c).chain(solids.iter().map(|(_, b)| b.center));
        let around = Aabb::from_points(corners.map(Point3::from));
        World { triangles, solids, closed, size: around.diagonal() }
    }

    /// Draws a point of a primitive, with the outward direction there, if it is a box or a triangle
    /// with a side.
    pub fn spot(&self, random: &mut Random) -> (V, V) {
        let of_all = random.below(self.triangles.len() + self.solids.len());
        if let Some((_, [a, b, c])) = self.triangles.get(of_all) {
            let (s, t) = (random.share(), random.share());
            let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
            let across = outer(minus(*b, *a), minus(*c, *a));
            let out = if norm(across) > 0.0 {
                times(across, random.sign() / norm(across))
            } else {
                random.direction()
            };
            return (plus(*a, plus(times(minus(*b, *a), s), times(minus(*c, *a), t))), out);
        }
        let block = &self.solids[of_all - self.triangles.len()].1;
        let (axis, side) = (random.below(3), random.sign());
        let p = (0..3).fold(block.center, |p, i| {
            let along = if i == axis { side } else { random.between(-1.0, 1.0) };
            plus(p, times(block.axes[i], along * block.half[i]))
        });
        (p, times(block.axes[axis], side))
    }

    /// Computes the support of all primitives along a direction.
    pub fn end(&self, way: V) -> f64 {
        let corners = self.triangles.iter().flat_map(|(_, c)| c.iter().map(|&p| inner(p, way)));
        let blocks = self.solids.iter().map(|(_, b)| {
            inner(b.center, way)
                + (0..3).map(|i| (b.half[i] * inner(b.axes[i], way)).abs()).sum::<f64>()
        });
        corners.chain(blocks).fold(f64::MIN, f64::max)
    }

    /// Returns the parts that the query shape overlaps, without those too close to decide.
    pub fn meets(
        &self,
        peer: &Peer,
        some_point: Option<V>,
        band: f64,
    ) -> BTreeMap<(usize, usize), Option<bool>> {
        let mut answered: BTreeMap<(usize, usize), Option<bool>> = BTreeMap::new();
        let mut add = |(at, part, _): Place, met: Option<bool>| {
            let before = answered.entry((at, part)).or_insert(Some(false));
            *before = match (*before, met) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            };
        };
        for (place, corners) in &self.triangles {
            add(*place, peer.meets(&Peer::triangle(*corners), band));
        }
        for (place, block) in &self.solids {
            add(*place, peer.meets(&Peer::solid(block), band));
        }
        for &key in &self.closed {
            let inside = |p| is_inside(p, key, &self.triangles);
            if answered[&key] == Some(false) && some_point.is_some_and(inside) {
                answered.insert(key, Some(true));
            }
        }
        answered
    }

    /// Computes the distance of the primitives of a part from the query shape.
    pub fn away(&self, (at, part): (usize, usize), peer: &Peer) -> f64 {
        let of_part = |(a, p, _): &Place| (*a, *p) == (at, part);
        let triangles = self.triangles.iter().filter(|(place, _)| of_part(place));
        let solids = self.solids.iter().filter(|(place, _)| of_part(place));
        let far = triangles.map(|(_, corners)| peer.distance(&Peer::triangle(*corners)));
        let far = far.chain(solids.map(|(_, block)| peer.distance(&Peer::solid(block))));
        far.fold(f64::INFINITY, f64::min)
    }
}

compiled_here! { World::of }
