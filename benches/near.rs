//! Who is near whom by aligned boxes alone, beside parry3d's `Bvh` in f32 on the same data: people of 20 boxes.
//!
//! From poses, both place the parts first: ours makes the snapshot, theirs the world boxes of all parts. Then characters are found by a tree over
//! the boxes of people against itself, built anew or kept and refitted (the people stand still, which leaves it as good as new); parts by a tree
//! over all of them, or by one over the people and the parts of each two compared. What placing takes is told by itself.
//!
//! Given the pairs of characters, theirs goes through the same world boxes, every part of one against every part of the other, or
//! descends a tree over each person's, built beforehand.
//!
//! The snapshot compares boxes rounded outward to single precision: near in one and not quite in the other is possible. Counts of
//! both are printed before the times.

use boxwood::nalgebra::Isometry3;
use boxwood::{Buffers, CharacterKey, PartId, Scene, Snapshot};
use criterion::{Criterion, criterion_group, criterion_main};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::{Pose, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[path = "support/characters.rs"]
mod characters;
#[path = "support/counted.rs"]
mod counted;
#[allow(dead_code)]
#[path = "../tests/support/people.rs"]
mod people;
#[path = "support/persons.rs"]
mod persons;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;

use characters::{model, scene};
use counted::beside;
use people::{PARTS, crowd, seed};
use persons::{Person, bodies, everyone};

/// How many people, and metres between them.
const CROWDS: [(usize, f64); 3] = [(1_000, 1.0), (1_000, 0.5), (10_000, 1.0)];

type Bounds = [Aabb; PARTS];

fn tree(leaves: &[Aabb]) -> Bvh {
    Bvh::from_leaves(BvhBuildStrategy::Binned, leaves)
}

fn around(parts: &Bounds) -> Aabb {
    parts[1..].iter().fold(parts[0], |all, part| all.merged(part))
}

/// The other library's side of it, with what it keeps from frame to frame.
struct Peer<'a> {
    people: Vec<Person<'a>>,
    parts: Vec<Aabb>,
    around: Vec<Aabb>,
    kept: Bvh,
    space: BvhWorkspace,
    near: Vec<[u32; 2]>,
}

impl Peer<'_> {
    fn place(&mut self) {
        self.parts.clear();
        self.around.clear();
        for person in &self.people {
            let bounds = person.bounds();
            self.parts.extend_from_slice(&bounds);
            self.around.push(around(&bounds));
        }
    }

    /// Pairs of people near each other, by a tree built anew.
    fn characters(&mut self) -> usize {
        self.place();
        self.near.clear();
        let near = &mut self.near;
        tree(&self.around).traverse_bvtt_single_tree::<false>(&mut self.space, &mut |a, b| {
            near.push([a.min(b), a.max(b)]);
        });
        near.len()
    }

    /// Pairs of people near each other, by the tree that was kept.
    fn characters_refitted(&mut self) -> usize {
        self.place();
        for (index, bounds) in self.around.iter().enumerate() {
            self.kept.insert_or_update_partially(*bounds, index as u32, 0.0);
        }
        self.kept.refit_without_opt();
        let mut count = 0;
        self.kept.traverse_bvtt_single_tree::<false>(&mut self.space, &mut |_, _| count += 1);
        count
    }

    /// Pairs of parts of different people near each other, by one tree.
    fn parts_by_tree(&mut self) -> usize {
        self.place();
        let mut count = 0;
        tree(&self.parts).traverse_bvtt_single_tree::<false>(&mut self.space, &mut |a, b| {
            count += usize::from(a as usize / PARTS != b as usize / PARTS);
        });
        count
    }

    /// The same by a tree of the people, and their parts one by one.
    fn parts_by_people(&mut self) -> usize {
        self.characters();
        let of = |person: u32| &self.parts[person as usize * PARTS..][..PARTS];
        self.near.iter().map(|&[a, b]| overlaps(of(a), of(b))).sum()
    }
}

/// How many of one overlap how many of the other.
fn overlaps(one: &[Aabb], other: &[Aabb]) -> usize {
    let with = |x: &Aabb| other.iter().filter(|y| x.intersects(y)).count();
    one.iter().map(with).sum()
}

fn parts_near(
    now: Snapshot<'_>,
    pairs: impl Iterator<Item = (CharacterKey, CharacterKey)>,
) -> usize {
    pairs.map(|(a, b)| now.near_parts(a, b).expect("sound keys").count()).sum()
}

