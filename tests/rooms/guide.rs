//! The guide: every page of `docs` is a chapter, every local link leads somewhere, every program is
//! run; and every file that `tests/README.md` names is there.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the pages of the guide, by name.
fn pages() -> Vec<String> {
    let entries = fs::read_dir(root().join("docs")).expect("the folder docs");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    names.sort();
    assert!(names.len() > 10, "only {} pages: the test sees nothing", names.len());
    names
}

/// Returns the lines of a page outside of code fences.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    page.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// Targets of the links and pictures of a page, those to other sites left out.
fn links(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(page) {
        // Text between backquotes is code.
        let text: String = line.split('`').step_by(2).collect::<Vec<_>>().join("code");
        let ends = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        found.extend(ends.map(|(target, _)| target.to_owned()));
        if let Some((name, target)) = text.strip_prefix('[').and_then(|rest| rest.split_once("]: "))
            && !name.contains(']')
        {
            found.push(target.trim().to_owned());
        }
    }
    found.retain(|target| !target.contains("://") && !target.starts_with("mailto:"));
    found
}

/// Returns the anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(page: &str) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let headings = prose(page).filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let text = line.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>()
    };
    let numbered = headings.map(anchor).map(|anchor| {
        let count = seen.entry(anchor.clone()).or_default();
        *count += 1;
        if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
    });
    numbered.collect()
}

/// Faults of the links of a page in that folder.
fn faults(folder: &Path, name: &str, page: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for link in links(page) {
        let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
        let path = if file.is_empty() { folder.join(name) } else { folder.join(file) };
        if !path.exists() {
            faults.push(format!("{name}: '{link}' leads nowhere"));
        } else if !anchor.is_empty() {
            let text = if file.is_empty() { page.to_owned() } else { read(&path) };
            if !anchors(&text).iter().any(|known| known == anchor) {
                faults.push(format!("{name}: '{link}' names no heading"));
            }
        }
    }
    faults
}

#[test]
fn every_page_is_a_chapter_and_every_chapter_a_page() {
    let chapters = links(&read(&root().join("docs/SUMMARY.md")));
    for page in pages().iter().filter(|page| *page != "SUMMARY.md") {
        let times = chapters.iter().filter(|chapter| *chapter == page).count();
        assert_eq!(times, 1, "docs/{page} stands {times} times in docs/SUMMARY.md");
    }
    let mut named = chapters.clone();
    named.sort();
    named.dedup();
    assert_eq!(named.len(), chapters.len(), "a chapter twice");
}

#[test]
fn every_local_link_is_valid() {
    let mut files: Vec<String> = pages().iter().map(|page| format!("docs/{page}")).collect();
    files.extend(["CONTRIBUTING.md", "GLOSSARY.md", "CHANGELOG.md"].map(str::to_owned));
    files.push("docs/internals/history.md".to_owned());
    let readmes =
        [".", "cli", "benches", "tests", "web", "fuzz", "bindings/bevy", "bindings/python"];
    files.extend(readmes.map(|folder| format!("{folder}/README.md")));
    let (mut found, mut count) = (Vec::new(), 0);
    for file in files {
        let path = root().join(&file);
        let page = read(&path);
        count += links(&page).len();
        let folder = path.parent().expect("a folder");
        found.extend(faults(
            folder,
            path.file_name().and_then(|n| n.to_str()).expect("a name"),
            &page,
        ));
    }
    assert!(count > 60, "only {count} links: the test sees nothing");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_page_with_a_program_is_run() {
    let library = read(&root().join("src/lib.rs"));
    for page in pages() {
        let text = read(&root().join("docs").join(&page));
        let program = text.lines().any(|line| line.trim() == "```rust");
        let run = library.contains(&format!("include_str!(\"../docs/{page}\")"));
        assert!(!program || run, "src/lib.rs does not run the programs of docs/{page}");
    }
}

/// Texts of the programs behind a fence, such as "```rust".
fn programs<'a>(page: &'a str, fence: &'a str) -> impl Iterator<Item = &'a str> {
    let starts = page.split_inclusive('\n').scan(0, move |at, line| {
        *at += line.len();
        Some((line.trim_end() == fence, *at))
    });
    let ends = move |(starts, at): (bool, usize)| {
        starts.then(|| page[at..].split("```").next().unwrap_or_default())
    };
    starts.filter_map(ends)
}

#[test]
fn every_program_that_is_not_run_is_one_that_is_run_elsewhere() {
    // They need Bevy, which is built in another workspace.
    let plugin = read(&root().join("bindings/bevy/README.md"));
    let run = [
        ("bindings/bevy/README.md", read(&root().join("bindings/bevy/fight/src/loaded.rs"))),
        ("docs/bevy.md", programs(&plugin, "```rust").collect()),
    ];
    let mut pages: Vec<String> = pages().iter().map(|page| format!("docs/{page}")).collect();
    let readmes = [".", "cli", "web", "bindings/bevy", "bindings/python"];
    pages.extend(readmes.map(|folder| format!("{folder}/README.md")));
    let mut count = 0;
    for page in pages {
        let text = read(&root().join(&page));
        for program in programs(&text, "```rust,ignore") {
            count += 1;
            let known = run.iter().any(|(of, text)| *of == page && text.contains(program));
            assert!(
                known && program.lines().count() > 5,
                "no test runs this of {page}:\n{program}"
            );
        }
    }
    assert_eq!(count, run.len(), "a page has no such program any more");
    let page = "a\n```rust\nb\nc\n```\n```sh\nd\n```\n```rust\ne\n```\n";
    assert_eq!(programs(page, "```rust").collect::<Vec<_>>(), ["b\nc\n", "e\n"]);
}

#[test]
fn pages_of_members_begin_with_a_picture_and_a_short_program() {
    for page in ["bevy", "cli", "python"] {
        let text = read(&root().join(format!("docs/{page}.md")));
        let start = text.split("\n## ").next().unwrap_or_default();
        let (before, program) = start.split_once("\n```").expect("a program");
        assert!(before.contains("\n![") && before.contains("](pictures/"), "{page}: no picture");
        let lines = program.split("\n```").next().unwrap_or_default().lines().count() - 1;
        assert!((8..=20).contains(&lines), "{page}: {lines} lines");
    }
}

#[test]
fn the_checker_of_links_finds_faults() {
    let page = "# A page\n\n## Rays, and `more`\n## Twice\n## Twice\n[a](#rays-and-more) `[b](x)`\n\
                ```text\n# no heading\n[c](y.md)\n```\n[d](https://x.y/z.md) ![e](p.svg)\n[f]: g.md\n";
    assert_eq!(anchors(page), ["a-page", "rays-and-more", "twice", "twice-1"]);
    assert_eq!(links(page), ["#rays-and-more", "p.svg", "g.md"]);
    let docs = root().join("docs");
    assert!(faults(&docs, "concepts.md", "## One\n[x](recipes.md#rewind) [y](#one)\n").is_empty());
    let bad = "[x](nothing.md) [y](recipes.md#no-such-heading) [z](#none)\n";
    assert_eq!(faults(&docs, "concepts.md", bad).len(), 3);
}

/// Features that conditions of programs name: `feature = "NAME"`.
fn named_features(text: &str) -> impl Iterator<Item = &str> {
    const START: &str = "feature = \"";
    let named = text.match_indices(START).filter(|(at, _)| !text[..*at].ends_with("target_"));
    named.filter_map(|(at, _)| text[at + START.len()..].split('"').next())
}

/// Texts of the Rust files of a folder and below, by path.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push((path.display().to_string(), read(&path)));
        }
    }
    found
}

