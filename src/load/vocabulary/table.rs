//! Tables: a rule for each element of a format.

use super::ElementClass;

/// The vocabulary of a format.
#[derive(Debug)]
pub(in crate::load) struct Vocabulary {
    /// The name of the format in warnings.
    pub format: &'static str,
    /// The rules, one for each element that is read; the first is that of the root.
    pub rules: &'static [Rule],
    /// Elements that count as unknown even inside a harmless subtree, as they contain geometry or
    /// joints; each with the attribute that distinguishes a definition from a reference, or an
    /// empty word.
    #[cfg_attr(not(feature = "urdf"), allow(dead_code))]
    pub never_harmless: &'static [(&'static str, &'static str)],
}

/// The attributes and children that an element may have.
///
/// The words of a list are separated by space. `name` is used; `name-` is harmless, with all that
/// it contains; `name=rule` is used by a rule of another name; `PREFIX*` matches all names with
/// that beginning. The first of several matches counts.
#[derive(Debug)]
pub(in crate::load) struct Rule {
    /// The element's name, or one that a `name=rule` refers to.
    pub name: &'static str,
    /// Attributes; none in JSON.
    pub attributes: &'static str,
    /// Child elements, or properties in JSON.
    pub children: &'static str,
}

/// A rule, as a row of a table.
pub(super) const fn rule(
    name: &'static str,
    attributes: &'static str,
    children: &'static str,
) -> Rule {
    Rule { name, attributes, children }
}

/// A match of a name in a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RuleMatch {
    pub class: ElementClass,
    /// The index of the rule for the contents, for a used element that has one.
    pub rule: Option<usize>,
}

impl Vocabulary {
    /// Returns `true` if a child of that name is harmless in the element of a rule.
    #[cfg(feature = "gltf")]
    pub fn is_harmless(&self, rule: &str, name: &str) -> bool {
        let found = self.rules.iter().find(|known| known.name == rule);
        found.is_some_and(|rule| self.find(rule.children, name).class == ElementClass::Harmless)
    }

    /// Looks a name up in a list of a rule.
    pub(super) fn find(&self, list: &'static str, name: &str) -> RuleMatch {
        for word in list.split_ascii_whitespace() {
            let (word, class) = match word.strip_suffix('-') {
                Some(word) => (word, ElementClass::Harmless),
                None => (word, ElementClass::Used),
            };
            let (word, target) = word.split_once('=').unwrap_or((word, word));
            let matches = match word.strip_suffix('*') {
                Some(prefix) => name.starts_with(prefix),
                None => word == name,
            };
            if matches {
                let rule = match class {
                    ElementClass::Used => self.rules.iter().position(|rule| rule.name == target),
                    _ => None,
                };
                return RuleMatch { class, rule };
            }
        }
        RuleMatch { class: ElementClass::Unknown, rule: None }
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    const SMALL: Vocabulary = Vocabulary {
        format: "small",
        rules: &[rule("a", "x y-", "a b- c=a D_* *-"), rule("x", "", "")],
        never_harmless: &[],
    };

    pub fn words_are_used_harmless_or_unknown() {
        let of = |list: &'static str, name: &str| SMALL.find(list, name);
        let [a, _] = SMALL.rules else { panic!("two rules") };
        let used = |rule| RuleMatch { class: ElementClass::Used, rule };
        let harmless = RuleMatch { class: ElementClass::Harmless, rule: None };
        assert_eq!(of(a.children, "a"), used(Some(0)));
        assert_eq!(of(a.children, "c"), used(Some(0)));
        assert_eq!(of(a.children, "b"), harmless);
        assert_eq!(of(a.children, "D_1"), used(None));
        assert_eq!(of(a.children, "other"), harmless);
        assert_eq!(of(a.attributes, "y"), harmless);
        assert_eq!(of(a.attributes, "z").class, ElementClass::Unknown);
    }
}
