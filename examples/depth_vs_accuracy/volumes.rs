//! Other volumes around the nodes of the same trees: boxes and k-DOPs along the axes of the world,
//! made anew from the posed corners of each node, the tightest of their kind.

use boxwood::accuracy::Case;
use boxwood::nalgebra::Point3;
use boxwood::{Aabb, Dop14, Dop18, NodeId, ObbTree, Pose};

/// Largest measured depth: deeper than most trees.
const DEEPEST: u8 = 16;

/// A kind of volume, and its results at depth 0, 1, 2...
pub struct VolumeRow {
    pub name: &'static str,
    /// Share of the cases apart that are reported [percent], and mean number of tests.
    pub depths: Vec<(f64, f64)>,
    /// Number of cases that touch and are not reported, over all depths.
    pub missed: usize,
}

/// Measures all kinds of volumes that are no boxes of a tree.
pub fn rows(cases: &[Case<'_, f32>]) -> Vec<VolumeRow> {
    let points = |points: &[Point3<f32>]| points.to_vec();
    vec![
        row("world boxes, refitted", cases, |p| Aabb::from_points(points(p)), Aabb::intersects),
        row("14-DOPs, refitted", cases, |p| Dop14::from_points(points(p)), Dop14::intersects),
        row("18-DOPs, refitted", cases, |p| Dop18::from_points(points(p)), Dop18::intersects),
    ]
}

fn row<V>(
    name: &'static str,
    cases: &[Case<'_, f32>],
    volume: impl Fn(&[Point3<f32>]) -> V,
    overlap: impl Fn(&V, &V) -> bool,
) -> VolumeRow {
    let mut found =
        VolumeRow { name, depths: vec![(0.0, 0.0); usize::from(DEEPEST) + 1], missed: 0 };
    let apart = cases.iter().filter(|case| !case.touching).count().max(1);
    for case in cases {
        let volumes = [0, 1].map(|i| volumes(case.trees[i], &case.poses[i], &volume));
        for depth in 0..=DEEPEST {
            let mut descent = Descent {
                trees: case.trees,
                volumes: &volumes,
                overlap: &overlap,
                depth,
                tests: 0,
            };
            let reported = descent.reaches([NodeId::ROOT; 2], 0);
            let (share, tests) = &mut found.depths[usize::from(depth)];
            *share += if reported && !case.touching { 100.0 / apart as f64 } else { 0.0 };
            *tests += descent.tests as f64 / cases.len() as f64;
            found.missed += usize::from(case.touching && !reported);
        }
    }
    found
}

/// Returns the volume around every node of a placed tree.
fn volumes<V>(tree: &ObbTree, pose: &Pose<f32>, volume: impl Fn(&[Point3<f32>]) -> V) -> Vec<V> {
    let corners = |primitive: u32| match tree.geometry().mesh() {
        Some(mesh) => mesh.triangles()[primitive as usize]
            .map(|vertex| pose * mesh.vertices()[vertex as usize])
            .to_vec(),
        None => Vec::new(),
    };
    let node = |id: usize| {
        let primitives = tree.primitives(NodeId::new(id));
        volume(&primitives.iter().flat_map(|&index| corners(index)).collect::<Vec<_>>())
    };
    (0..tree.len()).map(node).collect()
}

/// Descent of two trees with one kind of volume.
struct Descent<'a, V, F> {
    trees: [&'a ObbTree; 2],
    volumes: &'a [Vec<V>; 2],
    overlap: &'a F,
    depth: u8,
    tests: u64,
}

impl<V, F: Fn(&V, &V) -> bool> Descent<'_, V, F> {
    /// Returns `true` if volumes of two nodes of the cuts overlap, at or below two nodes of one
    /// depth.
    fn reaches(&mut self, nodes: [NodeId; 2], depth: u8) -> bool {
        self.tests += 1;
        let [a, b] = [0, 1].map(|side| &self.volumes[side][nodes[side].index()]);
        if !(self.overlap)(a, b) {
            return false;
        }
        let below = |side: usize| match self.trees[side].node(nodes[side]).children() {
            Some(children) if depth < self.depth => children.to_vec(),
            _ => vec![nodes[side]],
        };
        let [first, second] = [below(0), below(1)];
        if first.len() + second.len() == 2 {
            return true;
        }
        first.iter().any(|&a| second.iter().any(|&b| self.reaches([a, b], depth + 1)))
    }
}
