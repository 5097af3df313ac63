//! Panda and Talos against the text of their files.

use std::collections::HashMap;
use std::path::PathBuf;

use boxwood::Build;
use boxwood::load::{LinkShapes, Loader, Robot, Warning};

use support::data::data;
use support::prelude::*;
use support::urdf_by_text;

/// A robot read by boxwood and by the second reader.
pub struct Real {
    pub robot: Robot<f64>,
    pub text: urdf_by_text::Robot,
    /// Folder of the package.
    pub root: PathBuf,
}

/// Loads the robot with both readers; `None` without the data.
pub fn real(package: &str, file: &str, options: Loader<'_, f64>) -> Option<Real> {
    let root = data()?.join("robots").join(package);
    let path = root.join(file);
    let robot = options.urdf(&path).expect("a robot");
    Some(Real { robot, text: urdf_by_text::read(&path), root })
}

pub const PANDA: (&str, &str) = ("panda", "urdf/panda.urdf");
pub const TALOS: (&str, &str) = ("talos", "robots/talos_full_v2.urdf");

impl Real {
    /// Tests every two links against each other, those of one rigid piece too.
    pub fn test_all(mut self) -> Self {
        let links = self.robot.mechanism.links();
        let names: Vec<&str> = links.iter().map(|link| link.name.as_str()).collect();
        let of_one = |index: usize| names[..index].iter().map(move |&other| (other, index));
        let pairs = (0..names.len()).flat_map(of_one);
        let pairs: Vec<(&str, &str)> = pairs.map(|(other, index)| (other, names[index])).collect();
        self.robot = self.robot.with_tested(&pairs).expect("known links");
        self
    }

    /// Draws values within the limits, by actuator and by name.
    pub fn sample(&self, random: &mut Random) -> (Vec<f64>, HashMap<String, f64>) {
        let actuators = self.robot.mechanism.actuators();
        let value = |limits: Option<[f64; 2]>| {
            let [least, most] = limits.unwrap_or([-3.0, 3.0]);
            random.between(least, most)
        };
        let values: Vec<f64> =
            actuators.iter().map(|actuator| actuator.limits).map(value).collect();
        let named =
            actuators.iter().map(|actuator| actuator.name.clone()).zip(values.iter().copied());
        let named = named.collect();
        (values, named)
    }
}

#[test]
fn links_joints_and_triangles_equal_those_of_the_file() {
    let options = || Loader::new().solid(false);
    for ((package, file), links, actuators, triangles) in [
        (PANDA, 13, 8, 2300),
        (("panda", "urdf/panda_collision.urdf"), 13, 8, 0),
        (TALOS, 60, 32, 26_202),
        // Its mimics are fixed.
        (("talos", "robots/talos_reduced.urdf"), 60, 32, 26_202),
    ] {
        let Some(real) = real(package, file, options()) else { return };
        let (robot, text) = (&real.robot, &real.text);
        assert_eq!(
            (robot.mechanism.links().len(), robot.mechanism.actuators().len()),
            (links, actuators)
        );
        assert_eq!(text.links.len(), links);
        let mut found = 0;
        for part in robot.model.parts() {
            let collisions = text.collisions.get(part.name());
            assert_eq!(part.tree().is_some(), collisions.is_some(), "{}", part.name());
            if let Some(theirs) = text.triangles(part.name(), &real.root) {
                let mesh = part.tree().and_then(|tree| tree.geometry().mesh()).expect("a mesh");
                assert_eq!(mesh.triangles().len(), theirs.len());
                for (i, corners) in theirs.iter().enumerate() {
                    let mut ours = mesh.corners(i).to_vec();
                    for corner in corners {
                        let same = ours.iter().position(|own| (own - corner).norm() < 1e-12);
                        ours.remove(same.expect("the corner"));
                    }
                }
                found += theirs.len();
            }
        }
        assert_eq!(found, triangles, "{file}");
    }
}

#[test]
fn mirrored_meshes_face_outward() {
    let Some(real) = real(TALOS.0, TALOS.1, Loader::new()) else { return };
    assert_eq!(real.robot.warnings, [Warning::NoCollision { link: "imu_link".into() }]);
    let mut mirrored = 0;
    for part in real.robot.model.parts() {
        let Some(mesh) = part.tree().and_then(|tree| tree.geometry().mesh()) else { continue };
        assert!(mesh.volume() > 0.0, "{}", part.name());
        let collisions = &real.text.collisions[part.name()];
        mirrored +=
            collisions.iter().filter(|c| c.mesh.as_ref().is_some_and(|m| m.1.y < 0.0)).count();
        // The other side of the body is as large.
        if part.name().contains("_left_") {
            let other = real.robot.model.part(&part.name().replace("_left_", "_right_"));
            let other = &real.robot.model.parts()[other.expect("a right one").index()];
            let other = other.tree().and_then(|tree| tree.geometry().mesh()).expect("a mesh");
            assert!((mesh.volume() - other.volume()).abs() < 1e-9);
        }
    }
    assert_eq!(mirrored, 13);
}

#[test]
fn poses_of_real_robots_are_products_of_matrices() {
    for (package, file) in [PANDA, TALOS] {
        let Some(real) = real(package, file, Loader::new()) else { return };
        let mut random = Random(11);
        let (mut poses, mut single) = (Vec::new(), Vec::new());
        for _ in 0..50 {
            let (values, named) = real.sample(&mut random);
            let expected = real.text.poses(&named);
            real.robot.mechanism.poses(&values, &mut poses).expect("within limits");
            let narrow: Vec<f32> = values.iter().map(|&value| value as f32).collect();
            real.robot.mechanism.poses(&narrow, &mut single).expect("within limits");
            for ((link, pose), narrow) in
                real.robot.mechanism.links().iter().zip(&poses).zip(&single)
            {
                let theirs = &expected[&link.name];
                assert!((pose.to_homogeneous() - theirs).norm() < 1e-13, "{}", link.name);
                let narrow = narrow.to_homogeneous().map(f64::from);
                assert!((narrow - theirs).norm() < 1e-5, "{}", link.name);
            }
        }
    }
}

#[test]
fn visual_geometry_is_loaded_and_reports_open_edges() {
    let (shapes, build) = (LinkShapes::Visual, Build::fast());
    let options = Loader::new().link_shapes(shapes).build(build);
    let Some(real) = real(TALOS.0, TALOS.1, options) else { return };
    let trees = real.robot.model.parts().iter().filter_map(|part| part.tree());
    let triangles: usize = trees.map(|tree| tree.geometry().len()).sum();
    let capped = |warning: &Warning| matches!(warning, Warning::Capped { .. });
    assert!(real.robot.warnings.iter().all(capped));
    println!("{triangles} triangles with caps, {} files capped", real.robot.warnings.len());
    assert!(triangles >= 205_175 && !real.robot.warnings.is_empty());
}
