//! A game walked by its rules, one history at a time: nothing of it is laid out.
//!
//! A walk stands at one history, can make a move there and take it back. Of what a player knows it keeps a [`View`], a
//! hash of 128 bits of all that the player did and observed, in order: two views are taken for one with a probability
//! of 2⁻¹²⁸ for each pair. The step that a view goes on by is the place of the own move among the legal ones, and a hash
//! of the word that is observed, so that views are the same on every machine and in every run.

use std::{collections::HashMap, sync::Arc};

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::rules::{Described, Hidden, Player, Turn};

/// What a player did and observed, in order, as a hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct View(pub [u64; 2]);

impl View {
    /// What a player knows before anything has happened.
    pub fn start(player: Player) -> View {
        View([player as u64, 0])
    }

    /// The view after a step: the hashes of the words of an own move and of an observation.
    pub(crate) fn after(self, mv: Option<u64>, observation: Option<u64>) -> View {
        let [mv, observation] = [mv, observation].map(|word| word.unwrap_or(0));
        let words = [self.0[0], self.0[1], mv, observation].map(u64::to_le_bytes);
        let hash = xxh3_128(words.as_flattened());
        View([hash as u64, (hash >> 64) as u64])
    }
}

/// The hash of a word; never 0.
pub(crate) fn word_hash(word: &str) -> u64 {
    xxh3_64(word.as_bytes()).max(1)
}

/// How many features views and moves have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureCounts {
    /// Features of views.
    pub features: usize,
    /// Different moves.
    pub moves: usize,
}

/// What sampling needs of a game.
pub(crate) trait Ground {
    /// Whose turn it is.
    fn turn(&self) -> Turn;

    /// How many moves there are.
    fn moves(&self) -> usize;

    /// How likely chance makes a move, given by its place.
    fn chance(&self, mv: usize) -> f64;

    /// Makes a move, given by its place.
    fn make(&mut self, mv: usize);

    /// Takes the last move back.
    fn unmake(&mut self);
}

/// A game with hidden information at one history.
pub trait Walk: Send + Sync {
    /// Whose turn it is.
    fn turn(&self) -> Turn;

    /// How many moves there are; none where the game is over.
    fn moves(&self) -> usize;

    /// How likely chance makes a move, given by its place.
    fn chance(&self, mv: usize) -> f64;

    /// Makes a move, given by its place.
    fn make(&mut self, mv: usize);

    /// Takes the last move back.
    fn unmake(&mut self);

    /// How many moves were made.
    fn depth(&self) -> usize;

    /// What a player knows.
    fn view(&self, player: Player) -> View;

    /// How many features there are.
    fn counts(&self) -> FeatureCounts;

    /// The number of a move, given by its place, among all moves of the game.
    fn number(&self, mv: usize) -> usize;

    /// Replaces the features by those of what a player knows.
    fn describe(&self, player: Player, features: &mut Vec<u32>);

    /// A move as players write it.
    fn name(&self, mv: usize) -> String;

    /// What a player observes when a move is made here.
    fn observed(&self, mv: usize, player: Player) -> Option<String>;

    /// A player's picture of the position.
    fn seen(&self, player: Player) -> String;

    /// The referee's picture of the position.
    fn show(&self) -> String;
}

impl Ground for dyn Walk + '_ {
    fn turn(&self) -> Turn {
        Walk::turn(self)
    }

    fn moves(&self) -> usize {
        Walk::moves(self)
    }

    fn chance(&self, mv: usize) -> f64 {
        Walk::chance(self, mv)
    }

    fn make(&mut self, mv: usize) {
        Walk::make(self, mv);
    }

    fn unmake(&mut self) {
        Walk::unmake(self);
    }
}

impl dyn Walk + '_ {
    /// Goes back until so many moves are made.
    pub fn rewind(&mut self, depth: usize) {
        while self.depth() > depth {
            self.unmake();
        }
    }
}

/// How a game describes what its players know.
pub(crate) struct Features<G: Hidden> {
    pub counts: fn(&G) -> FeatureCounts,
    number: fn(&G, G::Move) -> usize,
    pub describe: fn(&G, &G::Position, Player, &mut Vec<u32>),
}

impl<G: Hidden> Clone for Features<G> {
    fn clone(&self) -> Features<G> {
        *self
    }
}

impl<G: Hidden> Copy for Features<G> {}

impl<G: Described> Features<G> {
    pub fn own() -> Features<G> {
        Features {
            counts: |game| FeatureCounts { features: game.many(), moves: game.moves_in_all() },
            number: |game, mv| game.number(mv),
            describe: |game, at, player, features| game.describe(at, player, features),
        }
    }
}

impl<G: Hidden> Features<G> {
    pub fn number(&self, game: &G, mv: G::Move) -> usize {
        (self.number)(game, mv)
    }
}

/// Features of games that describe nothing themselves: each view on the way, hashed.
const VIEW_FEATURES: usize = 509;

/// The most moves to choose from in games that do not number them.
const MOST_MOVES: usize = 64;

/// The features of a view in a game that describes nothing itself, by all views on the way.
pub(crate) fn hashed_features(views: impl Iterator<Item = View>, features: &mut Vec<u32>) {
    features.extend(views.map(|view| (view.0[0] % VIEW_FEATURES as u64) as u32));
    features.sort_unstable();
    features.dedup();
}

