//! A model: one main file with its includes, settings, defaults and assets.

use std::collections::HashMap;
use std::path::Path;

use super::compiler::Compiler;
use super::defaults::DefaultClasses;
use super::element::{Element, ElementTree};
use super::files::MjcfFiles;
use super::mesh::MeshAssets;
use crate::load::source::FileSource;

/// Name of a model without one.
const DEFAULT_NAME: &str = "MuJoCo Model";

/// Element trees of a robot's models: the first is the main one, the others are attached.
pub(super) struct MjcfTrees {
    trees: Vec<ElementTree>,
    /// The trees that each tree attaches, by name.
    attached: Vec<HashMap<String, usize>>,
}

/// A model of a robot, with its settings and elements.
pub(super) struct MjcfModel<'t> {
    pub root: Element<'t>,
    pub compiler: Compiler<'t>,
    pub classes: DefaultClasses<'t>,
    pub meshes: MeshAssets<'t>,
    /// The indices of the models that it attaches, by name.
    pub attached: &'t HashMap<String, usize>,
}

impl MjcfTrees {
    /// Reads the main file, and the files of all models that are attached.
    pub fn read(source: &FileSource<'_>, files: &mut MjcfFiles<'_>) -> Result<Self, String> {
        let mut found =
            MjcfTrees { trees: vec![files.main(source)?], attached: vec![HashMap::new()] };
        let mut depths = vec![0];
        let mut next = 0;
        while next < found.trees.len() {
            for (name, tree) in attached(&found.trees[next], depths[next] + 1, files)? {
                found.attached[next].insert(name, found.trees.len());
                found.trees.push(tree);
                found.attached.push(HashMap::new());
                depths.push(depths[next] + 1);
            }
            next += 1;
        }
        Ok(found)
    }

    /// Reads the settings, defaults and assets of each model.
    pub fn models(&self) -> Result<Vec<MjcfModel<'_>>, String> {
        let pairs = self.trees.iter().zip(&self.attached);
        pairs.map(|(tree, attached)| MjcfModel::read(tree, attached)).collect()
    }
}

/// Reads the models that a tree attaches.
fn attached(
    tree: &ElementTree,
    depth: usize,
    files: &mut MjcfFiles<'_>,
) -> Result<Vec<(String, ElementTree)>, String> {
    let mut found: Vec<(String, ElementTree)> = Vec::new();
    let Some(root) = tree.root() else { return Ok(found) };
    for element in root.listed("asset", "model") {
        let file = element.required("file")?;
        let said = |trouble: String| element.at(format!("'{file}': {trouble}"));
        let folders = [element.main_folder(), element.folder()];
        let path = files.find(file, folders.map(|folder| (folder, Path::new(file))));
        let path = path.map_err(said)?;
        let inner = files.attached(&path, file, depth).map_err(said)?;
        let own = || inner.root()?.attribute("model");
        let name = element.attribute("name").or_else(own).unwrap_or(DEFAULT_NAME).to_owned();
        if found.iter().any(|(known, _)| *known == name) {
            return Err(element.at(format!("two models are called '{name}'")));
        }
        found.push((name, inner));
    }
    Ok(found)
}

impl<'t> MjcfModel<'t> {
    fn read(tree: &'t ElementTree, attached: &'t HashMap<String, usize>) -> Result<Self, String> {
        let root = tree.root().ok_or("there are no elements")?;
        Ok(MjcfModel {
            root,
            compiler: Compiler::read(root)?,
            classes: DefaultClasses::read(root)?,
            meshes: MeshAssets::list(root)?,
            attached,
        })
    }

    /// The sections of the world; a file may have several.
    pub fn worlds(&self) -> impl Iterator<Item = Element<'t>> {
        self.root.children_called("worldbody")
    }

    /// The first element of that kind and name in the world.
    pub fn find(&self, tag: &str, name: &str) -> Option<Element<'t>> {
        let mut waiting: Vec<Element<'t>> = self.worlds().collect();
        waiting.reverse();
        while let Some(element) = waiting.pop() {
            if element.tag() == tag && element.attribute("name") == Some(name) {
                return Some(element);
            }
            waiting.extend(element.children().rev());
        }
        None
    }
}
