//! Levels for walkers: plain half-spaces, the crate's world of them, and the gap of a walker by the
//! oracle `cylinder_distance`.

use boxwood::CollisionGroups;
use boxwood::brush::{BodyId, BrushId, BrushWorld, WalkReport, WalkScratch, Walker, WalkerState};
use boxwood::f64::UprightCylinder;
use boxwood::num::Scalar;
use boxwood::shape::UpAxis;
use nalgebra::Point3;

use crate::brushes::{brush, cuboid, half_spaces};
use crate::cylinder_distance::{Corners, Cylinder, HalfSpace};
use crate::plain_box::{V, inner, norm, times};
use crate::random::Random;
pub use crate::random_parts::{point, vector};

/// Skin of [`walker`].
pub const SKIN: f64 = 0.4 / 512.0;

/// Walker 0.8 across and 1.8 high, with steps of 0.45.
pub fn walker() -> Walker<f64> {
    Walker::new(UprightCylinder::new(0.4, 0.9).expect("a size")).step(0.45)
}

/// Floor whose top is at 0, so far to each side.
pub fn floor(far: f64) -> Vec<HalfSpace> {
    cuboid([-far, -far, -1.0], [far, far, 0.0])
}

/// Stands at a place, after falling on the ground below.
pub fn landed(walker: &Walker<f64>, world: &BrushWorld, at: V) -> WalkerState<f64> {
    let mut at = walker.stand(world, Point3::from(at), &mut WalkScratch::new()).expect("free");
    let rest = at_rest(walker, world, &mut at, [0.0, 0.0, -0.05], 1000);
    assert!(rest.is_some() && at.ground().is_some(), "{at:?}");
    at
}

/// Still world with z up, and its brushes as the twin sees them.
pub struct Walkable {
    pub world: BrushWorld,
    solids: Vec<(Corners, [V; 2])>,
    planes: Vec<Vec<HalfSpace>>,
}

impl Walkable {
    /// Builds the world; ids are in the given order.
    pub fn new(brushes: &[Vec<HalfSpace>]) -> Walkable {
        Walkable::of(world(brushes))
    }

    /// Level of a world whose bodies are where they were inserted.
    ///
    /// # Panics
    /// If z is not up.
    pub fn of(world: BrushWorld) -> Walkable {
        assert_eq!(world.up(), UpAxis::Z);
        let planes = |id| half_spaces(world.brush(id).expect("its own id"));
        let planes: Vec<Vec<HalfSpace>> = world.ids().map(planes).collect();
        let corners = planes.iter().map(|planes| Corners::of_planes(planes).expect("a brush"));
        let solids = corners.map(|corners| (bounds(&corners), corners));
        let solids = solids.map(|(bounds, corners)| (corners, bounds)).collect();
        Walkable { world, solids, planes }
    }

    /// Returns the half-spaces of the brush at an index among the ids, exactly as stored.
    pub fn planes(&self, index: usize) -> &[HalfSpace] {
        &self.planes[index]
    }

    /// Least distance in plan from any brush of the cylinder, grown by so much upward, downward and
    /// sideways; negative if it is inside one, infinite if all are above or below.
    pub fn clearance(&self, radius: f64, half_height: f64, growth: f64, centre: V) -> f64 {
        let grown = Cylinder { radius: radius + growth, half_height: half_height + growth };
        let solids = self.near(&grown, centre, [0.0; 3]).map(|index| &self.solids[index].0);
        solids.map(|corners| corners.in_plan(&grown, centre)).fold(f64::INFINITY, f64::min)
    }

    /// Growth of the cylinder, upward, downward and sideways alike, that lets it touch a brush;
    /// `most` if that is not enough. The twin's rounding is in it.
    pub fn gap(&self, radius: f64, half_height: f64, most: f64, centre: V) -> f64 {
        let grown = Cylinder { radius: radius + most, half_height: half_height + most };
        let solids = self.near(&grown, centre, [0.0; 3]).map(|index| &self.solids[index].0);
        let touched = solids.filter(|corners| corners.in_plan(&grown, centre) < 0.0);
        let bare = Cylinder { radius, half_height };
        touched.map(|corners| corners.gap(&bare, centre)).fold(most, f64::min)
    }

    /// Returns the brushes, by their index among the ids, whose boxes a cylinder touches on its
    /// way.
    pub fn near(&self, cylinder: &Cylinder, start: V, way: V) -> impl Iterator<Item = usize> {
        let reach = [cylinder.radius, cylinder.radius, cylinder.half_height];
        let low: V = std::array::from_fn(|i| start[i].min(start[i] + way[i]) - reach[i]);
        let high: V = std::array::from_fn(|i| start[i].max(start[i] + way[i]) + reach[i]);
        let meets = move |[min, max]: &[V; 2]| (0..3).all(|i| high[i] > min[i] && low[i] < max[i]);
        (0..self.solids.len()).filter(move |&index| meets(&self.solids[index].1))
    }

