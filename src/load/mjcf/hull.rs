//! Corners of the convex hull of many points.
//!
//! [`ConvexHull`] takes the square of the number of corners, and a bounded number of points. Meshes
//! have many more vertices than corners: the hull of few vertices grows by the farthest point
//! beyond each of its faces, and points inside are dropped for good. Source: the outside sets of
//! quickhull, Barber, Dobkin, Huhdanpaa (1996); [`ConvexHull`] decides sides exactly.

use nalgebra::{Point3, Vector3};

use crate::shape::ConvexHull;

/// Largest component of the directions of the first corners, which are all vectors of integers from
/// -2 to 2.
const MAX_DIRECTION_COMPONENT: i32 = 2;

/// Returns the points that are corners of the convex hull of all, in their order.
pub(super) fn hull_corners(points: &[Point3<f64>]) -> Result<Vec<Point3<f64>>, String> {
    let mut chosen = extreme_indices(points);
    let mut waiting: Vec<usize> = (0..points.len()).collect();
    loop {
        chosen.sort_unstable();
        chosen.dedup();
        if chosen.len() > ConvexHull::<f64>::MAX_POINTS {
            return Err(too_many_corners());
        }
        let kept: Vec<Point3<f64>> = chosen.iter().map(|&index| points[index]).collect();
        let hull = ConvexHull::without_table(&kept).map_err(|error| error.to_string())?;
        if hull.triangles().is_empty() {
            match farthest_off_plane(points, &kept) {
                Some(index) => chosen.push(index),
                None => return flat_corners(points),
            }
            continue;
        }
        let planes = hull.face_planes();
        waiting.retain(|&index| !planes.contains(points[index]));
        if waiting.is_empty() {
            return Ok(hull.corners().to_vec());
        }
        chosen.extend(farthest_beyond_faces(points, &waiting, &hull));
    }
}

fn too_many_corners() -> String {
    let most = ConvexHull::<f64>::MAX_POINTS;
    format!(
        "its convex hull has more than {most} corners; Loader::convex_meshes(false) takes the \
         triangles as they are"
    )
}

/// The farthest point along each of the first directions.
fn extreme_indices(points: &[Point3<f64>]) -> Vec<usize> {
    let range = || -MAX_DIRECTION_COMPONENT..=MAX_DIRECTION_COMPONENT;
    let all = range().flat_map(|x| range().flat_map(move |y| range().map(move |z| [x, y, z])));
    let mut chosen = Vec::new();
    for direction in all.map(|way| Vector3::from(way.map(f64::from))) {
        let mut most = (f64::NEG_INFINITY, 0);
        for (index, point) in points.iter().enumerate() {
            let along = direction.dot(&point.coords);
            if along > most.0 {
                most = (along, index);
            }
        }
        chosen.push(most.1);
    }
    chosen
}

/// Returns the farthest point beyond each face of a hull; each point belongs to the face that it is
/// farthest beyond.
fn farthest_beyond_faces(
    points: &[Point3<f64>],
    beyond: &[usize],
    hull: &ConvexHull<f64>,
) -> Vec<usize> {
    let corner = |index: u32| hull.corners()[index as usize];
    let planes = hull.triangles().iter().map(|&[a, b, c]| {
        let normal = (corner(b) - corner(a)).cross(&(corner(c) - corner(a)));
        let normal = normal.try_normalize(0.0).unwrap_or_default();
        (normal, normal.dot(&corner(a).coords))
    });
    let planes: Vec<(Vector3<f64>, f64)> = planes.collect();
    let mut most = vec![(f64::NEG_INFINITY, None); planes.len()];
    for &index in beyond {
        let height = |plane: &(Vector3<f64>, f64)| plane.0.dot(&points[index].coords) - plane.1;
        let mut best = (f64::NEG_INFINITY, 0);
        for (face, plane) in planes.iter().enumerate() {
            let height = height(plane);
            if height > best.0 {
                best = (height, face);
            }
        }
        if best.0 > most[best.1].0 {
            most[best.1] = (best.0, Some(index));
        }
    }
    most.into_iter().filter_map(|(_, index)| index).collect()
}

