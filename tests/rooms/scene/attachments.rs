//! Held characters: their poses for every order of moves, the tests between them and others, and
//! that a refused call changes nothing.

use boxwood::scene::{Buffers, CharacterKey, Hits, OwnedSnapshot, QueryScratch, Scene, Spawn};
use boxwood::shape::Pose;
use boxwood::{Accuracy, Build, Error, Geometry, Model, NodeRef, PairQuery, PartId, Push};
use nalgebra::Translation3;

use super::brute_force::{crowd, random_model};
use support::brute_force::BruteForceCharacter;
use support::prelude::*;

fn near<T: Scalar>(random: &mut Random, far: f64) -> Pose<T> {
    let at = times(random.direction(), random.between(0.0, far));
    turned(random, at)
}

fn places<T: Scalar>(scene: &Scene<T>) -> Vec<(CharacterKey, Vec<Pose<T>>, Pose<T>)> {
    let of =
        |key| (key, scene.poses(key).expect("a key").to_vec(), scene.root(key).expect("a key"));
    scene.keys().map(of).collect()
}

/// A hand, a sword in it, a gem on the sword, and a shield in the other hand.
struct Armed<T: Scalar> {
    scene: Scene<T>,
    knight: CharacterKey,
    held: [(CharacterKey, usize, PartId, Pose<T>); 3],
}

fn armed<T: Scalar>(random: &mut Random) -> Armed<T> {
    let mut scene = Scene::new();
    let mut insert = |random: &mut Random| {
        let model = random_model::<T>(random);
        scene.insert(&model, Spawn::at(near(random, 3.0))).expect("a character")
    };
    let keys = [0; 4].map(|_| insert(random));
    let [knight, sword, gem, shield] = keys;
    if random.chance(0.3) {
        let parts: Vec<_> = scene.poses(sword).expect("a key").to_vec();
        scene.set_parts(sword, &parts).expect("poses");
    }
    let mut held = [(sword, 0), (gem, 1), (shield, 0)].map(|(key, holder)| {
        let parts = scene.model(keys[holder]).expect("a key").len();
        (key, holder, PartId::new(random.below(parts)), near(random, 1.0))
    });
    // Attached in any order.
    held.rotate_left(random.below(3));
    for (key, holder, part, offset) in held {
        scene.attach(key, keys[holder], part, &offset, &[]).expect("a free hand");
    }
    held.sort_by_key(|held| held.0 != sword);
    Armed { scene, knight, held }
}

/// Compares held characters with a scene without attachments, placed by [`Scene::set_root`].
fn check<T: Scalar>(armed: &Armed<T>, twin: &mut Scene<T>) {
    let Armed { scene, knight, held } = armed;
    twin.set_parts(*knight, scene.poses(*knight).expect("a key")).expect("poses");
    let keys = [*knight, held[0].0];
    for &(key, holder, part, offset) in held {
        let holder = *[keys[0], keys[1]].get(holder).expect("knight or sword");
        let root = twin.pose(holder, part).expect("a part") * offset;
        twin.set_root(key, &root).expect("a pose");
        assert_eq!(scene.poses(key), twin.poses(key));
        assert_eq!(scene.root(key), Ok(root));
        let by = scene.attachment(key).expect("a key").expect("held");
        assert_eq!((by.holder, by.part, by.offset), (holder, part, offset));
    }
}

