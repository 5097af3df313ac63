//! Pictures: corners from above, the level from above and from the side.

use boxwood::Error;
use boxwood::brush::{BrushWorld, Expansion};
use boxwood::nalgebra::{Point3, Vector2};

use crate::corners::{self, Corner, HALF_HEIGHT, MOVERS, Mover, RADIUS, Way};
use crate::drawing::{Page, View};
use crate::level;
use crate::walks::Walk;

const COLORS: [&str; 6] = ["#000000", "#c02020", "#d98000", "#8a3fb0", "#1f6fd0", "#108040"];

const TALLEST: f64 = 4.0;

/// Draws the paths of all movers round the three corners, side by side.
pub fn corners(ways: &[(Corner, Vec<Way>)]) -> String {
    let mut page = Page::new(1260, 520);
    for (i, (corner, ways)) in ways.iter().enumerate() {
        let left = 20.0 + 415.0 * i as f64;
        let reach = 3.2 * RADIUS;
        let square = [[-reach, -reach], [reach, reach]]
            .map(|[x, y]| Point3::new(corner.at.x + x, corner.at.y + y, 0.0));
        let view = View::fit(View::PLAN, square.into_iter(), [left, 70.0, 390.0, 390.0]);
        let back = |n: Vector2<f64>, sign: f64| corner.at + corners::along(n) * (sign * reach);
        let [n, m] = corner.normals;
        let flat = |p: Vector2<f64>| view.page(Point3::new(p.x, p.y, 0.0));
        page.path(&[back(n, -1.0), corner.at, back(m, 1.0)].map(flat), "#555", 1.5, Some("#ddd"));
        for k in 0..2 {
            let foot = corner.at + corner.normals[k] * (RADIUS + corners::SKIN);
            page.path(&[corner.at, foot].map(flat), "#999", 0.8, None);
            page.disc(Point3::new(foot.x, foot.y, 0.0), RADIUS, &view, "#bbb");
        }
        for (way, color) in ways.iter().zip(COLORS) {
            let near = |p: &&Vector2<f64>| (**p - corner.at).amax() < reach;
            let points = way.points.iter().filter(near).map(|p| Point3::new(p.x, p.y, 0.0));
            page.trail(&points.collect::<Vec<_>>(), &view, color, 1.6);
        }
        let degrees = 180.0 - corner.turn().to_degrees();
        let title = format!("{}: {degrees:.0} degrees", corner.name);
        page.text([left, 30.0], "#000", &title);
    }
    for (i, (mover, color)) in MOVERS.iter().zip(COLORS).enumerate() {
        page.text([20.0 + 150.0 * i as f64, 500.0], color, &mover.name());
    }
    page.finish()
}

/// Draws the level from above, the tour, and the paths round the corners.
pub fn plan(world: &BrushWorld, tour: &Walk, ways: &[(Corner, Vec<Way>)]) -> String {
    let mut page = Page::new(1100, 860);
    let view = View::fit(View::PLAN, points(world), [20.0, 50.0, 1060.0, 790.0]);
    page.floors(world, &view, TALLEST);
    page.trail(&tour.points, &view, "#d02020", 1.6);
    for (_, ways) in ways {
        for (way, color) in ways.iter().zip(COLORS) {
            let points: Vec<_> = way.points.iter().map(|p| Point3::new(p.x, p.y, 0.0)).collect();
            page.trail(&points, &view, color, 1.0);
        }
    }
    page.disc(tour.points[0], RADIUS, &view, "#d02020");
    page.text([20.0, 30.0], "#000", "From above, the higher the lighter; red: the tour");
    page.finish()
}

/// Draws the edges of all brushes and the feet of the walker, obliquely.
pub fn oblique(world: &BrushWorld, walk: &Walk) -> String {
    let mut page = Page::new(1300, 560);
    let view = View::fit(View::OBLIQUE, points(world), [20.0, 50.0, 1260.0, 490.0]);
    page.edges(world, &view);
    let feet =
        walk.points.iter().zip(&walk.halves).map(|(p, half)| Point3::new(p.x, p.y, p.z - half));
    let feet: Vec<Point3<f64>> = feet.collect();
    page.trail(&feet, &view, "#d02020", 1.8);
    for (i, foot) in feet.iter().enumerate().step_by(60) {
        let head = Point3::new(foot.x, foot.y, foot.z + 2.0 * walk.halves[i]);
        page.path(&[view.page(*foot), view.page(head)], "#1f6fd0", 2.0, None);
    }
    let text = "Edges of the brushes; red: the walker's feet; blue: its height, once a second";
    page.text([20.0, 30.0], "#000", text);
    page.finish()
}

/// Draws any level from above with a walk through it: floors up to slightly above the walk.
pub fn any_plan(world: &BrushWorld, walk: &Walk, title: &str) -> String {
    let mut page = Page::new(1100, 900);
    let top = walk.points.iter().fold(f64::NEG_INFINITY, |most, p| most.max(p.z));
    let view = View::fit(View::PLAN, points(world), [20.0, 50.0, 1060.0, 830.0]);
    page.floors(world, &view, top + HALF_HEIGHT);
    page.trail(&walk.points, &view, "#d02020", 1.4);
    page.disc(walk.points[0], RADIUS, &view, "#1f6fd0");
    page.text([20.0, 30.0], "#000", title);
    page.finish()
}

fn points(world: &BrushWorld) -> impl Iterator<Item = Point3<f64>> + '_ {
    world.ids().filter_map(|id| world.brush(id)).flat_map(|brush| brush.corners())
}

/// Paths of all movers round all corners.
pub fn ways() -> Result<Vec<(Corner, Vec<Way>)>, Error> {
    let worlds: Result<Vec<BrushWorld>, Error> = MOVERS.iter().map(|m| m.world()).collect();
    let worlds = worlds?;
    let all = corners::corners().into_iter().map(|corner| {
        let ways = MOVERS.iter().zip(&worlds);
        let ways = ways.map(|(&mover, world)| corners::round(world, mover, &corner));
        Ok((corner, ways.collect::<Result<Vec<Way>, Error>>()?))
    });
    all.collect()
}

pub fn exact() -> Result<BrushWorld, Error> {
    level::world(Expansion::Arcs)
}

/// Returns the expansion of a mover, if it is a cylinder.
pub fn expansion(mover: Mover) -> Option<Expansion> {
    match mover {
        Mover::Cylinder(expansion) => Some(expansion),
        Mover::Box => None,
    }
}
