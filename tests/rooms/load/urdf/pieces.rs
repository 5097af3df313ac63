//! The pairs of links that a URDF leaves untested, against an independent definition.

use std::collections::HashMap;

use boxwood::load::{Loader, Robot};

use super::small::{collision, joint, link, robot};
use support::data::data;
use support::prelude::*;

/// Returns the pairs of links with geometry that are tested, by name, each in order.
pub fn tested(robot: &Robot<f64>) -> Vec<[String; 2]> {
    let parts: Vec<_> = robot.model.parts().iter().filter(|part| part.tree().is_some()).collect();
    let mut pairs = Vec::new();
    for (index, a) in parts.iter().enumerate() {
        for b in parts[..index].iter().filter(|b| !robot.model.ignores(a.id(), b.id())) {
            let mut pair = [a.name().to_owned(), b.name().to_owned()];
            pair.sort();
            pairs.push(pair);
        }
    }
    pairs.sort();
    pairs
}

fn pairs<const N: usize>(of: [[&str; 2]; N]) -> Vec<[String; 2]> {
    of.map(|pair| pair.map(str::to_owned)).to_vec()
}

fn load(text: &str, hops: usize) -> Robot<f64> {
    Loader::new().ignore_neighbours(hops).urdf_bytes(text.as_bytes()).expect("a robot")
}

/// Returns links with a cube each, except those whose name is in capitals; then joints of parent,
/// child and type.
fn chain(joints: &[(&str, &str, &str)]) -> String {
    let cube = collision("", "<box size='1 1 1'/>");
    let mut text = link("root", &cube);
    for (_, child, _) in joints {
        text += &link(child, if child.to_uppercase() == *child { "" } else { &cube });
    }
    let joints = joints.iter().map(|(above, below, kind)| joint(below, kind, [above, below], ""));
    robot(&(text + &joints.collect::<String>()))
}

#[test]
fn links_joined_by_fixed_joints_are_one_piece() {
    // The file of `bugs`, and three similar ones.
    let Some(data) = data() else { return };
    let file = data.join("bugs/welded_links.urdf");
    let welded = Loader::new().urdf(&file).expect("a robot");
    assert_eq!(tested(&welded), pairs([]));
    let poses = welded.model.bind_poses();
    let mut scratch = boxwood::f64::SelfQueryScratch::default();
    let exact = boxwood::Accuracy::Exact;
    assert_eq!(welded.model.self_intersects(&poses, exact, &mut scratch), Ok(false));
    // Without neighbours only the pairs that move are tested.
    let apart = Loader::new().ignore_neighbours(0).urdf(&file).expect("a robot");
    assert_eq!(tested(&apart), pairs([["a", "d"], ["b", "d"], ["c", "d"]]));
}

#[test]
fn pieces_of_forks_chains_and_unsupported_joints_are_known() {
    let fork = chain(&[
        ("root", "flange", "fixed"),
        ("flange", "left", "revolute"),
        ("left", "left_tip", "fixed"),
        ("flange", "right", "prismatic"),
        ("right", "right_tip", "fixed"),
    ]);
    let across = [
        ["left", "right"],
        ["left", "right_tip"],
        ["left_tip", "right"],
        ["left_tip", "right_tip"],
    ];
    assert_eq!(tested(&load(&fork, 1)), pairs(across));
    assert_eq!(tested(&load(&fork, 2)), pairs([]));
    // A joint that is loaded as fixed but would move is not rigid.
    let floating = chain(&[("root", "a", "floating"), ("a", "b", "fixed"), ("b", "c", "planar")]);
    assert_eq!(tested(&load(&floating, 1)), pairs([["c", "root"]]));
    assert_eq!(tested(&load(&floating, 0)).len(), 5);
    // A joint of two axes is two joints with a link without geometry between.
    let cardan = chain(&[
        ("root", "AXIS", "continuous"),
        ("AXIS", "PLATE", "fixed"),
        ("PLATE", "hand", "continuous"),
        ("hand", "tip", "continuous"),
    ]);
    assert_eq!(tested(&load(&cardan, 1)), pairs([["root", "tip"]]));
    assert_eq!(tested(&load(&cardan, 2)), pairs([]));
}

/// Link in a random robot: its parent, the type of its joint, and `true` if it has a shape.
struct Drawn {
    parent: Option<usize>,
    fixed: bool,
    shaped: bool,
}

/// Returns `true` if two links are tested: of different pieces, of which neither is the nearest one
/// with geometry above the other.
fn are_tested(links: &[Drawn], a: usize, b: usize) -> bool {
    let top = |mut link: usize| {
        while let (true, Some(parent)) = (links[link].fixed, links[link].parent) {
            link = parent;
        }
        link
    };
    let is_shaped =
        |piece: usize| (0..links.len()).any(|link| top(link) == piece && links[link].shaped);
    let above = |link: usize| {
        let mut piece = top(links[top(link)].parent?);
        while let (false, Some(parent)) = (is_shaped(piece), links[piece].parent) {
            piece = top(parent);
        }
        Some(piece)
    };
    top(a) != top(b) && above(a) != Some(top(b)) && above(b) != Some(top(a))
}

#[test]
fn random_trees_are_tested_by_the_definition() {
    let mut random = Random(5);
    let mut chance = |share: f64| random.between(0.0, 1.0) < share;
    let mut counts = [0, 0];
    for _ in 0..200 {
        let mut links = vec![Drawn { parent: None, fixed: true, shaped: true }];
        for index in 1..14 {
            let parent = (0..index - 1).find(|_| chance(0.3)).unwrap_or(index - 1);
            links.push(Drawn { parent: Some(parent), fixed: chance(0.5), shaped: chance(0.6) });
        }
        let cube = collision("", "<box size='1 1 1'/>");
        let mut text = String::new();
        for (index, drawn) in links.iter().enumerate() {
            text += &link(&index.to_string(), if drawn.shaped { &cube } else { "" });
        }
        for (index, drawn) in links.iter().enumerate().skip(1) {
            let ends = [drawn.parent.expect("a parent"), index].map(|link| link.to_string());
            let kind = if drawn.fixed { "fixed" } else { "continuous" };
            text += &joint(&ends[1], kind, [&ends[0], &ends[1]], "");
        }
        let found = load(&robot(&text), 1);
        let at: HashMap<&str, _> =
            found.model.parts().iter().map(|part| (part.name(), part.id())).collect();
        for (a, b) in (0..links.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
            if links[a].shaped && links[b].shaped {
                let ids = [a, b].map(|link| at[link.to_string().as_str()]);
                let expected = are_tested(&links, a, b);
                assert_eq!(!found.model.ignores(ids[0], ids[1]), expected, "{a} {b}: {text}");
                counts[usize::from(expected)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

#[test]
fn a_thousand_welded_links_are_one_piece() {
    let names: Vec<String> = (0..1000).map(|index| format!("l{index}")).collect();
    let mut joints: Vec<_> = names.iter().map(|name| ("root", name.as_str(), "fixed")).collect();
    joints.push(("l999", "arm", "revolute"));
    joints.push(("arm", "hand", "revolute"));
    let found = tested(&load(&chain(&joints), 1));
    assert_eq!(found.len(), 1001);
    assert!(found.iter().all(|pair| pair.contains(&"hand".to_owned())));
}
