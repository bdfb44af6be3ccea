//! Relations of the board, of numbers and of players: those that a text uses, as facts and rules.

use super::{
    lower::{CONTENT, Lowering, Pairs, Scope, atom, constant, holds, now, variable},
    moves::JOINED,
    names::{Meaning, RANDOM},
    tree::{Direction, Value},
    words::WAYS,
};
use crate::syntax::{Atom, Literal, Name, Span, Term};

impl Lowering<'_> {
    /// Adds what is used. Rules first: they use further relations.
    pub fn given_facts(&mut self, scope: &Scope, moves: &[(Name, usize)]) {
        for (row, many) in self.lines.clone() {
            self.line_rule(scope, row, many);
        }
        for (across, down) in self.blocks.clone() {
            self.block_rule(scope, across, down);
        }
        if self.used.contains("can_move") {
            self.can_move(scope, moves);
        }
        if self.used.contains("empty") {
            self.empty(scope);
        }
        if self.used.contains("same") {
            self.same_rules(scope);
        }
        let used: Vec<&str> = self.used.iter().copied().collect();
        for relation in used {
            let facts = self.names.board.as_ref().and_then(|board| board.facts(relation));
            if let Some(facts) = facts {
                let arguments = facts.first().map_or(1, Vec::len);
                self.facts(scope, relation, facts, arguments);
            }
        }
        self.numbers(scope);
        self.people(scope);
        self.lists(scope);
    }

    /// Facts; where there are none, a rule that never applies, so that the relation is known.
    fn facts(&mut self, scope: &Scope, relation: &str, facts: Vec<Vec<Name>>, arguments: usize) {
        let span = scope.span;
        if facts.is_empty() {
            let many = match relation {
                "step" | "lies" => 3,
                "touches" | "beside" | "next_cell" => 2,
                _ => arguments,
            };
            let never = constant("never", span);
            let body = vec![Literal::Distinct(never.clone(), never.clone(), span)];
            return self.rule(scope, atom(relation, vec![never; many], span), body);
        }
        for fact in facts {
            let terms = fact.into_iter().map(|name| constant(name, span)).collect();
            self.rule(scope, atom(relation, terms, span), vec![]);
        }
    }

    fn line_rule(&mut self, scope: &Scope, row: Direction, many: u32) {
        let span = scope.span;
        let cell = |i: u32| variable(&format!("c{i}"), span);
        let way = match row {
            Direction::Row => constant(WAYS[2], span),
            Direction::Column => constant(WAYS[0], span),
            Direction::Line | Direction::Diagonal => variable("way", span),
        };
        let who = variable("who", span);
        let mut body = vec![];
        if many > 1 {
            self.uses("step");
            let ways = match row {
                Direction::Line => Some("line_way"),
                Direction::Diagonal => Some("diagonal_way"),
                _ => None,
            };
            if let Some(ways) = ways {
                self.uses(ways);
                body.push(holds(ways, vec![way.clone()], span));
            }
        }
        body.extend(
            (1..many).map(|i| holds("step", vec![cell(i), way.clone(), cell(i + 1)], span)),
        );
        body.extend((1..=many).map(|i| now(CONTENT, vec![cell(i), who.clone()], span)));
        let name = format!("{}_of_{many}", row.word());
        self.made
            .push((name.as_str().into(), format!("somebody has {many} cells in a {}", row.word())));
        self.rule(scope, atom(&name, vec![who], span), body);
    }

    fn block_rule(&mut self, scope: &Scope, across: u32, down: u32) {
        let span = scope.span;
        let cell = |x: u32, y: u32| variable(&format!("c{x}_{y}"), span);
        let who = variable("who", span);
        let step = |from: Term, way: usize, to: Term| {
            holds("step", vec![from, constant(WAYS[way], span), to], span)
        };
        if across * down > 1 {
            self.uses("step");
        }
        let mut body = vec![];
        for x in 1..=across {
            if x > 1 {
                body.push(step(cell(x - 1, 1), 2, cell(x, 1)));
            }
            body.extend((2..=down).map(|y| step(cell(x, y - 1), 0, cell(x, y))));
        }
        for x in 1..=across {
            body.extend((1..=down).map(|y| now(CONTENT, vec![cell(x, y), who.clone()], span)));
        }
        let name = format!("block_of_{across}x{down}");
        self.made.push((
            name.as_str().into(),
            format!("somebody has a whole block of {across}x{down} cells"),
        ));
        self.rule(scope, atom(&name, vec![who], span), body);
    }

    fn can_move(&mut self, scope: &Scope, moves: &[(Name, usize)]) {
        let (span, who) = (scope.span, variable("p", scope.span));
        for (name, many) in moves {
            let terms = (1..=*many).map(|i| variable(&format!("m{i}"), span)).collect();
            let what = Term::Function(name.clone(), terms, span);
            let body = vec![holds("legal", vec![who.clone(), what], span)];
            self.rule(scope, atom("can_move", vec![who.clone()], span), body);
        }
        self.made.push(("can_move".into(), "somebody whose turn it is has a move".into()));
    }

    fn empty(&mut self, scope: &Scope) {
        let (span, cell) = (scope.span, variable("c", scope.span));
        self.uses("cell");
        let mut body = vec![holds("cell", vec![cell.clone()], span)];
        if self.has_content() {
            let filled = atom("filled", vec![cell.clone()], span);
            let something = vec![now(CONTENT, vec![cell.clone(), variable("what", span)], span)];
            body.push(Literal::Not(filled.clone()));
            self.rule(scope, filled, something);
            self.made.push(("filled".into(), "something is on a cell".into()));
        }
        self.rule(scope, atom("empty", vec![cell], span), body);
    }

    fn same_rules(&mut self, scope: &Scope) {
        let (span, it) = (scope.span, variable("it", scope.span));
        let mut kinds = vec!["player", "number"];
        kinds.extend(self.names.board.is_some().then_some("cell"));
        for kind in kinds {
            self.uses(kind);
            let body = vec![holds(kind, vec![it.clone()], span)];
            self.rule(scope, atom("same", vec![it.clone(), it.clone()], span), body);
        }
    }

    /// The largest number that can come up.
    fn most(&self) -> u32 {
        let parameters = self.names.parameters.iter().map(|(_, value)| match value {
            Value::Number(number) => *number,
            Value::List(list) => list.iter().copied().max().unwrap_or(0).max(list.len() as u32),
            Value::Word(_) => 0,
        });
        let sides = self.names.board.as_ref().and_then(|board| board.size());
        let rows = self.used.contains("row") || self.used.contains("column");
        let side = sides.filter(|_| rows).map_or(0, |(columns, rows)| columns.max(rows));
        parameters.chain([self.largest, side]).max().unwrap_or(0)
    }

    fn numbers(&mut self, scope: &Scope) {
        let most = self.most();
        let fact = |numbers: &[u32]| -> Vec<Name> {
            numbers.iter().map(|number| number.to_string().into()).collect()
        };
        let asked = |pairs: &Pairs, one: u32, other: u32| {
            pairs.all || pairs.left.contains(&one) || pairs.right.contains(&other)
        };
        let pairs = || (0..=most).flat_map(|one| (0..=most).map(move |other| (one, other)));
        if self.used.contains("number") {
            self.facts(scope, "number", (0..=most).map(|number| fact(&[number])).collect(), 1);
        }
        if self.used.contains("counts_on") {
            let facts =
                (1..self.counted.max(1)).map(|number| fact(&[number, number + 1])).collect();
            self.facts(scope, "counts_on", facts, 2);
            self.made.push(("counts_on".into(), "one number comes after another".into()));
        }
        if self.used.contains("less") {
            let facts =
                pairs().filter(|(one, other)| one < other && asked(&self.less, *one, *other));
            self.facts(scope, "less", facts.map(|(one, other)| fact(&[one, other])).collect(), 2);
        }
        if self.used.contains("at_most") {
            let facts =
                pairs().filter(|(one, other)| one <= other && asked(&self.at_most, *one, *other));
            self.facts(
                scope,
                "at_most",
                facts.map(|(one, other)| fact(&[one, other])).collect(),
                2,
            );
        }
        if self.used.contains("plus") {
            let facts = pairs()
                .filter(|(one, other)| one + other <= most && asked(&self.plus, *one, *other));
            self.facts(
                scope,
                "plus",
                facts.map(|(one, other)| fact(&[one, other, one + other])).collect(),
                3,
            );
        }
    }

    fn people(&mut self, scope: &Scope) {
        let people = self.names.people();
        if self.used.contains("player") {
            self.facts(scope, "player", people.iter().map(|name| vec![name.clone()]).collect(), 1);
        }
        if self.used.contains("content") {
            let contents = self.names.contents.iter().map(|name| vec![name.clone()]).collect();
            self.facts(scope, "content", contents, 1);
        }
        let [one, other] = &people[..] else { return };
        let both = |one: &Name, other: &Name| {
            vec![vec![one.clone(), other.clone()], vec![other.clone(), one.clone()]]
        };
        if self.used.contains("opponent") {
            self.facts(scope, "opponent", both(one, other), 2);
        }
        if self.used.contains("turn_after") {
            let mut facts = both(one, other);
            facts.extend(self.names.has_chance().then(|| vec![RANDOM.into(), one.clone()]));
            self.facts(scope, "turn_after", facts, 2);
            self.made.push(("turn_after".into(), "whose turn it is after somebody's".into()));
        }
    }

    /// Parameters that are lists, as places and numbers.
    fn lists(&mut self, scope: &Scope) {
        let lists: Vec<(Name, Span, Vec<u32>)> = self
            .names
            .parameters
            .iter()
            .filter_map(|(word, value)| match value {
                Value::List(list) => Some((word.name.clone(), word.span, list.clone())),
                _ => None,
            })
            .collect();
        for (name, span, list) in lists {
            debug_assert_eq!(self.names.meaning(&name), Some(Meaning::List));
            for (place, number) in (1_u32..).zip(list) {
                let terms =
                    [place, number].map(|number| constant(number.to_string(), span)).to_vec();
                self.rule(scope, Atom { relation: name.clone(), terms, span }, vec![]);
            }
        }
    }

    /// What relations that every text may bring about stand for.
    pub fn made_always(&mut self) {
        let always = [
            ("changed", "a move touches a cell"),
            ("turn_told", "a move says whose turn is next"),
            ("other_move", "there is another move"),
            ("wins", "somebody has won"),
            ("tied", "the game is tied"),
            (JOINED, "a move without a name"),
        ];
        self.made.extend(always.map(|(name, words)| (name.into(), words.into())));
        let properties = self.names.properties.keys();
        let changed = properties
            .map(|name| (format!("changed_{name}").into(), format!("a move touches a '{name}'")));
        let memories = self.names.memories.keys();
        let forgotten = memories.map(|name| {
            (format!("forgotten_{name}").into(), format!("a move makes '{name}' forgotten"))
        });
        self.made.extend(changed.chain(forgotten));
    }
}
