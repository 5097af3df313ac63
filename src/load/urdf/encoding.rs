//! Decoding of XML files, by byte order mark or by the declared encoding.
//!
//! Source: W3C, Extensible Markup Language (XML) 1.0, section 4.3.3 and appendix F. The table of
//! windows-1252 is that of the WHATWG Encoding Standard.

/// The characters of the bytes 0x80 to 0x9f in windows-1252.
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2c6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

/// Largest length of an XML declaration that is searched for, in bytes.
const MAX_DECLARATION: usize = 256;

/// Largest number of undeclared prefixes in a file.
const MAX_PREFIXES: usize = 64;

/// Decodes an XML file: UTF-8, UTF-16 with a byte order mark, ISO-8859-1 and windows-1252.
///
/// The byte order mark is left out. A file of only ASCII characters may declare any encoding that
/// contains them; other encodings are rejected by name. Prefixes of elements and attributes that
/// the file does not declare are declared in its root.
pub(in crate::load) fn xml_text(bytes: Vec<u8>) -> Result<String, String> {
    decoded(bytes).map(with_declared_prefixes)
}

/// Declares the prefixes of elements and attributes that a file uses without a declaration, each
/// with itself as the namespace: tools that know no namespaces write `drake:` and its like.
fn with_declared_prefixes(text: String) -> String {
    let mut seen: Vec<&str> = Vec::new();
    for (at, before) in text.char_indices() {
        let Some(prefix) = prefix_behind(before, &text[at + before.len_utf8()..]) else { continue };
        if seen.len() < MAX_PREFIXES && !seen.contains(&prefix) {
            seen.push(prefix);
        }
    }
    let is_declared = |prefix: &str| {
        let declaration = format!("xmlns:{prefix}");
        let mut uses = text.match_indices(&declaration);
        uses.any(|(at, _)| !text[at + declaration.len()..].starts_with(is_name))
    };
    let missing: Vec<&str> = seen.into_iter().filter(|prefix| !is_declared(prefix)).collect();
    let starts = |&(at, _): &(usize, &str)| {
        text[at + 1..].starts_with(|c: char| c.is_alphabetic() || c == '_')
    };
    let Some((root, _)) = text.match_indices('<').find(starts).filter(|_| !missing.is_empty())
    else {
        return text;
    };
    let name = text[root..].find(|c: char| c.is_whitespace() || c == '>' || c == '/');
    let at = name.map_or(text.len(), |length| root + length);
    let declare = |prefix: &&str| format!(" xmlns:{prefix}=\"{prefix}\"");
    let declarations: String = missing.iter().map(declare).collect();
    format!("{}{declarations}{}", &text[..at], &text[at..])
}

/// Returns `true` for a character of a name, except the colon.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || ['_', '-', '.'].contains(&c)
}

/// Returns the prefix of the name of an element or an attribute that follows a character.
fn prefix_behind(before: char, text: &str) -> Option<&str> {
    let is_attribute = before.is_whitespace();
    if !is_attribute && before != '<' {
        return None;
    }
    let text = if is_attribute { text } else { text.strip_prefix('/').unwrap_or(text) };
    let (prefix, rest) = text.split_at(text.find(|c| !is_name(c))?);
    let local = rest.strip_prefix(':')?;
    let is_name_alone = prefix.is_empty() || prefix == "xml" || prefix == "xmlns";
    let value = local.trim_start_matches(is_name).trim_start();
    let is_used = !is_attribute || value.starts_with('=');
    (!is_name_alone && is_used).then_some(prefix)
}

