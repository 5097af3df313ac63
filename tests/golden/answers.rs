//! Answers as text: numbers by the shortest digits that identify their bits, independent of type
//! names.

use boxwood::nalgebra::{Point, SMatrix};
use boxwood::num::Scalar;
use boxwood::pair::plane::{Heights, LineCut, PlaneHit, Side, TriangleCut};
use boxwood::pair::{CastHit, ClosestPoints, Contact, SeparatingAxis};
use boxwood::planar;
use boxwood::shape::{Aabb, Obb, Sphere};
use boxwood::tree::DecidedBy;

/// Types with a text form.
pub trait AsText {
    fn say(&self, to: &mut String);

    fn said(&self) -> String {
        let mut text = String::new();
        self.say(&mut text);
        text
    }
}

/// Scalar with a text form.
pub trait Number: Scalar + AsText {
    const NAME: &'static str;
}

impl Number for f32 {
    const NAME: &'static str = "f32";
}

impl Number for f64 {
    const NAME: &'static str = "f64";
}

macro_rules! printed {
    ($($kind:ty),*) => {$(
        impl AsText for $kind {
            fn say(&self, to: &mut String) {
                use std::fmt::Write;
                let space = if to.is_empty() || to.ends_with(['[', '(', ' ']) { "" } else { " " };
                write!(to, "{space}{self:?}").expect("room");
            }
        }
    )*};
}

printed!(f32, f64, bool, usize, u8, u32, u64);

impl AsText for &str {
    fn say(&self, to: &mut String) {
        if !to.is_empty() && !to.ends_with(['[', '(', ' ']) {
            to.push(' ');
        }
        to.push_str(self);
    }
}

impl AsText for String {
    fn say(&self, to: &mut String) {
        self.as_str().say(to);
    }
}

impl<S: AsText> AsText for [S] {
    fn say(&self, to: &mut String) {
        "[".say(to);
        self.iter().for_each(|one| one.say(to));
        to.push(']');
    }
}

impl<S: AsText, const N: usize> AsText for [S; N] {
    fn say(&self, to: &mut String) {
        self.as_slice().say(to);
    }
}

impl<S: AsText> AsText for Vec<S> {
    fn say(&self, to: &mut String) {
        self.as_slice().say(to);
    }
}

impl<S: AsText> AsText for Option<S> {
    fn say(&self, to: &mut String) {
        match self {
            Some(one) => one.say(to),
            None => "none".say(to),
        }
    }
}

impl<S: AsText, E: std::fmt::Display> AsText for Result<S, E> {
    fn say(&self, to: &mut String) {
        match self {
            Ok(one) => one.say(to),
            Err(_) => "refused".say(to),
        }
    }
}

macro_rules! tuples {
    ($($($name:ident $at:tt),*;)*) => {$(
        impl<$($name: AsText),*> AsText for ($($name,)*) {
            fn say(&self, to: &mut String) {
                "(".say(to);
                $(self.$at.say(to);)*
                to.push(')');
            }
        }
    )*};
}

tuples! {
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
    A 0, B 1, C 2, D 3, E 4;
    A 0, B 1, C 2, D 3, E 4, F 5;
}

/// Implements the text form of structs by their fields, in a fixed order.
macro_rules! fields {
    ($([$($parameter:tt)*] $kind:ty: $($field:ident $(($($call:tt)*))?),*;)*) => {$(
        impl<T: Number $($parameter)*> AsText for $kind {
            fn say(&self, to: &mut String) {
                "(".say(to);
                $(self.$field $(($($call)*))?.say(to);)*
                to.push(')');
            }
        }
    )*};
}

fields! {
    [, const D: usize] Point<T, D>: coords;
    [] ClosestPoints<T>: distance, on_a, on_b;
    [] SeparatingAxis<T>: direction, gap;
    [, const D: usize] CastHit<T, D>:
        time_of_impact, time_of_leaving, point, normal, started_inside, slack;
    [] PlaneHit<T>: time, from;
    [, const D: usize] Aabb<T, D>: min, max;
    [] Obb<T>: center(), axes(), half_extents();
    [] planar::Obb2<T>: center(), axis(), half_extents();
    [, const D: usize] Sphere<T, D>: center(), radius();
}

impl<T: Number, const D: usize> AsText for Contact<T, D> {
    fn say(&self, to: &mut String) {
        let Contact { point, point_error, normal, depth, slack } = *self;
        // Only contacts of two boxes have a bound on the point.
        match point_error.is_finite() {
            true => (point, point_error, normal, depth, slack).say(to),
            false => (point, normal, depth).say(to),
        }
    }
}

impl<T: Number, const R: usize, const C: usize> AsText for SMatrix<T, R, C> {
    fn say(&self, to: &mut String) {
        self.as_slice().say(to);
    }
}

impl AsText for Heights {
    fn say(&self, to: &mut String) {
        (self.least, self.greatest).say(to);
    }
}

impl AsText for Side {
    fn say(&self, to: &mut String) {
        match self {
            Side::Front => "front",
            Side::Straddling => "straddling",
            Side::Behind => "behind",
        }
        .say(to);
    }
}

impl<T: Number> AsText for LineCut<T> {
    fn say(&self, to: &mut String) {
        match self {
            LineCut::Missed => "missed".say(to),
            LineCut::Parallel => "parallel".say(to),
            LineCut::Coplanar => "coplanar".say(to),
            LineCut::At { t, point } => ("at", *t, *point).say(to),
        }
    }
}

impl<T: Number> AsText for TriangleCut<T> {
    fn say(&self, to: &mut String) {
        match self {
            TriangleCut::Apart => "apart".say(to),
            TriangleCut::Corner(at) => ("corner", *at).say(to),
            TriangleCut::Edge(at) => ("edge", *at).say(to),
            TriangleCut::Across(ends) => ("across", *ends).say(to),
            TriangleCut::Coplanar => "coplanar".say(to),
        }
    }
}

impl AsText for DecidedBy {
    fn say(&self, to: &mut String) {
        match self {
            DecidedBy::Boxes => "boxes",
            DecidedBy::Primitives => "primitives",
            DecidedBy::Inside => "inside",
        }
        .say(to);
    }
}
