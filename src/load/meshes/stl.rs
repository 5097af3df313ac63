//! STL, binary and text.
//!
//! Parsed here: `stl_io` treats every file that begins with `solid` as text, but many binary files
//! begin so; `mesh-loader` reads the numbers of text in single precision. Source: 3D Systems,
//! StereoLithography Interface Specification (1988).

use std::iter::Peekable;

use nalgebra::Point3;

use crate::load::source::without_byte_order_mark;

/// Size of the free text before the count of a binary file. Bytes.
const HEADER_LENGTH: usize = 80;
/// Size of a record: a normal, three corners and two attribute bytes. Bytes.
const RECORD_LENGTH: usize = 50;
/// Largest number of characters of a line that an error quotes.
const MAX_QUOTED: usize = 80;

/// Parses the triangles. Normals, colours and names are left out: the winding gives the normal.
pub(super) fn triangles(bytes: &[u8]) -> Result<Vec<[Point3<f64>; 3]>, String> {
    let count = bytes.get(HEADER_LENGTH..HEADER_LENGTH + 4).and_then(|four| four.try_into().ok());
    let count = count.map(|four| u32::from_le_bytes(four) as u64);
    let records = bytes.get(HEADER_LENGTH + 4..).unwrap_or_default();
    // Only the length distinguishes the two: a binary file may begin with any text.
    if count.is_some_and(|count| count * RECORD_LENGTH as u64 == records.len() as u64) {
        return binary(records);
    }
    let words = without_byte_order_mark(bytes)?;
    let first = words.trim_ascii_start().get(..5);
    if first.is_some_and(|first| first.eq_ignore_ascii_case(b"solid")) {
        // Only names may contain characters beyond ASCII, and names are not used.
        return text(&String::from_utf8_lossy(words));
    }
    // Some writers add bytes at the end.
    match count {
        Some(count) if count * (RECORD_LENGTH as u64) < records.len() as u64 => {
            binary(&records[..count as usize * RECORD_LENGTH])
        }
        _ => Err(wrong_length(count, records)),
    }
}

fn wrong_length(count: Option<u64>, records: &[u8]) -> String {
    match count {
        None => "neither text nor binary STL: it is too short".to_owned(),
        Some(count) => {
            let found = records.len() / RECORD_LENGTH;
            format!("the header declares {count} triangles, the file has bytes for {found}")
        }
    }
}

fn binary(records: &[u8]) -> Result<Vec<[Point3<f64>; 3]>, String> {
    let number = |record: &[u8], at: usize| {
        let bytes = [record[at], record[at + 1], record[at + 2], record[at + 3]];
        f64::from(f32::from_le_bytes(bytes))
    };
    let corner = |record: &[u8], at: usize| Point3::from([0, 4, 8].map(|x| number(record, at + x)));
    let triangle = |record: &[u8]| [12, 24, 36].map(|at| corner(record, at));
    Ok(records.chunks_exact(RECORD_LENGTH).map(triangle).collect())
}

/// Parses the facets of any number of solids: only the words `vertex`, `endloop` and their numbers
/// are used, any number of them on one line.
fn text(text: &str) -> Result<Vec<[Point3<f64>; 3]>, String> {
    let mut triangles = Vec::new();
    let mut corners: Vec<Point3<f64>> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let mut words = line.split_ascii_whitespace().peekable();
        while let Some(word) = words.next() {
            if is(word, "solid") || is(word, "endsolid") {
                // A name of any words follows, up to the end of the line or the next facet.
                let mut last = "";
                words.find(|&word| {
                    is(std::mem::replace(&mut last, word), "facet") && is(word, "normal")
                });
            } else if is(word, "vertex") {
                let vertex = corner(&mut words);
                let checked_vertex = vertex.ok_or_else(|| {
                    format!("line {number}: not three numbers: '{}'", excerpt(line))
                })?;
                corners.push(checked_vertex);
            } else if is(word, "endloop") {
                let found = std::mem::take(&mut corners);
                let [a, b, c] = found[..] else {
                    let found = found.len();
                    return Err(format!("line {number}: the facet has {found} corners, not 3"));
                };
                triangles.push([a, b, c]);
            }
        }
    }
    let cut =
        !corners.is_empty() || !text.trim_ascii_end().to_ascii_lowercase().contains("endsolid");
    let last = text.lines().count();
    if cut { Err(format!("line {last}: the file ends inside a solid")) } else { Ok(triangles) }
}

fn is(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

/// Reads the coordinates that follow `vertex`; `None` unless they are three numbers, with no fourth
/// one on the line.
fn corner<'a>(words: &mut Peekable<impl Iterator<Item = &'a str>>) -> Option<Point3<f64>> {
    let mut vertex = Point3::origin();
    for coordinate in vertex.iter_mut() {
        *coordinate = words.next()?.parse().ok()?;
    }
    let is_number = |word: &&str| word.parse::<f64>().is_ok();
    words.next_if(is_number).is_none().then_some(vertex)
}

