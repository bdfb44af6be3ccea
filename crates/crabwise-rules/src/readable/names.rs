//! What the names of a text mean: parameters, players, the board, and what moves change.

use std::collections::BTreeMap;

use super::{
    board::{Board, MOST_ACROSS, MOST_CELLS},
    lexer::MOST,
    tree::{BoardKind, Clause, Effect, Expr, Start, Statement, Value, Word},
    words::{self, CORE, NOUNS, WAYS},
};
use crate::{
    report::Mistake,
    syntax::{Name, Span},
};

/// Who moves by chance.
pub(super) const RANDOM: &str = "random";

/// Relations that geometry and numbers bring, with their numbers of arguments.
const GIVEN: &[(&str, usize)] = &[
    ("cell", 1),
    ("corner", 1),
    ("edge", 1),
    ("top", 1),
    ("bottom", 1),
    ("left", 1),
    ("right", 1),
    ("straight", 1),
    ("diagonal", 1),
    ("number", 1),
    ("player", 1),
    ("row", 2),
    ("column", 2),
    ("step", 3),
    ("lies", 3),
    ("touches", 2),
    ("beside", 2),
    ("opponent", 2),
    ("less", 2),
    ("at_most", 2),
    ("plus", 3),
    ("same", 2),
    ("empty", 1),
];

/// Relations that rules of a text are turned into.
const MADE: &[&str] = &[
    "filled",
    "changed",
    "can_move",
    "other_move",
    "wins",
    "tied",
    "turn_after",
    "turn_told",
    "next_cell",
    "line_way",
    "diagonal_way",
    "at",
    "control",
    "move",
    "noop",
    "and",
];

/// What a name of a relation means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// Of the board or of numbers.
    Given(usize),
    /// A word of the Game Description Language.
    Core(usize),
    /// Concluded by the writer's rules.
    Relation,
    /// Something that moves change: holds or does not.
    Memory,
    /// Something that moves change: has a value, besides so many arguments.
    Property(usize),
    /// A parameter that is a list: place and number.
    List,
}

#[derive(Default)]
pub(super) struct Names {
    pub parameters: Vec<(Word, Value)>,
    pub players: Vec<Word>,
    pub at_once: bool,
    pub board: Option<Board>,
    /// What can be on a cell.
    pub contents: Vec<Name>,
    pub properties: BTreeMap<Name, (usize, Span)>,
    pub memories: BTreeMap<Name, (usize, Span)>,
    pub relations: BTreeMap<Name, Span>,
}

impl Names {
    /// Collects the names of all statements. Parameters that are told replace those of the text.
    pub fn of(
        statements: &[Statement],
        told: &[(String, String)],
        mistakes: &mut Vec<Mistake>,
    ) -> Names {
        let mut names = Names::default();
        for statement in statements {
            match statement {
                Statement::Parameters(parameters) => names.parameters.extend(parameters.clone()),
                Statement::Players(players, at_once) if names.players.is_empty() => {
                    names.players = players.clone();
                    names.at_once = *at_once;
                }
                Statement::Rule(Expr::Call(word, ..) | Expr::Word(word), _) => {
                    names.relations.entry(word.name.clone()).or_insert(word.span);
                }
                _ => {}
            }
        }
        names.tell(told, mistakes);
        names.make_board(statements, mistakes);
        names.contents = names.players.iter().map(|word| word.name.clone()).collect();
        statements.iter().for_each(|statement| names.changing(statement));
        names.contents.sort();
        names.contents.dedup();
        names.clashes(mistakes);
        names
    }

