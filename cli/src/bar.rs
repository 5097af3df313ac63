//! Progress bar of loading, on standard error if that is a terminal.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;

use boxwood::load::{Progress, Stage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// Returns a function that draws the completed share and never cancels the work.
pub fn bar() -> impl Fn(Progress) -> ControlFlow<()> {
    let bar = ProgressBar::with_draw_target(Some(1), target());
    // The bar is cleared when a file is refused.
    let bar = bar.with_finish(ProgressFinish::AndClear);
    if let Ok(style) = ProgressStyle::with_template("{prefix:<10}[{bar:40}] {percent:>3} %") {
        bar.set_style(style.progress_chars("##-"));
    }
    move |Progress { stage, done, total, .. }| {
        bar.set_prefix(format!("{stage:?}"));
        bar.set_length(total.max(1) as u64);
        bar.set_position(done as u64);
        if stage == Stage::Building && done == total {
            bar.finish_and_clear();
        }
        ControlFlow::Continue(())
    }
}

/// Returns a function that draws the number of decided pairs.
pub fn pairs() -> impl Fn(usize, usize) {
    let bar = ProgressBar::with_draw_target(Some(1), target());
    let bar = bar.with_finish(ProgressFinish::AndClear);
    if let Ok(style) = ProgressStyle::with_template("Pairs     [{bar:40}] {pos} of {len}") {
        bar.set_style(style.progress_chars("##-"));
    }
    move |done, of| {
        bar.set_length(of.max(1) as u64);
        bar.set_position(done as u64);
        if done == of {
            bar.finish_and_clear();
        }
    }
}

fn target() -> ProgressDrawTarget {
    match io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    }
}
