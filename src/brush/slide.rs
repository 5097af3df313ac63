//! Sliding: motion of a cylinder with a skin among brushes. It never gets too near, and it never
//! moves back.
//!
//! *Blocking.* A mover keeps a distance `g` (its skin) from all brushes. Sweeps use the cylinder
//! enlarged by `g`; planes and arcs that the motion leaves or runs along are moved inward by
//! `grazing`, a bit less than half of `g`. So grazed brushes do not block, and no accepted segment
//! gets nearer than half the skin: the next position lies outside all brushes enlarged by that,
//! whatever happened before, and errors do not accumulate.
//!
//! *Progress.* Every piece of a move advances along the wanted displacement (`d . v > 0`), or the
//! move ends. So under a constant push no position is visited twice: a cylinder in a corner rests
//! bit for bit.

use super::body::BodyId;
use super::placed_cylinder::PlacedCylinder;
use super::sweep::{IndexedCrossing, SweptCylinder};
use super::tree::Bounds;
use super::walk_path::WalkPath;
use super::world::{BrushFilter, BrushWorld};
use crate::num::linear::{Vec3, add, dot, length, scale, sub};
use crate::response::nearest_free;

/// Greatest number of straight pieces of a move.
const MAX_BUMPS: u32 = 8;

/// Greatest number of walls gathered at one position.
const MAX_GATHERS: u32 = 8;

/// Share of its length by which a direction is turned outward, more than the error of a projection.
const OUTWARD_PAD: f64 = 1.0 / (1u64 << 49) as f64;

/// Least share of a displacement that is still moved.
const MIN_SHARE: f64 = 1.0 / (1u64 << 40) as f64;

/// Brush or other cylinder, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Obstacle {
    Brush(u32),
    Cylinder(u32),
}

/// Obstacle that blocked a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BlockingWall {
    pub obstacle: Obstacle,
    /// Outward unit normal of the obstacle.
    pub normal: Vec3,
}

impl BlockingWall {
    /// Returns the index of the brush.
    pub fn brush(&self) -> Option<usize> {
        match self.obstacle {
            Obstacle::Brush(index) => Some(index as usize),
            Obstacle::Cylinder(_) => None,
        }
    }

    /// Returns the index of the other cylinder.
    pub fn cylinder(&self) -> Option<usize> {
        match self.obstacle {
            Obstacle::Brush(_) => None,
            Obstacle::Cylinder(index) => Some(index as usize),
        }
    }
}

/// First obstacle on the way.
enum FirstObstacle {
    Brush(IndexedCrossing),
    Cylinder(BlockingWall),
}

/// Buffers of a move.
#[derive(Debug, Clone, Default)]
pub(super) struct SlideLists {
    /// Indices of the brushes near the whole move, ascending.
    pub near: Vec<u32>,
    /// Indices of the other cylinders near the whole move, ascending.
    pub others: Vec<u32>,
    /// Brushes and other cylinders that blocked the move, in order.
    pub walls: Vec<BlockingWall>,
    normals: Vec<Vec3>,
    /// Displacements out of a brush: length and direction.
    pub ways: Vec<(f64, Vec3)>,
    /// Legs of the move, those only tried removed.
    pub path: WalkPath,
}

/// Cylinder with its skin among the brushes near its move.
pub(super) struct Slider<'w> {
    pub world: &'w BrushWorld,
    /// Other cylinders, of which `SlideLists::others` has the near ones.
    pub others: &'w [PlacedCylinder],
    pub radius: f64,
    pub half_height: f64,
    pub skin: f64,
    /// Least cosine between the normal of ground and up.
    pub floor: f64,
    /// Rounds a position to the stored scalar.
    pub round: fn(Vec3) -> Vec3,
    /// Body whose brushes do not block: the one that carries or pushes.
    pub ignored_body: Option<BodyId>,
    pub bumps: u32,
    pub casts: u32,
}

