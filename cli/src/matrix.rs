//! The command `boxwood matrix`: which links of a robot touch at any joint values, with proofs.

use std::fs;
use std::io::{self, Write};

use boxwood::PartId;
use boxwood::load::{Loader, Robot};
use boxwood::num::Scalar;
use boxwood::robot::{CollisionMatrix, MatrixBuilder, MatrixPair, PairVerdict};

use crate::any_file::{self, BAKED, Wishes, ending};
use crate::arguments::MatrixFile;
use crate::bar;
use crate::refusal::{Refusal, complain};
use crate::report::{self, DecidedPair, Matrix};
use crate::robots::{check_described_flags, check_robot, check_urdf_flags, with_srdf};
use crate::write_srdf::{check_srdf_output, robot_name};

/// Decides every pair of links, and writes those that need no test.
pub fn run(asked: &MatrixFile, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    let file = &asked.file;
    check_robot(file)?;
    let srdf = [(asked.srdf.is_some(), "--srdf"), (asked.output.is_some(), "--output")];
    check_urdf_flags(file, &srdf)?;
    check_described_flags(file, &[(asked.visual, "--visual")])?;
    if let Some(output) = &asked.output {
        check_srdf_output((file, asked.srdf.as_deref()), output)?;
    }
    if !BAKED.contains(&ending(file).as_str()) {
        return decide(asked, &load::<f64>(asked, false)?, json, out);
    }
    // Baked robots have the precision of the program that wrote them.
    match load::<f32>(asked, false) {
        Ok(robot) => decide(asked, &robot, json, out),
        Err(why) => match load::<f64>(asked, false) {
            Ok(robot) => decide(asked, &robot, json, out),
            Err(_) => Err(why.into()),
        },
    }
}

/// Decides the pairs of a robot, loaded without an SRDF file.
fn decide<T: Scalar>(
    asked: &MatrixFile,
    bare: &Robot<T>,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Refusal> {
    let file = &asked.file;
    bare.warnings.iter().for_each(|warning| complain(&warning.to_string()));
    let given = asked.srdf.as_ref().map(|_| load::<T>(asked, true)).transpose()?;
    let refused = |error: boxwood::Error| format!("{}: {error}", file.display());
    let builder = MatrixBuilder::new(&bare.mechanism, &bare.model).map_err(refused)?;
    let samples = usize::try_from(asked.samples).unwrap_or(usize::MAX);
    let splits = usize::try_from(asked.splits).unwrap_or(usize::MAX);
    let builder = builder.samples(samples).seed(asked.seed).splits(splits).margin(asked.margin);
    let draw = bar::pairs();
    let matrix = builder.run_reporting(draw).map_err(refused)?;
    let ignored = given.iter().flat_map(|given| matrix.ignored_although_touching(&given.model));
    let disabled = ignored.filter(|pair| !bare.model.ignores(pair.a, pair.b));
    let disabled: Vec<_> = disabled.map(|pair| (pair.a, pair.b)).collect();
    let answer = answer(asked, &matrix, &disabled);
    if let Some(output) = &asked.output {
        let text = matrix.to_srdf(&robot_name(file));
        fs::write(output, text).map_err(Refusal::file(output))?;
    }
    let touching = answer.pairs.iter().filter(|pair| pair.disabled_although_touching);
    for DecidedPair { a, b, touching, witness, .. } in touching {
        let names = bare.mechanism.actuators().iter().map(|actuator| actuator.name.as_str());
        let values = witness.iter().flatten().zip(names);
        let at: Vec<String> = values.map(|(value, name)| format!("{name} {value}")).collect();
        let srdf = asked.srdf.as_deref().unwrap_or(file).display();
        complain(&format!(
            "{srdf}: {a} and {b} are disabled and touch, in {touching} of {samples} samples: at {}",
            at.join(", ")
        ));
    }
    match json {
        true => report::line(&answer, out),
        false => Ok(tell(&answer, out)?),
    }
}

fn load<T: Scalar>(asked: &MatrixFile, is_judged: bool) -> Result<Robot<T>, String> {
    let bar = bar::bar();
    let srdf = asked.srdf.as_deref().filter(|_| is_judged);
    let loader = with_srdf(Loader::new().progress(&bar), srdf);
    let wishes = Wishes { visual: asked.visual, ..Wishes::default() };
    any_file::robot(&asked.file, &loader, wishes)
}

fn answer<T: Scalar>(
    asked: &MatrixFile,
    matrix: &CollisionMatrix<T>,
    disabled: &[(PartId, PartId)],
) -> Matrix {
    let decided = |pair: &MatrixPair<T>| {
        let (verdict, witness, least_gap) = match &pair.verdict {
            PairVerdict::Never => ("never", None, None),
            PairVerdict::Always => ("always", None, None),
            PairVerdict::Sometimes { witness } => {
                let wide = witness.iter().map(|value| value.wide());
                ("sometimes", Some(wide.collect()), None)
            }
            PairVerdict::Undecided { least_gap } => ("undecided", None, Some(*least_gap)),
            _ => ("unknown", None, None),
        };
        DecidedPair {
            a: matrix.name(pair.a).to_owned(),
            b: matrix.name(pair.b).to_owned(),
            verdict,
            touching: pair.touching,
            splits: pair.splits,
            witness,
            least_gap,
            disabled_although_touching: disabled.contains(&(pair.a, pair.b)),
        }
    };
    Matrix {
        file: report::name(&asked.file),
        margin: asked.margin,
        seed: asked.seed,
        samples: matrix.samples(),
        pairs: matrix.pairs().iter().map(decided).collect(),
        output: asked.output.as_deref().map(report::name),
    }
}

/// Prints a line a pair, then the number of each verdict.
fn tell(matrix: &Matrix, out: &mut dyn Write) -> io::Result<()> {
    for DecidedPair { a, b, verdict, touching, least_gap, .. } in &matrix.pairs {
        match (*verdict, least_gap) {
            ("sometimes", _) => writeln!(out, "{verdict:<10} {touching:>9}  {a} - {b}")?,
            (_, Some(gap)) => writeln!(out, "{verdict:<10} {:>9}  {a} - {b}: {gap} apart", "")?,
            _ => writeln!(out, "{verdict:<10} {:>9}  {a} - {b}", "")?,
        }
    }
    let count = |verdict| matrix.pairs.iter().filter(|pair| pair.verdict == verdict).count();
    writeln!(
        out,
        "{} pairs: {} never touch and {} always, both proved; {} touch at times, of {} samples as \
         often as said; {} undecided",
        matrix.pairs.len(),
        count("never"),
        count("always"),
        count("sometimes"),
        matrix.samples,
        count("undecided")
    )?;
    match &matrix.output {
        Some(output) => {
            writeln!(out, "{output}: {} pairs disabled", count("never") + count("always"))
        }
        None => Ok(()),
    }
}
