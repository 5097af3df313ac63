//! Progress bar of loading: on the terminal, or nowhere.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;

use boxwood::load::{Progress, Stage};

const WIDTH: usize = 40;

/// Returns a progress function that draws on standard error if that is a terminal, and never
/// cancels the work.
pub fn bar() -> impl Fn(Progress) -> ControlFlow<()> {
    let shown = std::io::stderr().is_terminal();
    move |Progress { stage, done, total, .. }| {
        if shown {
            let filled = WIDTH * done / total.max(1);
            let (full, rest) = ("#".repeat(filled), " ".repeat(WIDTH - filled));
            eprint!("\r{:<10}[{full}{rest}]", format!("{stage:?}"));
            if stage == Stage::Building && done == total {
                eprint!("\r{:WIDTH$}{:12}\r", "", "");
            }
            let _ = std::io::stderr().flush();
        }
        ControlFlow::Continue(())
    }
}
