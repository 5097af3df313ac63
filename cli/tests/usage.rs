//! Help, completions, and wrong command lines.

use crate::tool::{printed, refused, run};

const COMMANDS: [&str; 7] = ["inspect", "check", "bake", "duel", "view", "walk", "completions"];

#[test]
fn every_command_has_help_with_examples_that_are_read_as_commands() {
    let help = printed(&["--help"]);
    assert!(COMMANDS.iter().all(|command| help.contains(&format!("\n  {command} "))), "{help}");
    let mut examples = 0;
    for command in COMMANDS {
        let help = printed(&[command, "--help"]);
        assert!(help.contains("Usage: boxwood ") && help.contains("--json"), "{help}");
        let told = help.split("Examples:\n").nth(1).expect("examples");
        for line in told.lines().filter(|line| line.starts_with("  boxwood ")) {
            examples += 1;
            // The files are missing, so the exit code is that of a file error, not of usage.
            let words = line.split(['|', '>']).next().expect("words").split_whitespace().skip(1);
            let code = run(words).status.code();
            assert!(matches!(code, Some(0 | 1)), "{line}: {code:?}");
        }
    }
    assert!(examples >= 15, "{examples}");
}

#[test]
fn completions_name_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        assert!(COMMANDS.iter().all(|command| script.contains(command)), "{shell}");
    }
    refused(2, &["completions", "cmd"]);
}

#[test]
fn words_that_are_no_command_are_mistakes_of_usage() {
    refused::<&str>(2, &[]);
    for words in [&["fly"][..], &["inspect"], &["inspect", "--fly", "x"], &["duel"], &["view", "x"]]
    {
        let told = refused(2, words);
        assert!(told.contains("--help"), "{told}");
    }
    assert!(printed(&["--version"]).starts_with("boxwood "));
}
