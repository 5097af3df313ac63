//! Value computed on first use, in recycled memory.

use std::sync::{Mutex, OnceLock, PoisonError};

/// A value computed on first use, and again after a reset, in the same memory.
#[derive(Debug, Default)]
pub(crate) struct Lazy<W> {
    made: OnceLock<W>,
    spare: Mutex<W>,
}

/// Copies the value only, not the recycled memory.
impl<W: Clone + Default> Clone for Lazy<W> {
    fn clone(&self) -> Self {
        Lazy { made: self.made.clone(), spare: Mutex::default() }
    }
}

impl<W: Default> Lazy<W> {
    /// Drops the value, because what it depends on is about to change.
    pub fn forget(&mut self) {
        if let Some(made) = self.made.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = made;
        }
    }

    /// Returns `true` if there is a value.
    #[cfg(test)]
    pub fn has(&self) -> bool {
        self.made.get().is_some()
    }

    /// Returns the value; if there is none, computes it in the memory of the last one.
    pub fn get(&self, make: impl FnOnce(&mut W)) -> &W {
        self.made.get_or_init(|| {
            let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let mut made = std::mem::take(&mut *spare);
            make(&mut made);
            made
        })
    }
}
