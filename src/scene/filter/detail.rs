//! The detail of answers.

/// Answers about parts, or about boxes.
///
/// ```
/// # boxwood::fixture_snapshot!(scene, red, blue at 0.9, buffers, now);
/// use boxwood::{Detail, Hits};
///
/// let mut hits = Hits::new();
/// now.pairs(&PairQuery::all().detail(Detail::Boxes), &mut hits)?;
/// assert_eq!(hits.pairs().len(), 1); // each part has one box
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// One answer a part or a pair of parts. A pair of parts names its deepest pair of boxes (which
    /// need not be as deep as the parts: see [`Hit`](crate::scene::Hit)), a part that a ray hits
    /// names the first box along the ray, a part that a shape overlaps names its root.
    #[default]
    Parts,
    /// One answer a box, or pair of boxes, of the cut.
    Boxes,
}
