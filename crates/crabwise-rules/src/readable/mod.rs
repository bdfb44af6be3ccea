//! The readable form: statements, each from the left edge on, that become rules of the core.
//!
//! `lexer` cuts a text into statements, `parser` and `phrases` make a tree of each, `names` finds out what its names
//! mean, and the rest turns trees into rules: `lower` terms, `conditions` what follows an `if`, `moves`, `endings`, and
//! `facts` what of geometry and numbers is used. Nothing here knows how rules are played.

mod board;
mod conditions;
mod endings;
mod facts;
mod lexer;
mod lower;
#[cfg(test)]
mod meaning_tests;
mod moves;
mod names;
mod parser;
mod phrases;
#[cfg(test)]
mod tests;
mod tree;
mod words;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use self::{
    lexer::{Kind, Token},
    lower::{CONTENT, Lowering, Pairs, Scope, atom, constant},
    moves::{JOINED, asks_for_others},
    names::{Names, RANDOM},
    tree::{Expr, Start, Statement, Value},
};
use crate::{
    report::Mistake,
    syntax::{Hints, Name, Program, Rule, Span, Term},
};

/// Longer texts are no rules of a game.
pub const MOST_BYTES: usize = 1 << 16;
/// Nor are longer statements.
const MOST_TOKENS: usize = 1_000;

