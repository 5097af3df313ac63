//! Self-collision of robots in random configurations, against parry3d on the same triangles.

use std::collections::HashSet;

use boxwood::f64::SelfQueryScratch;
use boxwood::load::Loader;
use boxwood::scene::{Buffers, Hits, PairQuery, Scene, Spawn};
use boxwood::{Accuracy, PartId};

use super::real_robots::{PANDA, Real, TALOS, real};
use support::parry::{Peer, placed_mesh};
use support::prelude::*;
use support::urdf_by_text::Triangle;

/// A part's surface in the file.
type Surface = (PartId, Vec<Triangle>);

fn surfaces(real: &Real) -> Vec<Surface> {
    let parts = real.robot.model.parts().iter().enumerate();
    let of_file = parts.filter_map(|(index, part)| {
        Some((PartId::new(index), real.text.triangles(part.name(), &real.root)?))
    });
    of_file.collect()
}

/// Returns the triangles of the file in parry3d, transformed by matrices.
fn placed(
    real: &Real,
    surfaces: &[Surface],
    random: &mut Random,
) -> (Vec<f64>, Vec<(PartId, Peer)>) {
    let (values, named) = real.sample(random);
    let poses = real.text.poses(&named);
    let meshes = surfaces.iter().map(|(part, triangles)| {
        let name = real.robot.model.parts()[part.index()].name();
        (*part, placed_mesh(triangles, &poses[name]))
    });
    let meshes = meshes.collect();
    (values, meshes)
}

/// Asserts the same touching pairs as parry3d in a number of configurations.
fn compare((package, file): (&str, &str), configurations: usize) -> Option<[usize; 2]> {
    let options = Loader::new().ignore_neighbours(0).solid(false);
    let real = real(package, file, options)?.test_all();
    let surfaces = surfaces(&real);
    let (mut random, mut poses, mut scratch) = (Random(5), Vec::new(), SelfQueryScratch::default());
    let [mut touching, mut apart] = [0, 0];
    for configuration in 0..configurations {
        let (values, meshes) = placed(&real, &surfaces, &mut random);
        real.robot.mechanism.poses(&values, &mut poses).expect("within limits");
        let found = real.robot.model.self_pairs(&poses, Accuracy::Exact, &mut scratch);
        let found: HashSet<(PartId, PartId)> = found.expect("poses").iter().copied().collect();
        for (i, (a, mesh_a)) in meshes.iter().enumerate() {
            for (b, mesh_b) in &meshes[i + 1..] {
                let ours = found.contains(&(*a, *b));
                assert_eq!(ours, mesh_a.intersects(mesh_b), "{package} {configuration}: {a} {b}");
                if ours { touching += 1 } else { apart += 1 }
            }
        }
    }
    Some([touching, apart])
}

#[test]
fn solids_touch_wherever_their_surfaces_do() {
    let solid = |solid| {
        let options = Loader::new().ignore_neighbours(0).solid(solid);
        real(PANDA.0, PANDA.1, options)
    };
    let (Some(surfaces), Some(solids)) = (solid(false), solid(true)) else { return };
    let (mut random, mut poses, mut scratch) = (Random(3), Vec::new(), SelfQueryScratch::default());
    let [mut of_surfaces, mut of_solids] = [0, 0];
    for _ in 0..500 {
        let (values, _) = surfaces.sample(&mut random);
        surfaces.robot.mechanism.poses(&values, &mut poses).expect("within limits");
        let mut pairs = |real: &Real| -> HashSet<(PartId, PartId)> {
            let found = real.robot.model.self_pairs(&poses, Accuracy::Exact, &mut scratch);
            found.expect("poses").iter().copied().collect()
        };
        let (surfaces, solids) = (pairs(&surfaces), pairs(&solids));
        assert!(surfaces.is_subset(&solids));
        of_surfaces += surfaces.len();
        of_solids += solids.len();
    }
    // Boxes are solid either way.
    println!("Panda: {of_surfaces} pairs of surfaces, {of_solids} of solids");
    assert!(of_surfaces > 2000 && of_solids >= of_surfaces);
}

#[test]
fn self_collision_of_panda_agrees_with_parry() {
    let Some([touching, apart]) = compare(PANDA, 1000) else { return };
    println!("Panda: {touching} pairs touch, {apart} do not");
    assert!(touching > 4000 && apart > 20_000);
}

#[test]
fn self_collision_of_talos_agrees_with_parry() {
    let Some([touching, apart]) = compare(TALOS, 24) else { return };
    println!("Talos: {touching} pairs touch, {apart} do not");
    assert!(touching > 1000 && apart > 20_000);
}

/// Compares poses alone with a scene, at accuracies of all kinds.
#[test]
fn self_collision_of_robots_is_equal_from_poses_and_in_a_scene() {
    for (robot, configurations) in [(PANDA, 200), (TALOS, 20)] {
        let options = Loader::new().ignore_neighbours(0);
        let Some(real) = real(robot.0, robot.1, options) else { return };
        let (model, mut random) = (&real.robot.model, Random(7));
        let (mut poses, mut scratch, mut touching) = (Vec::new(), SelfQueryScratch::default(), 0);
        let (mut scene, mut buffers, mut hits) = (Scene::new(), Buffers::new(), Hits::new());
        let key = scene.insert(model, Spawn::default()).expect("a character");
        for _ in 0..configurations {
            let (values, _) = real.sample(&mut random);
            real.robot.mechanism.poses(&values, &mut poses).expect("within limits");
            scene.set_parts(key, &poses).expect("poses");
            let now = scene.snapshot(&mut buffers);
            for accuracy in
                [Accuracy::Depth(0), Accuracy::Depth(3), Accuracy::default(), Accuracy::Exact]
            {
                let alone = model.self_pairs(&poses, accuracy, &mut scratch).expect("poses");
                let query = PairQuery::within(key).accuracy(accuracy);
                now.pairs(&query, &mut hits).expect("a query");
                let found: Vec<_> = hits.pairs().iter().map(|(a, b)| (a.part, b.part)).collect();
                assert_eq!(found, alone, "{} {accuracy:?}", robot.0);
                touching += alone.len();
            }
        }
        println!("{}: {touching} pairs, the same both ways", robot.0);
        assert!(touching > 1000);
    }
}
