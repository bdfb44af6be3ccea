//! Learning by playing oneself: Q-learning with a table.
//!
//! C. J. C. H. Watkins and P. Dayan, "Q-learning", Machine Learning 8 (1992). For each information state and
//! move the table has what the player can expect after it. At its next turn a player moves the
//! number towards the best number there, and at the end towards the payoff; by 1/n^0.6 of the way
//! the nth time, steps that become small but add up to any distance. Nothing is discounted. Both
//! players learn at the same time, each from its own turns; moves are made at random with a
//! probability that falls evenly from 1 to 0.05 in the course of the training, and else by the
//! table.
//!
//! Against an opponent who learns, nothing promises that this ends anywhere; where it must be
//! unpredictable a player with a table is none. It is here to be compared with.

use crabwise::watch::{Meter, Watch};

use super::{Agent, AgentView, pure};
use crate::{
    random::{by_chance, greatest},
    rules::{Hidden, Player, Turn},
    sequence_form::{Behaviour, Treeplex},
    tree::{GameTree, HiddenError, info_states::InfoStates},
};

/// How often the least experimental player still tries something at random.
const LEAST: f64 = 0.05;

/// How the steps become smaller.
const DECAY: f64 = 0.6;

/// `q`: plays by the table that it has learned. Of numbers that are equal the first is best, so
/// that it does always the same.
#[derive(Clone)]
pub struct QLearner<'a> {
    tree: &'a GameTree,
    games: u64,
    sides: [QTable; 2],
}

/// The table of a player.
#[derive(Clone, Debug)]
struct QTable {
    /// By information state and move.
    worth: Vec<f64>,
    /// Where the moves of each information state begin, and at last the number of all moves.
    first: Vec<u32>,
}

impl QTable {
    fn new(info_states: &InfoStates) -> QTable {
        let firsts = (0..info_states.len() as u32)
            .map(|info_state| info_states.move_range(info_state).start as u32);
        let all = info_states.move_range(info_states.len() as u32 - 1).end;
        QTable { worth: vec![0.0; all], first: firsts.chain([all as u32]).collect() }
    }

    fn range(&self, info_state: u32) -> std::ops::Range<usize> {
        let info_state = info_state as usize;
        self.first[info_state] as usize..self.first[info_state + 1] as usize
    }

    /// The first of the best moves.
    fn best(&self, info_state: u32) -> u32 {
        let worth = &self.worth[self.range(info_state)];
        let places = (0..worth.len()).rev();
        places.max_by(|&a, &b| worth[a].total_cmp(&worth[b])).unwrap_or(0) as u32
    }
}

impl<'a> QLearner<'a> {
    /// Plays this many games against itself.
    pub fn train(
        tree: &'a GameTree,
        games: u64,
        seed: u64,
        watch: &dyn Watch,
    ) -> Result<QLearner<'a>, HiddenError> {
        let meter = Meter::new(watch, "learning", None, Some(games))?;
        let sides = tree.states.info_states.each_ref().map(QTable::new);
        let times = sides.each_ref().map(|side| vec![0; side.worth.len()]);
        let random = fastrand::Rng::with_seed(seed);
        let mut lesson = Lesson { tree, sides, times, random };
        for game in 0..games {
            let done = game as f64 / games as f64;
            lesson.play(1.0 - (1.0 - LEAST) * done);
            if game % 256 == 255 {
                meter.add(256)?;
            }
        }
        Ok(QLearner { tree, games, sides: lesson.sides })
    }
}

struct Lesson<'a> {
    tree: &'a GameTree,
    sides: [QTable; 2],
    /// How often each number has been changed.
    times: [Vec<u32>; 2],
    random: fastrand::Rng,
}

impl Lesson<'_> {
    /// One game, in which players experiment so often.
    fn play(&mut self, often: f64) {
        let states = &self.tree.states;
        let (mut node, mut last) = (0, [None; 2]);
        loop {
            let (here, arcs) = (&states.nodes[node as usize], states.arcs(node));
            node = match here.turn {
                Turn::Over(payoff) => {
                    for player in Player::BOTH {
                        self.learn(player, last[player as usize], player.sign() * payoff);
                    }
                    return;
                }
                Turn::Chance => arcs[by_chance(arcs, &mut self.random)].to,
                Turn::Of(player) => {
                    let p = player as usize;
                    let range = self.sides[p].range(here.info_states[p]);
                    let worth = &self.sides[p].worth[range.clone()];
                    let most = worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    let mv = match self.random.f64() < often {
                        true => self.random.usize(..worth.len()),
                        false => greatest(worth, &mut self.random) as usize,
                    };
                    self.learn(player, last[p], most);
                    last[p] = Some(range.start + mv);
                    arcs[mv].to
                }
            };
        }
    }

    fn learn(&mut self, player: Player, what: Option<usize>, target: f64) {
        if let Some(what) = what {
            let times = &mut self.times[player as usize][what];
            *times = times.saturating_add(1);
            let worth = &mut self.sides[player as usize].worth[what];
            *worth += (target - *worth) / f64::from(*times).powf(DECAY);
        }
    }
}

impl Agent for QLearner<'_> {
    fn name(&self) -> String {
        format!("q={}", self.games)
    }

    fn choose<G: Hidden>(&self, view: &AgentView<G>, random: &mut fastrand::Rng) -> usize {
        match view.info_set(self.tree) {
            Some(at) => self.sides[view.player() as usize].best(at.info_state) as usize,
            None => random.usize(..view.moves().len()),
        }
    }

    fn behaviour(&self, plex: &Treeplex, player: Player) -> Option<Behaviour> {
        let mut behaviour = plex.uniform();
        for (info_set, &info_state) in plex.info_state.iter().enumerate() {
            pure(&mut behaviour[plex.at(info_set)], self.sides[player as usize].best(info_state));
        }
        Some(behaviour)
    }
}
