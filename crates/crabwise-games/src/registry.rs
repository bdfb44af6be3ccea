//! Which games there are, and from a game string to a game.
//!
//! What a game string names is read through a function that is handed in ([`Registry::build_with`]), so that a page
//! or a test decides what may be opened.

use std::io;

use crabwise_graphfile::Limits;
use crabwise_hidden::ErasedHidden;

use crate::{BadGame, Built, Entry, Open, Params};

/// The games that can be asked for by name.
#[derive(Clone)]
pub struct Registry {
    entries: Vec<Entry>,
    hidden: Vec<Entry<ErasedHidden>>,
    /// Games with hidden information under names of others, and what tells which one is meant.
    both: Vec<(Entry<ErasedHidden>, IsHidden)>,
}

/// Whether the parameters mean a game with hidden information.
pub type IsHidden = fn(&mut Params) -> bool;

impl Registry {
    /// A registry without games, to [`add`](Registry::add) one's own to.
    pub fn empty() -> Registry {
        Registry { entries: vec![], hidden: vec![], both: vec![] }
    }

    /// All games of this crate.
    pub fn standard() -> Registry {
        let mut registry = Registry::empty();
        for entry in [
            crate::mnk::TICTACTOE,
            crate::mnk::MNK,
            crate::connect_four::ENTRY,
            crate::othello::ENTRY,
            crate::hex::ENTRY,
            crate::dots_and_boxes::ENTRY,
            crate::nim::ENTRY,
            crate::kayles::KAYLES,
            crate::kayles::DAWSON,
            crate::chomp::ENTRY,
            crate::cram::ENTRY,
            crate::domineering::ENTRY,
            crate::pong_hau_ki::ENTRY,
            crate::achi::ENTRY,
            crate::dodgem::ENTRY,
            crate::fox_and_hounds::ENTRY,
            crate::mu_torere::ENTRY,
            crate::l_game::ENTRY,
            crate::dao::ENTRY,
            crate::quixo::ENTRY,
            crate::draughts::ENTRY,
            crate::chess::ENTRY,
            crate::tokens::ENTRY,
            crate::boxers::BOXERS,
            crate::boxers::CRUZADOS,
            crate::black_hole::ENTRY,
            crate::isolation::ENTRY,
            crate::cycles::ENTRY,
            crate::graph::ENTRY,
        ] {
            registry.add(entry);
        }
        for entry in [
            crate::dark::DARK_HEX,
            crate::dark::PHANTOM,
            crate::poker::kuhn::ENTRY,
            crate::poker::leduc::ENTRY,
            crate::liars_dice::ENTRY,
            crate::pennies::ENTRY,
            crate::rock_paper_scissors::ENTRY,
        ] {
            registry.add_hidden(entry);
        }
        registry.add_both(crate::rules::ENTRY, crate::rules::HIDDEN, crate::rules::is_hidden);
        registry
    }

    /// Adds a game, in place of one of the same name.
    pub fn add(&mut self, entry: Entry) -> &mut Registry {
        self.remove(entry.name);
        self.entries.push(entry);
        self
    }

    /// Adds a game with hidden information, in place of one of the same name.
    pub fn add_hidden(&mut self, entry: Entry<ErasedHidden>) -> &mut Registry {
        self.remove(entry.name);
        self.hidden.push(entry);
        self
    }

    /// Adds a name that stands for games of both kinds, in place of others of the same name. It is listed once, among
    /// those in which everything is seen.
    pub fn add_both(
        &mut self,
        entry: Entry,
        hidden: Entry<ErasedHidden>,
        is_hidden: IsHidden,
    ) -> &mut Registry {
        self.remove(entry.name);
        self.entries.push(entry);
        self.both.push((hidden, is_hidden));
        self
    }

    fn remove(&mut self, name: &str) {
        self.entries.retain(|old| old.name != name);
        self.hidden.retain(|old| old.name != name);
        self.both.retain(|(old, _)| old.name != name);
    }

