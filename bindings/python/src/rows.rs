//! Batches: one query for every row, on several threads, without the interpreter's lock.

use std::ops::{Deref, DerefMut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use boxwood::Error;
use pyo3::prelude::*;

use crate::raise::raised;

/// Number of rows between two checks for Ctrl-C.
const SLICE: usize = 1 << 14;
/// Least number of rows a thread, if the caller sets no number of threads.
const LEAST: usize = 32;
/// Number of rows in a block of a thread.
const MOST: usize = 256;
const MOST_THREADS: usize = 512;
/// Largest number of scratch memories that are stored for later calls.
const KEPT: usize = 64;

/// Scratch memory between two calls, leased by threads. Boxed: it is large, and moving it took half
/// the time of a call with one row.
#[derive(Debug)]
pub struct Pool<S>(Mutex<Vec<Box<S>>>);

impl<S> Default for Pool<S> {
    fn default() -> Self {
        Pool(Mutex::new(Vec::new()))
    }
}

impl<S> Pool<S> {
    /// Leases one that fits, or a new one.
    pub fn lease(
        &self,
        fits: impl Fn(&S) -> bool,
        new: impl FnOnce() -> Result<S, Error>,
    ) -> Result<Lease<'_, S>, Error> {
        let mut kept = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let found = kept.iter().rposition(|kept| fits(kept)).map(|at| kept.swap_remove(at));
        drop(kept);
        let scratch = found.map_or_else(|| new().map(Box::new), Ok)?;
        Ok(Lease { pool: self, scratch: Some(scratch) })
    }
}

/// Scratch memory that returns to its pool when dropped.
pub struct Lease<'p, S> {
    pool: &'p Pool<S>,
    /// Always `Some` until it is dropped.
    scratch: Option<Box<S>>,
}

impl<S> Deref for Lease<'_, S> {
    type Target = S;
    fn deref(&self) -> &S {
        self.scratch.as_ref().expect("there until it is dropped")
    }
}

impl<S> DerefMut for Lease<'_, S> {
    fn deref_mut(&mut self) -> &mut S {
        self.scratch.as_mut().expect("there until it is dropped")
    }
}

impl<S> Drop for Lease<'_, S> {
    fn drop(&mut self) {
        let mut kept = self.pool.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if kept.len() < KEPT {
            kept.extend(self.scratch.take());
        }
    }
}

/// Number of threads: the given one, or for 0 as many as there are cores and work for.
fn threads_for(asked: usize, rows: usize) -> usize {
    match asked {
        0 if rows < 2 * LEAST => 1,
        0 => thread::available_parallelism().map_or(1, |cores| cores.get()).min(rows / LEAST),
        some => some.min(rows.max(1)).min(MOST_THREADS),
    }
}

/// Runs a query for every row: `ask` gets scratch memory, the row's number and its part of `out`,
/// which has `width` entries for each. The error is that of the first refused row, whatever the
/// number of threads.
pub fn fill<S, R: Send>(
    py: Python<'_>,
    (out, width): (&mut [R], usize),
    threads: usize,
    lease: impl Fn() -> Result<S, Error> + Sync,
    ask: impl Fn(&mut S, usize, &mut [R]) -> Result<(), Error> + Sync,
) -> PyResult<()> {
    let width = width.max(1);
    fill_blocks(py, (out, width), threads, lease, |scratch, first, out| {
        for (row, out) in out.chunks_mut(width).enumerate() {
            ask(scratch, first + row, out).map_err(|error| (first + row, error))?;
        }
        Ok(())
    })
}

/// Runs a query for blocks of consecutive rows: `ask` gets scratch memory, the number of the first
/// row and the part of `out` of all, and returns the first refused row with its error.
pub fn fill_blocks<S, R: Send>(
    py: Python<'_>,
    (out, width): (&mut [R], usize),
    threads: usize,
    lease: impl Fn() -> Result<S, Error> + Sync,
    ask: impl Fn(&mut S, usize, &mut [R]) -> Result<(), Refusal> + Sync,
) -> PyResult<()> {
    for (slice, out) in out.chunks_mut(SLICE * width).enumerate() {
        let first = slice * SLICE;
        let done = py.detach(|| {
            let rows = out.len() / width;
            match threads_for(threads, rows) {
                1 => ask(&mut lease().map_err(|error| (first, error))?, first, out),
                many => all((many, width), &lease, &ask, (first, out)),
            }
        });
        done.map_err(|(row, error)| raised(py, &error, Some(row)))?;
        if out.len() == SLICE * width {
            py.check_signals()?;
        }
    }
    Ok(())
}

/// A refused row and its error.
type Refusal = (usize, Error);

/// Runs a query for all rows on several threads. Blocks are processed in order, so that the first
/// refused row is among those tried.
fn all<S, R: Send>(
    (threads, width): (usize, usize),
    lease: &(impl Fn() -> Result<S, Error> + Sync),
    ask: &(impl Fn(&mut S, usize, &mut [R]) -> Result<(), Refusal> + Sync),
    (first, out): (usize, &mut [R]),
) -> Result<(), Refusal> {
    let block = (out.len() / width / (4 * threads)).clamp(1, MOST);
    let blocks = Mutex::new(out.chunks_mut(block * width).enumerate());
    let refusals = Mutex::new(Vec::new());
    let stop = AtomicBool::new(false);
    let work = || {
        let told = |refusal: Refusal| {
            stop.store(true, Ordering::Relaxed);
            refusals.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(refusal);
        };
        let mut scratch = match lease() {
            Ok(scratch) => scratch,
            Err(error) => return told((first, error)),
        };
        while !stop.load(Ordering::Relaxed) {
            let next = blocks.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
            let Some((index, out)) = next else { return };
            if let Err(refusal) = ask(&mut scratch, first + index * block, out) {
                told(refusal);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If the system starts fewer threads, this one does the rest.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let refusals = refusals.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    refusals.into_iter().min_by_key(|(row, _)| *row).map_or(Ok(()), Err)
}
