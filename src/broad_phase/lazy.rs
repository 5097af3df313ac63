//! Value computed on first use, in recycled memory.

use std::sync::{Mutex, OnceLock, PoisonError};

/// A value computed on first use, and again after a reset, in the same memory.
#[derive(Debug, Default)]
pub(crate) struct Lazy<W> {
    value: OnceLock<W>,
    recycled: Mutex<W>,
}

/// Copies the value only, not the recycled memory.
impl<W: Clone + Default> Clone for Lazy<W> {
    fn clone(&self) -> Self {
        Lazy { value: self.value.clone(), recycled: Mutex::default() }
    }
}

impl<W: Default> Lazy<W> {
    /// Drops the value, because what it depends on is about to change.
    pub fn reset(&mut self) {
        if let Some(value) = self.value.take() {
            *self.recycled.get_mut().unwrap_or_else(PoisonError::into_inner) = value;
        }
    }

    /// Returns `true` if there is a value.
    #[cfg(feature = "internals")]
    pub fn has_value(&self) -> bool {
        self.value.get().is_some()
    }

    /// Returns the value; if there is none, computes it in the memory of the last one.
    pub fn get(&self, make: impl FnOnce(&mut W)) -> &W {
        self.value.get_or_init(|| {
            let mut recycled = self.recycled.lock().unwrap_or_else(PoisonError::into_inner);
            let mut value = std::mem::take(&mut *recycled);
            make(&mut value);
            value
        })
    }
}
