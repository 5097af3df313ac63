//! MuJoCo's own binary mesh format, MSH.
//!
//! Source: the MuJoCo documentation, XML reference, element `mesh`: four counts of 32 bits
//! (positions, normals, texture coordinates, faces), then three, three, two numbers of 32 bits
//! each, then three indices a face.

use nalgebra::Point3;

use crate::load::meshes::Soup;

/// The vertices and the triangles of a mesh; the hull of the vertices if there are no triangles.
pub(super) struct MshMesh {
    pub vertices: Vec<Point3<f64>>,
    pub soup: Soup,
}

impl MshMesh {
    /// Creates a mesh from faces, three indices of vertices each.
    pub fn new(vertices: Vec<Point3<f64>>, faces: &[[u32; 3]]) -> Result<Self, String> {
        let past = |index: &u32| *index as usize >= vertices.len();
        if let Some(face) = faces.iter().position(|face| face.iter().any(past)) {
            let count = vertices.len();
            return Err(format!(
                "face {face} (from 0) refers to a vertex past the last of {count}"
            ));
        }
        let corner = |index: u32| vertices[index as usize];
        let soup = Soup(faces.iter().map(|face| face.map(corner)).collect());
        Ok(MshMesh { vertices, soup })
    }
}

/// Parses the vertices and the faces.
pub(super) fn mesh(bytes: &[u8]) -> Result<MshMesh, String> {
    let (words, rest) = bytes.as_chunks::<4>();
    let Some((header, words)) = words.split_at_checked(4) else {
        return Err("the file is too short for an MSH header".to_owned());
    };
    let [vertices, normals, texels, faces] =
        [0, 1, 2, 3].map(|index| u64::from(u32::from_le_bytes(header[index])));
    let expected = 3 * vertices + 3 * normals + 2 * texels + 3 * faces;
    if expected != words.len() as u64 || !rest.is_empty() {
        let found = bytes.len();
        return Err(format!(
            "the MSH header declares {} bytes, the file has {found}",
            16 + 4 * expected
        ));
    }
    let (positions, others) = words.split_at(3 * vertices as usize);
    let faces = &others[others.len() - 3 * faces as usize..];
    let number = |word: &[u8; 4]| f64::from(f32::from_le_bytes(*word));
    let vertices: Vec<Point3<f64>> = positions
        .chunks_exact(3)
        .map(|three| Point3::new(number(&three[0]), number(&three[1]), number(&three[2])))
        .collect();
    if let Some(index) = vertices.iter().position(|p| p.iter().any(|x| !x.is_finite())) {
        return Err(format!("vertex {index} (from 0) is not finite"));
    }
    let index = |word: &[u8; 4]| u32::from_le_bytes(*word);
    let faces: Vec<[u32; 3]> = faces
        .chunks_exact(3)
        .map(|three| [index(&three[0]), index(&three[1]), index(&three[2])])
        .collect();
    MshMesh::new(vertices, &faces)
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    fn file(counts: [u32; 4], numbers: &[f32], indices: &[u32]) -> Vec<u8> {
        let counts = counts.iter().flat_map(|count| count.to_le_bytes());
        let numbers = numbers.iter().flat_map(|number| number.to_le_bytes());
        let indices = indices.iter().flat_map(|index| index.to_le_bytes());
        counts.chain(numbers).chain(indices).collect()
    }

    pub fn vertices_and_faces_are_read_and_normals_skipped() {
        let numbers: Vec<f32> = (0..9).map(|x| x as f32).chain([9.0; 9]).chain([7.0; 6]).collect();
        let found = mesh(&file([3, 3, 3, 1], &numbers, &[2, 1, 0])).expect("a mesh");
        assert_eq!(found.vertices[1], Point3::new(3.0, 4.0, 5.0));
        assert_eq!(found.soup.0, [[found.vertices[2], found.vertices[1], found.vertices[0]]]);
    }

    pub fn damage_is_refused() {
        let bytes = file([3, 0, 0, 1], &[0.0; 9], &[0, 1, 2]);
        assert!(mesh(&bytes).is_ok());
        for length in 0..bytes.len() {
            assert!(mesh(&bytes[..length]).is_err(), "{length}");
        }
        assert!(mesh(&file([3, 0, 0, 1], &[0.0; 9], &[0, 1, 3])).is_err());
        assert!(mesh(&file([3, 0, 0, 1], &[f32::NAN; 9], &[0, 1, 2])).is_err());
        assert!(mesh(&file([u32::MAX; 4], &[0.0; 9], &[0, 1, 2])).is_err());
    }
}
