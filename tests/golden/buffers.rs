//! Buffers of the answers, and every way in which they must be equal.

use std::sync::{LazyLock, Mutex};

use boxwood::model;
use boxwood::scene::{Buffers, Hits, MotionBuffers, Overlaps, RayHits};
use boxwood::tree;
use boxwood::{Batch, SimdLevel};

use crate::answers::Number;
use crate::digest::{Book, Row};

/// Buffers, all for one SIMD level.
pub struct Tools<T: Number> {
    simd: SimdLevel,
    fresh: bool,
    pub buffers: Buffers<T>,
    pub motion: MotionBuffers<T>,
    pub hits: Hits<T>,
    pub ray_hits: RayHits<T>,
    pub overlaps: Overlaps<T>,
    pub trees: tree::TreeScratch,
    pub own: model::SelfQueryScratch<T>,
    pub batch: Batch,
}

impl<T: Number> Tools<T> {
    fn new(simd: SimdLevel, fresh: bool) -> Self {
        Tools {
            simd,
            fresh,
            buffers: Buffers::with_simd_level(simd),
            motion: MotionBuffers::with_simd_level(simd),
            hits: Hits::new(),
            ray_hits: RayHits::new(),
            overlaps: Overlaps::new(),
            trees: tree::TreeScratch::with_simd_level(simd),
            own: model::SelfQueryScratch::with_simd_level(simd),
            batch: Batch::with_simd_level(simd),
        }
    }

    /// Replaces the buffers by fresh ones before a row, unless warm ones are tested.
    pub fn renew(&mut self) {
        if self.fresh {
            *self = Tools::new(self.simd, true);
        }
    }
}

/// File as compiled in, so that a machine without files can read it.
static KEPT: LazyLock<Book> =
    LazyLock::new(|| Book::parse(include_str!("digests.txt")).expect("a good file of digests"));

/// File as rewritten, by one test after the other.
static WRITTEN: LazyLock<Mutex<Book>> = LazyLock::new(|| Mutex::new(KEPT.clone()));

pub fn kept() -> &'static Book {
    &KEPT
}

/// Compares the rows of one scene with the file in every way, or writes them to it, and fails.
///
/// The ways: every SIMD level, buffers that have answered all rows before, fresh buffers for each
/// row, and with the feature `rayon` 1, 2 and 8 threads.
pub fn compare<T: Number>(scene: &str, rows: impl Fn(&mut Tools<T>) -> Vec<Row> + Send + Sync) {
    let of = format!("{} {scene}", T::NAME);
    if std::env::var("BOXWOOD_GOLDEN").is_ok_and(|mode| mode == "write") {
        return write(&of, &rows(&mut Tools::new(SimdLevel::PLAIN, true)));
    }
    let check = |rows: &[Row], how: &str| {
        let faults = KEPT.faults(&of, rows);
        assert!(
            faults.is_empty(),
            "{} rows of \"{of}\" are not as in tests/golden/digests.txt ({how}):\n{}",
            faults.len(),
            faults.join("\n")
        );
    };
    for simd in SimdLevel::all() {
        let mut used = Tools::new(simd, false);
        check(&rows(&mut used), &format!("{simd}, buffers used by the rows before"));
        if simd.to_string() == SimdLevel::best().to_string() {
            check(&rows(&mut used), "buffers that have answered all before");
        }
    }
    let fresh = || rows(&mut Tools::new(SimdLevel::best(), true));
    #[cfg(not(feature = "rayon"))]
    check(&fresh(), "fresh buffers");
    #[cfg(feature = "rayon")]
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        check(&pool.install(fresh), &format!("{threads} threads, fresh buffers"));
    }
}

/// Like [`compare`], for answers that need no buffers, SIMD level or threads.
pub fn compare_plain<T: Number>(scene: &str, rows: Vec<Row>) {
    let of = format!("{} {scene}", T::NAME);
    if std::env::var("BOXWOOD_GOLDEN").is_ok_and(|mode| mode == "write") {
        return write(&of, &rows);
    }
    let faults = KEPT.faults(&of, &rows);
    assert!(
        faults.is_empty(),
        "{} rows of \"{of}\" are not as in tests/golden/digests.txt:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

fn write(of: &str, rows: &[Row]) {
    let mut book = WRITTEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    book.replace(of, rows);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/digests.txt");
    std::fs::write(path, book.text()).expect("a file that can be written");
    drop(book);
    panic!(
        "wrote {} rows of \"{of}\" to {path}: look at what changed, and run again without \
         BOXWOOD_GOLDEN",
        rows.len()
    );
}
