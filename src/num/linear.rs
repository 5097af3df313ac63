//! Three-dimensional arithmetic in double precision with one fixed order of operations.
//!
//! Every deciding computation uses these functions, so that no library update, instruction set or
//! platform changes a bit: only `+ - * / sqrt` and comparisons, never fused.

use super::simd::{Doubles, Lanes, MAX_DOUBLES};

/// A vector or a point.
pub(crate) type Vec3<D = f64> = [D; 3];
/// A matrix by columns: `m[j]` is column `j`, for a rotation the image of axis `j`.
pub(crate) type Mat3<D = f64> = [Vec3<D>; 3];

pub(crate) const IDENTITY: Mat3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

#[inline(always)]
pub(crate) fn add<D: Lanes>(a: Vec3<D>, b: Vec3<D>) -> Vec3<D> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(crate) fn sub<D: Lanes>(a: Vec3<D>, b: Vec3<D>) -> Vec3<D> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) fn scale<D: Lanes>(a: Vec3<D>, s: D) -> Vec3<D> {
    [a[0] * s, a[1] * s, a[2] * s]
}

#[inline(always)]
pub(crate) fn dot<D: Lanes>(a: Vec3<D>, b: Vec3<D>) -> D {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn cross<D: Lanes>(a: Vec3<D>, b: Vec3<D>) -> Vec3<D> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
pub(crate) fn length<D: Lanes>(a: Vec3<D>) -> D {
    dot(a, a).sqrt()
}

/// Index of the coordinate with the least absolute value, the first for a tie.
#[inline]
pub(crate) fn least_axis(v: Vec3) -> usize {
    (1..3).fold(0, |least, i| if v[i].abs() < v[least].abs() { i } else { least })
}

/// Returns a vector perpendicular to `v`, not of unit length: the cross product with the coordinate
/// axis of `v`'s least coordinate.
#[inline]
pub(crate) fn perpendicular(v: Vec3) -> Vec3 {
    cross(v, IDENTITY[least_axis(v)])
}

/// Returns the unit vector along [`perpendicular`]; the first coordinate axis if that is zero.
#[inline]
pub(crate) fn unit_perpendicular(v: Vec3) -> Vec3 {
    let across = perpendicular(v);
    let size = length(across);
    if size > 0.0 { scale(across, 1.0 / size) } else { IDENTITY[0] }
}

/// Returns two unit vectors that complete a unit vector to a right-handed orthonormal frame.
#[inline]
pub(crate) fn perpendicular_axes(direction: Vec3) -> [Vec3; 2] {
    let side = unit_perpendicular(direction);
    [side, cross(direction, side)]
}

/// Returns orthonormal axes with the first along a vector, or those of the world for a zero vector.
pub(crate) fn axes_along(along: Vec3) -> Mat3 {
    let size = length(along);
    // A vector so short that its square vanishes counts as zero.
    if size == 0.0 {
        return IDENTITY;
    }
    let first = scale(along, 1.0 / size);
    let [second, third] = perpendicular_axes(first);
    [first, second, third]
}

/// `m * v`.
#[inline(always)]
pub(crate) fn rotate<D: Lanes>(m: &Mat3<D>, v: Vec3<D>) -> Vec3<D> {
    [
        m[0][0] * v[0] + m[1][0] * v[1] + m[2][0] * v[2],
        m[0][1] * v[0] + m[1][1] * v[1] + m[2][1] * v[2],
        m[0][2] * v[0] + m[1][2] * v[1] + m[2][2] * v[2],
    ]
}

/// `transpose(m) * v`: the coordinates of `v` along the columns of `m`.
#[inline(always)]
pub(crate) fn rotate_back<D: Lanes>(m: &Mat3<D>, v: Vec3<D>) -> Vec3<D> {
    [dot(m[0], v), dot(m[1], v), dot(m[2], v)]
}

/// `transpose(a) * b`: the columns of `b` in the frame whose axes are the columns of `a`.
#[inline(always)]
pub(crate) fn relative_axes<D: Lanes>(a: &Mat3<D>, b: &Mat3<D>) -> Mat3<D> {
    [rotate_back(a, b[0]), rotate_back(a, b[1]), rotate_back(a, b[2])]
}

/// `a * b`.
#[inline(always)]
pub(crate) fn matrix_product<D: Lanes>(a: &Mat3<D>, b: &Mat3<D>) -> Mat3<D> {
    [rotate(a, b[0]), rotate(a, b[1]), rotate(a, b[2])]
}

/// The absolute values of the coordinates.
#[inline(always)]
pub(crate) fn absolute_values<D: Lanes>(v: Vec3<D>) -> Vec3<D> {
    [v[0].abs(), v[1].abs(), v[2].abs()]
}

/// The sum of the coordinates.
#[inline(always)]
pub(crate) fn coordinate_sum<D: Lanes>(v: Vec3<D>) -> D {
    v[0] + v[1] + v[2]
}

/// The sum of the absolute coordinates, no less than the length.
#[inline(always)]
pub(crate) fn absolute_sum<D: Lanes>(v: Vec3<D>) -> D {
    coordinate_sum(absolute_values(v))
}

#[inline(always)]
pub(crate) fn transposed<D: Lanes>(m: &Mat3<D>) -> Mat3<D> {
    [[m[0][0], m[1][0], m[2][0]], [m[0][1], m[1][1], m[2][1]], [m[0][2], m[1][2], m[2][2]]]
}

/// Half extents of the AABB of a box with half extents `h` rotated by `m`: `|m| * h`.
#[inline]
pub(crate) fn aabb_half_extents(m: &Mat3, h: Vec3) -> Vec3 {
    let row = |i: usize| m[0][i].abs() * h[0] + m[1][i].abs() * h[1] + m[2][i].abs() * h[2];
    [row(0), row(1), row(2)]
}

/// The rotation matrix of `q / |q|`, for `q = [x, y, z, w]` of any length except zero.
#[inline]
pub(crate) fn rotation_of(q: [f64; 4]) -> Mat3 {
    rotation_at((), q)
}

/// [`rotation_of`] in each lane.
#[inline(always)]
pub(crate) fn rotation_at<D: Doubles>(token: D::Token, q: [D; 4]) -> Mat3<D> {
    let ([x, y, z, w], one) = (q, D::splat(token, 1.0));
    let s = D::splat(token, 2.0) / (x * x + y * y + z * z + w * w);
    let (xx, yy, zz) = (s * x * x, s * y * y, s * z * z);
    let (xy, xz, yz) = (s * x * y, s * x * z, s * y * z);
    let (wx, wy, wz) = (s * w * x, s * w * y, s * w * z);
    [
        [one - (yy + zz), xy + wz, xz - wy],
        [xy - wz, one - (xx + zz), yz + wx],
        [xz + wy, yz - wx, one - (xx + yy)],
    ]
}

/// The unit quaternion `[x, y, z, w]` of a rotation matrix; its largest entry is positive.
///
/// Source: Shepperd, Quaternion from rotation matrix (1978): the row of `4 q q^T` with the largest
/// square, normalised.
pub(crate) fn quaternion_of(m: &Mat3) -> [f64; 4] {
    let sum = |i: usize, j: usize| m[j][i] + m[i][j];
    let turn = |i: usize, j: usize| m[j][i] - m[i][j];
    let square = |x: f64, y: f64, z: f64| 1.0 + x * m[0][0] + y * m[1][1] + z * m[2][2];
    let rows = [
        [square(1.0, -1.0, -1.0), sum(0, 1), sum(0, 2), turn(2, 1)],
        [sum(0, 1), square(-1.0, 1.0, -1.0), sum(1, 2), turn(0, 2)],
        [sum(0, 2), sum(1, 2), square(-1.0, -1.0, 1.0), turn(1, 0)],
        [turn(2, 1), turn(0, 2), turn(1, 0), square(1.0, 1.0, 1.0)],
    ];
    let largest = (1..4).fold(0, |best, i| if rows[i][i] > rows[best][best] { i } else { best });
    let q = rows[largest];
    let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    q.map(|x| x / length)
}

/// Makes nearly orthonormal columns orthonormal and right-handed by Gram-Schmidt: their
/// [`skew`] is then below `23 e`, see [`AXES_ERROR`](super::tolerance::AXES_ERROR).
#[inline]
pub(crate) fn orthonormalised(m: &Mat3) -> Mat3 {
    orthonormalised_at((), m)
}

/// [`orthonormalised`] in each lane.
#[inline(always)]
pub(crate) fn orthonormalised_at<D: Doubles>(token: D::Token, m: &Mat3<D>) -> Mat3<D> {
    let one = D::splat(token, 1.0);
    let x = scale(m[0], one / length(m[0]));
    let y = sub(m[1], scale(x, dot(x, m[1])));
    let y = scale(y, one / length(y));
    [x, y, cross(x, y)]
}

/// The part of `v` orthogonal to the unit vector `x`. Subtracts the projection twice, so that the
/// rounding of a long `v` vanishes. Source: Parlett, The Symmetric Eigenvalue Problem (1980), 6.9.
#[inline(always)]
pub(crate) fn orthogonal_part<D: Lanes>(v: Vec3<D>, x: Vec3<D>) -> Vec3<D> {
    let once = sub(v, scale(x, dot(v, x)));
    sub(once, scale(x, dot(once, x)))
}

/// Skew of a matrix in each lane: the largest entry of `|m^T m - 1|`, zero for orthonormal columns;
/// infinite if an entry is not a number.
#[inline(always)]
pub(crate) fn skew_at<D: Doubles>(token: D::Token, m: &Mat3<D>) -> D {
    let (one, endless) = (D::splat(token, 1.0), D::splat(token, f64::INFINITY));
    let mut most = D::splat(token, 0.0);
    for i in 0..3 {
        for j in 0..=i {
            let product = dot(m[j], m[i]);
            let off = if i == j { product - one } else { product }.abs();
            most = most.greater(D::choose(off.at_most(endless), off, endless));
        }
    }
    most
}

/// [`skew_at`] of one matrix.
pub(crate) fn skew(m: &Mat3) -> f64 {
    skew_at((), m)
}

/// Copies a vector to all lanes.
#[inline(always)]
pub(crate) fn splat<D: Doubles>(token: D::Token, v: Vec3) -> Vec3<D> {
    [D::splat(token, v[0]), D::splat(token, v[1]), D::splat(token, v[2])]
}

/// Copies a matrix to all lanes.
#[inline(always)]
pub(crate) fn splat_matrix<D: Doubles>(token: D::Token, m: &Mat3) -> Mat3<D> {
    [splat(token, m[0]), splat(token, m[1]), splat(token, m[2])]
}

/// Packs one vector a lane: array of structures to structure of arrays.
#[inline(always)]
pub(crate) fn pack<D: Doubles>(token: D::Token, vectors: &[Vec3; MAX_DOUBLES]) -> Vec3<D> {
    let mut rows = [[0.0; MAX_DOUBLES]; 3];
    for (lane, vector) in vectors[..D::LEN].iter().enumerate() {
        for (row, &x) in rows.iter_mut().zip(vector) {
            row[lane] = x;
        }
    }
    [D::load(token, &rows[0]), D::load(token, &rows[1]), D::load(token, &rows[2])]
}

/// Unpacks the lanes to one vector each: structure of arrays to array of structures.
#[inline(always)]
pub(crate) fn unpack<D: Doubles>(vector: Vec3<D>) -> [Vec3; MAX_DOUBLES] {
    let mut rows = [[0.0; MAX_DOUBLES]; 3];
    for (row, x) in rows.iter_mut().zip(vector) {
        x.store(row);
    }
    let mut vectors = [[0.0; 3]; MAX_DOUBLES];
    for (lane, vector) in vectors[..D::LEN].iter_mut().enumerate() {
        *vector = [rows[0][lane], rows[1][lane], rows[2][lane]];
    }
    vectors
}

/// Selects a vector in each lane by the mask.
#[inline(always)]
pub(crate) fn choose<D: Doubles>(mask: D::Mask, yes: Vec3<D>, no: Vec3<D>) -> Vec3<D> {
    [D::choose(mask, yes[0], no[0]), D::choose(mask, yes[1], no[1]), D::choose(mask, yes[2], no[2])]
}

/// Selects a matrix in each lane by the mask.
#[inline(always)]
pub(crate) fn choose_matrix<D: Doubles>(mask: D::Mask, yes: &Mat3<D>, no: &Mat3<D>) -> Mat3<D> {
    [choose(mask, yes[0], no[0]), choose(mask, yes[1], no[1]), choose(mask, yes[2], no[2])]
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn rotation_agrees_with_nalgebra_for_any_length() {
        let q = nalgebra::Quaternion::new(0.3, -1.2, 0.7, 2.0);
        let expected = nalgebra::UnitQuaternion::from_quaternion(q).to_rotation_matrix();
        let found = rotation_of([q.i, q.j, q.k, q.w]);
        for (j, column) in found.iter().enumerate() {
            for (i, value) in column.iter().enumerate() {
                assert!((value - expected[(i, j)]).abs() < 1e-15);
            }
        }
    }

    pub fn products_agree_with_each_other() {
        let a = rotation_of([0.1, 0.2, 0.3, 0.4]);
        let b = rotation_of([-0.5, 0.2, 0.1, 0.4]);
        let back = relative_axes(&a, &matrix_product(&a, &b));
        for j in 0..3 {
            for i in 0..3 {
                assert!((back[j][i] - b[j][i]).abs() < 1e-15);
            }
        }
    }
}
