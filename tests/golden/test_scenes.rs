//! Test scenes, and the arguments that their queries share.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::scene::{CharacterKey, NodeRef, Scene, Spawn};
use boxwood::shape::{Mesh, Obb, Pose};
use boxwood::tree::{Bound, Build, Fit, Geometry, Split};
use boxwood::{Accuracy, Detail};

use crate::answers::Number;
use crate::digest::Row;
use crate::random::{
    NO_TURN, Random, Turn, V, compose, matrix, plus, point, pose, times, turned, vector,
};

/// Build with every option set, so that a change of a default changes no answer.
pub const TIGHT: Build = Build::new()
    .max_depth(32)
    .leaf_primitives(1)
    .split(Split::Mean)
    .fit(Fit::Best)
    .bound(Bound::Certified);

/// Like [`TIGHT`], with larger leaves and less work.
pub const COARSE: Build = TIGHT.leaf_primitives(4).bound(Bound::Corners);

pub const DETAILS: [(&str, Detail); 2] =
    [("parts", Detail::DeepestBoxes), ("boxes", Detail::Boxes)];

/// Characters in their poses, and the spots of queries.
pub struct TestScene<T: Number> {
    pub name: &'static str,
    pub scene: Scene<T>,
    pub keys: Vec<CharacterKey>,
    /// Spots with geometry, and the radius around each.
    pub spots: Vec<(V, f64)>,
    /// Characteristic length of the scene.
    pub length: f64,
}

impl<T: Number> TestScene<T> {
    /// Creates an empty scene.
    pub fn new(name: &'static str, length: f64) -> Self {
        TestScene { name, scene: Scene::new(), keys: Vec::new(), spots: Vec::new(), length }
    }

    pub fn add(&mut self, model: &Arc<Model<T>>, poses: &[Pose<T>], at_rest: bool) {
        let spawn = Spawn::at(pose(NO_TURN, [0.0; 3])).at_rest(at_rest);
        let key = self.scene.insert(model, spawn).expect("room");
        self.scene.set_parts(key, poses).expect("sound poses");
        self.keys.push(key);
        self.add_spots(poses);
    }

    /// Adds the positions of every fourth part as spots.
    pub fn add_spots(&mut self, poses: &[Pose<T>]) {
        let some = poses.iter().skip(self.keys.len() % 4).step_by(4);
        let place = |pose: &Pose<T>| {
            let at = pose.translation.vector;
            ([at.x.wide(), at.y.wide(), at.z.wide()], self.length)
        };
        self.spots.extend(some.map(place));
    }

    pub fn row(&self, group: &str, kind: &str) -> Row {
        Row::new(format!("{group} {} {} {kind}", T::NAME, self.name))
    }

    pub fn character(&self, key: CharacterKey) -> usize {
        self.keys.iter().position(|&known| known == key).expect("one of the scene")
    }

    /// Returns character and part.
    pub fn part(&self, node_ref: &NodeRef) -> (usize, usize) {
        (self.character(node_ref.character), node_ref.part.index())
    }

    /// Returns character, part and node.
    pub fn node(&self, node_ref: &NodeRef) -> (usize, usize, usize) {
        (self.character(node_ref.character), node_ref.part.index(), node_ref.node.index())
    }

    /// Returns the exact accuracy, and coarser ones.
    pub fn accuracies(&self) -> Vec<(&'static str, Accuracy)> {
        vec![
            ("depth0", Accuracy::Depth(0)),
            ("depth1", Accuracy::Depth(1)),
            ("depth3", Accuracy::Depth(3)),
            ("leaves", Accuracy::Depth(u8::MAX)),
            ("within", Accuracy::Within(0.1 * self.length)),
            ("closely", Accuracy::Within(0.002 * self.length)),
            ("exact", Accuracy::Exact),
        ]
    }

    /// Returns a spot by its number, in a cycle with large steps.
    pub fn spot(&self, number: usize) -> (V, f64) {
        self.spots[number * 7 % self.spots.len()]
    }
}

