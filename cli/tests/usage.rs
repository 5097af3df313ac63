//! Help, completions, and wrong command lines.

use crate::tool::{BARS, Folder, printed, refused, run, text};

const COMMANDS: [&str; 11] = [
    "inspect",
    "check",
    "matrix",
    "edges",
    "bake",
    "diff",
    "duel",
    "picture",
    "view",
    "walk",
    "completions",
];

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
            let words = words.map(|word| word.trim_matches('\'')).take_while(|word| *word != "&&");
            let (code, allowed) = (run(words).status.code(), if command == "diff" { 2 } else { 1 });
            assert!(code == Some(0) || code == Some(allowed), "{line}: {code:?}");
        }
    }
    assert!(examples >= 24, "{examples}");
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
fn typing_errors_name_the_nearest_word() {
    for (words, nearest) in [
        (&["inspct", "x"][..], "'inspect'"),
        (&["pictures", "x"], "'picture'"),
        (&["check", "x", "--margn", "1"], "'--margin'"),
        (&["edges", "x", "--obstacle", "y"], "'--obstacles'"),
        (&["bake", "x", "--outptu", "y"], "'--output'"),
        (&["duel", "x", "--detail", "part"], "'parts'"),
    ] {
        let told = refused(2, words);
        assert!(told.contains("tip: ") && told.contains(nearest), "{told}");
    }
}

#[test]
fn numbers_below_zero_are_refused_with_what_is_allowed() {
    for (words, expected) in [
        (&["check", "x", "--margin", "-1"][..], "it must be a finite number of at least 0"),
        (&["check", "x", "--within", "-0.5"], "it must be a finite number of at least 0"),
        (&["check", "x", "-n", "-5"], "a whole number from 0 to 100000000"),
        (&["check", "x", "--seed", "-1"], "a whole number of at least 0"),
        (&["check", "x", "--depth", "-1"], "0..=255"),
        (&["check", "x", "--scale", "-1"], "above 0 and at most"),
        (&["edges", "x", "--tolerance", "-0.001"], "above 0"),
        (&["matrix", "x", "--margin", "-1"], "of at least 0"),
        (&["walk", "x", "--frames", "-1"], "1..=1000000"),
    ] {
        let told = refused(2, words);
        let number = words[words.len() - 1];
        assert!(told.contains(expected) && told.contains(&format!("'{number}'")), "{told}");
        assert!(!told.contains("tip: "), "{told}");
    }
}

/// File extensions of characters and robots, and of robots alone.
const ANY: &str = "glb gltf obj stl urdf xml bvh amc baked box";
const ROBOTS: &str = "urdf xml baked box";

#[test]
fn a_file_of_another_type_is_refused_with_all_accepted_ones() {
    let folder = Folder::new();
    let robot = folder.write("bars.urdf", BARS);
    let (all, out) = (format!("{ANY} map"), folder.path("out"));
    for (words, accepted) in [
        (&["inspect", "FILE"][..], all.as_str()),
        (&["check", "FILE"], ANY),
        (&["matrix", "FILE"], ROBOTS),
        (&["edges", "FILE"], ROBOTS),
        (&["edges", text(&robot), "--obstacles", "FILE"], ANY),
        (&["bake", "FILE", "-o", text(&out)], ANY),
        (&["diff", "FILE", text(&robot)], &all),
        (&["diff", text(&robot), "FILE"], &all),
        (&["duel", "FILE"], ANY),
        (&["duel", "bars.obj", "FILE"], ANY),
        (&["picture", "FILE", "-o", text(&out)], &all),
        (&["view", "FILE", "-o", text(&out), "--page", text(&robot)], &all),
        (&["walk", "FILE"], "map"),
    ] {
        for name in ["notes.txt", "notes"] {
            let file = folder.write(name, "{ }");
            folder.write("bars.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
            let path = |word: &&str| match *word {
                "FILE" => text(&file).to_owned(),
                "bars.obj" => text(&folder.path("bars.obj")).to_owned(),
                word => word.to_owned(),
            };
            let words: Vec<String> = words.iter().map(path).collect();
            let done = run(&words);
            let told = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(matches!(done.status.code(), Some(1 | 2)), "{words:?}: {told}");
            assert!(told.contains(name), "{words:?}: {told}");
            let told = told.rsplit(name).next().unwrap_or_default();
            let mut found: Vec<&str> = told.split([' ', ',', '(', ')', '\n']).collect();
            found.retain(|word| word.len() > 1 && word.starts_with('.'));
            let mut expected: Vec<String> =
                accepted.split(' ').map(|ending| format!(".{ending}")).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{words:?}: {told}");
        }
    }
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
