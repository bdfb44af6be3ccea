//! What was found in the text of a game's rules, or what is wrong with it.

use crabwise_rules::{
    listing::Found,
    report::{Mistake, Place},
    syntax::Program,
};
use serde::Serialize;

/// A text that is right.
#[derive(Serialize)]
pub struct RulesFound {
    game: String,
    ok: bool,
    title: String,
    about: String,
    players: Vec<String>,
    parameters: Vec<Setting>,
    relations: usize,
    rules: usize,
    facts: usize,
    /// What holds in a position, and moves: names with their numbers of arguments.
    state: Vec<Function>,
    moves: Vec<Function>,
    chance: bool,
    hidden: bool,
    /// The same rules as KIF.
    kif: String,
}

#[derive(Serialize)]
struct Setting {
    name: String,
    value: String,
}

#[derive(Serialize)]
struct Function {
    name: String,
    arguments: usize,
}

impl RulesFound {
    /// What was found in a program, and the program as KIF.
    pub fn new(game: &str, program: &Program, found: Found, kif: String) -> RulesFound {
        let functions = |all: Vec<(String, usize)>| {
            all.into_iter().map(|(name, arguments)| Function { name, arguments }).collect()
        };
        let hints = &program.hints;
        let settings = hints
            .parameters
            .iter()
            .map(|(name, value)| Setting { name: name.to_string(), value: value.clone() });
        RulesFound {
            game: game.into(),
            ok: true,
            title: hints.title.clone(),
            about: hints.about.clone(),
            players: found.roles,
            parameters: settings.collect(),
            relations: found.relations,
            rules: found.rules,
            facts: found.facts,
            state: functions(found.state),
            moves: functions(found.moves),
            chance: found.chance,
            hidden: found.hidden,
            kif,
        }
    }
}

/// A text with mistakes.
#[derive(Serialize)]
pub struct RulesRefused {
    game: String,
    ok: bool,
    mistakes: Vec<MistakeAt>,
}

/// A mistake and where it is: lines and characters from 1, the end not included. One that is not in the text, such as
/// a parameter that it does not have, has no place.
#[derive(Serialize)]
pub struct MistakeAt {
    #[serde(flatten)]
    place: Option<At>,
    what: String,
    /// What would be right; may be empty.
    remedy: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<Other>,
}

#[derive(Serialize)]
struct At {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

/// Another piece of the text that belongs to it.
#[derive(Serialize)]
struct Other {
    #[serde(flatten)]
    place: At,
    what: String,
}

impl RulesRefused {
    /// All mistakes of a text, in its order.
    pub fn new(game: &str, text: &str, mistakes: &[Mistake]) -> RulesRefused {
        let mistakes = mistakes.iter().map(|mistake| MistakeAt::new(text, mistake)).collect();
        RulesRefused { game: game.into(), ok: false, mistakes }
    }
}

impl MistakeAt {
    /// A mistake in a text.
    pub fn new(text: &str, mistake: &Mistake) -> MistakeAt {
        let at = |span| {
            let Place { line, column, end_line, end_column } = Place::of(text, span);
            At { line, column, end_line, end_column }
        };
        let other = mistake.other.as_ref();
        MistakeAt {
            place: (!mistake.is_outside()).then(|| at(mistake.span)),
            what: mistake.what.clone(),
            remedy: mistake.remedy.clone(),
            other: other.map(|(span, what)| Other { place: at(*span), what: what.clone() }),
        }
    }
}
