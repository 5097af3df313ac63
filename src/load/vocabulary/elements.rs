//! Elements of a file, by class: those that a [`Loader`](crate::load::Loader) uses, and others.

use std::path::Path;

use super::FileElement;
#[cfg(feature = "mjcf")]
use super::MJCF;
use super::Survey;
#[cfg(feature = "urdf")]
use super::{DAE, SRDF, URDF, survey_xml};
#[cfg(feature = "gltf")]
use super::{GLTF, json_text, survey_json};
use crate::error::Error;
use crate::load::source::FileSource;
#[cfg(feature = "urdf")]
use crate::load::urdf::encoding::xml_text;
#[cfg(feature = "urdf")]
use crate::load::urdf::xml;

/// Lists the contents of an XML or JSON file: each kind of element, attribute and property with its
/// number and its class.
///
/// Loaders warn of [unknown](super::ElementClass::Unknown) elements. This also lists those that
/// they leave out without a warning because they change neither geometry nor motion: colours,
/// masses, friction. Files that the file refers to are not read. glTF, URDF, SRDF, MJCF, DAE.
///
/// # Errors
/// [`Error::File`] for a file that cannot be read, or is in none of these formats.
///
/// ```
/// let elements = boxwood::load::elements("examples/fighter/fighter.glb")?;
/// assert!(elements.iter().all(|element| element.class != boxwood::load::ElementClass::Unknown));
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn elements(path: impl AsRef<Path>) -> Result<Vec<FileElement>, Error> {
    let source = FileSource::file(path.as_ref());
    let survey = survey(&source).map_err(|trouble| source.error(&trouble))?;
    Ok(survey.into_elements())
}

fn survey(source: &FileSource<'_>) -> Result<Survey, String> {
    let ending = source.path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let ending = ending.to_ascii_lowercase();
    match ending.as_str() {
        #[cfg(feature = "gltf")]
        "glb" | "gltf" => Ok(survey_json(json_text(&source.bytes()?), &GLTF)),
        #[cfg(feature = "urdf")]
        "urdf" | "srdf" | "xml" | "dae" => {
            let text = xml_text(source.bytes()?.into_owned())?;
            let document = xml::parse(&text)?;
            let root = document.root_element();
            let vocabulary = match root.tag_name().name() {
                "COLLADA" => &DAE,
                "robot" if ending == "srdf" => &SRDF,
                "robot" => &URDF,
                #[cfg(feature = "mjcf")]
                "mujoco" | "mujocoinclude" => &MJCF,
                _ => return Err(xml::at(root, "not a URDF, SRDF, MJCF or COLLADA file")),
            };
            Ok(survey_xml(root, vocabulary))
        }
        _ => Err(format!("the elements of files of type '.{ending}' cannot be listed")),
    }
}
