//! A game laid out: its states, and both players' views as trees that are never unrolled.
//!
//! A view is written as what was done and heard, in order: `a1 b2 taken`. It is found by following the
//! minds from the first one, and so is the place of its sequences.

use xxhash_rust::xxh3::Xxh3;

use super::{
    Form, HiddenError, Outcome, Player, Size, Turn,
    certain::{self, Certain},
    form::{Layout, Place},
    plex::Shape,
    states::{Node, STILL, States, Step},
};
use crabwise::watch::Watch;

/// The states and the views of a game.
pub struct Tree {
    pub(super) states: States,
    pub(super) shapes: [Shape; 2],
}

/// How many of what a game has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Histories, the empty one and complete ones included.
    pub histories: u128,
    /// Complete games.
    pub games: u128,
    /// Positions, with what the players know.
    pub states: u64,
    /// Positions at which the game is over.
    pub ends: u64,
    /// Views at which either player has to move, that is, information sets.
    pub views: [u64; 2],
    /// Sequences of either player, the empty one included.
    pub sequences: [u64; 2],
    /// What either player's views are when the order is forgotten, if the game has gists.
    pub minds: [u64; 2],
    /// The greatest number of moves in a game.
    pub longest: usize,
}

/// A view at which a player may have to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// Whose view.
    pub player: Player,
    pub(super) mind: u32,
    /// Where its sequences begin.
    pub(super) base: u32,
}

impl View {
    /// The sequence of its first move; the others follow.
    pub fn first(&self) -> usize {
        self.base as usize
    }
}

impl Tree {
    pub(super) fn new(states: States) -> Result<Tree, HiddenError> {
        let [first, second] = &states.minds;
        let shapes = [Shape::new(first)?, Shape::new(second)?];
        Ok(Tree { states, shapes })
    }

    /// How large the payoffs of the game are when they are laid out.
    pub fn size(&self) -> Size {
        Size::new(&self.states, &self.shapes)
    }

    /// Lays out the payoffs of the game, if they fit; folded if that is wanted and the game has a mirror.
    pub fn form(&self, fold: bool, memory: u64, watch: &dyn Watch) -> Result<Form, HiddenError> {
        let mut size = self.size();
        size.bytes = size.bytes.saturating_add(self.states.bytes());
        if size.bytes > memory {
            let [first, second] = size.sequences;
            let what = format!("{} payoffs and {first} + {second} sequences", size.payoffs);
            return Err(HiddenError::Room { what, needed: size.bytes, memory });
        }
        Form::new(&self.states, &self.shapes, &size, fold, watch)
    }

    /// What there is how many of.
    pub fn counts(&self) -> Counts {
        let states = &self.states;
        let histories = states.backwards(|node, _, below: &[u128]| {
            let sum = |sum: u128, to: u32| sum.saturating_add(below[to as usize]);
            states.arcs(node).iter().fold(1, |all, arc| sum(all, arc.to))
        });
        let over = |node: &&Node| matches!(node.turn, Turn::Over(_));
        let mut minds = [0, 1].map(|p: usize| vec![false; states.minds[p].len()]);
        for node in &states.nodes[..states.len()] {
            if let Turn::Of(player) = node.turn {
                minds[player as usize][node.minds[player as usize] as usize] = true;
            }
        }
        Counts {
            histories: histories[0],
            games: states.ends()[0],
            states: states.len() as u64,
            ends: states.nodes[..states.len()].iter().filter(over).count() as u64,
            views: [0, 1].map(|p: usize| self.shapes[p].views[0]),
            sequences: self.sequences(),
            minds: minds.map(|known| known.iter().filter(|&&known| known).count() as u64),
            longest: states.depths.len() - 2,
        }
    }

