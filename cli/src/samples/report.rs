//! Report as text.

use std::io::{self, Write};

use boxwood::{Model, PartId};

use super::Samples;
use crate::figures::Figures;

/// Prints numbers of the model, with the number of actuators for a robot.
pub fn describe(
    model: &Model,
    actuators: Option<usize>,
    terminal: &mut dyn Write,
) -> io::Result<()> {
    let figures = Figures::of(model);
    let Figures { parts, with_geometry, triangles, boxes, nodes, .. } = figures;
    writeln!(terminal, "parts                {parts:>12}, {with_geometry} of them with geometry")?;
    if let Some(actuators) = actuators {
        writeln!(terminal, "actuators               {actuators:>12}")?;
    }
    writeln!(terminal, "triangles            {triangles:>12}")?;
    writeln!(terminal, "boxes given          {boxes:>12}")?;
    writeln!(terminal, "nodes of trees       {nodes:>12}")?;
    let [tested, all] = pairs_tested(model);
    writeln!(terminal, "pairs tested         {tested:>12} of {all}")
}

/// Numbers of tested pairs of parts with geometry, and of all such pairs.
pub fn pairs_tested(model: &Model) -> [usize; 2] {
    let parts = model.parts();
    let with: Vec<usize> = (0..parts.len()).filter(|&part| parts[part].tree().is_some()).collect();
    let tested = |&&a: &&usize| {
        let partners = with.iter().filter(|&&b| a < b);
        partners.filter(|&&b| model.tests(PartId::new(a), PartId::new(b))).count()
    };
    let tested = with.iter().map(|a| tested(&a)).sum();
    [tested, with.len() * with.len().saturating_sub(1) / 2]
}

/// Prints the frequency of touching pairs, the most frequent first.
pub fn outcome(model: &Model, samples: &Samples, terminal: &mut dyn Write) -> io::Result<()> {
    let share = |count: usize| 100.0 * count as f64 / samples.count.max(1) as f64;
    writeln!(terminal, "samples              {:>12}", samples.count)?;
    writeln!(
        terminal,
        "colliding            {:>12} = {:.2} %",
        samples.colliding,
        share(samples.colliding)
    )?;
    let name = |part: PartId| model.parts()[part.index()].name();
    for ((a, b), count) in samples.by_frequency() {
        writeln!(terminal, "  {count:>10} {:>7.2} %  {} - {}", share(count), name(a), name(b))?;
    }
    Ok(())
}
