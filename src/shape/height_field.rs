//! Height fields: terrain as heights on a grid, and meshes of it.

use nalgebra::Point3;

use super::{Mesh, UpAxis, nearest_point};
use crate::error::Error;
use crate::num::{Scalar, check_coordinates, check_size, checked_number};

/// Heights on a grid of rows and columns. [`surface`](HeightField::surface) and
/// [`solid`](HeightField::solid) make meshes of it, for parts.
///
/// With z up, columns follow each other along x and rows along y; with y up, along z and x; with x
/// up, along y and z. The first height is at the origin of that plane. Four heights make two
/// triangles with a common edge from the first column of the first row to the second column of the
/// second row; both face up.
///
/// ```
/// use boxwood::nalgebra::Point3;
/// use boxwood::{Geometry, HeightField, UpAxis};
///
/// let hill = [0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0]; // 3 rows of 3
/// let hill = HeightField::new(3, hill.into())?.spacing(10.0, 10.0)?.up(UpAxis::Y);
/// let surface = hill.surface()?;
/// assert_eq!((surface.vertices().len(), surface.triangles().len()), (9, 8));
/// assert_eq!(surface.vertices()[4], Point3::new(10.0, 2.0, 10.0));
/// let ground = Geometry::Solid(hill.solid(-1.0)?); // 1 below the lowest: nothing falls through
/// assert!(ground.mesh().is_some_and(|mesh| mesh.open_edges().is_empty()));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct HeightField<T: Scalar> {
    columns: usize,
    heights: Vec<T>,
    spacing: [T; 2],
    up: UpAxis,
}

impl<T: Scalar> HeightField<T> {
    /// Largest number of heights of one field.
    pub const MAX_HEIGHTS: usize = 1 << 24;

    /// A field of these heights, row after row, with a spacing of one along both axes and z up.
    ///
    /// # Errors
    /// [`Error::Empty`] for less than two rows or columns; [`Error::WrongCount`] if the last row is
    /// not full, and for more than [`HeightField::MAX_HEIGHTS`]; [`Error::NotFinite`] and
    /// [`Error::OutOfRange`] naming the height.
    pub fn new(columns: usize, heights: Vec<T>) -> Result<Self, Error> {
        let found = heights.len();
        if columns < 2 || found / columns < 2 {
            return Err(Error::Empty { field: "height field" });
        }
        if found > Self::MAX_HEIGHTS || !found.is_multiple_of(columns) {
            let full = found.min(Self::MAX_HEIGHTS) / columns * columns;
            return Err(Error::WrongCount { field: "heights", expected: full, found });
        }
        for (index, &height) in heights.iter().enumerate() {
            check_coordinates(&[height], "height", index)?;
        }
        Ok(HeightField { columns, heights, spacing: [T::one(); 2], up: UpAxis::default() })
    }

    /// Sets the distances between neighbouring columns and between neighbouring rows. Units.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`].
    pub fn spacing(mut self, columns: T, rows: T) -> Result<Self, Error> {
        check_size(columns, "spacing of columns")?;
        check_size(rows, "spacing of rows")?;
        self.spacing = [columns, rows];
        Ok(self)
    }

    /// Sets the axis that points up; z by default.
    pub fn up(mut self, up: UpAxis) -> Self {
        self.up = up;
        self
    }

    /// The numbers of columns and of rows.
    pub fn size(&self) -> [usize; 2] {
        [self.columns, self.heights.len() / self.columns]
    }

    /// The ground as a surface. It has no inside: bodies below it do not touch it.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] naming a vertex whose coordinates are too large.
    pub fn surface(&self) -> Result<Mesh<T>, Error> {
        Mesh::new(self.vertices().collect(), self.triangles())
    }

    /// The ground and all below it, down to a flat bottom at height `base`: a closed mesh.
    ///
    /// # Errors
    /// The errors of [`HeightField::surface`]; [`Error::NotFinite`] and [`Error::OutOfRange`] for
    /// the base; [`Error::Negative`] naming a height below it.
    pub fn solid(&self, base: impl Into<f64>) -> Result<Mesh<T>, Error> {
        let base = checked_number(base, "base", 0)?;
        if let Some(index) = self.heights.iter().position(|&height| height < base) {
            return Err(Error::Negative { field: "height above the base", index });
        }
        let [columns, rows] = self.size();
        let (mut vertices, mut triangles) = (self.vertices().collect::<Vec<_>>(), self.triangles());
        let rim = rim_vertices(columns, rows);
        let below = vertices.len() as u32;
        let base_point = |corner: u32| {
            let (column, row) = (corner as usize % columns, corner as usize / columns);
            self.point([column as f64, row as f64], base)
        };
        vertices.extend(rim.iter().map(|&corner| base_point(corner)));
        // The bottom is a fan around its middle, so that each of its triangles has an area.
        let middle = vertices.len() as u32;
        vertices.push(self.point([columns, rows].map(|count| 0.5 * (count - 1) as f64), base));
        for (at, &corner) in rim.iter().enumerate() {
            let next = (at + 1) % rim.len();
            let (low, low_next) = (below + at as u32, below + next as u32);
            triangles.push([corner, low, low_next]);
            triangles.push([corner, low_next, rim[next]]);
            triangles.push([middle, low_next, low]);
        }
        Mesh::new(vertices, triangles)
    }

    fn vertices(&self) -> impl Iterator<Item = Point3<T>> + '_ {
        self.heights.iter().enumerate().map(|(index, &height)| {
            let (column, row) = (index % self.columns, index / self.columns);
            self.point([column as f64, row as f64], height)
        })
    }

    /// The point at a column and a row (fractions allowed) and a height.
    fn point(&self, [column, row]: [f64; 2], height: T) -> Point3<T> {
        let [a, b] = self.spacing.map(T::wide);
        nearest_point(self.up.undo_to_z([column * a, row * b, height.wide()]))
    }

    fn triangles(&self) -> Vec<[u32; 3]> {
        let [columns, rows] = self.size();
        let mut triangles = Vec::with_capacity(2 * (columns - 1) * (rows - 1));
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let a = (row * columns + column) as u32;
                let (b, c, d) = (a + 1, a + 1 + columns as u32, a + columns as u32);
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        triangles
    }
}

/// The vertices at the rim, each once, counterclockwise seen from above.
fn rim_vertices(columns: usize, rows: usize) -> Vec<u32> {
    let at = |column: usize, row: usize| (row * columns + column) as u32;
    let front = (0..columns - 1).map(|column| at(column, 0));
    let right = (0..rows - 1).map(|row| at(columns - 1, row));
    let back = (1..columns).rev().map(|column| at(column, rows - 1));
    let left = (1..rows).rev().map(|row| at(0, row));
    front.chain(right).chain(back).chain(left).collect()
}
