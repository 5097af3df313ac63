//! Characters with poses and their exact oracle, and motions that bring two of them to contact.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::num::Scalar;
use boxwood::shape::{Mesh, Obb, Pose};
use boxwood::tree::Geometry;
use boxwood::{Build, PartId};

use crate::closed_meshes;
use crate::degenerate_parts::awkward;
use crate::exact_character::{ExactCharacter, Standing};
use crate::plain_box::{V, minus, norm, plus, times};
use crate::random::Random;
use crate::random_parts::{random_part, turned, vector};

/// Model, the poses of its parts around its origin, and its exact oracle.
pub struct Actor<T: Scalar> {
    pub model: Arc<Model<T>>,
    pub figure: ExactCharacter,
    pub stance: Vec<Pose<T>>,
}

impl<T: Scalar> Actor<T> {
    pub fn new(model: Arc<Model<T>>, stance: Vec<Pose<T>>) -> Self {
        Actor { figure: ExactCharacter::of(&model), model, stance }
    }

    /// Returns the moved poses.
    pub fn placed(&self, at: &Pose<T>) -> Vec<Pose<T>> {
        self.stance.iter().map(|joint| at * joint).collect()
    }

    pub fn standing<'a>(&'a self, poses: &'a [Pose<T>]) -> Standing<'a, T> {
        Standing { figure: &self.figure, poses }
    }

    /// Draws a point of one of its parts.
    pub fn spot(&self, poses: &[Pose<T>], random: &mut Random) -> V {
        let solid = self.figure.solid();
        self.standing(poses).spot(solid[random.below(solid.len())], random)
    }
}

/// Builds a model of parts without parents or ignored pairs.
pub fn model_of<T: Scalar>(parts: Vec<Geometry<T>>) -> Arc<Model<T>> {
    let mut builder = Model::builder();
    for (index, geometry) in parts.into_iter().enumerate() {
        builder = builder.part(index.to_string(), None, geometry);
    }
    builder.build(&Build::default()).expect("a model")
}

/// Draws lumps, soups, plates of triangles, boxes, and a solid ball.
pub fn any_part<T: Scalar>(random: &mut Random, kind: usize) -> Geometry<T> {
    match kind % 5 {
        4 => closed_meshes::solid(closed_meshes::sphere(random.between(0.3, 1.0), 5)),
        kind => random_part(random, kind),
    }
}

/// Character of parts of every kind, turned at random, at most `far` from the origin.
pub fn random_actor<T: Scalar>(random: &mut Random, count: usize, far: f64) -> Actor<T> {
    let parts = (0..count).map(|kind| match count > 20 {
        // Many are small, or they would all touch.
        true => awkward(random, kind, 0.15),
        false => any_part(random, kind),
    });
    let model = model_of(parts.collect());
    let near = |random: &mut Random| {
        let at = times(random.direction(), random.between(0.0, far));
        turned(random, at)
    };
    Actor::new(model, (0..count).map(|_| near(random)).collect())
}

/// Model of the same parts, so many times as large, in their order or backwards, with the same
/// ignored pairs.
pub fn rebuilt<T: Scalar>(model: &Model<T>, by: T, backwards: bool) -> Arc<Model<T>> {
    let mut order: Vec<PartId> = (0..model.len()).map(PartId::new).collect();
    if backwards {
        order.reverse();
    }
    let mut builder = Model::builder().ignore_neighbours(0);
    for (at, &id) in order.iter().enumerate() {
        let part = &model.parts()[id.index()];
        let geometry = part.tree().map_or(Geometry::None, |tree| sized(tree.geometry(), by));
        builder = builder.part(part.name(), None, geometry);
        for &other in order[..at].iter().filter(|&&other| model.ignores(id, other)) {
            builder = builder.ignore(part.name(), model.parts()[other.index()].name());
        }
    }
    builder.build(&Build::default()).expect("a model")
}

/// Rebuilds geometry scaled by a factor.
pub fn sized<T: Scalar>(geometry: &Geometry<T>, by: T) -> Geometry<T> {
    let Geometry::Boxes(boxes) = geometry else {
        let mesh = geometry.mesh().expect("triangles");
        let corners = mesh.vertices().iter().map(|p| p * by).collect();
        let mesh = Mesh::new(corners, mesh.triangles().to_vec()).expect("a mesh");
        let closed = matches!(geometry, Geometry::Solid(_));
        return if closed { Geometry::Solid(mesh) } else { Geometry::Surface(mesh) };
    };
    let one = |b: &Obb<T>| Obb::new(b.center() * by, b.axes(), b.half_extents() * by);
    Geometry::Boxes(boxes.iter().map(|b| one(b).expect("a box")).collect())
}

/// Translates every pose.
pub fn moved<T: Scalar>(poses: &[Pose<T>], by: V) -> Vec<Pose<T>> {
    let step = |pose: &Pose<T>| {
        let (at, mut pose) = (pose.translation.vector, *pose);
        pose.translation.vector = vector(plus([at.x.wide(), at.y.wide(), at.z.wide()], by));
        pose
    };
    poses.iter().map(step).collect()
}

/// Straight separating motion of one character out of another: they touch at the start, and no more
/// from some fraction of the way on.
pub struct Way<'a, T: Scalar> {
    pub actors: [&'a Actor<T>; 2],
    pub first: Vec<Pose<T>>,
    second: Vec<Pose<T>>,
    way: V,
}

impl<'a, T: Scalar> Way<'a, T> {
    /// Puts a point of the second on one of the first; the way out is as long as both.
    pub fn new(actors: [&'a Actor<T>; 2], at: &Pose<T>, random: &mut Random) -> Self {
        let [a, b] = actors;
        let (first, second) = (a.placed(at), b.placed(&turned(random, [0.0; 3])));
        let step = minus(a.spot(&first, random), b.spot(&second, random));
        let length = 2.0 * (a.standing(&first).size() + b.standing(&second).size());
        let way = times(random.direction(), length);
        Way { actors, second: moved(&second, step), first, way }
    }

    pub fn second(&self, share: f64) -> Vec<Pose<T>> {
        moved(&self.second, times(self.way, share))
    }

    pub fn touches(&self, share: f64) -> bool {
        let [a, b] = self.actors;
        let second = self.second(share);
        !a.standing(&self.first).few(&b.standing(&second), 1).is_empty()
    }

    /// Returns a few units of rounding, as a fraction of the way.
    pub fn least(&self) -> f64 {
        let far = self.first.iter().map(|pose| pose.translation.vector.map(T::wide).norm());
        8.0 * T::ROUNDING * far.fold(0.0, f64::max) / norm(self.way)
    }

    /// Returns a fraction of the way at which they begin to be separate.
    pub fn end(&self) -> f64 {
        end(|share| self.touches(share))
    }
}

/// Share between 0 and 1 at which a yes becomes a no.
pub fn end(yes: impl Fn(f64) -> bool) -> f64 {
    let (mut near, mut far) = (0.0, 1.0);
    for _ in 0..32 {
        let half = 0.5 * (near + far);
        *(if yes(half) { &mut near } else { &mut far }) = half;
    }
    far
}

compiled_here! { model_of, random_actor, rebuilt, moved; Actor: placed, spot; Way: new, second, touches, least, end }
