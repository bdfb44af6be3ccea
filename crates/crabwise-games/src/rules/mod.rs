//! Games from the text of their rules, in a file: `rules:FILE`.
//!
//! The file is read here, since a game touches no file; what the text means is a matter of `crabwise-rules`.

use std::io::Read;

use crabwise::{ErasedGame, watch::Shown};
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

const SAMPLE: &str = include_str!("sample.kif");

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let (name, source, text) = read(params)?;
    text.open_game().map_err(|mistakes| told(&name, &source, &mistakes))
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
