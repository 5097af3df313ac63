//! A cylinder that walks through a level of brushes, and the geometry that the page draws of the
//! level.

use std::collections::BTreeSet;

use boxwood::brush::{BrushId, WalkScratch, Walker, WalkerState};
use boxwood::load::{Level, MapOptions, map_bytes};
use boxwood::nalgebra::{Point3, Vector3};
use boxwood::shape::{UpAxis, UprightCylinder};
use wasm_bindgen::prelude::*;

use crate::MemoryView;
use crate::face_mesh::{self, FaceMesh};
use crate::file;

/// Size of a unit of the map [m].
const SCALE: f64 = 1.0 / 32.0;

const RATE: f64 = 60.0;

/// Size of the cylinder, standing and crouching, and height of the highest step [m].
const RADIUS: f64 = 0.5;
const HALF_HEIGHT: f64 = 0.875;
const CROUCHED: f64 = 0.5;
const STEP: f64 = 0.5625;

/// Gravity [m/s^2], and initial speed of a jump [m/s].
const GRAVITY: f64 = 9.81;
const JUMP: f64 = 4.4;

/// Depth below the level at which the walker restarts [m].
const LOST: f64 = 20.0;

/// Number of kinds of faces: static solids, solid bodies, volumes that are not solid.
const KINDS: usize = 3;

/// A level and its walker.
#[wasm_bindgen]
pub struct LevelWalk {
    level: Level,
    faces: [FaceMesh; KINDS],
    lowest: f64,
    start: WalkerState<f64>,
    walker: Walker<f64>,
    at: WalkerState<f64>,
    /// Upward speed [m/s].
    rising: f64,
    scratch: WalkScratch,
    state: Vec<f64>,
    blocked: Vec<f32>,
}

#[wasm_bindgen]
impl LevelWalk {
    /// Reads the bytes of a map, at 32 units a metre, and places the walker where players start.
    ///
    /// # Errors
    /// The errors of the crate, as texts that name the file; a map without space for the walker.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: &[u8]) -> Result<LevelWalk, JsError> {
        let made = LevelWalk::load(name, bytes);
        made.map_err(|error| JsError::new(&file::refused(name, &error)))
    }

    /// Returns the features that the level approximates or omits, a line each.
    pub fn warnings(&self) -> Vec<String> {
        self.level.warnings.iter().map(ToString::to_string).collect()
    }

    /// Returns the numbers of solid brushes, planes, arcs, entities, volumes.
    pub fn counts(&self) -> Vec<u32> {
        let [planes, arcs] = self.level.world.constraints();
        let (entities, volumes) = (self.level.entities.len(), self.level.volumes.len());
        [self.level.world.len(), planes, arcs, entities, volumes].map(|x| x as u32).to_vec()
    }

    /// Returns the vertices of the triangles of a kind: 0 static solids, 1 bodies, 2 volumes that
    /// are not solid.
    pub fn positions(&self, kind: usize) -> Vec<f32> {
        self.faces.get(kind).map_or(Vec::new(), |faces| faces.positions.clone())
    }

    /// Returns the normals of these vertices.
    pub fn normals(&self, kind: usize) -> Vec<f32> {
        self.faces.get(kind).map_or(Vec::new(), |faces| faces.normals.clone())
    }

    /// Returns the edges of a kind, six numbers each.
    pub fn edges(&self, kind: usize) -> Vec<f32> {
        self.faces.get(kind).map_or(Vec::new(), |faces| faces.edges.clone())
    }

    /// Returns the edges of a brush.
    pub fn brush_edges(&self, brush: u32) -> Vec<f32> {
        let mut lines = Vec::new();
        if let Some(brush) = self.level.world.brush(BrushId(brush)) {
            face_mesh::edges(brush, &mut lines);
        }
        lines
    }

    /// Moves the walker back to its start.
    pub fn restart(&mut self) {
        (self.at, self.rising) = (self.start, 0.0);
        self.write(false, [0, 0]);
    }

    /// Puts the walker at a centre [m], upright or crouched, at rest.
    ///
    /// # Errors
    /// The errors of the crate for a position that is not finite, or without room for the cylinder;
    /// then nothing has changed.
    pub fn place(&mut self, x: f64, y: f64, z: f64, crouched: bool) -> Result<(), JsError> {
        let walker = walker(if crouched { CROUCHED } else { HALF_HEIGHT })?;
        self.at = walker.stand(&self.level.world, Point3::new(x, y, z), &mut self.scratch)?;
        (self.walker, self.rising) = (walker, 0.0);
        self.write(false, [0, 0]);
        Ok(())
    }

    /// Walks one frame, with a speed along x and z [m/s], jumping or crouching.
    ///
    /// # Errors
    /// The errors for a displacement that is not finite.
    pub fn step(&mut self, x: f64, z: f64, jump: bool, crouch: bool) -> Result<(), JsError> {
        self.crouch(crouch);
        if self.at.ground().is_some() {
            self.rising = if jump { JUMP } else { 0.0 };
        } else {
            self.rising -= GRAVITY / RATE;
        }
        let way = Vector3::new(x, self.rising, z) / RATE;
        let world = &self.level.world;
        let report = self.walker.walk(world, &mut self.at, way, &mut self.scratch)?;
        if report.ground.is_none() {
            // A ceiling slows the rise, a steep roof the fall.
            let moved = report.moved.y * RATE;
            self.rising = if self.rising > 0.0 { self.rising.min(moved) } else { moved.min(0.0) };
        }
        if self.at.position().y < self.lowest - LOST {
            (self.at, self.rising) = (self.start, 0.0);
        }
        self.write(report.stepped, [report.bumps, report.casts]);
        Ok(())
    }

    /// Returns the centre of the cylinder, its half height and radius, whether it stands and on
    /// which brush (-1 on none), whether it climbed a step, the number of pieces of the path, and
    /// of casts.
    pub fn state(&self) -> MemoryView {
        MemoryView::of(&self.state)
    }

    /// Returns the obstacle of the last frame: the number of the brush and its normal.
    pub fn blocked_by(&self) -> MemoryView {
        MemoryView::of(&self.blocked)
    }
}

