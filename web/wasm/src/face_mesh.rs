//! Faces and edges of brushes for the page: triangles with flat normals, and lines.

use boxwood::brush::Brush;
use boxwood::nalgebra::Point3;

/// Triangles of faces, and edges.
#[derive(Debug, Default)]
pub(crate) struct FaceMesh {
    /// Vertices, nine numbers a triangle.
    pub positions: Vec<f32>,
    /// Normals, one for each vertex.
    pub normals: Vec<f32>,
    /// Edges, six numbers each.
    pub edges: Vec<f32>,
}

impl FaceMesh {
    pub fn add(&mut self, brush: &Brush) {
        for face in brush.faces() {
            let normal = face.normal().map(|x| x as f32);
            let corners: Vec<[f32; 3]> = face.corners().map(single).collect();
            for pair in corners.windows(2).skip(1) {
                for corner in [corners[0], pair[0], pair[1]] {
                    self.positions.extend(corner);
                    self.normals.extend(normal.iter());
                }
            }
        }
        edges(brush, &mut self.edges);
    }
}

/// Adds the edges of a brush to a list.
pub(crate) fn edges(brush: &Brush, lines: &mut Vec<f32>) {
    for edge in brush.edges() {
        edge.ends.map(single).iter().for_each(|end| lines.extend(end));
    }
}

fn single(point: Point3<f64>) -> [f32; 3] {
    [point.x as f32, point.y as f32, point.z as f32]
}
