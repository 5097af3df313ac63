//! Walkers of both sides behind one trait.

use boxwood::brush::{BrushWorld, WalkScratch, Walker, WalkerState};
use boxwood::nalgebra::{Point3, Vector3};
use boxwood::num::Scalar;
use boxwood::shape::UprightCylinder;
use rapier3d::pipeline::QueryPipeline;

use crate::peer::Controller;
use crate::scenes::{Due, SIZE};

/// A walker of either side; positions are converted to double precision without rounding.
pub trait Mover {
    fn tick(&mut self, wish: Vector3<f64>);
    fn place(&self) -> Point3<f64>;
}

/// Walker of this crate.
pub struct Ours<'w, T: Scalar> {
    world: &'w BrushWorld,
    walker: Walker<T>,
    at: WalkerState<T>,
    scratch: WalkScratch,
}

/// Returns a walker of this crate with a size and a step height.
pub fn walker<T: Scalar>(size: [f32; 2], step: f64) -> Walker<T> {
    let [radius, half_height] = size.map(|x| T::nearest(f64::from(x)));
    let cylinder = UprightCylinder::new(radius, half_height).expect("a size");
    Walker::new(cylinder).step(step)
}

impl<'w, T: Scalar> Ours<'w, T> {
    pub fn new(world: &'w BrushWorld, step: f64, start: Point3<f64>) -> Self {
        let walker = walker(SIZE, step);
        let at = walker
            .stand(world, start.map(T::nearest), &mut WalkScratch::new())
            .expect("a free place");
        Ours { world, walker, at, scratch: WalkScratch::new() }
    }
}

impl<T: Scalar> Mover for Ours<'_, T> {
    fn tick(&mut self, wish: Vector3<f64>) {
        let wish = wish.map(T::nearest);
        let moved = self.walker.walk(self.world, &mut self.at, wish, &mut self.scratch);
        moved.expect("a finite wish");
    }

    fn place(&self) -> Point3<f64> {
        self.at.position().map(T::wide)
    }
}

/// Rapier's controller.
pub struct Theirs<'w> {
    pub queries: &'w QueryPipeline<'w>,
    pub controller: Controller,
    pub at: Point3<f32>,
}

impl<'w> Theirs<'w> {
    pub fn new(queries: &'w QueryPipeline<'w>, step: f64, start: Point3<f64>) -> Self {
        let controller = Controller::new(SIZE, step as f32);
        Theirs { queries, controller, at: start.map(|x| x as f32) }
    }
}

impl Mover for Theirs<'_> {
    fn tick(&mut self, wish: Vector3<f64>) {
        self.controller.walk(self.queries, &mut self.at, wish.map(|x| x as f32));
    }

    fn place(&self) -> Point3<f64> {
        self.at.map(f64::from)
    }
}

/// Returns `true` if a move is as due: no bit changed, or advanced by nine tenths or more.
pub fn done(due: Due, before: Point3<f64>, after: Point3<f64>) -> bool {
    match due {
        Due::Rest => before == after,
        Due::Along(advance) => after.x - before.x >= 0.9 * advance,
    }
}
