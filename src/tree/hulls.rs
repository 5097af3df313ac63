//! Convex hulls of the first nodes of a tree.
//!
//! Around a round part a box sticks out at its corners by a fifth of the part's size; a convex hull
//! does not. A few of them at the top tell apart what boxes only tell near the leaves.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::{Geometry, Node};
use crate::hull::{Corners, Extremes, distance_to};
use crate::num::linear::{Vec3, sub};
use crate::num::{Scalar, SimdLevel};
use crate::shape::{Mesh, wide_point};

/// The most corners of a hull. More: less pad for finely meshed parts, and dearer tests.
const MOST: usize = 256;

/// Vertices no further from the hull than this are left to the pad, as a share of the unit of its
/// corners: much less than what parts have to be apart for a box to tell.
const CLOSE: f64 = 1.0 / 4096.0;

/// The most nodes looked at for the pad of one hull. More: less pad for finely meshed parts, and a
/// longer build.
const EFFORT: usize = 1024;

/// Nodes of fewer triangles are opened before their boxes are looked at closely.
const MANY: usize = 64;

/// A hull is left out where no corner of the oriented box is further from it than this, as a share
/// of the box's half diagonal: it would tell hardly more than the box.
const LIKE_ITS_BOX: f64 = 1.0 / 16.0;

/// The convex hull of the vertices of a node: that of some of them and a pad.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NodeHull {
    pub corners: Corners,
    /// No vertex is further from the convex hull of the corners. Part units.
    pub pad: f64,
}

/// The most levels with hulls: then 255 of them.
const LEVELS: u8 = 8;

/// The hulls of the nodes of a mesh that are less deep than some depth, by node; none where the
/// oriented box tells as much, nor of a single triangle.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Hulls {
    levels: u8,
    of_nodes: Vec<Option<NodeHull>>,
}

impl Hulls {
    pub fn new<T: Scalar>(
        geometry: &Geometry<T>,
        (nodes, order): (&[Node<T>], &[u32]),
        levels: u8,
    ) -> Self {
        let levels = levels.min(LEVELS);
        let of_nodes = match geometry.mesh() {
            Some(mesh) => HullBuilder::new(mesh, (nodes, order)).hulls(first_levels(nodes, levels)),
            None => Vec::new(),
        };
        Hulls { levels, of_nodes }
    }

    /// The number of nodes that may have a hull: the first.
    pub fn len(&self) -> u32 {
        self.of_nodes.len() as u32
    }

    pub fn levels(&self) -> u8 {
        self.levels
    }

    pub fn of(&self, node: u32) -> Option<&NodeHull> {
        self.of_nodes.get(node as usize)?.as_ref()
    }

    /// The same for other nodes.
    pub fn anew<T: Scalar>(&self, geometry: &Geometry<T>, nodes: (&[Node<T>], &[u32])) -> Self {
        Hulls::new(geometry, nodes, self.levels)
    }

    /// Held beside itself.
    pub fn bytes(&self) -> usize {
        let corners = self.of_nodes.iter().flatten().map(|hull| hull.corners.bytes());
        size_of_val(&self.of_nodes[..]) + corners.sum::<usize>()
    }

    pub fn for_each_bits(&self, mut add: impl FnMut(u64)) {
        for hull in self.of_nodes.iter().flatten() {
            hull.corners.bits().for_each(&mut add);
            add(hull.pad.to_bits());
        }
    }
}

/// The number of nodes of the first levels, which are numbered breadth-first.
fn first_levels<T: Scalar>(nodes: &[Node<T>], levels: u8) -> usize {
    (0..levels)
        .fold(0..0, |level, _| match level.end {
            0 => 0..1,
            end => {
                let children = nodes[level].iter().filter(|node| node.child > 0).count();
                end..end + 2 * children
            }
        })
        .end
}

