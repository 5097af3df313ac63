//! A fighter walks through a static world that is placed once: a hill, an endless floor, shapes of
//! every kind, and a level of brushes.
//!
//! ```text
//! cargo example static_world
//! ```
//! The world is four characters at rest, which snapshots do not place again: only the fighter and a
//! second one, who walks towards him, move. Every tick computes the fighter's contacts with the
//! world alone, his distance from obstacles, and the hits of a ray straight down and of a thrown
//! ball. The output is the same on every run.

mod world;

use std::process::ExitCode;

use boxwood::motion::Joints;
use boxwood::nalgebra::{Isometry3, Point3, Vector3};
use boxwood::{
    Accuracy, Buffers, CharacterKey, CollisionGroups, Error, Hits, PairQuery, Push, QueryFilter,
    QueryScratch, Ray, RayHits, Snapshot, Spawn, Sphere,
};
use shared::{command_line, fighter};
use world::{BODY, WORLD, World};

const HELP: &str = "\
static_world: a fighter walks through a world that is placed once

cargo example static_world

A hill, a floor without an end, things of every shape and a level of brushes are at rest: a snapshot does not place them again.
Printed is what of them the fighter touches on his way, how long and how deep, the ground below him, and what a ball thrown meets.
The same on every run.

  --help, -h   this; there are no other flags";

const TICKS: usize = 360;
/// Duration of a tick [s], and speed of the fighter [m/s].
const TICK: f32 = 1.0 / 60.0;
const SPEED: f32 = 2.0;

fn main() -> ExitCode {
    command_line::without_flags("static_world", HELP, walk)
}

fn walk() -> Result<(), Error> {
    let (mut world, loaded) = (World::new()?, fighter::fighter());
    world.print();
    let clip = loaded.clips.get("walk")?;
    let walker = world.scene.insert(&loaded.model, Spawn::default())?;
    let other = world.scene.insert(&loaded.model, Spawn::default())?;
    // By default a character is a member of all groups, including the world's.
    let body = CollisionGroups { memberships: BODY, ..CollisionGroups::ALL };
    world.scene.set_all_groups(walker, body)?;
    world.scene.set_all_groups(other, body)?;
    let (mut buffers, mut seen) = (Buffers::new(), Seen::default());
    let mut joints = Joints::new();
    for tick in 0..TICKS {
        let time = tick as f32 * TICK;
        let pose = clip.sample(time % clip.duration(), &mut joints)?;
        let at = Isometry3::translation(0.0, 0.0, 0.5 + SPEED * time);
        world.scene.set_joints(walker, &at, pose)?;
        world.scene.set_joints(
            other,
            &Isometry3::translation(0.3, 0.0, 12.0 - SPEED * time),
            pose,
        )?;
        let now = world.scene.snapshot(&mut buffers); // places two characters, not six
        seen.look(&now, &world, walker)?;
    }
    seen.print(&world);
    throw(&world.scene.snapshot(&mut buffers), &world)
}

/// Contacts and hits of the fighter so far.
#[derive(Default)]
struct Seen {
    hits: Hits,
    rays: RayHits,
    /// Ticks with a contact of each character of the world, and the depth of the deepest.
    ticks: Vec<usize>,
    deepest: Vec<f32>,
    /// Ticks with ground below, and its lowest and highest point.
    grounded: usize,
    ground: Option<[f32; 2]>,
    nearest: Option<f32>,
    /// Length of the longest separation from obstacles and walls.
    way: f32,
}

impl Seen {
    fn look(
        &mut self,
        now: &Snapshot<'_>,
        world: &World,
        walker: CharacterKey,
    ) -> Result<(), Error> {
        let count = world.characters.len();
        self.ticks.resize(count, 0);
        self.deepest.resize(count, 0.0);
        // The memberships select the fighter against the world: others are no members of its group.
        let query = PairQuery::of(walker).memberships(u64::MAX, WORLD).accuracy(Accuracy::Exact);
        now.contacts(&query, &mut self.hits)?;
        let mut touched = vec![false; count];
        for hit in &self.hits {
            let index = world.characters.iter().position(|one| one.key == hit.b.character);
            let Some(index) = index else { continue };
            touched[index] = true;
            self.deepest[index] = self.deepest[index].max(hit.depth);
        }
        for (ticks, touched) in self.ticks.iter_mut().zip(touched) {
            *ticks += usize::from(touched);
        }
        let things = PairQuery::between(walker, world.things());
        if let Some(near) = now.distance(&things, self.hits.scratch())? {
            self.nearest =
                Some(self.nearest.map_or(near.distance, |least| least.min(near.distance)));
        }
        let along = Push::across(Vector3::y_axis());
        if let Some(way) = now.separation(&things, &along, self.hits.scratch())? {
            self.way = self.way.max(way.depth);
        }
        let hips = now.scene().poses(walker)?[0].translation.vector;
        let down = Ray::new(Point3::from(hips), -Vector3::y_axis())?;
        let filter =
            QueryFilter::all().groups(CollisionGroups { memberships: BODY, filter: WORLD });
        if let Some(hit) = now.ray_cast(down, &filter.accuracy(Accuracy::Exact), &mut self.rays)? {
            let [low, high] = self.ground.unwrap_or([hit.point.y; 2]);
            self.ground = Some([low.min(hit.point.y), high.max(hit.point.y)]);
            self.grounded += 1;
        }
        Ok(())
    }

    fn print(&self, world: &World) {
        for ((one, ticks), depth) in world.characters.iter().zip(&self.ticks).zip(&self.deepest) {
            println!("{:<6} touched in {ticks:3} of {TICKS} ticks, {depth:.3} deep", one.name);
        }
        if let (Some([low, high]), Some(near)) = (self.ground, self.nearest) {
            let grounded = self.grounded;
            println!("ground below in {grounded} ticks, from {low:.2} to {high:.2}");
            println!("things: {near:.3} away at the nearest, {:.3} out of them at most", self.way);
        }
    }
}

/// Throws a ball at the level: a shape cast a tick.
fn throw(now: &Snapshot<'_>, world: &World) -> Result<(), Error> {
    let (mut at, mut velocity) = (Point3::new(0.0, 1.6, 0.0), Vector3::new(0.2, 4.0, 9.0));
    let filter = QueryFilter::all().groups(CollisionGroups { memberships: BODY, filter: WORLD });
    for tick in 0..300 {
        let (ball, way) = (Sphere::new(at, 0.1)?, velocity * TICK);
        if let Some(hit) = now.shape_cast(ball, way, &filter, &mut QueryScratch::new())? {
            let time = (tick as f32 + hit.time_of_impact) * TICK;
            let part = now.scene().part(hit.target.character, hit.target.part)?;
            let of = world.name(hit.target.character);
            println!("a ball thrown hits {} of the {of} after {time:.2} s", part.name());
            return Ok(());
        }
        at += way;
        velocity.y -= 9.81 * TICK;
    }
    println!("a ball thrown hits nothing");
    Ok(())
}