impl Slider<'_> {
    /// Returns how much nearer than the skin grazed brushes may be [length units]. The rest up to
    /// half the skin is for the rounding of positions.
    fn grazing(&self) -> f64 {
        self.skin * (7.0 / 16.0)
    }

    /// Returns radius and half height, without the skin.
    pub fn size(&self) -> [f64; 2] {
        [self.radius, self.half_height]
    }

    /// Returns the bounds of a move of at most `reach` along each axis, with some skins around.
    pub fn bounds(&self, place: Vec3, reach: Vec3) -> Bounds {
        let gap = 4.0 * self.skin;
        let half = [self.radius + gap, self.radius + gap, self.half_height + gap];
        Bounds::swept(place, [0.0; 3], add(half, reach))
    }

    /// Lists the brushes near a move of at most `reach` along each axis, and no other cylinders.
    pub fn gather(&self, place: Vec3, reach: Vec3, filter: &BrushFilter, lists: &mut SlideLists) {
        let bounds = self.bounds(place, reach);
        lists.near.clear();
        lists.others.clear();
        let near = &mut lists.near;
        self.world.for_each_overlap(&bounds, filter, |index| near.push(index as u32));
        near.sort_unstable();
    }

    pub fn mover(&self, start: Vec3, displacement: Vec3) -> SweptCylinder {
        SweptCylinder {
            start,
            displacement,
            radius: self.radius + self.skin,
            half_height: self.half_height + self.skin,
            grazing: self.grazing(),
        }
    }

    /// Returns the indices of the near brushes, but for those of the ignored body.
    pub fn tested_brushes<'l>(&'l self, lists: &'l SlideLists) -> impl Iterator<Item = usize> + 'l {
        let own = move |index: &usize| Some(self.world.entries()[*index].body) != self.ignored_body;
        lists.near.iter().map(|&index| index as usize).filter(own)
    }

    /// Returns the free share of the displacement, and the obstacle that ends it: of several that
    /// the mover is inside of already, the one it entered first. At ties a brush counts before a
    /// cylinder.
    fn cast(&mut self, mover: &SweptCylinder, lists: &SlideLists) -> (f64, Option<FirstObstacle>) {
        self.casts += 1;
        let (mut latest, mut first) = (1.0, None);
        for index in self.tested_brushes(lists) {
            if let Some(passage) = self.world.crossing(index, mover, latest)
                && (passage.enter < latest || first.is_none())
            {
                (latest, first) = (passage.enter, Some((index, passage)));
            }
        }
        let mut first = first.map(FirstObstacle::Brush);
        for &index in &lists.others {
            if let Some(met) = self.others[index as usize].crossing(mover, latest)
                && (met.enter < latest || first.is_none())
            {
                let wall = BlockingWall { obstacle: Obstacle::Cylinder(index), normal: met.normal };
                (latest, first) = (met.enter, Some(FirstObstacle::Cylinder(wall)));
            }
        }
        (if latest > 0.0 { latest } else { 0.0 }, first)
    }

    /// Moves straight ahead as far as is free; returns the end, and the wall that ended it.
    pub fn move_straight(
        &mut self,
        from: Vec3,
        way: Vec3,
        lists: &SlideLists,
    ) -> (Vec3, Option<BlockingWall>) {
        let mover = self.mover(from, way);
        let (share, met) = self.cast(&mover, lists);
        let wall = met.map(|met| self.wall_of_obstacle(&met, &mover));
        (self.settled_position(from, way, share, lists), wall)
    }

    /// Returns the first brush, by id, below the cylinder that is flat enough to stand on.
    pub fn ground(&mut self, from: Vec3, depth: f64, lists: &SlideLists) -> Option<BlockingWall> {
        self.casts += 1;
        let mover = self.mover(from, [0.0, 0.0, -depth]);
        let met = self.tested_brushes(lists).filter_map(|index| {
            self.world.crossing(index, &mover, 1.0).map(|passage| (index, passage))
        });
        met.map(|met| self.wall_of_crossing(&met, &mover)).find(|wall| wall.normal[2] >= self.floor)
    }

    fn wall_of_obstacle(&self, met: &FirstObstacle, mover: &SweptCylinder) -> BlockingWall {
        match met {
            FirstObstacle::Brush(met) => self.wall_of_crossing(met, mover),
            FirstObstacle::Cylinder(wall) => *wall,
        }
    }

    fn wall_of_crossing(
        &self,
        (index, passage): &IndexedCrossing,
        mover: &SweptCylinder,
    ) -> BlockingWall {
        let seen = self.world.to_brush_frame(*index, mover);
        let normal = self.world.sums.normal(*index, &seen, passage);
        let normal =
            self.world.body_pose(self.world.entries()[*index].body).to_world_vector(normal);
        BlockingWall { obstacle: Obstacle::Brush(*index as u32), normal }
    }

    /// Returns `true` if all brushes are at least half the skin away.
    pub fn is_free(&self, place: Vec3, lists: &SlideLists) -> bool {
        self.first_blocking(place, lists).is_none()
    }

    /// Returns the first brush less than half the skin away.
    pub fn first_blocking(&self, place: Vec3, lists: &SlideLists) -> Option<usize> {
        let shrunk = self.shrunk_mover(place, [0.0; 3]);
        self.tested_brushes(lists).find(|&index| self.world.overlaps_sweep(index, &shrunk))
    }

    /// Returns a mover that touches every brush less than half the skin away.
    pub fn shrunk_mover(&self, start: Vec3, way: Vec3) -> SweptCylinder {
        SweptCylinder {
            radius: self.radius + self.skin - self.grazing(),
            half_height: self.half_height + self.skin - self.grazing(),
            grazing: 0.0,
            ..self.mover(start, way)
        }
    }

    /// Returns the first brush that the cylinder without its skin is inside of, by more than
    /// rounding.
    pub fn first_containing(&self, place: Vec3, lists: &SlideLists) -> Option<usize> {
        let less = self.skin / 64.0;
        let size = |x: f64| if x > less { x - less } else { 0.0 };
        let bare = SweptCylinder {
            radius: size(self.radius),
            half_height: size(self.half_height),
            grazing: 0.0,
            ..self.mover(place, [0.0; 3])
        };
        self.tested_brushes(lists).find(|&index| self.world.overlaps_sweep(index, &bare))
    }

    /// Returns the position after a share of the displacement, as it is stored; further back where
    /// rounding has moved it too near.
    fn settled_position(&self, from: Vec3, way: Vec3, share: f64, lists: &SlideLists) -> Vec3 {
        let size = length(way);
        let back = if size > 0.0 { self.skin / (64.0 * size) } else { 0.0 };
        for steps in [0.0, 1.0, 8.0] {
            let at = share - steps * back;
            if at <= 0.0 {
                break;
            }
            let place = (self.round)(add(from, scale(way, at)));
            if self.is_free(place, lists) && self.is_free_of_others(from, place, lists) {
                return place;
            }
        }
        from
    }

    /// Returns `true` if all other cylinders are at least half the skin away, or, of those that
    /// were not at `from`, no deeper.
    fn is_free_of_others(&self, from: Vec3, place: Vec3, lists: &SlideLists) -> bool {
        let mover = self.mover(place, [0.0; 3]);
        lists.others.iter().all(|&index| {
            let other = &self.others[index as usize];
            let Some(depth) = other.depth(place, &mover) else { return true };
            other.depth(from, &mover).is_some_and(|before| depth <= before)
        })
    }

    /// Returns `true` if a wall is a brush flat enough to stand on.
    pub fn is_ground(&self, wall: &BlockingWall) -> bool {
        wall.normal[2] >= self.floor && wall.brush().is_some()
    }

    /// Lists the other cylinders near a move of at most `reach` along each axis: all are tested.
    pub fn gather_others(
        &self,
        place: Vec3,
        reach: Vec3,
        filter: &BrushFilter,
        lists: &mut SlideLists,
    ) {
        let bounds = self.bounds(place, reach);
        let near = self.others.iter().enumerate().filter(|(_, other)| {
            other.groups.interacts_with(filter.groups) && other.bounds().overlaps(&bounds)
        });
        lists.others.clear();
        lists.others.extend(near.map(|(index, _)| index as u32));
    }

    /// Slides along with a moving body. Returns the end, and a brush of the body that is nearer
    /// than half the skin there because another cylinder was in the way.
    pub fn ride(
        &mut self,
        from: Vec3,
        carry: Vec3,
        body: Option<BodyId>,
        lists: &mut SlideLists,
    ) -> (Vec3, Option<usize>) {
        lists.walls.clear();
        self.ignored_body = body;
        let end = self.slide(from, carry, false, lists);
        self.ignored_body = None;
        let is_blocked = lists.walls.iter().any(|wall| wall.cylinder().is_some());
        let pressing = body.filter(|_| is_blocked);
        (end, pressing.and_then(|body| self.first_pressing(end, body, lists)))
    }

    /// Slides along with a moving body as if there were no other cylinders.
    pub fn ride_through_others(
        &mut self,
        from: Vec3,
        carry: Vec3,
        body: Option<BodyId>,
        lists: &mut SlideLists,
    ) -> Vec3 {
        let others = std::mem::take(&mut lists.others);
        lists.walls.clear();
        self.ignored_body = body;
        let end = self.slide(from, carry, false, lists);
        self.ignored_body = None;
        lists.others = others;
        end
    }

    /// Returns the first brush of a body less than half the skin away.
    pub fn first_pressing(&self, place: Vec3, body: BodyId, lists: &SlideLists) -> Option<usize> {
        self.first_pressing_between(place, place, body, lists)
    }

    /// Returns the first brush of a body that is less than half the skin away on the straight way
    /// from one position to another.
    pub fn first_pressing_between(
        &self,
        from: Vec3,
        to: Vec3,
        body: BodyId,
        lists: &SlideLists,
    ) -> Option<usize> {
        let shrunk = self.shrunk_mover(from, sub(to, from));
        let near = lists.near.iter().map(|&index| index as usize);
        let mut own = near.filter(|&index| self.world.entries()[index].body == body);
        own.find(|&index| self.world.overlaps_sweep(index, &shrunk))
    }

    /// Returns the first near cylinder that is less than half the skin away.
    pub fn first_other_inside(&self, place: Vec3, lists: &SlideLists) -> Option<usize> {
        let mover = self.mover(place, [0.0; 3]);
        let inside = |index: &usize| self.others[*index].depth(place, &mover).is_some();
        lists.others.iter().map(|&index| index as usize).find(inside)
    }

    /// Moves sideways, away from the axis of the cylinder below, by at most a length.
    pub fn slip_off(
        &mut self,
        from: Vec3,
        below: usize,
        length: f64,
        lists: &mut SlideLists,
    ) -> Vec3 {
        let [x, y, _] = sub(from, self.others[below].center);
        let far = (x * x + y * y).sqrt();
        let [x, y] = if far > 0.0 { [x / far, y / far] } else { [1.0, 0.0] };
        self.slide(from, [x * length, y * length, 0.0], false, lists)
    }

    /// Moves by as much of `wish` as the brushes allow, sliding along them; adds its legs to the
    /// path. With `steep_is_wall`,
    /// ground too steep to stand on blocks the sideways part as an upright wall does.
    pub fn slide(
        &mut self,
        from: Vec3,
        wish: Vec3,
        steep_is_wall: bool,
        lists: &mut SlideLists,
    ) -> Vec3 {
        let (mut place, mut left) = (from, 1.0);
        let nothing = length(wish) * MIN_SHARE;
        for _ in 0..MAX_BUMPS {
            if length(wish) * left <= nothing {
                break;
            }
            self.bumps += 1;
            let asked = scale(wish, left);
            let Some((way, share)) = self.free_displacement(place, asked, steep_is_wall, lists)
            else {
                break;
            };
            if length(way) <= nothing || dot(way, wish) <= 0.0 {
                break;
            }
            let next = self.settled_position(place, way, share, lists);
            // The move ends if rounding leaves the position where it was, or behind.
            if dot(sub(next, place), wish) <= 0.0 {
                break;
            }
            lists.path.add(place, next, self.size());
            (place, left) = (next, left * (1.0 - share));
        }
        place
    }

    /// Returns the part of a displacement that no wall at the position forbids, and its share up to
    /// the next wall.
    fn free_displacement(
        &mut self,
        place: Vec3,
        asked: Vec3,
        steep_is_wall: bool,
        lists: &mut SlideLists,
    ) -> Option<(Vec3, f64)> {
        let mut way = asked;
        lists.normals.clear();
        for _ in 0..MAX_GATHERS {
            let mover = self.mover(place, way);
            let (share, first) = self.cast(&mover, lists);
            let near = self.skin / (8.0 * length(way));
            let Some(met) = first.filter(|_| share <= near && share < 1.0) else {
                return Some((way, share));
            };
            let known = lists.normals.len();
            self.add_wall(&met, &mover, steep_is_wall, lists);
            if lists.normals.len() == known {
                return None;
            }
            way = nearest_free(asked, &lists.normals, 4.0 * OUTWARD_PAD).unwrap_or(asked);
            let outward = OUTWARD_PAD * length(asked);
            for normal in &lists.normals {
                if dot(*normal, way) < outward {
                    way = add(way, scale(*normal, outward));
                }
            }
            if dot(way, asked) <= 0.0 || length(way) <= length(asked) * MIN_SHARE {
                return None;
            }
        }
        None
    }

    /// Adds the normal of the obstacle that blocks the mover first.
    ///
    /// Brushes behind it that are almost as near are skipped: where two faces are flush, the edge
    /// of the other would block the mover.
    fn add_wall(
        &self,
        met: &FirstObstacle,
        mover: &SweptCylinder,
        steep_is_wall: bool,
        lists: &mut SlideLists,
    ) {
        let wall = self.wall_of_obstacle(met, mover);
        let normal = wall.normal;
        if !lists.normals.contains(&normal) {
            lists.normals.push(normal);
            lists.walls.push(wall);
        }
        let side = (normal[0] * normal[0] + normal[1] * normal[1]).sqrt();
        if steep_is_wall && normal[2] > 0.0 && normal[2] < self.floor && side > 0.0 {
            let upright = [normal[0] / side, normal[1] / side, 0.0];
            if !lists.normals.contains(&upright) {
                lists.normals.push(upright);
            }
        }
    }
}
