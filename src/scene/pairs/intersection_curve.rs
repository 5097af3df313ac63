//! The intersection curve of the surfaces of two parts of a scene.

use crate::error::Error;
use crate::model::PartId;
use crate::narrow_phase::Candidate;
use crate::num::Scalar;
use crate::scene::{NodeRef, QueryScratch, Snapshot};
use crate::tree::IntersectionCurve;

impl<T: Scalar> Snapshot<'_, T> {
    /// Computes the curve in which the surfaces of two parts intersect: its length, its centroid
    /// and its vector area [world frame]. The centroid is a good position for a spark or a sound:
    /// it is steadier than [`Hit::point`](crate::scene::Hit::point), which belongs to the two
    /// deepest boxes.
    ///
    /// `a` and `b` come from a [`Hit`](crate::scene::Hit) or from
    /// [`Hits::pairs`](crate::scene::Hits::pairs). The whole parts count, whatever their nodes,
    /// even if they are switched off or no query tests them against each other. Triangles decide,
    /// whatever the accuracy of the query was.
    ///
    /// Returns `None` if no two triangles cross in more than a point: parts that touch by boxes
    /// alone or in a point, a solid wholly inside another, hand-made boxes, parts without geometry,
    /// a part and itself. Use [`Hit::point`](crate::scene::Hit::point) then.
    /// [`TreePair::intersection_curve`](crate::tree::TreePair::intersection_curve) has the details
    /// and the cost. Swapped parts give the [reversed](IntersectionCurve::reversed) curve, bit for
    /// bit.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`] for a part.
    ///
    /// ```
    /// use boxwood::nalgebra::{Isometry3, Point3};
    /// use boxwood::{Buffers, Build, Geometry, Hits, Mesh, Model, PairQuery, QueryScratch};
    /// use boxwood::{Scene, Spawn};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let sides = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let wedge = Geometry::Solid(Mesh::new(corners.map(Point3::from).to_vec(), sides)?);
    /// let model = Model::builder().part("wedge", None, wedge).build(&Build::default())?;
    /// let mut scene = Scene::new();
    /// let red = scene.insert(&model, Spawn::default())?;
    /// let blue = scene.insert(&model, Spawn::at(Isometry3::translation(1.0, 1.0, 1.0)))?;
    ///
    /// let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    /// let mut scratch = QueryScratch::new();
    /// let now = scene.snapshot(&mut buffers);
    /// now.contacts(&PairQuery::between(red, blue), &mut hits)?;
    /// for hit in &hits {
    ///     let curve = now.intersection_curve(hit.a, hit.b, &mut scratch)?;
    ///     let spark = curve.map_or(hit.point, |curve| curve.centroid);
    ///     // Blue's corner sticks through the slanted face of red.
    ///     assert!((spark - Point3::new(4.0, 4.0, 4.0) / 3.0).norm() < 1e-5);
    /// }
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn intersection_curve(
        &self,
        a: NodeRef,
        b: NodeRef,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<IntersectionCurve<T>>, Error> {
        let (Some(a), Some(b)) = (self.part_with_geometry(a)?, self.part_with_geometry(b)?) else {
            return Ok(None);
        };
        if a == b {
            return Ok(None);
        }
        scratch.clear(self.buffers.simd);
        Ok(self.tree_pair(&Candidate { a, b }).intersection_curve(&mut scratch.narrow.tree))
    }

    /// Returns the index of the character and the part; `None` for a part without geometry.
    fn part_with_geometry(&self, node: NodeRef) -> Result<Option<(u32, PartId)>, Error> {
        let (index, character) = self.find_character(node.character)?;
        character.model.check_part(node.part)?;
        let has_tree = character.model.parts()[node.part.index()].tree().is_some();
        Ok(has_tree.then_some((index, node.part)))
    }
}
