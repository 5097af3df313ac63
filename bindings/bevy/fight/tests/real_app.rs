//! The real app: Bevy reads the file, spawns the scenes and moves the joints; the hits equal those
//! of the library's own sampling at the same times of the clips.

use bevy::animation::AnimationPlayer;
use bevy::ecs::message::Messages;
use bevy::prelude::*;
use bevy_boxwood::boxwood::motion::Joints;
use bevy_boxwood::boxwood::nalgebra::{Isometry3, Vector3};
use bevy_boxwood::boxwood::{Buffers, Hit, Hits, PairQuery, Pose, Scene, Spawn};
use bevy_boxwood::{Boxwood, CharacterProblem, JointNode, PartOf, TouchEnded, TouchPhase, Touched};
use fight::{CLIPS, DISTANCE, FightPlugin, Fighter, Side, headless};

/// Largest difference of two depths [m].
const DEPTH: f32 = 1e-4;

/// Time of a side's player in its clip [s].
fn time(app: &mut App, side: usize) -> f32 {
    let mut players = app.world_mut().query::<(Entity, &AnimationPlayer)>();
    let world = app.world();
    let playing = |(entity, player): (Entity, &AnimationPlayer)| {
        Some((entity, player.playing_animations().next()?.1.seek_time()))
    };
    let all: Vec<(Entity, f32)> = players.iter(world).filter_map(playing).collect();
    assert_eq!(all.len(), 2, "two players play");
    let side_of = |mut entity: Entity| loop {
        if let Some(side) = world.get::<Side>(entity) {
            return side.0;
        }
        entity = world.get::<ChildOf>(entity).expect("below a fighter").parent();
    };
    all.into_iter().find(|&(entity, _)| side_of(entity) == side).expect("a player a side").1
}

/// The library alone, at given times of the clips.
struct ByHand {
    scene: Scene,
    keys: [bevy_boxwood::boxwood::CharacterKey; 2],
    buffers: Buffers,
    hits: Hits,
    joints: Joints<f32>,
}

impl ByHand {
    fn new(app: &App) -> Self {
        let mut scene = Scene::new();
        let model = &app.world().resource::<Fighter>().0.model;
        let keys = [0, 1]
            .map(|order| scene.insert(model, Spawn::default().order(order)).expect("a character"));
        let (buffers, hits, joints) = (Buffers::new(), Hits::new(), Joints::new());
        ByHand { scene, keys, buffers, hits, joints }
    }

    fn hits(&mut self, app: &App, times: [f32; 2]) -> &[Hit] {
        let turned = Vector3::y() * std::f32::consts::PI;
        let places: [Pose; 2] =
            [Pose::identity(), Isometry3::new(Vector3::new(0.0, 0.0, DISTANCE), turned)];
        for side in 0..2 {
            let clip = app.world().resource::<Fighter>().0.clips.get(CLIPS[side]).expect("a clip");
            let joints = clip.sample_looped(times[side], &mut self.joints).expect("a sample");
            self.scene.set_joints(self.keys[side], &places[side], joints).expect("poses");
        }
        let now = self.scene.snapshot(&mut self.buffers);
        now.contacts(&PairQuery::all(), &mut self.hits).expect("a query");
        &self.hits
    }
}

fn drain<M: Message>(app: &mut App) -> Vec<M> {
    app.world_mut().resource_mut::<Messages<M>>().drain().collect()
}

#[test]
fn a_kick_lands_in_the_real_app_as_it_does_without_bevy() {
    let mut app = headless::app(FightPlugin);
    let waited = headless::wait(&mut app).expect("two fighters");
    println!("both fighters were there after {waited} frames");
    joints_are_found_by_node(&mut app);
    let mut by_hand = ByHand::new(&app);
    let (mut frames, mut frames_with_hits, mut most) = (0, 0, 0);
    let (mut begun, mut over, mut foot_on_spine, mut worst) = (0, 0, false, 0.0_f32);
    drain::<Touched>(&mut app);
    drain::<TouchEnded>(&mut app);
    for _ in 0..150 {
        app.update();
        frames += 1;
        let times = [time(&mut app, 0), time(&mut app, 1)];
        let touched: Vec<Touched> = drain(&mut app);
        over += drain::<TouchEnded>(&mut app).len();
        // Drained because messages live two frames.
        assert_eq!(drain::<CharacterProblem>(&mut app), []);
        let expected = by_hand.hits(&app, times);
        let parts: Vec<_> = touched.iter().map(|hit| hit.parts).collect();
        let of_hand: Vec<_> = expected.iter().map(|hit| [hit.a.part, hit.b.part]).collect();
        assert_eq!(parts, of_hand, "frame {frames}, clips at {times:?}");
        for (app, hand) in touched.iter().zip(expected) {
            worst = worst.max((app.depth - hand.depth).abs());
            assert!((app.depth - hand.depth).abs() < DEPTH, "{times:?}: {app:?} {hand:?}");
        }
        frames_with_hits += usize::from(!touched.is_empty());
        most = most.max(touched.len());
        begun += touched.iter().filter(|hit| hit.phase == TouchPhase::Begin).count();
        let boxwood = app.world().resource::<Boxwood>();
        let name = |character, part| boxwood.part_name(PartOf { character, part });
        foot_on_spine |= touched.iter().any(|hit| {
            (name(hit.a, hit.parts[0]), name(hit.b, hit.parts[1])) == ("right_foot", "spine")
        });
    }
    println!(
        "{frames} frames, {frames_with_hits} with hits, {most} at most, {begun} begun, {over} \
         ended, depths differ by {worst:e} at most"
    );
    assert!(frames_with_hits > 3 && most >= 4 && foot_on_spine, "the kick lands");
    assert!(begun > 0 && over > 0 && begun.abs_diff(over) <= most, "begun touches end");
    two_fall(&mut app);
}

/// Checks that Bevy's loader adds node indices, and that each joint is the entity of its node.
fn joints_are_found_by_node(app: &mut App) {
    let world = app.world_mut();
    let roots: Vec<Entity> = world.query_filtered::<Entity, With<Side>>().iter(world).collect();
    let nodes = world.resource::<Fighter>().0.nodes.clone();
    let model = world.resource::<Fighter>().0.model.clone();
    let mut joints = 0;
    for character in roots {
        for (part, node) in model.parts().iter().zip(&nodes) {
            let part = model.part(part.name()).expect("a part");
            let entity = world.resource::<Boxwood>().joint(PartOf { character, part });
            let entity = world.entity(entity.expect("a joint"));
            assert_eq!(entity.get::<JointNode>().map(|node| node.0), *node);
            joints += 1;
        }
    }
    assert_eq!(joints, 2 * model.len());
}

/// Checks that despawning a fighter with its scene keeps the other.
fn two_fall(app: &mut App) {
    let world = app.world_mut();
    let roots: Vec<Entity> = world.query_filtered::<Entity, With<Side>>().iter(world).collect();
    for (index, root) in roots.into_iter().enumerate() {
        app.world_mut().entity_mut(root).despawn();
        app.update();
        assert_eq!(app.world().resource::<Boxwood>().scene().len(), 1 - index);
        assert_eq!(drain::<CharacterProblem>(app), []);
    }
}
