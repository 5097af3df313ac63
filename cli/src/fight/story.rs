//! The fight as text: the fighters, a line for every blow, the results, and the times.

use std::fmt::Write as _;
use std::io::{self, Write};

use boxwood::{Accuracy, Counts, Detail, Hit};

use super::Rules;
use super::blow::{Blow, FASTER, PAUSE, deepest};
use super::cast::{Fighter, RATE, Start};
use super::play::{Frame, Summary, Times};

/// Time of a frame from the start, or duration of a number of frames [s].
pub fn seconds(frames: usize) -> f32 {
    frames as f32 / RATE
}

/// Prints the fighters, their clips, and the meaning of the columns; with `details` also those of
/// hits.
pub fn header(
    (rules, details): (&Rules, bool),
    cast: &[Fighter; 2],
    start: &Start,
    terminal: &mut dyn Write,
) -> io::Result<()> {
    writeln!(terminal, "duel: {} against {}\n", cast[0].name, cast[1].name)?;
    for fighter in cast {
        let (name, source, plays) = (fighter.name, &fighter.source, fighter.plays());
        let parts = fighter.loaded.model.parts().len();
        let parts = if parts == 1 { "1 part".to_owned() } else { format!("{parts} parts") };
        writeln!(terminal, "{name:<9} {source}, {parts}\n          {plays}")?;
    }
    let frames = rules.frames;
    let lasts = seconds(frames);
    writeln!(terminal, "length    {frames} frames at {RATE} a second: {lasts:.3} s")?;
    let (ahead, aside) = (start.distance, start.aside);
    write!(terminal, "start     blue {ahead:.3} m ahead of red")?;
    if aside.x != 0.0 || aside.y != 0.0 {
        let (side, height) = (if aside.x < 0.0 { "right" } else { "left" }, aside.y);
        write!(terminal, ", {:.3} m to red's {side}, {height:.3} m up", aside.x.abs())?;
    }
    match rules.accuracy() {
        Accuracy::Depth(depth) => writeln!(
            terminal,
            "\naccuracy  boxes down to depth {depth} of each part's tree (--depth)"
        )?,
        _ => writeln!(terminal, "\naccuracy  exact, triangle against triangle")?,
    }
    let what = match rules.detail {
        Detail::Bodies => "parts that share a point",
        Detail::Boxes => "boxes that overlap",
        _ => "parts of which boxes overlap",
    };
    writeln!(terminal, "a hit     a pair of {what}, in one frame (--detail)")?;
    let files = cast.iter().any(|fighter| fighter.is_from_file);
    let scale = if files { " as the files have it (--scale-a, --scale-b), " } else { ", " };
    writeln!(terminal, "units     m{scale}s, m/s; frame 0 is at 0 s")?;
    meanings(terminal)?;
    if details {
        hit_meanings(rules.detail, terminal)?;
    }
    writeln!(terminal)
}

fn meanings(terminal: &mut dyn Write) -> io::Result<()> {
    let pause = seconds(PAUSE);
    writeln!(
        terminal,
        "
a blow    from its first frame with a hit to its last; {PAUSE} frames ({pause:.3} s) without one end it
for       how many frames (fr) and seconds that is
a -> b    a is the attacker: its part moved faster than b's. Every frame of the blow is judged at
          its deepest hit; parts, speed and clip are those of the attacker's fastest moment
          (a -- b: equally fast, to {FASTER} m/s); being pushed apart is no speed
depth     the greatest depth of a hit in the blow, its frame, its parts (red / blue)
push      after a frame in which their geometry, not boxes alone, shares a point: each moves half
          of the way along the ground that takes all of one out of all of the other"
    )
}

fn hit_meanings(detail: Detail, terminal: &mut dyn Write) -> io::Result<()> {
    let [at, normal, depth] = match detail {
        Detail::Bodies => [
            "the centroid of the curve in which the two cross",
            "direction that separates the two, from red to blue",
            "how far blue's part moves along the normal until the two only touch",
        ],
        _ => [
            "a point between the two",
            "direction of least overlap, from red to blue",
            "how far the boxes overlap along the normal",
        ],
    };
    writeln!(
        terminal,
        "
hits      frame, time, * where it is the deepest of its frame, then the parts of red / blue
at        {at}; all points of both are within +- of it
normal    {normal}
depth     {depth}
slack     the two surfaces are no further apart than this"
    )
}

