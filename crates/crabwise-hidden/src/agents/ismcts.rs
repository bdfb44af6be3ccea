//! Information-set Monte-Carlo tree search with a single observer.
//!
//! P. I. Cowling, E. J. Powley and D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE
//! Transactions on Computational Intelligence and AI in Games 4 (2012): each iteration draws a
//! state that the information set can be in and walks through one tree for all of them, whose nodes are the
//! searching player's information sets. At its own turn it goes by UCB1 through the moves. At the opponent's
//! turn it tells moves apart by what the player would observe of them and goes by UCB1, for the
//! opponent, through those that are possible in the state at hand, where a choice counts as offered
//! only in iterations in which it was; among moves that look alike to the player, any is made. That
//! is the paper's treatment of partly observable moves: the opponent is taken to play at random as
//! far as one cannot see. The first new information set ends the walk, and moves at random end the game. What
//! is made is the move that was tried most.

use super::{Agent, AgentView, rollout};
use crate::{
    random::{by_chance, greatest},
    rules::{Player, Turn},
    tree::{
        GameTree,
        states::{Arc, States, UNNOTICED},
    },
};

/// The paper's constant of exploration, for rewards from 0 to 1.
const EXPLORE: f64 = 0.7;

/// `ismcts`: searches before each move.
#[derive(Clone, Copy, Debug)]
pub struct IsmctsAgent {
    iterations: u32,
    /// The least and the most that the first player can get.
    stakes: [f64; 2],
}

impl IsmctsAgent {
    /// Searches for this many iterations before each move.
    pub fn new(tree: &GameTree, iterations: u32) -> IsmctsAgent {
        IsmctsAgent { iterations, stakes: tree.stakes() }
    }
}

impl Agent for IsmctsAgent {
    fn name(&self) -> String {
        format!("ismcts={}", self.iterations)
    }

    fn choose(&self, view: &AgentView, random: &mut fastrand::Rng) -> u32 {
        if view.moves() == 1 {
            return 0;
        }
        let urn = view.belief().urn(view.tree);
        let mut search = Search {
            states: &view.tree.states,
            player: view.player(),
            points: vec![Point::default()],
            path: vec![],
        };
        for _ in 0..self.iterations {
            let payoff = search.descend(urn.draw(random), random);
            let [least, most] = self.stakes;
            let share = if most > least { (payoff - least) / (most - least) } else { 0.5 };
            search.learn(share);
        }
        let tried: Vec<f64> =
            (0..view.moves()).map(|mv| f64::from(search.points[0].tried(Whose::Own, mv))).collect();
        greatest(&tried, random)
    }
}

/// Whose choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Whose {
    Own,
    Others,
}

/// What can be chosen at an information set: a move of one's own by its place, or what is observed of the other's.
#[derive(Clone, Copy, Debug)]
struct Arm {
    whose: Whose,
    what: u32,
    /// How often it could have been chosen, and how often it was.
    offered: u32,
    tried: u32,
    /// What it brought to the player who chose it, from 0 to 1 each time.
    sum: f64,
}

/// An information set.
#[derive(Default)]
struct Point {
    arms: Vec<Arm>,
    /// The next information sets by step.
    transitions: Vec<(u32, usize)>,
}

struct Search<'a> {
    states: &'a States,
    player: Player,
    points: Vec<Point>,
    /// The information set and the place of each choice of this iteration, and whose it was.
    path: Vec<(usize, usize, Player)>,
}

impl Search<'_> {
    /// Walks down from a state to a new information set or to the end, and says what the first player got.
    fn descend(&mut self, mut node: u32, random: &mut fastrand::Rng) -> f64 {
        let (states, p) = (self.states, self.player as usize);
        self.path.clear();
        let mut at = 0;
        loop {
            let arcs = states.arcs(node);
            let arc = match states.nodes[node as usize].turn {
                Turn::Over(payoff) => return payoff,
                Turn::Chance => &arcs[by_chance(arcs, random)],
                Turn::Of(player) if player == self.player => {
                    let moves = 0..arcs.len() as u32;
                    &arcs[self.choose(at, player, moves, random) as usize]
                }
                Turn::Of(player) => self.answer(at, player, arcs, random),
            };
            node = arc.to;
            let step = arc.steps[p];
            if step == UNNOTICED {
                continue;
            }
            match self.points[at].transitions.iter().find(|(known, _)| *known == step) {
                Some(&(_, transition)) => at = transition,
                None => {
                    let new = self.points.len();
                    self.points[at].transitions.push((step, new));
                    self.points.push(Point::default());
                    return rollout(states, node, random);
                }
            }
        }
    }

    /// A move of the opponent.
    fn answer<'a>(
        &mut self,
        at: usize,
        player: Player,
        arcs: &'a [Arc],
        random: &mut fastrand::Rng,
    ) -> &'a Arc {
        let observed = |arc: &Arc| arc.steps[self.player as usize];
        let mut all: Vec<u32> = arcs.iter().map(observed).collect();
        all.sort_unstable();
        all.dedup();
        let alike: Vec<&Arc> = match all[..] {
            [_] => arcs.iter().collect(),
            _ => {
                let p = self.player as usize;
                let chosen = self.choose(at, player, all.into_iter(), random);
                arcs.iter().filter(|arc| arc.steps[p] == chosen).collect()
            }
        };
        alike[random.usize(..alike.len())]
    }

    /// One of these by UCB1; what was never tried comes first.
    fn choose(
        &mut self,
        at: usize,
        player: Player,
        among: impl Iterator<Item = u32>,
        random: &mut fastrand::Rng,
    ) -> u32 {
        let whose = if player == self.player { Whose::Own } else { Whose::Others };
        let point = &mut self.points[at];
        let (mut places, mut bounds) = (vec![], vec![]);
        for what in among {
            let place = point.arm(whose, what);
            let arm = &mut point.arms[place];
            arm.offered += 1;
            places.push(place);
            bounds.push(arm.bound());
        }
        let place = places[greatest(&bounds, random) as usize];
        point.arms[place].tried += 1;
        self.path.push((at, place, player));
        point.arms[place].what
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

impl Arm {
    fn bound(&self) -> f64 {
        if self.tried == 0 {
            return f64::INFINITY;
        }
        let tried = f64::from(self.tried);
        self.sum / tried + EXPLORE * (f64::from(self.offered).ln() / tried).sqrt()
    }
}

impl Point {
    /// The place of an arm, which is new if it was not there.
    fn arm(&mut self, whose: Whose, what: u32) -> usize {
        let known = |arm: &Arm| (arm.whose, arm.what) == (whose, what);
        self.arms.iter().position(known).unwrap_or_else(|| {
            self.arms.push(Arm { whose, what, offered: 0, tried: 0, sum: 0.0 });
            self.arms.len() - 1
        })
    }

    fn tried(&self, whose: Whose, what: u32) -> u32 {
        let known = |arm: &&Arm| (arm.whose, arm.what) == (whose, what);
        self.arms.iter().find(known).map_or(0, |arm| arm.tried)
    }
}
