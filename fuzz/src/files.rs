//! Files of boards and state graphs, in every form that is read.

use std::io::{self, Cursor, Read};

use arbitrary::{Result, Unstructured};
use crabwise_games::Registry;

use crate::{Attack, Attacker, Outcome, game_strings::one_line, texts};

pub const ATTACK: Attack = Attack {
    name: "files",
    about: "boards and state graphs in files: refused in one line that names the place, or a game",
    begin: || Box::new(Files::new()),
};

struct Files {
    registry: Registry,
    seeds: Vec<String>,
}

const ENDINGS: &[&str] =
    &["csv", "json", "dot", "gv", "table", "py", "rot", "edges", "txt", "CSV", "", "xls"];

const TOKENS: &[&str] = &[
    "digraph",
    "graph",
    "subgraph",
    "strict",
    "->",
    "--",
    "node",
    "edge",
    "[label=\"a\"]",
    "[pos=\"1,2\"]",
    "win",
    "loss",
    "draw",
    "tie",
    "from,to",
    "key,outcome",
    "\"",
    "\"\"",
    "/*",
    "*/",
    "//",
    "#",
    "<b>",
    "</b>",
    "null",
    "true",
    "\"edges\":",
    "\"faces\":",
    "[[0,1],[1,2]]",
    "cells =",
    "outer:",
    "1e400",
    "\\u0000",
];

impl Files {
    fn new() -> Files {
        let seeds = [
            "from,to\n1A,2B\n2B,3A\n",
            "key,outcome\n1A,win\n\n1A,2B\n\"a,\"\"b\"\"A\",2B\n",
            "{\"nodes\": [{\"id\": \"1A\"}], \"edges\": [{\"from\": \"1A\", \"to\": \"2B\"}]}",
            "{\"vertices\": [[0,0],[1,0],[0,1]], \"edges\": [[0,1],[1,2],[2,0]]}",
            "{\"rotation\": {\"a\": [\"b\",\"c\"], \"b\": [\"c\",\"a\"], \"c\": [\"a\",\"b\"]}}",
            "digraph { a1A -> {b2B c3B} -> d4A; subgraph { x1A -> y2B } }",
            "graph G { a -- b -- c -- a; a [pos=\"0,0\"]; b [pos=\"1,0!\"]; c [label=<x<b>y</b>>] }",
            "cells = [[1, 2, 3], [3, 2, 4]]\n",
            "1: 2 3\n2: 3 1\n3: 1 2\n",
            "a b\nb c # comment\nc a\n",
            "a,b,c\nb,c,d\n",
        ];
        Files { registry: Registry::standard(), seeds: seeds.map(str::to_string).to_vec() }
    }
}

impl Attacker for Files {
    fn attack(&mut self, chance: &mut Unstructured, tried: &mut String) -> Outcome {
        let contents = self.contents(chance)?;
        let game = *chance.choose(&["graph", "cycles", "isolation", "dark-hex"])?;
        let ending = *chance.choose(ENDINGS)?;
        let more = *chance.choose(&["", "", ",again", ",turns=AB", ",start=1A", ",outcomes"])?;
        let string = format!("{game}:a.{ending}{more}");
        let shown: String = String::from_utf8_lossy(&contents).chars().take(2000).collect();
        *tried = format!("{string} with {shown:?}");
        let open = |_: &str| Ok(Box::new(Cursor::new(contents.clone())) as Box<dyn Read>);
        let open: &dyn Fn(&str) -> io::Result<Box<dyn Read>> = &open;
        Ok(match self.registry.build_with(&string, open) {
            Err(error) => one_line(&error.to_string()),
            Ok(built) => match built.game.board(&[]) {
                Ok(_) => Ok(()),
                Err(error) => Err(format!("its start is refused: {error}")),
            },
        })
    }
}

impl Files {
    /// A file that is nearly right, one of many lines of the same form, or one deeply nested.
    fn contents(&self, chance: &mut Unstructured) -> Result<Vec<u8>> {
        let text = match chance.int_in_range(0..=5)? {
            0 => many_lines(chance)?,
            1 => nested(chance)?,
            _ => texts::nearly(chance, &self.seeds, TOKENS)?,
        };
        match chance.ratio(1, 4)? {
            true => texts::damaged(chance, text.as_bytes(), 3),
            false => Ok(text.into_bytes()),
        }
    }
}

fn many_lines(chance: &mut Unstructured) -> Result<String> {
    let names = chance.int_in_range(1..=3000)?;
    let list = |ending: &str| (0..names).map(|n| format!("n{n}{ending} ")).collect::<String>();
    let pairs = |joint: &str| -> String {
        (0..names).map(|n| format!("n{n}A{joint}n{}B\n", n * 7 % names)).collect()
    };
    Ok(match chance.int_in_range(0..=5)? {
        0 => format!("digraph{{{{{}}}->{{{}}}}}", list("A"), list("B")),
        1 => format!("graph{{{{{}}}--{{{}}}}}", list(""), list("")),
        2 => format!("from,to\n{}", pairs(",")),
        3 => format!("digraph {{ {} }}", pairs("->")),
        4 => pairs(" "),
        _ => format!("a: {}", list("")),
    })
}

fn nested(chance: &mut Unstructured) -> Result<String> {
    let depth = chance.int_in_range(1..=100_000)?;
    let (open, close) = *chance.choose(&[
        ("{", "}"),
        ("[", "]"),
        ("subgraph{", "}"),
        ("(", ")"),
        ("<", ">"),
        ("{\"a\":", "}"),
    ])?;
    let before = *chance.choose(&["", "digraph{a", "graph{a--", "{\"edges\":", "cells = "])?;
    let close = if chance.ratio(1, 2)? { close.repeat(depth) } else { String::new() };
    Ok(format!("{before}{}{close}", open.repeat(depth)))
}
