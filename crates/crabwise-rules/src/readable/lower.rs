//! Trees become rules of the core. Here: what all statements share, terms, and what closes a rule.
//!
//! Every letter of a rule must stand in a condition that holds. Where a text leaves that open and it is clear what a
//! letter stands for, a cell, a number or a player, [`Lowering::rule`] adds the condition.

use std::collections::{BTreeSet, HashMap};

use super::{
    lexer::MOST,
    names::{Meaning, Names},
    tree::{Direction, Expr, Group, Value, Word},
    words,
};
use crate::{
    check::variables,
    report::Mistake,
    syntax::{Atom, Literal, Name, Rule, Span, Term},
};

/// The relation that holds what is on the cells.
pub(super) const CONTENT: &str = "at";
/// Stands for the other player.
pub(super) const OPPONENT: &str = "opponent";

/// What a letter stands for, as far as its uses tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    Cell,
    Number,
    Player,
    /// What can be on a cell.
    Content,
}

/// A statement while its rules are made.
pub(super) struct Scope {
    /// Who is `me`.
    pub me: Option<Term>,
    pub sorts: HashMap<Name, Sort>,
    /// The letters of the statement where they stand.
    pub letters: Vec<(Name, Span)>,
    pub line: u32,
    pub span: Span,
    /// How many letters of our own there are.
    pub fresh: usize,
}

/// Pairs of numbers that a relation is asked for, as far as one of the two is known.
#[derive(Default)]
pub(super) struct Pairs {
    pub all: bool,
    pub left: BTreeSet<u32>,
    pub right: BTreeSet<u32>,
}

pub(super) struct Lowering<'a> {
    pub text: &'a str,
    pub names: &'a Names,
    pub mistakes: Vec<Mistake>,
    pub rules: Vec<Rule>,
    /// Relations of the board, of numbers and of players that are used.
    pub used: BTreeSet<&'static str>,
    pub lines: BTreeSet<(Direction, u32)>,
    pub blocks: BTreeSet<(u32, u32)>,
    pub chains: BTreeSet<Name>,
    pub less: Pairs,
    pub at_most: Pairs,
    pub plus: Pairs,
    /// The largest number that has to do with reckoning.
    pub largest: u32,
    /// Up to how many is counted.
    pub counted: u32,
    pub made: Vec<(Name, String)>,
    /// How often each kind of name was made for a line.
    pub named: HashMap<String, u32>,
    /// Literals of all rules together.
    pub size: usize,
}

/// A game with more literals than this is not solved anyway.
const MOST_LITERALS: usize = 1 << 20;

pub(super) fn constant(name: impl Into<Name>, span: Span) -> Term {
    Term::Function(name.into(), vec![], span)
}

pub(super) fn atom(relation: &str, terms: Vec<Term>, span: Span) -> Atom {
    Atom { relation: relation.into(), terms, span }
}

pub(super) fn holds(relation: &str, terms: Vec<Term>, span: Span) -> Literal {
    Literal::Holds(atom(relation, terms, span))
}

/// That something holds now.
pub(super) fn now(fluent: &str, terms: Vec<Term>, span: Span) -> Literal {
    holds("true", vec![Term::Function(fluent.into(), terms, span)], span)
}

pub(super) fn variable(name: &str, span: Span) -> Term {
    Term::Variable(name.into(), span)
}

/// The letters of a literal.
pub(super) fn letters(literal: &Literal, found: &mut Vec<(Name, Span)>) {
    match literal {
        Literal::Holds(atom) | Literal::Not(atom) => {
            atom.terms.iter().for_each(|term| variables(term, found));
        }
        Literal::Distinct(one, other, _) => {
            [one, other].into_iter().for_each(|term| variables(term, found))
        }
        Literal::Or(alternatives, _) => {
            alternatives.iter().flatten().for_each(|literal| letters(literal, found));
        }
    }
}

