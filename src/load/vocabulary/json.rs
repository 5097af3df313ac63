//! The survey of a JSON document.

use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::survey::{List, Survey};
use super::table::Vocabulary;

/// The length of the header of a GLB file, and of that of a chunk. Bytes.
const GLB_HEADERS: usize = 20;

/// Returns the JSON text of a glTF file: the first chunk of a GLB file, or the whole.
pub(in crate::load) fn json_text(bytes: &[u8]) -> &[u8] {
    if !bytes.starts_with(b"glTF") {
        return bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    }
    let length = bytes.get(12..16).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
    let text = bytes.get(GLB_HEADERS..).unwrap_or_default();
    text.get(..length.unwrap_or_default() as usize).unwrap_or(text)
}

/// Counts the properties of a document, without keeping any of its values; the reader refuses a
/// document that is not JSON.
pub(in crate::load) fn survey_json(json: &[u8], vocabulary: &'static Vocabulary) -> Survey {
    let mut survey = Survey::new(vocabulary);
    let mut reader = serde_json::Deserializer::from_slice(json);
    let walk = ValueWalk { survey: &mut survey, rule: 0, path: "" };
    // What was counted before an error stays; the reader of the format names the error.
    let _ = walk.deserialize(&mut reader);
    survey
}

/// A value to visit: an object whose properties a rule names, or an array of those.
struct ValueWalk<'s> {
    survey: &'s mut Survey,
    rule: usize,
    /// The place in the document, for people.
    path: &'s str,
}

impl<'de> DeserializeSeed<'de> for ValueWalk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueWalk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let ValueWalk { survey, rule, path } = self;
        let parent = if path.is_empty() { "the file" } else { path };
        while let Some(name) = map.next_key::<String>()? {
            let written = || [parent.to_owned(), name.clone()];
            match survey.count(rule, List::Children, &name, written) {
                (_, Some(rule)) => {
                    let path = match path {
                        "" => name,
                        path => format!("{path}.{name}"),
                    };
                    map.next_value_seed(ValueWalk { survey: &mut *survey, rule, path: &path })?;
                }
                (_, None) => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let ValueWalk { survey, rule, path } = self;
        let path = if path.ends_with("[]") { path.to_owned() } else { format!("{path}[]") };
        while list
            .next_element_seed(ValueWalk { survey: &mut *survey, rule, path: &path })?
            .is_some()
        {}
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_none<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        IgnoredAny::deserialize(reader).map(|_| ())
    }
}
