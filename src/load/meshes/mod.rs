//! Files of a single mesh: OBJ and STL.

mod obj;
mod polygon;
mod read;
mod skipped;
mod soup;
mod stl;

#[cfg(feature = "urdf")]
pub(super) use polygon::{CROSSING_POLYGONS, triangulate_rings};
#[cfg(feature = "urdf")]
pub(super) use read::MeshFormat;
pub(super) use read::{read_obj, read_stl};
pub(super) use skipped::SkippedElements;
pub(super) use soup::Soup;

collect_tests!(polygon, stl);
