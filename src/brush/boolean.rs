//! Boolean operations of brushes: the result is a list of convex pieces, cut off plane by plane.

use super::Brush;
use super::polytope::HalfSpace;

/// Boolean operations. Results are convex brushes with disjoint insides; together they are the
/// named set, up to the rounding of [`Brush::from_planes`]. New faces lie exactly on planes of the
/// arguments (the same bits, or their negatives), so neighbouring pieces have no seam.
///
/// Build the solid first and offset its pieces afterwards: the offset of a union is the union of
/// the offsets, but the offset of a difference is not the difference of the offsets.
///
/// Source: CN105488851 (2016): solids from convex pieces; RTCD 8.3.4 for the cuts.
impl Brush {
    /// Returns the part of this brush outside of `other`: at most one piece for each plane of
    /// `other`.
    ///
    /// The piece of a plane lies in front of it and behind the planes before it, in the order of
    /// [`Brush::planes`]. Brushes that only touch, or that overlap by less than the least thickness
    /// of a brush (see [`Brush::from_planes`]), leave this brush as it is, bit for bit. Pieces
    /// thinner than that are left out. If `other` contains this brush the list is empty.
    ///
    /// ```
    /// use boxwood::brush::Brush;
    /// use boxwood::f64::Aabb;
    /// use boxwood::nalgebra::Point3;
    ///
    /// let wall = Aabb::new(Point3::origin(), Point3::new(10.0, 0.5, 3.0));
    /// let door = Aabb::new(Point3::new(4.0, -1.0, 0.0), Point3::new(6.0, 1.0, 2.0));
    /// let pieces = Brush::from_aabb(&wall)?.subtract(&Brush::from_aabb(&door)?);
    /// assert_eq!(pieces.len(), 3); // left, right, above
    /// assert_eq!(pieces.iter().map(Brush::volume).sum::<f64>(), 15.0 - 2.0);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn subtract(&self, other: &Brush) -> Vec<Brush> {
        if self.intersection(other).is_none() {
            return vec![self.clone()];
        }
        let (mut pieces, mut rest) = (Vec::new(), self.clone());
        for plane in other.half_spaces() {
            pieces.extend(rest.clipped_behind(&flipped(plane)));
            let Some(behind) = rest.clipped_behind(plane) else { break };
            rest = behind;
        }
        pieces
    }

    /// Returns the union: this brush, bit for bit, then the part of `other` outside of it.
    ///
    /// Like [`Brush::subtract`], with at most one piece more than this brush has planes.
    ///
    /// ```
    /// use boxwood::brush::Brush;
    /// use boxwood::f64::Aabb;
    /// use boxwood::nalgebra::Point3;
    ///
    /// let cube = |at: f64| {
    ///     let min = Point3::new(at, at, at);
    ///     Brush::from_aabb(&Aabb::new(min, min.map(|x| x + 2.0)))
    /// };
    /// let both = cube(0.0)?.union(&cube(1.0)?);
    /// assert_eq!(both.iter().map(Brush::volume).sum::<f64>(), 8.0 + 8.0 - 1.0);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn union(&self, other: &Brush) -> Vec<Brush> {
        let mut pieces = vec![self.clone()];
        pieces.extend(other.subtract(self));
        pieces
    }

    /// Returns the intersection; `None` if the brushes share no inside, or less than the least
    /// thickness of a brush (see [`Brush::from_planes`]). Brushes that only touch have none.
    ///
    /// ```
    /// use boxwood::brush::Brush;
    /// use boxwood::f64::Aabb;
    /// use boxwood::nalgebra::Point3;
    ///
    /// let cube = |x: f64| {
    ///     Brush::from_aabb(&Aabb::new(Point3::new(x, 0.0, 0.0), Point3::new(x + 2.0, 2.0, 2.0)))
    /// };
    /// assert_eq!(cube(0.0)?.intersection(&cube(1.0)?).map(|both| both.volume()), Some(4.0));
    /// assert!(cube(0.0)?.intersection(&cube(2.0)?).is_none()); // touching
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn intersection(&self, other: &Brush) -> Option<Brush> {
        let planes = [self.half_spaces(), other.half_spaces()].concat();
        Brush::from_half_spaces(&planes).ok()
    }

    /// Returns the part behind a plane; `None` if it is too thin for a brush.
    fn clipped_behind(&self, plane: &HalfSpace) -> Option<Brush> {
        let planes = [self.half_spaces(), std::slice::from_ref(plane)].concat();
        Brush::from_half_spaces(&planes).ok()
    }
}

fn flipped(plane: &HalfSpace) -> HalfSpace {
    HalfSpace { normal: plane.normal.map(|x| -x), offset: -plane.offset }
}
