//! Trees, node by node: with every option set, and by the presets.

use boxwood::NodeId;
use boxwood::shape::Obb;
use boxwood::tree::{Bound, Build, Fit, Geometry, ObbTree, Split};

use crate::answers::{AsText, Number};
use crate::digest::Row;
use crate::random::{NO_TURN, Random, matrix, plus, point, times, vector};
use crate::test_scenes::{TIGHT, globe};

const SPLITS: [(&str, Split); 4] = [
    ("median", Split::Median),
    ("area_median", Split::AreaMedian),
    ("mean", Split::Mean),
    ("bottom_up", Split::BottomUp),
];

const FITS: [(&str, Fit); 4] = [
    ("aligned", Fit::Aligned),
    ("spread", Fit::Spread),
    ("best", Fit::Best),
    ("refined", Fit::Refined),
];

const BOUNDS: [(&str, Bound); 2] = [("corners", Bound::Corners), ("certified", Bound::Certified)];

/// Builds boxes, solids and surfaces: one, few and some; flat, at one position, far out, tiny and
/// huge.
fn geometries<T: Number>() -> Vec<(&'static str, Geometry<T>)> {
    let mut random = Random(53);
    let boxes = |random: &mut Random, count: usize, at: f64, size: f64| {
        let one = |_| {
            let center = plus([at; 3], times(random.inside(1.0), size));
            let half = [0; 3].map(|_| size * random.between(0.0, 0.3));
            Obb::new(point(center), matrix(random.turn()), vector(half)).expect("a box")
        };
        Geometry::Boxes((0..count).map(one).collect())
    };
    let same = Obb::new(point([1.0; 3]), matrix(NO_TURN), vector([1.0, 1.0, 0.0]));
    vec![
        ("one box", boxes(&mut random, 1, 0.0, 1.0)),
        ("23 boxes", boxes(&mut random, 23, 0.0, 1.0)),
        ("9 boxes far out", boxes(&mut random, 9, 1e4, 1.0)),
        ("5 tiny boxes", boxes(&mut random, 5, 0.0, 1e-5)),
        ("6 boxes in one place", Geometry::Boxes(vec![same.expect("a box"); 6])),
        ("a solid", Geometry::Solid(globe(2, [0.1, 0.2, 0.15], 0.1, &mut random))),
        ("a slab", Geometry::Surface(globe(1, [1.0, 0.5, 0.0], 0.2, &mut random))),
        ("a huge surface", Geometry::Surface(globe(1, [1e6, 2e6, 5e5], 0.4, &mut random))),
        ("an even solid", Geometry::Solid(globe(2, [1.0; 3], 0.0, &mut random))),
    ]
}

fn nodes<T: Number>(tree: &ObbTree<T>) -> String {
    let node = |at: usize| {
        let id = NodeId::new(at);
        let node = tree.node(id);
        let children = node.children().map(|ids| ids.map(|id| id.index()));
        let boxes = (*node.aligned(), *node.oriented(), node.bound());
        (boxes, children, tree.primitives(id).to_vec())
    };
    let all: Vec<_> = (0..tree.len()).map(node).collect();
    (tree.len(), tree.depth(), tree.radius_about_origin(), tree.fingerprint(), all).said()
}

fn row<T: Number>(name: &str, builds: &[(String, Build)]) -> Row {
    let mut row = Row::new(format!("volumes {} builds {name}", T::NAME));
    for (which, geometry) in geometries::<T>() {
        for (how, build) in builds {
            let tree = ObbTree::build(geometry.clone(), build).expect("a tree");
            row.ask(format!("{which} {how}"), nodes(&tree));
        }
    }
    row
}

/// Returns a row for each way of splitting, with all fits and bounds; one of smaller and flatter
/// trees; the presets.
pub fn rows<T: Number>() -> Vec<Row> {
    let mut rows: Vec<Row> = SPLITS
        .iter()
        .chain(&[("sah", Split::Sah)])
        .map(|&(name, split)| {
            let all = FITS.iter().flat_map(|fit| BOUNDS.iter().map(move |bound| (fit, bound)));
            let build = |((fit_name, fit), (bound_name, bound)): (&(_, _), &(_, _))| {
                let build = TIGHT.split(split).fit(*fit).bound(*bound);
                (format!("{fit_name} {bound_name}"), build)
            };
            row::<T>(&format!("split_{name}"), &all.map(build).collect::<Vec<_>>())
        })
        .collect();
    let mut smaller = Vec::new();
    for (name, split) in SPLITS {
        for (max_depth, leaf_primitives) in [(2, 1), (32, 4), (3, 3)] {
            let how = format!("{name}, depth {max_depth}, {leaf_primitives} a leaf");
            smaller.push((
                how,
                TIGHT.max_depth(max_depth).leaf_primitives(leaf_primitives).split(split),
            ));
        }
    }
    rows.push(row::<T>("smaller", &smaller));
    for (name, build) in
        [("tight", Build::default()), ("fast", Build::fast()), ("default", Build::default())]
    {
        rows.push(row::<T>(&format!("preset_{name}"), &[(name.to_owned(), build)]));
    }
    rows.push(cut_off::<T>());
    rows
}

fn cut_off<T: Number>() -> Row {
    let mut row = Row::new(format!("volumes {} builds cut_off", T::NAME));
    for (which, geometry) in geometries::<T>() {
        let tree = ObbTree::build(geometry, &TIGHT).expect("a tree");
        for depth in [0, 1, 3] {
            let cut: Vec<_> = tree.cut(depth).iter().map(|id| id.index()).collect();
            row.ask(format!("{which}, depth {depth}"), (cut, nodes(&tree.cut_off(depth))).said());
        }
    }
    row
}