/// Builds people of twenty parts on a grid, close enough to touch: of one box per part, and of
/// trees of boxes.
pub fn crowd<T: Number>() -> TestScene<T> {
    let (mut stage, mut random) = (TestScene::new("crowd", 0.3), Random(41));
    let models = [(1, TIGHT, 1, 0.01), (7, TIGHT, 4, 0.005), (12, COARSE, 3, 0.01)];
    let models = models.map(|(boxes, build, hops, size)| {
        let mut builder = Model::builder();
        for (at, bone) in PERSON.iter().enumerate() {
            let parts = Geometry::Boxes(limb(&mut random, times(bone.3, size), boxes));
            let parent = (at > 0).then(|| bone.0.to_string());
            builder = builder.part(at.to_string(), parent.as_deref(), parts);
        }
        builder.ignore_neighbours(hops).build(&build).expect("a model")
    });
    for person in 0..14 {
        let grid = [0.5 * (person % 4) as f64, 0.0, 0.5 * (person / 4) as f64];
        let at = plus(grid, [random.between(-0.1, 0.1), 0.0, random.between(-0.1, 0.1)]);
        let poses = posture(&mut random, at);
        stage.add(&models[person % 3], &poses, person % 5 == 4);
    }
    stage
}

/// Part of a person: its parent, its joint in the frame of the parent's, the middle of its box in
/// its own frame, and the half sizes [cm].
type Bone = (usize, V, V, V);

const PERSON: [Bone; 20] = [
    (0, [0.0, 95.0, 0.0], [0.0, 0.0, 0.0], [16.0, 9.0, 10.0]),
    (0, [0.0, 9.0, 0.0], [0.0, 6.0, 0.0], [14.0, 6.0, 9.0]),
    (1, [0.0, 12.0, 0.0], [0.0, 7.0, 0.0], [15.0, 7.0, 10.0]),
    (2, [0.0, 14.0, 0.0], [0.0, 12.0, 0.0], [18.0, 12.0, 12.0]),
    (3, [0.0, 24.0, 0.0], [0.0, 4.0, 0.0], [5.0, 4.0, 5.0]),
    (4, [0.0, 8.0, 0.0], [0.0, 11.0, 1.0], [8.0, 11.0, 10.0]),
    (3, [10.0, 20.0, 0.0], [5.0, 0.0, 0.0], [7.0, 5.0, 6.0]),
    (6, [11.0, 0.0, 0.0], [0.0, -14.0, 0.0], [5.0, 15.0, 5.0]),
    (7, [0.0, -28.0, 0.0], [0.0, -12.0, 0.0], [4.0, 13.0, 4.0]),
    (8, [0.0, -25.0, 0.0], [0.0, -9.0, 0.0], [4.0, 9.0, 2.0]),
    (3, [-10.0, 20.0, 0.0], [-5.0, 0.0, 0.0], [7.0, 5.0, 6.0]),
    (10, [-11.0, 0.0, 0.0], [0.0, -14.0, 0.0], [5.0, 15.0, 5.0]),
    (11, [0.0, -28.0, 0.0], [0.0, -12.0, 0.0], [4.0, 13.0, 4.0]),
    (12, [0.0, -25.0, 0.0], [0.0, -9.0, 0.0], [4.0, 9.0, 2.0]),
    (0, [9.0, -5.0, 0.0], [0.0, -21.0, 0.0], [8.0, 22.0, 8.0]),
    (14, [0.0, -43.0, 0.0], [0.0, -20.0, 0.0], [6.0, 21.0, 6.0]),
    (15, [0.0, -40.0, 0.0], [0.0, -4.0, 6.0], [5.0, 4.0, 13.0]),
    (0, [-9.0, -5.0, 0.0], [0.0, -21.0, 0.0], [8.0, 22.0, 8.0]),
    (17, [0.0, -43.0, 0.0], [0.0, -20.0, 0.0], [6.0, 21.0, 6.0]),
    (18, [0.0, -40.0, 0.0], [0.0, -4.0, 6.0], [5.0, 4.0, 13.0]),
];

/// Builds a box of those half sizes, or several rotated ones that fill about as much.
fn limb<T: Number>(random: &mut Random, half: V, boxes: usize) -> Vec<Obb<T>> {
    if boxes == 1 {
        return vec![Obb::new(point([0.0; 3]), matrix(NO_TURN), vector(half)).expect("a box")];
    }
    let one = |_| {
        let at = [0, 1, 2].map(|i| half[i] * random.between(-0.7, 0.7));
        let sizes = half.map(|h| h * random.between(0.2, 0.5));
        Obb::new(point(at), matrix(random.small_turn(0.4)), vector(sizes)).expect("a box")
    };
    (0..boxes).map(one).collect()
}

