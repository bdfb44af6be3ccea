//! Finds all states of a game and all information states of its players, depth by depth.

use std::{
    collections::{HashMap, hash_map::Entry},
    fmt,
    hash::Hash,
};

use crabwise::watch::{Meter, Watch};

use super::{
    error::HiddenError,
    info_states::{InfoStates, Offsets, Step, Transition},
    sample::{StateSample, rounded},
    states::{Arc, Node, States, UNNOTICED},
};
use crate::rules::{Hidden, InfoAbstraction, Player, Turn};

/// The names of the mirror images of a move and of an observation.
pub(crate) type MirrorNames<G> =
    (fn(&G, <G as Hidden>::Move) -> String, fn(&G, <G as Hidden>::Observation) -> String);

/// The states of a game with their positions.
pub(crate) type Explored<P> = (States, Vec<P>);

/// All states of a game, where players keep in mind all that they did and observed.
pub(crate) fn by_history<G: Hidden>(
    game: &G,
    mirror: Option<MirrorNames<G>>,
    memory: u64,
    watch: &dyn Watch,
) -> Result<Explored<G::Position>, HiddenError> {
    Exploration::new(game, |_, from, _, _| from, mirror).run(memory, watch)
}

/// All states of a game, where players keep in mind what the game's abstraction leaves.
pub(crate) fn by_abstraction<G: InfoAbstraction>(
    game: &G,
    mirror: Option<MirrorNames<G>>,
    memory: u64,
    watch: &dyn Watch,
) -> Result<Explored<G::Position>, HiddenError> {
    let key = |game: &G, _, to: &G::Position, player| game.info_state(to, player);
    Exploration::new(game, key, mirror).run(memory, watch)
}

/// In a game with more states than this some are counted at random before all are found.
const MANY: usize = 1 << 18;

struct Exploration<'a, G: Hidden, K, F> {
    game: &'a G,
    /// What makes up a player's information state at a position, to which the player came from another by a step.
    key: F,
    mirror: Option<MirrorNames<G>>,
    positions: Vec<G::Position>,
    nodes: Vec<Node>,
    arcs: Vec<Arc>,
    sides: [InfoStateBuilder<K, G::Observation>; 2],
    /// The states at the depth that is being reached.
    seen: HashMap<(G::Position, [u32; 2]), u32>,
}

/// One player's information states in the making.
struct InfoStateBuilder<K, W> {
    ids: HashMap<K, u32>,
    observations: HashMap<W, u32>,
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    /// The number of the mirror image of each name, where there is a mirror.
    images: HashMap<u32, u32>,
    info_states: Vec<InfoStateDraft>,
}

#[derive(Default)]
struct InfoStateDraft {
    moves: Vec<u32>,
    transitions: Vec<Transition>,
}

impl<K: Eq + Hash, W: Copy + Eq + Hash + fmt::Display> InfoStateBuilder<K, W> {
    fn new() -> InfoStateBuilder<K, W> {
        let (ids, observations, numbers) = (HashMap::new(), HashMap::new(), HashMap::new());
        let images = HashMap::new();
        InfoStateBuilder { ids, observations, names: vec![], numbers, images, info_states: vec![] }
    }

    fn name(&mut self, name: String) -> u32 {
        let next = self.names.len() as u32;
        *self.numbers.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            next
        })
    }

    /// The number of a name, whose mirror image is remembered.
    fn named(&mut self, name: String, image: impl FnOnce() -> Option<String>) -> u32 {
        let number = self.name(name);
        if !self.images.contains_key(&number)
            && let Some(image) = image()
        {
            let image = self.name(image);
            self.images.insert(number, image);
        }
        number
    }

    fn observation(&mut self, observation: W, image: impl FnOnce() -> Option<String>) -> u32 {
        match self.observations.get(&observation) {
            Some(&number) => number,
            None => {
                let number = self.named(observation.to_string(), image);
                self.observations.insert(observation, number);
                number
            }
        }
    }

    fn info_state(&mut self, key: K) -> u32 {
        let next = self.info_states.len() as u32;
        *self.ids.entry(key).or_insert_with(|| {
            self.info_states.push(InfoStateDraft::default());
            next
        })
    }

    /// Which transition of `from` is reached by a step that leads to `to`.
    fn transition(&mut self, from: u32, step: Step, to: u32) -> Result<u32, HiddenError> {
        let transitions = &mut self.info_states[from as usize].transitions;
        match transitions.iter().position(|transition| transition.step == step) {
            Some(i) if transitions[i].to == to => Ok(i as u32),
            Some(_) => Err(HiddenError::Contract(
                "the same information state, move and observation lead to different information states"
                    .into(),
            )),
            None => {
                transitions.push(Transition { to, step });
                Ok(transitions.len() as u32 - 1)
            }
        }
    }

    /// The moves of an information state, which must be what they were before.
    fn moves(&mut self, info_state: u32, moves: Vec<u32>) -> Result<(), HiddenError> {
        let known = &mut self.info_states[info_state as usize].moves;
        if known.is_empty() {
            *known = moves;
        } else if *known != moves {
            let what = "positions that look alike have different moves";
            return Err(HiddenError::Contract(what.into()));
        }
        Ok(())
    }

    fn flat(self) -> InfoStates {
        let (mut info_states, mut moves, mut transitions) = (vec![], vec![], vec![]);
        for sketch in self.info_states {
            info_states
                .push(Offsets { moves: moves.len() as u32, transitions: transitions.len() as u32 });
            moves.extend(sketch.moves);
            transitions.extend(sketch.transitions);
        }
        info_states
            .push(Offsets { moves: moves.len() as u32, transitions: transitions.len() as u32 });
        InfoStates { info_states, moves, transitions, names: self.names, images: self.images }
    }
}

