//! The files of an MJCF model: the main one, included and attached ones, and meshes.
//!
//! Source: the MuJoCo documentation, XML reference, elements `include` and `compiler`: paths are
//! relative to the folder of the main file, else to that of the file that names them; no file may
//! be included twice.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::element::{ElementFile, ElementTree};
use crate::load::Warning;
use crate::load::meshes::SkippedElements;
use crate::load::options::Options;
use crate::load::source::FileSource;
use crate::load::urdf::encoding::xml_text;
use crate::load::urdf::{Resolver, xml};
use crate::load::vocabulary::{MJCF, Survey};

/// Largest nesting depth of included and attached files.
const MAX_FILE_DEPTH: usize = 32;
/// Largest number of files of one robot, meshes not counted.
const MAX_FILES: usize = 1024;
/// Largest number of bytes of those files together.
const MAX_BYTES: usize = 1 << 28;

/// Opens the files that a model names.
pub(super) struct MjcfFiles<'o> {
    resolver: &'o Resolver,
    files: usize,
    bytes: usize,
    survey: Survey,
    /// Warnings of elements that readers of meshes left out.
    skipped: RefCell<Vec<Warning>>,
}

/// The tree of a model that is being read.
struct TreeBuilder {
    tree: ElementTree,
    /// The folder of the model's main file.
    folder: Option<PathBuf>,
    included: HashSet<PathBuf>,
}

impl<'o> MjcfFiles<'o> {
    pub fn new(options: &'o Options) -> Self {
        let (survey, skipped) = (Survey::new(&MJCF), RefCell::default());
        MjcfFiles { resolver: &options.resolver, files: 0, bytes: 0, survey, skipped }
    }

    /// Adds the elements that the reader of a mesh file left out.
    pub fn add_skipped(&self, skipped: SkippedElements, file: &str) {
        self.skipped.borrow_mut().extend(skipped.warnings(file));
    }

    /// Returns one warning for each kind of unknown element, and for each that a mesh reader left
    /// out.
    pub fn into_warnings(self) -> impl Iterator<Item = Warning> {
        let unknown: Vec<Warning> = self.survey.warnings(None).collect();
        unknown.into_iter().chain(self.skipped.into_inner())
    }

    /// Reads the main file of a robot.
    pub fn main(&mut self, source: &FileSource<'_>) -> Result<ElementTree, String> {
        let folder = source.folder.map(Path::to_owned);
        self.model(&xml_text(source.bytes()?.into_owned())?, ElementFile { name: None, folder }, 0)
    }

    /// Reads the main file of a model that another one attaches.
    pub fn attached(
        &mut self,
        path: &Path,
        name: &str,
        depth: usize,
    ) -> Result<ElementTree, String> {
        let folder = path.parent().map(Path::to_owned);
        self.model(
            &xml_text(self.resolver.read(path)?)?,
            ElementFile { name: Some(name.to_owned()), folder },
            depth,
        )
    }

    fn model(
        &mut self,
        text: &str,
        file: ElementFile,
        depth: usize,
    ) -> Result<ElementTree, String> {
        let folder = file.folder.clone();
        let mut growing =
            TreeBuilder { tree: ElementTree::new(), folder, included: HashSet::new() };
        self.append(&mut growing, text, (file, None), depth)?;
        let root = growing.tree.root();
        if let Some(root) = root.filter(|root| root.tag() != "mujoco") {
            return Err(root.at("not an MJCF file: the root is not <mujoco>"));
        }
        Ok(growing.tree)
    }

    /// Appends the elements of a file: with the root if there is no parent, else without it.
    fn append(
        &mut self,
        growing: &mut TreeBuilder,
        text: &str,
        (file, parent): (ElementFile, Option<usize>),
        depth: usize,
    ) -> Result<(), String> {
        let within = file.name.as_ref().map(|name| format!("'{name}', ")).unwrap_or_default();
        (self.files, self.bytes) = (self.files + 1, self.bytes + text.len());
        if depth > MAX_FILE_DEPTH || self.files > MAX_FILES || self.bytes > MAX_BYTES {
            return Err(format!(
                "{within}line 1: more than {MAX_FILES} files, {MAX_BYTES} bytes, or files \
                 included {MAX_FILE_DEPTH} deep"
            ));
        }
        let document = xml::parse(text).map_err(|trouble| format!("{within}{trouble}"))?;
        let folder = file.folder.clone();
        let file = growing.tree.add_file(file);
        let root = document.root_element();
        match parent {
            Some(parent) => self.survey.add_included(root, growing.tree.element(parent).tag()),
            None => self.survey.add_xml(root, 0),
        }
        let mut index_of = vec![None; document.descendants().count()];
        let (mut line, mut counted) = (1, 0);
        for node in root.descendants().filter(roxmltree::Node::is_element) {
            line += lines(&text[counted..node.range().start]);
            counted = node.range().start;
            let above = node.parent().and_then(|above| index_of[above.id().get_usize()]);
            let above = if node == root { parent } else { above };
            if node == root && parent.is_some() {
                // The root of an included file is not an element of the model.
                index_of[node.id().get_usize()] = parent;
                continue;
            }
            let own = growing.tree.add(above, node, (file, line));
            index_of[node.id().get_usize()] = Some(own);
            if node.has_tag_name("include") {
                self.include(growing, (own, above), folder.as_deref(), depth)?;
            }
        }
        Ok(())
    }

    /// Inserts the elements of a file after the `<include>` that names it.
    fn include(
        &mut self,
        growing: &mut TreeBuilder,
        (own, above): (usize, Option<usize>),
        folder: Option<&Path>,
        depth: usize,
    ) -> Result<(), String> {
        let element = growing.tree.element(own);
        let name = element.required("file")?.to_owned();
        let said = |trouble: String| element.at(format!("'{name}': {trouble}"));
        let folders = [growing.folder.as_deref(), folder];
        let path =
            self.find(&name, folders.map(|folder| (folder, Path::new(&name)))).map_err(said)?;
        let canonical = match self.resolver.bytes(&path) {
            Some(_) => path.clone(),
            None => path.canonicalize().map_err(|error| said(error.to_string()))?,
        };
        if growing.included.contains(&canonical) {
            return Err(said("the file is included twice".to_owned()));
        }
        let bytes = self.resolver.read(&path).and_then(xml_text).map_err(said)?;
        growing.included.insert(canonical);
        let file = ElementFile { name: Some(name), folder: path.parent().map(Path::to_owned) };
        self.append(growing, &bytes, (file, above), depth + 1)
    }

    /// Reads a file that was found.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        self.resolver.read(path)
    }

    /// The path of a file that a model names: that of the resolver, or the first candidate that
    /// exists.
    pub fn find<'p>(
        &self,
        name: &str,
        candidates: impl IntoIterator<Item = (Option<&'p Path>, &'p Path)> + Clone,
    ) -> Result<PathBuf, String> {
        if let Some(found) = self.resolver.own(name) {
            return found;
        }
        let joined = |(folder, file): (Option<&Path>, &Path)| match folder {
            Some(folder) => Some(folder.join(file)),
            None => file.is_absolute().then(|| file.to_owned()),
        };
        let mut candidates = candidates.into_iter().filter_map(joined).peekable();
        let first = candidates.peek().cloned();
        let found = candidates.find(|path| path.is_file());
        found.ok_or_else(|| match first {
            Some(path) => format!("no such file: {}", path.display()),
            None => "bytes in memory have no folder, and the resolver does not know it".to_owned(),
        })
    }
}

fn lines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}
