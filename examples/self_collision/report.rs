//! The printed report.

use std::io::{self, Write};

use boxwood::{Geometry, Model, PartId};

use crate::posed_samples::Samples;

/// Figures of the model, with the number of actuators for a robot.
pub fn describe(
    model: &Model,
    actuators: Option<usize>,
    terminal: &mut dyn Write,
) -> io::Result<()> {
    let parts = model.parts();
    let trees: Vec<_> = parts.iter().filter_map(|part| part.tree()).collect();
    let boxes = |geometry: &Geometry| match geometry {
        Geometry::Boxes(boxes) => boxes.len(),
        _ => 0,
    };
    let triangles = |geometry: &Geometry| geometry.len() - boxes(geometry);
    let sum = |count: &dyn Fn(&Geometry) -> usize| -> usize {
        trees.iter().map(|tree| count(tree.geometry())).sum()
    };
    let with: Vec<usize> = (0..parts.len()).filter(|&part| parts[part].tree().is_some()).collect();
    let tested = |&&a: &&usize| {
        let partners = with.iter().filter(|&&b| a < b);
        partners.filter(|&&b| !model.ignores(PartId::new(a), PartId::new(b))).count()
    };
    let pairs: usize = with.iter().map(|a| tested(&a)).sum();
    writeln!(
        terminal,
        "parts                {:>12}, {} of them with geometry",
        parts.len(),
        with.len()
    )?;
    if let Some(actuators) = actuators {
        writeln!(terminal, "actuators               {actuators:>12}")?;
    }
    writeln!(terminal, "triangles            {:>12}", sum(&triangles))?;
    writeln!(terminal, "boxes given          {:>12}", sum(&boxes))?;
    writeln!(
        terminal,
        "nodes of trees       {:>12}",
        trees.iter().map(|tree| tree.len()).sum::<usize>()
    )?;
    writeln!(
        terminal,
        "pairs tested         {pairs:>12} of {}",
        with.len() * with.len().saturating_sub(1) / 2
    )
}

/// Frequency of touching pairs, the most frequent first.
pub fn outcome(model: &Model, samples: &Samples, terminal: &mut dyn Write) -> io::Result<()> {
    let share = |count: usize| 100.0 * count as f64 / samples.count.max(1) as f64;
    writeln!(terminal, "samples              {:>12}", samples.count)?;
    writeln!(
        terminal,
        "colliding            {:>12} = {:.2} %",
        samples.colliding,
        share(samples.colliding)
    )?;
    let mut pairs: Vec<_> = samples.pairs.iter().collect();
    pairs.sort_by_key(|&(pair, count)| (std::cmp::Reverse(*count), *pair));
    let name = |part: PartId| model.parts()[part.index()].name();
    for (&(a, b), &count) in pairs {
        writeln!(terminal, "  {count:>10} {:>7.2} %  {} - {}", share(count), name(a), name(b))?;
    }
    Ok(())
}
