//! Sweeps: boxes and balls against boxes, balls and half-spaces. Half of them hit.

use boxwood::pair::Sweep;
use criterion::Criterion;

use crate::support::measure::{cases, compare_values};
use crate::support::moving_boxes::{self, Moving};
use crate::support::peer::solids::{self as peer, InParry, Placed, Vector, vector};

/// Two shapes in the peer, and their displacements.
type Other<A, B> = ([Vector; 2], Placed<A>, Placed<B>);

fn there<A: InParry, B: InParry>(
    all: &[Moving],
    of: impl Fn(&Moving) -> (&A, &B),
) -> Vec<Other<A::Shape, B::Shape>> {
    let other = |m: &Moving| {
        let (a, b) = of(m);
        (m.by.map(vector), a.in_parry(), b.in_parry())
    };
    all.iter().map(other).collect()
}

pub fn sweeps(criterion: &mut Criterion) {
    let all = moving_boxes::pairs(cases());
    macro_rules! sweep {
        ($name:literal, $m:ident => $a:expr, $b:expr) => {
            compare_values(
                criterion,
                (concat!("sweep, ", $name), "parry3d"),
                (&all, &there(&all, |$m| (&$a, &$b))),
                |$m| Some($a.sweep_both($m.by[0], &$b, $m.by[1])?.time_of_impact),
                |([p, q], a, b)| peer::cast((a, *p), (b, *q)),
            )
        };
    }
    sweep!("oriented boxes", m => m.boxes[0], m.boxes[1]);
    sweep!("ball, oriented box", m => m.balls[0], m.boxes[1]);
    sweep!("balls", m => m.balls[0], m.balls[1]);
    sweep!("ball, aligned box", m => m.balls[0], m.aligned[1]);
    sweep!("ball, half-space", m => m.balls[0], m.wall);
    sweep!("aligned boxes", m => m.aligned[0], m.aligned[1]);
}
