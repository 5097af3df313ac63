//! Where an answer lies in the module's memory.

use wasm_bindgen::prelude::*;

/// A list of numbers in the module's memory: the page looks at it there, nothing is copied. It holds
/// until the next call, which may move or change it.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub struct MemoryView {
    /// The address of the first number.
    pub at: usize,
    /// How many there are.
    pub len: usize,
}

impl MemoryView {
    /// The view of a list.
    pub(crate) fn of<T>(list: &[T]) -> Self {
        MemoryView { at: list.as_ptr() as usize, len: list.len() }
    }
}
