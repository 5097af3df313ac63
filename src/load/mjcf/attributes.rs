//! Attributes of MJCF elements: an element's own, or those of its defaults.

use nalgebra::Vector3;

use super::element::Element;
use crate::load::urdf::xml::list;

/// A default element on top of the ones that it amends.
#[derive(Clone, Copy)]
pub(super) struct DefaultLayer<'t> {
    pub element: Element<'t>,
    pub below: Option<usize>,
    /// The number of layers below.
    pub height: usize,
}

/// The attributes of an element, above the defaults of its class.
#[derive(Clone, Copy)]
pub(super) struct Attributes<'d, 't> {
    pub element: Element<'t>,
    /// The topmost default.
    top: Option<usize>,
    layers: &'d [DefaultLayer<'t>],
}

impl<'d, 't> Attributes<'d, 't> {
    pub fn new(element: Element<'t>, top: Option<usize>, layers: &'d [DefaultLayer<'t>]) -> Self {
        Attributes { element, top, layers }
    }

    /// The element, then its defaults from the innermost to the outermost.
    pub fn elements(self) -> impl Iterator<Item = Element<'t>> {
        let layer = |index: usize| &self.layers[index];
        let defaults = std::iter::successors(self.top.map(layer), move |own| own.below.map(layer));
        std::iter::once(self.element).chain(defaults.map(|layer| layer.element))
    }

    /// The innermost element that has the attribute.
    fn owner(self, name: &str) -> Option<Element<'t>> {
        self.elements().find(|element| element.attribute(name).is_some())
    }

    pub fn text(self, name: &str) -> Option<&'t str> {
        self.owner(name)?.attribute(name)
    }

    /// Checks a word against those that are allowed.
    pub fn keyword(self, name: &str, allowed: &[&str]) -> Result<Option<&'t str>, String> {
        self.owner(name).map_or(Ok(None), |owner| keyword(owner, name, allowed))
    }

    /// Parses an attribute of `N` numbers.
    pub fn numbers<const N: usize>(self, name: &str) -> Result<Option<[f64; N]>, String> {
        self.owner(name).map_or(Ok(None), |owner| numbers(owner, name))
    }

    /// Parses an attribute of three numbers.
    pub fn three(self, name: &str) -> Result<Option<Vector3<f64>>, String> {
        Ok(self.numbers::<3>(name)?.map(Vector3::from))
    }

    /// Parses an attribute of up to `N` numbers; missing numbers are the default's.
    pub fn some_numbers<const N: usize>(self, name: &str) -> Result<Vec<f64>, String> {
        let mut found = Vec::new();
        for owner in self.elements() {
            let Some(own) = any_numbers(owner, name)? else { continue };
            if own.len() > N {
                return Err(owner.at(format!("'{name}' has more than {N} numbers")));
            }
            let known = found.len();
            found.extend(own.into_iter().skip(known));
        }
        Ok(found)
    }

    /// Parses a whole number of 32 bits, with a sign or without.
    pub fn bits(self, name: &str) -> Result<Option<u32>, String> {
        let Some(owner) = self.owner(name) else { return Ok(None) };
        let text = owner.attribute(name).unwrap_or_default();
        let number: Option<i64> = text.trim().parse().ok();
        let least = i64::from(i32::MIN);
        let number = number.filter(|number| (least..=i64::from(u32::MAX)).contains(number));
        let trouble = || owner.at(format!("{name}=\"{text}\" is not a 32-bit integer"));
        number.map(|number| Some(number as u32)).ok_or_else(trouble)
    }
}

/// Checks the word of an attribute against those that are allowed.
pub(super) fn keyword<'t>(
    element: Element<'t>,
    name: &str,
    allowed: &[&str],
) -> Result<Option<&'t str>, String> {
    match element.attribute(name) {
        Some(word) if !allowed.contains(&word) => {
            let allowed = allowed.join(", ");
            Err(element.at(format!("{name}=\"{word}\" is not one of: {allowed}")))
        }
        word => Ok(word),
    }
}

/// Parses an attribute that is `true` or `false`.
pub(super) fn truth(element: Element<'_>, name: &str) -> Result<Option<bool>, String> {
    Ok(keyword(element, name, &["true", "false"])?.map(|word| word == "true"))
}

/// Parses an attribute of numbers separated by space.
pub(super) fn any_numbers(element: Element<'_>, name: &str) -> Result<Option<Vec<f64>>, String> {
    let numbers = |text: &str| {
        list(text).ok_or_else(|| element.at(format!("{name}=\"{text}\" is not a list of numbers")))
    };
    element.attribute(name).map(numbers).transpose()
}

/// Parses an attribute of `N` numbers.
pub(super) fn numbers<const N: usize>(
    element: Element<'_>,
    name: &str,
) -> Result<Option<[f64; N]>, String> {
    let Some(found) = any_numbers(element, name)? else { return Ok(None) };
    match <[f64; N]>::try_from(found) {
        Ok(found) => Ok(Some(found)),
        Err(_) => Err(element.at(format!("'{name}' needs {N} numbers"))),
    }
}
