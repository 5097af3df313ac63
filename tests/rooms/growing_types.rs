//! Types that will get more fields or variants can not be built or matched exhaustively by callers.

use std::fs;
use std::path::Path;

/// The types, each with its file below `src`.
const TYPES: [(&str, &str); 12] = [
    ("struct Loaded", "load/loaded.rs"),
    ("struct Robot", "load/urdf/robot.rs"),
    ("struct Hit", "scene/pairs/hit.rs"),
    ("struct WalkReport", "brush/walker.rs"),
    ("struct Counts", "tree/counts.rs"),
    ("struct Separation", "tree/translation/separation.rs"),
    ("enum Detail", "scene/filter/answer_options.rs"),
    ("enum HitMode", "scene/filter/query_filter.rs"),
    ("enum Split", "tree/build/options.rs"),
    ("enum Fit", "tree/build/options.rs"),
    ("enum Expansion", "brush/expanded.rs"),
    ("enum PushOutcome", "brush/push.rs"),
];

/// Returns `true` if the declaration has the attribute; `None` if there is no such declaration.
fn is_marked(text: &str, declaration: &str) -> Option<bool> {
    let start = format!("pub {declaration}");
    let ends = |line: &str| {
        let rest = line.strip_prefix(&start);
        rest.is_some_and(|rest| rest.starts_with(['<', ' ', '{']))
    };
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| ends(line))?;
    let attributes = lines[..at].iter().rev().take_while(|line| line.starts_with("#["));
    Some(attributes.into_iter().any(|line| *line == "#[non_exhaustive]"))
}

#[test]
fn types_that_will_grow_are_non_exhaustive() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src");
    for (declaration, file) in TYPES {
        let text = fs::read_to_string(source.join(file)).expect(file);
        assert_eq!(is_marked(&text, declaration), Some(true), "{declaration} in {file}");
    }
    assert_eq!(is_marked("#[non_exhaustive]\npub struct Hits {", "struct Hit"), None);
    assert_eq!(is_marked("#[derive(Debug)]\npub enum Fit {", "enum Fit"), Some(false));
}
