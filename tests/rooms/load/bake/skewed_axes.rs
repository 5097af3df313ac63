//! Skewed axes in baked characters: the guarantees need right angles, so axes are accepted up to
//! rounding only.

use boxwood::Loader;
use boxwood::{Build, Error, Geometry, Model};

use super::all_geometry::character;
use super::header::{HEADER, sealed};

use support::prelude::*;

/// The unit roundoff of single precision.
const U: f64 = 1.0 / 16_777_216.0;
const AXES: &str = "the axes are not a right-handed set at right angles";
const OTHER: &str = "the fingerprint does not match the model";

/// Returns the axes by columns, as they are written.
fn stored(axes: &Matrix3<f32>) -> Vec<u8> {
    axes.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// Returns the largest error of the products of the columns against an orthonormal basis.
fn skew(axes: &Matrix3<f32>) -> f64 {
    let wide: Matrix3<f64> = axes.cast();
    (wide.tr_mul(&wide) - Matrix3::identity()).amax()
}

/// Returns all axes in the character, of nodes and of hand-made boxes.
fn axes_of(model: &Model) -> Vec<Matrix3<f32>> {
    let trees = || model.parts().iter().filter_map(|part| part.tree());
    let nodes =
        trees().flat_map(|tree| tree.cut(255).into_iter().map(|id| *tree.node(id).oriented()));
    let boxes = trees().flat_map(|tree| match tree.geometry() {
        Geometry::Boxes(boxes) => boxes.clone(),
        _ => Vec::new(),
    });
    nodes.chain(boxes).map(|b| b.axes()).collect()
}

/// Returns the error after one set of axes replaces another in the bytes.
fn trouble(body: &[u8], from: &Matrix3<f32>, to: &Matrix3<f32>) -> Option<String> {
    let (from, to) = (stored(from), stored(to));
    let at = body.windows(from.len()).position(|window| window == from)?;
    let mut body = body.to_vec();
    body[at..at + to.len()].copy_from_slice(&to);
    match Loader::new().baked_bytes(&sealed(&body, 4)) {
        Err(Error::File { path, trouble }) => {
            assert_eq!(path, std::path::Path::new("bytes in memory"));
            let trouble = trouble.strip_prefix("not a baked character: ");
            Some(trouble.expect("what it is not").to_owned())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn axes_are_accepted_up_to_rounding() {
    let made = character::<f32>(&Build::default());
    let bytes = made.bake().expect("bytes");
    let body = &bytes[HEADER..];
    let (mut straight, mut skewed) = (0, 0);
    let axes = axes_of(&made.model);
    for axes in &axes[..support::proof::at_least(axes.len(), 20)] {
        assert!(skew(axes) < 2.0 * U, "as built");
        for (column, beside, share) in
            (0..9).flat_map(|k| [0.4, 0.8, 1.3, 1.9, 2.6, 4.0, 40.0].map(|s| (k / 3, k % 3, s)))
        {
            let mut wide: Matrix3<f64> = axes.cast();
            let lean = wide.column(beside) * (share * U);
            let mut leaning = wide.column_mut(column);
            leaning += lean;
            let other: Matrix3<f32> = wide.cast();
            if other == *axes || (skew(&other) - 2.0 * U).abs() < 1e-12 {
                continue;
            }
            let Some(said) = trouble(body, axes, &other) else { continue };
            if skew(&other) > 2.0 * U {
                skewed += 1;
                assert!(said.contains(AXES), "{} u: {said}", skew(&other) / U);
            } else {
                straight += 1;
                // Another valid box: only the fingerprint differs.
                assert!(said.contains(OTHER), "{} u: {said}", skew(&other) / U);
            }
        }
    }
    assert!(straight > 200 && skewed > 200, "{straight} {skewed}");
}

#[test]
fn mirrored_and_zero_axes_are_refused() {
    let made = character::<f32>(&Build::default());
    let bytes = made.bake().expect("bytes");
    let axes = axes_of(&made.model)[0];
    let mirrored = Matrix3::from_columns(&[axes.column(1), axes.column(0), axes.column(2)]);
    for other in [mirrored, -axes, Matrix3::zeros(), axes * 2.0, Matrix3::repeat(0.5)] {
        let said = trouble(&bytes[HEADER..], &axes, &other).expect("it is there");
        assert!(said.contains(AXES), "{said}");
    }
    for bad in [f32::NAN, f32::INFINITY, 1e30] {
        let said = trouble(&bytes[HEADER..], &axes, &Matrix3::repeat(bad)).expect("it is there");
        assert!(said.contains("finite") || said.contains("larger"), "{said}");
    }
}
