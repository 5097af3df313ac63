//! Identifier of a part.

use std::fmt;

/// Index of a part in its model, the same in every character that shares the model.
///
/// ```
/// # boxwood::fixture_model!(cube, model);
/// use boxwood::PartId;
///
/// let cube = model.part("cube")?; // by name
/// assert_eq!((cube, cube.index()), (PartId::new(0), 0));
/// assert!(model.part("sword").is_err());
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartId(u32);

impl PartId {
    /// Creates the id of the part with this index.
    pub fn new(index: usize) -> Self {
        PartId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Returns the index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for PartId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
