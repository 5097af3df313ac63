//! Bounds of nodes: above all of ten thousand samples of each box, and not far above the farthest.

use boxwood::Loader;
use boxwood::tree::{Bound, Build, Geometry, NodeId, ObbTree};

use support::node_samples::sampled;
use support::prelude::*;

/// Ratios of bound to farthest sample, by the node's number of primitives: one, two, up to eight,
/// more.
#[derive(Default)]
struct Ratios([Vec<f64>; 4]);

impl Ratios {
    /// Checks every so many nodes of a tree; fewer in the quick form.
    fn check<T: Scalar>(&mut self, tree: &ObbTree<T>, every: usize, random: &mut Random) {
        for node in (0..tree.len()).step_by(step(every, 6 * every)).map(NodeId::new) {
            let count = tree.primitives(node).len();
            let (bound, radius) =
                (tree.node(node).bound().wide(), PlainBox::of(tree.node(node).oriented()).radius());
            let farthest = sampled(tree, node, random);
            // The oracle assumes right angles; a stored box may be skew.
            let doubt = 1e-14 * radius
                + match tree.geometry() {
                    Geometry::Boxes(_) => 8.0 * T::ROUNDING * radius,
                    _ => 0.0,
                };
            assert!(farthest <= bound + doubt, "{farthest:e} {bound:e} {node:?}");
            // Geometry that is flat up to rounding fills its box.
            if farthest > 1e-5 * radius {
                let kind = [1, 2, 8, usize::MAX].iter().position(|&most| count <= most);
                self.0[kind.expect("a kind")].push(bound / farthest);
            } else {
                let solid = matches!(tree.geometry(), Geometry::Solid(_));
                // For a solid only its own primitives and the inside are searched, not the rest of
                // its surface.
                let limit = if solid { 1.0 } else { 0.05 };
                assert!(bound <= limit * radius, "{bound:e} {radius:e} {count}");
            }
        }
    }

    /// Prints, and returns median and maximum by kind.
    fn close(mut self, name: &str) -> [[f64; 2]; 4] {
        let mut summary = [[1.0; 2]; 4];
        for (kind, ratios) in self.0.iter_mut().enumerate() {
            ratios.sort_by(f64::total_cmp);
            let Some(last) = ratios.last() else { continue };
            let at = |share: f64| ratios[(share * (ratios.len() - 1) as f64) as usize];
            println!(
                "{name}, {} primitives: {} nodes, bound over sample: median {:.3}, 90 % {:.3}, most {last:.3}",
                ["1", "2", "3..8", "more"][kind],
                ratios.len(),
                at(0.5),
                at(0.9)
            );
            summary[kind] = [at(0.5), *last];
        }
        summary
    }

    fn assert_close(self, name: &str) {
        let [single, others @ ..] = self.close(name);
        assert!(single[1] < 1.05, "single primitives are exact: {single:?}");
        assert!(others.iter().all(|kind| kind[0] <= 1.2), "{others:?}");
    }
}

fn random_parts<T: Scalar>() {
    let (mut random, mut ratios, mut corners) = (Random(71), Ratios::default(), Ratios::default());
    for round in 0..12 {
        let part = random_part::<T>(&mut random, round);
        let tree = default_tree(part.clone());
        ratios.check(&tree, 1, &mut random);
        let crude = Build::default().bound(Bound::Corners);
        let crude = ObbTree::build(part, &crude).expect("a part");
        corners.check(&crude, 7, &mut random);
        for node in (0..tree.len()).map(NodeId::new) {
            assert!(tree.node(node).bound() <= crude.node(node).bound(), "{node:?}");
        }
    }
    corners.close("random parts, by corners");
    ratios.assert_close("random parts");
}

#[test]
fn excess_is_close_on_the_fighter() {
    let (mut random, mut ratios) = (Random(72), Ratios::default());
    for mesh in support::fighter::meshes() {
        let tree = default_tree(Geometry::Surface(mesh));
        ratios.check(&tree, 7, &mut random);
    }
    ratios.assert_close("fighter");
}

#[test]
fn excess_is_close_on_real_characters() {
    let Some(data) = support::data::data() else { return };
    let names =
        ["fox/Fox", "cesium-man/CesiumMan", "kaykit-knight/Knight", "robot-expressive/robot"];
    for name in names.into_iter().take(at_least(4, 2)) {
        let path = data.join(format!("characters/{name}.glb"));
        for solid in [false, true] {
            let (mut random, mut ratios) = (Random(73), Ratios::default());
            let options = Loader::new().solid(solid);
            let loaded = options.gltf(&path).expect("a character");
            for tree in loaded.model.parts().iter().filter_map(|part| part.tree()) {
                ratios.check(tree, if solid { 499 } else { 83 }, &mut random);
            }
            match solid {
                // Against the whole solid; the bound uses its own primitives and the inside only.
                true => {
                    ratios.close(&format!("{name}, solid"));
                }
                false => ratios.assert_close(name),
            }
        }
    }
}

scalars! {
    excess_is_close_on_random_parts => random_parts();
}
