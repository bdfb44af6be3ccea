//! Conditions and what they speak of.

use super::{
    lexer::Kind,
    parser::{Parsed, Parser},
    tree::{Direction, Expr, Group, Order, Phrase, Quantity, Word},
    words::NOUNS,
};
use crate::{report::Mistake, syntax::Span};

/// What can follow the thing that a condition speaks of.
const SAID: &[&str] =
    &["is", "are", "touches", "lies", "from", "in", "=", "!=", "<", "<=", ">", ">="];

impl Parser<'_, '_> {
    /// Parts joined by `and` or commas, or by `or`; not both side by side.
    pub fn condition(&mut self) -> Parsed<Phrase> {
        self.deeper()?;
        let start = self.here();
        let mut parts = vec![self.part()?];
        let mut joined: Option<(bool, Span)> = None;
        loop {
            let span = self.here();
            let or = match () {
                () if self.eat("and") || self.eat(",") => false,
                () if self.eat("or") => true,
                () => break,
            };
            if let Some((before, place)) = joined
                && before != or
            {
                let what = "'and' and 'or' stand side by side";
                let remedy = "put brackets around what belongs together";
                return Err(Mistake::new(span, what, remedy).beside(place, "the other one"));
            }
            joined = Some((or, span));
            parts.push(self.part()?);
        }
        self.shallower();
        Ok(match joined {
            None => parts.remove(0),
            Some((false, _)) => Phrase::All(parts),
            Some((true, _)) => Phrase::Any(parts, self.since(start)),
        })
    }

    fn part(&mut self) -> Parsed<Phrase> {
        let start = self.here();
        if self.eat("not") {
            self.deeper()?;
            let part = self.part()?;
            self.shallower();
            return Ok(Phrase::Not(Box::new(part), self.since(start)));
        }
        if self.is(&["("]) {
            let sum = matches!(self.after_brackets(), Some(Kind::Word(word)) if SAID.contains(&word))
                || matches!(self.after_brackets(), Some(Kind::Sign(sign)) if sign != "," && sign != ")");
            if !sum {
                self.need("(")?;
                let inner = self.condition()?;
                self.need(")")?;
                return Ok(inner);
            }
        }
        if let Some(phrase) = self.fixed(start)? {
            return Ok(phrase);
        }
        if let Some(quantity) = self.quantity()? {
            return self.quantified(quantity, start);
        }
        let thing = self.sum()?;
        self.said(thing, start)
    }

    /// Conditions that begin with words of their own.
    fn fixed(&mut self, start: Span) -> Parsed<Option<Phrase>> {
        if self.eat("cannot") {
            self.need("move")?;
            return Ok(Some(Phrase::CannotMove(self.since(start))));
        }
        if self.eat("my") {
            self.need("turn")?;
            return Ok(Some(Phrase::MyTurn(self.since(start))));
        }
        if self.is(&["no"]) && self.after(1) == Some(Kind::Word("other")) {
            self.eat("no");
            self.eat("other");
            self.need("move")?;
            return Ok(Some(Phrase::NoOtherMove(self.since(start))));
        }
        if self.eat("chain") {
            self.need("from")?;
            let from = self.noun()?;
            self.need("to")?;
            let to = self.noun()?;
            let who = self.is_who()?;
            return Ok(Some(Phrase::Chain([from, to], who, self.since(start))));
        }
        Ok(None)
    }

    fn noun(&mut self) -> Parsed<Word> {
        let span = self.here();
        match self.peek() {
            Some(Kind::Word(name)) if NOUNS.contains(&name.strip_suffix('s').unwrap_or(name)) => {
                self.step();
                Ok(Word { name: name.into(), span })
            }
            _ => self.name("a part of the board"),
        }
    }

    /// `is mine`, `are x`.
    fn is_who(&mut self) -> Parsed<Expr> {
        if !self.eat("is") && !self.eat("are") {
            return Err(self.unexpected(&["is", "are"]));
        }
        self.sum()
    }

    fn quantity(&mut self) -> Parsed<Option<Quantity>> {
        if self.eat("some") {
            return Ok(Some(Quantity::Some));
        }
        if self.eat("no") {
            return Ok(Some(Quantity::No));
        }
        if self.eat("every") {
            return Ok(Some(Quantity::Every));
        }
        if self.is(&["at"]) {
            self.eat("at");
            let quantity = match () {
                () if self.eat("least") => Quantity::AtLeast,
                () if self.eat("most") => Quantity::AtMost,
                () => return Err(self.unexpected(&["least", "most"])),
            };
            return self.primary().map(quantity).map(Some);
        }
        if self.eat("exactly") {
            return self.primary().map(Quantity::Exactly).map(Some);
        }
        Ok(None)
    }

