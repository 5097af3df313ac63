//! Shapes in parry3d in f64. All uses of its interface, which changes, are here.

use boxwood::model::Model;
use boxwood::num::Scalar;
use boxwood::scene::QueryShape;
use boxwood::tree::Geometry;
use nalgebra::{
    Isometry3, Matrix3, Matrix4, Point3, Rotation3, Translation3, UnitQuaternion, Vector3,
};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{self, Ray, ShapeCastOptions};
use parry3d_f64::shape::{
    Ball, Capsule, Compound, ConvexPolyhedron, Cuboid, Cylinder, HalfSpace, Segment, Shape,
    SharedShape, TriMesh, TriMeshFlags, Triangle,
};

use crate::convex_bodies::{Body, BodyKind};
use crate::pair::any_shape::{Kind, Plan};
use crate::plain_box::{PlainBox, V};

/// Shape in its pose.
#[derive(Clone)]
pub struct Peer {
    pub pose: Pose,
    pub shape: SharedShape,
}

fn vector(v: V) -> Vector {
    Vector::new(v[0], v[1], v[2])
}

fn at(v: V) -> Pose {
    Isometry3::translation(v[0], v[1], v[2]).into()
}

/// Returns the pose of a frame.
fn frame(center: V, axes: &[V; 3]) -> Pose {
    let axes = Matrix3::from_columns(&axes.map(Vector3::from));
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
    Isometry3::from_parts(Translation3::from(Vector3::from(center)), turn).into()
}

fn block(block: &PlainBox) -> (Pose, SharedShape) {
    let shape = SharedShape::new(Cuboid::new(vector(block.half)));
    (frame(block.center, &block.axes), shape)
}

/// Converts boxes, or a mesh; without flags it is a surface, also of a solid.
fn geometry<T: Scalar>(geometry: &Geometry<T>, flags: TriMeshFlags) -> SharedShape {
    let Geometry::Boxes(boxes) = geometry else {
        let mesh = geometry.mesh().expect("triangles");
        let corner = |p: &Point3<T>| Vector::new(p.x.wide(), p.y.wide(), p.z.wide());
        let corners = mesh.vertices().iter().map(corner).collect();
        let mesh = TriMesh::with_flags(corners, mesh.triangles().to_vec(), flags);
        return SharedShape::new(mesh.expect("a mesh"));
    };
    SharedShape::new(Compound::new(boxes.iter().map(|b| block(&PlainBox::of(b))).collect()))
}

fn pose<T: Scalar>(stored: &boxwood::shape::Pose<T>) -> Pose {
    let turn = UnitQuaternion::from_quaternion(stored.rotation.coords.map(T::wide).into());
    Isometry3::from_parts(stored.translation.vector.map(T::wide).into(), turn).into()
}

impl Peer {
    fn at_origin(shape: impl Shape) -> Self {
        Peer { pose: Pose::IDENTITY, shape: SharedShape::new(shape) }
    }

    pub fn ball(center: V, radius: f64) -> Self {
        Peer { pose: at(center), shape: SharedShape::new(Ball::new(radius)) }
    }

    pub fn capsule(ends: [V; 2], radius: f64) -> Self {
        Peer::at_origin(Capsule::new(vector(ends[0]), vector(ends[1]), radius))
    }

    pub fn segment(ends: [V; 2]) -> Self {
        Peer::at_origin(Segment::new(vector(ends[0]), vector(ends[1])))
    }

    pub fn triangle([a, b, c]: [V; 3]) -> Self {
        Peer::at_origin(Triangle::new(vector(a), vector(b), vector(c)))
    }

    pub fn half_space(normal: V, point: V) -> Self {
        Peer { pose: at(point), shape: SharedShape::new(HalfSpace::new(vector(normal))) }
    }

    pub fn solid(of: &PlainBox) -> Self {
        let (pose, shape) = block(of);
        Peer { pose, shape }
    }

    /// Hull of points; `None` if it is flat.
    pub fn hull(points: &[V]) -> Option<Self> {
        let points: Vec<Vector> = points.iter().map(|&p| vector(p)).collect();
        ConvexPolyhedron::from_convex_hull(&points).map(Peer::at_origin)
    }

