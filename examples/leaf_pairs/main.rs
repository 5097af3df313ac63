//! Two trees: the pairs of boxes that overlap at depths 0, 2, 4 and at the leaves, with a contact
//! point, checked against the pairs of triangles that share a point.

use std::io::Write;
use std::ops::ControlFlow::Continue;
use std::process::ExitCode;

use boxwood::nalgebra::{Isometry3, Point3, Vector3};
use boxwood::tree::{NodePair, TreePair, TreeScratch};
use boxwood::{Accuracy, Build, Error, Geometry, Loaded, Mesh, NodeId, ObbTree, load};

const HELP: &str = "\
leaf_pairs: two trees, and their pairs of boxes that overlap, depth by depth

cargo example leaf_pairs -- [FILE]

  FILE         a mesh, .obj or .stl, that is placed beside itself; without: a ring
  --help, -h   this";

fn main() -> ExitCode {
    let done = run(std::env::args().nth(1).as_deref());
    let failed = done.inspect_err(|why| eprintln!("leaf_pairs: {why}")).is_err();
    ExitCode::from(2 * u8::from(failed))
}

fn run(word: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
    let geometry = |loaded: Loaded| loaded.model.parts()[0].tree().map(|t| t.geometry().clone());
    let geometry = match word {
        None => Some(Geometry::Solid(ring()?)),
        Some("--help" | "-h") => return Ok(writeln!(std::io::stdout(), "{HELP}")?),
        Some(flag) if flag.starts_with('-') => Err(format!("unknown flag '{flag}'; see --help"))?,
        Some(file) if file.ends_with(".stl") => geometry(load::stl(file)?),
        Some(file) => geometry(load::obj(file)?),
    };
    let tree = ObbTree::build(geometry.expect("a mesh is one part"), &Build::default())?;
    // The second one is turned a quarter, and nine tenths of the width aside.
    let width = tree.node(NodeId::ROOT).aligned().sizes().x;
    let aside = Isometry3::new(Vector3::x() * 0.9 * width, Vector3::x() * 1.57);
    let pair = TreePair::new(&tree, &Isometry3::identity(), &tree, &aside)?;
    let pairs = |accuracy| -> Result<Vec<NodePair>, Error> {
        let (mut found, mut scratch) = (Vec::new(), TreeScratch::default());
        let _ = pair.visit(accuracy, &mut scratch, |nodes| {
            found.push(nodes);
            Continue(())
        })?;
        Ok(found)
    };
    // A node contains a leaf if it contains its triangles.
    let has = |n, leaf| tree.primitives(leaf).iter().all(|t| tree.primitives(n).contains(t));
    let exact = pairs(Accuracy::Exact)?;
    println!("depth   pairs  contact point of the deepest   +-     depth  slack  exact inside");
    for (name, depth) in [("0", 0), ("2", 2), ("4", 4), ("leaves", u8::MAX)] {
        let found = pairs(Accuracy::Depth(depth))?;
        let inside = |e: &&NodePair| found.iter().any(|f| has(f.a, e.a) && has(f.b, e.b));
        let (inside, all) = (exact.iter().filter(inside).count(), exact.len());
        assert_eq!(inside, all, "two triangles share a point, and no two boxes around them do");
        let contact = |nodes: &NodePair| pair.contact(nodes.a, nodes.b);
        let deepest = found.iter().max_by(|p, q| contact(p).depth.total_cmp(&contact(q).depth));
        let Some(nodes) = deepest else { break };
        let (hit, slack) = (contact(nodes), pair.slack(*nodes));
        let [x, y, z] = hit.point.coords.into();
        print!("{name:<6} {:>6}  ({x:7.3} {y:7.3} {z:7.3})  ", found.len());
        println!("  {:.3}  {:.3}  {slack:.3}  {inside} of {all}", hit.point_error, hit.depth);
    }
    Ok(())
}

/// Returns a closed ring: a circle of radius 1 around z, with tubes of radius 0.2.
fn ring() -> Result<Mesh, Error> {
    let corner = |k: u32| {
        let (around, across) = ((k / 8) as f32 * 0.393, (k % 8) as f32 * 0.785);
        let radius = 1.0 + 0.2 * across.cos();
        Point3::new(radius * around.cos(), radius * around.sin(), 0.2 * across.sin())
    };
    let cell =
        |k: u32| [k, (k + 8) % 128, (k + 8) % 128 / 8 * 8 + (k + 1) % 8, k / 8 * 8 + (k + 1) % 8];
    let halves = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
    Mesh::new((0..128).map(corner).collect(), (0..128).map(cell).flat_map(halves).collect())
}
