//! Patterns of names, like those of shells.

/// Returns `true` if a pattern matches the whole name: `*` stands for any characters, `?` for one.
pub fn matches(pattern: &str, name: &str) -> bool {
    let [pattern, name] = [pattern, name].map(|text| text.chars().collect::<Vec<_>>());
    let (mut at, mut read) = (0, 0);
    // Position after the last `*`, and the end of the characters that it stands for.
    let mut star: Option<(usize, usize)> = None;
    while read < name.len() {
        match (pattern.get(at), star) {
            (Some('*'), _) => {
                at += 1;
                star = Some((at, read));
            }
            (Some(&c), _) if c == '?' || c == name[read] => (at, read) = (at + 1, read + 1),
            (_, Some((after, end))) => {
                (at, read) = (after, end + 1);
                star = Some((after, end + 1));
            }
            (_, None) => return false,
        }
    }
    pattern[at..].iter().all(|&c| c == '*')
}
