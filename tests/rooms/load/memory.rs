//! The stated memory of models equals the bytes that an allocator returns for a copy.

use std::path::PathBuf;

use allocation_counter::measure;
use boxwood::load;
use boxwood::model::Part;
use boxwood::{Build, ConvexHull, Geometry, Model, Obb};

use support::prelude::*;

/// The two counters of a shared allocation.
const COUNTERS: usize = 2 * size_of::<usize>();

/// Returns the bytes that a copy allocates.
fn taken<C: Clone>(original: &C) -> usize {
    let mut copy = None;
    let taken = measure(|| copy = Some(original.clone()));
    drop(copy);
    usize::try_from(taken.bytes_current).expect("more than before")
}

/// Returns the bytes that a model allocates, and the bytes it states. A copy of the model shares
/// its parts, which are therefore copied one by one.
fn held(model: &Model) -> [usize; 2] {
    let own = taken(model) + COUNTERS + size_of_val(model.parts());
    let part = |part: &Part<f32>| part.name().len() + part.tree().map_or(0, taken);
    [own + model.parts().iter().map(part).sum::<usize>(), model.bytes()]
}

#[test]
fn memory_of_hand_made_boxes() {
    let solid = |i: usize| {
        let half = Vector3::new(0.1, 0.2, 0.3);
        Obb::new(Point3::new(i as f32, 0.0, 0.0), Matrix3::identity(), half).expect("a box")
    };
    for count in [1, 2, 9, 100] {
        let boxes = Geometry::Boxes((0..count).map(solid).collect());
        let builder = Model::builder().part("all", None, boxes).part("none", None, Geometry::None);
        let model = builder.build(&Build::default()).expect("a model");
        let [taken, said] = held(&model);
        assert_eq!(taken, said, "{count} boxes");
    }
}

#[test]
fn memory_of_hulls_of_few_and_many_corners() {
    let mut random = Random(41);
    for count in [8, 31, 32, 300] {
        let points: Vec<Point3<f32>> =
            (0..count).map(|_| Point3::from(random.direction().map(|x| x as f32))).collect();
        let hull = ConvexHull::new(&points).expect("a hull");
        assert_eq!(hull.corners().len(), count);
        let builder = Model::builder().part("all", None, Geometry::Convex(vec![hull.into()]));
        let [taken, said] = held(&builder.build(&Build::default()).expect("a model"));
        assert_eq!(taken, said, "{count} corners");
    }
}

#[test]
fn characters() {
    let fighter = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/fighter/fighter.glb");
    let mut files = vec![PathBuf::from(fighter)];
    let shared = ["fox/Fox.glb", "kaykit-knight/Knight.glb"];
    files.extend(
        support::data::data()
            .into_iter()
            .flat_map(|data| shared.map(|file| data.join("characters").join(file))),
    );
    for file in files {
        let loaded = load::gltf(&file).expect("a character");
        let [taken, said] = held(&loaded.model);
        assert_eq!(taken, said, "{}", file.display());
        assert!(said > 100_000, "{said} bytes for {}", file.display());
    }
}
