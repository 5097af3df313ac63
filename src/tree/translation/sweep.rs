//! Sweep of a capsule through the triangles of a tree or a mesh.

use nalgebra::Vector3;

use crate::error::Error;
use crate::num::linear::{Vec3, length, sub};
use crate::num::{Scalar, check_coordinates, tolerance};
use crate::pair::sweep::{TimeSpan, impact_time};
use crate::pair::{CastHit, Sweep};
use crate::shape::{Aabb, Capsule, Mesh, Triangle, wide_point};
use crate::tree::{NodeId, ObbTree};

/// Pad of nodes, in slacks of a sweep, so that no triangle is hit before its node: a hit on a
/// triangle is at most 6 slacks early.
const NODE_PAD_SLACKS: f64 = 16.0;

/// Stack size: a tree is at most 255 deep, and each step down leaves one other child.
const MAX_STACK: usize = 257;

impl<T: Scalar> Mesh<T> {
    /// Returns the first triangle that a capsule hits while it moves by `displacement`, both in the
    /// frame of the mesh; `None` if it hits none. Tests every triangle. For a ball, use
    /// `Capsule::from`.
    ///
    /// [`CastHit::target`] is the triangle's index, the lowest of those hit at equal times. The
    /// rest is that of [`Sweep`] against this triangle: the time is never late, touching counts,
    /// and the normal points out of the triangle, towards the capsule. Only the surface counts: a
    /// capsule wholly inside a closed mesh hits nothing.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`] for the displacement.
    ///
    /// ```
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Capsule, Mesh, Segment};
    ///
    /// let corners = [[0.0, -9.0, -9.0], [0.0, 9.0, -9.0], [0.0, 0.0, 9.0]];
    /// let wall = Mesh::new(corners.map(Point3::from).to_vec(), vec![[0, 1, 2]])?;
    /// let spine = Segment::new(Point3::new(3.0, 0.0, 0.0), Point3::new(3.0, 0.0, 1.0))?;
    /// let body = Capsule::new(spine, 1.0)?;
    /// let hit = wall.sweep_capsule(&body, Vector3::new(-4.0, 0.0, 0.0))?.expect("in the way");
    /// assert!((hit.time_of_impact - 0.5).abs() < 1e-6 && hit.target == 0);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn sweep_capsule(
        &self,
        capsule: &Capsule<T>,
        displacement: Vector3<T>,
    ) -> Result<Option<CastHit<T, 3, u32>>, Error> {
        check_coordinates(displacement.as_slice(), "displacement", 0)?;
        let mut first = FirstHit { mesh: self, capsule, displacement, hit: None };
        (0..self.triangles().len() as u32).for_each(|triangle| first.test_triangle(triangle));
        Ok(first.hit)
    }
}

