//! One table: what was done, how long both took, and how many answers both gave.

use std::io::{self, Write};
use std::time::Duration;

use crate::clock::Timed;

/// A line of the table.
pub struct Row {
    pub name: String,
    pub timed: Timed,
    /// Of how many the times are: a time is that of one.
    pub of: usize,
    /// What the peer does.
    pub note: &'static str,
}

/// A peer's answer that is of another kind than ours.
pub const CONTACTS: &str = "contact: closest points, not a point with a bound";
/// How the peer is made to do what it has no query for, or does slowly.
pub const WALK: &str = "Bvh::leaf_pairs, then pair by pair";

/// A peer that is asked for less.
pub const POINTLESS: &str = "the same pairs by Bvh::leaf_pairs, without any contact";

impl Row {
    pub fn new(name: impl Into<String>, timed: Timed) -> Self {
        Row { name: name.into(), timed, of: 1, note: "Bvh, rebuilt" }
    }
}

pub fn print(terminal: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let head = ["ours", "peer", "ratio x"].map(|title| format!("{title:>9}")).join(" | ");
    writeln!(terminal, "{:<width$} | {head} | {:<20} | the peer's way", "name", "counts")?;
    for row in rows {
        let [ours, peer] = row.timed.times;
        let (each_ours, each_peer) = (each(ours, row.of), each(peer, row.of));
        let (ratio, counts) = compared(&row.timed);
        let (name, note) = (&row.name, row.note);
        let times = format!("{each_ours:>9} | {each_peer:>9} | {ratio:>9}");
        writeln!(terminal, "{name:<width$} | {times} | {counts:<20} | {note}")?;
    }
    Ok(())
}

/// The peer's time over ours, but not where the answers differ; and the answers.
fn compared(timed: &Timed) -> (String, String) {
    let [ours, peer] = timed.counts;
    if ours != peer {
        return ("-".into(), format!("{ours}, peer {peer}: differ"));
    }
    let [time, other] = timed.times.map(|time| time.as_secs_f64());
    let ratio = other / time;
    let digits = if ratio < 1.0 { 2 } else { 1 };
    (format!("{ratio:.digits$}"), format!("{ours}, both"))
}

/// A share of a time in a unit that suits it.
fn each(time: Duration, of: usize) -> String {
    let nanoseconds = time.as_secs_f64() * 1e9 / of.max(1) as f64;
    let units = [(1e3, 1.0, "ns"), (1e6, 1e3, "us"), (1e9, 1e6, "ms"), (f64::MAX, 1e9, "s")];
    let fits = units.into_iter().find(|(below, ..)| nanoseconds < 0.9995 * below);
    let (_, unit, name) = fits.unwrap_or((f64::MAX, 1e9, "s"));
    let digits =
        if nanoseconds / unit < 10.0 { 2 } else { usize::from(nanoseconds / unit < 100.0) };
    format!("{:.digits$} {name}", nanoseconds / unit)
}
