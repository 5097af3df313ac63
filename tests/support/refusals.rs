//! Tables of calls and texts, and the errors that refuse them.

use std::fmt::Display;

/// Asserts that each call returns an error of its pattern: `call => Pattern if guard`, or, after
/// `all error;`, that every call returns exactly that error.
///
/// Patterns bind references, so guards compare with `*`.
#[macro_export]
macro_rules! refuses {
    (all $error:expr; $($call:expr),+ $(,)?) => {
        $(
            let refused = $call.map(drop).err();
            assert_eq!(refused.as_ref(), Some(&$error), "{}", stringify!($call));
        )+
    };
    ($($call:expr => $error:pat $(if $guard:expr)?),+ $(,)?) => {
        $(
            let refused = $call.map(drop).err();
            assert!(
                matches!(&refused, Some($error) $(if $guard)?),
                "{}: {refused:?}", stringify!($call)
            );
        )+
    };
}

/// Asserts that each text is refused, in one line that names the file and has the words of its row:
/// words that begin with a line number follow the name.
pub fn refuses_texts<T, E: Display>(
    file: &str,
    rows: &[(&str, &str)],
    read: impl Fn(&str) -> Result<T, E>,
) {
    for (text, words) in rows {
        let Err(error) = read(text) else { panic!("read, without '{words}': {text}") };
        let said = error.to_string();
        let trouble = said.split_once(&format!("{file}: ")).map(|(_, trouble)| trouble);
        let has_words = trouble.is_some_and(|trouble| match words.starts_with("line ") {
            true => trouble.starts_with(words),
            false => trouble.contains(words),
        });
        assert!(has_words && !said.contains('\n'), "'{said}' should say '{words}' of {file}");
    }
}

/// Like [`refuses_texts`], for rows of what a text contains, what replaces it, and the words.
pub fn refuses_replacements<T, E: Display>(
    file: &str,
    text: &str,
    rows: &[(&str, &str, &str)],
    read: impl Fn(&str) -> Result<T, E>,
) {
    for (from, to, words) in rows {
        assert!(text.contains(from), "{from}");
        refuses_texts(file, &[(&text.replacen(from, to, 1), words)], &read);
    }
}
