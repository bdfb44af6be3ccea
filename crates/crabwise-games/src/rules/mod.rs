//! Games from the text of their rules, in a file: `rules:FILE`.
//!
//! The file is read here, since a game touches no file; what the text means is a matter of `crabwise-rules`.

use std::io::Read;

use crabwise::{ErasedGame, watch::Shown};
use crabwise_graphfile::Limits;
use crabwise_hidden::ErasedHidden;
use crabwise_rules::{
    bounds::Bounds,
    examples::example,
    report::Mistake,
    text::{Text, Wishes},
};

use crate::{Entry, Params};

pub(crate) const ENTRY: Entry = Entry {
    name: "rules",
    about: "a game of your own, from the text of its rules",
    parameters: "FILE, readable rules or KIF, or an example: tic-tac-toe, mnk, connect-four, hex, breakthrough, dao, \
                 quixo, isolation, nim, mu-torere; NAME=VALUE for parameters of the text; without=COUNTER \
                 (default a sample)",
    example: "rules",
    build,
};

/// What a text means in which somebody may not see everything, or chance moves.
pub(crate) const HIDDEN: Entry<ErasedHidden> = Entry {
    name: ENTRY.name,
    about: "a game of your own with chance or hidden information, from the text of its rules in GDL-II",
    parameters: ENTRY.parameters,
    example: ENTRY.example,
    build: build_hidden,
};

const SAMPLE: &str = include_str!("sample.kif");

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let (name, source, text) = read(params)?;
    if text.is_hidden() {
        return Err(format!(
            "{} has hidden information; equilibrium, exploit, pone, count, matrix, league, play and look are for \
             such games",
            Shown(&name)
        ));
    }
    text.open_game().map_err(|mistakes| told(&name, &source, &mistakes))
}

fn build_hidden(params: &mut Params) -> Result<ErasedHidden, String> {
    let (name, source, text) = read(params)?;
    text.hidden_game().map_err(|mistakes| told(&name, &source, &mistakes))
}

/// Whether the text that is named has a role for chance or says what somebody sees; no for one that cannot be read.
pub(crate) fn is_hidden(params: &mut Params) -> bool {
    read(params).is_ok_and(|(_, _, text)| text.is_hidden())
}

/// The file's name, what is in it, and what it says.
fn read(params: &mut Params) -> Result<(String, String, Text), String> {
    let without = params.named("without");
    let bounds = rules_bounds(params.limits());
    let parameters = params.settings();
    let (name, contents): (String, Box<dyn Read>) = match params.rest() {
        Some(name) => {
            params.spelled(name.clone());
            // A file goes before the example of its name.
            let contents = match (params.open(&name), example(&name)) {
                (Err(_), Some(text)) => Box::new(text.as_bytes()),
                (opened, _) => opened?,
            };
            (name, contents)
        }
        None => ("sample.kif".into(), Box::new(SAMPLE.as_bytes())),
    };
    let mut bytes = vec![];
    contents
        .take(bounds.text + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("cannot read {}: {error}", Shown(&name)))?;
    let source = String::from_utf8_lossy(&bytes).into_owned();
    let wishes = Wishes { without, parameters };
    let text = Text::read(&source, wishes, bounds).map_err(|bad| told(&name, &source, &bad))?;
    Ok((name, source, text))
}

/// What a text may cost, by what files may mean.
pub fn rules_bounds(limits: Limits) -> Bounds {
    match limits.bytes {
        u64::MAX => Bounds::within(8 << 30),
        // A server lets others in only so far.
        bytes if limits.nodes < u64::MAX => {
            Bounds { bytes: bytes.min(Bounds::SHARED.bytes), ..Bounds::SHARED }
        }
        bytes => Bounds::within(bytes),
    }
}

/// The first mistake in one line: where, what, and what would be right.
fn told(name: &str, source: &str, mistakes: &[Mistake]) -> String {
    let Some(first) = mistakes.first() else { return format!("{}: no game", Shown(name)) };
    let more = match mistakes.len() - 1 {
        0 => String::new(),
        1 => " (and one more mistake)".into(),
        many => format!(" (and {many} more mistakes)"),
    };
    format!("{}{more}", first.line(&Shown(name).to_string(), source))
}
