//! Pairs of boxes in the world, one at a time and many together.

use std::hint::black_box;

use boxwood::pair::Batch;

use crate::clock::by_turns;
use crate::parry::Single;
use crate::random::Random;
use crate::table::{CONTACTS, Row};
use crate::turned::{MIXES, PAIRS, turned_pairs};

pub fn rows() -> Vec<Row> {
    let (mut verdicts, mut contacts) = (Vec::new(), Vec::new());
    for (name, spread) in MIXES {
        let pairs = turned_pairs(spread, &mut Random(1));
        let theirs: Vec<[Single; 2]> =
            pairs.iter().map(|p| [Single::of(&p[0]), Single::of(&p[1])]).collect();
        let timed = by_turns(
            || black_box(&pairs).iter().filter(|[a, b]| a.intersects(b)).count(),
            || black_box(&theirs).iter().filter(|[a, b]| a.intersects(b)).count(),
        );
        let row = Row::new(format!("box pair, {name}: yes or no"), timed);
        verdicts.push(Row { of: PAIRS, note: "intersection_test", ..row });
        let (mut batch, mut answers) = (Batch::default(), Vec::new());
        let timed = by_turns(
            || {
                batch.intersects(black_box(&pairs).iter().map(|[a, b]| (a, b)), &mut answers);
                answers.iter().filter(|&&touch| touch).count()
            },
            || black_box(&theirs).iter().filter(|[a, b]| a.intersects(b)).count(),
        );
        let row = Row::new(format!("box pairs together, {name}: yes or no"), timed);
        verdicts.push(Row { of: PAIRS, note: "intersection_test", ..row });
        let timed = by_turns(
            || black_box(&pairs).iter().filter_map(|[a, b]| black_box(a.contact(b))).count(),
            || {
                let contact = |[a, b]: &[Single; 2]| black_box(a.contact(b, 0.0));
                black_box(&theirs).iter().filter_map(contact).count()
            },
        );
        let row = Row::new(format!("box pair, {name}: contact"), timed);
        contacts.push(Row { of: PAIRS, note: CONTACTS, ..row });
    }
    verdicts.extend(contacts);
    verdicts
}
