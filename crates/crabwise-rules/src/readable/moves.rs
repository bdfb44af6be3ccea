//! Moves: when they are legal, and what they change.
//!
//! What no move touches stays. For the content of cells that is one rule, `(next (at ?c ?what))` from `(true (at ?c
//! ?what))` unless `(changed ?c)`, and `changed` follows only from moves that touch the cell, so that the net of a cell
//! has no other moves in it. A move onto a cell that must be empty changes nothing that was there, and is not
//! mentioned. Effects need no conditions of the move, for it was legal; those stay that tell what a letter stands for.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    lower::{
        CONTENT, Lowering, OPPONENT, Scope, Sort, atom, constant, holds, letters, now, variable,
    },
    tree::{Clause, Effect, Expr, Move, Phrase, Start, Word},
};
use crate::{
    check::variables,
    syntax::{Atom, Literal, Name, Span, Term},
};

/// The function of moves that have no name of their own.
pub(super) const JOINED: &str = "move";

/// A move whose conditions are worked out.
struct Legal {
    /// The player and the move.
    who: Term,
    what: Term,
    conditions: Vec<Literal>,
    /// Another statement has moves of the same form.
    shared: bool,
}

impl Lowering<'_> {
    /// The function and the number of arguments of a move.
    pub fn form(&self, told: &Move) -> (Name, usize) {
        match &told.pattern[..] {
            [Expr::Call(word, arguments, _)] => (word.name.clone(), arguments.len()),
            [Expr::Word(word)] => (word.name.clone(), 0),
            parts => (JOINED.into(), parts.len()),
        }
    }

    pub fn one_move(
        &mut self,
        scope: &mut Scope,
        told: &Move,
        forms: &BTreeMap<(Name, usize), usize>,
    ) {
        let who = match &told.by {
            Some(by) => self.player(scope, by),
            None => variable("me", told.span),
        };
        scope.me = Some(who.clone());
        let mut conditions = vec![];
        let parts: Vec<Term> = match &told.pattern[..] {
            [Expr::Call(_, arguments, _)] => {
                arguments.iter().map(|one| self.term(scope, one, &mut conditions)).collect()
            }
            [Expr::Word(_)] => vec![],
            parts => parts.iter().map(|one| self.part(scope, one, &mut conditions)).collect(),
        };
        let form = self.form(told);
        let pattern = told.pattern.first().map_or(told.span, Expr::span);
        let last = told.pattern.last().map_or(pattern, Expr::span);
        let what = Term::Function(form.0.clone(), parts, pattern.to(last));
        told.condition.iter().for_each(|phrase| self.condition(scope, phrase, &mut conditions));
        self.legal(scope, &who, &what, &conditions, told);
        let shared = forms.get(&form).is_some_and(|many| *many > 1);
        let legal = Legal { who, what, conditions, shared };
        told.clauses.iter().for_each(|clause| self.clause(scope, &legal, clause));
    }

    /// A part of a move between dashes: a cell where it names one.
    fn part(&mut self, scope: &mut Scope, expr: &Expr, body: &mut Vec<Literal>) -> Term {
        self.term(scope, expr, body)
    }

    fn legal(
        &mut self,
        scope: &Scope,
        who: &Term,
        what: &Term,
        conditions: &[Literal],
        told: &Move,
    ) {
        let mut body = vec![];
        if !self.names.at_once {
            body.push(now("control", vec![who.clone()], told.span));
        }
        if self.names.has_chance() && matches!(who, Term::Variable(..)) {
            self.uses("player");
            body.push(holds("player", vec![who.clone()], told.span));
        }
        body.extend_from_slice(conditions);
        let head = atom("legal", vec![who.clone(), what.clone()], what.span());
        if !self.used.contains("other_move") {
            return self.rule(scope, head, body);
        }
        let mut found = vec![];
        [who, what].into_iter().for_each(|term| variables(term, &mut found));
        let mut terms: Vec<Term> = vec![who.clone()];
        for (name, span) in found {
            let term = Term::Variable(name, span);
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        let relation = self.new_name(scope, "possible", told.span);
        let possible = atom(&relation, terms, told.span);
        self.rule(scope, possible.clone(), body);
        self.rule(scope, head, vec![Literal::Holds(possible.clone())]);
        if !told.condition.as_ref().is_some_and(asks_for_others) {
            let other = atom("other_move", vec![who.clone()], told.span);
            self.rule(scope, other, vec![Literal::Holds(possible)]);
        }
    }

    fn clause(&mut self, scope: &mut Scope, legal: &Legal, clause: &Clause) {
        let mut conditions = vec![];
        clause.condition.iter().for_each(|phrase| self.condition(scope, phrase, &mut conditions));
        for effect in &clause.effects {
            match effect {
                Effect::Becomes(thing, value, span) => {
                    self.becomes(scope, legal, &conditions, (thing, value.as_ref()), *span);
                }
                Effect::Remember(fact, span) => {
                    let mut value = vec![];
                    let Some(fact) = self.memory(scope, fact, &mut value) else { continue };
                    let head = atom("next", vec![fact], *span);
                    self.effect(scope, legal, &conditions, value, head);
                }
                Effect::Forget(fact, span) => {
                    let mut value = vec![];
                    let fact = self.memory(scope, fact, &mut value);
                    let Some(Term::Function(name, terms, _)) = fact else { continue };
                    let head = atom(&format!("forgotten_{name}"), terms, *span);
                    self.effect(scope, legal, &conditions, value, head);
                }
                Effect::Next(who, span) => {
                    let who = match who {
                        Some(who) => self.player(scope, who),
                        None => self.me(scope, *span),
                    };
                    let control = Term::Function("control".into(), vec![who], *span);
                    let head = atom("next", vec![control], *span);
                    self.effect(scope, legal, &conditions, vec![], head);
                    self.uses("turn_told");
                    self.effect(
                        scope,
                        legal,
                        &conditions,
                        vec![],
                        atom("turn_told", vec![], *span),
                    );
                }
                Effect::Sees(who, what, span) => {
                    let who = self.player(scope, who);
                    let mut value = vec![];
                    let what = self.term(scope, what, &mut value);
                    let head = atom("sees", vec![who, what], *span);
                    self.effect(scope, legal, &conditions, value, head);
                }
            }
        }
    }

    /// A fact that is remembered.
    fn memory(&mut self, scope: &mut Scope, fact: &Expr, body: &mut Vec<Literal>) -> Option<Term> {
        let (word, arguments): (&Word, &[Expr]) = match fact {
            Expr::Call(word, arguments, _) => (word, arguments),
            Expr::Word(word) => (word, &[]),
            other => {
                self.wrong(
                    other.span(),
                    "this is no fact",
                    "write one, as in: remember moved(King)",
                );
                return None;
            }
        };
        match self.names.memories.get(&word.name) {
            Some((many, _)) if *many == arguments.len() => {}
            Some((many, span)) => {
                let (what, remedy) = (
                    format!("'{}' has {} here", word.name, arguments.len()),
                    format!("it has {many}"),
                );
                let mistake = crate::report::Mistake::new(fact.span(), what, remedy);
                self.mistakes.push(mistake.beside(*span, "here"));
                return None;
            }
            None => {
                let what =
                    format!("'{}' is never remembered, so it cannot be forgotten", word.name);
                self.wrong(
                    word.span,
                    what,
                    "say 'remember' of it somewhere, or have it at the start",
                );
                return None;
            }
        }
        let terms = arguments.iter().map(|one| self.term(scope, one, body)).collect();
        Some(Term::Function(word.name.clone(), terms, fact.span()))
    }

    fn becomes(
        &mut self,
        scope: &mut Scope,
        legal: &Legal,
        conditions: &[Literal],
        (thing, value): (&Expr, Option<&Expr>),
        span: Span,
    ) {
        let mut place = vec![];
        let (function, mut terms, changed): (Name, Vec<Term>, String) = match self.property(thing) {
            Some((word, of)) => {
                let terms = of.into_iter().map(|of| self.term(scope, of, &mut place)).collect();
                (word.name.clone(), terms, format!("changed_{}", word.name))
            }
            None => {
                let cell = self.cell(scope, thing, &mut place);
                (CONTENT.into(), vec![cell], "changed".into())
            }
        };
        let content = &*function == CONTENT;
        let was_empty = content
            && legal.conditions.iter().any(|literal| {
                matches!(literal, Literal::Holds(atom) if &*atom.relation == "empty" && atom.terms == terms)
            });
        let with_place = [conditions, &place].concat();
        if !was_empty {
            let head = atom(&changed, terms.clone(), span);
            self.effect(scope, legal, &with_place, vec![], head);
        }
        let Some(value) = value else {
            if !content {
                self.wrong(
                    span,
                    "a value cannot become empty",
                    "give it a number, or forget a fact",
                );
            }
            return;
        };
        let mut more = vec![];
        let value = match content {
            true => self.content(scope, value, &mut more),
            false => {
                let value = self.term(scope, value, &mut more);
                if more.is_empty() {
                    value
                } else {
                    self.sort(scope, &value, Sort::Number);
                    value
                }
            }
        };
        terms.push(value);
        let head = atom("next", vec![Term::Function(function, terms, span)], span);
        self.effect(scope, legal, &with_place, more, head);
    }

    /// The name of a value that moves change, and of what it is.
    fn property<'e>(&self, thing: &'e Expr) -> Option<(&'e Word, Option<&'e Expr>)> {
        match thing {
            Expr::Of(name, of) => match &**name {
                Expr::Word(word) if self.names.properties.contains_key(&word.name) => {
                    Some((word, Some(of)))
                }
                _ => None,
            },
            Expr::Word(word) if self.names.properties.contains_key(&word.name) => {
                Some((word, None))
            }
            _ => None,
        }
    }

    /// A rule for what a move brings about: with the conditions of the move that its letters need.
    fn effect(
        &mut self,
        scope: &Scope,
        legal: &Legal,
        conditions: &[Literal],
        value: Vec<Literal>,
        head: Atom,
    ) {
        let names = |literal: &Literal| {
            let mut found = vec![];
            letters(literal, &mut found);
            found.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        let mut known = vec![];
        [&legal.who, &legal.what].into_iter().for_each(|term| variables(term, &mut known));
        let mut known: BTreeSet<Name> = known.into_iter().map(|(name, _)| name).collect();
        known.insert(OPPONENT.into());
        let mut found = vec![];
        head.terms.iter().for_each(|term| variables(term, &mut found));
        let mut needed: BTreeSet<Name> = found.into_iter().map(|(name, _)| name).collect();
        needed.extend(conditions.iter().chain(&value).flat_map(names));
        let mut taken = vec![legal.shared; legal.conditions.len()];
        loop {
            let before = taken.clone();
            for (literal, taken) in legal.conditions.iter().zip(&mut taken) {
                let own = names(literal);
                if own.iter().any(|name| needed.contains(name) && !known.contains(name)) {
                    *taken = true;
                    needed.extend(own);
                }
            }
            if taken == before {
                break;
            }
        }
        let does = holds("does", vec![legal.who.clone(), legal.what.clone()], legal.what.span());
        let mut body = vec![does];
        let kept = legal.conditions.iter().zip(taken).filter(|(_, taken)| *taken);
        body.extend(kept.map(|(literal, _)| literal.clone()));
        body.extend_from_slice(conditions);
        body.extend(value);
        self.rule(scope, head, body);
    }

    /// What holds at the start.
    pub fn start(&mut self, scope: &mut Scope, start: &Start) {
        match start {
            Start::ToMove(who) => {
                let who = self.player(scope, who);
                let control = Term::Function("control".into(), vec![who], scope.span);
                self.rule(scope, atom("init", vec![control], scope.span), vec![]);
            }
            Start::Facts(facts, condition) => {
                let mut body = vec![];
                condition.iter().for_each(|phrase| self.condition(scope, phrase, &mut body));
                for fact in facts {
                    let mut body = body.clone();
                    if let Some(term) = self.memory(scope, fact, &mut body) {
                        self.rule(scope, atom("init", vec![term], fact.span()), body);
                    }
                }
            }
            Start::Are(things, value, condition) => {
                let mut body = vec![];
                condition.iter().for_each(|phrase| self.condition(scope, phrase, &mut body));
                for thing in things {
                    let mut body = body.clone();
                    let (function, mut terms): (Name, Vec<Term>) = match self.property(thing) {
                        Some((word, of)) => {
                            let of = of.map(|of| self.term(scope, of, &mut body));
                            (word.name.clone(), of.into_iter().collect())
                        }
                        None => (CONTENT.into(), vec![self.cell(scope, thing, &mut body)]),
                    };
                    let content = &*function == CONTENT;
                    terms.push(if content {
                        self.content(scope, value, &mut body)
                    } else {
                        self.term(scope, value, &mut body)
                    });
                    let span = thing.span().to(value.span());
                    self.rule(
                        scope,
                        atom("init", vec![Term::Function(function, terms, span)], span),
                        body,
                    );
                }
            }
            Start::Picture(rows) => self.picture(scope, rows),
        }
    }

    fn picture(&mut self, scope: &Scope, rows: &[Vec<Word>]) {
        let Some(board) = &self.names.board else {
            return self.no_such_board(scope.span, "picture");
        };
        let Some((columns, down)) = board.size() else {
            return self.no_such_board(scope.span, "picture in rows");
        };
        if rows.len() != down as usize {
            let what = format!("this picture has {} rows", rows.len());
            return self.wrong(scope.span, what, format!("the board has {down}"));
        }
        let cells = board.cells.clone();
        for (y, row) in rows.iter().enumerate() {
            if row.len() != columns as usize {
                let span = row[0].span.to(row[row.len() - 1].span);
                let what = format!("this row has {} cells", row.len());
                self.wrong(span, what, format!("the board has {columns} columns"));
                continue;
            }
            for (x, word) in row.iter().enumerate().filter(|(_, word)| &*word.name != ".") {
                let named = word.name.starts_with(|c: char| c.is_lowercase())
                    && word.name.chars().all(|c| c.is_alphanumeric() || c == '_');
                if !named {
                    let what = format!("'{}' means nothing in a picture", word.name);
                    self.wrong(word.span, what, "a cell is . or what is on it, such as x");
                    continue;
                }
                let cell = constant(cells[y * columns as usize + x].clone(), word.span);
                let content = constant(word.name.clone(), word.span);
                let at = Term::Function(CONTENT.into(), vec![cell, content], word.span);
                self.rule(scope, atom("init", vec![at], word.span), vec![]);
            }
        }
    }

    /// What stays as it is, and whose turn comes next. To be told after all moves.
    pub fn frames(&mut self, scope: &Scope) {
        let span = scope.span;
        let concluded = |rules: &[crate::syntax::Rule], relation: &str| {
            rules.iter().any(|rule| &*rule.head.relation == relation)
        };
        let stays = |lowering: &mut Self,
                     function: &str,
                     arguments: usize,
                     value: bool,
                     changed: String| {
            let letter = |i| variable(&if i == 0 { "c".into() } else { format!("c{i}") }, span);
            let mut terms: Vec<Term> = (0..arguments).map(letter).collect();
            let mut all = terms.clone();
            all.extend(value.then(|| variable("what", span)));
            let fluent = Term::Function(function.into(), all, span);
            let mut body = vec![holds("true", vec![fluent.clone()], span)];
            if concluded(&lowering.rules, &changed) {
                body.push(Literal::Not(atom(&changed, std::mem::take(&mut terms), span)));
            }
            lowering.rule(scope, atom("next", vec![fluent], span), body);
        };
        if self.has_content() {
            stays(self, CONTENT, 1, true, "changed".into());
        }
        for (name, (arguments, _)) in &self.names.properties {
            stays(self, name, *arguments, true, format!("changed_{name}"));
        }
        for (name, (arguments, _)) in &self.names.memories {
            stays(self, name, *arguments, false, format!("forgotten_{name}"));
        }
        if self.names.at_once {
            return;
        }
        self.uses("turn_after");
        let (one, other) = (variable("p", span), variable("q", span));
        let mut body = vec![
            now("control", vec![one.clone()], span),
            holds("turn_after", vec![one.clone(), other.clone()], span),
        ];
        if concluded(&self.rules, "turn_told") {
            body.push(Literal::Not(atom("turn_told", vec![], span)));
        }
        let control = Term::Function("control".into(), vec![other], span);
        self.rule(scope, atom("next", vec![control], span), body);
        let noop = vec![
            holds("role", vec![one.clone()], span),
            Literal::Not(Atom {
                relation: "true".into(),
                terms: vec![Term::Function("control".into(), vec![one.clone()], span)],
                span,
            }),
        ];
        self.rule(scope, atom("legal", vec![one, constant("noop", span)], span), noop);
    }

    /// Whether anything is ever on a cell.
    pub fn has_content(&self) -> bool {
        self.rules.iter().any(|rule| {
            matches!(&rule.head.terms[..], [Term::Function(name, ..)] if &**name == CONTENT)
                && matches!(&*rule.head.relation, "init" | "next")
        })
    }
}

/// Whether a condition asks for other moves.
pub(super) fn asks_for_others(phrase: &Phrase) -> bool {
    match phrase {
        Phrase::All(parts) | Phrase::Any(parts, _) => parts.iter().any(asks_for_others),
        Phrase::Not(inner, _) => asks_for_others(inner),
        Phrase::NoOtherMove(_) => true,
        _ => false,
    }
}
