//! Sounds of contacts: each starts once, however often its tick is played.

use std::collections::BTreeMap;

/// The sounds of contacts that began, by the id of the contact.
#[derive(Default)]
pub struct Sounds {
    /// Ticks in which the contacts began, and what touched.
    playing: BTreeMap<u64, (usize, String)>,
    /// Contacts that began in a tick which is played again, until they are found again.
    doubted: BTreeMap<u64, (usize, String)>,
    /// Ids of all sounds that were started, in order.
    pub started: Vec<u64>,
}

impl Sounds {
    /// Starts the sound of a contact that begins; returns `false` if it plays already.
    pub fn start(&mut self, id: u64, tick: usize, contact: String) -> bool {
        let is_new = self.doubted.remove(&id).is_none();
        if is_new {
            self.started.push(id);
        }
        self.playing.insert(id, (tick, contact));
        is_new
    }

    /// Doubts the sounds of contacts that began after a tick, as the ticks after it are played
    /// again.
    pub fn doubt_after(&mut self, tick: usize) {
        let playing = std::mem::take(&mut self.playing);
        (self.playing, self.doubted) =
            playing.into_iter().partition(|(_, (began, _))| *began <= tick);
    }

    /// Stops the sounds that are still in doubt, and returns the contacts that they stood for.
    pub fn stop_doubted(&mut self) -> Vec<String> {
        std::mem::take(&mut self.doubted).into_values().map(|(_, contact)| contact).collect()
    }

    /// Returns the ids of the sounds that were not stopped, ascending.
    pub fn ids(&self) -> Vec<u64> {
        self.playing.keys().copied().collect()
    }
}
