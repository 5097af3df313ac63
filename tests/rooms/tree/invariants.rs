//! Invariants of trees: every node contains its geometry, checked exactly and a second time.

use boxwood::shape::Obb;
use boxwood::tree::{Build, Geometry, NodeId, ObbTree};

use support::exact_boxes::share_a_point;
use support::plain_box::UPRIGHT;
use support::prelude::*;
use support::random_parts::{aligned, mesh, solid};
use support::triangle_distance::Triangle;

/// Returns a box without size, as a point.
fn point(at: V) -> PlainBox {
    PlainBox { center: at, axes: UPRIGHT, half: [0.0; 3] }
}

/// Returns the corners of each primitive; for boxes the corners that are exact, else none.
fn corners<T: Scalar>(geometry: &Geometry<T>) -> Vec<Vec<V>> {
    match geometry {
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => (0..mesh.triangles().len())
            .map(|i| mesh.corners(i).map(|p| [p.x.wide(), p.y.wide(), p.z.wide()]).to_vec())
            .collect(),
        Geometry::Boxes(boxes) => boxes.iter().map(exact_corners).collect(),
        _ => Vec::new(),
    }
}

fn exact_corners<T: Scalar>(b: &Obb<T>) -> Vec<V> {
    let block = PlainBox::of(b);
    let upright = block.axes.iter().flatten().all(|&x| x == 0.0 || x == 1.0 || x == -1.0);
    if !upright || T::ROUNDING < 1e-10 {
        return vec![block.center];
    }
    // Sums of two f32 of similar size are exact in f64.
    block.corners([0.0; 3]).to_vec()
}

pub fn holds_everything<T: Scalar>(tree: &ObbTree<T>, build: &Build) {
    let corners = corners(tree.geometry());
    let mut leaves = vec![0; corners.len()];
    let mut depth = vec![0u8; tree.len()];
    let mut next = 1;
    for index in 0..tree.len() {
        let id = NodeId::new(index);
        let node = tree.node(id);
        let boxes = [aligned_exact(node.aligned()), PlainBox::of(node.oriented())];
        for &primitive in tree.primitives(id) {
            for &corner in &corners[primitive as usize] {
                let (min, max) = (node.aligned().min, node.aligned().max);
                assert!((0..3).all(|i| min[i].wide() <= corner[i] && corner[i] <= max[i].wide()));
                assert!(share_a_point(&boxes[1], &point(corner)), "{id:?} {primitive} {corner:?}");
            }
        }
        match node.children() {
            Some(children) => {
                assert_eq!(children.map(NodeId::index), [next, next + 1], "breadth-first");
                next += 2;
                children.iter().for_each(|child| depth[child.index()] = depth[index] + 1);
                let mut both: Vec<u32> =
                    children.iter().flat_map(|&child| tree.primitives(child)).copied().collect();
                let mut own = tree.primitives(id).to_vec();
                both.sort_unstable();
                own.sort_unstable();
                assert_eq!(both, own);
            }
            None => {
                tree.primitives(id).iter().for_each(|&p| leaves[p as usize] += 1);
                let stopped = depth[index] == build.max_depth
                    || tree.primitives(id).len() <= build.leaf_primitives;
                assert!(stopped, "{id:?} could be split");
            }
        }
    }
    assert!(leaves.iter().all(|&count| count == 1), "each in one leaf: {leaves:?}");
    assert_eq!(depth.iter().max(), Some(&tree.depth()));
    assert!(tree.depth() <= build.max_depth);
}

fn aligned_exact<T: Scalar>(b: &boxwood::shape::Aabb<T, 3>) -> PlainBox {
    let half = std::array::from_fn(|i| 0.5 * (b.max[i].wide() - b.min[i].wide()));
    let center = std::array::from_fn(|i| 0.5 * (b.max[i].wide() + b.min[i].wide()));
    PlainBox { half, ..point(center) }
}

pub fn odd_parts<T: Scalar>() -> Vec<(&'static str, Geometry<T>)> {
    let mut random = Random(51);
    let one: Triangle = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let flat: Vec<Triangle> = (0..12)
        .map(|_| std::array::from_fn(|_| [random.between(-1.0, 1.0), random.share(), 0.25]))
        .collect();
    let far: Vec<Triangle> = (0..20)
        .map(|_| {
            std::array::from_fn(|_| [3100.0, -2900.0, 3000.0].map(|c| c + 1e-2 * random.share()))
        })
        .collect();
    let line: Vec<Triangle> = (0..7)
        .map(|i| [0, 1, 2].map(|k| [0.3, 0.1, 0.7].map(|d| d * f64::from(3 * i + k))))
        .collect();
    let (p, cube) = ([0.1, 0.2, 0.3], upright_solid::<T>([-1.0; 3], [1.0; 3]));
    let flat_box = solid::<T>([0.5, 0.25, 4.0], &random.rotation(), [1.0, 0.0, 1e-3]);
    let dot = solid::<T>([3100.0, 1.0, 0.0], &random.rotation(), [0.0; 3]);
    vec![
        ("one point", mesh(&[[p; 3]])),
        ("one point often", mesh(&[[p; 3]; 9])),
        ("needle", mesh(&[[p, p, [0.4, 0.5, 0.9]]])),
        ("line", mesh(&line)),
        ("one", mesh(&[one])),
        ("duplicates", mesh(&[one; 17])),
        ("duplicates and one", mesh(&[one, one, one, flat[0], [p; 3]])),
        ("flat", mesh(&flat)),
        ("far", mesh(&far)),
        ("tiny", mesh(&flat.iter().map(|t| t.map(|c| c.map(|x| x * 1e-20))).collect::<Vec<_>>())),
        ("huge", mesh(&flat.iter().map(|t| t.map(|c| c.map(|x| x * 1e20))).collect::<Vec<_>>())),
        ("boxes", Geometry::Boxes(vec![cube, flat_box, dot])),
        ("one box", Geometry::Boxes(vec![flat_box])),
        ("box twice", Geometry::Boxes(vec![cube; 5])),
    ]
}

fn valid<T: Scalar>() {
    let mut random = Random(52);
    let mut parts = odd_parts::<T>();
    parts.extend((0..16).map(|kind| ("random", random_part(&mut random, kind))));
    let builds = [
        Build::default(),
        Build::fast(),
        Build::default().max_depth(0),
        Build::default().max_depth(2).leaf_primitives(3),
    ];
    for (name, part) in parts {
        for build in &builds {
            let tree = ObbTree::build(part.clone(), build).expect(name);
            assert_eq!(tree.validate(), Ok(()), "{name}");
            holds_everything(&tree, build);
            let again = ObbTree::build(part.clone(), build).expect(name);
            assert_eq!(format!("{tree:?}"), format!("{again:?}"), "{name}: not the same bits");
            let bounded = (0..tree.len()).map(|i| tree.node(NodeId::new(i)).bound().wide());
            assert!(bounded.into_iter().all(|bound| bound.is_finite() && bound >= 0.0), "{name}");
            let bound = |n: usize| aligned(tree.node(NodeId::new(n))).radius();
            assert!(tree.radius_about_origin().wide() >= bound(0), "{name}");
        }
    }
}

scalars! {
    trees_contain_their_geometry => valid();
}
