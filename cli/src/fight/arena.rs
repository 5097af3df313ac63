//! A level: each fighter walks on brushes as an upright cylinder; its parts are tested against the
//! brushes as against the other fighter's.

use std::collections::BTreeMap;
use std::io::{self, Write};

use boxwood::brush::{BodyId, Brush, BrushId, BrushWorld, WalkScratch, Walker, WalkerState};
use boxwood::nalgebra::{Point3, Vector3};
use boxwood::shape::{UpAxis, UprightCylinder};
use boxwood::{
    Aabb, Accuracy, Build, CharacterKey, CollisionGroups, Error, Hits, PairQuery, Scene, Snapshot,
    Spawn,
};

use super::cast::{Fighter, Start};

/// Fall of a fighter in a frame, as a share of its height: more than the height of any step.
const FALL: f32 = 0.05;

const NAMES: [&str; 3] = ["floor", "wall", "step"];

pub struct Arena {
    world: BrushWorld,
    /// Character of the scene that the brushes form.
    key: CharacterKey,
    walkers: [Walker<f32>; 2],
    at: [WalkerState<f32>; 2],
    /// Height of each fighter's origin above the centre of its cylinder.
    raised: [f32; 2],
    fall: f32,
    scratch: WalkScratch,
    hits: Hits,
    told: Told,
}

/// Events in the level.
#[derive(Debug, Default)]
pub struct Told {
    /// Number of frames in which each fighter stood on a brush.
    stood: [BTreeMap<BrushId, usize>; 2],
    /// Number of frames in which a part of each fighter touched a brush, and the largest depth.
    touched: [BTreeMap<(usize, usize), (usize, f32)>; 2],
}

impl Arena {
    /// Creates a floor under the fighters, a wall behind red, and a low step behind blue, scaled to
    /// the fighters.
    pub fn new(scene: &mut Scene, start: &Start, bounds: [Aabb; 2]) -> Result<Arena, Error> {
        let height = |side: usize| bounds[side].sizes().y.max(1e-3);
        let (tall, low) = (height(0).max(height(1)), bounds[0].min.y.min(bounds[1].min.y));
        let ends = start.places().map(|place| place.translation.vector.z);
        let (red, blue) = (ends[0], ends[1]);
        let solid = |min: [f32; 3], max: [f32; 3]| {
            Brush::from_aabb(&Aabb::new(Point3::from(min), Point3::from(max)))
        };
        let mut level = BrushWorld::builder();
        level.up(UpAxis::Y);
        let [near, far] = [red - 8.0 * tall, blue + 8.0 * tall];
        let side = 8.0 * tall;
        let floor = solid([-side, low - tall, near], [side, low, far])?;
        let wall = solid([-side, low, near], [side, low + 2.0 * tall, red - 0.6 * tall])?;
        let step = solid([-side, low, blue + 0.16 * tall], [side, low + 0.08 * tall, far])?;
        for brush in [floor, wall, step] {
            level.push(brush, CollisionGroups::ALL);
        }
        let world = level.build()?;
        let key = scene
            .insert(&world.model(BodyId::STATIC, &Build::default())?, Spawn::default().order(2))?;
        let walker = |side: usize| {
            let size = UprightCylinder::new(0.15 * height(side), 0.5 * height(side))?;
            Ok::<_, Error>(Walker::new(size).step(0.2 * tall))
        };
        let walkers = [walker(0)?, walker(1)?];
        let stand = |side: usize| {
            let place = start.places()[side].translation.vector;
            let up = low + (0.5 + 1e-3) * height(side);
            walkers[side].push_out(
                &world,
                Point3::new(place.x, up, place.z),
                &mut WalkScratch::new(),
            )
        };
        let origin = |side: usize| start.places()[side].translation.vector.y;
        let raised = [0, 1].map(|side| origin(side) - bounds[side].min.y - 0.5 * height(side));
        let at = [stand(0)?, stand(1)?];
        let (scratch, hits, told) = (WalkScratch::new(), Hits::new(), Told::default());
        Ok(Arena { world, key, walkers, at, raised, fall: FALL * tall, scratch, hits, told })
    }

    /// Walks a fighter towards `wish`, the position of its origin without the level; returns the
    /// position it reaches.
    pub fn walk(&mut self, side: usize, wish: Vector3<f32>) -> Result<Vector3<f32>, Error> {
        let (walker, at) = (&self.walkers[side], &mut self.at[side]);
        let mut way = wish - at.position().coords;
        way.y = -self.fall;
        walker.walk(&self.world, at, way, &mut self.scratch)?;
        if let Some(brush) = at.ground() {
            *self.told.stood[side].entry(brush).or_default() += 1;
        }
        Ok(at.position().coords + Vector3::y() * self.raised[side])
    }

    /// Counts the parts that touch brushes.
    pub fn see(
        &mut self,
        now: &Snapshot<'_>,
        fighters: [CharacterKey; 2],
        accuracy: Accuracy,
    ) -> Result<(), Error> {
        for (side, fighter) in fighters.into_iter().enumerate() {
            let query = PairQuery::between(fighter, self.key).accuracy(accuracy);
            now.contacts(&query, &mut self.hits)?;
            for hit in self.hits.iter() {
                let pair = (hit.a.part.index(), hit.b.part.index());
                let seen = self.told.touched[side].entry(pair).or_default();
                *seen = (seen.0 + 1, seen.1.max(hit.depth));
            }
        }
        Ok(())
    }

    pub fn into_told(self) -> Told {
        self.told
    }
}

impl Told {
    /// Prints the brushes on which each fighter stood, and the parts that touched brushes most
    /// often.
    pub fn print(&self, cast: &[Fighter; 2], terminal: &mut dyn Write) -> io::Result<()> {
        writeln!(terminal)?;
        for (side, fighter) in cast.iter().enumerate() {
            let stood = self.stood[side].iter();
            let stood: Vec<String> = stood
                .map(|(brush, fr)| format!("the {} {fr} fr", NAMES[brush.0 as usize]))
                .collect();
            let (name, stood) = (fighter.name, stood.join(", "));
            let nothing = if self.touched[side].is_empty() { " nothing" } else { "" };
            writeln!(terminal, "level     {name} stood on {stood}; its parts touched{nothing}")?;
            for ((part, brush), (frames, deepest)) in &self.touched[side] {
                let part = fighter.loaded.model.parts()[*part].name();
                let brush = NAMES[*brush];
                writeln!(
                    terminal,
                    "          {frames:>5} fr  {part} - {brush}, {deepest:.3} m deep at most"
                )?;
            }
        }
        Ok(())
    }
}
