//! MJCF robots: nested bodies, each with shapes and joints of its own.
//!
//! Source: the MJCF page of the MuJoCo documentation (XML reference), and its kinematics: a body is
//! placed in its parent, then each of its joints in turn moves it about an anchor in its own frame.

mod attributes;
mod bodies;
mod groups;
mod shapes;

use std::sync::Arc;

use roxmltree::Node;

use self::bodies::{MjcfBody, MjcfReader};
use self::groups::ContactBits;
use super::options::Options;
use super::source::{FileSource, all_read};
use super::urdf::encoding::xml_text;
use super::urdf::{check_collides, narrowed, xml};
use super::{Robot, Warning, Watch};
use crate::error::Error;
use crate::model::{CollisionGroups, Model, ModelBuilder};
use crate::motion::Mechanism;
use crate::num::{Precompiled, Scalar, precompile};
use crate::shape::Pose;

/// The most bodies with shapes: all pairs of them are compared.
const MOST_BODIES: usize = 2048;

/// Reads an MJCF file; precompiled because it is much code.
pub(super) struct ReadMjcf;

impl Precompiled for ReadMjcf {
    type Given<'a, T: Scalar> = (&'a FileSource<'a>, &'a Options, &'a mut Watch<'a>);
    type Answer<T: Scalar> = Result<Robot<T>, Error>;

    precompile!(|ReadMjcf, (source, options, watch)| load(source, options, watch));
}

/// Loads a robot; errors name the file.
fn load<T: Scalar>(
    source: &FileSource<'_>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Robot<T>, Error> {
    let said = |trouble: String| source.refused(&trouble);
    let mut warnings = Vec::new();
    let (mechanism, builder) = read(source, options, &mut warnings).map_err(said)?;
    all_read(watch)?;
    let model = builder.build_watched(&options.build, watch).map_err(|e| said(e.to_string()))?;
    check_collides(&model, options, CURE).map_err(said)?;
    Ok(Robot { model, mechanism: Arc::new(mechanism), warnings })
}

/// The ways to load an MJCF file of which no body can collide.
const CURE: &str = "give geoms a contype and a conaffinity, or allow it (Loader::allow_empty; \
    allow_empty=True; --allow-empty)";

fn read<T: Scalar>(
    source: &FileSource<'_>,
    options: &Options,
    warnings: &mut Vec<Warning>,
) -> Result<(Mechanism, ModelBuilder<T>), String> {
    let text = xml_text(source.bytes()?.into_owned())?;
    let document = xml::parse(&text)?;
    let root = document.root_element();
    if root.tag_name().name() != "mujoco" {
        return Err(xml::at(root, "not an MJCF model"));
    }
    let MjcfReader { links, actuators, bodies, .. } = MjcfReader::read(root, warnings)?;
    let mechanism = Mechanism::new(links, actuators).map_err(|error| error.to_string())?;
    let mut poses: Vec<Pose<f64>> = Vec::new();
    let rest = mechanism.rest();
    mechanism.poses_unlimited(&rest, &mut poses).map_err(|error| error.to_string())?;
    // Parent and child are decided by rigid pieces, not by hops between links.
    let neighbours = options.neighbours.unwrap_or(1);
    let hops = if neighbours > 1 { neighbours } else { 0 };
    let mut builder = Model::builder().ignore_neighbours(hops);
    for (a, b) in adjoining(&mechanism, &bodies, neighbours)? {
        builder = builder.ignore(a, b);
    }
    // A file with default masks alone leaves the groups to the caller.
    let shaped = |body: &&MjcfBody| !body.shapes.is_empty();
    let has_masks = bodies.iter().filter(shaped).any(|body| body.bits != ContactBits::DEFAULT);
    let grouped = has_masks && options.groups;
    for ((link, body), pose) in mechanism.links().iter().zip(bodies).zip(poses) {
        let groups =
            if grouped && shaped(&&body) { body.bits.groups() } else { CollisionGroups::ALL };
        let geometry = shapes::geometry(body.shapes);
        let geometry = geometry.map_err(|e| format!("body '{}': {e}", link.name))?;
        let parent = link.parent.map(|parent| mechanism.links()[parent].name.as_str());
        builder = builder.part(link.name.as_str(), parent, geometry);
        builder = builder.bind(narrowed(&pose)).groups(groups);
    }
    for [a, b] in excluded(root, &mechanism, warnings)? {
        builder = builder.ignore(a, b);
    }
    warn_of_unread(root, warnings);
    Ok((mechanism, builder))
}

/// The pairs of bodies that the file excludes.
fn excluded<'a>(
    root: Node<'a, '_>,
    mechanism: &Mechanism,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<[&'a str; 2]>, String> {
    let mut pairs = Vec::new();
    let lists = xml::children(root, "contact");
    for pair in lists.flat_map(|list| xml::children(list, "exclude")) {
        let [a, b] = [xml::required(pair, "body1")?, xml::required(pair, "body2")?];
        match [a, b].iter().all(|name| mechanism.find(name).is_some()) {
            true => pairs.push([a, b]),
            false => warnings.push(Warning::StrayPair { a: a.into(), b: b.into() }),
        }
    }
    Ok(pairs)
}

/// Warns of elements that affect contacts and are not read.
fn warn_of_unread(root: Node<'_, '_>, warnings: &mut Vec<Warning>) {
    for (list, kind) in
        [("asset", "skin"), ("deformable", "skin"), ("deformable", "flex"), ("contact", "pair")]
    {
        for found in xml::children(root, list).flat_map(|list| xml::children(list, kind)) {
            let word = |name: &str| found.attribute(name);
            let pair = || Some(format!("{}, {}", word("geom1")?, word("geom2")?));
            let name = word("name").map(str::to_owned).or_else(pair);
            let name = name.unwrap_or_else(|| kind.to_owned());
            warnings.push(Warning::Unread { element: kind.to_owned(), name });
        }
    }
}

/// The pairs of bodies with shapes that are never tested against each other, by name.
fn adjoining<'m>(
    mechanism: &'m Mechanism,
    bodies: &[MjcfBody],
    neighbours: usize,
) -> Result<Vec<(&'m str, &'m str)>, String> {
    let shaped: Vec<usize> = (0..bodies.len()).filter(|&b| !bodies[b].shapes.is_empty()).collect();
    if shaped.len() > MOST_BODIES {
        return Err(format!("more than {MOST_BODIES} bodies with shapes"));
    }
    let name = |link: usize| mechanism.links()[link].name.as_str();
    let mut pairs = Vec::new();
    for (index, &a) in shaped.iter().enumerate() {
        let close = |b: &&usize| bodies[a].adjoins(&bodies[**b], neighbours);
        pairs.extend(shaped[..index].iter().filter(close).map(|&b| (name(a), name(b))));
    }
    Ok(pairs)
}
