//! Certain wins of one view by the rules alone, where the game is not laid out.
//!
//! A view is settled by all positions that a player who knows it may be in: it is certain if there is a move after
//! which, whatever is observed, what is left of these positions is certain. Who is to move knows it; on the way to that
//! nothing may be lost either. Sets of positions are remembered, whatever order of events led to them. The search looks
//! at no more positions than it may, and then says that nothing is settled.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
};

use crabwise::{
    index::{ByKey, key},
    watch::{Stage, Stop, Watch},
};

use crate::{
    belief::Belief,
    rules::{Hidden, Player, Step, Turn, step},
};

/// Why a search does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsettled {
    /// More positions would have to be looked at than may be.
    TooMany,
    /// Somebody asked for an end.
    Stopped(Stop),
}

impl From<Stop> for Unsettled {
    fn from(stop: Stop) -> Unsettled {
        Unsettled::Stopped(stop)
    }
}

/// Positions that a player may be in, each once, in an order that depends on nothing else.
type Support<P> = Vec<P>;

type Positions<G> = HashSet<<G as Hidden>::Position, ByKey>;

/// A search for the certain wins of a player.
pub(crate) struct ViewSearch<'a, G: Hidden> {
    game: &'a G,
    player: Player,
    /// The most that the player can win.
    most: f64,
    known: HashMap<Support<G::Position>, bool, ByKey>,
    /// How many more positions may be looked at.
    left: u64,
    watch: &'a dyn Watch,
}

/// So many positions take a moment.
const TELL: u64 = 1 << 14;

