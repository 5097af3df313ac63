//! Ablation: the same poses with trees of other build options.

use std::time::Instant;

use boxwood::accuracy::{Case, Sample, measure};
use boxwood::nalgebra::Matrix3;
use boxwood::tree::{Bound, Fit, Split, TreeScratch};
use boxwood::{Accuracy, Build, NodeId, ObbTree};

use crate::reframe;

/// Largest measured depth: deeper than most trees.
const DEEPEST: u8 = 16;

/// One set of build options, and its results.
pub struct Ablation {
    pub way: Way,
    /// Samples at depth 0, 1, 2...
    pub depths: Vec<Sample>,
    pub exact: Sample,
    /// Surface area of all oriented boxes, over that of the first set of options.
    pub surface: f64,
    /// Time to build all parts, including the choice of a frame [ms].
    pub build: f64,
}

/// Build options, and whether the part gets a new frame.
#[derive(Clone, Copy)]
pub struct Way {
    pub name: &'static str,
    /// The varied option: ablations of one option share a plot.
    pub of: Varied,
    build: Build,
    reframed: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Varied {
    Default,
    Hulls,
    Split,
    Fit,
}

fn ways() -> Vec<Way> {
    let plain = Build::default().bound(Bound::Corners);
    let split = |name, split| {
        let build = plain.split(split);
        Way { name, of: Varied::Split, build, reframed: false }
    };
    let fit = |name, fit, reframed| {
        let build = plain.fit(fit);
        Way { name, of: Varied::Fit, build, reframed }
    };
    let tight = |name, levels| {
        let build = Build::tight().bound(Bound::Corners).hull_levels(levels);
        Way { name, of: Varied::Hulls, build, reframed: false }
    };
    let hulls = |name, levels| {
        let build = plain.hull_levels(levels);
        Way { name, of: Varied::Hulls, build, reframed: false }
    };
    vec![
        Way { name: "mean, best fit", of: Varied::Default, build: plain, reframed: false },
        hulls("boxes alone", 0),
        tight("tight, boxes alone", 0),
        hulls("a hull of the root", 1),
        hulls("hulls of two levels", 2),
        split("median", Split::Median),
        split("area median", Split::AreaMedian),
        split("surface area heuristic", Split::Sah),
        Way { of: Varied::Split, ..tight("tight: that, refined fit", 4) },
        split("bottom-up", Split::BottomUp),
        fit("fit: part frame", Fit::Aligned, false),
        fit("fit: part frame, chosen", Fit::Aligned, true),
        fit("fit: area PCA", Fit::Spread, false),
        fit("fit: refined", Fit::Refined, false),
        fit("fit: best, frame chosen", Fit::Best, true),
    ]
}

struct Built {
    tree: ObbTree,
    frame: Matrix3<f32>,
}

pub fn ablations(trees: &[&ObbTree], cases: &[Case<'_, f32>]) -> Result<Vec<Ablation>, String> {
    let mut found: Vec<Ablation> = Vec::new();
    let (ways, mut first) = (ways(), None);
    for (index, way) in ways.iter().enumerate() {
        eprint!("\rbuilt in other ways: {} of {}: {:<24}", index + 1, ways.len(), way.name);
        let begin = Instant::now();
        let built: Vec<Built> =
            trees.iter().map(|tree| rebuilt(tree, way)).collect::<Result<_, _>>()?;
        let build = begin.elapsed().as_secs_f64() * 1e3;
        let cases = moved(trees, &built, cases)?;
        let surface: f64 = built.iter().map(|b| surface(&b.tree)).sum();
        let surface = surface / *first.get_or_insert(surface);
        let of = |accuracy| measure(&cases, accuracy).map_err(|error| error.to_string());
        let depths = (0..=DEEPEST).map(Accuracy::Depth).map(of).collect::<Result<_, _>>()?;
        found.push(Ablation { way: *way, depths, exact: of(Accuracy::Exact)?, surface, build });
    }
    eprintln!();
    Ok(found)
}

/// Returns the cases with the rebuilt trees. Their exact verdict is computed again, because
/// rotating a part rounds it.
fn moved<'b>(
    trees: &[&ObbTree],
    built: &'b [Built],
    cases: &[Case<'_, f32>],
) -> Result<Vec<Case<'b, f32>>, String> {
    let place = |tree: &ObbTree| {
        trees.iter().position(|other| std::ptr::eq(*other, tree)).unwrap_or_default()
    };
    let mut scratch = TreeScratch::default();
    let one = |case: &Case<'_, f32>| {
        let [a, b] = case.trees.map(|tree| &built[place(tree)]);
        let poses =
            [reframe::placed(&case.poses[0], &a.frame), reframe::placed(&case.poses[1], &b.frame)];
        let mut case = Case { trees: [&a.tree, &b.tree], poses, touching: false, truth: None };
        case.touching = case.pair()?.intersects(Accuracy::Exact, &mut scratch)?;
        Ok(case)
    };
    cases.iter().map(one).collect::<Result<_, boxwood::Error>>().map_err(|error| error.to_string())
}

fn rebuilt(tree: &ObbTree, way: &Way) -> Result<Built, String> {
    let build = |geometry| {
        ObbTree::build(geometry, &way.build).map_err(|error: boxwood::Error| error.to_string())
    };
    let plain = build(tree.geometry().clone())?;
    if !way.reframed || tree.geometry().mesh().is_none() {
        return Ok(Built { tree: plain, frame: Matrix3::identity() });
    }
    let frame = reframe::best(&plain);
    Ok(Built { tree: build(reframe::seen_from(tree.geometry(), &frame)?)?, frame })
}

/// Sum of the surface areas of all oriented boxes.
fn surface(tree: &ObbTree) -> f64 {
    let of = |id: usize| {
        let h = tree.node(NodeId::new(id)).oriented().half_extents().cast::<f64>();
        8.0 * (h.x * h.y + h.y * h.z + h.z * h.x)
    };
    (0..tree.len()).map(of).sum()
}