/// Text such as 'red left_hand -> blue head': the attacker first, each with its part.
pub fn who(cast: &[Fighter; 2], attacker: Option<usize>, hit: &Hit) -> String {
    let [red, blue] = parts(cast, hit);
    let [red, blue] = [(cast[0].name, red), (cast[1].name, blue)];
    let (sign, from, to) = match attacker {
        Some(1) => ("->", blue, red),
        Some(_) => ("->", red, blue),
        None => ("--", red, blue),
    };
    format!("{} {} {sign} {} {}", from.0, from.1, to.0, to.1)
}

/// Names of the parts of red and of blue.
pub fn parts<'c>(cast: &'c [Fighter; 2], hit: &Hit) -> [&'c str; 2] {
    let name = |side: usize, site: boxwood::NodeRef| {
        cast[side].loaded.model.parts()[site.part.index()].name()
    };
    [name(0, hit.a), name(1, hit.b)]
}

/// Prints a line a hit; a star marks the effect. `names` is reused, so that a frame allocates
/// nothing.
pub fn hits(frame: &Frame<'_>, names: &mut String, terminal: &mut dyn Write) -> io::Result<()> {
    let marked = deepest(frame.hits).map(|hit| (hit.a, hit.b));
    for hit in frame.hits {
        let star = if marked == Some((hit.a, hit.b)) { '*' } else { ' ' };
        let Hit { point, normal, .. } = hit;
        names.clear();
        // Writing to a string does not fail.
        let _ = write!(names, "{} / {}", frame.part_name(hit.a), frame.part_name(hit.b));
        writeln!(
            terminal,
            "{:>4} {:>7.3} s {star} {names:<30} at ({:>7.3} {:>7.3} {:>7.3}) m +-{:.3} m  \
             normal ({:>6.3} {:>6.3} {:>6.3})  depth {:.4} m  slack {:.4} m",
            frame.number,
            seconds(frame.number),
            point.x,
            point.y,
            point.z,
            hit.point_error,
            normal.x,
            normal.y,
            normal.z,
            hit.depth,
            hit.slack,
        )?;
    }
    Ok(())
}

/// Prints the results; with `details` they follow the line of every hit.
pub fn ending(
    details: bool,
    cast: &[Fighter; 2],
    summary: &Summary,
    terminal: &mut dyn Write,
) -> io::Result<()> {
    if details && summary.hits > 0 {
        writeln!(terminal)?;
    }
    blows(cast, summary, terminal)?;
    summary.print(cast, terminal)?;
    summary.level.as_ref().map_or(Ok(()), |level| level.print(cast, terminal))?;
    terminal.flush()
}

fn blows(cast: &[Fighter; 2], summary: &Summary, terminal: &mut dyn Write) -> io::Result<()> {
    if summary.blows.is_empty() {
        let (frames, lasts) = (summary.frames, seconds(summary.frames));
        return writeln!(terminal, "no blow: nothing touches in {frames} frames ({lasts:.3} s)");
    }
    let told = |blow: &Blow| who(cast, blow.attacker(), &blow.impact().hit);
    let told: Vec<String> = summary.blows.iter().map(told).collect();
    let clips: Vec<&str> = summary.blows.iter().map(|blow| clip(cast, blow)).collect();
    let wide = told.iter().map(|told| told.chars().count()).max().unwrap_or(0);
    let long = clips.iter().map(|clip| clip.chars().count()).max().unwrap_or(0).max(4);
    writeln!(
        terminal,
        "blow  from frame, time   for             {:<wide$}  at speed    {:<long$}  depth",
        "who -> whom", "clip"
    )?;
    for (index, (blow, who)) in summary.blows.iter().zip(told).enumerate() {
        let (first, lasts, clip) = (blow.first, blow.lasts(), clips[index]);
        let (deepest, hit) = &blow.deepest;
        let [red, blue] = parts(cast, hit);
        writeln!(
            terminal,
            "{:>4}  {first:>5}  {:>8.3} s  {lasts:>3} fr {:>6.3} s  {who:<wide$}  \
             {:>5.2} m/s   {clip:<long$}  {:.4} m in frame {deepest}: {red} / {blue}",
            index + 1,
            seconds(first),
            seconds(lasts),
            blow.impact().speed,
            hit.depth,
        )?;
    }
    Ok(())
}

