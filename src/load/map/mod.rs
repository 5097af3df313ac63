//! Maps of Quake's editors, also with the texture axes of Valve 220, as levels of brushes.
//!
//! `read` scans and parses the text, `assemble` makes the [`Level`] by the rules of [`MapOptions`],
//! `plane` computes the planes of faces, and `layers` finds the entities to omit.
//!
//! Sources: the map format of Quake's `qbsp`; the manual of TrenchBroom for layers and groups.

mod assemble;
mod functions;
mod layers;
mod level;
mod options;
mod plane;
mod read;
mod warning;

pub use functions::{map, map_bytes};
pub use level::{Level, LevelBrush, LevelEntity, LevelVolume};
pub use options::{ClassRole, MapOptions, NamePattern, TextureRole};
pub use warning::{BrushPlace, LevelWarning};

collect_tests!(layers, plane, read);
