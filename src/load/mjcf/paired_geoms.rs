//! The geoms that `<pair>`s of a file name.

use std::collections::{BTreeMap, HashSet};

use super::model::MjcfModel;

/// The attributes of a `<pair>` with the names of its geoms.
pub(super) const GEOMS: [&str; 2] = ["geom1", "geom2"];

/// The geoms that `<pair>`s name, and the links of those that are read.
#[derive(Default)]
pub(super) struct PairedGeoms<'t> {
    /// The names, each with the index of the model of its `<pair>`.
    words: HashSet<(usize, &'t str)>,
    /// The number of models.
    models: usize,
    /// The link of each geom, by its full name; `None` if it has no shape in the robot.
    pub links: BTreeMap<String, Option<usize>>,
}

impl<'t> PairedGeoms<'t> {
    /// Collects the names in the models.
    pub fn new(models: &[MjcfModel<'t>]) -> Self {
        let mut paired = PairedGeoms { models: models.len(), ..PairedGeoms::default() };
        for (index, model) in models.iter().enumerate() {
            for pair in model.root.listed("contact", "pair") {
                let words = GEOMS.iter().filter_map(|geom| pair.attribute(geom));
                paired.words.extend(words.map(|word| (index, word)));
            }
        }
        paired
    }

    /// Returns `true` if a `<pair>` may name a geom, given its model, its name there, and its full
    /// name, which the models around it use.
    pub fn contains(&self, model: usize, name: &str, full: &str) -> bool {
        let names = |of: usize| if of == model { name } else { full };
        (0..self.models).any(|of| self.words.contains(&(of, names(of))))
    }

    /// Adds geoms of a link, by full name, each with a flag: it has a shape in the robot.
    pub fn add(&mut self, geoms: Vec<(String, bool)>, link: usize) {
        let geoms = geoms.into_iter().map(|(name, is_there)| (name, is_there.then_some(link)));
        self.links.extend(geoms);
    }
}
