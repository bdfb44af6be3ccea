//! Texts of rules: nearly right ones, deeply nested ones, and such as grow.

use std::io::{self, Cursor, Read};

use arbitrary::{Result, Unstructured};
use crabwise_games::{Limits, Registry};

use crate::{Attack, Attacker, Outcome, game_strings::one_line, texts};

pub const ATTACK: Attack = Attack {
    name: "rules",
    about: "texts of rules, as a server takes them: refused in one line, or a game with a start",
    begin: || Box::new(Rules { registry: Registry::standard() }),
};

struct Rules {
    registry: Registry,
}

/// As much as a server allows for a text that is sent.
const SENT: Limits = Limits { nodes: 5_000, edges: 20_000, bytes: 8 << 20 };

const SEEDS: [&str; 5] = [
    include_str!("../../crates/crabwise-games/src/rules/sample.kif"),
    include_str!("../../crates/crabwise-rules/testdata/nim-3-5-7.kif"),
    include_str!("../../crates/crabwise-rules/testdata/hex-3x3.kif"),
    include_str!("../../crates/crabwise-rules/testdata/kuhn.kif"),
    include_str!("../../crates/crabwise-rules/testdata/rock-paper-scissors.kif"),
];

const TOKENS: &[&str] = &[
    "(",
    ")",
    "<=",
    "not",
    "or",
    "and",
    "distinct",
    "?x",
    "?player",
    "true",
    "does",
    "next",
    "legal",
    "init",
    "role",
    "goal",
    "terminal",
    "sees",
    "base",
    "input",
    "random",
    "noop",
    "100",
    "(s ?x)",
    "(true (cell ?x ?y ?z))",
    ";",
];

impl Attacker for Rules {
    fn attack(&mut self, chance: &mut Unstructured, tried: &mut String) -> Outcome {
        let contents = contents(chance)?;
        let more = *chance.choose(&["", "", ",without=step", ",without=control", ",outcomes"])?;
        let string = format!("rules:a.kif{more}");
        let shown: String = String::from_utf8_lossy(&contents).chars().take(2000).collect();
        *tried = format!("{string} with {shown:?}");
        let open = |_: &str| Ok(Box::new(Cursor::new(contents.clone())) as Box<dyn Read>);
        let open: &dyn Fn(&str) -> io::Result<Box<dyn Read>> = &open;
        if self.registry.is_hidden_within(&string, open, SENT) {
            let built = self.registry.build_hidden_within(&string, open, SENT);
            return Ok(built.map_or_else(|error| one_line(&error.to_string()), |_| Ok(())));
        }
        Ok(match self.registry.build_within(&string, open, SENT) {
            Err(error) => one_line(&error.to_string()),
            Ok(built) => match built.game.board(&[]) {
                Ok(_) => Ok(()),
                Err(error) => Err(format!("its start is refused: {error}")),
            },
        })
    }
}

fn contents(chance: &mut Unstructured) -> Result<Vec<u8>> {
    let text = match chance.int_in_range(0..=5)? {
        0 => nested(chance)?,
        1 => growing(chance)?,
        _ => texts::nearly(chance, &SEEDS.map(str::to_string), TOKENS)?,
    };
    match chance.ratio(1, 4)? {
        true => texts::damaged(chance, text.as_bytes(), 3),
        false => Ok(text.into_bytes()),
    }
}

/// Brackets within brackets.
fn nested(chance: &mut Unstructured) -> Result<String> {
    let deep = chance.int_in_range(1..=100_000)?;
    let word = *chance.choose(&["(", "(not ", "(or a ", "(s ", "(<= "])?;
    Ok(format!("(role a) (<= p {}{})", word.repeat(deep), ")".repeat(deep)))
}

/// A game with a relation over many variables, or a fact that grows.
fn growing(chance: &mut Unstructured) -> Result<String> {
    let (things, variables) = (chance.int_in_range(1..=40)?, chance.int_in_range(1..=8)?);
    let list = |one: &dyn Fn(usize) -> String, many: usize| (0..many).map(one).collect::<String>();
    let facts = list(&|n| format!("(q {n})"), things);
    let body = list(&|n| format!("(q ?v{n})"), variables);
    let head = list(&|n| format!(" ?v{n}"), variables);
    let grown = *chance.choose(&["(s ?x)", "(f ?x ?x)", "?x", "(f ?x ?v0)"])?;
    Ok(format!(
        "(role a) (role b) (init (n z)) (legal a go) (legal b go) (goal a 50) (goal b 50)
         (<= terminal (true (n (s (s z))))) {facts} (<= (p{head}) {body})
         (<= (next (n {grown})) (true (n ?x)) (q ?v0) (not (p{head})) {body})"
    ))
}
