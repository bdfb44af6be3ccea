//! The parameters of a game string: everything after the colon, between commas.
//!
//! A game that takes a parameter states its range and its default, and the canonical spelling follows
//! from that: `nim` and `nim:3-5-7` are the same game and share a table.
//!
//! One parameter belongs to all games: [`OUTCOMES`], which asks for outcomes without distances. Games do
//! not see it, except in the name of a file.

use std::{
    fmt::Display,
    io::{self, Read},
    ops::RangeInclusive,
    str::FromStr,
};

use crabwise::watch::Shown;
use crabwise_graphfile::{Limits, ReadError};

/// Opens the file that a game string names. The games themselves touch no file.
pub type Open<'a> = &'a dyn Fn(&str) -> io::Result<Contents>;

type Contents = Box<dyn Read>;

/// The parameter that asks for outcomes without distances.
const OUTCOMES: &str = "outcomes";

/// The parameters of one game string, taken one at a time.
pub struct Params<'a> {
    rest: Vec<String>,
    canonical: Vec<String>,
    flags: Vec<String>,
    open: Open<'a>,
    limits: Limits,
    /// Whether a file was asked for, and whether it was too large.
    read: bool,
    no_room: bool,
}

impl<'a> Params<'a> {
    /// The parameters in `text`, the part of a game string after the colon.
    pub fn parse(text: &str, open: Open<'a>, limits: Limits) -> Params<'a> {
        let words = text.split(',').filter(|_| !text.is_empty());
        let rest = words.map(str::to_string).collect();
        Params { rest, canonical: vec![], flags: vec![], open, limits, read: false, no_room: false }
    }

    /// A whole number within `range`, the next in line.
    pub fn number(
        &mut self,
        what: &str,
        default: u32,
        range: RangeInclusive<u32>,
    ) -> Result<u32, String> {
        let number = match self.next() {
            None => default,
            Some(word) => within(what, &word, &word, &range)?,
        };
        self.canonical.push(number.to_string());
        Ok(number)
    }

    /// A board size such as `5x4`, each side within its range, the next in line.
    pub fn size(
        &mut self,
        what: [&str; 2],
        default: (u32, u32),
        ranges: [RangeInclusive<u32>; 2],
    ) -> Result<(u32, u32), String> {
        let size = match self.next() {
            None => default,
            Some(word) => {
                let (a, b) = word.split_once('x').ok_or_else(|| {
                    format!("'{}' is no size; write {}x{}", Shown(&word), default.0, default.1)
                })?;
                (within(what[0], a, &word, &ranges[0])?, within(what[1], b, &word, &ranges[1])?)
            }
        };
        self.canonical.push(format!("{}x{}", size.0, size.1));
        Ok(size)
    }

    /// Numbers joined by dashes, such as the heaps `3-5-7`, the next in line.
    pub fn list(
        &mut self,
        what: &str,
        default: &[u32],
        count: RangeInclusive<usize>,
        range: RangeInclusive<u32>,
    ) -> Result<Vec<u32>, String> {
        let list = match self.next() {
            None => default.to_vec(),
            Some(word) => {
                let list: Vec<u32> = (word.split('-'))
                    .map(|part| within(what, part, &word, &range))
                    .collect::<Result<_, _>>()?;
                if !count.contains(&list.len()) {
                    let (least, most) = (count.start(), count.end());
                    return Err(format!("'{}' must have {least} to {most} numbers", Shown(&word)));
                }
                list
            }
        };
        self.canonical.push(join(&list));
        Ok(list)
    }

    /// Whether the bare word `name` is among the parameters that are left, wherever it stands. Ask
    /// for flags first; the canonical spelling has them last.
    pub fn flag(&mut self, name: &str) -> bool {
        let found = self.rest.iter().position(|word| word == name);
        if let Some(i) = found {
            self.rest.remove(i);
            self.flags.push(name.into());
        }
        found.is_some()
    }

    /// One word of each list, wherever it stands, by its place in the list; where none is given,
    /// the first. Ask for choices first; the canonical spelling has them last, without those that
    /// are first in their list. Any other word that begins with a letter is an error, unless all games
    /// have it.
    pub(crate) fn choices<const N: usize>(
        &mut self,
        lists: [&[&str]; N],
    ) -> Result<[usize; N], String> {
        let mut chosen = [0; N];
        for (chosen, list) in chosen.iter_mut().zip(lists) {
            *chosen = self.choice(list)?;
        }
        let letter = |word: &&String| word.starts_with(char::is_alphabetic) && *word != OUTCOMES;
        match self.rest.iter().find(letter) {
            Some(word) => {
                Err(format!("'{}' is none of {}", Shown(word), lists.concat().join(", ")))
            }
            None => Ok(chosen),
        }
    }

    fn choice(&mut self, list: &[&str]) -> Result<usize, String> {
        let place = |word: &String| list.iter().position(|other| other == word);
        let chosen: Vec<usize> = self.rest.iter().filter_map(place).collect();
        self.rest.retain(|word| place(word).is_none());
        match chosen[..] {
            [] | [0] => Ok(0),
            [chosen] => {
                self.flags.push(list[chosen].into());
                Ok(chosen)
            }
            _ => Err(format!("only one of {} can be chosen", list.join(", "))),
        }
    }

    /// The text after `name=` among the parameters that are left, wherever it stands. The canonical
    /// spelling has these last, among the flags, in the order asked for.
    pub fn named(&mut self, name: &str) -> Option<String> {
        let value = |word: &String| Some(word.strip_prefix(name)?.strip_prefix('=')?.to_string());
        let (i, found) =
            (self.rest.iter().enumerate()).find_map(|(i, word)| Some((i, value(word)?)))?;
        self.flags.push(self.rest.remove(i));
        Some(found)
    }

    /// A whole number within `range` after `name=`, wherever that stands. The canonical spelling
    /// has it only where it is not the default.
    pub fn named_number(
        &mut self,
        name: &str,
        what: &str,
        default: u32,
        range: RangeInclusive<u32>,
    ) -> Result<u32, String> {
        let read = |text: &str| within(what, text, &format!("{name}={text}"), &range);
        self.named_value(name, default, read, u32::to_string)
    }

    /// What `read` makes of the text after `name=`, wherever that stands. The canonical spelling has it
    /// as `write` writes it, and only where it is not the default.
    pub(crate) fn named_value<T: PartialEq>(
        &mut self,
        name: &str,
        default: T,
        read: impl FnOnce(&str) -> Result<T, String>,
        write: impl FnOnce(&T) -> String,
    ) -> Result<T, String> {
        let Some(text) = self.named(name) else { return Ok(default) };
        self.flags.pop();
        let value = read(&text)?;
        if value != default {
            self.flags.push(format!("{name}={}", write(&value)));
        }
        Ok(value)
    }

    /// All words of the form `name=value` that are left, in the order of their names. The canonical spelling has
    /// these last, among the flags.
    pub fn settings(&mut self) -> Vec<(String, String)> {
        let (told, rest): (Vec<String>, Vec<String>) =
            std::mem::take(&mut self.rest).into_iter().partition(|word| word.contains('='));
        self.rest = rest;
        let told = told.iter().filter_map(|word| word.split_once('='));
        let mut told: Vec<(String, String)> =
            told.map(|(name, value)| (name.into(), value.into())).collect();
        told.sort();
        self.flags.extend(told.iter().map(|(name, value)| format!("{name}={value}")));
        told
    }

    /// A file, all that is left: its name, which may have commas, and what is in it. `None` if
    /// nothing is left.
    pub fn file(&mut self) -> Result<Option<(String, Contents)>, String> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let name = self.rest.join(",");
        self.rest.clear();
        let contents = self.open(&name)?;
        self.spelled(name.clone());
        Ok(Some((name, contents)))
    }

