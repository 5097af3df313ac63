//! Scenes of hand-made boxes against the cuboids of parry3d in f64.

use boxwood::model::Model;
use boxwood::scene::{Buffers, Hits, Scene, Spawn};
use boxwood::tree::Geometry;
use boxwood::{Build, PairQuery};

use support::prelude::*;
use support::random_parts::{place, solid};
use support::{f64_sat, parry::Peer};

/// Compares two characters of four boxes each. Returns the numbers of touching pairs and of pairs
/// too close to call.
fn verdicts<T: Scalar>(random: &mut Random, far: f64, thin: f64) -> (usize, usize) {
    let (mut scene, mut buffers, mut hits) = (Scene::<T>::new(), Buffers::new(), Hits::new());
    let mut keys = Vec::new();
    let mut blocks: Vec<Vec<PlainBox>> = Vec::new();
    for _ in 0..2 {
        let mut builder = Model::builder();
        let mut solids = Vec::new();
        for part in 0..4 {
            let half: V = std::array::from_fn(|_| random.between(0.3, 1.0));
            let half = [half[0], half[1], half[2] * thin];
            let center = times(random.direction(), 0.3);
            let one = solid::<T>(center, &random.rotation(), half);
            solids.push(PlainBox::of(&one));
            builder = builder.part(part.to_string(), None, Geometry::Boxes(vec![one]));
        }
        let model = builder.build(&Build::default()).expect("a model");
        let key = scene.insert(&model, Spawn::default()).expect("a character");
        let poses: Vec<_> = (0..4)
            .map(|_| {
                let near = times(random.direction(), random.between(0.0, 1.2));
                turned::<T>(random, plus([far, far, -far], near))
            })
            .collect();
        scene.set_parts(key, &poses).expect("poses");
        blocks.push(solids.iter().zip(&poses).map(|(b, pose)| place(b, pose)).collect());
        keys.push(key);
    }
    scene
        .snapshot(&mut buffers)
        .pairs(&PairQuery::between(keys[0], keys[1]), &mut hits)
        .expect("a query");
    let found: Vec<_> =
        hits.pairs().iter().map(|(a, b)| (a.part.index(), b.part.index())).collect();
    let (mut touching, mut banded) = (0, 0);
    let band = 100.0 * T::LEAF_SLACK + 1e-13 * far + 1e-9;
    for (i, a) in blocks[0].iter().enumerate() {
        for (j, b) in blocks[1].iter().enumerate() {
            if f64_sat::separation(a, b).abs() < band {
                banded += 1;
                continue;
            }
            let expected = Peer::solid(a).intersects(&Peer::solid(b));
            assert_eq!(found.contains(&(i, j)), expected, "{a:?} {b:?}");
            touching += usize::from(expected);
        }
    }
    (touching, banded)
}

fn agree<T: Scalar>() {
    let mut random = Random(131);
    for far in [0.0, 1e3, 1e6] {
        for thin in [1.0, 1e-3] {
            let (mut touching, mut banded) = (0, 0);
            for _ in 0..150 {
                let one = verdicts::<T>(&mut random, far, thin);
                (touching, banded) = (touching + one.0, banded + one.1);
            }
            println!("far {far:e}, thin {thin:e}: {touching} of 2400 touch, {banded} too close");
            assert!(touching > 200 && touching < 2_350 && banded < 60);
        }
    }
}

scalars! {
    hand_made_boxes_agree_with_parry => agree();
}
