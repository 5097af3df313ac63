//! The fight in words: who fights, every blow on a line, what it came to, and what was timed.

use std::fmt::Write as _;
use std::io::{self, Write};

use boxwood::{Detail, Hit};

use crate::arguments::Arguments;
use crate::blow::{Blow, FASTER, PAUSE};
use crate::cast::{Fighter, RATE, Start};
use crate::play::Summary;

/// Seconds from the start of the fight, or of as many frames.
pub fn seconds(frames: usize) -> f32 {
    frames as f32 / RATE
}

/// Who fights, what they do, and what the words below mean.
pub fn header(
    arguments: &Arguments,
    cast: &[Fighter; 2],
    start: &Start,
    terminal: &mut dyn Write,
) -> io::Result<()> {
    writeln!(terminal, "duel: {} against {}\n", cast[0].name, cast[1].name)?;
    for fighter in cast {
        let (name, source, plays) = (fighter.name, &fighter.source, fighter.plays());
        let parts = fighter.loaded.model.parts().len();
        writeln!(terminal, "{name:<9} {source}, {parts} parts; {plays}")?;
    }
    let frames = arguments.frames;
    let lasts = seconds(frames);
    writeln!(terminal, "length    {frames} frames at {RATE} a second: {lasts:.3} s")?;
    let (ahead, aside) = (start.distance, start.aside);
    write!(terminal, "start     blue {ahead:.3} m ahead of red")?;
    if aside.x != 0.0 || aside.y != 0.0 {
        write!(terminal, ", {:.3} m to red's left, {:.3} m up", aside.x, aside.y)?;
    }
    let what = match arguments.detail {
        Detail::Boxes => "boxes",
        _ => "parts",
    };
    writeln!(
        terminal,
        "\naccuracy  depth {}: boxes down to there in each part's tree; a hit is a pair of {what}",
        arguments.depth
    )?;
    if arguments.files.iter().any(Option::is_some) {
        writeln!(terminal, "units     m as the files have them (--scale-a, --scale-b), s")?;
    }
    meanings(terminal)?;
    if arguments.details {
        hit_meanings(terminal)?;
    }
    writeln!(terminal)
}

fn meanings(terminal: &mut dyn Write) -> io::Result<()> {
    let pause = seconds(PAUSE);
    writeln!(
        terminal,
        "
a blow    lasts from a first frame with a hit until {PAUSE} frames ({pause:.3} s) have none
a -> b    a attacks: as the blow began, its part was the faster one at the deepest contact
          (a -- b: neither was faster by {FASTER} m/s, or they touched from frame 0 on)
parts     of the deepest hit of the blow
depth     how far the boxes of that hit overlap
speed     of the attacking part at that contact as the blow began
clip      what the attacker played as the blow began"
    )
}

fn hit_meanings(terminal: &mut dyn Write) -> io::Result<()> {
    writeln!(
        terminal,
        "
a hit     frame, time, and * where it is the deepest of its frame; then
at        a point between the two, in m; the overlap is all within +- of it
normal    direction of least overlap, from who is named first to the other
depth     how far the boxes overlap along the normal
slack     the surfaces in the boxes are no further apart than this"
    )
}

/// 'red left_hand -> blue head': the attacker first, each with its part.
pub fn who(cast: &[Fighter; 2], attacker: Option<usize>, hit: &Hit, out: &mut String) {
    let name = |side: usize, site: boxwood::Site| {
        (cast[side].name, cast[side].loaded.model.parts()[site.part.index()].name())
    };
    let (mut from, mut to) = (name(0, hit.a), name(1, hit.b));
    if attacker == Some(1) {
        std::mem::swap(&mut from, &mut to);
    }
    let sign = if attacker.is_some() { "->" } else { "--" };
    // Writing to a string does not fail.
    let _ = write!(out, "{} {} {sign} {} {}", from.0, from.1, to.0, to.1);
}

