//! Information-set Monte-Carlo tree search with a single observer.
//!
//! P. I. Cowling, E. J. Powley and D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE
//! Transactions on Computational Intelligence and AI in Games 4 (2012): each iteration draws a
//! position that the information set can be in and walks through one tree for all of them, whose nodes are the
//! searching player's information sets. At its own turn it goes by UCB1 through the moves. At the opponent's
//! turn it tells moves apart by what the player would observe of them and goes by UCB1, for the
//! opponent, through those that are possible in the position at hand, where a choice counts as offered
//! only in iterations in which it was; among moves that look alike to the player, any is made. That
//! is the paper's treatment of partly observable moves: the opponent is taken to play at random as
//! far as one cannot see. The first new information set ends the walk, and moves at random end the game. What
//! is made is the move that was tried most.

use super::{Agent, AgentView, Effort, chance_move, rollout};
use crate::{
    random::greatest,
    rules::{Hidden, Player, Step, Turn, step},
};

/// The paper's constant of exploration, for rewards from 0 to 1.
const EXPLORE: f64 = 0.7;

/// The most information sets that a tree has, so that it fits into memory however long it may grow.
const MOST_POINTS: usize = 1 << 21;

/// `ismcts`: searches before each move.
#[derive(Clone, Copy, Debug)]
pub struct IsmctsAgent {
    effort: Effort,
}

impl IsmctsAgent {
    /// Searches this much before each move.
    pub fn new(effort: Effort) -> IsmctsAgent {
        IsmctsAgent { effort }
    }
}

impl Agent for IsmctsAgent {
    fn name(&self) -> String {
        format!("ismcts={}", self.effort)
    }

    fn choose<G: Hidden>(&self, view: &AgentView<G>, random: &mut fastrand::Rng) -> usize {
        let moves = view.moves().len();
        if moves == 1 {
            return 0;
        }
        let rounds = self.effort.begin(1);
        let belief = view.belief(self.effort.positions());
        let urn = belief.urn();
        if urn.is_empty() {
            return random.usize(..moves);
        }
        let points = vec![Point::default()];
        let mut search = Search { game: view.game(), player: view.player(), points, path: vec![] };
        let [least, most] = view.game().stakes();
        for () in rounds {
            let payoff = search.descend(urn.draw(random).clone(), random);
            let share = if most > least { (payoff - least) / (most - least) } else { 0.5 };
            search.learn(share);
        }
        let tried = |mv: &G::Move| f64::from(search.points[0].tried(TreeChoice::Own(*mv)));
        greatest(&view.moves().iter().map(tried).collect::<Vec<_>>(), random) as usize
    }
}

/// What can be chosen at an information set: a move of one's own, or what is observed of the other's.
enum TreeChoice<G: Hidden> {
    Own(G::Move),
    Others(Option<G::Observation>),
}

impl<G: Hidden> Clone for TreeChoice<G> {
    fn clone(&self) -> TreeChoice<G> {
        *self
    }
}

impl<G: Hidden> Copy for TreeChoice<G> {}

impl<G: Hidden> PartialEq for TreeChoice<G> {
    fn eq(&self, other: &TreeChoice<G>) -> bool {
        match (self, other) {
            (TreeChoice::Own(a), TreeChoice::Own(b)) => a == b,
            (TreeChoice::Others(a), TreeChoice::Others(b)) => a == b,
            _ => false,
        }
    }
}

/// A choice, and what came of it.
struct Arm<G: Hidden> {
    what: TreeChoice<G>,
    /// How often it could have been chosen, and how often it was.
    offered: u32,
    tried: u32,
    /// What it brought to the player who chose it, from 0 to 1 each time.
    sum: f64,
}

/// An information set.
struct Point<G: Hidden> {
    arms: Vec<Arm<G>>,
    /// The next information sets by step.
    transitions: Vec<(Step<G>, usize)>,
}

impl<G: Hidden> Default for Point<G> {
    fn default() -> Point<G> {
        Point { arms: vec![], transitions: vec![] }
    }
}

struct Search<'a, G: Hidden> {
    game: &'a G,
    player: Player,
    points: Vec<Point<G>>,
    /// The information set and the place of each choice of this iteration, and whose it was.
    path: Vec<(usize, usize, Player)>,
}

