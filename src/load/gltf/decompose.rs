//! Decomposition of matrices into translation, rotation and scale.

use nalgebra::{Matrix3, Matrix4, Rotation3, UnitQuaternion, Vector3};

use crate::motion::Transform;

/// Deviation of two columns from a right angle that counts as shear, as a cosine.
const MAX_COSINE: f64 = 1e-4;

/// Largest number of iterations of the singular value decomposition; a few suffice.
const MAX_ITERATIONS: usize = 1000;

/// A transform, preceded by its parent if the matrix shears.
pub(super) type Decomposed = (Option<Transform<f64>>, Transform<f64>);

/// Decomposes an affine matrix into one transform, or two if it shears. A mirroring matrix has a
/// negative scale along x. `None` for matrices that are singular or not finite.
pub(super) fn decompose(matrix: &Matrix4<f64>) -> Option<Decomposed> {
    let linear: Matrix3<f64> = matrix.fixed_view::<3, 3>(0, 0).into_owned();
    let mirrored = linear.determinant() < 0.0;
    let mut lengths = Vector3::from_fn(|j, _| linear.column(j).norm());
    let (least, most) = (lengths.min(), lengths.max());
    if !most.is_finite() || least <= most * 1e-12 {
        return None;
    }
    if mirrored {
        lengths.x = -lengths.x;
    }
    let columns: [Vector3<f64>; 3] = std::array::from_fn(|j| linear.column(j) / lengths[j]);
    let [x, y, z] = &columns;
    let sheared = [x.dot(y), y.dot(z), z.dot(x)].iter().any(|cosine| cosine.abs() > MAX_COSINE);
    let translation: Vector3<f64> = matrix.fixed_view::<3, 1>(0, 3).into_owned();
    if translation.iter().any(|x| !x.is_finite()) {
        return None;
    }
    if sheared {
        let (above, below) = unsheared(linear)?;
        return Some((Some(Transform { translation, ..above }), below));
    }
    let y = (y - x * x.dot(y)).try_normalize(1e-12)?;
    let turned = Matrix3::from_columns(&[*x, y, x.cross(&y)]);
    Some((None, Transform { translation, rotation: rotation(turned), scale: lengths }))
}

/// Rotation, scale and rotation: the singular value decomposition, with rotations that do not
/// mirror.
fn unsheared(linear: Matrix3<f64>) -> Option<(Transform<f64>, Transform<f64>)> {
    let svd = linear.try_svd(true, true, f64::EPSILON, MAX_ITERATIONS)?;
    let (mut left, mut right, mut scale) = (svd.u?, svd.v_t?, svd.singular_values);
    if left.determinant() < 0.0 {
        left.column_mut(0).neg_mut();
        scale.x = -scale.x;
    }
    if right.determinant() < 0.0 {
        right.row_mut(0).neg_mut();
        scale.x = -scale.x;
    }
    let above = Transform { rotation: rotation(left), scale, ..Transform::default() };
    Some((above, Transform { rotation: rotation(right), ..Transform::default() }))
}

fn rotation(turned: Matrix3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turned))
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    fn matrix(transform: &Transform<f64>) -> Matrix4<f64> {
        transform.linear().to_homogeneous().append_translation(&transform.translation)
    }

    pub fn rebuilds_the_matrix_even_mirrored() {
        let turns = [[0.3, -2.0, 0.4], [0.0; 3], [3.1, 0.1, 0.0]];
        let scales = [[1.0; 3], [2.0, 0.5, 100.0], [-1.0, 1.0, 1.0], [-2.0; 3], [1.0, 3.0, -1.0]];
        for (turn, scale) in turns.iter().flat_map(|t| scales.map(|s| (*t, s))) {
            let original = matrix(&Transform {
                translation: Vector3::new(1.0, 2.0, 3.0),
                rotation: UnitQuaternion::from_scaled_axis(Vector3::from(turn)),
                scale: scale.into(),
            });
            let (above, found) = decompose(&original).expect("not flat");
            assert_eq!(above, None);
            assert!((matrix(&found) - original).norm() < 1e-10);
        }
    }

    pub fn a_matrix_that_shears_is_two_transforms() {
        for (xy, xz, yz) in [(0.1, 0.0, 0.0), (-3.0, 0.2, 5.0), (0.0, 1e-3, 0.0)] {
            for mirror in [1.0, -1.0] {
                let original = Matrix4::new(
                    2.0, xy, xz, 5.0, 0.0, mirror, yz, 6.0, 0.0, 0.0, 1.0, 7.0, 0.0, 0.0, 0.0, 1.0,
                );
                let (above, below) = decompose(&original).expect("not flat");
                let product = matrix(&above.expect("sheared")) * matrix(&below);
                assert!((product - original).norm() < 1e-12);
            }
        }
    }

    pub fn says_when_it_can_not() {
        let mut flat = Matrix4::identity();
        flat[(2, 2)] = 0.0;
        assert_eq!(decompose(&flat), None);
        assert_eq!(decompose(&(Matrix4::identity() * f64::NAN)), None);
    }
}
