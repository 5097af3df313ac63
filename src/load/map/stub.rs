//! Stands for the world of brushes until that lands.
#![allow(missing_docs)]

use crate::brush::Brush;
use crate::error::Error;
use crate::model::CollisionGroups;
use crate::shape::UpAxis;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BrushId(usize);
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BodyId(usize);
#[derive(Debug, Clone)]
pub struct BrushWorld(Vec<Brush>);
#[derive(Debug, Clone, Default)]
pub struct BrushWorldBuilder(Vec<Brush>, usize);

impl BrushWorld {
    pub fn builder() -> BrushWorldBuilder {
        BrushWorldBuilder::default()
    }
}

impl BrushWorldBuilder {
    pub fn up(self, _: UpAxis) -> Self {
        self
    }
    pub fn body(&mut self) -> BodyId {
        self.1 += 1;
        BodyId(self.1 - 1)
    }
    pub fn push(&mut self, brush: Brush, _: CollisionGroups) -> BrushId {
        self.0.push(brush);
        BrushId(self.0.len() - 1)
    }
    pub fn push_to(&mut self, _: BodyId, brush: Brush, groups: CollisionGroups) -> BrushId {
        self.push(brush, groups)
    }
    pub fn build(self) -> Result<BrushWorld, Error> {
        Ok(BrushWorld(self.0))
    }
}
