//! The example `depth_vs_accuracy` from outside: its output, its files and its errors.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use support::folder::Folder;

fn study(flags: &[&str]) -> Output {
    support::run_example::run("depth_vs_accuracy", flags)
}

/// Returns the rows of a table, each by the names of the columns.
fn table(path: &Path) -> Vec<HashMap<String, String>> {
    let text = fs::read_to_string(path).expect("a table");
    let mut lines = text.lines().map(|line| line.split(','));
    let head: Vec<&str> = lines.next().expect("names").collect();
    lines
        .map(|cells| {
            let row: Vec<&str> = cells.collect();
            assert_eq!(row.len(), head.len(), "{row:?}");
            head.iter().zip(row).map(|(name, cell)| ((*name).into(), cell.into())).collect()
        })
        .collect()
}

/// Height of a plot; a picture has one, or two below each other. [pixels]
const HEIGHT: i32 = 540;

/// Asserts that no texts overlap, and that all but the plot's own numbers are above or below its
/// lines.
fn check_texts(svg: &str, plot: &str) {
    let number = |tag: &str, name: &str| -> Option<i32> {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        rest.split_once('"')?.0.parse().ok()
    };
    let tags = |start: &str| -> Vec<&str> {
        svg.split(start).skip(1).filter_map(|rest| Some(rest.split_once('>')?.0)).collect()
    };
    let place = |tag: &&str| (number(tag, "x"), number(tag, "y"));
    let texts = tags("<text");
    let mut places: Vec<_> = texts.iter().map(place).collect();
    assert!(places.iter().all(|(x, y)| x.is_some() && y.is_some()), "{plot}");
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), texts.len(), "{plot}: two texts in one place");
    // Dots are where the lines bend; the legend of each plot ends above the highest of them.
    let dots: Vec<i32> = tags("<circle").iter().filter_map(|tag| number(tag, "cy")).collect();
    let marks = tags("<polyline").into_iter().filter(|tag| tag.contains("stroke-width=\"3\""));
    let height = |mark: &str| {
        let points = mark.split_once("points=\"").expect("points").1;
        points.split([',', ' ', '"']).nth(1).and_then(|y| y.parse::<i32>().ok())
    };
    let marks: Vec<i32> = marks.map(|mark| height(mark).expect("a height")).collect();
    let plots = if plot == "costs" { 2 } else { 1 };
    for above in (0..plots).map(|index| HEIGHT * index) {
        let here = |y: &&i32| (above..above + HEIGHT).contains(*y);
        let (dots, legend) = (dots.iter().filter(here), marks.iter().filter(here));
        assert!(dots.clone().count() > 10 && legend.clone().count() >= 2, "{plot} at {above}");
        let (highest, lowest) = (dots.min().expect("dots"), legend.max().expect("entries"));
        assert!(lowest + 10 < *highest, "{plot}: the legend is among the lines");
    }
    assert!(dots.iter().chain(&marks).all(|y| *y < HEIGHT * plots), "{plot}");
}

#[test]
fn tables_and_plots_of_a_few_poses_are_valid() {
    let out = Folder::new();
    let folder = out.path("new/depth");
    let to = folder.to_str().expect("a plain path");
    let few = ["--cases", "24", "--frames", "2", "--out", to, "--tune", "0.15", "--tune-tests"];
    let run = study(&[&few[..], &["500"]].concat());
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let printed = String::from_utf8(run.stdout).expect("text");
    for part in [
        "HARD poses",
        "jab, kick",
        "false positives",
        "over 16 frames",
        ": met",
        "18-DOPs, refitted",
    ] {
        assert!(printed.contains(part), "'{part}' is not in {printed}");
    }
    let samples = table(&folder.join("fighter_samples.csv"));
    check(&samples);
    for setting in ["depth 0", "depth 9", "within 1 %", "budget 100", "exact"] {
        let rows = samples.iter().filter(|row| row["setting"] == setting).count();
        assert_eq!(rows, 2, "{setting}: hard poses and clips");
    }
    let builds = table(&folder.join("fighter_ablations.csv"));
    assert!(builds.len() > 100);
    check(&builds);
    for plot in ["mistakes", "tolerances", "lengths", "costs", "splits", "fits"] {
        let text = fs::read_to_string(folder.join(format!("fighter_{plot}.svg"))).expect(plot);
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"), "{plot}");
        assert!(text.contains("fighter") && text.contains("seed 1000"), "{plot} says of what");
        assert!(text.contains("chosen to be hard"), "{plot} says of which poses");
        check_texts(&text, plot);
    }
}

/// Asserts that no contact is missed, that `Exact` has no false positive, and that the counts add
/// up.
fn check(rows: &[HashMap<String, String>]) {
    for row in rows {
        let count = |name: &str| row[name].parse::<usize>().expect(name);
        assert_eq!(count("misses"), 0, "{row:?}");
        assert_eq!(count("reported"), count("touching") + count("false_positives"), "{row:?}");
        assert!(count("touching") < count("cases"));
        if row["setting"] == "exact" {
            assert_eq!(count("false_positives"), 0, "{row:?}");
        }
    }
}

#[test]
fn invalid_arguments_are_refused_by_name() {
    let cases: [(&[&str], &str); 8] = [
        (&["--model", "a.xyz"], "files of type '.xyz' are not supported"),
        (&["--clip", "jab"], "--clip needs a --model"),
        (&["--model", "/nowhere/a.glb", "--clip", "x"], "/nowhere/a.glb"),
        (&["--cases", "0"], "--cases"),
        (&["--frames", "few"], "--frames can not be 'few'"),
        (&["--tune", "-1"], "--tune"),
        (&["--out"], "--out needs a value"),
        (&["--plot"], "unknown flag '--plot'"),
    ];
    for (flags, named) in cases {
        let run = study(flags);
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success() && said.contains(named), "{flags:?}: {said}");
    }
    let help = study(&["--help"]);
    assert!(String::from_utf8_lossy(&help.stdout).contains("--tune-tests N"));
}