fn follow<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for _ in 0..at_least(500, 60) {
        let mut armed = armed::<T>(&mut random);
        let mut twin = armed.scene.clone();
        armed.held.iter().for_each(|held| twin.detach(held.0).expect("a key"));
        check(&armed, &mut twin);
        for _ in 0..6 {
            let (Armed { scene, knight, held }, to) = (&mut armed, near(&mut random, 4.0));
            let model = scene.model(*knight).expect("a key").clone();
            let joints: Vec<_> = (0..model.len()).map(|_| near(&mut random, 1.0)).collect();
            match random.below(4) {
                0 => scene.set_root(*knight, &to).expect("a pose"),
                1 => scene.set_joints(*knight, &to, &joints).expect("poses"),
                2 => scene.set_parts(*knight, &joints).expect("poses"),
                _ => {
                    let key = held[random.below(3)].0;
                    let parts = scene.model(key).expect("a key").len();
                    let joints: Vec<_> = (0..parts).map(|_| near(&mut random, 1.0)).collect();
                    scene.move_joints(key, &joints).expect("poses");
                    let root = scene.root(key).expect("a key");
                    twin.set_joints(key, &root, &joints).expect("poses");
                }
            }
            check(&armed, &mut twin);
        }
        // A detached character stays where it is, and the characters it holds move with it.
        let Armed { mut scene, knight, held } = armed;
        let before = places(&scene);
        scene.detach(held[0].0).expect("a key");
        scene.detach(held[0].0).expect("twice changes nothing");
        assert_eq!(before, places(&scene));
        let gem = held.iter().find(|held| held.1 == 1).expect("the gem").0;
        let stood = scene.root(gem).expect("a key");
        scene.set_root(knight, &near(&mut random, 9.0)).expect("a pose");
        assert_eq!(scene.root(gem), Ok(stood));
        scene.set_root(held[0].0, &near(&mut random, 9.0)).expect("it is free");
        assert_ne!(scene.root(gem), Ok(stood));
    }
}

#[test]
fn poses_do_not_depend_on_the_order_of_moves() {
    let mut random = Random(803);
    for _ in 0..at_least(500, 60) {
        let Armed { scene, knight, held } = armed::<f32>(&mut random);
        let [to, joints]: [Vec<_>; 2] =
            [3, 9].map(|count| (0..count).map(|_| near::<f32>(&mut random, 2.0)).collect());
        let sword = held[0].0;
        let parts = scene.model(sword).expect("a key").len();
        let root = |scene: &mut Scene<f32>| scene.set_root(knight, &to[0]).expect("a pose");
        let own = |scene: &mut Scene<f32>| {
            scene.move_joints(sword, &joints[..parts]).expect("poses");
        };
        let [mut one, mut other] = [scene.clone(), scene.clone()];
        root(&mut one);
        own(&mut one);
        own(&mut other);
        root(&mut other);
        // Poses do not depend on the number of moves either.
        other.set_root(knight, &to[1]).expect("a pose");
        other.set_root(knight, &to[0]).expect("a pose");
        assert_eq!(places(&one), places(&other));
    }
}

#[test]
fn refused_calls_change_nothing() {
    let mut random = Random(804);
    let Armed { mut scene, knight, held } = armed::<f32>(&mut random);
    let (sword, part, at) = (held[0].0, PartId::new(0), Isometry3::identity());
    let gem = held.iter().find(|held| held.1 == 1).expect("the gem").0;
    let before = places(&scene);
    let joints = scene.model(sword).expect("a key").bind_poses();
    assert_eq!(scene.set_root(sword, &at), Err(Error::Held));
    assert_eq!(scene.set_joints(sword, &at, &joints), Err(Error::Held));
    assert_eq!(scene.set_parts(sword, &joints), Err(Error::Held));
    for (held, holder) in [(sword, sword), (knight, sword), (knight, gem), (sword, gem)] {
        assert_eq!(scene.attach(held, holder, part, &at, &[]), Err(Error::HoldsItself));
    }
    let far = PartId::new(99);
    for (part, touching) in [(far, part), (part, far)] {
        let found = scene.attach(gem, knight, part, &at, &[touching]);
        assert!(matches!(found, Err(Error::IndexOutOfRange { field: "part", .. })), "{found:?}");
    }
    for x in [f32::NAN, f32::INFINITY, 2e30] {
        let bad = Isometry3::translation(x, 0.0, 0.0);
        assert!(scene.attach(gem, knight, part, &bad, &[]).is_err());
        assert!(scene.set_root(knight, &bad).is_err());
    }
    let mut other = Scene::<f32>::new();
    let stranger =
        other.insert(scene.model(knight).expect("a key"), Spawn::default()).expect("one");
    assert_eq!(scene.attach(stranger, knight, part, &at, &[]), Err(Error::ForeignKey));
    assert_eq!(scene.attach(sword, stranger, part, &at, &[]), Err(Error::ForeignKey));
    assert_eq!(scene.detach(stranger), Err(Error::ForeignKey));
    // Only the held character would be out of range.
    let arm = Isometry3::translation(9e29, 0.0, 0.0);
    let shield = held.iter().find(|held| held.1 == 0 && held.0 != sword).expect("a shield").0;
    let way = Isometry3::translation(9e29, 0.0, 0.0);
    let mut wide = scene.clone();
    wide.set_root(knight, &Isometry3::identity()).expect("a pose");
    if wide.attach(shield, knight, part, &arm, &[]).is_ok() {
        let before = places(&wide);
        let root = Isometry3::from_parts(Translation3::from(way.translation), before[0].2.rotation);
        assert!(matches!(wide.set_root(knight, &root), Err(Error::OutOfRange { .. })));
        let joints = wide.model(knight).expect("a key").bind_poses();
        assert!(matches!(wide.set_joints(knight, &root, &joints), Err(Error::OutOfRange { .. })));
        assert_eq!(before, places(&wide));
    }
    assert_eq!(before, places(&scene));
    assert_eq!(Error::Held.to_string(), "the character is attached to another and moves with it");
}