/// A line a blow.
pub fn blows(cast: &[Fighter; 2], summary: &Summary, terminal: &mut dyn Write) -> io::Result<()> {
    if summary.blows.is_empty() {
        let (frames, lasts) = (summary.frames, seconds(summary.frames));
        return writeln!(terminal, "no blow: nothing touches in {frames} frames ({lasts:.3} s)");
    }
    let told: Vec<String> = summary.blows.iter().map(|blow| parts(cast, blow)).collect();
    let wide = told.iter().map(String::len).max().unwrap_or(0);
    writeln!(
        terminal,
        "blow  first frame       time  lasts                 {:<wide$}     depth        speed  clip",
        "who hits whom"
    )?;
    for (index, (blow, who)) in summary.blows.iter().zip(told).enumerate() {
        let (speed, clip) = match blow.attacker() {
            Some(side) => (blow.speeds[side], cast[side].clip(blow.first)),
            None => (blow.speeds[0].max(blow.speeds[1]), "-"),
        };
        writeln!(
            terminal,
            "{:>4}  {:>11}  {:>7.3} s  {:>4} frames {:>6.3} s  {who:<wide$}  {:.4} m  {speed:>6.2} m/s  {clip}",
            index + 1,
            blow.first,
            seconds(blow.first),
            blow.lasts(),
            seconds(blow.lasts()),
            blow.deepest.depth,
        )?;
    }
    Ok(())
}

fn parts(cast: &[Fighter; 2], blow: &Blow) -> String {
    let mut told = String::new();
    who(cast, blow.attacker(), &blow.deepest, &mut told);
    told
}

impl Summary {
    /// All but the times: the same in every run.
    pub fn print(&self, cast: &[Fighter; 2], terminal: &mut dyn Write) -> io::Result<()> {
        let by = |side| self.blows.iter().filter(|blow| blow.attacker() == side).count();
        let [red, blue, neither] = [Some(0), Some(1), None].map(by);
        let (names, with) = ([cast[0].name, cast[1].name], self.frames_with_hits);
        write!(terminal, "\nblows              {:>10}", self.blows.len())?;
        write!(terminal, "  {red} by {}, {blue} by {}", names[0], names[1])?;
        writeln!(
            terminal,
            "{}",
            if neither > 0 { format!(", {neither} by neither") } else { String::new() }
        )?;
        writeln!(
            terminal,
            "frames with a hit  {with:>10}  of {}: {:.3} s of {:.3} s",
            self.frames,
            seconds(with),
            seconds(self.frames)
        )?;
        writeln!(terminal, "hits               {:>10}  in all frames together", self.hits)?;
        writeln!(terminal, "deepest hit        {:>10.4}  m", self.deepest)?;
        writeln!(
            terminal,
            "greatest slack     {:>10.4}  m: surfaces said to hit are no further apart (--depth lowers it)",
            self.slack
        )?;
        self.work(terminal)
    }

    /// How many pairs of boxes were tested.
    fn work(&self, terminal: &mut dyn Write) -> io::Result<()> {
        let counts = &self.counts;
        writeln!(terminal, "pairs of boxes tested, in all frames together:")?;
        writeln!(terminal, "  characters       {:>10}", counts.characters)?;
        writeln!(terminal, "  parts            {:>10}", counts.parts)?;
        for (level, tests) in counts.boxes.iter().enumerate().filter(|(_, tests)| **tests > 0) {
            writeln!(terminal, "  tree depth {level:<5} {tests:>10}")?;
        }
        let oriented = counts.oriented;
        writeln!(terminal, "  fifteen axes     {oriented:>10}  of boxes that point any way")
    }
}

/// Microseconds of a frame: poses set, snapshot, query.
pub type Times = [f32; 3];

/// What was timed, and how long it took: on this machine, in this run.
pub fn timings(arguments: &Arguments, times: &[Times], out: &mut dyn Write) -> io::Result<()> {
    let build = if cfg!(debug_assertions) {
        "a build for tests: --release is faster"
    } else {
        "release build"
    };
    writeln!(
        out,
        "timed: {} frames at depth {}, one thread, {build}; us = microseconds a frame",
        times.len(),
        arguments.depth
    )?;
    writeln!(out, "                median    greatest")?;
    let steps = [
        ("set poses", "clips sampled, joints set, parts placed in the world"),
        ("snapshot", "boxes around parts and characters"),
        ("query", "which parts touch, where and how deep"),
    ];
    for (step, (name, meaning)) in steps.into_iter().enumerate() {
        row(name, times.iter().map(|time| time[step]), meaning, out)?;
    }
    row("all three", times.iter().map(|time| time.iter().sum()), "", out)
}

fn row(
    name: &str,
    times: impl Iterator<Item = f32>,
    meaning: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut times: Vec<f32> = times.collect();
    times.sort_by(f32::total_cmp);
    let median = times.get(times.len() / 2).copied().unwrap_or(0.0);
    let most = times.last().copied().unwrap_or(0.0);
    let line = format!("  {name:<10}{median:>7.1} us  {most:>7.1} us  {meaning}");
    writeln!(out, "{}", line.trim_end())
}