impl<G: Hidden> Search<'_, G> {
    /// Walks down from a position to a new information set or to the end, and says what the first player got.
    fn descend(&mut self, mut at: G::Position, random: &mut fastrand::Rng) -> f64 {
        let game = self.game;
        self.path.clear();
        let mut point = 0;
        loop {
            let turn = game.turn(&at);
            if let Turn::Over(payoff) = turn {
                return payoff;
            }
            let moves: Vec<G::Move> = game.moves(&at).into_iter().collect();
            let mv = match turn {
                Turn::Of(player) if player == self.player => {
                    let own = moves.iter().map(|&mv| TreeChoice::Own(mv));
                    moves[self.choose(point, player, own, random)]
                }
                Turn::Of(player) => self.answer(point, player, &at, &moves, random),
                _ => moves[chance_move(game, &at, &moves, random)],
            };
            let step = step(game, &at, mv, self.player);
            at = game.play(&at, mv);
            let Some(step) = step else { continue };
            match self.points[point].transitions.iter().find(|(known, _)| *known == step) {
                Some(&(_, transition)) => point = transition,
                None => {
                    self.grow(point, step);
                    return rollout(game, at, random);
                }
            }
        }
    }

    /// A new information set, if there is room for it.
    fn grow(&mut self, point: usize, step: Step<G>) {
        let new = self.points.len();
        if new < MOST_POINTS {
            self.points[point].transitions.push((step, new));
            self.points.push(Point::default());
        }
    }

    /// A move of the opponent.
    fn answer(
        &mut self,
        point: usize,
        player: Player,
        at: &G::Position,
        moves: &[G::Move],
        random: &mut fastrand::Rng,
    ) -> G::Move {
        let observe = |&mv: &G::Move| self.game.observe(at, mv, self.player);
        let observed: Vec<Option<G::Observation>> = moves.iter().map(observe).collect();
        let mut all = vec![];
        for one in &observed {
            if !all.contains(one) {
                all.push(*one);
            }
        }
        if let [_] = all[..] {
            return moves[random.usize(..moves.len())];
        }
        let choices = all.iter().map(|&one| TreeChoice::Others(one));
        let chosen = all[self.choose(point, player, choices, random)];
        let alike: Vec<usize> = (0..moves.len()).filter(|&mv| observed[mv] == chosen).collect();
        moves[alike[random.usize(..alike.len())]]
    }

    /// The place of one of these by UCB1; what was never tried comes first.
    fn choose(
        &mut self,
        at: usize,
        player: Player,
        among: impl Iterator<Item = TreeChoice<G>>,
        random: &mut fastrand::Rng,
    ) -> usize {
        let point = &mut self.points[at];
        let (mut places, mut bounds) = (vec![], vec![]);
        for what in among {
            let place = point.arm(what);
            let arm = &mut point.arms[place];
            arm.offered += 1;
            places.push(place);
            bounds.push(arm.bound());
        }
        let chosen = greatest(&bounds, random) as usize;
        point.arms[places[chosen]].tried += 1;
        self.path.push((at, places[chosen], player));
        chosen
    }

    /// Takes in what the first player got, from 0 to 1.
    fn learn(&mut self, share: f64) {
        for &(at, place, player) in &self.path {
            let gain = match player {
                Player::First => share,
                Player::Second => 1.0 - share,
            };
            self.points[at].arms[place].sum += gain;
        }
    }
}

impl<G: Hidden> Arm<G> {
    fn bound(&self) -> f64 {
        if self.tried == 0 {
            return f64::INFINITY;
        }
        let tried = f64::from(self.tried);
        self.sum / tried + EXPLORE * (f64::from(self.offered).ln() / tried).sqrt()
    }
}

impl<G: Hidden> Point<G> {
    /// The place of an arm, which is new if it was not there.
    fn arm(&mut self, what: TreeChoice<G>) -> usize {
        self.arms.iter().position(|arm| arm.what == what).unwrap_or_else(|| {
            self.arms.push(Arm { what, offered: 0, tried: 0, sum: 0.0 });
            self.arms.len() - 1
        })
    }

    fn tried(&self, what: TreeChoice<G>) -> u32 {
        self.arms.iter().find(|arm| arm.what == what).map_or(0, |arm| arm.tried)
    }
}
