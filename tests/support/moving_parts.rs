//! Parts that move between two poses: the path by nalgebra's slerp and a forward kinematics of its
//! own, and random characters whose joints turn within a tick.

use std::sync::Arc;

use boxwood::Build;
use boxwood::model::{Model, PartId};
use boxwood::num::Scalar;
use boxwood::shape::Pose;
use boxwood::tree::{Geometry, NodeId, ObbTree};
use nalgebra::{Isometry3, Point3, Quaternion, UnitQuaternion, Vector3};

use crate::closed_meshes;
use crate::part_distance::{self, Placed};
use crate::random::Random;
use crate::random_parts::{place, pose, put, solid, solids, triangles};

/// Converts a stored pose, dividing by the length of its quaternion.
pub fn widened<T: Scalar>(pose: &Pose<T>) -> Isometry3<f64> {
    let q = pose.rotation.coords.map(|x| x.wide());
    let rotation = UnitQuaternion::from_quaternion(Quaternion::from(q));
    Isometry3::from_parts(pose.translation.vector.map(|x| x.wide()).into(), rotation)
}

/// Rounds a pose to the stored type.
pub fn stored<T: Scalar>(at: &Isometry3<f64>) -> Pose<T> {
    pose(at.rotation.coords.into(), at.translation.vector.into())
}

/// Returns the pose at a time between two: offset linear, rotation by slerp. The length of
/// nalgebra's slerp is off by 1e-10 where the arc is short.
pub fn between(ends: [&Isometry3<f64>; 2], time: f64) -> Isometry3<f64> {
    let [a, b] = ends;
    let offset = a.translation.vector * (1.0 - time) + b.translation.vector * time;
    let turned = a.rotation.try_slerp(&b.rotation, time, 1e-14).unwrap_or(a.rotation);
    Isometry3::from_parts(offset.into(), UnitQuaternion::new_normalize(turned.into_inner()))
}

/// Computes the poses of a character's parts at a time, each relative to its parent, a root relative
/// to that pose of its holder or to the world.
pub fn joint_poses<T: Scalar>(
    model: &Model<T>,
    [before, after]: [&[Pose<T>]; 2],
    holder: Option<[Isometry3<f64>; 3]>,
    time: f64,
) -> Vec<Isometry3<f64>> {
    let mut poses: Vec<Isometry3<f64>> = Vec::new();
    for (index, part) in model.parts().iter().enumerate() {
        let ends = [widened(&before[index]), widened(&after[index])];
        let above = match part.parent() {
            Some(parent) => {
                let parent = parent.index();
                Some([widened(&before[parent]), widened(&after[parent]), poses[parent]])
            }
            None => holder,
        };
        poses.push(match above {
            Some([first, last, now]) => {
                now * between([&(first.inverse() * ends[0]), &(last.inverse() * ends[1])], time)
            }
            None => between([&ends[0], &ends[1]], time),
        });
    }
    poses
}

/// Computes the poses of a character's parts at a time, each relative to the world.
pub fn loose_poses<T: Scalar>(ends: [&[Pose<T>]; 2], time: f64) -> Vec<Isometry3<f64>> {
    let pairs = ends[0].iter().zip(ends[1]);
    pairs.map(|(a, b)| between([&widened(a), &widened(b)], time)).collect()
}

/// Places the primitives of a part by a pose in double precision.
pub fn placed<T: Scalar>(tree: &ObbTree<T>, at: &Isometry3<f64>) -> Placed {
    let corners = |triangle: &[[f64; 3]; 3]| triangle.map(|p| put::<f64>(at, p));
    Placed {
        triangles: triangles(tree, NodeId::ROOT).iter().map(corners).collect(),
        blocks: solids(tree, NodeId::ROOT).iter().map(|block| place::<f64>(block, at)).collect(),
    }
}

