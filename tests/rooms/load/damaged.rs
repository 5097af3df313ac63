//! Every real file that is not glTF, damaged: a model or an error, in bounded memory.

use std::path::{Path, PathBuf};

use boxwood::Loader;
use boxwood::load::{self, Resolver};
use boxwood::{Build, Error};

use support::damaged_files::Tally;
use support::data::data;
use support::folder::Folder;
use support::random::Random;

/// Number of damages of each kind, per file.
fn tries() -> usize {
    support::proof::at_least(300, 16)
}

/// Trees of one box: reading is tested here.
fn build() -> Build {
    Build::fast().max_depth(0)
}

/// Every file below the folder that ends so, in order of name.
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

/// Cuts of each file below a part of the data that ends so, then changes of a byte of it.
fn damage<L>((end, at_least): (&str, usize), part: &str, load: impl Fn(&Path) -> Result<L, Error>) {
    let Some(data) = data() else { return };
    let (folder, files) = (Folder::new(), files(&data.join(part), end));
    assert!(files.len() >= at_least, "only {} files end in .{end}", files.len());
    for path in files {
        let bytes = std::fs::read(&path).expect("a file");
        let mut random = Random(3);
        // A new file each time: file systems take their time to overwrite one.
        let name = folder.path(&format!("damaged.{end}"));
        let tried = |tally: &mut Tally, what: String, bytes: &[u8]| {
            let _ = std::fs::remove_file(&name);
            std::fs::write(&name, bytes).expect("a temporary file");
            tally.load(&name, what, &load);
        };
        let mut cut = Tally::default();
        for _ in 0..tries() {
            let length = random.below(bytes.len());
            tried(&mut cut, format!("{} cut to {length} bytes", path.display()), &bytes[..length]);
        }
        cut.report(&path, "cut", tries());
        let (mut changed, mut damaged) = (Tally::default(), bytes.clone());
        for _ in 0..tries() {
            let place = random.below(bytes.len());
            // A bit, or another byte of the file.
            let other = bytes[random.below(bytes.len())];
            damaged[place] ^= 1 << random.below(8);
            damaged[place] = if random.chance(0.5) { other } else { damaged[place] };
            let what = format!("{} with {} at {place}", path.display(), damaged[place]);
            tried(&mut changed, what, &damaged);
            damaged[place] = bytes[place];
        }
        changed.report(&path, "changed", tries());
        assert!(changed.read > 0 && cut.refused > 0, "{}", path.display());
    }
}

#[test]
fn obj_files() {
    let options = Loader::new().build(build());
    damage(("obj", 2), "meshes", |file| options.obj(file));
}

#[test]
fn stl_files() {
    damage(("stl", 50), "robots", |file| {
        // Closing the holes of large ones takes a minute and more, with nothing that small ones do
        // not try.
        let solid = file.metadata().is_ok_and(|found| found.len() < 50_000);
        let options = Loader::new().build(build()).solid(solid);
        options.stl(file)
    });
}

/// Every name of a mesh stands for a tetrahedron.
fn tetrahedron(folder: &Folder) -> Resolver {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    let path = folder.write("t.obj", text);
    Resolver::new(move |_| Some(path.clone()))
}

#[test]
fn urdf_files() {
    let folder = Folder::new();
    let resolver = tetrahedron(&folder);
    let options = Loader::new().build(build()).resolver(resolver);
    damage(("urdf", 4), "robots", |file| options.urdf(file));
}

#[test]
fn srdf_files() {
    let Some(data) = data() else { return };
    let folder = Folder::new();
    let resolver = tetrahedron(&folder);
    let options = Loader::new().build(build()).resolver(resolver);
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
fn mjcf_files() {
    let options = Loader::new().build(build());
    damage(("xml", 1), "robots", |file| options.mjcf(file));
}

#[test]
fn bvh_files() {
    damage(("bvh", 2), "mocap", |file| load::bvh(file));
}

#[test]
fn asf_files() {
    let Some(data) = data() else { return };
    // A frame of its motion is enough.
    let motion = std::fs::read_to_string(data.join("mocap/cmu-02-05/02_05.amc")).expect("a file");
    let end = motion.find("\n2\r\n").or(motion.find("\n2\n")).expect("a second frame");
    let folder = Folder::new();
    let motion = folder.write("one.amc", &motion[..end + 1]);
    damage(("asf", 1), "mocap", |file| match load::amc(file, &motion) {
        // Another skeleton, which the motion does not fit.
        Err(Error::File { path, .. }) if path == motion => Ok(None),
        read => read.map(Some),
    });
}

#[test]
fn amc_files() {
    let Some(data) = data() else { return };
    let skeleton = data.join("mocap/cmu-02-05/02.asf");
    damage(("amc", 1), "mocap", |file| load::amc(&skeleton, file));
}