impl<'a, G, K, F> Exploration<'a, G, K, F>
where
    G: Hidden,
    K: Eq + Hash,
    F: Fn(&G, Option<(u32, Step)>, &G::Position, Player) -> K,
{
    fn new(game: &'a G, key: F, mirror: Option<MirrorNames<G>>) -> Self {
        let sides = [InfoStateBuilder::new(), InfoStateBuilder::new()];
        let (positions, nodes, arcs) = (vec![], vec![], vec![]);
        Exploration { game, key, mirror, positions, nodes, arcs, sides, seen: HashMap::new() }
    }

    fn run(mut self, memory: u64, watch: &dyn Watch) -> Result<Explored<G::Position>, HiddenError> {
        let meter = Meter::new(watch, "finding positions", None, None)?;
        let mut sampled = false;
        let start = self.game.start();
        let info_states = Player::BOTH.map(|player| {
            let key = (self.key)(self.game, None, &start, player);
            self.sides[player as usize].info_state(key)
        });
        self.node(start, info_states);
        let mut depths = vec![0];
        let mut done = 0;
        while done < self.nodes.len() {
            self.seen.clear();
            let end = self.nodes.len();
            depths.push(end as u32);
            while done < end {
                self.expand(done)?;
                done += 1;
                if done % 1024 == 0 {
                    meter.add(1024)?;
                    self.fits(memory)?;
                }
                if self.nodes.len() > MANY && !sampled {
                    self.may_fit(memory)?;
                    sampled = true;
                }
            }
        }
        self.nodes.push(Node {
            turn: Turn::Chance,
            info_states: [0; 2],
            first: self.arcs.len() as u32,
        });
        let info_states = self.sides.map(InfoStateBuilder::flat);
        Ok((States { nodes: self.nodes, arcs: self.arcs, depths, info_states }, self.positions))
    }

    /// Refuses a game that is surely too large, long before the memory is full.
    fn may_fit(&self, memory: u64) -> Result<(), HiddenError> {
        let least = StateSample::new(self.game, &self.key).at_least();
        // To each state but the first leads a move.
        let needed = least * (Self::STATE + size_of::<Arc>()) as u64;
        if needed <= memory && least < u64::from(UNNOTICED) {
            return Ok(());
        }
        let what = format!("the positions of this game, {} at least,", rounded(least));
        Err(HiddenError::Room { what, needed, memory })
    }

    /// The bytes that a state takes. While a depth is found its states are in the map, too.
    const STATE: usize = size_of::<Node>() + 3 * size_of::<G::Position>() + 24;

    fn fits(&self, memory: u64) -> Result<(), HiddenError> {
        let needed = (self.nodes.len() * Self::STATE + self.arcs.len() * size_of::<Arc>()) as u64;
        if needed <= memory && self.arcs.len() < UNNOTICED as usize {
            return Ok(());
        }
        let what = format!("the first {} positions", self.nodes.len());
        Err(HiddenError::Room { what, needed, memory })
    }

    fn node(&mut self, at: G::Position, info_states: [u32; 2]) -> u32 {
        match self.seen.entry((at, info_states)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let (at, number) = (new.key().0.clone(), self.nodes.len() as u32);
                self.nodes.push(Node { turn: self.game.turn(&at), info_states, first: 0 });
                self.positions.push(at);
                new.insert(number);
                number
            }
        }
    }

    fn expand(&mut self, number: usize) -> Result<(), HiddenError> {
        let Node { turn, info_states, .. } = self.nodes[number];
        self.nodes[number].first = self.arcs.len() as u32;
        let at = self.positions[number].clone();
        let [least, most] = self.game.stakes();
        let (game, mover) = match turn {
            Turn::Over(payoff) if payoff < least || payoff > most => {
                let what = format!("a payoff of {payoff}, beyond the stakes of {least} to {most}");
                return Err(HiddenError::Contract(what));
            }
            Turn::Over(_) => return Ok(()),
            Turn::Chance => (self.game, None),
            Turn::Of(player) => (self.game, Some(player)),
        };
        let moves: Vec<G::Move> = game.moves(&at).into_iter().collect();
        if moves.is_empty() {
            return Err(HiddenError::Contract(format!("no move at {at:?}")));
        }
        if let Some(player) = mover {
            let side = &mut self.sides[player as usize];
            let image = |mv| self.mirror.map(|(image, _)| image(game, mv));
            let names = moves.iter().map(|&mv| side.named(mv.to_string(), || image(mv))).collect();
            side.moves(info_states[player as usize], names)?;
        }
        let weight = |mv: &G::Move| if mover.is_none() { game.weight(&at, *mv) } else { 1.0 };
        let all: f64 = if mover.is_none() { moves.iter().map(weight).sum() } else { 1.0 };
        for (i, mv) in moves.iter().enumerate() {
            let to = game.play(&at, *mv);
            let (mut next, mut steps) = (info_states, [UNNOTICED; 2]);
            for player in Player::BOTH {
                let own = (mover == Some(player)).then_some(i as u32);
                let (p, observation) = (player as usize, game.observe(&at, *mv, player));
                if own.is_none() && observation.is_none() {
                    continue;
                }
                let image = |observation| self.mirror.map(|(_, image)| image(game, observation));
                let observation = observation.map(|observation| {
                    self.sides[p].observation(observation, || image(observation))
                });
                let step = Step { mv: own, observation };
                let key = (self.key)(game, Some((info_states[p], step)), &to, player);
                next[p] = self.sides[p].info_state(key);
                steps[p] = self.sides[p].transition(info_states[p], step, next[p])?;
            }
            let to = self.node(to, next);
            self.arcs.push(Arc { to, chance: weight(mv) / all, steps });
        }
        Ok(())
    }
}
