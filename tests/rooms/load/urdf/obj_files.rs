//! Real OBJ files, and the arm that the example `self_collision` builds in code.

use boxwood::load::Loader;
use boxwood::{Accuracy, SelfQueryScratch};

use support::data::data;
use support::fcl::scenery;

#[test]
fn real_obj_files_are_welded_and_lose_no_triangle() {
    let Some(data) = data() else { return };
    for name in ["env", "rob"] {
        let path = data.join(format!("meshes/fcl-env-rob/{name}.obj"));
        let options = Loader::new().solid(false);
        let loaded = options.obj(path).expect("a mesh");
        assert_eq!(loaded.model.parts()[0].name(), name);
        let tree = loaded.model.parts()[0].tree().expect("a tree");
        let ours = tree.geometry().mesh().expect("a mesh");
        let theirs = scenery(name).expect("the data");
        assert_eq!(ours.triangles().len(), theirs.triangles().len());
        for triangle in 0..ours.triangles().len() {
            let narrow = theirs.corners(triangle).map(|corner| corner.map(|x| x as f32));
            assert_eq!(ours.corners(triangle), narrow);
        }
        let places = theirs.vertices().iter().map(|v| v.map(|x| (x as f32 + 0.0).to_bits()));
        let places: std::collections::HashSet<[u32; 3]> = places.map(Into::into).collect();
        assert_eq!(ours.vertices().len(), places.len());
        println!("{name}: {} corners in {} places", theirs.vertices().len(), places.len());
    }
}

#[test]
fn the_arm_of_the_example_touches_itself_where_it_folds() {
    let robot = super::arm::arm().expect("an arm");
    let (mut poses, mut scratch) = (Vec::new(), SelfQueryScratch::default());
    let names = |pairs: &[(boxwood::PartId, boxwood::PartId)]| -> Vec<[String; 2]> {
        let name = |part: boxwood::PartId| robot.model.parts()[part.index()].name().to_owned();
        pairs.iter().map(|&(a, b)| [name(a), name(b)]).collect()
    };
    for (values, expected) in [
        // Straight up.
        ([0.0, 0.0, 0.0, 0.0, 0.0, 0.08], vec![]),
        // Fingers apart by twice the actuator's value; below its limit of 0 they touch.
        ([0.0, 0.0, 0.0, 0.0, 0.0, 0.0005], vec![]),
        ([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], vec![["left finger", "right finger"]]),
        // Folded: the fingers begin at x = 0.20, z = 0.18 and point straight down by 0.1, into the
        // base that ends at 0.2 and 0.1; the palm stays above it.
        ([0.0, 0.3, 2.6, 0.3, 0.0, 0.02], vec![["base", "left finger"], ["base", "right finger"]]),
    ] {
        robot.mechanism.poses_unlimited(&values, &mut poses).expect("finite");
        let found = robot.model.self_pairs(&poses, Accuracy::Exact, &mut scratch);
        assert_eq!(names(found.expect("poses")), expected, "{values:?}");
    }
}
