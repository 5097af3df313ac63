//! Matrices into translation, rotation and scale.

use nalgebra::{Matrix3, Matrix4, Rotation3, UnitQuaternion, Vector3};

use crate::motion::Transform;

/// How far from a right angle two columns may be before that counts as shear. Cosine.
const SHEAR: f64 = 1e-4;

/// The transform of an affine matrix, and whether shear was dropped. A mirroring matrix gets a
/// negative scale along x. `None` for matrices that flatten space or are not finite.
pub(super) fn decompose(matrix: &Matrix4<f64>) -> Option<(Transform<f64>, bool)> {
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
    let sheared = [x.dot(y), y.dot(z), z.dot(x)].iter().any(|cosine| cosine.abs() > SHEAR);
    let y = (y - x * x.dot(y)).try_normalize(1e-12)?;
    let turned = Matrix3::from_columns(&[*x, y, x.cross(&y)]);
    let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turned));
    let translation = matrix.fixed_view::<3, 1>(0, 3).into_owned();
    translation
        .iter()
        .all(|x| x.is_finite())
        .then_some((Transform { translation, rotation, scale: lengths }, sheared))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(transform: &Transform<f64>) -> Matrix4<f64> {
        transform.linear().to_homogeneous().append_translation(&transform.translation)
    }

    #[test]
    fn rebuilds_the_matrix_even_mirrored() {
        let turns = [[0.3, -2.0, 0.4], [0.0; 3], [3.1, 0.1, 0.0]];
        let scales = [[1.0; 3], [2.0, 0.5, 100.0], [-1.0, 1.0, 1.0], [-2.0; 3], [1.0, 3.0, -1.0]];
        for (turn, scale) in turns.iter().flat_map(|t| scales.map(|s| (*t, s))) {
            let original = matrix(&Transform {
                translation: Vector3::new(1.0, 2.0, 3.0),
                rotation: UnitQuaternion::from_scaled_axis(Vector3::from(turn)),
                scale: scale.into(),
            });
            let (found, sheared) = decompose(&original).expect("not flat");
            assert!(!sheared);
            assert!((matrix(&found) - original).norm() < 1e-10);
        }
    }

    #[test]
    fn says_when_it_can_not() {
        let mut sheared = Matrix4::identity();
        sheared[(0, 1)] = 0.1;
        let (found, dropped) = decompose(&sheared).expect("not flat");
        assert!(dropped && found.rotation.angle() < 1e-12);
        let mut flat = Matrix4::identity();
        flat[(2, 2)] = 0.0;
        assert_eq!(decompose(&flat), None);
        assert_eq!(decompose(&(Matrix4::identity() * f64::NAN)), None);
    }
}