/// The beginning of a line, for a message: a whole file may be one line.
fn excerpt(line: &str) -> String {
    let line = line.trim();
    match line.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    const TEXT: &str = "solid a b\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\r\n   \
        VERTEX 0 1e0 -2.5\n  endloop\n endfacet\nendsolid a b\n";

    fn one() -> Vec<[Point3<f64>; 3]> {
        vec![[[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, -2.5].into()]]
    }

    fn bytes(header: &str, triangles: &[[Point3<f64>; 3]]) -> Vec<u8> {
        let mut bytes = header.as_bytes().to_vec();
        bytes.resize(HEADER_LENGTH, b' ');
        bytes.extend((triangles.len() as u32).to_le_bytes());
        for triangle in triangles {
            bytes.extend([0; 12]);
            let numbers = triangle.iter().flat_map(|corner| corner.iter());
            bytes.extend(numbers.flat_map(|&x| (x as f32).to_le_bytes()));
            bytes.extend([0; 2]);
        }
        bytes
    }

    pub fn text_and_binary_say_the_same_whatever_the_header() {
        assert_eq!(triangles(TEXT.as_bytes()), Ok(one()));
        assert_eq!(triangles(format!("{TEXT}{TEXT}").as_bytes()), Ok([one(), one()].concat()));
        for header in ["", "solid like text", "COLOR="] {
            assert_eq!(triangles(&bytes(header, &one())), Ok(one()));
        }
        let mut longer = bytes("", &one());
        longer.extend([7; 9]);
        assert_eq!(triangles(&longer), Ok(one()));
    }

    pub fn lines_are_as_long_as_the_writer_wants() {
        // All of a solid on one line, all of a file on one line, and one keyword or number per
        // line.
        let one_line = TEXT.replace(['\n', '\r'], " ") + "\n";
        assert_eq!(triangles(one_line.as_bytes()), Ok(one()));
        let two = [one(), one()].concat();
        assert_eq!(triangles(one_line.repeat(2).as_bytes()), Ok(two.clone()));
        assert_eq!(triangles(one_line.trim_end().repeat(2).as_bytes()), Ok(two.clone()));
        assert_eq!(triangles(TEXT.replace('\n', "\r").repeat(2).as_bytes()), Ok(two.clone()));
        let facets = TEXT.replace("facet normal", "FACET Normal").replace("loop\n", "loop ");
        assert_eq!(triangles(facets.repeat(2).as_bytes()), Ok(two));
        // Keywords in a name belong to the name, before a facet and after the last one.
        for name in ["vertex 1 2 3", "endloop", "a facet of b vertex 1", "normal facet"] {
            for text in [TEXT, &one_line] {
                let named = text.replace("a b", name);
                assert_eq!(triangles(named.as_bytes()), Ok(one()), "{named}");
            }
        }
    }

    pub fn long_lines_are_refused_by_number_and_beginning() {
        let one_line = TEXT.replace(['\n', '\r'], " ");
        let wrong = one_line.replace("1 0 0", "1 0");
        let beginning = &wrong[..MAX_QUOTED];
        let said = triangles(format!("{TEXT}{wrong}").as_bytes()).expect_err("two numbers");
        assert_eq!(said, format!("line 10: not three numbers: '{beginning}...'"));
        for (from, to, expected) in [
            ("1 0 0", "1 0 0 0", "line 1: not three numbers: 'solid"),
            ("1 0 0", "1 x 0", "line 1: not three numbers: 'solid"),
            ("VERTEX", "x", "line 1: the facet has 2 corners, not 3"),
            ("endloop", "vertex 0 0 1 endloop", "line 1: the facet has 4 corners, not 3"),
            ("endloop", "", "line 1: the file ends inside a solid"),
        ] {
            let said = triangles(one_line.replace(from, to).as_bytes()).expect_err(to);
            assert!(said.starts_with(expected), "{to}: {said}");
        }
    }

    pub fn what_is_cut_or_wrong_is_refused() {
        let whole = bytes("", &one());
        for length in 0..whole.len() {
            assert!(triangles(&whole[..length]).is_err(), "{length}");
        }
        for length in 0..TEXT.len() - "endsolid a b\n".len() {
            assert!(triangles(&TEXT.as_bytes()[..length]).is_err(), "{length}");
        }
        for (from, to) in [("1e0", "one"), ("1 0 0", "1 0"), ("1 0 0", "1 0 0 0"), ("VERTEX", "x")]
        {
            assert!(triangles(TEXT.replace(from, to).as_bytes()).is_err(), "{to}");
        }
        let mut many = whole;
        many[HEADER_LENGTH..HEADER_LENGTH + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let expected = "the header declares 4294967295 triangles, the file has bytes for 1";
        assert_eq!(triangles(&many), Err(expected.to_owned()));
    }
}
