//! Debug drawing of a snapshot: boxes, their poses and colours as line segments.

use boxwood::draw::{Boxes, Lines, for_each_line};
use boxwood::{
    Accuracy, Buffers, Build, CharacterKey, Detail, Geometry, Hit, Hits, Model, NodeRef, Obb,
    PairQuery, PartId, Scene, Spawn,
};

use support::prelude::*;

type Line = ([f32; 3], [f32; 3], &'static str);

/// Model of a rod of three boxes in a row, a tree two or three deep, and a single box above; a
/// joint without geometry between.
fn rod() -> std::sync::Arc<Model> {
    let solid = |x: f32, turn: f32| {
        let axes = nalgebra::Rotation3::from_euler_angles(turn, 0.2, 0.0);
        let half = Vector3::new(0.5, 0.2, 0.1);
        Obb::new(Point3::new(x, 0.0, 0.0), *axes.matrix(), half).expect("a box")
    };
    let top = Obb::new(Point3::origin(), Matrix3::identity(), Vector3::repeat(0.1));
    Model::builder()
        .part(
            "rod",
            None,
            Geometry::Boxes(vec![solid(-2.0, 0.5), solid(0.0, 1.0), solid(2.0, -0.3)]),
        )
        .part("joint", Some("rod"), Geometry::None)
        .part("top", Some("joint"), Geometry::Boxes(vec![top.expect("a box")]))
        .bind(Isometry3::translation(0.0, 5.0, 0.0))
        .build(&Build::default())
        .expect("a model")
}

/// Builds two crossing rods, the second with its top disabled, and a third far away, first in
/// order.
fn moment() -> (Scene, [CharacterKey; 3]) {
    let (mut scene, model) = (Scene::new(), rod());
    let mut put = |order, at| {
        let spawn = Spawn::at(at).order(order);
        scene.insert(&model, spawn).expect("a character")
    };
    let a = put(5, Isometry3::new(Vector3::new(10.0, 0.0, 0.0), Vector3::new(0.1, 0.2, 0.3)));
    let b = put(7, Isometry3::new(Vector3::new(10.0, 0.1, 0.05), Vector3::new(0.4, 1.4, 0.1)));
    let far = put(1, Isometry3::translation(-50.0, 0.0, 0.0));
    scene.set_part_enabled(b, PartId::new(2), false).expect("a part");
    (scene, [a, b, far])
}

fn ask(scene: &Scene, buffers: &mut Buffers, depth: u8) -> Vec<Hit> {
    let mut hits = Hits::new();
    let query = PairQuery::all().detail(Detail::Boxes).accuracy(Accuracy::Depth(depth));
    scene.snapshot(buffers).contacts(&query, &mut hits).expect("a query");
    assert!(!hits.is_empty());
    hits.to_vec()
}

fn draw(scene: &Scene, hits: &[Hit], lines: &Lines<&'static str>) -> Vec<Line> {
    let (mut buffers, mut drawn) = (Buffers::new(), vec![]);
    let now = scene.snapshot(&mut buffers);
    for_each_line(&now, hits, lines, |from, to, color| drawn.push((from, to, color)));
    drawn
}

fn all(depth: u8, boxes: Boxes) -> Lines<&'static str> {
    let lines = Lines::none().depth(depth).boxes(boxes).cross(0.5);
    let lines = lines.characters("character").apart("apart").touching("touching");
    lines.hits("hit").points("point").normals("normal")
}

/// Returns the corners of a box from its lines: the ends of all twelve, each three times.
fn corners(lines: &[Line]) -> Vec<[f32; 3]> {
    assert_eq!(lines.len(), 12);
    let mut ends: Vec<[f32; 3]> = lines.iter().flat_map(|line| [line.0, line.1]).collect();
    ends.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    assert!(ends.chunks(3).all(|same| same[0] == same[1] && same[1] == same[2]), "{ends:?}");
    ends.into_iter().step_by(3).collect()
}

/// Returns `true` if the eight points are equal up to rounding.
fn agree(found: &[[f32; 3]], expected: &[Point3<f32>]) -> bool {
    let near = |p: &[f32; 3], q: &Point3<f32>| (Point3::from(*p) - q).norm() < 2e-5;
    found.len() == 8 && expected.iter().all(|q| found.iter().any(|p| near(p, q)))
}

