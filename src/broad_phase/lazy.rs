//! A value computed on first use, in memory kept from the last time.

use std::sync::{Mutex, OnceLock, PoisonError};

/// A value computed on first use; computed anew, in the same memory, once it is forgotten.
#[derive(Debug, Default)]
pub(crate) struct Lazy<W> {
    made: OnceLock<W>,
    spare: Mutex<W>,
}

/// Memory is not copied.
impl<W: Clone + Default> Clone for Lazy<W> {
    fn clone(&self) -> Self {
        Lazy { made: self.made.clone(), spare: Mutex::default() }
    }
}

impl<W: Default> Lazy<W> {
    /// Drops the value: what it depends on is about to change.
    pub fn forget(&mut self) {
        if let Some(made) = self.made.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = made;
        }
    }

    /// Whether there is a value.
    #[cfg(test)]
    pub fn has(&self) -> bool {
        self.made.get().is_some()
    }

    /// The value; if there is none, made now in the memory of the last one.
    pub fn get(&self, make: impl FnOnce(&mut W)) -> &W {
        self.made.get_or_init(|| {
            let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let mut made = std::mem::take(&mut *spare);
            make(&mut made);
            made
        })
    }
}
