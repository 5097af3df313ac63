//! Convex hulls of the nodes near the root.
//!
//! The box around a round part reaches beyond it at the corners by a fifth of the part's size; a
//! convex hull does not. A few hulls near the root separate pairs that boxes separate only near the
//! leaves.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use nalgebra::Point3;

use crate::hull::{ExtremeCorners, HullCorners, directions, distance_to};
use crate::num::linear::{Vec3, sub};
use crate::num::{Scalar, SimdLevel};
use crate::shape::wide_point;
use crate::tree::bound::hull_bounds;
use crate::tree::node::OrderedNodes;
use crate::tree::{Geometry, Node};

/// Largest number of corners of a hull. More: smaller pads for finely meshed parts, and slower
/// tests.
const MAX_HULL_CORNERS: usize = 256;

/// Corners of primitives up to this distance from the hull are covered by the pad, as a share of
/// the unit of the hull's corners: much less than the distance at which boxes separate parts.
const PAD_TOLERANCE: f64 = 1.0 / 4096.0;

/// Largest number of nodes visited for the pad of one hull. More: smaller pads for finely meshed
/// parts, and a longer build.
const MAX_VISITED_NODES: usize = 4096;

/// Nodes with fewer primitives are expanded without a test of their box's corners: the first value
/// below nodes of more than [`LARGE_NODE`] primitives, the second below smaller ones, whose
/// vertices are soon tested one by one.
const EXPAND_SIZES: [usize; 2] = [16, 64];
const LARGE_NODE: usize = 1024;

/// Number of directions whose extreme vertices are found together, where at most twice as many
/// vertices are in a node; a multiple of all numbers of lanes. Fewer: small nodes end sooner, with
/// more calls.
const DIRECTION_BATCH: usize = 16;

/// Largest number of hand-made boxes with hulls: the tree of more is already close to its boxes.
const MAX_HULL_BOXES: usize = 8;

/// A hull is dropped if every corner of the oriented box is within this distance of it, as a share
/// of the box's half diagonal: such a hull separates hardly more than the box.
const MIN_CORNER_DISTANCE: f64 = 1.0 / 64.0;

/// Convex hull of some vertices of a node, with a pad that covers the others.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::tree) struct NodeHull {
    pub corners: HullCorners,
    /// Upper bound on the distance of any corner of a primitive from the convex hull [part units].
    pub pad: f64,
    /// Upper bound on the distance of any point of the convex hull from the part or its inside
    /// [part units].
    pub bound: f64,
}

/// Largest number of depths with hulls: at most 255 hulls.
const MAX_HULL_DEPTHS: u8 = 8;

/// Hulls of the nodes above some depth, of a mesh or of few boxes. Nodes have none where the
/// oriented box separates as much, and for a single primitive.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::tree) struct NodeHulls {
    pub depth_count: u8,
    pub by_node: Vec<Option<NodeHull>>,
}

impl NodeHulls {
    pub fn new<T: Scalar>(
        geometry: &Geometry<T>,
        ordered: OrderedNodes<'_, T>,
        depth_count: u8,
    ) -> Self {
        let depth_count = depth_count.min(MAX_HULL_DEPTHS);
        let by_node = match geometry {
            Geometry::Boxes(boxes) if boxes.len() > MAX_HULL_BOXES => Vec::new(),
            Geometry::Convex(_) => Vec::new(), // corner hulls are no closer than boxes
            _ => {
                let points = CornerPoints::from_geometry(geometry);
                let count = node_count_above(ordered.nodes, depth_count);
                let mut found = HullBuilder::new(&points, ordered).build_hulls(count);
                let corners = found.iter().map(|hull| Some(&hull.as_ref()?.corners));
                let bounds = hull_bounds(geometry, ordered, corners);
                for (hull, bound) in found.iter_mut().zip(bounds) {
                    hull.iter_mut().for_each(|hull| hull.bound = bound);
                }
                found
            }
        };
        NodeHulls { depth_count, by_node }
    }

    /// Returns the number of nodes that may have a hull: the first ones.
    pub fn len(&self) -> u32 {
        self.by_node.len() as u32
    }

    pub fn hull(&self, node: u32) -> Option<&NodeHull> {
        self.by_node.get(node as usize)?.as_ref()
    }

    /// Builds hulls to the same depth for other nodes.
    pub fn for_nodes<T: Scalar>(
        &self,
        geometry: &Geometry<T>,
        ordered: OrderedNodes<'_, T>,
    ) -> Self {
        NodeHulls::new(geometry, ordered, self.depth_count)
    }