    /// Returns `true` if the walker keeps half of its skin, but for the twin's rounding.
    pub fn keeps_gap<T: Scalar>(&self, walker: &Walker<T>, at: &WalkerState<T>) -> bool {
        let (radius, half) = size(walker);
        let skin = walker.skin_in(&self.world).expect("a skin").wide();
        let unit = 1e-12 * (1.0 + norm(place(at)));
        // Slices as small as the oracle's rounding sometimes mislead it: each verdict for a growth
        // is valid for all below.
        [1.0, 3.0, 8.0, 20.0]
            .iter()
            .any(|units| self.clearance(radius, half, 0.5 * skin - units * unit, place(at)) >= 0.0)
    }
}

fn bounds(corners: &Corners) -> [V; 2] {
    let side = |pick: fn(f64, f64) -> f64| {
        std::array::from_fn(|i| corners.points.iter().map(|p| p[i]).reduce(pick).expect("corners"))
    };
    [side(f64::min), side(f64::max)]
}

/// Builds the crate's world of these brushes, z up.
pub fn world(brushes: &[Vec<HalfSpace>]) -> BrushWorld {
    let mut builder = BrushWorld::builder();
    for planes in brushes {
        builder.push(brush(planes), CollisionGroups::ALL);
    }
    builder.build().expect("ids of its own")
}

/// Builds the crate's world of still brushes, then those of one body, z up.
pub fn world_with_body(still: &[Vec<HalfSpace>], body: &[Vec<HalfSpace>]) -> (BrushWorld, BodyId) {
    let mut builder = BrushWorld::builder();
    let moving = builder.body();
    for planes in still {
        builder.push(brush(planes), CollisionGroups::ALL);
    }
    for planes in body {
        builder.push_to(moving, brush(planes), CollisionGroups::ALL);
    }
    (builder.build().expect("ids of its own"), moving)
}

/// Builds the crate's world of brushes with these ids, z up.
pub fn world_of_ids(brushes: impl IntoIterator<Item = (u32, Vec<HalfSpace>)>) -> BrushWorld {
    let mut builder = BrushWorld::builder();
    for (id, planes) in brushes {
        builder.push_as(BrushId(id), BodyId::STATIC, brush(&planes), CollisionGroups::ALL);
    }
    builder.build().expect("ids that differ")
}

/// Returns radius and half height.
pub fn size<T: Scalar>(walker: &Walker<T>) -> (f64, f64) {
    (walker.cylinder().radius().wide(), walker.cylinder().half_height().wide())
}

/// Returns the position as stored.
pub fn place<T: Scalar>(at: &WalkerState<T>) -> V {
    std::array::from_fn(|i| at.position()[i].wide())
}

/// One tick.
///
/// # Panics
/// If the walk is refused.
pub fn walk<T: Scalar>(
    walker: &Walker<T>,
    world: &BrushWorld,
    at: &mut WalkerState<T>,
    displacement: V,
) -> WalkReport<T> {
    let mut scratch = WalkScratch::new();
    walker.walk(world, at, vector(displacement), &mut scratch).expect("numbers")
}

/// Walks that many ticks of one displacement; `each` gets the tick, the state and the report.
pub fn ticks<T: Scalar>(
    walker: &Walker<T>,
    world: &BrushWorld,
    at: &mut WalkerState<T>,
    displacement: V,
    count: usize,
    mut each: impl FnMut(usize, &WalkerState<T>, &WalkReport<T>),
) {
    let mut scratch = WalkScratch::new();
    for tick in 0..count {
        let walked = walker.walk(world, at, vector(displacement), &mut scratch);
        each(tick, at, &walked.expect("numbers"));
    }
}

/// Returns the state after which ticks of one displacement change nothing, and the ticks up to it;
/// `None` if there is none. A walk is a function of the state, so a state once left never returns.
pub fn at_rest<T: Scalar>(
    walker: &Walker<T>,
    world: &BrushWorld,
    at: &mut WalkerState<T>,
    displacement: V,
    most: usize,
) -> Option<usize> {
    let mut scratch = WalkScratch::new();
    for tick in 0..most {
        let before = *at;
        walker.walk(world, at, vector(displacement), &mut scratch).expect("numbers");
        if before == *at {
            return Some(tick);
        }
    }
    None
}

/// Returns the walls around a convex room: slabs outside of the planes, of a thickness, clipped to
/// a box of a half size. The room is the space behind all planes.
pub fn shell(room: &[HalfSpace], thick: f64, size: f64) -> Vec<Vec<HalfSpace>> {
    let wall = |&(normal, offset): &HalfSpace| {
        let mut planes = vec![(normal, offset + thick), (times(normal, -1.0), -offset)];
        let all = cuboid([-size; 3], [size; 3]);
        let other = |(n, _): &HalfSpace| inner(*n, normal).abs() < 1.0 - 1e-9;
        planes.extend(all.into_iter().filter(other));
        planes
    };
    room.iter().map(wall).collect()
}

/// Draws a room of random planes around a ball, including those along the axes.
pub fn random_room(random: &mut Random, radius: f64) -> Vec<HalfSpace> {
    let count = random.below(8);
    crate::brushes::around_ball(random, count, [0.0; 3], radius)
}
