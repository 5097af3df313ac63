//! Scopes: the frame, the defaults and the namespace of an element of an MJCF model, from the
//! frames, copies and attached models around it.
//!
//! Source: the MuJoCo documentation, XML reference, `frame`, `replicate` and `attach`.

use nalgebra::{Isometry3, Vector3};

use super::attributes::numbers;
use super::defaults::MAIN_CLASS;
use super::element::Element;
use super::model::MjcfModel;
use super::orientation::{euler, own_pose};
use crate::load::Warning;
use crate::shape::Pose;

/// Largest number of elements after expansion of frames, copies and attached models.
const MAX_ELEMENTS: usize = 1_000_000;
/// Largest nesting depth of attached bodies.
const MAX_ATTACH_DEPTH: usize = 32;

/// Scope of an element.
#[derive(Clone, Copy)]
pub(super) struct Scope<'t> {
    /// The index of its model.
    pub model: usize,
    /// The default class.
    pub class: &'t str,
    /// The frame in that of the body.
    pub frame: Pose<f64>,
    /// The index of its namespace.
    pub names: usize,
    /// The number of attached elements around it.
    depth: usize,
}

/// The prefix and suffix that a copy of some elements of a model adds to their names.
pub(super) struct Namespace {
    pub model: usize,
    prefix: String,
    suffix: String,
    /// The namespace around it, if it is of the same model.
    pub above: Option<usize>,
}

impl Namespace {
    /// The name in this namespace.
    pub fn full(&self, name: &str) -> String {
        format!("{}{name}{}", self.prefix, self.suffix)
    }
}

/// An element with its surroundings.
pub(super) type Scoped<'t> = (Element<'t>, Scope<'t>);

/// Expands frames, copies and attached models.
pub(super) struct ScopeExpansion<'m, 't> {
    pub models: &'m [MjcfModel<'t>],
    pub namespaces: Vec<Namespace>,
    /// The number of elements that may still be visited.
    left: usize,
}