    /// Returns a lower bound on the smaller of the bounds of a node's box and hull [part units].
    pub fn least_bound<T: Scalar>(&self, index: usize, node: &Node<T>) -> T {
        match self.hull(index as u32).map(|hull| T::at_most(hull.bound)) {
            Some(of_hull) if of_hull < node.bound => of_hull,
            _ => node.bound,
        }
    }

    /// Returns [`NodeHulls::least_bound`] of all nodes.
    pub fn least_bounds<T: Scalar>(&self, nodes: &[Node<T>]) -> Vec<T> {
        nodes.iter().enumerate().map(|(index, node)| self.least_bound(index, node)).collect()
    }

    pub fn bytes(&self) -> usize {
        let corners = self.by_node.iter().flatten().map(|hull| hull.corners.heap_bytes());
        size_of_val(&self.by_node[..]) + corners.sum::<usize>()
    }

    pub fn for_each_bits(&self, mut add: impl FnMut(u64)) {
        for hull in self.by_node.iter().flatten() {
            hull.corners.bits().for_each(&mut add);
            add(hull.pad.to_bits());
            add(hull.bound.to_bits());
        }
    }
}

/// Convex hull of some corners of a node's primitives, with a pad that covers the others.
///
/// ```
/// use boxwood::nalgebra::Point3;
/// use boxwood::{Build, Geometry, Mesh, NodeId, ObbTree};
///
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let sides = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let mesh = Mesh::new(corners.map(Point3::from).to_vec(), sides)?;
/// let tree = ObbTree::build(Geometry::Solid(mesh), &Build::default())?;
/// let hull = tree.hull(NodeId::ROOT).expect("a tetrahedron is not like its box");
/// assert_eq!(hull.corners.len(), 4);
/// assert!(hull.pad < 0.001);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PaddedHull<T: Scalar> {
    /// Corners in the frame of the part; at most 256.
    pub corners: Vec<Point3<T>>,
    /// Upper bound on the distance of any point of the primitives from the convex hull of the
    /// corners [part units].
    pub pad: T,
    /// Upper bound on the distance of any point of the convex hull from the geometry of the part,
    /// or from its inside if it is solid [part units].
    pub bound: T,
}

/// Returns the number of nodes above a depth; nodes are numbered breadth-first.
fn node_count_above<T: Scalar>(nodes: &[Node<T>], levels: u8) -> usize {
    (0..levels)
        .fold(0..0, |level, _| match level.end {
            0 => 0..1,
            end => {
                let children = nodes[level].iter().filter(|node| node.first_child > 0).count();
                end..end + 2 * children
            }
        })
        .end
}

/// Corners of primitives: the vertices of a mesh, or eight for each box.
struct CornerPoints<'a> {
    points: Vec<Vec3>,
    triangles: &'a [[u32; 3]],
}

impl<'a> CornerPoints<'a> {
    fn from_geometry<T: Scalar>(geometry: &'a Geometry<T>) -> Self {
        match geometry {
            Geometry::None | Geometry::Convex(_) => {
                CornerPoints { points: Vec::new(), triangles: &[] }
            }
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                let points = mesh.vertices().iter().map(|&vertex| wide_point(vertex)).collect();
                CornerPoints { points, triangles: mesh.triangles() }
            }
            Geometry::Boxes(boxes) => {
                let points = boxes.iter().flat_map(|solid| solid.wide().corners()).collect();
                CornerPoints { points, triangles: &[] }
            }
        }
    }

    /// Returns the indices of the corners of a primitive.
    fn primitive_corners(&self, primitive: u32) -> impl Iterator<Item = u32> + use<> {
        let (first, corners) = (8 * primitive, self.triangles.get(primitive as usize).copied());
        let count = if corners.is_some() { 3 } else { 8 };
        (0..count).map(move |index| match corners {
            Some(corners) => corners[index as usize],
            None => first + index,
        })
    }
}

struct HullBuilder<'a, T: Scalar> {
    points: &'a CornerPoints<'a>,
    ordered: OrderedNodes<'a, T>,
    directions: &'static [Vec3],
    simd: SimdLevel,
    /// Last pass that visited each vertex; the first is 1.
    last_pass: Vec<u32>,
    pass: u32,
    queue: BinaryHeap<HullCandidate>,
}

impl<'a, T: Scalar> HullBuilder<'a, T> {
    fn new(points: &'a CornerPoints<'a>, ordered: OrderedNodes<'a, T>) -> Self {
        let (directions, simd) = (directions(), SimdLevel::best());
        let (last_pass, queue) = (vec![0; points.points.len()], BinaryHeap::new());
        HullBuilder { points, ordered, directions, simd, last_pass, pass: 0, queue }
    }

