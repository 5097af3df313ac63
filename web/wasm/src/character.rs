//! Characters from files: parts, clips, and geometry that the page draws.

use boxwood::load::Loaded;
use boxwood::{Build, Error, Geometry, Model, NodeId};
use wasm_bindgen::prelude::*;

use crate::{file, model_shapes};

/// A character from a file.
#[wasm_bindgen]
pub struct Character {
    pub(crate) loaded: Loaded<f32>,
}

#[wasm_bindgen]
impl Character {
    /// Reads the bytes of a file, whose name determines its format.
    ///
    /// # Errors
    /// The errors of the crate, as texts that name the file.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: &[u8]) -> Result<Character, JsError> {
        let loaded = file::character(name, bytes).map_err(|error| JsError::new(&error))?;
        Ok(Character { loaded })
    }

    /// Returns the same character with one box a part, that of its whole tree, and nothing below
    /// it, for comparison with libraries that have only boxes.
    ///
    /// # Errors
    /// None for a character that was loaded.
    pub fn boxes_only(&self) -> Result<Character, JsError> {
        Ok(self.in_boxes()?)
    }

    /// Returns the features of the file that the model approximates, a line each.
    pub fn warnings(&self) -> Vec<String> {
        self.loaded.warnings.iter().map(ToString::to_string).collect()
    }

    /// Returns the names of the clips.
    pub fn clips(&self) -> Vec<String> {
        self.loaded.clips.iter().map(|clip| clip.name().to_owned()).collect()
    }

    /// Returns the durations of the clips [s].
    pub fn durations(&self) -> Vec<f32> {
        self.loaded.clips.iter().map(|clip| clip.duration()).collect()
    }

    /// Returns the names of the parts.
    pub fn parts(&self) -> Vec<String> {
        model_shapes::part_names(&self.loaded.model)
    }

    /// Returns the depth of the deepest tree.
    pub fn deepest(&self) -> u8 {
        model_shapes::deepest(&self.loaded.model)
    }

    /// Returns the number of triangles, hand-made boxes and convex shapes of the parts.
    pub fn primitives(&self) -> usize {
        model_shapes::primitives(&self.loaded.model)
    }

    /// Returns the number of nodes of its trees.
    pub fn nodes(&self) -> usize {
        model_shapes::trees(&self.loaded.model).map(|tree| tree.len()).sum()
    }

    /// Returns the vertices of a part's triangles, nine numbers each, in the frame of the part.
    pub fn triangles(&self, part: usize) -> Vec<f32> {
        model_shapes::triangles(&self.loaded.model, part)
    }

    /// Returns the edges of a part's boxes at a depth of its tree, six numbers each, in the frame
    /// of the part.
    pub fn boxes(&self, part: usize, depth: u8) -> Vec<f32> {
        model_shapes::boxes(&self.loaded.model, part, depth)
    }

    /// Returns the edges of the convex hulls at a depth of a part's tree, six numbers each, in the
    /// frame of the part; a node without a hull has its box.
    pub fn hulls(&self, part: usize, depth: u8) -> Vec<f32> {
        model_shapes::hulls(&self.loaded.model, part, depth)
    }
}

impl Character {
    fn in_boxes(&self) -> Result<Character, Error> {
        let parts = self.loaded.model.parts();
        let mut model = Model::builder();
        for part in parts {
            let parent = part.parent().map(|parent| parts[parent.index()].name());
            let geometry = part.tree().map_or(Geometry::None, |tree| {
                Geometry::Boxes(vec![*tree.node(NodeId::ROOT).oriented()])
            });
            model = model.part(part.name(), parent, geometry).bind(*part.bind());
        }
        let mut loaded = self.loaded.clone();
        loaded.model = model.build(&Build::default())?;
        Ok(Character { loaded })
    }
}
