//! Properties of every brush, and the distance of its corners from the exact ones.

use boxwood::brush::Brush;
use nalgebra::{Point3, Vector3};

use crate::brushes::half_spaces;
use crate::cylinder_distance::HalfSpace;
use crate::exact_cylinder::ExactBrush;
use crate::plain_box::{V, inner, minus, norm, outer};

/// Returns the numbers of corners, edges and faces.
pub fn counts(solid: &Brush) -> (usize, usize, usize) {
    (solid.corners().len(), solid.edges().count(), solid.faces().count())
}

/// Asserts the properties of every brush: Euler's formula, faces and edges that fit, the volume by
/// faces.
pub fn check(solid: &Brush) {
    check_within(solid, 1e-11);
}

/// Like [`check`], with corners off their planes by at most a fraction of the size: nearly parallel
/// planes intersect less exactly.
pub fn check_within(solid: &Brush, share: f64) {
    let (corners, edges, faces) = counts(solid);
    assert_eq!(corners + faces, edges + 2, "{solid:?}");
    let planes = half_spaces(solid);
    let size = solid.corners().iter().fold(0.0, |m: f64, p| m.max(p.coords.amax()));
    let on = |p: Point3<f64>, face: usize| {
        (inner(planes[face].0, p.coords.into()) - planes[face].1).abs() <= share * size
    };
    let (mut sides, mut volume) = (0, 0.0);
    for face in solid.faces() {
        let outline: Vec<V> = face.corners().map(|p| p.coords.into()).collect();
        sides += outline.len();
        assert!(face.corners().all(|p| on(p, face.index())));
        assert_eq!(face.normal(), Vector3::from(planes[face.index()].0));
        let area = (1..outline.len() - 1).map(|i| {
            let (a, b) = (minus(outline[i], outline[0]), minus(outline[i + 1], outline[0]));
            0.5 * inner(outer(a, b), planes[face.index()].0)
        });
        let area: f64 = area.sum();
        assert!(area > 0.0 && (area - face.area()).abs() < 1e-9 * size * size);
        volume += area * planes[face.index()].1 / 3.0;
    }
    assert_eq!(sides, 2 * edges);
    assert!((volume - solid.volume()).abs() < 1e-9 * size * size * size);
    for edge in solid.edges() {
        assert!(edge.ends.iter().all(|&end| edge.faces.iter().all(|&face| on(end, face))));
        assert!(edge.ends[0] != edge.ends[1] && edge.faces[0] != edge.faces[1]);
        assert!(edge.ends.iter().all(|end| solid.corners().contains(end)));
    }
    let bounds = solid.aabb();
    assert!(solid.corners().iter().all(|&corner| bounds.contains(corner)));
}

/// Computes the largest distance of a corner from the nearest exact one of the same planes, and the
/// reverse.
pub fn corner_error(given: &[HalfSpace], solid: &Brush) -> f64 {
    let exact = ExactBrush::new(given).expect("a brush");
    let found: Vec<V> = solid.corners().iter().map(|p| p.coords.into()).collect();
    let farthest = |from: &[V], to: &[V]| {
        let nearest = |p: &V| to.iter().map(|&q| norm(minus(*p, q))).fold(f64::INFINITY, f64::min);
        from.iter().map(nearest).fold(0.0, f64::max)
    };
    farthest(&found, exact.corners()).max(farthest(exact.corners(), &found))
}
