//! Primitives fitted to meshes: the frame and the box of a mesh's moments of inertia.
//!
//! Source: the MuJoCo documentation, XML reference, `geom/mesh` and `mesh/inertia`. Volume
//! integrals over triangles: Mirtich, Fast and accurate computation of polyhedral mass properties
//! (1996), as sums over tetrahedra. Eigenvectors: the classical method of Jacobi, Golub and Van
//! Loan, Matrix Computations (2013), 8.5.3, with the order and the thresholds of MuJoCo, since a
//! symmetric mesh has more than one such frame.

use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, UnitQuaternion, Vector3};

use crate::shape::Pose;

/// Size below which moments and products of inertia are zero, in units of the model. MuJoCo's.
const MIN_MOMENT: f64 = 1e-12;
/// Size below which volumes and areas are zero. MuJoCo's.
const MIN_MASS: f64 = 1e-15;
/// Largest number of rotations of the method of Jacobi, which needs fewer than ten.
const MAX_ROTATIONS: usize = 500;

/// Assumed distribution of a mesh's mass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MeshInertia {
    /// The volume of its convex hull.
    Convex,
    /// The volume inside its triangles.
    Exact,
    /// The volume inside its triangles, with every tetrahedron counted as positive.
    Legacy,
    /// The surface of its triangles.
    Shell,
}

/// The frame of a mesh's moments of inertia, and the boxes that primitives are fitted to.
#[derive(Debug, Clone)]
pub(super) struct MeshFit {
    /// The centre of mass, and axes by descending moment.
    pub frame: Pose<f64>,
    /// Half the sides of the box with equal moments.
    pub box_of_inertia: Vector3<f64>,
    /// The corners of the bounding box in the frame.
    pub bounds: [Vector3<f64>; 2],
}

/// Fits the frame to triangles (those of the hull for [`MeshInertia::Convex`]), and the bounding
/// box to vertices.
pub(super) fn fit(
    triangles: &[[Point3<f64>; 3]],
    vertices: &[Point3<f64>],
    inertia: MeshInertia,
) -> Result<MeshFit, String> {
    let middle = face_centroid(triangles)?;
    let about_middle = MeshMoments::integrate(triangles, middle, inertia);
    if about_middle.mass < MIN_MASS {
        return Err(match inertia {
            MeshInertia::Shell => "its area is too small to fit a shape".to_owned(),
            _ if about_middle.mass < 0.0 => "its triangles face inward".to_owned(),
            _ => "its volume is too small to fit a shape".to_owned(),
        });
    }
    let centre = middle + about_middle.first * (0.75 / about_middle.mass);
    let moments = MeshMoments::integrate(triangles, centre, inertia);
    let trace = moments.second.trace();
    let (values, axes) = eigen(Matrix3::identity() * trace - moments.second);
    let side = |i: usize| {
        let excess = values[(i + 1) % 3] + values[(i + 2) % 3] - values[i];
        0.5 * (6.0 * excess.max(0.0) / moments.mass).sqrt()
    };
    let turn = Rotation3::from_matrix_unchecked(axes);
    let turn = UnitQuaternion::from_rotation_matrix(&turn);
    let within = |p: &Point3<f64>| axes.transpose() * (p - centre);
    let mut bounds = [Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY)];
    for local in vertices.iter().map(within) {
        bounds = [bounds[0].inf(&local), bounds[1].sup(&local)];
    }
    Ok(MeshFit {
        frame: Isometry3::from_parts(centre.into(), turn),
        box_of_inertia: Vector3::new(side(0), side(1), side(2)),
        bounds,
    })
}

/// The centroid of the triangles by area.
fn face_centroid(triangles: &[[Point3<f64>; 3]]) -> Result<Point3<f64>, String> {
    let (mut sum, mut total) = (Vector3::zeros(), 0.0);
    for corners in triangles {
        let area = area_vector(corners).norm();
        sum += centroid(corners).coords * area;
        total += area;
    }
    match total >= MIN_MASS {
        true => Ok((sum / total).into()),
        false => Err("its area is too small to fit a shape".to_owned()),
    }
}

fn area_vector([a, b, c]: &[Point3<f64>; 3]) -> Vector3<f64> {
    (b - a).cross(&(c - a)) / 2.0
}

fn centroid([a, b, c]: &[Point3<f64>; 3]) -> Point3<f64> {
    Point3::from((a.coords + b.coords + c.coords) / 3.0)
}

/// Integrals over a mesh: of 1, of the position from an apex, and of its products.
struct MeshMoments {
    mass: f64,
    /// Sums of the centroids of triangles, each with its mass.
    first: Vector3<f64>,
    second: Matrix3<f64>,
}

