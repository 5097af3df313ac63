//! What of a moment is worked out by whoever asks for it first, so that who does not ask does not
//! pay; its room is kept for the next.

use std::sync::{Mutex, OnceLock, PoisonError};

#[derive(Debug, Default)]
pub(super) struct Lazy<W> {
    made: OnceLock<W>,
    spare: Mutex<W>,
}

/// Room is not copied.
impl<W: Clone + Default> Clone for Lazy<W> {
    fn clone(&self) -> Self {
        Lazy { made: self.made.clone(), spare: Mutex::default() }
    }
}

impl<W: Default> Lazy<W> {
    /// What it depends on is about to change.
    pub fn forget(&mut self) {
        if let Some(made) = self.made.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = made;
        }
    }

    /// What was made; if nothing was, made now from what was made before.
    pub fn get(&self, make: impl FnOnce(&mut W)) -> &W {
        self.made.get_or_init(|| {
            let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let mut made = std::mem::take(&mut *spare);
            make(&mut made);
            made
        })
    }
}