    fn quantified(&mut self, quantity: Quantity, start: Span) -> Parsed<Phrase> {
        self.deeper()?;
        let group = self.group()?;
        let subject = Expr::Variable(group.variable.clone());
        let said = match self.is(SAID) {
            true => Some(Box::new(self.said(subject, start)?)),
            false if group.that.is_empty() => {
                return Err(self.unexpected(&["is", "are", "touches", "that"]));
            }
            false => None,
        };
        self.shallower();
        Ok(Phrase::Quantified(quantity, group, said, self.since(start)))
    }

    /// `corner C that touches D`.
    fn group(&mut self) -> Parsed<Group> {
        let start = self.here();
        let mut nouns = vec![];
        while let Some(Kind::Word(word)) = self.peek() {
            if SAID.contains(&word) || word == "that" {
                break;
            }
            nouns.push(self.noun()?);
        }
        let variable = match self.peek() {
            Some(Kind::Variable(name)) => {
                let span = self.here();
                self.step();
                Word { name: name.into(), span }
            }
            _ if nouns.is_empty() => {
                let remedy =
                    "say of what, as in 'no cell is empty' or 'some C that touches D is mine'";
                return Err(Mistake::new(self.here(), "here it is missing what is meant", remedy));
            }
            _ => Word { name: self.unnamed(), span: self.since(start) },
        };
        let subject = Expr::Variable(variable.clone());
        let mut that = vec![];
        if self.eat("that") {
            loop {
                let begun = self.here();
                that.push(self.said(subject.clone(), begun)?);
                let goes_on = self.is(&["and"])
                    && matches!(self.after(1), Some(Kind::Word("is" | "are" | "touches" | "lies")));
                if !goes_on {
                    break;
                }
                self.eat("and");
            }
        }
        Ok(Group { nouns, variable, that })
    }

    /// What is said of a thing.
    fn said(&mut self, thing: Expr, start: Span) -> Parsed<Phrase> {
        if self.eat("is") || self.eat("are") {
            return self.being(thing, start);
        }
        if self.eat("touches") {
            let other = self.sum()?;
            return Ok(Phrase::Touches(thing, other, self.since(start)));
        }
        if self.eat("lies") {
            let (way, from) = self.way_of()?;
            return Ok(Phrase::Lies(thing, way, from, self.since(start)));
        }
        if self.eat("from") {
            let low = self.sum()?;
            self.need("to")?;
            let high = self.sum()?;
            return Ok(Phrase::Range(thing, low, high, self.since(start)));
        }
        if self.eat("in") {
            return self.in_line(thing, start);
        }
        if matches!(thing, Expr::Number(..) | Expr::Word(_)) && self.eat("x") {
            let down = self.primary()?;
            self.need("block")?;
            let who = self.is_who()?;
            return Ok(Phrase::Block([thing, down], who, self.since(start)));
        }
        let orders = [
            ("=", Order::Equal),
            ("!=", Order::Different),
            ("<", Order::Less),
            ("<=", Order::AtMost),
            (">", Order::More),
            (">=", Order::AtLeast),
        ];
        if let Some((sign, order)) = orders.into_iter().find(|(sign, _)| self.is(&[*sign])) {
            self.eat(sign);
            let other = self.sum()?;
            return Ok(Phrase::Compare(thing, order, other, self.since(start)));
        }
        match thing {
            Expr::Call(..) => Ok(Phrase::Fact(thing, self.since(start))),
            Expr::Word(_) if !matches!(self.peek(), Some(Kind::Word(next)) if !GOES_ON.contains(&next)) => {
                Ok(Phrase::Fact(thing, self.since(start)))
            }
            _ => Err(self.unexpected(SAID)),
        }
    }

    fn way_of(&mut self) -> Parsed<(Expr, Expr)> {
        match self.sum()? {
            Expr::Of(way, from) => Ok((*way, *from)),
            other => {
                let remedy = "say from where, as in 'lies north of C'";
                Err(Mistake::new(other.span(), "here an 'of' is missing", remedy))
            }
        }
    }

