//! Times of the steps of a frame, for the end of a run.

use std::io::{self, Write};
use std::time::Instant;

/// The times of every frame, step by step.
pub struct FrameTimes {
    /// Name and times of each step [ms].
    steps: Vec<(&'static str, Vec<f64>)>,
    since: Instant,
}

impl FrameTimes {
    /// Starts the clock of the first step.
    pub fn new() -> Self {
        FrameTimes { steps: Vec::new(), since: Instant::now() }
    }

    /// Starts the clock anew: the time since the last step belongs to none.
    pub fn restart(&mut self) {
        self.since = Instant::now();
    }

    /// Ends a step, and starts the clock of the next.
    pub fn step(&mut self, name: &'static str) {
        let time = self.since.elapsed().as_secs_f64() * 1e3;
        match self.steps.iter_mut().find(|(known, _)| *known == name) {
            Some((_, times)) => times.push(time),
            None => self.steps.push((name, vec![time])),
        }
        self.since = Instant::now();
    }

    /// Prints the least, the median and the greatest time of each step, and the sums of the first
    /// two, without those of steps whose names begin with a question mark.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn print(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut sums = [0.0; 2];
        writeln!(out, "{:<24}     least    median  greatest", "times [ms]")?;
        for (name, times) in &mut self.steps {
            times.sort_by(f64::total_cmp);
            let [least, median] = [times[0], times[times.len() / 2]];
            if !name.starts_with('?') {
                sums = [sums[0] + least, sums[1] + median];
            }
            let most = times[times.len() - 1];
            writeln!(out, "  {name:<22} {least:9.3} {median:9.3} {most:9.3}")?;
        }
        writeln!(out, "  {:<22} {:9.3} {:9.3}", "together", sums[0], sums[1])
    }
}

impl Default for FrameTimes {
    fn default() -> Self {
        FrameTimes::new()
    }
}
