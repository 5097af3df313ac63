//! Rays and boxes at a mesh in parry3d, and rays in obvhs, both in f32.

use std::time::Duration;

use boxwood::nalgebra::{Point3, Vector3};
use obvhs::BvhBuildParams;
use obvhs::cwbvh::CwBvh;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::ray::RayHit;
use obvhs::triangle::Triangle;
use parry3d::query::{Ray, RayCast, intersection_test};
use parry3d::shape::{Cuboid, TriMesh};

use super::solids::{Placed, Pose, Vector};

type Mesh = (Vec<Point3<f32>>, Vec<[u32; 3]>);
type Line = (Point3<f32>, Vector3<f32>);

/// A mesh in parry3d.
pub struct Parry(TriMesh);

impl Parry {
    pub fn new((vertices, triangles): &Mesh) -> Self {
        let vertices = vertices.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
        Parry(TriMesh::new(vertices, triangles.clone()).expect("a mesh"))
    }

    /// Number of rays that hit; `any`: the first hit found suffices, else the closest with its
    /// normal.
    pub fn rays(&mut self, rays: &[Line], any: bool) -> usize {
        let hit = |(from, along): &&Line| {
            let vector = |[x, y, z]: [f32; 3]| Vector::new(x, y, z);
            let ray = Ray::new(vector(from.coords.into()), vector((*along).into()));
            match any {
                true => self.0.intersects_local_ray(&ray, f32::MAX),
                false => self.0.cast_local_ray_and_get_normal(&ray, f32::MAX, false).is_some(),
            }
        };
        rays.iter().filter(hit).count()
    }

    /// Number of boxes that touch.
    pub fn boxes(&mut self, boxes: &[Placed<Cuboid>]) -> usize {
        let touches = |(pose, cuboid): &&Placed<Cuboid>| {
            intersection_test(&Pose::IDENTITY, &self.0, pose, cuboid)
                .is_ok_and(|answer| answer.intersecting)
        };
        boxes.iter().filter(touches).count()
    }
}

/// A mesh in obvhs, in its compressed wide form, the fastest of it here.
pub struct Obvhs {
    bvh: CwBvh,
    triangles: Vec<Triangle>,
}

impl Obvhs {
    pub fn new((vertices, triangles): &Mesh) -> Self {
        let corner = |index: u32| <[f32; 3]>::from(vertices[index as usize].coords).into();
        let triangles: Vec<Triangle> = triangles
            .iter()
            .map(|&[a, b, c]| Triangle { v0: corner(a), v1: corner(b), v2: corner(c) })
            .collect();
        let params = BvhBuildParams::medium_build();
        Obvhs {
            bvh: build_cwbvh_from_tris(&triangles, params, &mut Duration::default()),
            triangles,
        }
    }

    /// Number of rays that hit; `any`: the first hit found suffices, else the closest.
    pub fn rays(&mut self, rays: &[Line], any: bool) -> usize {
        let Obvhs { bvh, triangles } = self;
        let test = |ray: &obvhs::ray::Ray, id: usize| {
            triangles[bvh.primitive_indices[id] as usize].intersect(ray)
        };
        let hit = |(from, along): &&Line| {
            let [from, along] = [from.coords, *along].map(<[f32; 3]>::from);
            let ray = obvhs::ray::Ray::new_inf(from.into(), along.into());
            match any {
                true => !bvh.ray_traverse_miss(ray, test),
                false => bvh.ray_traverse(ray, &mut RayHit::none(), test),
            }
        };
        rays.iter().filter(hit).count()
    }
}
