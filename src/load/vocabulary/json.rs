//! The survey of a JSON document.

use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::survey::{NameList, Survey};
use super::table::Vocabulary;

/// Length of the headers of a GLB file and of its first chunk. Bytes.
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

/// Counts the properties of a document, without storing any of its values; the reader rejects a
/// document that is not JSON.
pub(in crate::load) fn survey_json(json: &[u8], vocabulary: &'static Vocabulary) -> Survey {
    let mut survey = Survey::new(vocabulary);
    let mut reader = serde_json::Deserializer::from_slice(json);
    let walk = ValueWalk { survey: &mut survey, rule: 0, path: DocumentPath::ROOT };
    // Counts up to an error are kept; the reader of the format reports the error.
    let _ = walk.deserialize(&mut reader);
    survey
}

/// A path in the document. Not text: most paths are visited often, but written only once.
#[derive(Clone, Copy)]
struct DocumentPath<'p> {
    parent: Option<&'p DocumentPath<'p>>,
    /// The property, as the index of its kind; `None` for the root.
    kind: Option<usize>,
    /// `true` in an array.
    in_list: bool,
}

impl DocumentPath<'_> {
    const ROOT: Self = DocumentPath { parent: None, kind: None, in_list: false };

    /// Writes the path for messages: `meshes[].primitives[]`.
    fn write(&self, survey: &Survey) -> String {
        let above = self.parent.filter(|parent| parent.kind.is_some());
        let above = above.map_or(String::new(), |parent| parent.write(survey) + ".");
        match self.kind {
            Some(kind) => above + survey.key(kind) + if self.in_list { "[]" } else { "" },
            None => "the file".to_owned(),
        }
    }
}

/// A value to visit: an object whose properties have a rule, or an array of them.
struct ValueWalk<'s> {
    survey: &'s mut Survey,
    rule: usize,
    path: DocumentPath<'s>,
}

impl<'de> DeserializeSeed<'de> for ValueWalk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

/// Counts the name of a property; its value is the index of its kind.
struct KeyCounter<'k, 's>(&'k mut ValueWalk<'s>);

impl<'de> DeserializeSeed<'de> for KeyCounter<'_, '_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<usize, D::Error> {
        reader.deserialize_str(self)
    }
}

impl Visitor<'_> for KeyCounter<'_, '_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<usize, E> {
        let ValueWalk { survey, rule, path } = self.0;
        let written = |survey: &Survey| [path.write(survey), name.to_owned()];
        Ok(survey.count(*rule, NameList::Children, name, written))
    }
}

impl<'de> Visitor<'de> for ValueWalk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(kind) = map.next_key_seed(KeyCounter(&mut self))? {
            match self.survey.rule(kind) {
                Some(rule) => {
                    let path =
                        DocumentPath { parent: Some(&self.path), kind: Some(kind), in_list: false };
                    map.next_value_seed(ValueWalk { survey: &mut *self.survey, rule, path })?;
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let ValueWalk { survey, rule, path } = self;
        let path = DocumentPath { in_list: true, ..path };
        while list.next_element_seed(ValueWalk { survey: &mut *survey, rule, path })?.is_some() {}
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
