//! Round trip of baked characters: the same bits, the same answers.

use std::time::Instant;

use boxwood::load::{Loaded, Loader, baked};
use boxwood::motion::Joints;
use boxwood::nalgebra::Translation3;
use boxwood::scene::{Buffers, Hits, Scene, Spawn};
use boxwood::{Accuracy, PairQuery};

use super::characters;
use support::fighter;
use support::prelude::*;

/// Compares every field, except signs of zeros in aligned boxes.
fn same<T: Scalar>(made: &Loaded<T>, read: &Loaded<T>) {
    assert!(made.model == read.model, "another model");
    assert_eq!(made.model.fingerprint(), read.model.fingerprint());
    assert!(made.skeleton == read.skeleton && made.clips == read.clips && made.skin == read.skin);
    assert_eq!(made.warnings, read.warnings);
    let (again, first) = (read.bake().expect("bytes"), made.bake().expect("bytes"));
    assert!(again == first, "baked again, it is other bytes");
}

/// Returns all hits, counts and slacks of a character that walks through another of its model.
fn answers<T: Scalar>(loaded: &Loaded<T>, accuracy: Accuracy) -> String {
    let (mut scene, mut buffers, mut hits) = (Scene::new(), Buffers::new(), Hits::new());
    let reach = loaded.model.parts().iter().filter_map(|part| part.tree());
    let reach = reach.map(|tree| tree.radius_about_origin().wide()).fold(0.0, f64::max);
    let keys = [0, 1].map(|_| scene.insert(&loaded.model, Spawn::default()).expect("a place"));
    let (mut joints, mut answer) = (Joints::new(), String::new());
    for step in 0..6 {
        if let Some(clip) = loaded.clips.iter().next() {
            let t = T::nearest(clip.duration().wide() * f64::from(step) / 6.0);
            let poses = clip.sample(t, &mut joints).expect("a time");
            let aside = T::nearest(reach * 0.1 * f64::from(step));
            let at = Isometry3::from(Translation3::new(aside, T::zero(), T::zero()));
            scene.set_joints(keys[1], &at, poses).expect("poses");
        }
        let query = PairQuery::between(keys[0], keys[1]).accuracy(accuracy);
        let report = scene.snapshot(&mut buffers).contacts(&query, &mut hits).expect("an answer");
        answer += &format!("{:?} {:?}\n", hits.iter().collect::<Vec<_>>(), report);
    }
    // Scenes are numbered.
    answer.split("scene: ").map(|rest| rest.trim_start_matches(char::is_numeric)).collect()
}

fn round<T: Scalar>(made: &Loaded<T>) {
    let read: Loaded<T> =
        Loader::new().baked_bytes(&made.bake().expect("bytes")).expect("a character");
    same(made, &read);
    for accuracy in [Accuracy::Depth(3), Accuracy::Within(0.01), Accuracy::Budget(500)] {
        assert!(answers(made, accuracy) == answers(&read, accuracy), "other answers");
    }
}

#[test]
fn the_fighter_survives_baking() {
    let made = fighter::fighter();
    round(&made);
    assert!(answers(&made, Accuracy::Exact).len() > 1000, "nothing was compared");
}

#[test]
fn shared_characters_survive_baking() {
    let all = characters();
    for path in &all[..at_least(all.len(), 2).min(all.len())] {
        let options = Loader::new().keep_skin(true);
        let start = Instant::now();
        let made: Loaded<f32> = options.gltf(path).expect("a character");
        let built = start.elapsed();
        let bytes = made.bake().expect("bytes");
        let start = Instant::now();
        let read: Loaded<f32> = Loader::new().baked_bytes(&bytes).expect("a character");
        let name = path.file_name().expect("a name").to_string_lossy();
        let trees = made.model.parts().iter().filter_map(|part| part.tree());
        let nodes: usize = trees.map(|tree| tree.len()).sum();
        println!(
            "{name}: {nodes} nodes, {} kB; from glTF {built:.0?}, baked {:.1?}",
            bytes.len() / 1000,
            start.elapsed()
        );
        same(&made, &read);
        round(&made);
    }
}

#[test]
fn characters_in_double_precision_survive_baking() {
    for path in characters().iter().take(at_least(3, 1)) {
        round::<f64>(&Loader::new().gltf(path).expect("a character"));
    }
}

#[test]
fn rebuilt_boxes_contain_their_geometry() {
    let bytes = fighter::fighter().bake().expect("bytes");
    let read: Loaded<f32> = Loader::new().baked_bytes(&bytes).expect("a character");
    for part in read.model.parts() {
        let checked = part.tree().map_or(Ok(()), |tree| tree.validate());
        assert_eq!(checked, Ok(()), "{}", part.name());
    }
}

#[test]
fn characters_survive_a_file() {
    let path = std::env::temp_dir().join(format!("boxwood-{}.baked", std::process::id()));
    let made = fighter::fighter();
    std::fs::write(&path, made.bake().expect("bytes")).expect("a file");
    let (read, other) = (baked(&path), boxwood::f64::Loader::new().baked(&path));
    std::fs::remove_file(&path).expect("it was there");
    same(&made, &read.expect("a character"));
    let other = other.expect_err("another number type").to_string();
    assert!(other.contains("4 bytes") && other.contains("boxwood-"), "{other}");
    let gone = baked(&path).expect_err("no file");
    assert!(matches!(gone, boxwood::Error::File { .. }));
}
