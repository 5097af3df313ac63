//! Numbers of a model: parts, geometry, trees, memory; and the coverage of its bent skin by its
//! parts.
//!
//! The command-line tool and examples share this module: it needs only the library.

use boxwood::load::Loaded;
use boxwood::model::{Coverage, Frames, OutsideArea, coverage};
use boxwood::{Buffers, Error, Geometry, Model, Scene, Spawn};

/// Counts of a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    pub parts: usize,
    pub with_geometry: usize,
    /// Number of parts with an inside.
    pub solids: usize,
    pub triangles: usize,
    /// Boxes given by hand.
    pub boxes: usize,
    /// Nodes of all trees.
    pub nodes: usize,
    /// Memory of the model [bytes].
    pub bytes: usize,
}

impl Figures {
    pub fn of(model: &Model) -> Self {
        let bytes = model.bytes();
        let mut figures = Figures { parts: model.parts().len(), bytes, ..Figures::default() };
        for tree in model.parts().iter().filter_map(|part| part.tree()) {
            let geometry = tree.geometry();
            figures.with_geometry += 1;
            figures.nodes += tree.len();
            match geometry {
                Geometry::Boxes(given) => figures.boxes += given.len(),
                other => figures.triangles += other.len(),
            }
            figures.solids += usize::from(geometry.is_solid());
        }
        figures
    }
}

/// Coverage of a bent skin over five moments of every clip, in both directions: shares from 0 to 1,
/// distances as shares of the size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkinFigures {
    /// Share of the skin's vertices outside eight boxes a part.
    pub outside: f64,
    /// Largest distance of such a vertex from the boxes.
    pub farthest: f64,
    /// Share of the area of the parts' triangles outside the skin.
    pub parts_outside: f64,
    /// Largest distance of that area from the skin.
    pub parts_farthest: f64,
}

/// Measures the coverage of a skin; `None` for a character without one.
pub fn skin(loaded: &Loaded<f32>) -> Result<Option<SkinFigures>, Error> {
    let Some(skin) = &loaded.skin else { return Ok(None) };
    let (mut of_skin, mut of_parts) = (Coverage::default(), OutsideArea::default());
    for clip in &loaded.clips {
        let found = coverage(&loaded.model, skin, clip, Frames { count: 5, depth: 3 })?;
        of_skin.merge(&found.all);
        of_parts.merge(&found.all_outside_skin());
    }
    let size = size(loaded)?;
    Ok(Some(SkinFigures {
        outside: of_skin.share(),
        farthest: of_skin.farthest / size,
        parts_outside: of_parts.share(),
        parts_farthest: of_parts.farthest / size,
    }))
}

/// Diagonal of the box of the character at rest.
fn size(loaded: &Loaded<f32>) -> Result<f64, Error> {
    let mut scene = Scene::new();
    let key = scene.insert(&loaded.model, Spawn::default())?;
    let mut buffers = Buffers::new();
    let bounds = scene.snapshot(&mut buffers).character_aabb(key)?;
    Ok(f64::from(bounds.sizes().norm()))
}