#[test]
fn removing_a_holder_or_a_held_character_removes_its_attachments() {
    let mut random = Random(805);
    let Armed { mut scene, knight, held } = armed::<f64>(&mut random);
    let (sword, gem) = (held[0].0, held.iter().find(|held| held.1 == 1).expect("the gem").0);
    let stood = scene.poses(sword).expect("a key").to_vec();
    scene.remove(knight).expect("a key");
    assert_eq!(scene.attachment(knight), Err(Error::StaleKey));
    assert_eq!(scene.attachment(sword), Ok(None));
    assert_eq!(scene.poses(sword), Ok(&stood[..]));
    assert!(scene.held_by(sword).expect("a key").eq([gem]));
    scene.remove(gem).expect("a key");
    assert_eq!(scene.held_by(sword).expect("a key").count(), 0);
    // Another character takes the slot, without an attachment.
    let model = random_model(&mut random);
    let next = scene.insert(&model, Spawn::default()).expect("one");
    assert_eq!(scene.attachment(next), Ok(None));
    scene.set_root(next, &Pose::identity()).expect("free");
    assert!(!scene.is_ignored((sword, PartId::new(0)), next).expect("keys"));
}

fn touching_pairs<T: Scalar>(scene: &Scene<T>, query: &PairQuery<'_>) -> Vec<(NodeRef, NodeRef)> {
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    now.pairs(query, &mut hits).expect("a query");
    assert_eq!(now.intersects(query, hits.scratch()), Ok(!hits.pairs().is_empty()));
    hits.pairs().to_vec()
}

/// A crowd in which one character holds two others, one of which holds a fourth; some parts are
/// touch parts.
struct Group {
    scene: Scene<f32>,
    keys: Vec<CharacterKey>,
    members: [CharacterKey; 4],
    touching: Vec<(CharacterKey, PartId, CharacterKey)>,
}

fn group(random: &mut Random, far: f64) -> Group {
    let (mut scene, roster) = crowd::<f32>(random, 8, far);
    let keys: Vec<_> = roster.iter().map(|one: &BruteForceCharacter| one.key).collect();
    let members = [keys[0], keys[1], keys[2], keys[3]];
    let mut touching = Vec::new();
    for (held, holder) in [(1, 0), (2, 1), (3, 0)] {
        let parts = scene.model(keys[holder]).expect("a key").len();
        let mut chosen = || PartId::new(random.below(parts));
        let (part, others) = (chosen(), [chosen(), chosen()]);
        let offset = near(random, 0.7);
        scene.attach(keys[held], keys[holder], part, &offset, &others).expect("free");
        let all = [part].into_iter().chain(others);
        touching.extend(all.map(|part| (keys[holder], part, keys[held])));
    }
    Group { scene, keys, members, touching }
}

impl Group {
    fn may_touch(&self, a: NodeRef, b: NodeRef) -> bool {
        let is =
            |x: NodeRef, y: NodeRef| self.touching.contains(&(x.character, x.part, y.character));
        is(a, b) || is(b, a)
    }

    fn has(&self, node: NodeRef) -> bool {
        self.members.contains(&node.character)
    }

    /// Scene of the same poses without attachments; the test leaves out pairs that may touch.
    fn freed(&self) -> Scene<f32> {
        let mut free = self.scene.clone();
        self.members.iter().for_each(|&key| free.detach(key).expect("a key"));
        assert_eq!(places(&free), places(&self.scene));
        free
    }
}

