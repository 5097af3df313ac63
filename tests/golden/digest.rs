//! Answers to queries, their digests, and the file of digests.

use std::collections::BTreeMap;

/// Characters of checks on a line of the file: those of 24 queries.
const LINE: usize = 96;

/// Characters of a query and of an answer that a message shows.
const SHOWN: usize = 600;

/// One query in short form, and its whole answer.
pub struct Asked {
    pub question: String,
    pub answer: String,
}

/// Queries of one kind to one scene.
pub struct Row {
    /// Group, scalar, scene and kind.
    pub name: String,
    pub asked: Vec<Asked>,
}

/// Digest of a row: a hash of all answers, and 16 bits of each.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    digest: u64,
    checks: Vec<u16>,
}

/// Rows by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Book(BTreeMap<String, Kept>);

/// Computes FNV-1a (Fowler, Noll, Vo), with a final mix so that the low bits are as good as the
/// others.
fn hash(start: u64, text: &str) -> u64 {
    let hash = text
        .bytes()
        .chain([b'\n'])
        .fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Row {
    pub fn new(name: String) -> Self {
        Row { name, asked: Vec::new() }
    }

    pub fn ask(&mut self, question: impl Into<String>, answer: String) {
        self.asked.push(Asked { question: question.into(), answer });
    }

    pub fn kept(&self) -> Kept {
        let answers = || self.asked.iter().map(|asked| asked.answer.as_str());
        Kept {
            digest: answers().fold(0xcbf2_9ce4_8422_2325, hash),
            checks: answers()
                .map(|answer| (hash(0xcbf2_9ce4_8422_2325, answer) >> 32) as u16)
                .collect(),
        }
    }
}

/// Returns the scalar and the scene of a row's name; one test owns the rows of both.
pub fn owner(name: &str) -> &str {
    let words: Vec<usize> = name.match_indices(' ').map(|(at, _)| at).collect();
    match words[..] {
        [group, _, scene, ..] => &name[group + 1..scene],
        _ => "",
    }
}

impl Book {
    /// Parses the file.
    ///
    /// # Errors
    /// The first malformed line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (mut book, mut last) = (Book::default(), None);
        for (at, line) in text.lines().enumerate() {
            let wrong = || format!("line {}: {line}", at + 1);
            if line.starts_with('#') {
                continue;
            }
            if let Some(checks) = line.strip_prefix("    ") {
                let name: &String = last.as_ref().ok_or_else(wrong)?;
                let kept = book.0.get_mut(name).ok_or_else(wrong)?;
                for at in (0..checks.len()).step_by(4) {
                    let digits = checks.get(at..at + 4).ok_or_else(wrong)?;
                    kept.checks.push(u16::from_str_radix(digits, 16).map_err(|_| wrong())?);
                }
                continue;
            }
            let (name, digest) = line.rsplit_once(' ').ok_or_else(wrong)?;
            let digest = u64::from_str_radix(digest, 16).map_err(|_| wrong())?;
            let kept = Kept { digest, checks: Vec::new() };
            if book.0.insert(name.to_owned(), kept).is_some() {
                return Err(format!("twice in {}", wrong()));
            }
            last = Some(name.to_owned());
        }
        Ok(book)
    }

    /// Returns the file, sorted by name, so that a changed answer changes few lines.
    pub fn text(&self) -> String {
        let mut text = String::from(HEAD);
        for (name, kept) in &self.0 {
            text += &format!("{name} {:016x}\n", kept.digest);
            let checks: String = kept.checks.iter().map(|check| format!("{check:04x}")).collect();
            for from in (0..checks.len()).step_by(LINE) {
                let to = checks.len().min(from + LINE);
                text += &format!("    {}\n", &checks[from..to]);
            }
        }
        text
    }

    pub fn owners(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(|name| owner(name))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Replaces all rows that one test owns.
    pub fn replace(&mut self, of: &str, rows: &[Row]) {
        self.0.retain(|name, _| owner(name) != of);
        self.0.extend(rows.iter().map(|row| (row.name.clone(), row.kept())));
    }

    /// Returns the differences between the rows and the stored ones of one test.
    pub fn faults(&self, of: &str, rows: &[Row]) -> Vec<String> {
        let asked = |name: &String| rows.iter().any(|row| row.name == *name);
        let gone = self.0.keys().filter(|name| owner(name) == of && !asked(name));
        let gone = gone.map(|name| format!("{name}: kept in the file, and no longer asked"));
        rows.iter().filter_map(|row| self.fault(row)).chain(gone).collect()
    }

    fn fault(&self, row: &Row) -> Option<String> {
        let Some(kept) = self.0.get(&row.name) else {
            return Some(format!("{}: asked, and not kept in the file", row.name));
        };
        let now = row.kept();
        if now == *kept {
            return None;
        }
        let count = row.asked.len();
        let differ = |at: &usize| kept.checks.get(*at) != Some(&now.checks[*at]);
        let more = (0..count).filter(differ).count();
        let Some(at) = (0..count).find(differ) else {
            let was = kept.checks.len();
            return Some(format!(
                "{}: {count} questions, {was} are kept; no check tells which answers differ",
                row.name
            ));
        };
        let Asked { question, answer } = &row.asked[at];
        Some(format!(
            "{}: {more} of {count} answers differ ({} are kept)\n  the first is number {at}: {}\n  \
             its answer now: {}",
            row.name,
            kept.checks.len(),
            shown(question),
            shown(answer)
        ))
    }
}

/// Returns the beginning of a text.
fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text.to_owned(),
    }
}