/// Returns the point farthest from the plane of points that enclose no volume, if one is off the
/// plane and not among them.
fn farthest_off_plane(points: &[Point3<f64>], kept: &[Point3<f64>]) -> Option<usize> {
    let origin = kept[0];
    let from = |p: &Point3<f64>| p - origin;
    let longest = |vectors: &mut dyn Iterator<Item = Vector3<f64>>| {
        vectors.fold(Vector3::zeros(), |most: Vector3<f64>, v| {
            if v.norm_squared() > most.norm_squared() { v } else { most }
        })
    };
    let along = longest(&mut kept.iter().map(from));
    let normal = longest(&mut kept.iter().map(|p| along.cross(&from(p))));
    let mut most = (0.0, None);
    for (index, point) in points.iter().enumerate() {
        let height = normal.dot(&from(point)).abs();
        if height > most.0 {
            most = (height, Some(index));
        }
    }
    most.1.filter(|&index| !kept.contains(&points[index]))
}

/// The corners of points in one plane.
fn flat_corners(points: &[Point3<f64>]) -> Result<Vec<Point3<f64>>, String> {
    let mut once: Vec<Point3<f64>> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for point in points {
        if known.insert([0, 1, 2].map(|axis| (point[axis] + 0.0).to_bits())) {
            once.push(*point);
        }
    }
    if once.len() > ConvexHull::<f64>::MAX_POINTS {
        return Err("the mesh is flat and has too many vertices".to_owned());
    }
    let hull = ConvexHull::new(&once).map_err(|error| error.to_string())?;
    Ok(hull.corners().to_vec())
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    /// A fixed sequence of numbers from 0 to 1: the fractional parts of multiples.
    fn spread(index: usize, factor: f64) -> f64 {
        (index as f64 * factor).fract()
    }

    pub fn corners_are_those_of_the_hull_of_all_points() {
        // Points in a ball, some on its surface, and a cube with points on its faces and edges.
        let ball = |index: usize| {
            let [x, y, z] = [0.618_034, 0.754_877_67, 0.569_840_3].map(|f| spread(index, f) - 0.5);
            let v = Vector3::new(x, y, z);
            Point3::from(if index.is_multiple_of(3) { v.normalize() } else { v })
        };
        let ball: Vec<_> = (1..600).map(ball).collect();
        let range = || (0..8).map(|step| f64::from(step) / 7.0);
        let grid = range().flat_map(|x| range().flat_map(move |y| range().map(move |z| [x, y, z])));
        for points in [ball, grid.map(Point3::from).collect()] {
            let expected = ConvexHull::new(&points).expect("a hull");
            let found = ConvexHull::new(&hull_corners(&points).expect("corners")).expect("a hull");
            assert!((found.volume() - expected.volume()).abs() < 1e-12 * expected.volume());
            assert!(points.iter().all(|&point| found.contains(point)));
            // Stored planes decide equally, also for points on faces and beyond them.
            let planes = found.face_planes();
            for (point, factor) in
                points.iter().flat_map(|p| [0.5, 1.0, 1.0 + 1e-15, 2.0].map(|f| (p, f)))
            {
                let point = point * factor;
                assert_eq!(planes.contains(point), found.contains(point), "{point}");
            }
            let all: Vec<_> = found.corners().to_vec();
            assert!(all.iter().all(|corner| expected.corners().contains(corner)));
        }
    }

    pub fn more_points_than_a_hull_takes_are_reduced() {
        let inside = |index: usize| {
            Point3::from([0.618_034, 0.754_877_67, 0.569_840_3].map(|f| spread(index, f)))
        };
        let mut points: Vec<_> = (1..20_000).map(inside).collect();
        let cube = [0, 1, 2, 3, 4, 5, 6, 7].map(|bits| {
            Point3::from([0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { 1.5 } else { -0.5 }))
        });
        points.extend(cube);
        assert_eq!(hull_corners(&points).expect("corners"), cube);
    }

    pub fn thin_and_flat_points_keep_every_corner() {
        let square: Vec<Point3<f64>> = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]]
            .map(|[x, y]| Point3::new(x, y, 0.25 * x + 0.125 * y))
            .to_vec();
        assert_eq!(
            ConvexHull::new(&hull_corners(&square).expect("flat")).expect("one").volume(),
            0.0
        );
        let mut thin = square.clone();
        thin.push(Point3::new(0.25, 0.25, 0.093_75 + 1e-9));
        let found = hull_corners(&thin).expect("thin");
        assert!(thin[..4].iter().chain([&thin[5]]).all(|corner| found.contains(corner)));
        assert_eq!(hull_corners(&[square[0]; 3]).expect("one place"), [square[0]]);
    }
}