    /// Surface of a mesh.
    pub fn mesh((vertices, triangles): &(Vec<V>, Vec<[u32; 3]>)) -> Self {
        let vertices = vertices.iter().map(|&p| vector(p)).collect();
        Peer::at_origin(TriMesh::new(vertices, triangles.clone()).expect("a mesh"))
    }

    /// Shape of a query; `least` is the radius of points, and of balls and capsules with a lesser
    /// one.
    ///
    /// # Panics
    /// If it is a frustum whose hull is flat.
    pub fn query_shape<T: Scalar>(of: &QueryShape<T>, least: f64) -> Self {
        let wide = |p: Point3<T>| -> V { p.map(T::wide).into() };
        match of {
            QueryShape::Point(p) => Peer::ball(wide(*p), least),
            QueryShape::Sphere(ball) => {
                Peer::ball(wide(ball.center()), ball.radius().wide().max(least))
            }
            QueryShape::Capsule(body) => {
                let ends = [body.segment().a(), body.segment().b()].map(wide);
                Peer::capsule(ends, body.radius().wide().max(least))
            }
            QueryShape::Aabb(bounds) => Peer::solid(&PlainBox::of_aabb(bounds)),
            QueryShape::Obb(one) => Peer::solid(&PlainBox::of(one)),
            QueryShape::HalfSpace(plane) => {
                let normal = plane.normal().map(T::wide);
                let foot = normal * (plane.offset().wide() / normal.norm_squared());
                Peer::half_space(normal.normalize().into(), foot.into())
            }
            QueryShape::Frustum(frustum) => {
                Peer::hull(&frustum.corners().map(wide)).expect("a hull")
            }
            _ => unreachable!("no other shape"),
        }
    }

    /// Convex body; `None` for ellipsoids, which parry3d lacks, and for flat hulls.
    pub fn body(of: &Body) -> Option<Self> {
        let [x, y, z] = of.axes;
        let [radius, _, half] = of.half;
        let framed =
            |axes: &[V; 3], shape: SharedShape| Peer { pose: frame(of.center, axes), shape };
        Some(match of.kind {
            BodyKind::Sphere => Peer::ball(of.center, radius),
            BodyKind::Capsule => {
                let ends = [[0.0, 0.0, -half], [0.0, 0.0, half]].map(vector);
                framed(&of.axes, SharedShape::new(Capsule::new(ends[0], ends[1], radius)))
            }
            // parry3d's cylinder is along y.
            BodyKind::Cylinder => framed(&[y, z, x], SharedShape::new(Cylinder::new(half, radius))),
            BodyKind::Box => framed(&of.axes, SharedShape::new(Cuboid::new(vector(of.half)))),
            BodyKind::Hull => Peer::hull(&of.points)?,
            BodyKind::Triangle => Peer::triangle([0, 1, 2].map(|i| of.points[i])),
            BodyKind::Ellipsoid => return None,
        })
    }

    /// Moves the peer by a pose.
    pub fn placed<T: Scalar>(self, at: &boxwood::shape::Pose<T>) -> Self {
        Peer { pose: pose(at) * self.pose, ..self }
    }

    pub fn plan(plan: &Plan) -> Self {
        let [a, b, c] = plan.points;
        match plan.kind {
            Kind::Sphere => Peer::ball(a, plan.radius),
            Kind::Capsule => Peer::capsule([a, b], plan.radius),
            Kind::Segment => Peer::segment([a, b]),
            Kind::Triangle => Peer::triangle([a, b, c]),
            Kind::Aabb | Kind::Obb => {
                Peer::solid(&PlainBox { center: a, axes: plan.axes, half: plan.half })
            }
        }
    }

    /// Returns a part in its pose; a solid one has an inside, for [`Peer::distance_to`] only.
    pub fn part<T: Scalar>(of: &Geometry<T>, at: &boxwood::shape::Pose<T>) -> Self {
        let solid = matches!(of, Geometry::Solid(_));
        let flags = if solid { TriMeshFlags::ORIENTED } else { TriMeshFlags::empty() };
        Peer { pose: pose(at), shape: geometry(of, flags) }
    }

    pub fn intersects(&self, other: &Peer) -> bool {
        let answer = query::intersection_test(&self.pose, &*self.shape, &other.pose, &*other.shape);
        answer.expect("supported").intersecting
    }

