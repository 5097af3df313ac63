//! The `<compiler>` and `<option>` sections: units and switches of a model.

use std::path::{Path, PathBuf};

use super::attributes::{keyword, truth};
use super::element::Element;

/// The settings of a model; later sections override earlier ones.
pub(super) struct Compiler<'t> {
    /// The factor from the file's angles to radians.
    pub angle: f64,
    /// The axes of Euler angles.
    pub sequence: &'t str,
    /// The folder of meshes, relative to that of the main file.
    mesh_folder: PathBuf,
    /// `true` if only the last name of a mesh's path counts.
    strip_path: bool,
    /// `true` if shapes are fitted to the box of a mesh, not to its moments of inertia.
    pub fit_box: bool,
    /// `true` if a joint with a range is limited.
    pub auto_limits: bool,
    /// `true` if parent and child are not tested against each other.
    pub filter_parent: bool,
    /// `false` if the file switches contacts off.
    pub contacts: bool,
    /// `false` if the file switches constraints off, contacts among them.
    pub constraints: bool,
}

impl<'t> Compiler<'t> {
    pub fn read(root: Element<'t>) -> Result<Self, String> {
        let mut found = Compiler {
            angle: 1.0_f64.to_radians(),
            sequence: "xyz",
            mesh_folder: PathBuf::new(),
            strip_path: false,
            fit_box: false,
            auto_limits: true,
            filter_parent: true,
            contacts: true,
            constraints: true,
        };
        for section in root.children_called("compiler") {
            found.add(section)?;
        }
        for flag in root.listed("option", "flag") {
            for (name, setting) in [
                ("filterparent", &mut found.filter_parent),
                ("contact", &mut found.contacts),
                ("constraint", &mut found.constraints),
            ] {
                if let Some(word) = keyword(flag, name, &["enable", "disable"])? {
                    *setting = word == "enable";
                }
            }
        }
        Ok(found)
    }

    fn add(&mut self, section: Element<'t>) -> Result<(), String> {
        if keyword(section, "coordinate", &["local", "global"])? == Some("global") {
            return Err(section.at(
                "global coordinates are not supported; MuJoCo 2.3.3 converts them to local ones",
            ));
        }
        match keyword(section, "angle", &["radian", "degree"])? {
            Some("radian") => self.angle = 1.0,
            Some(_) => self.angle = 1.0_f64.to_radians(),
            None => {}
        }
        if let Some(sequence) = section.attribute("eulerseq") {
            let is_axis = |letter: char| "xyzXYZ".contains(letter);
            if sequence.chars().count() != 3 || !sequence.chars().all(is_axis) {
                return Err(section.at(format!("'{sequence}' is not an Euler sequence")));
            }
            self.sequence = sequence;
        }
        let folder = section.attribute("meshdir").or(section.attribute("assetdir"));
        if let Some(folder) = folder {
            self.mesh_folder = PathBuf::from(folder);
        }
        for (name, setting) in [
            ("strippath", &mut self.strip_path),
            ("fitaabb", &mut self.fit_box),
            ("autolimits", &mut self.auto_limits),
        ] {
            *setting = truth(section, name)?.unwrap_or(*setting);
        }
        Ok(())
    }

    /// The paths of a mesh file: in the folder of the main file, and in that of the file that names
    /// it.
    pub fn mesh_paths(&self, file: &'t str) -> [PathBuf; 2] {
        let name = Path::new(file).file_name().map(Path::new);
        let file = name.filter(|_| self.strip_path).unwrap_or(Path::new(file));
        [self.mesh_folder.join(file), file.to_owned()]
    }
}
