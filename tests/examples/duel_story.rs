//! The page of `duel` about a fight: its header, its blows, its summary and its pictures.

use std::fs;

use serde_json::Value;
use support::folder::Folder;

/// Line of the table of blows.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    first: u64,
    lasts: u64,
    attacker: String,
    part: String,
    victim: String,
    target: String,
    speed: f64,
    clip: String,
    depth: f64,
    deepest: u64,
}

fn printed(flags: &[&str]) -> String {
    support::run_example::printed("duel", flags)
}

/// Parses the table from lines such as '1  89  1.483 s  8 fr  0.133 s  red left_forearm -> blue
/// right_hand  5.11 m/s  jab  0.0656 m in frame 93: left_hand / head'.
fn table(page: &str) -> Vec<Told> {
    let lines = page.lines().skip_while(|line| !line.starts_with("blow  ")).skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    lines.enumerate().map(|(index, line)| answer(index, line)).collect()
}

fn answer(index: usize, line: &str) -> Told {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |at: usize| words[at].parse::<f64>().unwrap_or_else(|_| panic!("{at} of {line}"));
    let word = |at: usize| words[at].to_owned();
    assert_eq!(number(0), (index + 1) as f64, "{line}");
    for (at, unit) in
        [(3, "s"), (5, "fr"), (7, "s"), (10, "->"), (14, "m/s"), (17, "m"), (19, "frame")]
    {
        assert_eq!(words[at], unit, "{line}");
    }
    let (first, lasts) = (number(1), number(4));
    assert!((number(2) - first / 60.0).abs() < 6e-4, "{line}");
    assert!((number(6) - lasts / 60.0).abs() < 6e-4, "{line}");
    Told {
        first: first as u64,
        lasts: lasts as u64,
        attacker: word(8),
        part: word(9),
        victim: word(11),
        target: word(12),
        speed: number(13),
        clip: word(15),
        depth: number(16),
        deepest: words[20].trim_end_matches(':').parse().expect("a frame"),
    }
}

/// Returns the frame of every hit, its depth and its two parts.
fn hits(json: &str) -> Vec<(u64, f64, [String; 2])> {
    let hit = |line: &str| {
        let hit: Value = serde_json::from_str(line).expect("an object a line");
        let part = |side: &str| hit[side]["part"].as_str().expect("a name").to_owned();
        let (frame, depth) = (hit["frame"].as_u64(), hit["depth"].as_f64());
        (frame.expect("a frame"), depth.expect("a depth"), [part("a"), part("b")])
    };
    json.lines().filter(|line| !line.contains("\"push\":")).map(hit).collect()
}

/// Returns the page of a fight, and its hits.
fn fight(flags: &[&str]) -> (String, Vec<(u64, f64, [String; 2])>) {
    let out = Folder::new();
    let json = out.path("hits.jsonl");
    let file = ["--json", json.to_str().expect("a plain path")];
    let page = printed(&[flags, &file[..]].concat());
    (page, hits(&fs::read_to_string(&json).expect("hits")))
}

#[test]
fn blows_are_the_runs_of_frames_with_hits() {
    for flags in
        [&[][..], &["--clip-a", "kick", "--clip-b", "jab"], &["--detail", "parts", "--depth", "32"]]
    {
        let (page, hits) = fight(flags);
        // Recomputed from the hits alone: a blow ends where three frames have none.
        let mut runs: Vec<Vec<&(u64, f64, [String; 2])>> = Vec::new();
        for hit in &hits {
            match runs.last_mut() {
                Some(run) if run.last().is_some_and(|last| hit.0 - last.0 <= 3) => run.push(hit),
                _ => runs.push(vec![hit]),
            }
        }
        let table = table(&page);
        assert!(table.len() >= 3, "{page}");
        assert_eq!(table.len(), runs.len(), "{page}");
        for (answer, run) in table.iter().zip(&runs) {
            let (first, last) = (run[0].0, run[run.len() - 1].0);
            assert_eq!((answer.first, answer.lasts), (first, last - first + 1), "{page}");
            let deepest = run.iter().map(|hit| hit.1).fold(0.0, f64::max);
            assert!((answer.depth - deepest).abs() < 6e-5, "{answer:?}: {deepest}");
            assert!(run.iter().any(|hit| hit.0 == answer.deepest && hit.1 == deepest));
            // Whoever attacks: the two parts did touch.
            let [red, blue] = match answer.attacker.as_str() {
                "red" => [&answer.part, &answer.target],
                _ => [&answer.target, &answer.part],
            };
            assert!(run.iter().any(|hit| [&hit.2[0], &hit.2[1]] == [red, blue]), "{answer:?}");
        }
        let frames: std::collections::BTreeSet<u64> = hits.iter().map(|hit| hit.0).collect();
        let number = |of: &str| {
            let line = page.lines().find(|line| line.starts_with(of)).expect("a line");
            line[of.len()..].split_whitespace().next().map(str::to_owned).expect("a number")
        };
        assert_eq!(number("blows"), runs.len().to_string());
        assert_eq!(number("frames with a hit"), frames.len().to_string());
        assert_eq!(number("hits "), hits.len().to_string());
    }
}

