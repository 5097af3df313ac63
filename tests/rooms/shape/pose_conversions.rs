//! Poses from matrices, quaternions and the types of other libraries: round trips are exact, and
//! invalid poses are refused.

use boxwood::Error;
use boxwood::num::tolerance;
use boxwood::shape::{Pose, pose};
use nalgebra::Matrix4;

use support::prelude::*;

type Columns = [[f64; 4]; 4];

/// Draws a rigid matrix, by columns: uniformly random, axis-aligned, or rotated by half or nearly
/// half a turn, where the real part vanishes.
fn rigid(random: &mut Random, kind: usize) -> Columns {
    let turn = match kind % 4 {
        0 => random.rotation(),
        1 => random.quarter(),
        2 => random.turn(std::f64::consts::PI),
        _ => {
            let nearly = std::f64::consts::PI * (1.0 + random.decade(-16.0, -3.0));
            random.turn(nearly)
        }
    };
    let at: [f64; 3] = std::array::from_fn(|_| random.sign() * random.decade(-6.0, 4.0));
    let column = |c: [f64; 3], w: f64| [c[0], c[1], c[2], w];
    [column(turn[0], 0.0), column(turn[1], 0.0), column(turn[2], 0.0), column(at, 1.0)]
}

/// Multiplies a matrix by a column.
fn apply(m: &Columns, v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| m[0][i] * v[0] + m[1][i] * v[1] + m[2][i] * v[2] + m[3][i])
}

fn worst<T: Scalar>(pose: &Pose<T>, m: &Columns) -> f64 {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let off = corners.map(|v| {
        let found = pose * Point3::from(v.map(T::nearest));
        let expected = apply(m, v);
        (0..3).map(|i| (found[i].wide() - expected[i]).abs()).fold(0.0, f64::max)
    });
    off.into_iter().fold(0.0, f64::max)
}

fn matrices<T: Scalar>(unit: f64) {
    let mut random = Random(601);
    for kind in 0..cases(4_000) {
        let columns = rigid(&mut random, kind);
        let stored = Matrix4::from(columns.map(|c| c.map(T::nearest)));
        let from = pose::from_matrix(&stored).expect("a rigid matrix");
        let size = columns[3].iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        assert!(
            worst(&from, &columns) < 8.0 * unit * size,
            "{columns:?}: {}",
            worst(&from, &columns)
        );
        let rows: Vec<T> = (0..16).map(|i| T::nearest(columns[i % 4][i / 4])).collect();
        assert_eq!(pose::from_matrix(&Matrix4::from_row_slice(&rows)), Ok(from));
        let axes = stored.fixed_view::<3, 3>(0, 0).into_owned();
        let at: [T; 3] = std::array::from_fn(|i| T::nearest(columns[3][i]));
        assert_eq!(pose::from_axes(&axes, at), Ok(from));
        // Out and back in.
        let [x, y, z, w]: [T; 4] = from.rotation.coords.into();
        assert_eq!(pose::from_parts([x, y, z, w], at), Ok(from));
        let again = pose::from_matrix(&from.to_homogeneous()).expect("a rigid matrix");
        assert!(worst(&again, &columns) < 16.0 * unit * size);
    }
}

