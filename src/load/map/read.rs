//! The text of a map: limits, lines, and the parser.
//!
//! The crate `quake-map` reads the text; it says no line but that of an error, and makes room for
//! four faces at the sight of every brush. So a scan of the words comes first.

use quake_map::{QuakeMap, TextParseError};

/// Entities and brushes of a map, each at most.
const MOST_BRUSHES: usize = 1 << 17;

/// The largest coordinate of a point. Map units.
pub(super) const MOST_COORDINATE: f64 = (1u64 << 30) as f64;

/// Characters of the parser's message that are passed on.
const MOST_MESSAGE: usize = 200;

/// For each entity the lines on which its brushes begin, counted from 1.
pub(super) type BrushLines = Vec<Vec<usize>>;

/// The words of a map, as the parser cuts them.
struct MapWords<'t> {
    bytes: &'t [u8],
    at: usize,
    line: usize,
}

impl<'t> MapWords<'t> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn step(&mut self) {
        let byte = self.peek();
        self.at += 1;
        let lone_return = byte == Some(b'\r') && self.peek() != Some(b'\n');
        self.line += usize::from(byte == Some(b'\n') || lone_return);
    }

    fn step_until(&mut self, ends: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(|byte| !ends(byte)) {
            self.step();
        }
    }

    /// The next word, and its line.
    fn next(&mut self) -> Option<(&'t [u8], usize)> {
        loop {
            self.step_until(|byte| !byte.is_ascii_whitespace());
            let (start, line, first) = (self.at, self.line, self.peek()?);
            self.step();
            match (first, self.peek()) {
                (b'/', Some(b'/')) => {
                    self.step_until(|byte| byte == b'\n' || byte == b'\r');
                    continue;
                }
                (b'"', _) => {
                    self.step_until(|byte| byte == b'"');
                    self.step();
                }
                // The parser takes what follows a slash for a part of the word, even a blank.
                (b'/', _) => {
                    self.step();
                    self.step_until(|byte| byte.is_ascii_whitespace());
                }
                _ => self.step_until(|byte| byte.is_ascii_whitespace()),
            }
            return Some((&self.bytes[start..self.at.min(self.bytes.len())], line));
        }
    }
}

/// The lines of all brushes, and the last line.
fn brush_lines(bytes: &[u8]) -> Result<(BrushLines, usize), String> {
    let mut words = MapWords { bytes, at: 0, line: 1 };
    let (mut lines, mut depth, mut brushes) = (BrushLines::new(), 0_usize, 0_usize);
    while let Some((word, line)) = words.next() {
        match (word, depth) {
            (b"{", 0) => lines.push(Vec::new()),
            (b"{", 1) => {
                brushes += 1;
                lines.last_mut().expect("an entity").push(line);
            }
            _ => {}
        }
        match word {
            b"{" => depth = depth.saturating_add(1),
            b"}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if lines.len() > MOST_BRUSHES || brushes > MOST_BRUSHES {
            return Err(format!("line {line}: more than {MOST_BRUSHES} entities or brushes"));
        }
    }
    Ok((lines, words.line))
}

/// The entities of a map, and the lines of their brushes.
pub(super) fn read(bytes: &[u8]) -> Result<(QuakeMap, BrushLines), String> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let (lines, last) = brush_lines(bytes)?;
    let refused = |error| match error {
        TextParseError::Io(error) => error.to_string(),
        TextParseError::Lexer(word) | TextParseError::Parser(word) => {
            let line = word.line_number.map_or(last, |line| line.get() as usize);
            let mut message: String = word.message.chars().take(MOST_MESSAGE).collect();
            if ["brushDef", "patchDef"].iter().any(|kind| message.contains(kind)) {
                message += "; brush primitives and patches of later formats are not read";
            }
            format!("line {line}: {message}")
        }
    };
    let mut rest = bytes;
    let map = quake_map::parse(&mut rest).map_err(refused)?;
    Ok((map, lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_brushes() {
        let text = "// { }\n{\n\"a\" \"{\n{\"\n{\n( x )\n}\n// x\r\n{ } }\n/ { {\r{\r\n }\n{ } }";
        let (lines, last) = brush_lines(text.as_bytes()).expect("lines");
        assert_eq!((lines, last), (vec![vec![5, 9], vec![11, 13]], 13));
    }
}
