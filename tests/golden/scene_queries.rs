//! Pairs, contacts, distances, ray hits and overlaps: exactly, without nodes, and at every
//! accuracy, with them.

use boxwood::nalgebra::Vector3;
use boxwood::scene::{CharacterKey, NodeRef, PairQuery, RayCast, Report, Snapshot};
use boxwood::tree::{Push, ShiftedContact};
use boxwood::{Accuracy, Detail, PartId};

use crate::answers::{AsText, Number};
use crate::buffers::Tools;
use crate::digest::Row;
use crate::random::{Random, plus, point, times};
use crate::test_scenes::{DETAILS, TestScene};

/// Returns the slack, and `true` if the accuracy was reached; no counts.
pub fn reported<T: Number>(report: &Report<T>) -> (T, bool) {
    (report.slack, report.met)
}

/// Returns the queries: all; some against all others; some two; some against themselves.
pub fn questions<T: Number>(stage: &TestScene<T>) -> Vec<(String, PairQuery<'static>)> {
    let keys = &stage.keys;
    let mut asked = vec![("all".to_owned(), PairQuery::all())];
    for at in [0, keys.len() / 2] {
        asked.push((format!("of {at}"), PairQuery::of(keys[at])));
        asked.push((format!("within {at}"), PairQuery::within(keys[at])));
        let next = (at + 1) % keys.len();
        asked.push((format!("between {at} and {next}"), PairQuery::between(keys[at], keys[next])));
        asked.push((format!("between {next} and {at}"), PairQuery::between(keys[next], keys[at])));
    }
    let parts = [0, 3, 5, 7].map(PartId::new);
    let some = PairQuery::between(keys[0], keys[1]).parts(&parts, &parts);
    asked.push(("between some parts of 0 and 1".to_owned(), some));
    asked.push(("all but 1".to_owned(), PairQuery::all().excluding(&keys[1..2])));
    asked
}

/// Returns touching pairs of parts, exactly, and `true` if there are any.
pub fn pairs<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("geometry", "pairs");
    for (name, query) in questions(stage) {
        tools.renew();
        let Tools { buffers, hits, .. } = tools;
        let now = stage.scene.snapshot(buffers);
        let query = query.detail(Detail::DeepestBoxes).accuracy(Accuracy::Exact);
        let any = now.intersects(&query, hits.scratch());
        let report = now.pairs(&query, hits).map(|report| report.met);
        let pairs = hits.pairs().iter().map(|(a, b)| (stage.part(a), stage.part(b)));
        row.ask(name, (any, report, pairs.collect::<Vec<_>>()).said());
    }
    row
}

/// Returns hits with their nodes and contacts, at each accuracy and detail.
pub fn contacts<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Vec<Row> {
    let mut accuracies = stage.accuracies();
    accuracies.push(("budget", Accuracy::Budget(40)));
    accuracies.push(("large_budget", Accuracy::Budget(2000)));
    let rows = accuracies.into_iter().enumerate().map(|(at, (which, accuracy))| {
        let mut row = stage.row("volumes", &format!("contacts_{which}"));
        tools.renew();
        // A third of the queries each, since the exact ones take long.
        for (name, query) in questions(stage).into_iter().skip(at % 3).step_by(3) {
            for (detail_name, detail) in DETAILS {
                let query = query.clone().detail(detail).accuracy(accuracy);
                row.ask(format!("{name}, {detail_name}"), touching(stage, tools, &query));
            }
        }
        row
    });
    rows.collect()
}

/// Returns the contacts of bodies, at each accuracy.
pub fn body_contacts<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("volumes", "contacts_bodies");
    tools.renew();
    let mut accuracies = stage.accuracies();
    accuracies.push(("budget", Accuracy::Budget(2000)));
    for (at, (which, accuracy)) in accuracies.into_iter().enumerate() {
        for (name, query) in questions(stage).into_iter().skip(at % 3).step_by(3) {
            let query = query.accuracy(accuracy);
            let said = touching(stage, tools, &query);
            let measured: Vec<_> = tools.hits.iter().map(|hit| hit.measured).collect();
            row.ask(format!("{name}, {which}"), (said, measured).said());
        }
    }
    row
}

fn touching<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>, query: &PairQuery) -> String {
    let Tools { buffers, hits, .. } = tools;
    let now = stage.scene.snapshot(buffers);
    let any = now.intersects(query, hits.scratch());
    let of_pairs = now.pairs(query, hits).map(|report| reported(&report));
    let pairs = hits.pairs().iter().map(|(a, b)| (stage.node(a), stage.node(b)));
    let pairs: Vec<_> = pairs.collect();
    let report = now.contacts(query, hits).map(|report| reported(&report));
    let contact = |hit: &boxwood::scene::Hit<T>| {
        let at = (hit.point, hit.point_error, hit.normal, hit.depth, hit.slack);
        (stage.node(&hit.a), stage.node(&hit.b), at)
    };
    let contacts: Vec<_> = hits.iter().map(contact).collect();
    (any, of_pairs, report, contacts, pairs).said()
}

