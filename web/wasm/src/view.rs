//! Address and length of answers in the module's memory.

use wasm_bindgen::prelude::*;

/// A list of numbers in the module's memory, which the page reads without a copy. It is valid until
/// the next call, which may move or change it.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub struct MemoryView {
    /// Address of the first number.
    pub at: usize,
    /// Number of numbers.
    pub len: usize,
}

impl MemoryView {
    /// Returns the view of a list.
    pub(crate) fn of<T>(list: &[T]) -> Self {
        MemoryView { at: list.as_ptr() as usize, len: list.len() }
    }
}
