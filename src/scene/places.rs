//! Poses as matrices and the exact world boxes of all parts, worked out when the first question needs them: most need few.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::Scene;
use super::boxes::Entry;
use crate::model::Placed;
use crate::num::Scalar;

/// All parts of a snapshot, or none yet.
#[derive(Debug, Default)]
pub(super) struct Places<T: Scalar> {
    made: OnceLock<Vec<Placed<T>>>,
    /// Room for the next.
    spare: Mutex<Vec<Placed<T>>>,
}

/// Only what saves time is in it.
impl<T: Scalar> Clone for Places<T> {
    fn clone(&self) -> Self {
        Places::default()
    }
}

impl<T: Scalar> Places<T> {
    /// The characters have moved.
    pub fn forget(&mut self) {
        if let Some(made) = self.made.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = made;
        }
    }

    /// Character by character, part by part.
    pub fn get(&self, scene: &Scene<T>, entries: &[Entry<T>]) -> &[Placed<T>] {
        self.made.get_or_init(|| {
            let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let mut placed = std::mem::take(&mut *spare);
            placed.clear();
            for entry in entries {
                placed.extend(scene.characters[entry.slot].placed());
            }
            placed
        })
    }
}
