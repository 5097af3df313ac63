//! Loading of small texts, and the numbers compared by tests.

use boxwood::Build;
use boxwood::f64::{Geometry, Loader};
use boxwood::load::Robot;
use boxwood::pair::ConvexShape;

use support::folder::Folder;

/// Loads the files of a model; the first is the main one.
pub fn load_files(files: &[(&str, &str)]) -> Result<Robot<f64>, String> {
    load_files_with(&Loader::new().build(Build::fast()), files)
}

pub fn load_files_with(loader: &Loader<'_>, files: &[(&str, &str)]) -> Result<Robot<f64>, String> {
    let folder = Folder::new();
    for (name, text) in files.iter().rev() {
        let path = folder.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        folder.write(name, text);
    }
    loader.mjcf(folder.path(files[0].0)).map_err(|error| error.to_string())
}

/// Loads the bodies of a world in one file, with the text before it.
pub fn load(before: &str, world: &str) -> Result<Robot<f64>, String> {
    let text = format!("<mujoco>{before}<worldbody>{world}</worldbody></mujoco>");
    load_files(&[("main.xml", &text)])
}

/// Returns the least and the greatest corner of each shape of a link, in its frame.
pub fn bounds(robot: &Robot<f64>, link: &str) -> Vec<[[f64; 3]; 2]> {
    let part = &robot.model.parts()[robot.model.part(link).expect("a part").index()];
    let corners = |aabb: boxwood::f64::Aabb| [aabb.min.into(), aabb.max.into()];
    match part.tree().map(|tree| tree.geometry()) {
        None => Vec::new(),
        Some(Geometry::Boxes(boxes)) => boxes.iter().map(|own| corners(own.aabb())).collect(),
        Some(Geometry::Convex(all)) => all.iter().map(|own| corners(own.aabb())).collect(),
        Some(other) => panic!("{other:?}"),
    }
}

/// Returns the volume of each hull and box of a link.
pub fn volumes(robot: &Robot<f64>, link: &str) -> Vec<f64> {
    let part = &robot.model.parts()[robot.model.part(link).expect("a part").index()];
    match part.tree().map(|tree| tree.geometry()) {
        Some(Geometry::Boxes(boxes)) => {
            boxes.iter().map(|own| 8.0 * own.half_extents().product()).collect()
        }
        Some(Geometry::Convex(all)) => {
            let volume = |shape: &ConvexShape<f64>| match shape {
                ConvexShape::Hull(hull) => hull.volume(),
                _ => f64::NAN,
            };
            all.iter().map(volume).collect()
        }
        other => panic!("{other:?}"),
    }
}

/// Returns the least and the greatest corner of all shapes of a link, at values of actuators
/// [world]; exact for boxes rotated by quarter turns.
pub fn world_bounds(robot: &Robot<f64>, link: &str, values: &[f64]) -> [[f64; 3]; 2] {
    let pose = pose(robot, link, values);
    let mut found = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for [least, most] in bounds(robot, link) {
        for bits in 0..8 {
            let corner = [0, 1, 2].map(|i| if bits >> i & 1 == 0 { least[i] } else { most[i] });
            let corner = pose * nalgebra::Point3::from(corner);
            for i in 0..3 {
                found[0][i] = found[0][i].min(corner[i]);
                found[1][i] = found[1][i].max(corner[i]);
            }
        }
    }
    found
}

pub fn pose(robot: &Robot<f64>, link: &str, values: &[f64]) -> nalgebra::Isometry3<f64> {
    let mut poses = Vec::new();
    robot.mechanism.poses_unlimited(values, &mut poses).expect("values");
    poses[robot.mechanism.find(link).expect("a link")]
}

pub fn assert_close(found: [[f64; 3]; 2], expected: [[f64; 3]; 2]) {
    let pairs = found.as_flattened().iter().zip(expected.as_flattened());
    let off = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-6, "{found:?} should be {expected:?}");
}

/// Returns the names of links with geometry that are tested against each other.
pub fn tested(robot: &Robot<f64>) -> Vec<[String; 2]> {
    let parts = robot.model.parts();
    let mut found = Vec::new();
    for (index, a) in parts.iter().enumerate().filter(|(_, part)| part.tree().is_some()) {
        for b in parts[index + 1..].iter().filter(|part| part.tree().is_some()) {
            if robot.model.tests(a.id(), b.id()) {
                found.push([a.name().to_owned(), b.name().to_owned()]);
            }
        }
    }
    found
}

pub fn link_names(robot: &Robot<f64>) -> Vec<&str> {
    robot.mechanism.links().iter().map(|link| link.name.as_str()).collect()
}

pub fn actuator_names(robot: &Robot<f64>) -> Vec<&str> {
    robot.mechanism.actuators().iter().map(|actuator| actuator.name.as_str()).collect()
}
