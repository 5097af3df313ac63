//! Characters in levels: brushes as solid parts of a scene.

use boxwood::brush::{BodyId, Brush, BrushFilter, BrushWorld};
use boxwood::f64::{Aabb, Buffers, Geometry, Hits, Model, Scene, Spawn};
use boxwood::{Accuracy, Build, CollisionGroups, PairQuery};
use nalgebra::Translation3;
use support::brushes::{any_brush, brush, half_spaces, moved};
use support::prelude::*;

/// A level of random brushes, a third of them on a body that moves.
fn level(random: &mut Random) -> (BrushWorld, BodyId) {
    let mut level = BrushWorld::builder();
    let body = level.body();
    for i in 0..9 {
        let planes = any_brush(random);
        let by = std::array::from_fn(|_| random.between(-3.0, 3.0));
        let one = brush(&moved(&planes, &[[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]], by));
        match i % 3 {
            0 => level.push_to(body, one, CollisionGroups::ALL),
            _ => level.push(one, CollisionGroups::ALL),
        };
    }
    (level.build().expect("brushes"), body)
}

/// Compares a solid cube in a scene with intersections of the level, at every accuracy: more parts
/// only within the slack.
#[test]
fn parts_touch_exactly_the_brushes_they_intersect() {
    let (mut random, mut touched) = (Random(21), 0);
    for _ in 0..cases(600) {
        let (mut world, body) = level(&mut random);
        let offset = Vector3::from_fn(|_, _| random.between(-2.0, 2.0));
        world.set_offset(body, offset).expect("a body");
        let mut scene = Scene::new();
        let cube =
            Brush::from_aabb(&Aabb::new(Point3::new(-0.5, -0.5, -0.5), Point3::new(0.5, 0.5, 0.5)));
        let cube = cube.expect("a cube");
        let solid = Geometry::Solid(cube.mesh().expect("small"));
        let model = Model::builder().part("cube", None, solid).build(&Build::default());
        let mut level_keys = Vec::new();
        for (of, at) in [(BodyId::STATIC, Vector3::zeros()), (body, offset)] {
            let model = world.model(of, &Build::default()).expect("brushes");
            let spawn = Spawn::at(Isometry3::from(Translation3::from(at)));
            level_keys.push((of, scene.insert(&model, spawn).expect("a pose"), at));
        }
        let turn = UnitQuaternion::from_scaled_axis(Vector3::from(random.direction()) * 2.0);
        let at = Vector3::from_fn(|_, _| random.between(-3.0, 3.0));
        let pose = Isometry3::from_parts(Translation3::from(at), turn);
        let who = scene.insert(&model.expect("a cube"), Spawn::at(pose)).expect("a pose");
        let rotation = turn.to_rotation_matrix();
        let columns = std::array::from_fn(|i| rotation.matrix().column(i).into_owned().into());
        let placed = brush(&moved(&half_spaces(&cube), &columns, at.into()));
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let now = scene.snapshot(&mut buffers);
        for (of, key, offset) in &level_keys {
            let ids: Vec<_> = world.brushes_of(*of).collect();
            let share = |index: usize| {
                let own = half_spaces(world.brush(ids[index]).expect("a brush"));
                let own = brush(&moved(
                    &own,
                    &[[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]],
                    (*offset).into(),
                ));
                own.intersection(&placed).is_some()
            };
            let truth: Vec<usize> = (0..ids.len()).filter(|&index| share(index)).collect();
            touched += truth.len();
            for accuracy in
                [Accuracy::Depth(0), Accuracy::Depth(3), Accuracy::Within(0.1), Accuracy::Exact]
            {
                let query = PairQuery::between(who, *key).accuracy(accuracy);
                now.contacts(&query, &mut hits).expect("a query");
                let mut found: Vec<usize> = hits.iter().map(|hit| hit.b.part.index()).collect();
                found.sort_unstable();
                assert!(truth.iter().all(|index| found.contains(index)), "{accuracy:?}");
                if accuracy == Accuracy::Exact {
                    assert_eq!(found, truth);
                }
            }
        }
    }
    assert!(touched > cases(600) / 2, "{touched}");
}

#[test]
fn parts_have_the_groups_and_names_of_their_brushes() {
    let slab = Aabb::new(Point3::new(-1.0, -1.0, -1.0), Point3::new(1.0, 1.0, 0.0));
    let ghost = CollisionGroups { memberships: 2, filter: 2 };
    let mut level = BrushWorld::builder();
    level.push(Brush::from_aabb(&slab).expect("a slab"), CollisionGroups::ALL);
    level.push(Brush::from_aabb(&slab).expect("a slab"), ghost);
    let empty = level.body();
    let level = level.build().expect("two brushes");
    let model = level.model::<f32>(BodyId::STATIC, &Build::default()).expect("a model");
    assert_eq!(model.part("brush 1").expect("a part").index(), 1);
    assert_eq!(model.parts()[1].groups(), ghost);
    assert!(level.model::<f32>(empty, &Build::default()).is_err());
    // These groups also exclude others from casts at it.
    let mut found = Vec::new();
    let others = BrushFilter::default().groups(CollisionGroups { memberships: 1, filter: 1 });
    level.contents(Point3::new(0.0, 0.0, -0.5), &others, &mut found).expect("finite");
    assert_eq!(found.len(), 1);
}
