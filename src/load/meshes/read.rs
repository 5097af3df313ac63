//! Reading a mesh file into a character of one part.

use std::sync::Arc;

use nalgebra::Point3;

use super::{SkippedElements, Soup};
use crate::error::Error;
use crate::load::options::Options;
use crate::load::source::{FileSource, report_all_read};
use crate::load::{Loaded, Warning, Watch};
use crate::model::Model;
use crate::motion::{Clips, Joint, Skeleton, Transform};
use crate::num::{Scalar, precompiled};
use crate::tree::Geometry;
#[cfg(feature = "urdf")]
use std::path::Path;

/// The format of a mesh file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::load) enum MeshFormat {
    Obj,
    Stl,
}

impl MeshFormat {
    /// The format by the file name's extension, in any case.
    #[cfg(feature = "urdf")]
    pub fn from_path(path: &Path) -> Option<Self> {
        MeshFormat::from_extension(path.extension()?.to_str()?)
    }

    /// Returns the format of files with that extension, in any case; `None` for any other text.
    #[cfg(feature = "urdf")]
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "obj" => Some(MeshFormat::Obj),
            "stl" => Some(MeshFormat::Stl),
            _ => None,
        }
    }

    /// Parses the triangles of a file, and counts what is left out.
    pub fn triangles(self, bytes: &[u8], skipped: &mut SkippedElements) -> Result<Soup, String> {
        let triangles = match self {
            MeshFormat::Obj => super::obj::triangles(bytes, skipped),
            MeshFormat::Stl => super::stl::triangles(bytes),
        }?;
        if triangles.is_empty() {
            return Err("it has no triangles".to_owned());
        }
        self.check(&triangles, bytes, f64::MAX).map(|()| Soup(triangles))
    }

    /// Rejects coordinates that are not finite or beyond the limit; names the line in text files.
    fn check(self, triangles: &[[Point3<f64>; 3]], bytes: &[u8], limit: f64) -> Result<(), String> {
        let out = |x: &f64| x.is_nan() || x.abs() > limit;
        let bad = |corner: &Point3<f64>| corner.iter().find(|x| out(x)).copied();
        let found = triangles.iter().enumerate();
        let found =
            found.filter_map(|(index, corners)| Some((index, corners.iter().find_map(bad)?)));
        let Some((triangle, value)) = { found }.next() else { return Ok(()) };
        let place = match self.line(bytes, out) {
            Some(line) => format!("line {line}"),
            None => format!("triangle number {triangle} (from 0)"),
        };
        Err(match value.is_finite() {
            true => format!("{place}: the coordinate {value:.2e} is larger than {limit:e}"),
            false => format!("{place}: the coordinate {value} is not finite"),
        })
    }

    /// Returns the first line of a text, counted from 1, with a coordinate for which `out` is true.
    fn line(self, bytes: &[u8], out: impl Fn(&f64) -> bool) -> Option<usize> {
        let word = match self {
            MeshFormat::Obj => "v",
            MeshFormat::Stl => "vertex",
        };
        let number = |word: &&str| word.parse().ok();
        let text = String::from_utf8_lossy(bytes);
        // A line of an OBJ file is one element, a line of an STL file any number of them.
        let most = if self == MeshFormat::Obj { 1 } else { usize::MAX };
        let wrong = |line: &str| {
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            let mut starts =
                (0..words.len().min(most)).filter(|&index| words[index].eq_ignore_ascii_case(word));
            starts.any(|start| {
                words[start + 1..].iter().take(3).filter_map(number).any(|x: f64| out(&x))
            })
        };
        text.lines().position(wrong).map(|line| line + 1)
    }
}

precompiled! {
    /// Reads an OBJ file.
    pub(in crate::load) fn read_obj<'a, T>(
        source: &'a FileSource<'a>,
        options: &'a Options,
        watch: &'a mut Watch<'a>,
    ) -> Result<Loaded<T>, Error> {
        load(MeshFormat::Obj, source, options, watch).map_err(|trouble| source.error(&trouble))
    }

    /// Reads an STL file.
    pub(in crate::load) fn read_stl<'a, T>(
        source: &'a FileSource<'a>,
        options: &'a Options,
        watch: &'a mut Watch<'a>,
    ) -> Result<Loaded<T>, Error> {
        load(MeshFormat::Stl, source, options, watch).map_err(|trouble| source.error(&trouble))
    }
}

/// Loads a character of one part and one joint, named after the file.
pub(super) fn load<T: Scalar>(
    format: MeshFormat,
    source: &FileSource<'_>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Loaded<T>, String> {
    let (name, bytes) = (source.name("mesh"), source.bytes()?);
    let mut skipped = SkippedElements::default();
    let soup = format.triangles(&bytes, &mut skipped)?;
    format.check(&soup.0, &bytes, T::MAX_COORDINATE)?;
    let mut warnings: Vec<Warning> = skipped.warnings(&name).collect();
    let geometry = if options.solid {
        let (mesh, holes) = soup.solid().map_err(|error| error.to_string())?;
        warnings.extend(holes.map(|edges| Warning::Capped { mesh: name.clone(), edges }));
        Geometry::Solid(mesh)
    } else {
        Geometry::Surface(soup.mesh().map_err(|error| error.to_string())?)
    };
    report_all_read(watch).map_err(|error| error.to_string())?;
    let model = Model::builder().part(name.as_str(), None, geometry);
    let model = model
        .build_watched(&options.build.unwrap_or_default(), watch)
        .map_err(|error| error.to_string())?;
    let joint = Joint { name, parent: None, rest: Transform::default() };
    let skeleton = Arc::new(Skeleton::new(vec![joint]).map_err(|error| error.to_string())?);
    let (nodes, clips) = (Vec::new(), Clips::default());
    Ok(Loaded { model, skeleton, nodes, clips, skin: None, warnings })
}