impl<'m, 't> ScopeExpansion<'m, 't> {
    pub fn new(models: &'m [MjcfModel<'t>]) -> Self {
        let own = Namespace { model: 0, prefix: String::new(), suffix: String::new(), above: None };
        ScopeExpansion { models, namespaces: vec![own], left: MAX_ELEMENTS }
    }

    /// The scope of the main model's world.
    pub fn outermost(&self) -> Scope<'t> {
        Scope { model: 0, class: MAIN_CLASS, frame: Isometry3::identity(), names: 0, depth: 0 }
    }

    /// The scope of the contents of a body.
    pub fn inside(&self, (body, scope): Scoped<'t>) -> Result<Scope<'t>, String> {
        let class = self.models[scope.model].classes.class(body, "childclass", scope.class)?;
        Ok(Scope { class, frame: Isometry3::identity(), ..scope })
    }

    /// The shapes, joints and bodies of a body or of the world, in their order.
    pub fn contents(
        &mut self,
        (within, scope): Scoped<'t>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<Scoped<'t>>, String> {
        let (mut found, mut waiting) = (Vec::new(), Vec::new());
        self.push((within, scope), &mut waiting)?;
        while let Some((element, scope)) = waiting.pop() {
            match element.tag() {
                "geom" | "joint" | "freejoint" | "body" => found.push((element, scope)),
                "frame" => {
                    let scope = self.framed((element, scope))?;
                    self.push((element, scope), &mut waiting)?;
                }
                "replicate" => self.replicate((element, scope), &mut waiting)?,
                "attach" => self.attach((element, scope), &mut waiting)?,
                "composite" | "flexcomp" => {
                    let name = element.attribute("name").or(element.attribute("prefix"));
                    let (name, kind) = (name.unwrap_or(element.tag()), element.tag());
                    warnings.push(Warning::Unread { element: kind.into(), name: name.into() });
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// Pushes the children of an element on a stack, the first one on top.
    fn push(
        &mut self,
        (within, scope): Scoped<'t>,
        waiting: &mut Vec<Scoped<'t>>,
    ) -> Result<(), String> {
        let count = within.children().len();
        self.left = self.left.checked_sub(count).ok_or_else(|| {
            within.at(format!("more than {MAX_ELEMENTS} elements, including copies"))
        })?;
        waiting.extend(within.children().rev().map(|child| (child, scope)));
        Ok(())
    }

    fn framed(&self, (frame, scope): Scoped<'t>) -> Result<Scope<'t>, String> {
        let model = &self.models[scope.model];
        let class = model.classes.class(frame, "childclass", scope.class)?;
        let frame = scope.frame * own_pose(frame, &model.compiler)?;
        Ok(Scope { class, frame, ..scope })
    }

    /// Pushes every copy of the children of a `<replicate>`, the first one on top.
    fn replicate(
        &mut self,
        (element, scope): Scoped<'t>,
        waiting: &mut Vec<Scoped<'t>>,
    ) -> Result<(), String> {
        let compiler = &self.models[scope.model].compiler;
        let count = element.required("count")?;
        let wrong = || element.at(format!("count=\"{count}\" is not a valid number of copies"));
        let count: usize = count.trim().parse().map_err(|_| wrong())?;
        // Empty copies count too: they cost as much as others.
        self.left = self.left.checked_sub(count).ok_or_else(wrong)?;
        let class = self.models[scope.model].classes.class(element, "childclass", scope.class)?;
        let offset = Vector3::from(numbers(element, "offset")?.unwrap_or_default());
        let angles: [f64; 3] = numbers(element, "euler")?.unwrap_or_default();
        let (mut position, mut copies) = (Vector3::zeros(), Vec::new());
        let digits = count.to_string().len();
        let separator = element.attribute("sep").unwrap_or_default();
        for copy in 0..count {
            let angles = angles.map(|angle| angle * copy as f64);
            let turn = euler(compiler.sequence, angles, compiler.angle);
            let frame = scope.frame * Isometry3::from_parts(position.into(), turn);
            position += turn * offset;
            let Namespace { prefix, suffix, .. } = &self.namespaces[scope.names];
            let suffix = format!("{separator}{copy:0digits$}{suffix}");
            let above = Some(scope.names);
            let prefix = prefix.clone();
            copies.push(Scope { class, frame, names: self.namespaces.len(), ..scope });
            self.namespaces.push(Namespace { model: scope.model, prefix, suffix, above });
        }
        for scope in copies.into_iter().rev() {
            self.push((element, scope), waiting)?;
        }
        Ok(())
    }

    /// Pushes the target of an `<attach>`: a body, a frame, or all of another model's world.
    fn attach(
        &mut self,
        (element, scope): Scoped<'t>,
        waiting: &mut Vec<Scoped<'t>>,
    ) -> Result<(), String> {
        if scope.depth == MAX_ATTACH_DEPTH {
            return Err(
                element.at(format!("attached bodies are nested more than {MAX_ATTACH_DEPTH} deep"))
            );
        }
        let model = match element.attribute("model") {
            None => scope.model,
            Some(name) => match self.models[scope.model].attached.get(name) {
                Some(&model) => model,
                None => return Err(element.at(format!("no model is called '{name}'"))),
            },
        };
        let Namespace { prefix, suffix, .. } = &self.namespaces[scope.names];
        let prefix = format!("{prefix}{}", element.required("prefix")?);
        let above = (model == scope.model).then_some(scope.names);
        let names = self.namespaces.len();
        let suffix = suffix.clone();
        self.namespaces.push(Namespace { model, prefix, suffix, above });
        let scope = Scope { model, names, depth: scope.depth + 1, ..scope };
        let named = ["body", "frame"].into_iter();
        let named = named.filter_map(|tag| Some((tag, element.attribute(tag)?))).next();
        let Some((tag, name)) = named else {
            if above.is_some() {
                return Err(element.at("it names no model, body or frame"));
            }
            let worlds: Vec<Element<'t>> = self.models[model].worlds().collect();
            for world in worlds.into_iter().rev() {
                self.push((world, Scope { class: MAIN_CLASS, ..scope }), waiting)?;
            }
            return Ok(());
        };
        let found = self.models[model].find(tag, name);
        let found = found.ok_or_else(|| element.at(format!("no {tag} is called '{name}'")))?;
        waiting.push((found, Scope { class: self.class_around(found, model)?, ..scope }));
        Ok(())
    }

    /// The default class where an element is written.
    fn class_around(&self, element: Element<'t>, model: usize) -> Result<&'t str, String> {
        let mut around = element.parent();
        while let Some(outer) = around {
            if outer.attribute("childclass").is_some() {
                return self.models[model].classes.class(outer, "childclass", MAIN_CLASS);
            }
            around = outer.parent();
        }
        Ok(MAIN_CLASS)
    }
}
