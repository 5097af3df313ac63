//! Helpers that run the tool as a user would, and write files for it.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// Returns a command that runs the tool.
pub fn tool() -> Command {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_boxwood"));
    tool.stdin(Stdio::null());
    tool
}

/// Runs the tool with some words; it may fail.
pub fn run<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>) -> Output {
    tool().args(words).output().expect("the tool runs")
}

/// Returns standard output, after checking that a second run is equal and the exit code is 0.
pub fn printed<W: AsRef<OsStr>>(words: &[W]) -> String {
    let (first, again) = (run(words), run(words));
    let told = String::from_utf8_lossy(&first.stderr).into_owned();
    assert_eq!(first.status.code(), Some(0), "{told}");
    assert!(first.stdout == again.stdout, "two runs differ");
    assert!(!told.contains('\r') && !told.contains("####"), "a bar where no terminal is: {told}");
    String::from_utf8(first.stdout).expect("text")
}

/// Returns the objects, one a line, that a command prints with `--json`.
pub fn objects<W: AsRef<OsStr>>(words: &[W]) -> Vec<Value> {
    let words: Vec<&OsStr> =
        words.iter().map(AsRef::as_ref).chain([OsStr::new("--json")]).collect();
    let printed = printed(&words);
    assert!(printed.ends_with('\n'), "the last line has no end");
    printed.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

/// Returns the error line of a command, after checking its exit code and that it prints nothing
/// else.
pub fn refused<W: AsRef<OsStr>>(code: i32, words: &[W]) -> String {
    let run = run(words);
    let told = String::from_utf8(run.stderr).expect("text");
    assert_eq!(run.status.code(), Some(code), "{told}");
    assert!(run.stdout.is_empty(), "{}", String::from_utf8_lossy(&run.stdout));
    assert!(!told.contains("panicked"), "{told}");
    if code == 1 {
        assert!(told.starts_with("boxwood: ") && told.lines().count() == 1, "{told}");
    }
    told
}

/// Path of a file of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Path of the project's own character.
pub fn fighter() -> PathBuf {
    repository("examples/fighter/fighter.glb")
}

/// Path of the same character with its trees built, written once: it loads faster.
pub fn baked_fighter() -> PathBuf {
    static BAKED: OnceLock<PathBuf> = OnceLock::new();
    let bake = || {
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fighter.baked");
        let done = run(["bake", text(&fighter()), "-o", text(&out)]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        out
    };
    BAKED.get_or_init(bake).clone()
}

/// Path of the project's own level.
pub fn level() -> PathBuf {
    repository("examples/walk_brushes/level.map")
}

/// Path of a file of the data folder; `None`, with a printed line, if `BOXWOOD_DATA` is not set.
///
/// # Panics
/// Panics if the folder has no such file: a wrong path must not look like a pass.
pub fn data(path: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("BOXWOOD_DATA") else {
        skipped("BOXWOOD_DATA is not set");
        return None;
    };
    let file = PathBuf::from(folder).join(path);
    assert!(file.exists(), "BOXWOOD_DATA has no {path}");
    Some(file)
}

/// Prints what is not tested, past the capture of the test harness.
pub fn skipped(why: &str) {
    let thread = std::thread::current();
    let _ = writeln!(std::io::stderr(), "SKIPPED {}: {why}", thread.name().unwrap_or("a test"));
}

/// A temporary folder of one test, removed with its contents.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("boxwood-cli-{}-{count}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a temporary folder");
        Folder(folder)
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).expect("a temporary file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Two bars on a post that swing through each other about upright axes half a metre apart, and a
/// third link far above that touches nothing.
pub const BARS: &str = r#"<robot name="bars">
  <link name="post"/>
  <link name="left"><collision><origin xyz="0.5 0 0"/>
    <geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <link name="right"><collision><origin xyz="0.5 0 0"/>
    <geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <link name="lamp"><collision><origin xyz="0 0 9"/>
    <geometry><box size="1 1 1"/></geometry></collision></link>
  <joint name="a" type="revolute"><parent link="post"/><child link="left"/>
    <axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="0" velocity="0"/></joint>
  <joint name="b" type="revolute"><parent link="post"/><child link="right"/>
    <origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="0" velocity="0"/></joint>
  <joint name="c" type="continuous"><parent link="post"/><child link="lamp"/>
    <axis xyz="0 0 1"/></joint>
</robot>
"#;

pub fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}
