//! Baked characters. First byte 0: the other bytes as a file; 1: as the body under a valid header;
//! otherwise as changes of a valid file. Every accepted character is checked.

use std::sync::LazyLock;

use boxwood::Loader;
use boxwood::load::Loaded;
use boxwood::{Build, Error};

#[allow(dead_code, unused_imports)]
#[path = "../../tests/rooms/load/bake/all_geometry.rs"]
mod all_geometry;
#[path = "../../tests/rooms/load/bake/header.rs"]
mod header;

static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let bytes = all_geometry::small::<f32>(&Build::fast()).bake().expect("bytes");
    bytes[header::HEADER..].to_vec()
});

pub fn run(bytes: &[u8]) {
    let read = match bytes.split_first() {
        Some((0, whole)) => Loader::new().baked_bytes(whole),
        Some((1, body)) => Loader::new().baked_bytes(&header::sealed(body, 4)),
        Some((_, changes)) => Loader::new().baked_bytes(&header::sealed(&changed(changes), 4)),
        None => return,
    };
    match read {
        Ok(read) => sound(&read),
        Err(Error::File { .. }) => {}
        Err(other) => panic!("{other:?}"),
    }
}

/// Returns the valid body; every third byte of `changes` replaces the byte at the index in the two
/// before it.
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
