//! Games from the text of their rules, in a file: `rules:FILE`.
//!
//! The file is read here, since a game touches no file; what the text means is a matter of `crabwise-rules`.

use std::io::Read;

use crabwise::{ErasedGame, watch::Shown};
use crabwise_hidden::ErasedHidden;
use crabwise_rules::{
    bounds::Bounds,
    report::Mistake,
    text::{Text, Wishes},
};

use crate::{Entry, Params};

pub(crate) const ENTRY: Entry = Entry {
    name: "rules",
    about: "a game of your own, from the text of its rules in the Game Description Language",
    parameters: "FILE[,without=COUNTER]; prefix KIF, as in .kif files (default a sample)",
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
    let bounds = match params.limits().bytes {
        u64::MAX => Bounds::within(8 << 30),
        // A server lets others in only so far.
        bytes if params.limits().nodes < u64::MAX => {
            Bounds { bytes: bytes.min(Bounds::SHARED.bytes), ..Bounds::SHARED }
        }
        bytes => Bounds::within(bytes),
    };
    let (name, contents): (String, Box<dyn Read>) = match params.file()? {
        Some(file) => file,
        None => ("sample.kif".into(), Box::new(SAMPLE.as_bytes())),
    };
    let mut bytes = vec![];
    contents
        .take(bounds.text + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("cannot read {}: {error}", Shown(&name)))?;
    let source = String::from_utf8_lossy(&bytes).into_owned();
    let wishes = Wishes { without };
    let text = Text::read(&source, wishes, bounds).map_err(|bad| told(&name, &source, &bad))?;
    Ok((name, source, text))
}

/// The first mistake in one line: where, what, and what would be right.
fn told(name: &str, source: &str, mistakes: &[Mistake]) -> String {
    let Some(first) = mistakes.first() else { return format!("{}: no game", Shown(name)) };
    let before = source.get(..first.span.start as usize).unwrap_or("");
    let line = before.matches('\n').count() + 1;
    let remedy = match &first.remedy[..] {
        "" => String::new(),
        remedy => format!("; {remedy}"),
    };
    let more = match mistakes.len() - 1 {
        0 => String::new(),
        1 => " (and one more mistake)".into(),
        many => format!(" (and {many} more mistakes)"),
    };
    format!("{}, line {line}: {}{remedy}{more}", Shown(name), first.what)
}