fn clip<'c>(cast: &'c [Fighter; 2], blow: &Blow) -> &'c str {
    blow.attacker().map_or("-", |side| cast[side].clip(blow.impact().frame))
}

impl Summary {
    /// Prints all but the times: the same in every run.
    fn print(&self, cast: &[Fighter; 2], terminal: &mut dyn Write) -> io::Result<()> {
        let by = |side| self.blows.iter().filter(|blow| blow.attacker() == side).count();
        let [red, blue, neither] = [Some(0), Some(1), None].map(by);
        let (first, second) = (cast[0].name, cast[1].name);
        let count = self.blows.len();
        write!(terminal, "\nblows              {count:>10}  {red} by {first}, {blue} by {second}")?;
        if neither > 0 {
            write!(terminal, ", {neither} by neither")?;
        }
        let with = self.frames_with_hits;
        writeln!(
            terminal,
            "\nframes with a hit  {with:>10}  of {}: {:.3} s of {:.3} s",
            self.frames,
            seconds(with),
            seconds(self.frames)
        )?;
        writeln!(terminal, "hits               {:>10}  in all frames together", self.hits)?;
        self.extremes(terminal)?;
        if self.pushes > 0 {
            let (pushes, (longest, number)) = (self.pushes, self.longest);
            writeln!(
                terminal,
                "pushed apart       {pushes:>10}  times, longest {longest:.4} m after frame {number}"
            )?;
        }
        self.work(terminal)
    }

    /// Prints the deepest hit, and the greatest slack.
    fn extremes(&self, terminal: &mut dyn Write) -> io::Result<()> {
        let deepest = self.blows.iter().position(|blow| blow.deepest.1.depth == self.deepest);
        let Some(blow) = deepest else { return Ok(()) };
        let (depth, slack) = (self.deepest, self.slack);
        writeln!(terminal, "deepest hit        {depth:>10.4}  m in blow {}", blow + 1)?;
        writeln!(
            terminal,
            "greatest slack     {slack:>10.4}  m: surfaces of a hit can be so far apart"
        )
    }

    /// Prints the number of tested pairs of boxes.
    fn work(&self, terminal: &mut dyn Write) -> io::Result<()> {
        let Counts { characters, parts, boxes, oriented, .. } = &self.counts;
        writeln!(terminal, "pairs of boxes tested, in all frames together")?;
        writeln!(terminal, "  characters       {characters:>10}  boxes around the two")?;
        writeln!(terminal, "  parts            {parts:>10}  boxes around their parts")?;
        for (level, tests) in boxes.iter().enumerate().filter(|(_, tests)| **tests > 0) {
            writeln!(terminal, "  tree depth {level:<5} {tests:>10}  boxes along a part's axes")?;
        }
        writeln!(terminal, "  oriented         {oriented:>10}  boxes along axes of their own")
    }
}

/// Prints the times, which are those of this machine and run.
pub fn timings(rules: &Rules, times: &[Times], out: &mut dyn Write) -> io::Result<()> {
    let build = if cfg!(debug_assertions) {
        "a build for tests: --release is faster"
    } else {
        "release build"
    };
    let accuracy = match rules.accuracy() {
        Accuracy::Depth(depth) => format!("at depth {depth}"),
        _ => "exactly".to_owned(),
    };
    writeln!(
        out,
        "timed: {} frames {accuracy}, one thread, {build}; us = microseconds a frame",
        times.len()
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