    fn tell(&mut self, told: &[(String, String)], mistakes: &mut Vec<Mistake>) {
        for (name, text) in told {
            let known = self.parameters.iter_mut().find(|(word, _)| *word.name == **name);
            let Some((word, value)) = known else {
                let known: Vec<&str> =
                    self.parameters.iter().map(|(word, _)| &*word.name).collect();
                let otherwise = match known.is_empty() {
                    true => "these rules have no parameters".into(),
                    false => format!("these rules have {}", known.join(", ")),
                };
                let what = format!("there is no parameter '{name}'");
                let remedy = words::remedy(name, known, &otherwise);
                mistakes.push(Mistake::new(Span::default(), what, remedy));
                continue;
            };
            match (parsed(text), &*value) {
                (Some(new @ Value::Number(_)), Value::Number(_)) => *value = new,
                (Some(new @ Value::Word(_)), Value::Word(_)) => *value = new,
                (Some(Value::Number(one)), Value::List(_)) => *value = Value::List(vec![one]),
                (Some(new @ Value::List(_)), Value::List(_)) => *value = new,
                _ => {
                    let kind = match value {
                        Value::Number(_) => format!("a number from 0 to {MOST}"),
                        Value::Word(_) => "a word".into(),
                        Value::List(_) => format!("numbers up to {MOST} joined by dashes"),
                    };
                    let what = format!("'{name}={text}' does not fit");
                    let mistake = Mistake::new(Span::default(), what, format!("it must be {kind}"));
                    mistakes.push(mistake.beside(word.span, "given here"));
                }
            }
        }
    }

    fn make_board(&mut self, statements: &[Statement], mistakes: &mut Vec<Mistake>) {
        let kind = statements.iter().find_map(|statement| match statement {
            Statement::Board(kind) => Some(kind),
            _ => None,
        });
        let board = match kind {
            None => return,
            Some(BoardKind::Graph(chains)) => Board::graph(chains),
            Some(BoardKind::Grid(columns, rows)) => {
                self.sides(columns, rows).map(|(columns, rows)| Board::grid(columns, rows))
            }
            Some(BoardKind::Hexagons(columns, rows)) => {
                self.sides(columns, rows).map(|(columns, rows)| Board::hexagons(columns, rows))
            }
        };
        match board {
            Ok(board) => self.board = Some(board),
            Err(mistake) => {
                // What names cells is not to be told wrong as well.
                self.board = Some(Board::grid(MOST_ACROSS, 15));
                mistakes.push(mistake);
            }
        }
    }

    fn sides(&self, columns: &Expr, rows: &Expr) -> Result<(u32, u32), Mistake> {
        let side = |side: &Expr| match self.constant(side) {
            Some(Ok(number)) if (1..=MOST_ACROSS).contains(&number) => Ok(number),
            Some(Ok(number)) => Err(Mistake::new(
                side.span(),
                format!("a board cannot have {number} rows or columns"),
                format!("it has 1 to {MOST_ACROSS}"),
            )),
            Some(Err(mistake)) => Err(mistake),
            None => {
                let known = self.parameters.iter().map(|(word, _)| &*word.name);
                let remedy = match side {
                    Expr::Word(word) => {
                        words::remedy(&word.name, known, "write a number, or give it a value above")
                    }
                    _ => "write a number or a parameter".into(),
                };
                Err(Mistake::new(side.span(), "this is no number", remedy))
            }
        };
        let (columns, down) = (side(columns)?, side(rows)?);
        if columns * down > MOST_CELLS {
            let what = format!("a board of {columns}x{down} has {} cells", columns * down);
            return Err(Mistake::new(rows.span(), what, format!("there can be {MOST_CELLS}")));
        }
        Ok((columns, down))
    }

    /// What the start has and moves change.
    fn changing(&mut self, statement: &Statement) {
        match statement {
            Statement::Start(Start::Are(things, value, _)) => {
                things.iter().for_each(|thing| self.changes(thing, Some(value)));
            }
            Statement::Start(Start::Facts(facts, _)) => {
                facts.iter().for_each(|fact| self.remembers(fact));
            }
            Statement::Start(Start::Picture(rows)) => {
                let filled = rows.iter().flatten().filter(|word| &*word.name != ".");
                self.contents.extend(filled.map(|word| word.name.clone()));
            }
            Statement::Move(told) => told.clauses.iter().for_each(|clause: &Clause| {
                for effect in &clause.effects {
                    match effect {
                        Effect::Becomes(thing, value, _) => self.changes(thing, value.as_ref()),
                        Effect::Remember(fact, _) => self.remembers(fact),
                        _ => {}
                    }
                }
            }),
            _ => {}
        }
    }

