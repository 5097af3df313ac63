//! Reading of a map's text: limits, lines, and the parser.
//!
//! The crate `quake-map` parses the text, but it reports the line only in errors, and allocates
//! four faces for every brush. A scan of the words therefore precedes it.

use std::ffi::CString;

use quake_map::{QuakeMap, TextParseError};

use crate::load::source::without_byte_order_mark;

/// Largest number of entities, and of brushes, of a map.
const MAX_BRUSHES: usize = 1 << 17;

/// The largest coordinate of a point. Map units.
pub(super) const MAX_COORDINATE: f64 = (1u64 << 30) as f64;

/// Largest number of characters of the parser's message in an error.
const MAX_MESSAGE: usize = 200;

/// Lines on which the brushes of each entity begin, counted from 1.
pub(super) type BrushLines = Vec<Vec<usize>>;

/// The words of a map, split like the parser splits them.
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

    /// Returns the next word and its line.
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
                // The parser appends the byte after a slash to the word, even a blank.
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

/// Returns the lines of all brushes, and the last line.
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
        if lines.len() > MAX_BRUSHES || brushes > MAX_BRUSHES {
            return Err(format!("line {line}: more than {MAX_BRUSHES} entities or brushes"));
        }
    }
    Ok((lines, words.line))
}

/// Returns the text with every escaped quote, as TrenchBroom writes it, replaced by a byte that is
/// not in the text, and that byte; `None` without an escaped quote.
///
/// A backslash escapes a quote if an odd number of backslashes precedes the quote. If the line or
/// its brace ends after the quote, the value is a path that ends with a backslash, as other editors
/// write it.
fn without_escapes(text: &[u8]) -> Result<Option<(Vec<u8>, u8)>, String> {
    if !text.windows(2).any(|two| two == b"\\\"") {
        return Ok(None);
    }
    let mut used = [false; 256];
    text.iter().for_each(|&byte| used[usize::from(byte)] = true);
    let free = |byte: &u8| !used[usize::from(*byte)] && !byte.is_ascii_whitespace();
    let mark = (1..=u8::MAX).find(free);
    let mark = mark.ok_or("it has every byte there is, and escaped quotes")?;
    let (mut plain, mut rest, mut quoted) = (Vec::with_capacity(text.len()), text, false);
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => quoted = !quoted,
            b'/' if !quoted && rest.first() == Some(&b'/') => {
                let end = rest.iter().position(|byte| b"\n\r".contains(byte));
                let (comment, after) = rest.split_at(end.unwrap_or(rest.len()));
                plain.push(byte);
                plain.extend_from_slice(comment);
                rest = after;
                continue;
            }
            b'\\' if quoted => {
                let run = rest.iter().take_while(|&&byte| byte == b'\\').count();
                plain.extend(std::iter::repeat_n(b'\\', run));
                rest = &rest[run..];
                let ends = |text: &[u8]| {
                    let mut next = text.iter().filter(|byte| ![b' ', b'\t'].contains(byte));
                    next.next().is_none_or(|byte| b"\n\r}".contains(byte))
                };
                match rest.split_first() {
                    Some((b'"', after)) if run % 2 == 0 && !ends(after) => {
                        plain.push(mark);
                        rest = after;
                    }
                    _ => plain.push(b'\\'),
                }
                continue;
            }
            _ => {}
        }
        plain.push(byte);
    }
    Ok(Some((plain, mark)))
}

/// Restores the quotes of keys and values.
fn restore_quotes(map: &mut QuakeMap, mark: u8) {
    for (key, value) in map.entities.iter_mut().flat_map(|entity| &mut entity.edict) {
        for text in [key, value] {
            let bytes = std::mem::take(text).into_bytes().into_iter();
            let bytes: Vec<u8> = bytes.map(|byte| if byte == mark { b'"' } else { byte }).collect();
            // The text had no zero byte before, and has none now.
            *text = CString::new(bytes).unwrap_or_default();
        }
    }
}

/// The entities of a map, and the lines of their brushes.
pub(super) fn read(bytes: &[u8]) -> Result<(QuakeMap, BrushLines), String> {
    let bytes = without_byte_order_mark(bytes)?;
    let plain = without_escapes(bytes)?;
    let bytes = plain.as_ref().map_or(bytes, |(plain, _)| plain);
    let (lines, last) = brush_lines(bytes)?;
    let refused = |error| match error {
        TextParseError::Io(error) => error.to_string(),
        TextParseError::Lexer(word) | TextParseError::Parser(word) => {
            let line = word.line_number.map_or(last, |line| line.get() as usize);
            let mut message: String = word.message.chars().take(MAX_MESSAGE).collect();
            if ["brushDef", "patchDef"].iter().any(|kind| message.contains(kind)) {
                message += "; brush primitives and patches of later formats are not supported";
            }
            format!("line {line}: {message}")
        }
    };
    let mut rest = bytes;
    let mut map = quake_map::parse(&mut rest).map_err(refused)?;
    if let Some((_, mark)) = plain {
        restore_quotes(&mut map, mark);
    }
    Ok((map, lines))
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn escaped_quotes_are_told_from_paths_that_end_with_a_backslash() {
        let plain = |text: &str| {
            let found = without_escapes(text.as_bytes()).expect("free bytes");
            found.map(|(plain, mark)| {
                assert_eq!(mark, 1);
                String::from_utf8(plain).expect("text")
            })
        };
        assert_eq!(plain("\"a\" \"b\""), None);
        assert_eq!(plain("\"a\" \"b\\\"c\"").as_deref(), Some("\"a\" \"b\u{1}c\""));
        assert_eq!(plain("\"a\" \"c:\\\"\n").as_deref(), Some("\"a\" \"c:\\\"\n"));
        assert_eq!(plain("\"a\" \"c:\\\" }").as_deref(), Some("\"a\" \"c:\\\" }"));
        assert_eq!(plain("\"\\\\\" \"\\\\\\\"x\"").as_deref(), Some("\"\\\\\" \"\\\\\u{1}x\""));
        assert_eq!(plain("// \"\n\"b\\\"c\"").as_deref(), Some("// \"\n\"b\u{1}c\""));
    }

    pub fn lines_of_brushes() {
        let text = "// { }\n{\n\"a\" \"{\n{\"\n{\n( x )\n}\n// x\r\n{ } }\n/ { {\r{\r\n }\n{ } }";
        let (lines, last) = brush_lines(text.as_bytes()).expect("lines");
        assert_eq!((lines, last), (vec![vec![5, 9], vec![11, 13]], 13));
    }
}
