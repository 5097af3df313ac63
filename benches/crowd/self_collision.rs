//! Self-collision of people: touching pairs of their own parts, and distances of these.
//!
//! Pairs of parts that touch in more than half of all people are ignored, as joints of robots are.
//! From poses alone, the peer tests the world boxes of all other pairs first, or traverses a tree
//! over them that is built for the query; in a scene, both libraries start with the world boxes.
//! Times and counts are sums over all people.

use boxwood::model::SelfQueryScratch;
use boxwood::{Accuracy, Buffers, Hits, PairQuery};

use crate::support::crowd::{BODIES, Body, Frames, Placed, model};
use crate::support::measure::{BenchGroups, Way, bench_group, clock, way};
use crate::support::peer::frames::poses;
use crate::support::peer::people::{BvhWorkspace, Pairs, Person, bodies, divided, everyone};
use crate::support::people::PARTS;

const PEOPLE: usize = 1_000;
/// Spacing of people [m].
const SPACING: f64 = 1.0;
/// Largest distance of close parts [m].
const CLOSE: f32 = 0.01;

fn frames() -> Frames {
    Frames::new(PEOPLE, SPACING)
}

/// Splits the pairs of parts into those that touch in more than `most` people of the first frame,
/// and the others.
fn apart(body: Body, most: usize) -> (Pairs, Pairs) {
    let bodies = bodies(body);
    divided(&everyone(&poses(&frames().next()), &bodies), most)
}

/// Times one query per person, from poses.
fn ours<'a>(ask: impl Fn(&[boxwood::Pose], &mut SelfQueryScratch<f32>) -> usize + 'a) -> Way<'a> {
    let (mut frames, mut scratch) = (frames(), SelfQueryScratch::default());
    way("boxwood", move || {
        let poses = frames.next();
        clock(|| poses.chunks_exact(PARTS).map(|poses| ask(poses, &mut scratch)).sum::<usize>())
    })
}

fn theirs<'a>(name: &str, body: Body, mut ask: impl FnMut(&Person) -> usize + 'a) -> Way<'a> {
    let (mut frames, bodies) = (frames(), bodies(body));
    way(name, move || {
        let poses = poses(&frames.next());
        let people = everyone(&poses, &bodies);
        clock(|| people.iter().map(&mut ask).sum::<usize>())
    })
}

/// Times the self-distance of each person, from poses and in a scene. Pairs of parts that touch in
/// more than a tenth of all people are ignored. The peer also sorts the pairs of world boxes.
/// Counts are people with parts closer than a centimetre.
pub fn clearances(groups: &mut dyn BenchGroups) {
    for (name, body) in BODIES {
        let (left_out, asked) = apart(body, PEOPLE / 10);
        let (model, mut ranked) = (model(body, &left_out), Vec::new());
        let clearance = |poses: &[boxwood::Pose], scratch: &mut SelfQueryScratch<f32>| {
            let found = model.self_distance(poses, Accuracy::Exact, f64::INFINITY, scratch);
            let found = found.expect("sound poses").expect("two parts");
            usize::from(found.distance < CLOSE)
        };
        let other = |p: &Person| usize::from(p.clearance(&asked, &mut ranked) < CLOSE);
        let ways = vec![ours(clearance), theirs("parry3d", body, other)];
        bench_group(groups, &format!("a person, {name}: self_distance"), PEOPLE, ways);
    }
}

/// Times self-collision from poses, and in a scene.
pub fn pairs(groups: &mut dyn BenchGroups) {
    for (name, body) in BODIES {
        let (left_out, asked) = &apart(body, PEOPLE / 2);
        let (model, exact) = (&model(body, left_out), Accuracy::Exact);
        println!("{name}: {} pairs are left out", left_out.len());
        let mut row = |what: &str, ways: Vec<Way<'_>>| {
            bench_group(groups, &format!("a person, {name}: {what}"), PEOPLE, ways)
        };
        let any = |poses: &[_], scratch: &mut _| {
            usize::from(model.self_intersects(poses, exact, scratch).expect("sound poses"))
        };
        let other = |p: &Person| usize::from(p.pairs(&p.bounds(), asked).next().is_some());
        row("self_intersects", vec![ours(any), theirs("parry3d", body, other)]);

        let all = |poses: &[_], scratch: &mut _| {
            model.self_pairs(poses, exact, scratch).expect("sound poses").len()
        };
        let mut spared = vec![false; PARTS * PARTS];
        left_out.iter().for_each(|&[a, b]| spared[a * PARTS + b] = true);
        let mut space = BvhWorkspace::default();
        let by_tree = move |p: &Person| p.pairs_by_tree(&spared, &mut space);
        let ways = vec![
            ours(all),
            theirs("parry3d", body, |p| p.pairs(&p.bounds(), asked).count()),
            theirs("parry3d, a tree", body, by_tree),
        ];
        row("self_pairs", ways);

        let mut crowd = Placed::new(model, PEOPLE, SPACING);
        let queries: Vec<PairQuery> =
            crowd.keys.iter().map(|&key| PairQuery::within(key).accuracy(exact)).collect();
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let in_a_scene = way("boxwood", || {
            let now = crowd.next().snapshot(&mut buffers);
            let mut of = |query| {
                now.pairs(query, &mut hits).expect("sound keys");
                hits.pairs().len()
            };
            clock(|| queries.iter().map(&mut of).sum::<usize>())
        });
        let (mut frames, bodies) = (frames(), bodies(body));
        let other = way("parry3d", || {
            let poses = poses(&frames.next());
            let people = everyone(&poses, &bodies);
            let bounds: Vec<_> = people.iter().map(Person::bounds).collect();
            let placed = || people.iter().zip(&bounds);
            clock(|| placed().map(|(p, bounds)| p.pairs(bounds, asked).count()).sum::<usize>())
        });
        row("self pairs in a scene", vec![in_a_scene, other]);
    }
}
