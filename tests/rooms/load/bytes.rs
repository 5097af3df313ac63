//! Files from bytes in memory: read like the file on disk; files beside it are found only in a
//! stated folder.

use std::path::Path;

use boxwood::load::{LinkShapes, Loader, Resolver};
use boxwood::{Build, Error};

use super::samples::{Any, FORMATS, Format, Sample, character, robot};
use super::urdf::small as robots;
use support::folder::Folder;
use support::prelude::*;

fn names<T: Scalar>(any: &Any<T>) -> (Vec<String>, Vec<String>) {
    let parts = |model: &boxwood::model::Model<T>| {
        model.parts().iter().map(|part| part.name().to_owned()).collect()
    };
    let clips = |clips: &boxwood::motion::Clips<T>| {
        clips.iter().map(|clip| clip.name().to_owned()).collect()
    };
    match any {
        Any::Character(loaded) => (parts(&loaded.model), clips(&loaded.clips)),
        Any::Robot(robot) => (parts(&robot.model), vec![]),
        Any::Motion(motion) => (vec![], clips(&motion.clips)),
    }
}

/// Returns `true` if a file called `sample` names what is loaded.
fn named_after_the_file(format: Format) -> bool {
    matches!(format, Format::Obj | Format::Stl | Format::Bvh | Format::Amc)
}

/// Loads from disk and from memory, with defaults and with options, twice with one loader.
fn alike<T: Scalar>() {
    let folder = Folder::new();
    for format in FORMATS {
        let sample = Sample::small::<T>(format, &folder);
        let options = Loader::<T>::new()
            .build(Build::fast())
            .solid(false)
            .scale(0.5)
            .frame_rate(30.0)
            .groups(false)
            .ignore_neighbours(3)
            .keep_skin(true)
            .link_shapes(LinkShapes::CollisionOrVisual);
        for loader in [Loader::<T>::new(), options] {
            let plain = sample.read_file(&loader).expect("a good file");
            let named = loader.clone().name("sample");
            let first = sample.read_bytes(&named).expect("good bytes");
            assert!(first == plain, "{format:?}: {first:?} is not {plain:?}");
            assert!(sample.read_bytes(&named).expect("good bytes") == first, "{format:?}, again");
            assert!(sample.read_file(&loader).expect("a good file") == plain, "{format:?}, again");
            // Files have their own names.
            let other = loader.clone().name("other");
            assert!(sample.read_file(&other).expect("a good file") == plain);
            let (parts, clips) = names(&plain);
            let told = if format == Format::Obj || format == Format::Stl { &parts } else { &clips };
            assert_eq!(told.iter().any(|n| n == "sample"), named_after_the_file(format));
            let (parts, clips) = names(&sample.read_bytes(&other).expect("good bytes"));
            let told = if format == Format::Obj || format == Format::Stl { &parts } else { &clips };
            assert_eq!(told.iter().any(|n| n == "other"), named_after_the_file(format));
        }
    }
}

#[test]
fn without_a_name_bytes_have_the_default_one() {
    let folder = Folder::new();
    for (format, name) in [
        (Format::Obj, "mesh"),
        (Format::Stl, "mesh"),
        (Format::Bvh, "motion"),
        (Format::Amc, "motion"),
    ] {
        let sample = Sample::small::<f32>(format, &folder);
        let (parts, clips) = names(&sample.read_bytes(&Loader::<f32>::new()).expect("good bytes"));
        assert!([parts, clips].concat().iter().any(|own| own == name), "{format:?}");
    }
}

#[test]
fn bytes_of_real_files_equal_the_files() {
    let Some(data) = support::data::data() else { return };
    let files = [
        (Format::Gltf, vec!["characters/fox/Fox.glb"]),
        (Format::Obj, vec!["meshes/fcl-env-rob/rob.obj"]),
        (Format::Stl, vec!["robots/panda/meshes/collision/link1.stl"]),
        (Format::Urdf, vec!["robots/panda/urdf/panda.urdf"]),
        (Format::Mjcf, vec!["robots/humanoid-cmu/humanoid_CMU_V2020.xml"]),
        (Format::Bvh, vec!["mocap/cmu-18-01/18_01.bvh"]),
        (Format::Amc, vec!["mocap/cmu-02-05/02.asf", "mocap/cmu-02-05/02_05.amc"]),
    ];
    for (format, paths) in files {
        let paths: Vec<_> = paths.into_iter().map(|path| data.join(path)).collect();
        let sample = Sample::of_files(format, paths);
        let loader = Loader::<f32>::new().build(Build::fast());
        let plain = sample.read_file(&loader).expect("a good file");
        let last = sample.paths.last().expect("a path");
        let stem = last.file_stem().expect("a name").to_string_lossy().into_owned();
        let beside = sample.paths[0].parent().expect("a folder");
        let loader = loader.name(stem).folder(beside);
        assert!(sample.read_bytes(&loader).expect("good bytes") == plain, "{format:?}");
    }
}