/// The directions with whole coordinates up to 3, the shortest first: in each of them the farthest
/// vertex is a corner.
fn directions() -> Vec<Vec3> {
    let divides = |v: [i32; 3], by: i32| v.iter().all(|x| x % by == 0);
    let mut all: Vec<[i32; 3]> = (0..343).map(|i| [i / 49 - 3, i / 7 % 7 - 3, i % 7 - 3]).collect();
    all.retain(|&v| !divides(v, 2) && !divides(v, 3));
    all.sort_by_key(|v| v.iter().map(|x| x * x).sum::<i32>());
    all.into_iter().map(|v| v.map(f64::from)).collect()
}

struct HullBuilder<'a, T: Scalar> {
    mesh: &'a Mesh<T>,
    nodes: &'a [Node<T>],
    order: &'a [u32],
    directions: Vec<Vec3>,
    level: SimdLevel,
    /// By vertex: the last pass that met it.
    seen: Vec<u32>,
    queue: BinaryHeap<Waiting>,
}

impl<'a, T: Scalar> HullBuilder<'a, T> {
    fn new(mesh: &'a Mesh<T>, (nodes, order): (&'a [Node<T>], &'a [u32])) -> Self {
        let (directions, level) = (directions(), SimdLevel::best());
        let seen = vec![u32::MAX; mesh.vertices().len()];
        HullBuilder { mesh, nodes, order, directions, level, seen, queue: BinaryHeap::new() }
    }

    /// The hulls of the first nodes.
    fn hulls(mut self, count: usize) -> Vec<Option<NodeHull>> {
        let (mut extremes, mut found) = (vec![Vec::new(); count], vec![None; count]);
        // The farthest of a node are among those of its children.
        for index in (0..count).rev() {
            let child = self.nodes[index].child as usize;
            let candidates = match child > 0 && child + 1 < count {
                true => [&extremes[child][..], &extremes[child + 1][..]].concat(),
                false => self.vertices(index),
            };
            let own = self.farthest(index, &candidates);
            found[index] = self.hull(index, &own);
            extremes[index] = own;
        }
        found
    }

    fn at(&self, vertex: u32) -> Vec3 {
        wide_point(self.mesh.vertices()[vertex as usize])
    }

    /// The vertices of the triangles of a node, each once.
    fn vertices(&mut self, index: usize) -> Vec<u32> {
        let mut vertices = Vec::new();
        let pass = 2 * index as u32;
        for &triangle in &self.order[self.nodes[index].range()] {
            for vertex in self.mesh.triangles()[triangle as usize] {
                if std::mem::replace(&mut self.seen[vertex as usize], pass) != pass {
                    vertices.push(vertex);
                }
            }
        }
        vertices
    }

    fn around(&self, index: usize, vertices: &[u32]) -> Corners {
        let center = self.nodes[index].aligned.wide().0;
        let points: Vec<Vec3> = vertices.iter().map(|&vertex| self.at(vertex)).collect();
        Corners::around(center, &points)
    }

    /// Those of some vertices that are farthest in the directions, each once.
    fn farthest(&mut self, index: usize, vertices: &[u32]) -> Vec<u32> {
        let corners = self.around(index, vertices);
        let found = Extremes { corners: &corners, directions: &self.directions }.find(self.level);
        let (mut taken, mut farthest) = (vec![false; vertices.len()], Vec::new());
        for place in found {
            if farthest.len() < MOST && !std::mem::replace(&mut taken[place], true) {
                farthest.push(vertices[place]);
            }
        }
        farthest
    }

    /// The hull of a node, given vertices that are corners of it.
    fn hull(&mut self, index: usize, extremes: &[u32]) -> Option<NodeHull> {
        if self.nodes[index].range().len() < 2 {
            return None;
        }
        let corners = self.around(index, extremes);
        let close = CLOSE * corners.unit;
        let more = self.farthest_from(&corners, index, (extremes, close));
        let (all, pad) = match more {
            (vertices, pad) if vertices.is_empty() => (corners, pad),
            (vertices, pad) => {
                let all: Vec<u32> = extremes.iter().copied().chain(vertices).collect();
                (self.around(index, &all), pad)
            }
        };
        let solid = self.nodes[index].oriented.wide();
        let enough = LIKE_ITS_BOX * solid.radius();
        let differs = solid.corners().into_iter().any(|corner| {
            distance_to(&all, sub(corner, all.center), enough, self.level) + pad > enough
        });
        // Corners are rounded, and others make them round anew, by no more than that.
        let rounding = all.unit / (1u64 << 22) as f64;
        differs.then_some(NodeHull { corners: all, pad: pad + rounding })
    }

