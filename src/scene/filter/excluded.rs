//! Characters that a query excludes.

use crate::error::Error;
use crate::num::Scalar;
use crate::scene::{CharacterKey, Scene};

/// Keys of characters, ascending, each once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::scene) struct ExcludedCharacters(Vec<CharacterKey>);

impl ExcludedCharacters {
    pub fn add(&mut self, characters: &[CharacterKey]) {
        self.0.extend_from_slice(characters);
        self.0.sort_unstable();
        self.0.dedup();
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn contains(&self, character: CharacterKey) -> bool {
        self.0.binary_search(&character).is_ok()
    }

    /// Returns an error for keys that are not of the scene.
    #[inline]
    pub fn check<T: Scalar>(&self, scene: &Scene<T>) -> Result<(), Error> {
        self.0.iter().try_for_each(|&key| scene.character(key).map(|_| ()))
    }
}
