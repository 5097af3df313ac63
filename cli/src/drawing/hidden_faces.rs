//! Order of faces in which nearer ones hide farther ones, also where they pass through each other:
//! the order of a BSP tree (Fuchs, Kedem, Naylor 1980) of which no node is kept.

use boxwood::nalgebra::{Point3, Vector3};

/// Number of faces that are tried as the next plane.
const CANDIDATES: usize = 8;

/// Distance up to which a corner counts as in a plane, as a share of the size of the scene: above
/// the rounding of corners and normals in single precision.
const FLAT: f64 = 1e-5;

/// A convex face.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// Corners in order around the face.
    pub corners: Vec<Corner>,
    /// Outward normal, of length one.
    pub normal: Vector3<f64>,
    /// Number of the caller.
    pub label: usize,
}

/// A corner of a face, and the side from it to the next corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    pub at: Point3<f64>,
    /// `true` if the side is one of the face; `false` where a plane has cut it.
    pub is_edge: bool,
}

/// The side of a plane on which a face lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
    Within,
    Across,
}

/// A plane, as a point and a normal of length one.
#[derive(Debug, Clone, Copy)]
struct CutPlane {
    at: Point3<f64>,
    normal: Vector3<f64>,
    /// Distance up to which a corner counts as in the plane.
    thickness: f64,
}

/// Step of the work: faces that are to be sorted, or that are drawn next.
enum Step {
    Sort(Vec<Face>),
    Draw(Vec<Face>),
}

/// Sorts faces that look towards a far eye, the farthest first, and cuts those that pass through
/// others.
pub fn sorted(faces: Vec<Face>) -> Vec<Face> {
    let thickness = FLAT * size(&faces);
    let mut sorted = Vec::with_capacity(faces.len());
    let mut steps = vec![Step::Sort(faces)];
    while let Some(step) = steps.pop() {
        let faces = match step {
            Step::Draw(faces) => {
                sorted.extend(faces);
                continue;
            }
            Step::Sort(faces) => faces,
        };
        let Some((chosen, plane)) = best_plane(&faces, thickness) else { continue };
        let [mut before, mut behind, mut within] = [const { Vec::new() }; 3];
        for (index, face) in faces.into_iter().enumerate() {
            match plane.side(&face) {
                // Whatever rounding says: the lists must become shorter.
                _ if index == chosen => within.push(face),
                Side::Before => before.push(face),
                Side::Behind => behind.push(face),
                Side::Within => within.push(face),
                Side::Across => {
                    let [near, far] = plane.split(&face);
                    before.push(near);
                    behind.push(far);
                }
            }
        }
        // The eye is before the plane of every face. The last step is carried out first.
        steps.extend([Step::Sort(before), Step::Draw(within), Step::Sort(behind)]);
    }
    sorted
}

/// Returns the extent of the scene.
fn size(faces: &[Face]) -> f64 {
    let mut ends = [Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY)];
    for corner in faces.iter().flat_map(|face| &face.corners) {
        ends = [ends[0].inf(&corner.at.coords), ends[1].sup(&corner.at.coords)];
    }
    if faces.is_empty() { 0.0 } else { (ends[1] - ends[0]).norm() }
}

/// Returns a face whose plane cuts few others and has as many before as behind, and the plane;
/// `None` without faces.
fn best_plane(faces: &[Face], thickness: f64) -> Option<(usize, CutPlane)> {
    let planes = (0..CANDIDATES.min(faces.len())).map(|candidate| {
        let chosen = candidate * faces.len() / CANDIDATES.min(faces.len());
        let face = &faces[chosen];
        (chosen, CutPlane { at: face.corners[0].at, normal: face.normal, thickness })
    });
    let cost = |(_, plane): &(usize, CutPlane)| {
        let [mut before, mut behind, mut cut] = [0_usize; 3];
        for face in faces {
            match plane.side(face) {
                Side::Before => before += 1,
                Side::Behind => behind += 1,
                Side::Across => cut += 1,
                Side::Within => {}
            }
        }
        8 * cut + before.abs_diff(behind)
    };
    planes.min_by_key(cost)
}

impl CutPlane {
    /// Returns the distance of a corner before the plane, 0 within its thickness.
    fn distance(&self, corner: &Corner) -> f64 {
        let distance = (corner.at - self.at).dot(&self.normal);
        if distance.abs() <= self.thickness { 0.0 } else { distance }
    }

    fn side(&self, face: &Face) -> Side {
        let (mut before, mut behind) = (false, false);
        for corner in &face.corners {
            let distance = self.distance(corner);
            before |= distance > 0.0;
            behind |= distance < 0.0;
        }
        match (before, behind) {
            (true, true) => Side::Across,
            (true, false) => Side::Before,
            (false, true) => Side::Behind,
            (false, false) => Side::Within,
        }
    }

    /// Cuts a face into the pieces before and behind the plane.
    fn split(&self, face: &Face) -> [Face; 2] {
        let mut pieces = [const { Vec::new() }; 2];
        let count = face.corners.len();
        for (index, corner) in face.corners.iter().enumerate() {
            let next = &face.corners[(index + 1) % count];
            // Distances into each of the two pieces.
            let ends = [corner, next].map(|corner| self.distance(corner));
            for (piece, sign) in pieces.iter_mut().zip([1.0, -1.0]) {
                let [here, there] = ends.map(|distance| sign * distance);
                if here >= 0.0 {
                    // A side that leaves the piece at once is the cut.
                    let is_edge = corner.is_edge && (here > 0.0 || there >= 0.0);
                    piece.push(Corner { is_edge, ..*corner });
                }
                if here * there < 0.0 {
                    let at = corner.at + (next.at - corner.at) * (here / (here - there));
                    piece.push(Corner { at, is_edge: corner.is_edge && there > 0.0 });
                }
            }
        }
        pieces.map(|corners| Face { corners, ..*face })
    }
}
