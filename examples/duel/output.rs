//! Output of a frame: terminal, JSON lines, dumps, pictures.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::arguments::Arguments;
use crate::fight::json;
use crate::fight::play::Frame;
use crate::fight::story;
use crate::fight::trouble::Trouble;
use crate::{dump, picture};

/// The requested output files.
pub struct Outputs {
    json: Option<(PathBuf, BufWriter<File>)>,
    dump: Option<PathBuf>,
    svg: Option<PathBuf>,
    /// `true` to print every hit on the terminal.
    details: bool,
    /// Names of two parts; stored, so that a frame allocates nothing.
    names: String,
}

impl Outputs {
    pub fn open(arguments: &Arguments) -> Result<Self, Trouble> {
        for folder in [&arguments.dump, &arguments.svg].into_iter().flatten() {
            fs::create_dir_all(folder).map_err(Trouble::file(folder))?;
        }
        let json = match &arguments.json {
            Some(path) => {
                let file = File::create(path).map_err(Trouble::file(path))?;
                Some((path.clone(), BufWriter::new(file)))
            }
            None => None,
        };
        Ok(Outputs {
            json,
            dump: arguments.dump.clone(),
            svg: arguments.svg.clone(),
            details: arguments.details,
            names: String::new(),
        })
    }

    pub fn show(&mut self, frame: &Frame<'_>, terminal: &mut dyn Write) -> Result<(), Trouble> {
        if self.details {
            story::hits(frame, &mut self.names, terminal).map_err(Trouble::Terminal)?;
        }
        if let Some((path, file)) = &mut self.json {
            json::hits(frame, file).map_err(Trouble::file(path))?;
            json::push(frame, file).map_err(Trouble::file(path))?;
        }
        if let Some(folder) = &self.dump {
            write(&folder.join(format!("frame-{:04}.json", frame.number)), &dump::dump(frame))?;
        }
        if let Some(folder) = &self.svg
            && (!frame.hits.is_empty() || frame.number.is_multiple_of(10))
        {
            write(&folder.join(format!("frame-{:04}.svg", frame.number)), &picture::draw(frame))?;
        }
        Ok(())
    }

    pub fn close(self) -> Result<(), Trouble> {
        match self.json {
            Some((path, mut file)) => file.flush().map_err(Trouble::file(&path)),
            None => Ok(()),
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    fs::write(path, text).map_err(Trouble::file(path))
}