    /// Computes the distance, iterated to about `1e-7` of the sizes if one of the two is a mesh.
    pub fn distance(&self, other: &Peer) -> f64 {
        let answer = query::distance(&self.pose, &*self.shape, &other.pose, &*other.shape);
        answer.expect("supported").distance
    }

    /// Returns the depth along the normal of the contact; `None` if they share no point.
    pub fn depth(&self, other: &Peer) -> Option<f64> {
        let answer = query::contact(&self.pose, &*self.shape, &other.pose, &*other.shape, 0.0);
        answer.ok().flatten().map(|contact| -contact.dist)
    }

    /// Returns the first time of `0..=1` at which the two touch, each moved by its displacement.
    pub fn sweep(&self, other: &Peer, by: [V; 2]) -> Option<f64> {
        let ([p, q], options) = (by.map(vector), ShapeCastOptions::with_max_time_of_impact(1.0));
        let (a, b) = (&*self.shape, &*other.shape);
        let hit = query::cast_shapes(&self.pose, p, a, &other.pose, q, b, options);
        hit.expect("supported").map(|hit| hit.time_of_impact)
    }

    /// Returns the time of impact of the ray, and the normal.
    pub fn cast(&self, origin: V, along: V) -> Option<(f64, V)> {
        let ray = Ray::new(vector(origin), vector(along));
        let hit = self.shape.cast_ray_and_get_normal(&self.pose, &ray, f64::MAX, true)?;
        Some((hit.time_of_impact, [hit.normal.x, hit.normal.y, hit.normal.z]))
    }

    /// Computes the distance of the point; zero inside of solids.
    pub fn distance_to(&self, point: V) -> f64 {
        let point = vector(point);
        let found = self.shape.project_point(&self.pose, point, true);
        let owns = self.shape.as_trimesh().is_none_or(|mesh| !mesh.flags().is_empty());
        if owns && found.is_inside { 0.0 } else { (found.point - point).length() }
    }

    pub fn contains(&self, point: V) -> bool {
        self.shape.contains_point(&self.pose, vector(point))
    }

    /// Returns the least and largest corner of the bounds.
    pub fn bounds(&self) -> [V; 2] {
        let around = self.shape.compute_aabb(&self.pose);
        [around.mins, around.maxs].map(|p| [p.x, p.y, p.z])
    }
}

/// Shapes of all parts of a model; none for joints without geometry. Meshes are surfaces, solid or
/// not.
pub struct Peers(Vec<Option<SharedShape>>);

type Placed<'p, T> = (&'p Peers, usize, &'p boxwood::shape::Pose<T>);

impl Peers {
    pub fn of<T: Scalar>(model: &Model<T>) -> Self {
        let flags = TriMeshFlags::empty();
        let shape = |part: &boxwood::model::Part<T>| Some(geometry(part.tree()?.geometry(), flags));
        Peers(model.parts().iter().map(shape).collect())
    }

    pub fn placed<T: Scalar>((peers, part, at): Placed<'_, T>) -> Option<Peer> {
        Some(Peer { pose: pose(at), shape: peers.0[part].clone()? })
    }

    /// Returns `true` if two parts share a point; `None` if one has no geometry.
    pub fn touch<T: Scalar>(a: Placed<'_, T>, b: Placed<'_, T>) -> Option<bool> {
        Some(Peers::placed(a)?.intersects(&Peers::placed(b)?))
    }

    /// Computes the distance of two parts; `None` if one has no geometry.
    pub fn distance<T: Scalar>(a: Placed<'_, T>, b: Placed<'_, T>) -> Option<f64> {
        Some(Peers::placed(a)?.distance(&Peers::placed(b)?))
    }
}

/// Returns the surface of triangles, transformed by a matrix.
pub fn placed_mesh(triangles: &[[Point3<f64>; 3]], pose: &Matrix4<f64>) -> Peer {
    let corners = triangles.iter().flatten().map(|corner| {
        let world = pose.transform_point(corner);
        Vector::new(world.x, world.y, world.z)
    });
    let triples = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let mesh = TriMesh::new(corners.collect(), triples.collect());
    Peer::at_origin(mesh.expect("a mesh"))
}

compiled_here! { Peers::of, Peers::touch, Peers::distance }