    fn changes(&mut self, thing: &Expr, value: Option<&Expr>) {
        let (word, arguments) = match thing {
            Expr::Of(name, _) => match &**name {
                Expr::Word(word) => (word, 1),
                _ => return,
            },
            Expr::Word(word)
                if !self.is_like_a_cell(&word.name) && self.parameter(&word.name).is_none() =>
            {
                (word, 0)
            }
            _ => {
                if let Some(Expr::Word(word)) = value
                    && self.parameter(&word.name).is_none()
                {
                    self.contents.push(word.name.clone());
                }
                return;
            }
        };
        if &*word.name != "row" && &*word.name != "column" {
            self.properties.entry(word.name.clone()).or_insert((arguments, word.span));
        }
    }

    fn remembers(&mut self, fact: &Expr) {
        if let Expr::Word(word) | Expr::Call(word, ..) = fact {
            let many = if let Expr::Call(_, arguments, _) = fact { arguments.len() } else { 0 };
            self.memories.entry(word.name.clone()).or_insert((many, word.span));
        }
    }

    /// A name means one thing.
    fn clashes(&self, mistakes: &mut Vec<Mistake>) {
        let mut known: BTreeMap<&str, (&str, Option<Span>)> = BTreeMap::new();
        let of_the_language = GIVEN.iter().map(|(name, _)| *name);
        let of_the_language =
            of_the_language.chain(MADE.iter().chain(words::RESERVED).copied()).chain(WAYS);
        for name in of_the_language {
            known.insert(name, ("a word of the language", None));
        }
        let parameters =
            self.parameters.iter().map(|(word, _)| (&word.name, word.span, "a parameter"));
        let players = self.players.iter().map(|word| (&word.name, word.span, "a player"));
        let properties =
            self.properties.iter().map(|(name, (_, span))| (name, *span, "a value that changes"));
        let memories =
            self.memories.iter().map(|(name, (_, span))| (name, *span, "a fact that changes"));
        let relations = self.relations.iter().map(|(name, span)| (name, *span, "a relation"));
        for (name, span, kind) in
            parameters.chain(players).chain(properties).chain(memories).chain(relations)
        {
            let core = CORE.iter().any(|(core, _)| *core == &**name);
            if core && kind == "a relation" {
                continue;
            }
            let before = known.get(&**name).copied();
            match before.or(core.then_some(("a word of the language", None))) {
                None => {
                    known.insert(name, (kind, Some(span)));
                }
                Some((before, place)) => {
                    let what = format!("'{name}' is {before} already");
                    let mistake = Mistake::new(span, what, "give one of the two another name");
                    mistakes.push(match place {
                        Some(place) => mistake.beside(place, "the first one"),
                        None => mistake,
                    });
                }
            }
        }
    }

    pub fn parameter(&self, name: &str) -> Option<&Value> {
        self.parameters.iter().find(|(word, _)| &*word.name == name).map(|(_, value)| value)
    }

    pub fn is_cell(&self, name: &str) -> bool {
        self.board.as_ref().is_some_and(|board| board.has(name))
    }

