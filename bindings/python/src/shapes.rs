//! Geometry from rows of numbers: boxes, round shapes, half-spaces and height fields.

use boxwood::f64::{
    Aabb, Capsule, ConvexHull, Cylinder, Geometry, HeightField, Obb, Plane, Segment, Sphere,
};
use boxwood::nalgebra::{Matrix3, Point3, Vector3, center};
use boxwood::pair::ConvexShape;
use boxwood::{Error, UpAxis};
use pyo3::prelude::*;

use crate::arrays::{Numbers, Rows, check_rows};
use crate::poses::{direction, pose};
use crate::raise::{raised, refused};

/// An argument: its name, its value, and the count of numbers in a row.
type Argument<'v, 'py> = (&'static str, &'v Bound<'py, PyAny>, usize);

/// Arguments with a row for each shape, or one row for all.
struct ShapeRows<const N: usize> {
    arguments: [Rows; N],
    count: usize,
}

impl<const N: usize> ShapeRows<N> {
    /// Parses the arguments.
    fn new(arguments: [Argument<'_, '_>; N]) -> PyResult<Self> {
        let mut rows = Vec::with_capacity(N);
        for (name, value, width) in arguments {
            rows.push(match width {
                1 => Numbers::column(value, name)?,
                _ => Numbers::rows(value, width, name)?,
            });
        }
        let count = rows.iter().map(|rows| rows.rows).max().unwrap_or(0);
        for (rows, (name, ..)) in rows.iter().zip(arguments) {
            check_rows(rows, count, name)?;
        }
        let arguments = rows.try_into().expect("as many as arguments");
        Ok(ShapeRows { arguments, count })
    }

    /// Calls `one` for the row of each shape; an error names it.
    fn map<S>(
        &self,
        py: Python<'_>,
        one: impl Fn([&[f64]; N]) -> Result<S, Error>,
    ) -> PyResult<Vec<S>> {
        let row = |row: usize| {
            let shape = one(self.arguments.each_ref().map(|rows| rows.get(row)));
            shape.map_err(|error| raised(py, &error, Some(row)))
        };
        (0..self.count).map(row).collect()
    }
}

fn point(row: &[f64]) -> Point3<f64> {
    Point3::from_slice(row)
}

/// Returns boxes by their centres, half extents and rotations.
pub fn boxes(
    py: Python<'_>,
    centers: &Bound<'_, PyAny>,
    half_extents: &Bound<'_, PyAny>,
    rotations: Option<&Bound<'_, PyAny>>,
) -> PyResult<Geometry> {
    let (centers, half_extents) = (("centers", centers, 3), ("half_extents", half_extents, 3));
    let half = Vector3::from_column_slice;
    let boxes = match rotations {
        None => {
            let rows = ShapeRows::new([centers, half_extents])?;
            rows.map(py, |[center, extents]| {
                Obb::new(point(center), Matrix3::identity(), half(extents))
            })
        }
        Some(rotations) => {
            let rows = ShapeRows::new([centers, half_extents, ("rotations", rotations, 4)])?;
            rows.map(py, |[center, extents, rotation]| {
                Obb::from_pose(&pose(&[center, rotation].concat()), half(extents))
            })
        }
    };
    boxes.map(Geometry::Boxes)
}

/// Returns balls by their centres and radii.
pub fn spheres(
    py: Python<'_>,
    centers: &Bound<'_, PyAny>,
    radii: &Bound<'_, PyAny>,
) -> PyResult<Geometry> {
    let rows = ShapeRows::new([("centers", centers, 3), ("radii", radii, 1)])?;
    let shapes = rows
        .map(py, |[center, radius]| Sphere::new(point(center), radius[0]).map(ConvexShape::from));
    shapes.map(Geometry::Convex)
}

/// Returns capsules by the ends of their segments and their radii.
pub fn capsules(
    py: Python<'_>,
    ends: [&Bound<'_, PyAny>; 2],
    radii: &Bound<'_, PyAny>,
) -> PyResult<Geometry> {
    about_segments(py, (ends, radii), |segment, radius| {
        Capsule::new(segment, radius).map(ConvexShape::from)
    })
}

/// Returns cylinders by the centres of their end faces and their radii.
pub fn cylinders(
    py: Python<'_>,
    ends: [&Bound<'_, PyAny>; 2],
    radii: &Bound<'_, PyAny>,
) -> PyResult<Geometry> {
    about_segments(py, (ends, radii), |segment, radius| {
        let along = segment.b() - segment.a();
        let axis = direction(along.as_slice(), "start and end are one point")?;
        let middle = center(&segment.a(), &segment.b());
        Cylinder::new(middle, axis, 0.5 * along.norm(), radius).map(ConvexShape::from)
    })
}

/// Returns round shapes about segments.
fn about_segments(
    py: Python<'_>,
    ([starts, ends], radii): ([&Bound<'_, PyAny>; 2], &Bound<'_, PyAny>),
    one: impl Fn(Segment, f64) -> Result<ConvexShape<f64>, Error>,
) -> PyResult<Geometry> {
    let rows = ShapeRows::new([("starts", starts, 3), ("ends", ends, 3), ("radii", radii, 1)])?;
    let shapes = rows
        .map(py, |[start, end, radius]| one(Segment::new(point(start), point(end))?, radius[0]));
    shapes.map(Geometry::Convex)
}

/// Returns half-spaces by the normals and offsets of their planes, each cut off by the cube of all
/// points whose coordinates are at most `reach`.
pub fn half_spaces(
    py: Python<'_>,
    normals: &Bound<'_, PyAny>,
    offsets: &Bound<'_, PyAny>,
    reach: f64,
) -> PyResult<Geometry> {
    let rows = ShapeRows::new([("normals", normals, 3), ("offsets", offsets, 1)])?;
    if !(reach > 0.0 && reach.is_finite()) {
        return Err(refused(format!("reach: {reach}, a length above 0 expected")));
    }
    let corner = Point3::from([reach; 3]);
    let within = Aabb::new(-corner, corner);
    let shapes = rows.map(py, |[normal, offset]| {
        let unit = direction(normal, "the normal has no direction")?;
        // The length of the normal, without its square.
        let size = unit.dot(&Vector3::from_column_slice(normal));
        let plane = Plane::new(unit, offset[0] / size)?;
        ConvexHull::half_space(&plane, &within).map(ConvexShape::from)
    });
    shapes.map(Geometry::Convex)
}

/// Returns the ground of heights on a grid: a surface, or with `base` all down to there.
pub fn height_field(
    py: Python<'_>,
    heights: &Bound<'_, PyAny>,
    (spacing, up): (&Bound<'_, PyAny>, UpAxis),
    base: Option<f64>,
) -> PyResult<Geometry> {
    let Numbers { data, shape } = Numbers::of(heights, "heights")?;
    let [_, columns] = shape[..] else {
        return Err(refused(format!("heights: shape {shape:?}, [rows, columns] expected")));
    };
    let spacing = Numbers::of(spacing, "spacing")?;
    let [across, along] = match spacing.data[..] {
        [both] if spacing.shape.len() < 2 => [both; 2],
        [columns, rows] if spacing.shape.len() == 1 => [columns, rows],
        _ => {
            let shape = spacing.shape;
            return Err(refused(format!("spacing: shape {shape:?}, [2] or a number expected")));
        }
    };
    let made = py.detach(|| {
        let field = HeightField::new(columns, data)?.spacing(across, along)?.up(up);
        Ok(match base {
            Some(base) => Geometry::Solid(field.solid(base)?),
            None => Geometry::Surface(field.surface()?),
        })
    });
    made.map_err(|error| raised(py, &error, None))
}

/// Parses the name of an axis.
pub fn up_axis(name: &str) -> PyResult<UpAxis> {
    match name {
        "x" => Ok(UpAxis::X),
        "y" => Ok(UpAxis::Y),
        "z" => Ok(UpAxis::Z),
        _ => Err(refused(format!("up: '{name}', 'x', 'y' or 'z' expected"))),
    }
}