#[test]
fn held_characters_are_tested_against_all_but_touch_parts() {
    let mut random = Random(806);
    let (mut left_out, mut counts) = (0, [0; 3]);
    for _ in 0..at_least(200, 30) {
        let group = group(&mut random, 2.5);
        let free = group.freed();
        for accuracy in [Accuracy::Depth(0), Accuracy::Depth(3), Accuracy::Exact] {
            let all = PairQuery::all().accuracy(accuracy);
            let mut expected = touching_pairs(&free, &all);
            let every = expected.len();
            expected.retain(|&(a, b)| !group.may_touch(a, b));
            left_out += every - expected.len();
            assert_eq!(touching_pairs(&group.scene, &all), expected);
            // Group query: pairs with characters outside the group, the group first.
            let of = |query: PairQuery<'static>| {
                let mut pairs = touching_pairs(&group.scene, &query.accuracy(accuracy));
                pairs.sort();
                pairs
            };
            let first = |(a, b): (NodeRef, NodeRef)| if group.has(a) { (a, b) } else { (b, a) };
            let is_mixed = |&(a, b): &(NodeRef, NodeRef)| group.has(a) != group.has(b);
            let mut outward: Vec<_> =
                expected.iter().copied().filter(is_mixed).map(first).collect();
            outward.sort();
            assert_eq!(of(PairQuery::of(group.keys[0]).with_held()), outward);
            let alone =
                |query: PairQuery<'static>| touching_pairs(&free, &query.accuracy(accuracy));
            let mut within: Vec<_> =
                expected.iter().copied().filter(|&(a, b)| group.has(a) && group.has(b)).collect();
            for &key in &group.members {
                within.extend(alone(PairQuery::within(key)));
            }
            within.sort();
            assert_eq!(of(PairQuery::within(group.keys[0]).with_held()), within);
            let other = group.keys[5];
            let mut between: Vec<_> = outward.clone();
            between.retain(|(_, b)| b.character == other);
            assert_eq!(of(PairQuery::between(group.keys[0], other).with_held()), between);
            // A held character's own group: the second and third against the first and fourth.
            let mine = [group.keys[1], group.keys[2]];
            let two = |&(a, b): &(NodeRef, NodeRef)| {
                group.has(a)
                    && group.has(b)
                    && mine.contains(&a.character) != mine.contains(&b.character)
            };
            let mut split: Vec<_> = expected.iter().copied().filter(two).collect();
            split.iter_mut().for_each(|pair| {
                if !mine.contains(&pair.0.character) {
                    *pair = (pair.1, pair.0);
                }
            });
            split.sort();
            assert_eq!(of(PairQuery::between(mine[0], group.keys[0]).with_held()), split);
            counts[0] += outward.len();
            counts[1] += within.len();
            counts[2] += split.len();
        }
    }
    println!("{left_out} pairs left out, {counts:?} of groups");
    assert!(left_out > 100 && counts.iter().all(|&count| count > 100));
}

