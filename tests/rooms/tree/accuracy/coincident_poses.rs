//! Poses of two parts whose features coincide, exactly or nearly.

use boxwood::shape::Pose;

use support::prelude::*;
use support::random_parts::pose;
use support::rational_points::Stored;
use support::triangle_distance::Triangle;

/// Kinds of poses of the two parts.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// Equal poses: features that coincide in the parts' frame coincide in the world.
    Same,
    /// Rotated by thirds and halves of a turn, differently, without rounding.
    Thirds,
    /// Any rotation, at the given distance from the origin.
    Free(f64),
}

pub fn between(random: &mut Random, size: f64) -> V {
    std::array::from_fn(|_| size * random.between(-1.0, 1.0))
}

/// Draws a corner, a point of an edge, or a point inside.
pub fn point_of(random: &mut Random, [a, b, c]: Triangle) -> V {
    let (s, t) = (random.share(), random.share());
    let edge = plus(a, times(minus(b, a), s));
    match random.below(3) {
        0 => a,
        1 => edge,
        _ => plus(times(edge, 1.0 - t), times(c, t)),
    }
}

/// Returns one of the twelve rotations whose quaternions are exact, and not of length one.
pub fn third<T: Scalar>(random: &mut Random, at: V) -> Pose<T> {
    let long = 1.0 + [0.0, 0.5f64.powi(11), -(0.5f64.powi(12))][random.below(3)];
    let mut q = [0.5; 4];
    if random.chance(0.3) {
        q = [0.0; 4];
        q[random.below(4)] = 1.0;
    }
    pose(q.map(|x| x * long * random.sign()), at)
}

/// Returns poses, and maps from the world to each part's frame.
pub fn poses<T: Scalar>(random: &mut Random, place: Place) -> [Pose<T>; 2] {
    match place {
        Place::Same => {
            let at = between(random, 10.0);
            let pose = if random.chance(0.3) { upright(at) } else { turned(random, at) };
            [pose; 2]
        }
        Place::Thirds => {
            let whole = |random: &mut Random| std::array::from_fn(|_| random.below(9) as f64 - 4.0);
            std::array::from_fn(|_| {
                let at = whole(random);
                third(random, at)
            })
        }
        Place::Free(far) => {
            let at = times(random.direction(), far);
            std::array::from_fn(|_| {
                let aside = between(random, if far > 0.0 { 1.0 } else { 0.0 });
                turned(random, plus(at, aside))
            })
        }
    }
}

/// Transforms from the world to the part; the identity if both are in one pose.
pub fn local<T: Scalar>(world: V, pose: &Pose<T>, place: Place, at: V) -> V {
    if let Place::Same = place {
        return world;
    }
    let stored = Stored::of(pose);
    let (rows, from) = (stored.rows(), plus(world, minus(at, stored.p)));
    std::array::from_fn(|i| (0..3).map(|k| rows[k][i] * from[k]).sum())
}

/// Returns the frame of reference of a pair.
pub fn origin<T: Scalar>(first: &Pose<T>, place: Place) -> V {
    match place {
        Place::Free(_) => Stored::of(first).p,
        _ => [0.0; 3],
    }
}
