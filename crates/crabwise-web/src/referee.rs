//! What a referee in the dark keeps: a secret that chance is drawn with, and how far games have been played.

use std::{
    collections::{HashMap, hash_map::RandomState},
    fs,
    hash::{BuildHasher, Hasher},
    io::Write as _,
    path::Path,
    sync::Mutex,
};

use crabwise_hidden::Player;
use xxhash_rust::xxh3::xxh3_64;

use crate::lock::lock;

/// What the choices of rivals are drawn with.
pub struct Secret([u8; 32]);

impl Secret {
    /// The secret beside the tables, so that games outlive the server; if there is no place for it, one
    /// that lasts as long as the server does.
    pub fn of(tables: &Path) -> Secret {
        let path = tables.join("referee.secret");
        if let Ok(bytes) = fs::read(&path)
            && let Ok(secret) = <[u8; 32]>::try_from(bytes)
        {
            return Secret(secret);
        }
        let mut secret = [0; 32];
        for part in secret.chunks_exact_mut(8) {
            part.copy_from_slice(&unguessable().to_le_bytes());
        }
        let kept = fs::create_dir_all(tables).and_then(|()| {
            let mut options = fs::OpenOptions::new();
            options.write(true).create(true).truncate(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            options.open(&path)?.write_all(&secret)
        });
        // Games that are under way when the server stops are lost then, and nothing else.
        drop(kept);
        Secret(secret)
    }

    /// Chance for one decision of a game.
    pub fn random(
        &self,
        id: &str,
        game: &str,
        seat: Player,
        so_far: &[String],
        n: usize,
    ) -> fastrand::Rng {
        let mut bytes = self.0.to_vec();
        let seat = seat.to_string();
        for word in [id, game, &seat].into_iter().chain(so_far.iter().map(String::as_str)) {
            bytes.extend((word.len() as u64).to_le_bytes());
            bytes.extend(word.as_bytes());
        }
        bytes.extend((n as u64).to_le_bytes());
        bytes.extend(self.0);
        fastrand::Rng::with_seed(xxh3_64(&bytes))
    }
}

/// How far games have been played, so that nothing is taken back.
#[derive(Default)]
pub struct Ledger(Mutex<HashMap<String, Vec<String>>>);

/// How many games are remembered.
const MOST_GAMES: usize = 4_096;

impl Ledger {
    /// Whether a line goes on from what was played in a game, or is a part of it.
    pub fn agrees(&self, game: &str, line: &[String]) -> bool {
        let ledger = lock(&self.0);
        ledger.get(game).is_none_or(|known| known.starts_with(line) || line.starts_with(known))
    }

    pub fn enter(&self, game: String, line: &[String]) {
        let mut ledger = lock(&self.0);
        if ledger.len() >= MOST_GAMES {
            ledger.clear();
        }
        let known = ledger.entry(game).or_default();
        if line.len() > known.len() {
            *known = line.to_vec();
        }
    }
}

/// Random bits of the system.
pub fn unguessable() -> u64 {
    RandomState::new().build_hasher().finish()
}
