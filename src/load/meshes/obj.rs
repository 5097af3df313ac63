//! Wavefront OBJ. Groups and materials are ignored: all faces are one mesh.
//!
//! Parsed here: `tobj` and `mesh-loader` store positions in single precision, make fans of concave
//! faces, and reject continued lines, comments after data, and text that is not UTF-8.
//! Source: Wavefront Technologies, Advanced Visualizer manual (1995), appendix B1.

use std::borrow::Cow;

use nalgebra::Point3;

use super::polygon::triangulate;
use super::skipped::SkippedElements;
use crate::load::source::without_byte_order_mark;

/// Largest number of characters of a line that an error quotes.
const MAX_QUOTED: usize = 60;

/// Keywords that change neither positions nor faces: attributes, groups, materials, smoothing, and
/// the settings of curves and surfaces; those are left out with a warning of their own.
const HARMLESS_KEYWORDS: [&str; 36] = [
    "vt",
    "vn",
    "vp",
    "g",
    "o",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "lod",
    "bevel",
    "c_interp",
    "d_interp",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
    "cstype",
    "deg",
    "bmat",
    "step",
    "parm",
    "trim",
    "hole",
    "scrv",
    "sp",
    "end",
    "con",
    "bsp",
    "bzp",
    "cdc",
    "cdp",
    "res",
    "newmtl",
];

/// Parses the triangles; polygons are triangulated, points, lines and curves are left out, material
/// files are not opened.
pub(super) fn triangles(
    bytes: &[u8],
    skipped: &mut SkippedElements,
) -> Result<Vec<[Point3<f64>; 3]>, String> {
    let mut reader = ObjReader::default();
    for (line, number) in ObjLines::new(without_byte_order_mark(bytes)?) {
        reader.line(&line, number, skipped).map_err(|trouble| {
            let text = String::from_utf8_lossy(&line);
            let text: String = text.trim().chars().take(MAX_QUOTED).collect();
            format!("line {number}: {trouble}: '{text}'")
        })?;
    }
    reader.triangles(skipped)
}

/// The lines of a text without comments, each with its number; lines continued by a backslash are
/// joined.
struct ObjLines<'t> {
    rest: Option<&'t [u8]>,
    /// The byte that ends a line: a carriage return in files of early Macintosh systems.
    end: u8,
    number: usize,
}

impl<'t> ObjLines<'t> {
    fn new(text: &'t [u8]) -> Self {
        let end = if text.contains(&b'\n') { b'\n' } else { b'\r' };
        ObjLines { rest: Some(text), end, number: 0 }
    }

    /// The next line of the file, without the space around it.
    fn physical(&mut self) -> Option<&'t [u8]> {
        let rest = self.rest?;
        let at = rest.iter().position(|&byte| byte == self.end);
        let line = &rest[..at.unwrap_or(rest.len())];
        self.rest = at.map(|at| &rest[at + 1..]);
        self.number += 1;
        Some(line.trim_ascii())
    }
}

impl<'t> Iterator for ObjLines<'t> {
    type Item = (Cow<'t, [u8]>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let first = self.physical()?;
        let number = self.number;
        let mut line = Cow::Borrowed(data(first));
        // A comment ends with its line.
        while line.ends_with(b"\\") {
            let joined = line.to_mut();
            joined.pop();
            joined.push(b' ');
            let Some(next) = self.physical() else { break };
            joined.extend_from_slice(data(next));
        }
        Some((line, number))
    }
}

/// The part of a line before its comment.
fn data(line: &[u8]) -> &[u8] {
    match line.iter().position(|&byte| byte == b'#') {
        Some(comment) => line[..comment].trim_ascii_end(),
        None => line,
    }
}

/// The faces of a file: corners as indices of positions, which may come later in the file.
#[derive(Default)]
struct ObjReader {
    positions: Vec<Point3<f64>>,
    corners: Vec<usize>,
    /// The end of the corners of each face, and its line.
    faces: Vec<(usize, usize)>,
}

