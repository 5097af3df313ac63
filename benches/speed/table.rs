//! One table, as text and as JSON: the work, the time of both, and the number of answers of both.

use std::io::{self, Write};

use boxwood::SimdLevel;
use serde_json::{Value, json};

use crate::alternating::{Effort, Timed, all_in_turn};
use crate::support::measure::{BenchGroups, Way};

pub struct Row {
    pub name: String,
    pub timed: Timed,
    /// Number of cases in a round; a time is that of one case.
    pub of: usize,
    /// The peer's function.
    pub peer: String,
}

/// Note for a peer's answer of another kind than ours.
pub const CONTACTS: &str = "contact: closest points, not a point with a bound";

/// Notes for work that the peer has no query for, or is slow at.
pub const WALK: &str = "Bvh::leaf_pairs, then pair by pair";

/// Note for a peer that does less work.
pub const POINTLESS: &str = "the same pairs by Bvh::leaf_pairs, without any contact";

impl Row {
    /// Returns the peer's time over ours. `None` if more than one answer in a thousand differs:
    /// then the work differs. A few differ because the peer's single precision decides touching
    /// pairs differently.
    fn ratio(&self) -> Option<f64> {
        let [ours, peer] = self.timed.counts;
        (1_000 * ours.abs_diff(peer) <= ours.max(peer)).then_some(self.timed.ratios[1])
    }

    fn each(&self) -> [f64; 2] {
        self.timed.times.map(|time| time / self.of as f64)
    }

    fn json(&self) -> Value {
        let Timed { counts, ratios, rounds, .. } = self.timed;
        let ([ours, peer], ratio) = (self.each(), self.ratio());
        json!({
            "work": self.name, "peer": self.peer, "rounds": rounds,
            "answers": { "boxwood": counts[0], "peer": counts[1] },
            "ns": { "boxwood": ours, "peer": peer },
            "ratio": ratio, "ratio_quarters": ratio.map(|_| [ratios[0], ratios[2]]),
        })
    }
}

/// The rows of groups that criterion times elsewhere.
pub struct Table {
    pub effort: Effort,
    pub rows: Vec<Row>,
}

impl BenchGroups for Table {
    /// Adds a row for each peer, beside the last implementation of boxwood in the group.
    fn group(&mut self, name: &str, of: usize, ways: Vec<Way<'_>>) {
        let (mut ours, peers): (Vec<Way<'_>>, Vec<_>) =
            ways.into_iter().partition(|(who, _)| who.starts_with("boxwood"));
        let names: Vec<String> = peers.iter().map(|(who, _)| who.clone()).collect();
        let mut ways: Vec<Way<'_>> = ours.pop().into_iter().chain(peers).collect();
        let timed = all_in_turn(self.effort, &mut ways);
        let row = |(timed, peer)| Row { name: name.into(), timed, of, peer };
        self.rows.extend(timed.into_iter().zip(names).map(row));
    }
}

pub struct Machine {
    pub processor: String,
    pub system: String,
    pub cores: usize,
    pub level: String,
    pub threads: bool,
}

impl Machine {
    pub fn here() -> Self {
        let names = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let name = names.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        Machine {
            processor: name.map_or("unknown processor", |(_, name)| name.trim()).into(),
            system: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            level: SimdLevel::best().to_string(),
            threads: cfg!(feature = "rayon"),
        }
    }
}

pub fn json(machine: &Machine, counted: usize, rows: &[Row]) -> Value {
    json!({
        "peers": ["parry3d 0.31.1", "obvhs 0.4.0"],
        "machine": {
            "processor": machine.processor, "system": machine.system, "cores": machine.cores,
            "level": machine.level, "rayon": machine.threads,
        },
        "answers_of_rounds": counted,
        "rows": rows.iter().map(Row::json).collect::<Vec<_>>(),
    })
}

pub fn print(terminal: &mut dyn Write, machine: &Machine, rows: &[Row]) -> io::Result<()> {
    let Machine { processor, system, cores, level, .. } = machine;
    writeln!(terminal, "{processor}, {cores} cores, {system}; boxwood uses {level}")?;
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let head = ["ours", "peer", "ratio x"].map(|title| format!("{title:>9}")).join(" | ");
    writeln!(terminal, "{:<width$} | {head} | {:<20} | the peer's way", "name", "answers")?;
    for row in rows {
        let [ours, peer] = row.each().map(unit);
        let ratio = row.ratio().map_or("-".into(), |ratio| {
            let digits = if ratio < 1.0 { 2 } else { 1 };
            format!("{ratio:.digits$}")
        });
        let answers = match row.timed.counts {
            [ours, peer] if ours == peer => format!("{ours}, both"),
            [ours, peer] => format!("{ours}, peer {peer}"),
        };
        let (name, note) = (&row.name, &row.peer);
        writeln!(
            terminal,
            "{name:<width$} | {ours:>9} | {peer:>9} | {ratio:>9} | {answers:<20} | {note}"
        )?;
    }
    Ok(())
}

/// Nanoseconds as text, in a suitable unit.
pub fn unit(nanoseconds: f64) -> String {
    let units = [(1e3, 1.0, "ns"), (1e6, 1e3, "us"), (1e9, 1e6, "ms"), (f64::MAX, 1e9, "s")];
    let fits = units.into_iter().find(|(below, ..)| nanoseconds < 0.9995 * below);
    let (_, unit, name) = fits.unwrap_or((f64::MAX, 1e9, "s"));
    let digits =
        if nanoseconds / unit < 10.0 { 2 } else { usize::from(nanoseconds / unit < 100.0) };
    format!("{:.digits$} {name}", nanoseconds / unit)
}
