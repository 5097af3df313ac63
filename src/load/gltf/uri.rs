//! URIs of buffers: `data:` URIs and relative paths.

/// Returns the bytes of a base64 `data:` URI; `None` for other URIs.
pub(super) fn data(uri: &str) -> Option<Result<Vec<u8>, String>> {
    let rest = uri.strip_prefix("data:")?;
    let Some((_, text)) = rest.split_once(";base64,") else {
        return Some(Err("the data URI is not in base64".to_owned()));
    };
    Some(base64(text).ok_or_else(|| "the data URI is not valid base64".to_owned()))
}

/// Returns the path of a relative URI; `None` for another scheme or an absolute path.
pub(super) fn relative(uri: &str) -> Option<String> {
    if uri.contains(':') || uri.starts_with(['/', '\\']) {
        return None;
    }
    percent_decoded(uri)
}

/// Decodes base64. Source: RFC 4648, section 4.
fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for symbol in text.trim_end_matches('=').bytes() {
        let six = match symbol {
            b'A'..=b'Z' => symbol - b'A',
            b'a'..=b'z' => symbol - b'a' + 26,
            b'0'..=b'9' => symbol - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    // A single last symbol would be only six bits of a byte.
    (held < 6).then_some(bytes)
}

fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || rest.next().and_then(|b| char::from(b).to_digit(16));
        let (high, low) = (digit()?, digit()?);
        bytes.push((16 * high + low) as u8);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn base64_of_the_standard_vectors() {
        let vectors: [(&str, &str); 7] = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (plain, text) in vectors {
            assert_eq!(base64(text).as_deref(), Some(plain.as_bytes()));
        }
        assert_eq!(base64("/+8="), Some(vec![0xff, 0xef]));
        assert_eq!((base64("Zm9v!"), base64("Zm9vZ")), (None, None));
    }

    pub fn uris_are_data_or_relative_or_refused() {
        let found = data("data:application/octet-stream;base64,AAEC");
        assert_eq!(found, Some(Ok(vec![0, 1, 2])));
        assert!(matches!(data("data:,plain"), Some(Err(_))));
        assert_eq!(data("mesh.bin"), None);
        assert_eq!(relative("a%20b/mesh.bin").as_deref(), Some("a b/mesh.bin"));
        for refused in ["http://there/mesh.bin", "/etc/passwd", "C:/mesh.bin", "a%2", "a%zz"] {
            assert_eq!(relative(refused), None, "{refused}");
        }
    }
}