impl MeshMoments {
    /// Sums over the tetrahedra between an apex and the triangles, or over the triangles.
    fn integrate(triangles: &[[Point3<f64>; 3]], apex: Point3<f64>, inertia: MeshInertia) -> Self {
        let mut sum = MeshMoments { mass: 0.0, first: Vector3::zeros(), second: Matrix3::zeros() };
        let divisor = if inertia == MeshInertia::Shell { 12.0 } else { 20.0 };
        for corners in triangles {
            let area = area_vector(corners);
            let middle = centroid(corners) - apex;
            let mass = match inertia {
                MeshInertia::Shell => area.norm(),
                MeshInertia::Exact | MeshInertia::Convex => middle.dot(&area) / 3.0,
                MeshInertia::Legacy => (middle.dot(&area) / 3.0).abs(),
            };
            let [d, e, f] = corners.map(|corner| corner - apex);
            let all = d + e + f;
            let products =
                d * d.transpose() + e * e.transpose() + f * f.transpose() + all * all.transpose();
            sum.mass += mass;
            sum.first += middle * mass;
            sum.second += products * (mass / divisor);
        }
        sum
    }
}

/// Returns the eigenvalues of a symmetric matrix in descending order, and its eigenvectors as the
/// columns of a rotation.
fn eigen(matrix: Matrix3<f64>) -> (Vector3<f64>, Matrix3<f64>) {
    let mut axes: Matrix3<f64> = Matrix3::identity();
    let mut values = matrix.diagonal();
    for _ in 0..MAX_ROTATIONS {
        let diagonal: Matrix3<f64> = axes.transpose() * matrix * axes;
        values = diagonal.diagonal();
        let size = |row: usize, column: usize| diagonal[(row, column)].abs();
        let (row, column) = match (size(0, 1), size(0, 2), size(1, 2)) {
            (a, b, c) if a > b && a > c => (0, 1),
            (_, b, c) if b > c => (0, 2),
            _ => (1, 2),
        };
        let product = diagonal[(row, column)];
        if product.abs() < MIN_MOMENT {
            break;
        }
        let tau = (values[column] - values[row]) / (2.0 * product);
        let root = (1.0 + tau * tau).sqrt();
        let tangent = if tau >= 0.0 { 1.0 / (tau + root) } else { -1.0 / (root - tau) };
        let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
        if cosine > 1.0 - MIN_MOMENT {
            break;
        }
        let (p, q): (Vector3<f64>, Vector3<f64>) =
            (axes.column(row).into_owned(), axes.column(column).into_owned());
        axes.set_column(row, &((p - q * tangent) * cosine));
        axes.set_column(column, &((q + p * tangent) * cosine));
    }
    // Three exchanges sort three values; a quarter turn exchanges two axes.
    for first in [0, 1, 0] {
        if values[first] + MIN_MOMENT < values[first + 1] {
            values.swap_rows(first, first + 1);
            axes.swap_columns(first, first + 1);
            axes.column_mut(first).neg_mut();
        }
    }
    (values, axes)
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::load::urdf::tessellation;

    fn cuboid(half: Vector3<f64>) -> Vec<[Point3<f64>; 3]> {
        tessellation::cuboid(half).0
    }

    pub fn a_box_is_fitted_by_itself_wherever_it_is() {
        let half = Vector3::new(0.2, 0.7, 0.4);
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -0.5, 0.9));
        let pose = Isometry3::from_parts(Vector3::new(3.0, -1.0, 2.0).into(), turn);
        let soup = tessellation::transformed_by_pose(tessellation::cuboid(half), &pose).0;
        for inertia in [MeshInertia::Exact, MeshInertia::Legacy] {
            let found = fit(&soup, &soup.concat(), inertia).expect("a fit");
            // The longest side has the least moment, and is last.
            assert!((found.box_of_inertia - Vector3::new(0.2, 0.4, 0.7)).norm() < 1e-9);
            assert!((found.frame.translation.vector - pose.translation.vector).norm() < 1e-9);
            // MuJoCo's threshold omits a last rotation of up to 1.5e-6.
            assert!((found.bounds[1] - Vector3::new(0.2, 0.4, 0.7)).norm() < 2e-6);
            assert!((found.bounds[0] + found.bounds[1]).norm() < 2e-6);
        }
    }

    pub fn shells_have_their_own_moments() {
        // The faces of a unit cube have 5/9 of a solid's moment, as a share of mass times side
        // squared.
        let soup = cuboid(Vector3::repeat(0.5));
        let found = fit(&soup, &soup.concat(), MeshInertia::Shell).expect("a fit");
        let expected = 0.5 * (5.0_f64 / 3.0).sqrt();
        assert!((found.box_of_inertia - Vector3::repeat(expected)).norm() < 1e-12, "{found:?}");
    }

    pub fn meshes_without_volume_are_refused() {
        let flat = [[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point3::from)];
        assert!(fit(&flat, &flat.concat(), MeshInertia::Exact).is_err());
        assert!(fit(&flat, &flat.concat(), MeshInertia::Shell).is_ok());
        assert!(fit(&[], &[], MeshInertia::Shell).is_err());
        let mut inward = cuboid(Vector3::repeat(0.5));
        inward.iter_mut().for_each(|face| face.swap(0, 1));
        let said = fit(&inward, &inward.concat(), MeshInertia::Exact).expect_err("inward");
        assert!(said.contains("inward"), "{said}");
    }
}
