//! Places of the base of a robot and of the items of its world in each row of a batch.

use std::sync::Arc;

use boxwood::f64::Pose;
use boxwood::shape::pose::from_parts;
use pyo3::prelude::*;

use crate::arrays::Numbers;
use crate::poses::POSE;
use crate::raise::refused;
use crate::world::World;

/// A row of a batch: its number and its joint values.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub index: usize,
    pub values: &'a [f64],
}

/// Places of each row: one for all rows, or one for each.
#[derive(Debug, Default)]
pub struct Places {
    /// Poses of the base; none if it is in the frame of the world.
    bases: Vec<Pose>,
    /// Poses of all items; none if they are where the world has them.
    items: Vec<Arc<Vec<Pose>>>,
}

impl Places {
    /// Parses `base`, [rows, 7] or [7], and `world_poses`, [rows, items, 7] or [items, 7].
    pub fn parsed(
        base: Option<&Bound<'_, PyAny>>,
        world_poses: Option<&Bound<'_, PyAny>>,
        world: Option<&World>,
    ) -> PyResult<Self> {
        let bases = match base {
            Some(base) => poses(base, "base", None)?,
            None => Vec::new(),
        };
        let items = match (world_poses, world) {
            (None, _) => Vec::new(),
            (Some(_), None) => return Err(refused("world_poses: there is no world")),
            (Some(all), Some(world)) => {
                let count = world.item_count();
                let all = poses(all, "world_poses", Some(count))?;
                all.chunks(count.max(1)).map(|row| Arc::new(row.to_vec())).collect()
            }
        };
        Ok(Places { bases, items })
    }

    /// Returns the number of rows of a batch of `rows` configurations, of which one is used for all.
    pub fn row_count(&self, rows: usize) -> PyResult<usize> {
        let mut count = rows;
        for (len, name) in [(self.bases.len(), "base"), (self.items.len(), "world_poses")] {
            match (len, count) {
                (0 | 1, _) => {}
                (_, 1) => count = len,
                _ if len == count => {}
                _ => return Err(refused(format!("{name}: {len} rows, {count} or 1 expected"))),
            }
        }
        Ok(count)
    }

    /// Returns `true` if the items are where the world has them.
    pub fn have_still_items(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the poses of the base in some rows: none, one for all, or one for each.
    pub fn bases(&self, first: usize, rows: usize) -> &[Pose] {
        if self.bases.len() > 1 { &self.bases[first..first + rows] } else { &self.bases }
    }

    /// Returns the pose of the base if it is that of all rows.
    pub fn only_base(&self) -> Option<&Pose> {
        match &self.bases[..] {
            [one] => Some(one),
            _ => None,
        }
    }

    /// Returns the pose of the base in a row.
    pub fn base(&self, row: usize) -> Option<&Pose> {
        of_row(&self.bases, row)
    }

    /// Returns the poses of the items in a row.
    pub fn items(&self, row: usize) -> Option<&Arc<Vec<Pose>>> {
        of_row(&self.items, row)
    }
}

fn of_row<T>(all: &[T], row: usize) -> Option<&T> {
    if all.len() == 1 { all.first() } else { all.get(row) }
}

/// Parses one pose, 7 numbers.
pub fn one_pose(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Pose> {
    match poses(value, name, None)?[..] {
        [pose] => Ok(pose),
        ref several => Err(refused(format!("{name}: {} poses, one expected", several.len()))),
    }
}

/// Parses poses: a row of 7 numbers each, or with a count that many such rows for each row of the
/// batch.
fn poses(value: &Bound<'_, PyAny>, name: &str, count: Option<usize>) -> PyResult<Vec<Pose>> {
    let Numbers { data, shape } = Numbers::of(value, name)?;
    let has_shape = match (&shape[..], count) {
        ([.., POSE], None) => shape.len() <= 2,
        ([.., items, POSE], Some(count)) => shape.len() <= 3 && *items == count,
        _ => false,
    };
    if !has_shape {
        let one = count.map_or(String::new(), |count| format!("{count}, "));
        let expected = format!("[N, {one}{POSE}] or [{one}{POSE}]");
        return Err(refused(format!("{name}: shape {shape:?}, {expected} expected")));
    }
    let checked = data.chunks_exact(POSE).enumerate().map(|(at, numbers)| {
        let [x, y, z, i, j, k, w] = std::array::from_fn(|column| numbers[column]);
        from_parts([i, j, k, w], [x, y, z]).map_err(|error| {
            let (row, item) = (at / count.unwrap_or(1), at % count.unwrap_or(1));
            let item = count.map_or(String::new(), |_| format!(", item {item}"));
            let refusal = refused(format!("{name}: row {row}{item}: {error}"));
            let _ = refusal.value(value.py()).setattr("row", row);
            refusal
        })
    });
    checked.collect()
}
