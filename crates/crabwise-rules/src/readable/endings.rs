//! Who has won. Of several endings the first that applies, in the order of the text, decides.

use super::{
    lower::{Lowering, Scope, atom, constant, holds, variable},
    tree::{Ending, Result},
};
use crate::syntax::{Literal, Name, Term};

/// An ending and the relation that holds when it applies.
pub(super) struct Applied {
    pub scope: Scope,
    pub result: Result,
    relation: Name,
    /// Whether the relation is said of a player.
    of_player: bool,
}

impl Lowering<'_> {
    pub fn ending(&mut self, mut scope: Scope, told: &Ending) -> Applied {
        let mut body = vec![];
        let kind = match told.result {
            Result::Win => "win",
            Result::Lose => "lose",
            Result::Tie => "tie",
        };
        let relation = self.new_name(&scope, kind, told.span);
        let of_player = told.result != Result::Tie;
        let terms = match (&told.who, of_player) {
            (Some(who), false) => {
                self.wrong(who.span(), "a tie is for both", "write: tie if …");
                vec![]
            }
            (None, false) => vec![],
            (who, true) => {
                let who = match who {
                    Some(who) => self.player(&mut scope, who),
                    None => variable("me", told.span),
                };
                scope.me = Some(who.clone());
                vec![who]
            }
        };
        self.condition(&mut scope, &told.condition, &mut body);
        self.rule(&scope, atom(&relation, terms, told.span), body);
        Applied { scope, result: told.result, relation, of_player }
    }

    /// Goals and the end of the game, from all endings in their order.
    pub fn endings(&mut self, endings: &[Applied]) {
        let mut before: Option<Name> = None;
        let (one, other) = ("p", "q");
        let mut results = vec![];
        for ending in endings {
            let span = ending.scope.span;
            let (one, other) = (variable(one, span), variable(other, span));
            let terms = if ending.of_player { vec![one.clone()] } else { vec![] };
            let applies = holds(&ending.relation, terms, span);
            let mut body = vec![applies.clone()];
            if let Some(before) = &before {
                body.push(Literal::Not(atom(before, vec![], span)));
            }
            let head = match ending.result {
                Result::Win => atom("wins", vec![one], span),
                Result::Tie => atom("tied", vec![], span),
                Result::Lose => {
                    self.uses("opponent");
                    body.push(holds("opponent", vec![one, other.clone()], span));
                    atom("wins", vec![other], span)
                }
            };
            results.push(head.relation.clone());
            self.rule(&ending.scope, head, body);
            let over = self.new_name(&ending.scope, "over_by", span);
            if let Some((_, words)) = self.made.last_mut() {
                *words = format!("the game is over by line {} or one above", ending.scope.line);
            }
            self.rule(&ending.scope, atom(&over, vec![], span), vec![applies]);
            if let Some(before) = &before {
                self.rule(
                    &ending.scope,
                    atom(&over, vec![], span),
                    vec![holds(before, vec![], span)],
                );
            }
            before = Some(over);
        }
        let (Some(last), Some(over)) = (endings.last(), before) else { return };
        let (scope, span) = (&last.scope, last.scope.span);
        self.rule(scope, atom("terminal", vec![], span), vec![holds(&over, vec![], span)]);
        let goal = |who: &Term, number: &str| {
            atom("goal", vec![who.clone(), constant(number, span)], span)
        };
        let (one, other) = (variable(one, span), variable(other, span));
        if results.iter().any(|name| &**name == "wins") {
            self.uses("opponent");
            let wins = holds("wins", vec![one.clone()], span);
            self.rule(scope, goal(&one, "100"), vec![wins.clone()]);
            let loses = holds("opponent", vec![one.clone(), other.clone()], span);
            self.rule(scope, goal(&other, "0"), vec![wins, loses]);
        }
        if results.iter().any(|name| &**name == "tied") {
            self.uses("player");
            let body = vec![holds("player", vec![one.clone()], span), holds("tied", vec![], span)];
            self.rule(scope, goal(&one, "50"), body);
        }
    }
}