#[test]
fn distances_separations_and_casts_include_held_characters() {
    let mut random = Random(807);
    let mut scratch = QueryScratch::new();
    let (mut apart, mut met, mut parted) = (0, 0, 0);
    for round in 0..at_least(200, 30) {
        let mut group = group(&mut random, 2.5);
        if round % 2 == 1 {
            // The holder leaves the crowd with the characters it holds.
            let aside = Translation3::from(times(random.direction(), 7.0).map(|x| x as f32));
            let root = aside * group.scene.root(group.keys[0]).expect("a key");
            group.scene.set_root(group.keys[0], &root).expect("a pose");
        }
        let mut buffers = Buffers::new();
        let now = group.scene.snapshot(&mut buffers);
        let others: Vec<_> =
            group.keys.iter().copied().filter(|key| !group.members.contains(key)).collect();
        let pairs = || group.members.iter().flat_map(|&a| others.iter().map(move |&b| (a, b)));
        let as_one = PairQuery::of(group.keys[0]).with_held();
        let found = now.distance(&as_one, &mut scratch).expect("a query");
        let each = pairs().filter_map(|(a, b)| {
            now.distance(&PairQuery::between(a, b), &mut scratch).expect("a query")
        });
        let least = each.map(|one| one.distance).fold(f32::INFINITY, f32::min);
        // No distance where all characters rest.
        assert_eq!(found.map_or(f32::INFINITY, |found| found.distance), least);
        assert!(found.is_none_or(|found| group.has(found.a) && !group.has(found.b)));
        apart += usize::from(least > 0.0 && least.is_finite());

        let way = Vector3::from(times(random.direction(), 4.0).map(|x| x as f32));
        let found = now.cast(&as_one, way, &mut scratch).expect("a query");
        let each = pairs().filter_map(|(a, b)| {
            now.cast(&PairQuery::between(a, b), way, &mut scratch).expect("a query")
        });
        let least = each.map(|one| one.shift).fold(f32::INFINITY, f32::min);
        assert_eq!(found.map_or(f32::INFINITY, |found| found.shift), least);
        met += usize::from(least.is_finite());

        let other = others[0];
        let two = PairQuery::between(other, group.keys[0]).with_held();
        let push = Push::least();
        let Some(found) = now.separation(&two, &push, &mut scratch).expect("a query") else {
            continue;
        };
        // The holder moves, and all held characters with it.
        let mut moved = group.scene.clone();
        let by = found.normal.into_inner() * (found.depth * 1.0001 + 1e-4);
        let poses: Vec<_> = moved.poses(group.keys[0]).expect("a key").to_vec();
        let there: Vec<_> = poses.iter().map(|pose| Translation3::from(by) * pose).collect();
        moved.set_parts(group.keys[0], &there).expect("poses");
        assert_eq!(touching_pairs(&moved, &two.clone().accuracy(Accuracy::Exact)), []);
        let swapped = PairQuery::between(group.keys[0], other).with_held();
        let back = now.separation(&swapped, &push, &mut scratch).expect("a query");
        assert_eq!(back, Some(found.reversed()));
        parted += 1;
    }
    println!("{apart} apart, {met} met on the way, {parted} taken apart");
    assert!(apart > 5 && met > 10 && parted > 5);
}

#[test]
fn chosen_parts_exclude_held_characters() {
    let group = group(&mut Random(808), 2.5);
    let mut buffers = Buffers::new();
    let now = group.scene.snapshot(&mut buffers);
    let part = [PartId::new(0)];
    let query = PairQuery::of(group.keys[0]).with_held().parts(&part, &part);
    let found = now.intersects(&query, &mut QueryScratch::new());
    assert!(matches!(found, Err(Error::BadQuery { .. })), "{found:?}");
}

#[test]
fn clones_and_owned_snapshots_have_the_attachments_of_the_scene() {
    let mut random = Random(809);
    let group = group(&mut random, 2.5);
    let (knight, mut scene) = (group.keys[0], group.scene);
    let steps: Vec<_> = (0..8).map(|_| near::<f32>(&mut random, 2.0)).collect();
    let play = |scene: &mut Scene<f32>, from: usize| -> Vec<_> {
        let step = |at| {
            scene.set_root(knight, at).expect("a pose");
            (places(scene), touching_pairs(scene, &PairQuery::all()))
        };
        steps[from..].iter().map(step).collect()
    };
    let start = scene.clone();
    let first = play(&mut scene, 0);
    // Back to the third step, by a clone and by a copy into the storage of another scene.
    let mut middle = start.clone();
    let _ = play(&mut middle, 7);
    middle.clone_from(&start);
    assert_eq!(play(&mut middle, 0), first);
    let mut owned = OwnedSnapshot::new(&start);
    owned.update(&scene);
    scene.set_root(knight, &steps[0]).expect("a pose");
    let mut hits = Hits::new();
    owned.snapshot().pairs(&PairQuery::all(), &mut hits).expect("a query");
    assert_eq!(hits.pairs(), first[7].1);
    // A detachment in between is undone by the clone.
    let before = scene.clone();
    scene.detach(group.keys[1]).expect("a key");
    assert_ne!(play(&mut scene, 1), first[1..]);
    assert_eq!(play(&mut before.clone(), 1), first[1..]);
}

/// Model of a cube of half a metre.
fn cube() -> std::sync::Arc<Model> {
    let cube = upright_solid([-0.5; 3], [0.5; 3]);
    let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    parts.part("other", None, Geometry::Boxes(vec![cube])).build(&Build::default()).expect("cubes")
}

