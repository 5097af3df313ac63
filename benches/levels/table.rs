//! The times of `levels`, as text and as JSON.

use std::io::{self, Write};
use std::time::Duration;

use serde_json::{Value, json};

use crate::alternating::Timed;
use crate::speed_table::unit;
use crate::support::measure::{Found, Round, Way, way};

pub struct Row {
    pub name: String,
    pub timed: Timed,
    /// Number of cases in a round; a time is that of one case.
    pub of: usize,
    /// The peer's function, if it has one.
    pub peer: Option<&'static str>,
    /// Agreement of the answers, or what they count.
    pub note: String,
}

/// Placeholder for a missing peer.
pub fn nobody<'a>() -> Way<'a> {
    way("nobody", || Round { found: Found::default(), time: Duration::ZERO })
}

impl Row {
    fn each(&self) -> [f64; 2] {
        self.timed.times.map(|time| time / self.of as f64)
    }

    pub fn json(&self) -> Value {
        let ([ours, peer], Timed { counts, ratios, rounds, .. }) = (self.each(), self.timed);
        let Some(name) = self.peer else {
            return json!({
                "work": self.name, "rounds": rounds, "note": self.note,
                "answers": { "boxwood": counts[0] }, "ns": { "boxwood": ours },
            });
        };
        json!({
            "work": self.name, "peer": name, "rounds": rounds, "note": self.note,
            "answers": { "boxwood": counts[0], "peer": counts[1] },
            "ns": { "boxwood": ours, "peer": peer },
            "ratio": ratios[1], "ratio_quarters": [ratios[0], ratios[2]],
        })
    }
}

/// Prints the rows below each other.
pub fn print(terminal: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let head = ["ours", "peer", "ratio x"].map(|title| format!("{title:>9}")).join(" | ");
    writeln!(terminal, "{:<width$} | {head} | {:<20} | notes; the peer's way", "name", "answers")?;
    for row in rows {
        let [ours, peer] = row.each().map(unit);
        let [a, b] = row.timed.counts;
        let (peer, ratio) = match row.peer {
            None => ("-".into(), "-".into()),
            Some(_) => (peer, format!("{:.1}", row.timed.ratios[1])),
        };
        let answers = match row.peer {
            None => a.to_string(),
            Some(_) if a == b => format!("{a}, both"),
            Some(_) => format!("{a}, peer {b}"),
        };
        let notes = [row.note.as_str(), row.peer.unwrap_or_default()];
        let notes: Vec<&str> = notes.into_iter().filter(|note| !note.is_empty()).collect();
        let (name, notes) = (&row.name, notes.join("; "));
        writeln!(
            terminal,
            "{name:<width$} | {ours:>9} | {peer:>9} | {ratio:>9} | {answers:<20} | {notes}"
        )?;
    }
    Ok(())
}
