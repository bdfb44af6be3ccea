//! `crabwise rules`: what is in the text of a game's rules, or what is wrong with it.

use std::{fs::File, io::Read};

use crabwise::watch::Shown;
use crabwise_api::rules::{RulesFound, RulesRefused};
use crabwise_rules::{
    check::check,
    examples::{EXAMPLES, example},
    listing::{Found, listing},
    read,
    report::{Mistake, printed},
    syntax::Program,
};

use crate::{
    args::RulesArgs,
    context::Context,
    error::Failure,
    text::{fact, several},
};

/// Longer files hold no rules of a game.
const MOST_BYTES: u64 = 1 << 22;

pub fn run(context: &Context, args: &RulesArgs) -> Result<(), Failure> {
    let (file, parameters) = parameters(&args.file);
    let text = text_of(file)?;
    let program = read(&text, &parameters).and_then(|program| match check(&program) {
        mistakes if mistakes.is_empty() => Ok(program),
        mistakes => Err(mistakes),
    });
    match program {
        Ok(program) => {
            let (found, kif) = (Found::of(&program), listing(&program));
            let told = || if args.kif { kif.clone() } else { summary(&program, &found) };
            let json = RulesFound::new(&args.file, &program, found.clone(), kif.clone());
            context.print(&json, told)
        }
        Err(mistakes) => refused(context, file, &text, &mistakes),
    }
}

fn refused(context: &Context, file: &str, text: &str, all: &[Mistake]) -> Result<(), Failure> {
    context.print(&RulesRefused::new(file, text, all), || printed(all, file, text))?;
    let many = several(all.len() as u64, "mistake");
    Err(Failure::Input(format!("{} has {many}", Shown(file))))
}

/// The name before the parameters, and those.
fn parameters(told: &str) -> (&str, Vec<(String, String)>) {
    let (mut file, mut parameters) = (told, vec![]);
    while let Some((before, last)) = file.rsplit_once(',')
        && let Some((name, value)) = last.split_once('=')
    {
        parameters.insert(0, (name.to_string(), value.to_string()));
        file = before;
    }
    (file, parameters)
}

/// What a file says; where there is none, what the example of that name says.
fn text_of(file: &str) -> Result<String, Failure> {
    let input = |what: String| Failure::Input(format!("{}: {what}", Shown(file)));
    let opened = match (File::open(file), example(file)) {
        (Ok(opened), _) => opened,
        (Err(_), Some(text)) => return Ok(text.into()),
        (Err(error), None) => {
            let names: Vec<&str> = EXAMPLES.iter().map(|(name, _)| *name).collect();
            let list = names.join(", ");
            return Err(input(format!("{error}; nor is it one of the examples {list}")));
        }
    };
    let mut bytes = vec![];
    let whole = opened.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    whole.map_err(|error| input(error.to_string()))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(input(format!("more than {} MiB; rules are shorter", MOST_BYTES >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| input("this is no text in UTF-8".into()))
}

fn summary(program: &Program, found: &Found) -> String {
    let hints = &program.hints;
    let mut text = match (&hints.title[..], &hints.about[..]) {
        ("", "") => String::new(),
        (title, "") => format!("{title}\n"),
        ("", about) => format!("{about}\n"),
        (title, about) => format!("{title}: {about}\n"),
    };
    let functions = |all: &[(String, usize)]| -> String {
        let named = all.iter().map(|(name, many)| match many {
            0 => name.clone(),
            _ => format!("{name}({})", vec!["_"; *many].join(",")),
        });
        named.collect::<Vec<_>>().join(", ")
    };
    let settings: Vec<String> =
        hints.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    text += &fact("players", &found.roles.join(", "));
    if !settings.is_empty() {
        text += &fact("parameters", &settings.join(","));
    }
    text += &fact("position", &functions(&found.state));
    text += &fact("moves", &functions(&found.moves));
    let (rules, facts) = (several(found.rules as u64, "rule"), several(found.facts as u64, "fact"));
    let relations = several(found.relations as u64, "relation");
    text += &fact("as KIF", &format!("{rules} and {facts} of {relations}"));
    if found.hidden || found.chance {
        let words = match (found.hidden, found.chance) {
            (true, true) => "chance, and not everything is seen",
            (true, false) => "not everything is seen",
            _ => "chance",
        };
        text += &fact("hidden", words);
    }
    text
}
