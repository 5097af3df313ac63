//! Folder for files made by a test.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Own folder of one test, removed with its contents.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("boxwood-test-{}-{count}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        Folder(folder)
    }

    /// Writes a file and returns its path.
    #[allow(dead_code)] // Some tests only read files that others write.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        // A new file each time: some file systems flush an overwritten file to disk at once.
        let _ = std::fs::remove_file(&path);
        std::fs::write(&path, bytes).expect("a temporary file");
        path
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Default for Folder {
    fn default() -> Self {
        Folder::new()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
