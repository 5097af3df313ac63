//! Damaged files of recorded motion: a recording or an error.

use std::path::PathBuf;

use boxwood::Error;
use boxwood::load;

use super::small::{AMC, ASF, SMALL};
use support::data::data;
use support::folder::Folder;

/// A new file each time: file systems take their time to overwrite one.
fn anew(folder: &Folder, name: &str, bytes: Vec<u8>) -> PathBuf {
    let _ = std::fs::remove_file(folder.path(name));
    folder.write(name, bytes)
}

#[test]
fn damaged_files_are_read_or_refused() {
    let folder = Folder::new();
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let mut counts = [0; 2];
    for _ in 0..1000 {
        for text in [SMALL, ASF, AMC] {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..1 + random(3) {
                let (to, from) = (random(bytes.len()), random(bytes.len()));
                bytes[to] = bytes[from];
            }
            let text_or = |own: &str| if own == text { bytes.clone() } else { own.into() };
            let bvh = load::bvh(anew(&folder, "d.bvh", text_or(SMALL)));
            let (asf, amc) =
                (anew(&folder, "d.asf", text_or(ASF)), anew(&folder, "d.amc", text_or(AMC)));
            let amc = load::amc(asf, amc);
            for found in [bvh, amc] {
                match found {
                    Ok(_) => counts[0] += 1,
                    Err(Error::File { .. }) => counts[1] += 1,
                    Err(other) => panic!("{other}"),
                }
            }
        }
    }
    assert!(counts[0] > 500 && counts[1] > 500, "{counts:?}");
}

#[test]
fn damaged_real_files_are_read_or_refused() {
    let Some(data) = data() else { return };
    let folder = Folder::new();
    let mut state = 9_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let read = |name: &str| std::fs::read(data.join("mocap").join(name)).expect("a file");
    let (bvh, asf, amc) =
        (read("cmu-18-01/18_01.bvh"), read("cmu-02-05/02.asf"), read("cmu-02-05/02_05.amc"));
    // The first thirty of its frames.
    let end = amc.windows(5).position(|five| five == b"\n31\r\n").expect("a frame");
    let amc = amc[..end + 1].to_vec();
    let mut counts = [0; 2];
    for round in 0..300 {
        let mut damaged = [&bvh, &asf, &amc][round % 3].clone();
        if random(2) == 0 {
            damaged.truncate(random(damaged.len()));
        } else {
            let (to, from) = (random(damaged.len()), random(damaged.len()));
            damaged[to] = damaged[from];
        }
        let good = match round % 3 {
            0 => load::bvh(anew(&folder, "d.bvh", damaged)).is_ok(),
            1 => load::amc(anew(&folder, "d.asf", damaged), anew(&folder, "d.amc", amc.clone()))
                .is_ok(),
            _ => load::amc(anew(&folder, "d.asf", asf.clone()), anew(&folder, "d.amc", damaged))
                .is_ok(),
        };
        counts[usize::from(good)] += 1;
    }
    assert!(counts[0] > 30 && counts[1] > 30, "{counts:?}");
}
