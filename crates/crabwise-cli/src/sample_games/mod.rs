//! Sample games for tests: endless play, a player who moves again, a turn of two decisions, a broken
//! rule, changed rules, a game that does without a table.

mod rows;

use std::{fmt, path::Path};

use clap::Parser;
use crabwise::{ErasedGame, Game, Outcome, Setup, explore::digraph::Digraph, watch::Unwatched};
use crabwise_games::{Entry, Registry};

use crate::{args::Args, context::Context};

pub fn registry() -> Registry {
    let mut registry = Registry::empty();
    registry.add(entry("circle", |_| Ok(boxed(Circle))));
    registry.add(entry("again", |_| Ok(boxed(AGAIN))));
    registry.add(entry("heaps", |_| Ok(boxed(Heaps))));
    registry.add(entry("broken", |_| Ok(boxed(Again { name: ["o ne", "two"], ..AGAIN }))));
    registry.add(entry("rows", rows::rows));
    registry.add(entry("doubtful", rows::doubtful));
    registry
}

/// These games, but the player who cannot move in `again` wins, and the rules' version is the old one.
pub fn changed_registry() -> Registry {
    let mut registry = registry();
    registry.add(entry("again", |_| Ok(boxed(Again { end: Outcome::Win, ..AGAIN }))));
    registry
}

/// A context over some games, with its tables in a folder.
pub fn context(registry: &Registry, tables: &Path) -> Context {
    let tables = tables.to_str().expect("a temporary folder has a plain name");
    let args = Args::try_parse_from(["crabwise", "games", "--quiet", "--tables", tables]);
    Context::new(registry, &args.expect("the words are right").globals).unwrap()
}

/// All positions of a sample game.
pub fn digraph(game: &str, most: usize) -> Option<Digraph> {
    let folder = tempfile::tempdir().unwrap();
    let context = context(&registry(), folder.path());
    let target = context.target(game).unwrap();
    context.ready(&target, true).unwrap();
    let explorer = target.built.game.open(&context.session.job(&target, &Unwatched)).unwrap();
    Digraph::of(&*explorer, most, &Unwatched).unwrap()
}

type Build = fn(&mut crabwise_games::Params) -> Result<ErasedGame, String>;

fn entry(name: &'static str, build: Build) -> Entry {
    Entry { name, about: "a sample", parameters: "", example: name, build }
}

fn boxed(game: impl Game + Send + 'static) -> ErasedGame {
    Setup::of(game).erased()
}

/// Four places in a circle, and on it goes.
struct Circle;

impl Game for Circle {
    type Position = u8;
    type Move = &'static str;

    fn start(&self) -> u8 {
        0
    }

    fn moves(&self, _at: &u8) -> impl IntoIterator<Item = &'static str> {
        ["on"]
    }

    fn play(&self, at: &u8, _on: &'static str) -> u8 {
        (at + 1) % 4
    }

    fn show(&self, at: &u8) -> String {
        format!("place {at}")
    }
}

/// Take one or two of five; who takes two moves again.
struct Again {
    name: [&'static str; 2],
    /// What it is to be without a move.
    end: Outcome,
}

const AGAIN: Again = Again { name: ["one", "two"], end: Outcome::Loss };

impl Game for Again {
    type Position = u8;
    type Move = &'static str;

    fn start(&self) -> u8 {
        5
    }

    fn moves(&self, at: &u8) -> impl IntoIterator<Item = &'static str> {
        self.name[..(*at).min(2) as usize].to_vec()
    }

    fn play(&self, at: &u8, name: &'static str) -> u8 {
        if name == "two" { at - 2 } else { at - 1 }
    }

    fn over(&self, at: &u8) -> Option<Outcome> {
        (*at == 0).then_some(self.end)
    }

    fn again(&self, from: &u8, to: &u8) -> bool {
        from - to == 2
    }

    fn show(&self, at: &u8) -> String {
        format!("{at} left")
    }
}

/// Nim with heaps of two and three; a turn is a heap and then a number.
struct Heaps;

#[derive(Clone, Copy)]
struct Take {
    heap: usize,
    number: u8,
}

impl Take {
    fn heap(self) -> char {
        ['A', 'B'][self.heap]
    }
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.heap(), self.number)
    }
}

impl Game for Heaps {
    type Position = [u8; 2];
    type Move = Take;

    fn start(&self) -> [u8; 2] {
        [2, 3]
    }

    fn moves(&self, at: &[u8; 2]) -> impl IntoIterator<Item = Take> {
        let heaps = at.iter().enumerate();
        heaps.flat_map(|(heap, &most)| (1..=most).map(move |number| Take { heap, number }))
    }

    fn play(&self, at: &[u8; 2], take: Take) -> [u8; 2] {
        let mut to = *at;
        to[take.heap] -= take.number;
        to
    }

    fn decisions(&self, take: &Take) -> Vec<String> {
        vec![take.heap().to_string(), take.number.to_string()]
    }

    fn show(&self, [a, b]: &[u8; 2]) -> String {
        format!("A: {a}\nB: {b}")
    }
}