    /// Builds the hulls of the first `count` nodes.
    fn build_hulls(mut self, count: usize) -> Vec<Option<NodeHull>> {
        let (mut extremes, mut found) = (vec![Vec::new(); count], vec![None; count]);
        // `true` for nodes whose vertices are all extreme.
        let mut is_convex = vec![false; count];
        // The extreme vertices of a node are among those of its children.
        for index in (0..count).rev() {
            let child = self.ordered.nodes[index].first_child as usize;
            let (candidates, has_all) = match child > 0 && child + 1 < count {
                true => (
                    self.distinct(extremes[child].iter().chain(&extremes[child + 1])),
                    is_convex[child] && is_convex[child + 1],
                ),
                false => (self.node_vertices(index), true),
            };
            let own = self.extreme_vertices(index, &candidates);
            is_convex[index] = has_all && own.len() == candidates.len();
            found[index] = self.build_hull(index, &own, is_convex[index]);
            extremes[index] = own;
        }
        found
    }

    /// Returns the vertices of a list, each once: a search for extreme vertices ends once all are.
    fn distinct<'v>(&mut self, vertices: impl Iterator<Item = &'v u32>) -> Vec<u32> {
        let pass = self.next_pass();
        let last_pass = &mut self.last_pass;
        let is_new = |&v: &u32| std::mem::replace(&mut last_pass[v as usize], pass) != pass;
        vertices.copied().filter(is_new).collect()
    }

    fn next_pass(&mut self) -> u32 {
        self.pass += 1;
        self.pass
    }

    /// Returns the corners of the primitives of a node, each once.
    fn node_vertices(&mut self, index: usize) -> Vec<u32> {
        let mut corners = Vec::new();
        let pass = self.next_pass();
        for &primitive in self.ordered.primitives(&self.ordered.nodes[index]) {
            for corner in self.points.primitive_corners(primitive) {
                if std::mem::replace(&mut self.last_pass[corner as usize], pass) != pass {
                    corners.push(corner);
                }
            }
        }
        corners
    }

    fn collect_corners(&self, index: usize, corners: &[u32]) -> HullCorners {
        let center = self.ordered.nodes[index].aligned.wide().0;
        let points: Vec<Vec3> = corners.iter().map(|&at| self.points.points[at as usize]).collect();
        HullCorners::from_points(center, &points)
    }

    /// Returns the vertices that are extreme in the hull directions, each once.
    fn extreme_vertices(&mut self, index: usize, vertices: &[u32]) -> Vec<u32> {
        let corners = self.collect_corners(index, vertices);
        let (mut is_taken, mut farthest) = (vec![false; vertices.len()], Vec::new());
        // Few vertices are soon all extreme.
        let is_few = vertices.len() <= 2 * DIRECTION_BATCH;
        let batch = if is_few { DIRECTION_BATCH } else { self.directions.len() };
        for directions in self.directions.chunks(batch) {
            if farthest.len() == vertices.len() {
                break;
            }
            for position in (ExtremeCorners { corners: &corners, directions }).find(self.simd) {
                if farthest.len() < MAX_HULL_CORNERS
                    && !std::mem::replace(&mut is_taken[position], true)
                {
                    farthest.push(vertices[position]);
                }
            }
        }
        farthest
    }

    /// Builds the hull of a node from its extreme vertices; `is_convex` if it has no others.
    fn build_hull(&mut self, index: usize, extremes: &[u32], is_convex: bool) -> Option<NodeHull> {
        let primitives = self.ordered.nodes[index].primitive_range().len();
        if primitives < 2 {
            return None;
        }
        let corners = self.collect_corners(index, extremes);
        let close = PAD_TOLERANCE * corners.unit;
        // A search would end before its limit, and find no other vertex.
        let more = match is_convex && primitives <= MAX_VISITED_NODES / 4 {
            true => (Vec::new(), close),
            false => self.farthest_vertices(&corners, index, (extremes, close)),
        };
        let (all, pad) = match more {
            (vertices, pad) if vertices.is_empty() => (corners, pad),
            (vertices, pad) => {
                let all: Vec<u32> = extremes.iter().copied().chain(vertices).collect();
                (self.collect_corners(index, &all), pad)
            }
        };
        let solid = self.ordered.nodes[index].oriented.wide();
        let enough = MIN_CORNER_DISTANCE * solid.radius();
        let differs = solid.corners().into_iter().any(|corner| {
            distance_to(&all, sub(corner, all.center), enough, self.simd) + pad > enough
        });
        // Three roundings: of the stored corners, of corners stored about another center, and of
        // the corners of boxes, which are sums. This covers each.
        let far: f64 = all.center.iter().map(|x| x.abs()).sum();
        let rounding = all.unit / (1u64 << 22) as f64 + far / (1u64 << 48) as f64;
        differs.then_some(NodeHull { corners: all, pad: pad + rounding, bound: f64::INFINITY })
    }

    /// Returns the vertices of a node that are farthest from the hull of the known ones, beyond a
    /// tolerance and up to the number that fits; and an upper bound on the distance of all others.
    fn farthest_vertices(
        &mut self,
        corners: &HullCorners,
        index: usize,
        (known, tolerance): (&[u32], f64),
    ) -> (Vec<u32>, f64) {
        let max_count = MAX_HULL_CORNERS - known.len();
        let expand_size = EXPAND_SIZES
            [usize::from(self.ordered.nodes[index].primitive_range().len() <= LARGE_NODE)];
        let (simd, found) = (self.simd, Vec::new());
        let mut search = FarthestSearch { corners, simd, max_count, tolerance, expand_size, found };
        self.queue.clear();
        self.queue.push(HullCandidate { upper_bound: f64::INFINITY, node: index as u32 });
        let (pass, mut visited) = (self.next_pass(), 0);
        known.iter().for_each(|&vertex| self.last_pass[vertex as usize] = pass);
        let mut unvisited_bound = 0.0;
        while let Some(HullCandidate { upper_bound, node: id }) = self.queue.pop() {
            if upper_bound <= search.prune_distance() {
                break;
            }
            if visited >= MAX_VISITED_NODES {
                unvisited_bound = upper_bound;
                break;
            }
            let node = &self.ordered.nodes[id as usize];
            if node.first_child > 0 {
                visited += 2;
                for id in [node.first_child, node.first_child + 1] {
                    let upper_bound =
                        search.node_upper_bound(&self.ordered.nodes[id as usize], upper_bound);
                    self.queue.push(HullCandidate { upper_bound, node: id });
                }
                continue;
            }
            for &primitive in self.ordered.primitives(node) {
                for corner in self.points.primitive_corners(primitive) {
                    if std::mem::replace(&mut self.last_pass[corner as usize], pass) != pass {
                        search.add_vertex(corner, self.points.points[corner as usize]);
                    }
                }
            }
        }
        let pad = search.prune_distance();
        search.found.truncate(max_count);
        let vertices = search.found.into_iter().map(|(_, vertex)| vertex).collect();
        (vertices, if unvisited_bound > pad { unvisited_bound } else { pad })
    }
}

