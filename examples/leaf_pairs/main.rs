//! Two trees: the pairs of boxes that overlap at depths 0, 2, 4 and at the leaves, each with its
//! contact point, checked against the pairs of triangles that share a point.

use std::io::Write;
use std::ops::ControlFlow::Continue;
use std::process::ExitCode;

use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::tree::{DecidedBy, NodePair, TreePair, TreeScratch};
use boxwood::{Accuracy, Build, Geometry, HeightField, Loaded, NodeId, ObbTree, Triangle, load};

const HELP: &str = "\
leaf_pairs: two trees, and their pairs of boxes that overlap, depth by depth: of each depth the five deepest

cargo example leaf_pairs -- [FILE]

  FILE         a mesh, .obj or .stl, that is placed beside itself; without: a block with hills
  --help, -h   this";

fn main() -> ExitCode {
    ExitCode::from(run().inspect_err(|why| eprintln!("leaf_pairs: {why}")).map_or(2, |()| 0))
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let hill = |k: u32| ((k % 9) as f32).sin() * ((k / 9) as f32).cos();
    let mesh = |loaded: Loaded| loaded.model.parts()[0].tree()?.geometry().mesh().cloned();
    let mesh = match (std::env::args().nth(1).as_deref(), std::env::args().nth(2)) {
        (None, _) => Some(HeightField::new(9, (0..81).map(hill).collect())?.solid(-2.0)?),
        (Some("--help" | "-h"), _) => return Ok(writeln!(std::io::stdout(), "{HELP}")?),
        (Some(flag), _) if flag.starts_with('-') => Err(format!("unknown '{flag}'; see --help"))?,
        (_, Some(word)) => Err(format!("one FILE, not also '{word}'"))?,
        (Some(file), _) if file.ends_with(".stl") => mesh(load::stl(file)?),
        (Some(file), _) => mesh(load::obj(file)?),
    };
    let mesh = mesh.expect("these files are one mesh");
    let tree = ObbTree::build(Geometry::Solid(mesh.clone()), &Build::default())?;
    // The second one is turned a quarter, and four fifths of the width aside.
    let width = tree.node(NodeId::ROOT).aligned().sizes().x;
    let there = Isometry3::new(Vector3::x() * 0.8 * width, Vector3::x() * 1.57);
    let pair = TreePair::new(&tree, &Isometry3::identity(), &tree, &there)?;
    let pairs = |accuracy| -> Result<Vec<NodePair>, boxwood::Error> {
        let (mut found, mut scratch) = (Vec::new(), TreeScratch::default());
        let _ = pair.visit(accuracy, &mut scratch, |nodes| {
            found.push(nodes);
            Continue(())
        })?;
        Ok(found)
    };
    let has = |n, leaf| tree.primitives(leaf).iter().all(|t| tree.primitives(n).contains(t));
    let inside = |of: &NodePair, e: &NodePair| has(of.a, e.a) && has(of.b, e.b);
    // Every pair of triangles that share a point, with such a point.
    let mut exact = Vec::new();
    for e in pairs(Accuracy::Exact)?.into_iter().filter(|e| e.by == DecidedBy::Primitives) {
        let corners = [e.a, e.b].map(|leaf| mesh.corners(tree.primitives(leaf)[0] as usize));
        let [a, b] = corners.map(|[a, b, c]| Triangle::new(a, b, c));
        exact.push((e, a?.closest_points(&b?.transformed(&there)?).on_a));
    }
    for (name, depth) in [("0", 0), ("2", 2), ("4", 4), ("leaves", u8::MAX)] {
        let mut found = pairs(Accuracy::Depth(depth))?;
        let kept = exact.iter().filter(|(e, _)| found.iter().any(|f| inside(f, e))).count();
        assert_eq!(kept, exact.len(), "triangles share a point, and no boxes around them do");
        println!("depth {name}: {} pairs, around all {kept} exact ones", found.len());
        let deep = |f: &NodePair| pair.contact(f.a, f.b).depth;
        found.sort_by(|f, g| deep(g).total_cmp(&deep(f)));
        for (index, f) in found.iter().enumerate() {
            let (hit, mut count, mut far) = (pair.contact(f.a, f.b), 0, 0.0_f32);
            for (_, point) in exact.iter().filter(|(e, _)| inside(f, e)) {
                (count, far) = (count + 1, far.max((point - hit.point).norm()));
            }
            assert!(far <= hit.point_error + 1e-6 * width, "a common point is further off");
            if index < 5 {
                let (a, b, [x, y, z]) = (f.a.index(), f.b.index(), hit.point.coords.into());
                print!("  {a:>4} {b:>4}  ({x:7.3} {y:7.3} {z:7.3}) +- {:.3}", hit.point_error);
                println!("  {:.3} deep  {count} exact, at most {far:.3} off", hit.depth);
            }
        }
    }
    Ok(())
}