/// Returns separations and casts of some two characters.
pub fn separations<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("volumes", "separations");
    tools.renew();
    let Tools { buffers, hits, .. } = tools;
    let now = stage.scene.snapshot(buffers);
    let axis = Vector3::<T>::y_axis;
    let pushes = [Push::least().bounded(), Push::across(axis()), Push::within(axis(), 0.5)];
    for (a, b) in couples(stage).into_iter().take(6) {
        let query = PairQuery::between(stage.keys[a], stage.keys[b]);
        for (at, push) in pushes.iter().enumerate() {
            let way = now.separation(&query, push, hits.scratch());
            let way = way.map(|way| {
                way.map(|way| {
                    let numbers =
                        (way.normal.x, way.normal.y, way.normal.z, way.depth, way.at_least);
                    (stage.node(&way.a), stage.node(&way.b), numbers, (way.on_a, way.on_b))
                })
            });
            row.ask(format!("push {at} of {a} and {b}"), way.said());
        }
        let by = Vector3::new(T::nearest(3.0), T::nearest(-0.5), T::nearest(1.0));
        let met = now.cast(&query, by, hits.scratch()).map(|met| {
            met.map(|met| (stage.node(&met.a), stage.node(&met.b), met.shift, met.on_a, met.on_b))
        });
        row.ask(format!("cast of {a} and {b}"), met.said());
    }
    row
}

/// Returns everything that some characters touch on their way: of all others, and of one.
pub fn passages<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("volumes", "passages");
    tools.renew();
    let Tools { buffers, hits, .. } = tools;
    let (now, mut passages) = (stage.scene.snapshot(buffers), Vec::new());
    for (a, b) in couples(stage).into_iter().take(6) {
        let [x, y, z] = [[3.0, -0.5, 1.0], [-0.25, 0.0, 0.5]][(a + b) % 2].map(T::nearest);
        let way = Vector3::new(x, y, z);
        let queries = [
            (format!("of {a}"), PairQuery::of(stage.keys[a])),
            (format!("of {a} and {b}"), PairQuery::between(stage.keys[a], stage.keys[b])),
        ];
        for (name, query) in queries {
            let done = now.cast_all(&query, way, hits.scratch(), &mut passages);
            let contact = |met: &ShiftedContact<T, NodeRef>| {
                (stage.node(&met.a), stage.node(&met.b), met.shift, met.on_a, met.on_b)
            };
            let all =
                passages.iter().map(|one| (contact(&one.first), one.last.as_ref().map(contact)));
            row.ask(
                format!("{name} by {}", way.said()),
                (done.is_ok(), all.collect::<Vec<_>>()).said(),
            );
        }
    }
    row
}

/// Returns the pairs of characters of the distance queries.
fn couples<T: Number>(stage: &TestScene<T>) -> Vec<(usize, usize)> {
    let count = stage.keys.len();
    let all = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
    all.filter(|(a, b)| (a * 7 + b * 3) % 4 == 0 || count < 5).take(28).collect()
}

fn apart<T: Number>(stage: &TestScene<T>, (a, b): (usize, usize)) -> PairQuery<'static> {
    // Some have only a few parts, which are further apart than the nearest.
    let some = |from: usize| (0..8).step_by(3).map(|at| PartId::new(from + at)).collect::<Vec<_>>();
    let [first, second] = [some(1), some(2)];
    match a == b {
        true => PairQuery::within(stage.keys[a]),
        false if (a + b) % 2 == 1 => {
            PairQuery::between(stage.keys[a], stage.keys[b]).parts(&first, &second)
        }
        false => PairQuery::between(stage.keys[a], stage.keys[b]),
    }
}

/// Returns distances of characters, exactly, and closest points in another row.
pub fn distances<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> [Row; 2] {
    let mut rows = ["distances", "distances_where"].map(|kind| stage.row("geometry", kind));
    tools.renew();
    for couple in couples(stage) {
        for max_distance in [f64::INFINITY, 0.5 * stage.length] {
            let Tools { buffers, hits, .. } = &mut *tools;
            let now = stage.scene.snapshot(buffers);
            let apart = apart(stage, couple).accuracy(Accuracy::Exact).max_distance(max_distance);
            let found = now.distance(&apart, hits.scratch()).expect("a sound question");
            let question = format!("{couple:?}, no further than {max_distance}");
            rows[0].ask(question.as_str(), found.map(|found| found.distance).said());
            let place = found
                .map(|found| (stage.part(&found.a), stage.part(&found.b), found.on_a, found.on_b));
            rows[1].ask(question, place.said());
        }
    }
    rows
}

/// Returns the same distances at every accuracy, with nodes and slack.
pub fn rough_distances<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("volumes", "distances");
    tools.renew();
    for (which, accuracy) in stage.accuracies() {
        for couple in couples(stage).into_iter().step_by(3) {
            let Tools { buffers, hits, .. } = &mut *tools;
            let now = stage.scene.snapshot(buffers);
            let apart = apart(stage, couple).accuracy(accuracy).max_distance(f64::INFINITY);
            let found = now.distance(&apart, hits.scratch()).map(|found| {
                found.map(|found| {
                    let of = (stage.node(&found.a), stage.node(&found.b));
                    (of, found.distance, found.on_a, found.on_b, found.slack)
                })
            });
            row.ask(format!("{couple:?} at {which}"), found.said());
        }
    }
    row
}