/// Node with an upper bound on the distance of its vertices from a hull.
#[derive(Debug, Clone, Copy, PartialEq)]
struct HullCandidate {
    upper_bound: f64,
    node: u32,
}

impl Eq for HullCandidate {}

impl Ord for HullCandidate {
    /// Orders by distance, of equal ones the lower node greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        self.upper_bound.total_cmp(&other.upper_bound).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for HullCandidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Search for the vertices that are farthest from a hull.
struct FarthestSearch<'a> {
    corners: &'a HullCorners,
    simd: SimdLevel,
    /// Number of vertices to return.
    max_count: usize,
    tolerance: f64,
    expand_size: usize,
    /// Vertices with their distances, farthest first; one more than are returned.
    found: Vec<(f64, u32)>,
}

impl FarthestSearch<'_> {
    /// Returns the distance up to which vertices do not matter.
    fn prune_distance(&self) -> f64 {
        self.found.get(self.max_count).map_or(self.tolerance, |&(distance, _)| distance)
    }

    /// Returns an upper bound on the distance of a point, tight above `enough`.
    fn distance(&self, point: Vec3, enough: f64) -> f64 {
        distance_to(self.corners, sub(point, self.corners.center), enough, self.simd)
    }

    /// Returns an upper bound on the distance of a node's vertices, given that of its parent.
    /// Distance from a convex set is convex: over a box it is largest at a corner.
    fn node_upper_bound<T: Scalar>(&self, node: &Node<T>, parent: f64) -> f64 {
        let solid = node.oriented.wide();
        let (radius, least) = (solid.radius() * (1.0 + 1e-6), self.prune_distance());
        if node.primitive_range().len() >= self.expand_size {
            let far = |most: f64, &corner: &Vec3| most.max(self.distance(corner, least));
            // Pad for stored axes that are not orthogonal.
            let most = solid.corners().iter().fold(0.0, far) + 16.0 * T::ROUNDING * radius;
            return most.min(parent);
        }
        match radius < least {
            true => parent.min(self.distance(solid.center, least - radius) + radius),
            false => parent,
        }
    }

    fn add_vertex(&mut self, vertex: u32, point: Vec3) {
        let least = self.prune_distance();
        let distance = self.distance(point, least);
        if distance > least {
            let index = self.found.partition_point(|&(other, _)| other >= distance);
            self.found.insert(index, (distance, vertex));
            self.found.truncate(self.max_count + 1);
        }
    }
}