#[test]
fn a_held_character_rests_with_its_holder() {
    let (model, part) = (cube(), PartId::new(0));
    let mut scene = Scene::new();
    let rock = scene.insert(&model, Spawn::default().at_rest(true)).expect("one");
    let sword = scene.insert(&model, Spawn::default().at_rest(true)).expect("one");
    let gem = scene.insert(&model, Spawn::default().at_rest(true)).expect("one");
    let knight = scene.insert(&model, Spawn::default()).expect("one");
    let touch =
        |scene: &Scene<f32>, a, b| !touching_pairs(scene, &PairQuery::between(a, b)).is_empty();
    assert!(!touch(&scene, sword, rock));
    scene.attach(gem, sword, part, &Isometry3::identity(), &[]).expect("free");
    assert!(!touch(&scene, gem, rock)); // held by a character at rest
    scene.attach(sword, knight, part, &Isometry3::identity(), &[]).expect("free");
    assert!(touch(&scene, sword, rock) && touch(&scene, gem, rock));
    scene.set_at_rest(knight, true).expect("a key");
    assert!(!touch(&scene, sword, rock) && !touch(&scene, gem, rock));
    scene.set_at_rest(gem, false).expect("a key"); // set for the gem alone
    assert!(touch(&scene, gem, rock) && !touch(&scene, sword, rock));
}

#[test]
fn only_the_holding_part_is_a_touch_part_by_default() {
    let model = cube();
    let (part, other) = (PartId::new(0), PartId::new(1));
    let mut scene = Scene::new();
    let [robot, mug] = [0, 1].map(|_| scene.insert(&model, Spawn::default()).expect("one"));
    let among = |scene: &Scene<f32>| touching_pairs(scene, &PairQuery::between(robot, mug)).len();
    assert_eq!(among(&scene), 4);
    scene.attach(mug, robot, part, &Isometry3::identity(), &[]).expect("free");
    assert_eq!(among(&scene), 2);
    scene.attach(mug, robot, part, &Isometry3::identity(), &[other]).expect("again");
    assert_eq!(among(&scene), 0);
    assert!(scene.is_ignored((robot, other), mug).expect("keys"));
    scene.attach(mug, robot, other, &Isometry3::identity(), &[]).expect("again");
    assert_eq!(among(&scene), 2);
    // Pairs ignored by the caller stay ignored after detaching.
    scene.set_ignored((robot, other), (mug, part), true).expect("keys");
    scene.detach(mug).expect("a key");
    assert_eq!(among(&scene), 3);
    assert_eq!(scene.ignored_pairs().count(), 1);
}

#[test]
fn warm_moves_do_not_allocate() {
    let mut group = group(&mut Random(810), 2.5);
    let joints = group.scene.model(group.keys[2]).expect("a key").bind_poses();
    let parts = group.scene.poses(group.keys[0]).expect("a key").to_vec();
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let mut round = |scene: &mut Scene<f32>| {
        for step in 0..10 {
            let at = Isometry3::translation(0.1 * step as f32, 0.0, 0.0);
            scene.set_root(group.keys[0], &at).expect("a pose");
            scene.move_joints(group.keys[2], &joints).expect("poses");
            scene.set_parts(group.keys[0], &parts).expect("poses");
            scene.set_at_rest(group.keys[0], step % 2 == 0).expect("a key");
            let now = scene.snapshot(&mut buffers);
            let of = PairQuery::of(group.keys[0]).with_held();
            let within = PairQuery::within(group.keys[0]).with_held();
            for query in [PairQuery::all(), of.clone(), within.clone()] {
                now.contacts(&query, &mut hits).expect("a query");
                now.distance(&query, hits.scratch()).expect("a query");
            }
            now.separation(&of, &Push::least(), hits.scratch()).expect("a query");
        }
    };
    let first = allocation_counter::measure(|| round(&mut group.scene));
    let second = allocation_counter::measure(|| round(&mut group.scene));
    assert!(first.count_total > 0, "the counter counts nothing");
    println!("{} allocations cold, {} warm", first.count_total, second.count_total);
    assert_eq!(second.count_total, 0);
}

scalars! {
    what_is_held_is_where_its_holder_has_it => follow(801; 802);
}