fn from_poses(criterion: &mut Criterion, crowd: &str, scene: &Scene, peer: &mut Peer) {
    let (mut buffers, questions) = (Buffers::new(), peer.people.len());
    let mut mine = || scene.snapshot(&mut buffers).characters().count();
    let mut theirs = || {
        peer.place();
        peer.around.len()
    };
    let asks: [(_, &mut dyn FnMut() -> usize); 2] =
        [("boxwood", &mut mine), ("parry3d", &mut theirs)];
    beside(criterion, &format!("{crowd}: placed, and nothing asked"), questions, asks);

    let mut mine = || scene.snapshot(&mut buffers).near_characters().count();
    // Two borrow what is kept: by turns.
    let peer = std::cell::RefCell::new(peer);
    let mut theirs = || peer.borrow_mut().characters();
    let mut refitted = || peer.borrow_mut().characters_refitted();
    let asks: [(_, &mut dyn FnMut() -> usize); 3] =
        [("boxwood", &mut mine), ("parry3d", &mut theirs), ("parry3d, refitted", &mut refitted)];
    beside(criterion, &format!("{crowd}: near characters, from poses"), questions, asks);

    let mut mine = || {
        let now = scene.snapshot(&mut buffers);
        parts_near(now, now.near_characters())
    };
    let mut theirs = || peer.borrow_mut().parts_by_tree();
    let mut by_people = || peer.borrow_mut().parts_by_people();
    let asks: [(_, &mut dyn FnMut() -> usize); 3] = [
        ("boxwood", &mut mine),
        ("parry3d, one tree", &mut theirs),
        ("parry3d, people first", &mut by_people),
    ];
    beside(criterion, &format!("{crowd}: near parts, from poses"), questions, asks);
}

/// The world boxes of a character as the other library has boxes.
fn bounds(now: Snapshot<'_>, key: CharacterKey) -> Bounds {
    std::array::from_fn(|part| {
        let bounds = now.part_box(key, PartId::new(part)).expect("a part");
        let corner = |p: boxwood::nalgebra::Point3<f32>| Vector::new(p.x, p.y, p.z);
        Aabb::new(corner(bounds.min), corner(bounds.max))
    })
}

/// Given who is near whom.
fn of_pairs(criterion: &mut Criterion, crowd: &str, scene: &Scene) {
    let mut buffers = Buffers::new();
    let now = scene.snapshot(&mut buffers);
    let near: Vec<_> = now.near_characters().collect();
    let people: Vec<Bounds> = now.characters().map(|key| bounds(now, key)).collect();
    let trees: Vec<Bvh> = people.iter().map(|of| tree(of)).collect();
    let keys: Vec<_> = now.characters().collect();
    let place = |key: CharacterKey| keys.iter().position(|&other| other == key).expect("a key");
    let places: Vec<[usize; 2]> = near.iter().map(|&(a, b)| [place(a), place(b)]).collect();
    let mut mine = || parts_near(now, near.iter().copied());
    let mut theirs =
        || places.iter().map(|&[a, b]| overlaps(&people[a], &people[b])).sum::<usize>();
    let mut by_tree = || {
        let near = |&[a, b]: &[usize; 2]| trees[a].leaf_pairs(&trees[b], |x, y| x.intersects(y));
        places.iter().map(|pair| near(pair).count()).sum::<usize>()
    };
    let asks: [(_, &mut dyn FnMut() -> usize); 3] =
        [("boxwood", &mut mine), ("parry3d", &mut theirs), ("parry3d, trees", &mut by_tree)];
    let name = format!("{crowd}: near parts of {} pairs", near.len());
    beside(criterion, &name, near.len(), asks);
}

fn near(criterion: &mut Criterion) {
    for (count, spacing) in CROWDS {
        let poses: Vec<Isometry3<f32>> = crowd(count, spacing, seed(count));
        let scene = scene(&model(false, &[]), &poses);
        let theirs: Vec<Pose> = poses.iter().map(|&pose| pose.into()).collect();
        let bodies = bodies(false);
        let people = everyone(&theirs, &bodies);
        let (parts, around) = (Vec::new(), Vec::new());
        let (kept, space, near) = (Bvh::new(), BvhWorkspace::default(), Vec::new());
        let mut peer = Peer { people, parts, around, kept, space, near };
        peer.place();
        peer.kept = tree(&peer.around);
        let name = format!("{count} people, {spacing} m");
        from_poses(criterion, &name, &scene, &mut peer);
        of_pairs(criterion, &name, &scene);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(600)).warm_up_time(std::time::Duration::from_millis(200));
    targets = near
}
criterion_main!(benches);