    /// The games in which everything is seen, in the order they were added.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The games with hidden information, in the order they were added.
    pub fn hidden(&self) -> &[Entry<ErasedHidden>] {
        &self.hidden
    }

    /// Whether a game string that names no file names a game with hidden information.
    pub fn is_hidden(&self, string: &str) -> bool {
        self.is_hidden_within(string, &unread, Limits::NONE)
    }

    /// Whether a game string names a game with hidden information, with a way to open the file that it may name, and
    /// limits to which that is held while it is read.
    pub fn is_hidden_within(&self, string: &str, open: Open, limits: Limits) -> bool {
        let (name, text) = split(string);
        match self.both.iter().find(|(both, _)| both.name == name) {
            Some((_, is_hidden)) => is_hidden(&mut Params::parse(text, open, limits)),
            None => self.hidden.iter().any(|entry| entry.name == name),
        }
    }

    /// The game that a game string such as `connect-four:5x4` means, if it names no file.
    pub fn build(&self, string: &str) -> Result<Built, BadGame> {
        self.build_with(string, &unread)
    }

    /// The game that a game string means, with a way to open the file that it may name.
    pub fn build_with(&self, string: &str, open: Open) -> Result<Built, BadGame> {
        self.build_within(string, open, Limits::NONE)
    }

    /// The game that a game string means, with a way to open the file that it may name, and limits to which that is
    /// held while it is read.
    pub fn build_within(&self, string: &str, open: Open, limits: Limits) -> Result<Built, BadGame> {
        let (name, text) = split(string);
        let Some(entry) = self.entries.iter().find(|entry| entry.name == name) else {
            return Err(match self.hidden.iter().find(|entry| entry.name == name) {
                Some(entry) => BadGame::Hidden { name: entry.name },
                None => self.unknown(name),
            });
        };
        let (params, outcomes, game) = entry.made(text, open, limits)?;
        let game = match outcomes {
            true => game.outcomes().map_err(|reason| entry.bad(reason))?,
            false => game,
        };
        Ok(Built { string: entry.spelled(&params), game })
    }

    /// The game with hidden information that a game string such as `dark-hex:3x3,abrupt` means, if it names no file.
    pub fn build_hidden(&self, string: &str) -> Result<Built<ErasedHidden>, BadGame> {
        self.build_hidden_within(string, &unread, Limits::NONE)
    }

    /// The game with hidden information that a game string means, with a way to open the file that it may name, and
    /// limits to which that is held while it is read.
    pub fn build_hidden_within(
        &self,
        string: &str,
        open: Open,
        limits: Limits,
    ) -> Result<Built<ErasedHidden>, BadGame> {
        let (name, text) = split(string);
        let both = self.both.iter().map(|(entry, _)| entry);
        let Some(entry) = self.hidden.iter().chain(both).find(|entry| entry.name == name) else {
            return Err(match self.entries.iter().find(|entry| entry.name == name) {
                Some(entry) => BadGame::Open { name: entry.name },
                None => self.unknown(name),
            });
        };
        match entry.made(text, open, limits)? {
            (_, true, _) => {
                let reason = "'outcomes' is for games in which everything is seen";
                Err(entry.bad(reason.into()))
            }
            (params, false, game) => Ok(Built { string: entry.spelled(&params), game }),
        }
    }

    fn unknown(&self, name: &str) -> BadGame {
        let close = |known: &&str| strsim::jaro_winkler(known, name);
        let names = self.entries.iter().map(|entry| entry.name);
        let like = (names.chain(self.hidden.iter().map(|entry| entry.name)))
            .max_by(|a, b| close(a).total_cmp(&close(b)))
            .filter(|name| close(name) > 0.7);
        BadGame::Unknown { name: name.into(), like }
    }
}

/// Opens no file.
fn unread(_: &str) -> io::Result<Box<dyn io::Read>> {
    Err(io::Error::other("files are not read here"))
}

/// The name of a game, and its parameters.
fn split(string: &str) -> (&str, &str) {
    string.split_once(':').unwrap_or((string, ""))
}
