//! Files of a single mesh: OBJ and STL.

mod obj;
mod polygon;
mod read;
mod skipped;
mod soup;
mod stl;

pub(super) use polygon::CROSSING_POLYGONS;
#[cfg(feature = "urdf")]
pub(super) use polygon::triangulate_rings;
pub(super) use read::MeshFormat;
pub(super) use read::{read_obj, read_stl};
pub(super) use skipped::SkippedElements;
pub(super) use soup::Soup;
