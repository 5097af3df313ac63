//! Elements that refer to bodies or joints by name, in every namespace with copies of them.
//!
//! Source: the MuJoCo documentation, XML reference, `replicate` and `attach`: elements that refer
//! to something in a copied subtree are copied with it; other elements are not.

use super::element::Element;
use super::scope::ScopeExpansion;

/// Largest number of lookups of the targets of references.
const MAX_LOOKUPS: usize = 10_000_000;

/// The targets of the references of an element, in one namespace.
pub(super) struct ResolvedElement<'t, const N: usize> {
    pub element: Element<'t>,
    /// The index of its model.
    pub model: usize,
    /// The targets; `None` for a reference that the element leaves out.
    pub targets: [Option<usize>; N],
}

/// Resolves the references in attributes of the elements `tag` in all lists `list`, by an index of
/// full names; elements of the main model without targets are added to `lost`.
pub(super) fn resolve<'t, const N: usize>(
    expansion: &ScopeExpansion<'_, 't>,
    list: &'static str,
    tag: &'static str,
    attributes: [&str; N],
    find: &dyn Fn(&str) -> Option<usize>,
) -> Result<(Vec<ResolvedElement<'t, N>>, Vec<Element<'t>>), String> {
    let (mut found, mut lost, mut tries) = (Vec::new(), Vec::new(), 0);
    for (model, root) in expansion.models.iter().map(|model| model.root).enumerate() {
        for element in root.listed(list, tag) {
            let known = found.len();
            for (names, _) in
                expansion.namespaces.iter().enumerate().filter(|(_, names)| names.model == model)
            {
                tries += 1;
                if tries > MAX_LOOKUPS {
                    return Err(element.at("too many copies of elements that refer to others"));
                }
                let words = attributes.map(|attribute| element.attribute(attribute));
                if let Some(targets) = targets(expansion, names, words, find) {
                    found.push(ResolvedElement { element, model, targets });
                }
            }
            if model == 0 && found.len() == known {
                lost.push(element);
            }
        }
    }
    Ok((found, lost))
}

/// Returns the targets of names: each in a namespace or one around it, at least one in the
/// namespace itself.
fn targets<const N: usize>(
    expansion: &ScopeExpansion<'_, '_>,
    names: usize,
    words: [Option<&str>; N],
    find: &dyn Fn(&str) -> Option<usize>,
) -> Option<[Option<usize>; N]> {
    let (mut found, mut own) = ([None; N], false);
    for (target, word) in found.iter_mut().zip(words) {
        let Some(word) = word else { continue };
        let mut around = Some(names);
        while let Some(namespace) = around {
            *target = find(&expansion.namespaces[namespace].full(word));
            if target.is_some() {
                own |= namespace == names;
                break;
            }
            around = expansion.namespaces[namespace].above;
        }
        (*target)?;
    }
    own.then_some(found)
}
