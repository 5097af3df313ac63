//! Signed distances of all near pairs of parts of a configuration, with their gradients.

use boxwood::f64::Push;
use boxwood::nalgebra::{Point3, Vector3};
use boxwood::{Error, PairQuery, PartId};
use pyo3::prelude::*;

use crate::arrays::{list, shaped};
use crate::body::indices;
use crate::own::{Question, RobotScratch, Thread};
use crate::places::Row;
use crate::results::named;

/// The distance of two parts, or of a part and one of the world.
#[derive(Debug, Clone)]
pub struct Distance {
    parts: [i64; 2],
    distance: f64,
    /// NaN where rounding leaves none.
    normal: Vector3<f64>,
    on_a: Point3<f64>,
    on_b: Point3<f64>,
    gradient: Vec<f64>,
}

/// Stands for a direction that does not exist.
const NONE: Vector3<f64> = Vector3::new(f64::NAN, f64::NAN, f64::NAN);

impl Question<'_> {
    /// Returns the pairs within `most`, the robot's own first, each ascending.
    pub fn distances(
        &self,
        thread: &mut Thread<'_>,
        row: Row<'_>,
        most: f64,
    ) -> Result<Vec<Distance>, Error> {
        self.pose(thread, row)?;
        let mechanism = &self.robot.mechanism;
        let RobotScratch { poses, own, .. } = &mut *thread.robot;
        let mut all = Vec::new();
        if self.own {
            let base = self.places.base(row.index);
            for found in self.robot.model.self_distances(poses, most, own)? {
                let mut gradient = Vec::new();
                found.gradient(mechanism, poses, &mut gradient)?;
                let normal = found.normal.map_or(NONE, |normal| normal.into_inner());
                let [on_a, on_b] =
                    [found.on_a, found.on_b].map(|point| base.map_or(point, |base| base * point));
                all.push(Distance {
                    parts: [found.a.part, found.b.part].map(|part| part.index() as i64),
                    distance: found.distance,
                    normal: base.map_or(normal, |base| base * normal),
                    on_a,
                    on_b,
                    gradient,
                });
            }
        }
        let Some((world, poses)) = thread.placed_in_world(&self.places, row.index)? else {
            return Ok(all);
        };
        let now = world.scene.snapshot(&mut world.buffers);
        now.pairs(&PairQuery::of(world.key).margin(most), &mut world.hits)?;
        let pairs = world.hits.pairs().to_vec();
        let mut found = Vec::with_capacity(pairs.len());
        for (a, b) in pairs {
            let query = PairQuery::between(world.key, b.character).max_distance(most);
            let query = query.parts(&[a.part], &[b.part]);
            let Some(near) = now.distance(&query, world.hits.scratch())? else { continue };
            let way = match near.distance > 0.0 {
                true => None,
                false => now.separation(&query, &Push::least(), world.hits.scratch())?,
            };
            let (distance, normal, on_a, on_b) = match way {
                Some(way) => (-way.depth, way.normal.into_inner(), way.on_a, way.on_b),
                None => {
                    let between = (near.on_b - near.on_a).try_normalize(0.0);
                    let normal = between.filter(|_| near.distance > 0.0).unwrap_or(NONE);
                    (near.distance, normal, near.on_a, near.on_b)
                }
            };
            let gradient = self.moved_alone(poses, a.part, (on_a, -normal))?;
            found.push((a, b, Distance { parts: [0; 2], distance, normal, on_a, on_b, gradient }));
        }
        let first = all.len();
        for (a, b, distance) in found {
            let parts = [world.part_index(a)?, world.part_index(b)?];
            all.push(Distance { parts, ..distance });
        }
        all[first..].sort_unstable_by_key(|found| found.parts);
        Ok(all)
    }

    /// Returns the derivatives of a point of a part along a direction, by each joint value; zeros
    /// without a direction.
    fn moved_alone(
        &self,
        poses: &[boxwood::f64::Pose],
        part: PartId,
        (point, direction): (Point3<f64>, Vector3<f64>),
    ) -> Result<Vec<f64>, Error> {
        let mut jacobian = Vec::new();
        self.robot.mechanism.point_jacobian(poses, part.index(), point, &mut jacobian)?;
        let is_known = direction.x.is_finite();
        Ok(jacobian.iter().map(|by| if is_known { by.dot(&direction) } else { 0.0 }).collect())
    }
}

/// Converts distances to a table of arrays.
pub fn distances<'py>(
    py: Python<'py>,
    rows: &[Vec<Distance>],
    dof: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let all = || rows.iter().flatten();
    let count = all().count();
    let row = rows.iter().enumerate().flat_map(|(row, found)| vec![row as i64; found.len()]);
    let vectors = |of: fn(&Distance) -> Vector3<f64>| -> PyResult<Py<PyAny>> {
        shaped(py, all().flat_map(|found| of(found).data.0[0]).collect(), [count, 3])
    };
    let arrays = vec![
        indices(py, row),
        indices(py, all().map(|found| found.parts[0])),
        indices(py, all().map(|found| found.parts[1])),
        list(py, all().map(|found| found.distance).collect()),
        vectors(|found| found.normal)?,
        vectors(|found| found.on_a.coords)?,
        vectors(|found| found.on_b.coords)?,
        shaped(py, all().flat_map(|found| found.gradient.iter().copied()).collect(), [count, dof])?,
    ];
    named(py, "Distances", arrays)
}