/// How many features there are, and moves, in a game that describes nothing itself.
pub(crate) const HASHED: FeatureCounts =
    FeatureCounts { features: VIEW_FEATURES, moves: MOST_MOVES };

/// A walk by the rules of a game.
pub(crate) struct RulesWalk<G: Hidden, R> {
    rules: Arc<R>,
    features: Option<Features<G>>,
    /// Those up to `depth` lead here; the rest are kept for their room.
    frames: Vec<WalkFrame<G>>,
    depth: usize,
    moves: HashMap<G::Move, u64>,
    observations: HashMap<G::Observation, u64>,
}

/// A history, and what led there from the one before.
struct WalkFrame<G: Hidden> {
    at: G::Position,
    turn: Turn,
    moves: Vec<G::Move>,
    /// The sum of the weights of chance's moves.
    weights: f64,
    views: [View; 2],
}

impl<G: Hidden> WalkFrame<G> {
    fn fill(&mut self, game: &G, at: G::Position, views: [View; 2]) {
        (self.turn, self.views) = (game.turn(&at), views);
        self.moves.clear();
        if !matches!(self.turn, Turn::Over(_)) {
            self.moves.extend(game.moves(&at));
        }
        if self.turn == Turn::Chance {
            self.weights = self.moves.iter().map(|&mv| game.weight(&at, mv)).sum();
        }
        self.at = at;
    }
}

impl<G: Hidden, R: AsRef<G>> RulesWalk<G, R> {
    pub fn new(rules: Arc<R>, features: Option<Features<G>>) -> RulesWalk<G, R> {
        let (turn, views) = (Turn::Chance, Player::BOTH.map(View::start));
        let game = (*rules).as_ref();
        let mut first = WalkFrame { at: game.start(), turn, moves: vec![], weights: 0.0, views };
        first.fill(game, game.start(), views);
        let (frames, moves, observations) = (vec![first], HashMap::new(), HashMap::new());
        RulesWalk { rules, features, frames, depth: 0, moves, observations }
    }

    fn game(&self) -> &G {
        (*self.rules).as_ref()
    }

    fn here(&self) -> &WalkFrame<G> {
        &self.frames[self.depth]
    }
}

impl<G: Hidden, R: AsRef<G> + Send + Sync> Walk for RulesWalk<G, R> {
    fn turn(&self) -> Turn {
        self.here().turn
    }

    fn moves(&self) -> usize {
        self.here().moves.len()
    }

    fn chance(&self, mv: usize) -> f64 {
        let WalkFrame { at, moves, weights, .. } = self.here();
        self.game().weight(at, moves[mv]) / weights
    }

    fn make(&mut self, mv: usize) {
        let game = (*self.rules).as_ref();
        let frame = &self.frames[self.depth];
        let mv = frame.moves[mv];
        let mut views = frame.views;
        for player in Player::BOTH {
            let own = (frame.turn == Turn::Of(player))
                .then(|| *self.moves.entry(mv).or_insert_with(|| word_hash(&mv.to_string())));
            let observation = game.observe(&frame.at, mv, player);
            if own.is_none() && observation.is_none() {
                continue;
            }
            let hash = observation.map(|word| {
                let known = self.observations.entry(word);
                *known.or_insert_with(|| word_hash(&word.to_string()))
            });
            views[player as usize] = views[player as usize].after(own, hash);
        }
        let to = game.play(&frame.at, mv);
        self.depth += 1;
        if self.depth == self.frames.len() {
            let (turn, moves) = (Turn::Chance, vec![]);
            self.frames.push(WalkFrame { at: to.clone(), turn, moves, weights: 0.0, views });
        }
        self.frames[self.depth].fill(game, to, views);
    }

    fn unmake(&mut self) {
        self.depth -= 1;
    }

    fn depth(&self) -> usize {
        self.depth
    }

    fn view(&self, player: Player) -> View {
        self.here().views[player as usize]
    }

    fn counts(&self) -> FeatureCounts {
        self.features.map_or(HASHED, |features| (features.counts)(self.game()))
    }

    fn number(&self, mv: usize) -> usize {
        match self.features {
            Some(features) => features.number(self.game(), self.here().moves[mv]),
            None => mv.min(MOST_MOVES - 1),
        }
    }

    fn describe(&self, player: Player, features: &mut Vec<u32>) {
        features.clear();
        if let Some(own) = self.features {
            return (own.describe)(self.game(), &self.here().at, player, features);
        }
        let views = self.frames[..=self.depth].iter().map(|frame| frame.views[player as usize]);
        hashed_features(views, features);
    }

    fn name(&self, mv: usize) -> String {
        self.here().moves[mv].to_string()
    }

    fn observed(&self, mv: usize, player: Player) -> Option<String> {
        let WalkFrame { at, moves, .. } = self.here();
        self.game().observe(at, moves[mv], player).map(|word| word.to_string())
    }

    fn seen(&self, player: Player) -> String {
        self.game().seen(&self.here().at, player)
    }

    fn show(&self) -> String {
        self.game().show(&self.here().at)
    }
}
