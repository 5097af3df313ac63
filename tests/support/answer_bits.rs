//! Lists of answers as bits, for comparison.

use boxwood::NodeRef;
use boxwood::num::Scalar;
use boxwood::scene::Hit;

/// Appends the count, and then each pair.
pub fn list_pairs(pairs: &[(NodeRef, NodeRef)], list: &mut Vec<u64>) {
    list.push(pairs.len() as u64);
    for (a, b) in pairs {
        list.extend(node(a).into_iter().chain(node(b)));
    }
}

/// Appends the count, and then each hit with all its numbers.
pub fn list_hits<T: Scalar>(hits: &[Hit<T>], list: &mut Vec<u64>) {
    list.push(hits.len() as u64);
    for Hit { a, b, measured, point, point_error, normal, depth, slack, .. } in hits {
        list.extend(node(a).into_iter().chain(node(b)));
        list.extend(point.iter().chain(normal.iter()).map(|x| x.bits()));
        list.extend([point_error, depth, slack].map(|x| x.bits()));
        list.extend(measured.then_some(1));
    }
}

fn node(of: &NodeRef) -> [u64; 3] {
    [of.character.to_bits(), of.part.index() as u64, of.node.index() as u64]
}

compiled_here! { list_hits }
