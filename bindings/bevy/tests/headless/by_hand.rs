//! Hits in the app beside those of the same scene in the library alone.

use bevy_boxwood::boxwood::motion::Joints;
use bevy_boxwood::boxwood::{Accuracy, Buffers, Hit, Hits, PairQuery, Pose, Scene, Spawn};
use bevy_boxwood::{TouchSettings, Touched};

use crate::stage::{app, fighter, places, problems, spawn_fighter, step};

/// Hits of the library without Bevy.
fn hits(frame: [&[Pose]; 2], swapped: bool, accuracy: Accuracy) -> Vec<Hit> {
    let mut scene = Scene::new();
    let orders = if swapped { [1, 0] } else { [0, 1] };
    let keys = orders.map(|order| {
        scene.insert(&fighter().model, Spawn::default().order(order)).expect("a character")
    });
    for (key, (at, joints)) in keys.into_iter().zip(places().iter().zip(frame)) {
        scene.set_joints(key, at, joints).expect("poses");
    }
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    now.contacts(&PairQuery::all().accuracy(accuracy), &mut hits).expect("a query");
    hits.to_vec()
}

fn sampled<'a>(clip: &str, frame: usize, joints: &'a mut Joints<f32>) -> &'a [Pose] {
    let clip = fighter().clips.get(clip).expect("a clip");
    clip.sample(frame as f32 / 60.0, joints).expect("a sample")
}

fn assert_same(app: &[Touched], hand: &[Hit], frame: usize) {
    let parts: Vec<_> = app.iter().map(|hit| hit.parts).collect();
    let expected: Vec<_> = hand.iter().map(|hit| [hit.a.part, hit.b.part]).collect();
    assert_eq!(parts, expected, "frame {frame}");
    for (app, hand) in app.iter().zip(hand) {
        assert!((app.depth - hand.depth).abs() < 1e-5, "frame {frame}: {app:?} {hand:?}");
        assert!((app.slack - hand.slack).abs() < 1e-5);
        let off =
            |a: [f32; 3], b: [f32; 3]| (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f32::max);
        assert!(off(app.normal.to_array(), hand.normal.into()) < 1e-3, "{app:?} {hand:?}");
        assert!(off(app.point.to_array(), hand.point.coords.into()) < 1e-3, "{app:?} {hand:?}");
    }
}

/// Plays a kick against a guard; returns the number of hits.
fn play(swapped: bool, accuracy: Accuracy) -> usize {
    let mut app = app();
    app.world_mut().resource_mut::<TouchSettings>().accuracy = accuracy;
    // The character that is spawned first has the lower order.
    let [red_at, blue_at] = places();
    let (mut red, mut blue) = if swapped {
        let blue = spawn_fighter(&mut app, &blue_at);
        (spawn_fighter(&mut app, &red_at), blue)
    } else {
        (spawn_fighter(&mut app, &red_at), spawn_fighter(&mut app, &blue_at))
    };
    let (mut of_red, mut of_blue, mut count) = (Joints::new(), Joints::new(), 0);
    for frame in 0..60 {
        let kick = sampled("kick", frame, &mut of_red);
        let guard = sampled("guard", frame, &mut of_blue);
        red.pose(&mut app, kick);
        blue.pose(&mut app, guard);
        // No lag: the transforms are those set in this very frame.
        let found = step(&mut app);
        let expected = hits([kick, guard], swapped, accuracy);
        assert_same(&found, &expected, frame);
        let [first, second] = if swapped { [blue.root, red.root] } else { [red.root, blue.root] };
        assert!(found.iter().all(|hit| hit.a == first && hit.b == second));
        count += found.len();
    }
    assert_eq!(problems(&mut app), []);
    count
}

#[test]
fn hits_in_the_app_are_those_of_the_scene_by_hand() {
    assert!(play(false, Accuracy::default()) > 5);
}

#[test]
fn swapped_they_are_reversed() {
    assert_eq!(play(true, Accuracy::default()), play(false, Accuracy::default()));
}

#[test]
fn every_accuracy_is_passed_on() {
    let coarse = play(false, Accuracy::Depth(0));
    let exact = play(false, Accuracy::Exact);
    assert!(coarse > exact && exact > 0, "{coarse} at depth 0, {exact} exactly");
}