/// Rotates every joint slightly, and the shoulders and hips more.
fn posture<T: Number>(random: &mut Random, at: V) -> Vec<Pose<T>> {
    let mut joints: Vec<(Turn, V)> = Vec::new();
    let facing = unit_about_y(random);
    PERSON
        .iter()
        .map(|&(parent, joint, middle, _)| {
            let swing = random.small_turn(if matches!(joint[1], 20.0 | -5.0) { 0.4 } else { 0.1 });
            let (turn, root) = match joints.get(parent) {
                Some(&(turn, root)) => (turn, root),
                None => (facing, at),
            };
            let here = (compose(turn, swing), plus(root, turned(turn, times(joint, 0.01))));
            joints.push(here);
            pose(here.0, plus(here.1, turned(here.0, times(middle, 0.01))))
        })
        .collect()
}

fn unit_about_y(random: &mut Random) -> Turn {
    crate::random::unit([0.0, random.between(-1.0, 1.0), 0.0, random.between(0.1, 1.0)])
}

/// Builds arms of links of every kind of geometry, some folded on themselves.
pub fn robots<T: Number>() -> TestScene<T> {
    let (mut stage, mut random) = (TestScene::new("robots", 0.2), Random(43));
    let models = [(TIGHT, 1), (COARSE, 2)].map(|(build, hops)| {
        let mut builder = Model::builder();
        for link in 0..9 {
            let parent = (link > 0).then(|| format!("link {}", link - 1));
            let geometry = link_geometry(&mut random, link);
            builder = builder.part(format!("link {link}"), parent.as_deref(), geometry);
        }
        builder.ignore_neighbours(hops).ignore("link 1", "link 3").build(&build).expect("a model")
    });
    for robot in 0..6 {
        let foot = [0.4 * (robot % 3) as f64, 0.0, 0.4 * (robot / 3) as f64];
        let (mut turn, mut at, mut poses) = (NO_TURN, foot, Vec::new());
        for link in 0..9 {
            let bend = if robot % 2 == 0 { 1.5 } else { 0.6 };
            turn = compose(turn, random.small_turn(if link == 0 { 0.1 } else { bend }));
            poses.push(pose(turn, plus(at, turned(turn, [0.0, 0.12, 0.0]))));
            at = plus(at, turned(turn, [0.0, 0.24, 0.0]));
        }
        stage.add(&models[robot % 2], &poses, false);
    }
    stage
}

fn link_geometry<T: Number>(random: &mut Random, link: usize) -> Geometry<T> {
    let half = [0.08, 0.14, 0.07];
    match link % 5 {
        0 => Geometry::Boxes(limb(random, half, 1)),
        1 => Geometry::Solid(globe(2, half, 0.0, random)),
        2 => Geometry::Boxes(limb(random, half, 5)),
        3 => Geometry::Surface(globe(2, half, 0.2, random)),
        _ if link == 4 => Geometry::Solid(globe(1, half, 0.3, random)),
        _ => Geometry::None,
    }
}

/// Builds an octahedron whose triangles are split in four a number of times, on an ellipsoid, its
/// corners out by up to a fraction.
pub fn globe<T: Number>(cuts: usize, half: V, rough: f64, random: &mut Random) -> Mesh<T> {
    let mut corners: Vec<V> = vec![
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let mut triangles: Vec<[u32; 3]> = vec![
        [0, 2, 4],
        [2, 1, 4],
        [1, 3, 4],
        [3, 0, 4],
        [2, 0, 5],
        [1, 2, 5],
        [3, 1, 5],
        [0, 3, 5],
    ];
    for _ in 0..cuts {
        let mut edges: Vec<([u32; 2], u32)> = Vec::new();
        let mut middle = |a: u32, b: u32, corners: &mut Vec<V>| {
            let edge = [a.min(b), a.max(b)];
            if let Some((_, at)) = edges.iter().find(|(known, _)| *known == edge) {
                return *at;
            }
            let sum = plus(corners[a as usize], corners[b as usize]);
            corners.push(times(sum, 1.0 / crate::random::dot(sum, sum).sqrt()));
            edges.push((edge, corners.len() as u32 - 1));
            corners.len() as u32 - 1
        };
        let cut = |&[a, b, c]: &[u32; 3]| {
            let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(p, q)| middle(p, q, &mut corners));
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.iter().flat_map(cut).collect();
    }
    let placed = corners.iter().map(|corner| {
        let out = 1.0 + rough * random.between(-1.0, 1.0);
        point([0, 1, 2].map(|i| out * half[i] * corner[i]))
    });
    Mesh::new(placed.collect(), triangles).expect("a mesh")
}
