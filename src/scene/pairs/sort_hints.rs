//! Hints of a query, in the order of the parts of a snapshot.

use crate::error::Error;
use crate::model::PartId;
use crate::num::linear::scale;
use crate::num::{Scalar, check_unit_at};
use crate::scene::filter::normal_hint::{NormalHint, PreferredNormal};
use crate::scene::{CharacterKey, Snapshot};

impl<T: Scalar> Snapshot<'_, T> {
    /// Writes the hints about characters of the snapshot to `sorted`, in order of their parts.
    pub(in crate::scene) fn sort_hints(
        &self,
        hints: &[NormalHint],
        sorted: &mut Vec<PreferredNormal>,
    ) -> Result<(), Error> {
        sorted.clear();
        for (index, hint) in hints.iter().enumerate() {
            check_unit_at(&hint.normal, "hint", index)?;
            let [Some(a), Some(b)] = [self.hinted_part(hint.a)?, self.hinted_part(hint.b)?] else {
                continue;
            };
            let normal = hint.normal.into();
            let (parts, normal) =
                if b < a { ([b, a], scale(normal, -1.0)) } else { ([a, b], normal) };
            sorted.push(PreferredNormal { parts, index: index as u32, normal });
        }
        sorted.sort_unstable_by_key(|hint| (hint.parts, hint.index));
        Ok(())
    }

    /// Returns the index of the character and the part; `None` if the character was removed.
    fn hinted_part(
        &self,
        (key, part): (CharacterKey, PartId),
    ) -> Result<Option<(u32, PartId)>, Error> {
        match self.find_character(key) {
            Ok((index, character)) => {
                character.model.check_part(part)?;
                Ok(Some((index, part)))
            }
            Err(Error::StaleKey) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