fn refused<T: Scalar>() {
    let good = rigid(&mut Random(602), 0);
    let error = |change: &dyn Fn(&mut Columns)| {
        let mut columns = good;
        change(&mut columns);
        pose::from_matrix(&Matrix4::from(columns.map(|c| c.map(T::nearest)))).map(|_| ())
    };
    assert_eq!(error(&|_| ()), Ok(()));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for i in 0..16 {
            let found = error(&|m| m[i / 4][i % 4] = bad);
            assert!(matches!(found, Err(Error::NotFinite { .. })), "{i}: {found:?}");
        }
    }
    let far = error(&|m| m[3][1] = 1.1 * T::MAX_COORDINATE);
    assert!(matches!(far, Err(Error::OutOfRange { .. })), "{far:?}");
    // Scaled, equally or along one axis; and flat.
    for (scale, axes) in [(1.01, 0..3), (0.5, 1..2), (0.0, 2..3), (-1.01, 0..1)] {
        let found = error(&|m| {
            m[axes.clone()].iter_mut().for_each(|c| c[..3].iter_mut().for_each(|x| *x *= scale));
        });
        assert!(matches!(found, Err(Error::NotUnit { field: "axis", .. })), "{found:?}");
    }
    // Mirrored: one axis, or all.
    for axes in [0..1, 1..2, 2..3, 0..3] {
        let found = error(&|m| {
            m[axes.clone()].iter_mut().for_each(|c| c[..3].iter_mut().for_each(|x| *x = -*x));
        });
        assert!(matches!(found, Err(Error::NotOrthonormal { field: "axis", .. })), "{found:?}");
    }
    // Sheared: an axis rotated towards the next, of length one.
    for axis in 0..3 {
        let found = error(&|m| {
            let next = m[(axis + 1) % 3];
            (0..3).for_each(|i| m[axis][i] = 0.995 * m[axis][i] + 0.0998749 * next[i]);
        });
        assert!(matches!(found, Err(Error::NotOrthonormal { field: "axis", .. })), "{found:?}");
    }
    // Transposed: the translation is in the last row.
    let turned = error(&|m| *m = std::array::from_fn(|j| std::array::from_fn(|i| good[i][j])));
    assert_eq!(turned, Err(Error::NotAffine { field: "matrix" }));
    for (row, bad) in [(0, 0.1), (1, -1e-6), (3, 2.0), (3, 0.0)] {
        assert_eq!(error(&|m| m[row][3] = bad), Err(Error::NotAffine { field: "matrix" }));
    }
}

fn quaternions<T: Scalar>() {
    let mut random = Random(603);
    let at = [1.0, -2.0, 0.5].map(T::nearest);
    for _ in 0..1_000 {
        let q: [f64; 4] = std::array::from_fn(|_| random.between(-1.0, 1.0));
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let scaled = |to: f64| q.map(|x| T::nearest(x / length * to));
        let off = |to: f64| pose::from_parts(scaled(to), at);
        let kept = off(1.0).expect("of length one");
        assert_eq!(kept.rotation.coords.map(T::bits).as_slice(), scaled(1.0).map(T::bits));
        assert_eq!(kept.translation.vector.as_slice(), at);
        assert!(
            off(1.0 + 0.9 * tolerance::UNIT).is_ok() && off(1.0 - 0.9 * tolerance::UNIT).is_ok()
        );
        for to in [1.0 + 1.1 * tolerance::UNIT, 1.0 - 1.1 * tolerance::UNIT, 2.0, 0.0] {
            assert!(matches!(off(to), Err(Error::NotUnit { field: "pose", .. })), "{to}");
        }
    }
    let unit = [0.0, 0.0, 0.0, 1.0].map(T::nearest);
    for i in 0..7 {
        let (mut q, mut p) = (unit, at);
        *q.iter_mut().chain(&mut p).nth(i).expect("one of seven") = T::nearest(f64::NAN);
        let found = pose::from_parts(q, p);
        assert!(matches!(found, Err(Error::NotFinite { field: "pose", .. })), "{found:?}");
    }
}

#[test]
fn a_quaternion_is_x_y_z_w_and_turns_right_handed() {
    let s = std::f64::consts::FRAC_1_SQRT_2;
    let turns =
        [([s, 0.0, 0.0, s], [1, 2]), ([0.0, s, 0.0, s], [2, 0]), ([0.0, 0.0, s, s], [0, 1])];
    for (q, [from, to]) in turns {
        let turn = pose::from_parts(q, [0.0; 3]).expect("a pose");
        let axis = |i: usize| Point3::from(Matrix3::<f64>::identity().column(i).into_owned());
        assert!((turn * axis(from) - axis(to)).norm() < 1e-15);
        let columns: [[f64; 4]; 4] = turn.to_homogeneous().into();
        assert!((columns[from][to] - 1.0).abs() < 1e-15, "columns of columns");
    }
}

