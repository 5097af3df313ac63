//! Readers that close the pipe, and outputs that can not be written.

use std::io::Read;
use std::process::Stdio;

use crate::tool::{baked_fighter, fighter, level, text, tool};

/// Long answers, whose reader reads a little and closes the pipe.
#[test]
fn a_reader_that_leaves_is_no_error() {
    let (fighter, level) = (baked_fighter(), level());
    let commands: [&[&str]; 4] = [
        &["walk", text(&level), "--path", "--frames", "20000"],
        &["walk", text(&level), "--json", "--frames", "20000"],
        &[
            "duel",
            text(&fighter),
            "--json",
            "--distance",
            "0.3",
            "--depth",
            "6",
            "--detail",
            "boxes",
        ],
        &["completions", "zsh"],
    ];
    for words in commands {
        let mut child = tool()
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut out = child.stdout.take().expect("a pipe");
        out.read_exact(&mut [0; 8]).expect("some bytes");
        drop(out);
        let done = child.wait_with_output().expect("an end");
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!((done.status.code(), told.as_str()), (Some(0), ""), "{words:?}");
    }
}

/// Output to a device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("the device");
    let done = tool().args(["inspect", text(&level())]).stdout(full).output().expect("it runs");
    let told = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(1));
    assert!(told.starts_with("boxwood: standard output: "), "{told}");
}

/// Loading draws a bar on standard error if that is a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_bar_is_drawn_on_a_terminal_alone() {
    let fighter = fighter();
    let (program, file) = (env!("CARGO_BIN_EXE_boxwood"), text(&fighter));
    let typescript = std::process::Command::new("script")
        .args(["-qec", &format!("'{program}' inspect '{file}' >/dev/null"), "/dev/null"])
        .stdin(Stdio::null())
        .output();
    let Ok(typescript) = typescript else {
        return crate::tool::skipped("the program `script`, which makes a terminal, is not here");
    };
    let drawn = String::from_utf8_lossy(&typescript.stdout).into_owned();
    assert!(drawn.contains("Building") && drawn.contains('#'), "{drawn:?}");
}
