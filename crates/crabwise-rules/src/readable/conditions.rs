//! Conditions become literals of the core.

use super::{
    lower::{CONTENT, Lowering, Scope, Sort, atom, constant, holds, now, variable},
    names::Meaning,
    tree::{Direction, Expr, Group, Order, Phrase, Quantity, Word},
    words,
};
use crate::{
    report::Mistake,
    syntax::{Literal, Name, Span, Term},
};

impl Lowering<'_> {
    /// Adds the literals that a condition stands for.
    pub fn condition(&mut self, scope: &mut Scope, phrase: &Phrase, body: &mut Vec<Literal>) {
        match phrase {
            Phrase::All(parts) => parts.iter().for_each(|part| self.condition(scope, part, body)),
            Phrase::Any(parts, span) => {
                let mut alternative = |part| {
                    let mut literals = vec![];
                    self.condition(scope, part, &mut literals);
                    literals
                };
                let alternatives = parts.iter().map(&mut alternative).collect();
                body.push(Literal::Or(alternatives, *span));
            }
            Phrase::Not(inner, span) => self.negated(scope, inner, *span, body),
            Phrase::Empty(cell, span) => {
                let cell = self.cell(scope, cell, body);
                self.uses("empty");
                body.push(holds("empty", vec![cell], *span));
            }
            Phrase::Is(one, other, span) => self.being(scope, one, other, *span, body),
            Phrase::IsOf(one, way, of, span) => self.being_of(scope, one, [way, of], *span, body),
            Phrase::Lies(one, way, from, span) => {
                self.step(scope, "lies", [from, way, one], *span, body);
            }
            Phrase::Touches(one, other, span) => {
                let terms = [one, other].map(|cell| self.cell(scope, cell, body)).to_vec();
                self.uses("touches");
                body.push(holds("touches", terms, *span));
            }
            Phrase::Compare(one, order, other, span) => {
                self.compare(scope, [one, other], *order, *span, body);
            }
            Phrase::Range(of, low, high, span) => self.range(scope, [of, low, high], *span, body),
            Phrase::Fact(fact, span) => self.fact(scope, fact, *span, body),
            Phrase::Quantified(quantity, group, said, span) => {
                self.quantified(scope, quantity, group, said.as_deref(), *span, body);
            }
            Phrase::InLine(count, row, who, span) => {
                self.in_line(scope, count, *row, who, *span, body);
            }
            Phrase::Block(sides, who, span) => self.block(scope, sides, who, *span, body),
            Phrase::Chain(ends, who, span) => self.chain(scope, ends, who, *span, body),
            Phrase::CannotMove(span) => {
                let me = self.me(scope, *span);
                if !self.names.at_once {
                    body.push(now("control", vec![me.clone()], *span));
                }
                self.uses("can_move");
                body.push(Literal::Not(atom("can_move", vec![me], *span)));
            }
            Phrase::NoOtherMove(span) => {
                let me = self.me(scope, *span);
                body.push(Literal::Not(atom("other_move", vec![me], *span)));
            }
            Phrase::MyTurn(span) => {
                let me = self.me(scope, *span);
                body.push(now("control", vec![me], *span));
            }
        }
    }

    /// What is denied is a single literal, or a relation of its own.
    fn negated(&mut self, scope: &mut Scope, phrase: &Phrase, span: Span, body: &mut Vec<Literal>) {
        if let Phrase::Compare(one, order, other, of) = phrase {
            let opposite = match order {
                Order::Equal => Order::Different,
                Order::Different => Order::Equal,
                Order::Less => Order::AtLeast,
                Order::AtMost => Order::More,
                Order::More => Order::AtMost,
                Order::AtLeast => Order::Less,
            };
            return self.compare(scope, [one, other], opposite, *of, body);
        }
        let mut inner = vec![];
        self.condition(scope, phrase, &mut inner);
        if let [Literal::Holds(atom)] = &inner[..] {
            return body.push(Literal::Not(atom.clone()));
        }
        if inner.is_empty() {
            let never = constant("never", span);
            return body.push(Literal::Distinct(never.clone(), never, span));
        }
        let part = self.named_part(scope, "so", inner, &[], span);
        body.push(Literal::Not(part));
    }

    fn being(
        &mut self,
        scope: &mut Scope,
        one: &Expr,
        other: &Expr,
        span: Span,
        body: &mut Vec<Literal>,
    ) {
        if self.is_value(one) || self.is_value(other) {
            return self.compare(scope, [one, other], Order::Equal, span, body);
        }
        if let Expr::Word(word) = other
            && !self.names.contents.contains(&word.name)
            && self.names.parameter(&word.name).is_none()
        {
            let of = self.term(scope, one, body);
            return self.noun(scope, word, of, body);
        }
        let cell = self.cell(scope, one, body);
        let content = self.content(scope, other, body);
        body.push(now(CONTENT, vec![cell, content], span));
    }

    /// `D is Way of C`, or `N is row of C`.
    fn being_of(
        &mut self,
        scope: &mut Scope,
        one: &Expr,
        [way, of]: [&Expr; 2],
        span: Span,
        body: &mut Vec<Literal>,
    ) {
        if let Expr::Word(word) = way {
            let known = self.names.meaning(&word.name);
            let value = matches!(&*word.name, "row" | "column")
                || matches!(known, Some(Meaning::Property(1) | Meaning::Relation | Meaning::List));
            if value {
                let value = Expr::Of(Box::new(way.clone()), Box::new(of.clone()));
                return self.compare(scope, [one, &value], Order::Equal, span, body);
            }
        }
        self.step(scope, "step", [of, way, one], span, body);
    }

    fn step(
        &mut self,
        scope: &mut Scope,
        relation: &'static str,
        [from, way, to]: [&Expr; 3],
        span: Span,
        body: &mut Vec<Literal>,
    ) {
        if let (Expr::Word(word), Some(board)) = (way, &self.names.board)
            && !board.has_way(&word.name)
        {
            let known = words::WAYS.into_iter().filter(|way| board.has_way(way));
            let list: Vec<&str> = known.clone().collect();
            let otherwise = format!("the ways are {}", list.join(", "));
            let remedy = words::remedy(&word.name, known, &otherwise);
            let what = format!("{} has no way '{}'", board.words(), word.name);
            self.wrong(word.span, what, if list.is_empty() { String::new() } else { remedy });
            return;
        }
        let from = self.cell(scope, from, body);
        let to = self.cell(scope, to, body);
        let way = self.term(scope, way, body);
        self.given(relation, span);
        body.push(holds(relation, vec![from, way, to], span));
    }

    fn compare(
        &mut self,
        scope: &mut Scope,
        [one, other]: [&Expr; 2],
        order: Order,
        span: Span,
        body: &mut Vec<Literal>,
    ) {
        self.on_the_board(one, other, order);
        self.on_the_board(other, one, order);
        if order == Order::Equal {
            // What is known is put in where the value is asked for.
            let (value, known) = if self.is_value(one) && self.folded(one).is_none() {
                (one, other)
            } else {
                (other, one)
            };
            let term = self.term(scope, known, body);
            if self.folded(value).is_none() && self.is_value(value) {
                return self.value_is(scope, value, term, body);
            }
            let value = self.term(scope, value, body);
            return self.same(scope, term, value, span, body);
        }
        let known = [self.folded(one), self.folded(other)];
        let [one, other] = [one, other].map(|part| self.term(scope, part, body));
        if order == Order::Different {
            return body.push(Literal::Distinct(one, other, span));
        }
        let ([one, other], known) = match order {
            Order::More | Order::AtLeast => ([other, one], [known[1], known[0]]),
            _ => ([one, other], known),
        };
        let relation = match order {
            Order::Less | Order::More => "less",
            _ => "at_most",
        };
        self.ordered(scope, relation, [one, other], known, span, body);
    }

    fn ordered(
        &mut self,
        scope: &mut Scope,
        relation: &'static str,
        terms: [Term; 2],
        known: [Option<u32>; 2],
        span: Span,
        body: &mut Vec<Literal>,
    ) {
        terms.iter().for_each(|term| self.sort(scope, term, Sort::Number));
        let pairs = if relation == "less" { &mut self.less } else { &mut self.at_most };
        match known {
            [Some(one), Some(other)] => {
                let true_always = one < other || relation == "at_most" && one == other;
                if !true_always {
                    let never = constant("never", span);
                    body.push(Literal::Distinct(never.clone(), never, span));
                }
                return;
            }
            [Some(one), None] => _ = pairs.left.insert(one),
            [None, Some(other)] => _ = pairs.right.insert(other),
            [None, None] => pairs.all = true,
        }
        self.uses(relation);
        body.push(holds(relation, terms.to_vec(), span));
    }

    /// No row or column beyond the last one is meant.
    fn on_the_board(&mut self, one: &Expr, other: &Expr, order: Order) {
        let (Expr::Of(name, _), Some((columns, rows))) =
            (one, self.names.board.as_ref().and_then(|board| board.size()))
        else {
            return;
        };
        let Expr::Word(word) = &**name else { return };
        let most = match &*word.name {
            "row" => rows,
            "column" => columns,
            _ => return,
        };
        if let (Order::Equal, Some(Ok(number))) = (order, self.names.constant(other))
            && !(1..=most).contains(&number)
        {
            let what = format!("there is no {} {number}", word.name);
            self.wrong(other.span(), what, format!("they go from 1 to {most}"));
        }
    }

    fn range(&mut self, scope: &mut Scope, parts: [&Expr; 3], span: Span, body: &mut Vec<Literal>) {
        let [_, low, high] = parts.map(|part| self.folded(part));
        if let (Some(first), Some(last)) = (low, high)
            && first > last
        {
            let what = format!("there is no number from {first} to {last}");
            self.wrong(parts[1].span().to(parts[2].span()), what, "write the smaller number first");
        }
        let [of, first, last] = parts.map(|part| self.term(scope, part, body));
        self.ordered(scope, "at_most", [first, of.clone()], [low, None], span, body);
        self.ordered(scope, "at_most", [of, last], [None, high], span, body);
    }

    /// A relation with its arguments.
    fn fact(&mut self, scope: &mut Scope, fact: &Expr, span: Span, body: &mut Vec<Literal>) {
        let (word, arguments): (&Word, &[Expr]) = match fact {
            Expr::Call(word, arguments, _) => (word, arguments),
            Expr::Word(word) => (word, &[]),
            _ => return,
        };
        let name = &*word.name;
        let terms: Vec<Term> = arguments.iter().map(|one| self.term(scope, one, body)).collect();
        let many = match self.names.meaning(name) {
            Some(Meaning::Memory) => return body.push(now(name, terms, span)),
            Some(Meaning::Property(many)) => {
                body.push(now(name, terms, span));
                many + 1
            }
            Some(Meaning::Core(2)) if name == "distinct" && terms.len() == 2 => {
                let [one, other] = <[Term; 2]>::try_from(terms).expect("there are two");
                return body.push(Literal::Distinct(one, other, span));
            }
            Some(Meaning::Core(_) | Meaning::Relation) => {
                return body.push(holds(name, terms, span));
            }
            Some(Meaning::List) => {
                body.push(holds(name, terms, span));
                2
            }
            Some(Meaning::Given(many)) => {
                self.given_fact(scope, word, &terms);
                body.push(holds(name, terms, span));
                many
            }
            None if matches!(name, CONTENT | "control") => {
                return body.push(now(name, terms, span));
            }
            None => {
                let otherwise = format!("write a rule that says when it holds: {name}(…) if …");
                let remedy = words::remedy(name, self.names.relations(), &otherwise);
                return self.wrong(word.span, format!("'{name}' is not known"), remedy);
            }
        };
        if arguments.len() != many {
            let things = if many == 1 { "thing" } else { "things" };
            let what = format!("'{name}' has {} here", arguments.len());
            self.wrong(span, what, format!("it is said of {many} {things}"));
        }
    }

    /// A relation of the board or of numbers, called by its name.
    fn given_fact(&mut self, scope: &mut Scope, word: &Word, terms: &[Term]) {
        const CELLS: [&str; 7] = ["cell", "corner", "edge", "top", "bottom", "left", "right"];
        let name = &*word.name;
        let known = [
            "row", "column", "step", "lies", "touches", "beside", "opponent", "less", "at_most",
            "plus", "same", "empty",
        ];
        let given = known.iter().chain(words::NOUNS).find(|known| **known == name);
        let Some(given) = given.copied() else { return };
        match given {
            "less" => self.less.all = true,
            "at_most" => self.at_most.all = true,
            "plus" => self.plus.all = true,
            _ => {}
        }
        self.given(given, word.span);
        let both = matches!(given, "touches" | "beside");
        let ends = matches!(given, "step" | "lies");
        let first = CELLS.contains(&given) || matches!(given, "row" | "column" | "empty");
        for (i, term) in terms.iter().enumerate() {
            let cell = both || ends && i != 1 || first && i == 0;
            let number = matches!(given, "less" | "at_most" | "plus" | "number")
                || matches!(given, "row" | "column") && i == 1;
            if cell {
                self.sort(scope, term, Sort::Cell);
            } else if number {
                self.sort(scope, term, Sort::Number);
            } else if matches!(given, "player" | "opponent") {
                self.sort(scope, term, Sort::Player);
            }
        }
    }

    fn quantified(
        &mut self,
        scope: &mut Scope,
        quantity: &Quantity,
        group: &Group,
        said: Option<&Phrase>,
        span: Span,
        body: &mut Vec<Literal>,
    ) {
        if matches!(quantity, Quantity::Some) {
            self.group(scope, group, body);
            said.into_iter().for_each(|said| self.condition(scope, said, body));
            return;
        }
        let letter = &group.variable.name;
        let mut inner = vec![];
        self.group(scope, group, &mut inner);
        let kind = match (quantity, said) {
            (Quantity::Every, None) => {
                self.wrong(
                    span,
                    "it is not said what is so for every one of them",
                    "go on with 'is', 'touches' or the like",
                );
                return;
            }
            (Quantity::Every, Some(said)) => {
                self.negated(scope, said, span, &mut inner);
                "other"
            }
            (_, said) => {
                said.into_iter().for_each(|said| self.condition(scope, said, &mut inner));
                "some"
            }
        };
        let counts = |expr: &Expr, lowering: &mut Self| lowering.known(expr, 0);
        let (at_least, below) = match quantity {
            Quantity::Some | Quantity::No | Quantity::Every => {
                let part = self.named_part(scope, kind, inner, &[letter], span);
                return body.push(Literal::Not(part));
            }
            Quantity::AtLeast(number) => (counts(number, self), None),
            Quantity::AtMost(number) => (Some(0), counts(number, self).map(|most| most + 1)),
            Quantity::Exactly(number) => {
                let number = counts(number, self);
                (number, number.map(|number| number + 1))
            }
        };
        let (arguments, relation) =
            self.counter(scope, inner, letter, span, at_least.max(below).unwrap_or(0));
        let reaches = |number: u32| {
            let mut terms = arguments.clone();
            terms.push(constant(number.to_string(), span));
            atom(&relation, terms, span)
        };
        if let Some(number @ 1..) = at_least {
            body.push(Literal::Holds(reaches(number)));
        }
        if let Some(number) = below {
            body.push(Literal::Not(reaches(number)));
        }
    }

    /// A relation that holds for all numbers up to how many cells there are of a kind, and its other arguments: cell by
    /// cell it is kept how many there are up to there.
    fn counter(
        &mut self,
        scope: &mut Scope,
        inner: Vec<Literal>,
        letter: &Name,
        span: Span,
        most: u32,
    ) -> (Vec<Term>, Name) {
        let it = Term::Variable(letter.clone(), span);
        match scope.sorts.get(letter) {
            Some(Sort::Cell) => {}
            _ => {
                let remedy = "count cells, as in 'at least 2 corners are mine'";
                self.wrong(span, "only cells can be counted", remedy);
            }
        }
        let most =
            most.min(self.names.board.as_ref().map_or(0, |board| board.cells.len() as u32) + 1);
        self.counted = self.counted.max(most);
        ["next_cell", "counts_on"].into_iter().for_each(|relation| self.uses(relation));
        let item = self.named_part(scope, "counted", inner, &[letter], span);
        let arguments = item.terms;
        let with = |more: &[Term]| [&arguments[..], more].concat();
        let one_more = self.new_name(scope, "so_many", span);
        let up_to = self.new_name(scope, "many", span);
        let (next, few, many) =
            (variable("next", span), variable("few", span), variable("many", span));
        let counted = |of: &Term| holds(&item.relation, with(std::slice::from_ref(of)), span);
        let to =
            |of: &Term, number: &Term| atom(&one_more, with(&[of.clone(), number.clone()]), span);
        let on = holds("next_cell", vec![it.clone(), next.clone()], span);
        let first = constant("1", span);
        // The item is said of its letter, too.
        let head = atom(&item.relation, with(std::slice::from_ref(&it)), span);
        let rule = self.rules.iter_mut().rev().find(|rule| rule.head.relation == item.relation);
        rule.expect("it was just made").head = head;
        self.rule(scope, to(&it, &first), vec![counted(&it)]);
        self.rule(scope, to(&next, &few), vec![Literal::Holds(to(&it, &few)), on.clone()]);
        let more = holds("counts_on", vec![few.clone(), many.clone()], span);
        self.rule(
            scope,
            to(&next, &many),
            vec![Literal::Holds(to(&it, &few)), on, counted(&next), more],
        );
        let last = self.names.board.as_ref().and_then(|board| board.cells.last().cloned());
        let last = constant(last.unwrap_or("a1".into()), span);
        let head = atom(&up_to, with(std::slice::from_ref(&few)), span);
        self.rule(scope, head, vec![Literal::Holds(to(&last, &few))]);
        (arguments, up_to)
    }

    /// Adds that there are so many.
    pub fn number_of(
        &mut self,
        scope: &mut Scope,
        group: &Group,
        value: Term,
        span: Span,
        body: &mut Vec<Literal>,
    ) {
        let mut inner = vec![];
        self.group(scope, group, &mut inner);
        let cells = self.names.board.as_ref().map_or(0, |board| board.cells.len() as u32);
        let (arguments, up_to) = self.counter(scope, inner, &group.variable.name, span, cells + 1);
        self.largest = self.largest.max(cells);
        let relation = self.new_name(scope, "number", span);
        let with = |more: Term| [&arguments[..], &[more]].concat();
        let reaches = |number: Term| atom(&up_to, with(number), span);
        let (few, many) = (variable("few", span), variable("many", span));
        let (none, one) = (constant("0", span), constant("1", span));
        self.rule(scope, atom(&relation, with(none), span), vec![Literal::Not(reaches(one))]);
        let exactly = vec![
            Literal::Holds(reaches(few.clone())),
            holds("counts_on", vec![few.clone(), many.clone()], span),
            Literal::Not(reaches(many)),
        ];
        self.rule(scope, atom(&relation, with(few), span), exactly);
        self.sort(scope, &value, Sort::Number);
        body.push(holds(&relation, with(value), span));
    }

    fn in_line(
        &mut self,
        scope: &mut Scope,
        count: &Expr,
        row: Direction,
        who: &Expr,
        span: Span,
        body: &mut Vec<Literal>,
    ) {
        let who = self.content(scope, who, body);
        let Some(many) = self.known(count, 1) else { return };
        let Some((columns, rows)) = self.names.board.as_ref().and_then(|board| board.size()) else {
            return self.no_such_board(span, row.word());
        };
        let longest = match row {
            Direction::Line => columns.max(rows),
            Direction::Row => columns,
            Direction::Column => rows,
            Direction::Diagonal => columns.min(rows),
        };
        if many > longest {
            let what =
                format!("there is no {} of {many} on a board of {columns}x{rows}", row.word());
            self.mistakes.push(Mistake::new(count.span(), what, format!("at most {longest} fit")));
            return;
        }
        self.lines.insert((row, many));
        body.push(holds(&format!("{}_of_{many}", row.word()), vec![who], span));
    }

    fn block(
        &mut self,
        scope: &mut Scope,
        sides: &[Expr; 2],
        who: &Expr,
        span: Span,
        body: &mut Vec<Literal>,
    ) {
        let who = self.content(scope, who, body);
        let [across, down] = sides.each_ref().map(|side| self.known(side, 1));
        let Some((columns, rows)) = self.names.board.as_ref().and_then(|board| board.size()) else {
            return self.no_such_board(span, "block");
        };
        let (Some(across), Some(down)) = (across, down) else { return };
        if across > columns || down > rows {
            let what =
                format!("there is no block of {across}x{down} on a board of {columns}x{rows}");
            return self.wrong(span, what, "");
        }
        self.blocks.insert((across, down));
        body.push(holds(&format!("block_of_{across}x{down}"), vec![who], span));
    }

    /// Cells of somebody, each beside the next, from a part of the board to another.
    fn chain(
        &mut self,
        scope: &mut Scope,
        ends: &[Word; 2],
        who: &Expr,
        span: Span,
        body: &mut Vec<Literal>,
    ) {
        let who = self.content(scope, who, body);
        let [from, to] = ends;
        self.uses("beside");
        let end = self.fresh(scope, to.span);
        let relation = format!("chain_from_{}", from.name);
        if self.chains.insert(from.name.clone()) {
            let (cell, next, owner) =
                (variable("c", span), variable("d", span), variable("who", span));
            let begins = atom(&relation, vec![owner.clone(), cell.clone()], span);
            let goes_on = atom(&relation, vec![owner.clone(), next.clone()], span);
            let mut first = vec![];
            self.noun(scope, from, cell.clone(), &mut first);
            first.push(now(CONTENT, vec![cell.clone(), owner.clone()], span));
            self.rule(scope, begins.clone(), first);
            let on = vec![
                Literal::Holds(begins),
                holds("beside", vec![cell, next.clone()], span),
                now(CONTENT, vec![next, owner], span),
            ];
            self.rule(scope, goes_on, on);
            self.made.push((
                relation.as_str().into(),
                format!("cells of one kind in a chain from {}", from.name),
            ));
        }
        body.push(holds(&relation, vec![who, end.clone()], span));
        self.noun(scope, to, end, body);
    }
}

impl Direction {
    pub fn word(self) -> &'static str {
        match self {
            Direction::Line => "line",
            Direction::Row => "row",
            Direction::Column => "column",
            Direction::Diagonal => "diagonal",
        }
    }
}
