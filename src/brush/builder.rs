//! Builder of worlds of brushes.

use super::body::{Body, BodyId};
use super::brush::Brush;
use super::expanded::{Expanded, Expansion};
use super::polytope::Polytope;
use super::sweep::SumTable;
use super::tree::{Bounds, BoundsTree};
use super::world::{BoxSums, BrushEntry, BrushId, BrushWorld};
use crate::error::Error;
use crate::model::CollisionGroups;
use crate::num::sorting::sorted_indices;
use crate::shape::UpAxis;

/// Collects the brushes of a [`BrushWorld`].
#[derive(Debug, Clone, Default)]
pub struct BrushWorldBuilder {
    up: UpAxis,
    expansion: Expansion,
    brushes: Vec<(BrushId, Brush, CollisionGroups, BodyId)>,
    bodies: u32,
}

impl BrushWorld {
    /// Creates an empty builder.
    pub fn builder() -> BrushWorldBuilder {
        BrushWorldBuilder::default()
    }
}

impl BrushWorldBuilder {
    /// Sets the axis that points up; z by default.
    pub fn up(&mut self, up: UpAxis) -> &mut Self {
        self.up = up;
        self
    }

    /// Sets the rounding of the corners of brushes for cylinders; exact by default.
    pub fn expansion(&mut self, expansion: Expansion) -> &mut Self {
        self.expansion = expansion;
        self
    }

    /// Creates a body, for brushes that move together.
    pub fn body(&mut self) -> BodyId {
        self.bodies += 1;
        BodyId(self.bodies)
    }

    /// Adds a brush that never moves; its id is the number of brushes before it.
    pub fn push(&mut self, brush: Brush, groups: CollisionGroups) -> BrushId {
        self.push_to(BodyId::STATIC, brush, groups)
    }

    /// Adds a brush to a body.
    pub fn push_to(&mut self, body: BodyId, brush: Brush, groups: CollisionGroups) -> BrushId {
        let id = BrushId(self.brushes.len() as u32);
        self.push_as(id, body, brush, groups)
    }

    /// Adds a brush under an id of the caller. Ids must differ; ties go to the lowest, whatever the
    /// order of insertion.
    pub fn push_as(
        &mut self,
        id: BrushId,
        body: BodyId,
        brush: Brush,
        groups: CollisionGroups,
    ) -> BrushId {
        self.brushes.push((id, brush, groups, body));
        id
    }

    /// Builds the world and its tree.
    ///
    /// # Errors
    /// [`Error::DuplicateOrder`] for two brushes with one id, [`Error::IndexOutOfRange`] for a body
    /// of another builder.
    pub fn build(&self) -> Result<BrushWorld, Error> {
        let id = |at: usize| self.brushes[at].0;
        let order = sorted_indices(self.brushes.len(), &|a, b| id(a).cmp(&id(b)));
        let brushes: Vec<_> =
            order.into_iter().map(|at| self.brushes[at as usize].clone()).collect();
        if let Some(pair) = brushes.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(Error::DuplicateOrder { order: u64::from(pair[0].0.0) });
        }
        let (up, expansion) = (self.up, self.expansion);
        let mut bodies = vec![Body::default(); self.bodies as usize + 1];
        let (mut entries, mut sums) = (Vec::with_capacity(brushes.len()), SumTable::default());
        let (mut max_coordinate, mut upright) = (0.0, Polytope::default());
        for (index, (id, brush, groups, body)) in brushes.into_iter().enumerate() {
            let Some(owner) = bodies.get_mut(body.index()) else {
                let (target, len) = (body.index(), bodies.len());
                return Err(Error::IndexOutOfRange { field: "body", index, target, len });
            };
            owner.entries.push(index as u32);
            if up != UpAxis::Z {
                upright.set_upright(brush.polytope(), up);
            }
            let solid = if up == UpAxis::Z { brush.polytope() } else { &upright };
            let reach = solid.largest_coordinate();
            max_coordinate = if reach > max_coordinate { reach } else { max_coordinate };
            sums.push(&Expanded::new(solid, expansion));
            let inside = expansion.is_in_outer_box();
            let bounds = if inside { solid.bounds() } else { Bounds::UNBOUNDED };
            entries.push(BrushEntry { id, bounds, brush, groups, body });
        }
        // One more sum, for other cylinders.
        sums.push(&Expanded::around_origin());
        let still = bodies[0].entries.iter().map(|&i| (entries[i as usize].bounds, i)).collect();
        let tree = BoundsTree::new(still);
        let box_sums = BoxSums::default();
        Ok(BrushWorld { up, expansion, entries, bodies, sums, tree, box_sums, max_coordinate })
    }
}