#[test]
fn the_player_of_an_attack_is_the_attacker() {
    let table = table(&printed(&[]));
    let answer: Vec<_> = table.iter().map(|t| (t.attacker.as_str(), t.clip.as_str())).collect();
    let jabs = [("red", "jab"), ("blue", "jab"), ("red", "jab")];
    assert_eq!(answer, [&jabs[..], &[("red", "kick")]].concat());
    assert!(table.iter().all(|blow| blow.attacker != blow.victim));
    assert!(table.iter().all(|blow| (0.1..20.0).contains(&blow.speed)), "{table:?}");
    let (first, kick) = (&table[0], &table[3]);
    // At the wrist the parts of forearm and hand overlap, so either may touch first.
    assert!(first.part.starts_with("left_"), "{first:?}");
    assert_eq!(first.target, "right_hand");
    assert!(kick.part.starts_with("right_"), "{kick:?}");
}

#[test]
fn swapped_fighters_land_the_same_blows_reversed() {
    let other = |name: &str| if name == "red" { "blue" } else { "red" }.to_owned();
    for [attack, wait] in [["jab", "idle"], ["kick", "guard"]] {
        let fights = [[attack, wait], [wait, attack]]
            .map(|[a, b]| table(&printed(&["--clip-a", a, "--clip-b", b, "--frames", "100"])));
        let [one, two] = &fights;
        assert!(one.len() == two.len() && one.len() >= 2, "{fights:?}");
        for (one, two) in one.iter().zip(two) {
            let mirrored = Told {
                attacker: other(&two.attacker),
                victim: other(&two.victim),
                speed: one.speed,
                depth: one.depth,
                ..two.clone()
            };
            assert_eq!(*one, mirrored);
            assert_eq!((one.attacker.as_str(), one.clip.as_str()), ("red", attack));
            // Equal up to rounding.
            assert!((one.speed - two.speed).abs() < 0.02 && (one.depth - two.depth).abs() < 3e-4);
        }
    }
}

#[test]
fn a_fight_without_a_hit_is_reported() {
    let page = printed(&["--distance", "50", "--frames", "30"]);
    assert!(page.contains("\nno blow: nothing touches in 30 frames (0.500 s)\n"), "{page}");
    assert!(page.contains("blows                       0  0 by red, 0 by blue"), "{page}");
    assert!(
        page.contains("blue 50.000 m ahead of red") && !page.contains("\ndeepest hit"),
        "{page}"
    );
}

#[test]
fn the_header_names_who_fights_and_what_they_play() {
    let page = printed(&["--frames", "2"]);
    assert!(page.starts_with("duel: red against blue\n\nred       built-in fighter, 22 parts\n"));
    let script = ["walk 0.0, guard 1.1, jab 1.3", "idle 0.0, guard 0.8, jab 2.1"];
    assert!(script.iter().all(|clips| page.contains(clips)), "{page}");
    let length = "2 frames at 60 a second: 0.033 s";
    assert!(page.contains(length) && page.contains("accuracy  exact, "), "{page}");
    assert!(page.contains("a pair of parts that share a point"), "{page}");
    let page = printed(&["--frames", "2", "--detail", "parts"]);
    assert!(page.contains("boxes down to depth 3 of"), "{page}");
    assert!(page.contains("a pair of parts of which boxes overlap"), "{page}");

    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fighter/fighter.glb");
    let flags = ["--a", file, "--clip-a", "kick", "--clip-b", "jab", "--frames", "2"];
    let page = printed(&[&flags[..], &["--depth", "5", "--detail", "boxes"]].concat());
    assert!(page.contains("red       fighter.glb, 22 parts\n          clip 'kick' of "), "{page}");
    assert!(
        page.contains("blue      built-in fighter, 22 parts\n          clip 'jab' of "),
        "{page}"
    );
    assert!(
        page.contains("boxes down to depth 5 of") && page.contains("a pair of boxes that overlap")
    );
}

