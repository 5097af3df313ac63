//! Pictures as SVG: a camera, the order of faces that hide each other, and text.
//!
//! The command-line tool and several examples share this module: it needs only the library.

pub mod camera;
pub mod hidden_faces;
pub mod xml_text;