#[test]
fn drawn_boxes_are_those_of_the_cut_in_the_colour_of_their_part() {
    let (scene, [a, b, far]) = moment();
    let mut buffers = Buffers::new();
    for depth in [0, 1, 2, 200] {
        let hits = ask(&scene, &mut buffers, depth);
        let touching = [(a, PartId::new(0)), (b, PartId::new(0))];
        assert!(hits.iter().all(|h| (h.a.character, h.b.character) == (a, b)));
        for boxes in [Boxes::Oriented, Boxes::Aligned] {
            let drawn = draw(&scene, &hits, &all(depth, boxes));
            let mut of_parts =
                drawn.iter().filter(|l| ["apart", "touching"].contains(&l.2)).copied();
            let mut expected = Vec::new();
            for color in ["apart", "touching"] {
                for key in [far, a, b] {
                    for part in [PartId::new(0), PartId::new(2)] {
                        let is = touching.contains(&(key, part));
                        if is == (color == "touching") && (key, part) != (b, PartId::new(2)) {
                            expected.push((key, part, color));
                        }
                    }
                }
            }
            for (key, part, color) in expected {
                let (tree, pose) =
                    (scene.part(key, part).expect("a part").tree(), scene.pose(key, part));
                let (tree, pose) = (tree.expect("boxes"), pose.expect("a pose"));
                for node in tree.cut(depth) {
                    let lines: Vec<Line> = of_parts.by_ref().take(12).collect();
                    assert!(lines.iter().all(|line| line.2 == color));
                    let local = match boxes {
                        Boxes::Oriented => tree.node(node).oriented().corners(),
                        Boxes::Aligned => tree.node(node).aligned().corners(),
                    };
                    assert!(agree(&corners(&lines), &local.map(|corner| pose * corner)));
                }
            }
            assert_eq!(of_parts.next(), None);
        }
    }
}

#[test]
fn a_drawn_hit_is_two_boxes_a_cross_and_a_normal_of_its_depth() {
    let (scene, _) = moment();
    let (mut buffers, mut other) = (Buffers::new(), Buffers::new());
    let hits = ask(&scene, &mut buffers, 200);
    let now = scene.snapshot(&mut other);
    let drawn = draw(&scene, &hits, &all(0, Boxes::Oriented));
    let of =
        |color| drawn.iter().filter(move |line| line.2 == color).copied().collect::<Vec<Line>>();
    let boxes = of("hit");
    assert_eq!(boxes.len(), 24 * hits.len());
    let nodes = hits.iter().flat_map(|hit| [hit.a, hit.b]);
    for (node_ref, lines) in nodes.zip(boxes.chunks(12)) {
        assert!(agree(&corners(lines), &now.node_obb(node_ref).expect("a box").corners()));
    }
    let (points, normals) = (of("point"), of("normal"));
    assert_eq!((points.len(), normals.len()), (3 * hits.len(), hits.len()));
    for ((hit, cross), normal) in hits.iter().zip(points.chunks(3)).zip(&normals) {
        for (axis, line) in cross.iter().enumerate() {
            let (from, to) = (Point3::from(line.0), Point3::from(line.1));
            assert!((nalgebra::center(&from, &to) - hit.point).norm() < 1e-5);
            assert!(((to - from) - Vector3::ith(axis, 0.5)).norm() < 1e-5);
        }
        let along = Point3::from(normal.1) - Point3::from(normal.0);
        assert_eq!(normal.0, <[f32; 3]>::from(hit.point));
        assert!((along - hit.normal * hit.depth.max(0.25)).norm() < 1e-5);
    }
}

#[test]
fn characters_are_drawn_first_in_order_and_only_with_a_colour() {
    let (scene, [a, b, far]) = moment();
    let mut buffers = Buffers::new();
    let hits = ask(&scene, &mut buffers, 3);
    let now = scene.snapshot(&mut buffers);
    assert!(now.characters().eq([far, a, b]));
    let drawn = draw(&scene, &hits, &all(0, Boxes::Oriented));
    for (key, lines) in [far, a, b].into_iter().zip(drawn.chunks(12)) {
        assert!(lines.iter().all(|line| line.2 == "character"));
        let bounds = now.character_aabb(key).expect("a character");
        assert!(agree(&corners(lines), &bounds.corners()));
    }
    assert_eq!(draw(&scene, &hits, &Lines::none()), []);
    // Every colour draws its own lines and no others.
    let none = Lines::none();
    for one in [
        none.characters("character"),
        none.apart("apart"),
        none.touching("touching"),
        none.hits("hit"),
        none.cross(0.5).points("point"),
        none.cross(0.5).normals("normal"),
    ] {
        let alone = draw(&scene, &hits, &one);
        assert!(!alone.is_empty());
        let of_all: Vec<Line> = drawn.iter().filter(|line| line.2 == alone[0].2).copied().collect();
        assert_eq!(alone, of_all);
    }
}

#[test]
fn hits_of_another_scene_or_of_removed_characters_are_not_drawn() {
    let (mut scene, [a, ..]) = moment();
    let (other, _) = moment();
    let mut buffers = Buffers::new();
    let (own, foreign) = (ask(&scene, &mut buffers, 3), ask(&other, &mut buffers, 3));
    let lines = Lines::none().boxes(Boxes::Aligned).cross(0.5);
    let lines = lines.hits("hit").points("point").normals("normal");
    assert!(!draw(&scene, &own, &lines).is_empty());
    assert!(draw(&scene, &foreign, &lines).is_empty());
    let beyond = |node_ref: NodeRef| NodeRef { node: boxwood::NodeId::new(1_000), ..node_ref };
    let mut bad: Vec<Hit> = own.to_vec();
    bad.iter_mut().for_each(|hit| hit.b = beyond(hit.b));
    assert!(draw(&scene, &bad, &lines).is_empty());
    scene.remove(a).expect("a key");
    assert!(draw(&scene, &own, &lines).is_empty());
}
