//! Table of calls and the errors that refuse them.

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