    /// The least and the most that the first player can get.
    pub fn stakes(&self) -> [f64; 2] {
        let payoffs = self.states.nodes[..self.states.len()].iter().filter_map(|node| {
            let Turn::Over(payoff) = node.turn else { return None };
            Some(payoff)
        });
        payoffs.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], payoff| {
            [least.min(payoff), most.max(payoff)]
        })
    }

    /// How many sequences either player has, the empty one included.
    pub fn sequences(&self) -> [u64; 2] {
        [0, 1].map(|p: usize| self.shapes[p].sequences[0].saturating_add(1))
    }

    /// A checksum over all that the order of sequences depends on, with the names of moves and words.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = Xxh3::new();
        for (minds, shape) in self.states.minds.iter().zip(&self.shapes) {
            for mind in 0..minds.len() as u32 {
                hasher.update(&shape.sequences[mind as usize].to_le_bytes());
                for mv in 0..minds.moves(mind) {
                    hasher.update(minds.name(mind, mv).as_bytes());
                    hasher.update(&[0]);
                }
                for kid in minds.kids(mind) {
                    let mv = kid.step.mv.map_or(0, |mv| mv + 1);
                    let word = kid.step.word.map_or("", |word| minds.word(word));
                    hasher.update(&[mv.to_le_bytes(), kid.to.to_le_bytes()].concat());
                    hasher.update(word.as_bytes());
                    hasher.update(&[1]);
                }
            }
        }
        hasher.digest()
    }

    /// The view of a player before anything has happened.
    pub fn start(&self, player: Player) -> View {
        View { player, mind: 0, base: 1 }
    }

    /// The names of the moves at a view; none if the player never has to move there.
    pub fn moves(&self, view: View) -> impl ExactSizeIterator<Item = &str> {
        let minds = &self.states.minds[view.player as usize];
        (0..minds.moves(view.mind)).map(move |mv| minds.name(view.mind, mv))
    }

    /// The views that come next, each with what was done or heard.
    pub fn next(&self, view: View) -> impl ExactSizeIterator<Item = (String, View)> {
        let p = view.player as usize;
        let minds = &self.states.minds[p];
        minds
            .kid_range(view.mind)
            .zip(minds.kids(view.mind))
            .map(move |(i, kid)| {
                let base = view.base + self.shapes[p].offsets[i];
                (self.say(view, kid.step), View { mind: kid.to, base, ..view })
            })
            .collect::<Vec<_>>()
            .into_iter()
    }

    fn say(&self, view: View, step: Step) -> String {
        let minds = &self.states.minds[view.player as usize];
        match (step.mv, step.word) {
            (Some(mv), Some(word)) => format!("{} {}", minds.name(view.mind, mv), minds.word(word)),
            (Some(mv), None) => minds.name(view.mind, mv).to_string(),
            (None, Some(word)) => minds.word(word).to_string(),
            (None, None) => String::new(),
        }
    }

    /// The view that is written so, or how far it could be followed and what may come there.
    pub fn read(&self, player: Player, words: &[&str]) -> Result<View, String> {
        let (mut view, mut rest) = (self.start(player), words);
        while !rest.is_empty() {
            let two = rest.get(..2).map(|two| two.join(" "));
            let next = |said: &str| self.next(view).find(|(step, _)| step == said);
            let (taken, to) = match two.and_then(|two| next(&two)) {
                Some((_, to)) => (2, to),
                None => match next(rest[0]) {
                    Some((_, to)) => (1, to),
                    None => return Err(self.astray(view, words.len() - rest.len(), words)),
                },
            };
            (view, rest) = (to, &rest[taken..]);
        }
        Ok(view)
    }

    fn astray(&self, view: View, at: usize, words: &[&str]) -> String {
        let steps: Vec<String> = self.next(view).map(|(step, _)| step).collect();
        let after = match at {
            0 => "at first".to_string(),
            _ => format!("after '{}'", words[..at].join(" ")),
        };
        match steps.is_empty() {
            true => format!("'{}': nothing comes {after}", words[at]),
            false => format!("'{}' cannot come {after}; {} can", words[at], steps.join(", ")),
        }
    }

    /// The state before anything has happened.
    pub fn first_state(&self) -> u32 {
        0
    }

    /// Whose turn it is at a state.
    pub fn turn(&self, state: u32) -> Turn {
        self.states.nodes[state as usize].turn
    }

    /// A move of chance, drawn as likely as it is.
    pub fn draw(&self, state: u32, random: &mut fastrand::Rng) -> usize {
        let (arcs, mut left) = (self.states.arcs(state), random.f64());
        let drawn = arcs.iter().position(|arc| {
            left -= arc.chance;
            left < 0.0
        });
        drawn.unwrap_or(arcs.len() - 1)
    }

    /// How many moves there are at a state, whoever makes them.
    pub fn choices(&self, state: u32) -> usize {
        self.states.arcs(state).len()
    }

    /// The name of a player's move at a state, by its place; of a move of chance only its number.
    pub fn move_name(&self, state: u32, mv: usize) -> String {
        let node = &self.states.nodes[state as usize];
        match node.turn {
            Turn::Of(player) => {
                let p = player as usize;
                self.states.minds[p].name(node.minds[p], mv as u32).to_string()
            }
            _ => format!("chance-{}", mv + 1),
        }
    }

    /// Makes a move: the state that comes of it, and what each player is told. Views follow.
    pub fn advance(
        &self,
        state: u32,
        mv: usize,
        views: &mut [View; 2],
    ) -> (u32, [Option<String>; 2]) {
        let node = &self.states.nodes[state as usize];
        let arc = self.states.arcs(state)[mv];
        let heard = [0, 1].map(|p: usize| {
            if arc.steps[p] == STILL {
                return None;
            }
            let minds = &self.states.minds[p];
            let kid = minds.kids(node.minds[p])[arc.steps[p] as usize];
            let i = minds.kid_range(node.minds[p]).start + arc.steps[p] as usize;
            views[p].mind = kid.to;
            views[p].base += self.shapes[p].offsets[i];
            kid.step.word.map(|word| minds.word(word).to_string())
        });
        (arc.to, heard)
    }

    /// A state at which this is the view of the player to move.
    pub fn state_of(&self, view: View) -> Option<u32> {
        let at = |node: &Node| {
            node.turn == Turn::Of(view.player) && node.minds[view.player as usize] == view.mind
        };
        let place = self.states.nodes[..self.states.len()].iter().position(at);
        place.map(|state| state as u32)
    }

    /// How likely chance and the other player, by the reach of their sequences, let it come to a view, if
    /// its own player does all to get there.
    pub fn odds(&self, view: View, reach: &[f64]) -> f64 {
        let layout = Layout { states: &self.states, shapes: &self.shapes };
        let (p, mut sum) = (view.player as usize, 0.0);
        let mut open = vec![Place::start()];
        while let Some(place) = open.pop() {
            let (node, own) = (&self.states.nodes[place.node as usize], place.seats[p]);
            let likely = place.chance * reach[place.seats[1 - p].incoming as usize];
            let size = self.shapes[p].sequences[node.minds[p] as usize] as u32;
            if likely == 0.0 || !(own.base..own.base + size).contains(&view.base) {
                continue;
            }
            if node.turn == Turn::Of(view.player) && own.base == view.base {
                sum += likely;
            } else {
                open.extend(layout.next(place));
            }
        }
        sum
    }

    /// Where two plans of moves lead, tried one after the other.
    pub fn follow_plans(&self, plans: [&[&str]; 2]) -> Outcome {
        self.states.plans(plans)
    }

    /// A name for each sequence of a player: the view, and the move.
    pub fn sequence_names(&self, player: Player) -> Vec<String> {
        let mut names = vec![String::new(); self.sequences()[player as usize] as usize];
        let mut open = vec![(self.start(player), String::new())];
        while let Some((view, said)) = open.pop() {
            for (i, mv) in self.moves(view).enumerate() {
                let name = if said.is_empty() { mv.to_string() } else { format!("{said}: {mv}") };
                names[view.first() + i] = name;
            }
            for (step, next) in self.next(view) {
                open.push((next, format!("{said} {step}").trim().to_string()));
            }
        }
        names
    }

    /// All plans of so many different moves of a player, or `None` if there are more than `most`.
    pub fn plans_of(&self, player: Player, length: usize, most: u64) -> Option<Vec<Vec<String>>> {
        let minds = &self.states.minds[player as usize];
        let first = (0..minds.len() as u32).find(|&mind| minds.moves(mind) > 0);
        // Who never moves has one plan, to do nothing.
        let Some(first) = first else { return Some(vec![vec![]]) };
        let names: Vec<String> =
            (0..minds.moves(first)).map(|mv| minds.name(first, mv).to_string()).collect();
        let mut plans: Vec<Vec<String>> = vec![vec![]];
        for _ in 0..length {
            let longer = plans.iter().flat_map(|plan| {
                let left = names.iter().filter(|name| !plan.contains(name));
                left.map(|name| [&plan[..], std::slice::from_ref(name)].concat())
            });
            plans = longer.take((most as usize).saturating_add(1)).collect();
            if plans.len() as u64 > most {
                return None;
            }
        }
        Some(plans)
    }

    /// The minds of either player that win with certainty, with the move that does.
    pub fn certain(&self) -> [Certain; 2] {
        Player::BOTH.map(|player| certain::certain(&self.states, player))
    }

    /// The game that is left if it ends wherever a player wins with certainty.
    pub fn undecided(&self, certain: &[Certain; 2]) -> Result<Tree, HiddenError> {
        Tree::new(certain::cut_short(&self.states, certain))
    }

    /// A behaviour of the game that ends at certain wins, continued: certain wins are won, and at views
    /// that it does not reach all moves are equally likely.
    pub fn continued(
        &self,
        player: Player,
        short: &Tree,
        certain: &Certain,
        behaviour: &[f64],
    ) -> Vec<f64> {
        let whole = 1 + self.shapes[player as usize].sequences[0] as usize;
        let mut all = vec![1.0; whole];
        let start = self.start(player);
        self.proceed(start, Some(start), (short, certain, behaviour), &mut all);
        all
    }

    fn proceed(
        &self,
        view: View,
        in_short: Option<View>,
        from: (&Tree, &Certain, &[f64]),
        all: &mut [f64],
    ) {
        let (short, certain, behaviour) = from;
        let minds = &self.states.minds[view.player as usize];
        let count = minds.moves(view.mind) as usize;
        let mix = &mut all[view.first()..view.first() + count];
        let known = in_short.filter(|at| short.moves(*at).len() == count);
        match (known, certain[view.mind as usize]) {
            (Some(at), _) => mix.copy_from_slice(&behaviour[at.first()..at.first() + count]),
            (None, Some(mv)) => {
                mix.fill(0.0);
                mix[mv as usize] = 1.0;
            }
            (None, None) => mix.fill(1.0 / count as f64),
        }
        let p = view.player as usize;
        for (i, kid) in minds.kid_range(view.mind).zip(minds.kids(view.mind)) {
            let to = View { mind: kid.to, base: view.base + self.shapes[p].offsets[i], ..view };
            let in_short = in_short.and_then(|at| short.step(at, kid.step));
            self.proceed(to, in_short, from, all);
        }
    }

    fn step(&self, view: View, step: Step) -> Option<View> {
        let p = view.player as usize;
        let minds = &self.states.minds[p];
        let place = minds.kids(view.mind).iter().position(|kid| kid.step == step)?;
        let offset = self.shapes[p].offsets[minds.kid_range(view.mind).start + place];
        Some(View { mind: minds.kids(view.mind)[place].to, base: view.base + offset, ..view })
    }
}
