//! Files of a single mesh: OBJ and STL.
//!
//! `read_obj` and `read_stl` make a character of one part. A file is parsed (`obj`, `stl`) into a
//! `Soup`, three corners for each triangle, whose equal corners its mesh shares. `Triangulation`
//! divides the polygons of OBJ files, concave or not planar; `SkippedElements` counts the elements
//! left out by kind, for warnings. Robots of URDF and MJCF files read their meshes by `MeshFormat`.
//!
//! Read `read` first, then `obj`.

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
