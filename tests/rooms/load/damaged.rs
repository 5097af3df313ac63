//! Damaged files of every format, real and small: read, or refused by an error that names the file;
//! in bounded time and memory.

use std::path::{Path, PathBuf};

use boxwood::load::{self, MapOptions, Resolver};
use boxwood::{Build, Error, Loader};

use super::mjcf::small::SMALL as MJCF;
use super::mocap::small::{AMC, ASF, SMALL as BVH};
use super::urdf::small::{DAE, OBJ, collision, link, robot, stl};
use support::damage::{Damage, damaged, damaged_by};
use support::data::data;
use support::folder::Folder;
use support::prelude::*;

/// Number of damages of each kind, per file.
fn tries() -> usize {
    at_least(300, 16)
}

/// Returns a loader of trees of one box: only reading is tested here.
fn loader() -> Loader<'static> {
    Loader::new().build(Build::fast().max_depth(0))
}

/// Returns every file below the folder with that ending, sorted by name.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let ends = path.extension().is_some_and(|own| own.eq_ignore_ascii_case(end));
        match path.is_dir() {
            true => found.extend(files(&path, end)),
            false => found.extend(ends.then_some(path)),
        }
    }
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Truncates and changes each file with that ending below a part of the data.
fn damage<L>((end, least): (&str, usize), part: &str, load: impl Fn(&Path) -> Result<L, Error>) {
    let Some(data) = data() else { return };
    let files = files(&data.join(part), end);
    assert!(files.len() >= least, "only {} files end in .{end}", files.len());
    for path in files {
        let (name, bytes) = (name(&path), std::fs::read(&path).expect("a file"));
        let [cut, changed] =
            [Damage::Cut, Damage::Changed].map(|way| damaged((&name, &bytes), way, tries(), &load));
        assert!(changed.read > 0 && cut.refused > 0, "{name}");
    }
}

#[test]
fn damaged_obj_files() {
    damage(("obj", 2), "meshes", |file| loader().obj(file));
}

#[test]
fn damaged_stl_files() {
    damage(("stl", 50), "robots", |file| {
        // Closing the holes of large ones takes a minute and more, and tests nothing more than
        // small ones.
        let solid = file.metadata().is_ok_and(|found| found.len() < 50_000);
        loader().solid(solid).stl(file)
    });
}

/// Returns a resolver that finds a tetrahedron for any mesh.
fn tetrahedron(folder: &Folder) -> Resolver {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    let path = folder.write("t.obj", text);
    Resolver::new(move |_| Some(path.clone()))
}

#[test]
fn damaged_urdf_files() {
    let folder = Folder::new();
    let options = loader().resolver(tetrahedron(&folder));
    damage(("urdf", 4), "robots", |file| options.urdf(file));
}

#[test]
fn damaged_srdf_files() {
    let Some(data) = data() else { return };
    let folder = Folder::new();
    let options = loader().resolver(tetrahedron(&folder));
    for (part, urdf) in
        [("robots/panda", "urdf/panda.urdf"), ("robots/talos", "robots/talos_full_v2.urdf")]
    {
        let robot = data.join(part).join(urdf);
        damage(("srdf", 1), part, |file| {
            let options = options.clone().srdf(file.to_owned());
            options.urdf(&robot)
        });
    }
}

#[test]
fn damaged_mjcf_files() {
    damage(("xml", 1), "robots", |file| loader().mjcf(file));
}

#[test]
fn damaged_bvh_files() {
    damage(("bvh", 2), "mocap", |file| load::bvh(file));
}

/// Loads a skeleton with that motion; a skeleton that the motion does not fit is no error.
fn with_motion(skeleton: &Path, motion: &Path) -> Result<Option<()>, Error> {
    match load::amc(skeleton, motion) {
        Err(Error::File { path, .. }) if path == motion => Ok(None),
        read => read.map(|_| Some(())),
    }
}

#[test]
fn damaged_asf_files() {
    let Some(data) = data() else { return };
    // A frame of its motion is enough.
    let motion = std::fs::read_to_string(data.join("mocap/cmu-02-05/02_05.amc")).expect("a file");
    let end = motion.find("\n2\r\n").or(motion.find("\n2\n")).expect("a second frame");
    let folder = Folder::new();
    let motion = folder.write("one.amc", &motion[..end + 1]);
    damage(("asf", 1), "mocap", |file| with_motion(file, &motion));
}

#[test]
fn damaged_amc_files() {
    let Some(data) = data() else { return };
    let skeleton = data.join("mocap/cmu-02-05/02.asf");
    damage(("amc", 1), "mocap", |file| load::amc(&skeleton, file));
}

