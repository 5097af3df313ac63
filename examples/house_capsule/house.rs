//! The house: a floor, four walls, a door and a roof, as triangles; the lower corner is at x = y = 0,
//! up is z. [m]

use boxwood::nalgebra::Point3;
use boxwood::{Error, Mesh};

/// A box of the house: name, lower and upper corner.
pub type Block = (&'static str, [f32; 3], [f32; 3]);

/// Floor and walls. The front wall is in three pieces: left and right of the door, and above it.
pub const BLOCKS: [Block; 8] = [
    ("floor", [-2.0, -3.0, -0.2], [9.0, 6.0, 0.0]),
    ("left wall", [0.0, 0.0, 0.0], [0.2, 4.0, 2.5]),
    ("right wall", [6.0, 0.0, 0.0], [6.2, 4.0, 2.5]),
    ("back wall", [0.0, 4.0, 0.0], [6.2, 4.2, 2.5]),
    ("front wall", [0.2, 0.0, 0.0], [2.4, 0.2, 2.5]),
    ("front wall", [3.4, 0.0, 0.0], [6.0, 0.2, 2.5]),
    ("lintel", [2.4, 0.0, 2.1], [3.4, 0.2, 2.5]),
    ("cupboard", [3.8, 3.4, 0.0], [4.6, 4.0, 1.9]),
];

/// The two slopes of the roof, by their corners.
const ROOF: [[[f32; 3]; 4]; 2] = [
    [[-0.3, -0.3, 2.4], [6.5, -0.3, 2.4], [6.5, 2.1, 3.6], [-0.3, 2.1, 3.6]],
    [[6.5, 4.5, 2.4], [-0.3, 4.5, 2.4], [-0.3, 2.1, 3.6], [6.5, 2.1, 3.6]],
];

/// Returns the mesh, and for every triangle the name of its block.
pub fn house() -> Result<(Mesh, Vec<&'static str>), Error> {
    let (mut corners, mut triangles, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for (name, low, high) in BLOCKS {
        let base = corners.len() as u32;
        for bits in 0..8 {
            let corner = [0, 1, 2].map(|i| if bits >> i & 1 == 1 { high[i] } else { low[i] });
            corners.push(Point3::from(corner));
        }
        for axis in 0..3 {
            let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
            for side in [0, 1 << axis] {
                triangles.push([side, side + u, side + u + v].map(|corner| base + corner));
                triangles.push([side, side + u + v, side + v].map(|corner| base + corner));
            }
        }
        names.extend([name; 12]);
    }
    for slope in ROOF {
        let base = corners.len() as u32;
        corners.extend(slope.map(Point3::from));
        triangles.extend([[base, base + 1, base + 2], [base, base + 2, base + 3]]);
        names.extend(["roof"; 2]);
    }
    Ok((Mesh::new(corners, triangles)?, names))
}