#[test]
fn left_handed_poses_are_mirrored_as_documented() {
    let mut random = Random(606);
    for kind in 0..100 {
        let columns = rigid(&mut random, kind);
        let ours = pose::from_matrix(&Matrix4::from(columns)).expect("a rigid matrix");
        // Equal motion in coordinates whose z is reversed.
        let mirror = |v: [f64; 3]| [v[0], v[1], -v[2]];
        let [x, y, z, w]: [f64; 4] = ours.rotation.coords.into();
        let [p, q, r]: [f64; 3] = ours.translation.vector.into();
        let theirs = pose::from_parts([-x, -y, z, w], [p, q, -r]).expect("a pose");
        let local = random.direction();
        let (here, there) = (ours * Point3::from(local), theirs * Point3::from(mirror(local)));
        let size = columns[3].iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        assert!((Point3::from(mirror(here.into())) - there).norm() < 1e-14 * size);
    }
}

/// Compares with glam's own arithmetic, independent of nalgebra's.
#[test]
fn poses_convert_from_and_to_glam() {
    use glam::{DMat4, DQuat, DVec3, Mat4, Quat, Vec3};
    let mut random = Random(604);
    for kind in 0..500 {
        let columns = rigid(&mut random, kind);
        let theirs = DMat4::from_cols_array_2d(&columns);
        let local = DVec3::new(0.3, -0.7, 0.2);
        let ours = pose::from_matrix(&Matrix4::from(theirs)).expect("a rigid matrix");
        let (found, expected) = (ours * Point3::from(local), theirs.transform_point3(local));
        let size = columns[3].iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        assert!((DVec3::from(found) - expected).length() < 1e-14 * size);
        assert!(DMat4::from(ours).abs_diff_eq(theirs, 1e-14 * size));

        let (_, turn, at) = theirs.to_scale_rotation_translation();
        let parts = pose::from_parts(turn.to_array(), at.to_array()).expect("a pose");
        let (at_again, turn_again): (DVec3, DQuat) = parts.into();
        assert_eq!((at_again, turn_again), (at, turn));
        assert!(
            (parts * Point3::from(local) - Point3::from(turn * local + at)).norm() < 1e-14 * size
        );

        let (turn, at) = (turn.as_quat().normalize(), at.as_vec3());
        let single: Pose<f32> = (at, turn).into();
        assert!(pose::from_parts(single.rotation.coords.into(), at.to_array()) == Ok(single));
        let back: (Vec3, Quat) = single.into();
        assert!(back.0 == at && back.1.abs_diff_eq(turn, 1e-6));
        assert!(
            Mat4::from(single)
                .abs_diff_eq(Mat4::from_rotation_translation(turn, at), 1e-5 * size as f32)
        );
    }
}

#[test]
fn poses_convert_from_and_to_mint() {
    let mut random = Random(605);
    for kind in 0..500 {
        let columns = rigid(&mut random, kind);
        let theirs = mint::ColumnMatrix4::from(columns);
        let ours = pose::from_matrix(&Matrix4::from(theirs)).expect("a rigid matrix");
        let back: mint::ColumnMatrix4<f64> = ours.to_homogeneous().into();
        let size = columns[3].iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let (back, there): ([[f64; 4]; 4], [[f64; 4]; 4]) = (back.into(), columns);
        let off = |i: usize| (back[i / 4][i % 4] - there[i / 4][i % 4]).abs();
        assert!((0..16).all(|i| off(i) < 1e-14 * size));
        let (turn, at): (mint::Quaternion<f64>, mint::Vector3<f64>) =
            (ours.rotation.into(), ours.translation.vector.into());
        assert_eq!(pose::from_parts(turn.into(), at.into()), Ok(ours));
    }
}

scalars! {
    rigid_matrices_become_poses => matrices(f64::from(f32::EPSILON); f64::EPSILON);
    matrices_that_scale_mirror_shear_or_are_transposed_are_refused => refused();
    quaternions_are_kept_bit_for_bit_or_refused => quaternions();
}