/// Returns the walker of a half height.
fn walker(half_height: f64) -> Result<Walker<f64>, boxwood::Error> {
    Ok(Walker::new(UprightCylinder::new(RADIUS, half_height)?).step(STEP))
}

impl LevelWalk {
    fn load(name: &str, bytes: &[u8]) -> Result<LevelWalk, boxwood::Error> {
        let _ = name;
        let level = map_bytes(bytes, &MapOptions::quake().scale(SCALE).up(UpAxis::Y))?;
        let bodies: BTreeSet<BrushId> = level
            .bodies()
            .flat_map(|(_, entity)| entity.brushes.iter().map(|brush| brush.id))
            .collect();
        let mut faces: [FaceMesh; KINDS] = Default::default();
        let (mut lowest, mut middle) = (f64::INFINITY, Point3::origin());
        for id in level.world.ids() {
            let Some(brush) = level.world.brush(id) else { continue };
            faces[usize::from(bodies.contains(&id))].add(brush);
            let bounds = brush.aabb();
            if bounds.min.y < lowest {
                lowest = bounds.min.y;
            }
            if bounds.max.y > middle.y {
                middle = bounds.center().unwrap_or(middle);
                middle.y = bounds.max.y + HALF_HEIGHT;
            }
        }
        level.volumes.iter().for_each(|volume| faces[2].add(&volume.brush));
        let walker = walker(HALF_HEIGHT)?;
        let place = level.spawns().find_map(|spawn| spawn.origin).unwrap_or(middle);
        let (mut scratch, state, blocked) = (WalkScratch::new(), Vec::new(), Vec::new());
        let start = walker.push_out(&level.world, place, &mut scratch)?;
        let (at, rising) = (start, 0.0);
        let mut made =
            LevelWalk { level, faces, lowest, start, walker, at, rising, scratch, state, blocked };
        made.write(false, [0, 0]);
        Ok(made)
    }

    /// Crouches, or stands up if there is space.
    fn crouch(&mut self, crouch: bool) {
        let half = if crouch { CROUCHED } else { HALF_HEIGHT };
        if self.walker.cylinder().half_height() == half {
            return;
        }
        // If there is no space it stays as it is, and tries again in the next frame.
        let resized = self.walker.resize(&self.level.world, &mut self.at, half, &mut self.scratch);
        if let Ok(walker) = resized {
            self.walker = walker;
        }
    }

    fn write(&mut self, stepped: bool, [bumps, casts]: [u32; 2]) {
        let (place, cylinder) = (self.at.position(), self.walker.cylinder());
        let ground = self.at.ground();
        self.state.clear();
        self.state.extend(place.coords.iter());
        self.state.extend([cylinder.half_height(), cylinder.radius()]);
        self.state.push(f64::from(u8::from(ground.is_some())));
        self.state.push(ground.map_or(-1.0, |brush| f64::from(brush.0)));
        self.state.extend([f64::from(u8::from(stepped)), f64::from(bumps), f64::from(casts)]);
        self.blocked.clear();
        for wall in self.walker.blocked_by(&self.level.world, &self.scratch) {
            self.blocked.push(wall.brush.0 as f32);
            self.blocked.extend(wall.normal.iter().map(|&x| x as f32));
        }
    }
}
