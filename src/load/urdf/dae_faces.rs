//! The outlines of the faces of a COLLADA mesh.

use std::borrow::Cow;

use roxmltree::Node;

use super::xml::{at, child, children};
use crate::load::meshes::SkippedElements;

/// The layout of one corner's indices.
#[derive(Clone, Copy)]
pub(super) struct Stride {
    pub position_offset: usize,
    pub width: usize,
}

/// Faces as rings of position indices: the outline, and holes after it.
#[derive(Default)]
pub(super) struct Outlines {
    corners: Vec<usize>,
    /// The end of the corners of each ring.
    rings: Vec<usize>,
    /// The end of the rings of each face.
    faces: Vec<usize>,
}

impl Outlines {
    fn push_ring(&mut self, corners: impl IntoIterator<Item = usize>) {
        self.corners.extend(corners);
        self.rings.push(self.corners.len());
    }

    fn push_face(&mut self, corners: impl IntoIterator<Item = usize>) {
        self.push_ring(corners);
        self.faces.push(self.rings.len());
    }

    /// The rings of every face.
    pub fn faces(&self) -> impl Iterator<Item = impl Iterator<Item = &[usize]>> {
        let mut first = 0;
        self.faces.iter().map(move |&end| {
            let rings = std::mem::replace(&mut first, end)..end;
            rings.map(|ring| {
                let start = ring.checked_sub(1).map_or(0, |before| self.rings[before]);
                &self.corners[start..self.rings[ring]]
            })
        })
    }
}

/// Reads the indices around every face; strips reverse every other triangle, so that all have the
/// same winding.
pub(super) fn outlines(
    faces: Node<'_, '_>,
    stride: Stride,
    skipped: &mut SkippedElements,
) -> Result<Outlines, String> {
    let mut outlines = Outlines::default();
    let counts = child(faces, "vcount").map(indices).transpose()?;
    for list in children(faces, "p") {
        let corners = corners(list, stride)?;
        match (faces.tag_name().name(), &counts) {
            ("polygons", _) => outlines.push_face(corners),
            ("tristrips", _) => {
                for (index, three) in corners.windows(3).enumerate() {
                    let [a, b] = if index % 2 == 0 { [0, 1] } else { [1, 0] };
                    outlines.push_face([three[a], three[b], three[2]]);
                }
            }
            ("trifans", _) => {
                let rim = corners.get(1..).unwrap_or_default();
                rim.windows(2).for_each(|two| outlines.push_face([corners[0], two[0], two[1]]));
            }
            ("polylist", Some(counts)) => {
                let mut rest = &corners[..];
                for &count in counts {
                    let split = rest.split_at_checked(count);
                    let (face, others) =
                        split.ok_or_else(|| at(list, "the list has too few indices"))?;
                    outlines.push_face(face.iter().copied());
                    rest = others;
                }
                rest.iter().for_each(|_| skipped.add("indices after the last face"));
            }
            _ => {
                let faces = corners.chunks_exact(3);
                let rest = faces.remainder().len();
                faces.for_each(|three| outlines.push_face(three.iter().copied()));
                (0..rest).for_each(|_| skipped.add("indices after the last face"));
            }
        }
    }
    for holed in children(faces, "ph") {
        for list in holed.children().filter(|list| ["p", "h"].contains(&list.tag_name().name())) {
            outlines.push_ring(corners(list, stride)?);
        }
        outlines.faces.push(outlines.rings.len());
    }
    Ok(outlines)
}

fn indices(list: Node<'_, '_>) -> Result<Vec<usize>, String> {
    let numbers = text(list).split_ascii_whitespace().map(str::parse).collect::<Result<_, _>>();
    numbers.map_err(|_| at(list, "the text is not a list of indices"))
}

/// The position indices of a list of corners.
fn corners(list: Node<'_, '_>, stride: Stride) -> Result<Vec<usize>, String> {
    let corners = indices(list)?;
    Ok(corners.chunks_exact(stride.width).map(|corner| corner[stride.position_offset]).collect())
}

/// The text of an element, without the comments in it.
pub(super) fn text<'a>(element: Node<'a, '_>) -> Cow<'a, str> {
    let mut pieces =
        element.children().filter_map(|piece| piece.is_text().then(|| piece.text())?);
    match (pieces.next(), pieces.next()) {
        (first, None) => Cow::Borrowed(first.unwrap_or_default()),
        (first, second) => {
            let all = first.into_iter().chain(second).chain(pieces);
            Cow::Owned(all.collect::<Vec<_>>().join(" "))
        }
    }
}
