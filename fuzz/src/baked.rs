//! Any bytes as the inside of a baked character under a good header, or as changes of a good one: a sound character or an error.
//! Built on stable with the flags of `fuzz/README.md`.
#![no_main]

use std::sync::LazyLock;

use boxwood::load::{Loaded, baked_bytes};
use boxwood::{Build, Error};
use libfuzzer_sys::fuzz_target;

#[allow(dead_code, unused_imports)]
#[path = "../../tests/bake/kinds.rs"]
mod kinds;
#[path = "../../tests/bake/seal.rs"]
mod seal;

static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let bytes = kinds::character::<f32>(&Build::fast()).bake().expect("bytes");
    bytes[seal::HEADER..].to_vec()
});

fuzz_target!(|bytes: &[u8]| {
    let read = match bytes.split_first() {
        Some((0, whole)) => baked_bytes::<f32>(whole),
        Some((1, body)) => baked_bytes(&seal::sealed(body, 4)),
        Some((_, changes)) => baked_bytes(&seal::sealed(&changed(changes), 4)),
        None => return,
    };
    match read {
        Ok(read) => sound(&read),
        Err(Error::Baked { .. }) => {}
        Err(other) => panic!("{other:?}"),
    }
});

/// The good body, with every third byte put where the two before it say.
fn changed(changes: &[u8]) -> Vec<u8> {
    let mut body = GOOD.clone();
    for change in changes.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % body.len();
        body[at] = change[2];
    }
    body
}

fn sound(read: &Loaded<f32>) {
    assert_eq!(read.model.len(), read.skeleton.len());
    for tree in read.model.parts().iter().filter_map(|part| part.tree()) {
        tree.validate().expect("a tree that was let in");
    }
}
