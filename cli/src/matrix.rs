//! The command `boxwood matrix`: which links of a robot touch at any joint values, with proofs.

use std::fs;
use std::io::{self, Write};

use boxwood::f64::Loader;
use boxwood::load::Robot;
use boxwood::robot::{CollisionMatrix, MatrixBuilder, MatrixPair, PairVerdict};

use crate::any_file::{self, ending};
use crate::arguments::MatrixFile;
use crate::bar;
use crate::refusal::{Refusal, complain};
use crate::report::{self, DecidedPair, Matrix};
use crate::write_srdf::{check_srdf_output, robot_name};

/// Decides every pair of links, and writes those that need no test.
pub fn run(asked: &MatrixFile, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    let file = &asked.file;
    if !any_file::is_robot(file) {
        return Err(Refusal::Usage(format!("{}: a .urdf or .xml is expected", file.display())));
    }
    for (is_given, flag) in [(asked.srdf.is_some(), "--srdf"), (asked.output.is_some(), "--output")]
    {
        if is_given && ending(file) != "urdf" {
            return Err(Refusal::Usage(format!("{flag} requires a .urdf file")));
        }
    }
    if let Some(output) = &asked.output {
        check_srdf_output((file, asked.srdf.as_deref()), output)?;
    }
    let bare = load(asked, false)?;
    bare.warnings.iter().for_each(|warning| complain(&warning.to_string()));
    let given = asked.srdf.as_ref().map(|_| load(asked, true)).transpose()?;
    let refused = |error: boxwood::Error| format!("{}: {error}", file.display());
    let builder = MatrixBuilder::new(&bare.mechanism, &bare.model).map_err(refused)?;
    let samples = usize::try_from(asked.samples).unwrap_or(usize::MAX);
    let splits = usize::try_from(asked.splits).unwrap_or(usize::MAX);
    let builder = builder.samples(samples).seed(asked.seed).splits(splits).margin(asked.margin);
    let draw = bar::pairs();
    let matrix = builder.run_reporting(draw).map_err(refused)?;
    let is_disabled = |pair: &MatrixPair<f64>| {
        let given = given.as_ref().is_some_and(|given| given.model.ignores(pair.a, pair.b));
        given && !bare.model.ignores(pair.a, pair.b)
    };
    let answer = answer(asked, &matrix, is_disabled);
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

fn load(asked: &MatrixFile, with_srdf: bool) -> Result<Robot<f64>, String> {
    let bar = bar::bar();
    let loader = Loader::new().progress(&bar);
    let loader = loader.link_shapes(any_file::link_shapes(asked.visual));
    let loader = match (&asked.srdf, with_srdf) {
        (Some(srdf), true) => loader.srdf(srdf),
        _ => loader,
    };
    let robot = match ending(&asked.file).as_str() {
        "urdf" => loader.urdf(&asked.file),
        _ => loader.mjcf(&asked.file),
    };
    robot.map_err(|error| error.to_string())
}

fn answer(
    asked: &MatrixFile,
    matrix: &CollisionMatrix<f64>,
    is_disabled: impl Fn(&MatrixPair<f64>) -> bool,
) -> Matrix {
    let decided = |pair: &MatrixPair<f64>| {
        let (verdict, witness, least_gap) = match &pair.verdict {
            PairVerdict::Never => ("never", None, None),
            PairVerdict::Always => ("always", None, None),
            PairVerdict::Sometimes { witness } => ("sometimes", Some(witness.clone()), None),
            PairVerdict::Undecided { least_gap } => ("undecided", None, Some(*least_gap)),
            _ => ("unknown", None, None),
        };
        // What touches in every sample, as neighbours do, is rightly disabled.
        let touches = witness.is_some() && pair.touching < matrix.samples();
        DecidedPair {
            a: matrix.name(pair.a).to_owned(),
            b: matrix.name(pair.b).to_owned(),
            verdict,
            touching: pair.touching,
            splits: pair.splits,
            witness,
            least_gap,
            disabled_although_touching: touches && is_disabled(pair),
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