/// Computes the distance of two parts at two poses, at most `most`; 0 if one is inside the other, a
/// solid, of which those of [`chain`] are cuboids.
pub fn distance<T: Scalar>([a, b]: [(&ObbTree<T>, &Isometry3<f64>); 2], most: f64) -> f64 {
    let [first, second] = [a, b].map(|(tree, at)| placed(tree, at));
    let has_inside = |(tree, at): (&ObbTree<T>, &Isometry3<f64>), part: &Placed| {
        let Geometry::Solid(mesh) = tree.geometry() else { return false };
        let ends = [0, 1, 2].map(|i| {
            let along = mesh.vertices().iter().map(move |corner| corner[i].wide());
            along.fold([f64::MAX, f64::MIN], |[low, high], x| [low.min(x), high.max(x)])
        });
        let is_inside = |point: [f64; 3]| {
            let point = at.inverse() * Point3::from(point);
            (0..3).all(|i| ends[i][0] <= point[i] && point[i] <= ends[i][1])
        };
        // A point of each box, as a part may have several of which one is inside.
        let corners = part.triangles.iter().map(|corners| corners[0]);
        corners.chain(part.blocks.iter().map(|block| block.center)).any(is_inside)
    };
    if has_inside(a, &second) || has_inside(b, &first) {
        return 0.0;
    }
    part_distance::below(&first, &second, most)
}

/// Draws a chain of parts of about size 1, of boxes or surfaces of few triangles.
pub fn chain<T: Scalar>(random: &mut Random, parts: usize) -> Arc<Model<T>> {
    let mut builder = Model::builder();
    for part in 0..parts {
        let parent = match part {
            0 => None,
            _ => Some((if random.chance(0.8) { part - 1 } else { random.below(part) }).to_string()),
        };
        let half = [0; 3].map(|_| random.decade(-1.5, -0.2));
        let geometry = match random.below(4) {
            0 => Geometry::Boxes(vec![solid(random.vector(0.3).into(), &random.rotation(), half)]),
            1 => closed_meshes::solid(closed_meshes::cube(half)),
            2 => closed_meshes::surface(closed_meshes::cut_cube(2)),
            _ => Geometry::Boxes(
                (0..3)
                    .map(|_| {
                        let half = [0; 3].map(|_| random.decade(-2.0, -0.5));
                        solid(random.vector(0.6).into(), &random.rotation(), half)
                    })
                    .collect(),
            ),
        };
        builder = builder.part(part.to_string(), parent.as_deref(), geometry);
    }
    builder.build(&Build::default()).expect("a chain")
}

/// Draws a rotation by at most an angle about any axis.
pub fn turn(random: &mut Random, most: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::new(Vector3::from(random.direction()) * random.between(0.0, most))
}

/// Draws poses of a chain before and after a tick: joints turn by up to an angle, offsets and the
/// root move by up to a length.
pub fn tick<T: Scalar>(
    random: &mut Random,
    model: &Model<T>,
    root: Isometry3<f64>,
    (angle, way): (f64, f64),
) -> [Vec<Pose<T>>; 2] {
    let mut ends: [Vec<Isometry3<f64>>; 2] = [Vec::new(), Vec::new()];
    for part in model.parts() {
        let offset = Vector3::from(random.direction()) * 0.9;
        let local = Isometry3::from_parts(offset.into(), turn(random, 3.0));
        let shift = Vector3::from(random.direction()) * (random.share() * way);
        let moved = Isometry3::from_parts(
            (offset + if part.parent().is_some() { shift * 0.2 } else { shift }).into(),
            local.rotation * turn(random, angle),
        );
        let above = match part.parent() {
            Some(parent) => [0, 1].map(|end| ends[end][parent.index()]),
            None => [root; 2],
        };
        ends[0].push(above[0] * local);
        ends[1].push(above[1] * moved);
    }
    ends.map(|poses| poses.iter().map(stored).collect())
}

/// Returns the parts that have geometry.
pub fn solid_parts<T: Scalar>(model: &Model<T>) -> Vec<PartId> {
    model.parts().iter().filter(|part| part.tree().is_some()).map(|part| part.id()).collect()
}
