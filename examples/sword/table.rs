//! The table of hits by method.

use std::error::Error;
use std::io::Write;

use shared::fighter;

use crate::methods::{ARMS, ArmHits, STEPS, TOLERANCE, Trial};
use crate::motions::StrikingMotion;

const RATES: [usize; 3] = [30, 60, 120];

/// Prints how many hits each method sees, for each strike and rate, as Markdown.
///
/// # Panics
/// If the swept query misses a hit, or reports an arm that is not even near.
pub fn print() -> Result<(), Box<dyn Error>> {
    let (fighter, mut out) = (fighter::fighter(), std::io::stdout().lock());
    let kick = fighter.clips.get("kick")?;
    let (poses, tolerance) = (STEPS + 1, 1e3 * TOLERANCE);
    writeln!(
        out,
        "{ARMS} arms at random places; hits by {poses} poses every 1/30 s; swept to {tolerance} mm.\n"
    )?;
    writeln!(out, "| strike | ticks a second | hits | poses at ticks | straight casts | swept |")?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    for strike in [StrikingMotion::Swing, StrikingMotion::Kick(kick)] {
        let mut trial = Trial::new(&strike, &fighter)?;
        let [truth, near] = trial.truth()?;
        let count = |struck: &ArmHits| struck.iter().filter(|&&is_struck| is_struck).count();
        for rate in RATES {
            let sampled = trial.at_ticks(rate)?;
            let cast = trial.straight_casts(rate)?;
            let swept = trial.swept(rate)?;
            let missed =
                truth.iter().zip(&swept).filter(|&(&is_hit, &seen)| is_hit && !seen).count();
            assert_eq!(missed, 0, "{}: hits that the swept query misses", strike.name());
            let far = near.iter().zip(&swept).filter(|&(&is_near, &seen)| seen && !is_near).count();
            assert_eq!(far, 0, "{}: arms that are not near", strike.name());
            let [sampled, cast, swept] = [sampled, cast, swept].map(|seen| told(&truth, &seen));
            let (name, hits) = (strike.name(), count(&truth));
            writeln!(out, "| {name} | {rate} | {hits} | {sampled} | {cast} | {swept} |")?;
        }
    }
    Ok(())
}

/// Returns how many of the hits a method sees, and how many of those it sees are near misses.
fn told(truth: &ArmHits, seen: &ArmHits) -> String {
    let pairs = || truth.iter().zip(seen).filter(|&(_, &seen)| seen);
    let right = pairs().filter(|&(&is_hit, _)| is_hit).count();
    match pairs().count() - right {
        0 => right.to_string(),
        1 => format!("{right}, 1 near miss"),
        wrong => format!("{right}, {wrong} near misses"),
    }
}
