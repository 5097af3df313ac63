//! Vocabularies of the XML and JSON formats: the elements that a reader uses, those that it may
//! leave out without a warning, and thereby those that it does not know.
//!
//! There is one table per format, and one pass over a file that looks up each element, attribute
//! and property. The pass is independent of the reader: it finds elements even where no reader
//! looks.

#[cfg(feature = "urdf")]
mod dae;
mod elements;
mod file_element;
#[cfg(feature = "gltf")]
mod gltf;
#[cfg(feature = "gltf")]
mod json;
#[cfg(feature = "mjcf")]
mod mjcf;
#[cfg(feature = "urdf")]
mod srdf;
mod survey;
mod table;
#[cfg(feature = "urdf")]
mod urdf;
#[cfg(feature = "urdf")]
mod xml;

#[cfg(feature = "urdf")]
pub(super) use self::dae::DAE;
pub use self::elements::elements;
pub use self::file_element::{ElementClass, FileElement};
#[cfg(feature = "gltf")]
pub(super) use self::gltf::GLTF;
#[cfg(feature = "gltf")]
pub(super) use self::json::{json_text, survey_json};
#[cfg(feature = "mjcf")]
pub(super) use self::mjcf::MJCF;
#[cfg(feature = "urdf")]
pub(super) use self::srdf::SRDF;
pub(super) use self::survey::Survey;
#[cfg(feature = "urdf")]
pub(super) use self::urdf::URDF;
#[cfg(feature = "urdf")]
pub(super) use self::xml::survey_xml;

collect_tests!(table);
