//! Self-collision with all joints at zero: the pairs counted by FCL.

use std::collections::HashSet;

use boxwood::f64::SelfQueryScratch;
use boxwood::load::Loader;
use boxwood::{Accuracy, PartId};

use super::real_robots::{PANDA, Real, TALOS, real};

impl Real {
    /// Returns `true` if the link has meshes; FCL had nothing else.
    fn meshed(&self, part: PartId) -> bool {
        let name = self.robot.model.parts()[part.index()].name();
        self.text.collisions.get(name).is_some_and(|all| all.iter().any(|one| one.mesh.is_some()))
    }

    /// Returns the nearest link above with a mesh.
    fn above(&self, part: PartId) -> Option<PartId> {
        let parts = self.robot.model.parts();
        let mut above = parts[part.index()].parent();
        while let Some(link) = above.filter(|&link| !self.meshed(link)) {
            above = parts[link.index()].parent();
        }
        above
    }
}

#[test]
fn the_number_of_touching_pairs_of_meshes_equals_that_of_fcl() {
    for ((package, file), meshed, neighbours, others) in
        [(PANDA, 9, [5, 8], 2), (TALOS, 47, [44, 46], 25)]
    {
        let options = Loader::new().ignore_neighbours(0).solid(false);
        let Some(real) = real(package, file, options) else { return };
        let real = real.test_all();
        let model = &real.robot.model;
        let mut poses = Vec::new();
        let zero = vec![0.0; real.robot.mechanism.actuators().len()];
        real.robot.mechanism.poses_unlimited(&zero, &mut poses).expect("finite");
        let mut scratch = SelfQueryScratch::default();
        let pairs = model.self_pairs(&poses, Accuracy::Exact, &mut scratch).expect("good poses");
        let parts: Vec<PartId> = (0..model.len()).map(PartId::new).collect();
        let with: Vec<PartId> = parts.into_iter().filter(|&part| real.meshed(part)).collect();
        let joined: HashSet<(PartId, PartId)> =
            with.iter().filter_map(|&part| Some((real.above(part)?, part))).collect();
        let touching: Vec<_> =
            pairs.iter().filter(|(a, b)| real.meshed(*a) && real.meshed(*b)).collect();
        let near = touching.iter().filter(|pair| joined.contains(pair)).count();
        assert_eq!((with.len(), [near, joined.len()]), (meshed, neighbours), "{package}");
        assert_eq!(touching.len() - near, others, "{package}");
    }
}
