//! Tokens of one statement become its tree. The first mistake ends a statement; the next one is read all the same.

use super::{
    lexer::{Kind, Token},
    tree::{
        BoardKind, Clause, Effect, Ending, Expr, Move, Phrase, Result as Outcome, Start, Statement,
        Value, Word,
    },
    words,
};
use crate::{report::Mistake, syntax::Span};

pub(super) type Parsed<T> = std::result::Result<T, Mistake>;

/// Brackets in brackets.
const MOST_DEEP: usize = 40;

pub(super) struct Parser<'t, 'a> {
    text: &'a str,
    tokens: &'t [Token<'a>],
    at: usize,
    deep: usize,
    /// How many things had no letter.
    unnamed: usize,
}

/// The tree of a statement.
pub(super) fn parse<'a>(text: &'a str, tokens: &[Token<'a>]) -> Parsed<Statement> {
    let mut parser = Parser { text, tokens, at: 0, deep: 0, unnamed: 0 };
    parser.brackets()?;
    let statement = parser.statement()?;
    match parser.peek() {
        None => Ok(statement),
        Some(_) => Err(parser.unexpected(&["if", "then", "and", "or"])),
    }
}

impl<'t, 'a> Parser<'t, 'a> {
    pub fn peek(&self) -> Option<Kind<'a>> {
        self.after(0)
    }

    pub fn after(&self, more: usize) -> Option<Kind<'a>> {
        self.tokens.get(self.at + more).map(|token| token.kind)
    }

    /// The next token, or the place after the last one.
    pub fn here(&self) -> Span {
        match (self.tokens.get(self.at), self.tokens.last()) {
            (Some(token), _) => token.span,
            (None, Some(last)) => Span { start: last.span.end, end: last.span.end },
            (None, None) => Span::default(),
        }
    }

    /// From a place to the last token that was read.
    pub fn since(&self, start: Span) -> Span {
        match self.at.checked_sub(1).and_then(|last| self.tokens.get(last)) {
            Some(last) if last.span.end >= start.end => start.to(last.span),
            _ => start,
        }
    }

    /// A letter for something that has none; no letter of the writer's begins with a small one.
    pub fn unnamed(&mut self) -> crate::syntax::Name {
        self.unnamed += 1;
        if self.unnamed == 1 { "it".into() } else { format!("it{}", self.unnamed).into() }
    }

    pub fn step(&mut self) {
        self.at += 1;
    }

    pub fn eat(&mut self, word: &str) -> bool {
        let found = match self.peek() {
            Some(Kind::Word(next)) => next == word,
            Some(Kind::Sign(next)) => next == word,
            _ => false,
        };
        self.at += usize::from(found);
        found
    }

    pub fn is(&self, words: &[&str]) -> bool {
        matches!(self.peek(), Some(Kind::Word(next) | Kind::Sign(next)) if words.contains(&next))
    }

    pub fn need(&mut self, word: &str) -> Parsed<()> {
        match self.eat(word) {
            true => Ok(()),
            false => Err(self.unexpected(&[word])),
        }
    }

    /// What comes next does not belong here; one of these words would.
    pub fn unexpected(&self, expected: &[&str]) -> Mistake {
        let list = match expected {
            [] => String::new(),
            [one] => format!("'{one}'"),
            [first @ .., last] => {
                let first: Vec<_> = first.iter().map(|word| format!("'{word}'")).collect();
                format!("{} or '{last}'", first.join(", "))
            }
        };
        let Some(token) = self.tokens.get(self.at) else {
            return Mistake::new(
                self.here(),
                "the statement ends too soon",
                format!("{list} should follow"),
            );
        };
        match token.kind {
            Kind::Word(word) => {
                let what = format!("'{word}' is not understood here");
                let otherwise = format!("{list} could stand here");
                Mistake::new(
                    token.span,
                    what,
                    words::remedy(word, expected.iter().copied(), &otherwise),
                )
            }
            _ => {
                let shown = &self.text[token.span.start as usize..token.span.end as usize];
                let what = format!("'{shown}' is not understood here");
                Mistake::new(token.span, what, format!("{list} could stand here"))
            }
        }
    }

    pub fn deeper(&mut self) -> Parsed<()> {
        self.deep += 1;
        match self.deep <= MOST_DEEP {
            true => Ok(()),
            false => Err(Mistake::new(
                self.here(),
                "there are too many brackets in brackets",
                "say parts of it in rules of their own",
            )),
        }
    }

    pub fn shallower(&mut self) {
        self.deep -= 1;
    }

    /// Every bracket has its other half.
    fn brackets(&self) -> Parsed<()> {
        let mut open = vec![];
        for token in self.tokens {
            match token.kind {
                Kind::Sign("(") => open.push(token.span),
                Kind::Sign(")") if open.pop().is_none() => {
                    let what = "this bracket closes nothing";
                    return Err(Mistake::new(token.span, what, "take it out, or open one before"));
                }
                _ => {}
            }
        }
        match open.pop() {
            None => Ok(()),
            Some(span) => {
                Err(Mistake::new(span, "this bracket is never closed", "put a ) where it ends"))
            }
        }
    }

    /// The token after the bracket that closes the one that comes next.
    pub fn after_brackets(&self) -> Option<Kind<'a>> {
        let mut deep = 0_usize;
        for (i, token) in self.tokens[self.at..].iter().enumerate() {
            match token.kind {
                Kind::Sign("(") => deep += 1,
                Kind::Sign(")") => deep = deep.saturating_sub(1),
                _ => {}
            }
            if deep == 0 {
                return self.after(i + 1);
            }
        }
        None
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.here();
        if let (Some(Kind::Word(_)), Some(Kind::Sign("="))) = (self.peek(), self.after(1)) {
            return self.parameters();
        }
        let Some(Kind::Word(first)) = self.peek() else {
            return self.rule();
        };
        if !words::STATEMENTS.contains(&first) {
            return self.rule();
        }
        self.at += 1;
        match first {
            "game" => self.text("game").map(Statement::Title),
            "about" => self.text("about").map(Statement::About),
            "players" => self.players(),
            "board" => self.board(),
            "numbers" => {
                self.need("up")?;
                self.need("to")?;
                self.primary().map(Statement::Numbers)
            }
            "start" => self.start(),
            "move" => self.one_move(start),
            _ => self.ending(first, start),
        }
    }

    fn text(&mut self, statement: &str) -> Parsed<crate::syntax::Name> {
        match self.peek() {
            Some(Kind::Text(text)) => {
                self.at += 1;
                Ok(text.into())
            }
            _ => Err(Mistake::new(
                self.here(),
                format!("after '{statement}' comes a text in quotation marks"),
                format!("for example: {statement} \"Hex\""),
            )),
        }
    }

    /// A name that the writer gives to something.
    pub fn name(&mut self, of: &str) -> Parsed<Word> {
        let span = self.here();
        match self.peek() {
            Some(Kind::Word(name)) if words::RESERVED.contains(&name) => {
                let what = format!("'{name}' is a word of the language");
                Err(Mistake::new(span, what, format!("take another name for {of}")))
            }
            Some(Kind::Word(name)) => {
                self.at += 1;
                Ok(Word { name: name.into(), span })
            }
            Some(Kind::Variable(name)) => Err(Mistake::new(
                span,
                format!("'{name}' begins with a capital, and so it stands for anything"),
                format!("the name of {of} begins with a small letter: '{}'", name.to_lowercase()),
            )),
            None => Err(Mistake::new(span, format!("here the name of {of} is missing"), "")),
            Some(_) => Err(Mistake::new(span, format!("this is no name for {of}"), "")),
        }
    }

    fn players(&mut self) -> Parsed<Statement> {
        let mut players = vec![self.name("a player")?];
        while self.eat(",") {
            players.push(self.name("a player")?);
        }
        let at_once = self.eat("at");
        if at_once {
            self.need("once")?;
        }
        match self.peek() {
            Some(Kind::Word(_)) => Err(self.unexpected(&[",", "at once"])),
            _ => Ok(Statement::Players(players, at_once)),
        }
    }

    fn parameters(&mut self) -> Parsed<Statement> {
        let mut parameters = vec![];
        loop {
            let name = self.name("a parameter")?;
            self.need("=")?;
            parameters.push((name, self.value()?));
            if !self.eat(",") {
                break;
            }
        }
        match self.peek() {
            None => Ok(Statement::Parameters(parameters)),
            Some(_) => Err(Mistake::new(
                self.here(),
                "this does not belong to the value of a parameter",
                "a value is a number, a word, or numbers joined by dashes, such as 3-5-7",
            )),
        }
    }

    fn value(&mut self) -> Parsed<Value> {
        match self.peek() {
            Some(Kind::Number(first)) => {
                self.at += 1;
                let mut list = vec![first];
                while self.eat("-") {
                    match self.peek() {
                        Some(Kind::Number(next)) => list.push(next),
                        _ => return Err(self.no_value()),
                    }
                    self.at += 1;
                }
                Ok(if list.len() == 1 { Value::Number(first) } else { Value::List(list) })
            }
            Some(Kind::Word(word)) => {
                self.at += 1;
                Ok(Value::Word(word.into()))
            }
            _ => Err(self.no_value()),
        }
    }

    fn no_value(&self) -> Mistake {
        Mistake::new(
            self.here(),
            "here the value of a parameter is missing",
            "a value is a number, a word, or numbers joined by dashes, such as 3-5-7",
        )
    }

    fn board(&mut self) -> Parsed<Statement> {
        let kinds = ["grid", "hex", "graph"];
        let span = self.here();
        let kind = match self.peek() {
            Some(Kind::Word(kind)) if kinds.contains(&kind) => kind,
            Some(Kind::Word(other)) => {
                let otherwise = "boards are grid 4x4, hex 4x4, and graph a-b, b-c";
                let what = format!("there is no board of the kind '{other}'");
                return Err(Mistake::new(span, what, words::remedy(other, kinds, otherwise)));
            }
            _ => {
                let what = "here the kind of the board is missing";
                let remedy = "boards are grid 4x4, hex 4x4, and graph a-b, b-c";
                return Err(Mistake::new(span, what, remedy));
            }
        };
        self.at += 1;
        if kind == "graph" {
            return Ok(Statement::Board(BoardKind::Graph(self.chains()?)));
        }
        let columns = self.sum()?;
        if !self.eat("x") {
            let remedy = format!("write columns and rows, such as board {kind} 4x3");
            return Err(Mistake::new(self.here(), "here an 'x' is missing", remedy));
        }
        let rows = self.sum()?;
        let size = if kind == "grid" { BoardKind::Grid } else { BoardKind::Hexagons };
        Ok(Statement::Board(size(columns, rows)))
    }

    fn chains(&mut self) -> Parsed<Vec<Vec<Word>>> {
        let mut chains = vec![];
        loop {
            let mut chain = vec![self.cell_name()?];
            while self.eat("-") {
                chain.push(self.cell_name()?);
            }
            chains.push(chain);
            if !self.eat(",") {
                return Ok(chains);
            }
        }
    }

    fn cell_name(&mut self) -> Parsed<Word> {
        if let Some(Kind::Number(number)) = self.peek() {
            let word = Word { name: number.to_string().into(), span: self.here() };
            self.at += 1;
            return Ok(word);
        }
        self.name("a cell")
    }

    fn start(&mut self) -> Parsed<Statement> {
        let first = self.tokens[self.at - 1].line;
        let below = self.tokens.get(self.at).is_some_and(|token| token.line > first);
        if !self.eat(":") && below {
            return Ok(Statement::Start(Start::Picture(self.picture()?)));
        }
        let mut things = vec![self.sum()?];
        while self.eat(",") {
            things.push(self.sum()?);
        }
        if self.eat("to") {
            self.need("move")?;
            let [who] = <[Expr; 1]>::try_from(things).map_err(|things| {
                let remedy = "name one player, as in: start: o to move";
                Mistake::new(things[1].span(), "only one player begins", remedy)
            })?;
            return Ok(Statement::Start(Start::ToMove(who)));
        }
        if !self.eat("is") && !self.eat("are") {
            if let Some(alone) =
                things.iter().find(|thing| !matches!(thing, Expr::Call(..) | Expr::Word(_)))
            {
                let remedy = "say what is there, as in: start: a1 is x";
                return Err(Mistake::new(
                    alone.span(),
                    "this says nothing about the start",
                    remedy,
                ));
            }
            return Ok(Statement::Start(Start::Facts(things, self.condition_if()?)));
        }
        let value = self.sum()?;
        Ok(Statement::Start(Start::Are(things, value, self.condition_if()?)))
    }

    /// Rows of words with space between them, or of letters without.
    fn picture(&mut self) -> Parsed<Vec<Vec<Word>>> {
        let mut rows: Vec<Vec<Word>> = vec![];
        let mut tokens = &self.tokens[self.at..];
        while let Some(first) = tokens.first() {
            let count = tokens.iter().take_while(|token| token.line == first.line).count();
            let span = first.span.to(tokens[count - 1].span);
            let row = &self.text[span.start as usize..span.end as usize];
            let spaced = row.contains(char::is_whitespace);
            let mut words: Vec<Word> = vec![];
            let mut joins = false;
            for (at, character) in row.char_indices() {
                let start = span.start + at as u32;
                let end = start + character.len_utf8() as u32;
                match words.last_mut().filter(|_| joins && spaced) {
                    _ if character.is_whitespace() => {}
                    Some(word) => {
                        word.span.end = end;
                        word.name = format!("{}{character}", word.name).into();
                    }
                    None => {
                        let name = character.to_string().into();
                        words.push(Word { name, span: Span { start, end } });
                    }
                }
                joins = !character.is_whitespace();
            }
            rows.push(words);
            tokens = &tokens[count..];
        }
        self.at = self.tokens.len();
        Ok(rows)
    }

    fn one_move(&mut self, start: Span) -> Parsed<Statement> {
        let mut pattern = vec![self.primary()?];
        while self.eat("-") {
            pattern.push(self.primary()?);
        }
        let by = if self.eat("by") { Some(self.primary()?) } else { None };
        if self.peek().is_some() && !self.is(&["if", "then"]) {
            return Err(self.missing_if());
        }
        let condition = self.condition_if()?;
        let mut clauses = vec![];
        while self.is(&["then"]) {
            clauses.push(self.clause()?);
        }
        let span = self.since(start);
        Ok(Statement::Move(Move { pattern, by, condition, clauses, span }))
    }

    fn clause(&mut self) -> Parsed<Clause> {
        self.need("then")?;
        let mut effects = vec![self.effect()?];
        while self.eat("and") || self.eat(",") {
            effects.push(self.effect()?);
        }
        let condition = self.condition_if()?;
        if self.peek().is_some() && !self.is(&["then"]) {
            return Err(self.unexpected(&["and", "if", "then"]));
        }
        Ok(Clause { effects, condition })
    }

    fn effect(&mut self) -> Parsed<Effect> {
        let start = self.here();
        if self.eat("remember") {
            let fact = self.primary()?;
            return Ok(Effect::Remember(fact, self.since(start)));
        }
        if self.eat("forget") {
            let fact = self.primary()?;
            return Ok(Effect::Forget(fact, self.since(start)));
        }
        if self.is(&["move"]) {
            self.at += 1;
            self.need("again")?;
            return Ok(Effect::Next(None, self.since(start)));
        }
        let thing = self.sum()?;
        if self.eat("becomes") || self.eat("become") {
            let value = if self.eat("empty") { None } else { Some(self.sum()?) };
            return Ok(Effect::Becomes(thing, value, self.since(start)));
        }
        if self.eat("moves") {
            self.need("next")?;
            return Ok(Effect::Next(Some(thing), self.since(start)));
        }
        if self.eat("sees") {
            let what = self.sum()?;
            return Ok(Effect::Sees(thing, what, self.since(start)));
        }
        if self.is(&["is", "are", "="]) {
            let remedy = "'becomes' says what a move changes";
            return Err(Mistake::new(self.here(), "after 'then' nothing simply is so", remedy));
        }
        Err(self.unexpected(&["becomes", "moves next", "sees"]))
    }

    fn ending(&mut self, word: &str, start: Span) -> Parsed<Statement> {
        let result = match word {
            "win" => Outcome::Win,
            "lose" => Outcome::Lose,
            _ => Outcome::Tie,
        };
        let who = match self.eat("for") {
            true => Some(self.primary()?),
            false => None,
        };
        if !self.is(&["if"]) {
            return Err(self.missing_if());
        }
        let condition = self.condition_if()?.ok_or_else(|| self.missing_if())?;
        Ok(Statement::Ending(Ending { result, who, condition, span: self.since(start) }))
    }

    /// What stands here looks like a condition.
    fn missing_if(&self) -> Mistake {
        if let Some(Kind::Word(word)) = self.peek()
            && let Some(meant @ ("if" | "then" | "for" | "by")) =
                words::nearest(word, ["if", "then", "for", "by"])
        {
            let what = format!("'{word}' is not understood here");
            return Mistake::new(self.here(), what, format!("did you mean '{meant}'?"));
        }
        let remedy = "put 'if' before the condition";
        Mistake::new(self.here(), "here an 'if' is missing", remedy)
    }

    pub fn condition_if(&mut self) -> Parsed<Option<Phrase>> {
        match self.eat("if") {
            true => self.condition().map(Some),
            false => Ok(None),
        }
    }

    /// A relation and when it holds, or what somebody sees.
    fn rule(&mut self) -> Parsed<Statement> {
        let (start, begun) = (self.here(), self.at);
        let begins = matches!(self.after(1), Some(Kind::Sign("(") | Kind::Word("if" | "sees")));
        if let Some(Kind::Word(first)) = self.peek().filter(|_| !begins) {
            let known = words::STATEMENTS.iter().copied();
            let otherwise = "a rule is written: name(C) if …; a parameter: name = 3";
            let what = format!("no statement begins with '{first}'");
            return Err(Mistake::new(start, what, words::remedy(first, known, otherwise)));
        }
        let head = self.primary()?;
        if self.eat("sees") {
            let what = self.sum()?;
            return Ok(Statement::Sees(head, what, self.condition_if()?));
        }
        if !matches!(head, Expr::Call(..) | Expr::Word(_)) {
            self.at = begun;
            let remedy = "a rule is written: name(C) if …";
            return Err(Mistake::new(self.here(), "no statement begins like this", remedy));
        }
        if self.peek().is_some() && !self.is(&["if"]) {
            return Err(self.missing_if());
        }
        Ok(Statement::Rule(head, self.condition_if()?))
    }
}
