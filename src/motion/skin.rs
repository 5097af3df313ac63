//! Skins: vertices weighted to joints (linear blend skinning).

use nalgebra::{Point3, Vector3};

use super::Joints;
use crate::error::Error;
use crate::num::{Scalar, check_coordinates};

/// The weight of one joint on a vertex of a skin.
///
/// ```
/// use boxwood::motion::SkinWeight;
/// use boxwood::nalgebra::Point3;
///
/// let thigh = SkinWeight { joint: 4, share: 0.75_f32, at: Point3::new(0.0, -0.4, 0.0) };
/// let shin = SkinWeight { joint: 5, share: 0.25, at: Point3::new(0.0, 0.05, 0.0) };
/// assert_eq!(thigh.share + shin.share, 1.0); // one corner at the knee
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkinWeight<T: Scalar> {
    /// The index of the joint.
    pub joint: usize,
    /// The weight; the weights of one vertex sum to 1.
    pub share: T,
    /// The position of the vertex in the joint's own frame, before any scale.
    pub at: Point3<T>,
}

/// Vertices weighted to one joint or more, for linear blend skinning, and the triangles between
/// them. Source: glTF 2.0 specification, section 3.7.3.
///
/// ```
/// use boxwood::motion::{Skin, SkinWeight};
/// use boxwood::nalgebra::Point3;
///
/// let rigid = SkinWeight { joint: 0, share: 1.0_f32, at: Point3::origin() };
/// let skin = Skin::new([vec![rigid], vec![rigid]])?;
/// assert_eq!(skin.len(), 2);
/// assert!(Skin::<f32>::new([vec![]]).is_err()); // a corner that follows nothing
/// assert!(skin.with_triangles(vec![[0, 1, 2]]).is_err()); // there is no third vertex
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Skin<T: Scalar> {
    weights: Vec<SkinWeight<T>>,
    /// Index after the last weight of each vertex.
    ends: Vec<usize>,
    triangles: Vec<[u32; 3]>,
}

impl<T: Scalar> Skin<T> {
    /// Creates a skin of one list of weights per vertex, without triangles; it may have no
    /// vertices.
    ///
    /// # Errors
    /// [`Error::Empty`] for a vertex without weights; [`Error::NotFinite`] and
    /// [`Error::OutOfRange`] naming the vertex.
    pub fn new(corners: impl IntoIterator<Item = Vec<SkinWeight<T>>>) -> Result<Self, Error> {
        let mut skin = Skin { weights: Vec::new(), ends: Vec::new(), triangles: Vec::new() };
        for (index, corner) in corners.into_iter().enumerate() {
            if corner.is_empty() {
                return Err(Error::Empty { field: "skin corner" });
            }
            for weight in &corner {
                check_coordinates(weight.at.coords.as_slice(), "skin corner", index)?;
                check_coordinates(&[weight.share], "skin corner", index)?;
            }
            skin.weights.extend(corner);
            skin.ends.push(skin.weights.len());
        }
        Ok(skin)
    }

    /// Replaces the triangles, given as indices of vertices, counter-clockwise seen from outside.
    ///
    /// # Errors
    /// [`Error::IndexOutOfRange`] naming the triangle.
    pub fn with_triangles(self, triangles: Vec<[u32; 3]>) -> Result<Self, Error> {
        let len = self.len();
        for (index, triangle) in triangles.iter().enumerate() {
            if let Some(&far) = triangle.iter().find(|&&v| v as usize >= len) {
                let (field, target) = ("skin triangle", far as usize);
                return Err(Error::IndexOutOfRange { field, index, target, len });
            }
        }
        Ok(Skin { triangles, ..self })
    }

    /// The triangles, as indices of vertices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The weights of each vertex.
    pub fn corners(&self) -> impl Iterator<Item = &[SkinWeight<T>]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.weights[start..end])
    }

    /// The greatest joint index that has a weight.
    pub(crate) fn last_joint(&self) -> Option<usize> {
        self.weights.iter().map(|weight| weight.joint).max()
    }
}

impl<T: Scalar> Joints<T> {
    /// Position of a skinned vertex in the model, for the poses written last, in double precision.
    pub(crate) fn skinned(&self, corner: &[SkinWeight<T>]) -> Vector3<f64> {
        let moved = |weight: &SkinWeight<T>| {
            let linear = self.linear[weight.joint].map(T::wide);
            let origin = self.poses[weight.joint].translation.vector.map(T::wide);
            (linear * weight.at.coords.map(T::wide) + origin) * weight.share.wide()
        };
        corner.iter().map(moved).sum()
    }
}