#[test]
fn damaged_map_files() {
    let (Some(data), options) = (data(), MapOptions::quake()) else { return };
    // The larger maps have nothing more, and take longer.
    for file in ["lq-slope/slope.map", "ahoy-playground/playground.map"] {
        let path = data.join("levels").join(file);
        let (name, bytes) = (name(&path), std::fs::read(&path).expect("a map"));
        for way in [Damage::Cut, Damage::Changed, Damage::Shuffled] {
            let tally = damaged((&name, &bytes), way, tries(), |file| load::map(file, &options));
            assert!(if way == Damage::Cut { tally.refused > 0 } else { tally.read > 0 });
        }
    }
}

#[test]
fn damaged_small_files() {
    let (folder, tries) = (Folder::new(), at_least(2_000, 200));
    let [skeleton, motion] =
        [("s.asf", ASF), ("m.amc", AMC)].map(|(name, text)| folder.write(name, text));
    let both = |name: &str, text: &str, load: &dyn Fn(&Path) -> Result<(), Error>| {
        let [cut, changed] = [Damage::Cut, Damage::Changed]
            .map(|way| damaged((name, text.as_bytes()), way, tries, load));
        assert!(changed.read > 0 && cut.refused > 0, "{name}");
        cut.troubles.union(&changed.troubles).count()
    };
    both("small.obj", OBJ, &|file| loader().obj(file).map(drop));
    both("small.stl", &stl(), &|file| loader().stl(file).map(drop));
    both("small.bvh", BVH, &|file| load::bvh(file).map(drop));
    both("small.asf", ASF, &|file| with_motion(file, &motion).map(drop));
    both("small.amc", AMC, &|file| load::amc(&skeleton, file).map(drop));
    let troubles = both("small.xml", MJCF, &|file| loader().mjcf(file).map(drop));
    assert!(troubles > tries / 40, "{troubles}");
    // The error names the robot, and the mesh in its text.
    both("small.dae", DAE, &|file| {
        let text = robot(&link("a", &collision("", &format!("<mesh filename='{}'/>", name(file)))));
        let owner = file.with_extension("urdf");
        std::fs::write(&owner, text).expect("a temporary file");
        match loader().urdf(&owner) {
            Err(Error::File { path, trouble }) if path == owner => {
                assert!(trouble.contains("'damaged.dae'"), "{trouble}");
                Err(Error::File { path: file.to_owned(), trouble })
            }
            read => read.map(drop),
        }
    });
}

/// Damages every glTF character, given by name and bytes.
fn characters(mut each: impl FnMut(&str, &[u8])) {
    let Some(data) = data() else { return };
    let [mut found, text] = ["glb", "gltf"].map(|end| files(&data.join("characters"), end));
    found.extend(text);
    assert!(found.len() >= 7);
    for path in found {
        each(&name(&path), &std::fs::read(&path).expect("a file"));
    }
}

fn number_at(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..at + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize)
}

/// Truncates a GLB, and adjusts the lengths in its headers.
fn mended(glb: &[u8], length: usize) -> Vec<u8> {
    let mut cut = glb[..length].to_vec();
    let json = number_at(glb, 12);
    let mut set = |at: usize, n: usize| {
        if let Some(place) = cut.get_mut(at..at + 4) {
            place.copy_from_slice(&(n as u32).to_le_bytes());
        }
    };
    set(8, length);
    set(12, json.min(length.saturating_sub(20)));
    set(20 + json, length.saturating_sub(28 + json));
    cut
}

#[test]
fn gltf_files_cut_short_are_refused_even_with_mended_headers() {
    characters(|name, bytes| {
        let cut = |random: &mut Random| mended(bytes, random.below(bytes.len()));
        let load = |file: &Path| Loader::new().build(Build::fast()).gltf(file);
        let plain = damaged((name, bytes), Damage::Cut, tries() / 2, load);
        let mended = damaged_by(&format!("{name}, cut and mended"), tries() / 2, cut, load);
        assert_eq!((plain.read, mended.read), (0, 0));
    });
}

#[test]
fn damaged_gltf_files() {
    characters(|name, bytes| {
        let (json, mut count) = (20 + number_at(bytes, 12), 0);
        let change = |random: &mut Random| {
            let mut changed = bytes.to_vec();
            // Most of them in the document, some in the headers, the rest anywhere.
            let at = match count % 10 {
                0 => random.below(20),
                1 | 2 => random.below(bytes.len()),
                _ => 20 + random.below(json - 20),
            };
            count += 1;
            let (was, bits) = (bytes[at], random.bits());
            // One digit for another leaves the document valid.
            let digit = was.is_ascii_digit() && bits & 0x300 != 0;
            changed[at] = if digit { b'0' + (bits % 10) as u8 } else { was ^ 1 << (bits % 8) };
            changed
        };
        let load = |file: &Path| Loader::new().build(Build::fast()).gltf(file);
        let tally = damaged_by(&format!("{name}, changed"), tries(), change, load);
        assert!(tally.read > 0 && tally.refused > 0, "{name}");
    });
}