impl<'a, G: Hidden> ViewSearch<'a, G> {
    /// Nothing known yet; at most so many positions will be looked at.
    pub(crate) fn new(
        game: &'a G,
        player: Player,
        positions: u64,
        watch: &'a dyn Watch,
    ) -> ViewSearch<'a, G> {
        let [least, greatest] = game.stakes();
        let most = if player == Player::First { greatest } else { -least };
        ViewSearch { game, player, most, known: HashMap::default(), left: positions, watch }
    }

    /// The places of the moves that win with certainty.
    pub(crate) fn moves(
        &mut self,
        belief: &Belief<G>,
        moves: &[G::Move],
    ) -> Result<Vec<usize>, Unsettled> {
        let support = whole(belief)?;
        let mut found = vec![];
        for (place, mv) in moves.iter().enumerate() {
            if self.keeps(&support, *mv)? {
                found.push(place);
            }
        }
        Ok(found)
    }

    /// The place of the first move that wins with certainty.
    pub(crate) fn first_move(
        &mut self,
        belief: &Belief<G>,
        moves: &[G::Move],
    ) -> Result<Option<usize>, Unsettled> {
        let support = whole(belief)?;
        for (place, mv) in moves.iter().enumerate() {
            if self.keeps(&support, *mv)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    fn certain(&mut self, support: Support<G::Position>) -> Result<bool, Unsettled> {
        let mut own = None;
        for at in &support {
            match self.game.turn(at) {
                Turn::Over(payoff) if self.player.sign() * payoff != self.most => return Ok(false),
                Turn::Of(player) if player == self.player => own = own.or(Some(at)),
                _ => {}
            }
        }
        if let Some(&known) = self.known.get(&support) {
            return Ok(known);
        }
        let moves: Vec<G::Move> =
            own.map_or(vec![], |at| self.game.moves(at).into_iter().collect());
        let certain = self.observed(&support, None)? && self.any_keeps(&support, &moves)?;
        self.known.insert(support, certain);
        Ok(certain)
    }

    /// Whether one of the moves keeps the certainty, or there is none to be made.
    fn any_keeps(&mut self, support: &[G::Position], moves: &[G::Move]) -> Result<bool, Unsettled> {
        for mv in moves {
            if self.keeps(support, *mv)? {
                return Ok(true);
            }
        }
        Ok(moves.is_empty())
    }

    /// Whether a move is certain to win, whatever is observed.
    fn keeps(&mut self, support: &[G::Position], mv: G::Move) -> Result<bool, Unsettled> {
        self.observed(support, Some(mv))
    }

    /// Whether all is certain that may be observed after a move, or before one.
    fn observed(
        &mut self,
        support: &[G::Position],
        mv: Option<G::Move>,
    ) -> Result<bool, Unsettled> {
        let mut ways: Vec<(Step<G>, Positions<G>)> = vec![];
        for at in support {
            let turn = self.game.turn(at);
            let own = turn == Turn::Of(self.player);
            if matches!(turn, Turn::Over(_)) || own != mv.is_some() {
                continue;
            }
            let moves: Vec<G::Move> = match mv {
                Some(mv) => vec![mv],
                None => self.game.moves(at).into_iter().collect(),
            };
            self.look_at(moves.len())?;
            for mv in moves {
                let Some(step) = step(self.game, at, mv, self.player) else { continue };
                let to = self.game.play(at, mv);
                match ways.iter_mut().find(|(known, _)| *known == step) {
                    Some((_, positions)) => drop(positions.insert(to)),
                    None => ways.push((step, Positions::<G>::from_iter([to]))),
                }
            }
        }
        for (_, positions) in ways {
            let support = self.unnoticed(positions)?;
            if !self.certain(support)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Positions and all that may follow without the player's noticing.
    fn unnoticed(&mut self, mut met: Positions<G>) -> Result<Support<G::Position>, Unsettled> {
        let mut open: Vec<G::Position> = met.iter().cloned().collect();
        while let Some(at) = open.pop() {
            let turn = self.game.turn(&at);
            if matches!(turn, Turn::Over(_)) || turn == Turn::Of(self.player) {
                continue;
            }
            let moves: Vec<G::Move> = self.game.moves(&at).into_iter().collect();
            self.look_at(moves.len())?;
            for mv in moves {
                if step(self.game, &at, mv, self.player).is_none() {
                    let to = self.game.play(&at, mv);
                    if met.insert(to.clone()) {
                        open.push(to);
                    }
                }
            }
        }
        Ok(ordered(met))
    }

    fn look_at(&mut self, positions: usize) -> Result<(), Unsettled> {
        let before = self.left;
        self.left = before.checked_sub(positions as u64).ok_or(Unsettled::TooMany)?;
        if before / TELL != self.left / TELL {
            self.watch.tell(&Stage::new("searching views", None, None))?;
        }
        Ok(())
    }
}

fn whole<G: Hidden>(belief: &Belief<G>) -> Result<Support<G::Position>, Unsettled> {
    match belief.is_whole() && belief.any().is_some() {
        true => Ok(belief.positions().into_iter().map(|(at, _)| at).collect()),
        false => Err(Unsettled::TooMany),
    }
}

/// By their keys, which are mostly different: where two are not, a set may be looked at twice.
fn ordered<P: Hash>(positions: HashSet<P, ByKey>) -> Support<P> {
    let mut all: Support<P> = positions.into_iter().collect();
    all.sort_by_cached_key(|at| key(at, 0));
    all
}

#[cfg(test)]
mod tests {
    use crabwise::watch::Unwatched;

    use super::*;
    use crate::{
        HiddenSetup,
        toys::{Abrupt, Kuhn, Random, explored},
    };

    /// At all information sets of a game both ways of asking have one answer, and where there is too much to look at
    /// nothing is said.
    fn agrees_with_the_layout<G: Hidden + Clone + 'static>(game: G) -> usize {
        let explored = explored(&HiddenSetup::of(game.clone()).erased());
        let mut certain = 0;
        for player in Player::BOTH {
            let mut open = vec![(game.start(), vec![], vec![])];
            let mut met = HashSet::new();
            while let Some((at, steps, words)) = open.pop() {
                let (turn, line) = (game.turn(&at), Vec::<String>::clone(&words));
                let moves: Vec<G::Move> = match turn {
                    Turn::Over(_) => vec![],
                    _ => game.moves(&at).into_iter().collect(),
                };
                if turn == Turn::Of(player) && met.insert(words.clone()) {
                    let mut belief = Belief::new(&game, player, usize::MAX);
                    belief.follow(&game, &steps);
                    let mut search = ViewSearch::new(&game, player, u64::MAX, &Unwatched);
                    let found = search.moves(&belief, &moves).unwrap();
                    let found: Vec<String> =
                        found.iter().map(|&mv| moves[mv].to_string()).collect();
                    let set = explored.tree.after_steps(player, in_words::<G>(&steps)).unwrap();
                    // Some lines can be read in two ways.
                    if explored.at(player, &line) == Ok(set) {
                        assert_eq!(found, explored.certain_moves(set, &line).unwrap(), "{line:?}");
                    }
                    certain += usize::from(!found.is_empty());
                    let mut hasty = ViewSearch::new(&game, player, 0, &Unwatched);
                    assert_eq!(hasty.moves(&belief, &moves), Err(Unsettled::TooMany));
                }
                for mv in moves {
                    let (mut steps, mut words) = (steps.clone(), words.clone());
                    if let Some(step) = step(&game, &at, mv, player) {
                        words.extend(step.0.map(|mv| mv.to_string()));
                        words.extend(step.1.map(|observed| observed.to_string()));
                        steps.push(step);
                    }
                    open.push((game.play(&at, mv), steps, words));
                }
            }
        }
        certain
    }

    fn in_words<G: Hidden>(
        steps: &[Step<G>],
    ) -> impl Iterator<Item = (Option<String>, Option<String>)> {
        let words = |(mv, observed): &Step<G>| {
            (mv.map(|mv| mv.to_string()), observed.map(|observed| observed.to_string()))
        };
        steps.iter().map(words)
    }

    #[test]
    fn a_search_of_a_view_says_what_the_layout_does() {
        assert!(agrees_with_the_layout(Kuhn) > 0);
        assert!(agrees_with_the_layout(Abrupt { rows: 2, columns: 2 }) > 0);
        let (mut found, mut games) = (0, 0);
        for game in (0..).map(|seed| Random { seed, length: 5 }) {
            // What wins is the most that there is to win.
            if explored(&HiddenSetup::of(game).erased()).tree.stakes() == game.stakes() {
                found += agrees_with_the_layout(game);
                games += 1;
            }
            if games == 10 {
                break;
            }
        }
        assert!(found > 0);
    }
}
