//! Pairs of world boxes, single and batched.

use boxwood::pair::Batch;

use crate::alternating::{Effort, in_turn};
use crate::support::boxes::{MIXES, turned_pairs};
use crate::support::measure::{CHUNK, Found, cases, clock, counted, in_order, summed, way};
use crate::support::peer::solids as peer;
use crate::support::random::Random;
use crate::table::{CONTACTS, Row};

pub fn rows(effort: Effort) -> Vec<Row> {
    let (mut verdicts, mut contacts) = (Vec::new(), Vec::new());
    for (mix, spread) in MIXES {
        let pairs = turned_pairs(cases(), spread, &mut Random(1));
        let theirs = peer::boxes(&pairs);
        let test = || counted("parry3d", &theirs, |[a, b]| peer::intersects(a, b));
        let row = |name: String, peer: &str, ways| Row {
            name,
            timed: in_turn(effort, ways),
            of: CHUNK,
            peer: peer.into(),
        };
        let ours = counted("boxwood", &pairs, |[a, b]| a.intersects(b));
        let name = format!("box pair, {mix}: yes or no");
        verdicts.push(row(name, "intersection_test", [ours, test()]));

        let (mut batch, mut answers) = (Batch::default(), Vec::new());
        let mut next = in_order(&pairs, CHUNK);
        let ours = way("boxwood", || {
            let pairs = next();
            clock(|| {
                batch.intersects(pairs.iter().map(|[a, b]| (a, b)), &mut answers);
                answers.iter().filter(|&&touch| touch).count()
            })
        });
        let name = format!("box pairs together, {mix}: yes or no");
        verdicts.push(row(name, "intersection_test", [ours, test()]));

        let ours = summed("boxwood", &pairs, |[a, b]| Some(a.contact(b)?.depth));
        let contact = || summed("parry3d", &theirs, |[a, b]| peer::contact(a, b));
        contacts.push(row(format!("box pair, {mix}: contact"), CONTACTS, [ours, contact()]));

        let (mut batch, mut answers) = (Batch::default(), Vec::new());
        let mut next = in_order(&pairs, CHUNK);
        let ours = way("boxwood", || {
            let pairs = next();
            clock(|| {
                batch.contacts(pairs.iter().map(|[a, b]| (a, b)), &mut answers);
                answers.iter().flatten().map(|contact| contact.depth).collect::<Found>()
            })
        });
        let name = format!("box pairs together, {mix}: contact");
        contacts.push(row(name, CONTACTS, [ours, contact()]));
    }
    verdicts.extend(contacts);
    verdicts
}