fn decoded(bytes: Vec<u8>) -> Result<String, String> {
    match &bytes[..] {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => {
            return Err(unsupported_encoding("UTF-32"));
        }
        [0xff, 0xfe, text @ ..] => return utf16(text, u16::from_le_bytes),
        [0xfe, 0xff, text @ ..] => return utf16(text, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, text @ ..] => return utf8(text.to_vec()),
        [b'<', 0, ..] | [0, b'<', ..] => {
            return Err("UTF-16 requires a byte order mark".to_owned());
        }
        _ => {}
    }
    let declared = declared_encoding(&bytes).unwrap_or_else(|| "UTF-8".to_owned());
    match declared.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" => utf8(bytes),
        "iso-8859-1" | "iso8859-1" | "iso_8859-1" | "latin1" | "latin-1" => {
            Ok(bytes.into_iter().map(char::from).collect())
        }
        "windows-1252" | "cp1252" => Ok(bytes.into_iter().map(windows_1252).collect()),
        _ if bytes.is_ascii() => utf8(bytes),
        _ => Err(unsupported_encoding(&declared)),
    }
}

/// The encoding that the XML declaration names.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let start = &bytes[..bytes.len().min(MAX_DECLARATION)];
    let start = String::from_utf8_lossy(start);
    let (declaration, _) = start.strip_prefix("<?xml")?.split_once("?>")?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    value[1..].split_once(quote).map(|(name, _)| name.to_owned())
}

fn utf8(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
        format!("line {line}: the text is not UTF-8")
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, String> {
    let pairs = bytes.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return Err("the UTF-16 text has an odd number of bytes".to_owned());
    }
    let units = pairs.map(|pair| unit([pair[0], pair[1]]));
    let text: Result<String, _> = char::decode_utf16(units).collect();
    text.map_err(|_| "the text is not UTF-16".to_owned())
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn unsupported_encoding(encoding: &str) -> String {
    format!("the encoding '{encoding}' is not supported; save the file as UTF-8")
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn text_is_decoded_as_its_mark_or_its_declaration_says() {
        let text = |bytes: &[u8]| xml_text(bytes.to_vec());
        assert_eq!(text(b"\xef\xbb\xbf<a/>").as_deref(), Ok("<a/>"));
        assert_eq!(text(b"\xff\xfe<\0a\0\xe9\0").as_deref(), Ok("<a\u{e9}"));
        assert_eq!(text(b"\xfe\xff\0<\0a\x20\xac").as_deref(), Ok("<a\u{20ac}"));
        let latin = b"<?xml version='1.0' encoding = 'ISO-8859-1'?><a n='\xe9\x80'/>";
        assert!(text(latin).expect("text").ends_with("n='\u{e9}\u{80}'/>"));
        let windows = b"<?xml version=\"1.0\" encoding=\"Windows-1252\"?><a n='\xe9\x80'/>";
        assert!(text(windows).expect("text").ends_with("n='\u{e9}\u{20ac}'/>"));
        let ascii = b"<?xml version='1.0' encoding='GB2312'?><a/>";
        assert!(text(ascii).is_ok());
        let other = b"<?xml version='1.0' encoding='GB2312'?><a n='\xe9'/>";
        assert!(text(other).expect_err("refused").contains("'GB2312'"));
        assert!(text(b"<?xml version='1.0'?>\n<a n='\xe9'/>").expect_err("bad").contains("line 2"));
        assert!(text(b"\xff\xfe\0\0<\0\0\0").expect_err("refused").contains("UTF-32"));
        assert!(text(b"<\0a\0").is_err() && text(b"\xff\xfe<\0a").is_err());
        assert!(text(b"\xff\xfe\0\xd8").is_err());
    }

    pub fn prefixes_without_a_declaration_are_declared() {
        let text = |text: &str| xml_text(text.as_bytes().to_vec()).expect("text");
        let declared = "<robot xmlns:d=\"d\" xmlns:e=\"e\" name='a'><d:x><e:y/></d:x></robot>";
        assert_eq!(text("<robot name='a'><d:x><e:y/></d:x></robot>"), declared);
        assert_eq!(text(declared), declared);
        assert_eq!(
            text("<?xml version='1.0'?>\n<d:x/>"),
            "<?xml version='1.0'?>\n<d:x xmlns:d=\"d\"/>"
        );
        for same in ["<a/>", "<a b='c:d'>c:d</a>", "<a><!-- c:d --></a>", "", "<", "<:", "<a:"] {
            let found = text(same);
            assert!(found == same || same == "<a:", "{found}");
        }
    }
}