    /// The vertices of a node that are farthest from the hull of some of them, and further than
    /// `close`: as many as there is room for. And a length that none of the others is further away.
    fn farthest_from(
        &mut self,
        corners: &Corners,
        index: usize,
        (known, close): (&[u32], f64),
    ) -> (Vec<u32>, f64) {
        let most = MOST - known.len();
        let mut search = Farthest { corners, level: self.level, most, close, found: Vec::new() };
        self.queue.clear();
        self.queue.push(Waiting { at_most: f64::INFINITY, node: index as u32 });
        let (pass, mut looked) = (2 * index as u32 + 1, 0);
        known.iter().for_each(|&vertex| self.seen[vertex as usize] = pass);
        let mut left = 0.0;
        while let Some(Waiting { at_most, node: id }) = self.queue.pop() {
            if at_most <= search.least() {
                break;
            }
            if looked >= EFFORT {
                left = at_most;
                break;
            }
            let node = &self.nodes[id as usize];
            if node.child > 0 {
                looked += 2;
                for id in [node.child, node.child + 1] {
                    let at_most = search.at_most(&self.nodes[id as usize], at_most);
                    self.queue.push(Waiting { at_most, node: id });
                }
                continue;
            }
            for &triangle in &self.order[node.range()] {
                for vertex in self.mesh.triangles()[triangle as usize] {
                    if std::mem::replace(&mut self.seen[vertex as usize], pass) != pass {
                        search.add(vertex, wide_point(self.mesh.vertices()[vertex as usize]));
                    }
                }
            }
        }
        let pad = search.least();
        search.found.truncate(most);
        let vertices = search.found.into_iter().map(|(_, vertex)| vertex).collect();
        (vertices, if left > pad { left } else { pad })
    }
}

/// A node whose vertices are no further from a hull than that.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Waiting {
    at_most: f64,
    node: u32,
}

impl Eq for Waiting {}

impl Ord for Waiting {
    /// The farthest is greatest, of two alike the first.
    fn cmp(&self, other: &Self) -> Ordering {
        self.at_most.total_cmp(&other.at_most).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The search for the vertices that are farthest from a hull.
struct Farthest<'a> {
    corners: &'a Corners,
    level: SimdLevel,
    /// How many are kept.
    most: usize,
    close: f64,
    /// With how far away they are, the farthest first; one more than are kept.
    found: Vec<(f64, u32)>,
}

impl Farthest<'_> {
    /// What is no further away does not matter.
    fn least(&self) -> f64 {
        self.found.get(self.most).map_or(self.close, |&(distance, _)| distance)
    }

    /// No less than the distance of a point, and close to it if that matters.
    fn distance(&self, point: Vec3, enough: f64) -> f64 {
        distance_to(self.corners, sub(point, self.corners.center), enough, self.level)
    }

    /// No vertex of a node is further away, given the same of its parent. Distance from what is
    /// convex is convex: in a box it is greatest at a corner.
    fn at_most<T: Scalar>(&self, node: &Node<T>, parent: f64) -> f64 {
        let solid = node.oriented.wide();
        let (radius, least) = (solid.radius() * (1.0 + 1e-6), self.least());
        if node.range().len() >= MANY {
            let far = |most: f64, &corner: &Vec3| most.max(self.distance(corner, least));
            // Stored axes are not quite at right angles.
            let most = solid.corners().iter().fold(0.0, far) + 16.0 * T::ROUNDING * radius;
            return most.min(parent);
        }
        match radius < least {
            true => parent.min(self.distance(solid.center, least - radius) + radius),
            false => parent,
        }
    }

    fn add(&mut self, vertex: u32, point: Vec3) {
        let least = self.least();
        let distance = self.distance(point, least);
        if distance > least {
            let place = self.found.partition_point(|&(other, _)| other >= distance);
            self.found.insert(place, (distance, vertex));
            self.found.truncate(self.most + 1);
        }
    }
}
