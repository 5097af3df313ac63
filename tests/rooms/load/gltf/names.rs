//! Names of parts that a file leaves nameless, and the number of joints between tested parts.

use boxwood::load::{Loaded, Loader};

use super::CORNERS;
use support::small_gltf::Small;

/// Loads nodes, and meshes of one triangle with the given members.
fn file(meshes: &[&str], nodes: &str, roots: &str) -> Loaded<f32> {
    let mut small = Small::default();
    let positions = small.floats("VEC3", 3, &CORNERS);
    let mesh = |more: &&str| {
        format!(r#"{{{more}"primitives":[{{"attributes":{{"POSITION":{positions}}}}}]}}"#)
    };
    small.meshes = meshes.iter().map(mesh).collect::<Vec<_>>().join(",");
    (small.nodes, small.roots) = (nodes.to_owned(), roots.to_owned());
    Loader::new().solid(false).gltf_bytes(&small.glb()).expect("a good file")
}

fn names(loaded: &Loaded<f32>) -> Vec<&str> {
    let joints = loaded.skeleton.joints().iter().map(|joint| joint.name.as_str());
    assert!(joints.eq(loaded.model.parts().iter().map(|part| part.name())));
    loaded.model.parts().iter().map(|part| part.name()).collect()
}

#[test]
fn a_nameless_node_has_the_name_of_its_mesh() {
    let nodes = r#"{"mesh":0},{"mesh":0,"name":"own"},{"mesh":1},{"children":[4]},{"mesh":0}"#;
    let loaded = file(&[r#""name":"hand","#, ""], nodes, "0,1,2,3");
    assert_eq!(names(&loaded), ["hand", "own", "node 2", "node 3", "hand (2)"]);
}

#[test]
fn a_blank_name_is_no_name() {
    let nodes = r#"{"mesh":0,"name":""},{"mesh":0,"name":"  "},{"mesh":1,"name":""},{"name":""}"#;
    let loaded = file(&[r#""name":"hand","#, r#""name":" ","#], nodes, "0,1,2,3");
    assert_eq!(names(&loaded), ["hand", "hand (2)", "node 2", "node 3"]);
}

#[test]
fn a_name_of_a_mesh_is_made_distinct_from_that_of_a_node() {
    let nodes = r#"{"mesh":0},{"name":"hand"},{"mesh":0}"#;
    let loaded = file(&[r#""name":"hand","#], nodes, "0,1,2");
    let names = names(&loaded);
    assert_eq!(names, ["hand", "hand (2)", "hand (3)"]);
    for (i, name) in names.iter().enumerate() {
        assert_eq!(loaded.model.part(name).expect("a part").index(), i);
    }
}

/// Checks that joints are depth first, and that a node's index is its position in the file.
#[test]
fn every_joint_has_the_index_of_its_node() {
    let nodes = r#"{"mesh":0,"name":"hand"},{"name":"left","children":[0]},{"name":"nowhere"},
        {"name":"right","children":[4]},{"mesh":0,"name":"hand"},
        {"mesh":0,"name":"skewed","matrix":[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,0,0,1]}"#;
    let loaded = file(&["", ""], nodes, "3,5,1");
    let expected = [
        ("right", Some(3)),
        ("hand", Some(4)),
        ("skewed (shear)", None),
        ("skewed", Some(5)),
        ("left", Some(1)),
        ("hand (2)", Some(0)),
    ];
    let found = names(&loaded).into_iter().zip(loaded.nodes.iter().copied());
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

/// Checks a chain of five joints: pairs within the given number of joints are not tested.
#[test]
fn neighbours_within_so_many_joints_are_ignored() {
    let mut small = Small::default();
    let positions = small.floats("VEC3", 3, &CORNERS);
    small.meshes = format!(r#"{{"primitives":[{{"attributes":{{"POSITION":{positions}}}}}]}}"#);
    let node = |i: usize| match i {
        4 => r#"{"mesh":0}"#.to_owned(),
        _ => format!(r#"{{"mesh":0,"children":[{}]}}"#, i + 1),
    };
    small.nodes = (0..5).map(node).collect::<Vec<_>>().join(",");
    small.roots = "0".to_owned();
    let glb = small.glb();
    let usual = Loader::<f32>::new().gltf_bytes(&glb).expect("good").model;
    for hops in 0..7 {
        let loader = Loader::<f32>::new().ignore_neighbours(hops);
        let model = loader.gltf_bytes(&glb).expect("good").model;
        let ids = || model.parts().iter().map(|part| part.id());
        for (i, j) in ids().flat_map(|i| ids().map(move |j| (i, j))).filter(|(i, j)| i != j) {
            assert_eq!(model.ignores(i, j), i.index().abs_diff(j.index()) <= hops, "{hops}");
            assert_eq!(usual.ignores(i, j), i.index().abs_diff(j.index()) <= 2);
        }
        assert_eq!(model == usual, hops == 2);
    }
}
