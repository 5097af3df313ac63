//! Hash grid in plan over the walkers of a crowd, updated as they move.
//!
//! The walkers found are a function of their positions alone: a cell is a list in any order,
//! and what is found is tested by bounds and sorted.

use super::placed_cylinder::PlacedCylinder;
use super::tree::Bounds;
use crate::num::linear::Vec3;

/// End of a list.
const NONE: u32 = u32::MAX;

/// Edge of a cell over the largest radius. A move searches two to three cells a side.
const CELL_SIZE_FACTOR: f64 = 4.0;

#[derive(Debug, Clone, Default)]
pub(super) struct CrowdGrid {
    /// Edge of a cell [length units].
    cell_size: f64,
    /// Largest radius of a walker [length units].
    largest_radius: f64,
    /// First walker of each bucket; their number is a power of two.
    buckets: Vec<u32>,
    links: Vec<GridLink>,
}

/// Walker in the list of its bucket.
#[derive(Debug, Clone, Copy)]
struct GridLink {
    cell: [i64; 2],
    next: u32,
    previous: u32,
}

impl CrowdGrid {
    /// Sorts all walkers into cells.
    pub fn rebuild(&mut self, placed: &[PlacedCylinder]) {
        let greater = |most: f64, one: &PlacedCylinder| {
            if one.radius > most { one.radius } else { most }
        };
        self.largest_radius = placed.iter().fold(0.0, greater);
        let size = CELL_SIZE_FACTOR * self.largest_radius;
        self.cell_size = if size > 0.0 { size } else { 1.0 };
        self.buckets.clear();
        self.buckets.resize((2 * placed.len()).next_power_of_two(), NONE);
        self.links.clear();
        for (index, one) in placed.iter().enumerate() {
            let cell = self.cell(one.center);
            self.links.push(GridLink { cell, next: NONE, previous: NONE });
            self.link(index, cell);
        }
    }

    /// Moves a walker to another position.
    pub fn relocate(&mut self, index: usize, center: Vec3) {
        let cell = self.cell(center);
        let link = self.links[index];
        if cell == link.cell {
            return;
        }
        match link.previous {
            NONE => {
                let bucket = self.bucket(link.cell);
                self.buckets[bucket] = link.next;
            }
            previous => self.links[previous as usize].next = link.next,
        }
        if link.next != NONE {
            self.links[link.next as usize].previous = link.previous;
        }
        self.link(index, cell);
    }

    /// Calls `found` with all walkers whose bounds overlap, in any order, each once.
    pub fn for_each_overlap(
        &self,
        placed: &[PlacedCylinder],
        bounds: &Bounds,
        mut found: impl FnMut(u32),
    ) {
        let around = bounds.grown(self.largest_radius);
        let [low, high] = [self.cell(around.min), self.cell(around.max)];
        let sides = [0, 1].map(|i| i128::from(high[i]) - i128::from(low[i]) + 1);
        // Tests every walker if the cells outnumber the walkers. Both factors are below 2^65.
        let most = placed.len() as i128;
        if sides[0] > most || sides[1] > most || sides[0] * sides[1] > most {
            let near = placed.iter().enumerate().filter(|(_, one)| one.bounds().overlaps(bounds));
            near.for_each(|(index, _)| found(index as u32));
            return;
        }
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                let mut at = self.buckets[self.bucket([x, y])];
                while at != NONE {
                    let link = &self.links[at as usize];
                    if link.cell == [x, y] && placed[at as usize].bounds().overlaps(bounds) {
                        found(at);
                    }
                    at = link.next;
                }
            }
        }
    }

    fn link(&mut self, index: usize, cell: [i64; 2]) {
        let bucket = self.bucket(cell);
        let first = std::mem::replace(&mut self.buckets[bucket], index as u32);
        if first != NONE {
            self.links[first as usize].previous = index as u32;
        }
        self.links[index] = GridLink { cell, next: first, previous: NONE };
    }

    /// Returns the cell of a position; cells beyond the range of integers are one.
    fn cell(&self, place: Vec3) -> [i64; 2] {
        [0, 1].map(|axis| (place[axis] / self.cell_size).floor() as i64)
    }

    fn bucket(&self, [x, y]: [i64; 2]) -> usize {
        let mixed = (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed >> 32) as usize & (self.buckets.len() - 1)
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::model::CollisionGroups;
    use crate::num::SplitMix64;

    pub fn finds_what_all_walkers_tested_find_after_any_moves() {
        let (mut random, mut grid) = (SplitMix64(7), CrowdGrid::default());
        let mut found_count = 0;
        for (count, extent) in [(1, 1.0), (2, 0.0), (40, 4.0), (300, 30.0), (60, 1e30)] {
            let mut placed: Vec<PlacedCylinder> = (0..count)
                .map(|_| PlacedCylinder {
                    center: random.point(extent),
                    radius: random.between(0.1, 0.5),
                    half_height: 0.9,
                    groups: CollisionGroups::ALL,
                })
                .collect();
            grid.rebuild(&placed);
            for _ in 0..200 {
                let (index, center) = (random.below(count), random.point(extent));
                placed[index].center = center;
                grid.relocate(index, center);
                let (reach, at) = (random.between(0.0, 6.0), random.point(extent));
                let bounds = Bounds::swept(at, [0.0; 3], [reach, reach, 1.0]);
                let mut found = Vec::new();
                grid.for_each_overlap(&placed, &bounds, |index| found.push(index));
                found.sort_unstable();
                let near = |index: &u32| placed[*index as usize].bounds().overlaps(&bounds);
                let want: Vec<u32> = (0..count as u32).filter(near).collect();
                assert_eq!(found, want, "{count} walkers in {extent}");
                found_count += found.len();
            }
        }
        assert!(found_count > 1000, "{found_count}");
    }
}