#[test]
fn details_only_add_lines_and_times_are_distinct() {
    let runs = [&["--frames", "100"][..], &["--frames", "100", "--details"]]
        .map(|flags| support::run_example::run("duel", flags));
    let [plain, detailed] =
        runs.each_ref().map(|run| String::from_utf8(run.stdout.clone()).expect("text"));
    let mut rest = detailed.lines();
    assert!(plain.lines().all(|line| rest.any(|other| other == line)), "{plain}{detailed}");
    assert!(!plain.contains(" at (") && detailed.contains("hits      frame, time"));
    let answer = String::from_utf8(runs[0].stderr.clone()).expect("text");
    let steps = ["set poses", "snapshot", "query", "all three", "median", "greatest", "exactly"];
    assert!(steps.iter().all(|step| answer.contains(step)), "{answer}");
    assert!(!plain.contains(" us") && answer.matches(" us ").count() >= 7, "{answer}");
}

#[test]
fn pictures_have_scales_captions_and_names() {
    let out = Folder::new();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fighter/fighter.glb");
    let odd = out.path("a<b & a name longer than half a panel is wide.glb");
    fs::copy(file, &odd).expect("a copy");
    let folder = out.path("svg");
    let [odd, svg] = [&odd, &folder].map(|path| path.to_str().expect("a plain path"));
    printed(&["--a", odd, "--clip-a", "kick", "--frames", "1", "--svg", svg]);
    let picture = fs::read_to_string(folder.join("frame-0000.svg")).expect("a picture");
    assert!(picture.contains("frame 0, 0.000 s: "), "{picture}");
    assert_eq!(picture.matches("class=\"scale\"").count(), 2);
    let metres: Vec<&str> = picture.lines().filter(|line| line.ends_with(" m</text>")).collect();
    assert_eq!(metres.len(), 2);
    // One scale: both bars are as long in pixels, and say so.
    let bar = |line: &&str| {
        let pixels = after(line, "H") - after(line, " d=\"M");
        (pixels, after(&line[line.rfind('"').expect("a text")..], "\">"))
    };
    let ((left, metre), (right, same)) = (bar(&metres[0]), bar(&metres[1]));
    assert!((left - right).abs() < 0.15 && metre == same, "{left} {right} {metre} {same}");
    for words in ["from the side", "from the same side, behind red and above"] {
        assert_eq!(picture.matches(words).count(), 1, "{words}");
    }
    for words in ["red: a&lt;b &amp; a name", "plays kick", "blue: built-in fighter", "plays idle"]
    {
        assert_eq!(picture.matches(words).count(), 2, "{words}");
    }
    assert!(!picture.contains("wide.glb") && picture.contains('\u{2026}'));
}

/// Returns the number that follows a text.
fn after(text: &str, key: &str) -> f64 {
    let rest = &text[text.find(key).expect("the key") + key.len()..];
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    rest[..end].parse().expect("a number")
}

/// Measures the distance of the names of two idle fighters at a distance [m], by the scale bar
/// below them.
fn measured(apart: &str) -> f64 {
    let out = Folder::new();
    let folder = out.path("svg");
    let svg = folder.to_str().expect("a plain path");
    let idle = ["--clip-a", "idle", "--clip-b", "idle", "--frames", "1"];
    printed(&[&idle[..], &["--distance", apart, "--svg", svg]].concat());
    let picture = fs::read_to_string(folder.join("frame-0000.svg")).expect("a picture");
    let bar = picture.lines().find(|line| line.contains("class=\"scale\"")).expect("a bar");
    let pixels = after(bar, "H") - after(bar, " d=\"M");
    assert!((30.0..131.0).contains(&pixels), "{bar}");
    let metres = after(&bar[bar.rfind('"').expect("a text")..], "\">");
    let names = picture.lines().filter(|line| line.contains(">plays idle"));
    let names: Vec<f64> = names.take(2).map(|line| after(line, "x=\"")).collect();
    (names[1] - names[0]).abs() * metres / pixels
}

/// Checks the distances of names, which are above the middles of boxes, and so as far apart as the
/// two fighters, up to a constant.
#[test]
fn scale_bars_have_their_stated_length() {
    let [near, far] = ["1.0", "1.4"].map(measured);
    println!("{near} m, {far} m");
    assert!((far - near - 0.4).abs() < 0.005 && (far - 1.4).abs() < 0.2, "{near} m, {far} m");
}