impl ObjReader {
    fn line(
        &mut self,
        line: &[u8],
        number: usize,
        skipped: &mut SkippedElements,
    ) -> Result<(), String> {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word: &&[u8]| !word.is_empty());
        let Some(keyword) = words.next() else { return Ok(()) };
        match keyword {
            b"v" | b"V" => self.position(words),
            b"f" | b"F" | b"fo" => self.face(words, number, skipped),
            b"vt" | b"vn" => Ok(()),
            _ => {
                let keyword = String::from_utf8_lossy(keyword);
                let lower = keyword.to_ascii_lowercase();
                match lower.as_str() {
                    "p" => skipped.add("points (p)"),
                    "l" => skipped.add("lines (l)"),
                    "curv" | "curv2" | "surf" => {
                        skipped.add(&format!("curves and surfaces ({lower})"));
                    }
                    harmless if HARMLESS_KEYWORDS.contains(&harmless) => {}
                    _ => skipped.add(&format!("unknown lines ({keyword})")),
                }
                Ok(())
            }
        }
    }

    /// Reads a position: three numbers, and up to five for a weight or a colour.
    fn position<'t>(&mut self, words: impl Iterator<Item = &'t [u8]>) -> Result<(), String> {
        let (mut numbers, mut count) = ([0.0; 3], 0);
        for word in words {
            let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok());
            let number = number
                .ok_or_else(|| format!("'{}' is not a number", String::from_utf8_lossy(word)))?;
            if let Some(place) = numbers.get_mut(count) {
                *place = number;
            }
            count += 1;
        }
        if count < 3 {
            return Err(format!("a position needs three numbers, {count} found"));
        }
        self.positions.push(numbers.into());
        Ok(())
    }

    /// Reads a face: corners `position/texture/normal`, of which the first is used.
    fn face<'t>(
        &mut self,
        words: impl Iterator<Item = &'t [u8]>,
        line: usize,
        skipped: &mut SkippedElements,
    ) -> Result<(), String> {
        let start = self.corners.len();
        for word in words {
            let own = word.split(|&byte| byte == b'/').next().unwrap_or_default();
            let index = std::str::from_utf8(own).ok().and_then(|own| own.parse::<i64>().ok());
            let index = index.ok_or_else(|| {
                format!("'{}' is not the index of a corner", String::from_utf8_lossy(word))
            })?;
            let count = self.positions.len();
            let found = match index {
                // A positive index may refer to a later position.
                1.. => usize::try_from(index - 1).ok(),
                0 => None,
                _ => usize::try_from(index.unsigned_abs()).ok().and_then(|i| count.checked_sub(i)),
            };
            let found = found.ok_or_else(|| format!("there is no vertex {index}"))?;
            self.corners.push(found);
        }
        if self.corners.len() < start + 3 {
            self.corners.truncate(start);
            skipped.add("faces of fewer than three corners (f)");
            return Ok(());
        }
        self.faces.push((self.corners.len(), line));
        Ok(())
    }

    /// The triangles of all faces.
    fn triangles(self, skipped: &mut SkippedElements) -> Result<Vec<[Point3<f64>; 3]>, String> {
        let mut triangles = Vec::with_capacity(self.corners.len() - 2 * self.faces.len());
        let (mut start, mut outline) = (0, Vec::new());
        for (end, line) in self.faces {
            outline.clear();
            for &index in &self.corners[start..end] {
                let position = self.positions.get(index).copied();
                outline.push(position.ok_or_else(|| {
                    let count = self.positions.len();
                    format!("line {line}: there is no vertex {}: the count is {count}", index + 1)
                })?);
            }
            start = end;
            if let [a, b, c] = outline[..] {
                triangles.push([a, b, c]);
                continue;
            }
            let found = triangulate(&outline);
            if !found.simple {
                skipped.add(super::polygon::CROSSING_POLYGONS);
            }
            triangles.extend(found.triangles.iter().map(|corners| corners.map(|i| outline[i])));
        }
        Ok(triangles)
    }
}