    /// What comes after `is`.
    fn being(&mut self, thing: Expr, start: Span) -> Parsed<Phrase> {
        let not = self.here();
        let negated = self.eat("not");
        let phrase = match () {
            () if self.eat("empty") => Phrase::Empty(thing, self.since(start)),
            () => match self.sum()? {
                Expr::Of(way, from) => Phrase::IsOf(thing, *way, *from, self.since(start)),
                other => Phrase::Is(thing, other, self.since(start)),
            },
        };
        Ok(match negated {
            true => Phrase::Not(Box::new(phrase), self.since(not)),
            false => phrase,
        })
    }

    fn in_line(&mut self, count: Expr, start: Span) -> Parsed<Phrase> {
        let rows = [
            ("line", Direction::Line),
            ("row", Direction::Row),
            ("column", Direction::Column),
            ("diagonal", Direction::Diagonal),
        ];
        let Some((word, row)) = rows.into_iter().find(|(word, _)| self.is(&[*word])) else {
            return Err(self.unexpected(&["line", "row", "column", "diagonal"]));
        };
        self.eat(word);
        let who = self.is_who()?;
        Ok(Phrase::InLine(count, row, who, self.since(start)))
    }

    /// Things joined by + and −.
    pub fn sum(&mut self) -> Parsed<Expr> {
        self.deeper()?;
        let mut sum = self.product()?;
        while self.is(&["+", "-"]) {
            let sign = if self.is(&["+"]) { '+' } else { '-' };
            self.step();
            sum = Expr::Sum(Box::new(sum), sign, Box::new(self.product()?));
        }
        self.shallower();
        Ok(sum)
    }

    fn product(&mut self) -> Parsed<Expr> {
        let mut product = self.primary()?;
        while self.is(&["*", "/"]) {
            let sign = if self.is(&["*"]) { '*' } else { '/' };
            self.step();
            product = Expr::Sum(Box::new(product), sign, Box::new(self.primary()?));
        }
        Ok(product)
    }

    /// One thing, with its `of`.
    pub fn primary(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let thing = self.alone(start)?;
        if matches!(thing, Expr::Word(_) | Expr::Variable(_)) && self.eat("of") {
            self.deeper()?;
            let of = self.primary()?;
            self.shallower();
            return Ok(Expr::Of(Box::new(thing), Box::new(of)));
        }
        Ok(thing)
    }

    fn alone(&mut self, start: Span) -> Parsed<Expr> {
        let Some(next) = self.peek() else {
            let what = "the statement ends too soon";
            return Err(Mistake::new(start, what, "something should follow"));
        };
        match next {
            Kind::Variable(name) => {
                self.step();
                Ok(Expr::Variable(Word { name: name.into(), span: start }))
            }
            Kind::Number(number) => {
                self.step();
                Ok(Expr::Number(number, start))
            }
            Kind::Sign("(") => {
                self.step();
                let sum = self.sum()?;
                self.need(")")?;
                Ok(sum)
            }
            Kind::Word(name) if self.after(1) == Some(Kind::Sign("(")) => self.called(name, start),
            Kind::Word("me" | "mine") => {
                self.step();
                Ok(Expr::Me(start))
            }
            Kind::Word("opponent" | "theirs") => {
                self.step();
                Ok(Expr::Opponent(start))
            }
            Kind::Word("content") => {
                self.step();
                self.need("of")?;
                let cell = self.primary()?;
                Ok(Expr::Content(Box::new(cell), self.since(start)))
            }
            Kind::Word("number") if self.after(1) == Some(Kind::Word("of")) => {
                self.step();
                self.step();
                self.deeper()?;
                let group = self.group()?;
                self.shallower();
                Ok(Expr::Count(Box::new(group), self.since(start)))
            }
            Kind::Word(name) => self.called(name, start),
            Kind::Text(_) | Kind::Sign(_) | Kind::Unreadable => {
                let what = "here should stand a cell, a player, a number or another thing";
                Err(Mistake::new(start, what, ""))
            }
        }
    }

    /// A word, with its arguments if it has some.
    fn called(&mut self, name: &str, start: Span) -> Parsed<Expr> {
        // Statements of the core may be called by their names.
        let word = match self.after(1) == Some(Kind::Sign("(")) {
            true => {
                self.step();
                Word { name: name.into(), span: start }
            }
            false => self.name("a thing")?,
        };
        if !self.eat("(") {
            return Ok(Expr::Word(word));
        }
        self.deeper()?;
        let mut arguments = vec![];
        if !self.eat(")") {
            loop {
                arguments.push(self.sum()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.need(")")?;
        }
        self.shallower();
        Ok(Expr::Call(word, arguments, self.since(start)))
    }
}

/// What can follow a condition.
const GOES_ON: &[&str] = &["and", "or", "then", "if"];
