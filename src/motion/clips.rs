//! Clips of a character, by name.

use std::ops::Index;

use super::Clip;
use crate::error::Error;
use crate::num::Scalar;

/// The clips of one character, in the given order.
///
/// ```
/// # use std::sync::Arc;
/// # use boxwood::motion::{Clip, Clips, Joint, Skeleton, Transform};
/// # let joint = Joint { name: "hips".into(), parent: None, rest: Transform::<f32>::default() };
/// # let skeleton = Arc::new(Skeleton::new(vec![joint])?);
/// let clips = Clips::new(vec![Clip::new("idle", &skeleton, vec![])?])?;
/// assert_eq!(clips.get("idle")?.duration(), 0.0);
/// assert!(clips.get("jump").is_err());
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Clips<T: Scalar> {
    clips: Vec<Clip<T>>,
}

impl<T: Scalar> Clips<T> {
    /// Creates a list of clips with distinct names; it may be empty.
    ///
    /// # Errors
    /// [`Error::DuplicateName`].
    pub fn new(clips: Vec<Clip<T>>) -> Result<Self, Error> {
        let mut names = std::collections::HashSet::new();
        if let Some(twice) = clips.iter().find(|clip| !names.insert(clip.name())) {
            return Err(Error::DuplicateName { kind: "clip", name: twice.name().to_owned() });
        }
        Ok(Clips { clips })
    }

    /// The number of clips.
    pub fn len(&self) -> usize {
        self.clips.len()
    }

    /// Returns `true` if there are no clips.
    pub fn is_empty(&self) -> bool {
        self.clips.is_empty()
    }

    /// Every clip, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Clip<T>> {
        self.clips.iter()
    }

    /// The clip of that name.
    ///
    /// # Errors
    /// [`Error::UnknownName`].
    pub fn get(&self, name: &str) -> Result<&Clip<T>, Error> {
        let found = self.clips.iter().find(|clip| clip.name() == name);
        found.ok_or_else(|| Error::unknown_name("clip", name, self.iter().map(Clip::name)))
    }
}

impl<T: Scalar> Default for Clips<T> {
    /// The empty list of clips.
    fn default() -> Self {
        Clips { clips: Vec::new() }
    }
}

impl<T: Scalar> Index<&str> for Clips<T> {
    type Output = Clip<T>;

    /// # Panics
    /// If no clip has that name; [`Clips::get`] returns an error instead.
    fn index(&self, name: &str) -> &Clip<T> {
        match self.get(name) {
            Ok(clip) => clip,
            Err(error) => panic!("{error}"),
        }
    }
}

impl<T: Scalar> Index<usize> for Clips<T> {
    type Output = Clip<T>;

    /// # Panics
    /// If `index` is past the last clip.
    fn index(&self, index: usize) -> &Clip<T> {
        &self.clips[index]
    }
}

impl<'a, T: Scalar> IntoIterator for &'a Clips<T> {
    type Item = &'a Clip<T>;
    type IntoIter = std::slice::Iter<'a, Clip<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::motion::{Joint, Skeleton, Transform};

    fn clip(name: &str) -> Clip<f32> {
        let joint = Joint { name: "root".into(), parent: None, rest: Transform::default() };
        let skeleton = Arc::new(Skeleton::new(vec![joint]).expect("one joint"));
        Clip::new(name, &skeleton, vec![]).expect("fine")
    }

    pub fn clips_are_found_by_name_and_by_index() {
        let clips = Clips::new(vec![clip("walk"), clip("run")]).expect("two names");
        assert_eq!((clips.len(), clips["run"].name(), clips[0].name()), (2, "run", "walk"));
        let expected = Error::unknown_name("clip", "fly", ["walk", "run"].into_iter());
        assert_eq!(clips.get("fly").map(|_| ()), Err(expected));
        let names: Vec<_> = clips.iter().map(Clip::name).collect();
        assert_eq!(names, ["walk", "run"]);
    }

    pub fn one_name_is_one_clip() {
        let expected = Error::DuplicateName { kind: "clip", name: "walk".into() };
        assert_eq!(Clips::new(vec![clip("walk"), clip("walk")]).map(|_| ()), Err(expected));
    }

    pub fn indexing_by_an_unknown_name_panics() {
        let clips = Clips::new(vec![clip("walk")]).expect("one");
        let panic = std::panic::catch_unwind(|| clips["fly"].name().len()).expect_err("no clip");
        let message = panic.downcast_ref::<String>().map(String::as_str);
        assert_eq!(message, Some("no clip is called 'fly', only 'walk'"));
    }
}
