//! Swings at a fighter, or at a character of a file: the first thing on the way of the blade is hit,
//! once.

use std::io::Write;

use boxwood::nalgebra::{Unit, Vector3};
use boxwood::{
    Accuracy, Attack, Buffers, CollisionGroups, Error, Impact, MotionBuffers, OncePer, PairQuery,
    Pose, Push, QueryScratch, Scene, SceneMotion, Snapshot, Spawn,
};
use shared::fighter;

use crate::armed_fighter::{armed, posed, shield};
use crate::target::Target;

/// Ticks a second: few, as of a server, so that the blade moves far in each.
const RATE: f32 = 30.0;
/// Distance of the target for each swing [m].
const DISTANCES: [f32; 5] = [2.3, 2.0, 1.7, 1.4, 1.4];

/// Memberships of parts.
const STRIKES: u64 = 1;
const STRUCK: u64 = 2;

/// Plays all swings, and prints a line for each.
pub fn swings(file: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
    let (body, target) = (fighter::fighter(), Target::new(file)?);
    let jab = body.clips.get("jab")?;
    let model = armed(&body)?;
    let mut scene = Scene::new();
    let red = scene.insert(&model, Spawn::default())?;
    let blue = scene.insert(&target.model, Spawn::default())?;
    // Groups say who can strike whom; the query below needs no lists of parts.
    for key in [red, blue] {
        scene.set_all_groups(key, CollisionGroups { memberships: 0, filter: 0 })?;
    }
    for name in ["sword", "left_hand"] {
        let strikes = CollisionGroups { memberships: STRIKES, filter: STRUCK };
        scene.set_groups(red, model.part(name)?, strikes)?;
    }
    let can_be_struck = CollisionGroups { memberships: STRUCK, filter: STRIKES };
    for &part in &target.body {
        scene.set_groups(blue, part, can_be_struck)?;
    }
    let query = PairQuery::of(red).accuracy(Accuracy::Within(0.001));
    let (mut buffers, mut scratch) = (MotionBuffers::new(), QueryScratch::new());
    let (mut before, mut place, mut impacts) = (scene.clone(), Buffers::new(), Vec::new());
    let mut out = std::io::stdout().lock();
    for (number, far) in DISTANCES.into_iter().enumerate() {
        if number + 1 == DISTANCES.len() {
            let held = scene.insert(&shield()?, Spawn::default())?;
            let (holder, grip) = &target.holder;
            scene.attach(held, blue, *holder, grip, &[])?;
            scene.set_all_groups(held, can_be_struck)?;
        }
        let (mut attack, mut nearest) = (Attack::new(OncePer::Attack), f32::INFINITY);
        let there = target.root(far);
        for tick in 0..(jab.duration() * RATE) as usize {
            let time = tick as f32 / RATE;
            before.clone_from(&scene);
            scene.set_joints(red, &Pose::identity(), &posed(jab, time)?)?;
            scene.set_joints(blue, &there, &target.poses(time)?)?;
            if tick == 0 {
                continue; // the swing begins: there is no way to here
            }
            let motion = SceneMotion::between(&before, &scene, &mut buffers)?;
            motion.impacts(&query, &mut scratch, &mut impacts)?;
            attack.strike(&scene, &mut impacts)?; // what is left was not hit before
            let now = scene.snapshot(&mut place);
            if let Some(impact) = impacts.first() {
                let part = |node: boxwood::NodeRef| scene.part(node.character, node.part);
                let (at, time) = (impact.on_b.coords, time + (impact.time as f32 - 1.0) / RATE);
                write!(out, "swing {} at {time:.3} s: ", number + 1)?;
                write!(out, "{} meets {} at ", part(impact.a)?.name(), part(impact.b)?.name())?;
                write!(out, "{:.3} {:.3} {:.3}", at.x, at.y, at.z)?;
                if let Some((way, far)) = knockback(&before, &now, impact, &mut scratch)? {
                    write!(
                        out,
                        ", pushed {far:.3} m along {:.3} {:.3} {:.3}",
                        way.x, way.y, way.z
                    )?;
                }
                writeln!(out)?;
            }
            // Only distances less than those of the ticks before are of interest.
            let near = PairQuery::of(red).max_distance(f64::from(nearest));
            if let Some(near) = now.distance(&near, &mut scratch)? {
                nearest = near.distance;
            }
        }
        if attack.struck().is_empty() {
            writeln!(out, "swing {} misses by {nearest:.3} m", number + 1)?;
        }
    }
    Ok(())
}

/// Separation of the struck part from the one that struck it, in a direction near to the latter's
/// motion; `None` if they are apart again at the end of the tick.
fn knockback(
    before: &Scene,
    now: &Snapshot<'_>,
    impact: &Impact,
    scratch: &mut QueryScratch,
) -> Result<Option<(Vector3<f32>, f32)>, Error> {
    let (earlier, later) = (
        before.pose(impact.a.character, impact.a.part)?,
        now.scene().pose(impact.a.character, impact.a.part)?,
    );
    let motion = impact.on_a - earlier * later.inverse_transform_point(&impact.on_a);
    let Some(motion) = Unit::try_new(motion, 1e-6) else { return Ok(None) };
    let (striking, struck) = ([impact.a.part], [impact.b.part]);
    let query = PairQuery::between(impact.a.character, impact.b.character);
    let query = query.parts(&striking, &struck);
    let way = now.separation(&query, &Push::within(motion, 0.5), scratch)?;
    Ok(way.map(|way| (way.normal.into_inner(), way.depth)))
}