/// Checks that faults of bytes in memory name no path.
#[test]
fn damaged_bytes_are_refused_by_every_format() {
    let folder = Folder::new();
    for format in FORMATS {
        let sample = Sample::small::<f64>(format, &folder);
        let last = sample.bytes.last().expect("bytes");
        for cut in [0, last.len() / 2] {
            let mut bytes = sample.bytes.clone();
            *bytes.last_mut().expect("bytes") = [&last[..cut], &[0xff, 0xfe]].concat();
            let broken = Sample { bytes, ..Sample::small::<f64>(format, &folder) };
            match broken.read_bytes(&Loader::<f64>::new()) {
                Err(Error::File { path, trouble }) => {
                    assert_eq!(path, Path::new("bytes in memory"), "{format:?}");
                    assert!(!trouble.is_empty() && !trouble.contains('\n'));
                }
                other => panic!("{format:?}: {other:?}"),
            }
        }
    }
}

/// Returns a robot whose one link is a mesh beside it.
fn meshed(name: &str) -> String {
    robots::robot(&robots::link("a", &robots::collision("", &format!("<mesh filename='{name}'/>"))))
}

#[test]
fn meshes_of_a_robot_in_memory_are_found_by_folder_or_resolver_alone() {
    let folder = Folder::new();
    let mesh = folder.write("tetra.obj", robots::OBJ);
    let beside = mesh.parent().expect("a folder");
    let text = meshed("package://anywhere/tetra.obj");
    let plain = Loader::<f32>::new().urdf(folder.write("r.urdf", &text)).expect("a robot");
    let by_folder = Loader::<f32>::new().folder(beside).urdf_bytes(text.as_bytes());
    assert_eq!(by_folder.expect("a robot").model, plain.model);
    let own = mesh.clone();
    let resolver = Resolver::new(move |name| name.ends_with("tetra.obj").then(|| own.clone()));
    let resolved = Loader::<f32>::new().resolver(resolver).urdf_bytes(text.as_bytes());
    assert_eq!(resolved.expect("a robot").model, plain.model);
    // Without either, in the working directory, or by its full path.
    let whole = meshed(&mesh.to_string_lossy());
    let url = meshed(&format!("file://{}", mesh.display()));
    for text in [&text, &whole, &url, &meshed("Cargo.toml")] {
        let nowhere = Resolver::new(|_| None);
        for loader in [Loader::<f32>::new(), Loader::new().resolver(nowhere)] {
            match loader.urdf_bytes(text.as_bytes()) {
                Err(Error::File { trouble, .. }) => assert!(trouble.contains("'a'"), "{trouble}"),
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Writes a file in a folder of the folder.
fn write_below(folder: &Folder, name: &str, text: &str) {
    let inner = folder.path(name);
    std::fs::create_dir_all(inner.parent().expect("a folder")).expect("a temporary folder");
    folder.write(name, text);
}

#[test]
fn meshes_in_memory_are_found_by_the_ends_of_their_paths() {
    let double = robots::OBJ.replace("0 0 3", "0 0 6");
    let two = |first: &str, second: &str| {
        let mesh =
            |name: &str| robots::collision("", &format!("<mesh filename='package://x/m/{name}'/>"));
        let links = robots::link("a", &mesh(first)) + &robots::link("b", &mesh(second));
        robots::robot(&(links + &robots::joint("j", "fixed", ["a", "b"], "")))
    };
    let folder = Folder::new();
    for (name, bytes) in [("m/one/t.obj", robots::OBJ), ("m/two/t.obj", &double)] {
        write_below(&folder, name, bytes);
    }
    let text = two("one/t.obj", "two/t.obj");
    let plain = Loader::<f32>::new().urdf(folder.write("r.urdf", &text)).expect("a robot");
    let load = |text: &str, paths: &[&str]| {
        let bytes = [robots::OBJ.into(), double.clone().into_bytes()];
        let files = paths.iter().map(|&path| path.to_owned()).zip(bytes);
        Loader::<f32>::new().resolver(Resolver::in_memory(files)).urdf_bytes(text.as_bytes())
    };
    let found = load(&text, &["pack/m/one/t.obj", "pack/m/two/t.obj"]).expect("a robot");
    assert_eq!(found.model, plain.model);
    assert_ne!(plain.model.parts()[0].tree(), plain.model.parts()[1].tree());
    // One file for both names, although only its file name agrees.
    let flat = load(&text, &["t.obj"]).expect("a robot");
    assert_eq!(flat.model.parts()[1].tree(), plain.model.parts()[0].tree());
    for (text, paths, words) in [
        (&text, &["m/one/t.obj", "two/other.obj"][..1], None),
        (&two("one/t.obj", "two/gone.obj"), &["m/one/t.obj", "two/t.obj"], Some("among the 2")),
        (&two("t.obj", "t.obj"), &["one/t.obj", "two/t.obj"], Some("'one/t.obj' and 'two/t.obj'")),
        (&two("t.obj", "t.obj"), &[], Some("among the 0")),
    ] {
        match (load(text, paths), words) {
            (Ok(_), None) => {}
            (Err(Error::File { trouble, .. }), Some(words)) => {
                assert!(trouble.contains(words) && trouble.contains(".obj'"), "{trouble}");
            }
            (other, _) => panic!("{other:?}"),
        }
    }
    // Files in memory are the only ones.
    let beside = Loader::<f32>::new().folder(folder.path(""));
    let empty: [(String, Vec<u8>); 0] = [];
    assert!(beside.urdf_bytes(text.as_bytes()).is_ok());
    let alone = beside.resolver(Resolver::in_memory(empty));
    assert!(alone.urdf_bytes(text.as_bytes()).is_err());
}

#[test]
fn files_of_an_mjcf_model_in_memory_are_those_of_a_folder() {
    let main = "<mujoco><compiler meshdir='parts'/><include file='inner/arm.xml'/></mujoco>";
    let arm = "<mujoco><asset><mesh name='t' file='t.obj'/></asset><worldbody><body name='a'>\
        <joint/><geom type='mesh' mesh='t'/></body></worldbody></mujoco>";
    let folder = Folder::new();
    write_below(&folder, "inner/arm.xml", arm);
    write_below(&folder, "parts/t.obj", robots::OBJ);
    let plain = Loader::<f32>::new().mjcf(folder.write("main.xml", main)).expect("a robot");
    let load = |main: &str, arm: &str| {
        let files = [("x/inner/arm.xml", arm), ("x/parts/t.obj", robots::OBJ)];
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        Loader::<f32>::new().resolver(Resolver::in_memory(files)).mjcf_bytes(main.as_bytes())
    };
    let found = load(main, arm).expect("a robot");
    assert_eq!((&found.model, &found.mechanism), (&plain.model, &plain.mechanism));
    for (main, arm, words) in [
        (main, &arm.replace("t.obj", "u.obj"), "'u.obj': no such file among the 2 in memory"),
        (&main.replace("</mujoco>", "<include file='arm.xml'/></mujoco>"), &arm.into(), "twice"),
    ] {
        match load(main, arm) {
            Err(Error::File { trouble, .. }) => assert!(trouble.contains(words), "{trouble}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_srdf_file_applies_to_bytes_too() {
    let folder = Folder::new();
    let three = robot().replace("</robot>", &{
        let shape = robots::collision("xyz='2 0 0'", "<box size='1 1 1'/>");
        let joint = robots::joint("k", "continuous", ["b", "c"], "");
        robots::link("c", &shape) + &joint + "</robot>"
    });
    let srdf = "<robot name='r'><disable_collisions link1='a' link2='c' reason='Never'/>\
        <disable_collisions link1='a' link2='nobody'/></robot>";
    let loader = Loader::<f64>::new().srdf(folder.write("r.srdf", srdf));
    let file = loader.urdf(folder.write("r.urdf", &three)).expect("a robot");
    let bytes = loader.urdf_bytes(three.as_bytes()).expect("a robot");
    assert_eq!((&bytes.model, &bytes.warnings), (&file.model, &file.warnings));
    let both = Loader::<f64>::new().srdf_bytes(srdf).urdf_bytes(three.as_bytes());
    let both = both.expect("a robot");
    assert_eq!((&both.model, &both.warnings), (&file.model, &file.warnings));
    let broken = Loader::<f64>::new().srdf_bytes("<robot").urdf_bytes(three.as_bytes());
    match broken {
        Err(Error::File { path, .. }) => assert_eq!(path.to_str(), Some("bytes in memory")),
        other => panic!("{other:?}"),
    }
    let [a, c] = ["a", "c"].map(|name| bytes.model.part(name).expect("a link"));
    assert!(bytes.model.ignores(a, c) && !bytes.warnings.is_empty());
    let without = Loader::<f64>::new().urdf_bytes(three.as_bytes()).expect("a robot");
    assert!(!without.model.ignores(a, c) && without.warnings.is_empty());
    let gone = Loader::<f64>::new().srdf(folder.path("gone.srdf"));
    match gone.urdf_bytes(three.as_bytes()) {
        Err(Error::File { path, .. }) => assert_eq!(path, folder.path("gone.srdf")),
        other => panic!("{other:?}"),
    }
}

#[test]
fn buffers_beside_a_gltf_in_memory_are_found_in_the_folder_only() {
    let (folder, small) = (Folder::new(), character());
    let beside = folder.write("b.bin", &small.bytes);
    let beside = beside.parent().expect("a folder");
    let json = small.json(Some("b.bin"));
    let plain = Loader::<f32>::new().gltf(folder.write("small.gltf", &json)).expect("good");
    let found = Loader::<f32>::new().folder(beside).gltf_bytes(json.as_bytes()).expect("good");
    assert_eq!((&found.model, &found.clips), (&plain.model, &plain.clips));
    for loader in [Loader::<f32>::new(), Loader::new().folder(folder.path("elsewhere"))] {
        match loader.gltf_bytes(json.as_bytes()) {
            Err(Error::File { trouble, .. }) => assert!(trouble.contains("b.bin"), "{trouble}"),
            other => panic!("{other:?}"),
        }
    }
}

scalars! {
    bytes_give_what_the_file_gives_and_one_loader_gives_it_twice => alike();
}