#[test]
fn every_feature_that_a_program_names_exists() {
    // rustdoc does not check the conditions of programs: one without a feature is never compiled.
    let manifest = read(&root().join("Cargo.toml"));
    let features =
        manifest.split("\n[features]\n").nth(1).and_then(|rest| rest.split("\n[").next());
    let features = features.expect("features");
    let exists = |name: &str| features.lines().any(|line| line.starts_with(&format!("{name} = [")));
    let mut texts = sources(&root().join("src"));
    texts.push(("README.md".to_owned(), read(&root().join("README.md"))));
    texts.extend(
        pages().into_iter().map(|page| (page.clone(), read(&root().join("docs").join(page)))),
    );
    let (mut count, mut unknown) = (0, Vec::new());
    for (file, text) in &texts {
        for name in named_features(text) {
            count += 1;
            unknown.extend((!exists(name)).then(|| format!("{file}: '{name}'")));
        }
    }
    assert!(count > 60, "only {count} conditions: the test sees nothing");
    assert!(unknown.is_empty(), "no such feature: {}", unknown.join(", "));
    assert!(exists("quake-map") && !exists("map") && !exists("dep") && !exists("quake"));
    assert_eq!(
        named_features("a(feature = \"x\", not(feature = \"y-z\"), target_feature = \"w\")")
            .collect::<Vec<_>>(),
        ["x", "y-z"]
    );
}

/// Paths that one with `{a,b}` stands for, up to the first `*`.
fn expanded(path: &str) -> Vec<String> {
    let path = path.split('*').next().unwrap_or_default();
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let (names, after) = rest.split_once('}').expect("a closing brace");
    names.split(',').flat_map(|name| expanded(&format!("{before}{name}{after}"))).collect()
}

#[test]
fn every_file_that_the_table_of_claims_names_is_there() {
    let page = read(&root().join("tests/README.md"));
    let (mut count, mut missing) = (0, Vec::new());
    for row in page.lines().filter(|line| line.starts_with("| ")) {
        let files = row.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
        let names = files.split('`').skip(1).step_by(2);
        for path in
            names.filter(|name| name.contains('/') && !name.contains(' ')).flat_map(expanded)
        {
            count += 1;
            let places = ["tests", "."].map(|folder| root().join(folder).join(&path));
            missing.extend((!places.iter().any(|place| place.exists())).then_some(path));
        }
    }
    assert!(count > 100, "only {count} files: the test sees nothing");
    assert!(missing.is_empty(), "tests/README.md names {missing:?}");
    assert_eq!(expanded("a/{b,c}/*.rs"), ["a/b/", "a/c/"]);
}

#[test]
fn the_readme_is_short_before_it_links_the_guide() {
    let page = read(&root().join("README.md"));
    let (start, _) = page.split_once("\n## Learn more\n").expect("the section");
    let words = start.split_whitespace().count();
    assert!((300..=700).contains(&words), "{words} words");
}
