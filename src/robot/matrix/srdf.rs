//! A collision matrix as an SRDF file.

use std::fmt::Write;

use super::result::{CollisionMatrix, PairVerdict};
use crate::num::Scalar;

impl<T: Scalar> CollisionMatrix<T> {
    /// Returns the text of an SRDF file that disables the pairs that are proved to touch
    /// [never](PairVerdict::Never) or [always](PairVerdict::Always), with this as the reason.
    /// `robot` is the name of the robot in its URDF file, which an SRDF file repeats.
    ///
    /// Neighbours that touch sometimes, or always without a proof, are not in it: loaders ignore
    /// them by [themselves](crate::load::Loader::ignore_neighbours).
    pub fn to_srdf(&self, robot: &str) -> String {
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        // Writing to a string does not fail.
        let _ = writeln!(text, "<robot name=\"{}\">", escaped(robot));
        for pair in self.pairs() {
            let reason = match pair.verdict {
                PairVerdict::Never => "Never",
                PairVerdict::Always => "Always",
                _ => continue,
            };
            let [a, b] = [pair.a, pair.b].map(|part| escaped(self.name(part)));
            let _ = writeln!(
                text,
                "  <disable_collisions link1=\"{a}\" link2=\"{b}\" reason=\"{reason}\"/>"
            );
        }
        text + "</robot>\n"
    }
}

/// Escapes the value of an attribute: characters that a reader takes for markup or converts to
/// spaces are written by number.
fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '&' | '<' | '>' | '"' | '\'' | '\n' | '\r' | '\t' => {
                let _ = write!(text, "&#{};", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text
}
