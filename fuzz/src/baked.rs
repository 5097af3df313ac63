//! First byte 0: any bytes as a baked character; 1: as the inside of one under a good header; else
//! as changes of a good one. What is let in is sound.

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
