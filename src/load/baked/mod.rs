//! Baked characters and robots: trees included, written once and read in milliseconds.
//!
//! A file contains only data that would need a search to find again. Boxes and all other derived
//! data are computed while reading, by the code that built them, and compared by the fingerprint.
//! Structure and numbers are `postcard`'s, after a header of 36 bytes: the kind of file, the format
//! version, the answer version, the size of a number, the number of bytes that follow, and their
//! checksum. A file of another version of either is rejected; see [`header`].

mod character;
mod header;
mod number;
mod record;
#[cfg(feature = "urdf")]
mod robot;
mod tree;

#[cfg(feature = "urdf")]
pub(super) use self::robot::read_baked_robot;
pub(super) use character::read_baked;
#[cfg(feature = "urdf")]
pub(super) use header::begins_like_robot;

collect_tests!(record);
