//! Rigid pieces of a robot, and the pairs of links that its file leaves untested.
//!
//! A *piece* is a set of links that never move against each other: a link that is rigidly fixed to
//! its parent belongs to the piece of its parent. Pieces only decide which pairs are tested; parts,
//! names and poses are one per link.
//!
//! Source of [`WorldPiece::Tested`]: the MuJoCo documentation, computation chapter, collision
//! detection, "Selection": pairs of one body and its rigid attachments, of parent and child unless
//! the parent is the world or fixed to it. Source of the steps over links without geometry:
//! MoveIt's setup assistant, where adjacent links have only links without geometry between them.

use crate::model::{PairTable, visit_neighbourhood};

/// Index of the piece of the world and of all links that are rigidly fixed to it.
const WORLD_PIECE: usize = 0;

/// The position of a link in the tree of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceLink {
    /// Index of the parent, smaller than the link's own; `None` for a child of the world.
    pub parent: Option<usize>,
    /// `true` if the link never moves against its parent in the file's robot. A joint of an
    /// unsupported kind, which is loaded as fixed, is not rigid.
    pub rigid: bool,
    pub has_geometry: bool,
}

/// The pairs that a piece fixed to the world forms with its child pieces.
///
/// | | [`Adjacent`](WorldPiece::Adjacent) (URDF) | [`Tested`](WorldPiece::Tested) (MJCF) |
/// |---|---|---|
/// | links of one piece, the world's included | not tested | not tested |
/// | parent and child piece | not tested | not tested |
/// | the world's piece and a child of it | not tested | tested |
/// | steps between pieces | skip pieces without geometry | count every piece |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WorldPiece {
    Adjacent,
    #[cfg_attr(not(feature = "mjcf"), allow(dead_code))]
    Tested,
}

/// The rigid pieces of a robot.
#[derive(Debug, Clone)]
pub(super) struct Pieces {
    /// The piece of each link.
    piece_of: Vec<usize>,
    /// The links of each piece, ascending; the world's piece may have none.
    links: Vec<Vec<usize>>,
    /// The adjacent pieces of each piece.
    neighbours: Vec<Vec<usize>>,
}

impl Pieces {
    /// Sorts links, parents first, into pieces.
    pub fn new(links: &[PieceLink], world: WorldPiece) -> Self {
        let mut piece_of: Vec<usize> = Vec::with_capacity(links.len());
        let mut members = vec![Vec::new()];
        let mut parents = vec![WORLD_PIECE];
        for (index, link) in links.iter().enumerate() {
            let above = link.parent.map_or(WORLD_PIECE, |parent| piece_of[parent]);
            let piece = if link.rigid { above } else { members.len() };
            if piece == members.len() {
                members.push(Vec::new());
                parents.push(above);
            }
            members[piece].push(index);
            piece_of.push(piece);
        }
        let has_geometry = |piece: usize| {
            let mut members = members[piece].iter();
            members.any(|&link: &usize| links[link].has_geometry)
        };
        let shaped: Vec<bool> = (0..members.len()).map(has_geometry).collect();
        let neighbours = neighbours(&parents, &shaped, world);
        Pieces { piece_of, links: members, neighbours }
    }

    /// Returns `true` if two links never move against each other.
    pub fn are_rigid(&self, a: usize, b: usize) -> bool {
        self.piece_of[a] == self.piece_of[b]
    }

    /// Returns the pairs of links that are not tested: those of one piece, and those of pieces
    /// within `hops` steps of each other.
    ///
    /// 1 means parent and child; 0 only the pairs that never move against each other.
    pub fn untested(&self, hops: usize) -> PairTable {
        let mut table = PairTable::new(self.piece_of.len());
        let mut visited = vec![usize::MAX; self.links.len()];
        for start in 0..self.links.len() {
            visit_neighbourhood(&self.neighbours, start, hops, &mut visited, |other| {
                // The table is symmetric: the lesser piece inserts the pairs of both.
                if other > start {
                    return;
                }
                for &a in &self.links[start] {
                    self.links[other].iter().for_each(|&b| table.insert(a, b));
                }
            });
        }
        table
    }
}

/// Returns the adjacent pieces of each piece.
fn neighbours(parents: &[usize], shaped: &[bool], world: WorldPiece) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); parents.len()];
    // The nearest ancestor piece with geometry, or the world's; parents are first.
    let mut above = vec![WORLD_PIECE; parents.len()];
    for piece in 1..parents.len() {
        let parent = parents[piece];
        let skips = world == WorldPiece::Adjacent && !shaped[parent];
        above[piece] = if skips { above[parent] } else { parent };
        if above[piece] != WORLD_PIECE || world == WorldPiece::Adjacent {
            neighbours[piece].push(above[piece]);
            neighbours[above[piece]].push(piece);
        }
    }
    neighbours
}
