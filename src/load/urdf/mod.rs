//! URDF robots, with their meshes and SRDF files.
//!
//! `tree` reads links and joints into a mechanism, `collision` the shapes of links (meshes by `dae`
//! and the module `meshes`), `geometry` builds parts from shapes, also those of MJCF, and `srdf`
//! changes the pairs that are not tested. `robot` has the result type.
//!
//! Parsed here from the XML: the one maintained crate for URDF overflows the stack on 20 000 nested
//! elements and drops words that are no numbers. Source: the URDF and SRDF pages of the ROS wiki;
//! urdfdom for cases that they leave open.

mod attached;
mod collision;
mod dae;
mod dae_faces;
pub(super) mod encoding;
pub(super) mod geometry;
mod ignored;
mod link_shapes;
mod paths;
mod read;
pub(super) mod robot;
pub(super) mod round_shape;
mod srdf;
pub(super) mod tessellation;
mod tree;
mod xacro;
pub(super) mod xml;

pub use link_shapes::LinkShapes;
pub use paths::Resolver;
pub(super) use read::read_urdf;
pub use robot::Robot;

collect_tests!(encoding, geometry, tessellation);