const HEAD: &str = "\
# What the crate answers: group, scalar, scene, kind of question, a hash of all answers; below it 16
# bits of each answer, in order. Written by `BOXWOOD_GOLDEN=write cargo test --test golden`: see
# tests/golden/main.rs.
";

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        ["geometry f32 crowd pairs", "volumes f32 crowd pairs", "geometry f64 crowd pairs"]
            .into_iter()
            .map(|name| {
                let mut row = Row::new(name.to_owned());
                (0..70).for_each(|i| row.ask(format!("of {i}"), format!("{} {}", i * i, 0.5)));
                row
            })
            .collect()
    }

    fn kept() -> Book {
        let mut book = Book::default();
        book.replace("f32 crowd", &rows()[..2]);
        book.replace("f64 crowd", &rows()[2..]);
        Book::parse(&book.text()).expect("what was written")
    }

    #[test]
    fn a_written_file_is_read_and_matches() {
        let (book, rows) = (kept(), rows());
        assert_eq!(book.len(), 3);
        assert_eq!(book.faults("f32 crowd", &rows[..2]), [""; 0]);
        assert_eq!(book.faults("f64 crowd", &rows[2..]), [""; 0]);
        assert_eq!(book.owners().collect::<Vec<_>>(), ["f32 crowd", "f64 crowd", "f32 crowd"]);
    }

    #[test]
    fn a_changed_answer_is_named_with_its_query() {
        let (book, mut rows) = (kept(), rows());
        rows[1].asked[41].answer = "1681 0.50000006".to_owned();
        rows[1].asked[60].answer.push('0');
        let faults = book.faults("f32 crowd", &rows[..2]);
        let expected = "volumes f32 crowd pairs: 2 of 70 answers differ (70 are kept)\n  the first \
                        is number 41: of 41\n  its answer now: 1681 0.50000006";
        assert_eq!(faults, [expected]);
    }

    #[test]
    fn swapped_added_and_missing_answers_and_rows_are_named() {
        let (book, mut rows) = (kept(), rows());
        rows[0].asked.swap(3, 4);
        rows[1].ask("of one more", "7".to_owned());
        rows[2].asked.truncate(69);
        let faults = book.faults("f32 crowd", &rows[..2]);
        assert!(faults.len() == 2 && faults[0].contains("number 3: of 4\n  its answer now: 16"));
        assert!(faults[1].contains("1 of 71") && faults[1].contains("number 70: of one more"));
        let faults = book.faults("f64 crowd", &rows[2..]);
        assert!(faults.len() == 1 && faults[0].contains("69 questions, 70 are kept"));
        let faults = book.faults("f32 crowd", &rows[..1]);
        assert!(faults[1].contains("volumes f32 crowd pairs") && faults[1].contains("no longer"));
        rows[0].name += "_of_none";
        let faults = book.faults("f32 crowd", &rows[..1]);
        assert!(faults[0].contains("pairs_of_none: asked, and not kept"));
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let text = kept().text();
        for (from, to) in
            [("    ", "    g"), ("geometry f32", "volumes f32"), ("pairs ", "pairs x")]
        {
            assert!(Book::parse(&text.replacen(from, to, 1)).is_err(), "{from}");
        }
    }
}