    /// A cell, or a word like `e9` that would be one on a larger board.
    pub fn is_like_a_cell(&self, name: &str) -> bool {
        let in_rows = self.board.as_ref().is_some_and(|board| board.size().is_some());
        let digits = name
            .get(1..)
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()));
        self.is_cell(name)
            || in_rows && digits && name.starts_with(|c: char| c.is_ascii_lowercase())
    }

    pub fn is_player(&self, name: &str) -> bool {
        self.players.iter().any(|word| &*word.name == name)
    }

    /// Players other than chance.
    pub fn people(&self) -> Vec<Name> {
        let people = self.players.iter().filter(|word| &*word.name != RANDOM);
        people.map(|word| word.name.clone()).collect()
    }

    pub fn has_chance(&self) -> bool {
        self.is_player(RANDOM)
    }

    pub fn meaning(&self, relation: &str) -> Option<Meaning> {
        if self.memories.contains_key(relation) {
            return Some(Meaning::Memory);
        }
        if let Some((many, _)) = self.properties.get(relation) {
            return Some(Meaning::Property(*many));
        }
        if let Some(Value::List(_)) = self.parameter(relation) {
            return Some(Meaning::List);
        }
        let many = |list: &[(&str, usize)]| {
            list.iter().find(|(name, _)| *name == relation).map(|(_, many)| *many)
        };
        match (many(CORE), many(GIVEN)) {
            (Some(many), _) => Some(Meaning::Core(many)),
            (None, Some(many)) => Some(Meaning::Given(many)),
            (None, None) => self.relations.contains_key(relation).then_some(Meaning::Relation),
        }
    }

    /// All names that a condition could mean.
    pub fn relations(&self) -> impl Iterator<Item = &str> {
        let given = GIVEN.iter().chain(CORE).map(|(name, _)| *name);
        let own = self.relations.keys().chain(self.memories.keys()).chain(self.properties.keys());
        let lists = self.parameters.iter().filter(|(_, value)| matches!(value, Value::List(_)));
        given.chain(own.map(|name| &**name)).chain(lists.map(|(word, _)| &*word.name))
    }

    /// What can be said to be on a cell, or of what a thing can be.
    pub fn nouns(&self) -> impl Iterator<Item = &str> {
        let own = self.relations.keys().chain(self.memories.keys()).map(|name| &**name);
        NOUNS.iter().copied().chain(own).chain(["empty", "mine", "theirs"]).chain(self.contents())
    }

    pub fn contents(&self) -> impl Iterator<Item = &str> {
        self.contents.iter().map(|name| &**name)
    }

    /// The number that an expression always has; `None` if it depends on something.
    pub fn constant(&self, of: &Expr) -> Option<Result<u32, Mistake>> {
        match of {
            Expr::Number(number, _) => Some(Ok(*number)),
            Expr::Word(word) => match self.parameter(&word.name)? {
                Value::Number(number) => Some(Ok(*number)),
                _ => None,
            },
            Expr::Sum(one, sign, other) => {
                let (one, other) = (self.constant(one)?, self.constant(other)?);
                let result = one.and_then(|one| Ok((one, other?)));
                Some(result.and_then(|(one, other)| computed(one, *sign, other, of.span())))
            }
            _ => None,
        }
    }
}

fn computed(one: u32, sign: char, other: u32, span: Span) -> Result<u32, Mistake> {
    let result = match sign {
        '+' => one.checked_add(other),
        '-' => one.checked_sub(other),
        '*' => one.checked_mul(other),
        _ => one.checked_div(other),
    };
    match result {
        Some(result) if result <= MOST => Ok(result),
        Some(result) => {
            let what = format!("{one} {sign} {other} is {result}");
            Err(Mistake::new(span, what, format!("numbers go from 0 to {MOST}")))
        }
        None if sign == '/' => Err(Mistake::new(span, "nothing can be divided by 0", "")),
        None => {
            let what = format!("{one} {sign} {other} is less than 0");
            Err(Mistake::new(span, what, format!("numbers go from 0 to {MOST}")))
        }
    }
}

/// The value of a parameter that was told.
fn parsed(text: &str) -> Option<Value> {
    let number = |text: &str| {
        let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u32>().ok().filter(|number| plain && *number <= MOST)
    };
    if let Some(one) = number(text) {
        return Some(Value::Number(one));
    }
    if text.contains('-') {
        let numbers: Option<Vec<u32>> = text.split('-').map(number).collect();
        return numbers.map(Value::List);
    }
    let word = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    word.then(|| Value::Word(text.into()))
}
