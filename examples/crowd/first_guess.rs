//! First guesses for the jobs of a frame: exact queries about everything, one by one.

use boxwood::nalgebra::Vector3;
use boxwood::{Accuracy, CollisionGroups, Error, PairQuery, QueryFilter, Ray, RayCast};
use shared::frame_times::FrameTimes;

use super::EXPLOSIONS;
use crate::walkers::{BODY, CROWD, Game, WORLD, centre};

impl Game {
    /// Times the queries of a frame that is posed.
    pub fn guess(&mut self, frame: usize, times: &mut FrameTimes) -> Result<(), Error> {
        let now = self.scene.snapshot(&mut self.buffers);
        times.restart();
        let all = PairQuery::all().accuracy(Accuracy::Within(0.01));
        let walkers = all.clone().memberships(BODY, BODY);
        now.contacts(&walkers, &mut self.hits)?;
        times.step("? contacts of walkers");
        now.pairs(&all, &mut self.hits)?;
        times.step("? pairs of all");
        now.pairs(&walkers, &mut self.hits)?;
        times.step("? pairs within 1 cm");
        let level = PairQuery::all().memberships(BODY, WORLD).accuracy(Accuracy::Exact);
        now.pairs(&level, &mut self.hits)?;
        times.step("? level, exactly");
        let exact = QueryFilter::all().accuracy(Accuracy::Exact);
        for (index, person) in self.people.iter().enumerate() {
            let eye = centre(&self.walkers, index) + Vector3::y() * 0.7;
            let ray = Ray::through(eye, eye + person.ahead())?.expect("two points");
            let others = exact.clone().excluding(&[person.key]);
            now.ray_cast(RayCast::new(ray, 50.0)?, &others, &mut self.ray_hits)?;
        }
        times.step("? rays one by one");
        let bodies = CollisionGroups { filter: BODY, ..CollisionGroups::ALL };
        for (index, person) in self.people.iter().enumerate() {
            let others = QueryFilter::all().groups(bodies).excluding(&[person.key]);
            now.closest_part(centre(&self.walkers, index), 3.0, &others, &mut self.closest)?;
        }
        times.step("? nearest, exactly");
        for index in 0..EXPLOSIONS {
            let centre = centre(&self.walkers, (7 * frame + 97 * index) % CROWD);
            now.closest_parts(centre, 5.0, &QueryFilter::all(), &mut self.closest)?;
            for near in &*self.closest {
                let Some(ray) = Ray::through(centre, near.on_a)? else { continue };
                let others = QueryFilter::all().excluding(&[near.a.character]);
                now.ray_cast_any(RayCast::new(ray, near.distance)?, &others, &mut self.ray_hits)?;
            }
        }
        times.step("? parts, rays one by one");
        Ok(())
    }
}