/// The letters that are bound where all of these hold.
fn bound(body: &[Literal]) -> BTreeSet<Name> {
    let mut names = BTreeSet::new();
    for literal in body {
        match literal {
            Literal::Holds(atom) => {
                let mut found = vec![];
                atom.terms.iter().for_each(|term| variables(term, &mut found));
                names.extend(found.into_iter().map(|(name, _)| name));
            }
            Literal::Or(alternatives, _) => {
                let mut each = alternatives.iter().map(|alternative| bound(alternative));
                let first = each.next().unwrap_or_default();
                names.extend(each.fold(first, |all, one| &all & &one));
            }
            Literal::Not(_) | Literal::Distinct(..) => {}
        }
    }
    names
}

impl Lowering<'_> {
    pub fn wrong(&mut self, span: Span, what: impl Into<String>, remedy: impl Into<String>) {
        self.mistakes.push(Mistake::new(span, what, remedy));
    }

    pub fn uses(&mut self, relation: &'static str) {
        self.used.insert(relation);
    }

    /// Adds a rule, with conditions for letters that have none.
    pub fn rule(&mut self, scope: &Scope, head: Atom, mut body: Vec<Literal>) {
        let mut found = vec![];
        head.terms.iter().for_each(|term| variables(term, &mut found));
        body.iter().for_each(|literal| letters(literal, &mut found));
        let told = |literal: &Literal| {
            matches!(literal, Literal::Holds(atom) if &*atom.relation == OPPONENT
                && matches!(&atom.terms[..], [_, Term::Variable(name, _)] if &**name == OPPONENT))
        };
        // That something is theirs says who they are only together with who I am.
        if let Some((name, span)) = found.iter().find(|(name, _)| &**name == OPPONENT).cloned()
            && !body.iter().any(told)
            && let Some(me) = scope.me.clone()
        {
            self.uses("opponent");
            body.insert(0, holds("opponent", vec![me, Term::Variable(name, span)], span));
        }
        for (name, span) in found {
            if bound(&body).contains(&name) {
                continue;
            }
            let is_me = matches!(&scope.me, Some(Term::Variable(me, _)) if *me == name);
            let relation = match scope.sorts.get(&name) {
                Some(Sort::Cell) => "cell",
                Some(Sort::Number) => "number",
                Some(Sort::Player) => "player",
                Some(Sort::Content) => "content",
                None if is_me => "player",
                None => continue,
            };
            self.uses(relation);
            body.insert(0, holds(relation, vec![Term::Variable(name, span)], span));
        }
        let before = self.size;
        self.size += 1 + body.len();
        if self.size <= MOST_LITERALS {
            self.rules.push(Rule { head, body, span: scope.span });
        } else if before <= MOST_LITERALS {
            let remedy = "take a smaller board, smaller numbers or fewer rules";
            self.wrong(scope.span, "with this the rules become too many", remedy);
        }
    }

    /// A relation of our own for a part of a condition, that holds for the letters which other parts of the statement
    /// have too.
    pub fn named_part(
        &mut self,
        scope: &Scope,
        kind: &str,
        body: Vec<Literal>,
        local: &[&Name],
        span: Span,
    ) -> Atom {
        let relation = self.new_name(scope, kind, span);
        let arguments = self.shared(scope, &body, local, span);
        let head = Atom { relation, terms: arguments, span };
        self.rule(scope, head.clone(), body);
        head
    }

    /// A name with the line in it, and what it stands for in the writer's words.
    pub fn new_name(&mut self, scope: &Scope, kind: &str, span: Span) -> Name {
        let base = format!("{kind}_line_{}", scope.line);
        let times = self.named.entry(base.clone()).or_default();
        *times += 1;
        let name: Name = if *times == 1 { base.into() } else { format!("{base}_{times}").into() };
        let quoted = self.quoted(span);
        let words =
            if matches!(kind, "some" | "other") { format!("against '{quoted}'") } else { quoted };
        self.made.push((name.clone(), words));
        name
    }

    /// A piece of the text on one line.
    pub fn quoted(&self, span: Span) -> String {
        let piece = self.text.get(span.start as usize..span.end as usize).unwrap_or("");
        piece.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The letters of some literals that stand outside of a piece of the text too.
    fn shared(&self, scope: &Scope, body: &[Literal], local: &[&Name], span: Span) -> Vec<Term> {
        let mut found = vec![];
        body.iter().for_each(|literal| letters(literal, &mut found));
        let inside = |at: &Span| span.start <= at.start && at.end <= span.end;
        let mut terms: Vec<Term> = vec![];
        if found.iter().any(|(name, _)| &**name == OPPONENT)
            && let Some(me @ Term::Variable(..)) = &scope.me
        {
            terms.push(me.clone());
        }
        for (name, at) in found {
            let is_me = matches!(&scope.me, Some(Term::Variable(me, _)) if *me == name);
            let outside = scope.letters.iter().any(|(other, at)| *other == name && !inside(at));
            let term = Term::Variable(name.clone(), at);
            if (is_me || outside) && !local.contains(&&name) && !terms.contains(&term) {
                terms.push(term);
            }
        }
        terms
    }

    /// A letter that the text does not have.
    pub fn fresh(&mut self, scope: &mut Scope, span: Span) -> Term {
        scope.fresh += 1;
        let name = if scope.fresh == 1 { "n".into() } else { format!("n{}", scope.fresh) };
        variable(&name, span)
    }

    pub fn number(&mut self, number: u32, span: Span) -> Term {
        self.largest = self.largest.max(number);
        constant(number.to_string(), span)
    }

    pub fn sort(&mut self, scope: &mut Scope, term: &Term, sort: Sort) {
        if let Term::Variable(name, _) = term {
            scope.sorts.entry(name.clone()).or_insert(sort);
        }
    }

    /// The number that an expression always has.
    pub fn folded(&mut self, expr: &Expr) -> Option<u32> {
        match self.names.constant(expr)? {
            Ok(number) => Some(number),
            Err(mistake) => {
                self.mistakes.push(mistake);
                Some(0)
            }
        }
    }

    pub fn me(&mut self, scope: &Scope, span: Span) -> Term {
        match &scope.me {
            Some(Term::Variable(name, _)) => Term::Variable(name.clone(), span),
            Some(Term::Function(name, ..)) => constant(name.clone(), span),
            None => {
                let word = self.quoted(span);
                let remedy = "name the player by a letter, as in: ahead(P, A, B) if A is P";
                self.wrong(span, format!("nobody is meant by '{word}' here"), remedy);
                constant("x", span)
            }
        }
    }

    pub fn opponent(&mut self, scope: &Scope, span: Span) -> Term {
        match self.me(scope, span) {
            Term::Variable(..) => variable(OPPONENT, span),
            Term::Function(me, ..) => {
                let other = self.names.people().into_iter().find(|name| *name != me);
                constant(other.unwrap_or(me), span)
            }
        }
    }

    /// What an expression stands for; conditions that it needs are added.
    pub fn term(&mut self, scope: &mut Scope, expr: &Expr, body: &mut Vec<Literal>) -> Term {
        if let Some(number) = self.folded(expr) {
            return self.number(number, expr.span());
        }
        match expr {
            Expr::Variable(word) => Term::Variable(word.name.clone(), word.span),
            Expr::Number(number, span) => self.number(*number, *span),
            Expr::Me(span) => self.me(scope, *span),
            Expr::Opponent(span) => self.opponent(scope, *span),
            Expr::Call(word, arguments, span) if !self.is_value(expr) => {
                let terms = arguments.iter().map(|one| self.term(scope, one, body)).collect();
                Term::Function(word.name.clone(), terms, *span)
            }
            Expr::Word(word) if !self.is_value(expr) => self.word(word),
            _ => {
                let value = self.fresh(scope, expr.span());
                self.value_is(scope, expr, value.clone(), body);
                value
            }
        }
    }

    /// A word that stands for itself, or for the value of a parameter.
    fn word(&mut self, word: &Word) -> Term {
        match self.names.parameter(&word.name) {
            Some(Value::Word(name)) => constant(name.clone(), word.span),
            Some(Value::List(_)) => {
                let remedy = format!("say which one: {}(1, N)", word.name);
                self.wrong(word.span, format!("'{}' is a list of numbers", word.name), remedy);
                constant(word.name.clone(), word.span)
            }
            _ => constant(word.name.clone(), word.span),
        }
    }

    /// Whether an expression stands for a value that has to be found out.
    pub fn is_value(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Of(..) | Expr::Content(..) | Expr::Count(..) | Expr::Sum(..) => true,
            Expr::Word(word) => self.names.meaning(&word.name) == Some(Meaning::Property(0)),
            _ => false,
        }
    }

    /// Adds that a value is this.
    pub fn value_is(
        &mut self,
        scope: &mut Scope,
        expr: &Expr,
        value: Term,
        body: &mut Vec<Literal>,
    ) {
        let span = expr.span();
        match expr {
            Expr::Of(name, of) => self.value_of(scope, name, of, value, body),
            Expr::Word(word) => body.push(now(&word.name, vec![value], span)),
            Expr::Content(cell, _) => {
                let cell = self.cell(scope, cell, body);
                body.push(now(CONTENT, vec![cell, value], span));
            }
            Expr::Count(group, _) => self.number_of(scope, group, value, span, body),
            Expr::Sum(one, sign, other) => {
                self.sum_is(scope, [one, other], *sign, value, span, body)
            }
            _ => {
                let term = self.term(scope, expr, body);
                self.same(scope, term, value, span, body);
            }
        }
    }

    fn value_of(
        &mut self,
        scope: &mut Scope,
        name: &Expr,
        of: &Expr,
        value: Term,
        body: &mut Vec<Literal>,
    ) {
        let span = name.span().to(of.span());
        let Expr::Word(word) = name else {
            let remedy = "a way is named after 'is' or 'lies', as in 'D is Way of C'";
            self.wrong(name.span(), "a letter with 'of' has no meaning here", remedy);
            return;
        };
        if let Some(side @ ("row" | "column")) = Some(&*word.name) {
            if self.names.board.as_ref().is_none_or(|board| board.size().is_none()) {
                self.no_such_board(word.span, &word.name);
            }
            let cell = self.cell(scope, of, body);
            self.sort(scope, &value, Sort::Number);
            let relation = if side == "row" { "row" } else { "column" };
            self.uses(relation);
            body.push(holds(relation, vec![cell, value], span));
            return;
        }
        let argument = self.term(scope, of, body);
        match self.names.meaning(&word.name) {
            Some(Meaning::Property(1)) => body.push(now(&word.name, vec![argument, value], span)),
            Some(Meaning::Relation) => body.push(holds(&word.name, vec![argument, value], span)),
            Some(Meaning::List) => {
                self.uses("number");
                body.push(holds(&word.name, vec![argument, value], span));
            }
            _ => {
                let known = ["row", "column", "content", "number"].into_iter();
                let known = known.chain(self.names.properties.keys().map(|name| &**name));
                let otherwise =
                    format!("say it at the start, as in: start: {} of 1 is 3", word.name);
                let remedy = words::remedy(&word.name, known, &otherwise);
                self.wrong(word.span, format!("nothing has a '{}'", word.name), remedy);
            }
        }
    }

    pub fn no_such_board(&mut self, span: Span, word: &str) {
        let (what, remedy) = match &self.names.board {
            None => ("there is no board".to_string(), "add a line such as: board grid 4x4"),
            Some(board) => (
                format!("{} has no '{word}'", board.words()),
                "boards in rows are grid 4x4 and hex 4x4",
            ),
        };
        self.wrong(span, what, remedy);
    }

    fn sum_is(
        &mut self,
        scope: &mut Scope,
        [one, other]: [&Expr; 2],
        sign: char,
        value: Term,
        span: Span,
        body: &mut Vec<Literal>,
    ) {
        let known = [self.folded(one), self.folded(other)];
        let [one, other] = [one, other].map(|part| self.term(scope, part, body));
        [&one, &other, &value].into_iter().for_each(|term| self.sort(scope, term, Sort::Number));
        // What is added comes second, where it is known.
        let (terms, added) = match (sign, known) {
            ('+', [Some(number), None]) => (vec![other, one, value], Some(number)),
            ('+', [_, number]) => (vec![one, other, value], number),
            ('-', [_, number]) => (vec![value, other, one], number),
            _ => {
                let remedy = "only numbers and parameters are multiplied and divided";
                self.wrong(span, format!("'{sign}' is not worked out during a game"), remedy);
                return;
            }
        };
        match added {
            Some(number) => _ = self.plus.right.insert(number),
            None => self.plus.all = true,
        }
        self.uses("plus");
        body.push(holds("plus", terms, span));
    }

    /// Adds that two things are the same one.
    pub fn same(
        &mut self,
        scope: &mut Scope,
        one: Term,
        other: Term,
        span: Span,
        body: &mut Vec<Literal>,
    ) {
        let sorts = [&one, &other].map(|term| match term {
            Term::Variable(name, _) => scope.sorts.get(name).copied(),
            Term::Function(..) => None,
        });
        if let Some(sort) = sorts[0].or(sorts[1]) {
            [&one, &other].into_iter().for_each(|term| self.sort(scope, term, sort));
        }
        match (&one, &other) {
            (Term::Function(..), Term::Function(..)) if one == other => {}
            (Term::Function(..), Term::Function(..)) => {
                body.push(Literal::Distinct(one.clone(), one, span));
            }
            _ => {
                self.uses("same");
                body.push(holds("same", vec![one, other], span));
            }
        }
    }

    /// A cell.
    pub fn cell(&mut self, scope: &mut Scope, expr: &Expr, body: &mut Vec<Literal>) -> Term {
        let Some(board) = &self.names.board else {
            self.no_such_board(expr.span(), "cell");
            return constant("a1", expr.span());
        };
        if let Expr::Me(span) | Expr::Opponent(span) = expr {
            let remedy = "compare players by = and !=, as in 'me = x'";
            self.wrong(*span, "a player is no cell", remedy);
        }
        let named = match expr {
            Expr::Word(word) if !self.is_value(expr) => Some(word.name.clone()),
            Expr::Number(number, _) => Some(number.to_string().into()),
            _ => None,
        };
        let Some(name) = named else {
            let term = self.term(scope, expr, body);
            self.sort(scope, &term, Sort::Cell);
            return term;
        };
        let name = match self.names.parameter(&name) {
            Some(Value::Word(told)) => told.clone(),
            Some(Value::Number(told)) => told.to_string().into(),
            _ => name,
        };
        if !board.has(&name) {
            let what = format!("{} has no cell '{name}'", board.words());
            let cells = board.cells.iter().map(|cell| &**cell);
            let (first, last) = (board.cells.first(), board.cells.last());
            let between = match (first, last) {
                (Some(first), Some(last)) => format!("its cells are {first} to {last}"),
                _ => String::new(),
            };
            let remedy = if self.names.is_like_a_cell(&name) {
                between
            } else {
                words::remedy(&name, cells, &between)
            };
            self.wrong(expr.span(), what, remedy);
        }
        constant(name, expr.span())
    }

    /// What can be on a cell.
    pub fn content(&mut self, scope: &mut Scope, expr: &Expr, body: &mut Vec<Literal>) -> Term {
        if let Expr::Word(word) = expr
            && self.names.parameter(&word.name).is_none()
            && !self.is_value(expr)
            && !self.names.contents.contains(&word.name)
        {
            let remedy = words::remedy(
                &word.name,
                self.names.nouns(),
                "nothing in the text puts it on the board",
            );
            self.wrong(word.span, format!("'{}' is not known", word.name), remedy);
        }
        let term = self.term(scope, expr, body);
        self.sort(scope, &term, Sort::Content);
        term
    }

    /// A player, by name or by a letter.
    pub fn player(&mut self, scope: &mut Scope, expr: &Expr) -> Term {
        if let Expr::Word(word) = expr
            && !self.names.is_player(&word.name)
        {
            let players: Vec<&str> = self.names.players.iter().map(|word| &*word.name).collect();
            let otherwise = format!("the players are {}", players.join(", "));
            let remedy = words::remedy(&word.name, players, &otherwise);
            self.wrong(word.span, format!("there is no player '{}'", word.name), remedy);
        }
        let mut body = vec![];
        let term = self.term(scope, expr, &mut body);
        if !body.is_empty() || matches!(expr, Expr::Number(..) | Expr::Call(..)) {
            self.wrong(expr.span(), "this is no player", "name one, or write a letter");
        }
        self.sort(scope, &term, Sort::Player);
        term
    }

    /// Adds what a group says of its letter.
    pub fn group(&mut self, scope: &mut Scope, group: &Group, body: &mut Vec<Literal>) {
        let term = Term::Variable(group.variable.name.clone(), group.variable.span);
        for noun in &group.nouns {
            self.noun(scope, noun, term.clone(), body);
        }
        group.that.iter().for_each(|phrase| self.condition(scope, phrase, body));
    }

    /// Adds that something is a corner, a cell, or what the writer's own rules say of it.
    pub fn noun(&mut self, scope: &mut Scope, word: &Word, of: Term, body: &mut Vec<Literal>) {
        let one = word.name.strip_suffix('s').unwrap_or(&word.name);
        let given = words::NOUNS.iter().find(|noun| **noun == one || **noun == &*word.name);
        if let Some(noun) = given.copied() {
            let sort = match noun {
                "number" => Some(Sort::Number),
                "player" => Some(Sort::Player),
                "straight" | "diagonal" => None,
                _ => Some(Sort::Cell),
            };
            sort.into_iter().for_each(|sort| self.sort(scope, &of, sort));
            self.given(noun, word.span);
            body.push(holds(noun, vec![of], word.span));
            return;
        }
        match self.names.meaning(&word.name) {
            Some(Meaning::Relation) => body.push(holds(&word.name, vec![of], word.span)),
            Some(Meaning::Memory) => body.push(now(&word.name, vec![of], word.span)),
            _ => {
                let remedy = words::remedy(
                    &word.name,
                    self.names.nouns(),
                    "write a rule that says what it is",
                );
                self.wrong(word.span, format!("'{}' is not known", word.name), remedy);
            }
        }
    }

    /// Notes that a relation of the board, of numbers or of players is used.
    pub fn given(&mut self, relation: &'static str, span: Span) {
        let has = |board: &super::board::Board| board.facts(relation).is_some();
        let everywhere = matches!(
            relation,
            "number" | "player" | "opponent" | "less" | "at_most" | "plus" | "same"
        );
        let boards = relation == "empty" || self.names.board.as_ref().is_some_and(has);
        if !everywhere && (self.names.board.is_none() || !boards) {
            self.no_such_board(span, relation);
        }
        self.uses(relation);
    }

    /// A number that must be known: how many in a line.
    pub fn known(&mut self, expr: &Expr, least: u32) -> Option<u32> {
        match self.folded(expr) {
            Some(number) if number >= least => Some(number),
            Some(number) => {
                self.wrong(
                    expr.span(),
                    format!("{number} is too few"),
                    format!("at least {least}"),
                );
                None
            }
            None => {
                let parameters = self.names.parameters.iter().map(|(word, _)| &*word.name);
                let otherwise = format!("write a number up to {MOST}, or a parameter");
                let remedy = match expr {
                    Expr::Word(word) => words::remedy(&word.name, parameters, &otherwise),
                    _ => otherwise,
                };
                self.wrong(expr.span(), "this is no number that is known before the game", remedy);
                None
            }
        }
    }
}