impl<T: Scalar> ObbTree<T> {
    /// Returns the first triangle that a capsule hits while it moves by `displacement`, both in the
    /// frame of the part. The answer is that of [`Mesh::sweep_capsule`] bit for bit, from the few
    /// triangles whose boxes are hit. Allocates nothing.
    ///
    /// For a part with a pose, transform the capsule by the inverse of the pose, and rotate the
    /// displacement.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`] for the displacement; [`Error::BadQuery`] for a
    /// tree that is not made of triangles.
    ///
    /// ```
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Build, Capsule, Geometry, Mesh, ObbTree, Segment};
    ///
    /// let corners = [[0.0, -9.0, -9.0], [0.0, 9.0, -9.0], [0.0, 0.0, 9.0]];
    /// let wall = Mesh::new(corners.map(Point3::from).to_vec(), vec![[0, 1, 2]])?;
    /// let house = ObbTree::build(Geometry::Surface(wall), &Build::default())?;
    /// let spine = Segment::new(Point3::new(3.0, 0.0, 0.0), Point3::new(3.0, 0.0, 1.0))?;
    /// let body = Capsule::new(spine, 1.0)?;
    /// let hit = house.sweep_capsule(&body, Vector3::new(-4.0, 0.0, 0.0))?.expect("in the way");
    /// assert!((hit.time_of_impact - 0.5).abs() < 1e-6 && hit.normal == Vector3::x());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn sweep_capsule(
        &self,
        capsule: &Capsule<T>,
        displacement: Vector3<T>,
    ) -> Result<Option<CastHit<T, 3, u32>>, Error> {
        check_coordinates(displacement.as_slice(), "displacement", 0)?;
        let Some(mesh) = self.geometry.mesh() else {
            let reason = "a capsule can only be swept against triangles";
            return Err(Error::BadQuery { reason });
        };
        let mut first = FirstHit { mesh, capsule, displacement, hit: None };
        let swept = SweptBox::new(&self.node(NodeId::ROOT).aligned, capsule, displacement);
        self.sweep_nodes(&swept, &mut first);
        Ok(first.hit)
    }

    /// Visits nodes depth first, the child hit earlier first, and prunes nodes hit later than the
    /// best hit. Nodes hit at equal times are visited: they may have a triangle of a lower index.
    fn sweep_nodes(&self, swept: &SweptBox, first: &mut FirstHit<'_, T>) {
        let entry_time = |id: NodeId| swept.entry_time::<T>(&self.node(id).aligned);
        let mut stack = [(NodeId::ROOT, T::zero()); MAX_STACK];
        let mut count = 0;
        if let Some(time) = entry_time(NodeId::ROOT) {
            (stack[0], count) = ((NodeId::ROOT, time), 1);
        }
        while count > 0 {
            count -= 1;
            let (id, time) = stack[count];
            if first.hits_before(time) {
                continue;
            }
            let Some([left, right]) = self.node(id).children() else {
                self.primitives(id).iter().for_each(|&triangle| first.test_triangle(triangle));
                continue;
            };
            let (mut near, mut far) = ((left, entry_time(left)), (right, entry_time(right)));
            if far.1.is_some_and(|time| near.1.is_none_or(|other| time < other)) {
                (near, far) = (far, near);
            }
            for (child, time) in [far, near] {
                if let Some(time) = time.filter(|_| count < MAX_STACK) {
                    stack[count] = (child, time);
                    count += 1;
                }
            }
        }
    }
}

/// The first hit so far.
struct FirstHit<'a, T: Scalar> {
    mesh: &'a Mesh<T>,
    capsule: &'a Capsule<T>,
    displacement: Vector3<T>,
    hit: Option<CastHit<T, 3, u32>>,
}

impl<T: Scalar> FirstHit<'_, T> {
    fn hits_before(&self, time: T) -> bool {
        self.hit.as_ref().is_some_and(|hit| hit.time_of_impact < time)
    }

    fn test_triangle(&mut self, triangle: u32) {
        let shape = Triangle::new_unchecked(self.mesh.corners(triangle as usize));
        let Some(hit) = self.capsule.sweep(self.displacement, &shape) else { return };
        let key = (hit.time_of_impact, triangle);
        if self.hit.as_ref().is_none_or(|best| key < (best.time_of_impact, best.target)) {
            self.hit = Some(hit.with_target(triangle));
        }
    }
}

/// Box around a capsule and its displacement, in double precision.
struct SweptBox {
    low: Vec3,
    high: Vec3,
    velocity: Vec3,
    pad: f64,
}

impl SweptBox {
    fn new<T: Scalar>(root: &Aabb<T, 3>, capsule: &Capsule<T>, displacement: Vector3<T>) -> Self {
        let ([a, b], radius) = (capsule.segment().wide(), capsule.radius().wide());
        let velocity = wide_point(displacement.into());
        let span = [0, 1, 2].map(|i| if a[i] < b[i] { [a[i], b[i]] } else { [b[i], a[i]] });
        let (low, high) = (span.map(|[low, _]| low - radius), span.map(|[_, high]| high + radius));
        // No corner of a node is further from an end than both corners of the root are, together.
        let away = |p: Vec3| length(sub(p, a)) + length(sub(p, b));
        let size = away(wide_point(root.min)) + away(wide_point(root.max));
        let size = size + length(sub(b, a)) + radius + length(velocity);
        SweptBox { low, high, velocity, pad: NODE_PAD_SLACKS * tolerance::SWEEP_SLACK * size }
    }

    /// Returns the time at which the box first touches that of a node, rounded like the times of
    /// hits.
    fn entry_time<T: Scalar>(&self, node: &Aabb<T, 3>) -> Option<T> {
        let (min, max) = (wide_point(node.min), wide_point(node.max));
        let mut span = TimeSpan::ALWAYS;
        for i in 0..3 {
            let (low, high) = (min[i] - self.high[i], max[i] - self.low[i]);
            span.narrow(low - self.pad, high + self.pad, self.velocity[i])?;
        }
        Some(impact_time(span.enter))
    }
}
