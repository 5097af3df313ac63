//! Damaged bytes: a character or an error, whatever the checksum says.

use boxwood::Loader;
use boxwood::load::Loaded;
use boxwood::{Build, Error};

use super::all_geometry::character;
use super::header::{ANSWERS, FORMAT, HEADER, sealed};

use support::prelude::*;

fn bytes() -> Vec<u8> {
    character::<f32>(&Build::fast()).bake().expect("bytes")
}

/// Returns the error message, if any; asserts that a character that is read is sound in every tree.
fn trouble(bytes: &[u8]) -> Option<String> {
    match Loader::new().baked_bytes(bytes) {
        Ok(read) => {
            sound(&read);
            None
        }
        Err(Error::File { path, trouble }) => {
            assert_eq!(path, std::path::Path::new("bytes in memory"));
            let trouble = trouble.strip_prefix("not a baked character: ");
            Some(trouble.expect("what it is not").to_owned())
        }
        Err(other) => panic!("{other:?}"),
    }
}

fn sound(read: &Loaded<f32>) {
    assert_eq!(read.model.len(), read.skeleton.len());
    for tree in read.model.parts().iter().filter_map(|part| part.tree()) {
        tree.validate().expect("a tree that was let in");
    }
}

#[test]
fn the_header_is_as_described() {
    let bytes = bytes();
    assert!(sealed(&bytes[HEADER..], 4) == bytes);
}

#[test]
fn every_truncation_is_refused() {
    let bytes = bytes();
    for end in 0..bytes.len() {
        assert!(trouble(&bytes[..end]).is_some(), "cut to {end}");
        if end > HEADER {
            assert!(trouble(&sealed(&bytes[HEADER..end], 4)).is_some(), "cut to {end} and sealed");
        }
    }
}

#[test]
fn every_flipped_bit_is_detected() {
    let bytes = bytes();
    for at in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            assert!(trouble(&damaged).is_some(), "byte {at} ^ {flip}");
        }
    }
}

#[test]
fn flipped_bits_under_a_valid_checksum_are_sound_or_refused() {
    let bytes = bytes();
    let (mut random, mut kept, mut refused) = (Random(1), 0, 0);
    let tries = support::proof::cases(20_000);
    for _ in 0..tries {
        let mut body = bytes[HEADER..].to_vec();
        for _ in 0..=random.below(3) {
            body[random.below(bytes.len() - HEADER)] = random.bits() as u8;
        }
        match trouble(&sealed(&body, 4)) {
            None => kept += 1,
            Some(_) => refused += 1,
        }
    }
    // A fingerprint covers geometry and trees; names, poses and keys may change into other valid
    // ones.
    assert!(4 * refused > 3 * tries && kept > 0, "{kept} {refused}");
}

#[test]
fn swapped_halves_are_refused() {
    let bytes = bytes();
    let body = &bytes[HEADER..];
    for cut in (1..body.len()).step_by(7) {
        let swapped = [&body[cut..], &body[..cut]].concat();
        assert!(trouble(&sealed(&swapped, 4)).is_some(), "swapped at {cut}");
    }
}

#[test]
fn headers_state_kind_and_precision() {
    let bytes = bytes();
    let with = |at: usize, value: u8| {
        let mut other = bytes.clone();
        other[at] = value;
        trouble(&other).expect("refused")
    };
    assert_eq!(with(0, b'B'), "its first 8 bytes are different");
    assert_eq!(
        with(8, 6),
        "it has format version 6, and this version of boxwood reads 5: run `boxwood bake` on its \
         source file again"
    );
    assert_eq!(
        with(12, 3),
        "it has answer version 3, and this version of boxwood reads 2: run `boxwood bake` on its \
         source file again"
    );
    assert_eq!(with(16, 8), "its numbers have 8 bytes, 4 expected");
    assert!(with(20, bytes[20] ^ 1).contains("bytes follow the header"));
    for (at, byte) in bytes.iter().enumerate().take(HEADER + 1).skip(28) {
        assert_eq!(with(at, byte ^ 1), "its checksum does not match: it is damaged");
    }
    assert!(trouble(&[&bytes[..], &[0]].concat()).expect("refused").contains("follow the header"));
    let longer = [&bytes[HEADER..], &[0]].concat();
    assert_eq!(trouble(&sealed(&longer, 4)).expect("refused"), "1 bytes remain after the record");
    assert!(trouble(&[]).is_some());
    // Equal bytes with the other number type.
    assert!(Loader::new().baked_bytes(&sealed(&bytes[HEADER..], 8)).is_err());
}

#[test]
fn other_versions_are_refused_before_anything_else_is_read() {
    let bytes = bytes();
    for (at, name, read) in [(8, "format", FORMAT), (12, "answer", ANSWERS)] {
        for version in [0, read - 1, read + 1, read ^ 1 << 31, u32::MAX] {
            let mut other = bytes.clone();
            other[at..at + 4].copy_from_slice(&version.to_le_bytes());
            // Damaged or truncated after the version: another version is reported first.
            for bytes in
                [other.clone(), other[..at + 4].to_vec(), other[..other.len() - 1].to_vec()]
            {
                let trouble = trouble(&bytes).expect("refused");
                let numbers =
                    format!("{name} version {version}, and this version of boxwood reads {read}");
                assert!(trouble.contains(&numbers), "{trouble}");
                assert!(trouble.contains("`boxwood bake`"), "{trouble}");
            }
        }
    }
}

#[test]
fn files_with_one_version_alone_are_refused() {
    // Header until format version 4: magic, version, size of a number, length, checksum.
    let bytes = bytes();
    let body = &bytes[HEADER..];
    for version in 1..=4_u32 {
        for scalar in [4_u32, 8] {
            let mut old = b"boxwood\0".to_vec();
            old.extend(version.to_le_bytes());
            old.extend(scalar.to_le_bytes());
            old.extend((body.len() as u64).to_le_bytes());
            old.extend(&bytes[HEADER - 8..HEADER]);
            old.extend(body);
            let trouble = trouble(&old).expect("refused");
            let begin = format!("it has format version {version}, and");
            assert!(trouble.starts_with(&begin) && trouble.contains("boxwood bake"), "{trouble}");
        }
    }
}

#[test]
fn huge_counts_are_refused() {
    // A list of 2^32 parts, and 2^32 triangles, in a few bytes.
    let many = [0xff, 0xff, 0xff, 0xff, 0x0f];
    assert!(trouble(&sealed(&many, 4)).is_some());
    let bytes = bytes();
    for at in 0..200 {
        let body = [&bytes[HEADER..HEADER + at], &many, &bytes[HEADER + at..]].concat();
        assert!(trouble(&sealed(&body, 4)).is_some(), "many at {at}");
    }
}
