//! Bytes nobody meant: every answer is a model or an error.

use boxwood::Error;

use crate::folder::Folder;
use crate::{bare_f32, skinned, trouble_in};

#[test]
fn every_way_to_cut_a_file_short_is_an_error() {
    let glb = skinned().glb();
    for length in 0..glb.len() {
        trouble_in(&glb[..length]);
    }
}

#[test]
fn broken_bytes_never_panic() {
    let folder = Folder::new();
    let (mut read, mut refused) = (0, 0);
    let original = skinned().glb();
    for place in 0..original.len() {
        for byte in [if place % 2 == 0 { b'9' } else { 0xff }, original[place] ^ 1] {
            let mut glb = original.clone();
            glb[place] = byte;
            match bare_f32(folder.write("broken.glb", glb)) {
                Ok(_) => read += 1,
                Err(Error::File { .. }) => refused += 1,
                Err(other) => panic!("{other:?}"),
            }
        }
    }
    assert!(read > 0 && refused > 0);
}