/// Returns broad-phase pairs, and the AABBs.
pub fn near<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("volumes", "near");
    tools.renew();
    let now = stage.scene.snapshot(&mut tools.buffers);
    let of = |key: CharacterKey| stage.character(key);
    let near: Vec<_> = now.broad_phase_pairs().map(|(a, b)| (of(a), of(b))).collect();
    row.ask("characters", near.said());
    for couple in couples(stage) {
        let [a, b] = [stage.keys[couple.0], stage.keys[couple.1]];
        let parts = now.part_aabb_pairs(a, b).expect("keys");
        let parts: Vec<_> = parts.map(|(a, b)| (a.index(), b.index())).collect();
        row.ask(format!("parts of {couple:?}"), parts.said());
    }
    for (at, &key) in stage.keys.iter().enumerate() {
        row.ask(format!("boxes of {at}"), boxes(&now, key, stage));
    }
    row
}

fn boxes<T: Number>(now: &Snapshot<'_, T>, key: CharacterKey, stage: &TestScene<T>) -> String {
    let parts = stage.scene.model(key).expect("a key").parts();
    let ids = (0..parts.len()).map(PartId::new);
    let aligned = ids.clone().map(|part| now.part_aabb(key, part));
    let oriented = ids.filter(|part| parts[part.index()].tree().is_some()).map(|part| {
        let node_ref = boxwood::NodeRef { character: key, part, node: boxwood::NodeId::ROOT };
        now.node_obb(node_ref)
    });
    (now.character_aabb(key), aligned.collect::<Vec<_>>(), oriented.collect::<Vec<_>>()).said()
}

/// Returns the same answers after all characters moved and returned, among others that were
/// inserted and removed.
pub fn rewound<T: Number>(
    stage: &TestScene<T>,
    (accuracy, group): (Accuracy, &'static str),
    tools: &mut Tools<T>,
) -> Row {
    let mut row = stage.row(group, "rewound");
    tools.renew();
    let mut scene = stage.scene.clone();
    let mut ask = |scene: &boxwood::scene::Scene<T>, when: &str| {
        let Tools { buffers, hits, .. } = &mut *tools;
        let now = scene.snapshot(buffers);
        now.pairs(&PairQuery::all().detail(Detail::DeepestBoxes).accuracy(accuracy), hits)
            .expect("asked");
        let part = |node_ref: &boxwood::NodeRef| (now_at(stage, node_ref), node_ref.part.index());
        let pairs: Vec<_> = hits.pairs().iter().map(|(a, b)| (part(a), part(b))).collect();
        row.ask(format!("{when}, {accuracy:?}"), pairs.said());
    };
    ask(&scene, "before");
    let saved: Vec<_> =
        stage.keys.iter().map(|&key| scene.poses(key).expect("a key").to_vec()).collect();
    for (at, (&key, poses)) in stage.keys.iter().zip(&saved).enumerate() {
        let mut poses = poses.clone();
        let away = times([1.0, 0.5, -0.25], stage.length * at as f64);
        poses.iter_mut().for_each(|pose| {
            pose.translation.vector += crate::random::vector::<T>(away);
        });
        scene.set_parts(key, &poses).expect("poses");
    }
    ask(&scene, "elsewhere");
    for (&key, poses) in stage.keys.iter().zip(&saved) {
        scene.set_parts(key, poses).expect("poses");
    }
    ask(&scene, "rewound");
    let model = scene.model(stage.keys[0]).expect("a key").clone();
    let guest = scene.insert(&model, boxwood::scene::Spawn::default()).expect("room");
    ask(&scene, "with a guest");
    scene.remove(guest).expect("a key");
    scene.remove(stage.keys[1]).expect("a key");
    ask(&scene, "without the second");
    row
}

/// Returns the number of a character, including one that is not in the stage.
fn now_at<T: Number>(stage: &TestScene<T>, node_ref: &boxwood::NodeRef) -> usize {
    stage.keys.iter().position(|&key| key == node_ref.character).unwrap_or(stage.keys.len())
}

/// Draws rays around the spots: with and without an end, through the middle and past.
pub fn casts<T: Number>(stage: &TestScene<T>, seed: u64, count: usize) -> Vec<RayCast<T>> {
    let mut random = Random(seed);
    let mut cast = |at: usize| {
        let (spot, far) = stage.spot(at);
        let reach = if at.is_multiple_of(3) { 0.3 } else { 2.0 };
        let from = plus(spot, times(random.direction(), reach * far));
        let to = plus(spot, times(random.inside(0.3), far));
        let ray = boxwood::shape::Ray::through(point(from), point(to));
        let length = random.chance(0.4).then(|| T::nearest(far * random.between(0.1, 2.0)));
        let mut cast = RayCast::from(ray.expect("two points").expect("two points"));
        cast.max_length = length;
        cast
    };
    (0..count).map(&mut cast).collect()
}
