//! Serialization of slot map keys as numbers.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use slotmap::{DefaultKey, Key, KeyData};

pub fn serialize<S: Serializer>(slot: &DefaultKey, to: S) -> Result<S::Ok, S::Error> {
    slot.data().as_ffi().serialize(to)
}

pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<DefaultKey, D::Error> {
    let bits = u64::deserialize(from)?;
    let key = KeyData::from_ffi(bits);
    // `KeyData` normalizes bits, so other bits may give the same key.
    if key.as_ffi() == bits {
        Ok(key.into())
    } else {
        Err(D::Error::custom("the bits are not those of a key"))
    }
}