/// The rules that a text stands for, with these values for its parameters, or all that is wrong with it.
pub fn read(text: &str, parameters: &[(String, String)]) -> Result<Program, Vec<Mistake>> {
    if text.len() > MOST_BYTES {
        let what = format!("the text has more than {} KiB", MOST_BYTES / 1024);
        return Err(vec![Mistake::new(Span::default(), what, "rules of games are shorter")]);
    }
    let mut mistakes = vec![];
    let tokens = lexer::statements(text, &mut mistakes);
    let mut statements = vec![];
    let readable =
        |tokens: &&lexer::Statement| tokens.iter().all(|token| token.kind != Kind::Unreadable);
    for tokens in tokens.iter().filter(readable) {
        if let Some(token) = tokens.get(MOST_TOKENS) {
            let what = format!("this statement has more than {MOST_TOKENS} words");
            mistakes.push(Mistake::new(token.span, what, "say parts of it in rules of their own"));
            continue;
        }
        match parser::parse(text, tokens) {
            Ok(statement) => statements.push((statement, &tokens[..])),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    // What names mean is only found out of all statements together.
    if !mistakes.is_empty() {
        return Err(sorted(mistakes));
    }
    let trees: Vec<Statement> = statements.iter().map(|(tree, _)| tree.clone()).collect();
    let names = Names::of(&trees, parameters, &mut mistakes);
    once(&statements, &mut mistakes);
    let mut lowering = Lowering {
        text,
        names: &names,
        mistakes,
        rules: vec![],
        used: BTreeSet::new(),
        lines: BTreeSet::new(),
        blocks: BTreeSet::new(),
        chains: BTreeSet::new(),
        less: Pairs::default(),
        at_most: Pairs::default(),
        plus: Pairs::default(),
        largest: 0,
        counted: 0,
        made: vec![],
        named: HashMap::new(),
        size: 0,
    };
    lowering.statements(&statements);
    if !lowering.mistakes.is_empty() {
        return Err(sorted(lowering.mistakes));
    }
    let hints = hints(&trees, &lowering);
    Ok(Program { rules: arranged(lowering.rules), hints })
}

fn sorted(mut mistakes: Vec<Mistake>) -> Vec<Mistake> {
    mistakes.sort_by_key(|mistake| mistake.span.start);
    mistakes.dedup();
    mistakes
}

/// What can be said once only is not said twice.
fn once(statements: &[(Statement, &[Token])], mistakes: &mut Vec<Mistake>) {
    let mut said: HashMap<&str, Span> = HashMap::new();
    for (statement, tokens) in statements {
        let word = match statement {
            Statement::Title(_) => "game",
            Statement::About(_) => "about",
            Statement::Players(..) => "players",
            Statement::Board(_) => "board",
            Statement::Numbers(_) => "numbers",
            Statement::Start(Start::Picture(_)) => "start",
            Statement::Start(Start::ToMove(_)) => "start: … to move",
            _ => continue,
        };
        let span = tokens[0].span;
        if let Some(first) = said.insert(word, span) {
            let what = format!("'{word}' is said twice");
            mistakes.push(
                Mistake::new(span, what, "keep one of the two").beside(first, "the first one"),
            );
        }
    }
}

fn scope(tokens: &[Token]) -> Scope {
    let letters = tokens.iter().filter_map(|token| match token.kind {
        Kind::Variable(name) => Some((name.into(), token.span)),
        _ => None,
    });
    let (first, last) = (&tokens[0], &tokens[tokens.len() - 1]);
    Scope {
        me: None,
        sorts: HashMap::new(),
        letters: letters.collect(),
        line: first.line,
        span: first.span.to(last.span),
        fresh: 0,
    }
}

impl Lowering<'_> {
    fn statements(&mut self, statements: &[(Statement, &[Token])]) {
        // Without any statement there is nothing to underline.
        let Some((_, first)) = statements.first() else {
            return self.wrong(
                Span::default(),
                "there are no rules in it",
                "begin with: players x, o",
            );
        };
        let whole = Scope { span: first[0].span, letters: vec![], ..scope(first) };
        self.roles(&whole);
        let moves = statements.iter().filter_map(|(statement, _)| match statement {
            Statement::Move(told) => Some(told),
            _ => None,
        });
        let mut forms: BTreeMap<(Name, usize), usize> = BTreeMap::new();
        for told in moves {
            *forms.entry(self.form(told)).or_default() += 1;
            if told.condition.as_ref().is_some_and(asks_for_others) {
                self.uses("other_move");
            }
        }
        let mut endings = vec![];
        for (statement, tokens) in statements {
            let mut scope = scope(tokens);
            match statement {
                Statement::Start(start) => self.start(&mut scope, start),
                Statement::Move(told) => self.one_move(&mut scope, told, &forms),
                Statement::Ending(told) => endings.push(self.ending(scope, told)),
                Statement::Numbers(most) => {
                    let most = self.known(most, 1).unwrap_or(0);
                    self.largest = self.largest.max(most);
                }
                Statement::Sees(who, what, condition) => {
                    let who = self.player(&mut scope, who);
                    let mut body = vec![];
                    let what = self.term(&mut scope, what, &mut body);
                    condition
                        .iter()
                        .for_each(|phrase| self.condition(&mut scope, phrase, &mut body));
                    self.rule(&scope, atom("sees", vec![who, what], scope.span), body);
                }
                Statement::Rule(head, condition) => {
                    let mut body = vec![];
                    let (word, arguments): (_, &[Expr]) = match head {
                        Expr::Call(word, arguments, _) => (word, arguments),
                        Expr::Word(word) => (word, &[]),
                        _ => continue,
                    };
                    // Goals are numbers that nobody reckons with.
                    let largest = self.largest;
                    let terms =
                        arguments.iter().map(|one| self.term(&mut scope, one, &mut body)).collect();
                    if matches!(&*word.name, "goal" | "legal") {
                        self.largest = largest;
                    }
                    condition
                        .iter()
                        .for_each(|phrase| self.condition(&mut scope, phrase, &mut body));
                    self.rule(&scope, atom(&word.name, terms, head.span()), body);
                    if let (true, Some(form)) = (&*word.name == "legal", plain_move(arguments)) {
                        forms.entry(form).or_default();
                    }
                }
                Statement::Title(_)
                | Statement::About(_)
                | Statement::Players(..)
                | Statement::Parameters(_)
                | Statement::Board(_) => {}
            }
        }
        let starts = |rule: &Rule| &*rule.head.relation == "init" && begins(rule);
        if !self.names.at_once && !self.rules.iter().any(starts) {
            let first = self.names.players.first().map(|word| (word.name.clone(), word.span));
            if let Some((name, span)) = first {
                let control = Term::Function("control".into(), vec![constant(name, span)], span);
                self.rule(&whole, atom("init", vec![control], span), vec![]);
            }
        }
        self.frames(&whole);
        self.endings(&endings);
        let concluded = |lowering: &Self, relation: &str| {
            lowering.rules.iter().any(|rule| &*rule.head.relation == relation)
        };
        if forms.is_empty() {
            self.wrong(
                whole.span,
                "nobody has a move",
                "add a line such as: move C if C is empty then C becomes mine",
            );
        }
        if !concluded(self, "terminal") {
            self.wrong(
                whole.span,
                "nothing says when the game is over",
                "add a line such as: lose if cannot move",
            );
        }
        let forms: Vec<(Name, usize)> = forms.into_keys().collect();
        self.given_facts(&whole, &forms);
        self.made_always();
    }

    fn roles(&mut self, whole: &Scope) {
        let players: Vec<(Name, Span)> =
            self.names.players.iter().map(|word| (word.name.clone(), word.span)).collect();
        let people = self.names.people();
        match (&players[..], people.len()) {
            ([], _) => self.wrong(whole.span, "nobody plays", "add a line such as: players x, o"),
            (_, 2) => {}
            ([(_, first), ..], many) => {
                let span = first.to(players[players.len() - 1].1);
                let what = format!("there are {many} players");
                self.wrong(
                    span,
                    what,
                    format!("there must be two, and '{RANDOM}' where there is chance"),
                );
            }
        }
        for (name, span) in players {
            let term = constant(name, span);
            self.rules.push(Rule { head: atom("role", vec![term], span), body: vec![], span });
        }
    }
}

/// Whether a rule says who begins.
fn begins(rule: &Rule) -> bool {
    matches!(&rule.head.terms[..], [Term::Function(name, ..)] if &**name == "control")
}

/// The form of a move in a plain rule for legal moves.
fn plain_move(arguments: &[Expr]) -> Option<(Name, usize)> {
    match arguments {
        [_, Expr::Call(word, parts, _)] => Some((word.name.clone(), parts.len())),
        [_, Expr::Word(word)] => Some((word.name.clone(), 0)),
        _ => None,
    }
}

/// Rules in the order in which one reads them, those of one relation together.
fn arranged(rules: Vec<Rule>) -> Vec<Rule> {
    const ORDER: [&str; 8] = ["role", "init", "legal", "next", "sees", "terminal", "goal", ""];
    let mut order: Vec<Name> = ORDER.iter().map(|name| (*name).into()).collect();
    let mut ranked: Vec<(usize, Rule)> = vec![];
    for rule in rules {
        // Facts come last: there are many of them.
        let name = &rule.head.relation;
        let rank = order.iter().position(|known| known == name).unwrap_or_else(|| {
            order.push(name.clone());
            order.len() - 1
        });
        ranked.push((rank, rule));
    }
    let facts: BTreeSet<usize> = {
        let ruled: BTreeSet<usize> = ranked
            .iter()
            .filter(|(_, rule)| !rule.body.is_empty())
            .map(|(rank, _)| *rank)
            .collect();
        let all = ranked.iter().map(|(rank, _)| *rank);
        all.filter(|rank| *rank >= ORDER.len() && !ruled.contains(rank)).collect()
    };
    ranked.sort_by_key(|(rank, _)| (facts.contains(rank), *rank));
    ranked.into_iter().map(|(_, rule)| rule).collect()
}

fn hints(statements: &[Statement], lowering: &Lowering) -> Hints {
    let names = lowering.names;
    let text = |of: &dyn Fn(&Statement) -> Option<Name>| {
        statements.iter().find_map(of).map_or(String::new(), |name| name.to_string())
    };
    let joined = lowering.rules.iter().any(|rule| {
        matches!(&rule.head.terms[..], [_, Term::Function(name, ..)] if &**name == JOINED)
            && &*rule.head.relation == "legal"
    });
    let heads: BTreeSet<&Name> = lowering.rules.iter().map(|rule| &rule.head.relation).collect();
    let made = lowering.made.iter().filter(|(name, _)| heads.contains(name)).cloned().collect();
    Hints {
        title: text(&|statement| match statement {
            Statement::Title(title) => Some(title.clone()),
            _ => None,
        }),
        about: text(&|statement| match statement {
            Statement::About(about) => Some(about.clone()),
            _ => None,
        }),
        board: names.board.as_ref().map(|board| board.hint(CONTENT.into())),
        joined: joined.then(|| JOINED.into()),
        made,
        parameters: names
            .parameters
            .iter()
            .map(|(word, value)| (word.name.clone(), shown(value)))
            .collect(),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Word(word) => word.to_string(),
        Value::List(list) => list.iter().map(u32::to_string).collect::<Vec<_>>().join("-"),
    }
}
