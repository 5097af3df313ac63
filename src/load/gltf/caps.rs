//! Caps over the holes that cuts between joints leave in the parts of a skin.
//!
//! A cap is raised over its rim into the part on the other side of the joint. Parts then overlap
//! inside the skin, and where a joint opens, the rest of the overlap fills the gap. The raised band
//! is in no triangle of the skin, so areas are those of the file.

use super::geometry::JointMesh;
use crate::error::Error;
use crate::model::skin_surface::SkinSurface;
use crate::motion::{Joints, Skeleton, Skin};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, cross, length, scale, sub};
use crate::shape::{Mesh, Placement, Pose};

/// Heights of a cap, as shares of the mean distance of the rim from its centre. The first one that
/// is inside the skin at rest is used, or else the one least outside.
///
/// Lower caps leave voids where three parts meet, and leave the skin of bent hips and knees outside
/// the parts; higher ones leave the skin in clips: `docs/coverage.md` has the figures.
const CAP_HEIGHTS: [f64; 5] = [0.85, 0.6, 0.4, 0.2, 0.0];

/// Distance up to which a point of a cap counts as inside the skin, as a share of the size.
const INSIDE_ERROR: f64 = 1e-3;

/// Largest number of triangles of a cap whose centroids are tested.
const MAX_SAMPLES: usize = 8;

/// A skin at rest.
pub(super) struct RestSkin<T: Scalar> {
    pub surface: SkinSurface,
    pub joints: Joints<T>,
    /// Sign of the direction out of a part through its holes: -1 if the triangles face inward.
    outward: f64,
}

impl<T: Scalar> RestSkin<T> {
    pub fn new(skin: &Skin<T>, skeleton: &Skeleton<T>) -> Result<Self, Error> {
        let rest: Vec<_> = skeleton.joints().iter().map(|joint| joint.rest).collect();
        let mut joints = Joints::new();
        skeleton.poses(&rest, &mut joints)?;
        let surface = SkinSurface::new(skin, &joints);
        let outward = if surface.is_inside_out() { -1.0 } else { 1.0 };
        Ok(RestSkin { surface, joints, outward })
    }

    /// Returns the mesh of a part with caps, and by how much caps over cuts are outside the skin.
    /// Caps over rims with most vertices on a cut are raised. The pose is that of the part at rest.
    pub fn capped(&self, part: &JointMesh<T>, pose: &Pose<T>) -> (Mesh<T>, f64) {
        let JointMesh { mesh, on_cut } = part;
        let placement = Placement::new(pose);
        let wide = |&vertex: &u32| -> Vec3 { mesh.vertices()[vertex as usize].map(T::wide).into() };
        let mut farthest = 0.0_f64;
        let capped = mesh.capped_around(|rim, center| {
            let cut = rim.iter().filter(|&&vertex| on_cut[vertex as usize]).count();
            if cut == 0 {
                return center;
            }
            let heights = if 2 * cut > rim.len() { &CAP_HEIGHTS[..] } else { &[0.0] };
            let rim: Vec<Vec3> = rim.iter().map(wide).collect();
            let axis = scale(outward_axis(&rim, center), self.outward);
            let mut best = (f64::INFINITY, center);
            for height in heights {
                let apex = add(center, scale(axis, *height));
                let outside = self.farthest_outside(&rim, apex, &placement);
                if outside < best.0 {
                    best = (outside, apex);
                }
                if outside == 0.0 {
                    break;
                }
            }
            farthest = farthest.max(best.0);
            best.1
        });
        (capped, farthest)
    }

    /// Largest distance of a fan from the skin: of its apex and of some centroids.
    fn farthest_outside(&self, rim: &[Vec3], apex: Vec3, placement: &Placement) -> f64 {
        let near = INSIDE_ERROR * self.surface.size();
        let next = rim.iter().cycle().skip(1);
        let centroids = rim.iter().zip(next).map(|(&a, &b)| scale(add(add(a, b), apex), 1.0 / 3.0));
        let points =
            std::iter::once(apex).chain(centroids.step_by(rim.len().div_ceil(MAX_SAMPLES)));
        points
            .map(|point| self.surface.distance_outside_inner_first(placement.point(point), near))
            .fold(0.0, f64::max)
    }
}

/// Returns the direction out of the part through a hole, as long as the mean distance of the rim
/// from the centre; zero if the rim encloses no area.
fn outward_axis(rim: &[Vec3], center: Vec3) -> Vec3 {
    let from = |corner: &Vec3| sub(*corner, center);
    let next = rim.iter().cycle().skip(1);
    // A cap is wound against the open edges of its rim.
    let normal = rim.iter().zip(next).map(|(a, b)| cross(from(b), from(a))).fold([0.0; 3], add);
    let radius = rim.iter().map(|corner| length(from(corner))).sum::<f64>() / rim.len() as f64;
    let area = length(normal);
    if area > 0.0 { scale(normal, radius / area) } else { [0.0; 3] }
}