    /// All that is left and belongs to this game, commas included; `None` if nothing is. The caller adds
    /// its canonical form by [`spelled`](Params::spelled).
    pub fn rest(&mut self) -> Option<String> {
        let all = std::mem::take(&mut self.rest).into_iter();
        let (of_all_games, rest): (Vec<_>, Vec<_>) = all.partition(|word| word == OUTCOMES);
        self.rest = of_all_games;
        (!rest.is_empty()).then(|| rest.join(","))
    }

    /// Opens a file that the game string names.
    pub fn open(&mut self, name: &str) -> Result<Contents, String> {
        self.read = true;
        (self.open)(name).map_err(|error| format!("cannot read {}: {error}", Shown(name)))
    }

    /// How large a graph in a file may be.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// What is wrong with a file, in one line.
    pub(crate) fn unreadable(&mut self, name: &str, bad: ReadError) -> String {
        self.no_room = bad.no_room;
        bad.in_file(name)
    }

    /// Whether a file takes more memory than it may.
    pub(crate) fn no_room(&self) -> bool {
        self.no_room
    }

    /// Adds to the canonical spelling.
    pub fn spelled(&mut self, text: String) {
        self.canonical.push(text);
    }

    /// Whether a file was asked for, so that what is wrong is wrong with that.
    pub(crate) fn read(&self) -> bool {
        self.read
    }

    /// The canonical spelling of what was taken, once nothing is left over, and whether only outcomes
    /// are wanted.
    pub(crate) fn finish(mut self) -> Result<(String, bool), String> {
        // What no game has taken for its own is asked for here, and so it is spelled last.
        let outcomes = self.flag(OUTCOMES);
        match self.rest.first() {
            Some(word) => Err(format!("'{}' is one parameter too many", Shown(word))),
            None => Ok(([self.canonical, self.flags].concat().join(","), outcomes)),
        }
    }

    /// The next word, leaving out `name=value`, which may be asked for later, and what all games have.
    fn next(&mut self) -> Option<String> {
        let i = self.rest.iter().position(|word| !word.contains('=') && word != OUTCOMES)?;
        Some(self.rest.remove(i))
    }
}

fn join(list: &[u32]) -> String {
    list.iter().map(u32::to_string).collect::<Vec<_>>().join("-")
}

fn within<T: FromStr + PartialOrd + Display>(
    what: &str,
    text: &str,
    word: &str,
    range: &RangeInclusive<T>,
) -> Result<T, String> {
    let (least, most) = (range.start(), range.end());
    let plain = !text.starts_with('+');
    let word = Shown(word);
    (text.parse().ok())
        .filter(|number| plain && range.contains(number))
        .ok_or_else(|| format!("'{word}': the {what} must be a number from {least} to {most}"))
}
